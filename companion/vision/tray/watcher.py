"""Watch a tray with any number of dice and no lid: takes frames, emits which dice were thrown and which were taken."""

from companion.vision.frames.blocks import BlockMask, locate_blocks
from companion.vision.reading import Die, Image
from companion.vision.table.lid_area import BlockMap
from companion.vision.table.no_lid_reader import NoLidReader
from companion.vision.table.watcher import DiceAndLidWatcher
from companion.vision.tray.agreement import TrayAgreement
from companion.vision.tray.reader import TrayDiceReader

MAX_DICE = 40
"""Most dice that a tray is made for; more are read too, but less certainly."""


class DiceTrayWatcher(DiceAndLidWatcher):
    """Follows a tray with any number of dice from frame to frame, and emits `DiceRead`. Not thread-safe.

    >>> import numpy as np
    >>> watcher = DiceTrayWatcher(TrayDiceReader())
    >>> events = [watcher.process_frame(np.full((480, 640, 3), 120, np.uint8), at=n / 15) for n in range(30)]
    >>> watcher.state, watcher.reading.dice
    (<CameraState.STEADY: 'steady'>, ())

    The tray is read when it is at rest and no hand is over it. The first view at rest makes no event.

    Args:
        dice_reader: reads the dice.
    """

    THROW_COUNTS = range(1, MAX_DICE + 1)

    def __init__(self, dice_reader: TrayDiceReader) -> None:
        super().__init__(dice_reader, NoLidReader())

    def _make_agreement(self, dice: tuple[Die, ...] | None = None) -> TrayAgreement:
        """See `DiceAndLidWatcher`."""
        return TrayAgreement(dice)

    def _note_missing_dice(self, image: Image, blocks: BlockMap) -> None:
        """See `DiceAndLidWatcher`."""
        hands, agreement = blocks.hands, self._dice
        assert isinstance(agreement, TrayAgreement)
        if not self._handheld:
            agreement.note_missing_dice(image, lambda die: bool(hands[locate_blocks(die.box, image, hands)].any()))

    def _may_be_die(self, die: Die, image: Image, changed: BlockMask) -> bool:
        """Return whether a die as read can be one.

        A certain one can. An uncertain one must lie where a die lay before, or where something changed: far from
        other dice too, since a large throw reaches farther than those before.
        """
        if die.is_certain or any(die.distance_to(other) <= 1 for other in self._dice.dice_at_rest or ()):
            return True
        return self._table is None or bool(changed[locate_blocks(die.box, image, changed)].any())

    @property
    def _is_table_found(self) -> bool:
        """Whether the table was looked at: an empty tray is ready for a throw."""
        return self._dice.dice_at_rest is not None


def make_dice_tray_watcher() -> DiceTrayWatcher:
    """Make the watcher with the packaged nets.

    >>> watcher = make_dice_tray_watcher()
    >>> print(watcher.reading)
    None

    Raises:
        DamagedDataFile: a packaged network is missing or damaged.
    """
    return DiceTrayWatcher(TrayDiceReader())
