"""Somebody at the table who does whatever is possible, at random."""

from __future__ import annotations

import hashlib
from contextlib import suppress
from pathlib import Path
from random import Random

from companion.games.api.game import BadCorrection, Game, Move
from companion.journal.replay import SavedGame

FAST = "/dev/shm" if Path("/dev/shm").is_dir() else None
"""For tests that open many journals and prove nothing of the disk: one in memory, where the machine has it."""


def digest(game: Game) -> str:
    """Equal for equal games, in any process."""
    return hashlib.sha256(repr(game).encode()).hexdigest()


def random_move(random: Random, game: Game) -> Move:
    move = random.choice(list(game.list_moves()))
    if move.value_range is None:
        return move
    return move.fill(
        *(random.randint(move.value_range.low, move.value_range.high) for _ in range(move.value_range.count))
    )


def act(random: Random, sitting: SavedGame) -> None:
    """One entry more: mostly a move, now and then an undo, a redo or a correction."""
    chance = random.random()
    if chance < 0.1 and sitting.can_undo:
        sitting.undo()
    elif chance < 0.2 and sitting.can_redo:
        sitting.redo()
    elif chance < 0.25:
        wrong = random.choice(list(sitting.game.list_correctables()))
        value = (random.randint(wrong.value_range.low, wrong.value_range.high) for _ in range(wrong.value_range.count))
        with suppress(BadCorrection):  # the range is not all there is to it: no such token may be left
            sitting.correct(wrong.make_correction(*value))
    elif sitting.game.compute_outcome() is None:
        sitting.play_move(random_move(random, sitting.game))
    else:
        sitting.undo()
