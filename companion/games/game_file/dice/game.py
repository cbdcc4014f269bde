"""A game with dice as a frozen value: what may be done, and what follows from it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

from companion.api import (
    N_,
    BadCorrection,
    Correction,
    GameClock,
    PlayerCountSettings,
    Reason,
    Seat,
    Unmet,
    replace_at,
)
from companion.games.game_file.dice.corrections import CORRECTIONS, ThrownDice
from companion.games.game_file.dice.moves import MOVES
from companion.games.game_file.dice.state import DiceGameState, EndedTurn, TurnEnd, _
from companion.games.game_file.dice.turns import begin_turn, find_next_thrower, pass_turn
from companion.games.game_file.file_game import FileGame, Victory
from companion.games.game_file.model import GameFile


@dataclass(frozen=True, slots=True, kw_only=True)
class DiceGame(DiceGameState):
    """A game with dice that a file describes."""

    MOVES = MOVES
    CORRECTIONS = CORRECTIONS
    MOVE_RULE = "G46"
    END_RULE = "G45"

    @classmethod
    def create(cls, player_count: int, first_seat: Seat, settings: PlayerCountSettings, file: GameFile) -> Self:
        assert file.dice is not None
        nothing = (0,) * player_count
        sheet: tuple[int | None, ...] = (None,) * len(file.dice.categories)
        return cls(
            **cls.list_first_values(player_count, first_seat, settings, file),
            points=nothing,
            round_points=nothing,
            boxes=(sheet,) * player_count if sheet else (),
            memory=(tuple(kept.start for kept in file.dice.kept),) * player_count,
        )

    def set_order(self, order: tuple[Seat, ...]) -> Self:
        # G51: a claim would bring players and places of before the throw back.
        return self._keep_thrower(replace(FileGame.set_order(self, order), before_throw=None))

    def add_player(self) -> Self:
        sheet: tuple[int | None, ...] = (None,) * len(self.rules.model.categories)
        after = replace(
            FileGame.add_player(self),
            points=(*self.points, 0 if sheet else self.first_score),
            round_points=(*self.round_points, 0),
            boxes=(*self.boxes, sheet) if sheet else (),
            memory=(*self.memory, tuple(kept.start for kept in self.rules.model.kept)),
            before_throw=None,
        )
        return self._keep_thrower(after)

    @property
    def _thrower(self) -> Seat | None:
        """Who has thrown `next_throw`, or throws next if the turn ends now."""
        return find_next_thrower(replace(self, next_throw=()))

    def _keep_thrower(self, after: Self) -> Self:
        """Return `after`, in which people have come or changed places.

        Raises:
            BadCorrection: somebody else would have the dice that the next player has thrown (G51).
        """
        if self.next_throw and after._thrower != self._thrower:
            raise BadCorrection("G51", _("first {other}'s turn ends"), {"other": self.active_seat})
        return after

    def explain_victory(self) -> Victory:
        model, points = self.rules.model, max(self.totals)
        if model.rounds.score == "win" and not model.lowest_wins:
            return Victory(_.plural("Most rounds won: {n} round.", "Most rounds won: {n} rounds.", points))
        return FileGame.explain_victory(self)

    def explain_turn(self, rule: str) -> Reason:
        return Unmet(rule, N_("it is {other}'s turn"), {"other": self.active_seat})

    def change_memory(self, seat: Seat, index: int, value: int) -> Self:
        return replace(self, memory=replace_at(self.memory, seat, replace_at(self.memory[seat], index, value)))

    def change_active_seat(self, seat: Seat) -> Self:
        if seat == self.active_seat:
            return self
        if self.has_sheet and not self.list_open_boxes(seat):
            raise BadCorrection("G42", _("{who} has filled all boxes"), {"who": seat})
        return replace(begin_turn(self, seat), has_acted=replace_at(self.has_acted, seat, False))

    def list_clocks(self) -> Sequence[GameClock]:
        clocks = FileGame.list_clocks(self)
        # G51: with the next throw the turn has ended in time, only its box is still to be chosen.
        return [replace(clock, on_expiry=None) for clock in clocks] if self.next_throw else clocks

    def skip_turn(self) -> Self:
        seat = self.active_seat
        lost = 0 if self.has_sheet else self.current_points
        ended = EndedTurn(seat, TurnEnd.BUST, self.all_dice, lost)
        return pass_turn(replace(self, ended_turn=ended, has_acted=replace_at(self.has_acted, seat, True)), seat)

    def _apply_correction(self, correction: Correction) -> Self:
        """Points that are corrected after a throw were not so before it: it is nobody else's any more (G51)."""
        after = FileGame._apply_correction(self, correction)
        return after if correction.kind == ThrownDice.kind else replace(after, before_throw=None)

    def change_away(self, seat: Seat, is_away: bool) -> Self:
        """G50: the turn of a player who leaves passes on without points."""
        if is_away == self.away[seat]:
            return self
        if is_away and len(self.present_seats) == 1:
            raise BadCorrection("G50", _("somebody has to stay"))
        after = self.set_away(seat, is_away)
        if not is_away:
            return self._keep_thrower(after)
        if self.next_throw and self._thrower == seat:
            after = replace(after, next_throw=())
        return pass_turn(after, seat) if self.active_seat == seat else after
