"""From readings of a table at rest to events: each throw once, each token once, and nothing for a hand that passed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import dist

from companion.vision.frames.view_shift import ViewShift
from companion.vision.reading import MIN_PLAY_CONFIDENCE, Die, Lid, LidWindow
from companion.vision.table.events import DiceEvent, Event, LidReadyEvent, TokenPutEvent, TokenTakenEvent
from companion.vision.table.regions import box_center, box_side, die_distance

DiceValues = tuple[int, ...]

_SAME_PLACE_SIDES = 0.1
"""Sides of a die: two readings that differ by less are of the same place."""
_BUMPED_SIDES = 0.25
"""Sides of a die: a shift that a passing sleeve gives; no die that was thrown falls back onto its own place."""
_PUSHED_SIDES = 0.5
"""Sides of a die: dice that show the same as before and moved less were pushed, not thrown."""
_MAX_VIEW_TURN = 0.25
"""How far a camera in a hand turns (in radians) and nears (in shares) while nobody throws."""
_MAX_TILTED_CONFIDENCE = 0.5
"""The most that a leaning die's reading is worth."""


@dataclass(frozen=True, slots=True)
class SettledReading:
    """What a rest came to: at most one event, and whether the dice are read with confidence."""

    event: DiceEvent | None
    is_unsure: bool


class DiceSettler:
    """Decides what the dice at rest mean, compared with how they lay before.

    The first verdict after a start is the baseline and makes no event. What looked a little like a die then, without
    being sure, is taken for a part of the table and no longer heeded where it lies.
    """

    def __init__(self, max_readings: int = 4, dice_at_rest: tuple[Die, ...] | None = None) -> None:
        self._patience = max_readings
        self._tries: list[tuple[Die, ...]] = []
        self._clutter: tuple[Die, ...] = ()
        self._unsure = self._view_moved = False
        self.waits_for_tilted = False
        """Whether a die leans, and is given time to be straightened."""
        self.dice_at_rest = dice_at_rest
        """The dice as they lay at the last verdict; None before the first."""

    def reset(self) -> None:
        """Something moved: readings of the rest before count no more."""
        self._tries.clear()
        self.waits_for_tilted = False

    def apply_shift(self, shift: ViewShift | None) -> None:
        """The view moved, and what is known of it with it; None: nobody knows where to."""
        self._view_moved = True
        if shift is not None:
            self._tries = [tuple(map(shift.move_die, reading)) for reading in self._tries]
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
    ) -> SettledReading | None:
        """Takes one reading of dice at rest; None: look again, `needed` agreeing sure ones or patience's end decide.

        `in_hand`: the camera is; then the first rest is no baseline. `waiting`: patience has no end yet. `upright`: nor
        if a die leans; that this is so then is told by `leaning`.
        """
        dice = tuple(die for die in dice if not self._is_clutter(die))
        self._tries.append(dice)
        if self.dice_at_rest is None and not handheld:
            return self._begin_with(dice)
        tries = [self._lasting(reading) for reading in self._tries]
        dice, last = tries[-1], tries[-agreeing_readings:]
        near = (
            _BUMPED_SIDES if handheld else _SAME_PLACE_SIDES
        )  # in a hand the dice's boxes jump, and the picture tells what rests
        agreed = len(last) == agreeing_readings and all(_same_place_and_values(dice, other, near) for other in last)
        if agreed and min(map(reading_confidence, last)) >= MIN_PLAY_CONFIDENCE:
            return self._decide(dice, min(map(reading_confidence, last)), tries, at)
        # Three times the same doubt: a fourth look would not lift it either, unless the view moves.
        settled = not handheld and len(tries) >= 3 and all(_same_place_and_values(dice, other) for other in tries[-3:])
        if unlimited or len(tries) < agreeing_readings or not (settled or len(tries) >= self._patience):
            return None
        counts = Counter(map(sorted_values, tries))
        best = max(tries, key=lambda reading: (counts[sorted_values(reading)], reading_confidence(reading)))
        self.waits_for_tilted = wait_for_tilted and any(die.tilted for die in best)
        if self.waits_for_tilted:
            self._tries = self._tries[-self._patience :]
            return None
        # Readings that cannot agree are not sure, however sure each of them is of itself.
        share = counts[sorted_values(best)] / len(tries)
        return self._decide(best, min(reading_confidence(best), share, MIN_PLAY_CONFIDENCE - 0.01), tries, at)

    def _lasting(self, reading: tuple[Die, ...]) -> tuple[Die, ...]:
        """The dice of a reading that are sure, or seen in more than half of the looks: what flickers is no die."""
        return tuple(
            die
            for die in reading
            if reading_confidence([die]) >= MIN_PLAY_CONFIDENCE
            or 2 * sum(any(die_distance(die, other) <= _BUMPED_SIDES for other in look) for look in self._tries)
            > len(self._tries)
        )

    def _is_clutter(self, die: Die) -> bool:
        return reading_confidence([die]) < MIN_PLAY_CONFIDENCE and any(
            die_distance(die, thing) <= _BUMPED_SIDES for thing in self._clutter
        )

    def _begin_with(self, dice: tuple[Die, ...]) -> SettledReading | None:
        """The baseline: two looks, which need not agree, for what they are unsure of is no die in play."""
        if len(self._tries) < 2:
            return None
        self._clutter = tuple(
            die for reading in self._tries for die in reading if reading_confidence([die]) < MIN_PLAY_CONFIDENCE
        )
        self._tries.clear()
        self.dice_at_rest = tuple(die for die in dice if reading_confidence([die]) >= MIN_PLAY_CONFIDENCE)
        return SettledReading(None, is_unsure=False)

    def _decide(self, dice: tuple[Die, ...], sure: float, tries: list[tuple[Die, ...]], at: float) -> SettledReading:
        before, unsure = self.dice_at_rest or (), sure < MIN_PLAY_CONFIDENCE
        view_moved, self._view_moved = self._view_moved, False
        self.reset()
        pairs = _pairs(before, dice)
        more = [die for die in dice if all(die is not now for _, now in pairs)]
        if (
            before
            and more
            and all(die_distance(a, b) <= _BUMPED_SIDES for a, b in pairs)
            and reading_confidence(more) < MIN_PLAY_CONFIDENCE
        ):
            # The dice lie where they lay; what came to them and is no sure die is something else put down.
            self._clutter += tuple(more)
            return SettledReading(None, self._unsure)
        # Dice that kept their places to each other were not thrown, wherever the view has gone meanwhile.
        if _is_same_throw(before, dice) or (view_moved and _alike(before, dice)):
            if unsure:  # what was read of these very dice before holds
                dice = tuple(replace(was, box=now.box) for was, now in pairs)
            else:
                self._unsure = False
            self.dice_at_rest = dice
            return SettledReading(None, self._unsure)
        self.dice_at_rest, self._unsure = dice, unsure
        alternatives = tuple(_alternatives(dice, list(map(sorted_values, tries))))
        return SettledReading(DiceEvent(sorted_values(dice), sure, alternatives, at), unsure)


class TokenSettler:
    """Keeps what is known of each window and tells what changed; what is hidden stays as it was."""

    def __init__(self, max_readings: int = 4) -> None:
        self._patience = max_readings
        self._tries: list[Lid] = []
        self.windows: dict[int, LidWindow] = {}

    def reset(self) -> None:
        """Something moved: readings of the rest before count no more."""
        self._tries.clear()

    def add_reading(self, lid: Lid, at: float) -> list[Event] | None:
        """Takes one reading of a lid at rest; None: look again, two agreeing sure ones or patience's end decide."""
        self._tries.append(lid)
        if len(self._tries) < 2:
            return None
        before = self._tries[-2].windows
        visible = {i: w for i, w in enumerate(lid.windows) if w.covered is not None}
        agreed = {i: w for i, w in visible.items() if i < len(before) and _same_token(before[i], w)}
        sure = len(agreed) == len(visible) and all(w.confidence >= MIN_PLAY_CONFIDENCE for w in agreed.values())
        if not sure and len(self._tries) < self._patience:
            return None
        self._tries.clear()
        return self._decide(agreed, len(lid.windows), at)

    def is_unchanged(self, lid: Lid) -> bool:
        """Whether every window is in sight, and as it was."""
        return all(
            window.covered is not None and (i not in self.windows or not _contradicts(self.windows[i], window))
            for i, window in enumerate(lid.windows)
        )

    def _decide(self, now: dict[int, LidWindow], count: int, at: float) -> list[Event]:
        taken = [i for i, w in now.items() if i in self.windows and self.windows[i].covered and not w.covered]
        put = [i for i, w in now.items() if i in self.windows and not self.windows[i].covered and w.covered]
        was_open = any(not w.covered for w in self.windows.values())
        events: list[Event] = []
        if not self._mixed_up(taken, put, now):
            for i in taken:
                was = self.windows[i]
                sure = now[i].confidence if was.number is None else min(now[i].confidence, was.confidence)
                events.append(TokenTakenEvent(i, was.number, sure, at))
            events += [TokenPutEvent(i, now[i].number, now[i].confidence, at) for i in put]
        for i, window in now.items():
            unread = window.covered and window.number is None
            if not (unread and i in self.windows and self.windows[i].covered):
                self.windows[i] = window
        if was_open and len(self.windows) == count and all(w.covered for w in self.windows.values()):
            events.append(LidReadyEvent(at))
        return events

    def _mixed_up(self, taken: Sequence[int], put: Sequence[int], now: dict[int, LidWindow]) -> bool:
        """Whether the windows changed their names rather than their tokens: a lid that was turned and misjudged.

        Hands take tokens off or put them on; both at once, with other tokens trading places, is not a deed of theirs.
        """
        if not (taken and put):
            return False
        traded = sum(
            self.windows[i].covered == w.covered and _contradicts(self.windows[i], w)
            for i, w in now.items()
            if i in self.windows
        )
        return traded >= 2 or len(taken) + len(put) >= 4


def sorted_values(dice: Iterable[Die]) -> DiceValues:
    """Top faces, sorted."""
    return tuple(sorted(die.value for die in dice))


def reading_confidence(dice: Iterable[Die]) -> float:
    """A reading is as sure as its least sure die; that there are none is taken for sure."""
    return min(
        (min(die.confidence, _MAX_TILTED_CONFIDENCE) if die.tilted else die.confidence for die in dice), default=1.0
    )


def _pairs(before: Sequence[Die], now: Sequence[Die], *, by_value: bool = False) -> list[tuple[Die, Die]]:
    """Dice paired with the nearest of before, nearest pairs first; `by_value`: only dice that show the same."""
    close = sorted(
        ((die_distance(a, b), i, j) for i, a in enumerate(before) for j, b in enumerate(now)),
    )
    left, right = set(range(len(before))), set(range(len(now)))
    pairs = []
    for _, i, j in close:
        if i in left and j in right and (not by_value or before[i].value == now[j].value):
            left.remove(i)
            right.remove(j)
            pairs.append((before[i], now[j]))
    return pairs


def _same_place_and_values(before: Sequence[Die], now: Sequence[Die], near: float = _SAME_PLACE_SIDES) -> bool:
    return len(before) == len(now) and all(
        a.value == b.value and die_distance(a, b) * box_side(b.box) <= max(2.0, near * box_side(b.box))
        for a, b in _pairs(before, now)
    )


def _is_same_throw(before: Sequence[Die], now: Sequence[Die]) -> bool:
    """Whether nobody threw: the dice lie where they lay, were pushed, or some were picked up."""
    if not now or len(now) > len(before):
        return not before and not now
    near = _pairs(before, now)
    if all(die_distance(a, b) <= _BUMPED_SIDES for a, b in near):
        return True
    if sorted_values(before) != sorted_values(now):
        return False
    pairs = _pairs(before, now, by_value=True)
    shifts = [die_distance(a, b) for a, b in pairs]
    # A throw moves every die; one that kept its place was there when the other was pushed.
    return max(shifts) <= _PUSHED_SIDES or min(shifts) <= _SAME_PLACE_SIDES or _moved_as_one(pairs)


def _moved_as_one(pairs: Sequence[tuple[Die, Die]]) -> bool:
    """Whether two dice or more kept their places to each other: the tray was pushed with the dice in it."""
    ways = [(b[0] - a[0], b[1] - a[1]) for a, b in ((box_center(x.box), box_center(y.box)) for x, y in pairs)]
    return len(ways) >= 2 and all(dist(way, ways[0]) <= _SAME_PLACE_SIDES * box_side(pairs[0][1].box) for way in ways)


def _alike(before: Sequence[Die], now: Sequence[Die]) -> bool:
    """Whether two dice or more show the same and lie to each other as they lay, if turned and neared a little."""
    if len(now) < 2 or sorted_values(before) != sorted_values(now):
        return False
    pairs = _pairs(before, now, by_value=True)
    old, new = ([complex(*box_center(pair[i].box)) for pair in pairs] for i in (0, 1))
    old, new = ([z - sum(zs) / len(zs) for z in zs] for zs in (old, new))
    turn = sum(b * a.conjugate() for a, b in zip(old, new, strict=True)) / max(1e-9, sum(abs(a) ** 2 for a in old))
    off = max(abs(b - turn * a) for a, b in zip(old, new, strict=True))
    return abs(turn - 1) <= _MAX_VIEW_TURN and off <= _BUMPED_SIDES * box_side(pairs[0][1].box)


def _alternatives(dice: Sequence[Die], seen: Sequence[DiceValues]) -> list[DiceValues]:
    """Other readings of this rest, most frequent first, then the least sure die's second value; at most three."""
    best = sorted_values(dice)
    found = [other for other, _ in Counter(seen).most_common() if other != best and other]
    found += [
        tuple(sorted([*(other.value for other in dice if other is not die), die.alternative]))
        for die in sorted(dice, key=lambda die: die.confidence)
        if die.alternative is not None
    ]
    return list(dict.fromkeys(found))[:3]


def _same_token(before: LidWindow, now: LidWindow) -> bool:
    return (before.covered, before.number) == (now.covered, now.number)


def _sure_number(window: LidWindow) -> bool:
    return window.number is not None and window.confidence >= MIN_PLAY_CONFIDENCE


def _contradicts(known: LidWindow, now: LidWindow) -> bool:
    """Whether the window cannot have stayed as it was: covered or not, or both numbers sure and not the same."""
    if known.covered != now.covered:
        return True
    return _sure_number(known) and _sure_number(now) and known.number != now.number
