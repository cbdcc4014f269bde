"""Exposure and white balance: held once the picture has come to rest, given back to the camera when the light changes.

A camera left to itself grows brighter when a dark sleeve comes in and turns blue when a red die does: things seem to
change that did not. Held for ever it is blind when the lamp goes on. So:

    SETTLING -> TRYING -> HELD -> (another light) -> SETTLING
                  |
                  +-> LEFT alone, if it cannot be held: nothing is lost but steadiness

Drivers do not keep their word about these controls: what counts is what the pictures look like afterwards.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from enum import StrEnum
from functools import cache
from math import exp
from typing import Any, Protocol

import cv2
import numpy as np
import numpy.typing as npt

log = logging.getLogger(__name__)

LevelGrid = npt.NDArray[np.float32]
"""A picture of 16x9 cells: the logarithms of their levels, shape (9, 16, 3) or (9, 16, 1) for a grey camera."""

CHECK_SECONDS = 0.25
"""Seconds between two looks at the light."""

STEADY_SECONDS = 2.0
"""So long the light must have stayed the same before it is held: a camera needs about a second to find it."""

MAX_STEADY_CHANGE = 0.05
"""Change of the logarithm of the level that counts as none: flicker of lamps, noise."""

TRIAL_SECONDS = 0.8
"""Seconds until what was set shows in the pictures: drivers queue some frames."""

MAX_HELD_CHANGE = 0.08
"""Held, the picture may be brighter or darker by so much than it was."""

MAX_CORRECTIONS = 5
"""So often the exposure time is corrected, for many cameras begin at the time that was last set by hand."""

CORRECTION_EXPONENT = 1.6
"""Between sensors' linear answer and the 2.2 of most pictures: corrections by this power come closer with either."""

MAX_TINT_CHANGE = 0.12
"""Held, no colour may differ by more than so much from the others' change: the white balance has jumped."""

LIGHT_CHANGE = 0.18
LIGHT_CHANGE_SECONDS = 3.0
"""A fifth brighter or darker, in brightness or in one colour, for so many seconds, is another light."""

MIN_HELD_LEVEL, MAX_HELD_LEVEL = 30.0, 225.0
"""Mean levels between which an exposure is worth holding."""

_LEVEL_OFFSET = 4.0
"""Added to all levels: in the dark, noise would make large ratios."""


class ExposureControls(Protocol):
    """A camera's exposure and white balance. None of these raises."""

    def hold(self, *, white_balance: bool) -> bool:
        """Fixes the exposure, and the white balance if asked, as they are now; whether the camera says that it did."""
        ...

    def scale_exposure(self, factor: float) -> bool:
        """Multiplies the held exposure time; whether that changed anything."""
        ...

    def release(self) -> None:
        """Lets the camera find exposure and white balance by itself again."""
        ...


class ExposurePhase(StrEnum):
    """Where a `Keeper` is."""

    SETTLING = "settling"  # the camera finds the light by itself
    TRYING = "trying"  # it was told to hold it; do the pictures stay as they were?
    HELD = "held"
    AUTOMATIC = "left alone"  # it cannot be held


class ExposureController:
    """Holds one camera's exposure while the light stays. Driven by its frames, in the thread that owns the camera.

    Args:
        name: the camera's, for the log.
        controls: its controls.
    """

    def __init__(self, name: str, controls: ExposureControls) -> None:
        self.phase = ExposurePhase.SETTLING
        self._name, self._controls = name, controls
        self._checked_at = -np.inf
        self._reference: LevelGrid | None = None
        self._phase_since = -np.inf
        self._changed_since: float | None = None
        self._corrections = self._failures = 0
        # A program that was killed may have left the camera held, in a light of yesterday.
        controls.release()

    def process_frame(self, image: npt.NDArray[Any], at: float) -> None:
        """Takes a frame of the time `at` (seconds, rising) in."""
        if self.phase is ExposurePhase.AUTOMATIC or at - self._checked_at < CHECK_SECONDS or not image.size:
            return
        self._checked_at = at
        look = compute_level_grid(image)
        if self._reference is not None and look.shape != self._reference.shape:
            self._restart()  # a camera that changes its format is another one
        match self.phase:
            case ExposurePhase.SETTLING:
                self._settle(look, at)
            case ExposurePhase.TRYING if at - self._phase_since >= TRIAL_SECONDS:
                self._try(look, at)
            case ExposurePhase.HELD:
                self._hold(look, at)

    def close(self) -> None:
        """Leaves the camera as it was found: other programs use it too."""
        if self.phase in (ExposurePhase.TRYING, ExposurePhase.HELD):
            self._controls.release()
        self.phase = ExposurePhase.AUTOMATIC

    def _restart(self) -> None:
        if self.phase is not ExposurePhase.SETTLING:
            self._controls.release()
        self.phase, self._reference, self._changed_since = ExposurePhase.SETTLING, None, None

    def _settle(self, look: LevelGrid, at: float) -> None:
        if self._reference is None or np.abs(_compute_changes(look, self._reference)).max() > MAX_STEADY_CHANGE:
            self._reference, self._phase_since = look, at
        elif at - self._phase_since >= STEADY_SECONDS and _is_well_exposed(look):
            self._reference = look
            # Some cameras jump to another tint when that is to be held: at the second try it is left to them.
            if self._controls.hold(white_balance=self._failures == 0):
                self.phase, self._phase_since, self._corrections = ExposurePhase.TRYING, at, 0
            else:
                self._give_up_trial()

    def _try(self, look: LevelGrid, at: float) -> None:
        assert self._reference is not None
        changes = _compute_changes(look, self._reference)
        brighter = float(np.median(changes))
        if abs(brighter) > MAX_HELD_CHANGE:
            factor = min(4.0, max(0.25, exp(-CORRECTION_EXPONENT * brighter)))
            if self._corrections < MAX_CORRECTIONS and self._controls.scale_exposure(factor):
                self._corrections, self._phase_since = self._corrections + 1, at
            else:
                self._give_up_trial()
        elif np.abs(changes - brighter).max() > MAX_TINT_CHANGE:
            self._give_up_trial()
        else:
            self.phase, self._reference, self._failures = ExposurePhase.HELD, look, 0
            log.debug("%s: exposure held", self._name)

    def _hold(self, look: LevelGrid, at: float) -> None:
        assert self._reference is not None
        if np.abs(_compute_changes(look, self._reference)).max() < LIGHT_CHANGE:
            self._changed_since = None
        elif self._changed_since is None:
            self._changed_since = at
        elif at - self._changed_since >= LIGHT_CHANGE_SECONDS:
            log.debug("%s: the light has changed", self._name)
            self._restart()

    def _give_up_trial(self) -> None:
        self._controls.release()
        self._failures += 1
        self.phase, self._reference = ExposurePhase.SETTLING, None
        if self._failures == 2:
            self.phase = ExposurePhase.AUTOMATIC
            _log_automatic(self._name)


@cache
def _log_automatic(name: str) -> None:
    """Once for each camera, however often it comes and goes."""
    log.warning("%s: its exposure cannot be held; it goes on finding it by itself", name)


def compute_level_grid(image: npt.NDArray[Any]) -> LevelGrid:
    """The picture's cells, see `Look`."""
    small = cv2.resize(image, (16, 9), interpolation=cv2.INTER_AREA).reshape(9, 16, -1)[:, :, :3]
    return np.asarray(np.log(small.astype(np.float32) + _LEVEL_OFFSET), np.float32)


def _compute_changes(look: LevelGrid, reference: LevelGrid) -> npt.NDArray[np.float32]:
    """How much brighter each colour has become: of the cells the middle one, for hands and dice change some only."""
    return np.asarray(np.median((look - reference).reshape(-1, look.shape[2]), axis=0), np.float32)


def _is_well_exposed(look: LevelGrid) -> bool:
    return MIN_HELD_LEVEL < float(np.exp(look).mean()) - _LEVEL_OFFSET < MAX_HELD_LEVEL


class CaptureProperties(Protocol):
    """What is used of `cv2.VideoCapture`."""

    def get(self, control: int, /) -> float: ...
    def set(self, control: int, value: float, /) -> bool: ...


_MODE_SCALES = ((1.0, 3.0), (0.25, 0.75))
"""What "by hand" and "by itself" are called: V4L2's own menu, and OpenCV's older scale of 0 to 1."""


class V4l2Controls:
    """A camera opened by OpenCV with `cv2.CAP_V4L2` (other backends mean other things by the same values).

    A control counts as set if it reads back as set: some drivers refuse and obey, others agree and do nothing.
    """

    def __init__(self, capture: CaptureProperties) -> None:
        self._capture = capture
        self._automatic_mode: float | None = None
        self._is_white_balance_held = False

    def hold(self, *, white_balance: bool) -> bool:
        """See `Controls`."""
        exposure, mode = self._get(cv2.CAP_PROP_EXPOSURE), self._get(cv2.CAP_PROP_AUTO_EXPOSURE)
        if mode < 0:  # it has no such control
            return False
        scales = sorted(_MODE_SCALES, key=lambda pair: mode not in pair)
        held = next(((manual, auto) for manual, auto in scales if self._set(cv2.CAP_PROP_AUTO_EXPOSURE, manual)), None)
        if held is None:
            self._set(cv2.CAP_PROP_AUTO_EXPOSURE, mode)
            return False
        self._automatic_mode = held[1] if mode == held[0] else mode
        if exposure > 0:
            self._set(cv2.CAP_PROP_EXPOSURE, exposure)
        if white_balance and self._get(cv2.CAP_PROP_AUTO_WB) == 1:
            kelvin = self._get(cv2.CAP_PROP_WB_TEMPERATURE)
            self._is_white_balance_held = self._set(cv2.CAP_PROP_AUTO_WB, 0.0)
            if kelvin > 0:
                self._set(cv2.CAP_PROP_WB_TEMPERATURE, kelvin)
        return True

    def scale_exposure(self, factor: float) -> bool:
        """See `Controls`."""
        before = self._get(cv2.CAP_PROP_EXPOSURE)
        if before <= 0:
            return False
        # The time is in whole steps of 0.1 ms; a short one moves by one at least.
        wanted = max(1.0, round(before * factor))
        if wanted == before:
            wanted = before + (1.0 if factor > 1 else -1.0)
        self._set(cv2.CAP_PROP_EXPOSURE, wanted)
        return self._get(cv2.CAP_PROP_EXPOSURE) not in (before, -1.0, 0.0)

    def release(self) -> None:
        """See `Controls`."""
        mode = self._get(cv2.CAP_PROP_AUTO_EXPOSURE)
        for manual, auto in _MODE_SCALES:
            if mode == manual:
                # Webcams know 3 (the time alone is found), a few know 0 (the aperture too).
                for wanted in (self._automatic_mode, auto, 0.0):
                    if wanted is not None and self._set(cv2.CAP_PROP_AUTO_EXPOSURE, wanted):
                        break
        if self._is_white_balance_held or (mode >= 0 and self._get(cv2.CAP_PROP_AUTO_WB) == 0):
            self._set(cv2.CAP_PROP_AUTO_WB, 1.0)
            self._is_white_balance_held = False

    def _get(self, control: int) -> float:
        return float(self._capture.get(control))

    def _set(self, control: int, value: float) -> bool:
        self._capture.set(control, value)
        return abs(self._get(control) - value) < 0.01


class PiControls:
    """A camera on a Raspberry Pi's ribbon cable, by Picamera2.

    Args:
        set_controls: `Picamera2.set_controls`.
        metadata: what came with the latest frame.
    """

    def __init__(self, set_controls: Callable[[dict[str, Any]], object], get_metadata: Callable[[], dict[str, Any]]):
        self._set_controls, self._get_metadata = set_controls, get_metadata
        self._exposure = 0

    def hold(self, *, white_balance: bool) -> bool:
        """See `Controls`."""
        now = self._get_metadata()
        if not now.get("ExposureTime"):
            return False
        self._exposure = int(now["ExposureTime"])
        wanted: dict[str, Any] = {"AeEnable": False, "ExposureTime": self._exposure}
        if "AnalogueGain" in now:
            wanted["AnalogueGain"] = now["AnalogueGain"]
        if not self._set(wanted):
            return False
        if white_balance and "ColourGains" in now:  # a camera without colours has none
            self._set({"AwbEnable": False, "ColourGains": tuple(now["ColourGains"])})
        return True

    def scale_exposure(self, factor: float) -> bool:
        """See `Controls`."""
        self._exposure = max(1, round(self._exposure * factor))
        return self._set({"ExposureTime": self._exposure})

    def release(self) -> None:
        """See `Controls`."""
        self._set({"AeEnable": True})
        self._set({"AwbEnable": True})

    def _set(self, wanted: dict[str, Any]) -> bool:
        try:
            self._set_controls(wanted)
        except (RuntimeError, ValueError, KeyError):  # libcamera does not know it for this sensor
            return False
        return True
