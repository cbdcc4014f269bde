"""The lobby's screen: who may press which button, the prompt, the lines of its menus, and what it reports."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from companion.api import Command, CommandName, GameDefinition, registry
from companion.config.settings import CafeSettings
from companion.events import SEAT_BUTTONS, Button, DeviceLost
from companion.journal.database import Journal
from companion.journal.known_players import KnownPlayers
from companion.lobby import HouseRules, Lobby, Preferences, ResultsCache
from companion.lobby.house_rules import HOUSE_RULES_FILE
from companion.lobby.services import LobbyServices
from companion.screen_state import ScreenKind
from tests.lobby.presses import CLOCK, choose, menu, open_line, press, screen, selected_line

OK, NO, PLUS, MINUS = Button.OK, Button.NO, Button.PLUS, Button.MINUS
S1, S2, S3, S4, S5, S6 = SEAT_BUTTONS
MACROSCOPE, PICTOMANIA, STARFALL = (registry.find_game(name) for name in ("macroscope", "pictomania", "starfall"))
MEMO_DICE = registry.find_game("memo_dice")
NAMES = ("Ada", "Bob", "Cleo", "Dan", "Eve", "Fay", "Gus")


def open_lobby(definition: GameDefinition = MACROSCOPE, *seated: str, **more: Any) -> Lobby:
    """Open a lobby in which these players sit already, from the first seat on."""
    seats = list(zip(SEAT_BUTTONS, seated, strict=False))
    names = {field.name for field in fields(LobbyServices)} & {*more}
    services = LobbyServices(CLOCK, **{name: more.pop(name) for name in names})
    return Lobby(
        definition,
        services,
        seated=seats,
        **more,
    )


# Offers ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seated", "more", "expected"),
    [
        ((), {}, [*["join"] * 6, "Settings"]),
        (NAMES[:1], {}, ["leave", *["join"] * 5, "Settings", "Remove last"]),
        (NAMES[:2], {}, ["leave", "leave", *["join"] * 4, "Start", "Settings", "Remove last"]),
        (NAMES[:6], {}, [*["leave"] * 6, "Start", "Settings", "Remove last"]),
        ((), {"definitions": [MACROSCOPE]}, [*["join"] * 6, "Settings"]),
        ((), {"definitions": [MACROSCOPE, STARFALL]}, [*["join"] * 6, "games", "Settings"]),
        (NAMES[:1], {"names": NAMES[:2]}, ["leave", *["join"] * 5, "Settings", "Remove last"]),
        (NAMES[:2], {"names": NAMES[:2]}, ["leave", "leave", "Start", "Settings", "Remove last"]),
        (NAMES[:2], {"names": NAMES[:3]}, ["leave", "leave", *["join"] * 4, "Settings", "Remove last"]),
    ],
)
def test_what_may_be_pressed(seated: Sequence[str], more: dict[str, Any], expected: list[str]) -> None:
    words = {"Sit here": "join", "Stand up": "leave", "Other game": "games"}
    offers = open_lobby(MACROSCOPE, *seated, **more).list_offers()
    assert [words.get(offer.label, offer.label) for offer in offers] == expected
    assert {o.label for o in offers if o.awaited} == {o.label for o in offers} & {"Sit here", "Start"}


def test_nobody_took_a_seat_or_opened_a_menu() -> None:
    stage = open_lobby()
    assert stage.is_untouched
    press(stage, PLUS)  # there is no other game
    assert stage.is_untouched
    press(stage, MINUS)
    assert not stage.is_untouched, "a menu is open"
    press(stage, NO)
    assert stage.is_untouched
    press(stage, S1)
    assert not stage.is_untouched
    press(stage, MINUS)
    assert not stage.is_untouched


# Prompt ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("definition", "names", "seated", "prompt"),
    [
        (MACROSCOPE, 0, 0, "Press your buttons, one after the other, clockwise"),
        (MACROSCOPE, 0, 5, "Press your buttons, one after the other, clockwise"),
        (MACROSCOPE, 0, 6, "The table is full: start with OK"),
        (STARFALL, 0, 4, "The table is full: start with OK"),
        (STARFALL, 0, 5, "StarFall is for 2 to 4 players: who sits this one out?"),
        (MACROSCOPE, 2, 0, "Ada: press your button"),
        (MACROSCOPE, 2, 1, "Bob: press your button"),
        (MACROSCOPE, 2, 2, "Everybody is seated: start with OK"),
        (MACROSCOPE, 6, 6, "Everybody is seated: start with OK"),
        (MACROSCOPE, 1, 1, "Macroscope is for 2 to 6 players: choose another game"),
        (PICTOMANIA, 2, 1, "Bob: press your button"),
        (PICTOMANIA, 2, 2, "Pictomania is for 3 to 6 players: choose another game"),
        (PICTOMANIA, 3, 3, "Everybody is seated: start with OK"),
        (STARFALL, 5, 3, "Dan: press your button"),
        (STARFALL, 5, 4, "The table is full: start with OK"),
        (STARFALL, 5, 5, "StarFall is for 2 to 4 players: who sits this one out?"),
    ],
)
def test_prompt(definition: GameDefinition, names: int, seated: int, prompt: str) -> None:
    stage = open_lobby(definition, *NAMES[:seated], names=NAMES[:names])
    assert stage.prompt == screen(stage).prompt == prompt


def test_the_range_of_players_and_the_changed_rules_stand_below() -> None:
    assert screen(open_lobby()).details == ("2 to 6 players",)
    rules = HouseRules()
    rules.change(MACROSCOPE, "rounds", 3)
    assert screen(open_lobby(house_rules=rules)).details == ("2 to 6 players", "Rounds: 3")


@pytest.mark.parametrize(
    ("names", "seated", "tokens"),
    [(0, 0, "2 · 1"), (0, 2, "2 · 1"), (0, 4, "2 · 1 · 1"), (5, 0, "3 · 2 · 1 · 1"), (5, 3, "2 · 1")],
)
def test_house_rules_are_those_of_the_players_seated_or_named(names: int, seated: int, tokens: str) -> None:
    """P1: as many tokens as players, less one; for a number that can play."""
    stage = open_lobby(PICTOMANIA, *NAMES[:seated], names=NAMES[:names])
    open_line(stage, "House rules")
    assert f"Bonus tokens: {tokens}" in menu(stage).items
    assert menu(stage).selected == 0
    choose(stage, "Bonus tokens")
    assert menu(stage).title == f"Bonus tokens, {max(3, seated or names)} players"
    press(stage, NO)
    assert selected_line(stage) == f"Bonus tokens: {tokens}"
    press(stage, NO)
    assert screen(stage).menu is None


def test_with_more_names_than_can_play_the_rules_are_for_the_most() -> None:
    stage = open_lobby(STARFALL, names=NAMES[:6])
    open_line(stage, "House rules")
    assert "Tiles removed unseen: 0" in menu(stage).items, "F2: for four players"


def test_no_at_the_check_of_a_guess_leads_to_the_lobby() -> None:
    stage = open_lobby(PICTOMANIA, *NAMES[:3])
    press(stage, OK)
    assert menu(stage).title == "How many stars are on the black bonus tokens for 3 players?"
    press(stage, NO)
    assert screen(stage).menu is None
    assert stage.exit is None


# Menus -----------------------------------------------------------------------------------------------------------


def test_the_settings_list_what_there_is() -> None:
    stage = open_lobby()
    press(stage, MINUS)
    assert menu(stage).items == ("House rules of Macroscope", "Names")
    stage = open_lobby(
        MACROSCOPE,
        has_last_result=True,
        set_aside=[(7, "Macroscope: Ada, Bob"), (9, "StarFall: Cleo")],
        preferences=Preferences(),
        export=lambda: "written",
        switch_off=lambda: True,
    )
    press(stage, MINUS)
    assert menu(stage).items == (
        "Language: English",
        "House rules of Macroscope",
        "Names",
        "This device: colours, sound",
        "Macroscope is a favourite: no",
        "Save today's results to a USB stick",
        "Last result",
        "Macroscope: Ada, Bob",
        "StarFall: Cleo",
        "Switch off",
    )
    choose(stage, "StarFall: Cleo")
    assert stage.exit == Command(CommandName.RESUME, (9,))


def test_the_lines_keep_their_numbers_whatever_was_played() -> None:
    fresh = open_lobby(preferences=Preferences())
    played = open_lobby(preferences=Preferences(), has_last_result=True, set_aside=[(7, "Macroscope: Ada, Bob")])
    press(fresh, MINUS)
    press(played, S1, MINUS)
    assert menu(played).items[: len(menu(fresh).items)] == menu(fresh).items


def test_without_players_nobody_is_named() -> None:
    stage = open_lobby(cafe=CafeSettings(on=True))
    open_line(stage, "Names")
    assert screen(stage).menu is screen(stage).question is None
    assert screen(stage).notice == "Take your seats first: press your buttons"


@pytest.mark.parametrize(
    ("possible", "notice"),
    [
        (True, "Switching off: when the screen is dark, the plug may be pulled"),
        (False, "The device cannot switch itself off: pull the plug, nothing will be lost"),
    ],
)
def test_the_device_is_switched_off_after_a_question(possible: bool, notice: str) -> None:
    asked = []

    def switch_off() -> bool:
        asked.append(True)
        return possible

    stage = open_lobby(switch_off=switch_off)
    open_line(stage, "Switch off")
    assert (menu(stage).title, menu(stage).items) == ("Switch the device off?", ("Yes, switch off", "No"))
    press(stage, S2)
    assert (asked, screen(stage).menu, screen(stage).notice) == ([], None, None)
    open_line(stage, "Switch off")
    press(stage, S1)
    assert (len(asked), screen(stage).notice) == (1, notice)
    press(stage, S3)
    assert screen(stage).notice is None, "until the next press"


def test_games_are_listed_with_their_players_and_the_present_one_is_selected() -> None:
    stage = open_lobby(PICTOMANIA, definitions=[MACROSCOPE, PICTOMANIA, STARFALL, MEMO_DICE])
    press(stage, PLUS)
    assert (menu(stage).items, menu(stage).selected) == (("Macroscope", "Pictomania", "StarFall", "Memo Dice"), 1)
    assert menu(stage).details[1:3] == (("3–6 players", "35 min"), ("2–4 players", "45 min"))
    assert [(cover.game, cover.caption) for cover in menu(stage).covers] == [
        ("macroscope", "reads dice"),
        ("pictomania", ""),
        ("starfall", ""),
        ("memo_dice", "reads dice"),
    ]


def test_the_twelve_latest_names_are_offered() -> None:
    known = KnownPlayers(tuple(f"Player {n}" for n in range(1, 20)))
    stage = open_lobby(MACROSCOPE, "Player 2", "Bob", known_players=known, names=("Player 2", "Bob", "Player 5"))
    open_line(stage, "Names")
    question = screen(stage).question
    assert question.title == "Whose name?"
    assert {o.label: o.awaited for o in stage.list_offers()} == {"My name": True, "Back": False}
    press(stage, S2)
    offered = ["Player 5", *(f"Player {n}" for n in (1, 3, 4, 6, 7, 8, 9, 10, 11, 12))]
    assert list(menu(stage).items) == [*offered, "Another name", "Triangle"]
    choose(stage, "Player 12")
    assert stage.seated == ("Player 2", "Player 12")


def test_a_player_may_keep_or_drop_their_name() -> None:
    stage = open_lobby(MACROSCOPE, "Ada", "Bob", known_players=KnownPlayers(("Ada", "Bob")))
    for words, names in (("Circle", ("Circle", "Bob")), ("Ada", ("Ada", "Bob"))):
        open_line(stage, "Names")
        press(stage, S1)
        choose(stage, words)
        assert (stage.seated, screen(stage).notice) == (names, None)


def test_a_shape_that_another_player_took_as_name_is_not_given_twice() -> None:
    stage = open_lobby(MACROSCOPE, "Ada", "Circle")
    open_line(stage, "Names")
    press(stage, S1)
    choose(stage, "Circle")
    assert stage.seated == ("Ada", "Circle")
    assert screen(stage).notice == "Circle sits here already: choose another name"


def test_names_that_players_gave_stay_when_the_language_changes() -> None:
    stage = open_lobby(MACROSCOPE, "Ada", "Triangle", preferences=Preferences())
    press(stage, MINUS, OK)
    choose(stage, "Deutsch")
    assert stage.seated == ("Ada", "Dreieck")


# Reports ---------------------------------------------------------------------------------------------------------


def test_the_last_press_is_reported_before_house_rules_and_these_before_devices(tmp_path: Path) -> None:
    lost = DeviceLost("camera", 0.0)
    stage = open_lobby()
    assert screen(stage).notice is None
    stage.receive(lost)
    assert (screen(stage).notice or "").startswith("The camera is gone")

    (tmp_path / HOUSE_RULES_FILE).write_text('{"rules": {"macroscope": {"rounds": 900}}}', encoding="utf-8")
    stage = open_lobby(house_rules=HouseRules(folder=tmp_path))
    stage.receive(lost)
    screen(stage)
    assert (screen(stage).notice or "").startswith("Some house rules of Macroscope are no longer valid")
    stage.notice = "said first"
    assert screen(stage).notice == "said first"


def test_the_history_has_the_screen_to_itself(journal: Journal) -> None:
    stage = open_lobby(MACROSCOPE, "Ada", results=ResultsCache(journal))
    lobby = screen(stage)
    assert (lobby.kind, lobby.title, lobby.uses_camera) == (ScreenKind.LOBBY, "Macroscope", True)
    assert [player.name for player in lobby.players] == ["Ada"]
    open_line(stage, "Past games")
    history = screen(stage)
    assert (history.kind, history.title, history.uses_camera) == (ScreenKind.HISTORY, "History", False)
    assert (history.prompt, history.players, history.menu) == ("No finished games yet", (), None)
