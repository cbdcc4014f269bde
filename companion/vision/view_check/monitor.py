"""Check the camera's view while people play; report a problem that lasts until it is gone."""

from collections.abc import Callable, Sequence
from functools import partial

import cv2
import numpy as np

from companion.events import CameraState
from companion.vision.lid.digit_reader import DigitClassifier
from companion.vision.lid.geometry import Ellipse
from companion.vision.reading import Image, ProblemKind, Reading, ViewProblem
from companion.vision.view_check.checks import check_view, get_frame_box, is_readable
from companion.vision.view_check.flicker import MIN_FLICKER_SHARE, FlickerMeter
from companion.vision.view_check.partial_lid import find_tokens
from companion.vision.view_check.problem import make_problem

CHECK_SECONDS = 2.0
"""Seconds between two checks; each takes about as long as ten frames in which nothing moves. If it grows, problems are
reported later, at less cost."""

SECONDS_TO_REPORT = 4.0
"""Seconds for which something is wrong before it is reported: a head over the table or a lamp being switched is no
problem. If it grows, problems are reported later."""

CHECKS_TO_CLEAR = 2
"""Checks in a row without a problem after which it is gone. If it grows, it stays on the screen longer."""

SEARCH_SECONDS = 5.0
"""Seconds between two searches for tokens where no lid is seen; twice as long each time nothing was found. If it grows,
lids that are cut off are reported later, at less cost."""

MAX_SEARCH_SECONDS = 80.0
"""Longest time in seconds between two searches for tokens. If it grows, lids that are cut off are reported later, at
less cost."""

SECONDS_WITHOUT_DICE = 30.0
"""Seconds of a steady table with a lid and without dice after which the dice are asked for. If it grows, later."""

MIN_TOKENS_OF_UNKNOWN_LID = 5
"""Tokens in view from which a lid that is not found must be one that was never seen covered. If it grows, fewer such
lids are reported; if it falls, a few tokens that lie on the table count as a lid."""

_MIN_SCENE_CHANGE_LEVELS = 6
"""Median change (grey levels) of a 16x9 picture from which the view has changed and tokens are searched for at once. If
it grows, this happens less often."""

_UNSETTLED_STATES = frozenset({CameraState.HAND, CameraState.ROLLING})
"""States in which only the lamp is checked: a hand hides and darkens, and is gone soon; flicker looks like one."""

TokenSearch = Callable[[Image], Sequence[Ellipse]]
"""Finds tokens in a frame where there is no lid."""


class ViewMonitor:
    """Follow the camera's view from frame to frame and report a problem that lasts. Not thread-safe.

    >>> monitor, dark = ViewMonitor(), np.zeros((480, 640, 3), np.uint8)
    >>> problems = [monitor.process_frame(dark, at, CameraState.BLIND, None) for at in (0.0, 2.0, 4.0)]
    >>> problems[-1].kind
    <ProblemKind.DARK: 'too dark'>

    Args:
        find: finds tokens in a frame, (H, W, 3) uint8 BGR, where there is no lid; returns their outlines in pixels.
            None: `partial_lid.find_tokens`.

        expects_dice: report it if no dice are in view for long.

    Attributes:
        problem: the problem that is reported now; None if none is known.

    Raises:
        DamagedDataFile: the packaged network is missing or damaged (only without `find`).
    """

    def __init__(self, find: TokenSearch | None = None, *, expects_dice: bool = True) -> None:
        self._find = find or partial(find_tokens, classifier=DigitClassifier())
        self._checked_at = -np.inf
        self._flicker, self._is_flickering, self._is_flicker_measured = FlickerMeter(), False, True
        self._since: dict[ProblemKind, float] = {}
        self._missed_checks = 0
        self._search_gap, self._search_at = SEARCH_SECONDS, -np.inf
        self._tokens: Sequence[Ellipse] = ()
        self._searched: Image | None = None
        self._dice_seen = not expects_dice
        self._steady_since: float | None = None
        self.problem: ViewProblem | None = None

    def process_frame(self, image: Image, at: float, state: CameraState, reading: Reading | None) -> ViewProblem | None:
        """Check a frame, if a check is due, and return the problem that is reported now.

        A check is due every `CHECK_SECONDS` (2 s). A problem is reported after `SECONDS_TO_REPORT` (4 s) and withdrawn
        after `CHECKS_TO_CLEAR` (2) checks without it. Of several the first kind of `ProblemKind` is reported; it stays
        until it is gone.

        Args:
            image: (H, W, 3) uint8 BGR, as `image_io.normalise_frame` returns it.
            at: its time, seconds on a clock that never goes back (not checked).
            state: state of the table; in `CameraState.HAND` and `CameraState.ROLLING` only the lamp is checked.
            reading: dice and lid read in the frame; None: nothing was read.

        Returns:
            The problem, the same object as long as it lasts unchanged; None if none is known.

        Raises:
            UnreadableImage, cv2.error: `image` is no frame; only noticed when a check is due.
            Exception: anything that `find` raises.
        """
        reading = reading or Reading()
        self._dice_seen = self._dice_seen or bool(reading.dice)
        if at - self._checked_at < CHECK_SECONDS:
            if not self._is_flicker_measured:  # bands wander from frame to frame, and may be back after two seconds
                self._is_flickering = self._flicker.measure(image) > MIN_FLICKER_SHARE
                self._is_flicker_measured = True
            return self.problem
        self._checked_at = at
        self._flicker.measure(image)
        self._is_flicker_measured = False
        if state in _UNSETTLED_STATES:
            if self._is_flickering:
                flicker = make_problem(ProblemKind.FLICKERING, get_frame_box(image))
                self._update_problem({ProblemKind.FLICKERING: flicker}, at)
            return self.problem
        tokens = self._search_tokens(image, at, state) if reading.lid is None else ()
        found = {problem.kind: problem for problem in check_view(image, reading.lid, reading.dice, tokens)}
        if self._is_flickering and not is_readable(reading.lid, reading.dice):
            found = {ProblemKind.FLICKERING: make_problem(ProblemKind.FLICKERING, get_frame_box(image)), **found}
        if len(tokens) >= MIN_TOKENS_OF_UNKNOWN_LID and not found:
            found[ProblemKind.UNKNOWN_LID] = make_problem(ProblemKind.UNKNOWN_LID, get_frame_box(image))
        if self._are_dice_missing(at, state, reading):
            found[ProblemKind.NO_DICE] = make_problem(ProblemKind.NO_DICE, get_frame_box(image))
        self._update_problem(found, at)
        return self.problem

    def _update_problem(self, found: dict[ProblemKind, ViewProblem], at: float) -> None:
        self._since = {kind: self._since.get(kind, at) for kind in found}
        # That no dice are seen may be due to what else is wrong: it gives way to any other problem.
        due = [problem for kind, problem in found.items() if at - self._since[kind] >= SECONDS_TO_REPORT]
        is_explained = any(problem.kind is not ProblemKind.NO_DICE for problem in due)
        if self.problem is not None and not (self.problem.kind is ProblemKind.NO_DICE and is_explained):
            now = found.get(self.problem.kind)
            self._missed_checks = self._missed_checks + 1 if now is None else 0
            if now is not None and now.message != self.problem.message:
                self.problem = now
            if self._missed_checks < CHECKS_TO_CLEAR:
                return
        self.problem, self._missed_checks = next(iter(due), None), 0

    def _search_tokens(self, image: Image, at: float, state: CameraState) -> Sequence[Ellipse]:
        """Return the tokens visible without a lid; they are searched for rarely, and at once if the view has
        changed."""
        if state is CameraState.BLIND:
            return ()
        small = np.asarray(cv2.resize(image, (16, 9), interpolation=cv2.INTER_AREA), np.uint8)
        last = self._searched
        moved = last is None or float(np.median(cv2.absdiff(small, last))) > _MIN_SCENE_CHANGE_LEVELS
        changed = moved or (self._tokens and at >= self._search_at - self._search_gap + SEARCH_SECONDS)
        if changed or at >= self._search_at:
            before = len(self._tokens)
            self._tokens, self._searched = self._find(image), small
            again = moved or self._tokens or before
            self._search_gap = SEARCH_SECONDS if again else min(MAX_SEARCH_SECONDS, 2 * self._search_gap)
            self._search_at = at + self._search_gap
        return self._tokens

    def _are_dice_missing(self, at: float, state: CameraState, reading: Reading) -> bool:
        if self._dice_seen or reading.lid is None or state is not CameraState.STEADY:
            self._steady_since = None
            return False
        self._steady_since = at if self._steady_since is None else self._steady_since
        return at - self._steady_since >= SECONDS_WITHOUT_DICE
