"""The watcher: frames in, table events out.

Every frame is looked at for motion, and no more. Dice and lid are read once their part of the table has come to rest,
each on its own: a hand that waves beside the tray holds nothing up, a hand over it does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Any

import numpy as np

from companion.vision.frames.image_io import as_frame
from companion.vision.frames.motion import Blocks, Change, Motion, Past, blocks_of
from companion.vision.frames.stream import Stream
from companion.vision.reading import ACT, Die, Image, Lid, Reading
from companion.vision.table.events import Event, State, StateEvent
from companion.vision.table.readers import DiceSource, LidSource, NoLid
from companion.vision.table.regions import (
    Tray,
    apart,
    has_moved,
    hidden_below,
    known_of,
    lid_ground,
    on_lid,
    reaching_in,
    region_of,
    same_size,
    widened,
    without_side_faces,
)
from companion.vision.table.saved_state import Recall, parsed
from companion.vision.table.settling import DiceSteady, TokensSteady

_FLOATING_S = 1.0
"""Seconds without motion after which a changed piece that touches no border of the view is no hand."""
_FIXTURE_S = 15.0
"""What reaches in and has not moved for so long is no hand but a cup put down, and becomes part of the table."""

_LID_TRIES = 2
"""So often a lid is looked for at each rest; a search is the dearest thing here."""
_LID_GAP_S = 8.0
"""The longest wait between searches for a lid on a table that has shown none."""

_HAND_PATIENCE_S = 0.6
"""Before a camera in a hand each look shows the dice a little otherwise: so long sure readings are waited for."""

_COCKED_S = 3.0
"""For so long it is left to the people to straighten a die that leans; then its value becomes a question."""
_COCKED_GAP_S = 0.5
"""Seconds between two looks at it."""
_BELIEF_S = 1.0
"""For so long a lid has to lie still that lost a token while it was turned."""

_A_THROW = range(2, 7)
"""So many things that resemble dice are a throw, though none is sure."""


@dataclass(frozen=True, slots=True)
class _Ground:
    """The view in blocks: what moves now, what differs from the table as last read, what lies where."""

    moving: Blocks
    changed: Blocks
    lid: Blocks
    hands: Blocks
    tray: Blocks


class Watcher:
    """Sees frame after frame of one camera and says what happened on the table.

    The first view at rest is the baseline: what lies there then makes no event.
    """

    def __init__(
        self,
        dice: DiceSource,
        lid: LidSource | None = None,
        *,
        upright: Callable[[Image, Lid], Image] | None = None,
        still_ms: float = 100.0,
        patience: int = 4,
    ) -> None:
        """`upright` straightens the lid for `lid_picture`.

        A part of the table is read when nothing moved there for `still_ms`; readings that do not agree or are not
        sure are taken `patience` times, then their best is told as unsure.
        """
        self._dice_source, self._lid_source, self._upright = dice, lid or NoLid(), upright
        self._still_s, self._patience = still_ms / 1000, patience
        self._motion = Motion()
        self._stream = Stream(self._motion)
        self._dice, self._tokens, self._tray = DiceSteady(patience), TokensSteady(patience), Tray()
        self._table: Past | None = None  # the table as last read, to know what changed since
        self._without_hand: Past | None = None  # the table before something came to rest over it
        self._lid: Lid | None = None
        self._lid_before: Lid | None = None  # where it was when the table was last read, if it moved since
        self._dice_wanted = self._lid_wanted = True
        self._dice_moved_at = self._lid_moved_at = self._hand_moved_at = -np.inf
        self._lid_tries = self._most_dice = 0
        self._lid_gap, self._lid_again_at, self._dice_again_at = 0.0, -np.inf, -np.inf
        self._unsure = self._reached_in = self._lid_below_hand = self._in_hand = False
        self.state = State.LOOKING
        """What goes on, in a word."""
        self.reading: Reading | None = None
        """The latest reading; pixels are those of the frame in which it was made."""
        self.lid_picture: Image | None = None
        """The lid upright, renewed when it changed and lies still."""

    def see(self, image: Image, at: float) -> list[Event]:
        """Takes one frame of the time `at` (seconds, rising) in and tells what it settled.

        Raises:
            load.UnreadableImage: `image` is no picture.
        """
        image = as_frame(image)
        sight = self._stream.see(image, at)
        if sight.resized:
            self._dice, self._tray, self._lid = DiceSteady(self._patience), Tray(), None
        if sight.change is None:
            self._look_anew(at)
            return self._say(State.BLIND if sight.blind else State.LOOKING, at)
        if sight.blind:
            return self._say(State.BLIND, at)
        change = sight.change
        if change.astray:
            self._dice.moved(None)
        if change.swaying or self._in_hand:
            self._sway(change, image, at)
        if change.still and not (self._dice_wanted or self._lid_wanted or self._reached_in):
            self._take_table(self._motion.past(), self._without_hand)
            return []
        return self._follow(image, change.moving, at)

    def memory(self) -> dict[str, Any]:
        """What a restart in mid-round needs to tell no old event anew, as JSON holds it."""
        layout = self._lid_source.layout()
        return Recall(self._stream.size, layout, self._tokens.known, self._dice.lying, self._tray.box).as_json()

    def restore(self, memory: Mapping[str, Any]) -> None:
        """Takes up what `memory` returned: what changed meanwhile is told at the first view at rest.

        Raises:
            KeyError, TypeError, ValueError: `memory` did not make this.
        """
        kept = parsed(memory)
        if kept.layout is not None:
            self._lid_source.restore(kept.layout)
        self._stream.size = kept.size
        self._dice, self._tray = DiceSteady(self._patience, kept.dice), Tray(kept.tray)
        self._tokens.known = kept.windows

    def _look_anew(self, at: float) -> None:
        """The whole view changed: nothing seen before can be compared."""
        self._take_table(None)
        self._dice_wanted = self._lid_wanted = True
        self._hand_moved_at = at
        # At a start nobody is known to have moved anything: the sooner there is a baseline, the better.
        self._dice_moved_at = self._lid_moved_at = at if self._dice.lying is not None else at - self._still_s
        self._dice.begin()
        self._dice.moved(None)
        self._tokens.begin()
        self._lid_tries = 0

    def _sway(self, change: Change, image: Image, at: float) -> None:
        """The view moves, as in a hand: what is known of places moves with it."""
        if self._in_hand and not change.swaying:
            self._take_table(None)  # followed from frame to frame, it is not quite in its place
            self._dice_wanted = self._lid_wanted = True
        self._in_hand = change.swaying
        if change.swaying and change.shift is None:  # nothing known lies where it did
            self._take_table(None)
        elif change.shift is not None and change.shift.reach > 0:
            shift = change.shift.of(image)
            self._dice.moved(shift)
            self._tray.moved(shift)
            self._lid = self._lid and shift.lid(self._lid)
            self._lid_before = self._lid_before and shift.lid(self._lid_before)
            self._table = self._table and self._table.moved(change.shift)
            self._without_hand = self._without_hand and self._without_hand.moved(change.shift)
        if change.swaying and (change.sweeping or change.shift is None):
            self._dice_wanted = self._lid_wanted = True
            self._dice_moved_at = self._lid_moved_at = at
            self._dice.begin()
            self._tokens.begin()

    def _follow(self, image: Image, moving: Blocks, at: float) -> list[Event]:
        """Something moves or has just come to rest."""
        ground = self._ground(image, moving, at)
        self._note_motion(ground, at)
        fixture = at - self._hand_moved_at >= _FIXTURE_S
        if moving.any() or fixture:
            self._lid_below_hand = False
        over_tray = bool((ground.hands & ground.tray).any()) and not fixture
        dice_at = max(self._dice_moved_at + self._still_s, self._dice_again_at)
        dice_due = self._dice_wanted and not over_tray and at >= dice_at
        lid_at = max(self._lid_moved_at + self._still_s, self._lid_again_at)
        lid_due = self._lid_wanted and not self._lid_below_hand and at >= lid_at
        events: list[Event] = []
        # A throw is waited for, so the lid comes after it; not at the start, for the dots in its windows are no dice.
        if lid_due and (self._dice.lying is None or not dice_due):
            events += self._read_lid(image, ground, fixture, at)
            ground = self._ground(image, moving, at)
        if dice_due:
            events += self._read_dice(image, ground, fixture, at)
        # A hand that were taken for a part of the table would not be known when it moves on.
        self._reached_in = bool((ground.hands | moving).any()) and not fixture
        if not (self._dice_wanted or self._lid_wanted or self._reached_in):
            self._take_table(self._motion.past(), self._table if ground.hands.any() else None)
        return events + self._say(self._judge(ground, at), at)

    def _ground(self, image: Image, moving: Blocks, at: float) -> _Ground:
        changed = moving if self._table is None else moving | self._motion.changed_since(self._table)
        if self._without_hand is not None:
            # What rested in view for long may have been a hand after all: where it leaves, all is as before it came.
            changed &= moving | self._motion.changed_since(self._without_hand)
        lid = lid_ground(known_of(self._lid, self._lid_before), image, moving)
        # Much that changed at once in the midst of the table (tokens gone from beside the lid) looks like a hand that
        # does not reach to the border; but no hand without an arm stays.
        floating = at - self._hand_moved_at < _FLOATING_S
        if self._in_hand and self._table is None:  # nothing to compare with: what moves is as good as dice
            hands = np.zeros_like(moving)
        else:
            fresh = lid if self._lid_before else None
            hands = widened(reaching_in(changed, lid, fresh, floating=floating), 1)
        tray = Tray() if self._in_hand else self._tray
        return _Ground(moving, changed, lid, hands, tray.ground(image, moving) & ~lid)

    def _take_table(self, table: Past | None, without_hand: Past | None = None) -> None:
        """What is compared with from now on."""
        self._table, self._without_hand, self._lid_before = table, without_hand, None

    def _note_motion(self, ground: _Ground, at: float) -> None:
        moving = ground.moving
        if (moving & ~ground.lid).any():
            self._dice_wanted = True
        if (moving & ground.tray).any():
            self._dice_moved_at, self._dice_again_at = at, -np.inf
            self._dice.begin()
        if (moving & widened(ground.lid, 1)).any() or (self._lid is None and moving.any()):
            self._lid_wanted, self._lid_moved_at, self._lid_tries = True, at, 0
            self._tokens.begin()
        if (moving & ground.hands).any():
            self._hand_moved_at = at

    def _read_lid(self, image: Image, ground: _Ground, fixture: bool, at: float) -> list[Event]:
        started = perf_counter()
        learnt = self._lid_source.layout() is not None
        lid = self._lid_source.read(image) if learnt else self._lid_source.calibrate(image)
        if lid is None:
            self._lid_missed(learnt, at)
            return []
        self._lid_gap = 0.0
        if self._hand_over(lid, image, ground.changed, at):
            # It stays until something moves, unless there is no hand, and the lid is to be read once more.
            self._lid_below_hand = not fixture and self._lid_again_at <= at
            self._tokens.begin()
            return []
        hands, moved = ground.hands, self._lid is not None and has_moved(self._lid, lid, image)
        if moved:
            both = lid_ground(known_of(lid, self._lid, self._lid_before), image, hands)
            hands = widened(reaching_in(ground.changed, both, both), 1)
        events = self._tokens.see(hidden_below(hands, lid, image), at)
        if events is None:
            return []
        if moved and self._lid_before is None and self._table is not None:
            self._lid_before = self._lid
        self._lid, self._lid_wanted = lid, False
        self._keep(started, lid=lid)
        if self._upright is not None:
            self.lid_picture = self._upright(image, lid)
        return events

    def _hand_over(self, lid: Lid, image: Image, changed: Blocks, at: float) -> bool:
        """Whether a hand is over the lid, in the place where it was or where it is read to be now."""
        both = lid_ground(known_of(lid, self._lid, self._lid_before), image, changed)
        if (widened(reaching_in(changed & ~both), 1) & both).any():
            return True
        if self._lid is None or self._tokens.shows_the_same(lid):
            return False
        known = lid_ground(known_of(self._lid, self._lid_before), image, changed)
        if not (widened(reaching_in(changed, known), 1) & known).any():
            return False
        # Something large changed beside where the lid was, and tokens with it: the lid was turned and lost a token, or
        # it is misread below a hand. A lid that keeps its size, covers all that changed and lies still is believed.
        if not same_size(self._lid, lid):
            return True
        self._lid_again_at = max(self._hand_moved_at, self._lid_moved_at) + _BELIEF_S
        return at < self._lid_again_at

    def _lid_missed(self, learnt: bool, at: float) -> None:
        """No lid is in view. Only motion can bring one, so the same view is not searched over and over."""
        self._lid_tries += 1
        if self._lid_tries < _LID_TRIES:
            return
        self._lid_wanted = False
        self._lid = None
        self._tokens.begin()
        if self.reading is not None:
            self.reading = replace(self.reading, lid=None)
        if not learnt:  # perhaps there is none on this table, and learning one takes long
            self._lid_gap = min(max(1.0, 2 * self._lid_gap), _LID_GAP_S)
            self._lid_again_at = at + self._lid_gap

    def _read_dice(self, image: Image, ground: _Ground, fixture: bool, at: float) -> list[Event]:
        changed: Blocks = ground.changed & ~ground.lid & ~ground.hands
        if self._table is not None and self._dice.lying is not None and not changed.any():
            self._dice_wanted = False
            return []
        started = perf_counter()
        known = self._table is not None and self._dice.lying is not None
        region = region_of(changed, self._dice.lying or (), image) if known else None
        found = self._dice_source.read(image, region, self._lid)
        dice = without_side_faces([die for die in found if self._may_be_die(die, image, changed)])
        rolling = any(ground.moving[blocks_of(die.box, image, ground.moving)].any() for die in dice)
        hidden = len(dice) < self._most_dice and bool(ground.hands.any())
        if rolling or hidden:
            # Outside of the tray as far as that is known: dice still roll there, or the hand hides some.
            self._dice.begin()
            self._dice_wanted = rolling or not fixture
            return []
        # Dice that vanish while the light changes may be there still: that takes more than two looks.
        vanished = bool(self._dice.lying) and not dice and self._table is None
        rested, in_hand = at - self._dice_moved_at, self._in_hand
        verdict = self._dice.see(
            dice,
            at,
            needed=3 if in_hand else self._patience if vanished else 2,
            in_hand=in_hand,
            waiting=in_hand and rested < _HAND_PATIENCE_S,
            upright=rested < _COCKED_S,
        )
        if self._dice.leaning:
            self._dice_again_at = at + _COCKED_GAP_S
        if verdict is None:
            return []
        self._dice_wanted, self._unsure = False, verdict.unsure
        self._keep(started, dice=self._dice.lying)
        if not verdict.unsure:
            self._tray.learn(self._dice.lying or ())
            self._most_dice = max(self._most_dice, len(dice))
        seen_before = self._tray.box is not None or any(map(_is_sure, dice))
        if verdict.event is None or not (seen_before or len(dice) in _A_THROW):
            return []  # as long as no die was seen for sure, one thing that resembles a die asks no question
        return [verdict.event]

    def _may_be_die(self, die: Die, image: Image, changed: Blocks) -> bool:
        """Whether the rest of what is known lets this be a die: what the reader is sure of, but for the lid's windows.

        What it is not sure of must lie where something changed, and about where dice have lain.
        """
        if self._lid is not None and on_lid(die, self._lid, sure=_is_sure(die)):
            return False
        if _is_sure(die) or any(apart(die, lying) <= 1 for lying in self._dice.lying or ()):
            return True
        if not (self._in_hand or self._tray.near(die)):
            return False
        return self._table is None or bool(changed[blocks_of(die.box, image, changed)].any())

    def _keep(self, started: float, *, dice: tuple[Die, ...] | None = None, lid: Lid | None = None) -> None:
        reading = self.reading or Reading()
        if dice is not None:
            reading = replace(reading, dice=dice)
        if lid is not None:
            reading = replace(reading, lid=lid)
        self.reading = replace(reading, ms=(perf_counter() - started) * 1000)

    def _judge(self, ground: _Ground, at: float) -> State:
        if (ground.hands & (ground.tray | widened(ground.lid, 1))).any():
            return State.HAND
        if (ground.moving & ground.tray).any():
            return State.ROLLING
        if self._dice.leaning:
            return State.UNSURE
        # A table that has shown no lid is not searched for one at each rest: that would be waited for in vain.
        lid_due = self._lid_wanted and (self._lid is not None or at >= self._lid_again_at)
        if self._dice_wanted or (lid_due and self.state is not State.ROLLING):
            return self.state
        if self._unsure:
            return State.UNSURE
        return State.STEADY if self._lid is not None or self._dice.lying else State.LOOKING

    def _say(self, state: State, at: float) -> list[Event]:
        if state is self.state:
            return []
        self.state = state
        return [StateEvent(state, at)]


def _is_sure(die: Die) -> bool:
    return die.confidence >= ACT
