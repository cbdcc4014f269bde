"""A simulated table whose lamp, lens and camera are moved with keys, to try what a camera's check says."""

import random
from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np

from companion.simulation.camera import SimulatedCamera
from companion.simulation.kit import find_table_kit
from companion.vision.reading import Image
from hardware.cameras.live_camera import Frame

VIRTUAL_CAMERA = "virtual"
"""Stands for this table where a camera is named."""
STEP_SHARE = 0.05
"""How far a key moves the view, as a share of the picture's width."""
LAMP_FACTOR = 1.3
"""How much brighter or darker a key makes the picture."""
FOCUS_STEP_PX = 1.5
"""How much a key blurs the picture (standard deviation), in pixels."""
MAX_FOCUS_STEPS = 5
"""Steps out of focus before the picture is sharp again."""


class AdjustableTable:
    """A camera over a simulated table. Its picture is changed after it was rendered.

    Args:
        clock: returns the time in seconds.

    Attributes:
        keys_hint: which keys there are, for people.
    """

    name = "virtual table"
    keys_hint = "Arrows, W A S D: camera · + −: lamp · F: focus"

    def __init__(self, clock: Callable[[], float]) -> None:
        rng = random.Random(1)
        table, renderer = find_table_kit(None).create_table(rng)
        table.throw_dice((2, 5), rng, clock())
        self._camera = SimulatedCamera(table, renderer, clock)
        self._across, self._down, self._lamp, self._focus = 0, 0, 0, 0

    def handle_key(self, key: str) -> None:
        """Move the camera (w, a, s, d), change the lamp (+, -) or turn the lens (f); other keys do nothing."""
        match key.lower():
            case "a":
                self._across -= 1
            case "d":
                self._across += 1
            case "w":
                self._down -= 1
            case "s":
                self._down += 1
            case "+" | "=":
                self._lamp += 1
            case "-":
                self._lamp -= 1
            case "f":
                self._focus = (self._focus + 1) % (MAX_FOCUS_STEPS + 1)

    def read(self) -> Frame | None:
        """Return the next frame as the camera sees it now; None if it is not due yet."""
        frame = self._camera.read()
        return None if frame is None else replace(frame, image=self._adjust(frame.image))

    def _adjust(self, image: Image) -> Image:
        step = STEP_SHARE * image.shape[1]
        if self._across or self._down:
            shift = np.array([[1, 0, -self._across * step], [0, 1, -self._down * step]], np.float32)
            moved = cv2.warpAffine(image, shift, image.shape[1::-1], borderMode=cv2.BORDER_REPLICATE)
            image = np.asarray(moved, np.uint8)
        if self._focus:
            image = np.asarray(cv2.GaussianBlur(image, (0, 0), self._focus * FOCUS_STEP_PX), np.uint8)
        return np.asarray(cv2.convertScaleAbs(image, alpha=LAMP_FACTOR**self._lamp), np.uint8)

    def close(self) -> None:
        """Do nothing: no device is open."""
