"""The watcher of a Memo Dice table: frames in, and out what happened in the row.

Every frame is looked at for motion, and no more. When the table rests and no hand is over it, what differs from the
table as last read is read anew: there lies the die that was put down last, or stands a cup, or none any more.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import dist
from typing import Any, Protocol

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.frames.motion import BlockMask, MotionDetector
from companion.vision.frames.stream import FrameStream
from companion.vision.memo_dice.classifier import Classifier, Detection, SearchSpot, cut_out_face
from companion.vision.memo_dice.events import CupLiftedEvent, CupPutEvent, DieShownEvent, MemoEvent
from companion.vision.memo_dice.row import Covered, Lifted, MemoRow, News, RowPlace, Shown
from companion.vision.reading import MIN_PLAY_CONFIDENCE, BoundingBox, Image, Reading
from companion.vision.table.events import State, StateEvent
from companion.vision.table.regions import dilate_blocks, find_hands

Event = MemoEvent | StateEvent
ShrunkFrame = npt.NDArray[np.uint8]
"""A frame shrunk to `_WIDTH` pixels' width, BGR."""
Mask = npt.NDArray[np.bool_]

_SHRUNK_WIDTH_PX = 640
_AGREEING_READINGS = 2
"""So many looks have to agree."""
_MAX_READINGS = 4
"""After so many that do not, the best is told as unsure."""
_MIN_PRESENCE = 0.8
"""The least certainty with which something of a kind has to be there."""
_FIXTURE_SECONDS = 15.0
"""What reaches in and has not moved for so long is no hand, and becomes part of the table."""
_STILL_SECONDS = 0.2
"""Rest before a look: a hand that lets a die go stands still for less."""
_CHANGED_LEVELS = 16
"""Levels, of the colour that differs most, by which a pixel has changed."""
_MIN_PIECE_AREA_PX = 40
"""Pixels of the shrunk frame: what is smaller is no die."""
_SIZES_BY_SHORT_SIDE = (1.0, 0.72, 0.52)
"""Sizes that are tried, by the shorter side of what changed: with a die its shadow changes as well."""
_COLOURED_SHARE = 0.0005
"""Share of the view that has colours if anything has: less than a die takes."""
_MIN_TINT_LOG = 0.14
"""By so much (natural logarithm) does red or blue to green then differ from the view's own tint."""
_MIN_LIT_LEVEL = 30
"""Levels of every colour from which on noise does not pass for a colour."""
_MAX_SPOTS = 160
"""So many spots are read at most in one look."""


class SpotClassifier(Protocol):
    """Says what stands at some spots of a frame; tests give the watcher one that is told the truth."""

    def classify(self, image: Image, spots: Sequence[SearchSpot]) -> list[Detection]: ...


class CupRowWatcher:
    """Sees frame after frame of one camera and says what happened in the row.

    The first view at rest is the baseline: what lies there is the supply, unless it is remembered as the row.
    """

    def __init__(self, classifier: SpotClassifier | None = None) -> None:
        self._teller: SpotClassifier = classifier or Classifier()
        self._stream = FrameStream(MotionDetector())
        self._row = MemoRow()
        self._table: ShrunkFrame | None = None
        self._looks: list[list[Detection]] = []
        self._moved_at = self._hand_at = -np.inf
        self._wanted = True
        self._everywhere = False
        self._unsure = False
        self.state = State.SEARCHING
        """What goes on, in a word."""
        self.reading: Reading | None = None
        """Renewed with each look; it holds no dice of other games."""
        self.lid_image: Image | None = None
        """There is no lid here."""

    @property
    def row(self) -> MemoRow:
        """The row as last read."""
        return self._row

    def process_frame(self, image: Image, at: float) -> list[Event]:
        """Takes one BGR frame of the time `at` (seconds, rising) in and tells what it settled."""
        sight = self._stream.process_frame(image, at)
        if sight.is_resized and self._table is not None:
            self._row, self._table = MemoRow(), None
        if sight.change is None:
            self._everywhere, self._wanted, self._moved_at = True, True, at
            self._looks.clear()
            return self._say(State.BLIND if sight.is_blind else State.SEARCHING, at)
        if sight.is_blind:
            return self._say(State.BLIND, at)
        change = sight.change
        if change.moving.any():
            self._moved_at, self._wanted = at, True
            self._looks.clear()
        if not self._wanted:
            return []
        changed = self._changed(image, change.moving)
        hands = dilate_blocks(find_hands(changed, floating=at - self._moved_at < 1.0), 1)
        if (hands & dilate_blocks(change.moving, 1)).any():
            self._hand_at = at
        if hands.any() and at - self._hand_at < _FIXTURE_SECONDS:
            return self._say(State.HAND, at)
        if change.moving.any() or at - self._moved_at < _STILL_SECONDS:
            return self._say(State.ROLLING if change.moving.any() else self.state, at)
        return self._look(image, at)

    def snapshot(self) -> dict[str, Any]:
        """What a restart in mid-round needs, as JSON holds it."""
        return {"memo size": list(self._stream.frame_size), "memo row": self._row.to_json()}

    def restore(self, snapshot: Mapping[str, Any]) -> None:
        """Takes up what `memory` returned: what changed meanwhile is told at the first view at rest.

        Raises:
            KeyError, TypeError, ValueError: `memory` did not make this.
        """
        self._row = MemoRow.from_json(snapshot["memo row"])
        self._stream.frame_size = tuple(snapshot["memo size"])

    def _changed(self, image: Image, moving: BlockMask) -> BlockMask:
        """What moves, or differs from the table as last read."""
        if self._table is None:
            return moving
        mask = _find_changes(_shrink(image), self._table).astype(np.float32)
        share = cv2.resize(mask, moving.shape[::-1], interpolation=cv2.INTER_AREA)
        changed: BlockMask = moving | (np.asarray(share) > 0.25)
        return changed

    def _look(self, image: Image, at: float) -> list[Event]:
        """The table rests: read what is new on it."""
        small = _shrink(image)
        baseline = self._table is None or self._everywhere
        mask = np.zeros(small.shape[:2], np.bool_) if self._table is None else _find_changes(small, self._table)
        scale = image.shape[1] / small.shape[1]
        if baseline:  # the light is another: only what is known can be compared
            mask[:] = False
            places = list(range(len(self._row.places)))
        else:
            places = [i for i, place in enumerate(self._row.places) if _is_touched(place, mask, scale)]
        if not places and not _find_pieces(mask):
            return self._settle(image, small, [], at)
        spots = [*self._at_places(places), *self._in_mask(mask, scale)]
        things = [thing for thing in self._teller.classify(image, spots) if thing.presence >= _MIN_PRESENCE]
        if not _is_coloured(small):  # night vision, a camera set to black and white: red is as dark as black
            things = [replace(thing, confidence=min(thing.confidence, MIN_PLAY_CONFIDENCE - 0.01)) for thing in things]
        if not baseline:
            things = [thing for thing in things if _is_changed(thing, mask, scale) or self._beside(thing, places)]
        self._looks.append(things)
        if len(self._looks) < _AGREEING_READINGS:
            return []
        agreed = _do_agree(self._looks[-1], self._looks[-2])
        if not agreed and len(self._looks) < _MAX_READINGS:
            return []
        last = self._looks[-1]
        if agreed:
            settled = [_lower_confidence(thing, self._looks[-2]) for thing in last]
        else:  # what was seen in more than half of the looks is there, but nothing of it is sure
            often = [t for t in last if 2 * sum(_is_in(t, look) for look in self._looks) > len(self._looks)]
            settled = [replace(thing, confidence=min(thing.confidence, MIN_PLAY_CONFIDENCE - 0.01)) for thing in often]
        news = self._row.update(settled, places)
        return self._settle(image, small, news, at)

    def _settle(self, image: Image, small: ShrunkFrame, news: Sequence[News], at: float) -> list[Event]:
        self._table = small
        self._looks.clear()
        self._wanted = self._everywhere = False
        self.reading = Reading()
        events = [_event(image, one, at) for one in news]
        self._unsure = any(not isinstance(e, CupLiftedEvent) and e.confidence < MIN_PLAY_CONFIDENCE for e in events)
        return [*events, *self._say(State.UNSURE if self._unsure else State.STEADY, at)]

    def _at_places(self, indices: Sequence[int]) -> list[SearchSpot]:
        """Where a die or a cup of the row may be now."""
        spots = []
        for index in indices:
            place = self._row.places[index]
            for size in {self._row.die_size or place.size, self._row.cup_size or place.size}:
                spots += [SearchSpot(place.center, size)]
        return spots

    def _in_mask(self, mask: Mask, scale: float) -> list[SearchSpot]:
        """Spots all over what changed, in sizes that things may have."""
        spots: list[SearchSpot] = []
        for x0, y0, x1, y1 in _find_pieces(mask):
            known = [size for size in (self._row.die_size, self._row.cup_size) if size is not None]
            short = scale * min(x1 - x0, y1 - y0)
            sizes = known if len(known) == 2 else [*known, *(share * short for share in _SIZES_BY_SHORT_SIDE)]
            for size in sizes:
                step = max(4.0, 0.45 * size)
                for x in _spread(scale * x0, scale * x1, step):
                    for y in _spread(scale * y0, scale * y1, step):
                        row, column = int(y / scale), int(x / scale)
                        if mask[min(row, len(mask) - 1), min(column, mask.shape[1] - 1)]:
                            spots.append(SearchSpot((x, y), size))
        stride = -(-len(spots) // _MAX_SPOTS) if spots else 1
        return spots[::stride]

    def _beside(self, thing: Detection, places: Sequence[int]) -> bool:
        return any(dist(self._row.places[i].center, thing.center) <= 0.6 * (self._row.cup_width or 1.0) for i in places)

    def _say(self, state: State, at: float) -> list[Event]:
        if state is self.state:
            return []
        self.state = state
        return [StateEvent(state, at)]


def _event(image: Image, news: News, at: float) -> MemoEvent:
    thing = news.thing
    match news:
        case Shown(place=place):
            return DieShownEvent(
                place, thing.colour, thing.confidence, thing.alternatives, cut_out_face(image, thing), at
            )
        case Covered(place=place):
            return CupPutEvent(place, thing.colour, thing.confidence, at)
        case Lifted(place=place):
            return CupLiftedEvent(place, thing.presence, at)


def _shrink(image: Image) -> ShrunkFrame:
    height, width = image.shape[:2]
    scale = min(1.0, _SHRUNK_WIDTH_PX / width)
    size = max(1, round(width * scale)), max(1, round(height * scale))
    small = cv2.resize(image, size, interpolation=cv2.INTER_AREA) if size != (width, height) else image
    return np.asarray(cv2.GaussianBlur(small, (0, 0), 1.0), np.uint8)


def _is_coloured(small: ShrunkFrame) -> bool:
    """Whether anything in view differs in colour from the rest, whatever the tint of all of it."""
    levels = small[::2, ::2].reshape(-1, 3).astype(np.float32)
    lit = levels[levels.min(axis=1) >= _MIN_LIT_LEVEL]
    if not len(lit):
        return True  # too dark to say otherwise
    tints = np.log((lit[:, (0, 2)] + 4) / (lit[:, (1,)] + 4))
    off = np.abs(tints - np.median(tints, axis=0)).max(axis=1)
    return bool(np.quantile(off, 1 - _COLOURED_SHARE) >= _MIN_TINT_LOG)


def _find_changes(small: ShrunkFrame, table: ShrunkFrame) -> Mask:
    """Where the frame differs from the table as it was, after what all of it differs by is taken off."""
    shift = np.median((small[::8, ::8].astype(np.int16) - table[::8, ::8]).reshape(-1, 3), axis=0)
    gap = np.abs(small.astype(np.int16) - table - shift.astype(np.int16)).max(axis=2)
    mask = (gap >= _CHANGED_LEVELS).astype(np.uint8)
    kernel = np.ones((3, 3), np.uint8)
    mask = np.asarray(cv2.morphologyEx(cv2.morphologyEx(mask, cv2.MORPH_OPEN, kernel), cv2.MORPH_CLOSE, kernel))
    return mask > 0


def _find_pieces(mask: Mask) -> list[tuple[int, int, int, int]]:
    """Boxes (x0, y0, x1, y1) of the pieces that changed, large enough to be a die."""
    joined = cv2.dilate(mask.astype(np.uint8), np.ones((3, 3), np.uint8))
    count, _, stats, _ = cv2.connectedComponentsWithStats(joined, connectivity=8)
    return [
        (int(x), int(y), int(x + w), int(y + h))
        for x, y, w, h, area in (stats[k] for k in range(1, count))
        if area >= _MIN_PIECE_AREA_PX
    ]


def _spread(low: float, high: float, step: float) -> list[float]:
    count = max(1, round((high - low) / step))
    return [low + (high - low) * (k + 0.5) / count for k in range(count)]


def _cut_out(box: BoundingBox, mask: Mask, scale: float) -> Mask:
    x0, y0, x1, y1 = (round(c / scale) for c in box)
    return mask[max(0, y0) : max(0, y1) + 1, max(0, x0) : max(0, x1) + 1]


def _is_touched(place: RowPlace, mask: Mask, scale: float) -> bool:
    """Whether enough changed where the place is that something else may stand there."""
    half = place.size / 2
    x, y = place.center
    part = _cut_out((x - half, y - half, x + half, y + half), mask, scale)
    return bool(part.size) and float(part.mean()) > 0.08


def _is_changed(thing: Detection, mask: Mask, scale: float) -> bool:
    """Whether the thing lies where something changed, and not merely beside it."""
    part = _cut_out(thing.box, mask, scale)
    return bool(part.size) and float(part.mean()) > 0.3


def _is_in(thing: Detection, look: Sequence[Detection]) -> bool:
    return any(
        other.is_die == thing.is_die and dist(other.center, thing.center) < 0.3 * max(other.size, thing.size)
        for other in look
    )


def _do_agree(one: Sequence[Detection], other: Sequence[Detection]) -> bool:
    return len(one) == len(other) and all(
        any(
            a.is_die == b.is_die and a.colour is b.colour and dist(a.center, b.center) < 0.15 * max(a.size, b.size)
            for b in other
        )
        for a in one
    )


def _lower_confidence(thing: Detection, look: Sequence[Detection]) -> Detection:
    """The thing, only as sure as in the other look."""
    same = min(look, key=lambda other: dist(other.center, thing.center))
    return replace(
        thing,
        confidence=min(thing.confidence, same.confidence),
        presence=min(thing.presence, same.presence),
    )
