"""A table that hands out its screen, and a reader of its pictures."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pygame

from companion.porch.picture_file import ANNOUNCEMENT, find_picture_path
from companion.porch.picture_sender import BGRX_MASKS, PictureSender
from companion.screen_state import ScreenKind, ScreenState
from companion.testing.table import ManualClock

SIZE = (32, 18)


class PictureReader:
    """Connects to the socket for pictures, as the porch does."""

    def __init__(self, path: Path) -> None:
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(str(find_picture_path(path)))
        self.file = -1

    def receive_file(self) -> None:
        """Receive the file, which comes first."""
        text, (self.file,), _flags, _address = socket.recv_fds(self.socket, ANNOUNCEMENT.size, 1)
        assert ANNOUNCEMENT.unpack(text) == (0, 0, 0)

    def read_numbers(self) -> list[int]:
        """Return the numbers of the pictures that were announced since the last call."""
        try:
            text = self.socket.recv(1 << 16, socket.MSG_DONTWAIT)
        except BlockingIOError:
            return []
        return [number for number, _width, _height in ANNOUNCEMENT.iter_unpack(text)]

    def close(self) -> None:
        self.socket.close()
        if self.file >= 0:
            os.close(self.file)


class Table:
    """A screen that is handed out, on a clock that is set by hand; each picture costs `cpu_seconds`."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True)
        self.clock, self.cpu, self.cpu_seconds = ManualClock(100.0), 0.0, 0.0
        self.path = path
        self.sender = PictureSender(path, self.clock, self._get_cpu_time)
        self.state = ScreenState(ScreenKind.PLAY, "secret_number")
        self.surface = make_surface(0)
        self.readers: list[PictureReader] = []

    def _get_cpu_time(self) -> float:
        self.cpu += self.cpu_seconds
        return self.cpu

    def connect(self) -> PictureReader:
        self.readers.append(PictureReader(self.path))
        self.sender.accept()
        return self.readers[-1]

    def draw(self, shade: int) -> None:
        self.surface = make_surface(shade)
        self.sender.note_drawn(self.surface)

    def hand_out(self, seconds: float = 0.0) -> None:
        self.clock.now += seconds
        self.sender.hand_out(self.state)

    def close(self) -> None:
        self.sender.close()
        for reader in self.readers:
            reader.close()


def make_surface(shade: int, size: tuple[int, int] = SIZE) -> pygame.Surface:
    surface = pygame.Surface(size, 0, 32, BGRX_MASKS)
    surface.fill((shade, 0, 0))
    return surface
