"""A game in the journal: played, corrected, undone and redone, each step on disk before its effect is seen."""

from dataclasses import replace

from companion.api import (
    AnyGameDefinition,
    BadCorrection,
    Correction,
    Game,
    IllegalMove,
    Move,
)
from companion.events import Button
from companion.journal.database import Journal
from companion.journal.entry import EntryContent, EntryKind, GameSetup, NothingToUndo, SeatChange, StoredMove
from companion.journal.replay import Replay, find_version, start_game
from companion.journal.seating import Seating


class SavedGame:
    """A game in the journal: an entry is written before `game` changes, and `game` is the replay of all entries.

    Every method that writes raises `JournalUnwritable` if the entry could not be written; then `game` has not changed.

    Attributes:
        journal: the journal that the game is in.
        id: its number there, from 1.
        record: its unique id, and when it began.
        definition: what kind of game it is.
        setup: players, their buttons, first seat and house rules, at the start.
        replay: its entries and steps; `game` is its result. Only to be read.
        problem: why not all of it could be replayed when it was loaded, in English; None: all was. Then `game` stands
            before the first entry that failed; that entry and those after it become void when a new one is written
            (see also `replay_behind_gap`).
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
        self.journal, self.id = journal, id
        self.record = journal.get_game(id)
        self.setup = GameSetup.from_json(self.record.setup_json)
        self.definition = find_version(definition, self.setup)
        self._load()

    def _load(self) -> None:
        replay = Replay.from_entries(self.definition, self.setup, self.journal.read_entries(self.id))
        self.replay = replay.with_names(self.journal.player_names.resolve)
        """The replay whose result is `game`. Only to be read: a step counts once it is in the journal."""
        self.problem = self.replay.problem

    @classmethod
    def begin(cls, journal: Journal, setup: GameSetup, definition: AnyGameDefinition) -> "SavedGame":
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
        start_game(find_version(definition, setup), setup)
        return cls(journal, journal.begin_game(setup), definition)

    @property
    def game(self) -> Game:
        """The game as it stands now."""
        return self.replay.game

    @property
    def seating(self) -> Seating:
        """Who sits where now."""
        return self.replay.seating

    @property
    def players(self) -> tuple[str, ...]:
        """Names of the players now, by seat."""
        return self.seating.players

    @property
    def buttons(self) -> tuple[Button, ...]:
        """Buttons of the players now, by seat."""
        return self.seating.buttons

    @property
    def last_seq(self) -> int:
        """Number of the last entry; 0: none."""
        return self.replay.last_seq

    @property
    def can_undo(self) -> bool:
        """Whether a move, correction or change of seats can be undone."""
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
        """The last move or correction that counts; None: there is none, or seats were changed after it."""
        played = self.replay.steps[-1].played if self.can_undo else None
        return None if isinstance(played, SeatChange) else played

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
        self._append(_make_content(move))

    def correct(self, correction: Correction) -> None:
        """Change the game to what the table shows; what could be redone is forgotten.

        Args:
            correction: a new value for an entry of `game.list_correctables()`.

        Raises:
            BadCorrection: it is not possible; nothing was written.
            ValueError: it cannot be stored, see `StoredMove`; nothing was written.
            JournalUnwritable: the correction was not written, and `game` is as before.
        """
        self._append(_make_content(correction))

    def change_seat(self, change: SeatChange) -> None:
        """Let somebody join, or change a name or places; what could be redone is forgotten.

        Raises:
            BadCorrection: it is not possible; nothing was written.
            JournalUnwritable: the change was not written, and `game` is as before.
        """
        if change.name not in self.players[change.seat : change.seat + 1]:  # who only moves keeps the name
            name = self.journal.player_names.resolve(change.name)
            change = change.model_copy(update={"name": name})
        self._append(_make_content(change))

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

    def redo_as(self, move: Move) -> str:
        """Play a move in place of what was undone last. What followed it can still be redone, as far as possible.

        The first step that is not possible any more is dropped, and so are all after it; nothing on the screen says so.

        Returns:
            A description of the move, in one translated line.

        Raises:
            IllegalMove: the rules forbid it; nothing was written.
            NothingToUndo: nothing was undone, or something was played since.
            JournalUnwritable: nothing was written, and `game` is as before.
        """
        if not self.can_redo:
            raise NothingToUndo("nothing was undone that could be played again")
        later = [step.played for step in reversed(self.replay.undone_steps[:-1])]
        trial, contents = replace(self.replay, steps=[*self.replay.steps]), list[EntryContent]()
        for played in (move, *later):  # a new entry drops what could be redone, so these are played and undone again
            try:
                step = trial.preview(content := _make_content(played))
            except (IllegalMove, BadCorrection):
                if not contents:
                    raise
                break  # a longer turn may have ended the game
            assert step is not None, "it is played"
            trial.steps.append(step)
            contents.append(content)
        contents += [EntryContent(kind=EntryKind.UNDO)] * (len(contents) - 1)
        self._truncate_failed_entries()
        # All or none: a power cut in between would leave played what was undone.
        for entry in self.journal.append_entries(self.id, contents):
            self.replay.accept(entry, self.replay.preview(entry.what))
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

    def replay_behind_gap(self) -> None:
        """Note that people want what came after entries that the disk has lost, and replay it as far as possible.

        Raises:
            JournalUnwritable: nothing was written, or the journal cannot be read.
            Exception: any other error of the game's own code is passed on.
        """
        self.journal.append_entry(self.id, EntryContent(kind=EntryKind.GAP_ACCEPTED))
        self._load()

    def _append(self, content: EntryContent) -> None:
        step = self.replay.preview(content)
        if self.replay.gap is not None and content.kind is EntryKind.SET_ASIDE:
            self.journal.append_entry(self.id, content)  # what came after the gap waits for people's answer
            return
        self._truncate_failed_entries()
        self.replay.accept(self.journal.append_entry(self.id, content), step)

    def _truncate_failed_entries(self) -> None:
        if self.replay.problem is not None:
            # Otherwise new entries would come after the one at which every replay stops.
            self.journal.append_entry(self.id, EntryContent(kind=EntryKind.TRUNCATED, after=self.replay.last_seq))
            self.replay.problem = self.replay.gap = None


def _make_content(played: Move | Correction | SeatChange) -> EntryContent:
    if isinstance(played, SeatChange):
        return EntryContent(kind=EntryKind.SEATED, seated=played)
    kind = EntryKind.MOVE if isinstance(played, Move) else EntryKind.CORRECTION
    return EntryContent(kind=kind, played=StoredMove.from_played(played))
