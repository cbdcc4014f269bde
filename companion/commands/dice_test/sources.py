"""Where the throws of a dice test come from: a camera, a video, a simulated table, or keys alone."""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from companion.app.self_play import FRAME_SECONDS, SimulatedClock
from companion.camera.camera_reader import CameraReader, WatchedTable
from companion.commands.dice_test.throws import QUIT_KEY, SKIP_KEY, UNDO_KEY, ThrowCounter
from companion.commands.watch import read_frames
from companion.events import DiceRead, Event
from companion.simulation.camera import SimulatedCamera
from companion.simulation.dice_throws import LandingPlace
from companion.simulation.kit import find_table_kit
from companion.vision.base_watcher import TableWatcher
from companion.vision.table.watcher import make_dice_and_lid_watcher
from hardware.cameras.camera_opener import CameraOpener
from hardware.cameras.live_camera import Camera

KEYS_HINT = f"{UNDO_KEY} takes the last throw back, {QUIT_KEY} ends the test."
SETTLE_SECONDS = 1.5
"""Simulated seconds before the first throw, in which the watcher learns the empty table."""
READ_SECONDS = 6.0
"""Simulated seconds after which a throw that no event reports counts as not seen; a cocked die takes 3 s."""
LANDING_WEIGHTS = {LandingPlace.TRAY: 0.96, LandingPlace.TABLE: 0.02, LandingPlace.COCKED: 0.02}
"""How often a simulated die lands flat in the tray, beside it, or leaning on its rim."""


class KeyboardThrows:
    """Nothing is seen: all throws are entered by keys.

    Attributes:
        hint: advice that is shown at the start.
        is_over: no more events will come.
        takes_keys: people may press keys.
        needs_keys: nothing comes but keys.
        is_live: it is to be polled at a pace.
    """

    hint = f"Throw the die and press the face that lies on top, again and again. {KEYS_HINT}"
    is_over = False
    takes_keys = needs_keys = is_live = True

    def poll(self) -> list[Event]:
        """Return the events since the last call, without waiting for any: none."""
        return []

    def answer(self, _question: DiceRead | None) -> str:
        """Return the keys that a simulated person presses now: none."""
        return ""

    def list_true_faces(self) -> None:
        """Return the faces that really lay on top, for each throw that counts: nobody knows."""

    def close(self) -> None:
        """Do nothing: no device is open."""


class CameraThrows:
    """A die under a real camera, or in a video or folder of frames.

    A lost camera is opened again. The end of a video or folder ends the throws.

    Args:
        spec: see `hardware.cameras.camera_opener.CameraOpener`.
        monotonic: the host's monotonic clock, in seconds.
        open_device: opens a live camera, at once and again after it was lost; None: by `spec`.

    Raises:
        CameraLost: there is no such camera.
        DamagedDataFile: a packaged network is missing or damaged.
    """

    takes_keys, needs_keys = True, False

    def __init__(
        self, spec: str, monotonic: Callable[[], float], open_device: Callable[[], Camera] | None = None
    ) -> None:
        self.is_live, self.is_over = not Path(spec).is_file() and not Path(spec).is_dir(), False
        self.hint = (
            "Leave the view empty for a moment, then throw the die, alone; wait for its line, take it up and throw "
            f"again. {KEYS_HINT}"
        )
        self._watcher = make_dice_and_lid_watcher()
        self._frames: Iterator[tuple[int, float, Any]] = iter(())
        self._reader: CameraReader | None = None
        if self.is_live:
            opened = open_device or partial(CameraOpener(spec).open, monotonic)
            waiting = [opened()]  # a missing camera is an error now, a lost one is opened again

            def open_again() -> Camera:
                return waiting.pop() if waiting else opened()

            self._reader = CameraReader(lambda _use: WatchedTable(open_again, self._watcher), monotonic)
        else:
            self._frames = read_frames(spec)

    def poll(self) -> list[Event]:
        """Read the next frame, if there is one, and return its events.

        Raises:
            CameraLost: the video has no frame.
        """
        if self._reader is not None:
            return self._reader.poll()
        for _index, at, image in self._frames:
            return list(self._watcher.process_frame(image, at))
        self.is_over = True
        return []

    def answer(self, _question: DiceRead | None) -> str:
        """Return the keys that a simulated person presses now: none."""
        return ""

    def list_true_faces(self) -> None:
        """Return the faces that really lay on top, for each throw that counts: nobody knows."""

    def close(self) -> None:
        """Close the camera."""
        if self._reader is not None:
            self._reader.close()


@dataclass(frozen=True, slots=True)
class _SimulatedThrow:
    face: int
    landing_place: LandingPlace
    thrown_at: float
    counted_before: int
    """Number of throws that counted before it."""
    left_out_before: int


class VirtualThrows:
    """A simulated table on which a die throws itself; its frames go through the same vision as a real camera's.

    A simulated person looks at the die and answers the questions. A cocked die is left out, as at a real table, and so
    is a throw that no event reports.

    Args:
        counter: counts the throws.
        rng: decides on all that is random.
        weights: relative probability of each face, 1 to 6.
        watcher: reads the frames; None: with the packaged networks.

    Raises:
        DamagedDataFile: a packaged network is missing or damaged.
    """

    hint = "A simulated die is thrown under a simulated camera."
    is_over = takes_keys = needs_keys = is_live = False

    def __init__(
        self,
        counter: ThrowCounter,
        rng: random.Random,
        weights: Sequence[float],
        watcher: TableWatcher[Any] | None = None,
    ) -> None:
        self._counter, self._rng, self._weights = counter, rng, weights
        self._watcher = watcher or make_dice_and_lid_watcher()
        self._clock = SimulatedClock()
        self._table, renderer = find_table_kit(None).create_table(random.Random(rng.random()))
        self._camera = SimulatedCamera(self._table, renderer, self._clock)
        self._throw: _SimulatedThrow | None = None
        self._true_faces: list[int] = []
        while self._clock.now < SETTLE_SECONDS:
            self._watch()

    def poll(self) -> list[Event]:
        """Watch the next frame and return its events; throw the die once the last throw was counted or left out."""
        now, throw = self._clock.now, self._throw
        if throw is not None and self._counter.question is None:
            if len(self._counter.throws) > throw.counted_before:
                self._true_faces.append(throw.face)
                self._throw = None
            elif len(self._counter.left_out) > throw.left_out_before:
                self._throw = None
            elif now > throw.thrown_at + READ_SECONDS:
                self._counter.note_unseen()
                self._throw = None
        if self._throw is None and not self._table.is_busy(now):
            face = self._rng.choices(range(1, len(self._weights) + 1), self._weights)[0]
            place = self._rng.choices(list(LANDING_WEIGHTS), list(LANDING_WEIGHTS.values()))[0]
            self._table.throw_dice((face,), self._rng, now, (place,))
            self._throw = _SimulatedThrow(face, place, now, len(self._counter.throws), len(self._counter.left_out))
        return self._watch()

    def answer(self, question: DiceRead | None) -> str:
        """Return the key of the face that lies on top, or the one that leaves out a cocked die; "": no question."""
        if question is None or self._throw is None:
            return ""
        is_cocked = self._throw.landing_place is LandingPlace.COCKED
        return SKIP_KEY if is_cocked else str(self._throw.face)

    def list_true_faces(self) -> Sequence[int]:
        """Return the faces that really lay on top, for each throw that counts."""
        last = [self._throw.face] if self._throw is not None else []  # counted since the last poll
        return [*self._true_faces, *last][: len(self._counter.throws)]

    def close(self) -> None:
        """Do nothing: no device is open."""

    def _watch(self) -> list[Event]:
        self._clock.now += FRAME_SECONDS
        frame = self._camera.read()
        return [] if frame is None else list(self._watcher.process_frame(frame.image, frame.at))


ThrowSource = KeyboardThrows | CameraThrows | VirtualThrows
"""Gives the events of a table on which a die is thrown."""
