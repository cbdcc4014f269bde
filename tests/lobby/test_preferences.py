"""Preferences: stored, override the settings file, damaged files set aside; the language at once."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from companion import i18n
from companion.config.settings import CafeSettings
from companion.config.settings_file import parse_settings
from companion.events import Button
from companion.games.macroscope import GAME
from companion.lobby import Lobby, Preferences
from companion.lobby.preferences import PREFERENCES_FILE, PreferenceValues, values_from_settings
from companion.lobby.services import LobbyServices
from tests.lobby.presses import CLOCK, choose, menu, open_line, press, screen, selected_line


def lobby(preferences: Preferences | None, **more: Any) -> Lobby:
    return Lobby(GAME, LobbyServices(CLOCK, preferences=preferences, **more))


def test_a_choice_overrides_the_settings_file(tmp_path: Path) -> None:
    settings = parse_settings(b'[words]\nlanguage = "it"\n[sound]\nvolume = 3\n', "here").settings
    box = Preferences(values_from_settings(settings), tmp_path)
    box.apply_language()
    assert (i18n.current_language(), box.values.volume) == ("it", 3)
    assert box.change("language", "de") is None
    again = Preferences(values_from_settings(settings), tmp_path)
    assert (again.values.language, again.values.volume, i18n.current_language()) == ("de", 3, "de")


def test_unknown_values_cannot_be_chosen() -> None:
    box = Preferences()
    with pytest.raises(ValueError, match="language"):
        box.change("language", "tlh")
    assert box.values == PreferenceValues()


@pytest.mark.parametrize("torn", [b"", b"{", b"[]", b"\xff"])
def test_a_damaged_file_is_set_aside_and_reported(tmp_path: Path, torn: bytes) -> None:
    (tmp_path / PREFERENCES_FILE).write_bytes(torn)
    box = Preferences(folder=tmp_path)
    assert "damaged" in (box.store.problem or "")
    assert box.change("palette", "light") is None
    assert (tmp_path / "preferences.damaged").read_bytes() == torn
    assert Preferences(folder=tmp_path).values.palette == "light"


def test_an_invalid_choice_costs_that_choice(tmp_path: Path) -> None:
    (tmp_path / PREFERENCES_FILE).write_text(json.dumps({"chosen": {"volume": 99, "turned": 90}, "set_up": True}))
    box = Preferences(PreferenceValues(volume=3), tmp_path)
    assert (box.values.volume, box.values.turned) == (3, 90)
    assert box.problem == "Some preferences are no longer valid and are ignored: volume"
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
    assert menu(stage).items[0] == "Language: English"
    press(stage, Button.OK)
    choose(stage, "Deutsch")
    assert i18n.current_language() == "de"
    assert Preferences(folder=tmp_path).values.language == "de"
    assert menu(stage).title == "Optionen"
    assert (menu(stage).selected, menu(stage).items[0]) == (0, "Sprache · Language: Deutsch")
    press(stage, Button.NO)
    assert stage.seated == ("Kreis", "Dreieck")


def test_a_locked_lobby_offers_no_house_rules_and_of_the_preferences_the_language() -> None:
    stage = lobby(Preferences(), cafe=CafeSettings(on=True), export=lambda: "done")
    press(stage, Button.SEAT1, Button.MINUS)
    assert menu(stage).items[1:] == ("Names", "Save today's results to a USB stick")
    choose(stage, "USB")
    assert screen(stage).notice == "done"


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
    assert menu(stage).numbered == len(menu(stage).items) == 6
    choose(stage, "This device")
    assert (menu(stage).numbered, len(menu(stage).items)) == (6, 14), "there are six number keys"


@pytest.mark.parametrize(
    ("line", "name", "values"),
    [
        ("Colours", "palette", ["light", "contrast", "dark"]),
        ("turned", "turned", [90, 180, 270, 0]),
        ("keys on the left", "mirrored", [True, False]),
        ("Animations", "animations", [False, True]),
        ("edges", "touch_seats", [True, False]),
        ("Voice", "speech", ["everything", "off", "moments"]),
        ("Corrections", "corrections_teach", [True, False]),
    ],
)
def test_a_press_takes_the_next_value_and_stays_on_its_line(line: str, name: str, values: list[object]) -> None:
    box = Preferences()
    stage = lobby(box)
    open_line(stage, "This device")
    for value in values:
        choose(stage, line)
        assert getattr(box.values, name) == value
        assert line in selected_line(stage)


def test_the_volume_goes_from_off_to_the_highest() -> None:
    box = Preferences()
    stage = lobby(box)
    open_line(stage, "This device")
    choose(stage, "Sound")
    values = []
    for button in (Button.MINUS, Button.PLUS):
        for _ in range(12):
            press(stage, button)
            values.append(menu(stage).value)
    assert (values[0], values[11], values[12], values[-1]) == ("6 of 10", "Off", "1 of 10", "10 of 10")
    press(stage, Button.OK)
    assert box.values.volume == 10
    choose(stage, "Sound")
    press(stage, Button.NO)
    assert selected_line(stage) == "Sound: 10 of 10"


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
