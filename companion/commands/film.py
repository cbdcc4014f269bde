"""`companion film`: make a film of a past game, twenty seconds of its best moments."""

import errno
import os
import sys
from argparse import ArgumentParser, Namespace
from contextlib import suppress
from pathlib import Path

from companion.app.film_export import NO_ROOM_STATUS
from companion.commands import CommandError
from companion.commands.argument_values import parse_output_path
from companion.commands.common import (
    add_data_option,
    add_settings_option,
    load_command_settings,
    open_journal,
    print_problems,
)
from companion.commands.gallery import PALETTES, SCREEN_SIZES
from companion.commands.history import parse_game_number
from companion.i18n import LANGUAGES, set_language
from companion.lobby.preferences import Preferences, values_from_settings
from companion.system.progress import PercentLine

DESCRIPTION = (
    "Make a film of a past game: twenty seconds of its best moments, the podium and the result, drawn from the journal "
    "alone, without pictures of the camera. It is an MP4 if the system has ffmpeg, else an animated WebP. Exit status "
    "3: there is no room left for it."
)

DEFAULT_SIZE = "1280x720"
LOWEST_PRIORITY = 19
"""Niceness: everything else on the machine goes first."""
NO_ROOM_ERRORS = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of `companion film` (`game`, `out`, `size`, `language`, `palette`, `settings`, `data`)."""
    parser.add_argument("game", metavar="ID", type=parse_game_number, help="its number in `companion history`")
    parser.add_argument(
        "--out",
        metavar="FILE",
        type=parse_output_path,
        default=Path(),
        help="file to write, NAME.mp4 or NAME.webp, or a folder, such as that of a USB stick (default: this folder)",
    )
    parser.add_argument(
        "--size",
        metavar="WxH",
        choices=SCREEN_SIZES,
        default=DEFAULT_SIZE,
        help="of the pictures: %(choices)s (default: %(default)s)",
    )
    parser.add_argument("--language", choices=tuple(LANGUAGES), help="default: as chosen with the buttons")
    parser.add_argument("--palette", choices=PALETTES, help="default: as chosen with the buttons")
    add_settings_option(parser)
    add_data_option(parser)


def run(args: Namespace) -> int:
    """Write the film of a game, at the lowest priority of this process, so that a game in play is not disturbed.

    It sets the language and $SDL_VIDEODRIVER; nothing appears on the screen. The error output shows the progress.

    Args:
        args: `game` (its number in the journal), `out` (file or folder), `size` (such as "1280x720"), `language` and
            `palette` (None: as preferred on this device), `settings` (file or None), `data` (folder or None).

    Returns:
        Exit status 0, or 1 if only a part of the game could be replayed; the film shows that part.

    Raises:
        CommandError: status 3: there is no room for the film. Status 1: the settings, the journal or the game cannot be
            read, or the film cannot be written.
        Exception: an error of the game's own code or scene is passed on.
    """
    os.environ["SDL_VIDEODRIVER"] = "dummy"
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    lower_priority()
    if args.language is None or args.palette is None:
        settings = load_command_settings(args)
        args.data = settings.find_data_folder(args.data)
        preferences = Preferences(values_from_settings(settings), args.data)
        print_problems(preferences.store.problem, preferences.problem)
        preferred = preferences.values
        args.language, args.palette = args.language or preferred.language, args.palette or preferred.palette
    with open_journal(args) as journal:
        set_language(args.language)
        width, _by, height = args.size.partition("x")
        import pygame

        from companion.film import write_film

        pygame.font.init()
        try:
            size, progress = (int(width), int(height)), PercentLine("Film")
            film = write_film(journal, args.game, args.out, size, args.palette, report=progress.report)
        except OSError as error:
            if error.errno not in NO_ROOM_ERRORS:
                raise
            raise CommandError(f"There is no room left for the film in {args.out}.", NO_ROOM_STATUS) from error
    print(f"The film of game {args.game} is in {film.file} ({film.file.stat().st_size / 1e6:.1f} MB).")
    if film.no_mp4 is not None:
        print(f"It is an animated WebP and no MP4: {film.no_mp4}.")
    if film.problem is not None:
        print(film.problem)
    return 0 if film.problem is None else 1


def lower_priority() -> None:
    """Let every other process go first: the table reacts as fast as without a film, and the film takes longer."""
    if sys.platform != "win32":
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, 0, LOWEST_PRIORITY)
    if sys.platform == "linux":
        with suppress(OSError):
            os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
