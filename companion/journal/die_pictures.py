"""Pictures of dice, kept beside the journal: what lies under a cup is nobody's to see until the cup is lifted.

One folder a sitting, readable by its owner alone; each picture is there whole or not at all. They are a comfort: a disk
that is full costs a picture, never the game.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path

from companion.system.atomic_file import sync

FOLDER = "faces"
"""Beside the journal's file."""
LARGEST = 200_000
"""Bytes of a picture; a face takes about 10 kB."""
MOST = 500
"""Pictures of a sitting."""
_ENDING = ".jpg"
_JPEG = b"\xff\xd8\xff"


class FacesUnwritable(OSError):
    """The picture could not be kept; the message says so in one line."""


class Faces:
    """The pictures of one sitting.

    Args:
        beside: the journal's file.
        uid: of the sitting.
    """

    def __init__(self, beside: Path, uid: str) -> None:
        self._folder = beside.parent / FOLDER / uid

    def keep(self, name: str, picture: bytes) -> None:
        """Keep a JPEG under `name` (letters, digits, dashes), in place of what was there.

        Raises:
            FacesUnwritable: it is not there, nor what was there before.
        """
        path = self._folder / f"{name}{_ENDING}"
        new = path.with_name(f".{name}.new")
        try:
            self._folder.parent.mkdir(mode=0o700, exist_ok=True)
            self._folder.mkdir(mode=0o700, exist_ok=True)
            new.unlink(missing_ok=True)
            descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
            with os.fdopen(descriptor, "wb") as stream:
                stream.write(picture)
                stream.flush()
                os.fsync(stream.fileno())
            new.replace(path)
            sync(self._folder)
        except OSError as error:
            for left in (new, path):
                try:
                    left.unlink(missing_ok=True)
                except OSError:
                    continue  # the folder itself is out of reach: there is nothing to be seen in it either
            raise FacesUnwritable(
                f"The picture of this die could not be kept ({error.strerror or error}). The game goes on without it."
            ) from error

    def picture(self, name: str) -> bytes | None:
        """The JPEG kept under `name`; None: there is none, or it cannot be read."""
        try:
            with (self._folder / f"{name}{_ENDING}").open("rb") as stream:
                data = stream.read(LARGEST + 1)
        except OSError:
            return None
        return data if is_picture(data) else None

    def names(self) -> tuple[str, ...]:
        """Of all pictures that are kept."""
        try:
            return tuple(sorted(p.stem for p in self._folder.iterdir() if p.suffix == _ENDING))
        except OSError:
            return ()

    def keep_all(self, pictures: Mapping[str, bytes]) -> None:
        """Keep several.

        Raises:
            FacesUnwritable: at the first that could not be kept.
        """
        for name, picture in pictures.items():
            self.keep(name, picture)

    def remove(self) -> None:
        """Takes all of them away; what cannot be removed stays."""
        shutil.rmtree(self._folder, ignore_errors=True)


def is_picture(data: bytes) -> bool:
    """Whether this can be a picture that was kept: a JPEG, and no larger than they are."""
    return data.startswith(_JPEG) and len(data) <= LARGEST


def prune(beside: Path, uids: Iterable[str]) -> None:
    """Takes away the pictures of sittings that are no longer in the journal; all others stay."""
    kept = set(uids)
    try:
        folders = list((beside.parent / FOLDER).iterdir())
    except OSError:
        return
    for folder in folders:
        if folder.name not in kept:
            shutil.rmtree(folder, ignore_errors=True)
