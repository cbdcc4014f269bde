"""Single pictures: each for itself, or one after the other as the view of one camera at one sitting."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from time import perf_counter

from companion.vision.reading import MIN_PLAY_CONFIDENCE, Die, Image, Lid, Reading
from companion.vision.table.readers import DiceReaderLike, LidReaderLike
from companion.vision.table.regions import drop_side_faces, is_on_lid

_CONTRADICTED_CONFIDENCE = 0.5
"""What a die's confidence is lowered to when the rest of the view speaks against the reading."""


def read_single_image(image: Image, dice: DiceReaderLike, lid: LidReaderLike) -> Reading:
    """What one picture shows by itself; `lid` is fresh, and reads it only if all its windows are covered."""
    started = perf_counter()
    seen = lid.calibrate(image)
    return Reading(_dice_of(dice.read(image, lid=seen), seen), seen, (perf_counter() - started) * 1000)


class ImageSequence:
    """Pictures of one table by one camera, in order; the first shows the lid fully covered and no hand.

    `dice_count` dice are in play: if fewer or more are in sight, no die is acted on. A hand beside dice that are all
    surely seen hides none.
    """

    def __init__(self, dice: DiceReaderLike, lid: LidReaderLike, dice_count: int = 2) -> None:
        self._dice_source, self._lid_source, self._count = dice, lid, dice_count
        self._begun = False

    def read_next(self, image: Image) -> Reading:
        """What the next picture shows."""
        started = perf_counter()
        lid = self._lid_source.read(image) if self._begun else self._lid_source.calibrate(image)
        self._begun = True
        dice = self._in_play(_dice_of(self._dice_source.read(image, lid=lid), lid))
        notes = [] if len(dice) in (0, self._count) else [f"dice in sight: {len(dice)}, in play: {self._count}"]
        if notes:
            dice = tuple(replace(die, confidence=min(die.confidence, _CONTRADICTED_CONFIDENCE)) for die in dice)
        return Reading(dice, lid, (perf_counter() - started) * 1000, tuple(notes))

    def _in_play(self, dice: tuple[Die, ...]) -> tuple[Die, ...]:
        """All of them, or those that are sure if that makes the number of dice: what merely resembles one is none."""
        sure = tuple(die for die in dice if die.confidence >= MIN_PLAY_CONFIDENCE)
        return sure if len(sure) == self._count else dice


def make_single_image_reader(dice: DiceReaderLike, lid: Callable[[], LidReaderLike]) -> Callable[[Image], Reading]:
    """`glance` with a lid that knows nothing, for every picture anew."""
    return lambda image: read_single_image(image, dice, lid())


def _dice_of(dice: tuple[Die, ...], lid: Lid | None) -> tuple[Die, ...]:
    off = [die for die in dice if lid is None or not is_on_lid(die, lid, certain=die.confidence >= MIN_PLAY_CONFIDENCE)]
    return drop_side_faces(off)
