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

Look = npt.NDArray[np.float32]
"""A picture of 16x9 cells: the logarithms of their levels, shape (9, 16, 3) or (9, 16, 1) for a grey camera."""

EVERY_S = 0.25
"""Seconds between two looks at the light."""

REST_S = 2.0
"""So long the light must have stayed the same before it is held: a camera needs about a second to find it."""

AT_REST = 0.05
"""Change of the logarithm of the level that counts as none: flicker of lamps, noise."""

TRY_S = 0.8
"""Seconds until what was set shows in the pictures: drivers queue some frames."""

HITS = 0.08
"""Held, the picture may be brighter or darker by so much than it was."""

NUDGES = 5
"""So often the exposure time is corrected, for many cameras begin at the time that was last set by hand."""

GAMMA = 1.6
"""Between sensors' linear answer and the 2.2 of most pictures: corrections by this power come closer with either."""

TINT = 0.12
"""Held, no colour may differ by more than so much from the others' change: the white balance has jumped."""

OTHER_LIGHT = 0.18
OTHER_S = 3.0
"""A fifth brighter or darker, in brightness or in one colour, for so many seconds, is another light."""

DARKEST, BRIGHTEST = 30.0, 225.0
"""Mean levels between which an exposure is worth holding."""

_DIM = 4.0
"""Added to all levels: in the dark, noise would make large ratios."""


class Controls(Protocol):
    """A camera's exposure and white balance. None of these raises."""

    def hold(self, *, white_balance: bool) -> bool:
        """Fixes the exposure, and the white balance if asked, as they are now; whether the camera says that it did."""
        ...

    def scale(self, factor: float) -> bool:
        """Multiplies the held exposure time; whether that changed anything."""
        ...

    def free(self) -> None:
        """Lets the camera find exposure and white balance by itself again."""
        ...


class Phase(StrEnum):
    """Where a `Keeper` is."""

    SETTLING = "settling"  # the camera finds the light by itself
    TRYING = "trying"  # it was told to hold it; do the pictures stay as they were?
    HELD = "held"
    LEFT = "left alone"  # it cannot be held


class Keeper:
    """Holds one camera's exposure while the light stays. Driven by its frames, in the thread that owns the camera.

    Args:
        name: the camera's, for the log.
        controls: its controls.
    """

    def __init__(self, name: str, controls: Controls) -> None:
        self.phase = Phase.SETTLING
        self._name, self._controls = name, controls
        self._looked_at = -np.inf
        self._reference: Look | None = None
        self._since = -np.inf
        self._other_since: float | None = None
        self._nudges = self._failures = 0
        # A program that was killed may have left the camera held, in a light of yesterday.
        controls.free()

    def see(self, image: npt.NDArray[Any], at: float) -> None:
        """Takes a frame of the time `at` (seconds, rising) in."""
        if self.phase is Phase.LEFT or at - self._looked_at < EVERY_S or not image.size:
            return
        self._looked_at = at
        look = look_of(image)
        if self._reference is not None and look.shape != self._reference.shape:
            self._begin()  # a camera that changes its format is another one
        match self.phase:
            case Phase.SETTLING:
                self._settle(look, at)
            case Phase.TRYING if at - self._since >= TRY_S:
                self._try(look, at)
            case Phase.HELD:
                self._hold(look, at)

    def close(self) -> None:
        """Leaves the camera as it was found: other programs use it too."""
        if self.phase in (Phase.TRYING, Phase.HELD):
            self._controls.free()
        self.phase = Phase.LEFT

    def _begin(self) -> None:
        if self.phase is not Phase.SETTLING:
            self._controls.free()
        self.phase, self._reference, self._other_since = Phase.SETTLING, None, None

    def _settle(self, look: Look, at: float) -> None:
        if self._reference is None or np.abs(_changes(look, self._reference)).max() > AT_REST:
            self._reference, self._since = look, at
        elif at - self._since >= REST_S and _is_good(look):
            self._reference = look
            # Some cameras jump to another tint when that is to be held: at the second try it is left to them.
            if self._controls.hold(white_balance=self._failures == 0):
                self.phase, self._since, self._nudges = Phase.TRYING, at, 0
            else:
                self._failed()

    def _try(self, look: Look, at: float) -> None:
        assert self._reference is not None
        changes = _changes(look, self._reference)
        brighter = float(np.median(changes))
        if abs(brighter) > HITS:
            factor = min(4.0, max(0.25, exp(-GAMMA * brighter)))
            if self._nudges < NUDGES and self._controls.scale(factor):
                self._nudges, self._since = self._nudges + 1, at
            else:
                self._failed()
        elif np.abs(changes - brighter).max() > TINT:
            self._failed()
        else:
            self.phase, self._reference, self._failures = Phase.HELD, look, 0
            log.debug("%s: exposure held", self._name)

    def _hold(self, look: Look, at: float) -> None:
        assert self._reference is not None
        if np.abs(_changes(look, self._reference)).max() < OTHER_LIGHT:
            self._other_since = None
        elif self._other_since is None:
            self._other_since = at
        elif at - self._other_since >= OTHER_S:
            log.debug("%s: the light has changed", self._name)
            self._begin()

    def _failed(self) -> None:
        self._controls.free()
        self._failures += 1
        self.phase, self._reference = Phase.SETTLING, None
        if self._failures == 2:
            self.phase = Phase.LEFT
            _tell_left(self._name)


@cache
def _tell_left(name: str) -> None:
    """Once for each camera, however often it comes and goes."""
    log.warning("%s: its exposure cannot be held; it goes on finding it by itself", name)


def look_of(image: npt.NDArray[Any]) -> Look:
    """The picture's cells, see `Look`."""
    small = cv2.resize(image, (16, 9), interpolation=cv2.INTER_AREA).reshape(9, 16, -1)[:, :, :3]
    return np.asarray(np.log(small.astype(np.float32) + _DIM), np.float32)


def _changes(look: Look, reference: Look) -> npt.NDArray[np.float32]:
    """How much brighter each colour has become: of the cells the middle one, for hands and dice change some only."""
    return np.asarray(np.median((look - reference).reshape(-1, look.shape[2]), axis=0), np.float32)


def _is_good(look: Look) -> bool:
    return DARKEST < float(np.exp(look).mean()) - _DIM < BRIGHTEST


class Properties(Protocol):
    """What is used of `cv2.VideoCapture`."""

    def get(self, control: int, /) -> float: ...
    def set(self, control: int, value: float, /) -> bool: ...


_MANUAL_AUTO = ((1.0, 3.0), (0.25, 0.75))
"""What "by hand" and "by itself" are called: V4L2's own menu, and OpenCV's older scale of 0 to 1."""


class V4l2Controls:
    """A camera opened by OpenCV with `cv2.CAP_V4L2` (other backends mean other things by the same values).

    A control counts as set if it reads back as set: some drivers refuse and obey, others agree and do nothing.
    """

    def __init__(self, capture: Properties) -> None:
        self._capture = capture
        self._auto: float | None = None
        self._tint_held = False

    def hold(self, *, white_balance: bool) -> bool:
        """See `Controls`."""
        exposure, mode = self._get(cv2.CAP_PROP_EXPOSURE), self._get(cv2.CAP_PROP_AUTO_EXPOSURE)
        if mode < 0:  # it has no such control
            return False
        scales = sorted(_MANUAL_AUTO, key=lambda pair: mode not in pair)
        held = next(((manual, auto) for manual, auto in scales if self._set(cv2.CAP_PROP_AUTO_EXPOSURE, manual)), None)
        if held is None:
            self._set(cv2.CAP_PROP_AUTO_EXPOSURE, mode)
            return False
        self._auto = held[1] if mode == held[0] else mode
        if exposure > 0:
            self._set(cv2.CAP_PROP_EXPOSURE, exposure)
        if white_balance and self._get(cv2.CAP_PROP_AUTO_WB) == 1:
            kelvin = self._get(cv2.CAP_PROP_WB_TEMPERATURE)
            self._tint_held = self._set(cv2.CAP_PROP_AUTO_WB, 0.0)
            if kelvin > 0:
                self._set(cv2.CAP_PROP_WB_TEMPERATURE, kelvin)
        return True

    def scale(self, factor: float) -> bool:
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

    def free(self) -> None:
        """See `Controls`."""
        mode = self._get(cv2.CAP_PROP_AUTO_EXPOSURE)
        for manual, auto in _MANUAL_AUTO:
            if mode == manual:
                # Webcams know 3 (the time alone is found), a few know 0 (the aperture too).
                for wanted in (self._auto, auto, 0.0):
                    if wanted is not None and self._set(cv2.CAP_PROP_AUTO_EXPOSURE, wanted):
                        break
        if self._tint_held or (mode >= 0 and self._get(cv2.CAP_PROP_AUTO_WB) == 0):
            self._set(cv2.CAP_PROP_AUTO_WB, 1.0)
            self._tint_held = False

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

    def __init__(self, set_controls: Callable[[dict[str, Any]], object], metadata: Callable[[], dict[str, Any]]):
        self._set_controls, self._metadata = set_controls, metadata
        self._exposure = 0

    def hold(self, *, white_balance: bool) -> bool:
        """See `Controls`."""
        now = self._metadata()
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

    def scale(self, factor: float) -> bool:
        """See `Controls`."""
        self._exposure = max(1, round(self._exposure * factor))
        return self._set({"ExposureTime": self._exposure})

    def free(self) -> None:
        """See `Controls`."""
        self._set({"AeEnable": True})
        self._set({"AwbEnable": True})

    def _set(self, wanted: dict[str, Any]) -> bool:
        try:
            self._set_controls(wanted)
        except (RuntimeError, ValueError, KeyError):  # libcamera does not know it for this sensor
            return False
        return True
