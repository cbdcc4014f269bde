"""Watch a table on which people show the faces of their own dice, to be taught.

The pages of it: `companion.lobby.dice_teaching`; how taught faces are recognised: `taught_dice`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from companion.events import CameraState, CameraStateChanged, FacesShown
from companion.vision.base_watcher import TableWatcher
from companion.vision.dice.detector import Candidate, DiceDetector, is_near
from companion.vision.dice.taught_dice import encode_face
from companion.vision.frames.motion import FrameChange
from companion.vision.reading import Die, Image, Reading

MAX_FACES = 8
"""Most dice that are taught at a time. Larger: more fit below the camera, and clutter is more often taken for dice."""

_MIN_SHOWN_SCORE = 0.3
"""Detector score, 0 to 1, below which a place is no shown die. Smaller: more scenery is taken for dice."""

_MIN_DISTANCE_EDGES = 0.9
"""Of two places nearer than this, in edges, the better one is the die: the other is a side or a drawing on it."""

_MAX_SHOWN_SIZE_RATIO = 1.5
"""Largest ratio of edges to that of the best place. Larger: scenery of another size is taken for dice."""

_SECONDS_AT_REST = 0.4
"""Seconds without motion after which the dice are shown. Larger: slower, fewer pictures with a hand."""


class DiceTeachingWatcher(TableWatcher[FacesShown]):
    """Finds the dice that lie below the camera, whatever their faces show, and emits `FacesShown` whenever they rest.

    >>> from companion.vision.dice.detector import DiceDetector
    >>> watcher = DiceTeachingWatcher(DiceDetector(min_score=0.2))
    >>> watcher.process_frame(np.full((480, 640, 3), 120, np.uint8), at=0.0)
    []
    >>> watcher.state.name
    'SEARCHING'

    Not thread-safe. `reading` has a die of value 1 and confidence 0 at each place: nothing is read.

    Args:
        detector: finds the dice.
    """

    def __init__(self, detector: DiceDetector) -> None:
        super().__init__()
        self._detector = detector
        self._moved_at = -np.inf
        self._must_look = True
        self._edges: list[float] = []
        """Edges of all faces shown so far, in pixels of the frame: of an unknown drawing one alone is far off."""

    def snapshot(self) -> dict[str, Any]:
        """Return nothing: see `TableWatcher.snapshot`."""
        return {}

    def restore(self, snapshot: Mapping[str, Any]) -> None:
        """Do nothing: see `TableWatcher.restore`."""

    def _forget_positions(self) -> None:
        self._must_look = True
        self._edges = []

    def _restart_comparison(self, at: float) -> None:
        self._must_look, self._moved_at = True, at

    def _process_change(self, image: Image, change: FrameChange, at: float) -> list[FacesShown | CameraStateChanged]:
        """Look at the dice when nothing has moved for a while."""
        if not change.is_still:
            self._must_look, self._moved_at = True, at
        if not self._must_look or at - self._moved_at < _SECONDS_AT_REST:
            return []
        self._must_look = False
        faces = select_shown_faces(self._detector.detect(image))
        self._edges += [face.edge for face in faces]
        if faces:
            edge = float(np.median(self._edges))
            faces = [replace(face, edge=edge) for face in faces]
        dice = tuple(
            Die(1, (f.x - f.edge / 2, f.y - f.edge / 2, f.x + f.edge / 2, f.y + f.edge / 2), 0.0) for f in faces
        )
        self.reading = replace(self.reading or Reading(), dice=dice)
        return [
            *self._set_state(CameraState.STEADY, at),
            FacesShown(tuple(encode_face(image, face) for face in faces), at),
        ]


def select_shown_faces(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Select the places that are dice which somebody shows: at most `MAX_FACES`, of one size, best first.

    Args:
        candidates: the detector's, best first.
    """
    faces: list[Candidate] = []
    for candidate in candidates:
        fits = not faces or 1 / _MAX_SHOWN_SIZE_RATIO < candidate.edge / faces[0].edge < _MAX_SHOWN_SIZE_RATIO
        if (
            candidate.score >= _MIN_SHOWN_SCORE
            and fits
            and not any(is_near(candidate, face, _MIN_DISTANCE_EDGES) for face in faces)
        ):
            faces.append(candidate)
    return faces[:MAX_FACES]


def make_dice_teaching_watcher() -> DiceTeachingWatcher:
    """Make the watcher with the packaged net, which is loaded by the first frame."""
    return DiceTeachingWatcher(DiceDetector(_MIN_SHOWN_SCORE))
