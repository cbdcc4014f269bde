"""Turn readings of dice at rest into events: each throw once, nothing for a hand that passed.

`watcher.py` decides when the table is at rest, `companion/vision/frames/motion.py` whether anything moves. Tokens:
`token_agreement.py`.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from companion.events import DiceRead
from companion.vision.confidence_limits import (
    MAX_ASKED_CONFIDENCE,
    MAX_DOUBTFUL_CONFIDENCE,
    MIN_KNOWN_COUNT_CONFIDENCE,
    MIN_PLAY_CONFIDENCE,
)
from companion.vision.frames.view_shift import ViewShift
from companion.vision.reading import Die
from companion.vision.table.dice_comparison import (
    BUMPED_SIDES,
    SAME_PLACE_SIDES,
    DiceValues,
    is_among,
    is_same,
    is_same_arrangement,
    is_same_throw,
    may_two_be_thrown,
    pair_dice,
    sort_values,
)

MAX_READINGS = 4
"""Number of readings of one rest after which the best of them counts, uncertain or not. Larger: waits longer."""

_MAX_ALTERNATIVES = 3
"""Most alternatives that are reported with a throw."""


@dataclass(frozen=True, slots=True)
class AgreedReading:
    """The result of one rest: the time in which nothing moves on the dice's part of the table.

    >>> AgreedReading(event=None, is_unsure=False).event is None
    True

    Attributes:
        event: the throw that was read; None: the same dice as before, or the baseline.
        is_unsure: whether the dice that lie there are too uncertain to be played (confidence below 0.9).
        picked_up: the throw that lay there before and waited for a die that leant, if people went on without it.
    """

    event: DiceRead | None
    is_unsure: bool
    picked_up: DiceRead | None = None


class DiceAgreement:
    """Decide which throw the dice at rest are, compared with how they lay before. Not thread-safe.

    >>> agreement = DiceAgreement(dice_at_rest=())
    >>> five, six = Die(5, (100, 80, 140, 120), 0.97), Die(6, (300, 80, 340, 120), 0.98)
    >>> agreement.add_reading((five, six), at=3.0)
    >>> agreement.add_reading((five, six), at=3.2).event.values
    (5, 6)

    The first result after a start, from two readings, is the baseline and makes no event. An object that looked a
    little like a die then, without being certain, is taken for a part of the table and ignored where it lies.

    Args:
        dice_at_rest: the dice as they lay before a restart, in pixels of the frame; None: unknown.

    Attributes:
        dice_at_rest: the dice as they lay at the last result; None before the first.
        waits_for_tilted: whether a die is tilted and the result waits for players to straighten it (see `add_reading`).
    """

    def __init__(self, dice_at_rest: tuple[Die, ...] | None = None) -> None:
        self._readings: list[tuple[Die, ...]] = []
        self._clutter: tuple[Die, ...] = ()
        self._unsure = self._view_moved = self._is_handheld = False
        self.waits_for_tilted = False
        self.dice_at_rest = dice_at_rest

    def reset(self) -> None:
        """Forget the readings of the present rest, because something moved; `dice_at_rest` stays."""
        self._readings.clear()
        self.waits_for_tilted = False

    def note_unchanged(self) -> None:
        """Note that the dice lie exactly as they lay; nothing here."""

    def apply_shift(self, shift: ViewShift | None) -> None:
        """Move all known positions with the view.

        Args:
            shift: the view's motion, in pixels of the full frame (see `ViewShift.rescaled_to`); None: it moved, but by
                an unknown amount.
        """
        self._view_moved = True
        if shift is not None:
            self._readings = [tuple(map(shift.move_die, reading)) for reading in self._readings]
            self._clutter = tuple(map(shift.move_die, self._clutter))
            self.dice_at_rest = self.dice_at_rest and tuple(map(shift.move_die, self.dice_at_rest))

    def add_reading(
        self,
        dice: tuple[Die, ...],
        at: float,
        *,
        agreeing_readings: int = 2,
        handheld: bool = False,
        unlimited: bool = False,
        wait_for_tilted: bool = False,
    ) -> AgreedReading | None:
        """Add one reading of dice at rest; decide as soon as enough certain readings agree.

        Without agreement, the most frequent of `MAX_READINGS` (4) readings counts, as uncertain; three equal ones are
        enough. A result updates `dice_at_rest` and ends the rest: its readings are forgotten.

        Args:
            dice: the dice as read, in pixels of the frame, uncertain ones included.
            at: time of the frame in seconds, for the event.
            agreeing_readings: number of consecutive certain readings that must agree, at least 1.
            handheld: the camera is held in a hand: the first rest is no baseline, and dice may lie 0.25 instead of 0.1
                sides apart in two readings that agree.
            unlimited: wait for agreement, however many readings that takes.
            wait_for_tilted: give no uncertain result while a die is tilted; sets `waits_for_tilted`.

        Returns:
            The result of the rest; None: more readings are needed.
        """
        dice = tuple(
            die for die in dice if _is_certain(die) or all(die.distance_to(one) > BUMPED_SIDES for one in self._clutter)
        )
        self._readings.append(dice)
        self._is_handheld = handheld
        if self.dice_at_rest is None and not handheld:
            return self._set_baseline(dice)
        readings = [self._drop_flickering(reading) for reading in self._readings]
        dice, last = readings[-1], readings[-agreeing_readings:]
        tolerance = BUMPED_SIDES if handheld else SAME_PLACE_SIDES  # in a hand, boxes jump
        do_agree = len(last) == agreeing_readings and all(is_same(dice, other, tolerance) for other in last)
        confidence = min(map(compute_confidence, last))
        if do_agree and confidence >= MIN_PLAY_CONFIDENCE:
            return self._decide(dice, confidence, readings, at)
        # After three times the same doubt a fourth reading would not help either, unless the view moves.
        is_stuck = not handheld and len(readings) >= 3 and all(is_same(dice, other) for other in readings[-3:])
        may_give_up = is_stuck or len(readings) >= MAX_READINGS
        if unlimited or len(readings) < agreeing_readings or not may_give_up:
            return None
        counts = Counter(map(sort_values, readings))
        best = max(readings, key=lambda reading: (counts[sort_values(reading)], compute_confidence(reading)))
        self.waits_for_tilted = wait_for_tilted and any(die.tilted for die in best)
        if self.waits_for_tilted:
            self._readings = self._readings[-MAX_READINGS:]
            self._note_waiting(best)
            return None
        # Readings that disagree are uncertain, however confident each of them is.
        most = MAX_ASKED_CONFIDENCE if len(counts) == 1 else MAX_DOUBTFUL_CONFIDENCE
        confidence = min(compute_confidence(best), most)
        return self._decide(best, confidence, readings, at)

    def _note_waiting(self, dice: tuple[Die, ...]) -> None:
        """Note dice that wait until a leaning one is straightened; nothing here."""

    def _drop_flickering(self, reading: tuple[Die, ...]) -> tuple[Die, ...]:
        """Return the dice of a reading that are certain or present in more than half of the readings."""
        return tuple(
            die
            for die in reading
            if _is_certain(die)
            or 2 * sum(any(die.distance_to(other) <= BUMPED_SIDES for other in one) for one in self._readings)
            > len(self._readings)
        )

    def _set_baseline(self, dice: tuple[Die, ...]) -> AgreedReading | None:
        """Take two readings as the baseline; they need not agree, for what is uncertain in them is no die in play."""
        if len(self._readings) < 2:
            return None
        self._clutter = tuple(die for reading in self._readings for die in reading if not _is_certain(die))
        self._readings.clear()
        self.dice_at_rest = tuple(filter(_is_certain, dice))
        return AgreedReading(None, is_unsure=False)

    def _decide(
        self, dice: tuple[Die, ...], confidence: float, readings: Sequence[tuple[Die, ...]], at: float
    ) -> AgreedReading:
        """Compare the agreed reading with how the dice lay before."""
        before, is_unsure = self.dice_at_rest or (), confidence < MIN_PLAY_CONFIDENCE
        view_moved, self._view_moved = self._view_moved, False
        self.reset()
        pairs = pair_dice(before, dice)
        added = [die for die in dice if all(die is not now for _, now in pairs)]
        all_lie_still = all(was.distance_to(now) <= BUMPED_SIDES for was, now in pairs)
        if before and added and all_lie_still and compute_confidence(added) < MIN_PLAY_CONFIDENCE:
            # The dice lie where they lay; the uncertain addition is something else that was put down.
            self._clutter += tuple(added)
            return AgreedReading(None, self._unsure)
        # Dice that kept their relative positions were not thrown, wherever the view has moved meanwhile.
        if is_same_throw(before, dice) or (view_moved and is_same_arrangement(before, dice)):
            if is_unsure:  # the earlier reading of the same dice stays valid
                dice = tuple(replace(was, box=now.box) for was, now in pairs)
            else:
                self._unsure = False
            self.dice_at_rest = dice
            in_doubt = not is_unsure and not self._is_handheld and may_two_be_thrown(before, dice)
            return AgreedReading(make_lying_event(dice, dice if in_doubt else (), confidence, at), self._unsure)
        self.dice_at_rest, self._unsure = dice, is_unsure
        alternatives = tuple(find_alternatives(dice, list(map(sort_values, readings))))
        still = [id(now) for was, now in pairs if was.value == now.value and was.distance_to(now) <= BUMPED_SIDES]
        lying = tuple(id(die) in still for die in sorted(dice, key=lambda die: die.value)) if still else ()
        clear = [sort_values(find_clear_dice(reading)) for reading in readings]
        clear_values = clear[-1] if is_unsure and all(values == clear[-1] for values in clear) else ()
        values = sort_values(dice)
        agrees = all(sort_values(reading) == values for reading in readings)
        known = min(map(compute_known_confidence, readings)) if is_unsure and agrees else 0.0
        event = DiceRead(values, confidence, at, alternatives, lying, known_confidence=known, clear_values=clear_values)
        return AgreedReading(event, is_unsure)


def compute_confidence(dice: Iterable[Die]) -> float:
    """Return the confidence of a reading: that of its least certain die.

    >>> compute_confidence([Die(5, (100, 80, 140, 120), 0.97), Die(2, (200, 80, 240, 120), 0.6)])
    0.6

    Args:
        dice: the dice of one reading; for a tilted die at most 0.5 counts.

    Returns:
        0 to 1; 1 if there are no dice.
    """
    return min(
        (min(die.confidence, MAX_DOUBTFUL_CONFIDENCE) if die.tilted else die.confidence for die in dice), default=1.0
    )


def compute_known_confidence(dice: Iterable[Die]) -> float:
    """Return the confidence of a reading whose number of dice is known to be right, as `compute_confidence` does.

    >>> casino_die = Die(6, (100, 80, 140, 120), 0.4, known_confidence=0.96)
    >>> compute_confidence([casino_die]), compute_known_confidence([casino_die])
    (0.4, 0.96)
    """
    return compute_confidence(replace(die, confidence=max(die.confidence, die.known_confidence)) for die in dice)


def find_clear_dice(dice: Sequence[Die]) -> tuple[Die, ...]:
    """Find the certain dice of a reading in which something else looks a little like a die.

    Where a game knows how many dice were thrown, and these are as many, the rest is something else: a pen's cap, print.

    >>> five, print_ = Die(5, (100, 80, 140, 120), 0.97), Die(6, (300, 80, 340, 120), 0.4)
    >>> [die.value for die in find_clear_dice((five, print_))]
    [5]

    Args:
        dice: the dice of one reading, uncertain ones included.

    Returns:
        None, if there is nothing else, if a die is tilted, or if one is neither certain nor unlikely (a confidence
        between `MIN_KNOWN_COUNT_CONFIDENCE` and `MIN_PLAY_CONFIDENCE`).
    """
    clear = tuple(filter(_is_certain, dice))
    others = [die for die in dice if not _is_certain(die)]
    are_unlikely = all(not die.tilted and die.confidence < MIN_KNOWN_COUNT_CONFIDENCE for die in others)
    return clear if others and are_unlikely else ()


def _is_certain(die: Die) -> bool:
    """Return whether a die is certain and not tilted."""
    return compute_confidence([die]) >= MIN_PLAY_CONFIDENCE


def make_lying_event(dice: Sequence[Die], in_doubt: Sequence[Die], confidence: float, at: float) -> DiceRead | None:
    """Make the event of dice that all lie where equal ones lay, if some of them are in doubt; else None."""
    if not in_doubt:
        return None
    dice = sorted(dice, key=lambda die: die.value)
    doubtful = tuple(is_among(die, in_doubt) for die in dice)
    return DiceRead(sort_values(dice), confidence, at, lying=(True,) * len(dice), doubtful=doubtful)


def find_alternatives(dice: Sequence[Die], seen: Sequence[DiceValues]) -> list[DiceValues]:
    """Return other readings of a rest, most frequent first, then the least certain dice's second values.

    Args:
        dice: the dice of the reading that counts.
        seen: the values of each reading of the rest, sorted.

    Returns:
        At most three, sorted values each.
    """
    best = sort_values(dice)
    found = [other for other, _ in Counter(seen).most_common() if other != best and other]
    found += [
        tuple(sorted([*(other.value for other in dice if other is not die), die.alternative]))
        for die in sorted(dice, key=lambda die: die.confidence)
        if die.alternative is not None
    ]
    return list(dict.fromkeys(found))[:_MAX_ALTERNATIVES]
