"""The menu of corrections: its lines and their order, what it selects, and the input of each kind of value."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from companion.api import (
    CommonCorrection,
    ConsolePress,
    Correctable,
    GameClock,
    GameDefinition,
    Move,
    Offer,
    Seat,
    TableAction,
    ValueRange,
)
from companion.events import Button
from companion.referee.dialogs.correction_menu import list_editors, open_correction_menu, open_value_editor
from companion.referee.dialogs.number_inputs import CountsInput, DigitsInput, NumberInput
from companion.testing.table import NAMES, TableUnderTest
from tests.definitions import change
from tests.referee.race import KIT, Race

Tables = Callable[..., TableUnderTest]
OK, NO, PLUS, MINUS = Button.OK, Button.NO, Button.PLUS, Button.MINUS
ANY = ValueRange(1, 0, 9)
LEVEL = Correctable("level", None, (3,), ANY)
TOTALS = [Correctable("total", Seat(q), (5,), ANY) for q in (0, 1)]
ROUNDS = [Correctable(CommonCorrection.ROUND, Seat(q), (q,), ANY, (n,)) for n in (2, 1) for q in (0, 1)]
AWAY = [Correctable(CommonCorrection.AWAY, Seat(q), (0,), ValueRange(1, 0, 1)) for q in (0, 1)]


def define(*correctables: Correctable) -> GameDefinition:
    """Define a race without a clock in which these things may be corrected."""

    class Listed(Race):
        def list_correctables(self) -> Sequence[Correctable]:
            return correctables

        def list_clocks(self) -> Sequence[GameClock]:
            return ()

    def label(_game: object, what: Correctable, names: Sequence[str]) -> str:
        return " ".join([what.kind, *map(str, what.index), *([names[what.seat]] if what.seat is not None else [])])

    return change(
        KIT,
        create_game=lambda players, _first, settings: Listed(settings, (0,) * players),
        label_correctable=label,
    )


def open_menu(t: TableUnderTest) -> tuple[tuple[str, ...], int]:
    """Open the menu; return its lines, and the index of the selected one."""
    t.press(MINUS, MINUS)
    menu = t.state.menu
    assert menu is not None
    return menu.items, menu.selected


@pytest.mark.parametrize(
    ("correctables", "lines", "selected"),
    [
        ([LEVEL], ("Level",), 0),
        ([*TOTALS, LEVEL], ("Total Ada", "Total Bob", "Level"), 0),
        ([LEVEL, ROUNDS[0], AWAY[0]], ("Level", "Round 2 Ada", "Away Ada"), 0),
        ([*ROUNDS[:2], LEVEL, *AWAY], ("Level", "Earlier rounds", "Present and away players"), 0),
    ],
)
def test_the_lines_of_the_menu(
    table: Tables, correctables: Sequence[Correctable], lines: tuple[str, ...], selected: int
) -> None:
    assert open_menu(table(2, definition=define(*correctables))) == (lines, selected)


def test_where_nothing_can_be_corrected_that_is_said(table: Tables) -> None:
    t = table(2, definition=define())
    t.press(MINUS, MINUS)
    assert (t.state.menu, t.state.notice) == (None, "Nothing can be corrected yet")


def test_after_undo_the_first_line_redoes(table: Tables) -> None:
    t = table(2, definition=define(LEVEL))
    t.press(Button.SEAT1)
    t.hold(NO)
    assert open_menu(t) == (("Redo what was undone", "Level"), 0)
    t.press(OK)
    assert t.game.pressed == (1, 0)


def test_a_list_of_earlier_rounds_begins_at_its_first_line(table: Tables) -> None:
    t = table(2, definition=define(*ROUNDS))
    open_menu(t)
    t.press(OK)
    menu = t.state.menu
    assert menu is not None
    assert (menu.items, menu.selected) == (("Round 2 Ada", "Round 2 Bob", "Round 1 Ada", "Round 1 Bob"), 0)


def test_the_button_of_a_seat_opens_its_present_total(table: Tables) -> None:
    t = table(2, definition=define(*TOTALS, *ROUNDS))
    open_menu(t)
    t.press(Button.SEAT2)
    menu = t.state.menu
    assert menu is not None
    assert (menu.title, menu.value) == ("Total Bob", "5")


def test_the_large_picture_and_what_no_button_is_free_for_stand_in_the_menu(table: Tables) -> None:
    t = table(2, definition=define(LEVEL))
    turn = Offer(Move("turn"), TableAction("turn", in_menu=True), "Deck turned")
    seen = Offer(Move("throw"), TableAction("throw"), "Throw")
    plus, no = (Offer(Move("use"), button, "Use") for button in (ConsolePress.PLUS, ConsolePress.NO))

    def items(*offers: Offer, picture_visible: bool = True) -> tuple[str, ...]:
        menu = open_correction_menu(t.saved_game, offers, picture_visible=picture_visible)
        assert menu is not None
        return menu.menu.items

    assert items(turn, seen) == ("Level", "Deck turned")
    assert items(plus, no) == items(plus) == ("Large picture", "Level"), "its button is taken"
    assert items(no) == items(plus, picture_visible=False) == ("Level",)


@pytest.mark.parametrize(
    ("limits", "kind"),
    [
        (ValueRange(1, 1, 6), DigitsInput),
        (ValueRange(2, 1, 6), DigitsInput),
        (ValueRange(3, 1, 6), CountsInput),
        (ValueRange(2, 1, 5), CountsInput),
        (ValueRange(2, 0, 6), CountsInput),
        (ValueRange(1, 0, 6), NumberInput),
        (ValueRange(1, 1, 7), NumberInput),
    ],
)
def test_the_input_fits_the_kind_of_value(limits: ValueRange, kind: type[object]) -> None:
    assert isinstance(open_value_editor("Value", Correctable("value", None, (1,) * limits.count, limits), NAMES), kind)


@pytest.mark.parametrize(
    ("kind", "words", "shown"),
    [
        (CommonCorrection.ACTIVE, (), "Bob"),
        (CommonCorrection.AWAY, (), "Away"),
        (CommonCorrection.AWAY, ("in", "out"), "Out"),
        ("level", (), "1"),
    ],
)
def test_a_value_is_shown_in_the_words_of_players(kind: str, words: Sequence[str], shown: str) -> None:
    editor = open_value_editor("Value", Correctable(kind, None, (1,), ValueRange(1, 0, 1)), NAMES, words)
    assert editor.menu is not None
    assert editor.menu.value == shown


def test_a_line_begins_with_a_capital_letter_and_its_names_stay_as_they_are(table: Tables) -> None:
    t = table(2, definition=define(*TOTALS))
    labels = [label for _what, label, _editor in list_editors(t.definition, t.game, ("Ada", "bob McCoy"))]
    assert labels == ["Total Ada", "Total bob McCoy"]
