"""A sitting: one game as it is being played. What is on screen is always the replay of its entries."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from pydantic import ValidationError

from companion.games.api.game import BadCorrection, Correction, Game, IllegalMove, Move, Seat
from companion.games.api.offers import GameDefinition
from companion.journal.database import Journal
from companion.journal.entry import EntryContent, EntryKind, GameSetup, JournalEntry, StoredMove
from companion.journal.errors import InvalidSavedGame, NothingToUndo, describe_validation_error


@dataclass(frozen=True, slots=True)
class PlayedStep:
    """Something that was played, and the game before and after it."""

    played: Move | Correction
    before: Game
    after: Game


@dataclass
class Replay:
    """A game built up entry by entry.

    The same two calls make a replay of old entries and the play of new ones: `preview` says what an entry would do,
    or why it cannot be; `accept` does it.
    """

    definition: GameDefinition
    setup: GameSetup
    start: Game
    steps: list[PlayedStep] = field(default_factory=list)
    """What counts, in order."""
    undone_steps: list[PlayedStep] = field(default_factory=list)
    """What can be played again, the next one last."""
    history: list[tuple[JournalEntry, PlayedStep | None]] = field(default_factory=list)
    """All entries so far in order; with an undo or redo, the step that was taken back or played again."""
    problem: str | None = None
    """Why the entries could be replayed only so far; None: all were."""

    @classmethod
    def from_entries(cls, definition: GameDefinition, setup: GameSetup, entries: Iterable[JournalEntry]) -> Replay:
        """Replay `entries` as far as it goes.

        Raises:
            BadSitting: the game cannot even begin, its setup does not fit.
        """
        replay = cls(definition, setup, _start_game(definition, setup))
        for entry in _drop_truncated(entries):
            try:
                step = replay.preview(entry.what)
            except (IllegalMove, BadCorrection, NothingToUndo) as error:
                replay.problem = (
                    f"Entry {entry.seq} of this sitting cannot be replayed ({error}). "
                    f"The game stands as it was before; what came after is still in the journal."
                )
                break
            replay.accept(entry, step)
        return replay

    @property
    def last_seq(self) -> int:
        """Number of the last entry that was taken in; 0: none was."""
        return self.history[-1][0].seq if self.history else 0

    @property
    def game(self) -> Game:
        """As it stands after the last step that counts."""
        return self.steps[-1].after if self.steps else self.start

    def preview(self, content: EntryContent) -> PlayedStep | None:
        """What the entry would play, take back or play again; None if it does not touch the game.

        Raises:
            IllegalMove: the rules forbid the move.
            BadCorrection: no table could show that.
            NothingToUndo: there is nothing to take back, or to play again.
        """
        game = self.game
        match content:
            case EntryContent(kind=EntryKind.MOVE, played=StoredMove() as played):
                return PlayedStep(move := played.to_move(), game, game.play(move))
            case EntryContent(kind=EntryKind.CORRECTION, played=StoredMove() as played):
                return PlayedStep(correction := played.to_correction(), game, game.correct(correction))
            case EntryContent(kind=EntryKind.UNDO):
                if not self.steps:
                    raise NothingToUndo("nothing has been played yet that could be taken back")
                return self.steps[-1]
            case EntryContent(kind=EntryKind.REDO):
                if not self.undone_steps:
                    raise NothingToUndo("nothing was taken back that could be played again")
                return self.undone_steps[-1]
        return None

    def accept(self, entry: JournalEntry, step: PlayedStep | None) -> None:
        """Take in an entry and what `preview` said of it."""
        match entry.what.kind:
            case EntryKind.UNDO:
                self.undone_steps.append(self.steps.pop())
            case EntryKind.REDO:
                self.steps.append(self.undone_steps.pop())
            case _ if step is not None:
                self.steps.append(step)
                self.undone_steps.clear()
        self.history.append((entry, step))

    def describe(self, step: PlayedStep) -> str:
        """The step in one line."""
        return self.definition.describe(step.before, step.played, step.after, self.setup.players)


@dataclass(frozen=True, slots=True)
class UndoResult:
    """What was taken back, or played again, and that in words."""

    played: Move | Correction
    text: str


class SavedGame:
    """A sitting in the journal: entries are committed before `game` changes, and `game` is their replay.

    Each method that plays raises `JournalUnwritable` if the entry could not be written; then nothing has changed.
    """

    def __init__(self, journal: Journal, id: int, definition: GameDefinition) -> None:
        """Take up sitting `id` where it was left; `trouble` says so if not all of it could be replayed.

        Raises:
            BadSitting: there is no such sitting, it is of another game, or its setup does not fit.
        """
        self.journal, self.id, self.definition = journal, id, definition
        self.setup = GameSetup.from_json(journal.get_game(id).setup_json)
        self._replay = Replay.from_entries(definition, self.setup, journal.read_entries(id))
        self.problem = self._replay.problem

    @classmethod
    def begin(cls, journal: Journal, setup: GameSetup, definition: GameDefinition) -> SavedGame:
        """Begin a new sitting.

        Raises:
            BadSitting: the setup does not fit the game; nothing was written.
            JournalUnwritable: nothing was written.
        """
        _start_game(definition, setup)
        return cls(journal, journal.begin_game(setup), definition)

    @property
    def game(self) -> Game:
        """As it stands now."""
        return self._replay.game

    @property
    def replay(self) -> Replay:
        """What `game` was built up from. To be read, not played."""
        return self._replay

    @property
    def last_seq(self) -> int:
        """Number of the last entry that `game` is the replay of; 0: none."""
        return self._replay.last_seq

    @property
    def can_undo(self) -> bool:
        return bool(self._replay.steps)

    @property
    def can_redo(self) -> bool:
        return bool(self._replay.undone_steps)

    @property
    def next_undo_text(self) -> str | None:
        """What undo would take back; None: nothing."""
        return self._replay.describe(self._replay.steps[-1]) if self.can_undo else None

    @property
    def next_redo_text(self) -> str | None:
        """What redo would play again; None: nothing."""
        return self._replay.describe(self._replay.undone_steps[-1]) if self.can_redo else None

    @property
    def last_move_text(self) -> str | None:
        """What was played last and counts; None at the start."""
        return self.next_undo_text

    @property
    def last_played(self) -> Move | Correction | None:
        """What was played last and counts; None at the start."""
        return self._replay.steps[-1].played if self.can_undo else None

    def lines(self) -> tuple[str, ...]:
        """All that was played and counts, in words."""
        return tuple(self._replay.describe(step) for step in self._replay.steps)

    def play_move(self, move: Move) -> None:
        """Play `move`.

        Raises:
            IllegalMove: nothing was written.
            ValueError: the move is open, its value was not supplied.
        """
        self._append(EntryContent(kind=EntryKind.MOVE, played=StoredMove.from_played(move)))

    def correct(self, correction: Correction) -> None:
        """Make the game what the table shows.

        Raises:
            BadCorrection: nothing was written.
        """
        self._append(EntryContent(kind=EntryKind.CORRECTION, played=StoredMove.from_played(correction)))

    def undo(self) -> UndoResult:
        """Take back the last move or correction that counts, of any depth, also after the end and after a restart.

        Raises:
            NothingToUndo: nothing has been played.
        """
        self._append(EntryContent(kind=EntryKind.UNDO))
        return self._to_result(self._replay.undone_steps[-1])

    def redo(self) -> UndoResult:
        """Play again what was taken back last, if nothing was played since.

        Raises:
            NothingToUndo: nothing was taken back.
        """
        self._append(EntryContent(kind=EntryKind.REDO))
        return self._to_result(self._replay.steps[-1])

    def set_aside(self) -> None:
        """Note that this sitting will not go on of itself."""
        self._append(EntryContent(kind=EntryKind.SET_ASIDE))

    def note_resumed(self) -> None:
        """Note that the program was started again and the sitting goes on."""
        self._append(EntryContent(kind=EntryKind.RESUMED))

    def _append(self, what: EntryContent) -> None:
        step = self._replay.preview(what)
        if self._replay.problem is not None:
            # Else this entry would stand behind the one that ends every replay.
            self.journal.append_entry(self.id, EntryContent(kind=EntryKind.TRUNCATED, after=self._replay.last_seq))
            self._replay.problem = None
        self._replay.accept(self.journal.append_entry(self.id, what), step)

    def _to_result(self, step: PlayedStep) -> UndoResult:
        return UndoResult(step.played, self._replay.describe(step))


def _start_game(definition: GameDefinition, setup: GameSetup) -> Game:
    if setup.game != definition.name:
        raise InvalidSavedGame(f"this is a sitting of {setup.game}, not of {definition.name}")
    if len(setup.players) not in definition.player_counts:
        few, many = definition.player_counts[0], definition.player_counts[-1]
        raise InvalidSavedGame(f"{definition.title} is for {few} to {many} players, not {len(setup.players)}")
    try:
        settings = definition.settings_model.model_validate(setup.settings)
    except ValidationError as error:
        raise InvalidSavedGame(f"the settings do not fit: {describe_validation_error(error)}") from error
    try:
        return definition.create_game(len(setup.players), Seat(setup.first), settings)
    except ValueError as error:  # house rules may be for fewer players than the box
        raise InvalidSavedGame(str(error)) from error


def _drop_truncated(entries: Iterable[JournalEntry]) -> list[JournalEntry]:
    """The entries without those that a later cut made void."""
    counting: list[JournalEntry] = []
    for entry in entries:
        if entry.what.after is not None:
            after = entry.what.after
            counting = [earlier for earlier in counting if earlier.seq <= after]
        counting.append(entry)
    return counting
