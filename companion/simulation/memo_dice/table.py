"""The virtual Memo Dice table: nine dice, ten cups, a row and hands, moved by actions. Time is passed in, never read.

Actions take as long as they take a person: a hand comes, does it, and leaves. Nothing but the renderer (and the people
who move it) looks at this simulation: the game sees frames.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from companion.events import MemoColour
from companion.simulation.actions import HandAction, SimulatedTable
from companion.simulation.macroscope.board import ImpossibleAction
from companion.simulation.macroscope.dice import rotate_about
from companion.simulation.macroscope.lid import Point
from companion.simulation.memo_dice.objects import (
    DieFace,
    MemoDiceAppearance,
    SimulatedCup,
    SymbolDie,
    TableObject,
    draw_random_die,
)

DIE_COUNT = 9
CUP_COUNTS = {MemoColour.GOLD: 1, MemoColour.RED: 3, MemoColour.BLUE: 3, MemoColour.BLACK: 3}
_ROW = (-216.0, -6.0)
"""Where the row begins, mm; it grows to the right."""
_SUPPLY = (-176.0, -146.0)
"""Where the dice lie that are not used yet; the cups that are not stand in the players' hands."""
_ACTS, _LEAVES, _ENDS = 0.35, 0.45, 0.75
"""When a hand acts, leaves and is gone, in seconds from the action's start."""

_UP = (
    np.eye(3),
    rotate_about((1, 0, 0), 90),
    rotate_about((1, 0, 0), -90),
    rotate_about((0, 1, 0), 90),
    rotate_about((0, 1, 0), -90),
    rotate_about((1, 0, 0), 180),
)


@dataclass(frozen=True, slots=True)
class RowSlot:
    """A place of the row: its die, and the cup over it. A die that was taken away leaves its place."""

    die: int
    placed_die: SymbolDie
    cup: MemoColour | None = None


@dataclass(frozen=True, slots=True)
class _State:
    """What lies where; `supply` are the numbers of the dice that are not used yet."""

    row: tuple[RowSlot, ...] = ()
    supply: tuple[int, ...] = tuple(range(DIE_COUNT))


@dataclass(frozen=True, slots=True)
class _MemoDiceAction(HandAction):
    after: _State


class MemoDiceTable(SimulatedTable[_MemoDiceAction]):
    """A simulated tabletop for Memo Dice.

    Args:
        rng: draws the dice's symbols.
        appearance: sizes of dice and cups.
    """

    def __init__(self, rng: random.Random, appearance: MemoDiceAppearance) -> None:
        super().__init__()
        self.appearance = appearance
        self._faces: tuple[tuple[DieFace, DieFace, DieFace, DieFace, DieFace, DieFace], ...] = tuple(
            draw_random_die(rng) for _ in range(DIE_COUNT)
        )
        turns = [rng.uniform(0.0, 360.0) for _ in range(DIE_COUNT)]
        self._spare = tuple(self._lying(die, self._aside(die), turns[die], die % 6) for die in range(DIE_COUNT))
        self._state = self._planned = _State()

    # What is to be seen.

    @property
    def objects(self) -> tuple[TableObject, ...]:
        """All dice that are to be seen, and the cups of the row."""
        found: list[TableObject] = [self._spare[die] for die in self._state.supply]
        for place in self._state.row:
            x, y, _ = place.placed_die.center
            found.append(place.placed_die if place.cup is None else SimulatedCup(place.cup, x, y))
        return tuple(found)

    @property
    def row(self) -> tuple[RowSlot, ...]:
        """The row as it is now."""
        return self._state.row

    @property
    def open_die(self) -> MemoColour | None:
        """The colour of the symbol on the row's last die, if no cup is over it, nor will be."""
        row = self._planned.row
        return row[-1].placed_die.top.colour if row and row[-1].cup is None else None

    def locate_slot(self, index: int) -> Point:
        """The middle of a place of the row, mm."""
        return _ROW[0] + index * 2.16 * self.appearance.mouth_radius_mm, _ROW[1]

    # Actions.

    def roll(self, rng: random.Random, now: float) -> MemoColour:
        """Takes a die, rolls it and puts it at the row's end; the colour of its symbol.

        Raises:
            ImpossibleAction: none is left, or one lies there that no cup covers.
        """
        state = self._planned
        if not state.supply:
            raise ImpossibleAction("all dice are in the row")
        if state.row and state.row[-1].cup is None:
            raise ImpossibleAction("a die lies open")
        die = rng.choice(state.supply)
        supply = tuple(other for other in state.supply if other != die)
        return self._put(die, _State(state.row, supply), rng, now)

    def roll_again(self, rng: random.Random, now: float) -> MemoColour:
        """Takes up the open die and rolls it once more.

        Raises:
            ImpossibleAction: none lies open.
        """
        state = self._planned
        if not state.row or state.row[-1].cup is not None:
            raise ImpossibleAction("no die lies open")
        return self._put(state.row[-1].die, _State(state.row[:-1], state.supply), rng, now)

    def cover(self, paint: MemoColour, now: float) -> None:
        """Puts a cup over the row's last die.

        Raises:
            ImpossibleAction: no die lies open there, or no such cup is left.
        """
        state = self._planned
        if not state.row or state.row[-1].cup is not None:
            raise ImpossibleAction("no die lies open")
        if paint not in self.free_cups:
            raise ImpossibleAction(f"no {paint.name.lower()} cup is left")
        row = (*state.row[:-1], replace(state.row[-1], cup=paint))
        self._change(self.locate_slot(len(row) - 1), _State(row, state.supply), now)

    def lift(self, index: int, now: float) -> None:
        """Takes the cup off a place.

        Raises:
            ImpossibleAction: none is there.
        """
        state = self._planned
        if not 0 <= index < len(state.row) or state.row[index].cup is None:
            raise ImpossibleAction("no cup is there")
        row = (*state.row[:index], replace(state.row[index], cup=None), *state.row[index + 1 :])
        self._change(self.locate_slot(index), _State(row, state.supply), now)

    def clear(self, now: float) -> None:
        """Puts all dice and cups back (rules file, D33)."""
        self._change(self.locate_slot(4), _State(), now)

    @property
    def free_cups(self) -> tuple[MemoColour, ...]:
        """Colours of which a cup will be left."""
        used = [place.cup for place in self._planned.row]
        return tuple(paint for paint, count in CUP_COUNTS.items() if used.count(paint) < count)

    @property
    def fitting_cup(self) -> MemoColour | None:
        """The cup that the rules want over the open die (D12 to D14); None: none lies open."""
        open_die = self.open_die
        if open_die is None:
            return None
        return open_die if open_die in self.free_cups and self._planned.supply else MemoColour.GOLD

    def lay_cups(self, cups: tuple[MemoColour, ...], rng: random.Random) -> None:
        """Has a row of covered dice stand so at once: for a table that is found as it was left."""
        row = tuple(
            RowSlot(die, self._lying(die, self.locate_slot(die), rng.uniform(0.0, 360.0), rng.randrange(6)), cup)
            for die, cup in enumerate(cups[:DIE_COUNT])
        )
        self._state = self._planned = _State(row, tuple(range(len(row), DIE_COUNT)))
        self.version += 1

    def hold_hand_over(self, where: Point, now: float) -> None:
        """Holds a hand over a point, mm, until `withdraw_hand`."""
        self.step(now)
        self._hold_hand(where)

    def _advance_action(self, start: float, action: _MemoDiceAction) -> None:
        if self.now - start >= action.acts_after and not self._acted:
            self._state, self._acted = action.after, True

    def _put(self, die: int, state: _State, rng: random.Random, now: float) -> MemoColour:
        index = len(state.row)
        x, y = self.locate_slot(index)
        place = x + rng.uniform(-3.0, 3.0), y + rng.uniform(-3.0, 3.0)
        lying = self._lying(die, place, rng.uniform(0.0, 360.0), rng.randrange(6))
        self._change(place, _State((*state.row, RowSlot(die, lying)), state.supply), now)
        return lying.top.colour

    def _lying(self, die: int, at: Point, yaw: float, up: int) -> SymbolDie:
        return SymbolDie(
            self._faces[die], (*at, self.appearance.die_size_mm / 2), rotate_about((0, 0, 1), yaw) @ _UP[up]
        )

    @staticmethod
    def _aside(die: int) -> Point:
        return _SUPPLY[0] + 44.0 * die, _SUPPLY[1]

    def _change(self, over: Point, after: _State, now: float) -> None:
        self._planned = after
        self._queue_action(now, _MemoDiceAction(over, _ACTS, _LEAVES, _ENDS, after))


class MemoDiceRenderer:
    """Draws a `MemoTable`. Equal seeds and equal calls give equal frames."""

    def __init__(self, appearance: MemoDiceAppearance, seed: int = 0) -> None:
        # Imported here: what is drawn needs OpenCV, what lies there does not.
        from companion.simulation.memo_dice import render

        self._draw = render
        self.appearance = appearance
        self._rng = np.random.default_rng(seed)
        self._bare = render.light_tabletop(render.draw_tabletop(appearance, seed), appearance)
        self._hand = render.HandPainter(appearance)
        self._pictures: dict[object, render.Image] = {}
        height, width = self._bare.shape[:2]
        grains = render.make_noise((height + 64, width + 64, 3), appearance, self._rng)
        self._noise = np.clip(np.round(grains), -40, 40).astype(np.int16)

    def render(self, table: MemoDiceTable) -> npt.NDArray[np.uint8]:
        """The table as of its last step: a new array, shape (720, 1280, 3)."""
        things = table.objects
        key = tuple(
            thing if isinstance(thing, SimulatedCup) else (thing.center, thing.rotation.tobytes()) for thing in things
        )
        if key not in self._pictures:
            scene = self._bare.copy()
            self._draw.draw_objects(scene, things, self.appearance)
            self._pictures = {key: self._draw.develop_image(scene, self.appearance)}
        image = self._pictures[key].copy()
        if table.hand is not None:
            self._hand.draw(image, table.hand)
        y, x = self._rng.integers(0, 64, 2)
        height, width = image.shape[:2]
        noisy = image.astype(np.int16) + self._noise[y : y + height, x : x + width]
        picture: npt.NDArray[np.uint8] = np.clip(noisy, 0, 255).astype(np.uint8)
        return picture


def create_memo_dice_table(
    appearance: MemoDiceAppearance, rng: random.Random
) -> tuple[MemoDiceTable, MemoDiceRenderer]:
    """A table and what draws it, both of one appearance."""
    return MemoDiceTable(rng, appearance), MemoDiceRenderer(appearance, rng.getrandbits(32))
