"""The virtual table: a lid with twelve tokens, a dice tray and hands, moved by actions. Time is passed in, never read.

Actions take as long as they take a person: a hand comes, does it, and leaves. They wait for each other, and what they
need is checked when they are asked for, against the table as it will be when their turn comes. Nothing but the
renderer (and the people who move it) looks at this simulation: the game sees frames.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from companion.simulation.actions import HandAction, SimulatedTable, ease_in_out
from companion.simulation.macroscope.board import ImpossibleAction, LidBoard
from companion.simulation.macroscope.dice import TRAY_CENTER_MM, DiePose, DieThrow, LandingPlace, throw_dice
from companion.simulation.macroscope.lid import LAYOUTS, LidPlacement, LidShape, Point

LID_HOME = LidPlacement(-140.0, 0.0)
"""Where the lid lies at first."""
LID_ROOM_MM = ((-146.0, -84.0), (-12.0, 12.0))
"""How far the lid's middle may be pushed (x, y), mm, so that all of it stays in view and off the tray."""

HandTarget = Literal["tray", "lid"] | Point


@dataclass(frozen=True, slots=True)
class _MacroscopeAction(HandAction):
    """What is otherwise once it is done."""

    board: LidBoard | None = None
    glide: LidPlacement | None = None
    dice: tuple[DieThrow, ...] | None = None


class MacroscopeTable(SimulatedTable[_MacroscopeAction]):
    """A simulated tabletop.

    Args:
        rng: shuffles the tokens and draws the cards.
        layout: a name in `LAYOUTS`.
        die_size: edge of the dice, mm.
    """

    def __init__(self, rng: random.Random, layout: str = "3x4", die_size: float = 17.0) -> None:
        super().__init__()
        self.shape: LidShape = LAYOUTS[layout]
        self.layout = layout
        self.die_size = die_size
        self.lid = LID_HOME
        self.board = LidBoard.create_shuffled(rng)
        self._rng = rng
        self._throws: tuple[DieThrow, ...] = ()
        self._planned = self.board
        self._planned_lid = self.lid
        self._glide_from = self.lid

    # What is to be seen.

    def list_dice(self, back: float = 0.0) -> tuple[DiePose, ...]:
        """The dice in view, as they were `back` seconds before the last step (for a picture's exposure time)."""
        poses = (die.compute_pose(max(self.now - back, die.started_at)) for die in self._throws)
        return tuple(pose for pose in poses if pose is not None)

    @property
    def values(self) -> tuple[int, ...]:
        """What the dice in the tray show or will show when they lie still, in order of throwing."""
        return tuple(die.value for die in self._throws if die.landing_place in (LandingPlace.TRAY, LandingPlace.COCKED))

    @property
    def is_rolling(self) -> bool:
        """Whether a die is in motion."""
        return any(self.now < die.ended_at for die in self._throws)

    @property
    def is_moving(self) -> bool:
        """Whether the picture goes on changing without a further action."""
        return self.is_rolling or super().is_moving

    def locate_removed_token(self, index: int) -> Point:
        """Where the `index`-th token beside the lid lies, mm: two rows below the tray."""
        return 62.0 + 44.0 * (index % 6), 84.0 + 44.0 * (index // 6)

    # Actions.

    def take_token(self, window: int, now: float) -> None:
        """Takes the token off `window` and lays it beside the lid.

        Raises:
            ImpossibleAction: the window will be open already.
        """
        self._planned = self._planned.take_token(window)
        self._queue_action(now, _MacroscopeAction(self._locate_window(window), 0.35, 0.4, 0.7, board=self._planned))

    def take_token_number(self, number: int, now: float) -> int:
        """Takes a token of that number, whichever comes first; returns its window.

        Raises:
            ImpossibleAction: none will be on the lid.
        """
        windows = self._planned.find_windows(number)
        if not windows:
            raise ImpossibleAction(f"no token {number} is on the lid")
        self.take_token(windows[0], now)
        return windows[0]

    def put_token(self, window: int, number: int | None, now: float) -> None:
        """Puts the token last taken, or one of `number`, on `window`.

        Raises:
            ImpossibleAction: the window will be covered, or no such token lies beside the lid.
        """
        self._planned = self._planned.put_token(window, number, self._rng.uniform(0.0, 360.0))
        self._queue_action(now, _MacroscopeAction(self._locate_window(window), 0.35, 0.4, 0.7, board=self._planned))

    def cover_all(self, rng: random.Random, now: float) -> None:
        """Shuffles all twelve tokens back onto the lid."""
        self._planned = self._planned.cover_all(rng)
        self._queue_action(now, _MacroscopeAction(self._locate_window(None), 0.9, 1.4, 1.7, board=self._planned))

    def pull_card(self, now: float) -> None:
        """Pulls the top card, so that another picture lies under the windows."""
        self._planned = LidBoard(self._planned.windows, self._planned.removed_tokens, self._rng.getrandbits(31))
        edge = self._planned_lid.to_table((0.0, self.shape.size[1] / 2))
        self._queue_action(now, _MacroscopeAction(edge, 0.4, 0.6, 0.9, board=self._planned))

    def turn_lid(self, degrees: float, now: float) -> None:
        """Turns the lid clockwise about its middle."""
        lid = self._planned_lid
        self._glide(LidPlacement(lid.x, lid.y, lid.angle_deg + degrees), now)

    def push_lid(self, dx: float, dy: float, now: float) -> None:
        """Pushes the lid by millimetres, as far as it stays in view."""
        lid = self._planned_lid
        self._glide(_kept_in_view(LidPlacement(lid.x + dx, lid.y + dy, lid.angle_deg)), now)

    def lay_tokens(self, board: LidBoard) -> None:
        """Has the tokens lie so at once: for a table that is found as it was left."""
        self.board = self._planned = board
        self.version += 1

    def place_lid(self, pose: LidPlacement) -> None:
        """Lays the lid there at once: for a mouse that drags it."""
        self.lid = self._planned_lid = _kept_in_view(pose)
        self.version += 1

    def throw_dice(
        self,
        values: Sequence[int] | None,
        rng: random.Random,
        now: float,
        landing_places: Sequence[LandingPlace] | None = None,
    ) -> tuple[int, ...]:
        """Takes up the dice and throws as many as there are `values` (None: two, at random); returns the values.

        `falls` says how each ends: flat in the tray if not given.
        """
        thrown = tuple(values) if values is not None else (rng.randint(1, 6), rng.randint(1, 6))
        dice = throw_dice(thrown, self.die_size, rng, landing_places)
        rest = max((die.ended_at for die in dice), default=0.0)
        self._queue_action(
            now,
            _MacroscopeAction(
                (TRAY_CENTER_MM[0] + 20.0, TRAY_CENTER_MM[1] + 60.0), 0.4, 0.5, max(0.8, 0.4 + rest), dice=dice
            ),
        )
        return thrown

    def pick_up_dice(self, now: float) -> None:
        """Empties the tray."""
        self._queue_action(now, _MacroscopeAction(TRAY_CENTER_MM, 0.35, 0.5, 0.8, dice=()))

    def hold_hand_over(self, where: HandTarget, now: float) -> None:
        """Holds a hand over the tray, the lid or a point in mm, until `withdraw_hand`."""
        self.step(now)
        self._hold_hand(TRAY_CENTER_MM if where == "tray" else (self.lid.x, self.lid.y) if where == "lid" else where)

    # Time.

    def step(self, now: float) -> None:
        """Brings everything to the time `now`, seconds; it never goes back."""
        was_rolling, version = any(self.now < die.ended_at for die in self._throws), self.version
        super().step(now)
        if was_rolling and self.version == version:
            self.version += 1

    def _begin_action(self, action: _MacroscopeAction) -> None:
        self._glide_from = self.lid

    def _glide(self, pose: LidPlacement, now: float) -> None:
        grip = self._planned_lid.to_table((0.0, self.shape.size[1] / 2))
        self._planned_lid = pose
        self._queue_action(now, _MacroscopeAction(grip, 0.3, 0.8, 1.1, glide=pose))

    def _advance_action(self, start: float, action: _MacroscopeAction) -> None:
        since = self.now - start
        if action.dice is not None and since >= action.acts_after - 0.1 and not self._acted and self._throws:
            self._throws = ()  # they are in the hand now
        if since < action.acts_after:
            return
        if action.glide is not None:
            self.lid = _between(
                self._glide_from, action.glide, (since - action.acts_after) / (action.leaves_after - action.acts_after)
            )
        if self._acted:
            return
        self._acted = True
        self.board = action.board or self.board
        if action.dice is not None:
            self._throws = tuple(die.from_hand(start + action.acts_after) for die in action.dice)

    def _locate_window(self, window: int | None) -> Point:
        return self._planned_lid.to_table((0.0, 0.0) if window is None else self.shape.windows[window])


def _between(a: LidPlacement, b: LidPlacement, share: float) -> LidPlacement:
    s = ease_in_out(share)
    return LidPlacement(a.x + s * (b.x - a.x), a.y + s * (b.y - a.y), a.angle_deg + s * (b.angle_deg - a.angle_deg))


def _kept_in_view(pose: LidPlacement) -> LidPlacement:
    (x0, x1), (y0, y1) = LID_ROOM_MM
    return LidPlacement(min(x1, max(x0, pose.x)), min(y1, max(y0, pose.y)), pose.angle_deg)
