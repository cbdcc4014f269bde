"""Preferences: stored, override the settings file, damaged files set aside; the language at once."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from companion import i18n
from companion.config.settings import CafeSettings, parse_settings
from companion.events import Button, ButtonPressed, ButtonReleased
from companion.games.macroscope import GAME
from companion.lobby import Lobby, Preferences
from companion.lobby.preferences import PREFERENCES_FILE, PreferenceValues, values_from_settings
from companion.lobby.services import LobbyServices
from companion.screen_state import CameraView


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


CLOCK = Clock()


def press(stage: Lobby, *buttons: Button) -> None:
    for button in buttons:
        CLOCK.now += 0.5
        stage.receive(ButtonPressed(button, CLOCK.now))
        stage.receive(ButtonReleased(button, CLOCK.now + 0.1))
        stage.tick()


def lobby(preferences: Preferences | None, **more: Any) -> Lobby:
    return Lobby(GAME, LobbyServices(CLOCK, preferences=preferences, **more))


def lines(stage: Lobby) -> tuple[str, ...]:
    menu = stage.build_screen_state(CameraView()).menu
    assert menu is not None
    return menu.items


def choose(stage: Lobby, words_: str) -> None:
    """Move down to the line that contains `words_`, and choose it."""
    for _ in lines(stage):
        menu = stage.build_screen_state(CameraView()).menu
        assert menu is not None
        if words_ in menu.items[menu.selected]:
            press(stage, Button.OK)
            return
        press(stage, Button.MINUS)
    raise AssertionError(f"{words_} is not in {lines(stage)}")


def test_a_choice_overrides_the_settings_file(tmp_path: Path) -> None:
    settings = parse_settings(b'[words]\nlanguage = "it"\n[sound]\nvolume = 3\n', "here")
    box = Preferences(values_from_settings(settings), tmp_path)
    box.apply_language()
    assert (i18n.current_language(), box.values.volume) == ("it", 3)
    assert box.change("language", "de") is None
    again = Preferences(values_from_settings(settings), tmp_path)
    assert (again.values.language, again.values.volume, i18n.current_language()) == ("de", 3, "de")


def test_unknown_values_cannot_be_chosen() -> None:
    box = Preferences()
    with pytest.raises(ValueError, match="language"):
        box.change("language", "fr")
    assert box.values == PreferenceValues()


@pytest.mark.parametrize("torn", [b"", b"{", b'{"chosen": 3}', b'{"chosen": {}, "more": 1}', b"\xff"])
def test_a_damaged_file_is_set_aside_and_reported(tmp_path: Path, torn: bytes) -> None:
    (tmp_path / PREFERENCES_FILE).write_bytes(torn)
    box = Preferences(folder=tmp_path)
    assert box.problem is not None
    assert "preferences.damaged" in box.problem
    assert (tmp_path / "preferences.damaged").read_bytes() == torn
    assert box.change("palette", "light") is None
    assert Preferences(folder=tmp_path).values.palette == "light"


def test_invalid_choices_are_ignored(tmp_path: Path) -> None:
    (tmp_path / PREFERENCES_FILE).write_text(json.dumps({"chosen": {"volume": 99}, "set_up": True}))
    box = Preferences(folder=tmp_path)
    assert box.values == PreferenceValues()
    assert box.problem is not None
    assert box.is_set_up


def test_only_the_owner_may_read_the_file(tmp_path: Path) -> None:
    Preferences(folder=tmp_path).change("volume", 1)
    assert (tmp_path / PREFERENCES_FILE).stat().st_mode & 0o777 == 0o600


def test_on_an_unwritable_disk_choices_hold_for_the_session(tmp_path: Path) -> None:
    box = Preferences(folder=tmp_path / "gone")
    said = box.change("palette", "contrast")
    assert box.values.palette == "contrast"
    assert said is not None
    assert "tonight only" in said


def test_the_language_changes_at_once(tmp_path: Path) -> None:
    stage = lobby(Preferences(folder=tmp_path))
    press(stage, Button.SEAT1, Button.SEAT2, Button.MINUS)
    assert lines(stage)[0] == "Language · Lingua · Sprache: English"
    press(stage, Button.OK)
    choose(stage, "Deutsch")
    assert i18n.current_language() == "de"
    assert Preferences(folder=tmp_path).values.language == "de"
    menu = stage.build_screen_state(CameraView()).menu
    assert menu is not None
    assert menu.title == "Optionen"
    assert (menu.selected, menu.items[0]) == (0, "Language · Lingua · Sprache: Deutsch")
    press(stage, Button.NO)
    assert stage.seated == ("Kreis", "Dreieck")


@pytest.mark.parametrize(
    ("line", "name", "value"),
    [
        ("Colours", "palette", "light"),
        ("turned", "turned", 90),
        ("keys on the left", "mirrored", True),
        ("Animations", "motion", False),
        ("Spoken", "spoken", True),
        ("Corrections", "corrections_teach", True),
    ],
)
def test_a_press_changes_a_choice_and_stays_on_its_line(line: str, name: str, value: object) -> None:
    box = Preferences()
    stage = lobby(box)
    press(stage, Button.MINUS)
    choose(stage, "This device")
    choose(stage, line)
    assert getattr(box.values, name) == value
    menu = stage.build_screen_state(CameraView()).menu
    assert menu is not None
    assert line in menu.items[menu.selected]


def test_the_volume_goes_up_and_down() -> None:
    box = Preferences()
    stage = lobby(box)
    press(stage, Button.MINUS)
    choose(stage, "This device")
    choose(stage, "Sound")
    press(stage, Button.MINUS, Button.MINUS, Button.PLUS, Button.OK)
    assert box.values.volume == 6


def test_a_locked_lobby_offers_no_house_rules_and_of_the_preferences_the_language() -> None:
    stage = lobby(Preferences(), cafe=CafeSettings(on=True), export=lambda: "done")
    press(stage, Button.SEAT1, Button.MINUS)
    assert lines(stage)[1:] == ("Names", "Save today's results to a USB stick")
    choose(stage, "USB")
    assert stage.build_screen_state(CameraView()).notice == "done"


def test_guests_choose_their_language_and_the_stored_one_stays(tmp_path: Path) -> None:
    box = Preferences(folder=tmp_path)
    stage = lobby(box, cafe=CafeSettings(on=True))
    press(stage, Button.MINUS, Button.OK)
    choose(stage, "Italiano")
    assert i18n.current_language() == "it"
    assert Preferences(folder=tmp_path).values.language == "en"
    box.forget_choices()
    assert i18n.current_language() == "en"


def test_lines_carry_the_number_of_their_key() -> None:
    stage = lobby(Preferences(), export=lambda: "done")
    press(stage, Button.MINUS)
    menu = stage.build_screen_state(CameraView()).menu
    assert menu is not None
    assert menu.numbered == len(menu.items) == 5
    choose(stage, "This device")
    menu = stage.build_screen_state(CameraView()).menu
    assert menu is not None
    assert (menu.numbered, len(menu.items)) == (6, 11), "there are six number keys"


def test_the_picture_is_turned_by_a_quarter_each_time() -> None:
    box = Preferences()
    stage = lobby(box)
    press(stage, Button.MINUS)
    choose(stage, "This device")
    turned = []
    for _ in range(4):
        choose(stage, "turned")
        turned.append(box.values.turned)
    assert turned == [90, 180, 270, 0]


def test_each_choice_is_switched_there_and_back() -> None:
    box = Preferences()
    stage = lobby(box)
    press(stage, Button.MINUS)
    choose(stage, "This device")
    for line, name in (
        ("keys on the left", "mirrored"),
        ("Animations", "motion"),
        ("edges", "touch_seats"),
        ("Spoken", "spoken"),
        ("Corrections", "corrections_teach"),
    ):
        before = getattr(box.values, name)
        for expected in (not before, before):
            choose(stage, line)
            assert getattr(box.values, name) is expected
    palettes = []
    for _ in range(3):
        choose(stage, "Colours")
        palettes.append(box.values.palette)
    assert palettes == ["light", "contrast", "dark"]


def test_the_volume_goes_from_off_to_the_highest() -> None:
    box = Preferences()
    stage = lobby(box)
    press(stage, Button.MINUS)
    choose(stage, "This device")
    choose(stage, "Sound")
    values = []
    for button in (Button.MINUS, Button.PLUS):
        for _ in range(12):
            press(stage, button)
            menu = stage.build_screen_state(CameraView()).menu
            assert menu is not None
            values.append(menu.value)
    assert (values[0], values[11], values[12], values[-1]) == ("6 of 10", "off", "1 of 10", "10 of 10")
    press(stage, Button.OK)
    assert box.values.volume == 10
    choose(stage, "Sound")
    press(stage, Button.NO)
    menu = stage.build_screen_state(CameraView()).menu
    assert menu is not None
    assert menu.items[menu.selected] == "Sound: 10 of 10"


def test_choices_of_another_version_are_kept_and_ignored(tmp_path: Path) -> None:
    (tmp_path / PREFERENCES_FILE).write_text(json.dumps({"chosen": {"volume": 2, "smell": "roses"}}))
    box = Preferences(folder=tmp_path)
    assert (box.values.volume, box.problem, box.is_set_up) == (2, None, False)
    box.change("palette", "light")
    assert json.loads((tmp_path / PREFERENCES_FILE).read_text())["chosen"]["smell"] == "roses"


def test_a_choice_for_these_guests_is_not_stored(tmp_path: Path) -> None:
    box = Preferences(folder=tmp_path)
    assert box.change("volume", 1, keeps=False) is None
    assert (box.values.volume, (tmp_path / PREFERENCES_FILE).exists()) == (1, False)
    box.change("volume", 2)
    assert Preferences(folder=tmp_path).values.volume == 2
    box.forget_choices()
    assert box.values == PreferenceValues()
    assert Preferences(folder=tmp_path).values.volume == 2
