"""The simulated table with a tray and any number of dice, which hands throw, take out and put back.

Time is passed in, in seconds, and never read from a clock. Only the renderer and the simulated players read this state:
the game receives camera frames.
"""

import math
import random
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from companion.simulation.actions import HandAction, ImpossibleAction, SimulatedTable
from companion.simulation.dice_throws import (
    DiePose,
    DieThrow,
    LandingPlace,
    SimulatedTray,
    compute_rest_height,
    rotate_about,
    turn_face_up,
)

TOUCHING_SHARE = 0.25
"""Probability, 0 to 1, that a die comes to rest against another one, where there is one."""
_TOUCHING_GAP_MM = 0.3
"""Gap in mm between dice that touch; the larger, the easier they are told apart."""
_MIN_GAP_MM = 0.8
"""Least gap in mm between other dice."""
_MAX_TRIES = 400
"""Attempts to find a place; the more, the fuller a tray may be."""


DICE_TRAY = SimulatedTray((0.0, -14.0), (150.0, 104.0))
"""The tray of the table; the larger, the more dice lie in it without touching."""
MAX_DICE = 40
"""Most dice on the table."""
ASIDE_Y_MM = 198.0
"""Distance of the dice that were set aside from the table's middle, in mm: below what the camera sees."""
ASIDE_STEP = 1.5
"""Distance between two of them, as a multiple of a die's edge."""
ASIDE_YAWS_DEG = (8.0, -13.0, 3.0, 21.0, -6.0)
"""Their turns, one after the other: as a hand lays them down."""
_ACTS_SECONDS = 0.4
"""Seconds from the start of an action until the hand has arrived."""
_LEAVES_SECONDS = 0.5
"""Seconds from the start of an action until the hand begins to leave."""
_ENDS_SECONDS = 0.8
"""Seconds from the start of an action until the next one may start."""


class FullTray(ImpossibleAction):
    """No place was found for a die: the tray is too full."""


@dataclass(frozen=True, slots=True)
class Footprint:
    """The square in mm on which a die lies: centre, edge length and its turn in degrees."""

    center: tuple[float, float]
    size_mm: float
    yaw_deg: float

    def distance_to(self, other: "Footprint") -> float:
        """Return a gap in mm along the best separating axis of the two squares; negative: they overlap.

        Source: C. Ericson, "Real-Time Collision Detection" (2005), section 5.2.1 (separating axes).
        """
        best = -math.inf
        dx, dy = other.center[0] - self.center[0], other.center[1] - self.center[1]
        for yaw in (self.yaw_deg, self.yaw_deg + 90, other.yaw_deg, other.yaw_deg + 90):
            a = math.radians(yaw)
            reach = sum(
                square.size_mm / 2 * (abs(math.cos(a - b)) + abs(math.sin(a - b)))
                for square in (self, other)
                for b in (math.radians(square.yaw_deg),)
            )
            best = max(best, abs(dx * math.cos(a) + dy * math.sin(a)) - reach)
        return best


def find_place(
    size_mm: float, yaw_deg: float, others: Sequence[Footprint], tray: SimulatedTray, rng: random.Random
) -> Footprint:
    """Find a free place for a die in a tray, now and then right against another die.

    Args:
        size_mm: edge length of the die.
        yaw_deg: its turn.
        others: dice that lie there.
        tray: the tray; the die lies wholly inside it.
        rng: random generator for the place.

    Raises:
        FullTray: no free place was found.
    """
    margin = 0.75 * size_mm
    half = tray.half_size[0] - margin, tray.half_size[1] - margin
    touching = bool(others) and rng.random() < TOUCHING_SHARE
    for attempt in range(_MAX_TRIES):
        if touching and attempt < _MAX_TRIES // 4:
            found = _slide_against(rng.choice(others), size_mm, yaw_deg, rng.uniform(0.0, math.tau))
            gap = 0.5 * _TOUCHING_GAP_MM
        else:
            x, y = (middle + rng.uniform(-h, h) for middle, h in zip(tray.center, half, strict=True))
            found, gap = Footprint((x, y), size_mm, yaw_deg), _MIN_GAP_MM
        inside = all(abs(v - m) <= h for v, m, h in zip(found.center, tray.center, half, strict=True))
        if inside and all(found.distance_to(other) >= gap for other in others):
            return found
    raise FullTray(f"{len(others)} dice of {size_mm:.0f} mm leave no place in the tray")


def _slide_against(other: Footprint, size_mm: float, yaw_deg: float, direction_rad: float) -> Footprint:
    """Return the place at which a die that comes from a direction touches another one."""
    near, far = 0.0, 3.0 * size_mm
    for _ in range(20):
        middle = (near + far) / 2
        x = other.center[0] + middle * math.cos(direction_rad)
        y = other.center[1] + middle * math.sin(direction_rad)
        if Footprint((x, y), size_mm, yaw_deg).distance_to(other) < _TOUCHING_GAP_MM:
            near = middle
        else:
            far = middle
    x, y = (v + far * d for v, d in zip(other.center, (math.cos(direction_rad), math.sin(direction_rad)), strict=True))
    return Footprint((x, y), size_mm, yaw_deg)


@dataclass(frozen=True, slots=True)
class TrayDie:
    """A die in the tray: its throw, and its place there."""

    throw: DieThrow
    footprint: Footprint

    @property
    def value(self) -> int:
        """The upper face at rest, 1 to 6."""
        return self.throw.value


@dataclass(frozen=True, slots=True)
class _TrayAction(HandAction):
    """An action of a hand."""

    taken: tuple[TrayDie, ...] = ()
    """Dice that it takes out."""
    thrown: tuple[TrayDie, ...] = ()
    """Dice that it throws or lays down."""


class DiceTrayTable(SimulatedTable[_TrayAction]):
    """A simulated table with a tray. Actions are checked against the state after all actions before them.

    Args:
        die_size: edge length of the dice in mm.
        tray: the tray.

    Attributes:
        dice: the dice in the tray now.
        aside: values of the dice that players have set aside, which are out of view, in the order of setting aside.
        wanted_count: number of dice that the game waits for; None: it waits for no throw, or for any number.
        takes_any_count: whether the game counts any number of dice, as before any game.
        may_set_aside: whether dice are set aside in the game; else a touch on a die throws, as beside it.
        is_new_turn: whether the game has all dice thrown, because none of its dice lie on the table.
        is_choosing_by_keys: whether dice are marked, or a box is chosen, by keys: until then a touch does nothing.
        must_set_aside: whether dice are set aside before any others can be thrown.
        may_keep_last: whether the only die in the tray may be set aside in the game, by its key: nobody can see from an
            empty tray that it was.
        is_astray: whether other dice lie in the tray than the game has there.
        game_aside: values of the dice that are set aside in the game.
        game_locked: those of them that stay so until the turn ends.
        wrong_aside: values of the dice beside the tray that the game has read and does not set aside.
    """

    def __init__(self, die_size: float = 16.0, tray: SimulatedTray = DICE_TRAY) -> None:
        super().__init__()
        self.die_size, self.tray = die_size, tray
        self.dice: tuple[TrayDie, ...] = ()
        self.aside: tuple[int, ...] = ()
        self._shown_aside: tuple[int, ...] = ()
        """Those of `aside` that lie there already: the hand that takes them out has arrived."""
        self.wanted_count: int | None = None
        self.takes_any_count = self.may_set_aside = True
        self.is_new_turn = False
        self.is_choosing_by_keys = self.is_astray = self.must_set_aside = False
        self.may_keep_last = False
        self.game_aside: tuple[int, ...] = ()
        self.game_locked: tuple[int, ...] = ()
        self.wrong_aside: tuple[int, ...] = ()
        self._planned: tuple[TrayDie, ...] = ()

    # State.

    @property
    def planned_dice(self) -> tuple[TrayDie, ...]:
        """The dice in the tray after all actions."""
        return self._planned

    @property
    def values(self) -> tuple[int, ...]:
        """The values of the dice in the tray after all actions, in order of throwing."""
        return tuple(die.value for die in self._planned)

    def list_dice(self, back: float = 0.0) -> tuple[DiePose, ...]:
        """Return the poses of the dice in view, `back` seconds before the last step (for motion blur)."""
        # Far ones first: a near die may hide a part of them.
        dice = sorted(self.dice, key=lambda die: die.footprint.center[1])
        poses = (die.throw.compute_pose(max(self.now - back, die.throw.started_at)) for die in dice)
        return tuple(pose for pose in poses if pose is not None)

    def list_aside(self) -> tuple[DiePose, ...]:
        """Return the poses of the dice that lie beside the tray, in the order of setting aside."""
        places = self.locate_aside(len(self._shown_aside))
        height = compute_rest_height(turn_face_up(1, 0.0), self.die_size)
        return tuple(
            DiePose((*place, height), turn_face_up(value, ASIDE_YAWS_DEG[k % len(ASIDE_YAWS_DEG)]))
            for k, (place, value) in enumerate(zip(places, self._shown_aside, strict=True))
        )

    @property
    def waits_for_die(self) -> bool:
        """Whether dice are to be set aside, and none has been by hand."""
        return self.must_set_aside and not Counter(self.aside) - Counter(self.game_aside)

    def locate_aside(self, count: int) -> list[tuple[float, float]]:
        """Return the places in mm of `count` dice beside the tray, from the left; many lie closer."""
        (x, _), (half_width, _) = self.tray.center, self.tray.half_size
        step = min(ASIDE_STEP * self.die_size, 2 * (half_width - self.die_size) / max(1, count - 1))
        return [(x - half_width + self.die_size + step * k, ASIDE_Y_MM) for k in range(count)]

    @property
    def is_rolling(self) -> bool:
        """Whether a die is in motion."""
        return any(self.now < die.throw.ended_at for die in self.dice)

    @property
    def is_moving(self) -> bool:
        """Whether the picture keeps changing without a further action."""
        return self.is_rolling or super().is_moving

    # Actions.

    def throw_dice(
        self,
        count: int,
        rng: random.Random,
        now: float,
        *,
        values: Sequence[int] | None = None,
        leave: Collection[TrayDie] = (),
        cocked: int = 0,
    ) -> tuple[int, ...]:
        """Pick up the dice in the tray, and throw `count` dice in one movement.

        Args:
            count: number of dice thrown, 1 to `MAX_DICE`.
            rng: random generator for values, paths and places.
            now: time in seconds.
            values: the upper faces at rest, 1 to 6; None: random ones.
            leave: dice in the tray that are not picked up.
            cocked: how many of the thrown dice lean on the tray's rim.

        Returns:
            The values of the thrown dice.

        Raises:
            ImpossibleAction: There would be more than `MAX_DICE` dice in the tray, or none is thrown.
            FullTray: The tray is too full.
        """
        left = tuple(die for die in self._planned if die in leave)
        if not 1 <= count <= MAX_DICE - len(left):
            raise ImpossibleAction(f"{count} dice cannot be thrown")
        thrown = tuple(values) if values is not None else tuple(rng.randint(1, 6) for _ in range(count))
        heading, lying, dice = rng.uniform(-2.4, -0.7), [die.footprint for die in left], []
        for index, value in enumerate(thrown):
            die = self._create_die(value, heading, lying, rng, is_cocked=index < cocked)
            lying.append(die.footprint)
            dice.append(die)
        taken = tuple(die for die in self._planned if die not in left)
        self._planned = (*left, *dice)
        rest = max(die.throw.ended_at for die in dice)
        x, y = self.tray.center
        self._queue_action(
            now,
            _TrayAction((x + 20.0, y + 60.0), 0.4, 0.5, max(0.8, 0.4 + rest), taken=taken, thrown=tuple(dice)),
        )
        return thrown

    def take(self, dice: Collection[TrayDie], now: float) -> None:
        """Take these dice out of the tray; those that are not there are ignored."""
        taken = tuple(die for die in self._planned if die in dice)
        if not taken:
            return
        self._planned = tuple(die for die in self._planned if die not in taken)
        x, y = (sum(die.footprint.center[k] for die in taken) / len(taken) for k in (0, 1))
        self._queue_action(now, _TrayAction((x, y), _ACTS_SECONDS, _LEAVES_SECONDS, _ENDS_SECONDS, taken=taken))

    def set_aside(self, dice: Collection[TrayDie], now: float) -> None:
        """Take these dice out of the tray and lay them beside it, out of the camera's view."""
        self.take(dice, now)
        self.aside += tuple(die.value for die in dice)

    def put_back(self, values: Sequence[int], rng: random.Random, now: float) -> None:
        """Lay dice with these values into the tray, beside those that lie there.

        Raises:
            FullTray: The tray is too full.
        """
        lying, dice = [die.footprint for die in self._planned], []
        for value in values:
            die = self._create_die(value, 0.0, lying, rng, is_cocked=False)
            die = replace(die, throw=replace(die.throw, duration_seconds=0.05, distance_mm=0.0, turns=0.0))
            lying.append(die.footprint)
            dice.append(die)
        left = Counter(self.aside) - Counter(values)
        self.aside = tuple(left.elements())
        self._planned = (*self._planned, *dice)
        target = dice[0].footprint.center if dice else self.tray.center
        self._queue_action(now, _TrayAction(target, _ACTS_SECONDS, _LEAVES_SECONDS, _ENDS_SECONDS, thrown=tuple(dice)))

    def pick_up_all(self, now: float) -> None:
        """Pick up all dice, so that the tray is empty and none is set aside."""
        self.aside = ()
        taken, self._planned = self._planned, ()
        self._queue_action(
            now, _TrayAction(self.tray.center, _ACTS_SECONDS, _LEAVES_SECONDS, _ENDS_SECONDS, taken=taken)
        )

    # Time.

    def step(self, now: float) -> None:
        """Advance the table to the time `now`, in seconds; a time before the last step changes nothing."""
        was_rolling, version = self.is_rolling, self.version
        super().step(now)
        if self._shown_aside != self.aside and not self._queue and (self._action is None or self._acted):
            self._shown_aside = self.aside
            self.version += 1
        if was_rolling and self.version == version:
            self.version += 1

    def _advance_action(self, start: float, action: _TrayAction) -> None:
        since = self.now - start
        if since >= action.acts_after - 0.1 and action.taken:
            self.dice = tuple(die for die in self.dice if die not in action.taken)
        if since < action.acts_after or self._acted:
            return
        self._acted = True
        at = start + action.acts_after
        begun = {id(die): replace(die, throw=die.throw.from_hand(at)) for die in action.thrown}
        self.dice = (*self.dice, *begun.values())
        # Later actions name the dice as they were planned.
        self._planned = tuple(begun.get(id(die), die) for die in self._planned)
        self._queue = type(self._queue)(
            (when, replace(queued, taken=tuple(begun.get(id(die), die) for die in queued.taken)))
            for when, queued in self._queue
        )

    def _create_die(
        self, value: int, heading: float, lying: Sequence[Footprint], rng: random.Random, *, is_cocked: bool
    ) -> TrayDie:
        yaw = rng.uniform(0.0, 360.0)
        place = find_place(self.die_size, yaw, lying, self.tray, rng)
        rotation, landing = turn_face_up(value, yaw), LandingPlace.TRAY
        if is_cocked:
            # It stands on one edge on the felt and leans on the right wall, where no other die lies.
            for _ in range(200):
                y = self.tray.center[1] + rng.uniform(-0.8, 0.8) * self.tray.half_size[1]
                x = self.tray.center[0] + self.tray.half_size[0] - 0.66 * self.die_size
                leaning = Footprint((x, y), 1.3 * self.die_size, 0.0)
                if all(leaning.distance_to(other) > 0 for other in lying):
                    place, landing = leaning, LandingPlace.COCKED
                    rotation = rotate_about((0.0, 1.0, 0.0), -rng.uniform(24.0, 36.0)) @ rotation
                    break
        throw = DieThrow(
            value,
            landing,
            self.die_size,
            0.0,
            rng.uniform(0.6, 1.2),
            place.center,
            rotation,
            heading + rng.uniform(-0.35, 0.35),
            rng.uniform(110.0, 220.0),
            rng.uniform(1.5, 3.0),
            self.tray,
        )
        return TrayDie(throw, place)
