"""The porch's side of the picture: fetches what the table's screen shows while somebody watches, as WebP."""

import asyncio
import contextlib
import logging
import select
import socket
import threading
from collections.abc import Callable
from pathlib import Path

from companion.porch.local_socket import connect
from companion.porch.picture_file import (
    ANNOUNCEMENT,
    SLOT_BYTES,
    SLOTS,
    find_offset,
    find_picture_path,
    read_into,
    receive_file,
)

log = logging.getLogger(__name__)

MAX_WIDTH = 1280
"""Width of the pictures in pixels at most; larger ones are made smaller."""
WEBP_QUALITY = 80
"""1 to 100; larger: sharper letters and more bytes."""
RETRY_SECONDS = 1.0
"""Wait before the socket is tried again."""


class PictureFeed:
    """The pictures of the table's screen; between `start` and `stop` a thread fetches them.

    Args:
        path: of the socket for lines; that for pictures is beside it.
        note_picture: called in the event loop with each new picture, as WebP.
    """

    def __init__(self, path: Path, note_picture: Callable[[bytes], None]) -> None:
        self._path, self._note_picture = find_picture_path(path), note_picture
        self._fetcher: _Fetcher | None = None

    def start(self) -> None:
        """Begin to fetch pictures; call it in the event loop."""
        if self._fetcher is None:
            self._fetcher = _Fetcher(self._path, self._note_picture, asyncio.get_running_loop())

    def stop(self) -> None:
        """Fetch no more: the table copies no picture then."""
        if self._fetcher is not None:
            self._fetcher.stop()
            self._fetcher = None


class _Fetcher:
    """A thread that fetches pictures until it is stopped."""

    def __init__(self, path: Path, note: Callable[[bytes], None], loop: asyncio.AbstractEventLoop) -> None:
        self._path, self._note, self._loop = path, note, loop
        self._stopping = threading.Event()
        self._connection: socket.socket | None = None
        threading.Thread(target=self._run, name="picture", daemon=True).start()

    def stop(self) -> None:
        self._stopping.set()
        if self._connection is not None:
            with contextlib.suppress(OSError):  # it was not connected, or is no more
                self._connection.shutdown(socket.SHUT_RDWR)

    def _run(self) -> None:
        while not self._stopping.is_set():
            try:
                with connect(self._path) as connection:
                    self._connection = connection
                    connection.setblocking(True)
                    if not self._stopping.is_set():
                        follow_pictures(connection, self._path, self._hand_over)
            except (OSError, RuntimeError) as error:  # no table, or the event loop has ended
                log.debug("No pictures from %s: %s", self._path, error)
            self._stopping.wait(RETRY_SECONDS)

    def _hand_over(self, picture: bytes) -> None:
        self._loop.call_soon_threadsafe(self._take, picture)

    def _take(self, picture: bytes) -> None:
        if not self._stopping.is_set():
            self._note(picture)


def follow_pictures(connection: socket.socket, path: Path, note: Callable[[bytes], None]) -> None:
    """Encode the newest picture again and again, until the connection ends.

    Args:
        connection: to the socket for pictures.
        path: of that socket.
        note: called with each picture, as WebP.

    Raises:
        OSError: the connection is lost.
    """
    reader, pixels = _AnnouncementReader(connection), bytearray()
    with receive_file(connection, path) as descriptor:
        while descriptor is not None and (announcement := reader.wait_for_newest()):
            number, width, height = announcement
            size = 4 * width * height
            if not 0 < size <= SLOT_BYTES:
                return
            if len(pixels) != size:
                pixels = bytearray(size)
            done = read_into(descriptor, pixels, find_offset(number))
            # Later ones fill the other places; the one after them may have been written over this one meanwhile.
            if done == size and reader.count_newer() < SLOTS - 1:
                note(encode_picture(pixels, width, height))


class _AnnouncementReader:
    """Reads which picture is the newest."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection, self._waiting = connection, b""

    def wait_for_newest(self) -> tuple[int, int, int] | None:
        """Return the newest announcement, and forget those before it; None: the connection has ended."""
        while len(self._waiting) < ANNOUNCEMENT.size:
            if not self._read():
                return None
        while self._read(waits=False):
            pass
        end = len(self._waiting) // ANNOUNCEMENT.size * ANNOUNCEMENT.size
        number, width, height = ANNOUNCEMENT.unpack_from(self._waiting, end - ANNOUNCEMENT.size)
        self._waiting = self._waiting[end:]
        return number, width, height

    def count_newer(self) -> int:
        """Return how many were announced after the one that was returned last."""
        self._read(waits=False)
        return -(-len(self._waiting) // ANNOUNCEMENT.size)

    def _read(self, *, waits: bool = True) -> bool:
        if not (waits or select.select([self._connection], [], [], 0)[0]):
            return False
        text = self._connection.recv(4096)
        self._waiting += text
        return bool(text)


def encode_picture(pixels: bytes | bytearray, width: int, height: int) -> bytes:
    """Return a picture as WebP, no wider than `MAX_WIDTH`.

    >>> encode_picture(bytes(4 * 16 * 9), 16, 9)[8:12]
    b'WEBP'

    Args:
        pixels: rows of blue, green, red and an unused byte.
        width: in pixels.
        height: in pixels.
    """
    # Loaded with the first watcher: a porch that only publishes at a broker needs no memory for them.
    import cv2
    import numpy as np

    picture = cv2.cvtColor(np.frombuffer(pixels, np.uint8).reshape(height, width, 4), cv2.COLOR_BGRA2BGR)
    if width > MAX_WIDTH:
        # Linear leaves out pixels below half the size, and is four times as fast above it.
        method = cv2.INTER_LINEAR if width < 2 * MAX_WIDTH else cv2.INTER_AREA
        picture = cv2.resize(picture, (MAX_WIDTH, max(1, round(height * MAX_WIDTH / width))), interpolation=method)
    return bytes(cv2.imencode(".webp", picture, [cv2.IMWRITE_WEBP_QUALITY, WEBP_QUALITY])[1])
