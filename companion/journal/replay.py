"""A sitting: one game as it is being played. What is on screen is always the replay of its entries."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from pydantic import ValidationError

from companion.games.api.game import BadCorrection, Correction, Game, IllegalMove, Move, Seat
from companion.games.api.offers import Kit
from companion.journal.database import Journal
from companion.journal.entry import Entry, Kind, Played, Setup, What
from companion.journal.errors import BadSitting, NothingToUndo, in_words


@dataclass(frozen=True, slots=True)
class Step:
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

    kit: Kit
    setup: Setup
    start: Game
    steps: list[Step] = field(default_factory=list)
    """What counts, in order."""
    undone: list[Step] = field(default_factory=list)
    """What can be played again, the next one last."""
    happened: list[tuple[Entry, Step | None]] = field(default_factory=list)
    """All entries so far in order; with an undo or redo, the step that was taken back or played again."""
    trouble: str | None = None
    """Why the entries could be replayed only so far; None: all were."""

    @classmethod
    def of(cls, kit: Kit, setup: Setup, entries: Iterable[Entry]) -> Replay:
        """Replay `entries` as far as it goes.

        Raises:
            BadSitting: the game cannot even begin, its setup does not fit.
        """
        replay = cls(kit, setup, _new_game(kit, setup))
        for entry in _counting(entries):
            try:
                step = replay.preview(entry.what)
            except (IllegalMove, BadCorrection, NothingToUndo) as error:
                replay.trouble = (
                    f"Entry {entry.seq} of this sitting cannot be replayed ({error}). "
                    f"The game stands as it was before; what came after is still in the journal."
                )
                break
            replay.accept(entry, step)
        return replay

    @property
    def seq(self) -> int:
        """Number of the last entry that was taken in; 0: none was."""
        return self.happened[-1][0].seq if self.happened else 0

    @property
    def game(self) -> Game:
        """As it stands after the last step that counts."""
        return self.steps[-1].after if self.steps else self.start

    def preview(self, what: What) -> Step | None:
        """What the entry would play, take back or play again; None if it does not touch the game.

        Raises:
            IllegalMove: the rules forbid the move.
            BadCorrection: no table could show that.
            NothingToUndo: there is nothing to take back, or to play again.
        """
        game = self.game
        match what:
            case What(kind=Kind.MOVE, played=Played() as played):
                return Step(move := played.move(), game, game.play(move))
            case What(kind=Kind.CORRECTION, played=Played() as played):
                return Step(correction := played.correction(), game, game.correct(correction))
            case What(kind=Kind.UNDO):
                if not self.steps:
                    raise NothingToUndo("nothing has been played yet that could be taken back")
                return self.steps[-1]
            case What(kind=Kind.REDO):
                if not self.undone:
                    raise NothingToUndo("nothing was taken back that could be played again")
                return self.undone[-1]
        return None

    def accept(self, entry: Entry, step: Step | None) -> None:
        """Take in an entry and what `preview` said of it."""
        match entry.what.kind:
            case Kind.UNDO:
                self.undone.append(self.steps.pop())
            case Kind.REDO:
                self.steps.append(self.undone.pop())
            case _ if step is not None:
                self.steps.append(step)
                self.undone.clear()
        self.happened.append((entry, step))

    def words(self, step: Step) -> str:
        """The step in one line."""
        return self.kit.tell(step.before, step.played, step.after, self.setup.players)


@dataclass(frozen=True, slots=True)
class Undone:
    """What was taken back, or played again, and that in words."""

    played: Move | Correction
    words: str


class Sitting:
    """A sitting in the journal: entries are committed before `game` changes, and `game` is their replay.

    Each method that plays raises `JournalUnwritable` if the entry could not be written; then nothing has changed.
    """

    def __init__(self, journal: Journal, id: int, kit: Kit) -> None:
        """Take up sitting `id` where it was left; `trouble` says so if not all of it could be replayed.

        Raises:
            BadSitting: there is no such sitting, it is of another game, or its setup does not fit.
        """
        self.journal, self.id, self.kit = journal, id, kit
        self.setup = Setup.from_json(journal.record(id).setup)
        self._replay = Replay.of(kit, self.setup, journal.entries(id))
        self.trouble = self._replay.trouble

    @classmethod
    def begin(cls, journal: Journal, setup: Setup, kit: Kit) -> Sitting:
        """Begin a new sitting.

        Raises:
            BadSitting: the setup does not fit the game; nothing was written.
            JournalUnwritable: nothing was written.
        """
        _new_game(kit, setup)
        return cls(journal, journal.begin(setup), kit)

    @property
    def game(self) -> Game:
        """As it stands now."""
        return self._replay.game

    @property
    def replay(self) -> Replay:
        """What `game` was built up from. To be read, not played."""
        return self._replay

    @property
    def seq(self) -> int:
        """Number of the last entry that `game` is the replay of; 0: none."""
        return self._replay.seq

    @property
    def can_undo(self) -> bool:
        return bool(self._replay.steps)

    @property
    def can_redo(self) -> bool:
        return bool(self._replay.undone)

    @property
    def next_undo_words(self) -> str | None:
        """What undo would take back; None: nothing."""
        return self._replay.words(self._replay.steps[-1]) if self.can_undo else None

    @property
    def next_redo_words(self) -> str | None:
        """What redo would play again; None: nothing."""
        return self._replay.words(self._replay.undone[-1]) if self.can_redo else None

    @property
    def last_words(self) -> str | None:
        """What was played last and counts; None at the start."""
        return self.next_undo_words

    @property
    def last_played(self) -> Move | Correction | None:
        """What was played last and counts; None at the start."""
        return self._replay.steps[-1].played if self.can_undo else None

    def lines(self) -> tuple[str, ...]:
        """All that was played and counts, in words."""
        return tuple(self._replay.words(step) for step in self._replay.steps)

    def append_move(self, move: Move) -> None:
        """Play `move`.

        Raises:
            IllegalMove: nothing was written.
            ValueError: the move is open, its value was not supplied.
        """
        self._append(What(kind=Kind.MOVE, played=Played.of(move)))

    def correct(self, correction: Correction) -> None:
        """Make the game what the table shows.

        Raises:
            BadCorrection: nothing was written.
        """
        self._append(What(kind=Kind.CORRECTION, played=Played.of(correction)))

    def undo(self) -> Undone:
        """Take back the last move or correction that counts, of any depth, also after the end and after a restart.

        Raises:
            NothingToUndo: nothing has been played.
        """
        self._append(What(kind=Kind.UNDO))
        return self._told(self._replay.undone[-1])

    def redo(self) -> Undone:
        """Play again what was taken back last, if nothing was played since.

        Raises:
            NothingToUndo: nothing was taken back.
        """
        self._append(What(kind=Kind.REDO))
        return self._told(self._replay.steps[-1])

    def put_away(self) -> None:
        """Note that this sitting will not go on of itself."""
        self._append(What(kind=Kind.AWAY))

    def resume(self) -> None:
        """Note that the program was started again and the sitting goes on."""
        self._append(What(kind=Kind.RESUMED))

    def _append(self, what: What) -> None:
        step = self._replay.preview(what)
        if self._replay.trouble is not None:
            # Else this entry would stand behind the one that ends every replay.
            self.journal.append(self.id, What(kind=Kind.CUT, after=self._replay.seq))
            self._replay.trouble = None
        self._replay.accept(self.journal.append(self.id, what), step)

    def _told(self, step: Step) -> Undone:
        return Undone(step.played, self._replay.words(step))


def _new_game(kit: Kit, setup: Setup) -> Game:
    if setup.game != kit.name:
        raise BadSitting(f"this is a sitting of {setup.game}, not of {kit.name}")
    if len(setup.players) not in kit.players:
        raise BadSitting(
            f"{kit.title} is for {kit.players.start} to {kit.players.stop - 1} players, not {len(setup.players)}"
        )
    try:
        settings = kit.settings.model_validate(setup.settings)
    except ValidationError as error:
        raise BadSitting(f"the settings do not fit: {in_words(error)}") from error
    try:
        return kit.new(len(setup.players), Seat(setup.first), settings)
    except ValueError as error:  # house rules may be for fewer players than the box
        raise BadSitting(str(error)) from error


def _counting(entries: Iterable[Entry]) -> list[Entry]:
    """The entries without those that a later cut made void."""
    counting: list[Entry] = []
    for entry in entries:
        if entry.what.after is not None:
            after = entry.what.after
            counting = [earlier for earlier in counting if earlier.seq <= after]
        counting.append(entry)
    return counting
