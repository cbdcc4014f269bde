"""Open the camera, and again if it was lost; pass its frames to the watcher of the game; collect events and the view.

Late frames are dropped in `hardware/cameras/live_camera.py`; exceptions and hangs: `worker.py`.

This is the one place that joins `hardware`, which captures frames, and `vision`, which reads them.
"""

import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from companion.api import CameraUse
from companion.backoff import Backoff
from companion.camera.camera_use import DEFAULT_CAMERA_USE
from companion.camera.learnt_layouts import LayoutCache
from companion.camera.reports import CAMERA_NAME, NO_PICTURES_MESSAGE, STARTING_VIEW
from companion.events import CameraState, CameraStateChanged, DeviceLost, DeviceRestored, Event
from companion.lazy_message import LazyMessage
from companion.log import log
from companion.screen_state import CameraView
from companion.vision.base_watcher import TableWatcher
from companion.vision.frames.blocks import is_dark
from companion.vision.frames.image_io import UnreadableImage, normalise_frame
from companion.vision.reading import Image
from companion.vision.view_check.monitor import ViewMonitor
from hardware.cameras.live_camera import Camera, CameraLost, Frame

REOPEN_SECONDS = 1.0
"""Seconds between two attempts to open a lost camera. Larger: less load, found later."""

SILENCE_SECONDS = 3.0
"""Seconds without a picture after which the camera is reported as lost."""

MAX_SILENCE_SECONDS = 12.0
"""Seconds without a picture after which the camera is closed and opened again."""

PAUSED_GAP_SECONDS = 1.0
"""A longer gap between two polls means that the reader was paused; it does not count as silence."""


@dataclass(frozen=True, slots=True)
class WatchedTable:
    """One kind of table before the camera.

    Attributes:
        open_camera: opens the camera; called again each time the camera was lost. Raises `CameraLost` if it is not
            there.
        watcher: follows the table.
        layout_cache: stores the layout that was learnt of the table for the next start; None: nothing is stored.
        view_checker: checks the camera's view; None: it is not checked.
        is_virtual: the camera's pictures are drawn here, so that none are late but on a busy computer.
    """

    open_camera: Callable[[], Camera]
    watcher: TableWatcher[Any]
    layout_cache: LayoutCache | None = None
    view_checker: ViewMonitor | None = None
    is_virtual: bool = False


def make_watcher(use: CameraUse) -> TableWatcher[Any]:
    """Make the table watcher that a game declares, by calling the factory that it names.

    Args:
        use: the game's use of the camera; its `watcher` names a factory without arguments, as "package.module:name".

    Returns:
        A new watcher, which has seen no frame yet.

    Raises:
        ImportError, AttributeError: the module, or the factory in it, does not exist.
        ValueError: `use.watcher` is no name of this form.
        Exception: anything that the module raised when imported, or the factory: of the packaged ones
            DamagedDataFile (a packaged network is missing or damaged).
    """
    watcher: TableWatcher[Any] = pkgutil.resolve_name(use.watcher)()
    return watcher


class CameraReader:
    """Turn frames into events, one frame per poll, with the watcher of the game in play.

    Games with the same watcher share a table. When the table changes, the camera is closed and opened again. Not
    thread-safe.

    Args:
        make_table: makes the table for a game's use of the camera; called once for each watcher, and again after
            `restart` or if a stored layout could not be restored.
        monotonic: the host's monotonic clock, in seconds.

    Attributes:
        camera_use: the use of the camera that the game in play declares, `DEFAULT_CAMERA_USE` at first; may be set
            between two polls.
        camera_view: the camera's state, picture, reading and problem for the screen; a new object whenever it changes.
            While only the picture changes it stays the same object, with the earlier picture.
    """

    def __init__(self, make_table: Callable[[CameraUse], WatchedTable], monotonic: Callable[[], float]) -> None:
        self._make_table, self._monotonic = make_table, monotonic
        self.camera_use = DEFAULT_CAMERA_USE
        self._tables: dict[str, WatchedTable] = {}  # by watcher
        self._was_opened = False
        self._last_refusal = ""
        self._reset()

    def _reset(self) -> None:
        """Set the state of a reader that has polled no table yet."""
        self._table: WatchedTable | None = None
        self._camera: Camera | None = None
        self.camera_view = STARTING_VIEW
        self._is_lost = self._must_save = False
        self._backoff = Backoff(REOPEN_SECONDS, REOPEN_SECONDS)
        self._polled_at = self._picture_at = self._monotonic()

    def poll(self) -> list[Event]:
        """Read the next frame, if there is one, and return its events. Never waits for a frame.

        Opens the camera if it is closed, at most every `REOPEN_SECONDS` (1 s); opening may take some seconds. A lost
        camera, or one without a picture for `SILENCE_SECONDS` (3 s), raises nothing: it is reported once as
        `DeviceLost` and `CameraStateChanged`, and later as `DeviceRestored`. After `MAX_SILENCE_SECONDS` (12 s) it is
        closed and opened again. Unusable pictures are logged and count as none. After events, the next poll stores the
        watcher's snapshot in the layout cache. Updates `camera_view`.

        Returns:
            The events in the order in which they happened; empty if there is no new frame or nothing happened in it.

        Raises:
            Exception: anything that `make_table`, the watcher or the view checker raised, for example ImportError
                or DamagedDataFile. Call `restart` then; `CameraWorker` does so.
        """
        self._save_layout()  # of the last frame: its events are delivered by now and need not wait for the disk
        now = self._monotonic()
        events, table = self._select_table(now)
        if now - self._polled_at > PAUSED_GAP_SECONDS:
            self._picture_at = now
        self._polled_at = now
        camera = self._camera or self._open_camera(table)
        if camera is None:
            return events + self._report_lost(
                CameraState.LOST, "" if self._was_opened else LazyMessage("There is no camera: plug one in")
            )
        try:
            frame = camera.read()
        except CameraLost as error:
            if not self._is_lost:
                log.warning("%s", error)
            return events + self._give_up(CameraState.LOST)
        image = None if frame is None else self._get_image(frame)
        if frame is not None and image is not None:
            self._picture_at = now
            return events + self._process_image(table, image, frame.at)
        silence = now - self._picture_at
        if silence < SILENCE_SECONDS or table.is_virtual:
            return events
        if silence < MAX_SILENCE_SECONDS:
            return events + self._report_lost(CameraState.BLIND, NO_PICTURES_MESSAGE)
        log.warning("%s has given no picture for %.0f s; it is opened again.", camera.name, MAX_SILENCE_SECONDS)
        return events + self._give_up(CameraState.BLIND)

    def restart(self, *, discard_layout: bool) -> None:
        """Close the camera and forget the state of the table, after `poll` raised an exception. Stores nothing.

        The next `poll` makes a new table, restores its stored layout, and opens the camera.

        Args:
            discard_layout: set the stored layout of this table aside too (`LayoutCache.set_aside`), because it may be
                the cause of the exception.

        Raises:
            Exception: anything that closing the camera raised; the table is forgotten all the same.
        """
        table, camera = self._tables.pop(self.camera_use.watcher, None), self._camera
        self._reset()  # stores nothing: processing has failed, so the present state may be wrong
        if discard_layout and table is not None and table.layout_cache is not None:
            table.layout_cache.set_aside()
        if camera is not None:
            camera.close()

    def close(self) -> None:
        """Store the layout that was learnt since the last save, and close the camera. The next `poll` opens it again.

        Raises:
            Exception: anything that the watcher's `snapshot` or closing the camera raised; after an exception of
                `snapshot` the camera is closed all the same.
        """
        try:
            self._save_layout()
        finally:
            self._close_camera()

    def _select_table(self, now: float) -> tuple[list[Event], WatchedTable]:
        """Return the table of the game in play; if it is another one than before, close the camera."""
        table = self._tables.get(self.camera_use.watcher)
        if table is None:
            table = self._tables[self.camera_use.watcher] = self._make_restored_table()
        if table is self._table:
            return [], table
        events: list[Event] = [CameraStateChanged(CameraState.SEARCHING, now)] if self._table else []
        self._table, self.camera_view = table, STARTING_VIEW
        self._announced = CameraState.SEARCHING, False  # state, whether the lid is known
        self._close_camera()
        return events, table

    def _open_camera(self, table: WatchedTable) -> Camera | None:
        """Open the camera; None: it is not there, or not due to be tried again."""
        if not self._backoff.is_due(self._monotonic()):
            return None
        try:
            self._camera = table.open_camera()
            self._was_opened = True
            self._picture_at = self._monotonic()
        except CameraLost:
            self._backoff.note_failure(self._monotonic())
        return self._camera

    def _close_camera(self) -> None:
        """Close the camera if it is open."""
        if self._camera is not None:
            self._camera.close()
            self._camera = None

    def _give_up(self, state: CameraState) -> list[Event]:
        """Close the camera, to open it again later."""
        self.close()
        self._backoff.note_failure(self._monotonic())
        return self._report_lost(state)

    def _report_lost(self, state: CameraState, message: str = "") -> list[Event]:
        """Return the events of a camera without pictures, unless it was reported before."""
        # One that gave no pictures may have been unplugged since; an unplugged one needs no report that it gives none.
        if self._is_lost and (state is not CameraState.LOST or self.camera_view.state is state):
            return []
        self._is_lost = True
        self.camera_view = CameraView(state)
        now = self._monotonic()
        return [DeviceLost(CAMERA_NAME, now, message), CameraStateChanged(state, now)]

    def _get_image(self, frame: Frame) -> Image | None:
        """Return the frame's picture, BGR uint8 (H, W, 3); None: it is unusable, which is logged once."""
        try:
            return normalise_frame(frame.image)
        except UnreadableImage as error:
            if str(error) != self._last_refusal:
                self._last_refusal = str(error)
                log.warning("The camera's pictures are unusable: %s.", error)
            return None

    def _process_image(self, table: WatchedTable, image: Image, at: float) -> list[Event]:
        """Pass a picture to the watcher; return the events."""
        watcher = table.watcher
        events: list[Event] = list(watcher.process_frame(image, at))
        state, reading = watcher.state, watcher.reading
        self._must_save = self._must_save or bool(events)
        if state is CameraState.BLIND and not is_dark(np.asarray(image.mean(axis=2), np.uint8)):
            # The same picture again and again: a camera that hangs without an error.
            return events + self._report_lost(CameraState.BLIND, NO_PICTURES_MESSAGE)
        restored: list[Event] = [DeviceRestored(CAMERA_NAME, self._monotonic())] if self._is_lost else []
        if self._is_lost:
            self._is_lost = False
            log.info("The camera gives pictures again.")
        status = state, reading is not None and reading.lid is not None
        if (restored or status != self._announced) and not any(isinstance(e, CameraStateChanged) for e in events):
            events.append(CameraStateChanged(state, at, status[1]))
        self._announced = status
        checker = table.view_checker
        problem = checker.process_frame(image, at, state, reading) if checker else None
        new = CameraView(state, reading, image, problem)
        old = self.camera_view
        # The display compares by identity, so an unchanged view stays the same object.
        if (new.state, id(new.reading), id(new.problem)) != (old.state, id(old.reading), id(old.problem)):
            self.camera_view = new
        return restored + events

    def _make_restored_table(self) -> WatchedTable:
        """Make a table and restore its watcher from the layout cache; a damaged layout is set aside."""
        table = self._make_table(self.camera_use)
        cache = table.layout_cache
        if cache is not None and (layout := cache.load()) is not None:
            try:
                table.watcher.restore(layout)
            except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
                cache.set_aside()
                table = self._make_table(self.camera_use)  # the watcher may be half restored
        return table

    def _save_layout(self) -> None:
        """Store the watcher's state if there were events since the last time."""
        if self._must_save and self._table is not None and self._table.layout_cache is not None:
            self._table.layout_cache.save(self._table.watcher.snapshot())
        self._must_save = False
