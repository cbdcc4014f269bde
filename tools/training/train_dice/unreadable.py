"""Dice without pips: other numbers of sides, numerals, letters, emblems, blank cubes; some are held back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import pi

import numpy as np

from train_dice.appearance import Array, DieAppearance, random_appearance
from train_dice.prints import Rng, draw_sign, draw_text


def _list_sides(count: int) -> Array:
    """Return the outward unit normals of a solid with 4, 8, 10, 12 or 20 equal faces, (count, 3)."""
    golden = (1 + 5**0.5) / 2
    sides: list[tuple[float, ...]]
    if count == 4:
        sides = [(1, 1, 1), (1, -1, -1), (-1, 1, -1), (-1, -1, 1)]
    elif count == 8:
        sides = [(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
    elif count == 10:
        sides = [
            (float(np.cos((2 * i + (z > 0)) * pi / 5)), float(np.sin((2 * i + (z > 0)) * pi / 5)), z * 0.75)
            for z in (-1, 1)
            for i in range(5)
        ]
    elif count == 12:
        sides = [tuple(np.roll((0, a, b * golden), k)) for k in range(3) for a in (-1, 1) for b in (-1, 1)]
    else:
        sides = [(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
        sides += [tuple(np.roll((0, a / golden, b * golden), k)) for k in range(3) for a in (-1, 1) for b in (-1, 1)]
    normals = np.array(sides, np.float32)
    return np.asarray(normals / np.linalg.norm(normals, axis=1, keepdims=True), np.float32)


def _make_solid(rng: Rng, count: int) -> DieAppearance:
    """Make a solid with numerals on its faces."""
    look = random_appearance(rng)
    width = {4: 0.4, 8: 0.3, 10: 0.28, 12: 0.26, 20: 0.2}[count]
    first = 0 if count == 10 else 1
    prints = [draw_text(str(first + number), (0.5, 0.5), width, rng) for number in range(count)]
    return replace(look, sides=_list_sides(count), prints=np.stack(prints), ink=look.pip, ghost=0.0, tones=None)


def _make_printed_cube(look: DieAppearance, prints: list[Array]) -> DieAppearance:
    return replace(look, prints=np.stack(prints), ink=look.pip, without_pips=(1, 2, 3, 4, 5, 6), ghost=0.0)


def _blank(rng: Rng) -> DieAppearance:
    return replace(random_appearance(rng), blank=True, ghost=0.0)


def _numerals(rng: Rng) -> DieAppearance:
    width = float(rng.uniform(0.3, 0.6))
    return _make_printed_cube(random_appearance(rng), [draw_text(str(n), (0.5, 0.5), width, rng) for n in range(1, 7)])


def _poker(rng: Rng) -> DieAppearance:
    return _make_printed_cube(
        random_appearance(rng), [draw_text(t, (0.5, 0.5), 0.5, rng) for t in ["A", "K", "Q", "J", "10", "9"]]
    )


def _emblems(rng: Rng) -> DieAppearance:
    return _make_printed_cube(random_appearance(rng), [draw_sign(rng, rng.uniform(0.4, 0.8)) for _ in range(6)])


def _letters(rng: Rng) -> DieAppearance:
    letters = rng.choice(list("ABCDEFGHIKLMNOPRSTUWZ"), 6)
    return _make_printed_cube(random_appearance(rng), [draw_text(str(c), (0.5, 0.5), 0.6, rng) for c in letters])


UNREADABLE: dict[str, Callable[[Rng], DieAppearance]] = {
    "blank": _blank,
    "numerals": _numerals,
    "poker": _poker,
    "d8": lambda rng: _make_solid(rng, 8),
    "d10": lambda rng: _make_solid(rng, 10),
    "d12": lambda rng: _make_solid(rng, 12),
}
"""Dice without pips for training, by name: they are seen and never read."""

HELD_BACK_UNREADABLE: dict[str, Callable[[Rng], DieAppearance]] = {
    "emblems": _emblems,
    "letters": _letters,
    "d4": lambda rng: _make_solid(rng, 4),
    "d20": lambda rng: _make_solid(rng, 20),
}
"""Dice without pips for evaluation alone, by name."""


def draw_unreadable(rng: Rng) -> DieAppearance:
    """Draw a die without pips from the families for training."""
    return UNREADABLE[str(rng.choice(list(UNREADABLE)))](rng)
