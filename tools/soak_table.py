"""Simulated camera, button box and screen that fail according to a fault schedule; see `soak.py`."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pygame
from soak_faults import Fault, FaultSchedule

from companion.events import Button, Event, VisionEvent
from companion.games.macroscope.simulator.appearance import MacroscopeAppearance
from companion.games.macroscope.simulator.kit import create_macroscope_table
from companion.games.memo_dice.simulator.objects import MemoDiceAppearance
from companion.games.memo_dice.simulator.table import create_memo_dice_table
from companion.screen_state import ScreenState
from companion.simulation.camera import SimulatedCamera
from companion.vision.reading import Image
from hardware.buttons.lamp_effects import LampEffect
from hardware.buttons.source import SourceLost
from hardware.cameras.live_camera import Camera, CameraLost, Frame

DEFAULT_GAME, CUP_ROW_GAME = "macroscope", "memo_dice"
"""Games with a table of their own in front of the camera."""
BLANK_FRAME: Image = np.full((36, 64, 3), 90, np.uint8)
OTHER_FORMAT_PX = (640, 360)
"""Width and height of frames while the camera has another format."""


class SoakTables:
    """The simulated tables in front of the camera, one for each kind of watcher; the camera may fail."""

    def __init__(
        self, rng: random.Random, clock: Callable[[], float], faults: Callable[[], FaultSchedule], *, drawn: bool
    ) -> None:
        lid, lid_drawn = create_macroscope_table(MacroscopeAppearance(), rng)
        row, row_drawn = create_memo_dice_table(MemoDiceAppearance(), rng)
        self.simulated: Mapping[str, Any] = {DEFAULT_GAME: lid, CUP_ROW_GAME: row}
        quick: Any = BlankRenderer()  # a camera asks it for frames alone
        self._cameras = {
            DEFAULT_GAME: SimulatedCamera(lid, lid_drawn if drawn else quick, clock),
            CUP_ROW_GAME: SimulatedCamera(row, row_drawn, clock),
        }
        self._faults = faults

    def step(self, now: float) -> None:
        """Advance all tables to `now`, whether or not a camera reads them."""
        for table in self.simulated.values():
            table.step(now)

    def open_camera(self, game: str) -> Camera:
        """Open the camera for a game.

        Raises:
            CameraLost: the camera is unplugged.
        """
        if self._faults().is_active(Fault.CAMERA_OUT):
            raise CameraLost("the camera does not open")
        return FailingCamera(self._cameras[game], self._faults)


class BlankRenderer:
    """Renders a blank frame, for a watcher that knows the table without frames."""

    def render(self, table: Any) -> Image:
        return BLANK_FRAME


class FailingCamera:
    """A camera that fails while a fault is active."""

    name = "simulated camera"

    def __init__(self, camera: Camera, faults: Callable[[], FaultSchedule]) -> None:
        self._camera, self._faults = camera, faults

    def read(self) -> Frame | None:
        """See `hardware.cameras.live_camera.Camera`."""
        faults = self._faults()
        if faults.is_active(Fault.CAMERA_OUT):
            raise CameraLost("the camera was unplugged")
        frame = self._camera.read()
        if frame is None or faults.is_active(Fault.CAMERA_STALLS):
            return None
        if faults.is_active(Fault.CAMERA_DARK):
            return replace(frame, image=np.zeros_like(frame.image))
        if faults.is_active(Fault.CAMERA_FORMAT):
            small = cv2.resize(frame.image, OTHER_FORMAT_PX, interpolation=cv2.INTER_AREA)
            return replace(frame, image=np.asarray(small, np.uint8))
        return frame

    def close(self) -> None:
        """Nothing is held open."""


class FailingWatcher:
    """A watcher that fails while the fault `VISION` is active."""

    def __init__(self, watcher: Any, faults: Callable[[], FaultSchedule]) -> None:
        self._watcher, self._faults = watcher, faults

    def __getattr__(self, name: str) -> Any:
        return getattr(self._watcher, name)

    def process_frame(self, image: Image, at: float) -> Sequence[VisionEvent]:
        if self._faults().is_active(Fault.VISION):
            raise FloatingPointError("a fault on purpose, in vision")
        seen: Sequence[VisionEvent] = self._watcher.process_frame(image, at)
        return seen


class SoakButtonBox:
    """A simulated button box on a cable that may be unplugged."""

    name = "button box"

    def __init__(self, faults: Callable[[], FaultSchedule]) -> None:
        self._faults = faults
        self._pressed: list[Event] = []
        self.lamps: Mapping[Button, LampEffect] = {}

    def open(self) -> SoakButtonBox:
        """Open the button box.

        Raises:
            SourceLost: it is unplugged.
        """
        if self._faults().is_active(Fault.BOX_OUT):
            raise SourceLost("")
        return self

    def press(self, signals: Sequence[Event]) -> None:
        """Press buttons; the presses are lost while the cable is unplugged."""
        if not self._faults().is_active(Fault.BOX_OUT):
            self._pressed += signals

    def read(self) -> list[Event]:
        """See `hardware.buttons.source.ButtonSource`."""
        if self._faults().is_active(Fault.BOX_OUT):
            raise SourceLost("")
        pressed, self._pressed = self._pressed, []
        return pressed

    def set_lamps(self, lamps: Mapping[Button, LampEffect]) -> None:
        self.lamps = lamps

    def close(self) -> None:
        self._pressed.clear()


class SoakScreen:
    """The screen, of SDL's dummy driver; it may be lost."""

    SIZE_PX = (1024, 600)

    def __init__(self, faults: Callable[[], FaultSchedule]) -> None:
        self._faults = faults

    def open(self) -> pygame.Surface:
        """Open the whole screen.

        Raises:
            RuntimeError: the screen is lost.
        """
        if self._faults().is_active(Fault.SCREEN_OUT):
            raise RuntimeError("no screen here")
        pygame.display.init()
        return pygame.display.set_mode(self.SIZE_PX)

    def apply_faults(self) -> None:
        """Close SDL's display while the screen is lost."""
        if self._faults().is_active(Fault.SCREEN_OUT) and pygame.display.get_init():
            pygame.display.quit()


def list_seat_buttons(shown: ScreenState) -> list[Button]:
    """Return the seat buttons of the players, clockwise."""
    return [player.button for player in shown.players]


@contextmanager
def make_method_fail(owner: type, name: str, *, on: bool) -> Iterator[None]:
    """Replace a method by one that raises LookupError within the block, if `on`."""
    good = getattr(owner, name)

    def fall(*_: object) -> None:
        raise LookupError("a fault on purpose, in a scene")

    setattr(owner, name, fall if on else good)
    try:
        yield
    finally:
        setattr(owner, name, good)
