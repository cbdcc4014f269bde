"""Write the film of a game of the journal into a file, atomically: MP4 by the system's ffmpeg, else animated WebP."""

import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import tzinfo
from pathlib import Path

from companion.film.animated_webp import AnimatedWebp
from companion.film.ffmpeg import FRAME_RATE, FfmpegError, encode_mp4, has_ffmpeg
from companion.film.pictures import Film, FilmPicture, format_film_name
from companion.journal.database import Journal
from companion.journal.entry import GameSetup
from companion.journal.exported_game import replay_game
from companion.journal.play_time import find_begin
from companion.system.atomic_file import open_atomic

FILM_MODE = 0o644
"""Permissions of a film: the program's other files are private (its umask), this one is taken home."""
WEBP_FRAME_RATE = 10
"""Frames a second of an animated WebP: more makes a larger file, and few programs play it faster."""
WEBP_SUFFIX = ".webp"


@dataclass(frozen=True, slots=True)
class WrittenFilm:
    """A film that was written.

    Attributes:
        file: where it is.
        problem: why only a part of the game could be replayed; None: all was.
        no_mp4: why it is no MP4; None: it is one, or none was wanted.
    """

    file: Path
    problem: str | None
    no_mp4: str | None


def write_film(
    journal: Journal,
    number: int,
    target: Path,
    size: tuple[int, int] = (1280, 720),
    palette: str = "dark",
    zone: tzinfo | None = None,
    report: Callable[[float], None] = lambda _share: None,
) -> WrittenFilm:
    """Write the film of game `number`, replacing a file of that name; texts in the current language.

    It is an MP4 if the system has ffmpeg, else an animated WebP.

    Args:
        journal: where the game is; only read.
        number: number of the game in the journal, from 1; it need not be finished.
        target: the file, or a folder in which it is named by `format_film_name`. A name that ends in ".webp" asks for
            that form; of any other the suffix is replaced if it does not fit what is written.
        size: width and height in pixels, 800 x 480 or more.
        palette: colours, a key of `companion.display.toolkit.PALETTES`.
        zone: time zone of the day in the title; None: local time.
        report: receives the share that is done, 0 to 1, after each picture.

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

    def name_file(suffix: str) -> Path:
        if target.is_dir():
            return target / format_film_name(setup.game, number, begun, record.uid, suffix)
        return target if suffix == WEBP_SUFFIX == target.suffix else target.with_suffix(suffix)

    def draw(frame_rate: float) -> Iterator[FilmPicture]:
        film, done = Film(replay, begun, size, palette, frame_rate), 0
        for picture in film.draw_pictures():
            yield picture
            done += picture.frames
            report(done / film.frame_count)

    wants_mp4 = target.suffix != WEBP_SUFFIX
    no_mp4 = "there is no ffmpeg on this system" if wants_mp4 and not has_ffmpeg() else None
    file = name_file(".mp4" if wants_mp4 and no_mp4 is None else WEBP_SUFFIX)
    # The file is opened first: a folder that is missing is reported before the film is drawn.
    if file.suffix != WEBP_SUFFIX:
        try:
            with open_atomic(file) as stream, tempfile.TemporaryDirectory(prefix="companion-film-") as folder:
                encoded = Path(folder) / "film.mp4"
                encode_mp4(draw(FRAME_RATE), size, encoded)
                with encoded.open("rb") as source:
                    shutil.copyfileobj(source, stream)
        except FfmpegError as error:
            no_mp4, file = f"ffmpeg has failed ({error})", name_file(WEBP_SUFFIX)
    if file.suffix == WEBP_SUFFIX:
        with open_atomic(file) as stream:
            film = AnimatedWebp(stream, size)
            for picture in draw(WEBP_FRAME_RATE):
                film.add_picture(picture.pixels, picture.frames * 1000 // WEBP_FRAME_RATE)
            film.finish()
    with suppress(OSError):  # a FAT stick has no permissions
        file.chmod(FILM_MODE)
    return WrittenFilm(file, replay.problem, no_mp4)
