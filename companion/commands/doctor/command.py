"""`companion doctor`: what works here, what does not, and what helps."""

from __future__ import annotations

import json
import os
import sys
from argparse import ArgumentParser, Namespace, _SubParsersAction
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from companion.config.settings import Settings, SettingsError, load_settings
from companion.journal.database import JOURNAL_FILE

if TYPE_CHECKING:
    from companion.commands.doctor.system_checks import Check


def add_parser(subparsers: _SubParsersAction[ArgumentParser]) -> None:
    """Add the command to the program's."""
    parser = subparsers.add_parser(
        "doctor",
        help="what works here, and what helps where it does not",
        description="Look at what the companion needs, one line each. Exit status 0: it can run; 1: it cannot.",
    )
    parser.add_argument("--camera", metavar="N|csi|URL|FILE|FOLDER", help="this camera (as in the settings; else 0)")
    parser.add_argument("--settings", metavar="FILE", type=Path, help="settings instead of the usual file")
    parser.add_argument("--data", metavar="FOLDER", type=Path, help="where the journal is kept")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of lines")
    parser.add_argument(
        "--report", metavar="FILE", type=Path, help="write all of it to one file for a bug report, with nothing private"
    )
    parser.add_argument(
        "--picture", action="store_true", help="put what the camera sees into the report; its name then ends in .zip"
    )
    parser.set_defaults(run=run)


def run(args: Namespace) -> int:
    """Look at everything and tell it; 0 if the companion can run, else 1."""
    if args.picture and (args.report is None or args.report.suffix != ".zip"):
        print("With --picture the report is an archive: --report NAME.zip", file=sys.stderr)
        return 2
    found = run_checks(args)
    fit = all(check.mark != "fail" for check in found)
    if args.json:
        print(json.dumps({"can_run": fit, "checks": [asdict(check) for check in found]}, indent=1, ensure_ascii=False))
    else:
        print(
            "\n".join(
                [*format_checks(found), "The companion can run." if fit else "The companion cannot run like this."]
            )
        )
    if args.report is not None and not write_report(args, found):
        return 1
    return 0 if fit else 1


def write_report(args: Namespace, checks: Sequence[Check]) -> bool:
    """Write the report and say so; whether that could be done."""
    from companion.commands.doctor.report import ReportUnwritable, write_report

    settings, folder = load_settings_or_defaults(args)
    try:
        write_report(args.report, checks, settings, folder, with_picture=args.picture)
    except ReportUnwritable as why:
        print(why, file=sys.stderr)
        return False
    what = " and what the camera sees" if args.picture else ""
    # Standard output may be JSON for another program.
    print(f"{args.report} has all that{what}. Names, addresses and home folders are left out.", file=sys.stderr)
    return True


def load_settings_or_defaults(args: Namespace) -> tuple[Settings, Path]:
    """The settings, the defaults where they cannot be read, and the data folder."""
    try:
        settings = load_settings(args.settings)
    except SettingsError:
        settings = Settings()  # `system_checks.settings` tells
    return settings, settings.find_data_folder(args.data)


def run_checks(args: Namespace) -> list[Check]:
    """All checks, on this machine."""
    # pygame greets on stdout otherwise.
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    # Late, for pygame and OpenCV are slow to load and the other commands do without.
    from companion.app.button_input import button_box_ports, gpio_pins
    from companion.commands.doctor import button_checks, camera_checks, system_checks

    settings, folder = load_settings_or_defaults(args)
    real = settings.table.kind == "real"
    return [
        system_checks.check_python(),
        system_checks.check_settings(args.settings),
        system_checks.check_display(),
        camera_checks.check_camera(
            args.camera or settings.table.camera, args.camera is not None, folder=folder.absolute()
        ),
        button_checks.check_permissions(),
        button_checks.check_pins(gpio_pins(settings), real and settings.table.buttons in {"gpio", "both"}),
        button_checks.check_button_box(button_box_ports(settings), real and settings.table.buttons in {"box", "both"}),
        system_checks.check_fonts(),
        system_checks.check_models(),
        system_checks.check_disk(folder),
        system_checks.check_journal(folder / JOURNAL_FILE),
        system_checks.check_clocks(),
    ]


def format_checks(checks: Sequence[Check]) -> list[str]:
    """One line a check: mark, name, what was found, and what to do."""
    widest = max(len(check.name) for check in checks)
    return [
        f"{check.mark:4}  {check.name:{widest}}  {check.found}{f' -> {check.fix}' if check.fix else ''}"
        for check in checks
    ]
