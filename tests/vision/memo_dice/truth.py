"""A teller that is told what lies on a virtual Memo Dice table, for tests of what comes after it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import dist

from train_memo_dice.scenes import truth_of

from companion.events import MemoColour
from companion.simulation.memo_dice.objects import MemoLook
from companion.simulation.memo_dice.objects import Thing as Lying
from companion.vision.memo_dice.classifier import Detection, SearchSpot
from companion.vision.reading import Image


class TrueClassifier:
    """Says what lies where it is asked, as sure as `sure` says of a thing's paint."""

    def __init__(self, things: Callable[[], Sequence[Lying]], look: MemoLook, sure: float = 0.99) -> None:
        self._things, self._look = things, look
        self.sure = sure
        self.asked = 0

    def classify(self, image: Image, spots: Sequence[SearchSpot]) -> list[Detection]:
        self.asked += 1
        found = []
        for lying in self._things():
            truth = truth_of(lying, self._look)
            if any(dist(spot.center, truth.centre) <= 0.6 * spot.size for spot in spots):
                die = truth.kind != "cup"
                others = tuple(p for p in MemoColour if p != truth.paint and (p or not die))
                turn = (truth.yaw + 45) % 90 - 45
                found.append(
                    Detection(
                        die, MemoColour(int(truth.paint)), truth.centre, truth.size, turn, 0.99, self.sure, others
                    )
                )
        return found
