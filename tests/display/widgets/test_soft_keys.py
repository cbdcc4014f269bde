"""Soft keys: colours, numbers and keyboard hints."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.display import Screen
from companion.display.toolkit.preferences import DisplayPreferences
from companion.display.toolkit.theme import BUTTON_COLOURS, PALETTES
from companion.display.widgets.soft_keys import list_key_caps
from companion.events import Button
from companion.gallery import SAMPLE_BUILDERS
from companion.screen_state import ScreenKind, ScreenState, SoftKey

STATES = {name: build_samples() for name, build_samples in SAMPLE_BUILDERS.items()}
CHOOSING = [("starfall", "board"), ("starfall", "naming"), ("macroscope", "open_nodice"), ("secret_number", "bonus")]
CALLING = [("macroscope", "reveal_six"), ("starfall", "choose"), ("lobby", "macroscope_empty")]
REAL_TABLE = DisplayPreferences(keyboard_hints=False)


def share_of(shown: ScreenState, button: Button) -> float:
    """Return the share of the key's pixels in its seat's colour."""
    screen = Screen((800, 480), REAL_TABLE)
    picture = screen.render(shown)
    touches = [rect for part in screen._canvas.regions.values() for rect, b in part.touch_areas if b is button]
    slot = max(touches, key=lambda rect: rect.top)  # the lobby's seats, above, can be touched as well
    colour = PALETTES[REAL_TABLE.palette][BUTTON_COLOURS[button]]
    pixels = [picture.get_at((x, y))[:3] for x in range(slot.left, slot.right) for y in range(slot.top, slot.bottom)]
    return pixels.count(colour) / len(pixels)


def awaited(shown: ScreenState) -> list[Button]:
    return [key.button for key in shown.soft_keys if key.awaited and key.button.seat_number]


@pytest.mark.parametrize(("game", "state"), CHOOSING)
def test_choices_do_not_call_other_players(game: str, state: str) -> None:
    shown = STATES[game][state]
    assert awaited(shown)
    for button in awaited(shown):
        assert share_of(shown, button) < 0.25


@pytest.mark.parametrize(("game", "state"), CALLING)
def test_awaited_key_has_full_colour(game: str, state: str) -> None:
    shown = STATES[game][state]
    assert awaited(shown)
    for button in awaited(shown):
        assert share_of(shown, button) > 0.4


def test_a_choice_has_its_number_also_where_there_is_no_keyboard() -> None:
    shown = STATES["starfall"]["naming"]
    hints = {cap.button: cap.hint for cap in list_key_caps(shown, keyboard=False)}
    assert [hints[b] for b in awaited(shown)] == [str(b.seat_number) for b in awaited(shown)]
    assert hints[Button.OK] == ""
    assert {cap.button: cap.hint for cap in list_key_caps(shown, keyboard=True)}[Button.OK] == "Enter"


def test_before_the_game_a_number_is_somebodys_own_button() -> None:
    shown = STATES["starfall"]["naming"]
    assert any(cap.is_choice for cap in list_key_caps(shown, keyboard=True))
    assert not any(cap.is_choice for cap in list_key_caps(replace(shown, kind=ScreenKind.LOBBY), keyboard=True))


def test_while_a_name_is_typed_other_keys_of_the_keyboard_erase_and_go_back() -> None:
    keys = (SoftKey(Button.OK, "This name"), SoftKey(Button.NO, "Back"), SoftKey(Button.MINUS, "Erase"))
    shown = ScreenState(ScreenKind.LOBBY, soft_keys=keys)
    hints = [
        {cap.button: cap.hint for cap in list_key_caps(replace(shown, asks_for_text=asks), keyboard=True) if cap.hint}
        for asks in (False, True)
    ]
    assert hints == [
        {Button.OK: "Enter", Button.NO: "Bksp"},
        {Button.OK: "Enter", Button.NO: "Del", Button.MINUS: "Bksp"},
    ]
