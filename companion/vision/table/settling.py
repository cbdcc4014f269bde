"""From readings of a table at rest to events: each throw once, each token once, and nothing for a hand that passed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import dist

from companion.vision.frames.view_shift import Shift
from companion.vision.reading import ACT, Die, Lid, Window
from companion.vision.table.events import DiceEvent, Event, LidReadyEvent, TokenPutEvent, TokenTakenEvent
from companion.vision.table.regions import apart, center, side

Values = tuple[int, ...]

_REST = 0.1
"""Sides of a die: two readings that differ by less are of the same place."""
_BUMP = 0.25
"""Sides of a die: a shift that a passing sleeve gives; no die that was thrown falls back onto its own place."""
_NUDGE = 0.5
"""Sides of a die: dice that show the same as before and moved less were pushed, not thrown."""
_TURN = 0.25
"""How far a camera in a hand turns (in radians) and nears (in shares) while nobody throws."""
_COCKED = 0.5
"""The most that a leaning die's reading is worth."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a rest came to: at most one event, and whether the dice are read with confidence."""

    event: DiceEvent | None
    unsure: bool


class DiceSteady:
    """Decides what the dice at rest mean, compared with how they lay before.

    The first verdict after a start is the baseline and makes no event. What looked a little like a die then, without
    being sure, is taken for a part of the table and no longer heeded where it lies.
    """

    def __init__(self, patience: int = 4, lying: tuple[Die, ...] | None = None) -> None:
        self._patience = patience
        self._tries: list[tuple[Die, ...]] = []
        self._clutter: tuple[Die, ...] = ()
        self._unsure = self._view_moved = False
        self.leaning = False
        """Whether a die leans, and is given time to be straightened."""
        self.lying = lying
        """The dice as they lay at the last verdict; None before the first."""

    def begin(self) -> None:
        """Something moved: readings of the rest before count no more."""
        self._tries.clear()
        self.leaning = False

    def moved(self, shift: Shift | None) -> None:
        """The view moved, and what is known of it with it; None: nobody knows where to."""
        self._view_moved = True
        if shift is not None:
            self._tries = [tuple(map(shift.die, reading)) for reading in self._tries]
            self._clutter = tuple(map(shift.die, self._clutter))
            self.lying = self.lying and tuple(map(shift.die, self.lying))

    def see(
        self,
        dice: tuple[Die, ...],
        at: float,
        *,
        needed: int = 2,
        in_hand: bool = False,
        waiting: bool = False,
        upright: bool = False,
    ) -> Verdict | None:
        """Takes one reading of dice at rest; None: look again, `needed` agreeing sure ones or patience's end decide.

        `in_hand`: the camera is; then the first rest is no baseline. `waiting`: patience has no end yet. `upright`: nor
        if a die leans; that this is so then is told by `leaning`.
        """
        dice = tuple(die for die in dice if not self._is_clutter(die))
        self._tries.append(dice)
        if self.lying is None and not in_hand:
            return self._begin_with(dice)
        tries = [self._lasting(reading) for reading in self._tries]
        dice, last = tries[-1], tries[-needed:]
        near = _BUMP if in_hand else _REST  # in a hand the dice's boxes jump, and the picture tells what rests
        agreed = len(last) == needed and all(_same_place_and_values(dice, other, near) for other in last)
        if agreed and min(map(confidence, last)) >= ACT:
            return self._decide(dice, min(map(confidence, last)), tries, at)
        # Three times the same doubt: a fourth look would not lift it either, unless the view moves.
        settled = not in_hand and len(tries) >= 3 and all(_same_place_and_values(dice, other) for other in tries[-3:])
        if waiting or len(tries) < needed or not (settled or len(tries) >= self._patience):
            return None
        counts = Counter(map(values, tries))
        best = max(tries, key=lambda reading: (counts[values(reading)], confidence(reading)))
        self.leaning = upright and any(die.cocked for die in best)
        if self.leaning:
            self._tries = self._tries[-self._patience :]
            return None
        # Readings that cannot agree are not sure, however sure each of them is of itself.
        share = counts[values(best)] / len(tries)
        return self._decide(best, min(confidence(best), share, ACT - 0.01), tries, at)

    def _lasting(self, reading: tuple[Die, ...]) -> tuple[Die, ...]:
        """The dice of a reading that are sure, or seen in more than half of the looks: what flickers is no die."""
        return tuple(
            die
            for die in reading
            if confidence([die]) >= ACT
            or 2 * sum(any(apart(die, other) <= _BUMP for other in look) for look in self._tries) > len(self._tries)
        )

    def _is_clutter(self, die: Die) -> bool:
        return confidence([die]) < ACT and any(apart(die, thing) <= _BUMP for thing in self._clutter)

    def _begin_with(self, dice: tuple[Die, ...]) -> Verdict | None:
        """The baseline: two looks, which need not agree, for what they are unsure of is no die in play."""
        if len(self._tries) < 2:
            return None
        self._clutter = tuple(die for reading in self._tries for die in reading if confidence([die]) < ACT)
        self._tries.clear()
        self.lying = tuple(die for die in dice if confidence([die]) >= ACT)
        return Verdict(None, unsure=False)

    def _decide(self, dice: tuple[Die, ...], sure: float, tries: list[tuple[Die, ...]], at: float) -> Verdict:
        before, unsure = self.lying or (), sure < ACT
        view_moved, self._view_moved = self._view_moved, False
        self.begin()
        pairs = _pairs(before, dice)
        more = [die for die in dice if all(die is not now for _, now in pairs)]
        if before and more and all(apart(a, b) <= _BUMP for a, b in pairs) and confidence(more) < ACT:
            # The dice lie where they lay; what came to them and is no sure die is something else put down.
            self._clutter += tuple(more)
            return Verdict(None, self._unsure)
        # Dice that kept their places to each other were not thrown, wherever the view has gone meanwhile.
        if _is_same_throw(before, dice) or (view_moved and _alike(before, dice)):
            if unsure:  # what was read of these very dice before holds
                dice = tuple(replace(was, box=now.box) for was, now in pairs)
            else:
                self._unsure = False
            self.lying = dice
            return Verdict(None, self._unsure)
        self.lying, self._unsure = dice, unsure
        alternatives = tuple(_alternatives(dice, list(map(values, tries))))
        return Verdict(DiceEvent(values(dice), sure, alternatives, at), unsure)


class TokensSteady:
    """Keeps what is known of each window and tells what changed; what is hidden stays as it was."""

    def __init__(self, patience: int = 4) -> None:
        self._patience = patience
        self._tries: list[Lid] = []
        self.known: dict[int, Window] = {}

    def begin(self) -> None:
        """Something moved: readings of the rest before count no more."""
        self._tries.clear()

    def see(self, lid: Lid, at: float) -> list[Event] | None:
        """Takes one reading of a lid at rest; None: look again, two agreeing sure ones or patience's end decide."""
        self._tries.append(lid)
        if len(self._tries) < 2:
            return None
        before = self._tries[-2].windows
        visible = {i: w for i, w in enumerate(lid.windows) if w.covered is not None}
        agreed = {i: w for i, w in visible.items() if i < len(before) and _same_token(before[i], w)}
        sure = len(agreed) == len(visible) and all(w.confidence >= ACT for w in agreed.values())
        if not sure and len(self._tries) < self._patience:
            return None
        self._tries.clear()
        return self._decide(agreed, len(lid.windows), at)

    def shows_the_same(self, lid: Lid) -> bool:
        """Whether every window is in sight, and as it was."""
        return all(
            window.covered is not None and (i not in self.known or not _contradicts(self.known[i], window))
            for i, window in enumerate(lid.windows)
        )

    def _decide(self, now: dict[int, Window], count: int, at: float) -> list[Event]:
        taken = [i for i, w in now.items() if i in self.known and self.known[i].covered and not w.covered]
        put = [i for i, w in now.items() if i in self.known and not self.known[i].covered and w.covered]
        was_open = any(not w.covered for w in self.known.values())
        events: list[Event] = []
        if not self._mixed_up(taken, put, now):
            for i in taken:
                was = self.known[i]
                sure = now[i].confidence if was.number is None else min(now[i].confidence, was.confidence)
                events.append(TokenTakenEvent(i, was.number, sure, at))
            events += [TokenPutEvent(i, now[i].number, now[i].confidence, at) for i in put]
        for i, window in now.items():
            unread = window.covered and window.number is None
            if not (unread and i in self.known and self.known[i].covered):
                self.known[i] = window
        if was_open and len(self.known) == count and all(w.covered for w in self.known.values()):
            events.append(LidReadyEvent(at))
        return events

    def _mixed_up(self, taken: Sequence[int], put: Sequence[int], now: dict[int, Window]) -> bool:
        """Whether the windows changed their names rather than their tokens: a lid that was turned and misjudged.

        Hands take tokens off or put them on; both at once, with other tokens trading places, is not a deed of theirs.
        """
        if not (taken and put):
            return False
        traded = sum(
            self.known[i].covered == w.covered and _contradicts(self.known[i], w)
            for i, w in now.items()
            if i in self.known
        )
        return traded >= 2 or len(taken) + len(put) >= 4


def values(dice: Iterable[Die]) -> Values:
    """Top faces, sorted."""
    return tuple(sorted(die.value for die in dice))


def confidence(dice: Iterable[Die]) -> float:
    """A reading is as sure as its least sure die; that there are none is taken for sure."""
    return min((min(die.confidence, _COCKED) if die.cocked else die.confidence for die in dice), default=1.0)


def _pairs(before: Sequence[Die], now: Sequence[Die], *, by_value: bool = False) -> list[tuple[Die, Die]]:
    """Dice paired with the nearest of before, nearest pairs first; `by_value`: only dice that show the same."""
    close = sorted(
        ((apart(a, b), i, j) for i, a in enumerate(before) for j, b in enumerate(now)),
    )
    left, right = set(range(len(before))), set(range(len(now)))
    pairs = []
    for _, i, j in close:
        if i in left and j in right and (not by_value or before[i].value == now[j].value):
            left.remove(i)
            right.remove(j)
            pairs.append((before[i], now[j]))
    return pairs


def _same_place_and_values(before: Sequence[Die], now: Sequence[Die], near: float = _REST) -> bool:
    return len(before) == len(now) and all(
        a.value == b.value and apart(a, b) * side(b.box) <= max(2.0, near * side(b.box)) for a, b in _pairs(before, now)
    )


def _is_same_throw(before: Sequence[Die], now: Sequence[Die]) -> bool:
    """Whether nobody threw: the dice lie where they lay, were pushed, or some were picked up."""
    if not now or len(now) > len(before):
        return not before and not now
    near = _pairs(before, now)
    if all(apart(a, b) <= _BUMP for a, b in near):
        return True
    if values(before) != values(now):
        return False
    pairs = _pairs(before, now, by_value=True)
    shifts = [apart(a, b) for a, b in pairs]
    # A throw moves every die; one that kept its place was there when the other was pushed.
    return max(shifts) <= _NUDGE or min(shifts) <= _REST or _moved_as_one(pairs)


def _moved_as_one(pairs: Sequence[tuple[Die, Die]]) -> bool:
    """Whether two dice or more kept their places to each other: the tray was pushed with the dice in it."""
    ways = [(b[0] - a[0], b[1] - a[1]) for a, b in ((center(x.box), center(y.box)) for x, y in pairs)]
    return len(ways) >= 2 and all(dist(way, ways[0]) <= _REST * side(pairs[0][1].box) for way in ways)


def _alike(before: Sequence[Die], now: Sequence[Die]) -> bool:
    """Whether two dice or more show the same and lie to each other as they lay, if turned and neared a little."""
    if len(now) < 2 or values(before) != values(now):
        return False
    pairs = _pairs(before, now, by_value=True)
    old, new = ([complex(*center(pair[i].box)) for pair in pairs] for i in (0, 1))
    old, new = ([z - sum(zs) / len(zs) for z in zs] for zs in (old, new))
    turn = sum(b * a.conjugate() for a, b in zip(old, new, strict=True)) / max(1e-9, sum(abs(a) ** 2 for a in old))
    off = max(abs(b - turn * a) for a, b in zip(old, new, strict=True))
    return abs(turn - 1) <= _TURN and off <= _BUMP * side(pairs[0][1].box)


def _alternatives(dice: Sequence[Die], seen: Sequence[Values]) -> list[Values]:
    """Other readings of this rest, most frequent first, then the least sure die's second value; at most three."""
    best = values(dice)
    found = [other for other, _ in Counter(seen).most_common() if other != best and other]
    found += [
        tuple(sorted([*(other.value for other in dice if other is not die), die.alternative]))
        for die in sorted(dice, key=lambda die: die.confidence)
        if die.alternative is not None
    ]
    return list(dict.fromkeys(found))[:3]


def _same_token(before: Window, now: Window) -> bool:
    return (before.covered, before.number) == (now.covered, now.number)


def _sure_number(window: Window) -> bool:
    return window.number is not None and window.confidence >= ACT


def _contradicts(known: Window, now: Window) -> bool:
    """Whether the window cannot have stayed as it was: covered or not, or both numbers sure and not the same."""
    if known.covered != now.covered:
        return True
    return _sure_number(known) and _sure_number(now) and known.number != now.number
