"""The main loop: what each kind of table needs, when the camera rests, and how it waits and ends."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pygame
import pytest

from companion.app import main_loop
from companion.app.button_input import ButtonInput
from companion.app.composition import RunOptions
from companion.app.demo import DemoSchedule
from companion.app.main_loop import run_at_screen, take_presses_of_ending, wait_for_screen
from companion.app.window import NoScreen
from companion.config.settings import DisplaySettings, Settings, SoundSettings
from companion.config.taught_buttons import TaughtButtons
from companion.events import Button, ButtonPressed, ButtonReleased, Event, LampState
from companion.games.macroscope import GAME
from companion.screen_state import CameraView, ScreenKind, ScreenState
from companion.system.systemd_notify import SystemdNotifier
from hardware.power import PowerMonitor
from tests.hardware.buttons.test_source import FakeSource


@pytest.fixture(autouse=True)
def sigterm_again() -> Iterator[None]:
    handler = signal.getsignal(signal.SIGTERM)
    yield
    signal.signal(signal.SIGTERM, handler)


class FakeWindow:
    """A window that is closed after some turns of the loop, or by SIGTERM in its first one."""

    def __init__(self, turns: int = 1, *, gets_sigterm: bool = False) -> None:
        self.closed = False
        self.turns, self.gets_sigterm = turns, gets_sigterm
        self.polled = 0
        self.hides_keys, self.is_seen = False, True
        self.shown: list[ScreenState] = []

    def poll_events(self, *, soon: bool = False) -> Sequence[Event]:
        self.polled += 1
        if self.gets_sigterm:
            signal.raise_signal(signal.SIGTERM)
        if self.polled >= self.turns:
            self.closed = True
        return []

    def skip_ending(self, pressed: Set[Button]) -> Set[Button]:
        return frozenset()

    def show(self, state: ScreenState) -> None:
        self.shown.append(state)


@dataclass
class FakeWorker:
    """A camera worker that reads nothing."""

    make_reader: Callable[[], object]
    wake: Callable[[], None]
    is_paused: bool
    camera_view: CameraView = field(default_factory=CameraView)
    done: list[str] = field(default_factory=list)

    def start(self) -> None:
        self.done.append("start, paused" if self.is_paused else "start")

    def poll(self) -> list[Event]:
        return []

    def follow_game(self, name: str) -> None:
        self.done.append(f"follow {name}")

    def close(self) -> None:
        self.done.append("close")


class Parts:
    """The parts of the main loop, replaced by fakes that record what is made."""

    def __init__(self, patch: pytest.MonkeyPatch, folder: Path) -> None:
        self.folder = folder
        self.window = FakeWindow()
        self.made: list[str] = []
        self.workers: list[FakeWorker] = []
        self.volumes: list[tuple[int, str]] = []
        patch.setattr(main_loop, "make_window", self._make_window)
        patch.setattr(main_loop, "make_panels", lambda *_: self.made.append("panels") or (None, {}))
        patch.setattr(main_loop, "open_sources", lambda *_: self.made.append("buttons") or ())
        patch.setattr(main_loop, "CameraWorker", self._make_worker)
        patch.setattr(pygame, "quit", lambda: self.made.append("quit"))

    def _make_window(self, _surface: object, _display: object, *more: Any) -> FakeWindow:
        self.volumes.append(more[3]())
        return self.window

    def _make_worker(self, *values: Any, is_paused: bool) -> FakeWorker:
        self.workers.append(FakeWorker(*values, is_paused=is_paused))
        return self.workers[-1]

    def run(self, table: str, **settings: Any) -> None:
        options = RunOptions(GAME, (), table, "", 1, self.folder)
        run_at_screen(options, Settings(**settings), None, SystemdNotifier())


@pytest.fixture
def parts(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Parts:
    return Parts(monkeypatch, tmp_path)


@pytest.mark.parametrize(
    ("table", "made", "has_camera"),
    [("virtual", ["panels"], True), ("real", ["buttons"], True), ("keyboard", [], False)],
)
def test_each_table_has_what_it_needs(parts: Parts, table: str, made: list[str], has_camera: bool) -> None:
    parts.run(table)
    assert parts.made == [*made, "quit"]
    assert len(parts.workers) == has_camera
    assert len(parts.window.shown) == 1
    if has_camera:
        done = parts.workers[0].done
        assert done[0] == "start, paused", "OpenCV is loaded after the first picture"
        assert done[1:] == ["follow macroscope", "close"]


def test_a_press_at_the_pins_is_stored(parts: Parts, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    pins = FakeSource()
    pins.next = [ButtonPressed(Button.SEAT1, 100.0)]
    monkeypatch.setattr(main_loop, "open_sources", lambda *_: [pins])
    parts.run("real")
    assert TaughtButtons(tmp_path).are_pins_wired


def test_a_weak_power_supply_is_on_the_screen(parts: Parts, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "hwmon0").mkdir()
    (tmp_path / "hwmon0/name").write_text("rpi_volt")
    (tmp_path / "hwmon0/in0_lcrit_alarm").write_text("1")
    monkeypatch.setattr(main_loop, "PowerMonitor", lambda clock: PowerMonitor(clock, tmp_path))
    parts.run("keyboard")
    assert "too weak" in (parts.window.shown[-1].notice or "")


def test_the_loop_runs_until_the_window_is_closed(parts: Parts) -> None:
    parts.window.turns = 3
    parts.run("keyboard")
    assert parts.window.polled == 3


@pytest.mark.parametrize("hides_keys", [True, False])
def test_lamps_light_with_the_keys_of_the_picture(
    parts: Parts, hides_keys: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown_before: list[int] = []
    lit: list[Mapping[Button, LampState]] = []

    def note_lamps(_buttons: ButtonInput, lamps: Mapping[Button, LampState]) -> None:
        shown_before.append(len(parts.window.shown))
        lit.append(lamps)

    monkeypatch.setattr(ButtonInput, "set_lamps", note_lamps)
    parts.window.hides_keys = hides_keys
    parts.run("keyboard")
    assert shown_before == [1], "the picture comes first"
    assert any(state is not LampState.OFF for state in lit[0].values()) is not hides_keys


@pytest.mark.parametrize("is_seen", [True, False])
def test_a_demo_is_played_only_where_it_is_seen(parts: Parts, is_seen: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[bool] = []

    def note_step(_demos: DemoSchedule, events: list[Event], *, is_seen: bool) -> tuple[list[Event], None]:
        told.append(is_seen)
        return events, None

    monkeypatch.setattr(DemoSchedule, "step", note_step)
    parts.window.is_seen = is_seen
    parts.run("keyboard")
    assert told == [is_seen]


def test_sigterm_ends_the_loop_after_the_turn(parts: Parts) -> None:
    parts.window = FakeWindow(5, gets_sigterm=True)
    parts.run("keyboard")
    assert parts.window.polled == 1


@pytest.mark.parametrize(
    ("uses_camera", "shows_live_picture", "is_paused"),
    [(True, False, False), (False, True, False), (True, True, False), (False, False, True)],
)
def test_the_camera_rests_while_nobody_needs_its_pictures(
    parts: Parts, uses_camera: bool, shows_live_picture: bool, is_paused: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = ScreenState(ScreenKind.PLAY, uses_camera=uses_camera, shows_live_picture=shows_live_picture)
    guard = SimpleNamespace(step=lambda *_: (state, {}))
    monkeypatch.setattr(main_loop, "CrashGuard", lambda *_: guard)
    parts.run("real")
    assert parts.workers[0].is_paused is is_paused


def test_the_volume_of_the_settings_holds_from_the_first_sound_on(
    parts: Parts, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = main_loop.open_with_retry

    def open_and_show(path: Path, window: Callable[[], Any], feed: Callable[[], None], **options: Any) -> Any:
        window()
        return real(path, window, feed, **options)

    monkeypatch.setattr(main_loop, "open_with_retry", open_and_show)
    parts.run("keyboard", sound=SoundSettings(volume=2, speech="everything"))
    assert parts.volumes == [(2, "everything")] * 2, "while the disk is waited for, and in the lobby"


def test_a_window_that_is_closed_while_the_disk_is_waited_for_ends_it(
    parts: Parts, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(main_loop, "open_with_retry", lambda *_, **_options: None)
    parts.run("real")
    assert (parts.made, parts.workers) == ([], [])


def test_what_is_not_used_of_the_settings_is_shown(parts: Parts) -> None:
    options = RunOptions(GAME, (), "keyboard", "", 1, parts.folder)
    run_at_screen(options, Settings(), None, SystemdNotifier(), ["line 3 is no setting"])
    assert parts.window.shown[0].details == ("line 3 is no setting",)


def test_a_missing_screen_is_searched_for_every_two_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    waited, found = list[float](), [pygame.Surface((4, 4))]
    fed: list[object] = []

    def open_late(_display: DisplaySettings, *, with_table: bool) -> pygame.Surface:
        assert with_table
        if len(waited) < 3:
            raise NoScreen("no screen here")
        return found[0]

    monkeypatch.setattr(main_loop, "open_surface", open_late)
    monkeypatch.setattr(main_loop.time, "sleep", waited.append)
    monkeypatch.setattr(SystemdNotifier, "feed_watchdog", lambda notifier: fed.append(notifier))
    assert wait_for_screen(DisplaySettings(), "no cable", SystemdNotifier(), with_table=True) is found[0]
    assert waited == [2.0, 2.0, 2.0]
    assert len(fed) == 3, "systemd must not restart it meanwhile"


def test_presses_that_skip_to_the_winner_begin_no_game(monkeypatch: pytest.MonkeyPatch) -> None:
    window = FakeWindow()
    ok, other, up = ButtonPressed(Button.OK, 1.0), ButtonPressed(Button.SEAT1, 1.0), ButtonReleased(Button.OK, 1.1)
    assert take_presses_of_ending([ok, other], window) == [ok, other], "nothing is to be skipped"
    monkeypatch.setattr(window, "skip_ending", lambda pressed: pressed & {Button.OK})
    assert take_presses_of_ending([ok, other, up], window) == [other, up]
    monkeypatch.setattr(window, "skip_ending", lambda pressed: pressed)
    assert take_presses_of_ending([ok, other, up], window) == [up]
