"""What Linux, macOS and Windows have under different names, or only some of them: flags of files, locks, syncs.

Services of the operating system: `companion.system`.
"""

import errno
import os
import sys

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

# A pipe that has taken a file's place must not be waited for (O_NONBLOCK), and no link be written through (O_NOFOLLOW).
# Windows has neither, and would write a line break as two bytes (O_BINARY). Python itself sets O_CLOEXEC.
READ_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
"""Flags of `os.open` for reading a plain file."""
WRITE_FLAGS = (
    os.O_WRONLY | os.O_CREAT | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
)
"""Flags of `os.open` for writing a plain file, which is created if there is none."""

FULL_SYNC_PRAGMAS = ("fullfsync = ON", "checkpoint_fullfsync = ON")
"""With these SQLite syncs on macOS as `sync_file` does; elsewhere they change nothing."""


def lock_file(descriptor: int, *, is_shared: bool = False) -> bool:
    """Lock an open file until it is closed; return False if another process has locked it.

    >>> import tempfile
    >>> with tempfile.TemporaryFile() as file:
    ...     lock_file(file.fileno())
    True

    Args:
        descriptor: of the open file.
        is_shared: others may lock it so too; Windows has no such locks, there it is one for this process alone.

    Raises:
        OSError: its file system has no locks.
    """
    try:
        if sys.platform == "win32":
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(descriptor, (fcntl.LOCK_SH if is_shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except PermissionError:
        if sys.platform == "win32":  # its answer to a file that is locked
            return False
        raise
    return True


def sync_file(descriptor: int) -> None:
    """Sync an open file or folder to the disk.

    Raises:
        OSError: it cannot be written.
    """
    # On macOS fsync(2) ends when the drive has the data, perhaps only in its cache; F_FULLFSYNC empties that too.
    if sys.platform != "win32" and (full_sync := getattr(fcntl, "F_FULLFSYNC", None)) is not None:
        try:
            fcntl.fcntl(descriptor, full_sync)
        except OSError as error:
            if error.errno not in (errno.EINVAL, errno.ENOTSUP, errno.ENOTTY):  # not every file system has it
                raise
        else:
            return
    os.fsync(descriptor)


def sync_data(descriptor: int) -> None:
    """Sync the content of an open file to the disk, and of its other data only what is needed to read it.

    Raises:
        OSError: it cannot be written.
    """
    if sys.platform == "linux":
        os.fdatasync(descriptor)
    else:
        sync_file(descriptor)
