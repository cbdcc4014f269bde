"""`companion doctor`: check what works on this machine, and print the remedy for what does not."""

import json
import os
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

from companion.commands import CommandError
from companion.commands.common import add_data_option, add_settings_option
from companion.commands.doctor.check import Check, format_checks
from companion.config.settings import Settings
from companion.config.settings_file import SettingsError, load_settings
from companion.journal.database import JOURNAL_FILE
from companion.system.progress import show_progress

DESCRIPTION = "Check everything that the companion needs, one line each. Exit status 0: it can run; 1: it cannot."


def add_arguments(parser: ArgumentParser) -> None:
    """Add the options of `companion doctor` to its parser."""
    parser.add_argument(
        "--camera", metavar="N|csi|URL|FILE|FOLDER", help="camera to check (default: as in the settings, else 0)"
    )
    add_settings_option(parser)
    add_data_option(parser)
    parser.add_argument(
        "--live",
        action="store_true",
        help="show what the camera sees, with advice while it or a lamp is moved; --camera virtual: a simulated table",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of lines")
    parser.add_argument(
        "--report", metavar="FILE", type=Path, help="write a file for a bug report, without private data"
    )
    parser.add_argument(
        "--picture", action="store_true", help="the report has the camera's picture too; its name ends in .zip"
    )


def run(args: Namespace) -> int:
    """Run and print all checks of this machine, and write a report for a bug report if one is wanted.

    Args:
        args: `camera` (as in the settings; None: theirs), `settings` and `data` (path or None), `live` (show the
            camera's view instead), `json`, `report` (the file to write; None: none), `picture` (include the camera's
            picture; `report` must end in .zip).

    Returns:
        Exit status 0 if the companion can run (no check failed; warnings do not count), else 1.

    Raises:
        CommandError: options that do not go together (status 2), or the report exists already or cannot be written, or
            the camera of `live` cannot be used (1).
        Exception: an error while a game with a section in the settings is loaded is passed on, such as ImportError.
    """
    if args.picture and (args.report is None or args.report.suffix != ".zip"):
        raise CommandError("With --picture the report is an archive: --report NAME.zip", status=2)
    if args.live:
        if args.json or args.report:
            raise CommandError("--live shows the camera's view: leave out --json and --report", status=2)
        _show_live_view(args)
        return 0
    checks = run_checks(args)
    can_run = all(check.mark != "fail" for check in checks)
    if args.json:
        content = {"can_run": can_run, "checks": [asdict(check) for check in checks]}
        print(json.dumps(content, indent=1))
    else:
        print(*format_checks(checks), sep="\n")
        print("The companion can run." if can_run else "The companion cannot run like this.")
    if args.report is not None:
        from companion.commands.doctor.report import write_report

        said = f"{args.report} has all that"
        if write_report(args.report, checks, *load_settings_or_defaults(args), with_picture=args.picture):
            said += " and what the camera sees"
        elif args.picture:
            said += ", but no picture of the camera"
        left_out = "Names, addresses, serial numbers and home folders are left out."
        # Standard output may be JSON for another program.
        print(f"{said}. {left_out}", file=sys.stderr)
    return 0 if can_run else 1


def _show_live_view(args: Namespace) -> None:
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    from companion.commands.doctor.live_view import show_live_view

    settings, folder = load_settings_or_defaults(args)
    show_live_view(args.camera or settings.table.camera, settings, folder)


def load_settings_or_defaults(args: Namespace) -> tuple[Settings, Path]:
    """Return the settings (the defaults if the file cannot be used) and the data folder, which need not exist.

    Args:
        args: with `settings` and `data`: paths from the command line, or None.

    Raises:
        Exception: an error while a game with a section in the settings is loaded is passed on, such as ImportError.
    """
    try:
        settings = load_settings(args.settings).settings
    except SettingsError:
        settings = Settings()  # `system_checks.check_settings` reports it
    return settings, settings.find_data_folder(args.data)


def run_checks(args: Namespace) -> list[Check]:
    """Run all checks on this machine, in the order in which they are printed; takes some seconds.

    The data folder is created if necessary, and the camera's picture is stored there. pygame's greeting is switched off
    by $PYGAME_HIDE_SUPPORT_PROMPT of this process.

    Args:
        args: with `camera` (text), `settings` and `data` (paths), or None for each.

    Returns:
        The results, failed ones included: no check raises for what it finds.

    Raises:
        Exception: an error while a game with a section in the settings is loaded is passed on, such as ImportError.
    """
    # Otherwise pygame prints a greeting on stdout.
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    # Imported here, since pygame and OpenCV are slow to load and other commands do not need them.
    from companion.app.button_input import button_box_ports, gpio_pins
    from companion.commands.doctor import button_checks, camera_checks, ribbon_checks, system_checks
    from companion.config.taught_buttons import TaughtButtons

    settings, folder = load_settings_or_defaults(args)
    buttons = settings.table.buttons if settings.table.kind == "real" else ""
    checks: tuple[Callable[[], Check], ...] = (
        system_checks.check_python,
        lambda: system_checks.check_settings(args.settings),
        system_checks.check_display,
        lambda: camera_checks.check_camera(
            args.camera or settings.table.camera,
            args.camera is not None,
            folder=folder.absolute(),
            mains_hz=settings.table.mains_hz,
        ),
        ribbon_checks.check_ribbon_cameras,
        button_checks.check_permissions,
        lambda: button_checks.check_pins(gpio_pins(settings), buttons in {"gpio", "both"}),
        lambda: button_checks.check_button_box(button_box_ports(settings), buttons in {"box", "both"}),
        lambda: button_checks.check_controllers(TaughtButtons(folder).bindings),
        system_checks.check_power,
        system_checks.check_fonts,
        system_checks.check_models,
        system_checks.check_speech,
        system_checks.check_games,
        lambda: system_checks.check_disk(folder),
        lambda: system_checks.check_journal(folder / JOURNAL_FILE),
        lambda: system_checks.check_choices(folder),
        system_checks.check_clocks,
    )
    return [check() for check in show_progress(checks, "Checking")]
