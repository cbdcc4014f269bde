"""Random play: moves, corrections, undo and redo."""

from __future__ import annotations

import hashlib
from contextlib import suppress
from pathlib import Path
from random import Random

from companion.api import BadCorrection, Game, Move, ValueRange
from companion.events import Button
from companion.journal.entry import GameSetup
from companion.journal.saved_game import SavedGame

FAST = "/dev/shm" if Path("/dev/shm").is_dir() else None
"""Folder in memory, if the machine has one, for tests that open many journals and do not test the disk."""


SETUP = GameSetup(game="macroscope", players=("Ada", "Bob", "Cleo"), buttons=(Button.SEAT1, Button.SEAT3, Button.SEAT4))


def digest(game: Game) -> str:
    """Return a digest that is equal for equal games in any process."""
    return hashlib.sha256(repr(game).encode()).hexdigest()


def random_move(random: Random, game: Game) -> Move:
    move = random.choice(list(game.list_moves()))
    if move.value_range is None:
        return move
    return move.fill(*draw_values(random, move.value_range))


def draw_values(random: Random, limits: ValueRange) -> list[int]:
    """Draw as many numbers as a range has, each of those that it allows."""
    return [random.choice(limits.numbers) for _ in range(limits.count)]


def act(random: Random, saved_game: SavedGame) -> None:
    """Add an entry: usually a move, sometimes an undo, a redo or a correction."""
    chance = random.random()
    if chance < 0.1 and saved_game.can_undo:
        saved_game.undo()
    elif chance < 0.2 and saved_game.can_redo:
        saved_game.redo()
    elif chance < 0.25:
        wrong = random.choice(list(saved_game.game.list_correctables()))
        value = draw_values(random, wrong.value_range)
        with suppress(BadCorrection):  # the range is not all there is to it: no such token may be left
            saved_game.correct(wrong.make_correction(*value))
    elif saved_game.game.compute_outcome() is None:
        saved_game.play_move(random_move(random, saved_game.game))
    else:
        saved_game.undo()
