"""Camera pictures as surfaces: scaled once for as long as the same picture is shown at the same size."""

from __future__ import annotations

import pygame

from companion.vision.reading import Image

MAX_CACHED_IMAGES = 4
"""Scaled pictures kept: two on the screen, and their predecessors."""


class ImageCache:
    """Pictures scaled to their place."""

    def __init__(self) -> None:
        self._scaled: list[tuple[Image, tuple[int, int], pygame.Surface]] = []

    def fit_image(self, image: Image, box: tuple[int, int]) -> pygame.Surface:
        """`image` (BGR) as large as fits into `box` (width and height in pixels), its sides' ratio kept."""
        for kept, size, surface in self._scaled:
            if kept is image and size == box:
                return surface
        import cv2  # not before there is a picture: the first screen does without

        height, width = image.shape[:2]
        scale = min(box[0] / width, box[1] / height)
        size = (max(1, round(width * scale)), max(1, round(height * scale)))
        way = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
        rgb = cv2.cvtColor(cv2.resize(image, size, interpolation=way), cv2.COLOR_BGR2RGB)
        made = pygame.image.frombuffer(rgb.tobytes(), size, "RGB")
        self._scaled = [(image, box, made), *self._scaled[: MAX_CACHED_IMAGES - 1]]
        return made
