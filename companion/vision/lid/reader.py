"""The Macroscope's lid: where it lies, which of its 12 windows are covered, and by which numbers.

    image -> circles -> pose (which way round by arrow, tags, numbers) -> windows -> Lid

The lid is learnt once from a view in which all windows are covered. From then on a frame is first compared with the
last one at the last pose; only where that fails is the lid searched for.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from companion.vision.frames.image_io import normalise_frame
from companion.vision.lid import windows as window_reader
from companion.vision.lid.calibration import learn_layout
from companion.vision.lid.circles import ImagePyramid
from companion.vision.lid.digit_reader import HIGHEST_NUMBER, DigitClassifier
from companion.vision.lid.geometry import FloatArray, compute_scales, make_rotation, project_points
from companion.vision.lid.layout import WINDOW_COUNT, LidLayout
from companion.vision.lid.rectify import rectify_lid
from companion.vision.lid.tracking import LidTracker
from companion.vision.reading import MIN_PLAY_CONFIDENCE, Image, Lid, LidWindow, Point

__all__ = ["LidReader", "rectify_lid"]

_MIN_STILL_WINDOWS = 5
"""If so many windows look as before at the last pose, the lid has not moved."""

_MIN_WINDOWS_TO_RECHECK = 3
"""But if so many do not, it is seen whether its circles are where they were."""

_MAX_UNCERTAIN_CONFIDENCE = 0.75
"""Confidence is cut to this while it is not sure which window is which, or the numbers are mirrored."""

_FRAMES_TO_RECALIBRATE = 20
"""After so many frames without a lid that is surely the known one it is tried whether it is another."""

_MEMORY_WEIGHT = 0.7
"""Weight of the best reading of a token that has stayed in its window, when a new one is not clear."""

_KEPT = 0.5
"""Known numbers this likely are kept with the layout."""


class LidReader:
    """Reads one camera's frames in their order. Not for use from two threads."""

    def __init__(self) -> None:
        self._net = DigitClassifier()
        self._follower: LidTracker | None = None
        self._glances: Image | None = None
        self._raw: window_reader.WindowReadings | None = None
        self._read: Lid | None = None
        self._known: list[npt.NDArray[np.float32] | None] = [None] * WINDOW_COUNT
        self._was_open = np.zeros(WINDOW_COUNT, bool)
        self._mirrored: bool | None = None  # not seen yet

    @property
    def is_calibrated(self) -> bool:
        """Whether a lid's layout is known."""
        return self._follower is not None

    def export_layout(self) -> dict[str, Any] | None:
        """The learnt layout as plain JSON values, for `restore`; None if there is none yet."""
        if self._follower is None:
            return None
        numbers = [None if k is None else [round(float(p), 3) for p in k] for k in self._known]
        return {**self._follower.layout.to_json(), "numbers": numbers, "mirrored": self._mirrored}

    def restore_layout(self, plain: dict[str, Any]) -> None:
        """Takes up a layout that `layout` gave. Raises ValueError, KeyError or TypeError if it is not one."""
        layout = LidLayout.from_json(plain)
        numbers = [None if k is None else np.array(k, np.float32) for k in plain.get("numbers", [None] * WINDOW_COUNT)]
        if len(numbers) != WINDOW_COUNT or any(k is not None and k.shape != (HIGHEST_NUMBER + 1,) for k in numbers):
            raise ValueError("not a lid's layout")
        self._start_tracking(layout)
        self._known, self._mirrored = numbers, _parse_flag(plain.get("mirrored"))

    def _start_tracking(self, layout: LidLayout) -> LidTracker:
        self._follower = LidTracker(layout, self._compute_agreement)
        self._glances = self._raw = self._read = None
        self._known = [None] * WINDOW_COUNT
        self._was_open[:] = False
        self._mirrored = None
        return self._follower

    def calibrate(self, image: Image, half: Image | None = None) -> Lid | None:
        """Learns the lid from a view in which all 12 windows are covered; None, and nothing learnt, if it is not.

        `half` is the image at half its size (cv2.INTER_AREA), if the caller has it already: it saves making it anew.

        Raises:
            load.UnreadableImage: `image` is no picture.
        """
        return self._calibrate(ImagePyramid(normalise_frame(image), half))

    def _calibrate(self, scales: ImagePyramid) -> Lid | None:
        learnt = learn_layout(scales.get_level(0), self._net, scales)
        if learnt is None:
            return None
        layout, pose = learnt
        follower = self._start_tracking(layout)
        follower.is_turn_certain = follower.is_lid_certain = True
        return self._read_windows(scales, follower, pose)

    def read(self, image: Image, half: Image | None = None) -> Lid | None:
        """What one frame shows of the lid; None if it is not found. `half` as for `calibrate`.

        Without a layout this tries to learn one from the frame.

        Raises:
            load.UnreadableImage: `image` is no picture.
        """
        scales, follower = ImagePyramid(normalise_frame(image), half), self._follower
        if follower is None:
            return self._calibrate(scales)
        if (
            follower.has_certain_pose(_get_frame_size(scales))
            and follower.pose is not None
            and self._glances is not None
        ):
            now = window_reader.cut_thumbnails(scales, follower.layout, follower.pose)
            same = window_reader.find_unchanged(self._glances, now)
            if same.all() and self._read is not None:
                return self._read
            count = np.count_nonzero(same)
            few = count > WINDOW_COUNT - _MIN_WINDOWS_TO_RECHECK
            if count >= _MIN_STILL_WINDOWS and (few or follower.is_at_rest(scales, _get_frame_size(scales))):
                return self._read_windows(scales, follower, follower.pose, ~same, now)
        pose = follower.find_pose(scales, _get_frame_size(scales))
        if follower.missed_searches and follower.missed_searches % _FRAMES_TO_RECALIBRATE == 0:
            other = self._calibrate(scales)
            if other is not None:
                return other
        return None if pose is None else self._read_windows(scales, follower, pose)

    def _read_windows(
        self,
        scales: ImagePyramid,
        follower: LidTracker,
        pose: FloatArray,
        changed: npt.NDArray[np.bool_] | None = None,
        now: Image | None = None,
    ) -> Lid:
        """Reads the windows, or of those at rest only the `changed` ones, of which `now` are the glances."""
        again = None if changed is None or self._raw is None else (self._raw, changed)
        if now is None:
            now = window_reader.cut_thumbnails(scales, follower.layout, pose)
        if again is not None and self._glances is not None:
            now = np.where(again[1][:, None, None, None], now, self._glances)  # each as it was when it was read
        raw = window_reader.read_windows(scales, follower.layout, pose, self._net, again)
        if not follower.is_turn_certain and _are_all_covered(raw):
            # A new round on a lid that tells no turn from the other: no window has a past, so any name will do.
            follower.is_turn_certain = True
            self._known = [None] * WINDOW_COUNT
        if again is None and self._mirrored is not False:  # once it is seen to be none it does not become a mirror
            told = window_reader.are_tokens_mirrored(scales, follower.layout, pose, self._net, raw)
            self._mirrored = self._mirrored if told is None else told
        shows = (
            self._combine_with_memory(raw) if follower.is_turn_certain else raw
        )  # else of which windows would it be remembered?
        follower.accept_pose(pose, _get_frame_size(scales))
        self._glances, self._raw = now, raw
        self._read = _make_lid(follower.layout, pose, shows, follower.is_turn_certain, self._mirrored is True)
        return self._read

    def _compute_agreement(self, scales: ImagePyramid, h: FloatArray) -> tuple[float, FloatArray]:
        """How many tokens' numbers are known, and for each turn of the lid under `h`, how many show theirs."""
        assert self._follower is not None
        layout = self._follower.layout
        odds = window_reader.read_windows(scales, layout, h, self._net).probabilities
        agree, could = [], 0.0
        for angle in layout.turns:
            # Window i of the pose turned back by `angle` lies where this window is under `h`.
            places = project_points(make_rotation(-angle), layout.centers)
            at = np.linalg.norm(places[:, None] - layout.centers, axis=2).argmin(axis=1)
            known = [(i, k) for i, k in zip(at, self._known, strict=True) if k is not None and odds[i, 0] < 0.5]
            agree.append(sum(float(odds[i, 1:] @ k[1:]) for i, k in known))
            could = max(could, float(len(known)))
        return could, np.array(agree)

    def _combine_with_memory(self, shows: window_reader.WindowReadings) -> window_reader.WindowReadings:
        """The odds with what is known besides: each number is there twice, and a token that stays keeps its own."""
        odds = shows.probabilities.copy()
        for i, known in enumerate(self._known):
            if known is not None:
                odds[i] = window_reader.apply_memory(odds[i], known)
        shows = window_reader.WindowReadings(odds, shows.hidden_share)
        hidden = window_reader.find_hidden(shows)
        covered = odds[:, 0] < 0.5
        odds = odds.copy()
        if covered.all():
            if self._was_open.any():  # all tokens are back: they were shuffled
                self._known = [None] * WINDOW_COUNT
            self._was_open[:] = False
            odds = window_reader.balance_numbers(odds)
        for i in range(WINDOW_COUNT):
            if covered[i]:
                known = self._known[i]
                now = odds[i].copy()
                if known is not None and now[1:].max() < MIN_PLAY_CONFIDENCE:  # a clear reading needs no help
                    weighed = now[1:] * (_MEMORY_WEIGHT * known[1:] + (1 - _MEMORY_WEIGHT) / HIGHEST_NUMBER)
                    odds[i, 1:] = weighed / weighed.sum() * (1 - now[0])
                if known is None or now[1:].max() > known[1:].max():
                    self._known[i] = now
            elif not hidden[i]:
                self._known[i] = None
                self._was_open[i] = True
        return window_reader.WindowReadings(odds, shows.hidden_share)


def _make_lid(
    layout: LidLayout, pose: FloatArray, shows: window_reader.WindowReadings, turn_sure: bool, mirrored: bool
) -> Lid:
    centers = project_points(pose, layout.centers)
    radii = compute_scales(pose, layout.centers)
    hidden = window_reader.find_hidden(shows)
    most = window_reader.limit_confidence(shows)
    windows = []
    for i, odds in enumerate(shows.probabilities):
        covered: bool | None = bool(odds[0] < 0.5)
        number: int | None = None
        confidence = float(odds[0])
        if covered:
            number = int(odds[1:].argmax()) + 1
            confidence = min(float(odds[number]), _MAX_UNCERTAIN_CONFIDENCE if mirrored else 1.0)
        elif hidden[i]:
            covered, confidence = None, 0.0
        confidence = min(confidence, float(most[i]) if turn_sure else _MAX_UNCERTAIN_CONFIDENCE)
        windows.append(LidWindow(_make_point(centers[i]), float(radii[i]), covered, number, confidence))
    first, second, third, fourth = (_make_point(c) for c in project_points(pose, layout.corners))
    arrow = None if layout.arrow is None else _make_point(project_points(pose, layout.arrow))
    tags = tuple(tuple(_make_point(c) for c in project_points(pose, tag)) for tag in layout.tags.values())
    return Lid((first, second, third, fourth), arrow, tuple(windows), mirrored, tags)


def _parse_flag(kept: object) -> bool | None:
    return kept if isinstance(kept, bool) else None


def _are_all_covered(shows: window_reader.WindowReadings) -> bool:
    """Whether all 12 windows surely show tokens, with nothing before them."""
    return bool(
        (shows.probabilities[:, 0] < 1 - MIN_PLAY_CONFIDENCE).all()
        and (window_reader.limit_confidence(shows) >= MIN_PLAY_CONFIDENCE).all()
    )


def _get_frame_size(scales: ImagePyramid) -> tuple[int, int]:
    """Width and height."""
    height, width = scales.get_level(0).shape[:2]
    return width, height


def _make_point(p: FloatArray) -> Point:
    return float(p[0]), float(p[1])
