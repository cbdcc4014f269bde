"""Controls of a camera's exposure and white balance: those of V4L2 and of Picamera2."""

from collections.abc import Callable
from typing import Any, Protocol

import cv2


class CaptureProperties(Protocol):
    """The part of `cv2.VideoCapture` that is used for controls."""

    def get(self, control: int, /) -> float:
        """Return a control's value; -1 or 0 if there is none.

        Args:
            control: one of OpenCV's `cv2.CAP_PROP_` numbers.
        """

    def set(self, control: int, value: float, /) -> bool:
        """Set a control; the result says whether the driver reports success, and is not reliable.

        Args:
            control: one of OpenCV's `cv2.CAP_PROP_` numbers.
            value: in the driver's own unit.
        """


_MODE_SCALES = ((1.0, 3.0), (0.25, 0.75))
"""Values of (manual, automatic) exposure: V4L2's own menu, and OpenCV's older scale of 0 to 1."""
_READ_BACK_TOLERANCE = 0.01
"""Largest difference of a control's value that counts as set: values are integers or quarters."""


class V4l2Controls:
    """Controls of a camera opened with `cv2.CAP_V4L2`; other backends give the same values other meanings.

    A control counts as set if it reads back as set: some drivers report failure and set it, others report success and
    do nothing. No method raises.

    Args:
        capture: the opened device; used only from the thread that owns it.
    """

    def __init__(self, capture: CaptureProperties) -> None:
        self._capture = capture
        self._automatic_mode: float | None = None
        self._is_white_balance_held = False

    def hold(self, *, white_balance: bool) -> bool:
        """Fix the exposure as it is now, and return whether the camera confirms it; False: it has no such control.

        Args:
            white_balance: fix the white balance too, where the camera can.
        """
        exposure, mode = self._get(cv2.CAP_PROP_EXPOSURE), self._get(cv2.CAP_PROP_AUTO_EXPOSURE)
        if mode < 0:  # the camera has no such control
            return False
        scales = sorted(_MODE_SCALES, key=lambda pair: mode not in pair)
        held = next((scale for scale in scales if self._set(cv2.CAP_PROP_AUTO_EXPOSURE, scale[0])), None)
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
        """Change the exposure time by a factor, at least by one step of 0.1 ms, and return whether it changed.

        False also if the camera has no exposure time. Call `hold` before: most cameras refuse it on automatic.

        Args:
            factor: above 0; more than 1 makes the picture brighter.
        """
        before = self._get(cv2.CAP_PROP_EXPOSURE)
        if before <= 0:
            return False
        # The time counts in whole steps of 0.1 ms; a short one changes by at least one step.
        wanted = max(1.0, round(before * factor))
        if wanted == before:
            wanted = before + (1.0 if factor > 1 else -1.0)
        self._set(cv2.CAP_PROP_EXPOSURE, wanted)
        return self._get(cv2.CAP_PROP_EXPOSURE) not in (before, -1.0, 0.0)

    def release(self) -> None:
        """Switch exposure and white balance back to automatic, also if another program had held them."""
        mode = self._get(cv2.CAP_PROP_AUTO_EXPOSURE)
        for manual, automatic in _MODE_SCALES:
            if mode == manual:
                # Webcams know 3 (only the time is automatic), a few know 0 (the aperture too).
                for wanted in (self._automatic_mode, automatic, 0.0):
                    if wanted is not None and self._set(cv2.CAP_PROP_AUTO_EXPOSURE, wanted):
                        break
        if self._is_white_balance_held or (mode >= 0 and self._get(cv2.CAP_PROP_AUTO_WB) == 0):
            self._set(cv2.CAP_PROP_AUTO_WB, 1.0)
            self._is_white_balance_held = False

    def _get(self, control: int) -> float:
        return float(self._capture.get(control))

    def _set(self, control: int, value: float) -> bool:
        self._capture.set(control, value)
        return abs(self._get(control) - value) < _READ_BACK_TOLERANCE


class PiControls:
    """Controls of a Raspberry Pi's ribbon camera, through Picamera2. No method raises.

    Args:
        set_controls: `Picamera2.set_controls`; may raise RuntimeError, ValueError or KeyError.
        get_metadata: returns libcamera's metadata of the latest frame; empty before the first one.
    """

    def __init__(self, set_controls: Callable[[dict[str, Any]], object], get_metadata: Callable[[], dict[str, Any]]):
        self._set_controls, self._get_metadata = set_controls, get_metadata
        self._exposure = 0

    def hold(self, *, white_balance: bool) -> bool:
        """Fix exposure time and gain as they are, and return whether libcamera accepts it; False before a frame.

        Args:
            white_balance: fix the white balance too, where the camera has colours; the result does not depend on that.
        """
        metadata = self._get_metadata()
        if not metadata.get("ExposureTime"):
            return False
        self._exposure = int(metadata["ExposureTime"])
        wanted: dict[str, Any] = {"AeEnable": False, "ExposureTime": self._exposure}
        if "AnalogueGain" in metadata:
            wanted["AnalogueGain"] = metadata["AnalogueGain"]
        if not self._set(wanted):
            return False
        if white_balance and "ColourGains" in metadata:  # a monochrome camera has none
            self._set({"AwbEnable": False, "ColourGains": tuple(metadata["ColourGains"])})
        return True

    def scale_exposure(self, factor: float) -> bool:
        """Multiply the held exposure time (whole microseconds, at least 1), and return whether libcamera accepts it.

        Call it only after `hold` returned True: without a held time it sets 1 microsecond.

        Args:
            factor: above 0; more than 1 makes the picture brighter.
        """
        self._exposure = max(1, round(self._exposure * factor))
        return self._set({"ExposureTime": self._exposure})

    def release(self) -> None:
        """Switch exposure and white balance back to automatic."""
        self._set({"AeEnable": True})
        self._set({"AwbEnable": True})

    def _set(self, wanted: dict[str, Any]) -> bool:
        try:
            self._set_controls(wanted)
        except (RuntimeError, ValueError, KeyError):  # libcamera does not have this control for the sensor
            return False
        return True
