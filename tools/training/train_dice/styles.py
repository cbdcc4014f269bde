"""Families of dice that people own; some families are held back from training.

The held-back families, and the grounds of `tables.HELD_BACK_GROUNDS`, are never drawn for training: how well they are
read tells how strangers' dice will be read, and nets, thresholds and mixtures are chosen by that alone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from train_dice.appearance import Array, DieAppearance, compare_colours, draw_bright_colour, random_appearance
from train_dice.prints import PRINT_CELLS, Rng, draw_sign, draw_text

Style = Callable[[Rng, DieAppearance], DieAppearance]

_MIN_CONTRAST = 30.0
"""Least difference of pips and body (`appearance.compare_colours`), as in `appearance.random_appearance`."""


def _set_lattice(
    rng: Rng, look: DieAppearance, spread: float, six: float, radius: float | None = None
) -> DieAppearance:
    """Set the distance of the pips, the six's ratio, and pips that do not touch."""
    room = 0.47 * spread * min(1.0, six)
    own = radius if radius is not None else rng.uniform(0.45, 0.95) * room
    return replace(look, spread=spread, six_spread=six, pip_radius=float(min(own, room)), one_scale=1.0)


def _plain(rng: Rng, look: DieAppearance) -> DieAppearance:
    return look


def _wide_lattice(rng: Rng, look: DieAppearance) -> DieAppearance:
    return _set_lattice(rng, look, float(rng.uniform(0.285, 0.34)), look.six_spread)


def _close_lattice(rng: Rng, look: DieAppearance) -> DieAppearance:
    return _set_lattice(rng, look, float(rng.uniform(0.125, 0.165)), look.six_spread)


def _closest_lattice(rng: Rng, look: DieAppearance) -> DieAppearance:
    return _set_lattice(rng, look, float(rng.uniform(0.09, 0.12)), look.six_spread)


def _tall_six(rng: Rng, look: DieAppearance) -> DieAppearance:
    six = float(rng.uniform(1.3, 1.9))
    return _set_lattice(rng, look, float(min(0.34 / six, rng.uniform(0.15, 0.24))), six)


def _flat_six(rng: Rng, look: DieAppearance) -> DieAppearance:
    return _set_lattice(rng, look, float(rng.uniform(0.2, 0.3)), float(rng.uniform(0.55, 0.8)))


def _small_pips(rng: Rng, look: DieAppearance) -> DieAppearance:
    return _set_lattice(rng, look, look.spread, look.six_spread, float(rng.uniform(0.03, 0.055)))


def _large_pips(rng: Rng, look: DieAppearance) -> DieAppearance:
    spread = float(rng.uniform(0.26, 0.32))
    return _set_lattice(rng, look, spread, float(rng.uniform(1.0, 1.1)), float(rng.uniform(0.12, 0.15)))


def _rings(rng: Rng, look: DieAppearance) -> DieAppearance:
    return replace(look, inlay=float(rng.uniform(0.4, 0.75)), inlaid=look.body, dimple=0.0)


def _inlaid_discs(rng: Rng, look: DieAppearance) -> DieAppearance:
    inlaid = _draw_contrasting(rng, look.pip)
    return replace(look, inlay=float(rng.uniform(0.5, 0.85)), inlaid=inlaid, dimple=float(rng.uniform(0, 0.3)))


def _ghosts(rng: Rng, look: DieAppearance) -> DieAppearance:
    return replace(_make_clear(rng, look), ghost=float(rng.uniform(0.1, 0.4)))


def _strong_ghosts(rng: Rng, look: DieAppearance) -> DieAppearance:
    return replace(_make_clear(rng, look), ghost=float(rng.uniform(0.45, 0.7)))


def _make_clear(rng: Rng, look: DieAppearance) -> DieAppearance:
    """Make the body a coloured clear plastic with white or dark pips."""
    body = draw_bright_colour(rng, 0.3)
    pip = np.full(3, 0.95 if float(body.mean()) < 0.6 or rng.random() < 0.6 else 0.05, np.float32)
    if compare_colours(body, pip) < _MIN_CONTRAST:
        body = np.asarray(body * 0.5, np.float32)
    glow, gloss = float(rng.uniform(0.3, 0.7)), float(rng.uniform(0.3, 1))
    return replace(look, body=body, pip=pip, one=pip, glow=glow, gloss=gloss, vein=None)


def _marbled(rng: Rng, look: DieAppearance) -> DieAppearance:
    other = np.clip(look.body * rng.uniform(0.4, 1.6), 0, 1)
    return _swirl(rng, look, np.asarray(look.body + (other - look.body) * rng.uniform(0.4, 0.8), np.float32))


def _full_marble(rng: Rng, look: DieAppearance) -> DieAppearance:
    """Two quite different colours, and pips that stand out from both."""
    pip = np.full(3, rng.choice([0.03, 0.97]), np.float32)
    one, two = (_draw_contrasting(rng, pip) for _ in range(2))
    return _swirl(rng, replace(look, body=one, pip=pip, one=pip), two)


def _swirl(rng: Rng, look: DieAppearance, vein: Array) -> DieAppearance:
    return replace(look, vein=vein, waves=rng.normal(0, rng.uniform(3, 14), (3, 3)).astype(np.float32))


def _metal(rng: Rng, look: DieAppearance) -> DieAppearance:
    grey = rng.uniform(0.35, 0.8) * (1 + rng.uniform(-0.12, 0.12, 3))
    body = np.asarray(np.clip(grey, 0, 1), np.float32)
    pip = _draw_contrasting(rng, body)
    return replace(look, body=body, pip=pip, one=pip, metal=float(rng.uniform(0.4, 1)), gloss=1.0, vein=None)


def _dimpled_metal(rng: Rng, look: DieAppearance) -> DieAppearance:
    """Dimples without any paint: only their shade shows them."""
    look = _metal(rng, look)
    pip = np.asarray(look.body * rng.uniform(0.35, 0.7), np.float32)
    return replace(look, pip=pip, one=pip, dimple=float(rng.uniform(0.6, 0.95)), metal=float(rng.uniform(0.3, 0.7)))


def _casino(rng: Rng, look: DieAppearance) -> DieAppearance:
    """Razor edges, clear body, flush white pips."""
    look = replace(_make_clear(rng, look), rounding=0.008, ball=2.0, dimple=0.0, ghost=float(rng.uniform(0.1, 0.3)))
    pip = np.full(3, 0.95, np.float32)
    return _set_lattice(rng, replace(look, pip=pip, one=pip), float(rng.uniform(0.24, 0.29)), 1.0, 0.105)


def _printed_casino(rng: Rng, look: DieAppearance) -> DieAppearance:
    """Casino dice with rings for pips, and a name and a number printed on their faces."""
    look = _casino(rng, look)
    prints = np.zeros((6, PRINT_CELLS, PRINT_CELLS), np.float32)
    for number in range(6):
        if rng.random() < 0.6:
            text = "".join(rng.choice(list("ABCDEFGHKLMNORST0123456789"), int(rng.integers(4, 9))))
            at = (0.5, float(rng.choice([0.5, 0.42, 0.58]))) if look.faces[number] not in (1, 3, 5) else (0.5, 0.7)
            prints[number] = draw_text(text, at, 0.5, rng)
    ringed = replace(look, inlay=float(rng.uniform(0.5, 0.7)), inlaid=look.body) if rng.random() < 0.5 else look
    return replace(ringed, prints=prints, ink=look.pip)


def _sign_beside_one(rng: Rng, look: DieAppearance) -> DieAppearance:
    """A maker's name beside the pip of the one."""
    prints = np.zeros((6, PRINT_CELLS, PRINT_CELLS), np.float32)
    prints[look.faces.index(1)] = draw_text("LOGO", (0.5, float(rng.choice([0.2, 0.8]))), 0.6, rng)
    return replace(look, prints=prints, ink=look.one)


def _sign_for_one(rng: Rng, look: DieAppearance) -> DieAppearance:
    """An emblem in place of the one."""
    prints = np.zeros((6, PRINT_CELLS, PRINT_CELLS), np.float32)
    prints[look.faces.index(1)] = draw_sign(rng, float(rng.uniform(0.5, 0.75)))
    return replace(look, prints=prints, ink=look.pip, without_pips=(1,))


def _worn(rng: Rng, look: DieAppearance) -> DieAppearance:
    return replace(look, worn=float(rng.uniform(0.2, 0.85)), chafed=float(rng.uniform(0, 0.5)))


def _two_tone(rng: Rng, look: DieAppearance) -> DieAppearance:
    """Opposite faces in colours of their own, all with the same pips."""
    pip = np.full(3, rng.choice([0.03, 0.97]), np.float32)
    tones = np.repeat(np.stack([_draw_contrasting(rng, pip) for _ in range(3)]), 2, axis=0)
    return replace(look, tones=np.asarray(tones, np.float32), pip=pip, one=pip, vein=None)


def _square_pips(rng: Rng, look: DieAppearance) -> DieAppearance:
    return replace(look, corners=4)


def _star_pips(rng: Rng, look: DieAppearance) -> DieAppearance:
    return replace(look, corners=5, dimple=0.0, pip_radius=look.pip_radius * 1.1)


def _glitter(rng: Rng, look: DieAppearance) -> DieAppearance:
    return replace(look, glitter=float(rng.uniform(0.3, 0.9)), gloss=float(rng.uniform(0.4, 1)))


def _pearl(rng: Rng, look: DieAppearance) -> DieAppearance:
    return replace(look, marble=float(rng.uniform(0.1, 0.3)), metal=float(rng.uniform(0.1, 0.3)))


def _layered(rng: Rng, look: DieAppearance) -> DieAppearance:
    """Layers of wood or resin, with pips that stand out from all of them."""
    return _make_layers(
        rng, look, int(rng.integers(2, 5)), float(np.exp(rng.uniform(np.log(1.5), np.log(9)))), blended=False
    )


def _blended(rng: Rng, look: DieAppearance) -> DieAppearance:
    """A body whose colour passes into another."""
    return _make_layers(rng, look, 2, float(rng.uniform(0.6, 1.2)), blended=True)


def _make_layers(rng: Rng, look: DieAppearance, colours: int, per_edge: float, *, blended: bool) -> DieAppearance:
    """Give the body this number of colours, `per_edge` layers in an edge, and pips that stand out from all."""
    pip = np.full(3, rng.choice([0.03, 0.97]), np.float32)
    layers = np.stack([_draw_contrasting(rng, pip) for _ in range(colours)])
    axis = rng.standard_normal(3)
    axis *= per_edge / np.linalg.norm(axis)
    return replace(
        look, layers=layers, layer_axis=np.asarray(axis, np.float32), blended=blended, pip=pip, one=pip, vein=None
    )


def _speckled(rng: Rng, look: DieAppearance) -> DieAppearance:
    """Stone, or plastic with dull grains, of the shade that leaves the pips their contrast."""
    strength = float(rng.uniform(0.15, 0.6))
    return replace(look, speckle=strength if float(look.pip.mean()) < float(look.body.mean()) else -strength)


def _engraved(rng: Rng, look: DieAppearance) -> DieAppearance:
    """Pips that are cut or burnt into wood or plastic and not painted."""
    body = look.body if float(look.body.mean()) > 0.3 else look.body + 0.3
    pip = np.asarray(body * rng.uniform(0.35, 0.75), np.float32)
    return replace(look, body=body, pip=pip, one=pip, dimple=float(rng.uniform(0.3, 0.9)), metal=0.0)


def _coloured_pips(rng: Rng, look: DieAppearance) -> DieAppearance:
    """Pips of another colour on each face."""
    return replace(look, face_pips=np.stack([_draw_contrasting(rng, look.body) for _ in range(6)]), vein=None)


def _handmade(rng: Rng, look: DieAppearance) -> DieAppearance:
    """Pips a little off their places, or all of a face shifted together."""
    off = rng.normal(0, rng.uniform(0.008, 0.025), (6, 6, 2))
    off += rng.normal(0, rng.uniform(0.0, 0.03), (6, 1, 2))
    return replace(look, pip_offsets=np.asarray(off, np.float32), pip_radius=look.pip_radius * 0.9)


def _oval_pips(rng: Rng, look: DieAppearance) -> DieAppearance:
    return replace(look, pip_ratio=float(np.exp(rng.uniform(-0.6, 0.6))), pip_radius=look.pip_radius * 0.85)


def _framed(rng: Rng, look: DieAppearance) -> DieAppearance:
    """A line around every face."""
    y, x = np.abs((np.mgrid[:PRINT_CELLS, :PRINT_CELLS].astype(np.float32) + 0.5) / PRINT_CELLS - 0.5)
    far = np.maximum(x, y) if rng.random() < 0.7 else np.hypot(x, y)
    inner, width = float(rng.uniform(0.36, 0.43)), float(rng.uniform(0.012, 0.035))
    line = np.clip((width - np.abs(far - inner)) * PRINT_CELLS, 0, 1)
    look = _set_lattice(rng, look, min(look.spread, 0.6 * inner), look.six_spread)
    ink = look.pip if rng.random() < 0.5 else _draw_contrasting(rng, look.body)
    return replace(look, prints=np.repeat(line[None], 6, axis=0), ink=ink)


STYLES: dict[str, Style] = {
    "plain": _plain,
    "wide lattice": _wide_lattice,
    "close lattice": _close_lattice,
    "tall six": _tall_six,
    "flat six": _flat_six,
    "small pips": _small_pips,
    "large pips": _large_pips,
    "rings": _rings,
    "ghosts": _ghosts,
    "marbled": _marbled,
    "metal": _metal,
    "casino": _casino,
    "sign beside the one": _sign_beside_one,
    "worn": _worn,
    "pearl": _pearl,
    "layered": _layered,
    "blended": _blended,
    "speckled": _speckled,
    "engraved": _engraved,
    "coloured pips": _coloured_pips,
    "handmade": _handmade,
    "oval pips": _oval_pips,
    "framed": _framed,
}
"""Families for training, by name."""

HELD_BACK_STYLES: dict[str, Style] = {
    "closest lattice": _closest_lattice,
    "inlaid discs": _inlaid_discs,
    "strong ghosts": _strong_ghosts,
    "full marble": _full_marble,
    "dimpled metal": _dimpled_metal,
    "printed casino": _printed_casino,
    "sign for the one": _sign_for_one,
    "two-tone": _two_tone,
    "square pips": _square_pips,
    "star pips": _star_pips,
    "glitter": _glitter,
}
"""Families for evaluation alone, by name."""

_PLAIN_SHARE = 0.5
"""Share of dice in training that have the plain style: most dice that people own."""


def draw_style(rng: Rng) -> DieAppearance:
    """Draw a die's appearance from the families for training."""
    look = random_appearance(rng)
    if rng.random() < _PLAIN_SHARE:
        return look
    return STYLES[str(rng.choice(list(STYLES)))](rng, look)


def draw_from_family(rng: Rng, name: str) -> DieAppearance:
    """Draw an appearance from a family, held back or not.

    Raises:
        KeyError: there is no such family.
    """
    return (STYLES | HELD_BACK_STYLES)[name](rng, random_appearance(rng))


def _draw_contrasting(rng: Rng, other: Array) -> Array:
    """Draw a colour that stands out from another one."""
    while True:
        colour = draw_bright_colour(rng, 0.1) if rng.random() < 0.7 else np.full(3, rng.random(), np.float32)
        if compare_colours(colour, other) > _MIN_CONTRAST:
            return np.asarray(colour, np.float32)
