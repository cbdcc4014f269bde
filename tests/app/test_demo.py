"""The demo: one game that plays itself, ended by any press, without a trace in the journal."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pygame
import pytest

from companion.api import GameDefinition, registry
from companion.api.registry import find_demo_game
from companion.app.demo import (
    CAPTION_SECONDS,
    CAPTIONS,
    READING_SECONDS,
    RESULT_SECONDS,
    Demo,
    DemoSchedule,
)
from companion.app.session import Session, SessionConfig
from companion.app.table_panel.demo_panel import DemoPanel
from companion.app.table_services import TableServices
from companion.app.window import Window
from companion.display.sound import player
from companion.events import Button, ButtonPressed, ButtonReleased, CharacterTyped, Event
from companion.journal.database import JOURNAL_FILE, Journal
from companion.lobby import Lobby
from companion.lobby.demo_title import build_demo_title
from companion.screen_state import ScreenKind, ScreenState
from companion.simulation.demo_script import DemoCaption, PictureCircle
from companion.testing.table import ManualClock

FRAME_SECONDS = 1 / 15
STEP_SECONDS = 0.5
"""A little more than a step of a game without a camera."""
SECRET_NUMBER = registry.find_game("secret_number")
MACROSCOPE = registry.find_game("macroscope")
MINUTES = 2.0


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock(1000.0)


@pytest.fixture
def session(tmp_path: Path, clock: ManualClock) -> Iterator[Session]:
    with Journal(tmp_path / JOURNAL_FILE) as journal:
        config = SessionConfig(SECRET_NUMBER, (), SECRET_NUMBER.settings_model(), 1)
        yield Session(config, journal, TableServices(clock, random.Random(1)))


@pytest.fixture
def schedule(session: Session, clock: ManualClock) -> Iterator[DemoSchedule]:
    made = DemoSchedule(session, clock, MINUTES, lambda: 5)
    yield made
    made.close()


def press(clock: ManualClock, button: Button = Button.OK) -> list[Event]:
    return [ButtonPressed(button, clock()), ButtonReleased(button, clock())]


def wait_for_demo(schedule: DemoSchedule) -> ScreenState:
    """Return the demo's first state: its modules are loaded in a thread."""
    schedule.step([])
    schedule._loading.join()
    state = schedule.step([])[1]
    assert state is not None
    return state


def play_to_the_end(demo: Demo, clock: ManualClock) -> list[ScreenState]:
    states = []
    while not demo.is_over:
        clock.now += FRAME_SECONDS
        states.append(demo.advance())
        assert len(states) < 20_000
    return states


def test_a_demo_plays_one_game_and_ends_in_a_title(clock: ManualClock) -> None:
    demo = Demo(SECRET_NUMBER, clock, 5)
    states = play_to_the_end(demo, clock)
    assert {state.kind for state in states} == {ScreenKind.LOBBY, ScreenKind.FIRST, ScreenKind.PLAY, ScreenKind.RESULT}
    assert all(state.is_demo and state.notice is None for state in states)
    assert len({state.last_move for state in states}) > len(CAPTIONS), "the last move is not replaced"
    last = demo.advance()
    assert demo.panel.caption.text == CAPTIONS[ScreenKind.RESULT]
    clock.now += RESULT_SECONDS - 1.0
    assert demo.advance() == last, "people look at the result"
    clock.now += 2.0
    title = demo.advance()
    assert title == build_demo_title(SECRET_NUMBER)
    assert (title.kind, title.is_demo, title.uses_camera) == (ScreenKind.TITLE, True, False)
    clock.now += 60.0
    assert demo.advance() == title, "it stands still"
    assert not demo.panel.is_moving
    demo.close()


def test_a_caption_stays_for_a_while_and_the_players_wait_meanwhile(clock: ManualClock) -> None:
    demo = Demo(SECRET_NUMBER, clock, 5)
    shown: dict[str, list[float]] = {}
    moves: set[ScreenKind] = set()
    while demo.panel.caption.text or not moves:
        clock.now += FRAME_SECONDS
        state = demo.advance()
        shown.setdefault(demo.panel.caption.text, []).append(clock.now)
        moves |= {state.kind} - {ScreenKind.LOBBY, ScreenKind.FIRST}
        assert clock.now < 1100.0
    seconds = [times[-1] - times[0] for text, times in shown.items() if text]
    demo.close()
    assert len(seconds) == 2
    assert min(seconds) > READING_SECONDS - STEP_SECONDS, seconds
    assert max(seconds) < CAPTION_SECONDS + STEP_SECONDS, seconds


def test_the_game_of_the_demo_is_the_one_with_a_script() -> None:
    assert find_demo_game(SECRET_NUMBER) is MACROSCOPE


def test_a_slow_computer_plays_slower_and_never_catches_up(clock: ManualClock) -> None:
    demo = Demo(SECRET_NUMBER, clock, 5)
    demo.advance()
    clock.now += 100.0
    demo.advance()
    assert demo._play.clock.now < 1.0
    demo.close()


def test_the_simulated_table_is_shown(clock: ManualClock) -> None:
    demo = Demo(MACROSCOPE, clock, 5)
    surface = pygame.Surface((640, 720))
    demo.panel.place(pygame.Rect(0, 0, 640, 720))
    for _ in range(3):
        clock.now += FRAME_SECONDS
        demo.advance()
    assert demo.panel.draw(surface) == [pygame.Rect(0, 0, 640, 720)]
    assert demo.panel.draw(surface) == []
    before = surface.copy()
    demo.panel.show_caption(DemoCaption("The camera reads 2 and 4", (PictureCircle(640.0, 360.0, 60.0),)))
    assert demo.panel.draw(surface)
    differing = pygame.mask.from_threshold(surface, (0, 0, 0), (1, 1, 1, 255), before).count()
    assert differing < 640 * 720, "a circle lies on the table, and words below it"
    demo.close()


@pytest.mark.proof
def test_macroscope_s_card_is_turned_up_at_the_reveal(clock: ManualClock) -> None:
    demo = Demo(MACROSCOPE, clock, 5)
    surface = pygame.Surface((640, 360))
    demo.panel.place(pygame.Rect(0, 0, 640, 360))
    white: dict[bool, int] = {}
    while len(white) < 2:
        clock.now += FRAME_SECONDS
        state = demo.advance()
        demo.panel.follow(state)
        demo.panel.draw(surface)
        is_reveal = getattr(state.view, "phase", None) == "reveal"
        white[is_reveal] = pygame.mask.from_threshold(surface, (255, 255, 255), (1, 1, 1, 255)).count()
        assert clock.now < 1600.0
    assert white[True] > white[False] + 100, "its edge lies on the table"
    demo.close()


def test_demo_begins_in_a_quiet_lobby(schedule: DemoSchedule, session: Session, clock: ManualClock) -> None:
    clock.now += MINUTES * 60 - 1
    assert schedule.step([]) == ([], None)
    assert schedule._loading is None, "nothing is loaded before it is needed"
    clock.now += 1
    assert wait_for_demo(schedule).is_demo
    assert isinstance(session.stage, Lobby)


def test_a_press_puts_the_demo_off(schedule: DemoSchedule, clock: ManualClock) -> None:
    clock.now += MINUTES * 60 - 1
    pressed = press(clock)
    assert schedule.step(pressed) == (pressed, None)
    clock.now += 2
    assert schedule.step([]) == ([], None)
    assert schedule._loading is None


def test_zero_minutes_switch_it_off(session: Session, clock: ManualClock) -> None:
    schedule = DemoSchedule(session, clock, 0.0)
    clock.now += 1e6
    assert schedule.step([]) == ([], None)
    assert schedule._loading is None


@pytest.mark.parametrize("typed", [False, True])
def test_any_press_leads_back_to_the_lobby(
    schedule: DemoSchedule, session: Session, clock: ManualClock, *, typed: bool
) -> None:
    clock.now += MINUTES * 60
    wait_for_demo(schedule)
    folder = Path(schedule.demo._folder.name)
    assert folder.is_dir()
    events: list[Event] = [CharacterTyped("x", clock())] if typed else press(clock)
    left, state = schedule.step(events)
    assert state is None
    assert not any(isinstance(event, ButtonPressed | CharacterTyped) for event in left), "it ends the demo, no more"
    assert schedule.demo is None
    assert (session._journal.list_games(), folder.exists()) == ((), False), "it left no trace"
    session.step(left)
    assert isinstance(session.stage, Lobby)
    assert session.stage.is_untouched
    clock.now += MINUTES * 60 - 1
    assert schedule.step([]) == ([], None), "the lobby is quiet again from the press on"


def test_keys_that_are_no_buttons_end_it_too(schedule: DemoSchedule, clock: ManualClock) -> None:
    clock.now += MINUTES * 60
    wait_for_demo(schedule)
    schedule.demo.panel.handle_key(pygame.K_x, clock(), down=False)
    assert schedule.step([])[1] is not None
    schedule.demo.panel.handle_key(pygame.K_x, clock(), down=True)
    assert schedule.step([]) == ([], None)


@pytest.mark.parametrize(("kind", "ends"), [(pygame.MOUSEBUTTONDOWN, True), (pygame.MOUSEMOTION, False)])
def test_a_click_into_the_picture_ends_it(kind: int, *, ends: bool) -> None:
    panel = DemoPanel()
    panel.handle_mouse(pygame.event.Event(kind), (3, 3), 0.0)
    assert panel.was_touched is ends


def test_demo_at_the_start(session: Session, clock: ManualClock) -> None:
    schedule = DemoSchedule(session, clock, 0.0, starts_now=True)
    assert wait_for_demo(schedule).is_demo
    schedule.step(press(clock))
    assert schedule.step([]) == ([], None), "only once"


def test_without_a_screen_there_is_none_and_each_press_counts(schedule: DemoSchedule, clock: ManualClock) -> None:
    clock.now += MINUTES * 600
    pressed = press(clock)
    assert schedule.step([], is_seen=False) == ([], None)
    assert schedule.step(pressed, is_seen=False) == (pressed, None)
    assert schedule._loading is None
    clock.now += MINUTES * 60
    wait_for_demo(schedule)
    pressed = press(clock)
    assert schedule.step(pressed, is_seen=False) == (pressed, None), "the screen was switched off"
    assert schedule.demo is None
    clock.now += MINUTES * 60 - 1
    assert schedule.step([]) == ([], None), "quiet from then on"


def test_a_demo_that_fails_is_ended_for_good(session: Session, clock: ManualClock) -> None:
    def fail(_definition: GameDefinition, _clock: Callable[[], float], _seed: int) -> Demo:
        raise OSError(28, "No space left on device")

    schedule = DemoSchedule(session, clock, MINUTES, make_demo=fail)
    clock.now += MINUTES * 60
    schedule.step([])
    schedule._loading.join()
    assert schedule.step([]) == ([], None)
    clock.now += MINUTES * 600
    assert schedule.step([]) == ([], None)
    assert schedule.demo is None


def test_the_window_is_silent_and_shows_the_demo_s_table(clock: ManualClock, monkeypatch: pytest.MonkeyPatch) -> None:
    volumes: list[int] = []
    monkeypatch.setattr(player.SoundPlayer, "configure", lambda _self, volume, _level: volumes.append(volume))
    pygame.display.init()
    demo = Demo(MACROSCOPE, clock, 5)
    window = Window(pygame.display.set_mode((1280, 720)), clock, demo_panel=lambda: demo.panel)
    volumes.clear()
    for _ in range(3):
        clock.now += FRAME_SECONDS
        window.show(demo.advance())
    assert set(volumes) == {0}
    assert window._panel is demo.panel
    assert not demo.panel.was_touched
    window._handle_sdl_event(pygame.event.Event(pygame.MOUSEBUTTONDOWN, button=1, pos=(5, 5)))
    assert demo.panel.was_touched, "a click beside the keys, on the display, ends it too"
    demo.close()
