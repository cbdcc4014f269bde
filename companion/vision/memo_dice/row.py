"""The row of a Memo Dice round: which places it has, what stands at each, and what a new look at them means."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from math import dist
from typing import Any

from companion.vision.memo_dice.classifier import Detection
from companion.vision.memo_dice.events import MemoColour
from companion.vision.reading import MIN_PLAY_CONFIDENCE, Point

_SAME_PLACE_WIDTHS = 0.75
"""Cup's widths: what is nearer than this to a place stands at it."""
_MAX_GAP_WIDTHS = 2.1
"""Cup's widths from the row's nearest place to the next die at most; what lies farther off is not in the row yet."""
_CUP_TO_DIE_RATIO = 2.2
"""A cup's outline by a die's edge, about, where no cup has been seen yet."""


class PlaceContent(StrEnum):
    """What stands at a place."""

    DIE = "die"
    CUP = "cup"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class RowPlace:
    """A place of the row. `lifted`: a cup stood there and was taken off."""

    content: PlaceContent
    colour: MemoColour
    confidence: float
    center: Point
    size: float
    covered: bool = False
    lifted: bool = False


@dataclass(frozen=True, slots=True)
class Shown:
    """A die is new, or shows another face: at which place of the row, and the thing itself."""

    place: int
    thing: Detection


@dataclass(frozen=True, slots=True)
class Covered:
    place: int
    thing: Detection


@dataclass(frozen=True, slots=True)
class Lifted:
    place: int
    thing: Detection


News = Shown | Covered | Lifted


class MemoRow:
    """Places in the order in which their dice were laid."""

    def __init__(self, places: Sequence[RowPlace] = ()) -> None:
        self.places = tuple(places)
        self.die_size: float | None = None
        self.cup_size: float | None = None

    @property
    def cup_width(self) -> float | None:
        """A cup's width in pixels; None: nothing was seen yet."""
        if self.cup_size is not None:
            return self.cup_size
        return None if self.die_size is None else _CUP_TO_DIE_RATIO * self.die_size

    def update(self, detections: Sequence[Detection], checked: Sequence[int]) -> list[News]:
        """Take in what stands where something changed.

        Args:
            things: all that is there.
            looked_at: indices of the places that lie there; what is at none of `things` is gone from them.
        """
        for thing in detections:
            self._learn(thing)
        unit = self.cup_width
        if unit is None:
            return []
        places: list[RowPlace | None] = list(self.places)
        news: list[News] = []
        pairs, fresh = self._paired(detections, checked, unit)
        for index, thing in pairs.items():
            place = places[index]
            assert place is not None
            places[index], told = _at(place, thing, index, last=index == len(places) - 1)
            news += told
        vanished = [index for index in checked if index not in pairs]
        put_back = sum(self.places[index].covered for index in vanished)
        if sum(thing.is_die for thing in fresh) <= put_back:
            fresh = [thing for thing in fresh if not thing.is_die]  # dice that were taken from the row lie aside now
        moved = self._picked_up(vanished)
        for index in vanished:
            place = places[index]
            assert place is not None
            places[index] = replace(place, content=PlaceContent.NOTHING)
        if moved is not None:
            places[moved] = None
        row = [place for place in places if place is not None]
        if not any(place.content is not PlaceContent.NOTHING for place in row):
            row = []
        news += self._lay(row, fresh, unit, moved)
        self.places = tuple(row)
        return news

    def _learn(self, thing: Detection) -> None:
        """Sizes of dice and cups, slowly: perspective makes them differ."""
        if thing.presence < MIN_PLAY_CONFIDENCE:
            return
        if thing.is_die:
            self.die_size = thing.size if self.die_size is None else 0.8 * self.die_size + 0.2 * thing.size
        else:
            self.cup_size = thing.size if self.cup_size is None else 0.8 * self.cup_size + 0.2 * thing.size

    def _paired(
        self, things: Sequence[Detection], looked_at: Sequence[int], unit: float
    ) -> tuple[dict[int, Detection], list[Detection]]:
        """Which thing stands at which place, nearest first, and the things that stand at none."""
        close = sorted(
            (dist(self.places[index].center, thing.center), index, number)
            for index in looked_at
            for number, thing in enumerate(things)
        )
        pairs: dict[int, Detection] = {}
        taken: set[int] = set()
        for apart, index, number in close:
            if apart <= _SAME_PLACE_WIDTHS * unit and index not in pairs and number not in taken:
                pairs[index] = things[number]
                taken.add(number)
        return pairs, [thing for number, thing in enumerate(things) if number not in taken]

    def _picked_up(self, vanished: Sequence[int]) -> int | None:
        """The last place, if its die was never covered and is off: it is moved, or rolled once more."""
        last = len(self.places) - 1
        if last in vanished and self.places[last].content is PlaceContent.DIE and not self.places[last].covered:
            return last
        return None

    def _lay(self, row: list[RowPlace], fresh: Sequence[Detection], unit: float, moved: int | None) -> list[News]:
        """New things at the row's end, in place. What lies elsewhere is in nobody's row."""
        news: list[News] = []
        ended = any(place.lifted for place in row) and not any(place.content is PlaceContent.CUP for place in row)
        for thing in fresh:
            if ended and thing.is_die:  # all cups are off: the next die is the first of another round
                row.clear()
                ended = False
            if thing.is_die and self._strays(row, thing, unit):
                row.pop()
            reach = min((dist(place.center, thing.center) for place in row), default=0.0)
            was = self.places[moved] if moved is not None and moved == len(row) else None
            if thing.is_die and (reach <= _MAX_GAP_WIDTHS * unit or was is not None):
                pushed = was is not None and was.colour is thing.colour and thing.confidence >= MIN_PLAY_CONFIDENCE
                row.append(RowPlace(PlaceContent.DIE, thing.colour, thing.confidence, thing.center, thing.size))
                if not pushed:
                    news.append(Shown(len(row) - 1, thing))
            elif not thing.is_die and row and reach <= _MAX_GAP_WIDTHS * unit:
                row.append(
                    RowPlace(PlaceContent.CUP, thing.colour, thing.confidence, thing.center, thing.size, covered=True)
                )
                news.append(Covered(len(row) - 1, thing))
        return news

    @staticmethod
    def _strays(row: Sequence[RowPlace], thing: Detection, unit: float) -> bool:
        """Whether the open die at the row's end was none of it: no two dice lie open in a row, and `thing` fits."""
        if not row or row[-1].content is not PlaceContent.DIE or row[-1].covered:
            return False
        return len(row) == 1 or min(dist(place.center, thing.center) for place in row[:-1]) <= _MAX_GAP_WIDTHS * unit

    def to_json(self) -> dict[str, Any]:
        """As JSON holds it."""
        return {
            "die": self.die_size,
            "cup": self.cup_size,
            "places": [
                [p.content.value, int(p.colour), p.confidence, list(p.center), p.size, p.covered, p.lifted]
                for p in self.places
            ],
        }

    @staticmethod
    def from_json(memory: dict[str, Any]) -> MemoRow:
        """What `memory` gave.

        Raises:
            KeyError, TypeError, ValueError: it did not.
        """
        row = MemoRow(
            [
                RowPlace(
                    PlaceContent(holds), MemoColour(paint), float(sure), (float(center[0]), float(center[1])),
                    float(size), bool(covered), bool(lifted),
                )
                for holds, paint, sure, center, size, covered, lifted in memory["places"]
            ]
        )  # fmt: skip
        row.die_size = None if memory["die"] is None else float(memory["die"])
        row.cup_size = None if memory["cup"] is None else float(memory["cup"])
        return row


def _at(place: RowPlace, thing: Detection, index: int, *, last: bool) -> tuple[RowPlace, list[News]]:
    """What became of a place at which `thing` stands now."""
    now = replace(place, center=thing.center, size=thing.size, confidence=thing.confidence)
    if thing.is_die:
        now = replace(now, content=PlaceContent.DIE, colour=thing.colour)
        if place.content is PlaceContent.CUP:
            return replace(now, lifted=True), [Lifted(index, thing)]
        other = place.content is PlaceContent.DIE and not place.covered and thing.colour is not place.colour
        if other and last and thing.confidence >= MIN_PLAY_CONFIDENCE:
            return now, [Shown(index, thing)]
        kept = (
            place.colour
            if place.content is PlaceContent.DIE and thing.confidence < MIN_PLAY_CONFIDENCE
            else thing.colour
        )
        return replace(now, colour=kept), []
    now = replace(now, content=PlaceContent.CUP, colour=thing.colour, covered=True)
    if place.content is not PlaceContent.CUP:
        return replace(now, lifted=False), [Covered(index, thing)]
    if (
        thing.colour is not place.colour
        and thing.confidence >= MIN_PLAY_CONFIDENCE
        and place.confidence < thing.confidence + 0.05
    ):
        return now, [Covered(index, thing)]
    return replace(now, colour=place.colour), []
