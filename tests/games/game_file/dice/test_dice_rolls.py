"""Thrown dice of the games in files, for the statistics of luck."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from companion.api import Correction, Move, Seat
from companion.api.registry import find_game
from companion.events import SEAT_BUTTONS
from companion.games.game_file.dice.game import DiceGame
from companion.journal.dice_luck import count_faces
from companion.journal.entry import GameSetup
from companion.journal.replay import PlayedStep, Replay
from tests.games.game_file.dice.positions import DICE_GAMES, NAMES, new_game, steps

A = Seat(0)


def make_replay(name: str, start: DiceGame) -> Replay:
    players = start.player_count
    setup = GameSetup(game=name, players=NAMES[:players], buttons=SEAT_BUTTONS[:players])
    return Replay(find_game(name), setup, start)


def play(name: str, *played: Move | Correction) -> Replay:
    replay = make_replay(name, new_game(name, 2))
    for what in played:
        game = replay.game
        after = game.play(what) if isinstance(what, Move) else game.correct(what)
        replay.steps.append(PlayedStep(what, game, after, replay.seating, replay.seating))
    return replay


@pytest.mark.parametrize("name", DICE_GAMES)
def test_every_throw_counts_for_who_threw_it(name: str) -> None:
    start = new_game(name, 2)
    seat: Seat | None = None
    dice: tuple[int, ...] = ()
    replay, thrown = make_replay(name, start), Counter[tuple[Seat | None, int]]()
    for before, move, after in steps(start, Random(f"rolls {name}")):
        replay.steps.append(PlayedStep(move, before, after, replay.seating, replay.seating))
        if move.kind == "claim":
            thrown.subtract((seat, face) for face in dice)
            seat = move.seat
            thrown.update((seat, face) for face in dice)
        if move.kind in ("throw", "early throw"):
            seat, dice = move.seat, move.value
            thrown.update((seat, face) for face in dice)
    assert thrown
    assert count_faces(replay) == tuple(tuple(thrown[Seat(q), face] for face in range(1, 7)) for q in range(2))


def test_a_corrected_throw_counts_as_corrected() -> None:
    replay = play("yacht", Move("throw", A, (1, 2, 3, 4, 6)), Correction("dice", None, (1, 2, 3, 4, 5)))
    assert count_faces(replay)[0] == (1, 1, 1, 1, 1, 0)
    busted = play("pig", Move("throw", A, (6,)), Correction("dice", None, (1,)))
    assert count_faces(busted) == ((1, 0, 0, 0, 0, 0), (0, 0, 0, 0, 0, 0)), "the turn ends by the correction"


def test_the_second_throw_is_corrected_and_not_the_first() -> None:
    thrown = (
        Move("throw", A, (6, 6, 1, 2, 3)),
        Move("keep", A, (6, 6)),
        Move("throw", A, (6, 4, 4)),
    )
    assert count_faces(play("yacht", *thrown))[0] == (1, 1, 1, 2, 0, 3)
    corrected = play("yacht", *thrown, Correction("dice", None, (5, 4, 4)))
    assert count_faces(corrected)[0] == (1, 1, 1, 2, 1, 2)


def test_dice_of_two_throws_that_are_corrected_together_stay_as_thrown() -> None:
    """Which of the five dice were thrown twice is not known any more."""
    thrown = (
        Move("throw", A, (6, 6, 1, 2, 3)),
        Move("keep", A, (6, 6)),
        Move("throw", A, (6, 4, 4)),
        Move("keep", A, (6,)),
        Move("return", A),
    )
    replay = play("yacht", *thrown, Correction("dice", None, (1, 1, 1, 1, 1)))
    assert count_faces(replay)[0] == (1, 1, 1, 2, 0, 3)


def test_high_dice_are_luck_where_a_sum_of_dice_scores() -> None:
    """In Farkle ones score most: more sixes are no luck there."""
    lucky = [name for name in ("pig", "yacht", "farkle", "bunco") if find_game(name).fair_dice.face_worth]
    assert lucky == ["pig", "yacht"]
