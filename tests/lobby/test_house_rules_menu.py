"""Each kind of setting has its input, with the bounds and steps that its model names, or the usual ones."""

from __future__ import annotations

from typing import Any, Literal

import pytest
from pydantic import BaseModel, Field

from companion.api import Command, CommandName, ConsolePress, NumberPress
from companion.lobby.house_rules_menu import (
    RuleEditor,
    format_setting,
    format_value,
    list_changed_settings,
    list_lobby_settings,
)
from companion.referee.dialogs.base import Dialog, Step
from companion.referee.dialogs.number_inputs import NumberInput, RowInput
from tests.definitions import change
from tests.journal.toy import GAME

BACK, AGAIN = Command(CommandName.BACK), Command(CommandName.MORE)
"""Stand for the dialogs to which an editor leads: back to the menu, and the same editor again."""
PLAYERS = 3


class Tile(BaseModel):
    stars: int = Field(0, title="Stars")
    black_holes: int = 0


class Rules(BaseModel):
    rounds: int = Field(10, title="Rounds")
    points: int = Field(5, ge=-3, le=8, title="Points", json_schema_extra={"step": 4})
    turn_seconds: float = Field(0.0, title="Time for a turn")
    show_seconds: float = Field(2.0, ge=1, le=20, title="Time to show", json_schema_extra={"step": 5})
    noisy: bool = Field(False, title="Noisy")
    pair: Literal["last_guesser", "active"] = Field("active", title="Payee")
    colour: Literal["red", "dark_blue", "green"] = Field("dark_blue", title="Colour")
    tiles: dict[int, tuple[int, ...]] = Field({2: (1,), 3: (7,), 4: (4, 5)}, title="Tiles removed")
    limited: tuple[int, ...] = Field((6,), title="Limited", json_schema_extra={"low": 2, "high": 12})
    row: tuple[int, ...] = Field((1, 2, 3), title="Row")
    bonus: tuple[int, ...] = Field((1, -1), title="Bonus", json_schema_extra={"low": -5, "high": 15})
    catalogue: tuple[Tile, ...] = Field((), max_length=3, title="Catalogue")
    endless: tuple[Tile, ...] = Field((), title="Endless")
    hidden: int = 1


DEFINITION = change(GAME, settings_model=Rules)


class Editor:
    """The editor of one setting, and what it sets."""

    def __init__(self, name: str, players: int = PLAYERS, **changed: object) -> None:
        self.set: list[Any] = []
        self.step = RuleEditor(
            DEFINITION, Rules(**changed), name, players, self._note, lambda: AGAIN, BACK
        ).open()  # fmt: skip

    def _note(self, value: object) -> Step:
        self.set.append(value)
        return None

    @property
    def dialog(self) -> Dialog:
        return self.step

    @property
    def menu(self) -> Any:
        return self.dialog.menu

    def press(self, *inputs: ConsolePress | int) -> Step:
        """Press console buttons, or number keys by their number; return where the last one leads."""
        for pressed in inputs:
            wanted = pressed if isinstance(pressed, ConsolePress) else NumberPress(pressed)
            (offer,) = (offer for offer in self.dialog.list_offers() if offer.input == wanted)
            self.step = self.dialog.handle(offer.action)
        return self.step


OK, NO, PLUS, MINUS = ConsolePress.OK, ConsolePress.NO, ConsolePress.PLUS, ConsolePress.MINUS


@pytest.mark.parametrize(
    ("name", "low", "high", "step"),
    [
        ("rounds", 0, 999, 1),
        ("points", -3, 8, 4),
        ("turn_seconds", 0.0, 999.0, 15.0),
        ("show_seconds", 1.0, 20.0, 5.0),
        ("limited", 2, 12, 1),
        ("tiles", 0, 999, 1),
    ],
)
def test_a_number_has_the_bounds_and_the_step_of_its_model(name: str, low: float, high: float, step: float) -> None:
    dialog = Editor(name).dialog
    assert isinstance(dialog, NumberInput)
    assert (dialog.low, dialog.high, dialog.step) == (low, high, step)
    assert [type(number) for number in (dialog.low, dialog.high, dialog.step)] == [type(dialog.value)] * 3


def test_a_number_is_set_with_ok() -> None:
    editor = Editor("points")
    assert (editor.menu.title, editor.menu.value) == ("Points", "5")
    editor.press(MINUS, MINUS, OK)
    assert editor.set == [-3]
    assert Editor("points").press(NO) == BACK


def test_a_time_is_shown_in_seconds_and_0_is_off() -> None:
    editor = Editor("turn_seconds")
    assert editor.menu.value == "Off"
    editor.press(PLUS)
    assert editor.menu.value == "15 s"
    editor.press(OK)
    assert editor.set == [15.0]


def test_a_single_number_of_a_row_is_set_as_a_row() -> None:
    editor = Editor("limited")
    assert editor.menu.title == "Limited"
    editor.press(PLUS, OK)
    assert editor.set == [(7,)]


def test_a_table_is_edited_for_the_number_of_players() -> None:
    editor = Editor("tiles")
    assert (editor.menu.title, editor.menu.value) == ("Tiles removed, 3 players", "7")
    editor.press(MINUS, OK)
    assert editor.set == [{2: (1,), 3: (6,), 4: (4, 5)}]
    assert isinstance(Editor("tiles", 4).dialog, RowInput)


@pytest.mark.parametrize(("name", "low", "high"), [("row", 0, 9), ("bonus", -5, 15)])
def test_a_row_has_the_bounds_of_its_model(name: str, low: int, high: int) -> None:
    dialog = Editor(name).dialog
    assert isinstance(dialog, RowInput)
    assert (dialog.low, dialog.high) == (low, high)


def test_a_row_is_entered_number_by_number() -> None:
    editor = Editor("row")
    assert (editor.menu.title, editor.menu.items) == ("Row", ("1.", "2.  2", "3.  3"))
    editor.press(5, OK, 6, OK, OK)
    assert editor.set == [(5, 6, 3)]
    assert Editor("row").press(NO) == BACK


def test_a_setting_of_two_values_is_changed_at_once() -> None:
    for name, values in (("noisy", (False, True)), ("pair", ("last_guesser", "active"))):
        for old, new in (values, values[::-1]):
            editor = Editor(name, **{name: old})
            assert (editor.step, editor.set) == (None, [new])


def test_one_of_several_values_is_chosen_from_a_menu() -> None:
    editor = Editor("colour")
    assert (editor.menu.items, editor.menu.selected) == (("Red", "Dark blue", "Green"), 1)
    editor.press(3)
    assert editor.set == ["green"]
    assert Editor("colour").press(NO) == BACK


STARS = [Tile(stars=n) for n in (1, 2, 3)]


def test_a_catalogue_lists_its_entries_and_where_to_add_one() -> None:
    for count, selected, lines in (
        (0, 0, ["Add number 1"]),
        (1, 1, ["1: 1 Stars", "Add number 2", "Remove number 1"]),
        (2, 2, ["1: 1 Stars", "2: 2 Stars", "Add number 3", "Remove number 2"]),
        (3, 2, ["1: 1 Stars", "2: 2 Stars", "3: 3 Stars", "Remove number 3"]),
    ):
        editor = Editor("catalogue", catalogue=tuple(STARS[:count]))
        assert list(editor.menu.items) == lines
        assert editor.dialog.selected == selected
        assert editor.press(NO) == BACK


def test_an_entry_is_described_by_what_is_on_it() -> None:
    entries = (Tile(), Tile(stars=2, black_holes=1))
    assert list(Editor("catalogue", catalogue=entries).menu.items)[:2] == ["1: nothing", "2: 2 Stars, 1 black holes"]


def test_entries_are_added_changed_and_removed() -> None:
    editor = Editor("catalogue", catalogue=tuple(STARS[:2]))
    editor.press(3)
    assert (editor.menu.title, editor.menu.items) == ("Number 3", ("Stars", "black holes  0"))
    assert editor.press(4, OK, 5, OK) == AGAIN
    assert editor.set == [(*STARS[:2], Tile(stars=4, black_holes=5))]

    editor = Editor("catalogue", catalogue=tuple(STARS))
    editor.press(2)
    assert (editor.dialog.title, editor.dialog.values) == ("Number 2", (2, 0))
    assert (editor.dialog.low, editor.dialog.high) == (0, 9)
    assert editor.press(6, OK, OK) == AGAIN
    assert editor.set == [(STARS[0], Tile(stars=6), STARS[2])]

    editor = Editor("catalogue", catalogue=tuple(STARS))
    editor.press(4)
    assert editor.set == [tuple(STARS[:2])]

    editor = Editor("catalogue", catalogue=tuple(STARS))
    editor.press(1)
    assert editor.press(NO) == AGAIN


def test_a_catalogue_without_a_bound_ends_somewhere() -> None:
    many = tuple(Tile() for _ in range(999))
    assert Editor("endless", endless=many[1:]).menu.items[-2:] == ("Add number 999", "Remove number 998")
    assert Editor("endless", endless=many).menu.items[-1] == "Remove number 999"
    assert not any("Add" in line for line in Editor("endless", endless=many).menu.items)


@pytest.mark.parametrize(
    ("name", "value", "text"),
    [
        ("rounds", 10, "10"),
        ("rounds", 0, "0"),
        ("rate", 2.5, "2.5"),
        ("noisy", True, "yes"),
        ("noisy", False, "no"),
        ("turn_seconds", 0, "off"),
        ("turn_seconds", 90, "90 s"),
        ("row", (2, 1, 1), "2 · 1 · 1"),
        ("row", (5,), "5"),
        ("row", (), "none"),
        ("catalogue", (Tile(),), "1"),
        ("catalogue", (Tile(), Tile()), "2"),
        ("tiles", {3: (7, 8)}, "7 · 8"),
        ("tiles", {2: (7,)}, "none"),
        ("payee", "last_guesser", "last guesser"),
    ],
)
def test_values_are_formatted_for_the_screen(name: str, value: object, text: str) -> None:
    assert format_value(name, value, PLAYERS) == text


def test_lines_of_the_menu_and_of_what_was_changed() -> None:
    assert list_lobby_settings(Rules)[:3] == ["rounds", "points", "turn_seconds"]
    assert "hidden" not in list_lobby_settings(Rules)
    assert format_setting(DEFINITION, Rules(), "tiles", 4) == "Tiles removed: 4 · 5"
    assert list_changed_settings(DEFINITION, Rules(), PLAYERS) == ()
    changed = Rules(noisy=True, rounds=3, hidden=9)
    assert list_changed_settings(DEFINITION, changed, PLAYERS) == ("Rounds: 3", "Noisy: yes")
