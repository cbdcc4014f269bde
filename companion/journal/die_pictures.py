"""Pictures of dice, kept beside the journal: what lies under a cup is nobody's to see until the cup is lifted.

One folder a sitting, readable by its owner alone; each picture is there whole or not at all. They are a comfort: a disk
that is full costs a picture, never the game.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path

from companion.system.atomic_file import sync_folder

PICTURES_FOLDER = "faces"
"""Beside the journal's file."""
MAX_PICTURE_BYTES = 200_000
"""Bytes of a picture; a face takes about 10 kB."""
MAX_PICTURES_PER_GAME = 500
"""Pictures of a sitting."""
_SUFFIX = ".jpg"
_JPEG_SIGNATURE = b"\xff\xd8\xff"


class PictureUnwritable(OSError):
    """The picture could not be kept; the message says so in one line."""


class DiePictures:
    """The pictures of one sitting.

    Args:
        beside: the journal's file.
        uid: of the sitting.
    """

    def __init__(self, journal_file: Path, uid: str) -> None:
        self._folder = journal_file.parent / PICTURES_FOLDER / uid

    def save(self, name: str, picture: bytes) -> None:
        """Keep a JPEG under `name` (letters, digits, dashes), in place of what was there.

        Raises:
            FacesUnwritable: it is not there, nor what was there before.
        """
        path = self._folder / f"{name}{_SUFFIX}"
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
            sync_folder(self._folder)
        except OSError as error:
            for left in (new, path):
                try:
                    left.unlink(missing_ok=True)
                except OSError:
                    continue  # the folder itself is out of reach: there is nothing to be seen in it either
            raise PictureUnwritable(
                f"The picture of this die could not be kept ({error.strerror or error}). The game goes on without it."
            ) from error

    def load(self, name: str) -> bytes | None:
        """The JPEG kept under `name`; None: there is none, or it cannot be read."""
        try:
            with (self._folder / f"{name}{_SUFFIX}").open("rb") as stream:
                data = stream.read(MAX_PICTURE_BYTES + 1)
        except OSError:
            return None
        return data if is_valid_picture(data) else None

    def list_names(self) -> tuple[str, ...]:
        """Of all pictures that are kept."""
        try:
            return tuple(sorted(p.stem for p in self._folder.iterdir() if p.suffix == _SUFFIX))
        except OSError:
            return ()

    def save_all(self, pictures: Mapping[str, bytes]) -> None:
        """Keep several.

        Raises:
            FacesUnwritable: at the first that could not be kept.
        """
        for name, picture in pictures.items():
            self.save(name, picture)

    def delete_all(self) -> None:
        """Takes all of them away; what cannot be removed stays."""
        shutil.rmtree(self._folder, ignore_errors=True)


def is_valid_picture(data: bytes) -> bool:
    """Whether this can be a picture that was kept: a JPEG, and no larger than they are."""
    return data.startswith(_JPEG_SIGNATURE) and len(data) <= MAX_PICTURE_BYTES


def delete_orphaned_pictures(journal_file: Path, known_uids: Iterable[str]) -> None:
    """Takes away the pictures of sittings that are no longer in the journal; all others stay."""
    kept = set(known_uids)
    try:
        folders = list((journal_file.parent / PICTURES_FOLDER).iterdir())
    except OSError:
        return
    for folder in folders:
        if folder.name not in kept:
            shutil.rmtree(folder, ignore_errors=True)
