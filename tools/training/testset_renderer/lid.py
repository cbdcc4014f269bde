"""A Macroscope lid: twelve round windows over cards, tokens on them, and sometimes tags at the corners.

The lid's own axes: mm from its middle, y towards the arrow.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from ray_tracer.camera import Array, CameraPose
from ray_tracer.paints import make_paint
from ray_tracer.scene import FlatSheet, PaintedSolid
from ray_tracer.shapes import BoxShape, Cylinder, Solid, rotate_about
from ray_tracer.textures import compute_placement, make_spectral_noise

from testset_renderer.digits import Handwriting
from testset_renderer.surfaces import make_felt, make_plain, make_wood, random_tint

Rng = np.random.Generator
CARD_DEPTH_MM = 5.0
"""Depth of the cards below the lid's top."""


@dataclass(frozen=True, eq=False)
class LidModel:
    """A lid with its set of tokens; lengths in mm."""

    layout: str
    size: tuple[float, float]
    high: float
    windows: Array
    radius: float
    hole: float
    thick: float
    tags: bool
    top: Array
    side: Array
    face: Array
    ink: Array
    ring: float
    hand: Handwriting
    digit: float
    arrow: Array
    dots: Array
    scale: float


def _layout(rng: Rng) -> tuple[str, Array, tuple[float, float], float]:
    """Draw the layout: name, windows (12, 2), size and token radius."""
    kind = str(rng.choice(["3x4", "4x3stag", "ring", "random"]))
    r = float(rng.uniform(15, 19))
    pitch = 2 * r + rng.uniform(8, 15)
    if kind == "3x4":
        rows, columns = (4, 3) if rng.random() < 0.6 else (3, 4)
        at = [
            ((c - (columns - 1) / 2) * pitch, (i - (rows - 1) / 2) * pitch) for i in range(rows) for c in range(columns)
        ]
    elif kind == "4x3stag":
        off = pitch * rng.uniform(0.15, 0.28)
        at = [((c - 1) * pitch + (off if i % 2 else -off), (i - 1.5) * pitch) for i in range(4) for c in range(3)]
    elif kind == "ring":
        outer = int(rng.choice([8, 9]))
        inner = 12 - outer
        near = pitch * 0.72
        far = max(pitch / (2 * np.sin(np.pi / outer)) * 1.04, near + 2 * r + 5)  # no token lies on another
        turn = rng.uniform(0, 0.5)
        at = [
            (far * np.sin(2 * np.pi * i / outer + turn), far * np.cos(2 * np.pi * i / outer + turn))
            for i in range(outer)
        ]
        at += [
            (near * np.sin(2 * np.pi * (i + 0.5) / inner), near * np.cos(2 * np.pi * (i + 0.5) / inner))
            for i in range(inner)
        ]
    else:
        at = []
        span, tries = 78.0, 0
        while len(at) < 12:
            x, y = rng.uniform(-span, span, 2)
            tries += 1
            if all(np.hypot(x - a, y - b) > 2 * r + 5 for a, b in at):
                at.append((float(x), float(y)))
            if tries > 400:
                at, tries, span = [], 0, span + 3
    windows = np.array(at, np.float32)
    windows = windows[np.lexsort((windows[:, 0].round(1), windows[:, 1].round(0)))]
    half = np.abs(windows).max(0) + r + rng.uniform(6, 14)
    return kind, windows, (float(2 * half[0]), float(2 * half[1] + 2 * rng.uniform(4, 9))), r


def random_lid(rng: Rng, tags: bool, scale: float) -> LidModel:
    """Draw a random lid; `scale` is pixels per mm."""
    kind, windows, size, r = _layout(rng)
    while True:
        top, face = (random_tint(rng, None, rng.uniform(0, 0.8), rng.uniform(0.15, 0.9)) for _ in range(2))
        if rng.random() < 0.2:
            face = top * rng.uniform(0.8, 1.2)
        ink = (
            random_tint(rng, None, 0.1, 0.92)
            if float(face.mean()) < 0.22
            else random_tint(rng, None, 0.3, rng.uniform(0.05, 0.25))
        )
        if abs(float(np.log((face.mean() + 0.02) / (ink.mean() + 0.02)))) > 0.9:
            break
    pattern = (make_felt, make_plain, make_wood)[int(rng.choice(3, p=[0.3, 0.5, 0.2]))]
    w, h = int(size[0] * scale), int(size[1] * scale)
    ground = pattern(rng, (h, w), scale)
    ground = ground / (ground.mean((0, 1)) + 1e-3) * top
    pale = random_tint(rng, None, 0.1, 0.9) if float(top.mean()) < 0.25 else random_tint(rng, None, 0.2, 0.1)
    return LidModel(
        layout=kind,
        size=size,
        high=float(rng.uniform(12, 30)),
        windows=windows,
        radius=r,
        hole=r * float(rng.uniform(0.82, 0.92)),
        thick=float(rng.uniform(1.5, 3.2)),
        tags=tags,
        top=np.clip(ground, 0.005, 0.92).astype(np.float32),
        side=(top * rng.uniform(0.7, 1.0)).astype(np.float32),
        face=face,
        ink=ink,
        ring=float(rng.choice([0.0, rng.uniform(0.75, 0.93)])),
        hand=Handwriting(rng),
        digit=float(rng.uniform(0.42, 0.56)),
        arrow=pale,
        dots=random_tint(rng, None, rng.uniform(0.1, 0.6), rng.uniform(0.3, 0.95)),
        scale=scale,
    )


@dataclass(frozen=True, eq=False)
class PlacedLid:
    """A lid at a place, rotated, with tokens: per window its number or 0, its token's rotation and its card."""

    lid: LidModel
    at: tuple[float, float]
    angle: float
    tokens: tuple[int, ...]
    turns: tuple[float, ...]
    cards: tuple[Array, ...]

    def to_world(self, points: Array, z: float) -> Array:
        """Convert points of the lid (n, 2) to world points (n, 3) at the height `z`."""
        c, s = np.cos(self.angle), np.sin(self.angle)
        turned = points @ np.array([[c, s], [-s, c]]) + np.array(self.at)
        return np.column_stack([turned, np.full(len(turned), z)]).astype(np.float32)

    def describe_truth(self, camera: CameraPose) -> dict[str, object]:
        """Describe the lid in a frame for truth.json, without occlusion."""
        lid, z = self.lid, self.lid.high
        x, y = lid.size[0] / 2, lid.size[1] / 2
        corners = camera.project(self.to_world(np.array([[-x, y], [x, y], [x, -y], [-x, -y]]), z))
        middles = camera.project(self.to_world(lid.windows, z))
        rims = camera.project(self.to_world(lid.windows + np.array([lid.radius, 0]), z))
        windows = [
            {"px": _round_point(m), "r_px": round(float(np.hypot(*(r - m))), 1), "token": t or None, "visible": 1.0}
            for m, r, t in zip(middles, rims, self.tokens, strict=True)
        ]
        arrow = camera.project(self.to_world(np.array([[0.0, y - 7]]), z))[0]
        return {
            "lid_corners_px": [_round_point(c) for c in corners],
            "arrow_px": _round_point(arrow),
            "windows": windows,
        }

    def list_solids(self) -> list[PaintedSolid]:
        """List the box, and the invisible solids that cast the shadows on it."""
        lid = self.lid
        half = np.array([lid.size[0] / 2, lid.size[1] / 2, lid.high / 2 - 0.05], np.float32)
        turn = rotate_about((0, 0, 1), self.angle)
        middle = np.array([*self.at, lid.high / 2 - 0.05], np.float32)
        out = [PaintedSolid(BoxShape(middle, turn, half, 0.0), make_paint(lid.side, 0.6), 4)]
        for (x, y, z), token in zip(self.to_world(lid.windows, lid.high + lid.thick / 2), self.tokens, strict=True):
            if token:
                disc = np.array([lid.radius, lid.radius, lid.thick / 2], np.float32)
                solid = Cylinder(np.array([x, y, z], np.float32), turn, disc)
                out.append(PaintedSolid(solid, make_paint(lid.face), 4, visible=False))
        if lid.tags:
            for x, y, _ in self.to_world(_tag_places(lid), 0):
                disc = np.array([TAG_TAB_MM / 2, TAG_TAB_MM / 2, 0.5], np.float32)
                out.append(
                    PaintedSolid(
                        BoxShape(np.array([x, y, lid.high - 0.6], np.float32), turn, disc),
                        make_paint(lid.side),
                        4,
                        visible=False,
                    )
                )
        return out

    def list_sheets(self, body: Solid) -> list[FlatSheet]:
        """List the sheets of cards, the windows' walls, the lid's top and the tokens."""
        lid, scale = self.lid, self.lid.scale
        out_w, out_h = lid.size[0] + 2 * TAG_TAB_MM + 4, lid.size[1] + 2 * TAG_TAB_MM + 4
        w, h = int(out_w * scale), int(out_h * scale)
        place = compute_placement(w, h, scale, self.at, self.angle)

        def pixel(points: Array) -> Array:
            return np.asarray(points * [scale, -scale] + np.array([(w - 1) / 2, (h - 1) / 2]))

        def discs(radius: float, covered: bool) -> Array:
            mask = np.zeros((h, w), np.uint8)
            for (x, y), token in zip(pixel(lid.windows), self.tokens, strict=True):
                if bool(token) == covered:
                    cv2.circle(
                        mask, (round(x * 16), round(y * 16)), round(radius * scale * 16), 255, -1, cv2.LINE_AA, 4
                    )
            return mask.astype(np.float32) / 255

        holes = [
            self.to_world(m + lid.hole * np.stack([np.cos(_RING), np.sin(_RING)], 1), lid.high)
            for m, t in zip(lid.windows, self.tokens, strict=True)
            if not t
        ]
        out = []
        if holes:
            cards = np.zeros((h, w, 3), np.float32)
            for (x, y), token, card in zip(pixel(lid.windows), self.tokens, self.cards, strict=True):
                if not token:
                    _paste(cards, card, x, y)
            wide = discs(lid.hole * 1.3, False)
            hidden = {"beneath": (body,), "holes": holes, "depth_at": lid.high}
            out.append(FlatSheet(lid.high - CARD_DEPTH_MM, cards, place, wide, 0.45, 0.04, **hidden))
            walls = np.clip(wide - discs(lid.hole, False), 0, 1)
            wall = np.broadcast_to(lid.side * 0.8, (h, w, 3)).astype(np.float32)
            out += [
                FlatSheet(lid.high - CARD_DEPTH_MM * k, wall, place, walls, 0.8, 0.02, **hidden)
                for k in (0.8, 0.6, 0.4, 0.2)
            ]
        top, alpha = self._top(w, h, pixel)
        alpha = alpha * (1 - discs(lid.hole, False))
        out.append(FlatSheet(lid.high, top, place, alpha, 0.5, 0.035, beneath=(body,)))
        faces, there = self._faces(w, h, pixel), discs(lid.radius, True)
        edge = np.broadcast_to(lid.face * 0.75, faces.shape).astype(np.float32)
        out += [
            FlatSheet(lid.high + lid.thick * k, edge, place, there, 0.6, 0.03, beneath=(body,)) for k in (0.35, 0.7)
        ]
        out.append(FlatSheet(lid.high + lid.thick, faces, place, there, 0.45, 0.04, beneath=(body,)))
        return out

    def _top(self, w: int, h: int, pixel: object) -> tuple[Array, Array]:
        lid, scale = self.lid, self.lid.scale
        top, alpha = np.zeros((h, w, 3), np.float32), np.zeros((h, w), np.float32)
        th, tw = lid.top.shape[:2]
        y0, x0 = (h - th) // 2, (w - tw) // 2
        top[y0 : y0 + th, x0 : x0 + tw] = lid.top
        alpha[y0 : y0 + th, x0 : x0 + tw] = 1
        x, y = lid.size[0] / 2, lid.size[1] / 2
        tip = np.array([[0, y - 2.5], [-6, y - 11], [6, y - 11]])
        cv2.fillPoly(top, [np.round(pixel(tip) * 16).astype(np.int32)], lid.arrow.tolist(), cv2.LINE_AA, 4)
        for sx in (-1, 1):
            for sy in (-1, 1):
                at = pixel(np.array([[sx * (x - 7), sy * (y - 7)]]))[0]
                cv2.circle(top, (round(at[0]), round(at[1])), round(4 * scale), lid.dots.tolist(), -1, cv2.LINE_AA)
        if lid.tags:
            book = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
            side = round(TAG_TAB_MM * scale)
            inner = round(side * 0.8)
            for number, middle in enumerate(pixel(_tag_places(lid))):
                tag = np.full((side, side, 3), 0.75, np.float32)
                code = cv2.aruco.generateImageMarker(book, number, inner).astype(np.float32)[..., None] / 255
                edge = (side - inner) // 2
                tag[edge : edge + inner, edge : edge + inner] = 0.02 + 0.73 * code
                left, up = round(middle[0] - side / 2), round(middle[1] - side / 2)
                top[up : up + side, left : left + side] = tag
                alpha[up : up + side, left : left + side] = 1
        return top, alpha

    def _faces(self, w: int, h: int, pixel: object) -> Array:
        lid, scale = self.lid, self.lid.scale
        out = np.broadcast_to(lid.face, (h, w, 3)).astype(np.float32).copy()
        out *= 1 + 0.03 * make_spectral_noise(np.random.default_rng(len(lid.windows)), (h, w), 1.2)[..., None]
        side = int(2 * lid.radius * scale) | 1
        for (x, y), token, turn in zip(pixel(lid.windows), self.tokens, self.turns, strict=True):
            if not token:
                continue
            mask = lid.hand.draw_mask(token, side, lid.digit)
            spin = cv2.getRotationMatrix2D(((side - 1) / 2, (side - 1) / 2), np.degrees(turn), 1)
            mask = cv2.warpAffine(mask, spin, (side, side))
            if lid.ring:
                ring = np.zeros((side, side), np.uint8)
                cv2.circle(
                    ring, (side // 2, side // 2), round(side / 2 * lid.ring), 255, max(1, side // 40), cv2.LINE_AA
                )
                mask = np.maximum(mask, ring.astype(np.float32) / 255)
            up, left = round(y) - side // 2, round(x) - side // 2
            part = out[up : up + side, left : left + side]
            part += (lid.ink - part) * mask[..., None]
        return out


TAG_TAB_MM = 24.0
_RING = np.linspace(0, 2 * np.pi, 40, endpoint=False)


def _round_point(point: Array) -> list[float]:
    return [round(float(point[0]), 1), round(float(point[1]), 1)]


def _tag_places(lid: LidModel) -> Array:
    """Return the centres (4, 2) of the tags, clockwise from the arrow's left."""
    x, y = lid.size[0] / 2 + TAG_TAB_MM / 2 - 1, lid.size[1] / 2 + TAG_TAB_MM / 2 - 1
    return np.array([[-x, y], [x, y], [x, -y], [-x, -y]])


def _paste(cards: Array, card: Array, x: float, y: float) -> None:
    h, w = card.shape[:2]
    up, left = round(y - h / 2), round(x - w / 2)
    cards[up : up + h, left : left + w] = card


def random_card(rng: Rng, side: int) -> Array:
    """Draw a part of a card's picture (side, side, 3): shapes, stripes, shades, letters, a face; or no card."""
    if rng.random() < 0.1:
        return np.full((side, side, 3), rng.uniform(0.004, 0.05), np.float32)
    out = np.broadcast_to(random_tint(rng, None, rng.uniform(0, 0.9), rng.uniform(0.2, 1)), (side, side, 3)).copy()
    if rng.random() < 0.4:
        out = out * (1 + 0.25 * make_spectral_noise(rng, (side, side), 1.8)[..., None])
    for _ in range(int(rng.integers(0, 6))):
        color = random_tint(rng, None, rng.uniform(0, 1), rng.uniform(0.1, 1)).tolist()
        at = rng.uniform(0, 1, (int(rng.integers(3, 7)), 2)) * side
        kind = rng.integers(4)
        out = np.ascontiguousarray(out, np.float32)
        if kind == 0:
            cv2.fillConvexPoly(out, cv2.convexHull(at.astype(np.int32)), color, cv2.LINE_AA)
        elif kind == 1:
            size = (int(rng.uniform(0.1, 0.6) * side), int(rng.uniform(0.1, 0.6) * side))
            cv2.ellipse(
                out, at[0].astype(int).tolist(), size, float(rng.uniform(0, 180)), 0, 360, color, -1, cv2.LINE_AA
            )
        elif kind == 2:
            cv2.polylines(out, [at.astype(np.int32)], False, color, int(rng.integers(1, 7)), cv2.LINE_AA)
        else:
            stripes = np.sin((np.arange(side) + at[0, 0]) / rng.uniform(1.5, 8))[:, None, None] > 0
            out = np.where(stripes, out, np.array(color, np.float32) * 0.5 + out * 0.5)
    return np.clip(out, 0.004, 0.9).astype(np.float32)
