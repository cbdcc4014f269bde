"""What happens to a lid at a real table, drawn into pictures of the shared sittings: glare, coloured light, coins.

Each disturbance takes a picture (BGR), the truth of its frame and a generator of random numbers, and returns a new
picture. Windows keep their places; those that it hides get `visible` 0, and tokens turned over `blank`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.reading import Image

Frame = dict[str, Any]
"""The truth of one frame, as in `truth.json` of a sitting."""
Mask = npt.NDArray[np.float32]
Disturbance = Callable[[Image, Frame, np.random.Generator], Image]


def turn_tokens_over(image: Image, frame: Frame, rng: np.random.Generator) -> Image:
    """Show every token's blank side: the digit is gone, a ring stays."""
    image = image.copy()
    for window in list_covered(frame):
        radius, face = window["r_px"], crop(image, window, 0.8)
        draw_disc(image, window["px"], 0.62 * radius, np.median(face.reshape(-1, 3), axis=0), soft=4)
        window["blank"] = True
    return image


def turn_some_tokens_over(image: Image, frame: Frame, rng: np.random.Generator) -> Image:
    """Show the blank side of every third token, on which the grain of the wood stays."""
    image = image.copy()
    for window in list_covered(frame)[::3]:
        blank = np.median(crop(image, window, 0.8).reshape(-1, 3), axis=0)
        draw_disc(image, window["px"], 0.72 * window["r_px"], blank, soft=3)
        face = crop(image, window, 0.7)
        grain = cv2.GaussianBlur(rng.normal(0, 12, face.shape[:2]).astype(np.float32), (0, 0), 1.5)
        face[:] = clip_levels(face + grain[..., None])
        window["blank"] = True
    return image


def reflect_lamp(image: Image, frame: Frame, rng: np.random.Generator) -> Image:
    """Let a lamp mirror itself in every third window."""
    image = image.copy()
    for window in frame["windows"][::3]:
        angle, radius = rng.uniform(0, 2 * np.pi), window["r_px"]
        place = np.array(window["px"]) + 0.4 * radius * np.array([np.cos(angle), np.sin(angle)])
        draw_disc(image, place, 0.45 * radius, (255, 255, 255), soft=0.3 * radius, height_ratio=0.6)
    return image


def reflect_tube(image: Image, frame: Frame, rng: np.random.Generator) -> Image:
    """Let a tube lamp mirror itself as a bright stripe across the lid."""
    middle, angle = np.mean(frame["lid_corners_px"], axis=0), rng.uniform(0, np.pi)
    across = measure_across(image, middle + rng.uniform(-40, 40, 2), angle)
    return blend(image, np.clip(1.4 - np.abs(across) / 14, 0, 0.9).astype(np.float32), 250.0)


def make_light(blue: float, green: float, red: float) -> Disturbance:
    """Return the disturbance by a lamp that multiplies the channels."""

    def light(image: Image, frame: Frame, rng: np.random.Generator) -> Image:
        return clip_levels(image * np.array([blue, green, red]))

    return light


def print_digits_on_cards(image: Image, frame: Frame, rng: np.random.Generator) -> Image:
    """Print a legible number on the card in each open window."""
    image = image.copy()
    for window in list_open(frame):
        number, size, (x, y) = str(rng.integers(1, 7)), window["r_px"] / 20, window["px"]
        thick = max(1, int(2 * size))
        (width, height), _ = cv2.getTextSize(number, cv2.FONT_HERSHEY_DUPLEX, size, thick)
        at = int(x - width / 2), int(y + height / 2)
        cv2.putText(image, number, at, cv2.FONT_HERSHEY_DUPLEX, size, (240, 240, 240), thick, cv2.LINE_AA)
    return image


def put_coins_in_windows(image: Image, frame: Frame, rng: np.random.Generator) -> Image:
    """Lay a coin into two open windows."""
    colour = np.array([90.0, 160.0, 190.0])
    image = image.copy()
    for window in list_open(frame)[:2]:
        (x, y), radius = window["px"], window["r_px"]
        draw_disc(image, (x, y), 0.7 * radius, colour)
        draw_disc(image, (x, y), 0.55 * radius, colour * 1.3, opacity=0.35)
        draw_disc(image, (x + 3, y - 4), 0.2 * radius, colour * 0.5, soft=6, opacity=0.6)
    return image


def paint_cards(image: Image, frame: Frame, rng: np.random.Generator) -> Image:
    """Show a bright drawing in each open window."""
    image = image.copy()
    for window in list_open(frame):
        drawing = np.full((64, 64, 3), rng.integers(120, 256, 3), np.uint8)
        for _ in range(5):
            at, colour = tuple(rng.integers(0, 64, 2).tolist()), rng.integers(0, 256, 3).tolist()
            cv2.circle(drawing, at, int(rng.integers(5, 22)), colour, -1, cv2.LINE_AA)
        hole = crop(image, window, 1.1)
        hole[:] = blend(hole, make_disc(hole, 0.93 * window["r_px"]), cv2.resize(drawing, hole.shape[1::-1]))
    return image


def push_tokens_aside(image: Image, frame: Frame, rng: np.random.Generator) -> Image:
    """Push every second token off the middle by a third of its window, so that the card shows at one side."""
    before, image = image, image.copy()
    for window in list_covered(frame)[::2]:
        angle, radius = rng.uniform(0, 2 * np.pi), window["r_px"]
        shift = np.rint(0.35 * radius * np.array([np.cos(angle), np.sin(angle)])).astype(int)
        hole = crop(image, window, 1.1)
        aside = {**window, "px": [float(v) for v in np.array(window["px"]) - shift]}
        in_hole, token = make_disc(hole, 0.93 * radius), make_disc(hole, 0.9 * radius, shift=shift)
        ground = blend(hole, in_hole * (1 - token), (60, 90, 70))
        hole[:] = blend(ground, in_hole * token, crop(before, aside, 1.1))
    return image


def shade_by_blinds(image: Image, frame: Frame, rng: np.random.Generator) -> Image:
    """Let the sun through blinds: stripes at 0.42 and 1.15 of the light."""
    y, x = np.mgrid[: image.shape[0], : image.shape[1]]
    return clip_levels(image * np.where(np.sin((0.8 * x + 0.6 * y) / 22) > 0, 1.15, 0.42)[..., None])


def flicker(image: Image, frame: Frame, rng: np.random.Generator) -> Image:
    """Let a lamp's flicker darken rows, as a rolling shutter shows it."""
    rows = np.arange(image.shape[0]) / 17 + rng.uniform(0, 2 * np.pi)
    return clip_levels(image * (1 + 0.38 * np.sin(rows))[:, None, None])


def rest_a_hand(image: Image, frame: Frame, rng: np.random.Generator) -> Image:
    """Rest a fist and forearm on one corner of the lid; the windows below are marked as hidden."""
    corners = np.array(frame["lid_corners_px"])
    middle, corner = corners.mean(axis=0), corners[rng.integers(4)]
    tip, out = (tuple(np.rint(corner + s * (middle - corner)).astype(int).tolist()) for s in (0.33, -1.6))
    width = int(0.2 * np.linalg.norm(corners[0] - corners[1]))
    hand = np.zeros(image.shape[:2], np.uint8)
    cv2.line(hand, tip, out, 255, width, cv2.LINE_AA)
    cv2.circle(hand, tip, int(0.62 * width), 255, -1, cv2.LINE_AA)
    skin = 4 * cv2.GaussianBlur(rng.normal(0, 14, image.shape[:2]).astype(np.float32), (0, 0), 9)
    hide_windows(frame, hand)
    return blend(image, hand.astype(np.float32) / 255, np.array([110.0, 140.0, 190.0]) + skin[..., None])


def lay_a_sheet(image: Image, frame: Frame, rng: np.random.Generator) -> Image:
    """Lay a white sheet over the lower third of the lid; the windows below are marked as hidden."""
    corners = np.array(frame["lid_corners_px"])[np.argsort([y for _, y in frame["lid_corners_px"]])]
    upper, lower = (sorted(two.tolist()) for two in (corners[:2], corners[2:]))
    left, right = (np.array(a) + 0.33 * (np.array(b) - np.array(a)) for a, b in zip(lower, upper, strict=True))
    outline = np.array([left, right, lower[1], lower[0]]) + np.array([(-40, 4), (40, -6), (50, 60), (-50, 60)])
    sheet = np.zeros(image.shape[:2], np.uint8)
    cv2.fillPoly(sheet, [outline.astype(np.int32)], 255)
    hide_windows(frame, sheet)
    return blend(image, sheet.astype(np.float32) / 255, 236.0)


def show_another_lid(image: Image, frame: Frame, rng: np.random.Generator) -> Image:
    """Show the lid once more, about half as large, in a corner of the picture."""
    corners = np.array(frame["lid_corners_px"])
    (left, top), (right, bottom) = corners.min(axis=0).astype(int).clip(0), corners.max(axis=0).astype(int)
    small = cv2.resize(image[top:bottom, left:right], None, fx=0.55, fy=0.55, interpolation=cv2.INTER_AREA)
    height, width = small.shape[:2]
    out = image.copy()
    x = image.shape[1] - width - 5 if left + right < image.shape[1] else 5
    out[-height - 5 : -5, x : x + width] = small
    return out


DISTURBANCES: dict[str, Disturbance] = {
    "none": lambda image, frame, rng: image,
    "blank tokens": turn_tokens_over,
    "some blank tokens": turn_some_tokens_over,
    "lamp reflected": reflect_lamp,
    "tube reflected": reflect_tube,
    "blue LED": make_light(1.25, 0.55, 0.22),
    "red LED": make_light(0.2, 0.4, 1.3),
    "green LED": make_light(0.35, 1.15, 0.3),
    "magenta LED": make_light(1.2, 0.25, 1.2),
    "amber LED": make_light(0.12, 0.7, 1.25),
    "digits on cards": print_digits_on_cards,
    "coins": put_coins_in_windows,
    "painted cards": paint_cards,
    "tokens off the middle": push_tokens_aside,
    "blinds": shade_by_blinds,
    "flicker": flicker,
    "hand at rest": rest_a_hand,
    "sheet": lay_a_sheet,
    "another lid": show_another_lid,
}


NOT_AT_FIRST = ("blank tokens", "some blank tokens", "hand at rest", "sheet")
"""Disturbances from the second picture on: the lid must be learnt first."""


def list_covered(frame: Frame) -> list[Frame]:
    return [window for window in frame["windows"] if window["token"] is not None]


def list_open(frame: Frame) -> list[Frame]:
    return [window for window in frame["windows"] if window["token"] is None]


def crop(image: Image, window: Frame, radii: float) -> Image:
    """Return the square around a window's middle, `radii` of its radius to either side."""
    (x, y), half = window["px"], radii * window["r_px"]
    return image[int(y - half) : int(y + half), int(x - half) : int(x + half)]


def hide_windows(frame: Frame, cover: Image) -> None:
    """Mark the windows hidden that `cover`, (H, W) uint8, touches."""
    for window in frame["windows"]:
        disc = np.zeros_like(cover)
        cv2.circle(disc, tuple(int(v) for v in window["px"]), int(window["r_px"]), 255, -1)
        if (cover[disc > 0] > 0).any():
            window["visible"] = 0.0


def clip_levels(picture: npt.NDArray[Any]) -> Image:
    return np.asarray(np.clip(picture, 0, 255), np.uint8)


def blend(image: Image, mask: Mask, colour: npt.ArrayLike) -> Image:
    """Return the image with a colour, or another picture, where `mask` (0 to 1) is."""
    share = mask[..., None]
    return clip_levels(image * (1 - share) + np.asarray(colour, np.float32) * share)


def make_disc(
    image: Image, radius: float, soft: float = 1.5, height_ratio: float = 1.0, shift: npt.ArrayLike = (0.0, 0.0)
) -> Mask:
    """Return a disc's mask, 0 to 1, in the middle of a picture, or `shift` beside it.

    Its edge is `soft` pixels wide, its height `height_ratio` of its width.
    """
    middle = (np.array(image.shape[1::-1]) - 1) / 2 + shift
    y, x = np.mgrid[: image.shape[0], : image.shape[1]]
    distance = np.hypot(x - middle[0], (y - middle[1]) / height_ratio)
    return np.asarray(np.clip((radius - distance) / soft + 0.5, 0, 1), np.float32)


def draw_disc(
    image: Image,
    middle: npt.ArrayLike,
    radius: float,
    colour: npt.ArrayLike,
    *,
    soft: float = 1.5,
    height_ratio: float = 1.0,
    opacity: float = 1.0,
) -> None:
    """Draw a disc into the picture."""
    part = crop(image, {"px": middle, "r_px": radius + soft}, 1.0)
    part[:] = blend(part, make_disc(part, radius, soft, height_ratio) * opacity, colour)


def measure_across(image: Image, point: npt.ArrayLike, angle: float) -> npt.NDArray[np.float32]:
    """Return each pixel's distance from the line through a point in pixels, with a sign."""
    y, x = np.mgrid[: image.shape[0], : image.shape[1]].astype(np.float32)
    cx, cy = np.asarray(point)
    return np.asarray((x - cx) * np.sin(angle) - (y - cy) * np.cos(angle), np.float32)
