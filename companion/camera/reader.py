"""The eyes: camera frames through vision into signals, and what the display shows of them.

One place joins the two rooms that know nothing of each other: `hardware` hands out frames, `vision` says what is to
be seen in them, and the referee gets stamped signals.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

import numpy as np

from companion.camera.layout_cache import Memory
from companion.camera.memo_dice_events import row_signal
from companion.camera.restart_guard import NAME, NO_PICTURES
from companion.events import (
    CameraSays,
    CameraState,
    DeviceBack,
    DeviceLost,
    DiceRead,
    LidReady,
    Signal,
    TokenPut,
    TokenTaken,
)
from companion.screen_state import Eyes
from companion.vision.dice.reader import DiceReader
from companion.vision.frames.image_io import UnreadableImage, as_frame
from companion.vision.frames.motion import is_dark
from companion.vision.lid.reader import LidReader, upright
from companion.vision.memo_dice.events import MemoEvent
from companion.vision.reading import Image, Reading
from companion.vision.table.events import (
    DiceEvent,
    Event,
    LidReadyEvent,
    State,
    StateEvent,
    TokenPutEvent,
    TokenTakenEvent,
)
from companion.vision.table.watcher import Watcher
from companion.vision.view_check.problem import Problem
from hardware.cameras.sources import Camera, CameraLost, Frame
from hardware.messages import Sentence

log = logging.getLogger("companion")
BACK_OFF = 1.0
"""Seconds between two attempts to find a lost camera."""
SILENT = 3.0
"""Seconds without a picture after which that is said."""
GIVEN_UP = 12.0
"""Seconds without a picture after which the camera is closed and opened anew."""
ASLEEP = 1.0
"""Seconds between two looks above which nobody was looking, so that no picture was missed."""


class Source(Protocol):
    """Somewhere that frames come from, again and again: opens the camera, however often it has been lost."""

    def __call__(self) -> Camera:
        """Opens it.

        Raises:
            CameraLost: it is not there.
        """
        ...


class Watches(Protocol):
    """Keeps track of a table from frame to frame: the `Watcher`, or another game's."""

    @property
    def state(self) -> State:
        """What goes on, in a word."""
        ...

    @property
    def reading(self) -> Reading | None:
        """The latest reading; a new one each time."""
        ...

    @property
    def lid_picture(self) -> Image | None:
        """The lid upright."""
        ...

    def see(self, image: Image, at: float) -> Sequence[Event | MemoEvent]:
        """Takes one frame of the time `at` (seconds, rising) in and tells what it settled."""
        ...

    def memory(self) -> dict[str, Any]:
        """What a restart needs, as JSON holds it."""
        ...

    def restore(self, memory: Mapping[str, Any], /) -> None:
        """Takes up what `memory` returned."""
        ...


class Judges(Protocol):
    """Says what is wrong with the view: a `ViewWatch`."""

    def see(self, image: Image, at: float, state: State, reading: Reading | None) -> Problem | None:
        """Takes a frame of the time `at` (seconds, rising) in; None: nothing is wrong."""
        ...


def make_watcher() -> Watcher:
    """The companion's own eyes: dice by pips, the lid by its tokens."""
    return Watcher(DiceReader(), LidReader(), upright=upright)


def signal_of(event: Event | MemoEvent, *, lid: bool) -> Signal:
    """A watcher's event as a signal, with the frame's own stamp."""
    match event:
        case DiceEvent():
            return DiceRead(event.values, event.confidence, event.at, event.alternatives)
        case TokenTakenEvent():
            return TokenTaken(event.window, event.number, event.confidence, event.at)
        case TokenPutEvent():
            return TokenPut(event.window, event.number, event.confidence, event.at)
        case LidReadyEvent():
            return LidReady(event.at)
        case StateEvent():
            return CameraSays(CameraState(event.state), event.at, lid)
        case _:
            return row_signal(event)


class Looking:
    """The eyes, one frame a call.

    Args:
        source: opens the camera.
        watcher: keeps track of the table from frame to frame.
        monotonic: the host's monotonic clock, in seconds.
        memory: keeps what was learnt of the table for the next start; None: nothing is kept.
        view: judges the camera's view; None: nobody does.
    """

    def __init__(
        self,
        source: Source,
        watcher: Watches,
        monotonic: Callable[[], float],
        memory: Memory | None = None,
        view: Judges | None = None,
    ) -> None:
        self._view = view
        self._refused: str | None = None
        self.eyes = Eyes(CameraState.LOOKING)
        self._memory = memory
        kept = memory.recall() if memory else None
        if memory is not None and kept is not None:
            try:
                watcher.restore(kept)
            except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
                memory.set_aside()
        self._to_keep = False
        """Something happened since the memory was kept last."""
        self._source = source
        self._watcher = watcher
        self._monotonic = monotonic
        self._camera: Camera | None = None
        self._lost = self._there = False
        """Whether the camera is missing; whether there has been one at all."""
        self._try_at = self._looked_at = self._fed_at = monotonic()
        self._lid = False

    def look(self) -> list[Signal]:
        """The signals of the next frame, if there is a new one."""
        self._keep()  # what was seen last is told by now: it need not wait for the disk
        now = self._monotonic()
        if now - self._looked_at > ASLEEP:
            self._fed_at = now
        self._looked_at = now
        camera = self._camera or self._open()
        if camera is None:
            return self._missing(CameraState.LOST, "" if self._there else Sentence("There is no camera: plug one in"))
        try:
            frame = camera.read()
        except CameraLost as why:
            if not self._lost:
                log.warning("%s", why)
            return self._give_up(CameraState.LOST)
        if frame is not None and (image := self._readable(frame)) is not None:
            self._fed_at = now
            return self._see(image, frame.at)
        if now - self._fed_at < SILENT:
            return []
        if now - self._fed_at < GIVEN_UP:
            return self._without_pictures()
        log.warning("%s has given no picture for %.0f s: it is opened anew.", camera.name, GIVEN_UP)
        return self._give_up(CameraState.BLIND)

    def restart(self, *, forget: bool) -> None:
        """Lets the camera go; it is opened anew by the next look. `forget`: what was learnt of the table, too."""
        self._to_keep = False  # the eyes have failed: nothing that they hold now is worth keeping
        self.close()
        if forget and self._memory is not None:
            self._memory.set_aside()

    def close(self) -> None:
        """Lets the camera go."""
        self._keep()
        if self._camera is not None:
            self._camera.close()
            self._camera = None

    def _open(self) -> Camera | None:
        if self._monotonic() < self._try_at:
            return None
        try:
            self._camera = self._source()
            self._there = True
            self._fed_at = self._monotonic()
        except CameraLost:
            self._try_at = self._monotonic() + BACK_OFF
        return self._camera

    def _give_up(self, state: CameraState) -> list[Signal]:
        self.close()
        self._try_at = self._monotonic() + BACK_OFF
        return self._missing(state)

    def _missing(self, state: CameraState, words: str = "") -> list[Signal]:
        # One that gave no pictures may be unplugged then; that one unplugged gives none goes without saying.
        if self._lost and (state is not CameraState.LOST or self.eyes.state is state):
            return []
        self._lost = True
        self.eyes = Eyes(state)
        now = self._monotonic()
        return [DeviceLost(NAME, now, words), CameraSays(state, now)]

    def _without_pictures(self) -> list[Signal]:
        return self._missing(CameraState.BLIND, NO_PICTURES)

    def _found(self) -> list[Signal]:
        if not self._lost:
            return []
        self._lost = False
        log.info("The camera gives pictures again.")
        return [DeviceBack(NAME, self._monotonic())]

    def _readable(self, frame: Frame) -> Image | None:
        """The picture in the frame; None: there is none."""
        try:
            return as_frame(frame.image)
        except UnreadableImage as why:
            self._refuse(str(why))
            return None

    def _see(self, image: Image, at: float) -> list[Signal]:
        events = self._watcher.see(image, at)
        reading = self._watcher.reading
        lid = reading is not None and reading.lid is not None
        signals = [signal_of(event, lid=lid) for event in events]
        self._to_keep = self._to_keep or bool(events)
        if self._watcher.state is State.BLIND and not is_dark(np.asarray(image.mean(axis=2), np.uint8)):
            # The same picture again and again: a camera that hangs, and says nothing of it.
            return signals + self._without_pictures()
        back = self._found()
        if (lid != self._lid or back) and not any(isinstance(s, CameraSays) for s in signals):
            signals.append(CameraSays(CameraState(self._watcher.state), at, lid))
        self._lid = lid
        problem = self._view.see(image, at, self._watcher.state, reading) if self._view else None
        self._picture(image, reading, problem)
        return back + signals

    def _keep(self) -> None:
        if self._to_keep and self._memory is not None:
            self._memory.keep(self._watcher.memory())
        self._to_keep = False

    def _refuse(self, why: str) -> None:
        """A frame that is none: said once, for a camera that gives one gives many."""
        if why != self._refused:
            self._refused = why
            log.warning("The camera gives what is %s.", why)

    def _picture(self, image: Image, reading: Reading | None, problem: Problem | None) -> None:
        """A new `Eyes` only when there is something new to be shown: the display compares by identity."""
        state = CameraState(self._watcher.state)
        upright = self._watcher.lid_picture
        seen = self.eyes
        if (
            state is not seen.state
            or reading is not seen.reading
            or upright is not seen.lid_upright
            or problem is not seen.problem
        ):
            self.eyes = Eyes(state, reading, image, upright, problem)
