"""Watch a table with dice and a lid: takes frames, emits what happened on the table.

Every frame is only checked for motion. Dice and lid are read once their part of the table rests, each by itself.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from time import perf_counter
from typing import Any, ClassVar

import numpy as np

from companion.events import CameraState, DiceAndLidEvent, DiceRead, LidEvent
from companion.vision.base_watcher import TableWatcher
from companion.vision.dice.reader import DiceReader
from companion.vision.dice.taught_dice import TaughtFaces, encode_uncertain_faces
from companion.vision.frames.blocks import BlockMask, locate_blocks
from companion.vision.frames.motion import FrameChange, ReferenceFrame
from companion.vision.lid.reader import LidReader
from companion.vision.reading import Die, Image, Lid, Reading
from companion.vision.table.dice_agreement import MAX_READINGS, AgreedReading, DiceAgreement
from companion.vision.table.dice_area import DiceArea, find_search_region
from companion.vision.table.face_picture import cut_face_picture
from companion.vision.table.hands import dilate_blocks, drop_relit_pieces, find_hands
from companion.vision.table.lid_area import (
    BlockMap,
    has_lid_moved,
    hide_windows_below_hands,
    is_on_lid,
    is_same_lid_size,
    mark_lid_blocks,
)
from companion.vision.table.lid_search import LidSearch
from companion.vision.table.no_lid_reader import NoLidReader
from companion.vision.table.snapshot import TableSnapshot
from companion.vision.table.token_agreement import TokenAgreement

_FLOATING_HAND_SECONDS = 1.0
"""Seconds without motion after which a change that touches no border of the view is no hand. Larger: waits longer."""

_FIXTURE_SECONDS = 15.0
"""An object that reaches into the view without moving for this long is no hand but a cup, and part of the table."""

_READINGS_TO_AGREE = 2
"""Consecutive readings of the dice that must agree. Larger: slower, fewer errors."""

_READINGS_TO_AGREE_HANDHELD = 3
"""As `_READINGS_TO_AGREE`, with a handheld camera: each frame shows the dice a little differently."""

_HANDHELD_WAIT_SECONDS = 0.6
"""With a handheld camera, certain readings are waited for this long. Larger: slower, fewer questions."""

_TILTED_WAIT_SECONDS = 3.0
"""Players may straighten a tilted die for this long; then its value becomes a question."""

_STILL_SECONDS = 0.1
"""A part of the table is read when nothing has moved there for this long. Larger: slower, fewer readings in vain."""

_TILTED_READ_GAP_SECONDS = 0.5
"""Seconds between two readings of a tilted die."""

_TURNED_LID_STILL_SECONDS = 1.0
"""A lid that lost a token while it was turned is believed after it lay still for this long. Larger: slower, safer."""


class DiceAndLidWatcher(TableWatcher[DiceRead | LidEvent]):
    """Follows a table with dice and a lid from frame to frame, and emits events. Not thread-safe.

    >>> watcher = DiceAndLidWatcher(DiceReader(), NoLidReader())
    >>> empty_table = np.full((480, 640, 3), 120, np.uint8)
    >>> [event for n in range(30) for event in watcher.process_frame(empty_table, at=n / 15)]
    []
    >>> watcher.state, watcher.reading.dice
    (<CameraState.SEARCHING: 'looking'>, ())

    Dice and lid are read when their part of the table is at rest. The first view at rest makes no event.

    Args:
        dice_reader: reads the dice.
        lid_reader: reads the lid, and learns it from the first view in which all windows are covered; `NoLidReader`:
            there is none.
    """

    THROW_COUNTS: ClassVar[range] = range(2, 7)
    """As long as no die was ever certain, this many uncertain ones are a throw."""

    def __init__(self, dice_reader: DiceReader, lid_reader: LidReader | NoLidReader) -> None:
        super().__init__()
        self._dice_reader, self._lid_reader = dice_reader, lid_reader
        self._dice, self._tokens, self._area = self._make_agreement(), TokenAgreement(), DiceArea()
        self._table: ReferenceFrame | None = None  # the table as last read, to find what changed since
        self._without_hand: ReferenceFrame | None = None  # the table before something came to rest over it
        self._lid: Lid | None = None
        self._lid_before: Lid | None = None  # where it was when the table was last read, if it has moved since
        self._must_read_dice = self._must_read_lid = True
        self._dice_moved_at = self._lid_moved_at = self._hand_moved_at = -np.inf
        self._lid_search, self._most_dice, self._dice_again_at = LidSearch(), 0, -np.inf
        self._dice_unsure = self._has_hand = self._lid_below_hand = self._handheld = False

    def use_taught_faces(self, taught: TaughtFaces) -> None:
        """Recognise taught faces where the reading is in doubt, see `DiceReader.use_taught_faces`."""
        self._dice_reader.use_taught_faces(taught)

    def _make_agreement(self, dice: tuple[Die, ...] | None = None) -> DiceAgreement:
        """Make the `DiceAgreement` of this table; `dice`: as they lay before a restart."""
        return DiceAgreement(dice)

    def _process_change(self, image: Image, change: FrameChange, at: float) -> list[DiceAndLidEvent]:
        """Follow a moving view, or read what has come to rest."""
        if change.is_unexplained:
            self._dice.apply_shift(None)
        if change.is_view_moving or self._handheld:
            self._follow_view(change, image, at)
        if change.is_still and not (self._must_read_dice or self._must_read_lid or self._has_hand):
            self._set_table(self._motion.make_reference(), self._without_hand)
            return []
        return self._examine(image, change.moving, at)

    def snapshot(self) -> dict[str, Any]:
        """Return the state that a restart in the middle of a round needs to repeat no event, as JSON values.

        Returns:
            Frame size, lid layout, windows, dice and dice area ("tray"), for `restore`. Alternatives and tilt of the
            dice are not stored. Dice are None if none were looked for yet, the area is None if none lay anywhere yet.
        """
        size, layout, windows = self._frame_size, self._lid_reader.export_layout(), self._tokens.windows
        return TableSnapshot(size, layout, windows, self._dice.dice_at_rest, self._area.box).to_json()

    def restore(self, snapshot: Mapping[str, Any]) -> None:
        """Continue from a snapshot; changes in the meantime are reported at the first view at rest.

        To be called before the first frame. It also restores the layout of the lid reader. If it raises, the watcher
        may be half restored: make a new one.

        Raises:
            ArithmeticError, AttributeError, LookupError, TypeError, ValueError: `snapshot` of this class did not return
                this.
        """
        stored = TableSnapshot.from_json(snapshot)
        if stored.layout is not None:
            self._lid_reader.restore_layout(stored.layout)
        self._frame_size, self._tokens.windows = stored.frame_size, stored.windows
        self._dice, self._area = self._make_agreement(stored.dice), DiceArea(stored.area)

    def _forget_positions(self) -> None:
        self._dice, self._area, self._lid = self._make_agreement(), DiceArea(), None

    def _restart_comparison(self, at: float) -> None:
        self._set_table(None)
        self._hand_moved_at = at
        # At a start no motion is known, so the baseline is read at once.
        self._read_all_again(at if self._dice.dice_at_rest is not None else at - _STILL_SECONDS)
        self._dice.apply_shift(None)
        self._lid_search.restart()

    def _read_all_again(self, moved_at: float) -> None:
        """Discard the readings of the present rest: everything moved, `moved_at` in seconds."""
        self._must_read_dice = self._must_read_lid = True
        self._dice_moved_at = self._lid_moved_at = moved_at
        self._dice.reset()
        self._tokens.reset()

    def _follow_view(self, change: FrameChange, image: Image, at: float) -> None:
        """Move all known positions with the view of a handheld camera."""
        if self._handheld and not change.is_view_moving:
            self._set_table(None)  # followed from frame to frame, it is not exactly in its place
            self._must_read_dice = self._must_read_lid = True
        self._handheld = change.is_view_moving
        if change.is_view_moving and change.shift is None:  # nothing known lies where it did
            self._set_table(None)
        elif change.shift is not None and change.shift.max_travel_widths > 0:
            shift = change.shift.rescaled_to(image)
            self._dice.apply_shift(shift)
            self._area.apply_shift(shift)
            self._lid = self._lid and shift.move_lid(self._lid)
            self._lid_before = self._lid_before and shift.move_lid(self._lid_before)
            self._table = self._table and self._table.shifted_by(change.shift)
            self._without_hand = self._without_hand and self._without_hand.shifted_by(change.shift)
        if change.is_view_moving and (change.is_view_moving_fast or change.shift is None):
            self._read_all_again(at)

    def _examine(self, image: Image, moving: BlockMask, at: float) -> list[DiceAndLidEvent]:
        """Find what moves, and read what has come to rest."""
        blocks = self._map_blocks(image, moving, at)
        self._note_motion(blocks, at)
        self._note_missing_dice(image, blocks)
        is_fixture = at - self._hand_moved_at >= _FIXTURE_SECONDS
        if moving.any() or is_fixture:
            self._lid_below_hand = False
        hand_over_dice = bool((blocks.hands & blocks.dice_area).any()) and not is_fixture
        dice_due_at = max(self._dice_moved_at + _STILL_SECONDS, self._dice_again_at)
        is_dice_due = self._must_read_dice and not hand_over_dice and at >= dice_due_at
        lid_due_at = max(self._lid_moved_at + _STILL_SECONDS, self._lid_search.again_at)
        is_lid_due = self._must_read_lid and not self._lid_below_hand and at >= lid_due_at
        events: list[DiceAndLidEvent] = []
        # Players wait for a throw, so the lid comes after it, unless tokens were moved before it (who throws has ended
        # the turn in which they were taken); not at the start, for dots in its windows are no dice.
        is_lid_first = self._dice.dice_at_rest is None or self._lid_moved_at < self._dice_moved_at
        if is_lid_due and (is_lid_first or not is_dice_due):
            events += self._read_lid(image, blocks, is_fixture, at)
            blocks = self._map_blocks(image, moving, at)
        if is_dice_due:
            events += self._read_dice(image, blocks, is_fixture, at)
        # A hand that became part of the table would not be recognised when it moves on.
        self._has_hand = bool((blocks.hands | moving).any()) and not is_fixture
        if not (self._must_read_dice or self._must_read_lid or self._has_hand):
            self._set_table(self._motion.make_reference(), self._table if blocks.hands.any() else None)
        state = self._judge_state(blocks, at)
        is_hand = state is CameraState.HAND and not is_fixture  # what stays beside the lid hides it for ever
        lid_hidden = is_hand and self._lid is not None and self._must_read_lid
        return [*events, *self._set_state(state, at, lid_hidden=lid_hidden)]

    def _note_missing_dice(self, image: Image, blocks: BlockMap) -> None:
        """Note which dice have left their places; nothing here: dice beside a lid are thrown together."""

    def _map_blocks(self, image: Image, moving: BlockMask, at: float) -> BlockMap:
        """Find what changed, where the lid is and where hands are."""
        changed = moving if self._table is None else moving | self._motion.find_changed_blocks(self._table)
        if self._without_hand is not None:
            # What rested in view for long may have been a hand after all: where it leaves, all is as before it came.
            changed &= moving | self._motion.find_changed_blocks(self._without_hand)
        lid = mark_lid_blocks(image, moving, self._lid, self._lid_before)
        # Many changes at once in the middle of the table (tokens gone from beside the lid) look like a hand that does
        # not reach the border; but no hand without an arm stays.
        floating = at - self._hand_moved_at < _FLOATING_HAND_SECONDS
        if self._handheld and self._table is None:  # nothing to compare with: what moves may be dice
            hands = np.zeros_like(moving)
        else:
            hands = find_hands(changed, lid, lid if self._lid_before else None, floating=floating)
            if hands.any() and self._table is not None:
                hands = drop_relit_pieces(hands, partial(self._motion.are_only_relit, self._table))
            hands = dilate_blocks(hands, 1)
        area = DiceArea() if self._handheld else self._area
        return BlockMap(moving, changed, lid, hands, area.mark_blocks(image, moving) & ~lid)

    def _set_table(self, table: ReferenceFrame | None, without_hand: ReferenceFrame | None = None) -> None:
        """Set what later frames are compared with."""
        self._table, self._without_hand, self._lid_before = table, without_hand, None

    def _note_motion(self, blocks: BlockMap, at: float) -> None:
        """Note which parts of the table move now."""
        moving = blocks.moving
        if (moving & ~blocks.lid).any():
            self._must_read_dice = True
        if (moving & blocks.dice_area).any():
            self._dice_moved_at, self._dice_again_at = at, -np.inf
            self._dice.reset()
        if (moving & dilate_blocks(blocks.lid, 1)).any() or (self._lid is None and moving.any()):
            self._must_read_lid, self._lid_moved_at = True, at
            self._lid_search.restart()
            self._tokens.reset()
        if (moving & blocks.hands).any():
            self._hand_moved_at = at

    def _read_lid(self, image: Image, blocks: BlockMap, is_fixture: bool, at: float) -> list[DiceAndLidEvent]:
        """Read the lid; return its events, empty while more readings are needed."""
        started = perf_counter()
        lid = self._lid_reader.read(image)
        if lid is None:
            self._note_missing_lid(at)
            return []
        self._lid_search.note_found()
        if self._is_hand_over(lid, image, blocks.changed, at):
            # It stays until something moves, unless there is no hand and the lid is to be read once more.
            self._lid_below_hand = not is_fixture and self._lid_search.again_at <= at
            self._tokens.reset()
            return []
        hands, has_moved = blocks.hands, self._lid is not None and has_lid_moved(self._lid, lid, image)
        if has_moved:
            both = mark_lid_blocks(image, hands, lid, self._lid, self._lid_before)
            hands = dilate_blocks(find_hands(blocks.changed, both, both), 1)
        events = self._tokens.add_reading(hide_windows_below_hands(hands, lid, image), at)
        if events is None:
            return []
        if has_moved and self._lid_before is None and self._table is not None:
            self._lid_before = self._lid
        self._lid, self._must_read_lid = lid, False
        self.reading = replace(self.reading or Reading(), lid=lid, duration_ms=(perf_counter() - started) * 1000)
        return list(events)

    def _is_hand_over(self, lid: Lid, image: Image, changed: BlockMask, at: float) -> bool:
        """Return whether a hand is over the lid, in the place where it was or where it is read to be now."""
        both = mark_lid_blocks(image, changed, lid, self._lid, self._lid_before)
        if (dilate_blocks(find_hands(changed & ~both), 1) & both).any():
            return True
        if self._lid is None or self._tokens.is_unchanged(lid):
            return False
        known = mark_lid_blocks(image, changed, self._lid, self._lid_before)
        if not (dilate_blocks(find_hands(changed, known), 1) & known).any():
            return False
        # Something large changed beside where the lid was, and tokens with it: either the lid was turned and lost a
        # token, or it is misread below a hand. A lid that keeps its size and lies still is believed.
        if not is_same_lid_size(self._lid, lid):
            return True
        self._lid_search.again_at = max(self._hand_moved_at, self._lid_moved_at) + _TURNED_LID_STILL_SECONDS
        return at < self._lid_search.again_at

    def _note_missing_lid(self, at: float) -> None:
        """Note that no lid was found, and forget the one that was there once enough searches found none."""
        if not self._lid_search.note_missing(at, is_learnt=self._lid_reader.is_learnt):
            return
        self._must_read_lid = False
        self._lid = None
        self._tokens.reset()
        if self.reading is not None:
            self.reading = replace(self.reading, lid=None)

    def _read_dice(self, image: Image, blocks: BlockMap, is_fixture: bool, at: float) -> list[DiceAndLidEvent]:
        """Read the dice; return the event, or nothing while more readings are needed."""
        changed: BlockMask = blocks.changed & ~blocks.lid & ~blocks.hands
        at_rest = self._dice.dice_at_rest
        is_known = self._table is not None and at_rest is not None
        if is_known and not changed.any():
            # A hand that goes on in this frame may hide dice; it may be the last frame in which anything moves.
            self._must_read_dice = bool((blocks.hands & blocks.moving).any())
            if not self._must_read_dice:
                self._dice.note_unchanged()
            return []
        started = perf_counter()
        region = find_search_region(changed, at_rest or (), image) if is_known else None
        found = self._dice_reader.read(image, region, self._lid)
        dice = tuple(die for die in found if self._may_be_die(die, image, changed))
        is_rolling = any(blocks.moving[locate_blocks(die.box, image, blocks.moving)].any() for die in dice)
        if is_rolling or (len(dice) < self._most_dice and blocks.hands.any()):
            # Beyond the known dice area: dice still roll there, or the hand hides some.
            self._dice.reset()
            self._must_read_dice = is_rolling or not is_fixture
            return []
        agreed = self._add_dice_reading(dice, image, at)
        if agreed is None:
            return []
        self._must_read_dice = False
        at_rest = self._dice.dice_at_rest or ()
        self.reading = replace(self.reading or Reading(), dice=at_rest, duration_ms=(perf_counter() - started) * 1000)
        if not agreed.is_unsure:
            self._area.learn(at_rest)
            self._most_dice = max(self._most_dice, len(dice))
        are_dice = self._area.box is not None or any(die.is_certain for die in dice) or len(dice) in self.THROW_COUNTS
        # As long as no die was certain, a single thing that resembles a die asks no question, and is no doubt either.
        self._dice_unsure = agreed.is_unsure and are_dice
        picked_up = [] if agreed.picked_up is None or not are_dice else [agreed.picked_up]
        if agreed.event is None or not are_dice:
            return [*picked_up]
        if not agreed.is_unsure or self._handheld:
            return [*picked_up, agreed.event]
        # In the order of the event's values: the dice lie where they were read, since nothing has moved.
        faces = encode_uncertain_faces(image, sorted(at_rest, key=lambda die: die.value))
        return [*picked_up, replace(agreed.event, uncertain_faces=faces)]

    def _add_dice_reading(self, dice: tuple[Die, ...], image: Image, at: float) -> AgreedReading | None:
        """Pass a reading of the dice in `image` to the agreement; None: more readings are needed.

        The dice's pictures tell which of them lie as they lay.
        """
        # Dice that vanish while the light changes may still be there: that takes more than two readings.
        has_vanished = bool(self._dice.dice_at_rest) and not dice and self._table is None
        to_agree = MAX_READINGS if has_vanished else _READINGS_TO_AGREE
        rest_seconds = at - self._dice_moved_at
        agreed = self._dice.add_reading(
            tuple(replace(die, picture=cut_face_picture(image, die)) for die in dice),
            at,
            agreeing_readings=_READINGS_TO_AGREE_HANDHELD if self._handheld else to_agree,
            handheld=self._handheld,
            unlimited=self._handheld and rest_seconds < _HANDHELD_WAIT_SECONDS,
            wait_for_tilted=rest_seconds < _TILTED_WAIT_SECONDS,
        )
        if self._dice.waits_for_tilted:
            self._dice_again_at = at + _TILTED_READ_GAP_SECONDS
        return agreed

    def _may_be_die(self, die: Die, image: Image, changed: BlockMask) -> bool:
        """Return whether a die as read can be one.

        A certain one can, unless it lies on the lid. An uncertain one must also lie where a die lay before, or near the
        dice area and where something changed.
        """
        if self._lid is not None and is_on_lid(die, self._lid):
            return False
        if die.is_certain or any(die.distance_to(other) <= 1 for other in self._dice.dice_at_rest or ()):
            return True
        if not (self._handheld or self._area.is_near(die)):
            return False
        return self._table is None or bool(changed[locate_blocks(die.box, image, changed)].any())

    def _judge_state(self, blocks: BlockMap, at: float) -> CameraState:
        """Return the state of the table."""
        if (blocks.hands & (blocks.dice_area | dilate_blocks(blocks.lid, 1))).any():
            return CameraState.HAND
        if (blocks.moving & blocks.dice_area).any():
            return CameraState.ROLLING
        if self._dice.waits_for_tilted:
            return CameraState.UNSURE
        # A table that has shown no lid is not searched for one at each rest, so nothing waits for that.
        is_lid_due = self._must_read_lid and (self._lid is not None or at >= self._lid_search.again_at)
        if self._must_read_dice or (is_lid_due and self.state is not CameraState.ROLLING):
            return self.state
        if self._dice_unsure:
            return CameraState.UNSURE
        return CameraState.STEADY if self._is_table_found else CameraState.SEARCHING

    @property
    def _is_table_found(self) -> bool:
        """Whether something that belongs to the game lies on the table."""
        return self._lid is not None or bool(self._dice.dice_at_rest)


def make_dice_and_lid_watcher() -> DiceAndLidWatcher:
    """Make the watcher with the packaged nets: dice by their pips, the lid by its tokens.

    >>> watcher = make_dice_and_lid_watcher()
    >>> empty_table = np.full((480, 640, 3), 120, np.uint8)
    >>> watcher.process_frame(empty_table, at=0.0)
    []

    Raises:
        DamagedDataFile: a packaged network is missing or damaged.
    """
    return DiceAndLidWatcher(DiceReader(), LidReader())
