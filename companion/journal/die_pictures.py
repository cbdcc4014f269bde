"""Pictures of dice, stored beside the journal: a die under a cup must stay hidden until the cup is lifted.

Each game has a folder that only its owner can read; each picture is written atomically. The pictures are optional: on a
full disk one is lost, never the game. They are never deleted, as the journal deletes no game: one
that was not recovered from a damaged journal may still be rescued by hand.
"""

from contextlib import suppress
from pathlib import Path

from companion.file_reader import read_file
from companion.system.atomic_file import write_atomic

PICTURES_FOLDER = "faces"
"""Folder beside the journal's file, with a folder per game."""
MAX_PICTURE_BYTES = 200_000
"""Largest picture; a die's takes about 10 kB."""
MAX_PICTURES_PER_GAME = 500
"""Most pictures in an exported game."""
_SUFFIX = ".jpg"
_JPEG_SIGNATURE = b"\xff\xd8\xff"


class PictureUnwritable(OSError):
    """The picture could not be stored; the message is one English line for the screen."""


class DiePictures:
    """The stored pictures of the dice of one game, by name. The folder is created when the first one is saved.

    Args:
        journal_file: path of the journal; the pictures are in PICTURES_FOLDER beside it.
        uid: the game's unique id, 32 hexadecimal digits.
    """

    def __init__(self, journal_file: Path, uid: str) -> None:
        self._folder = journal_file.parent / PICTURES_FOLDER / uid

    def save(self, name: str, picture: bytes) -> None:
        """Store a JPEG under `name`, replacing an earlier one.

        Args:
            name: number of the round and number of the die, such as "2-1". It is not checked, and becomes a file name.
            picture: a JPEG of at most MAX_PICTURE_BYTES. It is not checked here; `load` does not return another.

        Raises:
            PictureUnwritable: it could not be stored. An earlier picture of that name is deleted if possible.
        """
        path = self._get_path(name)
        try:
            self._folder.parent.mkdir(mode=0o700, exist_ok=True)
            self._folder.mkdir(mode=0o700, exist_ok=True)
            write_atomic(path, picture)
        except OSError as error:
            with suppress(OSError):  # not there, or out of reach: nobody can see it either
                path.unlink()
            raise PictureUnwritable(
                f"The picture of this die could not be kept ({error.strerror or error}). The game goes on without it."
            ) from error

    def load(self, name: str) -> bytes | None:
        """Return the JPEG stored under `name` (as for `save`).

        Returns:
            Its bytes; None: there is none, or it cannot be read, is no JPEG or is longer than MAX_PICTURE_BYTES.
        """
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
    """Return whether `data` begins like a JPEG and has at most MAX_PICTURE_BYTES. It is not decoded."""
    return data.startswith(_JPEG_SIGNATURE) and len(data) <= MAX_PICTURE_BYTES
