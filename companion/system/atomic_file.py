"""Small files that are there whole or not at all, wherever the plug is pulled."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

# What lies there already is never written through: on somebody's stick it may be a link to a file of ours.
_CREATE_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


def write_atomic(path: Path, data: bytes, mode: int = 0o600) -> None:
    """Put `data` at `path`, in the place of what was there; on the disk when this returns. `mode`: for whom it is.

    Raises:
        OSError: what was there before is still there.
    """
    beside = path.with_suffix(".new")
    beside.unlink(missing_ok=True)
    try:
        with os.fdopen(os.open(beside, _CREATE_FLAGS, mode), "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    except OSError:
        with suppress(OSError):
            beside.unlink(missing_ok=True)  # on a disk that is full a half file is in the way
        raise
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """The folder's own entries on the disk: until then a new file's name may be lost."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
