"""The socket between the program that plays and the porch: a Unix socket at a path.

Python has none on Windows: there it is a port of this machine, and a file at the path says which. A program that was
killed leaves that file, and another program may get its port: so the file has a random word too, which who listens
says first.
"""

import asyncio
import contextlib
import secrets
import socket
import sys
from pathlib import Path
from typing import Any

from companion.file_reader import read_file
from companion.system.atomic_file import write_atomic

HOST = "127.0.0.1"
SOCKET_MODE = 0o660
"""The socket's own group may connect: on the appliance the porch's user."""

CONNECT_SECONDS = 1.0
"""Time for a connection to a port, and again for the word there; a Unix socket answers at once."""

_WORD_BYTES = 16
"""Random bytes of the word; it has two letters for each."""
_MAX_PORT_BYTES = 100
"""Most bytes of a file that names a port."""


class _PortListener(socket.socket):
    """Listens at a port of this machine, and greets who connects with a word."""

    def __init__(self, word: bytes) -> None:
        super().__init__(socket.AF_INET)
        self._word = word

    def accept(self) -> tuple[socket.socket, Any]:
        with contextlib.ExitStack() as stack:
            connection, address = super().accept()
            stack.enter_context(connection)
            connection.sendall(self._word)  # a new connection has room for it
            stack.pop_all()
            return connection, address


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
            word = secrets.token_hex(_WORD_BYTES).encode()
            listener: socket.socket = stack.enter_context(_PortListener(word))
            listener.bind((HOST, 0))
            write_atomic(path, b"%d %s\n" % (listener.getsockname()[1], word))
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
        port, word = _read_port(path)
        with contextlib.ExitStack() as stack:
            connection = stack.enter_context(socket.create_connection((HOST, port), CONNECT_SECONDS))
            said = b""
            while len(said) < len(word) and (part := connection.recv(len(word) - len(said))):
                said += part
            _check_word(said, word)
            stack.pop_all()
            return connection
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
        port, word = _read_port(path)
        with contextlib.ExitStack() as stack:
            reader, writer = await asyncio.open_connection(HOST, port, limit=limit)
            stack.callback(writer.close)
            async with asyncio.timeout(CONNECT_SECONDS):
                said = b""
                while len(said) < len(word) and (part := await reader.read(len(word) - len(said))):
                    said += part
            _check_word(said, word)
            stack.pop_all()
            return reader, writer
    return await asyncio.open_unix_connection(str(path), limit=limit)


def _read_port(path: Path) -> tuple[int, bytes]:
    """Return the number of the port, and the word."""
    port, _, word = read_file(path, _MAX_PORT_BYTES).decode("ascii", errors="replace").strip().partition(" ")
    if not (port.isdecimal() and 0 < int(port) < 1 << 16 and len(word) == 2 * _WORD_BYTES):
        raise OSError(f"{path} names no port")
    return int(port), word.encode()


def _check_word(said: bytes, word: bytes) -> None:
    if said != word:
        raise ConnectionRefusedError("another program has the port by now")
