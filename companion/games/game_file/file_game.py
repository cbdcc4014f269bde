"""What games with dice and games of entered points have in common, as a frozen value and for its corrections."""

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, NamedTuple, Self

from companion.api import (
    N_,
    Active,
    Correctable,
    Correction,
    CorrectionKind,
    Game,
    GameClock,
    Move,
    MoveKind,
    Outcome,
    PlayerCountSettings,
    Reason,
    Seat,
    Translator,
    check_start,
    format_number,
)
from companion.games.game_file.file_part import MAX_NUMBER
from companion.games.game_file.file_rules import FileRules
from companion.games.game_file.model import GameFile

_ = Translator("game_file")


class Victory(NamedTuple):
    """By what the winners of a game were found.

    Attributes:
        reason: in one translated sentence.
        how: what the sentence on the winners says besides, such as "Legs 3 to 1"; empty: nothing.
        names_score: the winners' score does not contradict that they have won.
        places: by seat, from 1, if something else than the score decides; empty: it decides.
    """

    reason: str
    how: str = ""
    names_score: bool = True
    places: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FileGame(Game):
    """Stored state of a game that a file describes; rule numbers (G30) are those of `docs/rules/game_files.md`."""

    rules: FileRules[Any]
    """Those of the game's file."""
    settings: PlayerCountSettings = field(hash=False)
    active_seat: Seat
    """Whose turn it is, in games with turns; after the end, whose was the last."""
    is_over: bool = False
    round_number: int = 1
    """Number of the round in play, from 1."""
    has_acted: tuple[bool, ...]
    """By seat: whether its turn of this round is over, in games with turns."""
    memory: tuple[tuple[int, ...], ...] = ()
    """By seat: the numbers that the players keep (G72), then what else the rules let them keep."""

    END_RULE: ClassVar[str]
    """Rule that says when the game is over."""
    translate = _

    @classmethod
    @abstractmethod
    def create(cls, player_count: int, first_seat: Seat, settings: PlayerCountSettings, file: GameFile) -> Self:
        """Return a game at its start.

        Args:
            player_count: number of players, within `settings.player_counts`.
            first_seat: seat that begins, in games with turns.
            file: what is played.

        Raises:
            ValueError: `player_count` is not allowed, or `first_seat` is not from 0 to `player_count` - 1.
        """

    @staticmethod
    def list_first_values(
        player_count: int, first_seat: Seat, settings: PlayerCountSettings, file: GameFile
    ) -> Mapping[str, Any]:
        """Return the common fields of a game at its start; for `create`, with the same arguments and errors."""
        check_start(file.title, settings.player_counts, player_count, first_seat)
        nobody = (False,) * player_count
        return {
            "rules": file.compiled_rules,
            "settings": settings,
            "active_seat": first_seat,
            "has_acted": nobody,
            "changes": (0,) * player_count,
            "away": nobody,
        }

    @property
    def first_score(self) -> int:
        """Score with which a late player begins (G7): that of the last player, or of the start."""
        if self.rules.model.late_joiners == "as_last":
            return max(self.totals) if self.lowest_wins else min(self.totals)
        return self.start_score

    @property
    def start_score(self) -> int:
        """Score of everybody at the start."""
        return 0

    def add_player(self) -> Self:
        """Return the game with one more player, who has not had the turn of this round yet (G7)."""
        return replace(Game.add_player(self), has_acted=(*self.has_acted, False))

    @property
    def keepers(self) -> tuple[Seat, ...]:
        """Seats whose numbers are kept each for itself; players of a team keep them together."""
        return tuple(Seat(q) for q in range(self.player_count))

    @abstractmethod
    def change_memory(self, seat: Seat, index: int, value: int) -> Self:
        """Return the game with another value in `memory`, as people have corrected it."""

    def list_shown_memory(self, seat: Seat) -> list[str]:
        """Return what a player keeps, as it stands on the screen: "Phase 3"."""
        kept = zip(self.rules.model.kept, self.memory[seat], strict=False)
        return [
            f"{self.rules.translate(each.name)} {format_number(number)}"
            for each, number in kept
            if each.shown == "always" or (each.shown == "not_0" and number)
        ]

    @property
    def has_turns(self) -> bool:
        """Whether players have turns."""
        return True

    @property
    def turn_name(self) -> str:
        """Name of the turn in play, other than that of any before."""
        return f"turn of seat {self.active_seat + 1} in round {self.round_number}"

    def list_clocks(self) -> Sequence[GameClock]:
        """Return the clock of the turn (G9); empty: people have set none."""
        seconds = getattr(self.settings, "turn_seconds", 0)
        if not seconds or not self.has_turns or self.is_over:
            return ()
        on_expiry = Move(TimeUp.kind, self.active_seat) if self.clock_ends_turns else None
        return (GameClock(self.turn_name, seconds, on_expiry),)

    @property
    def clock_ends_turns(self) -> bool:
        """Whether a turn is over when its time is up; otherwise the companion reminds the player (G9)."""
        return getattr(self.settings, "time_up", "") == "next_player"

    @abstractmethod
    def skip_turn(self) -> Self:
        """Return the game after the turn in play has ended without adding anything."""

    @property
    def lowest_wins(self) -> bool:
        """Whether the fewer points, the better, as the file says."""
        return bool(self.rules.model.lowest_wins)

    def compute_outcome(self) -> Outcome | None:
        """Return who has won (G49, G69; several share the victory), and the reason; None before the end."""
        if not self.is_over:
            return None
        victory = self.explain_victory()
        return Outcome(self.leaders, victory.reason, lowest_wins=self.lowest_wins, places=victory.places)

    def explain_victory(self) -> Victory:
        """Return by what the winners were found, once the game is over: by default by the score."""
        points = self.totals[self.leaders[0]]
        if self.lowest_wins:
            reason = _.plural("The lowest score wins: {n} point.", "The lowest score wins: {n} points.", points)
        else:
            reason = _.plural("The highest score wins: {n} point.", "The highest score wins: {n} points.", points)
        return Victory(reason)

    def explain_end(self) -> Reason | None:
        return (self.END_RULE, N_("the game is over")) if self.is_over else None

    def get_active_seat(self) -> Seat:
        return self.active_seat


class TimeUp(MoveKind[FileGame]):
    """G9: the clock has ended the turn."""

    kind, log, bot_weight = "time up", N_("{who}: time is up"), 0.0

    def needs(self, game: FileGame, move: Move) -> Iterator[Reason]:
        if not game.clock_ends_turns or not game.list_clocks():
            yield "G9", "no clock ends this turn"  # only a program says that one does

    def apply(self, game: FileGame, move: Move) -> FileGame:
        return game.skip_turn()


class WhoseTurn(Active[FileGame]):
    """Whose turn it is, in games with turns."""

    def is_due(self, game: FileGame) -> bool:
        return game.has_turns and super().is_due(game)

    def describe(self, before: FileGame, what: Correction, old: Correctable, names: Sequence[str]) -> str:
        return _("Corrected: it is {who}'s turn", who=names[what.value[0]])


class KeptNumber(CorrectionKind[FileGame]):
    """G72: a number that a player or a team keeps; the index is that of the number, from 1."""

    kind, label = "kept", N_("{who}: {name}")

    def list_entries(self, game: FileGame) -> Iterator[Correctable]:
        for seat in game.keepers:
            for i in range(len(game.rules.model.kept)):
                yield self.make_entry(game.memory[seat][i], -MAX_NUMBER, MAX_NUMBER, seat, (i + 1,))

    def apply(self, game: FileGame, correction: Correction) -> FileGame:
        return game.change_memory(correction.player, correction.index[0] - 1, correction.value[0])

    def format_label(self, game: FileGame, what: Correctable | Correction, names: Sequence[str]) -> str:
        kept = game.rules.model.kept[what.index[0] - 1]
        return _(self.label, who=names[what.seat or 0], name=game.rules.translate(kept.name))
