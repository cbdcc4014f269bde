"""Compare two readings of dice at rest: which die is which, and whether dice were pushed or thrown."""

from collections.abc import Iterable, Sequence
from math import dist

from companion.vision.reading import Die
from companion.vision.table.face_picture import is_turned

DiceValues = tuple[int, ...]
"""Sorted top faces."""

SAME_PLACE_SIDES = 0.1
"""Two readings of a die that lie nearer than this are of the same place. In sides of a die.

Larger: dice that are still moving are taken for resting ones."""

_MIN_SAME_PLACE_PX = 2.0
"""Positions that differ by less than this many pixels are the same, however small the die."""

BUMPED_SIDES = 0.25
"""Greatest shift of a die that a passing sleeve causes; no thrown die falls back that near to its place.

In sides of a die. Larger: throws are missed; smaller: bumped dice are reported as throws."""

_PUSHED_SIDES = 0.5
"""Dice that show the same values as before and moved less than this were pushed, not thrown. In sides of a die."""

_FAR_SIDES = 2.0
"""A die that moved farther than this was hardly pushed, even if another one lies where it lay. In sides of a die.

Larger: a throw is missed that shows the same as before; smaller: people who push dice aside are asked more often."""

_MAX_VIEW_TURN = 0.25
"""Greatest rotation (in radians) and change of size (as a share) of a handheld camera's view between two throws."""


def sort_values(dice: Iterable[Die]) -> DiceValues:
    """Return the values of the dice's top faces, each 1 to 6, in rising order.

    >>> sort_values([Die(5, (100, 80, 140, 120), 0.97), Die(2, (200, 80, 240, 120), 0.6)])
    (2, 5)

    Args:
        dice: the dice of one reading, in any order.
    """
    return tuple(sorted(die.value for die in dice))


def pair_dice(before: Sequence[Die], now: Sequence[Die], *, by_value: bool = False) -> list[tuple[Die, Die]]:
    """Pair dice of two readings, nearest pairs first; each die is in one pair at most.

    Args:
        before: dice of the earlier reading, in pixels of the frame.
        now: dice of the later one.
        by_value: only dice that show the same are paired.

    Returns:
        Pairs of an earlier and a later die; as many as the shorter reading has dice, or fewer with `by_value`.
    """
    distances = sorted((a.distance_to(b), i, j) for i, a in enumerate(before) for j, b in enumerate(now))
    pairs: dict[int, int] = {}
    for _, i, j in distances:
        if i not in pairs and j not in pairs.values() and (not by_value or before[i].value == now[j].value):
            pairs[i] = j
    return [(before[i], now[j]) for i, j in pairs.items()]


def is_same(before: Sequence[Die], now: Sequence[Die], tolerance: float = SAME_PLACE_SIDES) -> bool:
    """Return whether two readings have the same values at the same places, within `tolerance` sides of a die."""
    return len(before) == len(now) and all(
        a.value == b.value and a.distance_to(b) * b.side <= max(_MIN_SAME_PLACE_PX, tolerance * b.side)
        for a, b in pair_dice(before, now)
    )


def is_same_throw(before: Sequence[Die], now: Sequence[Die]) -> bool:
    """Return whether there was no throw: the dice lie where they lay, were pushed, or some were picked up."""
    if not now or len(now) > len(before):
        return not before and not now
    if all(a.distance_to(b) <= BUMPED_SIDES for a, b in pair_dice(before, now)):
        return True
    if sort_values(before) != sort_values(now):
        return False
    pairs = pair_dice(before, now, by_value=True)
    shifts = [a.distance_to(b) for a, b in pairs]
    # A throw moves every die; one that kept its place was there when the other was pushed.
    is_pushed = min(shifts) <= SAME_PLACE_SIDES and max(shifts) <= _FAR_SIDES
    return max(shifts) <= _PUSHED_SIDES or is_pushed or _have_moved_as_one(pairs)


def _have_moved_as_one(pairs: Sequence[tuple[Die, Die]]) -> bool:
    """Return whether two dice or more kept their relative positions: the tray was pushed with the dice in it."""
    moves = [(now.center[0] - was.center[0], now.center[1] - was.center[1]) for was, now in pairs]
    return len(moves) >= 2 and all(dist(move, moves[0]) <= SAME_PLACE_SIDES * pairs[0][1].side for move in moves)


def is_same_arrangement(before: Sequence[Die], now: Sequence[Die]) -> bool:
    """Return whether two dice or more show the same and kept their arrangement, if rotated and resized a little.

    Fits a similarity by least squares, in complex numbers.
    """
    if len(now) < 2 or sort_values(before) != sort_values(now):
        return False
    pairs = pair_dice(before, now, by_value=True)
    old, new = ([complex(*pair[i].center) for pair in pairs] for i in (0, 1))
    old, new = ([z - sum(zs) / len(zs) for z in zs] for zs in (old, new))
    turn = sum(b * a.conjugate() for a, b in zip(old, new, strict=True)) / max(1e-9, sum(abs(a) ** 2 for a in old))
    error = max(abs(b - turn * a) for a, b in zip(old, new, strict=True))
    return abs(turn - 1) <= _MAX_VIEW_TURN and error <= BUMPED_SIDES * pairs[0][1].side


def has_gone_on(before: Sequence[Die], now: Sequence[Die]) -> bool:
    """Return whether some of the dice were taken out, or all thrown again; not if one was straightened or thrown again.

    >>> five, six = Die(5, (100, 80, 140, 120), 0.97), Die(6, (300, 80, 340, 120), 0.5, tilted=True)
    >>> has_gone_on((five, six), (five,)), has_gone_on((five, six), (five, Die(6, (304, 80, 344, 120), 0.97)))
    (True, False)

    Args:
        before: dice of the earlier reading, in pixels of the frame.
        now: dice of the later one.
    """
    # A single die that is straightened may go far.
    most = _FAR_SIDES if len(before) == 1 else _PUSHED_SIDES
    near = [was.distance_to(die) <= most for was, die in pair_dice(before, now)]
    if len(now) < len(before):
        return all(near)
    return not any(near) and not is_same_arrangement(before, now)


def may_two_be_thrown(before: Sequence[Die], now: Sequence[Die]) -> bool:
    """Return whether two dice that show the same, and lie to each other as before, may have been thrown.

    Where nothing is seen but the dice it looks as if the camera had been pushed; but thrown dice are turned.
    """
    if not len(before) == len(now) == 2:
        return False
    pairs = pair_dice(before, now, by_value=True)
    has_turned = any(is_turned(was, die, is_pushed=True) for was, die in pairs)
    return has_turned and min(was.distance_to(die) for was, die in pairs) > _PUSHED_SIDES


def is_among(die: Die, dice: Iterable[Die]) -> bool:
    """Return whether a die is one of these, not only equal to one."""
    return any(die is one for one in dice)
