"""Focus a camera with a motorised lens once its view is still, then lock the lens where it is.

A Camera Module 3 rests at one distance until it is told to focus, so a table below it is blurred; a webcam on automatic
follows each hand. So:

    SETTLING -> SCANNING -> LOCKED -> (the camera was moved) -> SETTLING
                              |
                              +-> AUTOMATIC, if locking blurs the picture: some webcams jump to another position
"""

import logging
from collections.abc import Callable
from enum import StrEnum
from typing import Any, Protocol

import cv2
import numpy as np
import numpy.typing as npt

from hardware.cameras.exposure import (
    CHECK_SECONDS,
    LIGHT_CHANGE,
    STEADY_SECONDS,
    TRIAL_SECONDS,
    LevelGrid,
    compute_level_grid,
)
from hardware.cameras.exposure_controls import CaptureProperties

log = logging.getLogger(__name__)

MAX_STILL_SHARE = 0.1
"""Largest share of a picture's cells that may change while it counts as still: dice may be thrown.

A larger value may focus on an arm over the table, a smaller one may never focus.
"""

MIN_MOVED_SHARE = 0.25
"""Share of the cells that differ from the picture that was focused, from which the camera counts as moved.

In six filmed sessions play changed at most 0.2, a view shifted by a sixth of its width 0.18 to 0.42, and blur nothing.
A larger value keeps a wrong focus, a smaller one focuses again when a lid is carried away.
"""

MOVED_SECONDS = 5.0
"""Time for which that must last: a head over the table leaves again. A larger value focuses later."""

MAX_SCAN_SECONDS = 10.0
"""Time after which a scan counts as failed; the Camera Module 3 takes one to two seconds."""

MAX_FAILED_SCANS = 3
"""Failed scans after which the lens is locked at its default: in the dark, or above a bare table."""


WEBCAM_SCAN_SECONDS = 3.0
"""Time that a webcam gets to focus, since it does not say when it has. A larger value locks later."""

MIN_KEPT_SHARPNESS = 0.6
"""Part of the picture's sharpness that must be left after locking, above that of a webcam that jumped out of focus.

A larger value leaves more webcams on automatic, a smaller one locks some in a blur.
"""

_SHARPNESS_SIZE = (640, 360)
"""Width and height of the picture whose sharpness is measured."""


class ScanState(StrEnum):
    """What a camera reports of its autofocus scan."""

    UNDER_WAY = "under way"
    FOCUSED = "focused"
    FAILED = "failed"


class FocusControls(Protocol):
    """A camera's motorised lens. No method raises.

    Attributes:
        is_lock_certain: the lens does not move when it is locked; otherwise the pictures are checked.
    """

    is_lock_certain: bool

    def start_scan(self) -> None:
        """Begin to search for the sharpest position of the lens."""

    def get_scan_state(self) -> ScanState:
        """Return the state of the scan that was started last."""

    def lock(self) -> None:
        """End autofocus and keep the lens where it is."""

    def release(self) -> None:
        """Leave the lens as other programs expect it."""


class FocusPhase(StrEnum):
    """State of a `FocusController`."""

    SETTLING = "settling"  # until the view is still
    SCANNING = "scanning"
    LOCKED = "locked"
    AUTOMATIC = "left alone"  # it cannot be locked


class FocusController:
    """Focuses one camera. Called with its frames, by the thread that owns the camera.

    Args:
        name: the camera's name, for the log.
        controls: its lens.

    Attributes:
        phase: state of the controller.
        is_focusing: whether the picture may still become sharper.
    """

    def __init__(self, name: str, controls: FocusControls) -> None:
        self.phase = FocusPhase.SETTLING
        self._name, self._controls = name, controls
        self._checked_at = self._since = -np.inf
        self._reference: LevelGrid | None = None
        self._failures = 0
        self._focused_sharpness: float | None = None
        """Before the lens was locked, until the pictures show that it stayed there."""

    @property
    def is_focusing(self) -> bool:
        """See the class."""
        return self.phase in (FocusPhase.SETTLING, FocusPhase.SCANNING)

    def process_frame(self, image: npt.NDArray[Any], at: float) -> None:
        """Check the view in a frame, at most every `CHECK_SECONDS`; begin a scan or lock the lens if it is time.

        A scan begins when the view has been still for `STEADY_SECONDS` (2 s). The lens is locked when the scan has
        ended, at the latest after `MAX_SCAN_SECONDS` (10 s). If the scan failed, or things moved during it, it is
        repeated; after `MAX_FAILED_SCANS` (3) failures the lens stays locked, which is logged. A view that has been
        another one for `MOVED_SECONDS` (5 s) is focused again.

        Args:
            image: shape (H, W, 3) or (H, W) uint8, not empty.
            at: when it was taken, in seconds of the camera's monotonic clock, rising from call to call.

        Raises:
            cv2.error: the image is empty.
        """
        if self.phase is FocusPhase.AUTOMATIC or at - self._checked_at < CHECK_SECONDS:
            return
        self._checked_at = at
        grid = compute_level_grid(image)
        if self._reference is None:
            self._settle(grid, at)
            return
        changed_share = _compute_changed_share(grid, self._reference)
        if self.phase is FocusPhase.LOCKED and self._focused_sharpness is not None:
            if at - self._since >= TRIAL_SECONDS:
                self._check_lock(image, changed_share)
        elif self.phase is FocusPhase.LOCKED:
            if changed_share < MIN_MOVED_SHARE:
                self._since = at
            elif at - self._since >= MOVED_SECONDS:
                log.debug("%s: the view has changed", self._name)
                self._failures = 0
                self._settle(grid, at)
        elif self.phase is FocusPhase.SCANNING:
            self._check_scan(image, grid, changed_share, at)
        elif changed_share > MAX_STILL_SHARE:
            self._settle(grid, at)
        elif at - self._since >= STEADY_SECONDS:
            self._controls.start_scan()
            self.phase, self._since = FocusPhase.SCANNING, at

    def close(self) -> None:
        """Leave the lens as other programs expect it; later frames are ignored."""
        self._controls.release()
        self.phase = FocusPhase.AUTOMATIC

    def _settle(self, grid: LevelGrid, at: float) -> None:
        """Wait until the view is as in `grid` for `STEADY_SECONDS`."""
        self.phase, self._reference, self._since = FocusPhase.SETTLING, grid, at

    def _check_scan(self, image: npt.NDArray[Any], grid: LevelGrid, changed_share: float, at: float) -> None:
        state = self._controls.get_scan_state()
        if state is ScanState.UNDER_WAY and at - self._since < MAX_SCAN_SECONDS:
            return
        self._controls.lock()
        if state is ScanState.FOCUSED and changed_share > MAX_STILL_SHARE:  # it may have focused on a hand
            self._settle(grid, at)
            return
        if state is not ScanState.FOCUSED:
            self._failures += 1
            if self._failures < MAX_FAILED_SCANS:
                self._settle(grid, at)
                return
            log.warning("%s: it cannot be focused; its lens stays as it is", self._name)
        self.phase, self._reference, self._since = FocusPhase.LOCKED, grid, at
        self._focused_sharpness = None if self._controls.is_lock_certain else _compute_sharpness(image)

    def _check_lock(self, image: npt.NDArray[Any], changed_share: float) -> None:
        """Leave the lens to the camera if the picture was sharp before it was locked, and is not any more."""
        before, self._focused_sharpness = self._focused_sharpness, None
        is_blurred = before is not None and _compute_sharpness(image) < MIN_KEPT_SHARPNESS * before
        if is_blurred and changed_share <= MAX_STILL_SHARE:
            log.warning("%s: its lens cannot be locked; it stays on automatic", self._name)
            self._controls.release()
            self.phase = FocusPhase.AUTOMATIC


def _compute_sharpness(image: npt.NDArray[Any]) -> float:
    """Return the strength of the edges in a picture, for comparison with another moment of the same view."""
    small = cv2.resize(image, _SHARPNESS_SIZE, interpolation=cv2.INTER_AREA)
    return float(cv2.Laplacian(small.astype(np.float32), cv2.CV_32F).std())


def _compute_changed_share(grid: LevelGrid, reference: LevelGrid) -> float:
    """Return the share of the cells whose level changed by more than the light did, 0 to 1."""
    changes = grid.mean(axis=2) - reference.mean(axis=2)
    return float((np.abs(changes - np.median(changes)) > LIGHT_CHANGE).mean())


_MANUAL_MODE, _AUTO_MODE = 0, 1
"""Values of libcamera's AfMode."""

_START_TRIGGER = 0
"""Value of libcamera's AfTrigger that starts a scan in the mode Auto."""

_SCAN_STATES = {2: ScanState.FOCUSED, 3: ScanState.FAILED}
"""Values of libcamera's AfState; 0 (idle: the trigger has not arrived yet) and 1 (scanning) are under way."""


class PiFocus:
    """The lens of a Raspberry Pi's ribbon camera that has `AfMode`, through Picamera2. No method raises.

    Its position is set by number when it is locked.

    Args:
        set_controls: `Picamera2.set_controls`; may raise RuntimeError, ValueError or KeyError.
        get_metadata: returns libcamera's metadata of the latest frame; empty before the first one.
    """

    is_lock_certain = True

    def __init__(self, set_controls: Callable[[dict[str, Any]], object], get_metadata: Callable[[], dict[str, Any]]):
        self._set_controls, self._get_metadata = set_controls, get_metadata

    def start_scan(self) -> None:
        """Begin to search for the sharpest position of the lens."""
        self._set({"AfMode": _AUTO_MODE, "AfTrigger": _START_TRIGGER})

    def get_scan_state(self) -> ScanState:
        """Return the state of the scan that was started last; UNDER_WAY also before the first frame."""
        return _SCAN_STATES.get(self._get_metadata().get("AfState", 0), ScanState.UNDER_WAY)

    def lock(self) -> None:
        """Set the mode Manual, in which the lens moves no more and the next scan begins from the state Idle."""
        metadata = self._get_metadata()
        position = {"LensPosition": metadata["LensPosition"]} if "LensPosition" in metadata else {}
        self._set({"AfMode": _MANUAL_MODE, **position})

    def release(self) -> None:
        """Do nothing: the lens keeps its place until a program moves it."""

    def _set(self, wanted: dict[str, Any]) -> None:
        try:
            self._set_controls(wanted)
        except (RuntimeError, ValueError, KeyError):
            log.debug("libcamera refuses %s", wanted, exc_info=True)


class V4l2Focus:
    """The lens of a webcam with autofocus, opened with `cv2.CAP_V4L2`. No method raises.

    Args:
        capture: the opened device; used only from the thread that owns it.
        clock: the clock of the frames' stamps, in seconds.
    """

    is_lock_certain = False

    def __init__(self, capture: CaptureProperties, clock: Callable[[], float]) -> None:
        self._capture, self._clock = capture, clock
        self._scanned_at = clock()

    def start_scan(self) -> None:
        """Switch the camera's own autofocus on."""
        self._capture.set(cv2.CAP_PROP_AUTOFOCUS, 1.0)
        self._scanned_at = self._clock()

    def get_scan_state(self) -> ScanState:
        """Return FOCUSED after `WEBCAM_SCAN_SECONDS` (3 s): a webcam does not say when it is."""
        is_over = self._clock() - self._scanned_at >= WEBCAM_SCAN_SECONDS
        return ScanState.FOCUSED if is_over else ScanState.UNDER_WAY

    def lock(self) -> None:
        """Switch autofocus off, and set the position that it has found: some cameras return to an earlier one."""
        position = self._capture.get(cv2.CAP_PROP_FOCUS)
        self._capture.set(cv2.CAP_PROP_AUTOFOCUS, 0.0)
        if position >= 0:
            self._capture.set(cv2.CAP_PROP_FOCUS, position)

    def release(self) -> None:
        """Switch the camera's own autofocus on."""
        self._capture.set(cv2.CAP_PROP_AUTOFOCUS, 1.0)
