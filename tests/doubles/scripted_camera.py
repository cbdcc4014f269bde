"""A simulated webcam with the faults of real ones."""

from __future__ import annotations

from collections import deque

import cv2
import numpy as np
import numpy.typing as npt

FRAMES_PER_SECOND = 15
EXPOSURE_MODE, EXPOSURE_TIME = cv2.CAP_PROP_AUTO_EXPOSURE, cv2.CAP_PROP_EXPOSURE
AUTO_WB, KELVIN = cv2.CAP_PROP_AUTO_WB, cv2.CAP_PROP_WB_TEMPERATURE
SCENE: npt.NDArray[np.float32] = np.random.default_rng(5).uniform(0.2, 1.0, (36, 64, 3)).astype(np.float32)


class ScriptedWebcam:
    """A webcam whose `get` and `set` behave like V4L2 controls; `light` scales the brightness of the scene.

    Args:
        manual, auto: values of the exposure mode.
        ignores: controls that cannot be set.
        lies: what `set` returns, where that is not what it did.
        jumps: by hand it begins at this exposure time, not at the one found.
        longest: no exposure time is longer.
        late: frames until what is set shows.
        tint_jumps: without its automatic white balance it is this much bluer.

    `untold`: the exposure time that it tells as long as it finds it by itself, where that is not the true one.
    """

    def __init__(
        self,
        *,
        manual: float = 1.0,
        auto: float = 3.0,
        ignored: frozenset[int] = frozenset(),
        reported_success: bool | None = None,
        manual_start: float | None = None,
        max_exposure: float = 5000.0,
        delay_frames: int = 3,
        manual_blue: float = 1.0,
    ) -> None:
        self.light = 1.0
        self.colour = np.ones(3, np.float32)
        self.is_plugged_in = True
        self.reported_time: float | None = None
        self.values = {EXPOSURE_MODE: auto, EXPOSURE_TIME: 150.0, AUTO_WB: 1.0, KELVIN: 4500.0}
        self._manual, self._auto, self._ignores, self._lies = manual, auto, ignored, reported_success
        self._jumps, self._longest, self._tint = manual_start, max_exposure, manual_blue
        self._under_way = deque([(150.0, 1.0)] * delay_frames)
        self._gains = np.ones(3, np.float32)

    def get(self, control: int, /) -> float:
        if self.reported_time is not None and control == EXPOSURE_TIME and self.values[EXPOSURE_MODE] != self._manual:
            return self.reported_time
        return self.values.get(control, -1.0) if self.is_plugged_in else -1.0

    def set(self, control: int, value: float, /) -> bool:
        done = self.is_plugged_in and control in self.values and control not in self._ignores
        if done and control == EXPOSURE_MODE:
            done = value in (self._manual, self._auto)
            if done and value == self._manual and self.values[EXPOSURE_MODE] != value and self._jumps is not None:
                self.values[EXPOSURE_TIME] = self._jumps
        if done:
            self.values[control] = min(value, self._longest) if control == EXPOSURE_TIME else value
        return done if self._lies is None else self._lies

    def frame(self, over: np.ndarray | None = None) -> np.ndarray:
        if self.values[EXPOSURE_MODE] == self._auto:  # a third of the way to a middle grey with each frame
            level = float((SCENE.mean() * self.light * self.values[EXPOSURE_TIME] / 400) ** (1 / 2.2))
            self.values[EXPOSURE_TIME] = min(self._longest, self.values[EXPOSURE_TIME] * (0.45 / level) ** 0.7)
        if self.values[AUTO_WB] == 1:
            self._gains = 1 / self.colour
        bluer = 1.0 if self.values[AUTO_WB] == 1 else self._tint
        self._under_way.append((self.values[EXPOSURE_TIME], bluer))
        time, blue = self._under_way.popleft()
        scene = SCENE if over is None else over
        linear = scene * self.light * self.colour * self._gains * [blue, 1, 1] * time / 400
        return (255 * np.clip(linear, 0, 1) ** (1 / 2.2)).astype(np.uint8)
