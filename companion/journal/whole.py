"""Small files that are there whole or not at all, wherever the plug is pulled."""

from __future__ import annotations

import os
from pathlib import Path

_WRITING = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC


def put(path: Path, data: bytes) -> None:
    """Put `data` at `path`, in the place of what was there; on the disk when this returns, its owner's alone.

    Raises:
        OSError: what was there before is still there.
    """
    beside = path.with_suffix(".new")
    with os.fdopen(os.open(beside, _WRITING, 0o600), "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)
    sync(path.parent)


def sync(folder: Path) -> None:
    """The folder's own entries on the disk: until then a new file's name may be lost."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
