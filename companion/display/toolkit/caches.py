"""Caches of what is costly to draw: a bounded dictionary, and camera pictures scaled to their place."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

import pygame

from companion.vision.reading import Image

Value = TypeVar("Value")
MAX_CACHED_IMAGES = 4
"""Scaled pictures kept: two are on the screen at most, and their predecessors."""


class BoundedCache(Generic[Value]):
    """Values that are made on first use; a full cache is emptied.

    Args:
        max_entries: Number of values kept at most.
    """

    def __init__(self, max_entries: int) -> None:
        self._max_entries = max_entries
        self._values: dict[Hashable, Value] = {}

    def get(self, key: Hashable, make: Callable[[], Value]) -> Value:
        """Return the value of `key`; call `make` if it is not stored yet."""
        if key not in self._values:
            if len(self._values) >= self._max_entries:
                self._values.clear()
            self._values[key] = make()
        return self._values[key]


class ImageCache:
    """Camera pictures as surfaces, scaled once per picture and size."""

    def __init__(self) -> None:
        self._scaled: list[tuple[Image, tuple[int, int], pygame.Surface]] = []

    def fit_image(self, image: Image, box: tuple[int, int]) -> pygame.Surface:
        """Scale a picture to the largest size that fits a box, keeping its aspect ratio.

        Args:
            image: `(H, W, 3)` uint8 BGR. The same array object is scaled only once.
            box: Width and height in pixels.
        """
        for known, size, surface in self._scaled:
            if known is image and size == box:
                return surface
        import cv2  # not before there is a picture: the first screen does without

        height, width = image.shape[:2]
        scale = min(box[0] / width, box[1] / height)
        size = (max(1, round(width * scale)), max(1, round(height * scale)))
        interpolation = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
        rgb = cv2.cvtColor(cv2.resize(image, size, interpolation=interpolation), cv2.COLOR_BGR2RGB)
        surface = pygame.image.frombuffer(rgb.tobytes(), size, "RGB")
        self._scaled = [(image, box, surface), *self._scaled[: MAX_CACHED_IMAGES - 1]]
        return surface
