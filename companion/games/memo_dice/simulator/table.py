"""The simulated Memo Dice table: nine dice, ten cups, a row of covered dice and hands.

Time is passed in, in seconds, and never read from a clock. An action takes as long as it takes a person: a hand comes,
acts and leaves. Whether it is possible is checked at the call, against the state after all actions before it. Only the
renderer and the simulated players read this state: the game receives camera frames.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from companion.events import MemoColour
from companion.games.memo_dice.simulator.objects import (
    DieFace,
    MemoDiceAppearance,
    SimulatedCup,
    SymbolDie,
    TableObject,
    draw_random_die,
)
from companion.simulation.actions import HandAction, ImpossibleAction, SimulatedTable
from companion.simulation.dice_throws import rotate_about
from companion.simulation.optics import FrameArea, Optics, Point

DIE_COUNT = 9
"""Number of dice (D1)."""
CUP_COUNTS = {MemoColour.GOLD: 1, MemoColour.RED: 3, MemoColour.BLUE: 3, MemoColour.BLACK: 3}
"""Number of cups by colour (D1)."""
_ROW_START_MM = (-233.0, -6.0)
"""Centre of the row's first slot on the table in mm; the row grows to the right."""
_SUPPLY_START_MM = (-176.0, -118.0)
"""Centre of the first unused die on the table in mm. Unused cups are not on the table."""
_ACTS_SECONDS = 0.35
"""Seconds from the start of an action until the hand changes the table; the larger, the slower the players."""
_LEAVES_SECONDS = 0.45
"""Seconds from the start of an action until the hand begins to leave."""
_ENDS_SECONDS = 0.75
"""Seconds from the start of an action until the next one may start."""
CLEARING_SECONDS = 2.5
"""As `_ENDS_SECONDS`, for clearing the row: else the camera would miss the empty row, and with it the next round."""

_FACE_ROTATIONS = (
    np.eye(3),
    rotate_about((1, 0, 0), 90),
    rotate_about((1, 0, 0), -90),
    rotate_about((0, 1, 0), 90),
    rotate_about((0, 1, 0), -90),
    rotate_about((1, 0, 0), 180),
)
"""Rotations that turn each of the six faces up."""


@dataclass(frozen=True, slots=True)
class RowSlot:
    """A slot of the row: its die, and the cup over it."""

    die: int
    """Number of the die, 0 to 8."""
    placed_die: SymbolDie
    """The die with its position and rotation."""
    cup: MemoColour | None = None
    """Colour of the cup over the die; None: the die is open."""


@dataclass(frozen=True, slots=True)
class _State:
    """The row, and the dice outside it."""

    row: tuple[RowSlot, ...] = ()
    supply: tuple[int, ...] = tuple(range(DIE_COUNT))
    """Numbers of the unused dice, 0 to 8."""


@dataclass(frozen=True, slots=True)
class _MemoDiceAction(HandAction):
    """An action with the state that it produces."""

    after: _State


class MemoDiceTable(SimulatedTable[_MemoDiceAction]):
    """A simulated Memo Dice table.

    Args:
        rng: random generator that draws the symbols of the dice.
        appearance: sizes of dice and cups.

    Attributes:
        is_round_over: whether the game waits for the next round.
        is_row_scored: whether the row is that of a round that is over: all of it goes back.
        next_cup: index in the row of the cup that the game asks for; None: for none.
        followed: progress of the game as of the last look at it: round, covered dice, open dice (0 or 1), cups won,
            cups lifted (0 or 1).
    """

    def __init__(self, rng: random.Random, appearance: MemoDiceAppearance) -> None:
        super().__init__()
        self.appearance = appearance
        self.is_round_over = self.is_row_scored = False
        self.next_cup: int | None = None
        self.followed = 1, 0, 0, 0, 0
        self.rng = rng
        self._faces: tuple[tuple[DieFace, DieFace, DieFace, DieFace, DieFace, DieFace], ...] = tuple(
            draw_random_die(rng) for _ in range(DIE_COUNT)
        )
        turns = [rng.uniform(0.0, 360.0) for _ in range(DIE_COUNT)]
        self._spare = tuple(
            self._create_die(die, self._locate_spare_die(die), turns[die], die % 6) for die in range(DIE_COUNT)
        )
        self._state = self._planned = _State()

    # State.

    @property
    def objects(self) -> tuple[TableObject, ...]:
        """All visible dice, and the cups of the row."""
        found: list[TableObject] = [self._spare[die] for die in self._state.supply]
        for slot in self._state.row:
            x, y, _ = slot.placed_die.center
            found.append(slot.placed_die if slot.cup is None else SimulatedCup(slot.cup, x, y))
        return tuple(found)

    @property
    def row(self) -> tuple[RowSlot, ...]:
        """The current row."""
        return self._state.row

    @property
    def open_die(self) -> MemoColour | None:
        """The colour of the symbol on the row's last die; None: there is none, or a cup is or will be over it."""
        row = self._planned.row
        return row[-1].placed_die.top.colour if row and row[-1].cup is None else None

    @property
    def unused_dice(self) -> dict[int, SymbolDie]:
        """The dice outside the row, by number."""
        return {die: self._spare[die] for die in self._state.supply}

    def locate_slot(self, index: int) -> Point:
        """Return the centre of the row's slot `index` (from 0) on the table in mm."""
        return _ROW_START_MM[0] + index * 2.16 * self.appearance.mouth_radius_mm, _ROW_START_MM[1]

    # Actions.

    def roll(
        self, rng: random.Random, now: float, *, die: int | None = None, colour: MemoColour | None = None
    ) -> MemoColour:
        """Roll an unused die to the end of the row and return the colour of its symbol.

        Args:
            rng: random generator that chooses the die and its upper face.
            die: number of the die; None: any that is unused.
            colour: colour of the symbol that comes up; None or golden: any.

        Raises:
            ImpossibleAction: The die or all dice are in the row, or the row's last die will be open.
        """
        state = self._planned
        if not state.supply or (die is not None and die not in state.supply):
            raise ImpossibleAction("the die is in the row, or all are")
        if state.row and state.row[-1].cup is None:
            raise ImpossibleAction("a die lies open")
        if die is None:
            die = rng.choice(state.supply)
        supply = tuple(other for other in state.supply if other != die)
        return self._place_die(die, _State(state.row, supply), rng, now, colour)

    def roll_again(self, rng: random.Random, now: float) -> MemoColour:
        """Roll the open die once more and return the colour of its symbol.

        Raises:
            ImpossibleAction: The row's last die will not be open.
        """
        state = self._planned
        if not state.row or state.row[-1].cup is not None:
            raise ImpossibleAction("no die lies open")
        return self._place_die(state.row[-1].die, _State(state.row[:-1], state.supply), rng, now)

    def cover(self, colour: MemoColour, now: float, index: int = -1) -> None:
        """Place a cup over the die in the row's slot `index`, by default over the last one.

        Raises:
            ImpossibleAction: The die will not be open, or no cup of the colour will be left.
        """
        state = self._planned
        if not state.row or state.row[index].cup is not None:
            raise ImpossibleAction("no die lies open")
        if colour not in self.free_cups:
            raise ImpossibleAction(f"no {colour.name.lower()} cup is left")
        slots = list(state.row)
        slots[index] = replace(slots[index], cup=colour)
        self._queue_change(self.locate_slot(index % len(slots)), _State(tuple(slots), state.supply), now)

    def lift(self, index: int, now: float) -> None:
        """Lift the cup off the row's slot `index` (from 0).

        Raises:
            ImpossibleAction: No cup will be there.
        """
        state = self._planned
        if not 0 <= index < len(state.row) or state.row[index].cup is None:
            raise ImpossibleAction("no cup is there")
        row = (*state.row[:index], replace(state.row[index], cup=None), *state.row[index + 1 :])
        self._queue_change(self.locate_slot(index), _State(row, state.supply), now)

    def clear(self, now: float) -> None:
        """Put all dice and cups back (D33)."""
        self.is_row_scored = False
        self._queue_change(self.locate_slot(4), _State(), now, CLEARING_SECONDS)

    @property
    def free_cups(self) -> tuple[MemoColour, ...]:
        """The colours that will have a cup left after all actions."""
        used = [slot.cup for slot in self._planned.row]
        return tuple(colour for colour, count in CUP_COUNTS.items() if used.count(colour) < count)

    @property
    def fitting_cup(self) -> MemoColour | None:
        """The cup that must cover the open die (D12 to D14); None: no die will be open."""
        open_die = self.open_die
        if open_die is None:
            return None
        return open_die if open_die in self.free_cups and self._planned.supply else MemoColour.GOLD

    def lay_cups(self, cups: Sequence[MemoColour | None]) -> None:
        """Set the row at once, without a hand: for a table in the middle of a game, or after an undo.

        Dice that are in the row stay; one that is missing gets a symbol of its cup's colour.

        Args:
            cups: the cup of each slot; None: its die lies open. Only the first nine are used.
        """
        self.is_row_scored = False
        slots = list(self._planned.row[: len(cups)])
        unused = [die for die in range(DIE_COUNT) if die not in {slot.die for slot in slots}]
        for cup in cups[len(slots) : DIE_COUNT]:
            slots.append(RowSlot(unused[0], self._turn_die(unused.pop(0), self.locate_slot(len(slots)), self.rng, cup)))
        row = tuple(replace(slot, cup=cup) for slot, cup in zip(slots, cups, strict=False))
        self._state = self._planned = _State(row, tuple(unused))
        self.version += 1

    def _advance_action(self, start: float, action: _MemoDiceAction) -> None:
        if self.now - start >= action.acts_after and not self._acted:
            self._state, self._acted = action.after, True

    def _place_die(
        self, die: int, state: _State, rng: random.Random, now: float, colour: MemoColour | None = None
    ) -> MemoColour:
        index = len(state.row)
        x, y = self.locate_slot(index)
        place = x + rng.uniform(-3.0, 3.0), y + rng.uniform(-3.0, 3.0)
        placed_die = self._turn_die(die, place, rng, colour)
        self._queue_change(place, _State((*state.row, RowSlot(die, placed_die)), state.supply), now)
        return placed_die.top.colour

    def _turn_die(self, die: int, at: Point, rng: random.Random, colour: MemoColour | None) -> SymbolDie:
        """Turn a die at random, with a symbol of `colour` up; None or golden: with any."""
        yaw = rng.uniform(0.0, 360.0)
        turned = [self._create_die(die, at, yaw, up) for up in range(len(_FACE_ROTATIONS))]
        return rng.choice([one for one in turned if colour in (None, MemoColour.GOLD, one.top.colour)])

    def _create_die(self, die: int, at: Point, yaw: float, up: int) -> SymbolDie:
        return SymbolDie(
            self._faces[die], (*at, self.appearance.die_size_mm / 2), rotate_about((0, 0, 1), yaw) @ _FACE_ROTATIONS[up]
        )

    @staticmethod
    def _locate_spare_die(die: int) -> Point:
        return _SUPPLY_START_MM[0] + 44.0 * die, _SUPPLY_START_MM[1]

    def _queue_change(self, target: Point, after: _State, now: float, seconds: float = _ENDS_SECONDS) -> None:
        self._planned = after
        self._queue_action(now, _MemoDiceAction(target, _ACTS_SECONDS, _LEAVES_SECONDS, seconds, after))


class MemoDiceRenderer:
    """Draws a `MemoDiceTable`. Equal seeds and equal calls give equal frames.

    Args:
        appearance: sizes, colours, light and camera; the same as the table's.
        seed: seed of texture and noise.
    """

    def __init__(self, appearance: MemoDiceAppearance, seed: int = 0) -> None:
        # Imported here, so that the table itself does not load OpenCV.
        from companion.games.memo_dice.simulator import render

        self._draw = render
        self.appearance, self._seed, self.supersampling = appearance, seed, 2
        self._box = (0, 0, *appearance.optics.size_px)
        self._rng = np.random.default_rng(seed)
        self._bare = render.light_tabletop(render.draw_tabletop(appearance, seed), appearance, self._box)
        self._hand = render.HandPainter(appearance)
        self._pictures: dict[object, render.Image] = {}
        height, width = self._bare.shape[:2]
        grains = render.make_noise((height + 64, width + 64, 3), appearance, self._rng) if appearance.noise else 0.0
        self._noise = np.broadcast_to(np.clip(np.round(grains), -40, 40).astype(np.int16), (height + 64, width + 64, 3))
        self._with_hand: tuple[object, object, render.Image] | None = None

    @property
    def optics(self) -> Optics:
        """The camera that sees the table."""
        return self.appearance.optics

    def crop(self, area: FrameArea, zoom: float) -> "MemoDiceRenderer":
        """Return a renderer of a part of the same picture, enlarged; it has no noise."""
        return MemoDiceRenderer(replace(self.appearance, optics=self.optics.crop(area, zoom), noise=0.0), self._seed)

    def render_noiseless(self, table: MemoDiceTable) -> npt.NDArray[np.uint8]:
        """Draw the table as of its last step without the sensor's noise; the same object until something changes."""
        objects = table.objects
        key = tuple(
            table_object
            if isinstance(table_object, SimulatedCup)
            else (table_object.center, table_object.rotation.tobytes())
            for table_object in objects
        )
        if key not in self._pictures:
            scene = self._bare.copy()
            self._draw.draw_objects(scene, objects, self.appearance, self._box, supersampling=self.supersampling)
            self._pictures = {key: self._draw.develop_image(scene, self.appearance)}
        still = self._pictures[key]
        if table.hand is None:
            return still
        if self._with_hand is None or self._with_hand[:2] != (key, table.hand):
            image = still.copy()
            self._hand.draw(image, table.hand)
            self._with_hand = key, table.hand, image
        return self._with_hand[2]

    def render(self, table: MemoDiceTable) -> npt.NDArray[np.uint8]:
        """Draw the table as of its last step: a new frame, (H, W, 3) uint8 BGR, in the camera's size."""
        image = self.render_noiseless(table)
        y, x = self._rng.integers(0, 64, 2)
        height, width = image.shape[:2]
        noisy = image.astype(np.int16) + self._noise[y : y + height, x : x + width]
        picture: npt.NDArray[np.uint8] = np.clip(noisy, 0, 255).astype(np.uint8)
        return picture


def create_memo_dice_table(
    appearance: MemoDiceAppearance, rng: random.Random
) -> tuple[MemoDiceTable, MemoDiceRenderer]:
    """Create a Memo Dice table and its renderer, both of one appearance; `rng` decides on all that is random."""
    return MemoDiceTable(rng, appearance), MemoDiceRenderer(appearance, rng.getrandbits(32))
