"""The local Unix sockets on which a table hands out its state and its picture."""

import socket
import sys
from pathlib import Path

SOCKET_MODE = 0o660
"""The socket's own group may connect: on the appliance the porch's user."""


def listen_at(path: Path, backlog: int) -> socket.socket:
    """Return a socket that listens at a path and does not block; a socket that a dead program left there is replaced.

    Args:
        path: its folder must exist.
        backlog: readers that wait to be accepted.

    Raises:
        OSError: it cannot be made.
    """
    if sys.platform == "win32":
        raise OSError("Windows has no local sockets for Python")
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        if path.is_socket():
            path.unlink()
        listener.bind(str(path))
        path.chmod(SOCKET_MODE)
        listener.listen(backlog)
    except OSError:
        listener.close()
        raise
    listener.setblocking(False)
    return listener
