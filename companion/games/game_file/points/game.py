"""A game of entered points as a frozen value: what may be entered, and what follows from it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

from companion.api import BadCorrection, Correction, Move, PlayerCountSettings, Seat, replace_at
from companion.games.game_file.file_game import FileGame
from companion.games.game_file.model import GameFile
from companion.games.game_file.points.corrections import CORRECTIONS
from companion.games.game_file.points.formulas import Entered, Memory, PointsRules
from companion.games.game_file.points.moves import MOVES
from companion.games.game_file.points.rounds import pass_turn, set_memory, settle
from companion.games.game_file.points.state import MemoryChange, PlayedRound, PointsGameState, ScoreChange, _


@dataclass(frozen=True, slots=True, kw_only=True)
class PointsGame(PointsGameState):
    """A game of entered points that a file describes."""

    MOVES = MOVES
    CORRECTIONS = CORRECTIONS
    MOVE_RULE = "G61"
    END_RULE = "G68"

    @classmethod
    def create(cls, player_count: int, first_seat: Seat, settings: PlayerCountSettings, file: GameFile) -> Self:
        rules = file.compiled_rules
        assert isinstance(rules, PointsRules)
        nobody: tuple[Entered, ...] = ((),) * player_count
        memory = tuple(_make_first_memory(rules, is_first=q == first_seat) for q in range(player_count))
        first = PlayedRound(nobody, (0,) * player_count, memory)
        game = cls(
            **cls.list_first_values(player_count, first_seat, settings, file),
            first_seat=first_seat,
            entered=nobody,
            memory=memory,
            current=first,
            adjustments=(0,) * player_count,
        )
        for index, flag in enumerate(rules.model.flags, len(rules.model.kept)):
            if flag.start == "first":
                # The partner of the first player has it too.
                memory = set_memory(game, memory, first_seat, index, 1)
        return settle(replace(game, memory=memory, current=replace(first, memory=memory)))

    def add_player(self) -> Self:
        own = _make_first_memory(self.rules, is_first=False)

        def add(played: PlayedRound) -> PlayedRound:
            return replace(
                played,
                numbers=(*played.numbers, ()),
                points=(*played.points, 0),
                memory=(*played.memory, own),
            )

        after = replace(
            FileGame.add_player(self),
            entered=(*self.entered, ()),
            finished=tuple(map(add, self.finished)),
            current=add(self.current),
            memory=(*self.memory, own),
            adjustments=(*self.adjustments, self.first_score - self.start_score),
        )
        return settle(after)  # nobody else may have anything to enter

    @property
    def keepers(self) -> tuple[Seat, ...]:
        return tuple(team[0] for team in self.teams)

    def change_memory(self, seat: Seat, index: int, value: int) -> Self:
        """The value stays so when earlier rounds are corrected (G71)."""
        change = MemoryChange(self.current.turns_over, seat, index, value)
        memory = set_memory(self, self.memory, seat, index, value)
        current = replace(self.current, changes=(*self.current.changes, change))
        if not change.turns_over:
            current = replace(current, memory=memory)
        return replace(self, memory=memory, current=current)

    def change_scores(self, totals: Sequence[int]) -> Self:
        """Return the game with other scores by seat, as people have corrected them."""
        differences = enumerate(after - before for before, after in zip(self.totals, totals, strict=True))
        turns = self.current.turns_over
        changes = tuple(ScoreChange(turns, Seat(q), by) for q, by in differences if by)
        current = replace(self.current, score_changes=(*self.current.score_changes, *changes))
        return replace(self, current=current)

    def change_active_seat(self, seat: Seat) -> Self:
        """What the player before has entered in the turn is forgotten."""
        if seat == self.active_seat:
            return self
        acted = replace_at(self.has_acted, seat, False)
        return replace(self, active_seat=seat, has_acted=acted, entered=((),) * self.player_count)

    def change_away(self, seat: Seat, is_away: bool) -> Self:
        if is_away == self.away[seat]:
            return self
        if is_away and len(self.present_seats) == 1:
            raise BadCorrection("G60", _("somebody has to stay; end the game instead"))
        after = replace(self.set_away(seat, is_away), entered=self._forget_entered(seat))
        if not is_away:
            return after
        return pass_turn(after, seat) if self.has_turns and self.active_seat == seat else after

    def skip_turn(self) -> Self:
        """What was entered in the turn is forgotten."""
        return pass_turn(replace(self, entered=self._forget_entered(self.active_seat)), self.active_seat)

    def _with_changes(self, after: Self) -> Self:
        """Return `after` with what follows from it; points that all have at the start are no changes (G78)."""
        after = FileGame._with_changes(self, settle(after))
        return after if after.restart_count == self.restart_count else replace(after, changes=(0,) * self.player_count)

    def describe(self, what: Move | Correction, after: Self, names: Sequence[str]) -> str:
        """Say of whatever ends a leg, such as a correction, that everybody begins again (G78)."""
        line = FileGame.describe(self, what, after, names)
        return _("{line}, everybody begins again", line=line) if after.restart_count > self.restart_count else line

    def _forget_entered(self, seat: Seat) -> tuple[Entered, ...]:
        """Return what is entered without the numbers of `seat`, and without those of its team (G74).

        Another player may be the first of the team now, who enters them.
        """
        entries = self.rules.model.entries
        count = next((i for i, entry in enumerate(entries) if entry.team), len(entries))
        partners = self.list_team(seat)
        return tuple(() if q == seat else own[:count] if q in partners else own for q, own in enumerate(self.entered))


def _make_first_memory(rules: PointsRules, *, is_first: bool) -> Memory:
    flags = (int(is_first and flag.start == "first") for flag in rules.model.flags)
    return (*(kept.start for kept in rules.model.kept), *flags)
