"""`companion run`: play."""

import logging
import os
import random
import sys
import tempfile
from argparse import SUPPRESS, ArgumentParser, Namespace
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from companion.api import format_player_counts, registry
from companion.commands import CommandError
from companion.commands.argument_values import parse_name, parse_whole_number
from companion.commands.common import add_data_option, add_settings_option, print_problems, report_errors
from companion.config.settings import DisplaySettings, LanguageSettings, Settings, TableSettings
from companion.config.settings_file import SettingsError, load_settings
from companion.events import SEAT_BUTTONS
from companion.i18n import find_system_language, set_language
from companion.journal.database import JOURNAL_FILE, Journal
from companion.journal.entry import MAX_WHOLE_NUMBER
from companion.names import make_name_key
from companion.system import logging_setup
from companion.system.systemd_notify import SystemdNotifier

if TYPE_CHECKING:
    from companion.app.simulated_table_porch import SimulatedTablePorch

DESCRIPTION = "Play: at a real table with buttons and a camera, at a simulated one, or with the keyboard only."


def add_arguments(parser: ArgumentParser) -> None:
    """Add the options of `companion run` to its parser.

    They are `game`, `players`, `table`, `camera`, `demo`, `headless`, `seed`, `shots`, `settings`, `data` and
    `or_headless`.
    """
    parser.add_argument(
        "--game",
        metavar="GAME",
        choices=registry.list_game_names(),
        help=f"which game: {', '.join(registry.list_game_names())} (default: the one played last)",
    )
    parser.add_argument(
        "--players", nargs="+", metavar="NAME", type=parse_name, default=[], help="players' names, clockwise"
    )
    parser.add_argument(
        "--table",
        choices=("virtual", "real", "keyboard"),
        help="simulated for the mouse, real, or keyboard only (default: as in the settings, else virtual)",
    )
    parser.add_argument(
        "--camera", metavar="N|csi|URL|FILE|FOLDER", help="camera of a real table (default: as in the settings, else 0)"
    )
    parser.add_argument("--demo", action="store_true", help="begin with a demo: a game plays itself on the screen")
    parser.add_argument("--headless", action="store_true", help="no screen: a game plays itself at a simulated table")
    parser.add_argument(
        "--seed",
        metavar="N",
        type=partial(parse_whole_number, low=-MAX_WHOLE_NUMBER, high=MAX_WHOLE_NUMBER),
        help="seed of the simulated table and its players, to repeat a game",
    )
    parser.add_argument("--shots", metavar="DIR", type=Path, help="folder for pictures of the screen (headless)")
    add_settings_option(parser)
    add_data_option(parser)
    parser.add_argument("--or-headless", action="store_true", help=SUPPRESS)  # of `make run`


def run(args: Namespace) -> None:
    """Play until the window is closed or SIGTERM arrives; with `--headless` let one game play itself.

    It replaces all handlers of the root logger and sets the language. As a service of systemd the process ends with
    status 0 without returning (`exit_at_once`).

    Args:
        args: the options of `add_arguments`; `table`, `camera` and `data` None: as in the settings; `game` None: the
            lobby begins with the game that was played last; `seed` None: random.

    Raises:
        CommandError: status 2: nothing in the settings file can be used (as a service it plays with an appliance's
            defaults instead), the game is not for these players, or an option would have no effect. Status 1: the
            journal or a file cannot be used, or the game that plays itself does not end.
        pygame.error: there is a screen, but no window can be opened on it.
        KeyboardInterrupt: Ctrl-C.
        Exception: a stage failed repeatedly (see `companion.app.crash_guard`), or a game cannot be loaded.
    """
    logging_setup.set_up_logging()
    try:
        settings, problems = load_settings(args.settings)
    except SettingsError as error:
        if not SystemdNotifier().is_present:
            raise CommandError(error, status=2) from error
        # An appliance stays playable: systemd would only start it again with the same settings and a dark screen.
        settings, problems = Settings(), (str(error),)
    if problems and SystemdNotifier().is_present:
        settings = add_appliance_defaults(settings)
    print_problems(*problems)
    set_language(settings.words.language)
    with report_errors():
        check_players(args)
        check_effects(args, settings)
        if args.headless:
            run_self_play(args, settings)
        else:
            play_on_screen(args, settings, problems)


def check_players(args: Namespace, *, headless: bool = False) -> None:
    """Check that the game can be played by the players whom the command line names.

    Args:
        args: `players` (names; empty: nothing is checked), `game` (name of an installed game; None: it is chosen in the
            lobby, or with `headless` it is the first one in its menu) and `headless` (bool: a game plays itself).
        headless: a game plays itself, also without `args.headless`.

    Raises:
        CommandError: the game, or the table if none is known yet, is not for that many players, or two players have the
            same name; status 2.
        UnknownGame: that game is not installed.
        Exception: an error while the game is loaded is passed on, such as ImportError.
    """
    if not args.players:
        return
    keys = [make_name_key(name) for name in args.players]
    for name, key in zip(args.players, keys, strict=True):
        if keys.count(key) > 1:
            raise CommandError(f"{name} is named twice: each player needs another name", status=2)
    if args.game or args.headless or headless:
        game = registry.find_game(args.game) if args.game else registry.find_first_game()
        what, allowed = game.title, game.player_counts
    else:
        what, allowed = "The table", range(1, len(SEAT_BUTTONS) + 1)
    if len(args.players) not in allowed:
        raise CommandError(f"{what} is for {format_player_counts(allowed)}, not {len(args.players)}", status=2)


def check_effects(args: Namespace, settings: Settings) -> None:
    """Check that no option of the command line is without effect beside the others.

    Args:
        args: `headless` (bool), `table`, `camera` (texts or None) and `shots` (path or None).
        settings: the kind of table where `args.table` is None.

    Raises:
        CommandError: an option would have no effect; the message says what goes together; status 2.
    """
    if args.headless:
        if args.table not in (None, "virtual"):
            raise CommandError(f"--headless plays at a simulated table, not with --table {args.table}", status=2)
        if args.demo:
            raise CommandError("--headless has no screen for a demo: leave one of the two out", status=2)
        if args.camera is not None:
            raise CommandError("--headless plays at a simulated table: --camera has no effect there", status=2)
        return
    if args.shots is not None:
        raise CommandError("--shots takes pictures of a game that plays itself: add --headless", status=2)
    if args.camera is not None and (args.table or settings.table.kind) != "real":
        raise CommandError("--camera is for a real table: add --table real", status=2)


def add_appliance_defaults(settings: Settings) -> Settings:
    """Return the settings with those that the installer makes for an appliance: a real table and the full screen.

    What the file sets stays as it is.

    >>> add_appliance_defaults(Settings()).table.kind
    'real'
    """
    table = TableSettings.model_validate({"kind": "real"} | settings.table.model_dump(exclude_unset=True))
    display = DisplaySettings.model_validate({"fullscreen": True} | settings.display.model_dump(exclude_unset=True))
    return settings.model_copy(update={"table": table, "display": display})


def add_system_language(settings: Settings, environment: Mapping[str, str] = os.environ) -> Settings:
    """Return the settings with the system's language, unless the file chooses one.

    >>> add_system_language(Settings(), {"LANG": "it_IT.UTF-8"}).words.language
    'it'
    """
    words = {"language": find_system_language(environment)} | settings.words.model_dump(exclude_unset=True)
    return settings.model_copy(update={"words": LanguageSettings.model_validate(words)})


def play_on_screen(args: Namespace, settings: Settings, settings_problems: Sequence[str] = ()) -> None:
    """Open the window and play until it is closed or SIGTERM arrives. Call it in the main thread.

    Without a screen a simulated table waits for one; with `args.or_headless` a game plays itself instead.

    Args:
        args: the options of `add_arguments`.
        settings: used for what the command line does not give.
        settings_problems: what in the settings file is not used and why, for the screen.

    Raises:
        CommandError: a game that plays itself is not for that many players (status 2), or does not end (status 1).
        JournalBusy: another process has the journal open.
        JournalTooNew: a newer version of the companion wrote the journal.
        JournalUnwritable: the journal cannot be opened, in a game that plays itself (at a screen the program waits
            until it can), or it was opened and then cannot be read.
        OSError: pictures of a game that plays itself cannot be written.
        pygame.error: there is a screen, but no window can be opened on it.
        KeyboardInterrupt: Ctrl-C.
        Exception: a stage failed repeatedly (see `companion.app.crash_guard`), or a game cannot be loaded.
    """
    import_pygame_without_pkg_resources()
    from companion.app.composition import RunOptions
    from companion.app.main_loop import run_at_screen, wait_for_screen
    from companion.app.window import NoScreen, open_surface

    options = RunOptions(
        definition=registry.find_game(args.game) if args.game else None,
        player_names=tuple(args.players),
        table=args.table or settings.table.kind,
        camera=args.camera or settings.table.camera,
        seed=args.seed,
        data_folder=settings.find_data_folder(args.data),
        demo=args.demo,
        mains_hz=settings.table.mains_hz,
    )
    with_table = options.table == "virtual"
    notifier = SystemdNotifier()
    surface = None
    try:
        surface = open_surface(settings.display, with_table=with_table)
    except NoScreen as why:
        if args.or_headless and with_table:
            check_players(args, headless=True)
            print(f"There is {why}: a game plays itself.", flush=True)
            return run_self_play(args, settings)
        # A real table can be played with buttons and lamps alone; any other is of no use without a screen.
        if options.table != "real":
            surface = wait_for_screen(settings.display, str(why), notifier, with_table=with_table)
    run_at_screen(options, add_system_language(settings), surface, notifier, settings_problems)
    # Only systemd has no patience with the interpreter's clean-up.
    if notifier.is_present:
        exit_at_once()
    return None


def exit_at_once() -> NoReturn:
    """End the process with status 0 without the interpreter's clean-up. All files must be closed and synced before.

    systemd kills the service after two seconds. With OpenCV and the networks loaded the clean-up takes longer than that
    on a busy Pi, and so does a camera that no longer answers.
    """
    logging.shutdown()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)


def import_pygame_without_pkg_resources() -> None:
    """Import pygame 2.6 without setuptools' pkg_resources, which takes half of the time that pygame takes to load.

    It needs pkg_resources only to find its own files; without it pygame uses their path (pygame/pkgdata.py).
    """
    if "pkg_resources" in sys.modules:
        return
    # None stands for a module that cannot be imported; typeshed does not know such an entry.
    sys.modules["pkg_resources"] = None  # type: ignore[assignment]  # None bars an import
    try:
        import pygame  # noqa: F401 - only to load it
    finally:
        del sys.modules["pkg_resources"]


def run_self_play(args: Namespace, settings: Settings) -> None:
    """Let one game play itself in simulated time without a screen; print each move.

    Args:
        args: `seed` (None: random), `shots` (folder for pictures of the screen; None: none are saved), `game` (name;
            None: the first one of the lobby), `players` (names, as many as the game allows; empty: three players),
            `data` (folder of the journal; None: a temporary one, which is deleted at the end).
        settings: the game's house rules; if the porch is on, others can watch.

    Raises:
        CommandError: the game does not end within the simulated time limit; status 1.
        JournalError: the journal cannot be opened or read.
        OSError: the folder of the pictures cannot be made or written.
        UnknownGame: the game is not installed.
        Exception: an error of the game's own code or scene is passed on.
    """
    from companion.app.self_play import ScreenshotRecorder, SelfPlay, StuckGame
    from companion.app.session import SessionConfig
    from companion.camera.camera_reader import make_watcher

    seed = random.SystemRandom().randrange(1_000_000) if args.seed is None else args.seed
    screenshots = None
    if args.shots is not None:
        folder = args.shots.resolve()
        folder.mkdir(parents=True, exist_ok=True)
        screenshots = ScreenshotRecorder(folder)
    definition = registry.find_game(args.game) if args.game else registry.find_first_game()
    print(f"{definition.title} plays itself at the simulated table, seed {seed}.", flush=True)
    with ExitStack() as resources:
        porch = _open_porch() if settings.porch.on else None
        if porch is not None:
            resources.callback(porch.close)
            print("It is played at the speed of a table: `companion porch` shows it to others.", flush=True)
        data = args.data or Path(resources.enter_context(tempfile.TemporaryDirectory(prefix="companion-")))
        journal = resources.enter_context(Journal(data / JOURNAL_FILE))
        game = SelfPlay(
            SessionConfig(definition, tuple(args.players), settings.get_house_rules(definition), seed),
            journal,
            make_watcher(definition.camera) if definition.camera else None,
            lambda line: print(line, flush=True),
            screenshots,
            watch=porch.show if porch is not None else None,
        )
        try:
            game.play()
        except StuckGame as error:
            raise CommandError(error) from error
        if screenshots is not None:
            print(f"{len(screenshots.saved)} pictures of the screen are in {screenshots.folder}", flush=True)
        if porch is not None:
            porch.wait_for_readers()


def _open_porch() -> "SimulatedTablePorch":
    """Make what publishes a game that plays itself.

    Raises:
        CommandError: another program publishes a table.
    """
    from companion.app.simulated_table_porch import SimulatedTablePorch, SocketInUse

    try:
        return SimulatedTablePorch()
    except SocketInUse as error:
        raise CommandError(error) from error
