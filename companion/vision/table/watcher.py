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

from companion.vision.frames.image_io import normalise_frame
from companion.vision.frames.motion import BlockMask, FrameChange, MotionDetector, ReferenceFrame, locate_blocks
from companion.vision.frames.stream import FrameStream
from companion.vision.reading import MIN_PLAY_CONFIDENCE, Die, Image, Lid, Reading
from companion.vision.table.events import Event, State, StateEvent
from companion.vision.table.readers import DiceReaderLike, LidReaderLike, NullLidReader
from companion.vision.table.regions import (
    DiceArea,
    die_distance,
    dilate_blocks,
    drop_missing,
    drop_side_faces,
    find_hands,
    find_search_region,
    has_lid_moved,
    hide_windows_below_hands,
    is_on_lid,
    is_same_lid_size,
    mark_lid_blocks,
)
from companion.vision.table.saved_state import WatcherState, parse_watcher_state
from companion.vision.table.settling import DiceSettler, TokenSettler

_FLOATING_HAND_SECONDS = 1.0
"""Seconds without motion after which a changed piece that touches no border of the view is no hand."""
_FIXTURE_SECONDS = 15.0
"""What reaches in and has not moved for so long is no hand but a cup put down, and becomes part of the table."""

_MAX_LID_SEARCHES = 2
"""So often a lid is looked for at each rest; a search is the dearest thing here."""
_MAX_LID_SEARCH_GAP_SECONDS = 8.0
"""The longest wait between searches for a lid on a table that has shown none."""

_HANDHELD_WAIT_SECONDS = 0.6
"""Before a camera in a hand each look shows the dice a little otherwise: so long sure readings are waited for."""

_TILTED_WAIT_SECONDS = 3.0
"""For so long it is left to the people to straighten a die that leans; then its value becomes a question."""
_TILTED_READ_GAP_SECONDS = 0.5
"""Seconds between two looks at it."""
_TURNED_LID_STILL_SECONDS = 1.0
"""For so long a lid has to lie still that lost a token while it was turned."""

_THROW_DICE_COUNTS = range(2, 7)
"""So many things that resemble dice are a throw, though none is sure."""


@dataclass(frozen=True, slots=True)
class _BlockMap:
    """The view in blocks: what moves now, what differs from the table as last read, what lies where."""

    moving: BlockMask
    changed: BlockMask
    lid: BlockMask
    hands: BlockMask
    tray: BlockMask


class DiceAndLidWatcher:
    """Sees frame after frame of one camera and says what happened on the table.

    The first view at rest is the baseline: what lies there then makes no event.
    """

    def __init__(
        self,
        dice: DiceReaderLike,
        lid: LidReaderLike | None = None,
        *,
        rectify: Callable[[Image, Lid], Image] | None = None,
        still_ms: float = 100.0,
        max_readings: int = 4,
    ) -> None:
        """`upright` straightens the lid for `lid_picture`.

        A part of the table is read when nothing moved there for `still_ms`; readings that do not agree or are not
        sure are taken `patience` times, then their best is told as unsure.
        """
        self._dice_source, self._lid_source, self._upright = dice, lid or NullLidReader(), rectify
        self._still_s, self._patience = still_ms / 1000, max_readings
        self._motion = MotionDetector()
        self._stream = FrameStream(self._motion)
        self._dice, self._tokens, self._tray = DiceSettler(max_readings), TokenSettler(max_readings), DiceArea()
        self._table: ReferenceFrame | None = None  # the table as last read, to know what changed since
        self._without_hand: ReferenceFrame | None = None  # the table before something came to rest over it
        self._lid: Lid | None = None
        self._lid_before: Lid | None = None  # where it was when the table was last read, if it moved since
        self._dice_wanted = self._lid_wanted = True
        self._dice_moved_at = self._lid_moved_at = self._hand_moved_at = -np.inf
        self._lid_tries = self._most_dice = 0
        self._lid_gap, self._lid_again_at, self._dice_again_at = 0.0, -np.inf, -np.inf
        self._unsure = self._reached_in = self._lid_below_hand = self._in_hand = False
        self.state = State.SEARCHING
        """What goes on, in a word."""
        self.reading: Reading | None = None
        """The latest reading; pixels are those of the frame in which it was made."""
        self.lid_image: Image | None = None
        """The lid upright, renewed when it changed and lies still."""

    def process_frame(self, image: Image, at: float) -> list[Event]:
        """Takes one frame of the time `at` (seconds, rising) in and tells what it settled.

        Raises:
            load.UnreadableImage: `image` is no picture.
        """
        image = normalise_frame(image)
        sight = self._stream.process_frame(image, at)
        if sight.is_resized:
            self._dice, self._tray, self._lid = DiceSettler(self._patience), DiceArea(), None
        if sight.change is None:
            self._look_anew(at)
            return self._say(State.BLIND if sight.is_blind else State.SEARCHING, at)
        if sight.is_blind:
            return self._say(State.BLIND, at)
        change = sight.change
        if change.is_unexplained:
            self._dice.apply_shift(None)
        if change.is_view_moving or self._in_hand:
            self._sway(change, image, at)
        if change.is_still and not (self._dice_wanted or self._lid_wanted or self._reached_in):
            self._take_table(self._motion.make_reference(), self._without_hand)
            return []
        return self._follow(image, change.moving, at)

    def snapshot(self) -> dict[str, Any]:
        """What a restart in mid-round needs to tell no old event anew, as JSON holds it."""
        layout = self._lid_source.export_layout()
        return WatcherState(
            self._stream.frame_size, layout, self._tokens.windows, self._dice.dice_at_rest, self._tray.box
        ).to_json()

    def restore(self, snapshot: Mapping[str, Any]) -> None:
        """Takes up what `memory` returned: what changed meanwhile is told at the first view at rest.

        Raises:
            KeyError, TypeError, ValueError: `memory` did not make this.
        """
        kept = parse_watcher_state(snapshot)
        if kept.lid_layout is not None:
            self._lid_source.restore_layout(kept.lid_layout)
        self._stream.frame_size = kept.frame_size
        self._dice, self._tray = DiceSettler(self._patience, kept.dice), DiceArea(kept.dice_area)
        self._tokens.windows = kept.windows

    def _look_anew(self, at: float) -> None:
        """The whole view changed: nothing seen before can be compared."""
        self._take_table(None)
        self._dice_wanted = self._lid_wanted = True
        self._hand_moved_at = at
        # At a start nobody is known to have moved anything: the sooner there is a baseline, the better.
        self._dice_moved_at = self._lid_moved_at = at if self._dice.dice_at_rest is not None else at - self._still_s
        self._dice.reset()
        self._dice.apply_shift(None)
        self._tokens.reset()
        self._lid_tries = 0

    def _sway(self, change: FrameChange, image: Image, at: float) -> None:
        """The view moves, as in a hand: what is known of places moves with it."""
        if self._in_hand and not change.is_view_moving:
            self._take_table(None)  # followed from frame to frame, it is not quite in its place
            self._dice_wanted = self._lid_wanted = True
        self._in_hand = change.is_view_moving
        if change.is_view_moving and change.shift is None:  # nothing known lies where it did
            self._take_table(None)
        elif change.shift is not None and change.shift.max_travel_widths > 0:
            shift = change.shift.rescaled_to(image)
            self._dice.apply_shift(shift)
            self._tray.apply_shift(shift)
            self._lid = self._lid and shift.move_lid(self._lid)
            self._lid_before = self._lid_before and shift.move_lid(self._lid_before)
            self._table = self._table and self._table.shifted_by(change.shift)
            self._without_hand = self._without_hand and self._without_hand.shifted_by(change.shift)
        if change.is_view_moving and (change.is_view_moving_fast or change.shift is None):
            self._dice_wanted = self._lid_wanted = True
            self._dice_moved_at = self._lid_moved_at = at
            self._dice.reset()
            self._tokens.reset()

    def _follow(self, image: Image, moving: BlockMask, at: float) -> list[Event]:
        """Something moves or has just come to rest."""
        ground = self._ground(image, moving, at)
        self._note_motion(ground, at)
        fixture = at - self._hand_moved_at >= _FIXTURE_SECONDS
        if moving.any() or fixture:
            self._lid_below_hand = False
        over_tray = bool((ground.hands & ground.tray).any()) and not fixture
        dice_at = max(self._dice_moved_at + self._still_s, self._dice_again_at)
        dice_due = self._dice_wanted and not over_tray and at >= dice_at
        lid_at = max(self._lid_moved_at + self._still_s, self._lid_again_at)
        lid_due = self._lid_wanted and not self._lid_below_hand and at >= lid_at
        events: list[Event] = []
        # A throw is waited for, so the lid comes after it; not at the start, for the dots in its windows are no dice.
        if lid_due and (self._dice.dice_at_rest is None or not dice_due):
            events += self._read_lid(image, ground, fixture, at)
            ground = self._ground(image, moving, at)
        if dice_due:
            events += self._read_dice(image, ground, fixture, at)
        # A hand that were taken for a part of the table would not be known when it moves on.
        self._reached_in = bool((ground.hands | moving).any()) and not fixture
        if not (self._dice_wanted or self._lid_wanted or self._reached_in):
            self._take_table(self._motion.make_reference(), self._table if ground.hands.any() else None)
        return events + self._say(self._judge(ground, at), at)

    def _ground(self, image: Image, moving: BlockMask, at: float) -> _BlockMap:
        changed = moving if self._table is None else moving | self._motion.find_changed_blocks(self._table)
        if self._without_hand is not None:
            # What rested in view for long may have been a hand after all: where it leaves, all is as before it came.
            changed &= moving | self._motion.find_changed_blocks(self._without_hand)
        lid = mark_lid_blocks(drop_missing(self._lid, self._lid_before), image, moving)
        # Much that changed at once in the midst of the table (tokens gone from beside the lid) looks like a hand that
        # does not reach to the border; but no hand without an arm stays.
        floating = at - self._hand_moved_at < _FLOATING_HAND_SECONDS
        if self._in_hand and self._table is None:  # nothing to compare with: what moves is as good as dice
            hands = np.zeros_like(moving)
        else:
            fresh = lid if self._lid_before else None
            hands = dilate_blocks(find_hands(changed, lid, fresh, floating=floating), 1)
        tray = DiceArea() if self._in_hand else self._tray
        return _BlockMap(moving, changed, lid, hands, tray.mark_blocks(image, moving) & ~lid)

    def _take_table(self, table: ReferenceFrame | None, without_hand: ReferenceFrame | None = None) -> None:
        """What is compared with from now on."""
        self._table, self._without_hand, self._lid_before = table, without_hand, None

    def _note_motion(self, ground: _BlockMap, at: float) -> None:
        moving = ground.moving
        if (moving & ~ground.lid).any():
            self._dice_wanted = True
        if (moving & ground.tray).any():
            self._dice_moved_at, self._dice_again_at = at, -np.inf
            self._dice.reset()
        if (moving & dilate_blocks(ground.lid, 1)).any() or (self._lid is None and moving.any()):
            self._lid_wanted, self._lid_moved_at, self._lid_tries = True, at, 0
            self._tokens.reset()
        if (moving & ground.hands).any():
            self._hand_moved_at = at

    def _read_lid(self, image: Image, ground: _BlockMap, fixture: bool, at: float) -> list[Event]:
        started = perf_counter()
        learnt = self._lid_source.export_layout() is not None
        lid = self._lid_source.read(image) if learnt else self._lid_source.calibrate(image)
        if lid is None:
            self._lid_missed(learnt, at)
            return []
        self._lid_gap = 0.0
        if self._hand_over(lid, image, ground.changed, at):
            # It stays until something moves, unless there is no hand, and the lid is to be read once more.
            self._lid_below_hand = not fixture and self._lid_again_at <= at
            self._tokens.reset()
            return []
        hands, moved = ground.hands, self._lid is not None and has_lid_moved(self._lid, lid, image)
        if moved:
            both = mark_lid_blocks(drop_missing(lid, self._lid, self._lid_before), image, hands)
            hands = dilate_blocks(find_hands(ground.changed, both, both), 1)
        events = self._tokens.add_reading(hide_windows_below_hands(hands, lid, image), at)
        if events is None:
            return []
        if moved and self._lid_before is None and self._table is not None:
            self._lid_before = self._lid
        self._lid, self._lid_wanted = lid, False
        self._keep(started, lid=lid)
        if self._upright is not None:
            self.lid_image = self._upright(image, lid)
        return events

    def _hand_over(self, lid: Lid, image: Image, changed: BlockMask, at: float) -> bool:
        """Whether a hand is over the lid, in the place where it was or where it is read to be now."""
        both = mark_lid_blocks(drop_missing(lid, self._lid, self._lid_before), image, changed)
        if (dilate_blocks(find_hands(changed & ~both), 1) & both).any():
            return True
        if self._lid is None or self._tokens.is_unchanged(lid):
            return False
        known = mark_lid_blocks(drop_missing(self._lid, self._lid_before), image, changed)
        if not (dilate_blocks(find_hands(changed, known), 1) & known).any():
            return False
        # Something large changed beside where the lid was, and tokens with it: the lid was turned and lost a token, or
        # it is misread below a hand. A lid that keeps its size, covers all that changed and lies still is believed.
        if not is_same_lid_size(self._lid, lid):
            return True
        self._lid_again_at = max(self._hand_moved_at, self._lid_moved_at) + _TURNED_LID_STILL_SECONDS
        return at < self._lid_again_at

    def _lid_missed(self, learnt: bool, at: float) -> None:
        """No lid is in view. Only motion can bring one, so the same view is not searched over and over."""
        self._lid_tries += 1
        if self._lid_tries < _MAX_LID_SEARCHES:
            return
        self._lid_wanted = False
        self._lid = None
        self._tokens.reset()
        if self.reading is not None:
            self.reading = replace(self.reading, lid=None)
        if not learnt:  # perhaps there is none on this table, and learning one takes long
            self._lid_gap = min(max(1.0, 2 * self._lid_gap), _MAX_LID_SEARCH_GAP_SECONDS)
            self._lid_again_at = at + self._lid_gap

    def _read_dice(self, image: Image, ground: _BlockMap, fixture: bool, at: float) -> list[Event]:
        changed: BlockMask = ground.changed & ~ground.lid & ~ground.hands
        if self._table is not None and self._dice.dice_at_rest is not None and not changed.any():
            self._dice_wanted = False
            return []
        started = perf_counter()
        known = self._table is not None and self._dice.dice_at_rest is not None
        region = find_search_region(changed, self._dice.dice_at_rest or (), image) if known else None
        found = self._dice_source.read(image, region, self._lid)
        dice = drop_side_faces([die for die in found if self._may_be_die(die, image, changed)])
        rolling = any(ground.moving[locate_blocks(die.box, image, ground.moving)].any() for die in dice)
        hidden = len(dice) < self._most_dice and bool(ground.hands.any())
        if rolling or hidden:
            # Outside of the tray as far as that is known: dice still roll there, or the hand hides some.
            self._dice.reset()
            self._dice_wanted = rolling or not fixture
            return []
        # Dice that vanish while the light changes may be there still: that takes more than two looks.
        vanished = bool(self._dice.dice_at_rest) and not dice and self._table is None
        rested, in_hand = at - self._dice_moved_at, self._in_hand
        verdict = self._dice.add_reading(
            dice,
            at,
            agreeing_readings=3 if in_hand else self._patience if vanished else 2,
            handheld=in_hand,
            unlimited=in_hand and rested < _HANDHELD_WAIT_SECONDS,
            wait_for_tilted=rested < _TILTED_WAIT_SECONDS,
        )
        if self._dice.waits_for_tilted:
            self._dice_again_at = at + _TILTED_READ_GAP_SECONDS
        if verdict is None:
            return []
        self._dice_wanted, self._unsure = False, verdict.is_unsure
        self._keep(started, dice=self._dice.dice_at_rest)
        if not verdict.is_unsure:
            self._tray.learn(self._dice.dice_at_rest or ())
            self._most_dice = max(self._most_dice, len(dice))
        seen_before = self._tray.box is not None or any(map(_is_sure, dice))
        if verdict.event is None or not (seen_before or len(dice) in _THROW_DICE_COUNTS):
            return []  # as long as no die was seen for sure, one thing that resembles a die asks no question
        return [verdict.event]

    def _may_be_die(self, die: Die, image: Image, changed: BlockMask) -> bool:
        """Whether the rest of what is known lets this be a die: what the reader is sure of, but for the lid's windows.

        What it is not sure of must lie where something changed, and about where dice have lain.
        """
        if self._lid is not None and is_on_lid(die, self._lid, certain=_is_sure(die)):
            return False
        if _is_sure(die) or any(die_distance(die, lying) <= 1 for lying in self._dice.dice_at_rest or ()):
            return True
        if not (self._in_hand or self._tray.is_near(die)):
            return False
        return self._table is None or bool(changed[locate_blocks(die.box, image, changed)].any())

    def _keep(self, started: float, *, dice: tuple[Die, ...] | None = None, lid: Lid | None = None) -> None:
        reading = self.reading or Reading()
        if dice is not None:
            reading = replace(reading, dice=dice)
        if lid is not None:
            reading = replace(reading, lid=lid)
        self.reading = replace(reading, duration_ms=(perf_counter() - started) * 1000)

    def _judge(self, ground: _BlockMap, at: float) -> State:
        if (ground.hands & (ground.tray | dilate_blocks(ground.lid, 1))).any():
            return State.HAND
        if (ground.moving & ground.tray).any():
            return State.ROLLING
        if self._dice.waits_for_tilted:
            return State.UNSURE
        # A table that has shown no lid is not searched for one at each rest: that would be waited for in vain.
        lid_due = self._lid_wanted and (self._lid is not None or at >= self._lid_again_at)
        if self._dice_wanted or (lid_due and self.state is not State.ROLLING):
            return self.state
        if self._unsure:
            return State.UNSURE
        return State.STEADY if self._lid is not None or self._dice.dice_at_rest else State.SEARCHING

    def _say(self, state: State, at: float) -> list[Event]:
        if state is self.state:
            return []
        self.state = state
        return [StateEvent(state, at)]


def _is_sure(die: Die) -> bool:
    return die.confidence >= MIN_PLAY_CONFIDENCE
