"""A saved game: its state is always the replay of the entries in the journal."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

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
from companion.i18n import _
from companion.journal.entry import (
    EntryContent,
    EntryKind,
    GameSetup,
    InvalidSavedGame,
    JournalEntry,
    NothingToUndo,
    SeatChange,
    StoredMove,
    describe_validation_error,
    drop_void_entries,
)
from companion.journal.seating import Seating
from companion.names import resolve_names


@dataclass(frozen=True, slots=True)
class PlayedStep:
    """A move, correction or change of seats that was played, and game and seating before and after it."""

    played: Move | Correction | SeatChange
    before: Game
    after: Game
    seating_before: Seating
    seating_after: Seating


@dataclass(frozen=True, slots=True)
class Gap:
    """Entries that the disk has lost, at which a replay stopped."""

    lost_count: int
    """Number of lost entries, from the first one to the next that there is."""
    later_count: int
    """Number of entries behind them that the journal still has."""


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
    """Moves, corrections and changes of seats that count, in order."""
    undone_steps: list[PlayedStep] = field(default_factory=list)
    """Steps that can be redone, the next one last."""
    history: list[tuple[JournalEntry, PlayedStep | None]] = field(default_factory=list)
    """All entries so far, in order, each with the step that it played, undid or redid; None: it did none of these."""
    problem: str | None = None
    """Why the entries could be replayed only in part, in English; None: all were."""
    gap: Gap | None = None
    """The lost entries at which the replay stopped; None: it did not. What is behind them is replayed only after an
    entry GAP_ACCEPTED, since it may be wrong without them."""

    @classmethod
    def from_entries(cls, definition: AnyGameDefinition, setup: GameSetup, entries: Iterable[JournalEntry]) -> "Replay":
        """Replay `entries` up to the first that cannot be replayed; `problem` then says which one and why.

        Args:
            definition: the game that `setup` names.
            setup: players, first seat and house rules.
            entries: all entries of the game, in order; void ones are skipped, see `drop_void_entries`.

        Raises:
            InvalidSavedGame: the setup is not valid for the game, or names another one.
            Exception: any other error of the game's own code is passed on.
        """
        definition = find_version(definition, setup)
        replay = cls(definition, setup, start_game(definition, setup))
        valid = drop_void_entries(entries)
        for index, entry in enumerate(valid):
            if entry.what.kind is EntryKind.LOST:
                replay._stop_at_gap([each.what.kind is EntryKind.LOST for each in valid[index:]], entry.seq)
                break
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

    def _stop_at_gap(self, are_lost: list[bool], seq: int) -> None:
        count = (*are_lost, False).index(False)
        self.gap = Gap(count, are_lost.count(False))
        self.problem = (
            f"The disk has lost entries {seq} to {seq + count - 1} of this game. The game is as it was before them; "
            f"what came after ({self.gap.later_count}) is still in the journal."
        )

    @property
    def last_seq(self) -> int:
        """Number of the last accepted entry; 0: none."""
        return self.history[-1][0].seq if self.history else 0

    @property
    def game(self) -> Game:
        """The game after the last step that counts."""
        return self.steps[-1].after if self.steps else self.start

    @property
    def seating(self) -> Seating:
        """Who sits where now."""
        return self.steps[-1].seating_after if self.steps else Seating.from_setup(self.setup)

    @property
    def players(self) -> tuple[str, ...]:
        """Names of the players now, by seat."""
        return self.seating.players

    @property
    def can_join(self) -> bool:
        """Whether one more player may sit down now.

        Raises:
            Exception: an error of the game's own code is passed on.
        """
        game = self.game
        return game.player_count + 1 in self.definition.player_counts and self.definition.can_join(game)

    def with_names(self, resolve: Callable[[str], str]) -> "Replay":
        """Return the same replay with other names of the players; what is stored does not change.

        Args:
            resolve: returns the name that a player has now.
        """

        def rename(step: PlayedStep) -> PlayedStep:
            before, after = (s.with_names(resolve) for s in (step.seating_before, step.seating_after))
            return replace(step, seating_before=before, seating_after=after)

        renamed = {id(step): rename(step) for _entry, step in self.history if step is not None}
        return replace(
            self,
            setup=self.setup.model_copy(update={"players": resolve_names(self.setup.players, resolve)}),
            steps=[renamed[id(step)] for step in self.steps],
            undone_steps=[renamed[id(step)] for step in self.undone_steps],
            history=[(entry, None if step is None else renamed[id(step)]) for entry, step in self.history],
        )

    def list_first_scores(self) -> tuple[int, ...]:
        """List by seat the score with which each player began, also who joined later."""
        scores = self.start.totals
        for step in self.steps:
            if step.after.player_count > len(scores):
                scores += step.after.totals[len(scores) :]
        return scores

    def preview(self, content: EntryContent) -> PlayedStep | None:
        """Return the step that an entry with this content would play, undo or redo. Nothing is changed.

        Returns:
            The step; None: the entry does not change the game (set aside, resumed, truncated).

        Raises:
            IllegalMove: the rules forbid the move.
            BadCorrection: the correction, or the change of seats, is not possible.
            NothingToUndo: there is nothing to undo or to redo.
            Exception: any other error of the game's own code is passed on.
        """
        game, seating = self.game, self.seating
        match content:
            case EntryContent(kind=EntryKind.MOVE, played=StoredMove() as played):
                return PlayedStep(move := played.to_move(), game, game.play(move), seating, seating)
            case EntryContent(kind=EntryKind.CORRECTION, played=StoredMove() as played):
                correction = played.to_correction()
                return PlayedStep(correction, game, game.correct(correction), seating, seating)
            case EntryContent(kind=EntryKind.SEATED, seated=SeatChange() as change):
                return self._preview_seats(change)
            case EntryContent(kind=EntryKind.UNDO):
                if not self.steps:
                    raise NothingToUndo("nothing has been played yet that could be undone")
                return self.steps[-1]
            case EntryContent(kind=EntryKind.REDO):
                if not self.undone_steps:
                    raise NothingToUndo("nothing was undone that could be played again")
                return self.undone_steps[-1]
        return None

    def _preview_seats(self, change: SeatChange) -> PlayedStep:
        game, after = self.game, self.seating.apply(change)
        changed = game
        if len(after.players) > game.player_count:
            if not self.can_join:
                raise BadCorrection("", _("Nobody can join this game now"))
            changed = game.add_player()
        if after.order != self.seating.order:
            changed = changed.set_order(after.order)
        return PlayedStep(change, game, changed, self.seating, after)

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
        if isinstance(step.played, SeatChange):
            return describe_seat_change(step.played, step.seating_before)
        return self.definition.describe(step.before, step.played, step.after, step.seating_after.players)


def describe_seat_change(change: SeatChange, before: Seating) -> str:
    """Return a change of seats as one line for people, translated into the current language.

    Args:
        before: the seating in which it was made.
    """
    if change.seat == len(before.players):
        return _("{who} joins", who=change.name)
    old = before.players[change.seat]
    if change.button == before.buttons[change.seat]:
        return _("{old} is called {new} now", old=old, new=change.name)
    if change.button in before.buttons:
        other = before.players[before.buttons.index(change.button)]
        return _("{who} and {other} change places", who=old, other=other)
    return _("{who} moves to another button", who=old)


def find_version(definition: AnyGameDefinition, setup: GameSetup) -> AnyGameDefinition:
    """Return the definition by which the game was begun.

    Raises:
        InvalidSavedGame: the setup is not allowed by its rules.
    """
    try:
        return definition.find_version(setup.settings) if setup.game == definition.name else definition
    except ValueError as error:
        raise InvalidSavedGame(str(error)) from error


def start_game(definition: AnyGameDefinition, setup: GameSetup) -> Game:
    """Return the game at its start.

    Raises:
        InvalidSavedGame: the setup is of another game, or not allowed by its rules.
    """
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
