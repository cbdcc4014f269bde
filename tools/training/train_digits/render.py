"""Rendered token patches to train and test the digit network: no photograph is used.

Each sample is a colour patch as `companion.vision.lid.digit_reader` cuts them, and its class: 1 to 6, or 0 for anything
that is not a whole digit (open windows with parts of pictures or darkness, hands, bare lid).
"""

from __future__ import annotations

import cv2
import numpy as np
from faces import GLYPH_SIDE_PX, Glyphs, write_digit

from companion.vision.lid.digit_reader import PATCH_HALF_SIDE_RADII, PATCH_SIDE_PX

OVERSAMPLING = 2
"""Factor by which patches are drawn larger and then reduced, as a camera does."""


class PatchRenderer:
    """Draws random patches; `rng` decides on all that is random."""

    def __init__(self, rng: np.random.Generator, faces: Glyphs, by_hand: float = 0.35) -> None:
        """Set up a renderer; `by_hand` is the share of digits that are handwritten, not printed."""
        self.rng = rng
        self.by_hand = by_hand
        self.faces = faces
        self.side = PATCH_SIDE_PX * OVERSAMPLING
        axis = (np.arange(self.side) + 0.5) / self.side * 2 - 1
        self.x, self.y = np.meshgrid(axis, axis)

    def draw_sample(self) -> tuple[np.ndarray, int]:
        """Draw one patch, (SIDE, SIDE, 3) uint8, and return it with its class."""
        kind = int(self.rng.integers(0, 9))
        if kind >= 7:
            kind = 0
        image = self._token(kind) if kind else self._draw_no_digit()
        return self._camera(image), kind

    def _colour(self) -> np.ndarray:
        rng = self.rng
        if rng.random() < 0.35:  # grey to black and white
            return np.clip(rng.uniform(15, 245) + rng.normal(0, 6, 3), 0, 255)
        return rng.uniform(5, 250, 3)

    def _two_colours(self, least: float) -> tuple[np.ndarray, np.ndarray]:
        while True:
            a, b = self._colour(), self._colour()
            if np.linalg.norm(a - b) > least:
                return a, b

    def _glyph(self, digit: int, scale: float, dx: float, dy: float) -> np.ndarray:
        """Draw a digit's coverage, 0 to 1, on the patch, at any angle, with the bar under a 6."""
        rng = self.rng
        if rng.random() < self.by_hand:
            mask = write_digit(digit, rng)
        else:
            mask = self.faces[digit][int(rng.integers(len(self.faces[digit])))]
            if rng.random() < 0.35:
                wide = int(rng.choice([3, 5, 7]))
                k = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (wide, wide))
                mask = cv2.dilate(mask, k) if wide > 3 or rng.random() < 0.6 else cv2.erode(mask, k)
        if digit == 6:
            mask = self._draw_marked_six(mask)
        angle = rng.uniform(0, 2 * np.pi)
        s = scale * self.side / 2 / PATCH_HALF_SIDE_RADII / 64  # scale 1: a digit one token radius high
        turn = s * np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        lean = np.array(
            [[1 + rng.normal(0, 0.04), rng.normal(0, 0.06)], [rng.normal(0, 0.06), 1 + rng.normal(0, 0.08)]]
        )
        slant = np.array([[rng.uniform(0.8, 1.15), 0.0], [0.0, 1.0]])
        m = lean @ turn @ slant
        middle = np.array([self.side / 2 * (1 + dx), self.side / 2 * (1 + dy)])
        shift = middle - m @ np.array([GLYPH_SIDE_PX / 2, GLYPH_SIDE_PX / 2])
        drawn = cv2.warpAffine(mask, np.column_stack([m, shift]), (self.side, self.side), flags=cv2.INTER_LINEAR)
        return drawn.astype(np.float32) / 255

    def _draw_marked_six(self, mask: np.ndarray) -> np.ndarray:
        """Draw a 6 with its bar, with its dot, or bare."""
        rng = self.rng
        mask, pick = mask.copy(), rng.random()
        y = GLYPH_SIDE_PX // 2 + 32 + int(rng.integers(3, 18))
        if pick < 0.65:
            half = int(rng.integers(10, 30))
            cv2.rectangle(
                mask, (GLYPH_SIDE_PX // 2 - half, y), (GLYPH_SIDE_PX // 2 + half, y + int(rng.integers(2, 9))), 255, -1
            )
        elif pick < 0.8:
            cv2.circle(mask, (GLYPH_SIDE_PX // 2 + int(rng.integers(0, 36)), y - int(rng.integers(0, 18))),
                       int(rng.integers(3, 7)), 255, -1)  # fmt: skip
        return mask

    def _token(self, digit: int) -> np.ndarray:
        rng = self.rng
        base, figure = self._two_colours(45 if rng.random() < 0.3 else 90)
        # An error in the token's radius; or the ring printed on it was taken for its rim.
        zoom = rng.uniform(0.86, 1.16) if rng.random() < 0.85 else rng.uniform(1.1, 1.3)
        dx, dy = rng.normal(0, 0.05, 2)
        image = np.empty((self.side, self.side, 3), np.float32)
        image[:] = base
        away = np.hypot(self.x - dx, self.y - dy) * PATCH_HALF_SIDE_RADII / zoom
        ring = rng.random()
        if ring < 0.45:  # printed rings or a bevelled rim
            for _ in range(1 if ring < 0.35 else 2):
                r, w = rng.uniform(0.68, 0.97), rng.uniform(0.02, 0.12)
                tint = figure if rng.random() < 0.75 else base * rng.uniform(0.5, 1.5)
                image[np.abs(away - r) < w / 2] = tint
        if rng.random() < 0.12:  # grip piece: a bar beside the digit's place, barely raised
            image[np.abs(self.y - dy) * PATCH_HALF_SIDE_RADII / zoom > rng.uniform(0.72, 0.9)] *= rng.uniform(
                0.75, 1.25
            )
        ink = self._glyph(digit, rng.uniform(0.6, 1.2) * zoom, dx + rng.normal(0, 0.03), dy + rng.normal(0, 0.03))
        image += ink[:, :, None] * (figure - base)
        image[away > 1.0] = self._colour() if rng.random() < 0.8 else base * rng.uniform(0.8, 1.25)
        if rng.random() < 0.3:
            self._draw_intruder(image, 0.80)
        return image

    def _draw_intruder(self, image: np.ndarray, beyond: float) -> None:
        """Draw a finger or a shadow that stays outside `beyond` of the disc, so that the digit is still whole."""
        a = self.rng.uniform(0, 2 * np.pi)
        outside = self.x * np.cos(a) + self.y * np.sin(a) > beyond
        image[outside] = self._colour()

    def _draw_no_digit(self) -> np.ndarray:
        rng = self.rng
        pick = rng.random()
        if pick < 0.22:
            return self._hidden_token()
        image = np.empty((self.side, self.side, 3), np.float32)
        image[:] = self._colour()
        if pick > 0.35:  # a scrap of a picture: bands, discs, lines, wedges
            for _ in range(int(rng.integers(0, 6))):
                colour = self._colour()
                form = rng.integers(0, 5)
                p = rng.uniform(0, self.side, (4, 2)).astype(np.int32)
                if form == 0:
                    image[(self.x * rng.normal() + self.y * rng.normal()) > rng.normal(0, 0.6)] = colour
                elif form == 1:
                    cv2.circle(image, p[0].tolist(), int(rng.uniform(4, 45)), colour.tolist(), -1, cv2.LINE_AA)
                elif form == 2:
                    cv2.line(image, p[0].tolist(), p[1].tolist(), colour.tolist(), int(rng.integers(1, 9)), cv2.LINE_AA)
                elif form == 3:
                    axes = [int(v) for v in rng.uniform(5, 60, 2)]
                    start = float(rng.uniform(0, 360))
                    cv2.ellipse(image, p[0].tolist(), axes, start, 0, float(rng.uniform(60, 360)), colour.tolist(),
                                int(rng.choice([-1, 2, 4, 7])), cv2.LINE_AA)  # fmt: skip
                else:
                    cv2.fillPoly(image, [p[:3]], colour.tolist(), cv2.LINE_AA)
        if rng.random() < 0.3:  # a texture
            rough = cv2.GaussianBlur(rng.normal(0, 1, image.shape).astype(np.float32), (0, 0), rng.uniform(0.7, 4))
            image += rough * (rng.uniform(5, 45) / max(1e-3, float(rough.std())))
        if rng.random() < 0.65:  # the hole is smaller than the token, and its wall shows on one side
            lid = self._colour()
            a = rng.uniform(0, 2 * np.pi)
            depth = rng.uniform(0, 0.25)
            r = rng.uniform(0.72, 0.98) / PATCH_HALF_SIDE_RADII
            wall = np.hypot(self.x - depth * np.cos(a), self.y - depth * np.sin(a)) > r
            image[wall] = lid * rng.uniform(0.3, 0.9)
            image[np.hypot(self.x, self.y) > r] = lid
        return image

    def _hidden_token(self) -> np.ndarray:
        """Draw a token whose digit is largely covered, or missing."""
        rng = self.rng
        base, figure = self._two_colours(45)
        image = np.empty((self.side, self.side, 3), np.float32)
        image[:] = base
        if rng.random() < 0.75:
            ink = self._glyph(int(rng.integers(1, 7)), rng.uniform(0.62, 1.12), *rng.normal(0, 0.06, 2))
            image += ink[:, :, None] * (figure - base)
            a = rng.uniform(0, 2 * np.pi)
            skin = self._colour()
            across = self.x * np.cos(a) + self.y * np.sin(a)
            if rng.random() < 0.5:
                image[across > rng.uniform(-0.7, 0.1)] = skin
            else:
                middle, half = rng.uniform(-0.25, 0.25), rng.uniform(0.17, 0.4)
                image[np.abs(across - middle) < half] = skin
        else:
            image[np.hypot(self.x, self.y) > rng.uniform(0.85, 1.1) / PATCH_HALF_SIDE_RADII] = self._colour()
        return image

    def _camera(self, image: np.ndarray) -> np.ndarray:
        rng = self.rng
        if rng.random() < 0.5:  # uneven light
            a = rng.uniform(0, 2 * np.pi)
            image = image * (1 + rng.uniform(0, 0.3) * (self.x * np.cos(a) + self.y * np.sin(a)))[:, :, None]
        if rng.random() < 0.12:  # the edge of a shadow
            a = rng.uniform(0, 2 * np.pi)
            dark = self.x * np.cos(a) + self.y * np.sin(a) > rng.normal(0, 0.5)
            image = image * np.where(dark, rng.uniform(0.6, 0.95), 1.0)[:, :, None]
        image = image * rng.uniform(0.45, 1.1)
        small = cv2.GaussianBlur(image.astype(np.float32), (0, 0), rng.triangular(0.5, 0.9, 3.0))
        small = cv2.resize(small, (PATCH_SIDE_PX, PATCH_SIDE_PX), interpolation=cv2.INTER_AREA)
        small = small + rng.normal(0, rng.uniform(0.5, 7), small.shape)
        out = np.clip(small, 0, 255).astype(np.uint8)
        if rng.random() < 0.5:
            quality = int(rng.integers(45, 95))
            out = cv2.imdecode(cv2.imencode(".jpg", out, [cv2.IMWRITE_JPEG_QUALITY, quality])[1], cv2.IMREAD_COLOR)
        return out
