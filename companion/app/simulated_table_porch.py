"""Let others watch a game that plays itself (`companion run --headless` with the porch on)."""

import time
from collections.abc import Callable
from functools import cached_property
from pathlib import Path

import pygame

from companion.display.screen import Screen
from companion.i18n import current_language
from companion.porch.local_socket import connect
from companion.porch.messages import find_socket_path
from companion.porch.publisher import PorchPublisher
from companion.screen_state import ScreenKind, ScreenState

TABLE = "simulated-table"
"""Id of the table: not that of this device, whose own games are kept at the broker."""
TABLE_NAME = "Simulated table"
PICTURE_SIZE_PX = (1280, 720)
PICTURE_SECONDS = 0.1
"""Time between two pictures, while somebody watches."""
RESULT_SECONDS = 20.0
"""How long the result can be seen before the program ends."""


class SocketInUse(RuntimeError):
    """A table is published already."""


class SimulatedTablePorch:
    """Publishes the states of a simulated table at the speed of a real one. Results are not kept: nobody has played.

    Args:
        path: of the socket; None: that of the porch.
        monotonic: the host's clock, in seconds.
        sleep: waits for that many seconds.

    Raises:
        SocketInUse: another program publishes a table.
    """

    def __init__(
        self,
        path: Path | None = None,
        monotonic: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        path = path or find_socket_path()
        if is_answered(path):
            raise SocketInUse(f"A table is published at {path} already: end that program, or set [porch] on = false.")
        self._publisher = PorchPublisher(path, TABLE, TABLE_NAME, get_language=current_language)
        self._monotonic, self._sleep = monotonic, sleep
        self._begun_at = self._next_picture_at = monotonic()
        self._last = ScreenState(kind=ScreenKind.LOBBY)

    def show(self, state: ScreenState, now: float) -> None:
        """Publish the state of the screen, and its picture until the simulated time `now` (seconds from 0) has come."""
        self._last = state
        self._publisher.publish(state, None)
        self._show_until(self._begun_at + now)

    def wait_for_readers(self) -> None:
        """Leave the last state to the readers for RESULT_SECONDS."""
        self._show_until(self._monotonic() + RESULT_SECONDS)

    def _show_until(self, end: float) -> None:
        pictures = self._publisher.pictures
        while True:
            # Also of a simulation that is late: on a busy computer it always is.
            if pictures.is_watched and self._monotonic() >= self._next_picture_at:
                self._next_picture_at = self._monotonic() + PICTURE_SECONDS
                if self._screen.draw(self._surface, self._last):
                    pictures.note_drawn(self._surface)
                pictures.hand_out(self._last)
            if (left := end - self._monotonic()) <= 0:
                return
            self._sleep(min(left, PICTURE_SECONDS))

    @cached_property
    def _surface(self) -> pygame.Surface:
        return pygame.Surface(PICTURE_SIZE_PX)

    @cached_property
    def _screen(self) -> Screen:
        return Screen(PICTURE_SIZE_PX, monotonic=self._monotonic)

    def close(self) -> None:
        """End the publication."""
        self._publisher.close()


def is_answered(path: Path) -> bool:
    """Return whether a program listens at the path of a socket."""
    try:
        connect(path).close()
    except BlockingIOError:  # many wait there
        return True
    except OSError:
        return False
    return True
