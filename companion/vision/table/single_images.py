"""Single pictures: each for itself, or one after the other as the view of one camera at one sitting."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from time import perf_counter

from companion.vision.reading import ACT, Die, Image, Lid, Reading
from companion.vision.table.readers import DiceSource, LidSource
from companion.vision.table.regions import on_lid, without_side_faces

_DOUBTED = 0.5
"""What a die's confidence is lowered to when the rest of the view speaks against the reading."""


def glance(image: Image, dice: DiceSource, lid: LidSource) -> Reading:
    """What one picture shows by itself; `lid` is fresh, and reads it only if all its windows are covered."""
    started = perf_counter()
    seen = lid.calibrate(image)
    return Reading(_dice_of(dice.read(image, lid=seen), seen), seen, (perf_counter() - started) * 1000)


class Sitting:
    """Pictures of one table by one camera, in order; the first shows the lid fully covered and no hand.

    `dice_count` dice are in play: if fewer or more are in sight, no die is acted on. A hand beside dice that are all
    surely seen hides none.
    """

    def __init__(self, dice: DiceSource, lid: LidSource, dice_count: int = 2) -> None:
        self._dice_source, self._lid_source, self._count = dice, lid, dice_count
        self._begun = False

    def see(self, image: Image) -> Reading:
        """What the next picture shows."""
        started = perf_counter()
        lid = self._lid_source.read(image) if self._begun else self._lid_source.calibrate(image)
        self._begun = True
        dice = self._in_play(_dice_of(self._dice_source.read(image, lid=lid), lid))
        notes = [] if len(dice) in (0, self._count) else [f"dice in sight: {len(dice)}, in play: {self._count}"]
        if notes:
            dice = tuple(replace(die, confidence=min(die.confidence, _DOUBTED)) for die in dice)
        return Reading(dice, lid, (perf_counter() - started) * 1000, tuple(notes))

    def _in_play(self, dice: tuple[Die, ...]) -> tuple[Die, ...]:
        """All of them, or those that are sure if that makes the number of dice: what merely resembles one is none."""
        sure = tuple(die for die in dice if die.confidence >= ACT)
        return sure if len(sure) == self._count else dice


def each_for_itself(dice: DiceSource, lid: Callable[[], LidSource]) -> Callable[[Image], Reading]:
    """`glance` with a lid that knows nothing, for every picture anew."""
    return lambda image: glance(image, dice, lid())


def _dice_of(dice: tuple[Die, ...], lid: Lid | None) -> tuple[Die, ...]:
    off = [die for die in dice if lid is None or not on_lid(die, lid, sure=die.confidence >= ACT)]
    return without_side_faces(off)
