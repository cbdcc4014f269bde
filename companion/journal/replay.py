"""A saved game: its state is always the replay of the entries in the journal."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from pydantic import ValidationError

from companion.api import (
    AnyGameDefinition,
    BadCorrection,
    Correction,
    Game,
    IllegalMove,
    Move,
    Seat,
    format_player_counts,
)
from companion.journal.database import Journal
from companion.journal.entry import EntryContent, EntryKind, GameSetup, JournalEntry, StoredMove
from companion.journal.errors import InvalidSavedGame, NothingToUndo, describe_validation_error


@dataclass(frozen=True, slots=True)
class PlayedStep:
    """A move or correction that was played, and the game before and after it."""

    played: Move | Correction
    before: Game
    after: Game


@dataclass
class Replay:
    """A game that is built up entry by entry.

    Old entries are replayed and new ones are played by the same two calls: `preview` returns what an entry would do or
    raises an error; `accept` does it. Between the two a new entry is written to the journal.
    """

    definition: AnyGameDefinition
    """The game that `setup` names."""
    setup: GameSetup
    start: Game
    """The game before its first move."""
    steps: list[PlayedStep] = field(default_factory=list)
    """Moves and corrections that count, in order."""
    undone_steps: list[PlayedStep] = field(default_factory=list)
    """Steps that can be redone, the next one last."""
    history: list[tuple[JournalEntry, PlayedStep | None]] = field(default_factory=list)
    """All entries so far, in order, each with the step that it played, undid or redid; None: it did none of these."""
    problem: str | None = None
    """Why the entries could be replayed only in part, in English; None: all were."""

    @classmethod
    def from_entries(cls, definition: AnyGameDefinition, setup: GameSetup, entries: Iterable[JournalEntry]) -> Replay:
        """Replay `entries` up to the first that cannot be replayed; `problem` then says which one and why.

        Args:
            definition: the game that `setup` names.
            setup: players, first seat and house rules.
            entries: all entries of the game, in order; those that a later truncation made void are skipped.

        Raises:
            InvalidSavedGame: the setup is not valid for the game, or names another one.
            Exception: any other error of the game's own code is passed on.
        """
        replay = cls(definition, setup, _start_game(definition, setup))
        for entry in _drop_truncated(entries):
            try:
                step = replay.preview(entry.what)
            except (IllegalMove, BadCorrection, NothingToUndo) as error:
                replay.problem = (
                    f"Entry {entry.seq} of this game cannot be replayed ({error}). "
                    f"The game is as it was before it; what came after is still in the journal."
                )
                break
            replay.accept(entry, step)
        return replay

    @property
    def last_seq(self) -> int:
        """Number of the last accepted entry; 0: none."""
        return self.history[-1][0].seq if self.history else 0

    @property
    def game(self) -> Game:
        """The game after the last step that counts."""
        return self.steps[-1].after if self.steps else self.start

    def preview(self, content: EntryContent) -> PlayedStep | None:
        """Return the step that an entry with this content would play, undo or redo. Nothing is changed.

        Returns:
            The step; None: the entry does not change the game (set aside, resumed, truncated).

        Raises:
            IllegalMove: the rules forbid the move.
            BadCorrection: the correction is not possible.
            NothingToUndo: there is nothing to undo or to redo.
            Exception: any other error of the game's own code is passed on.
        """
        game = self.game
        match content:
            case EntryContent(kind=EntryKind.MOVE, played=StoredMove() as played):
                return PlayedStep(move := played.to_move(), game, game.play(move))
            case EntryContent(kind=EntryKind.CORRECTION, played=StoredMove() as played):
                return PlayedStep(correction := played.to_correction(), game, game.correct(correction))
            case EntryContent(kind=EntryKind.UNDO):
                if not self.steps:
                    raise NothingToUndo("nothing has been played yet that could be undone")
                return self.steps[-1]
            case EntryContent(kind=EntryKind.REDO):
                if not self.undone_steps:
                    raise NothingToUndo("nothing was undone that could be played again")
                return self.undone_steps[-1]
        return None

    def accept(self, entry: JournalEntry, step: PlayedStep | None) -> None:
        """Add an entry and take its step: play, undo or redo it.

        Args:
            entry: the entry, as it was written to the journal.
            step: returned by `preview` for the entry's content, with no other `accept` in between.

        Raises:
            IndexError: an undo or redo for which `preview` would have raised NothingToUndo.
        """
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
        """Return a step of this game as one line for people, translated into the current language.

        Raises:
            Exception: an error of the game's own code is passed on.
        """
        return self.definition.describe(step.before, step.played, step.after, self.setup.players)


class SavedGame:
    """A game in the journal: an entry is written before `game` changes, and `game` is the replay of all entries.

    Every method that writes raises `JournalUnwritable` if the entry could not be written; then `game` has not changed.

    Attributes:
        journal: the journal that the game is in.
        id: its number there, from 1.
        definition: what kind of game it is.
        setup: players, their buttons, first seat and house rules.
        replay: its entries and steps; `game` is its result. Only to be read.
        problem: why not all of it could be replayed when it was loaded, in English; None: all was. Then `game` stands
            before the first entry that failed; that entry and those after it become void when a new one is written.
    """

    def __init__(self, journal: Journal, id: int, definition: AnyGameDefinition) -> None:
        """Load a game from the journal and replay it, as far as it can be replayed (see `problem`).

        Args:
            journal: opened for writing, if the game is to be continued.
            id: number of the game in the journal, from 1.
            definition: the game that its setup names.

        Raises:
            InvalidSavedGame: there is no such number, it is another game's, its setup is not valid, or this version
                does not know one of its entries.
            JournalUnwritable: the journal cannot be read.
            Exception: any other error of the game's own code is passed on.
        """
        self.journal, self.id, self.definition = journal, id, definition
        self.setup = GameSetup.from_json(journal.get_game(id).setup_json)
        self.replay = Replay.from_entries(definition, self.setup, journal.read_entries(id))
        """The replay whose result is `game`. Only to be read: a step counts once it is in the journal."""
        self.problem = self.replay.problem

    @classmethod
    def begin(cls, journal: Journal, setup: GameSetup, definition: AnyGameDefinition) -> SavedGame:
        """Begin a new game and add it to the journal.

        Args:
            journal: opened for writing.
            setup: players, their buttons, first seat and house rules.
            definition: the game that `setup` names.

        Raises:
            InvalidSavedGame: the setup is not valid for the game; nothing was written.
            JournalUnwritable: the journal cannot be written or read.
            Exception: any other error of the game's own code is passed on.
        """
        _start_game(definition, setup)
        return cls(journal, journal.begin_game(setup), definition)

    @property
    def game(self) -> Game:
        """The game as it stands now."""
        return self.replay.game

    @property
    def last_seq(self) -> int:
        """Number of the last entry; 0: none."""
        return self.replay.last_seq

    @property
    def can_undo(self) -> bool:
        """Whether a move or correction can be undone."""
        return bool(self.replay.steps)

    @property
    def can_redo(self) -> bool:
        """Whether something that was undone can be played again."""
        return bool(self.replay.undone_steps)

    @property
    def last_move_text(self) -> str | None:
        """The last move or correction that counts, in one translated line; None: there is none, or all are undone."""
        return self.replay.describe(self.replay.steps[-1]) if self.can_undo else None

    @property
    def last_played(self) -> Move | Correction | None:
        """The last move or correction that counts; None: there is none, or all are undone."""
        return self.replay.steps[-1].played if self.can_undo else None

    def describe_steps(self) -> tuple[str, ...]:
        """Return all moves and corrections that count (undone ones do not), oldest first, each as a translated line."""
        return tuple(self.replay.describe(step) for step in self.replay.steps)

    def play_move(self, move: Move) -> None:
        """Write `move` to the journal and play it; what could be redone is forgotten.

        Args:
            move: a legal move with its value filled in, not an open one (with a `value_range`).

        Raises:
            IllegalMove: the rules forbid it; nothing was written.
            ValueError: the move is open: its value is not filled in; or it cannot be stored, see `StoredMove`.
            JournalUnwritable: the move was not written, and `game` is as before.
        """
        self._append(EntryContent(kind=EntryKind.MOVE, played=StoredMove.from_played(move)))

    def correct(self, correction: Correction) -> None:
        """Change the game to what the table shows; what could be redone is forgotten.

        Args:
            correction: a new value for an entry of `game.list_correctables()`.

        Raises:
            BadCorrection: it is not possible; nothing was written.
            ValueError: it cannot be stored, see `StoredMove`; nothing was written.
            JournalUnwritable: the correction was not written, and `game` is as before.
        """
        self._append(EntryContent(kind=EntryKind.CORRECTION, played=StoredMove.from_played(correction)))

    def undo(self) -> str:
        """Undo the last move or correction that counts. Further calls undo earlier ones, back to the start of the game.

        It is possible also after the game's end and after a restart of the program.

        Returns:
            A description of the undone move or correction, in one translated line.

        Raises:
            NothingToUndo: no move or correction counts.
            JournalUnwritable: nothing was written, and `game` is as before.
        """
        self._append(EntryContent(kind=EntryKind.UNDO))
        return self.replay.describe(self.replay.undone_steps[-1])

    def redo(self) -> str:
        """Play again what was undone last, if nothing was played since. Further calls play what was undone before it.

        Returns:
            A description of the move or correction that was played again, in one translated line.

        Raises:
            NothingToUndo: nothing was undone, or something was played since.
            JournalUnwritable: nothing was written, and `game` is as before.
        """
        self._append(EntryContent(kind=EntryKind.REDO))
        return self.replay.describe(self.replay.steps[-1])

    def set_aside(self) -> None:
        """Note in the journal that the game is not to be resumed at the next start; it can be continued from the lobby.

        Raises:
            JournalUnwritable: nothing was written.
        """
        self._append(EntryContent(kind=EntryKind.SET_ASIDE))

    def note_resumed(self) -> None:
        """Note in the journal that the program was started again and the game continues.

        Raises:
            JournalUnwritable: nothing was written.
        """
        self._append(EntryContent(kind=EntryKind.RESUMED))

    def _append(self, content: EntryContent) -> None:
        step = self.replay.preview(content)
        if self.replay.problem is not None:
            # Otherwise this entry would come after the one at which every replay stops.
            self.journal.append_entry(self.id, EntryContent(kind=EntryKind.TRUNCATED, after=self.replay.last_seq))
            self.replay.problem = None
        self.replay.accept(self.journal.append_entry(self.id, content), step)


def _start_game(definition: AnyGameDefinition, setup: GameSetup) -> Game:
    if setup.game != definition.name:
        raise InvalidSavedGame(f"this is a game of {setup.game}, not of {definition.name}")
    if len(setup.players) not in definition.player_counts:
        allowed = format_player_counts(definition.player_counts)
        raise InvalidSavedGame(f"{definition.title} is for {allowed}, not {len(setup.players)}")
    try:
        settings = definition.settings_model.model_validate(setup.settings)
    except ValidationError as error:
        raise InvalidSavedGame(f"the house rules are not valid: {describe_validation_error(error)}") from error
    try:
        game: Game = definition.create_game(len(setup.players), Seat(setup.first), settings)
    except ValueError as error:  # house rules may allow fewer players than the game
        raise InvalidSavedGame(str(error)) from error
    return game


def _drop_truncated(entries: Iterable[JournalEntry]) -> list[JournalEntry]:
    """Return the entries, whose numbers rise, without those that a later truncation made void."""
    valid: list[JournalEntry] = []
    for entry in entries:
        if (after := entry.what.after) is not None:
            while valid and valid[-1].seq > after:
                valid.pop()
        valid.append(entry)
    return valid
