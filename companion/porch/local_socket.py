"""The socket between the program that plays and the porch: a Unix socket at a path.

Python has none on Windows: there it is a port of this machine, and a file at the path says which.
"""

import asyncio
import contextlib
import socket
import sys
from pathlib import Path

from companion.file_reader import read_file
from companion.system.atomic_file import write_atomic

HOST = "127.0.0.1"
SOCKET_MODE = 0o660
"""The socket's own group may connect: on the appliance the porch's user."""

CONNECT_SECONDS = 1.0
"""Time for a connection to a port; a Unix socket answers at once."""

_MAX_PORT_BYTES = 100
"""Most bytes of a file that names a port."""


def open_listener(path: Path, backlog: int) -> socket.socket:
    """Listen at a path, without blocking; what an earlier program left there is replaced.

    Args:
        path: in a folder that exists.
        backlog: connections that may wait to be accepted.

    Raises:
        OSError: it cannot be made.
    """
    with contextlib.ExitStack() as stack:
        if sys.platform == "win32":
            listener = stack.enter_context(socket.socket(socket.AF_INET))
            listener.bind((HOST, 0))
            write_atomic(path, f"{listener.getsockname()[1]}\n".encode())
        else:
            listener = stack.enter_context(socket.socket(socket.AF_UNIX))
            if path.is_socket():
                path.unlink()
            listener.bind(str(path))
            path.chmod(SOCKET_MODE)
        listener.listen(backlog)
        listener.setblocking(False)
        stack.pop_all()
        return listener


def connect(path: Path) -> socket.socket:
    """Connect to what listens at a path.

    Raises:
        OSError: nothing listens, or too many wait there.
    """
    if sys.platform == "win32":
        return socket.create_connection((HOST, _read_port(path)), CONNECT_SECONDS)
    with contextlib.ExitStack() as stack:
        connection = stack.enter_context(socket.socket(socket.AF_UNIX))
        connection.setblocking(False)  # else it waits if too many others do
        connection.connect(str(path))
        stack.pop_all()
        return connection


async def open_stream(path: Path, limit: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Connect in the event loop; return what reads lines of up to `limit` bytes, and what closes the connection.

    Raises:
        OSError: nothing listens.
    """
    if sys.platform == "win32":
        return await asyncio.open_connection(HOST, _read_port(path), limit=limit)
    return await asyncio.open_unix_connection(str(path), limit=limit)


def _read_port(path: Path) -> int:
    text = read_file(path, _MAX_PORT_BYTES).decode("ascii", errors="replace").strip()
    if not (text.isdecimal() and 0 < int(text) < 1 << 16):
        raise OSError(f"{path} names no port")
    return int(text)
