"""The composition root: build session, window, simulated tables and camera reader from the run options and settings."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pygame

from companion.api import AnyGameDefinition, CameraUse, registry
from companion.app.film_export import FilmExport
from companion.app.resilient_window import AnyWindow, ResilientWindow
from companion.app.session import Session, SessionConfig
from companion.app.table_identity import TableIdentity
from companion.app.table_services import TableServices
from companion.app.window import Window, open_surface
from companion.camera.camera_use import find_camera_use
from companion.config.settings import DisplaySettings, Settings
from companion.config.taught_buttons import TaughtButtons
from companion.config.taught_dice_store import TaughtDice
from companion.display.toolkit.legibility import needs_far
from companion.display.toolkit.preferences import DisplayPreferences
from companion.i18n import _, current_language
from companion.journal.database import Journal
from companion.journal.disk_errors import to_unwritable_error
from companion.journal.entry import GameSetup, InvalidSavedGame, JournalUnwritable
from companion.lobby import HouseRules, Preferences
from companion.lobby.preferences import PreferenceValues
from companion.log import log
from companion.screen_state import ScreenKind, ScreenState
from companion.system.appliance import Appliance
from hardware.edid import find_screen_inches

if TYPE_CHECKING:  # they load OpenCV, which is loaded after the first picture
    from companion.app.table_panel.panel import SimulatorPanel, TablePanel
    from companion.camera.camera_reader import CameraReader
    from companion.porch.publisher import PorchPublisher


RETRY_SECONDS = 2.0
"""Seconds between two attempts to open the journal."""

MAINS_HZ_BY_LANGUAGE = {"de": 50, "it": 50}
"""Frequency of the mains where a language is spoken, if it is the same everywhere."""


@dataclass(frozen=True, slots=True)
class RunOptions:
    """Options of `companion run`.

    Attributes:
        definition: the game to begin with; None: the game that was played last.
        player_names: clockwise; empty: everybody who presses a seat button plays.
        table: "virtual" (simulated), "real" or "keyboard" (no camera).
        camera: number, URL, file or folder, see `hardware.cameras.camera_opener.CameraOpener`.
        seed: makes simulated tables and lots repeatable; None: random.
        data_folder: folder of the journal and the stored preferences; it need not exist.
        demo: begin with a demo.
        mains_hz: frequency of the mains, for the camera; 0: that of the country.
    """

    definition: AnyGameDefinition | None
    player_names: tuple[str, ...]
    table: str
    camera: str
    seed: int | None
    data_folder: Path
    demo: bool = False
    mains_hz: int = 0


def make_session(
    options: RunOptions,
    settings: Settings,
    journal: Journal,
    preferences: Preferences,
    rng: random.Random,
    appliance: Appliance,
    taught: TaughtButtons | None = None,
    page_address: str = "",
    taught_dice: TaughtDice | None = None,
    settings_problems: Sequence[str] = (),
    table: TableIdentity | None = None,
) -> Session:
    """Make the session on a journal; its first notice says what the disk has damaged, if it has.

    The note of an interrupted game is deleted (`Appliance.take_interrupted_game`).

    Args:
        options: options of `companion run`.
        settings: house rules and café mode.
        journal: opened for writing.
        preferences: settings of the device that people may change with buttons.
        rng: draws the first player and lots.
        appliance: knows the game that a crash interrupted, and can switch the device off.
        taught: what the buttons of controllers stand for; None: nothing, and it is not stored.
        page_address: of the spectators' page; empty: there is none.
        taught_dice: faces of the box's own dice; None: none, and they are not stored.
        settings_problems: what in the settings file is not used and why.
        table: the table's id, for the names of files; None: they have none.

    Raises:
        JournalUnwritable: the journal cannot be read.
        UnknownGame: no game was named or played before, and none is installed.
        Exception: an error of an installed game's own code is passed on, such as ImportError.
    """
    definition = options.definition or find_last_played(journal)
    config = SessionConfig(
        definition,
        options.player_names,
        settings.get_house_rules(definition),
        options.seed if options.table == "virtual" else None,
        registry.load_games(),
        appliance.take_interrupted_game(),
        run_setup_wizard=options.table == "real",
        settings_problems=tuple(settings_problems),
        is_table_virtual=options.table == "virtual",
    )
    services = TableServices(
        rng=rng,
        has_camera=options.table != "keyboard",
        code_kind=settings.results.code,
        page_address=page_address,
        taught_dice=taught_dice or TaughtDice(),
        house_rules=HouseRules(settings.games, options.data_folder),
        preferences=preferences,
        screen_inches=find_screen_inches() if config.run_setup_wizard else None,
        cafe=settings.cafe,
        taught_buttons=taught or TaughtButtons(),
        appliance=appliance,
        table=table,
        film_export=FilmExport(options.data_folder, preferences),
    )
    session = Session(config, journal, services)
    if journal.damage is not None:
        log.warning("%s", journal.damage.message)
        session.notice = journal.damage.screen_text
    return session


def make_publisher(options: RunOptions, settings: Settings, table: TableIdentity) -> PorchPublisher | None:
    """Make what publishes the table on a local socket for `companion porch`.

    Args:
        options: options of `companion run`.
        settings: section [porch].
        table: the table's id.

    Returns:
        The publisher; None: the settings do not ask for it, or the id cannot be read.
    """
    if not settings.porch.on:
        return None
    if not table.id:
        log.error("%s. Nothing is published before the next start.", table.store.problem)
        return None
    # Not imported otherwise: who has no porch pays nothing for it.
    from companion.porch.messages import find_socket_path
    from companion.porch.publisher import MEMORY_FILE, PorchPublisher

    return PorchPublisher(
        find_socket_path(),
        table.id,
        settings.porch.name,
        options.data_folder / MEMORY_FILE,
        current_language,
        page_address=settings.porch.address,
    )


def find_last_played(journal: Journal) -> AnyGameDefinition:
    """Return the definition of the game in the journal's newest record, or the first one in the lobby's menu.

    The first one is returned if the journal is empty, that record cannot be read or its game is not installed. The
    newest record may be an imported game.

    Raises:
        JournalUnwritable: the journal cannot be read.
        UnknownGame: no game is installed.
        Exception: an error while the game is loaded is passed on, such as ImportError.
    """
    for record in journal.list_games(1):
        try:
            return registry.find_game(GameSetup.from_json(record.setup_json).game)
        except (InvalidSavedGame, registry.UnknownGame):
            continue
    return registry.find_first_game()


def make_window(
    surface: pygame.Surface | None,
    display: DisplaySettings,
    preferences: Callable[[], DisplayPreferences],
    panel: SimulatorPanel | None,
    panels_by_game: Mapping[str, SimulatorPanel],
    volume: Callable[[], tuple[int, str]],
    demo_panel: Callable[[], TablePanel | None] = lambda: None,
    note_drawn: Callable[[pygame.Surface], None] = lambda _surface: None,
) -> ResilientWindow:
    """Make a window that survives a lost screen.

    Args:
        surface: the surface of `open_surface`; None: there is no screen yet.
        display: size of the display, used when a lost screen is opened again.
        preferences: returns the current display preferences; called before each frame.
        panel: the simulated table beside the display; None: there is none.
        panels_by_game: simulated tables of games that have their own, by the game's name.
        volume: returns the volume, 0 to 10, and the name of a `SpeechLevel`; called before each frame.
        demo_panel: returns the table of the demo that is shown; None: there is no demo.
        note_drawn: called with the upright picture whenever it has changed.

    Raises:
        pygame.error: `surface` is given and cannot be drawn on.
    """
    return ResilientWindow(
        surface,
        lambda target: Window(
            target, time.monotonic, panel, panels_by_game, preferences, volume, demo_panel, note_drawn
        ),
        lambda: open_surface(display, with_table=panel is not None),
        time.monotonic,
        preferences=preferences,
        note_drawn=note_drawn,
    )


def make_display_preferences(values: PreferenceValues, table: str) -> DisplayPreferences:
    """Select the display's part of the preferences.

    Args:
        values: all preferences of the device.
        table: "virtual", "real" or "keyboard"; keyboard hints are shown unless it is "real", and who sits at the
            virtual one is near.
    """
    return DisplayPreferences(
        values.palette,
        values.turned,
        values.mirrored,
        values.animations,
        values.touch_seats,
        table != "real",
        is_far=table != "virtual" and needs_far(values.screen_inches, values.distance_m),
    )


def make_panels(session: Session, rng: random.Random) -> tuple[SimulatorPanel, dict[str, SimulatorPanel]]:
    """Make the panels with the simulated tables, as an interrupted game left them. Loads OpenCV.

    Args:
        session: has the interrupted game, if there is one.
        rng: decides on all that is random.

    Returns:
        The panel of all games that declare no use of the camera, and the panels of the others by the game's name.
    """
    from companion.app.table_panel.panel import SimulatorPanel
    from companion.simulation.dice_tray.kit import DICE_TRAY
    from companion.simulation.kit import TableKit, find_table_kit

    game = session.interrupted_game.game if session.interrupted_game else None
    default = find_table_kit(None)
    kits = {each.name: find_table_kit(each) for each in registry.load_games() if each.camera}
    panels: dict[TableKit[Any], SimulatorPanel] = {}
    for kit in (DICE_TRAY, default, *kits.values()):
        if kit not in panels:
            panels[kit] = SimulatorPanel(kit, time.monotonic, rng, game)
    return panels[default], {name: panels[kit] for name, kit in kits.items()}


def make_camera_reader(
    options: RunOptions,
    panel: SimulatorPanel | None,
    panels_by_game: Mapping[str, SimulatorPanel],
    taught_dice: TaughtDice | None = None,
) -> CameraReader:
    """Make the reader of the simulated tables' frames or of the real camera. Loads OpenCV and the networks.

    Args:
        options: options of `companion run`.
        panel: the simulated table; None: the camera of `options` is read, and `panels_by_game` is not used.
        panels_by_game: simulated tables of games that have their own, by the game's name.
        taught_dice: faces of the box's own dice, which help where a reading is in doubt; None: none.

    Returns:
        The reader. A camera is opened when it is first read; a missing one is reported as an event, not raised.
    """
    from companion.camera.camera_reader import CameraReader, WatchedTable, make_watcher
    from companion.camera.learnt_layouts import LayoutCache
    from companion.vision.table.watcher import DiceAndLidWatcher
    from companion.vision.view_check.monitor import ViewMonitor
    from hardware.cameras.camera_opener import CameraOpener
    from hardware.cameras.mains import find_mains_hz

    # A box whose time zone nobody set has a language all the same.
    mains_hz = options.mains_hz or find_mains_hz() or MAINS_HZ_BY_LANGUAGE.get(current_language(), 0)
    opener = CameraOpener(options.camera, mains_hz)
    panels = {find_camera_use(game).watcher: other for game, other in panels_by_game.items()}

    def make_table(use: CameraUse) -> WatchedTable:
        watcher = make_watcher(use)
        # At a simulated table they lie ready beside it until the first throw.
        checker = ViewMonitor(expects_dice=panel is None) if use.is_view_checked else None
        if taught_dice is not None and isinstance(watcher, DiceAndLidWatcher):
            watcher.use_taught_faces(taught_dice)
        if panel is not None:
            return WatchedTable(lambda: panels.get(use.watcher, panel).relay, watcher, None, checker, is_virtual=True)
        cache = LayoutCache(options.data_folder / use.layout_file)
        return WatchedTable(lambda: opener.open(time.monotonic), watcher, cache, checker)

    return CameraReader(make_table, time.monotonic)


def build_waiting_state(reason: str) -> ScreenState:
    """Build the state of the screen that is shown while the journal cannot be opened.

    Args:
        reason: why it cannot be opened and what to do, translated, in one line.
    """
    return ScreenState(
        ScreenKind.WAITING,
        uses_camera=False,
        prompt=_("Games cannot be saved, so no game can start yet"),
        details=(reason, _("The companion tries again by itself")),
    )


def open_with_retry(
    path: Path,
    window: Callable[[], AnyWindow],
    feed_watchdog: Callable[[], None] = lambda: None,
    monotonic: Callable[[], float] = time.monotonic,
    knows_date: Callable[[], bool] = lambda: True,
) -> Journal | None:
    """Open the journal at `path`; while it cannot be accessed, say so in a window and try every RETRY_SECONDS.

    Args:
        path: the journal file; its folder is created if missing.
        window: opens a window; called once, and only if the first attempt fails.
        feed_watchdog: called in every turn of waiting.
        monotonic: the host's monotonic clock, in seconds.
        knows_date: whether the machine knows the date.

    Returns:
        The open journal, to be closed by the caller; None: the window was closed before it could be opened.

    Raises:
        JournalBusy: another companion has it open.
        JournalTooNew: a newer version of the companion wrote it.
        Exception: an error of `window` or of the window's `poll_events` or `show` is passed on.
    """
    waiting_window: AnyWindow | None = None
    reason, next_attempt_at = "", monotonic()
    while waiting_window is None or not waiting_window.closed:
        if monotonic() >= next_attempt_at:
            try:
                return Journal(path, knows_date=knows_date)
            except OSError as error:
                problem = error if isinstance(error, JournalUnwritable) else to_unwritable_error(path, error)
                if problem.screen_text != reason:
                    log.error("%s", problem)
                reason, next_attempt_at = problem.screen_text, monotonic() + RETRY_SECONDS
        if waiting_window is None:
            waiting_window = window()
        waiting_window.poll_events()
        waiting_window.show(build_waiting_state(reason))
        feed_watchdog()
    return None
