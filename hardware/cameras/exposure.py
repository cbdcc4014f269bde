"""Hold exposure and white balance while the light stays the same, and return them to the camera when it changes.

A camera on automatic grows brighter when a dark sleeve enters the picture and bluer when a red die does, so that things
seem to change that did not. A camera that holds its exposure for ever sees nothing after the lamp is switched on. So:

    SETTLING -> TRYING -> HELD -> (the light changes) -> SETTLING
                  |
                  +-> AUTOMATIC, if it cannot be held: readings are only less steady

Drivers do not reliably do what these controls promise, so the pictures themselves are checked afterwards.
"""

import logging
from enum import StrEnum
from functools import cache
from math import exp
from typing import Any, Protocol

import cv2
import numpy as np
import numpy.typing as npt

log = logging.getLogger(__name__)

LevelGrid = npt.NDArray[np.float32]
"""Logarithms of the levels of 16x9 cells of a picture, shape (9, 16, 3) or (9, 16, 1) for a grey camera."""

CHECK_SECONDS = 0.25
"""Time between two checks of the light. A larger value reacts later, a smaller one costs time."""

STEADY_SECONDS = 2.0
"""Time for which the light must be the same before it is held: cameras need about a second to adjust to it."""

MAX_STEADY_CHANGE = 0.05
"""Largest change of a level's logarithm (5 %) that counts as the same light: flicker of lamps and noise.

A larger value may hold an exposure that is still being adjusted, a smaller one may never hold it.
"""

TRIAL_SECONDS = 0.8
"""Time until a setting shows in the pictures: drivers queue some frames."""

MAX_HELD_CHANGE = 0.08
"""Largest change of brightness, as a logarithm (8 %), that holding may cause; above it the exposure is corrected."""

MAX_CORRECTIONS = 5
"""Number of corrections of the exposure time: many cameras start from the time that was last set by hand."""

CORRECTION_EXPONENT = 1.6
"""Gamma that a correction assumes, between a linear sensor (1.0) and most pictures (2.2).

Corrections converge with either. A larger value overshoots with linear sensors.
"""

MIN_CORRECTION = 0.25
"""Smallest factor of the exposure time in one correction."""

MAX_CORRECTION = 4.0
"""Largest factor of the exposure time in one correction."""

MAX_TINT_CHANGE = 0.12
"""Largest change of one colour relative to the others, as a logarithm, that holding may cause.

Above it the white balance has jumped, and the trial has failed.
"""

MAX_TRIALS = 2
"""Failed trials after which the camera stays on automatic; the last one leaves the white balance alone."""

LIGHT_CHANGE = 0.18
"""Change of brightness or of one colour, as a logarithm (a fifth), from which the light counts as changed.

A larger value holds a wrong exposure for longer, a smaller one gives it up for hands and dice.
"""

LIGHT_CHANGE_SECONDS = 3.0
"""Time for which the change must last."""

MIN_HELD_LEVEL = 30.0
"""Lowest mean level (0 to 255) at which an exposure is held: darker pictures would stay unreadable."""

MAX_HELD_LEVEL = 225.0
"""Highest mean level (0 to 255) at which an exposure is held."""

_LEVEL_OFFSET = 4.0
"""Added to all levels before the logarithm: in the dark, noise would cause large ratios."""


class ExposureControls(Protocol):
    """A camera's exposure and white balance. No method raises."""

    def hold(self, *, white_balance: bool) -> bool:
        """Fix the exposure as it is now, and return whether the camera confirms it; False: it stays on automatic.

        Args:
            white_balance: fix the white balance too, where the camera can; the result does not depend on that.
        """

    def scale_exposure(self, factor: float) -> bool:
        """Multiply the exposure time that `hold` has fixed, and return whether it changed.

        Args:
            factor: above 0; more than 1 makes the picture brighter.
        """

    def release(self) -> None:
        """Switch exposure and white balance back to automatic."""


class ExposurePhase(StrEnum):
    """State of an `ExposureController`."""

    SETTLING = "settling"  # on automatic, until the light is steady
    TRYING = "trying"  # held for a trial: do the pictures stay as they were?
    HELD = "held"
    AUTOMATIC = "left alone"  # it cannot be held


class ExposureController:
    """Holds one camera's exposure while the light stays. Called with its frames, by the thread that owns the camera.

    Args:
        name: the camera's name, for the log.
        controls: its controls; they are set to automatic at once.

    Attributes:
        phase: state of the controller.
    """

    is_focusing = False

    def __init__(self, name: str, controls: ExposureControls) -> None:
        self.phase = ExposurePhase.SETTLING
        self._name, self._controls = name, controls
        self._checked_at = self._phase_since = -np.inf
        self._reference: LevelGrid | None = None
        self._changed_since: float | None = None
        self._corrections = self._failures = 0
        # A program that was killed may have left the camera held, in another light.
        controls.release()

    def process_frame(self, image: npt.NDArray[Any], at: float) -> None:
        """Check the light in a frame, at most every `CHECK_SECONDS`, and hold, correct or release the exposure.

        The exposure is held after `STEADY_SECONDS` (2 s) of the same light, corrected if that made the pictures
        brighter or darker, and released once the light has been another one for `LIGHT_CHANGE_SECONDS` (3 s). After
        `MAX_TRIALS` (2) failed trials in a row it stays on automatic, which is logged once for each camera.

        Args:
            image: shape (H, W, 3) or (H, W) uint8; an empty one is ignored.
            at: when it was taken, in seconds of the camera's monotonic clock, rising from call to call.
        """
        if self.phase is ExposurePhase.AUTOMATIC or at - self._checked_at < CHECK_SECONDS or not image.size:
            return
        self._checked_at = at
        grid = compute_level_grid(image)
        if self._reference is not None and grid.shape != self._reference.shape:
            self._restart()  # the camera changed its format
        if self._reference is None or self.phase is ExposurePhase.SETTLING:
            self._settle(grid, at)
        elif self.phase is ExposurePhase.HELD:
            self._check_light(_compute_changes(grid, self._reference), at)
        elif at - self._phase_since >= TRIAL_SECONDS:
            self._check_trial(grid, _compute_changes(grid, self._reference), at)

    def close(self) -> None:
        """Switch the camera back to automatic, for other programs; later frames are ignored."""
        if self.phase in (ExposurePhase.TRYING, ExposurePhase.HELD):
            self._controls.release()
        self.phase = ExposurePhase.AUTOMATIC

    def _restart(self) -> None:
        if self.phase is not ExposurePhase.SETTLING:
            self._controls.release()
        self.phase, self._reference, self._changed_since = ExposurePhase.SETTLING, None, None

    def _settle(self, grid: LevelGrid, at: float) -> None:
        if self._reference is None or np.abs(_compute_changes(grid, self._reference)).max() > MAX_STEADY_CHANGE:
            self._reference, self._phase_since = grid, at
        elif at - self._phase_since >= STEADY_SECONDS and _is_well_exposed(grid):
            self._reference = grid
            # Some cameras jump to another tint if the white balance is held: the second trial leaves it on automatic.
            if self._controls.hold(white_balance=self._failures == 0):
                self.phase, self._phase_since, self._corrections = ExposurePhase.TRYING, at, 0
            else:
                self._fail_trial()

    def _check_trial(self, grid: LevelGrid, changes: npt.NDArray[np.float32], at: float) -> None:
        brighter = float(np.median(changes))
        if abs(brighter) > MAX_HELD_CHANGE:
            factor = min(MAX_CORRECTION, max(MIN_CORRECTION, exp(-CORRECTION_EXPONENT * brighter)))
            if self._corrections < MAX_CORRECTIONS and self._controls.scale_exposure(factor):
                self._corrections, self._phase_since = self._corrections + 1, at
            else:
                self._fail_trial()
        elif np.abs(changes - brighter).max() > MAX_TINT_CHANGE:
            self._fail_trial()
        else:
            self.phase, self._reference, self._failures = ExposurePhase.HELD, grid, 0
            log.debug("%s: exposure held", self._name)

    def _check_light(self, changes: npt.NDArray[np.float32], at: float) -> None:
        if np.abs(changes).max() < LIGHT_CHANGE:
            self._changed_since = None
        elif self._changed_since is None:
            self._changed_since = at
        elif at - self._changed_since >= LIGHT_CHANGE_SECONDS:
            log.debug("%s: the light has changed", self._name)
            self._restart()

    def _fail_trial(self) -> None:
        self._controls.release()
        self._failures += 1
        self.phase, self._reference = ExposurePhase.SETTLING, None
        if self._failures == MAX_TRIALS:
            self.phase = ExposurePhase.AUTOMATIC
            _log_automatic(self._name)


@cache
def _log_automatic(name: str) -> None:
    """Log once for each camera, however often it is opened."""
    log.warning("%s: its exposure cannot be held; it stays on automatic", name)


def compute_level_grid(image: npt.NDArray[Any]) -> LevelGrid:
    """Return the logarithms of an image's levels in 16x9 cells, for comparison with another moment.

    Args:
        image: shape (H, W) or (H, W, channels) uint8, not empty; of more than 3 channels the first 3 count.

    Returns:
        Shape (9, 16, 3) or, of a grey image, (9, 16, 1), float32.

    Raises:
        cv2.error: the image is empty.
    """
    small = cv2.resize(image, (16, 9), interpolation=cv2.INTER_AREA).reshape(9, 16, -1)[:, :, :3]
    return np.asarray(np.log(small.astype(np.float32) + _LEVEL_OFFSET), np.float32)


def _compute_changes(grid: LevelGrid, reference: LevelGrid) -> npt.NDArray[np.float32]:
    """Return the change of each colour: the median over the cells, since hands and dice change only some of them."""
    return np.asarray(np.median((grid - reference).reshape(-1, grid.shape[2]), axis=0), np.float32)


def _is_well_exposed(grid: LevelGrid) -> bool:
    return MIN_HELD_LEVEL < float(np.exp(grid).mean()) - _LEVEL_OFFSET < MAX_HELD_LEVEL
