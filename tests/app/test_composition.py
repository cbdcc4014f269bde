"""The session at the start of the program, on a journal that was damaged, and the tables before its camera."""

from __future__ import annotations

import random
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from companion.api import GameDefinition
from companion.app import composition
from companion.app.composition import (
    RunOptions,
    find_last_played,
    make_camera_reader,
    make_display_preferences,
    make_session,
    make_window,
)
from companion.app.session import Session
from companion.app.table_panel.panel import FrameRelay, SimulatorPanel
from companion.app.window import NoScreen
from companion.camera.camera_use import DEFAULT_CAMERA_USE
from companion.config.settings import DisplaySettings, Settings
from companion.display.toolkit.preferences import DisplayPreferences
from companion.events import Button, ButtonPressed
from companion.games.macroscope import GAME
from companion.games.starfall import GAME as STARFALL
from companion.journal.database import JOURNAL_FILE, Journal
from companion.journal.die_pictures import DiePictures
from companion.journal.entry import GameSetup
from companion.journal.saved_game import SavedGame
from companion.lobby import Lobby, Preferences, SetupWizard
from companion.lobby.preferences import PreferenceValues
from companion.lobby_views import WizardPage
from companion.system.appliance import Appliance
from hardware.cameras import camera_opener, mains
from tests.journal.toy import SETUP

JPEG = b"\xff\xd8\xff picture"


def start(folder: Path, journal: Journal, definition: GameDefinition | None = None) -> Session:
    options = RunOptions(definition, (), "keyboard", "", None, folder)
    values = Preferences(folder=folder)
    return make_session(options, Settings(), journal, values, random.Random(1), Appliance.from_environment({}))


def test_the_lobby_opens_with_the_game_asked_for_or_the_last_one_played(tmp_path: Path) -> None:
    with Journal(tmp_path / JOURNAL_FILE) as journal:
        assert start(tmp_path, journal).stage.definition is GAME, "Macroscope on a new device"
        setup = GameSetup(game="starfall", players=("Ada", "Ben"), buttons=(Button.SEAT1, Button.SEAT2))
        SavedGame.begin(journal, setup, STARFALL).set_aside()
        assert start(tmp_path, journal).stage.definition is STARFALL
        assert start(tmp_path, journal, GAME).stage.definition is GAME


def test_pictures_of_a_game_that_was_not_recovered_are_kept(tmp_path: Path) -> None:
    """The game may still be rescued by hand from the damaged file that was set aside."""
    with Journal(tmp_path / JOURNAL_FILE) as journal:
        uid = journal.get_game(journal.begin_game(SETUP)).uid
    DiePictures(tmp_path / JOURNAL_FILE, uid).save("1-1", JPEG)
    (tmp_path / JOURNAL_FILE).write_bytes(bytes(8192))
    for is_damaged in (True, False, False):
        with Journal(tmp_path / JOURNAL_FILE) as journal:
            assert ("damaged" in (start(tmp_path, journal).notice or "")) == is_damaged
        assert DiePictures(tmp_path / JOURNAL_FILE, uid).load("1-1") == JPEG


def test_damage_and_lost_entries_are_said_on_the_screen(tmp_path: Path) -> None:
    path = tmp_path / JOURNAL_FILE
    mirror = Path(f"{path}.mirror")
    with Journal(path) as journal:
        setup = GameSetup(game=GAME.name, players=SETUP.players, buttons=SETUP.buttons)
        game = SavedGame.begin(journal, setup, GAME)
        before = path.read_bytes(), Path(f"{path}-wal").read_bytes()
        game.note_resumed()
        game.note_resumed()
    kept = mirror.read_bytes()
    for lost, words in ((0, "The saved games were damaged"), (1, "The disk has lost a step of a game")):
        path.write_bytes(before[0])
        Path(f"{path}-wal").write_bytes(before[1])
        lines = kept.splitlines(keepends=True)
        mirror.write_bytes(b"".join([lines[0], *lines[1 + lost :]]))
        with Journal(path) as journal:
            assert (start(tmp_path, journal).notice or "").startswith(words)
            assert len(journal.read_entries(1)) == 2


def test_simulated_tables_are_checked_like_real_ones_but_not_stored(tmp_path: Path) -> None:
    """A lid that was never seen covered, as after resuming a game, needs words at the virtual table too."""
    options = RunOptions(GAME, (), "virtual", "", None, tmp_path)
    panel = SimpleNamespace(relay=FrameRelay())
    table = make_camera_reader(options, panel, {})._make_table(DEFAULT_CAMERA_USE)
    assert table.view_checker is not None
    assert table.layout_cache is None
    assert table.open_camera() is panel.relay


def test_the_game_of_the_newest_record_was_played_last(tmp_path: Path) -> None:
    with Journal(tmp_path / JOURNAL_FILE) as journal:
        for name in ("starfall", "pictomania"):
            journal.begin_game(SETUP.model_copy(update={"game": name}))
        assert find_last_played(journal).name == "pictomania"
        journal.begin_game(SETUP.model_copy(update={"game": "not installed"}))
        assert find_last_played(journal) is GAME


def start_at(folder: Path, journal: Journal, table: str) -> Session:
    options = RunOptions(GAME, ("Ada", "Ben"), table, "", 5, folder)
    appliance = Appliance.from_environment({})
    return make_session(options, Settings(), journal, Preferences(), random.Random(1), appliance)


@pytest.mark.parametrize(("table", "seed"), [("virtual", 5), ("keyboard", None)])
def test_the_seed_of_a_simulated_table_stands_in_the_journal(tmp_path: Path, table: str, seed: int | None) -> None:
    with Journal(tmp_path / JOURNAL_FILE) as journal:
        session = start_at(tmp_path, journal, table)
        for at, button in enumerate((Button.SEAT1, Button.SEAT2, Button.OK, Button.OK)):
            session.step([ButtonPressed(button, float(at))])
        assert session.saved_game.setup.seed == seed


@pytest.mark.parametrize("table", ["virtual", "real", "keyboard"])
def test_a_new_device_at_a_real_table_is_set_up_with_its_camera(tmp_path: Path, table: str) -> None:
    with Journal(tmp_path / JOURNAL_FILE) as journal:
        stage = start_at(tmp_path, journal, table).stage
    if table == "real":
        assert isinstance(stage, SetupWizard)
        assert WizardPage.CAMERA in stage.pages
    else:
        assert isinstance(stage, Lobby)


@pytest.mark.parametrize(("table", "shows_keys"), [("virtual", True), ("keyboard", True), ("real", False)])
def test_keys_of_the_keyboard_are_shown_where_there_are_no_buttons(table: str, shows_keys: bool) -> None:
    assert make_display_preferences(PreferenceValues(), table).keyboard_hints is shows_keys


@pytest.mark.parametrize(("table", "is_far"), [("virtual", False), ("keyboard", True), ("real", True)])
def test_who_sits_at_the_virtual_table_is_near(table: str, is_far: bool) -> None:
    assert make_display_preferences(PreferenceValues(screen_inches=7, distance_m=3), table).is_far is is_far
    assert not make_display_preferences(PreferenceValues(screen_inches=10, distance_m=2), table).is_far


@pytest.mark.parametrize("has_panel", [True, False])
def test_a_screen_that_returns_has_room_for_the_simulated_table_again(
    has_panel: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted: list[bool] = []

    def no_screen(_display: DisplaySettings, *, with_table: bool) -> None:
        wanted.append(with_table)
        raise NoScreen("no screen here")

    monkeypatch.setattr(composition, "open_surface", no_screen)
    panel = cast("SimulatorPanel", object()) if has_panel else None
    make_window(None, DisplaySettings(), DisplayPreferences, panel, {}, lambda: (7, False)).poll_events()
    assert wanted == [has_panel]


def test_the_layout_of_a_real_table_is_stored(tmp_path: Path) -> None:
    options = RunOptions(GAME, (), "real", "", None, tmp_path)
    table = make_camera_reader(options, None, {})._make_table(DEFAULT_CAMERA_USE)
    table.layout_cache.save({"layout": 1})
    assert (tmp_path / DEFAULT_CAMERA_USE.layout_file).exists()


@pytest.mark.parametrize(
    ("setting", "country", "language", "mains_hz"),
    [(60, 50, "de", 60), (0, 60, "de", 60), (0, 0, "it", 50), (0, 0, "en", 0), (0, 0, "es", 0)],
)
def test_the_camera_is_told_the_mains_of_settings_country_or_language(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, setting: int, country: int, language: str, mains_hz: int
) -> None:
    told: list[int] = []
    monkeypatch.setattr(mains, "find_mains_hz", lambda: country)
    monkeypatch.setattr(camera_opener, "CameraOpener", lambda _spec, mains_hz: told.append(mains_hz))
    monkeypatch.setattr(composition, "current_language", lambda: language)
    make_camera_reader(RunOptions(GAME, (), "real", "", None, tmp_path, mains_hz=setting), None, {})
    assert told == [mains_hz]
