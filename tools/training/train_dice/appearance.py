"""How a die looks: its shape, colours, pips, prints and wear, drawn at random."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float32]


@dataclass(frozen=True)
class DieAppearance:
    """Appearance of a die. Colours are BGR in 0..1; `faces` are the values of +x, -x, +y, -y, +z, -z.

    `four`: its pips have the colour of the one's, as in East Asia. `vein`: a second colour mixed into the body along
    `waves`, (3, 3). `ghost`: visibility of the pips behind. `ring`: darkness of a ring around a pip. `metal`: share of
    the room that it mirrors. `worn`: paint lost from pips. `chafed`: paleness of the edges. `inlay`: share of a pip's
    radius that has the colour `inlaid`: a disc in another colour, or a ring if that is the body's. `corners`: shape of
    the pips: 0 round, 4 square, others stars. `tones`: colours of the six faces, (6, 3). `glitter`: strength of sparks
    in the body. `prints`: what is printed on each face in the colour `ink`, (faces, cells, cells), 0 to 1;
    `without_pips`: values whose face has prints instead of pips. `sides`: outward unit normals of another solid than a
    cube, (n, 3); its faces have prints alone. `layers`: colours of the body, (n, 3), one after the other along
    `layer_axis`, (3,), whose length is their number in an edge; `blended`: each passes into the next. `speckle`:
    strength of dull grains in the body, below 0 dark ones. `face_pips`: colours of the pips of the six faces, (6, 3).
    `pip_offsets`: how far each pip is off its place, in edges, (6, 6, 2). `pip_ratio`: a pip's length over its breadth.
    """

    faces: tuple[int, int, int, int, int, int]
    body: Array
    pip: Array
    one: Array
    rounding: float
    ball: float
    pip_radius: float
    spread: float
    six_spread: float
    one_scale: float
    dimple: float
    gloss: float
    shine: float
    glow: float
    marble: float
    flips: tuple[bool, ...]
    blank: bool = False
    four: bool = False
    vein: Array | None = None
    waves: Array | None = None
    ghost: float = 0.0
    ring: float = 0.0
    metal: float = 0.0
    worn: float = 0.0
    chafed: float = 0.0
    inlay: float = 0.0
    inlaid: Array | None = None
    corners: int = 0
    tones: Array | None = None
    glitter: float = 0.0
    prints: Array | None = None
    ink: Array | None = None
    without_pips: tuple[int, ...] = ()
    sides: Array | None = None
    layers: Array | None = None
    layer_axis: Array | None = None
    blended: bool = False
    speckle: float = 0.0
    face_pips: Array | None = None
    pip_offsets: Array | None = None
    pip_ratio: float = 1.0


def random_appearance(rng: np.random.Generator) -> DieAppearance:
    """Draw a random appearance; the pips contrast with the body."""
    a, b, c = rng.permutation(3) + 1
    pairs = [v if rng.random() < 0.5 else 7 - v for v in (int(a), int(b), int(c))]
    faces = (pairs[0], 7 - pairs[0], pairs[1], 7 - pairs[1], pairs[2], 7 - pairs[2])
    kind = rng.random()
    while True:
        if kind < 0.4:
            body = rng.uniform(0.72, 1.0) * (1 - rng.uniform(0, 0.3) * np.array([1, 0.45, 0.1]) * rng.random())
            pip = np.full(3, rng.uniform(0, 0.2)) if rng.random() < 0.8 else rng.random(3)
        elif kind < 0.55:
            body = np.full(3, rng.uniform(0.01, 0.3)) + rng.uniform(0, 0.06, 3)
            pip = np.full(3, rng.uniform(0.45, 1.0)) if rng.random() < 0.8 else rng.random(3)
        elif kind < 0.62:
            body = np.full(3, rng.uniform(0.25, 0.7)) + rng.uniform(-0.04, 0.04, 3)
            pip = np.full(3, rng.choice([rng.uniform(0, 0.2), rng.uniform(0.75, 1.0)]))
        else:
            body = draw_bright_colour(rng, 0.25)
            pick = rng.random()
            gray = rng.uniform(0.8, 1.0) if pick < 0.5 else rng.uniform(0, 0.2)
            pip = np.full(3, gray) if pick < 0.7 else draw_bright_colour(rng, 0.3)
        if compare_colours(body, pip) > rng.choice([22.0, 34.0, 50.0]):
            break
    one = rng.random(3) if rng.random() < 0.06 else pip
    if compare_colours(body, one) < 30:
        one = pip
    sphere = rng.random() < 0.45
    spread, six_spread = rng.uniform(0.165, 0.285), rng.uniform(0.88, 1.1)
    return DieAppearance(
        faces=faces,
        body=body.astype(np.float32),
        pip=pip.astype(np.float32),
        one=one.astype(np.float32),
        rounding=float(rng.uniform(0.008, 0.12) if sphere else rng.uniform(0.008, 0.22)),
        ball=float(rng.uniform(0.64, 0.76) if sphere else 2.0),
        pip_radius=float(rng.uniform(0.055, min(0.138, 0.49 * spread * min(1, six_spread)))),
        spread=float(spread),
        six_spread=float(six_spread),
        one_scale=float(rng.uniform(0.95, 1.25) if rng.random() < 0.8 else rng.uniform(1.25, 2.0)),
        dimple=float(rng.uniform(0, 0.9) if rng.random() < 0.7 else 0.0),
        gloss=float(rng.uniform(0, 1.0) ** 2),
        shine=float(np.exp(rng.uniform(2.0, 5.5))),
        glow=float(rng.uniform(0.1, 0.6) if rng.random() < 0.2 else 0.0),
        marble=float(rng.uniform(0.05, 0.3) if rng.random() < 0.15 else 0.0),
        flips=tuple(bool(v) for v in rng.random(6) < 0.5),
        blank=False,
        **_draw_rare_properties(rng, body),
    )


def _draw_rare_properties(rng: np.random.Generator, body: Array) -> dict[str, Any]:
    """Draw rare properties: swirls, transparent bodies, metal, wear."""
    swirl = rng.random() < 0.25
    other = draw_bright_colour(rng, 0.15) if rng.random() < 0.3 else np.clip(body * rng.uniform(0.35, 1.8), 0, 1)
    return {
        "four": bool(rng.random() < 0.4),
        "vein": np.asarray(body + (other - body) * rng.uniform(0.2, 0.9), np.float32) if swirl else None,
        "waves": rng.normal(0, rng.uniform(3, 14), (3, 3)).astype(np.float32) if swirl else None,
        "ghost": float(rng.uniform(0.05, 0.35) if rng.random() < 0.12 else 0.0),
        "ring": float(rng.uniform(0.2, 0.8) if rng.random() < 0.08 else 0.0),
        "metal": float(rng.uniform(0.3, 1.0) if rng.random() < 0.06 else 0.0),
        "worn": float(rng.uniform(0.1, 0.8) if rng.random() < 0.12 else 0.0),
        "chafed": float(rng.uniform(0.1, 0.5) if rng.random() < 0.12 else 0.0),
    }


def draw_bright_colour(rng: np.random.Generator, least: float) -> Array:
    """Draw a colour of any hue with at least this brightness."""
    hsv = np.array([[[rng.uniform(0, 360), rng.uniform(0.3, 1.0), rng.uniform(least, 1.0)]]], np.float32)
    return np.asarray(cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0], np.float32)


def compare_colours(one: Array, other: Array) -> float:
    """Return the perceived difference of two colours (CIE 1976 L*a*b*, lightness counts most)."""
    pair = np.clip(np.array([[one, other]], np.float32), 0, 1)
    lab = cv2.cvtColor(pair, cv2.COLOR_BGR2LAB)[0]
    return float(np.linalg.norm((lab[0] - lab[1]) * np.array([1.0, 0.6, 0.6])))


def recolour(look: DieAppearance, body: Array) -> DieAppearance:
    """Return the die in another colour; pips that would not contrast become dark or light."""
    pip, one = look.pip, look.one
    gray = 0.05 if float(body.mean()) > 0.45 else 0.95
    pip = pip if compare_colours(body, pip) > 40 else np.full(3, gray, np.float32)
    one = one if compare_colours(body, one) > 40 else pip
    return replace(look, body=np.asarray(body, np.float32), pip=pip, one=one, layers=None, face_pips=None)
