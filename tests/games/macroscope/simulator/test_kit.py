"""The simulated table follows the game: a picture for each card, and a hand that covers the lid at the round's end."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

import pytest

from companion.api import LATE_PRESS_SECONDS, Seat
from companion.gallery.fixtures import show_game
from companion.games.macroscope import GAME, Macroscope, Settings
from companion.games.macroscope.samples import make_game
from companion.games.macroscope.simulator.cards import PICTURES
from companion.games.macroscope.simulator.kit import KIT
from companion.games.macroscope.simulator.table import MacroscopeTable
from companion.games.macroscope.state import Phase
from companion.guide import Guide
from companion.screen_state import ScreenKind, ScreenState
from tests.games.macroscope.conftest import as_move

ROUND = ("roll {0} 2 5", "remove {0} 2", "guess {0}", "close {0}", "cover", "nobody")


@pytest.fixture
def table() -> MacroscopeTable:
    return MacroscopeTable(random.Random(1))


def follow(table: MacroscopeTable, game: Macroscope) -> int:
    """Return the picture below the windows."""
    KIT.follow(table, show_game(GAME, game, ("Ada", "Bo")))
    return table.board.card_number % len(PICTURES)


def play(game: Macroscope, moves: Sequence[str]) -> Macroscope:
    for text in moves:
        game = game.play(as_move(text.format(game.active_seat)))
    return game


@pytest.mark.parametrize("seed", range(5))
def test_no_picture_comes_back_within_a_game_and_the_next_one(seed: int) -> None:
    table, pictures = MacroscopeTable(random.Random(seed)), []
    for _game in range(2):
        KIT.follow(table, ScreenState(ScreenKind.FIRST))
        game = Macroscope.create(2, Seat(0), Settings(variant="easy"))
        while game.phase is not Phase.OVER:
            pictures.append(follow(table, game))
            before, game = game, play(game, [move for move in ROUND if not move.startswith("close")])
            assert follow(table, before) == pictures[-1], "the same again after an undo"
    assert len(pictures) == 20
    assert len(set(pictures)) == 20


def test_the_card_of_a_void_round_lies_there_until_all_is_covered_and_then_another(table: MacroscopeTable) -> None:
    game = replace(make_game(2), tokens=(0, 1, 0, 0, 0, 0))
    seen = follow(table, game)
    void = play(game, ("roll {0} 2 5", "remove {0} 2"))
    assert (void.phase, follow(table, void)) == (Phase.COVER, seen)
    assert follow(table, play(void, ("cover",))) != seen


def run(table: MacroscopeTable, seconds: float) -> None:
    for _step in range(round(seconds * 10)):
        table.step(table.now + 0.1)


def test_dice_lie_in_the_tray_until_a_hand_picks_them_up_for_the_next_throw(table: MacroscopeTable) -> None:
    thrown = [table.throw_dice(values, random.Random(1), 0.0) for values in ((2, 5), (3, 3))]
    lying = []
    while table.is_busy(table.now):
        run(table, 0.1)
        lying.append(table.values)
    assert [values for values, _same in groupby(lying)] == [(), thrown[0], (), thrown[1]]


@pytest.fixture
def guessed(table: MacroscopeTable) -> Macroscope:
    """A game in which a window is open, also on the table."""
    game = play(make_game(2), ROUND[:3])
    table.take_token(0, 0.0)
    run(table, 2.0)
    follow(table, game)
    return game


def test_a_hand_covers_the_lid_once_no_press_is_late_any_more(table: MacroscopeTable, guessed: Macroscope) -> None:
    run(table, 2 * LATE_PRESS_SECONDS)
    assert not all(table.board.windows), "others may still guess"
    follow(table, play(guessed, ("close {0}",)))
    run(table, LATE_PRESS_SECONDS - 0.2)
    assert not all(table.board.windows)
    run(table, 3.0)
    assert all(table.board.windows)


def test_the_hand_does_not_come_if_somebody_guesses_late(table: MacroscopeTable, guessed: Macroscope) -> None:
    follow(table, play(guessed, ("close {0}",)))
    run(table, 1.0)
    follow(table, guessed)
    run(table, 2 * LATE_PRESS_SECONDS)
    assert not all(table.board.windows)


def test_no_hand_covers_the_lid_of_the_lesson(table: MacroscopeTable, guessed: Macroscope) -> None:
    state = show_game(GAME, play(guessed, ("close {0}",)), ("Ada", "Bo"))
    KIT.follow(table, replace(state, guide=Guide(is_strict=True)))
    run(table, 2 * LATE_PRESS_SECONDS)
    assert not all(table.board.windows), "its guess is undone first"


def test_a_second_lesson_begins_with_the_card_down(table: MacroscopeTable, guessed: Macroscope) -> None:
    over = show_game(GAME, play(guessed, ("close {0}", "cover")), ("Ada", "Bo"))
    KIT.follow(table, over)
    assert KIT.find_close_up(table, over) is not None
    KIT.follow(table, ScreenState(ScreenKind.LESSON))
    assert table.turned_up_card is None


def test_the_card_stays_turned_up_beside_the_result(table: MacroscopeTable) -> None:
    game = play(make_game(2, round_number=10), ROUND[:5])
    shown = [KIT.find_close_up(table, show_game(GAME, state, ("Ada", "Bo"))) for state in (game, play(game, ROUND[5:]))]
    assert shown == [table.board.card_number] * 2


def test_the_card_stays_turned_up_after_the_verdict_until_the_dice_are_rolled(table: MacroscopeTable) -> None:
    game, shown = make_game(2), []
    for move in ("", *ROUND, "roll {0} 2 5"):
        game = play(game, [move] if move else [])
        follow(table, game)
        shown.append(KIT.find_close_up(table, show_game(GAME, game, ("Ada", "Bo"))))
    card = shown[5]
    assert card is not None
    assert shown == [None] * 5 + [card] * 2 + [None]
    assert table.board.card_number != card, "the next one lies below the windows"


def test_no_card_is_turned_up_after_a_void_round(table: MacroscopeTable) -> None:
    game = play(make_game(2, void_round_pays_opener=False), ROUND)
    game = replace(game, tokens=(0, 1, 0, 0, 0, 0))
    for move in ("", "roll {0} 2 5", "remove {0} 2", "cover"):
        game = play(game, [move] if move else [])
        follow(table, game)
    assert game.phase is Phase.ROLL
    assert KIT.find_close_up(table, show_game(GAME, game, ("Ada", "Bo"))) is None
