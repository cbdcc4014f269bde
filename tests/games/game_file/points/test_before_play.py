"""Entries before a round is played, such as bids, and after it (G70)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from companion.api import Correction, IllegalMove, Move, Seat
from companion.events import SEAT_BUTTONS, Button
from companion.games.game_file.definition import make_definition
from companion.games.game_file.points.samples import BIDS, build_samples
from companion.games.game_file.reader import parse_game_file
from companion.testing.screens import draw_texts
from companion.testing.table import TableUnderTest
from tests.games.game_file.points.test_referee import enter

Tables = Callable[..., TableUnderTest]
NAMES = ("Ada", "Bob", "Cleo")


@pytest.fixture
def bids(table: Tables) -> TableUnderTest:
    """A game of three in which everybody bids, plays, and enters tricks."""
    return table(3, definition=make_definition(BIDS, "bids.toml"))


def test_bids_come_before_play_and_tricks_after_it(bids: TableUnderTest) -> None:
    assert bids.state.prompt == "Before the round: Your bid"
    enter(bids, 0, 2)
    enter(bids, 1, 0)
    bids.press(SEAT_BUTTONS[0])
    assert (bids.state.menu, bids.game.entered[0]) == (None, ()), "the second press takes the bid back"
    enter(bids, 0, 3)
    enter(bids, 2, 1)
    assert bids.game.is_round_played
    assert bids.state.prompt == "Play the round, then: Your tricks"
    bids.press(SEAT_BUTTONS[1])
    assert bids.state.menu.title == "Bob: Your tricks"
    bids.press(Button.OK)
    assert not bids.game.is_round_played
    assert bids.state.question is not None
    assert bids.state.question.title == "Bob: Bonus?", "Bob kept to his bid: the next page opens by itself"
    bids.press(Button.MINUS)
    assert bids.state.prompt == "After the round: your numbers"
    enter(bids, 0, 3)
    bids.press(Button.MINUS)
    enter(bids, 2, 0)
    # Cleo did not keep to the bid; the two others are asked for their bonus.
    assert bids.game.seats_to_enter == (0, 1)
    bids.press(SEAT_BUTTONS[0])
    assert bids.state.question is not None
    assert bids.state.question.title == "Ada: Bonus?"
    bids.press(Button.OK)
    bids.press(SEAT_BUTTONS[1], Button.MINUS)
    assert bids.state.question is None
    bids.press(SEAT_BUTTONS[1], Button.NO)
    assert (bids.game.totals, bids.game.round_number) == ((60, 20, -10), 2)
    assert bids.state.prompt == "Before the round: Your bid"


def test_who_enters_the_tricks_again_keeps_the_bid(bids: TableUnderTest) -> None:
    for seat in range(3):
        enter(bids, seat, 1)
    enter(bids, 2, 0)
    bids.press(SEAT_BUTTONS[2])
    assert bids.game.entered == ((1,), (1,), (1,))
    assert bids.game.is_round_played


def test_no_trick_is_entered_before_all_have_bid() -> None:
    definition = make_definition(BIDS, "bids.toml")
    game: Any = definition.create_game(3, Seat(0), definition.settings_model.model_validate({}))
    game = game.play(Move("enter", Seat(0), (2,)))
    with pytest.raises(IllegalMove):
        game.play(Move("enter", Seat(0), (2,)))


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("before_play = true", "", ""),
        ('order = "together"', 'order = "turns"', "before_play"),
        ('name = "Your tricks"', 'name = "Your tricks"\nbefore_play = true', ""),
        ('name = "Bonus?"', 'name = "Bonus?"\nbefore_play = true', "those before play come first"),
    ],
)
def test_where_entries_before_play_may_stand(old: str, new: str, reason: str) -> None:
    text = BIDS.replace(old, new)
    if not reason:
        parse_game_file(text)
        return
    with pytest.raises(ValueError, match=reason):
        parse_game_file(text)


@pytest.mark.parametrize("size", [(800, 480), (1920, 1080), (480, 800)], ids=lambda size: f"{size[0]}x{size[1]}")
def test_bids_stand_larger_than_the_totals_while_the_round_is_played(size: tuple[int, int]) -> None:
    """All look at them then; while bids and tricks are entered the totals are large."""
    samples, ratio = build_samples(), 1.4

    def measure(name: str, is_shown: Callable[[str], bool]) -> list[int]:
        return [text.em_px for text in draw_texts(samples[name], size) if is_shown(text.text)]

    for name, bids in (("bids_played", {"3", "1", "0", "12"}), ("teams_bid", {"5 / 0", "3 / 4"})):
        totals = measure(name, lambda text: text.endswith(" in all"))
        large = measure(name, lambda text, bids=bids: text in bids)
        assert len(totals) == len(bids)
        assert sum(em > ratio * max(totals) for em in large) == len(bids)
    for name in ("bids_before", "bids_after"):
        (total,) = measure(name, lambda text: text == "40")
        assert total > ratio * max(measure(name, lambda text: "?" in text))


IDLE = """
name = "idle"
title = "Idle"
players_min = 2
players_max = 4
[points]
order = "turns"
rounds = 5
[[points.entries]]
id = "steps"
name = "steps"
high = 9
when = "round != 2 and score < 5"
"""


@pytest.mark.parametrize(("order", "count"), [("turns", 2), ("turns", 4), ("together", 2), ("together", 4)])
@pytest.mark.parametrize(("again", "is_over"), [(20, False), (21, False), (30, True)])
def test_a_game_ends_after_twenty_rounds_without_an_entry(order: str, count: int, again: int, is_over: bool) -> None:
    text = IDLE.replace('"turns"', f'"{order}"').replace("rounds = 5", "rounds = 50")
    when = f"round == 1 or round >= {again}"
    definition = make_definition(text.replace("round != 2 and score < 5", when), "idle.toml")
    game: Any = definition.create_game(count, Seat(0), definition.settings_model())
    for seat in range(count):
        game = game.play(Move("enter", Seat(seat), (1,)))
    assert game.is_over == is_over


@pytest.mark.parametrize(
    ("order", "entered", "left"),
    [
        ("turns", [(0, 6), (1, 1), (1, 2)], (1, 4)),  # Bob has nothing to enter in the second round, Ada nothing more
        ("together", [(0, 6), (1, 1), (1, 2)], (1, 4)),
        ("turns", [(0, 6), (1, 5)], None),
        ("together", [(1, 5), (0, 6)], None),
    ],
)
def test_who_has_nothing_to_enter_is_passed_over(
    order: str, entered: list[tuple[int, int]], left: tuple[int, int] | None
) -> None:
    definition = make_definition(IDLE.replace('"turns"', f'"{order}"'), "idle.toml")
    game: Any = definition.create_game(2, Seat(0), definition.settings_model())
    for seat, number in entered:
        game = game.play(Move("enter", Seat(seat), (number,)))
    moves = [(move.seat, game.round_number) for move in game.list_moves() if move.kind == "enter"]
    assert moves == ([left] if left else [])
    assert game.is_over == (left is None)


NO_TRICKS = """
name = "no_tricks"
title = "No tricks"
players_min = 2
players_max = 2
[points]
rounds = 3
[[points.entries]]
id = "bid"
name = "bid"
high = 3
before_play = true
[[points.entries]]
id = "got"
name = "tricks"
high = 3
when = "bid != 2"
[[points.checks]]
when = "sum(all_got) == 1"
text = "There is one trick"
"""


def test_bids_are_made_again_where_nothing_else_can_put_a_round_right() -> None:
    definition = make_definition(NO_TRICKS, "no_tricks.toml")
    game: Any = definition.create_game(2, Seat(0), definition.settings_model())
    passed = game.play(Move("enter", Seat(0), (2,))).play(Move("enter", Seat(1), (1,)))
    assert not [move for move in passed.list_moves() if move.kind == "again"], "it would change nothing"
    game = game.play(Move("enter", Seat(0), (2,))).play(Move("enter", Seat(1), (2,)))
    assert game.find_mistake() == "There is one trick"
    for kind, value in (("again", ()), ("enter", (1,)), ("enter", (1,))):
        game = game.play(Move(kind, Seat(0), value))
    assert game.round_number == 2


def test_a_score_stays_within_its_limits_after_any_correction() -> None:
    definition = make_definition(NO_TRICKS.replace("high = 3", "high = 999"), "no_tricks.toml")
    game: Any = definition.create_game(2, Seat(0), definition.settings_model())
    for seat, number in ((0, 2), (1, 3), (1, 1)):
        game = game.play(Move("enter", Seat(seat), (number,)))
    game = game.correct(Correction("total", Seat(1), (999_999,)))
    assert game.correct(Correction("round", Seat(1), (99,), (1, 1))).totals == (2, 999_999)
