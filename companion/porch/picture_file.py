"""How pictures of the screen are handed over: pixels in a file that both sides have open, announcements on a socket.

Who connects to the socket gets the file, open for reading, with the first announcement (number 0, no picture), and one
more announcement for each picture. On Windows no open file can be handed over: there it lies beside the socket's file.
"""

import os
import socket
import struct
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from companion.os_compat import READ_FLAGS

SLOT_BYTES = 1 << (25 if sys.platform == "win32" else 27)
"""Room for one picture in the file: 7680 x 4320 pixels of 4 bytes fit, on Windows, where it is not sparse, 3840 x 2160.
"""
FILE_SUFFIX = ".pixels"
"""Of the file on Windows."""
SLOTS = 3
"""Pictures in the file, in turn: while one is read the next ones are written elsewhere. With two, a busy machine would
read many in vain."""
ANNOUNCEMENT = struct.Struct("<QII")
"""Number of a picture, from 1, its width and its height in pixels."""


def find_picture_path(path: Path) -> Path:
    """Return the path of the socket for pictures.

    >>> find_picture_path(Path("/run/companion-porch/table.sock")).name
    'table-picture.sock'

    Args:
        path: of the socket for lines.
    """
    return path.with_stem(f"{path.stem}-picture")


def find_offset(number: int) -> int:
    """Return where a picture begins in the file: rows of blue, green, red and an unused byte."""
    return number % SLOTS * SLOT_BYTES


def make_file(path: Path) -> tuple[int, int]:
    """Make the file; return it open for writing, and open for reading. It has no name, except on Windows.

    Args:
        path: of the socket for pictures.

    Raises:
        OSError: it cannot be made.
    """
    if sys.platform == "win32":
        # Windows need not write it to the disk (O_SHORT_LIVED).
        flags = os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_BINARY | getattr(os, "O_SHORT_LIVED", 0)
        descriptor = os.open(path.with_suffix(FILE_SUFFIX), flags, 0o600)
        return descriptor, descriptor
    writing, name = tempfile.mkstemp(dir=path.parent)
    try:
        return writing, os.open(name, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        os.close(writing)
        raise
    finally:
        Path(name).unlink()


def remove_file(path: Path) -> None:
    """Remove the file on Windows, unless somebody reads it: then the next one takes its place."""
    if sys.platform == "win32":
        with suppress(OSError):
            path.with_suffix(FILE_SUFFIX).unlink()


def send_file(reader: socket.socket, descriptor: int) -> None:
    """Send the first announcement with the file.

    Raises:
        OSError: the reader has gone.
    """
    hello = ANNOUNCEMENT.pack(0, 0, 0)
    if sys.platform == "win32":
        reader.send(hello)
    else:
        socket.send_fds(reader, [hello], [descriptor])


@contextmanager
def receive_file(connection: socket.socket, path: Path) -> Iterator[int | None]:
    """Receive the first announcement; give the file, open for reading, or None: the table has turned this reader away.

    Args:
        connection: to the socket for pictures.
        path: of that socket.

    Raises:
        OSError: the connection is lost.
    """
    if sys.platform == "win32":
        is_accepted = len(connection.recv(ANNOUNCEMENT.size, socket.MSG_WAITALL)) == ANNOUNCEMENT.size
        descriptors = [os.open(path.with_suffix(FILE_SUFFIX), READ_FLAGS)] if is_accepted else []
    else:
        _hello, descriptors, _flags, _address = socket.recv_fds(connection, ANNOUNCEMENT.size, 1)
    try:
        yield descriptors[0] if descriptors else None
    finally:
        for descriptor in descriptors:
            os.close(descriptor)


def write_at(descriptor: int, data: memoryview, at: int) -> int:
    """Write into a file; return the number of bytes for which there was room.

    Raises:
        OSError: it cannot be written.
    """
    if sys.platform == "win32":
        os.lseek(descriptor, at, os.SEEK_SET)
        return os.write(descriptor, data)
    return os.pwrite(descriptor, data, at)


def read_into(descriptor: int, buffer: bytearray, at: int) -> int:
    """Read into a buffer; return the number of bytes that there were.

    Raises:
        OSError: it cannot be read.
    """
    if sys.platform == "win32":
        with open(descriptor, "rb", buffering=0, closefd=False) as file:
            file.seek(at)
            return file.readinto(buffer)
    return os.preadv(descriptor, [buffer], at)
