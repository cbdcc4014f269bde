"""Pictures of dice, stored beside the journal: a die under a cup must stay hidden until the cup is lifted.

Each game has a folder that only its owner can read; each picture is written atomically. The pictures are optional: on a
full disk one is lost, never the game. They are never deleted, as the journal deletes no game: one
that was not recovered from a damaged journal may still be rescued by hand.
"""

from contextlib import suppress
from pathlib import Path

from companion.system.atomic_file import read_file, write_atomic

PICTURES_FOLDER = "faces"
"""Folder beside the journal's file, with a folder per game."""
MAX_PICTURE_BYTES = 200_000
"""Largest picture; a die's takes about 10 kB."""
MAX_PICTURES_PER_GAME = 500
"""Most pictures in an exported game."""
_SUFFIX = ".jpg"
_JPEG_SIGNATURE = b"\xff\xd8\xff"


class PictureUnwritable(OSError):
    """The picture could not be stored; the message is one line for the screen."""


class DiePictures:
    """Pictures of one game, by name.

    Args:
        journal_file: path of the journal.
        uid: the game's unique id.
    """

    def __init__(self, journal_file: Path, uid: str) -> None:
        self._folder = journal_file.parent / PICTURES_FOLDER / uid

    def save(self, name: str, picture: bytes) -> None:
        """Store a JPEG under `name`, replacing an earlier one.

        Args:
            name: letters, digits and dashes; round and number of the die, such as "2-1".
            picture: a JPEG of at most MAX_PICTURE_BYTES. It is not checked here; `load` does not return another.

        Raises:
            PictureUnwritable: there is now no picture of that name; the message is one line for the screen.
        """
        path = self._get_path(name)
        try:
            self._folder.parent.mkdir(mode=0o700, exist_ok=True)
            self._folder.mkdir(mode=0o700, exist_ok=True)
            write_atomic(path, picture)
        except OSError as error:
            with suppress(OSError):  # out of reach: nobody can see it either
                path.unlink(missing_ok=True)
            raise PictureUnwritable(
                f"The picture of this die could not be kept ({error.strerror or error}). The game goes on without it."
            ) from error

    def load(self, name: str) -> bytes | None:
        """Return the JPEG stored under `name`; None: there is none, it cannot be read or is no JPEG. Never raises."""
        try:
            data = read_file(self._get_path(name), MAX_PICTURE_BYTES)
        except OSError:
            return None
        return data if is_valid_picture(data) else None

    def list_names(self) -> tuple[str, ...]:
        """Return the names of all stored pictures, sorted as text; empty also if the folder cannot be read."""
        try:
            return tuple(sorted(path.stem for path in self._folder.iterdir() if path.suffix == _SUFFIX))
        except OSError:
            return ()

    def _get_path(self, name: str) -> Path:
        return self._folder / f"{name}{_SUFFIX}"


def is_valid_picture(data: bytes) -> bool:
    """Return whether `data` may be a stored picture: a JPEG of at most MAX_PICTURE_BYTES."""
    return data.startswith(_JPEG_SIGNATURE) and len(data) <= MAX_PICTURE_BYTES
