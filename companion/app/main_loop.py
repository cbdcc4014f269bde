"""Playing at a screen: window, hands, eyes and evening in the one loop."""

from __future__ import annotations

import logging
import random
import signal
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

import pygame

from companion.app.button_input import ButtonInput, open_button_input
from companion.app.crash_guard import CrashGuard
from companion.app.open_journal import open_with_retry
from companion.app.resilient_window import ResilientWindow
from companion.app.session import Session, SessionConfig
from companion.app.window import NoScreen, Window, open_surface
from companion.camera.worker import CameraWorker, find_camera_use
from companion.config.settings import DisplaySettings, Settings
from companion.display.toolkit.preferences import DisplayPreferences
from companion.games import registry
from companion.games.api.offers import CameraUse, GameDefinition
from companion.i18n import Translator
from companion.journal.database import JOURNAL_FILE, Journal
from companion.journal.die_pictures import delete_orphaned_pictures
from companion.journal.entry import GameSetup
from companion.journal.errors import InvalidSavedGame
from companion.lobby import HouseRules, Preferences
from companion.lobby.preferences import PreferenceValues, values_from_settings
from companion.screen_state import CameraView
from companion.system.appliance import Appliance
from companion.system.systemd_notify import SystemdNotifier

if TYPE_CHECKING:  # OpenCV comes with them: it is loaded behind the first picture
    from companion.app.simulator_panel import SimulatorPanel
    from companion.camera.reader import CameraReader

SCREEN_RETRY_SECONDS = 2.0
"""Seconds between two looks for a screen."""
NO_CAMERA_VIEW = CameraView()
_ = Translator("companion")
log = logging.getLogger("companion")


@dataclass(frozen=True, slots=True)
class RunOptions:
    """What the command line and the settings ask for."""

    definition: GameDefinition | None
    """None: the game that was played last."""
    player_names: tuple[str, ...]
    table: str
    """"virtual", "real" or "keyboard"."""
    camera: str
    seed: int | None
    data_folder: Path


def wait_for_screen(
    display: DisplaySettings, why: str, *, with_table: bool, notifier: SystemdNotifier | None = None
) -> pygame.Surface:
    """Wait until there is a screen, and say so: without one nobody can work a virtual table, or the keys."""
    log.warning("There is %s. Waiting for one; `companion doctor` tells more, Ctrl-C ends.", why)
    notifier = notifier or SystemdNotifier()
    notifier.notify_ready(f"waiting for a screen: {why}")
    while True:
        notifier.feed_watchdog()
        time.sleep(SCREEN_RETRY_SECONDS)
        try:
            return open_surface(display, with_table=with_table)
        except NoScreen:
            continue


def run_at_screen(
    options: RunOptions,
    settings: Settings,
    surface: pygame.Surface | None,
    notifier: SystemdNotifier | None = None,
    settings_error: str = "",
) -> None:
    """One loop, one direction, until the window is closed.

    `surface`: None: there is no screen yet. It is waited for while the table can be played already.
    `trouble`: why the settings are not the file's; empty: they are.
    """
    rng = random.Random(options.seed)
    notifier, appliance = notifier or SystemdNotifier(), Appliance.from_environment()
    virtual = options.table == "virtual"
    opened = open_with_retry(
        options.data_folder / JOURNAL_FILE,
        lambda: _make_window(
            surface,
            settings.display,
            lambda: display_preferences(values_from_settings(settings), options.table),
            _make_plain_window,
        ),
        lambda: notifier.notify_waiting("the data folder cannot be written"),
    )
    if opened is None:
        return
    with opened as journal:
        box = Preferences(values_from_settings(settings), options.data_folder)
        box.apply_language()
        evening = _make_session(options, settings, journal, box, rng, appliance)
        if settings_error:
            evening.notice = _("The settings file does not count: {why}", why=settings_error)
        side, others = _make_panels(evening, rng) if virtual else (None, {})
        window = _make_window(
            surface,
            settings.display,
            lambda: display_preferences(box.values, options.table),
            lambda onto, look: Window(onto, time.monotonic, side, others, look, lambda: volume_settings(box)),
            beside=virtual,
        )
        # Before the eyes start a thread: see `open_hands`.
        hands = (
            open_button_input(settings, time.monotonic, wake_window)
            if options.table == "real"
            else ButtonInput((), time.monotonic)
        )
        # It loads OpenCV and the nets, and begins when the first screen has been drawn.
        eyes = None
        if options.table != "keyboard":
            eyes = CameraWorker(lambda: _make_camera_reader(options, side, others), wake_window, is_paused=True)
            eyes.start()
        guarded = CrashGuard(evening, time.monotonic)
        try:
            while not window.closed:
                signals = [*hands.poll(window.poll_events(soon=hands.is_holding_back)), *(eyes.poll() if eyes else ())]
                shown, lamps = guarded.step(signals, eyes.camera_view if eyes else NO_CAMERA_VIEW)
                hands.set_lamps(lamps)
                window.show(shown)
                notifier.feed_watchdog()
                notifier.notify_ready(f"{shown.title}: {shown.kind}")
                appliance.note_current_game(evening.saved_game.id if evening.saved_game else None, time.monotonic())
                if eyes:
                    eyes.follow_game(shown.game_name)
                    eyes.is_paused = not (shown.uses_camera or shown.shows_live_picture)
        finally:
            notifier.notify_stopping()
            hands.close()
            if eyes:
                eyes.close()
            pygame.quit()


def _make_session(
    wishes: RunOptions, settings: Settings, journal: Journal, box: Preferences, rng: random.Random, appliance: Appliance
) -> Session:
    """The evening on this journal. Pictures whose sittings are gone go too, unless the journal had to be rescued."""
    kit = wishes.definition or find_last_played(journal)
    plan = SessionConfig(
        kit,
        wishes.player_names,
        settings.get_house_rules(kit),
        wishes.seed if wishes.table == "virtual" else None,
        tuple(registry.find_game(name) for name in registry.list_game_names()),
    )
    evening = Session(
        plan,
        journal,
        rng,
        house_rules=HouseRules(settings.games, wishes.data_folder),
        preferences=box,
        cafe=settings.cafe,
        run_setup_wizard=wishes.table == "real",
        has_camera=wishes.table != "keyboard",
        continue_game_id=appliance.take_interrupted_game(),
        power_off=appliance.request_power_off if appliance.is_present else None,
    )
    if journal.damage is None:
        delete_orphaned_pictures(journal.path, [record.uid for record in journal.list_games()])
    else:
        log.warning("%s", journal.damage.message)
        evening.notice = journal.damage.message
    return evening


def _make_window(
    surface: pygame.Surface | None,
    wanted: DisplaySettings,
    look: Callable[[], DisplayPreferences],
    window: Callable[[pygame.Surface, Callable[[], DisplayPreferences]], Window],
    *,
    beside: bool = False,
) -> ResilientWindow:
    """A window that outlives its screen and ends in good order.

    Args:
        look: how people like the picture now.
        window: makes it anew on a surface.
        beside: a virtual table stands beside the display.
    """
    lasting = ResilientWindow(
        surface,
        lambda onto: window(onto, look),
        lambda: open_surface(wanted, with_table=beside),
        time.monotonic,
        preferences=look,
    )
    _close_on_sigterm(lasting)
    return lasting


def _make_plain_window(onto: pygame.Surface, look: Callable[[], DisplayPreferences]) -> Window:
    """The window in which it is told why nothing can begin yet."""
    return Window(onto, time.monotonic, preferences=look)


def display_preferences(choices: PreferenceValues, table: str) -> DisplayPreferences:
    """What the window is told of the choices in force. At a real table nobody presses a keyboard's keys."""
    keyboard = table != "real"
    return DisplayPreferences(
        choices.palette, choices.turned, choices.mirrored, choices.motion, choices.touch_seats, keyboard
    )


def volume_settings(box: Preferences) -> tuple[int, bool]:
    """The volume that was chosen, and whether announcements are spoken."""
    return box.values.volume, box.values.spoken


def find_last_played(journal: Journal) -> GameDefinition:
    """The game that the lobby opens with; the Macroscope if none was played, or none that is here."""
    for record in journal.list_games()[-1:]:
        try:
            return registry.find_game(GameSetup.from_json(record.setup_json).game)
        except (InvalidSavedGame, registry.UnknownGame):
            continue
    return registry.find_game("macroscope")


def _make_panels(evening: Session, rng: random.Random) -> tuple[SimulatorPanel, dict[str, SimulatorPanel]]:
    """The virtual tables, as an interrupted sitting left them: the usual one, and those of some games."""
    from companion.app.simulator_panel import SimulatorPanel, make_macroscope_table, make_memo_dice_table

    left = evening.interrupted_game
    return (
        SimulatorPanel(*make_macroscope_table(left, rng), time.monotonic, rng),
        {"memo_dice": SimulatorPanel(*make_memo_dice_table(left, rng), time.monotonic, rng)},
    )


def _make_camera_reader(
    options: RunOptions, panel: SimulatorPanel | None, others: Mapping[str, SimulatorPanel]
) -> CameraReader:
    """Make the reader of the simulated tables' frames, or of the real camera. Loads OpenCV and the nets.

    Args:
        options: what was asked for on the command line.
        panel: the simulated table; None: a real camera is used.
        others: simulated tables of some games, by game.
    """
    from companion.camera.layout_cache import LayoutCache
    from companion.camera.reader import CameraReader, WatchedTable, make_watcher
    from companion.vision.view_check.monitor import ViewMonitor
    from hardware.cameras.sources import open_camera

    panels = {find_camera_use(game).watcher: other for game, other in others.items()}

    def make_table(use: CameraUse) -> WatchedTable:
        watcher = make_watcher(use)
        if panel is not None:
            return WatchedTable(lambda: panels.get(use.watcher, panel).relay, watcher)
        return WatchedTable(
            lambda: open_camera(options.camera, time.monotonic),
            watcher,
            LayoutCache(options.data_folder / use.layout_file),
            ViewMonitor() if use.is_view_checked else None,
        )

    return CameraReader(make_table, time.monotonic)


def wake_window() -> None:
    """Ends the window's waiting: eyes or hands have something to tell, each from a thread of its own."""
    if pygame.display.get_init():
        # The screen may be lost between the two lines, and then no window waits.
        with suppress(pygame.error):
            pygame.event.post(pygame.event.Event(pygame.USEREVENT))


def _close_on_sigterm(window: ResilientWindow) -> None:
    """An orderly stop when systemd or a shell asks for one. Nothing needs saving: every move is journalled."""

    def close(_number: int, _frame: FrameType | None) -> None:
        window.closed = True

    signal.signal(signal.SIGTERM, close)
