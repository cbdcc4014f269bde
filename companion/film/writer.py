"""Write the film of a game of the journal into a file, atomically."""

from contextlib import suppress
from datetime import tzinfo
from pathlib import Path

from companion.film.animated_webp import AnimatedWebp
from companion.film.pictures import draw_film, format_film_name
from companion.journal.database import Journal
from companion.journal.entry import GameSetup
from companion.journal.import_export import replay_game
from companion.journal.play_time import find_begin
from companion.system.atomic_file import open_atomic

FILM_MODE = 0o644
"""Permissions of a film: the program's other files are private (its umask), this one is taken home."""


def write_film(
    journal: Journal,
    number: int,
    target: Path,
    size: tuple[int, int] = (1280, 720),
    palette: str = "dark",
    zone: tzinfo | None = None,
) -> tuple[Path, str | None]:
    """Write the film of game `number` as animated WebP, replacing a file of that name; texts in the current language.

    Args:
        journal: where the game is; only read.
        number: number of the game in the journal, from 1; it need not be finished.
        target: the file, or a folder in which it is named by `format_film_name`.
        size: width and height in pixels, 800 x 480 or more.
        palette: colours, a key of `companion.display.toolkit.PALETTES`.
        zone: time zone of the day in the title; None: local time.

    Returns:
        The file, and why only a part of the game could be replayed (None: all was).

    Raises:
        InvalidSavedGame: there is no such game, it is not installed, or its setup or entries cannot be read.
        JournalUnwritable: the journal cannot be read.
        OSError: the film cannot be written (disk full); a file of an earlier film is unchanged, and nothing is left.
        Exception: an error of the game's own code or scene is passed on.
    """
    record = journal.get_game(number)
    setup = GameSetup.from_json(record.setup_json)
    replay = replay_game(setup, journal.read_entries(number)).with_names(journal.player_names.resolve)
    begun = find_begin(record, journal.clock, zone)
    file = target / format_film_name(setup.game, number, begun, record.uid) if target.is_dir() else target
    with open_atomic(file) as stream:
        film = AnimatedWebp(stream, size)
        for picture in draw_film(replay, begun, size, palette):
            film.add_picture(picture.pixels, picture.duration_ms)
        film.finish()
    with suppress(OSError):  # a FAT stick has no permissions
        file.chmod(FILM_MODE)
    return file, replay.problem
