"""The simulated Macroscope table: a lid with twelve tokens, a dice tray and hands.

Time is passed in, in seconds, and never read from a clock. An action takes as long as it takes a person: a hand comes,
acts and leaves. Actions wait for each other; whether one is possible is checked at the call, against the state after
all actions before it. Only the renderer and the simulated players read this state: the game receives camera frames.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from companion.games.macroscope.simulator.board import LidBoard
from companion.games.macroscope.simulator.cards import shuffle_deck
from companion.games.macroscope.simulator.lid import LAYOUTS, LidPlacement, LidShape
from companion.games.macroscope.simulator.tray import TRAY_CENTER_MM, throw_dice
from companion.simulation.actions import HandAction, SimulatedTable, ease_in_out
from companion.simulation.dice_throws import DiePose, DieThrow, LandingPlace
from companion.simulation.optics import Point

LID_HOME = LidPlacement(-140.0, 0.0)
"""Position of the lid at the start."""
LID_ROOM_MM = ((-146.0, -84.0), (-12.0, 12.0))
"""Least and greatest x, and least and greatest y, of the lid's centre in mm: within them the whole lid stays in view
and off the tray."""

HandTarget = Literal["tray", "lid"] | Point
"""A named part of the table, or a point in mm."""


@dataclass(frozen=True, slots=True)
class _MacroscopeAction(HandAction):
    """An action with the state that it produces; None: it leaves that part unchanged."""

    board: LidBoard | None = None
    glide: LidPlacement | None = None
    """The position to which the lid is moved."""
    dice: tuple[DieThrow, ...] | None = None
    """The throws; empty: the dice are picked up."""


class MacroscopeTable(SimulatedTable[_MacroscopeAction]):
    """A simulated Macroscope table.

    Args:
        rng: random generator that shuffles the tokens and draws the cards.
        layout: name of the lid in `LAYOUTS`.
        die_size: edge length of the dice in mm.

    Attributes:
        shape: the lid's shape.
        lid: the lid's current position.
        board: the current tokens and card.
        dice_count: number of dice in a throw without given values.
        is_to_be_covered: whether the game waits for all windows to be covered.
        covers_at: time in seconds from which a hand covers them, if nobody has done so before; None: never.
        turned_up_card: number of the card of the last reveal, in sight until the next roll; None: there is none.

    Raises:
        KeyError: There is no such layout.
    """

    def __init__(self, rng: random.Random, layout: str = "3x4", die_size: float = 17.0) -> None:
        super().__init__()
        self.shape: LidShape = LAYOUTS[layout]
        self.layout = layout
        self.die_size = die_size
        self.dice_count = 2
        self.is_to_be_covered = False
        self.covers_at: float | None = None
        self.turned_up_card: int | None = None
        self.lid = LID_HOME
        self._deck_rng = random.Random(rng.getrandbits(32))
        self._deck: list[int] = []
        """Numbers of the cards that were not laid yet."""
        self._cards: dict[int, int] = {}
        """Numbers of the cards that were laid in this game, by their place in it."""
        self._card_number: int | None = None
        """Number of the card drawn last."""
        self.board = replace(LidBoard.create_shuffled(rng), card_number=self._draw_card())
        self._rng = rng
        self._throws: tuple[DieThrow, ...] = ()
        self._planned = self.board
        self._planned_lid = self.lid
        self._glide_from = self.lid

    # State.

    def list_dice(self, back: float = 0.0) -> tuple[DiePose, ...]:
        """Return the poses of the dice in view, `back` seconds before the last step (for motion blur)."""
        poses = (die.compute_pose(max(self.now - back, die.started_at)) for die in self._throws)
        return tuple(pose for pose in poses if pose is not None)

    @property
    def values(self) -> tuple[int, ...]:
        """The values of the dice in the tray once they are at rest, 1 to 6, in order of throwing."""
        return tuple(die.value for die in self._throws if die.landing_place in (LandingPlace.TRAY, LandingPlace.COCKED))

    @property
    def is_rolling(self) -> bool:
        """Whether a die is in motion."""
        return any(self.now < die.ended_at for die in self._throws)

    @property
    def is_moving(self) -> bool:
        """Whether the picture keeps changing without a further action."""
        return self.is_rolling or super().is_moving

    def locate_removed_token(self, index: int) -> Point:
        """Return the place in mm of the token `index` (0 to 11) beside the lid: two rows below the tray."""
        return 62.0 + 44.0 * (index % 6), 84.0 + 44.0 * (index // 6)

    # Actions.

    def take_token(self, window: int, now: float) -> None:
        """Take the token off `window` (0 to 11) and place it beside the lid.

        Raises:
            ImpossibleAction: The window will be open already.
        """
        self._planned = self._planned.take_token(window)
        self._queue_action(now, _MacroscopeAction(self._locate_window(window), 0.35, 0.4, 0.7, board=self._planned))

    def put_token(self, window: int, number: int | None, now: float) -> None:
        """Place the token last taken, or one of `number`, on `window` (0 to 11).

        Raises:
            ImpossibleAction: The window will be covered, or no such token will be beside the lid.
        """
        self._planned = self._planned.put_token(window, number, self._rng.uniform(0.0, 360.0))
        self._queue_action(now, _MacroscopeAction(self._locate_window(window), 0.35, 0.4, 0.7, board=self._planned))

    def cover_all(self, rng: random.Random, now: float) -> None:
        """Shuffle all twelve tokens back onto the lid (M40)."""
        self._planned = self._planned.cover_all(rng)
        self._queue_action(now, _MacroscopeAction(self._locate_window(None), 0.9, 1.4, 1.7, board=self._planned))

    def pull_card(self, now: float) -> None:
        """Pull the top card, so that another picture lies under the windows."""
        self._planned = replace(self._planned, card_number=self._draw_card())
        edge = self._planned_lid.to_table((0.0, self.shape.size[1] / 2))
        self._queue_action(now, _MacroscopeAction(edge, 0.4, 0.6, 0.9, board=self._planned))

    def turn_lid(self, degrees: float, now: float) -> None:
        """Turn the lid clockwise about its centre."""
        lid = self._planned_lid
        self._glide_lid(LidPlacement(lid.x, lid.y, lid.angle_deg + degrees), now)

    def shuffle_cards(self) -> None:
        """Forget which cards were laid: another game begins."""
        self._cards.clear()
        self.turned_up_card = None

    def lay_card(self, index: int) -> None:
        """Lay the card `index` of this game at once, without a hand, as soon as nothing moves.

        After an undo it is the same again. No picture comes back, in the next game neither, before all were seen.
        """
        if self.is_moving:
            return
        if index not in self._cards:
            self._cards[index] = self._draw_card()
        if self._cards[index] != self.board.card_number:
            self.lay_tokens(replace(self.board, card_number=self._cards[index]))

    def cover_at_once(self) -> None:
        """Cover the open windows (M40), as soon as nothing moves: also where people told the game so by a key."""
        if not self.is_moving and not all(self.board.windows):
            self.lay_tokens(self.board.cover_all(self._rng))

    def lay_tokens(self, board: LidBoard) -> None:
        """Set the tokens and the card at once, without a hand: for a table in the middle of a game."""
        self.board = self._planned = board
        self.version += 1

    def place_lid(self, placement: LidPlacement) -> None:
        """Move the lid at once, without a hand, within `LID_ROOM_MM`: for a mouse that drags it."""
        self.lid = self._planned_lid = _keep_in_view(placement)
        self.version += 1

    def throw_dice(
        self,
        values: Sequence[int] | None,
        rng: random.Random,
        now: float,
        landing_places: Sequence[LandingPlace] | None = None,
    ) -> tuple[int, ...]:
        """Pick up the dice and throw them.

        Args:
            values: the upper face of each die at rest, 1 to 6; None: `dice_count` dice with random values.
            rng: random generator for values and paths.
            now: time in seconds.
            landing_places: the landing place of each die; None: all lie flat in the tray.

        Returns:
            The values.

        Raises:
            ValueError: There are more or fewer landing places than values.
        """
        thrown = tuple(values) if values is not None else tuple(rng.randint(1, 6) for _ in range(self.dice_count))
        dice = throw_dice(thrown, self.die_size, rng, landing_places)
        rest = max((die.ended_at for die in dice), default=0.0)
        self._queue_action(
            now,
            _MacroscopeAction(
                (TRAY_CENTER_MM[0] + 20.0, TRAY_CENTER_MM[1] + 60.0), 0.4, 0.5, max(0.8, 0.4 + rest), dice=dice
            ),
        )
        return thrown

    def hold_hand_over(self, where: HandTarget, now: float) -> None:
        """Hold a hand over the tray, the lid or a point in mm, until `withdraw_hand`."""
        lid = self.lid.x, self.lid.y
        super().hold_hand_over(TRAY_CENTER_MM if where == "tray" else lid if where == "lid" else where, now)

    # Time.

    def step(self, now: float) -> None:
        """Advance the table to the time `now`, in seconds; a time before the last step changes nothing."""
        was_rolling, version = any(self.now < die.ended_at for die in self._throws), self.version
        super().step(now)
        if self.covers_at is not None and self.now >= self.covers_at and not self.is_moving:
            self.covers_at = None
            self.cover_all(self._rng, self.now)
        if was_rolling and self.version == version:
            self.version += 1

    def _begin_action(self, action: _MacroscopeAction) -> None:
        self._glide_from = self.lid

    def _glide_lid(self, placement: LidPlacement, now: float) -> None:
        grip = self._planned_lid.to_table((0.0, self.shape.size[1] / 2))
        self._planned_lid = placement
        self._queue_action(now, _MacroscopeAction(grip, 0.3, 0.8, 1.1, glide=placement))

    def _advance_action(self, start: float, action: _MacroscopeAction) -> None:
        since = self.now - start
        if action.dice is not None and since >= action.acts_after - 0.1 and not self._acted and self._throws:
            self._throws = ()  # the hand has picked them up
        if since < action.acts_after:
            return
        if action.glide is not None:
            self.lid = _interpolate(
                self._glide_from, action.glide, (since - action.acts_after) / (action.leaves_after - action.acts_after)
            )
        if self._acted:
            return
        self._acted = True
        self.board = action.board or self.board
        if action.dice is not None:
            self._throws = tuple(die.from_hand(start + action.acts_after) for die in action.dice)

    def _draw_card(self) -> int:
        self._deck = self._deck or shuffle_deck(self._deck_rng, self._card_number)
        self._card_number = self._deck.pop(0)
        return self._card_number

    def _locate_window(self, window: int | None) -> Point:
        return self._planned_lid.to_table((0.0, 0.0) if window is None else self.shape.windows[window])


def _interpolate(a: LidPlacement, b: LidPlacement, share: float) -> LidPlacement:
    """Return the position on the way from `a` to `b`; `share` from 0 to 1, eased at both ends."""
    s = ease_in_out(share)
    return LidPlacement(a.x + s * (b.x - a.x), a.y + s * (b.y - a.y), a.angle_deg + s * (b.angle_deg - a.angle_deg))


def _keep_in_view(placement: LidPlacement) -> LidPlacement:
    (x0, x1), (y0, y1) = LID_ROOM_MM
    return LidPlacement(min(x1, max(x0, placement.x)), min(y1, max(y0, placement.y)), placement.angle_deg)
