"""Eyes for each game: what the camera looks for depends on what is played, and so may the table that it looks at."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from companion.camera.layout_cache import LAYOUT_FILE, LayoutCache
from companion.camera.reader import CameraReader, make_table_watcher
from companion.camera.worker import CUP_ROW_GAME, DEFAULT_GAME, STARTING_VIEW
from companion.events import CameraState, CameraStateChanged, Event
from companion.screen_state import CameraView
from companion.vision.memo_dice.watcher import CupRowWatcher
from companion.vision.table.watcher import DiceAndLidWatcher

LAYOUT_FILES = {DEFAULT_GAME: LAYOUT_FILE, CUP_ROW_GAME: "row.json"}
"""Where what was learnt of each one's table is kept."""


class PerGameReader:
    """The eyes of the game in play; those of the others are shut.

    Args:
        make: opens the eyes for each game, by its name; those of `usual` serve games that are not in it.
        usual: a name in `make`.
        monotonic: the host's monotonic clock, in seconds.
    """

    def __init__(
        self, make: Mapping[str, Callable[[], CameraReader]], usual: str, monotonic: Callable[[], float]
    ) -> None:
        self.game = usual
        """What is played. May be set by another thread; the next look heeds it."""
        self._make, self._usual, self._monotonic = make, usual, monotonic
        self._opened: dict[str, CameraReader] = {}
        self._looks_for: str | None = None

    @property
    def camera_view(self) -> CameraView:
        """What is shown of the camera."""
        current = self._opened.get(self._looks_for or "")
        return current.camera_view if current else STARTING_VIEW

    def poll(self) -> list[Event]:
        """The signals of the next frame, if there is a new one."""
        wanted = self.game if self.game in self._make else self._usual
        signals: list[Event] = []
        if wanted != self._looks_for:
            if self._looks_for is not None:
                self._opened[self._looks_for].close()
                # What the other eyes said of their table holds no longer.
                signals.append(CameraStateChanged(CameraState.SEARCHING, self._monotonic()))
            if wanted not in self._opened:
                self._opened[wanted] = self._make[wanted]()
            self._looks_for = wanted
        return signals + self._opened[wanted].poll()

    def restart(self, *, discard_layout: bool) -> None:
        """Throws away the eyes that look, and lets the camera go; new ones are made by the next look.

        `forget`: what was learnt of the table, too.
        """
        fallen, self._looks_for = self._looks_for, None
        looking = self._opened.pop(fallen, None) if fallen else None
        if looking is not None:
            looking.restart(discard_layout=discard_layout)

    def close(self) -> None:
        """Lets the camera go."""
        for looking in self._opened.values():
            looking.close()


def make_watcher_for(game: str) -> DiceAndLidWatcher | CupRowWatcher:
    """What keeps track of the table of a game."""
    return CupRowWatcher() if game == CUP_ROW_GAME else make_table_watcher()


def make_layout_cache(game: str, folder: Path) -> LayoutCache:
    """What is kept in `folder` of a table with eyes of its own; `game`: a name in `FILES`."""
    return LayoutCache(folder, LAYOUT_FILES[game])
