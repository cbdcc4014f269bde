"""Watch a table with dice and cups: takes frames, emits what happened in the row.

Every frame is only checked for motion. When the table is at rest and no hand is over it, the parts that differ from the
table as last read are read again: there lies the die that was put down last, or a cup was placed or lifted.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import dist
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from companion.events import CameraState, CameraStateChanged, CupLifted, CupRowEvent
from companion.vision.base_watcher import TableWatcher
from companion.vision.confidence_limits import MAX_ASKED_CONFIDENCE, MIN_PLAY_CONFIDENCE, MIN_PRESENCE_CONFIDENCE
from companion.vision.cups.classifier import Classifier, Detection, SearchSpot
from companion.vision.cups.cup_row import CupRow, RowPlace
from companion.vision.frames.blocks import BlockMask
from companion.vision.frames.motion import FrameChange
from companion.vision.reading import Image, Reading
from companion.vision.table.hands import dilate_blocks, find_hands

ShrunkFrame = npt.NDArray[np.uint8]
"""A frame reduced to `_SHRUNK_WIDTH_PX`, BGR, shape (h, w, 3)."""

PixelMask = npt.NDArray[np.bool_]
"""Flags of a shrunk frame's pixels, shape (h, w)."""

_SHRUNK_WIDTH_PX = 640
"""Width, in pixels, to which frames are reduced for comparison. Larger: slower, smaller changes are seen."""

_AGREEING_READINGS = 2
"""Number of consecutive readings that must agree. Larger: slower, fewer errors."""

_MAX_READINGS = 4
"""Number of readings without agreement after which the best one is reported as uncertain. Larger: waits longer."""

_FIXTURE_SECONDS = 15.0
"""An object that reaches into the view without moving for this long is not a hand, but becomes part of the table."""

_FLOATING_HAND_SECONDS = 1.0
"""Seconds without motion during which a large change away from the view's border may be a hand."""

_STILL_SECONDS = 0.2
"""Rest required before a reading: a hand that lets go of a die stands still for less. Larger: slower."""

_CHANGED_LEVELS = 16
"""Levels (0 to 255), in the colour channel that differs most, from which a pixel has changed. Larger: sees less."""

_MIN_PIECE_AREA_PX = 40
"""Least area of a change, in pixels of the shrunk frame: smaller ones are no die."""

_CHANGED_BLOCK_SHARE = 0.25
"""Share of changed pixels above which a block of the motion detector has changed."""

_TOUCHED_SHARE = 0.08
"""Share of changed pixels at a place above which it is read again. Larger: fewer readings, changes are missed."""

_NEW_SHARE = 0.3
"""Share of changed pixels below an object above which it is new, not merely beside a change."""

_SIZES_BY_SHORT_SIDE = (1.0, 0.72, 0.52)
"""Sizes to try, in shorter sides of the changed piece: a die's shadow changes as well."""

_SPOT_STEP_SIZES = 0.45
"""Distance between spots to try, in sizes of the object. Larger: faster, objects are missed."""

_BESIDE_WIDTHS = 0.6
"""An object nearer than this to a place that is read, in widths of a cup, belongs to the reading."""

_COLOURED_SHARE = 0.0005
"""Share of the view that must be coloured for the camera to have colours: less than a die takes."""

_MIN_TINT_LOG = 0.14
"""Natural logarithm by which a coloured pixel's ratio of red or blue to green differs from the view's median tint."""

_MIN_LIT_LEVEL = 30
"""Level (0 to 255) of every channel from which noise does not look like a colour."""

_MAX_SPOTS = 160
"""Most spots that are read at once. Larger: slower, more thorough."""


class CupRowWatcher(TableWatcher[CupRowEvent]):
    """Follows the row of dice and cups on a table from frame to frame, and emits events. Not thread-safe.

    >>> watcher = CupRowWatcher()
    >>> events = [watcher.process_frame(np.full((480, 640, 3), 120, np.uint8), at=n / 15) for n in range(30)]
    >>> watcher.state, watcher.row.places
    (<CameraState.STEADY: 'steady'>, ())

    Objects in the first view at rest are the supply, unless a restored snapshot has them as the row. `reading` is
    always empty, because it is for the dice and lid of other games.

    Args:
        classifier: classifies spots of a frame; None: the packaged net.

    Attributes:
        row: the row as last read, changed in place or replaced; empty at first.

    Raises:
        DamagedDataFile: the packaged network is missing or damaged.
    """

    def __init__(self, classifier: Classifier | None = None) -> None:
        super().__init__()
        self._classifier = classifier or Classifier()
        self.row = CupRow()
        self._table: ShrunkFrame | None = None  # as last read
        self._readings: list[list[Detection]] = []  # of the present rest
        self._moved_at = self._hand_at = -np.inf
        self._must_read = True
        self._view_changed = False

    def _forget_positions(self) -> None:
        """See `TableWatcher`."""
        if self._table is not None:
            self.row, self._table = CupRow(), None

    def _restart_comparison(self, at: float) -> None:
        """See `TableWatcher`."""
        self._view_changed, self._must_read, self._moved_at = True, True, at
        self._readings.clear()

    def _process_change(self, image: Image, change: FrameChange, at: float) -> list[CupRowEvent | CameraStateChanged]:
        """Note what moves and where hands are; read the table once it is at rest."""
        is_moving = bool(change.moving.any())
        if is_moving:
            self._moved_at, self._must_read = at, True
            self._readings.clear()
        if not self._must_read:
            return []
        changed = self._find_changed_blocks(image, change.moving)
        hands = dilate_blocks(find_hands(changed, floating=at - self._moved_at < _FLOATING_HAND_SECONDS), 1)
        if (hands & dilate_blocks(change.moving, 1)).any():
            self._hand_at = at
        if hands.any() and at - self._hand_at < _FIXTURE_SECONDS:
            return [*self._set_state(CameraState.HAND, at)]
        if is_moving:
            return [*self._set_state(CameraState.ROLLING, at)]
        return [] if at - self._moved_at < _STILL_SECONDS else self._read_table(image, at)

    def snapshot(self) -> dict[str, Any]:
        """Return the state that a restart in the middle of a round needs to repeat no event, as JSON values.

        Returns:
            The row and the size of the frames, for `restore`.
        """
        return {"memo size": list(self._frame_size), "memo row": self.row.to_json()}

    def restore(self, snapshot: Mapping[str, Any]) -> None:
        """Continue from a snapshot; changes in the meantime are reported at the first view at rest.

        To be called before the first frame. If it raises, the watcher may be half restored: make a new one.

        Raises:
            LookupError, OverflowError, TypeError, ValueError: `snapshot` of this class did not return this.
        """
        self.row = CupRow.from_json(snapshot["memo row"])
        self._frame_size = tuple(snapshot["memo size"])

    def _find_changed_blocks(self, image: Image, moving: BlockMask) -> BlockMask:
        """Return the blocks that move or differ from the table as last read."""
        if self._table is None:
            return moving
        mask = _find_changes(_shrink(image), self._table).astype(np.float32)
        share = cv2.resize(mask, moving.shape[::-1], interpolation=cv2.INTER_AREA)
        return moving | (np.asarray(share, np.float32) > _CHANGED_BLOCK_SHARE)

    def _read_table(self, image: Image, at: float) -> list[CupRowEvent | CameraStateChanged]:
        """Read what is new on the table, which is at rest."""
        small = _shrink(image)
        scale = image.shape[1] / small.shape[1]
        is_baseline = self._table is None or self._view_changed
        if self._table is None or is_baseline:  # in another light only what is known can be compared
            mask = np.zeros(small.shape[:2], np.bool_)
            checked = list(range(len(self.row.places)))
        else:
            mask = _find_changes(small, self._table)
            checked = [
                i
                for i, place in enumerate(self.row.places)
                if _measure_changed_share(place, mask, scale) > _TOUCHED_SHARE
            ]
        if not checked and not _find_pieces(mask):
            return self._finish_reading(small, [], at)
        spots = [*self._make_place_spots(checked), *self._make_change_spots(mask, scale)]
        found = [one for one in self._classifier.classify(image, spots) if one.presence >= MIN_PRESENCE_CONFIDENCE]
        if not _is_coloured(small):  # night vision, a camera set to black and white: red is as dark as black
            found = [_make_uncertain(one) for one in found]
        if not is_baseline:
            found = [
                one
                for one in found
                if _measure_changed_share(one, mask, scale) > _NEW_SHARE or self._is_beside(one, checked)
            ]
        self._readings.append(found)
        if len(self._readings) < _AGREEING_READINGS:
            return []
        before = self._readings[-2]
        if _do_agree(found, before):
            agreed = [_lower_confidence(one, before) for one in found]
        elif len(self._readings) < _MAX_READINGS:
            return []
        else:  # what most readings show is there, but nothing of it is certain
            agreed = [
                _make_uncertain(one)
                for one in found
                if 2 * sum(_is_in(one, reading) for reading in self._readings) > len(self._readings)
            ]
        return self._finish_reading(small, self.row.update(agreed, checked, image, at), at)

    def _finish_reading(
        self, small: ShrunkFrame, events: Sequence[CupRowEvent], at: float
    ) -> list[CupRowEvent | CameraStateChanged]:
        """Take the table as read; return the events of the reading and of the new state."""
        self._table = small
        self._readings.clear()
        self._must_read = self._view_changed = False
        self.reading = Reading()
        unsure = any(not isinstance(e, CupLifted) and e.confidence < MIN_PLAY_CONFIDENCE for e in events)
        return [*events, *self._set_state(CameraState.UNSURE if unsure else CameraState.STEADY, at)]

    def _make_place_spots(self, indices: Sequence[int]) -> list[SearchSpot]:
        """Return spots for a die and for a cup at each of these places."""
        places = (self.row.places[index] for index in indices)
        return [
            SearchSpot(place.center, size)
            for place in places
            for size in {self.row.die_size or place.size, self.row.cup_size or place.size}
        ]

    def _make_change_spots(self, mask: PixelMask, scale: float) -> list[SearchSpot]:
        """Return at most `_MAX_SPOTS` spots all over the changed parts, in the sizes that objects may have."""
        spots: list[SearchSpot] = []
        for x0, y0, x1, y1 in _find_pieces(mask):
            sizes = [size for size in (self.row.die_size, self.row.cup_size) if size is not None]
            if len(sizes) < 2:
                sizes += [share * (scale * min(x1 - x0, y1 - y0)) for share in _SIZES_BY_SHORT_SIDE]
            for size in sizes:
                step = max(4.0, _SPOT_STEP_SIZES * size)
                for x in _spread(scale * x0, scale * x1, step):
                    for y in _spread(scale * y0, scale * y1, step):
                        row, column = int(y / scale), int(x / scale)
                        if mask[min(row, len(mask) - 1), min(column, mask.shape[1] - 1)]:
                            spots.append(SearchSpot((x, y), size))
        return spots[:: -(-len(spots) // _MAX_SPOTS)] if spots else []

    def _is_beside(self, detection: Detection, indices: Sequence[int]) -> bool:
        """Return whether an object is near one of these places."""
        reach = _BESIDE_WIDTHS * (self.row.cup_width or 1.0)
        return any(dist(self.row.places[i].center, detection.center) <= reach for i in indices)


def _shrink(image: Image) -> ShrunkFrame:
    """Reduce a frame to `_SHRUNK_WIDTH_PX` and smooth it."""
    height, width = image.shape[:2]
    scale = min(1.0, _SHRUNK_WIDTH_PX / width)
    size = max(1, round(width * scale)), max(1, round(height * scale))
    small = cv2.resize(image, size, interpolation=cv2.INTER_AREA) if size != (width, height) else image
    return np.asarray(cv2.GaussianBlur(small, (0, 0), 1.0), np.uint8)


def _is_coloured(small: ShrunkFrame) -> bool:
    """Return whether anything in view differs in colour from the view's overall tint."""
    levels = small[::2, ::2].reshape(-1, 3).astype(np.float32)
    lit = levels[levels.min(axis=1) >= _MIN_LIT_LEVEL]
    if not len(lit):
        return True  # too dark to say otherwise
    tints = np.log((lit[:, (0, 2)] + 4) / (lit[:, (1,)] + 4))
    deviation = np.abs(tints - np.median(tints, axis=0)).max(axis=1)
    return bool(np.quantile(deviation, 1 - _COLOURED_SHARE) >= _MIN_TINT_LOG)


def _find_changes(small: ShrunkFrame, table: ShrunkFrame) -> PixelMask:
    """Return where a frame differs from the table as last read, after the overall change of level is removed."""
    shift = np.median((small[::8, ::8].astype(np.int16) - table[::8, ::8]).reshape(-1, 3), axis=0)
    difference = np.abs(small.astype(np.int16) - table - shift.astype(np.int16)).max(axis=2)
    mask = (difference >= _CHANGED_LEVELS).astype(np.uint8)
    kernel = np.ones((3, 3), np.uint8)
    mask = np.asarray(cv2.morphologyEx(cv2.morphologyEx(mask, cv2.MORPH_OPEN, kernel), cv2.MORPH_CLOSE, kernel))
    return mask > 0


def _find_pieces(mask: PixelMask) -> list[tuple[int, int, int, int]]:
    """Return the bounding boxes (x0, y0, x1, y1) of connected changes that are large enough for a die."""
    joined = cv2.dilate(mask.astype(np.uint8), np.ones((3, 3), np.uint8))
    count, _, stats, _ = cv2.connectedComponentsWithStats(joined, connectivity=8)
    return [
        (int(x), int(y), int(x + w), int(y + h))
        for x, y, w, h, area in (stats[k] for k in range(1, count))
        if area >= _MIN_PIECE_AREA_PX
    ]


def _spread(low: float, high: float, step: float) -> list[float]:
    """Return evenly spread positions between `low` and `high`, about `step` apart; at least one."""
    count = max(1, round((high - low) / step))
    return [low + (high - low) * (k + 0.5) / count for k in range(count)]


def _measure_changed_share(one: RowPlace | Detection, mask: PixelMask, scale: float) -> float:
    """Return the share of changed pixels in the square of a place or an object, 0 to 1; 0 if it lies outside.

    Args:
        one: the place or object, in pixels of the frame.
        mask: the changed pixels of the shrunk frame.
        scale: pixels of the frame per pixel of the mask.
    """
    (x, y), half = one.center, one.size / 2
    x0, y0, x1, y1 = (round(c / scale) for c in (x - half, y - half, x + half, y + half))
    part = mask[max(0, y0) : max(0, y1) + 1, max(0, x0) : max(0, x1) + 1]
    return float(part.mean()) if part.size else 0.0


def _is_in(detection: Detection, reading: Sequence[Detection]) -> bool:
    """Return whether a reading has an object of the same kind at about the same place."""
    return any(
        other.is_die == detection.is_die
        and dist(other.center, detection.center) < 0.3 * max(other.size, detection.size)
        for other in reading
    )


def _do_agree(one: Sequence[Detection], other: Sequence[Detection]) -> bool:
    """Return whether two readings have the same objects, of the same colours, at the same places."""
    return len(one) == len(other) and all(
        any(
            a.is_die == b.is_die and a.colour is b.colour and dist(a.center, b.center) < 0.15 * max(a.size, b.size)
            for b in other
        )
        for a in one
    )


def _make_uncertain(detection: Detection) -> Detection:
    """Return the detection with a confidence at which the companion asks."""
    return replace(detection, confidence=min(detection.confidence, MAX_ASKED_CONFIDENCE))


def _lower_confidence(detection: Detection, reading: Sequence[Detection]) -> Detection:
    """Return the detection with the confidence of the less confident of the two readings."""
    same = min(reading, key=lambda other: dist(other.center, detection.center))
    return replace(
        detection,
        confidence=min(detection.confidence, same.confidence),
        presence=min(detection.presence, same.presence),
    )
