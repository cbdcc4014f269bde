"""`companion run`: play."""

from __future__ import annotations

import logging
import os
import random
import sys
import tempfile
from argparse import SUPPRESS, ArgumentParser, Namespace, _SubParsersAction
from pathlib import Path
from typing import NoReturn

from companion.commands.common import run_reporting_errors
from companion.config.settings import DisplaySettings, Settings, SettingsError, TableSettings, load_settings
from companion.games import registry
from companion.i18n import set_language
from companion.journal.database import JOURNAL_FILE, Journal
from companion.system import logging_setup
from companion.system.systemd_notify import SystemdNotifier

DEFAULT_GAME = "macroscope"
"""The game where none is named and none was played."""


def add_parser(subparsers: _SubParsersAction[ArgumentParser]) -> None:
    """Add the command to the program's."""
    parser = subparsers.add_parser(
        "run",
        help="play",
        description="Play: on a real table with buttons and a camera, on a drawn one, or by keys alone.",
    )
    parser.add_argument(
        "--game", choices=registry.list_game_names(), help="which game (the one played last; else macroscope)"
    )
    parser.add_argument("--players", nargs="+", metavar="NAME", default=[], help="names, clockwise")
    parser.add_argument(
        "--table",
        choices=("virtual", "real", "keyboard"),
        help="a drawn table for the mouse, a real one, or no camera at all (as in the settings; else virtual)",
    )
    parser.add_argument(
        "--camera", metavar="N|csi|URL|FILE|FOLDER", help="which camera sees a real table (as in the settings; else 0)"
    )
    parser.add_argument("--headless", action="store_true", help="no screen: a game plays itself on the virtual table")
    parser.add_argument("--seed", type=int, help="makes the virtual table and its players repeatable")
    parser.add_argument("--shots", metavar="DIR", type=Path, help="save pictures of the display there (headless)")
    parser.add_argument("--settings", metavar="FILE", type=Path, help="settings instead of the usual file")
    parser.add_argument("--data", metavar="FOLDER", type=Path, help="where the journal is kept")
    parser.add_argument("--or-headless", action="store_true", help=SUPPRESS)  # of `make run`
    parser.set_defaults(run=run)


def run(args: Namespace) -> int:
    """Do what the command line says; the exit status."""
    logging_setup.set_up_logging()
    trouble = ""
    try:
        settings = load_settings(args.settings)
    except SettingsError as error:
        print(error, file=sys.stderr)
        if not SystemdNotifier().is_present:
            return 2
        # A box stays playable: it would only be started again, with the same settings and a dark screen.
        settings, trouble = make_appliance_settings(), str(error).splitlines()[0]
    set_language(settings.words.language)
    if args.game or args.headless:
        problem = check_player_count(args)
        if problem:
            print(problem, file=sys.stderr)
            return 2
    return run_reporting_errors(
        lambda: run_self_play(args, settings) if args.headless else play_on_screen(args, settings, trouble)
    )


def check_player_count(args: Namespace) -> str | None:
    """What is wrong with the number of players for the game; None: nothing."""
    kit = registry.find_game(args.game or DEFAULT_GAME)
    if not args.players or len(args.players) in kit.player_counts:
        return None
    return f"{kit.title} is for {kit.player_counts[0]} to {kit.player_counts[-1]} players, not {len(args.players)}"


def make_appliance_settings() -> Settings:
    """What the installer sets where the defaults are for a desk: a real table, the whole screen."""
    return Settings(table=TableSettings(kind="real"), display=DisplaySettings(fullscreen=True))


def play_on_screen(args: Namespace, settings: Settings, settings_problem: str = "") -> int:
    """Open the window and play until it is closed. `make run` alone goes on without a screen.

    Args:
        args: the command line.
        settings: those in force.
        trouble: why these are not the settings file's; empty: they are.
    """
    import_pygame_without_pkg_resources()
    from companion.app.composition import RunOptions
    from companion.app.main_loop import run_at_screen, wait_for_screen
    from companion.app.window import NoScreen, open_surface

    wishes = RunOptions(
        definition=registry.find_game(args.game) if args.game else None,
        player_names=tuple(args.players),
        table=args.table or settings.table.kind,
        camera=args.camera or settings.table.camera,
        seed=args.seed,
        data_folder=settings.find_data_folder(args.data),
    )
    beside = wishes.table == "virtual"
    supervisor = SystemdNotifier()
    surface = None
    try:
        surface = open_surface(settings.display, with_table=beside)
    except NoScreen as why:
        if args.or_headless and beside:
            problem = check_player_count(args)
            print(problem or f"There is {why}: a game plays itself.", flush=True)
            return 2 if problem else run_self_play(args, settings)
        if wishes.table != "real":
            surface = wait_for_screen(settings.display, str(why), with_table=beside, notifier=supervisor)
    run_at_screen(wishes, settings, surface, supervisor, settings_problem)
    if supervisor.is_present:
        exit_at_once()
    return 0


def exit_at_once() -> NoReturn:
    """End the process now: all is closed and on the disk, and systemd gives us two seconds.

    Taking apart the interpreter, module by module, with OpenCV and the nets in it, takes longer than that on a busy Pi;
    so does a camera that answers no more.
    """
    logging.shutdown()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)


def import_pygame_without_pkg_resources() -> None:
    """Keep pygame 2.6 from loading setuptools' pkg_resources, half of its own time to load, to find files beside it.

    Where it is missing pygame finds them by their path (pygame/pkgdata.py).
    """
    if "pkg_resources" in sys.modules:
        return
    # To Python that is a module that cannot be imported; typeshed knows of no such entry.
    sys.modules["pkg_resources"] = None  # type: ignore[assignment]
    try:
        import pygame  # noqa: F401 - for its loading alone
    finally:
        del sys.modules["pkg_resources"]


def run_self_play(args: Namespace, settings: Settings) -> int:
    """A whole game without a screen, told line by line."""
    from companion.app.self_play import ScreenshotRecorder, SelfPlay, StuckGame
    from companion.app.session import SessionConfig
    from companion.camera.reader import make_watcher
    from companion.camera.worker import find_camera_use

    seed = random.SystemRandom().randrange(1_000_000) if args.seed is None else args.seed
    folder = args.shots or Path(tempfile.mkdtemp(prefix="companion-"))
    folder.mkdir(parents=True, exist_ok=True)
    folder = folder.resolve()
    kit = registry.find_game(args.game or DEFAULT_GAME)
    print(f"{kit.title} plays itself at the virtual table, seed {seed}.", flush=True)
    with tempfile.TemporaryDirectory() as data, Journal((args.data or Path(data)) / JOURNAL_FILE) as journal:
        plan = SessionConfig(kit, tuple(args.players), settings.get_house_rules(kit), seed)
        shots = ScreenshotRecorder(folder)
        game = SelfPlay(
            plan, journal, make_watcher(find_camera_use(kit.name)), lambda line: print(line, flush=True), shots
        )
        try:
            game.play()
        except StuckGame as error:
            print(error, file=sys.stderr)
            return 1
    print(f"{len(shots.saved)} pictures of the display are in {folder}")
    return 0
