"""Playing at a screen: window, hands, eyes and evening in the one loop."""

from __future__ import annotations

import logging
import random
import signal
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

import pygame

from companion.app.button_input import Hands, open_hands
from companion.app.crash_guard import Unfailing
from companion.app.open_journal import patiently
from companion.app.resilient_window import Lasting
from companion.app.session import Evening, Plan
from companion.app.window import NoScreen, Window, open_surface
from companion.camera.worker import CUP_ROW_GAME, DEFAULT_GAME, CameraWorker, GameFrameReader, LazyReader
from companion.config.settings import DisplaySettings, Settings
from companion.display.toolkit.orientation import DisplayPreferences
from companion.games import registry
from companion.games.api.offers import GameDefinition
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
    from companion.app.simulator_panel import TableSide
    from companion.camera.reader import CameraReader

RETRY = 2.0
"""Seconds between two looks for a screen."""
NO_EYES = CameraView()
_ = Translator("companion")
log = logging.getLogger("companion")


@dataclass(frozen=True, slots=True)
class Wishes:
    """What the command line and the settings ask for."""

    kit: GameDefinition | None
    """None: the game that was played last."""
    names: tuple[str, ...]
    table: str
    """"virtual", "real" or "keyboard"."""
    camera: str
    seed: int | None
    folder: Path


def wait_for_screen(
    wanted: DisplaySettings, why: str, *, beside: bool, supervisor: SystemdNotifier | None = None
) -> pygame.Surface:
    """Wait until there is a screen, and say so: without one nobody can work a virtual table, or the keys."""
    log.warning("There is %s. Waiting for one; `companion doctor` tells more, Ctrl-C ends.", why)
    supervisor = supervisor or SystemdNotifier()
    supervisor.notify_ready(f"waiting for a screen: {why}")
    while True:
        supervisor.feed_watchdog()
        time.sleep(RETRY)
        try:
            return open_surface(wanted, beside=beside)
        except NoScreen:
            continue


def play(
    wishes: Wishes,
    settings: Settings,
    surface: pygame.Surface | None,
    supervisor: SystemdNotifier | None = None,
    trouble: str = "",
) -> None:
    """One loop, one direction, until the window is closed.

    `surface`: None: there is no screen yet. It is waited for while the table can be played already.
    `trouble`: why the settings are not the file's; empty: they are.
    """
    rng = random.Random(wishes.seed)
    supervisor, appliance = supervisor or SystemdNotifier(), Appliance.from_environment()
    virtual = wishes.table == "virtual"
    opened = patiently(
        wishes.folder / JOURNAL_FILE,
        lambda: _lasting(
            surface, settings.display, lambda: look_of(values_from_settings(settings), wishes.table), _plain_window
        ),
        lambda: supervisor.notify_waiting("the data folder cannot be written"),
    )
    if opened is None:
        return
    with opened as journal:
        box = Preferences(values_from_settings(settings), wishes.folder)
        evening = _evening(wishes, settings, journal, box, rng, appliance)
        if trouble:
            evening.notice = _("The settings file does not count: {why}", why=trouble)
        side, others = _sides(evening, rng) if virtual else (None, {})
        window = _lasting(
            surface,
            settings.display,
            lambda: look_of(box.values, wishes.table),
            lambda onto, look: Window(onto, time.monotonic, side, others, look, lambda: loud(box)),
            beside=virtual,
        )
        # Before the eyes start a thread: see `open_hands`.
        hands = open_hands(settings, time.monotonic, wake) if wishes.table == "real" else Hands((), time.monotonic)
        looks = _eyes(wishes, {DEFAULT_GAME: side, **others} if side else {})
        # They load OpenCV and the nets, and begin when the first picture is there.
        eyes = CameraWorker(looks, wake, paused=True) if looks else None
        guarded = Unfailing(evening, time.monotonic)
        try:
            while not window.closed:
                signals = [*hands.look(window.signals(soon=hands.waiting)), *(eyes.poll() if eyes else ())]
                shown, lamps = guarded.turn(signals, eyes.camera_view if eyes else NO_EYES)
                hands.light(lamps)
                window.show(shown)
                supervisor.feed_watchdog()
                supervisor.notify_ready(f"{shown.title}: {shown.kind}")
                appliance.note_current_game(evening.sitting.id if evening.sitting else None, time.monotonic())
                if eyes and looks:
                    looks.game = shown.game_name
                    eyes.set_paused(not (shown.uses_camera or shown.shows_live_picture))
        finally:
            supervisor.notify_stopping()
            hands.close()
            if eyes:
                eyes.close()
            pygame.quit()


def _evening(
    wishes: Wishes, settings: Settings, journal: Journal, box: Preferences, rng: random.Random, appliance: Appliance
) -> Evening:
    """The evening on this journal. Pictures whose sittings are gone go too, unless the journal had to be rescued."""
    kit = wishes.kit or played_last(journal)
    plan = Plan(
        kit,
        wishes.names,
        settings.get_house_rules(kit),
        wishes.seed if wishes.table == "virtual" else None,
        tuple(registry.find_game(name) for name in registry.list_game_names()),
    )
    evening = Evening(
        plan,
        journal,
        rng,
        house=HouseRules(settings.games, wishes.folder),
        box=box,
        cafe=settings.cafe,
        guided=wishes.table == "real",
        camera=wishes.table != "keyboard",
        going_on=appliance.take_interrupted_game(),
        switch_off=appliance.request_power_off if appliance.is_present else None,
    )
    if journal.damage is None:
        delete_orphaned_pictures(journal.path, [record.uid for record in journal.list_games()])
    else:
        log.warning("%s", journal.damage.message)
        evening.notice = journal.damage.message
    return evening


def _lasting(
    surface: pygame.Surface | None,
    wanted: DisplaySettings,
    look: Callable[[], DisplayPreferences],
    window: Callable[[pygame.Surface, Callable[[], DisplayPreferences]], Window],
    *,
    beside: bool = False,
) -> Lasting:
    """A window that outlives its screen and ends in good order.

    Args:
        look: how people like the picture now.
        window: makes it anew on a surface.
        beside: a virtual table stands beside the display.
    """
    lasting = Lasting(
        surface,
        lambda onto: window(onto, look),
        lambda: open_surface(wanted, beside=beside),
        time.monotonic,
        look=look,
    )
    _close_on_terminate(lasting)
    return lasting


def _plain_window(onto: pygame.Surface, look: Callable[[], DisplayPreferences]) -> Window:
    """The window in which it is told why nothing can begin yet."""
    return Window(onto, time.monotonic, look=look)


def look_of(choices: PreferenceValues, table: str) -> DisplayPreferences:
    """What the window is told of the choices in force. At a real table nobody presses a keyboard's keys."""
    keyboard = table != "real"
    return DisplayPreferences(
        choices.palette, choices.turned, choices.mirrored, choices.motion, choices.touch_seats, keyboard
    )


def loud(box: Preferences) -> tuple[int, bool]:
    """The volume that was chosen, and whether announcements are spoken."""
    return box.values.volume, box.values.spoken


def played_last(journal: Journal) -> GameDefinition:
    """The game that the lobby opens with; the Macroscope if none was played, or none that is here."""
    for record in journal.list_games()[-1:]:
        try:
            return registry.find_game(GameSetup.from_json(record.setup_json).game)
        except (InvalidSavedGame, registry.UnknownGame):
            continue
    return registry.find_game("macroscope")


def _sides(evening: Evening, rng: random.Random) -> tuple[TableSide, dict[str, TableSide]]:
    """The virtual tables, as an interrupted sitting left them: the usual one, and those of some games."""
    from companion.app.simulator_panel import TableSide, row_as_left, table_as_left

    left = evening.interrupted
    return (
        TableSide(*table_as_left(left, rng), time.monotonic, rng),
        {CUP_ROW_GAME: TableSide(*row_as_left(left, rng), time.monotonic, rng)},
    )


def _eyes(wishes: Wishes, sides: Mapping[str, TableSide]) -> LazyReader | None:
    """Eyes on the virtual tables' frames, or on a real camera; none where people play by keys alone."""
    return None if wishes.table == "keyboard" else LazyReader(lambda: _opened_eyes(wishes, sides))


def _opened_eyes(wishes: Wishes, sides: Mapping[str, TableSide]) -> GameFrameReader:
    from companion.camera.per_game import PerGameReader, make_layout_cache, make_watcher_for
    from companion.camera.reader import CameraReader
    from companion.vision.view_check.monitor import ViewMonitor
    from hardware.cameras.sources import open_camera

    def look(game: str) -> CameraReader:
        side = sides.get(game)
        watcher = make_watcher_for(game)
        if side is not None:
            return CameraReader(lambda: side.relay, watcher, time.monotonic)
        return CameraReader(
            lambda: open_camera(wishes.camera, time.monotonic),
            watcher,
            time.monotonic,
            make_layout_cache(game, wishes.folder),
            ViewMonitor() if game == DEFAULT_GAME else None,
        )

    return PerGameReader(
        {game: partial(look, game) for game in (DEFAULT_GAME, CUP_ROW_GAME)}, DEFAULT_GAME, time.monotonic
    )


def wake() -> None:
    """Ends the window's waiting: eyes or hands have something to tell, each from a thread of its own."""
    if pygame.display.get_init():
        # The screen may be lost between the two lines, and then no window waits.
        with suppress(pygame.error):
            pygame.event.post(pygame.event.Event(pygame.USEREVENT))


def _close_on_terminate(window: Lasting) -> None:
    """An orderly stop when systemd or a shell asks for one. Nothing needs saving: every move is journalled."""

    def close(_number: int, _frame: FrameType | None) -> None:
        window.closed = True

    signal.signal(signal.SIGTERM, close)
