"""The camera's view, judged while people play: what is wrong with it for some seconds is told, until it is mended."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import cv2
import numpy as np

from companion.events import CameraState
from companion.vision.lid.digit_reader import DigitClassifier
from companion.vision.lid.geometry import Ellipse
from companion.vision.reading import Image, Reading
from companion.vision.view_check.checks import check_view, get_frame_box, make_problem
from companion.vision.view_check.partial_lid import find_tokens
from companion.vision.view_check.problem import ProblemKind, ViewProblem

CHECK_SECONDS = 2.0
"""Seconds between two looks; each takes about as long as ten frames in which nothing moves."""

SECONDS_TO_REPORT = 4.0
"""Seconds for which something is wrong before it is told: a head over the table, a lamp being switched are none."""

CHECKS_TO_CLEAR = 2
"""So many looks without it, and it is mended."""

SEARCH_SECONDS, MAX_SEARCH_SECONDS = 5.0, 80.0
"""Seconds between two searches for tokens where no lid is seen; twice as long each time nothing has come of it."""

SECONDS_WITHOUT_DICE = 30.0
"""Seconds of a steady table with a lid and without dice, after which it is asked where they are."""

_UNSETTLED_STATES = frozenset({CameraState.HAND, CameraState.ROLLING})

TokenSearch = Callable[[Image], Sequence[Ellipse]]


class ViewMonitor:
    """Frames and what was read in them in; the problem that people should know of out.

    Args:
        find: searches for tokens where there is no lid; None: `view_tokens.find_tokens`.
    """

    def __init__(self, find: TokenSearch | None = None) -> None:
        self._find = find or _make_token_search()
        self._looked_at = -np.inf
        self._since: dict[ProblemKind, float] = {}
        self._missed = 0
        self._search_gap, self._search_at = SEARCH_SECONDS, -np.inf
        self._tokens: Sequence[Ellipse] = ()
        self._searched: Image | None = None
        self._dice_seen = False
        self._steady_since: float | None = None
        self.problem: ViewProblem | None = None
        """What is told now; None: nothing is wrong, as far as is known."""

    def process_frame(self, image: Image, at: float, state: CameraState, reading: Reading | None) -> ViewProblem | None:
        """Takes a frame in (BGR; `at` in seconds, rising) and tells what is wrong, if it has been for long enough."""
        reading = reading or Reading()
        self._dice_seen = self._dice_seen or bool(reading.dice)
        if at - self._looked_at < CHECK_SECONDS:
            return self.problem
        self._looked_at = at
        if state in _UNSETTLED_STATES:  # a hand hides and darkens, and is gone soon
            return self.problem
        tokens = self._search_tokens(image, at, state) if reading.lid is None else ()
        found = [
            *check_view(image, reading.lid, reading.dice, tokens),
            *self._check_for_dice(image, at, state, reading),
        ]
        self._update_problem({problem.kind: problem for problem in found}, at)
        return self.problem

    def _update_problem(self, found: dict[ProblemKind, ViewProblem], at: float) -> None:
        self._since = {trouble: self._since.get(trouble, at) for trouble in found}
        told = self.problem
        if told is not None:
            now = found.get(told.kind)
            self._missed = self._missed + 1 if now is None else 0
            if now is not None and now.message != told.message:
                self.problem = now
            if self._missed < CHECKS_TO_CLEAR:
                return
            self.problem, self._missed = None, 0
        lasting = (p for p in found.values() if at - self._since[p.kind] >= SECONDS_TO_REPORT)
        self.problem = next(lasting, None)

    def _search_tokens(self, image: Image, at: float, state: CameraState) -> Sequence[Ellipse]:
        """The tokens seen without a lid, searched for now and then: soon again if the view has changed."""
        if state is CameraState.BLIND:
            return ()
        small = np.asarray(cv2.resize(image, (16, 9), interpolation=cv2.INTER_AREA), np.uint8)
        moved = self._searched is None or float(np.median(cv2.absdiff(small, self._searched))) > 6
        changed = moved or (self._tokens and at >= self._search_at - self._search_gap + SEARCH_SECONDS)
        if changed or at >= self._search_at:
            before = len(self._tokens)
            self._tokens, self._searched = self._find(image), small
            again = moved or self._tokens or before
            self._search_gap = SEARCH_SECONDS if again else min(MAX_SEARCH_SECONDS, 2 * self._search_gap)
            self._search_at = at + self._search_gap
        return self._tokens

    def _check_for_dice(self, image: Image, at: float, state: CameraState, reading: Reading) -> list[ViewProblem]:
        if self._dice_seen or reading.lid is None or state is not CameraState.STEADY:
            self._steady_since = None
            return []
        if self._steady_since is None:
            self._steady_since = at
        if at - self._steady_since < SECONDS_WITHOUT_DICE:
            return []
        return [make_problem(ProblemKind.NO_DICE, get_frame_box(image))]


def _make_token_search() -> TokenSearch:
    net = DigitClassifier()
    return lambda image: find_tokens(image, net)
