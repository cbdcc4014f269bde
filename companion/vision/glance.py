"""Single pictures: each for itself, or one after the other as the view of one camera at one sitting."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from time import perf_counter

from companion.vision.dice_plane import Direction, table_of
from companion.vision.motion import Blocks, Motion, Past
from companion.vision.reading import ACT, Die, Image, Lid, Reading
from companion.vision.sources import DiceSource, LidSource
from companion.vision.tray import Tray, lid_ground, on_lid, reaching_in, widened, without_side_faces

_DOUBTED = 0.5
"""What a die's confidence is lowered to when the rest of the view speaks against the reading."""


def glance(image: Image, dice: DiceSource, lid: LidSource) -> Reading:
    """What one picture shows by itself; `lid` is fresh, and reads it only if all its windows are covered."""
    started = perf_counter()
    seen = lid.calibrate(image)
    return Reading(_dice_of(dice.read(image, table=_table(seen, image)), seen), seen, (perf_counter() - started) * 1000)


class Sitting:
    """Pictures of one table by one camera, in order; the first shows the lid fully covered and no hand.

    `dice_count` dice are in play: if fewer or more are sure, or a hand is over the tray, no die is acted on.
    """

    def __init__(self, dice: DiceSource, lid: LidSource, dice_count: int = 2) -> None:
        self._dice_source, self._lid_source, self._count = dice, lid, dice_count
        self._motion, self._tray = Motion(), Tray()
        self._first: Past | None = None
        self._first_lid: Lid | None = None
        self._at = 0

    def see(self, image: Image) -> Reading:
        """What the next picture shows."""
        started = perf_counter()
        self._at += 1
        change = self._motion.see(image, float(self._at))
        lid = self._lid_source.calibrate(image) if self._first is None else self._lid_source.read(image)
        dice = self._in_play(_dice_of(self._dice_source.read(image, table=_table(lid, image)), lid))
        if change is None:
            self._first, self._first_lid = self._motion.past(), lid
        notes = [] if len(dice) in (0, self._count) else [f"dice in sight: {len(dice)}, in play: {self._count}"]
        if change is not None and self._hand_over_tray(image, lid, dice):
            notes.append("a hand is over the tray")
        if notes:
            dice = tuple(replace(die, confidence=min(die.confidence, _DOUBTED)) for die in dice)
        elif all(die.confidence >= ACT for die in dice):
            self._tray.learn(dice)
        return Reading(dice, lid, (perf_counter() - started) * 1000, tuple(notes))

    def _in_play(self, dice: tuple[Die, ...]) -> tuple[Die, ...]:
        """All of them, or those that are sure if that makes the number of dice: what merely resembles one is none."""
        sure = tuple(die for die in dice if die.confidence >= ACT)
        return sure if len(sure) == self._count else dice

    def _hand_over_tray(self, image: Image, lid: Lid | None, dice: tuple[Die, ...]) -> bool:
        assert self._first is not None
        changed: Blocks = self._motion.changed_since(self._first)
        lids = [known for known in (self._first_lid, lid) if known is not None]
        hands = widened(reaching_in(changed & ~lid_ground(lids, image, changed)), 1)
        tray = Tray(self._tray.box)
        tray.learn(dice)
        return tray.box is not None and bool((hands & tray.ground(image, changed)).any())


def each_for_itself(dice: DiceSource, lid: Callable[[], LidSource]) -> Callable[[Image], Reading]:
    """`glance` with a lid that knows nothing, for every picture anew."""
    return lambda image: glance(image, dice, lid())


def _table(lid: Lid | None, image: Image) -> Direction | None:
    """How the table lies, as the lid on it shows."""
    return None if lid is None else table_of(lid, image.shape)


def _dice_of(dice: tuple[Die, ...], lid: Lid | None) -> tuple[Die, ...]:
    off = [die for die in dice if lid is None or not on_lid(die, lid, sure=die.confidence >= ACT)]
    return without_side_faces(off)
