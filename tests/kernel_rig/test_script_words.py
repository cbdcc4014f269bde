"""Without the kernel: the names and words on which the scripts of the rig rely. They run nightly, these each time."""

from __future__ import annotations

import re
import shlex
from importlib import import_module
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pygame
import pytest

from companion.app.crash_guard import CrashGuard
from companion.app.resilient_window import CHECK_SECONDS, FIRST_REOPEN_SECONDS, ResilientWindow
from companion.camera.reports import CAMERA_NAME, NO_PICTURES_MESSAGE
from companion.cli import build_parser
from companion.config.settings_file import parse_settings
from companion.events import SEAT_BUTTONS, DeviceLost, DeviceRestored, Event
from companion.games.macroscope import GAME
from companion.journal.known_players import SHAPE_NAMES
from companion.lobby import Preferences
from companion.referee import missing_devices
from companion.screen_state import CameraView
from hardware.buttons.gpio import pin_factory
from hardware.buttons.usb_box.session import SOURCE_NAME
from hardware.cameras import camera_opener, exposure
from tests.app.test_button_input_rig import PLAY, PLAYERS
from tests.conftest import REPOSITORY
from tests.kernel_rig import log_words
from tests.kernel_rig.session import RUN, SETTINGS

SCRIPTS = (
    *("tests.kernel_rig.controllers_session", "tests.kernel_rig.screen", "tests.kernel_rig.session"),
    "tests.hardware.buttons.usb_box.acm_play",
)


@pytest.mark.parametrize("name", SCRIPTS)
def test_script_can_be_imported(name: str) -> None:
    assert callable(import_module(name).main)


def test_imports_in_embedded_programs_exist() -> None:
    """A program that is passed to the rig as text is seen by neither the type checker nor the import of its test."""
    files = sorted((REPOSITORY / "tests").rglob("test_*rig.py"))
    lines = [
        line for file in files for line in re.findall(r"(?m)^from [\w.]+ import [\w, ]+$", file.read_text("utf-8"))
    ]
    assert "from hardware.cameras.camera_opener import open_camera" in lines
    for line in lines:
        exec(line, {})


@pytest.mark.parametrize("words", [*re.findall(r"-m companion ([^>\n]*)", PLAY), shlex.join(RUN)])
def test_command_line_is_accepted(words: str) -> None:
    arguments = shlex.split(words)
    build_parser(arguments[0]).parse_args(arguments)


def test_settings_are_accepted() -> None:
    settings = parse_settings(SETTINGS.format(rounds=1).encode(), "companion.toml").settings
    assert settings.table.buttons == "both"


def test_finished_set_up_is_stored_as_the_script_expects(tmp_path: Path) -> None:
    pattern, file = re.findall(r"wait_for '(.*)' \$TMPDIR/data/(\S+)", PLAY)[0]
    Preferences(folder=tmp_path).mark_set_up()
    assert re.search(pattern, (tmp_path / file).read_text(encoding="utf-8"))


def take_lines(caplog: pytest.LogCaptureFixture) -> list[str]:
    lines = [record.getMessage() for record in caplog.records]
    caplog.clear()
    return lines


def assert_begin(lines: list[str], *words: str) -> None:
    """Each line begins with these words, in this order."""
    assert [line[: len(word)] for line, word in zip(lines, words, strict=True)] == list(words)


def test_devices_and_games_are_logged_in_these_words(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO", "companion")
    outcome: list[object] = [None, None, "Ada wins"]
    game = SimpleNamespace(compute_outcome=lambda: outcome.pop(0))
    session: Any = SimpleNamespace(
        saved_game=None,
        stage=SimpleNamespace(map_lamps=dict),
        step=lambda events: None,
        build_screen_state=lambda view: None,
        map_lamps=dict,
    )
    guard = CrashGuard(session, lambda: 0.0)
    events: list[Event] = [
        *(
            DeviceLost(CAMERA_NAME, 0.0),
            DeviceLost(CAMERA_NAME, 0.0, NO_PICTURES_MESSAGE),
            DeviceRestored(CAMERA_NAME, 0.0),
        ),
        *(DeviceLost(SOURCE_NAME, 0.0), DeviceRestored(SOURCE_NAME, 0.0)),
    ]
    guard.step(events, CameraView())
    assert_begin(
        take_lines(caplog),
        *("camera: ", "camera: ", log_words.CAMERA_AVAILABLE),
        *(log_words.BOX_LOST, log_words.BOX_AVAILABLE),
    )
    assert (log_words.CAMERA_AVAILABLE, log_words.BOX_AVAILABLE) == ("camera: available", "button box: available")
    session.saved_game = SimpleNamespace(id=1, last_seq=0, game=game, definition=GAME, players=("Ada", "Ben"))
    guard.step([], CameraView())
    guard.step([], CameraView())
    guard.step([], CameraView())
    assert_begin(take_lines(caplog), log_words.GAME_BEGINS, log_words.GAME_OVER)


class Plug:
    """A screen that can be unplugged."""

    now, is_plugged, fails, closed = 0.0, True, False, False

    def poll_events(self, *, soon: bool = False) -> list[Any]:
        if self.fails:
            raise pygame.error("unplugged")
        return []


def test_screen_is_logged_in_these_words(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO", "companion")
    plug = Plug()
    surface = pygame.Surface((8, 8))

    def wait(seconds: float) -> None:
        plug.now += seconds

    def make(_onto: Any) -> Any:
        return plug

    window = ResilientWindow(surface, make, lambda: surface, lambda: plug.now, wait, lambda: plug.is_plugged)
    window.poll_events()
    plug.is_plugged = False
    wait(CHECK_SECONDS)
    window.poll_events()
    plug.fails = True
    window.poll_events()
    plug.fails = False
    wait(FIRST_REOPEN_SECONDS)
    window.poll_events()
    window.poll_events()
    assert_begin(take_lines(caplog), log_words.SCREEN_OFF, log_words.SCREEN_LOST, log_words.SCREEN_AVAILABLE)


@pytest.mark.parametrize(
    ("module", "words"),
    [
        (exposure, log_words.EXPOSURE_NOT_HELD),
        (camera_opener, log_words.CAMERA_DOES_NOT_OPEN),
        (pin_factory, log_words.NO_HEADER_CHIP),
        (missing_devices, log_words.DEVICE_GONE),
    ],
)
def test_module_says_these_words(module: ModuleType, words: str) -> None:
    assert words in Path(module.__file__ or "").read_text(encoding="utf-8")


def test_players_without_names_are_called_as_the_script_expects() -> None:
    assert ", ".join(SHAPE_NAMES[button] for button in SEAT_BUTTONS[:2]) == PLAYERS
