"""Read the lid: where it lies, which of its 12 windows are covered, and by which numbers.

    image -> circles -> pose (which way round by arrow, tags, numbers) -> windows -> Lid

The lid is learnt once from a view in which all windows are covered (`calibration`; the corners of its top: `corners`).
From then on a frame is first compared with the last one at the last pose; only where that fails is the lid searched
for (`tracking`)."""

from dataclasses import replace
from typing import Any

import numpy as np

from companion.vision.confidence_limits import MAX_UNCERTAIN_LID_CONFIDENCE, MIN_PLAY_CONFIDENCE
from companion.vision.frames.image_io import normalise_frame
from companion.vision.lid import window_probabilities, window_reader
from companion.vision.lid.calibration import learn_layout
from companion.vision.lid.digit_reader import HIGHEST_NUMBER, DigitClassifier
from companion.vision.lid.geometry import (
    BoolArray,
    Float32Array,
    FloatArray,
    compute_scales,
    make_rigid_motion,
    project_points,
)
from companion.vision.lid.image_pyramid import ImagePyramid
from companion.vision.lid.layout import WINDOW_COUNT, LidLayout
from companion.vision.lid.tracking import LidTracker
from companion.vision.lid.window_reader import WindowReadings
from companion.vision.reading import Image, Lid, LidWindow, Point

_MIN_STILL_WINDOWS = 5
"""Windows that must look as before at the last pose for the lid not to have moved. If it grows, the lid is searched for
more often."""

_MIN_WINDOWS_TO_RECHECK = 3
"""Changed windows from which it is checked whether the lid's circles are where they were. If it grows, pushed lids are
noticed later."""

_FRAMES_TO_RECALIBRATE = 20
"""Searches in a row without a lid that is certainly the known one after which another lid is tried. If it grows, a
changed lid is noticed later."""

_MIN_NUMBER_PROBABILITY = 0.5
"""Least probability of a number that is proposed. If it grows, more questions come without a proposal."""

_MEMORY_WEIGHT = 0.7
"""Weight of the best reading of a token that has stayed in its window, when a new one is not clear. If it grows,
swapped tokens are noticed later."""


class LidReader:
    """Reads the lid in one camera's frames, in their order. Not thread-safe: the net uses buffers of its own.

    >>> reader = LidReader()
    >>> reader.read(np.full((480, 640, 3), 120, np.uint8)), reader.is_learnt
    (None, False)

    It must first learn the lid's layout, from a frame in which all 12 windows are covered, or get a stored one.

    Raises:
        DamagedDataFile: the packaged network is missing or damaged.
    """

    def __init__(self) -> None:
        self._classifier = DigitClassifier()
        self._tracker: LidTracker | None = None
        self._forget()

    def _forget(self) -> None:
        self._last: tuple[Image, WindowReadings, Lid] | None = None  # thumbnails, readings and lid of the last frame
        self._known: list[Float32Array | None] = [None] * WINDOW_COUNT
        self._was_open = np.zeros(WINDOW_COUNT, bool)
        self._mirrored: bool | None = None  # None: not seen yet

    @property
    def is_learnt(self) -> bool:
        """Whether a lid's layout is known."""
        return self._tracker is not None

    def export_layout(self) -> dict[str, Any] | None:
        """Return the learnt layout and the known numbers, for `restore_layout`.

        Returns:
            JSON values; None if no lid was learnt yet.
        """
        if self._tracker is None:
            return None
        numbers = [None if k is None else [round(float(p), 3) for p in k] for k in self._known]
        return {**self._tracker.layout.to_json(), "numbers": numbers, "mirrored": self._mirrored}

    def restore_layout(self, layout: dict[str, Any]) -> None:
        """Continue with a layout that `export_layout` returned, in place of the one that is known.

        If it raises, the reader stays as it was.

        Args:
            layout: the dictionary that `export_layout` returned.

        Raises:
            ArithmeticError, AttributeError, LookupError, TypeError, ValueError: `export_layout` did not return this.
        """
        learnt = LidLayout.from_json(layout)
        numbers = [None if k is None else np.array(k, np.float32) for k in layout.get("numbers", [None] * WINDOW_COUNT)]
        if len(numbers) != WINDOW_COUNT or any(k is not None and k.shape != (HIGHEST_NUMBER + 1,) for k in numbers):
            raise ValueError("not a lid's layout")
        self._start_tracking(learnt)
        mirrored = layout.get("mirrored")
        self._known, self._mirrored = numbers, mirrored if isinstance(mirrored, bool) else None

    def _start_tracking(self, layout: LidLayout) -> LidTracker:
        self._tracker = LidTracker(layout, self._compute_agreement)
        self._forget()
        return self._tracker

    def calibrate(self, image: Image) -> Lid | None:
        """Learn the lid from a view in which all 12 windows are covered, in place of the layout that is known.

        Args:
            image: the frame, (H, W, 3) uint8 BGR; other formats are converted, see `image_io.normalise_frame`.

        Returns:
            The lid, in pixels of `image`; None if the windows are not all covered: then the reader stays as it was.

        Raises:
            UnreadableImage: `image` is no array of numbers, has another shape, or is too small or narrow to show a
                table.
        """
        return self._calibrate(ImagePyramid(normalise_frame(image)))

    def _calibrate(self, pyramid: ImagePyramid) -> Lid | None:
        learnt = learn_layout(pyramid, self._classifier)
        if learnt is None:
            return None
        layout, pose = learnt
        tracker = self._start_tracking(layout)
        tracker.is_turn_certain = tracker.is_lid_certain = True
        return self._read_windows(pyramid, tracker, pose)

    def read(self, image: Image) -> Lid | None:
        """Read the lid in the next frame; learn it first if no layout is known (see `calibrate`).

        After every 20 searches in a row that did not surely find the known lid, it tries to learn another one.

        Args:
            image: the frame, (H, W, 3) uint8 BGR; other formats are converted, see `image_io.normalise_frame`.

        Returns:
            The lid, in pixels of `image`, the same object as before if nothing changed; None if it is not found.

        Raises:
            UnreadableImage: `image` is no array of numbers, has another shape, or is too small or narrow to show a
                table.
        """
        pyramid, tracker = ImagePyramid(normalise_frame(image)), self._tracker
        if tracker is None:
            return self._calibrate(pyramid)
        if tracker.has_certain_pose(pyramid.frame_size) and tracker.pose is not None and self._last is not None:
            before, readings, lid = self._last
            thumbnails = window_reader.cut_thumbnails(pyramid, tracker.layout, tracker.pose)
            same = window_reader.find_unchanged(before, thumbnails)
            if same.all():
                return lid
            count = np.count_nonzero(same)
            few = count > WINDOW_COUNT - _MIN_WINDOWS_TO_RECHECK
            if count >= _MIN_STILL_WINDOWS and (few or tracker.is_at_rest(pyramid)):
                # Each window as it was when it was read.
                thumbnails = np.where(same[:, None, None, None], before, thumbnails)
                return self._read_windows(pyramid, tracker, tracker.pose, thumbnails, (readings, ~same))
        pose = tracker.find_pose(pyramid)
        if tracker.missed_searches and tracker.missed_searches % _FRAMES_TO_RECALIBRATE == 0:
            other = self._calibrate(pyramid)
            if other is not None:
                return other
        return None if pose is None else self._read_windows(pyramid, tracker, pose)

    def _read_windows(
        self,
        pyramid: ImagePyramid,
        tracker: LidTracker,
        pose: FloatArray,
        thumbnails: Image | None = None,
        again: tuple[WindowReadings, BoolArray] | None = None,
    ) -> Lid:
        """Read the windows; of a lid at rest only the changed ones, given its thumbnails.

        `again` has the last readings and the flags, (12,), of the changed windows.
        """
        layout = tracker.layout
        if thumbnails is None:
            thumbnails = window_reader.cut_thumbnails(pyramid, layout, pose)
        readings = window_reader.read_windows(pyramid, layout, pose, self._classifier, again)
        if not tracker.is_turn_certain and _are_all_covered(readings):
            # A new round on a lid whose turns cannot be distinguished: no window has a past, so any turn will do.
            tracker.is_turn_certain = True
            self._known = [None] * WINDOW_COUNT
        if again is None and self._mirrored is not False:  # once it is seen to be none it does not become a mirror
            mirrored = window_reader.are_tokens_mirrored(pyramid, layout, pose, self._classifier, readings)
            self._mirrored = self._mirrored if mirrored is None else mirrored
        tracker.pose, tracker.frame_size = pose, pyramid.frame_size
        # If the turn is not certain, the windows that are remembered are not known.
        remembered = self._combine_with_memory(readings) if tracker.is_turn_certain else readings
        lid = _make_lid(layout, pose, remembered, tracker.is_turn_certain, self._mirrored is True)
        self._last = thumbnails, readings, lid
        return lid

    def _compute_agreement(self, pyramid: ImagePyramid, homography: FloatArray) -> tuple[float, FloatArray]:
        """Return how many tokens' numbers are known, and for each turn of a pose how many show theirs."""
        assert self._tracker is not None
        layout = self._tracker.layout
        odds = window_reader.read_windows(pyramid, layout, homography, self._classifier).probabilities
        agreeing, could = [], 0.0
        for angle in layout.symmetry_angles:
            # Window i of the pose turned back by `angle` lies where this window is under `homography`.
            places = project_points(make_rigid_motion(-angle), layout.centers)
            at = np.linalg.norm(places[:, None] - layout.centers, axis=2).argmin(axis=1)
            known = [(i, k) for i, k in zip(at, self._known, strict=True) if k is not None and odds[i, 0] < 0.5]
            agreeing.append(sum(float(odds[i, 1:] @ k[1:]) for i, k in known))
            could = max(could, float(len(known)))
        return could, np.array(agreeing)

    def _combine_with_memory(self, readings: WindowReadings) -> WindowReadings:
        """Correct readings by earlier ones: each number is there twice, and a token that stays keeps its own."""
        odds = readings.probabilities.copy()
        for i, known in enumerate(self._known):
            if known is not None and not readings.blank[i]:
                odds[i] = window_probabilities.apply_memory(odds[i], known)
        hidden = window_probabilities.find_hidden(replace(readings, probabilities=odds))
        covered = odds[:, 0] < 0.5
        if covered.all():
            if self._was_open.any():  # all tokens are back: they were shuffled
                self._known = [None] * WINDOW_COUNT
            self._was_open[:] = False
            if not readings.blank.any():
                odds = window_probabilities.balance_numbers(odds)
        for i in range(WINDOW_COUNT):
            if readings.blank[i]:
                self._known[i] = None  # which token lies there now is not known
            elif covered[i]:
                odds[i] = self._remember_token(i, odds[i].copy())
            elif not hidden[i]:
                self._known[i] = None
                self._was_open[i] = True
        return replace(readings, probabilities=odds)

    def _remember_token(self, index: int, now: Float32Array) -> Float32Array:
        """Return a covered window's probabilities (7,) weighed with the best so far, and keep the better of both."""
        known = self._known[index]
        out = now.copy()
        if known is not None and now[1:].max() < MIN_PLAY_CONFIDENCE:  # a clear reading needs no help
            weighed = now[1:] * (_MEMORY_WEIGHT * known[1:] + (1 - _MEMORY_WEIGHT) / HIGHEST_NUMBER)
            out[1:] = weighed / weighed.sum() * (1 - now[0])
            out = window_probabilities.limit_number(out, float(max(now[1:].max(), known[1:].max())))
        if known is None or now[1:].max() > known[1:].max():
            self._known[index] = now
        return out


def _make_lid(
    layout: LidLayout, pose: FloatArray, readings: WindowReadings, is_turn_certain: bool, mirrored: bool
) -> Lid:
    centers = project_points(pose, layout.centers)
    radii = compute_scales(pose, layout.centers)
    hidden = window_probabilities.find_hidden(readings)
    most = window_probabilities.limit_confidence(readings)
    windows = []
    for i, odds in enumerate(readings.probabilities):
        covered: bool | None = bool(odds[0] < 0.5)
        number: int | None = None
        confidence = float(odds[0])
        if readings.blank[i]:
            confidence = min(1 - confidence, MAX_UNCERTAIN_LID_CONFIDENCE if mirrored else 1.0)
        elif covered:
            likely = int(odds[1:].argmax()) + 1
            number = likely if odds[likely] >= _MIN_NUMBER_PROBABILITY else None
            confidence = min(float(odds[likely]), MAX_UNCERTAIN_LID_CONFIDENCE if mirrored else 1.0)
        elif hidden[i]:
            covered, confidence = None, 0.0
        confidence = min(confidence, float(most[i]) if is_turn_certain else MAX_UNCERTAIN_LID_CONFIDENCE)
        windows.append(LidWindow(_make_point(centers[i]), float(radii[i]), covered, number, confidence))
    first, second, third, fourth = (_make_point(c) for c in project_points(pose, layout.corners))
    arrow = None if layout.arrow is None else _make_point(project_points(pose, layout.arrow))
    tags = tuple(tuple(_make_point(c) for c in project_points(pose, tag)) for tag in layout.tags.values())
    return Lid((first, second, third, fourth), arrow, tuple(windows), mirrored, tags)


def _are_all_covered(readings: WindowReadings) -> bool:
    """Tell whether all 12 windows surely show tokens, with nothing before them."""
    covered = (readings.probabilities[:, 0] < 1 - MIN_PLAY_CONFIDENCE).all()
    return bool(covered and (window_probabilities.limit_confidence(readings) >= MIN_PLAY_CONFIDENCE).all())


def _make_point(p: FloatArray) -> Point:
    return float(p[0]), float(p[1])
