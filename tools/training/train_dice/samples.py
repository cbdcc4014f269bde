"""Draw samples from rendered scenes for training: patches for the finder, crops for the reader, with their labels.

A scene is not turned as a whole: from where a patch or crop lies in the turned scene follows where each of its pixels
lies in the picture.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.dice.crops import CROP_SIDE_PX, PADDING_LEVEL, locate_crop
from companion.vision.dice.frame_orientation import OBLIQUE_SINE
from train_dice.labels import CLEAR, COCKED, DOUBTFUL, IGNORED, SCENE_SIDE_PX, UNREADABLE

PATCH_SIDE_PX = 224
NONE, FLAT, LEANING, HIDDEN = 0, 1, 2, 3
"""States of a crop: no top face; flat; leaning; partly hidden, moving or without pips: a die that cannot be read."""

_STATES = {CLEAR: FLAT, COCKED: LEANING, DOUBTFUL: HIDDEN, UNREADABLE: HIDDEN}

DieInScene = tuple[float, float, float, int, int, float, float]
"""x, y, edge, value, state, lean right and down."""

Dice = list[DieInScene]

Spots = list[tuple[float, float, float]]
"""x, y, edge in pixels."""

_UPRIGHT_RANGE_RAD = 0.45
"""Where the camera is tilted (`OBLIQUE_SINE`), the upper edge of the picture is up within this angle, in radians."""


_MAX_HALVINGS = 4
"""Most halvings of a scene: to 28 pixels."""


class Scene(NamedTuple):
    """The contents of a scene: its dice, decoys that are no top faces, the finder's candidates, where it comes from."""

    dice: Dice
    decoys: Spots
    found: Spots
    is_photograph: bool = False


Picture = tuple[Path, int, int]
"""File, and the place and length of a picture in it, in bytes."""


def list_pictures(notes: Path, contents: list[dict]) -> list[Picture]:
    """Return the pictures of a shard, given the file of its contents, and these."""
    lengths = [one["bytes"] for one in contents]
    starts = np.cumsum([0, *lengths[:-1]]).tolist()
    return [(notes.with_suffix(".jpegs"), start, length) for start, length in zip(starts, lengths, strict=True)]


def read_picture(picture: Picture) -> npt.NDArray[np.uint8]:
    """Return a scene's picture, (SCENE_SIDE_PX, SCENE_SIDE_PX, 3) uint8 BGR."""
    file, start, length = picture
    return np.asarray(cv2.imdecode(np.fromfile(file, np.uint8, length, offset=start), cv2.IMREAD_COLOR), np.uint8)


class SceneShards:
    """All shards of some folders as one list of scenes.

    Args:
        folders: the weight of each folder's scenes; one with 6 is drawn six times as often as one with 1.

    Attributes:
        weights: (n,) float, one for each scene.
    """

    def __init__(self, folders: dict[Path, float]) -> None:
        weights: list[float] = []
        self._pictures: list[Picture] = []
        self._scenes: list[Scene] = []
        for notes in sorted(notes for folder in folders for notes in folder.glob("*.json")):
            contents = json.loads(notes.read_text())
            mined = notes.with_suffix(".found")
            found = json.loads(mined.read_text()) if mined.exists() else [[]] * len(contents)
            self._scenes += [
                Scene(one["dice"], one["decoys"], spots, "photograph" in one)
                for one, spots in zip(contents, found, strict=True)
            ]
            weights += [folders[notes.parent]] * len(contents)
            self._pictures += list_pictures(notes, contents)
        self.weights = np.array(weights)

    def __len__(self) -> int:
        return len(self._scenes)

    def __getitem__(self, i: int) -> Scene:
        return self._scenes[i]

    def read_image(self, i: int) -> npt.NDArray[np.uint8]:
        """Return the picture of scene `i`, (SCENE_SIDE_PX, SCENE_SIDE_PX, 3) uint8 BGR."""
        return read_picture(self._pictures[i])


class TurnedScene(NamedTuple):
    """A scene as a camera might be held.

    Attributes:
        contents: the turned dice, decoys and candidates.
        angle: radians, clockwise, about the picture's middle.
        free: whether any quarter turn of it is as likely.
    """

    contents: Scene
    angle: float
    free: bool


class SquareRegion(NamedTuple):
    """A square part of a turned scene.

    Attributes:
        left, top: its corner in pixels of the turned scene.
        step: pixels of the turned scene per pixel of the output.
        angle: by which the scene was turned, radians clockwise.
        turns: quarter turns anticlockwise after cutting.
        mirrored: whether the output is mirrored left to right after these.
    """

    left: float
    top: float
    step: float
    angle: float
    turns: int
    mirrored: bool


class ScenePixels:
    """Cut square regions out of one picture, (SCENE_SIDE_PX, SCENE_SIDE_PX, 3) uint8 BGR.

    A region with a step of 2 or more is cut from a copy of the picture that was halved log2(step) times, rounded down,
    and interpolated, much as `crops.resize_for_detector` and `crops.crop_face` do.
    """

    def __init__(self, image: npt.NDArray[np.uint8]) -> None:
        self._halved = {0: image}

    def cut_patch(self, region: SquareRegion) -> npt.NDArray[np.uint8]:
        """Return a patch (PATCH_SIDE_PX, PATCH_SIDE_PX, 3); grey lies beyond the turned scene."""
        pixels = self._interpolate(region, PATCH_SIDE_PX)
        middles = np.arange(PATCH_SIDE_PX) + 0.5
        columns, rows = (corner + middles * region.step for corner in (region.left, region.top))
        pixels[:, (columns < 0) | (columns > SCENE_SIDE_PX)] = PADDING_LEVEL
        pixels[(rows < 0) | (rows > SCENE_SIDE_PX)] = PADDING_LEVEL
        return _turn_pixels(pixels, region)

    def cut_crop(self, region: SquareRegion) -> npt.NDArray[np.uint8]:
        """Return a crop (CROP_SIDE_PX, CROP_SIDE_PX, 3), not normalised; beyond the picture its border is repeated."""
        return _turn_pixels(self._interpolate(region, CROP_SIDE_PX), region)

    def _interpolate(self, region: SquareRegion, side: int) -> npt.NDArray[np.uint8]:
        """Return a part before its quarter turns."""
        halvings = min(int(np.log2(max(1.0, region.step))), _MAX_HALVINGS)
        factor = 2**halvings
        if halvings not in self._halved:
            size = SCENE_SIDE_PX // factor, SCENE_SIDE_PX // factor
            self._halved[halvings] = np.asarray(
                cv2.resize(self._halved[0], size, interpolation=cv2.INTER_AREA), np.uint8
            )
        middle = SCENE_SIDE_PX / 2
        c, s = np.cos(region.angle), np.sin(region.angle)
        back = np.array([[c, s], [-s, c]])
        # Where the middle of its first pixel lies; the picture's first pixel reaches from 0 to 1.
        first = back @ (np.array([region.left, region.top]) + region.step / 2 - middle) + middle
        place = np.hstack([back * region.step, first[:, None]]) / factor
        place[:, 2] -= 0.5
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        image = self._halved[halvings]
        return np.asarray(
            cv2.warpAffine(image, place, (side, side), flags=flags, borderMode=cv2.BORDER_REPLICATE), np.uint8
        )


def _turn_pixels(pixels: npt.NDArray[np.uint8], region: SquareRegion) -> npt.NDArray[np.uint8]:
    pixels = np.rot90(pixels, region.turns)
    return np.ascontiguousarray(pixels[:, ::-1] if region.mirrored else pixels)


def draw_turn(scene: Scene, rng: np.random.Generator) -> TurnedScene:
    """Turn a scene as people hold cameras.

    In an oblique view two or three faces of a die look alike; only the up direction of the picture says which one is
    the top, and hardly anybody photographs a table upside down. Seen from above, no direction is up: half of these
    scenes, and of a tenth of the oblique ones, are turned by any angle.
    """
    leans = [(right, down) for _, _, _, _, state, right, down in scene.dice if state == CLEAR]
    right, down = np.mean(leans, axis=0) if leans else (0.0, 0.0)
    if np.hypot(right, down) < OBLIQUE_SINE or rng.random() < 0.1:
        angle, free = float(rng.uniform(-np.pi, np.pi)) if rng.random() < 0.5 else 0.0, True
    else:
        off, free = float(np.arctan2(right, -down)), False
        angle = 0.0 if abs(off) < _UPRIGHT_RANGE_RAD and rng.random() < 0.6 else float(-off + rng.normal(0, 0.15))
    return TurnedScene(_turn_scene(scene, angle) if angle else scene, angle, free)


def _turn_scene(scene: Scene, angle: float) -> Scene:
    """Turn a scene clockwise about its middle by an angle in radians; dice that come to its rim count no longer."""
    c, s, middle = np.cos(angle), np.sin(angle), SCENE_SIDE_PX / 2

    def turn(x: float, y: float) -> tuple[float, float]:
        right, down = x - middle, y - middle
        return float(middle + c * right - s * down), float(middle + s * right + c * down)

    turned_dice = []
    for x, y, edge, value, state, right, down in scene.dice:
        x, y = turn(x, y)
        near = min(x, y, SCENE_SIDE_PX - x, SCENE_SIDE_PX - y)
        state = IGNORED if near < 0.75 * edge else state
        turned_dice.append((x, y, edge, value, state, c * right - s * down, s * right + c * down))
    decoys, found = ([(*turn(x, y), e) for x, y, e in spots] for spots in (scene.decoys, scene.found))
    return Scene(turned_dice, decoys, found, scene.is_photograph)


def draw_patch(turned: TurnedScene, rng: np.random.Generator) -> tuple[SquareRegion, list[list[float]]]:
    """Draw a patch of a turned scene, half of them mirrored, and upside down if the scene may be turned.

    Returns:
        Where it lies, and the dice in it: x, y, edge in its pixels, and state.
    """
    scene = turned.contents
    if scene.dice and rng.random() < 0.92:
        x, y, edge, *_ = scene.dice[int(rng.integers(len(scene.dice)))]
        aim = rng.uniform(np.log(6), np.log(60)) if rng.random() < 0.6 else rng.uniform(np.log(4.6), np.log(330))
        scale = float(np.clip(np.exp(aim) / edge, 0.06, 3.2))
        corner = np.array([x, y]) * scale - rng.uniform(0.1, 0.9, 2) * PATCH_SIDE_PX
    else:
        scale = float(np.exp(rng.uniform(np.log(0.3), np.log(1.3))))
        corner = rng.uniform(-0.2, 1.0, 2) * np.maximum(SCENE_SIDE_PX * scale - PATCH_SIDE_PX * 0.6, 1)
    n = max(8, round(SCENE_SIDE_PX * scale))
    slack = 0.15 * PATCH_SIDE_PX
    low, high = (
        min(-slack, (n - PATCH_SIDE_PX) / 2 - slack),
        max(n - PATCH_SIDE_PX + slack, (n - PATCH_SIDE_PX) / 2 + slack),
    )
    x0, y0 = (int(v) for v in np.clip(corner, low, high))
    mirrored, upside_down = rng.random() < 0.5, turned.free and rng.random() < 0.5
    step = SCENE_SIDE_PX / n
    dice = []
    for x, y, edge, _, state, *_ in scene.dice:
        x, y = x / step - x0, y / step - y0
        edge = edge / step
        if max(abs(x - PATCH_SIDE_PX / 2), abs(y - PATCH_SIDE_PX / 2)) < PATCH_SIDE_PX / 2 + edge:
            dice.append([PATCH_SIDE_PX - x if mirrored else x, PATCH_SIDE_PX - y if upside_down else y, edge, state])
    return SquareRegion(
        x0 * step, y0 * step, step, turned.angle, 2 if upside_down else 0, mirrored != upside_down
    ), dice


Measures = tuple[float, float, float, float, float]
"""Offset of a face's centre from the crop's, right and down, in edges of the crop's face; log of its edge over the
crop's; direction of its normal, right and down (labels.DieTruth.lean_x, lean_y)."""

Label = tuple[int, int, Measures]
"""State; value less one, which counts where the state is `FLAT` or `LEANING`; the reader's five measures."""

_NOTHING: Label = (NONE, 0, (0.0, 0.0, 0.0, 0.0, 0.0))


def _label_crop(x: float, y: float, edge: float, dice: Dice) -> Label | None:
    """Return the label of a crop at this place; None where either answer would be right."""
    either = False
    for dx, dy, e, value, state, right, down in sorted(dice, key=lambda d: np.hypot(x - d[0], y - d[1])):
        off, ratio = np.hypot(x - dx, y - dy), edge / e
        if off < 0.27 * e and 0.65 < ratio < 1.5:
            measures = ((dx - x) / edge, (dy - y) / edge, float(np.log(e / edge)), right, down)
            return None if state == IGNORED else (_STATES[state], value - 1, measures)
        either = either or bool(off < 0.45 * max(e, edge) and 0.45 < ratio < 2.2)
    return None if either else _NOTHING


def turn_measures(measures: Measures, turns: int, *, mirrored: bool) -> Measures:
    """Turn the measures of a crop by quarter turns anticlockwise, then mirror them left to right."""
    right, down, growth, lean_right, lean_down = measures
    for _ in range(turns):
        right, down, lean_right, lean_down = down, -right, lean_down, -lean_right
    sign = -1.0 if mirrored else 1.0
    return sign * right, down, growth, sign * lean_right, lean_down


def draw_crop(turned: TurnedScene, rng: np.random.Generator) -> tuple[SquareRegion, Label] | None:
    """Draw one crop of a turned scene, at a candidate of the finder or jittered like one; sometimes None.

    Half are mirrored; where the scene may be turned, they are turned by quarter turns.
    """
    dice, decoys, found, _ = turned.contents
    kind = rng.random()
    if found and rng.random() < 0.6:
        x, y, edge = found[int(rng.integers(len(found)))]
        edge *= np.exp(rng.normal(0, 0.06))
        x, y = np.array([x, y]) + rng.normal(0, 0.02, 2) * edge
    elif dice and kind < 0.62:
        x, y, edge, *_ = dice[int(rng.integers(len(dice)))]
        edge *= np.exp(rng.normal(0, 0.14))
        x, y = np.array([x, y]) + rng.normal(0, 0.08, 2) * edge
    elif decoys and kind < 0.8:
        x, y, edge = decoys[int(rng.integers(len(decoys)))]
        edge *= np.exp(rng.normal(0, 0.35))
        x, y = np.array([x, y]) + rng.normal(0, 0.12, 2) * edge
    elif dice and kind < 0.92:
        x, y, edge, *_ = dice[int(rng.integers(len(dice)))]
        x, y = np.array([x, y]) + rng.normal(0, 0.6, 2) * edge
        edge *= np.exp(rng.choice([rng.normal(0, 0.15), rng.uniform(-1.4, -0.85), rng.uniform(0.8, 1.3)]))
    else:
        x, y = rng.uniform(0.02, 0.98, 2) * SCENE_SIDE_PX
        edge = float(np.exp(rng.uniform(np.log(10), np.log(130))))
    if not (0 < x < SCENE_SIDE_PX and 0 < y < SCENE_SIDE_PX) or edge < 6:
        return None
    label = _label_crop(x, y, edge, dice)
    if label is None:
        return None
    state, value, measures = label
    turns, mirrored = int(rng.integers(4)) if turned.free else 0, rng.random() < 0.5
    left, top, side = locate_crop(x, y, edge)
    region = SquareRegion(left, top, side / CROP_SIDE_PX, turned.angle, turns, mirrored)
    return region, (state, value, turn_measures(measures, turns, mirrored=mirrored))
