"""Read single pictures: each by itself, or one after the other as one camera's view of a game."""

from dataclasses import replace
from time import perf_counter

from companion.vision.confidence_limits import MAX_DOUBTFUL_CONFIDENCE
from companion.vision.dice.reader import DiceReader
from companion.vision.lid.reader import LidReader
from companion.vision.reading import Die, Image, Lid, Reading
from companion.vision.table.lid_area import is_on_lid


def read_single_image(image: Image, dice_reader: DiceReader, lid_reader: LidReader) -> Reading:
    """Read dice and a fully covered lid in one picture by itself.

    >>> import numpy as np
    >>> empty_table = np.full((480, 640, 3), 120, np.uint8)
    >>> reading = read_single_image(empty_table, DiceReader(), LidReader())
    >>> reading.dice, reading.lid
    ((), None)

    Args:
        image: (H, W, 3) uint8 BGR; other formats are converted, see `image_io.normalise_frame`.
        dice_reader: reads the dice.
        lid_reader: finds the lid only if all of its windows are covered; it then has learnt this lid's layout in place
            of the one that it knew, which is not used here.

    Returns:
        Dice and lid in pixels of `image`, the duration in milliseconds; `lid` is None if it is not found.

    Raises:
        UnreadableImage: `image` is no array of numbers, has another shape, or is too small or narrow to show a table.
        DamagedDataFile: a packaged network that is loaded on first use is missing or damaged.
    """
    started = perf_counter()
    lid = lid_reader.calibrate(image)
    return _make_reading(_drop_dice_on_lid(dice_reader.read(image, lid=lid), lid), lid, started)


class ImageSequence:
    """Reads pictures of one table by one camera, in order; the first must show the lid fully covered and no hand.

    >>> import numpy as np
    >>> sequence = ImageSequence(DiceReader(), LidReader())
    >>> sequence.read_next(np.full((480, 640, 3), 120, np.uint8)).dice
    ()

    Until a picture shows all windows covered, no lid is found. Not thread-safe.

    Args:
        dice_reader: reads the dice.
        lid_reader: must know no layout (`LidReader.is_learnt`; not checked); it learns the lid.
        dice_count: number of dice in play. If another number, other than 0, is in sight, no die is certain; but
            uncertain ones are left out where that makes the number right.
    """

    def __init__(self, dice_reader: DiceReader, lid_reader: LidReader, dice_count: int = 2) -> None:
        self._dice_reader, self._lid_reader, self._dice_count = dice_reader, lid_reader, dice_count

    def read_next(self, image: Image) -> Reading:
        """Read the next picture.

        Args:
            image: (H, W, 3) uint8 BGR; other formats are converted, see `image_io.normalise_frame`.

        Returns:
            Dice and lid in pixels of `image`, the duration in milliseconds, and a note if the number of dice is wrong;
            `lid` is None if it is not found.

        Raises:
            UnreadableImage: `image` is no array of numbers, has another shape, or is too small or narrow to show a
                table.
            DamagedDataFile: a packaged network that is loaded on first use is missing or damaged.
        """
        started = perf_counter()
        lid = self._lid_reader.read(image)
        dice = _drop_dice_on_lid(self._dice_reader.read(image, lid=lid), lid)
        certain = tuple(die for die in dice if die.is_certain)
        if len(certain) == self._dice_count:
            dice = certain
        if len(dice) in (0, self._dice_count):
            return _make_reading(dice, lid, started)
        dice = tuple(replace(die, confidence=min(die.confidence, MAX_DOUBTFUL_CONFIDENCE)) for die in dice)
        return _make_reading(dice, lid, started, f"dice in sight: {len(dice)}, in play: {self._dice_count}")


def _make_reading(dice: tuple[Die, ...], lid: Lid | None, started: float, *notes: str) -> Reading:
    """Make a reading whose duration is the time since `started`, in seconds of `perf_counter`."""
    return Reading(dice, lid, (perf_counter() - started) * 1000, notes)


def _drop_dice_on_lid(dice: tuple[Die, ...], lid: Lid | None) -> tuple[Die, ...]:
    """Return the dice that do not lie on the lid."""
    return tuple(die for die in dice if lid is None or not is_on_lid(die, lid))
