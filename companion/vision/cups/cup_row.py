"""The row of dice and cups on a table: its places, what stands at each, and which events a new reading means."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from math import dist
from typing import Any

from companion.events import CupLifted, CupPlaced, CupRowEvent, DieShown, MemoColour
from companion.vision.confidence_limits import MAX_ASKED_CONFIDENCE, MIN_PLAY_CONFIDENCE
from companion.vision.cups.classifier import Detection, cut_out_face, encode_jpeg
from companion.vision.reading import Image, Point

_SAME_PLACE_WIDTHS = 0.75
"""An object nearer than this to a place, in widths of a cup, stands at it. Larger: pushed objects are still matched."""

_MAX_GAP_WIDTHS = 2.1
"""Greatest distance, in widths of a cup, from the row to its next die; what lies farther off is not in the row.

Larger: dice of the supply may be taken for the next die."""

_CUP_TO_DIE_RATIO = 2.2
"""Approximate width of a cup in edges of a die, used until a cup has been seen."""

_SIZE_WEIGHT = 0.2
"""Weight of a new size in the running mean, 0 to 1. Larger: follows perspective and errors faster."""

_RECOLOUR_MARGIN = 0.05
"""A cup's colour changes only if the new reading is at most this much less confident than the old one."""


class PlaceContent(StrEnum):
    """The kind of object at a place; the values are stored.

    >>> PlaceContent("cup")
    <PlaceContent.CUP: 'cup'>
    """

    DIE = "die"
    CUP = "cup"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class RowPlace:
    """A place of the row.

    >>> place = RowPlace(PlaceContent.DIE, MemoColour.RED, 0.98, center=(300.0, 240.0), size=28.0)
    >>> place.is_open_die
    True

    Attributes:
        content: the kind of object at the place.
        colour: of the cup, or of the die's symbol.
        confidence: that the colour is right, 0 to 1.
        center: x, y of its centre, pixels of the frame.
        size: of the object, pixels of the frame: longer side of a cup's outline, or edge of a die's top face.
        covered: whether a cup stands there or has stood there in this round.
        lifted: whether a cup stood there and was lifted.
    """

    content: PlaceContent
    colour: MemoColour
    confidence: float
    center: Point
    size: float
    covered: bool = False
    lifted: bool = False

    @property
    def is_open_die(self) -> bool:
        """Whether a die lies there that has not been covered yet in this round."""
        return self.content is PlaceContent.DIE and not self.covered


@dataclass(slots=True)
class CupRow:
    """The places of the row, in the order in which their dice were laid.

    >>> CupRow().cup_width, CupRow(cup_size=60.0).cup_width
    (None, 60.0)

    Attributes:
        places: the places known so far.
        die_size: edge of a die's top face in pixels of the frame; None: none was seen yet.
        cup_size: width of a cup in pixels of the frame; None: none was seen yet.
    """

    places: tuple[RowPlace, ...] = ()
    die_size: float | None = None
    cup_size: float | None = None

    @property
    def cup_width(self) -> float | None:
        """Width of a cup in pixels of the frame, estimated from the dice if no cup was seen.

        None as long as neither was seen.
        """
        if self.cup_size is not None:
            return self.cup_size
        return None if self.die_size is None else _CUP_TO_DIE_RATIO * self.die_size

    def update(
        self, detections: Sequence[Detection], checked: Sequence[int], image: Image, at: float
    ) -> list[CupRowEvent]:
        """Update the row in place with a reading of the parts of the table that changed.

        A new die within reach of the row's end is a new place (`DieShown`), a cup on a die covers it (`CupPlaced`), and
        a die where a cup stood means that the cup was lifted (`CupLifted`). A die that appears after all cups were
        lifted starts a new row.

        Args:
            detections: all objects found there, in pixels of `image`.
            checked: indices of the places that lie there; a place that matches no detection is empty now.
            image: the frame, (H, W, 3) uint8 BGR; faces of dice are cut out of it.
            at: time of the frame in seconds, for the events.

        Returns:
            The events, by place; new objects last. Empty as long as no die or cup was seen with a `presence` of 0.9 or
            more.

        Raises:
            IndexError: an index in `checked` is no place of the row; the places stay as they were.
            ZeroDivisionError: a detection of a new die has the size 0.
        """
        for detection in detections:
            self._learn_size(detection)
        width = self.cup_width
        if width is None:
            return []
        events: list[CupRowEvent] = []
        pairs, new = self._match(detections, checked, width)
        places = list(self.places)
        for index, detection in pairs.items():
            places[index], event = _update_place(
                places[index], detection, index, image, at, is_last=index == len(places) - 1
            )
            events += event
        vanished = [index for index in checked if index not in pairs]
        put_back = sum(self.places[index].covered for index in vanished)
        if sum(detection.is_die for detection in new) <= put_back:
            new = [detection for detection in new if not detection.is_die]  # dice taken from the row lie beside it now
        for index in vanished:
            places[index] = replace(places[index], content=PlaceContent.NOTHING)
        last = len(places) - 1
        # The last place, if its die was never covered and is gone: it was moved, or is rolled again.
        moved = last if last in vanished and self.places[last].is_open_die else None
        if moved is not None:
            places.pop(moved)
        if all(place.content is PlaceContent.NOTHING for place in places):
            places, new = [], self._find_first_die(new)
        events += self._append(places, new, width, moved, image, at)
        self.places = tuple(places)
        return events

    def _find_first_die(self, new: list[Detection]) -> list[Detection]:
        """Return what may begin another row now that this one was cleared away.

        Of several dice that is the one nearest to where the row began, and asked about: the others are the supply.
        """
        dice = [detection for detection in new if detection.is_die]
        if not self.places or len(dice) < 2:
            return new
        first = min(dice, key=lambda die: dist(die.center, self.places[0].center))
        return [replace(first, confidence=min(first.confidence, MAX_ASKED_CONFIDENCE))]

    def _learn_size(self, detection: Detection) -> None:
        """Update the size of dice or cups, slowly because perspective makes them differ."""
        if detection.presence < MIN_PLAY_CONFIDENCE:
            return
        known = self.die_size if detection.is_die else self.cup_size
        size = detection.size if known is None else (1 - _SIZE_WEIGHT) * known + _SIZE_WEIGHT * detection.size
        if detection.is_die:
            self.die_size = size
        else:
            self.cup_size = size

    def _match(
        self, detections: Sequence[Detection], checked: Sequence[int], width: float
    ) -> tuple[dict[int, Detection], list[Detection]]:
        """Match detections with places, nearest first; also return the detections that are at no place."""
        distances = sorted(
            (dist(self.places[index].center, detection.center), index, number)
            for index in checked
            for number, detection in enumerate(detections)
        )
        numbers: dict[int, int] = {}
        for distance, index, number in distances:
            if distance <= _SAME_PLACE_WIDTHS * width and index not in numbers and number not in numbers.values():
                numbers[index] = number
        pairs = {index: detections[number] for index, number in numbers.items()}
        return pairs, [detection for number, detection in enumerate(detections) if number not in numbers.values()]

    def _append(
        self,
        places: list[RowPlace],
        new: Sequence[Detection],
        width: float,
        moved: int | None,
        image: Image,
        at: float,
    ) -> list[CupRowEvent]:
        """Append new objects to `places`, in place. What lies elsewhere belongs to no row."""
        events: list[CupRowEvent] = []
        is_over = any(place.lifted for place in places) and not any(
            place.content is PlaceContent.CUP for place in places
        )
        for detection in new:
            if is_over and detection.is_die:  # all cups are lifted: the next die is the first of another round
                places.clear()
                is_over = False
            if detection.is_die and _is_last_die_foreign(places, detection, width):
                places.pop()
            before = self.places[moved] if moved is not None and moved == len(places) else None
            in_reach = not places or _distance_to(places, detection) <= _MAX_GAP_WIDTHS * width
            index, colour, confidence = len(places), detection.colour, detection.confidence
            if detection.is_die and (in_reach or before is not None):
                places.append(RowPlace(PlaceContent.DIE, colour, confidence, detection.center, detection.size))
                if before is None or before.colour is not colour or confidence < MIN_PLAY_CONFIDENCE:
                    events.append(_make_die_shown(index, detection, image, at))
            elif not detection.is_die and places and in_reach:
                places.append(
                    RowPlace(PlaceContent.CUP, colour, confidence, detection.center, detection.size, covered=True)
                )
                events.append(CupPlaced(index, colour, confidence, at))
        return events

    def to_json(self) -> dict[str, Any]:
        """Return the row as JSON values, for `from_json`."""
        return {
            "die": self.die_size,
            "cup": self.cup_size,
            "places": [
                [p.content.value, int(p.colour), p.confidence, list(p.center), p.size, p.covered, p.lifted]
                for p in self.places
            ],
        }

    @staticmethod
    def from_json(values: Mapping[str, Any]) -> CupRow:
        """Return the row that `to_json` described.

        Args:
            values: the dictionary that `to_json` returned.

        Raises:
            LookupError, OverflowError, TypeError, ValueError: `to_json` did not return this.
        """
        places = tuple(
            RowPlace(
                PlaceContent(content), MemoColour(colour), float(confidence), (float(center[0]), float(center[1])),
                float(size), bool(covered), bool(lifted),
            )
            for content, colour, confidence, center, size, covered, lifted in values["places"]
        )  # fmt: skip
        die_size, cup_size = (None if values[key] is None else float(values[key]) for key in ("die", "cup"))
        return CupRow(places, die_size, cup_size)


def _distance_to(places: Sequence[RowPlace], detection: Detection) -> float:
    """Return the distance in pixels from a detection to the nearest of the places."""
    return min(dist(place.center, detection.center) for place in places)


def _is_last_die_foreign(places: Sequence[RowPlace], detection: Detection, width: float) -> bool:
    """Return whether the open die at the end does not belong to the row: only one lies open, and `detection` fits."""
    is_open = bool(places) and places[-1].is_open_die
    return is_open and (len(places) == 1 or _distance_to(places[:-1], detection) <= _MAX_GAP_WIDTHS * width)


def _make_die_shown(index: int, die: Detection, image: Image, at: float) -> DieShown:
    """Return the event with a picture of the die's face."""
    return DieShown(index, die.colour, die.confidence, at, die.alternatives, encode_jpeg(cut_out_face(image, die)))


def _update_place(
    place: RowPlace, detection: Detection, index: int, image: Image, at: float, *, is_last: bool
) -> tuple[RowPlace, list[CupRowEvent]]:
    """Return a place with what stands there now, and the event of the change, if any."""
    colour, confidence = detection.colour, detection.confidence
    is_certain = confidence >= MIN_PLAY_CONFIDENCE
    now = replace(place, center=detection.center, size=detection.size, confidence=confidence, colour=colour)
    if detection.is_die:
        now = replace(now, content=PlaceContent.DIE)
        if place.content is PlaceContent.CUP:
            return replace(now, lifted=True), [CupLifted(index, detection.presence, at)]
        if place.is_open_die and colour is not place.colour and is_last and is_certain:
            return now, [_make_die_shown(index, detection, image, at)]
        if place.content is PlaceContent.DIE and not is_certain:
            now = replace(now, colour=place.colour)
        return now, []
    now = replace(now, content=PlaceContent.CUP, covered=True)
    placed = CupPlaced(index, colour, confidence, at)
    if place.content is not PlaceContent.CUP:
        return replace(now, lifted=False), [placed]
    if colour is not place.colour and is_certain and place.confidence < confidence + _RECOLOUR_MARGIN:
        return now, [placed]
    return replace(now, colour=place.colour), []
