"""Thrown dice of the counting tray, for the statistics of luck."""

from __future__ import annotations

from companion.api import Correction, Move, Seat
from companion.events import SEAT_BUTTONS
from companion.games.counting_tray import GAME, CountingTray
from companion.games.counting_tray.settings import Settings
from companion.journal.dice_luck import count_faces
from companion.journal.entry import GameSetup
from companion.journal.replay import PlayedStep, Replay

THROW = Move("throw", value=(2, 0, 1, 0, 0, 3))


def count(*played: Move | Correction) -> tuple[tuple[int, ...], ...]:
    """Return the faces by player after these steps of a game of two."""
    game = CountingTray.create(2, Seat(0), Settings.model_validate({}))
    replay = Replay(GAME, GameSetup(game=GAME.name, players=("Ada", "Bob"), buttons=SEAT_BUTTONS[:2]), game)
    for what in played:
        before = replay.game
        if isinstance(what, Move) and what.seat is None:
            listed = next(move for move in before.list_moves() if move.kind == what.kind)
            what = Move(what.kind, listed.seat, what.value)
        after = before.play(what) if isinstance(what, Move) else before.correct(what)
        replay.steps.append(PlayedStep(what, before, after, replay.seating, replay.seating))
    return count_faces(replay)


def test_throws_count_for_who_threw_them() -> None:
    assert count(THROW, Move("next"), Move("throw", value=(0, 0, 0, 0, 5, 0))) == (
        (2, 0, 1, 0, 0, 3),
        (0, 0, 0, 0, 5, 0),
    )


def test_dice_thrown_again_count_again() -> None:
    """T5: the failed ones were chosen by their old faces; the new ones are chance alone."""
    assert count(THROW, Move("again", value=(1, 0, 0, 0, 0, 2)))[0] == (3, 0, 1, 0, 0, 5)


def test_a_corrected_throw_counts_as_corrected() -> None:
    wrong = (Correction("face", None, (1,), (1,)), Correction("face", None, (1,), (2,)))
    assert count(THROW, *wrong)[0] == (1, 1, 1, 0, 0, 3)


def test_dice_corrected_after_some_were_thrown_again_are_left_out() -> None:
    again = Move("again", value=(1, 0, 0, 0, 0, 2))
    assert count(THROW, again, Correction("face", None, (2,), (1,)))[0] == (2, 0, 1, 0, 0, 3)
