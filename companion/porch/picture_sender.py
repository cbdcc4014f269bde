"""The playing unit's side of the picture: hands out what the screen shows, while somebody asks for it.

Nothing is encoded here, nothing waits for a slow reader, and without a reader nothing is copied. Who connects asks by
that: nothing is read from it. Format: `picture_file.py`; why: docs/design/porch-is-a-second-program.md.
"""

import contextlib
import errno
import os
import socket
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pygame

from companion.log import log
from companion.porch.local_socket import open_listener
from companion.porch.picture_file import (
    ANNOUNCEMENT,
    SLOT_BYTES,
    find_offset,
    find_picture_path,
    make_file,
    remove_file,
    send_file,
    write_at,
)
from companion.porch.public_state import is_screen_public
from companion.screen_state import ScreenState

MIN_SECONDS = 1 / 15
"""Least time between two pictures."""
MAX_SHARE = 0.04
"""Share of a processor core that copying may take: on a large screen, or a slow machine, pictures come less often."""
MAX_READERS = 4
"""Readers at once; a further one is turned away."""
BACKLOG = 16
"""Readers that wait to be accepted."""
BGRX_MASKS = (0xFF0000, 0xFF00, 0xFF, 0)
"""Layout of the pixels in the file: blue, green, red and an unused byte."""


class PictureSender:
    """Hands out the pictures of the screen; `accept` is for the porch's thread, all others for the main loop's.

    Nothing here raises into the game.

    Args:
        path: of the socket for lines; that for pictures is beside it.
        get_time: the monotonic clock, in seconds.
        get_cpu_time: processor time of the calling thread, in seconds.
    """

    def __init__(
        self,
        path: Path,
        get_time: Callable[[], float] = time.monotonic,
        get_cpu_time: Callable[[], float] = time.thread_time,
    ) -> None:
        self._path = find_picture_path(path)
        self._get_time, self._get_cpu_time = get_time, get_cpu_time
        self._arrived: deque[socket.socket] = deque()
        self._readers: list[socket.socket] = []
        self._drawn: pygame.Surface | None = None
        """The last picture, if it is public; None: there is none yet."""
        self._is_new = False
        self._next_at = get_time()
        self._number = 0
        self._file: tuple[int, int] | None = None
        """The file, open for writing, and for reading."""
        self._listener = self._listen()

    def note_drawn(self, surface: pygame.Surface) -> None:
        """Note that the screen has changed.

        Args:
            surface: the whole picture, upright.
        """
        self._drawn, self._is_new = surface, True

    @property
    def is_watched(self) -> bool:
        """Whether somebody asks for pictures."""
        return bool(self._readers or self._arrived)

    def hand_out(self, state: ScreenState) -> None:
        """Hand out the picture if it is new, public and due; it returns at once and waits for no reader.

        Args:
            state: what the picture shows.
        """
        if not is_screen_public(state):
            self._drawn = None  # it is not handed out later either
            return
        while self._arrived:
            self._add(self._arrived.popleft())
        if not self._readers or not self._is_new or self._drawn is None or self._get_time() < self._next_at:
            return
        self._is_new = False
        began = self._get_cpu_time()
        try:
            size = self._write(self._drawn)
        except Exception as error:  # noqa: BLE001 - no room in memory, a lost screen
            log.warning("A picture of the screen is not handed out: %s", error)
            self._next_at = self._get_time() + 1.0
            return
        self._announce(*size)
        self._next_at = self._get_time() + max(MIN_SECONDS, (self._get_cpu_time() - began) / MAX_SHARE)

    def accept(self) -> None:
        """Accept the readers that wait."""
        with contextlib.suppress(OSError):  # there is no further one, or it has gone again
            while self._listener is not None and len(self._arrived) < BACKLOG:
                self._arrived.append(self._listener.accept()[0])

    def close(self) -> None:
        """Turn all readers away, and remove the socket."""
        for reader in (*self._readers, *self._arrived):
            reader.close()
        self._readers.clear()
        for descriptor in set(self._file or ()):
            os.close(descriptor)
        remove_file(self._path)
        self._file = None
        if self._listener is not None:
            self._listener.close()
            self._path.unlink(missing_ok=True)

    def _listen(self) -> socket.socket | None:
        try:
            return open_listener(self._path, BACKLOG)
        except OSError as error:
            log.warning("No picture is handed out: the socket %s cannot be made (%s).", self._path, error)
            return None

    def _add(self, reader: socket.socket) -> None:
        if len(self._readers) >= MAX_READERS:
            reader.close()
            return
        try:
            reader.setblocking(False)
            reader.shutdown(socket.SHUT_RD)  # the kernel refuses what a reader writes
            self._file = self._file or make_file(self._path)
            send_file(reader, self._file[1])
        except OSError as error:
            if not isinstance(error, ConnectionError):  # it has gone again, which is no fault
                log.warning("A reader of the picture is turned away: %s", error)
            reader.close()
            return
        self._readers.append(reader)
        self._is_new = True  # for it the present picture is news

    def _write(self, surface: pygame.Surface) -> tuple[int, int]:
        """Write a picture to the next place of the file; return its width and height."""
        assert self._file is not None
        width, height = surface.get_size()
        if 4 * width * height > SLOT_BYTES:
            raise OSError(f"{width} x {height} pixels are too many")
        if surface.get_masks() != BGRX_MASKS or surface.get_pitch() != 4 * width:
            surface, other = pygame.Surface((width, height), 0, 32, BGRX_MASKS), surface
            surface.blit(other, (0, 0))
        pixels: Any = surface.get_buffer()  # a buffer, which its type does not say
        if write_at(self._file[0], pixels, find_offset(self._number + 1)) < 4 * width * height:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))  # there was room for a part
        return width, height

    def _announce(self, width: int, height: int) -> None:
        self._number += 1
        announcement = ANNOUNCEMENT.pack(self._number, width, height)
        for reader in list(self._readers):
            try:
                reader.send(announcement)
            except OSError:  # it has gone, or has not read for many pictures
                self._readers.remove(reader)
                reader.close()
