"""The main loop at a screen: poll buttons and camera, step the session, show the screen, set the lamps.

How long the loop waits for an event: `Window.poll_events` in `window.py`.
"""

from __future__ import annotations

import random
import signal
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

import pygame

from companion.app.button_input import ButtonInput, open_controllers, open_sources
from companion.app.composition import (
    RunOptions,
    make_camera_reader,
    make_display_preferences,
    make_panels,
    make_publisher,
    make_session,
    make_window,
    open_with_retry,
)
from companion.app.crash_guard import CrashGuard
from companion.app.demo import DemoSchedule
from companion.app.resilient_window import AnyWindow, ResilientWindow
from companion.app.session import Session
from companion.app.table_identity import TableIdentity
from companion.app.window import NoScreen, open_surface
from companion.camera.worker import CameraWorker
from companion.config.settings import DisplaySettings, Settings
from companion.config.taught_buttons import TaughtButtons
from companion.config.taught_dice_store import TaughtDice
from companion.events import ButtonPressed, Event
from companion.journal.database import JOURNAL_FILE
from companion.lobby import Preferences
from companion.lobby.dice_teaching import DICE_TEACHING_CAMERA
from companion.lobby.preferences import values_from_settings
from companion.log import log
from companion.screen_state import CameraView, ScreenKind
from companion.system.appliance import Appliance
from companion.system.system_clock import is_clock_set
from companion.system.systemd_notify import SystemdNotifier
from hardware.power import PowerMonitor

if TYPE_CHECKING:  # it is loaded only where the settings ask for it
    from companion.porch.publisher import PorchPublisher

SCREEN_RETRY_SECONDS = 2.0
"""Seconds between two attempts to find a screen."""
NO_CAMERA_VIEW = CameraView()
"""View of the camera where the table has none."""


def wait_for_screen(
    display: DisplaySettings, why: str, notifier: SystemdNotifier, *, with_table: bool
) -> pygame.Surface:
    """Wait until there is a screen, without a time limit: nobody can use a simulated table or the keyboard without one.

    Args:
        display: size of the display, and whether it fills the screen.
        why: the message of the `NoScreen` that was raised before, for the log.
        notifier: its watchdog is fed meanwhile.
        with_table: make room for a simulated table beside the display.

    Returns:
        The surface of the opened window.

    Raises:
        pygame.error: SDL found a screen but cannot open a window on it.
        KeyboardInterrupt: Ctrl-C.
    """
    log.warning("There is %s. Waiting for one; see `companion doctor`, Ctrl-C ends.", why)
    notifier.notify_ready(f"waiting for a screen: {why}")
    while True:
        notifier.feed_watchdog()
        time.sleep(SCREEN_RETRY_SECONDS)
        with suppress(NoScreen):
            return open_surface(display, with_table=with_table)


def run_at_screen(
    options: RunOptions,
    settings: Settings,
    surface: pygame.Surface | None,
    notifier: SystemdNotifier,
    settings_problems: Sequence[str] = (),
) -> None:
    """Build everything and run the main loop until the window is closed or SIGTERM arrives.

    Call it in the main thread: it sets the handler of SIGTERM, which stays set, and the language of the stored
    preferences. It closes the journal before it returns or raises, and once the loop has begun also buttons, camera and
    pygame. While the journal cannot be opened it says so on the screen and tries again.

    Args:
        options: options of `companion run`.
        settings: values of the settings file.
        surface: of the window; None: there is no screen yet, and the game can be played without one.
        notifier: reports to systemd.
        settings_problems: what in the settings file is not used and why, for the screen.

    Raises:
        JournalBusy: another companion has the journal open.
        JournalTooNew: a newer version of the companion wrote the journal.
        JournalUnwritable: the journal was opened and then cannot be read.
        Exception: a stage failed repeatedly (see `CrashGuard.step`), the window's events cannot be read, or an
            installed game cannot be loaded.
        KeyboardInterrupt: Ctrl-C.
    """
    rng = random.Random(options.seed)
    appliance = Appliance.from_environment()
    values = values_from_settings(settings)
    with notifier.extending_start():
        opened = open_with_retry(
            options.data_folder / JOURNAL_FILE,
            lambda: _closing_on_sigterm(
                make_window(
                    surface,
                    settings.display,
                    lambda: make_display_preferences(values, options.table),
                    None,
                    {},
                    lambda: (values.volume, values.speech),
                )
            ),
            lambda: notifier.notify_waiting("the data folder cannot be written"),
            # Elsewhere the clock is somebody else's business.
            knows_date=lambda: not appliance.is_present or is_clock_set(time.time()),
        )
    if opened is None:
        return
    with opened as journal:
        preferences, taught = Preferences(values, options.data_folder), TaughtButtons(options.data_folder)
        taught_dice = TaughtDice(options.data_folder)
        preferences.apply_language()
        table = TableIdentity(options.data_folder, settings.porch.table)
        publisher = make_publisher(options, settings, table)
        page_address = publisher.page_address if publisher else ""
        session = make_session(
            options,
            settings,
            journal,
            preferences,
            rng,
            appliance,
            taught,
            page_address,
            taught_dice,
            settings_problems,
            table,
        )
        demos = DemoSchedule(session, time.monotonic, settings.display.demo_minutes, starts_now=options.demo)
        panel, panels_by_game = make_panels(session, rng) if options.table == "virtual" else (None, {})
        window = make_window(
            surface,
            settings.display,
            lambda: make_display_preferences(preferences.values, options.table),
            panel,
            panels_by_game,
            lambda: (preferences.values.volume, preferences.values.speech),
            lambda: demos.demo.panel if demos.demo else None,
            publisher.pictures.note_drawn if publisher else lambda _surface: None,
        )
        # Before the camera worker starts its thread: see `open_sources`.
        sources = (
            open_sources(settings, time.monotonic, wake_window, lambda: preferences.values.palette, taught)
            if options.table == "real"
            else ()
        )
        controllers = open_controllers(settings, taught, time.monotonic, wake_window)
        buttons = ButtonInput(
            [*sources, *([controllers] if controllers else [])],
            time.monotonic,
            are_pins_wired=settings.table.buttons in {"gpio", "both"} or taught.are_pins_wired,
            note_pin_press=taught.note_pin_press,
        )
        worker = None
        if options.table != "keyboard":
            # Loads OpenCV and the networks in its thread, after the first picture has been drawn.
            worker = CameraWorker(
                lambda: make_camera_reader(options, panel, panels_by_game, taught_dice), wake_window, is_paused=True
            )
            worker.start()
        try:
            power = PowerMonitor(time.monotonic)
            _run_loop(
                _closing_on_sigterm(window), buttons, worker, power, session, demos, notifier, appliance, publisher
            )
        finally:
            notifier.notify_stopping()
            demos.close()
            buttons.close()
            if worker:
                worker.close()
            if publisher:
                publisher.close()
            pygame.quit()


def _run_loop(
    window: ResilientWindow,
    buttons: ButtonInput,
    worker: CameraWorker | None,
    power: PowerMonitor,
    session: Session,
    demos: DemoSchedule,
    notifier: SystemdNotifier,
    appliance: Appliance,
    publisher: PorchPublisher | None,
) -> None:
    """Run turn after turn until the window is closed; `poll_events` waits where nothing happens."""
    guard = CrashGuard(session, time.monotonic)
    while not window.closed:
        events = buttons.poll(window.poll_events(soon=buttons.is_holding_back))
        if worker:
            events += worker.poll()
        events += power.poll()
        events, demo_state = demos.step(events, is_seen=window.is_seen)
        if demo_state is None:
            events = take_presses_of_ending(events, window)
        state, lamps = guard.step(events, worker.camera_view if worker else NO_CAMERA_VIEW)
        shown = state if demo_state is None else demo_state
        window.show(shown)
        # After the picture: a lamp lights with the label of its key, and never before.
        buttons.set_lamps({} if demo_state is None and window.hides_keys else lamps)
        if publisher:
            publisher.publish(state, session.saved_game, events)
            publisher.pictures.hand_out(shown)
        notifier.feed_watchdog()
        notifier.notify_ready(f"{state.title}: {state.kind}")
        appliance.note_current_game(session.saved_game.id if session.saved_game else None, time.monotonic())
        if worker:
            if state.kind is ScreenKind.DICE_TEACHING:
                worker.follow_use(DICE_TEACHING_CAMERA)
            else:
                worker.follow_game(state.game_name)
            worker.is_paused = demo_state is not None or not (state.uses_camera or state.shows_live_picture)


def take_presses_of_ending(events: list[Event], window: AnyWindow) -> list[Event]:
    """Return the events without the presses that skip on to the winner: they were not meant to begin the next game."""
    pressed = {event.button for event in events if isinstance(event, ButtonPressed)}
    used = window.skip_ending(pressed) if pressed else frozenset()
    return [event for event in events if not (isinstance(event, ButtonPressed) and event.button in used)]


def wake_window() -> None:
    """End the wait in `Window.poll_events`, because buttons or camera have new events.

    Threads other than the main one may call it at any time; without a window it does nothing.
    """
    if pygame.display.get_init():
        # The screen may be lost between the two lines; then no window waits.
        with suppress(pygame.error):
            pygame.event.post(pygame.event.Event(pygame.USEREVENT))


def _closing_on_sigterm(window: ResilientWindow) -> ResilientWindow:
    """Let SIGTERM close the window. Nothing needs saving: every move is in the journal."""

    def close(*_signal: object) -> None:
        window.closed = True

    signal.signal(signal.SIGTERM, close)
    return window
