"""A drawn table for tests of the watcher: moving pictures, and readers that know the truth."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from functools import cache
from typing import Any
from unittest.mock import ANY

import cv2
import numpy as np
import numpy.typing as npt

from companion.events import CameraStateChanged, DiceAndLidEvent, DiceRead, LidRead
from companion.vision.reading import BoundingBox, Die, Image, Lid, LidWindow
from companion.vision.table.watcher import DiceAndLidWatcher

WIDTH, HEIGHT = 640, 360
DIE = 24
FPS = 15
SURE = 0.97
THROW = ((3, 440.0, 140.0), (5, 520.0, 220.0))
OVER_TRAY = (450, 120)
OVER_LID = (150, 120)
REST = 12
"""Number of frames after which everything has been read."""
Matrix = npt.NDArray[np.float64]
_NOISE = np.random.default_rng(7).normal(0, 2.5, (5, HEIGHT, WIDTH, 3)).astype(np.int16)


@dataclass
class Table:
    """The state of the table; change it between frames. Dice: (value, x, y); tokens: numbers, None for open."""

    dice: list[tuple[int, float, float]] = field(default_factory=list)
    tokens: list[int | None] = field(default_factory=lambda: [1, 2, 3, 4, 5, 6, 5, 6, 1, 2, 3, 4])
    lid_at: tuple[int, int] = (50, 60)
    lid_there: bool = True
    hand: tuple[int, int] | None = None
    """Where the hand's fingertips are; its arm comes in from the lower border."""
    aside: tuple[int, int] | None = None
    """Where a token lies that is off the lid."""
    light: float = 1.0
    tray_light: float = 1.0
    """Light on the tray, as a share of that on the table."""
    tray_edge: int = 600
    """Right edge of the tray in pixels."""
    bare: bool = False
    """Draw only the dice, on one colour."""
    view: Matrix = field(default_factory=lambda: np.eye(3))
    """Homography from positions on the table to pixels."""
    dice_confidence: float = SURE
    tilted: bool = False
    token_confidence: float = SURE

    def window_center(self, index: int) -> tuple[float, float]:
        row, column = divmod(index, 4)
        return self.lid_at[0] + 35.0 + 50 * column, self.lid_at[1] + 35.0 + 65 * row

    def hides(self, x: float, y: float) -> bool:
        return self.hand is not None and abs(x - self.hand[0]) < 40 and y > self.hand[1] - 12

    def seen(self, x: float, y: float) -> tuple[float, float]:
        """Where in the picture that place is."""
        u, v, w = self.view @ (x, y, 1.0)
        return float(u / w), float(v / w)

    def draw(self, frame: int = 0) -> Image:
        image = np.full((HEIGHT, WIDTH, 3), 110, np.uint8)
        if not self.bare:
            cv2.rectangle(image, (380, 80), (self.tray_edge, 320), (60, 60, 150), -1)
        if self.lid_there and not self.bare:
            x, y = self.lid_at
            cv2.rectangle(image, (x, y), (x + 220, y + 200), (60, 40, 30), -1)
            for index, number in enumerate(self.tokens):
                at = tuple(round(c) for c in self.window_center(index))
                cv2.circle(image, at, 18, (90, 160, 40) if number is None else (230, 230, 230), -1)
                if number is not None:
                    origin = (at[0] - 6, at[1] + 7)
                    cv2.putText(image, str(number), origin, cv2.FONT_HERSHEY_SIMPLEX, 0.7, (0, 0, 0), 2)
        if self.aside is not None:
            cv2.circle(image, self.aside, 18, (230, 230, 230), -1)
        for value, dx, dy in self.dice:
            corner = (round(dx - DIE / 2), round(dy - DIE / 2))
            cv2.rectangle(image, corner, (corner[0] + DIE, corner[1] + DIE), (240, 240, 240), -1)
            for pip in range(value):
                spot = (corner[0] + 5 + 7 * (pip % 3), corner[1] + 6 + 12 * (pip // 3))
                cv2.circle(image, spot, 3, (20, 20, 20), -1)
        if self.tray_light != 1:
            tray = image[80:321, 380 : self.tray_edge + 1]
            tray[:] = cv2.convertScaleAbs(tray, alpha=self.tray_light)
        if self.hand is not None:
            hx, hy = self.hand
            cv2.rectangle(image, (hx - 35, hy), (hx + 35, HEIGHT), (140, 170, 220), -1)
        if not np.array_equal(self.view, np.eye(3)):
            cv2.warpPerspective(image, self.view, (WIDTH, HEIGHT), image, cv2.INTER_LINEAR, cv2.BORDER_REPLICATE)
        lit = cv2.convertScaleAbs(image, alpha=self.light)
        return cv2.add(lit, _NOISE[frame % len(_NOISE)], dtype=cv2.CV_8U).astype(np.uint8, copy=False)


class TrueDice:
    """A dice reader that returns the dice as they lie, without hidden ones; counts its calls."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.asked = 0
        self.script: list[tuple[Die, ...]] = []
        """Readings to return first, instead of the truth."""

    def read(self, image: Image, region: BoundingBox | None = None, lid: object = None) -> tuple[Die, ...]:
        self.asked += 1
        if self.script:
            return self.script.pop(0)
        return tuple(
            make_die(value, *self.table.seen(x, y), self.table.dice_confidence, tilted=self.table.tilted)
            for value, x, y in self.table.dice
            if not self.table.hides(x, y)
        )


class TrueLid:
    """A lid reader that returns the lid as it is, once calibrated; windows below the hand are hidden."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.asked = 0
        self.fooled = False
        """Misread windows below the hand as open."""
        self._layout: dict[str, Any] | None = None

    def calibrate(self, image: Image) -> Lid | None:
        if self.table.lid_there and not self.table.bare and None not in self.table.tokens:
            self._layout = {"windows": 12}
        return self._find()

    @property
    def is_learnt(self) -> bool:
        return self._layout is not None

    def export_layout(self) -> dict[str, Any] | None:
        return self._layout

    def restore_layout(self, layout: dict[str, Any]) -> None:
        self._layout = dict(layout)

    def read(self, image: Image) -> Lid | None:
        return self.calibrate(image) if self._layout is None else self._find()

    def _find(self) -> Lid | None:
        self.asked += 1
        if not self.table.lid_there or self.table.bare or self._layout is None:
            return None
        x, y = (float(c) for c in self.table.lid_at)
        windows = tuple(self._window(index, number) for index, number in enumerate(self.table.tokens))
        seen = self.table.seen
        corners = (seen(x, y), seen(x + 220, y), seen(x + 220, y + 200), seen(x, y + 200))
        return Lid(corners, seen(x + 110, y + 5), windows)

    def _window(self, index: int, number: int | None) -> LidWindow:
        center = self.table.window_center(index)
        center, hidden = self.table.seen(*center), self.table.hides(*center)
        if hidden:
            return LidWindow(center, 18, False if self.fooled else None, None, SURE if self.fooled else 0.0)
        return LidWindow(center, 18, number is not None, number, self.table.token_confidence)


class WatcherFilm:
    """Shows a table to a watcher, 15 frames a second, and collects its events."""

    def __init__(self, table: Table | None = None, fps: float = FPS) -> None:
        self.table = table or Table()
        self.dice, self.lid = TrueDice(self.table), TrueLid(self.table)
        self.watcher = DiceAndLidWatcher(self.dice, self.lid)
        self.frame = 0
        self.camera: Iterator[Matrix] | None = None
        """Homography of each next frame, for a handheld camera."""
        self._fps = fps

    @property
    def now(self) -> float:
        return self.frame / self._fps

    def show_image(self, image: Image) -> list[DiceAndLidEvent]:
        events = self.watcher.process_frame(image, self.now)
        self.frame += 1
        return events

    def show_table(self, frames: int) -> list[DiceAndLidEvent]:
        """Show the table as it is for `frames` frames; return the events."""
        events = []
        for _ in range(frames):
            if self.camera is not None:
                self.table.view = next(self.camera)
            events += self.show_image(self.table.draw(self.frame))
        return events

    def collect_actions(self, frames: int) -> list[DiceAndLidEvent]:
        """As `show_table`, without changes of the state and the windows of a lid that were read."""
        return [event for event in self.show_table(frames) if not isinstance(event, CameraStateChanged | LidRead)]

    def throw(self, *dice: tuple[int, float, float]) -> list[DiceAndLidEvent]:
        """Show dice that tumble for six frames and rest from the seventh; return the events meanwhile."""
        events = []
        for step in range(6):
            self.table.dice = [(1 + (v + step) % 6, x - 60 + 10 * step, y - 50 + 7 * step) for v, x, y in dice]
            events += self.show_table(1)
        self.table.dice = list(dice)
        return events

    def hand(self, *path: tuple[int, int] | None) -> list[DiceAndLidEvent]:
        """Move the hand from place to place, one frame each; None: out of view."""
        events = []
        for place in path:
            self.table.hand = place
            events += self.show_table(1)
        return events


def make_die(
    value: int, x: float, y: float, confidence: float = SURE, alternative: int | None = None, tilted: bool = False
) -> Die:
    half = DIE / 2
    return Die(value, (x - half, y - half, x + half, y + half), confidence, alternative, tilted)


def make_throw(*values: int) -> DiceRead:
    """Return an event that equals every throw of these values without another possible reading."""
    return DiceRead(values, ANY, ANY)


def shake_camera(seed: int, strength: float = 1.0, fps: float = FPS) -> Iterator[Matrix]:
    """Yield homographies of a handheld camera: it sways by pixels, tenths of a degree and thousandths of the size."""
    random = np.random.default_rng(seed)
    stay, middle = np.exp(-4 / fps), np.array([WIDTH / 2, HEIGHT / 2])
    size = strength * np.array([3.0, 3.0, 0.008, 0.006])
    where = size * random.normal(size=4)
    fresh = where
    while True:
        x, y, turn, near = where
        line = (1.06 + near) * np.exp(1j * turn)
        a, b = line.real, line.imag
        shift = middle + np.array([x, y]) - np.array([[a, -b], [b, a]]) @ middle
        yield np.array([[a, -b, shift[0]], [b, a, shift[1]], [0, 0, 1]])
        # A hand's mass smooths what its muscles do.
        fresh = stay * fresh + np.sqrt(1 - stay**2) * size * random.normal(size=4)
        where = (where + fresh) / 2


def film_after_throw() -> WatcherFilm:
    return deepcopy(_film_throw())


@cache
def _film_throw() -> WatcherFilm:
    film = WatcherFilm()
    film.show_table(REST)
    film.throw(*THROW)
    film.show_table(REST)
    return film


def reach_in(film: WatcherFilm, place: tuple[int, int]) -> list[object]:
    """Move a hand in; the caller changes the table below it before `leave`."""
    return film.hand((place[0], 330), (place[0], 230), place, place)


def leave(film: WatcherFilm, place: tuple[int, int]) -> list[object]:
    events = film.hand((place[0], 230), (place[0], 330), None)
    return [e for e in events + film.show_table(REST) if not isinstance(e, CameraStateChanged | LidRead)]


class NullLidReader:
    """A lid reader for tables without a lid: never finds one."""

    def calibrate(self, image: Image) -> Lid | None:
        return None

    def read(self, image: Image) -> Lid | None:
        return None

    is_learnt = False

    def export_layout(self) -> dict[str, Any] | None:
        return None
