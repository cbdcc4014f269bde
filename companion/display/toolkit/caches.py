"""Caches of what is costly to draw: a bounded dictionary, and the scaling of camera pictures."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Generic, TypeVar

import pygame

from companion.vision.reading import Image

Value = TypeVar("Value")
MAX_CACHED_IMAGES = 8
"""Scaled pictures kept: two are on the screen at most, and their predecessors."""


@dataclass(frozen=True, slots=True, eq=False)
class ById:
    """A wrapper that is equal to another only if both hold the same object: for pictures in keys of caches.

    Attributes:
        value: any object; it need not be hashable, and must not be changed in place.
    """

    value: object

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ById) and self.value is other.value

    def __hash__(self) -> int:
        return id(self.value)


class BoundedCache(Generic[Value]):
    """Values that are made on first use; a full cache is emptied.

    Args:
        max_entries: number of values kept at most.
    """

    def __init__(self, max_entries: int) -> None:
        self._max_entries = max_entries
        self._values: dict[Hashable, Value] = {}

    def get(self, key: Hashable, make: Callable[[], Value]) -> Value:
        """Return the value of `key`; call `make` and store its result if `key` is not stored yet.

        An exception that `make` raises is passed on, and nothing is stored. If the cache is full, all stored
        values are dropped before the new one is made.

        Args:
            key: identifies the value; equal keys share one value.
            make: makes the value, without arguments.
        """
        if key not in self._values:
            if len(self._values) >= self._max_entries:
                self._values.clear()
            self._values[key] = make()
        return self._values[key]


def scale_image(image: Image, box: tuple[int, int]) -> pygame.Surface:
    """Scale a picture to the largest size that fits a box, keeping its aspect ratio.

    Args:
        image: `(H, W, 3)` uint8 BGR; `H` and `W` at least 1.
        box: width and height in pixels.

    Returns:
        A new RGB surface, at least 1 pixel wide and high even if the box is empty.

    Raises:
        ZeroDivisionError: the picture has no width or no height.
        cv2.error: the picture has a type or a number of channels that OpenCV cannot convert from BGR.
    """
    import cv2  # not before there is a picture: the first screen does without

    height, width = image.shape[:2]
    scale = min(box[0] / width, box[1] / height)
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    interpolation = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    rgb = cv2.cvtColor(cv2.resize(image, size, interpolation=interpolation), cv2.COLOR_BGR2RGB)
    return pygame.image.frombuffer(rgb.data, size, "RGB")  # it keeps `rgb`, which nobody else has
