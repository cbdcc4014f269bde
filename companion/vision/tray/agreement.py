"""Turn readings of a tray with any number of dice into events: which dice were thrown, and which lie where they lay."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import dist

from companion.events import DiceRead
from companion.vision.confidence_limits import MAX_DOUBTFUL_CONFIDENCE, MIN_PLAY_CONFIDENCE
from companion.vision.frames.view_shift import ViewShift
from companion.vision.reading import Die, Image
from companion.vision.table.dice_agreement import (
    AgreedReading,
    DiceAgreement,
    compute_confidence,
    find_alternatives,
    make_lying_event,
)
from companion.vision.table.dice_comparison import (
    BUMPED_SIDES,
    SAME_PLACE_SIDES,
    has_gone_on,
    is_among,
    is_same_arrangement,
    may_two_be_thrown,
    pair_dice,
    sort_values,
)
from companion.vision.table.face_picture import cut_face_picture, is_turned, resembles

_NUDGED_SIDES = 0.35
"""Greatest shift of a die that shows the same and was not thrown, in sides of a die.

Larger: more thrown dice that come to rest near the place of an equal one are taken for lying ones."""

_MAX_MISSED_DICE = 6
"""With more dice in the tray none is looked for while a hand is over it. Larger: more work in each frame."""

MAX_FEW_DICE = 6
"""Most dice of a reading that is as certain as its least certain die; with more dice their doubts add up."""


class TrayAgreement(DiceAgreement):
    """Decide what the dice at rest in a tray are, compared with how they lay before. Not thread-safe.

    Other than beside the lid, dice that were taken out of the tray make an event, in which all others lie
    where they lay; and a die that is thrown beside others that stay is known as the new one. Where an equal die may
    have been thrown to the place of one that was picked up, that is in doubt (2 in 1,000 throws of Yacht, 1 in 1,000 of
    Pig), and makes an event even if all dice seem to lie where they lay. Nothing that looks like a die is left out
    because the others are certain: it makes the reading uncertain.
    """

    def __init__(self, dice_at_rest: tuple[Die, ...] | None = None) -> None:
        super().__init__(dice_at_rest)
        self._waiting: tuple[Die, ...] = ()  # a throw that waits for a leaning die to be straightened
        self._missed: list[Die] = []  # those of `dice_at_rest` that were not in their places for a while

    def note_unchanged(self) -> None:
        """Note that the dice lie exactly as they lay."""
        self._missed.clear()

    def apply_shift(self, shift: ViewShift | None) -> None:
        """See `DiceAgreement`."""
        super().apply_shift(shift)
        if shift is not None:
            self._missed.clear()

    def note_missing_dice(self, image: Image, is_hidden: Callable[[Die], bool]) -> None:
        """Note which dice are not in their places now: they may have been thrown when they lie there again.

        Args:
            image: the frame, (H, W, 3) uint8 BGR.
            is_hidden: says whether a hand hides a die.
        """
        dice = self.dice_at_rest or ()
        for die in dice if len(dice) <= _MAX_MISSED_DICE else ():
            if die.picture is None or is_among(die, self._missed) or is_hidden(die):
                continue
            if not resembles(die.picture, cut_face_picture(image, die)):
                self._missed.append(die)

    def _note_waiting(self, dice: tuple[Die, ...]) -> None:
        """See `DiceAgreement`; only a throw of dice that are all at new places."""
        is_throw = all(die.tilted or die.is_certain for die in dice)
        lie = any(_lies_still(was, die) for was, die in pair_dice(self.dice_at_rest or (), dice))
        self._waiting = dice if is_throw and not lie and not self._is_handheld else ()

    def _drop_flickering(self, reading: tuple[Die, ...]) -> tuple[Die, ...]:
        """Return the whole reading: a die that one reading missed makes the readings differ."""
        return reading

    def _decide(
        self, dice: tuple[Die, ...], confidence: float, readings: Sequence[tuple[Die, ...]], at: float
    ) -> AgreedReading:
        """Compare the agreed reading with how the dice lay before, or were thrown before they could be read."""
        waiting, self._waiting = self._waiting, ()
        if waiting and has_gone_on(waiting, dice):
            self.dice_at_rest = waiting
            least = min(compute_confidence(waiting), MAX_DOUBTFUL_CONFIDENCE)
            picked_up = DiceRead(sort_values(waiting), least, at, was_picked_up=True)
            return replace(self._decide(dice, confidence, readings, at), picked_up=picked_up)
        before, is_doubtful = self.dice_at_rest or (), confidence < MIN_PLAY_CONFIDENCE
        view_moved, self._view_moved = self._view_moved, False
        missed, self._missed = self._missed, []
        self.reset()
        if _are_the_same(before, dice) or (view_moved and is_same_arrangement(before, dice)):
            if is_doubtful:  # the earlier reading of the same dice stays valid
                pairs = pair_dice(before, dice)
                dice = tuple(replace(was, box=now.box, picture=now.picture) for was, now in pairs)
            else:
                self._unsure = False
            self.dice_at_rest = dice
            in_doubt = () if is_doubtful or self._is_handheld else _find_maybe_thrown(before, dice, missed)
            return AgreedReading(make_lying_event(dice, in_doubt, confidence, at), self._unsure)
        still = [(was, now) for was, now in pair_dice(before, dice) if _lies_still(was, now)]
        earlier = {id(now): was for was, now in still}
        doubtful = {id(now) for was, now in still if is_among(was, missed) or not _is_surely_the_same(was, now)}
        # Of a die that lies where it lay, the better of the two readings counts.
        lying = [
            (die if die.is_certain else _reread(earlier.get(id(die)), die), id(die) in earlier, id(die) in doubtful)
            for die in dice
        ]
        lying.sort(key=lambda one: one[0].value)
        dice = tuple(die for die, _, _ in lying)
        confidence = compute_tray_confidence(dice)
        thrown = [die for die, lay, _ in lying if not lay]
        if is_doubtful and not all(_confirms(reading, dice, thrown) for reading in readings):
            confidence = min(confidence, MAX_DOUBTFUL_CONFIDENCE)
        if any(_has_another_die(reading, dice) for reading in readings):
            confidence = min(confidence, MAX_DOUBTFUL_CONFIDENCE)
        self.dice_at_rest, self._unsure = dice, confidence < MIN_PLAY_CONFIDENCE
        alternatives = tuple(find_alternatives(dice, list(map(sort_values, readings))))
        event = DiceRead(
            sort_values(dice),
            confidence,
            at,
            alternatives,
            tuple(lay for _, lay, _ in lying),
            tuple(is_in_doubt for _, _, is_in_doubt in lying) if doubtful and thrown else (),
        )
        return AgreedReading(event, self._unsure)


def compute_tray_confidence(dice: Sequence[Die]) -> float:
    """Return the confidence that all of these dice are right.

    >>> round(compute_tray_confidence([Die(5, (100, 80, 140, 120), 0.99)] * 7), 3)
    0.941

    Args:
        dice: the dice of one reading, uncertain ones included.

    Returns:
        0 to 1; 1 if there are none. Of up to six dice that of the least certain one; of more the product of the six
        least certain ones', if that is less.
    """
    least = compute_confidence(dice)
    if len(dice) <= MAX_FEW_DICE:
        return least
    product = 1.0
    for confidence in sorted(die.confidence for die in dice)[:MAX_FEW_DICE]:
        product *= confidence
    return min(least, product)


def _confirms(reading: Sequence[Die], dice: Sequence[Die], thrown: Sequence[Die]) -> bool:
    """Return whether a reading has as many dice, and each of the thrown ones in its place and with certainty."""
    return len(reading) == len(dice) and all(
        any(
            other.value == die.value and compute_confidence([other]) >= MIN_PLAY_CONFIDENCE
            for other in reading
            if die.distance_to(other) <= BUMPED_SIDES
        )
        for die in thrown
    )


def _has_another_die(reading: Sequence[Die], dice: Sequence[Die]) -> bool:
    """Return whether a reading has a die where there is none of these."""
    return any(all(one.distance_to(die) > BUMPED_SIDES for die in dice) for one in reading)


def _are_the_same(before: Sequence[Die], now: Sequence[Die]) -> bool:
    """Return whether as many dice show the same as before and lie where they lay, or were pushed together."""
    if len(before) != len(now):
        return False
    pairs = pair_dice(before, now)
    if all(_lies_still(was, die) for was, die in pairs):
        return True
    return sort_values(before) == sort_values(now) and _have_moved_as_one(before, now)


def _have_moved_as_one(before: Sequence[Die], now: Sequence[Die]) -> bool:
    """Return whether two dice or more of the same values kept their relative positions: the tray was pushed."""
    if len(now) < 2:
        return False
    first, tolerance = before[0], BUMPED_SIDES * before[0].side
    for die in now:
        dx, dy = die.center[0] - first.center[0], die.center[1] - first.center[1]
        if all(
            any(
                other.value == was.value and dist((was.center[0] + dx, was.center[1] + dy), other.center) <= tolerance
                for other in now
            )
            for was in before
        ):
            return True
    return False


def _lies_still(was: Die, now: Die) -> bool:
    """Return whether a die lies where it lay: hardly moved, or pushed a little and showing the same.

    A die in the same place with another value is another throw, if both values are certain.
    """
    shift = was.distance_to(now)
    if was.value == now.value:
        return shift <= _NUDGED_SIDES
    return shift <= BUMPED_SIDES and not (was.is_certain and now.is_certain)


def _find_maybe_thrown(before: Sequence[Die], now: Sequence[Die], missed: Sequence[Die]) -> tuple[Die, ...]:
    """Find the dice that may have been thrown to where equal ones lay: those missed, turned, or alone and moved.

    Of several dice one at least must lie as it lay, and the others are pushed more often than thrown so near: all are
    out of their places when the tray or the camera is pushed. Two thrown dice may lie to each other as they lay, but
    they are turned then: that is in doubt, too.
    """
    pairs = pair_dice(before, now)
    if len(now) > 1 and not any(_is_surely_the_same(was, die) and not is_among(was, missed) for was, die in pairs):
        return tuple(now) if may_two_be_thrown(before, now) else ()
    return tuple(
        die
        for was, die in pairs
        if was.is_certain
        and not was.tilted
        and (is_among(was, missed) or is_turned(was, die) or (len(now) == 1 and not _is_surely_the_same(was, die)))
    )


def _is_surely_the_same(was: Die, now: Die) -> bool:
    """Return whether a die that seems to lie still is no equal one that was thrown there: it has not moved or turned.

    Without a picture of before (after a restart) its place alone decides.
    """
    return was.distance_to(now) <= SAME_PLACE_SIDES and not is_turned(was, now)


def _reread(was: Die | None, now: Die) -> Die:
    """Return an uncertain die with what is known of it from before, if that is better."""
    if was is None or was.confidence < now.confidence:
        return now
    return replace(was, box=now.box, picture=now.picture, tilted=False)
