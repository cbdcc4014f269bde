"""A game of entered points as a frozen value: what may be entered, and what follows from it."""

from dataclasses import dataclass, replace
from typing import Self

from companion.api import BadCorrection, PlayerCountSettings, Seat, replace_at
from companion.games.game_file.file_game import FileGame
from companion.games.game_file.model import GameFile
from companion.games.game_file.points.corrections import CORRECTIONS
from companion.games.game_file.points.moves import MOVES
from companion.games.game_file.points.rounds import pass_turn, settle
from companion.games.game_file.points.state import PointsGameState, _


@dataclass(frozen=True, slots=True, kw_only=True)
class PointsGame(PointsGameState):
    """A game of entered points that a file describes."""

    MOVES = MOVES
    CORRECTIONS = CORRECTIONS
    MOVE_RULE = "G61"
    END_RULE = "G68"

    @classmethod
    def create(cls, player_count: int, first_seat: Seat, settings: PlayerCountSettings, file: GameFile) -> Self:
        return cls(
            **cls.list_first_values(player_count, first_seat, settings, file),
            first_seat=first_seat,
            entered=((),) * player_count,
            turn_numbers=((),) * player_count,
            current_points=(0,) * player_count,
            adjustments=(0,) * player_count,
        )

    def add_player(self) -> Self:
        return replace(
            FileGame.add_player(self),
            entered=(*self.entered, ()),
            finished_rounds=tuple((*points, 0) for points in self.finished_rounds),
            finished_numbers=tuple((*numbers, ()) for numbers in self.finished_numbers),
            turn_numbers=(*self.turn_numbers, ()),
            current_points=(*self.current_points, 0),
            adjustments=(*self.adjustments, self.first_score - self.start_score),
        )

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
        after = replace(self.set_away(seat, is_away), entered=replace_at(self.entered, seat, ()))
        if not is_away:
            return after
        if self.has_turns:
            return pass_turn(after, seat) if self.active_seat == seat else after
        return settle(after)
