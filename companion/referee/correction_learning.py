"""Learn faces of dice from corrections in play: what players correct teaches the camera the die that it misread.

Only what is certain is learned: which die in the picture a correction means. What is learned is stored with the number
of the correction's entry in the journal, so that an undo takes it back, also after a restart. A replay teaches nothing.
"""

from collections import Counter
from collections.abc import Callable, Sequence

from companion.api import Correction
from companion.config.taught_dice_store import TaughtDice
from companion.events import DiceRead
from companion.i18n import _, join_and
from companion.journal.entry import EntryKind, JournalEntry
from companion.journal.replay import PlayedStep
from companion.journal.saved_game import SavedGame

NamedFaces = tuple[tuple[int, bytes], ...]
"""Value, 1 to 6, and picture (PNG) of each face."""


class CorrectionLearner:
    """Follows the readings and changes of one game, and stores the faces of corrected dice.

    Args:
        taught: stores the faces.
        saved_game: the game in play; it is only read.
        may_learn: corrections teach; otherwise an undo still takes back what they taught before.
    """

    def __init__(self, taught: TaughtDice, saved_game: SavedGame, *, may_learn: bool) -> None:
        self._taught = taught
        self._saved_game = saved_game
        self._may_learn = may_learn
        self._reading: DiceRead | None = None
        """The dice that lie there now, about which the players say something; None: not known."""
        self._entries: tuple[int, ...] = ()
        """Numbers of the entries that said what `_reading` shows: the throw, and its corrections."""

    def note_reading(self, reading: DiceRead | None) -> None:
        """Note which dice the players are asked about from now on.

        Args:
            reading: the reading; None: what they say from now on may be about other dice.
        """
        self._reading, self._entries = reading, ()

    def follow_change(
        self, find_values: Callable[[PlayedStep], Sequence[int] | None], *, by_position: bool = False
    ) -> str | None:
        """Learn from the last entry of the game, or take back what an undone one taught.

        Call it after each change of the game, with nothing between the two.

        Args:
            find_values: finds the values of the dice that a step threw or corrected; None: it is about something else.
            by_position: the players chose each die in the camera's picture, so the order of the values counts.

        Returns:
            One translated line about what was learned, or why it could not be stored; None: nothing was learned.
        """
        entry, step = self._saved_game.replay.history[-1]
        reading, is_correction = self._reading, bool(self._entries)
        wanted = EntryKind.CORRECTION if is_correction else EntryKind.MOVE
        if entry.what.kind is EntryKind.UNDO:
            self.note_reading(None)
            return self._take_back()
        if reading is None or step is None:
            return None
        values = find_values(step) if entry.what.kind is wanted else None
        if values is None:
            self.note_reading(None)
            return None
        faces: NamedFaces = ()
        if is_correction:
            # It says better what the dice show than the entries before it.
            self._taught.forget_corrected(self._saved_game.id, lambda number: number in self._entries)
            faces = find_chosen_faces(reading, step) if by_position else ()
        faces = faces or find_corrected_faces(reading, values)
        self._entries += (entry.seq,)
        if not faces or not self._may_learn:
            return None
        dice = join_and([str(value) for value in sorted({value for value, _png in faces})])
        problem = self._taught.add_corrected(faces, self._saved_game.id, entry.seq)
        return problem or _("The camera has learned: {dice}", dice=dice)

    def _take_back(self) -> str | None:
        counting = list_counting_entries(self._saved_game.replay.history)
        return self._taught.forget_corrected(self._saved_game.id, lambda number: number not in counting)


def find_corrected_faces(reading: DiceRead, values: Sequence[int]) -> NamedFaces:
    """Find the uncertain faces whose value a correction tells with certainty.

    With the certain dice taken out of the values that the players entered, the same value must be left for each
    uncertain die. Otherwise it is not known which die shows which value.

    Args:
        reading: the dice as they were read.
        values: the values that the players entered, in any order.

    Returns:
        The faces of the uncertain dice with their value; empty if that is not known, or if nothing was corrected.
    """
    dice = _list_thrown(reading, len(values))
    if not dice or sorted(values) == sorted(value for value, _png in dice):
        return ()
    left = Counter(values)
    left.subtract(value for value, png in dice if not png)
    if min(left.values()) < 0 or len(+left) != 1:
        return ()
    (value,) = +left
    return tuple((value, png) for _value, png in dice if png)


def find_chosen_faces(reading: DiceRead, step: PlayedStep) -> NamedFaces:
    """Find the uncertain faces that players chose in the camera's picture and corrected.

    Args:
        reading: the dice as they were read, and played.
        step: the correction; its values are in the order of those that it corrects.

    Returns:
        The chosen faces with their corrected value; empty if one of them is certain, or another die was read as the
        same value, so that it is not known which one was meant.
    """
    assert isinstance(step.played, Correction)
    before = next((c.current_value for c in step.before.list_correctables() if c.kind == step.played.kind), ())
    dice = _list_thrown(reading, len(before))
    if not dice or sorted(before) != sorted(reading.values):
        return ()  # with other dice beside them the picture's marks would be elsewhere
    faces = []
    for was, value in zip(before, step.played.value, strict=True):
        if was != value:
            pngs = [png for read, png in dice if read == was]
            if len(pngs) != 1 or not pngs[0]:
                return ()
            faces.append((value, pngs[0]))
    return tuple(faces)


def _list_thrown(reading: DiceRead, count: int) -> NamedFaces:
    """List read value and picture of the `count` dice that a throw is about: all, or those that did not lie there.

    Empty if these are not as many, if there are no pictures, or if it is in doubt which dice were thrown.
    """
    if not reading.uncertain_faces or any(reading.doubtful):
        return ()
    dice = tuple(zip(reading.values, reading.uncertain_faces, strict=True))
    if len(dice) != count and reading.lying:
        dice = tuple(die for die, lay in zip(dice, reading.lying, strict=True) if not lay)
    return dice if len(dice) == count else ()


def list_counting_entries(history: Sequence[tuple[JournalEntry, PlayedStep | None]]) -> set[int]:
    """Return the numbers of the entries whose move or correction counts: undone ones do not.

    Args:
        history: all entries of a game, see `Replay.history`.
    """
    counting: list[int] = []
    undone: list[int] = []
    for entry, step in history:
        if entry.what.kind is EntryKind.UNDO:
            undone.append(counting.pop())
        elif entry.what.kind is EntryKind.REDO:
            counting.append(undone.pop())
        elif step is not None:
            counting.append(entry.seq)
            undone.clear()
    return set(counting)
