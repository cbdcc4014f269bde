"""Playing cards that show their faces: a rank and a suit."""

from __future__ import annotations

import numpy as np
from ray_renderer import Array, Body, Surface, Vector, mix, rotation, smoothstep, srgb

from art.cards import CARD_ASPECT, CREAM
from art.shapes import measure_plate
from art.text import cover_text, sample_cover

SUIT_RGB = {
    "heart": srgb(206, 34, 48),
    "spade": srgb(26, 28, 40),
    "diamond": srgb(226, 120, 20),
    "club": srgb(24, 110, 76),
}
"""Colours of the suits: four, as far apart as on four-coloured packs."""
CORNER = (0.5, 0.74)
"""Middle of a card's corner with rank and suit, in half heights from the card's middle."""


def _measure_heart(x: Array, y: Array) -> Array:
    x = np.abs(x)
    diagonal = 0.5 * np.maximum(x + y, 0)
    lower = np.sqrt(np.minimum(x**2 + (y - 1) ** 2, (x - diagonal) ** 2 + (y - diagonal) ** 2)) * np.sign(x - y)
    upper = np.sqrt((x - 0.25) ** 2 + (y - 0.75) ** 2) - 0.3536
    return np.asarray(np.where(x + y > 1, upper, lower), np.float32)


def _measure_stem(x: Array, y: Array) -> Array:
    width = 0.06 + 0.2 * np.clip(-0.25 - y, 0, 1) ** 1.5
    return np.asarray(np.maximum(np.abs(x) - width, np.abs(y + 0.35) - 0.2), np.float32)


def cover_suit(suit: str, x: Array, y: Array) -> Array:
    """Return where a suit's sign lies, 0 to 1, about 1 high around x = 0, y = 0."""
    if suit == "heart":
        away = _measure_heart(x, y + 0.55)
    elif suit == "diamond":
        away = (np.abs(x) / 0.75 + np.abs(y) - 0.55) * 0.7
    elif suit == "spade":
        away = np.minimum(_measure_heart(x, 0.55 - y), _measure_stem(x, y))
    else:
        balls = [np.sqrt((x - cx) ** 2 + (y - cy) ** 2) - 0.24 for cx, cy in ((0, 0.28), (-0.26, -0.1), (0.26, -0.1))]
        away = np.minimum(np.minimum.reduce(balls), np.minimum(_measure_stem(x, y), np.sqrt(x**2 + y**2) - 0.16))
    return smoothstep(0.012, -0.012, np.asarray(away, np.float32))


def make_playing_card(
    centre: Vector, suit: str, rank: str, turn: Array | None = None, size: float = 1.0, *, big: str = ""
) -> Body:
    """Return a card that lies on the table, its face up; `size` is half its height.

    Args:
        centre: where it lies.
        suit: one of `SUIT_RGB`.
        rank: a letter or number.
        turn: how it is turned.
        size: half its height.
        big: what stands large in its middle; empty: its suit.
    """
    half = (CARD_ASPECT * size, 0.022 * size, size)

    def paint(p: Array, normal: Array, view: Array) -> Surface:
        u, v = p[:, 0] / size, -p[:, 2] / size
        upper = (p[:, 1] > 0).astype(np.float32)
        ink = sample_cover(cover_text(big), u / 0.9, v / 0.9) if big else cover_suit(suit, u / 0.85, v / 0.85)
        for side in (1, -1):
            x, y = side * u + CORNER[0], side * v - CORNER[1]
            ink = np.maximum(ink, sample_cover(cover_text(rank), x / 0.32, (y - 0.06) / 0.32))
            ink = np.maximum(ink, cover_suit(suit, x / 0.2, (y + 0.22) / 0.2))
        flat = np.stack([u, np.zeros_like(u), v], axis=1).astype(np.float32)
        edge = smoothstep(0.012, 0, np.abs(measure_plate(flat, (CARD_ASPECT - 0.05, 1, 0.95), 0.08, 0)))
        colour = mix(np.broadcast_to(CREAM, p.shape), srgb(206, 190, 160), edge * 0.6 * upper)
        return Surface(mix(colour, SUIT_RGB[suit], ink * upper), normal, 0.22, 40)

    plain = np.eye(3, dtype=np.float32) if turn is None else turn
    return Body(lambda p: measure_plate(p, half, 0.11 * size, 0.015 * size), paint, centre, plain, 1.24 * size)


def fan_cards(
    cards: list[tuple[str, str]], pivot: Vector, size: float, *, spread_deg: float, pitch_deg: float
) -> list[Body]:
    """Return cards held as a hand: turned about a point below them.

    Args:
        cards: suit and rank of each, from the left.
        pivot: the point about which they are turned.
        size: half the height of a card.
        spread_deg: angle between two of them.
        pitch_deg: 90 is upright.
    """
    found = []
    for i, (suit, rank) in enumerate(cards):
        turn = rotation(pitch_deg=pitch_deg) @ rotation(yaw_deg=-spread_deg * (i - (len(cards) - 1) / 2))
        x, y, z = turn @ np.array([0, 0.05 * i, -1.5 * size], np.float32) + np.array(pivot, np.float32)
        found.append(make_playing_card((float(x), float(y), float(z)), suit, rank, turn.astype(np.float32), size))
    return found
