"""Write files atomically: after a power cut the old or the new content is there.

How a file is synced on each system: `companion.os_compat`; the journal: `companion.journal.connection`.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from companion.os_compat import WRITE_FLAGS, sync_file

# An existing file is never written through: on someone's USB stick it may be a link to one of our files.
_CREATE_FLAGS = WRITE_FLAGS | os.O_EXCL


def write_atomic(path: Path, data: bytes, mode: int = 0o600) -> None:
    """Write `data` to `path`, replacing the file there; it is on the disk when this returns.

    It is first written to .NAME.new in the same folder and then renamed. A link at `path` is replaced, not followed.

    Args:
        path: the file; its folder must exist.
        data: the whole new content.
        mode: permission bits of the new file, less the process's umask.

    Raises:
        OSError: the file could not be written, and the previous one is unchanged; or only the folder could not be
            synced, and the new content is there but may be lost in a power cut.
    """
    with open_atomic(path, mode) as file:
        file.write(data)


@contextmanager
def open_atomic(path: Path, mode: int = 0o600) -> Iterator[BinaryIO]:
    """Open `path` for writing piece by piece; the file there is replaced at the end of the block, as by `write_atomic`.

    If the block raises an exception, the file there is unchanged and nothing is left of the new one; if the process is
    killed, only .NAME.new is left, which the next call replaces.

    Args:
        path: the file; its folder must exist.
        mode: permission bits of the new file, less the process's umask.

    Yields:
        The new file, empty.

    Raises:
        OSError: as `write_atomic`.
    """
    unfinished = path.with_name(f".{path.name}.new")
    unfinished.unlink(missing_ok=True)
    try:
        with os.fdopen(os.open(unfinished, _CREATE_FLAGS, mode), "wb") as file:
            yield file
            file.flush()
            sync_file(file.fileno())
        unfinished.replace(path)
    except BaseException as error:
        with suppress(OSError):
            unfinished.unlink(missing_ok=True)  # on a full disk it would take up room
        if isinstance(error, OSError) and error.filename is None:
            error.filename = str(path)  # a write that fails does not say to which file
        raise
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Sync the entries of `folder` to the disk (fsync): until then the name of a new file may be lost in a power cut.

    Raises:
        OSError: the folder does not exist, or cannot be opened or synced.
    """
    if sys.platform == "win32":
        return  # it opens no folder, and writes a name down with the file
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        sync_file(descriptor)
    finally:
        os.close(descriptor)
