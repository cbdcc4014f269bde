"""A classifier that knows what lies on a simulated Memo Dice table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import dist

from train_symbol_dice.scenes import label_object

from companion.events import MemoColour
from companion.games.memo_dice.simulator.objects import MemoDiceAppearance
from companion.games.memo_dice.simulator.objects import TableObject as Lying
from companion.vision.cups.classifier import Detection, SearchSpot
from companion.vision.reading import Image


class TrueClassifier:
    """Returns what lies at the spots, with confidence `sure` in the colour."""

    def __init__(self, objects: Callable[[], Sequence[Lying]], look: MemoDiceAppearance, sure: float = 0.99) -> None:
        self.list_objects, self._look = objects, look
        self.sure = sure
        self.asked = 0

    def classify(self, image: Image, spots: Sequence[SearchSpot]) -> list[Detection]:
        self.asked += 1
        found = []
        for lying in self.list_objects():
            truth = label_object(lying, self._look)
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
