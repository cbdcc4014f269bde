"""A game with dice as a frozen value: what may be done, and what follows from it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from companion.api import GameClock, Move, Outcome, PlayerCountSettings, Seat, ValueRange, check_start
from companion.games.game_file.dice import corrections, illegal_moves, transitions
from companion.games.game_file.dice.scoring import DiceRules
from companion.games.game_file.dice.state import DiceGameState, MoveKind
from companion.i18n import Translator

_ = Translator("game_file")


@dataclass(frozen=True, slots=True)
class DiceGame(DiceGameState):
    """A game with dice that a file describes (`companion.api.game.Game`)."""

    _apply_move = transitions.apply_move
    _explain_refusal = illegal_moves.explain_refusal
    _list_correctables = corrections.list_correctables
    _apply_correction = corrections.apply_correction

    @classmethod
    def create(
        cls, player_count: int, first_seat: Seat, settings: PlayerCountSettings, rules: DiceRules, title: str
    ) -> DiceGame:
        """Return a game at its start.

        Args:
            player_count: number of players, within `settings.player_counts`.
            first_seat: seat that begins.
            settings: house rules.
            rules: compiled rules of the game's file.
            title: title of the game, for the message of the error.

        Raises:
            ValueError: `player_count` is not allowed, or `first_seat` is not from 0 to `player_count` - 1.
        """
        check_start(title, settings.player_counts, player_count, first_seat)
        nothing = (0,) * player_count
        nobody = (False,) * player_count
        sheet: tuple[int | None, ...] = (None,) * len(rules.model.categories)
        return cls(
            rules=rules,
            settings=settings,
            active_seat=first_seat,
            has_acted=nobody,
            points=nothing,
            round_points=nothing,
            boxes=(sheet,) * player_count if sheet else (),
            changes=nothing,
            away=nobody,
        )

    def list_clocks(self) -> Sequence[GameClock]:
        """Return no clock: people throw as fast as they like."""
        return ()

    def compute_outcome(self) -> Outcome | None:
        """Return who has won (G49; several share the victory), and the reason; None before the end."""
        if not self.is_over:
            return None
        points = self.totals[self.leaders[0]]
        is_lowest = self.rules.model.lowest_wins
        if is_lowest:
            reason = _.plural("The lowest score wins: {n} point.", "The lowest score wins: {n} points.", points)
        elif self.rules.model.rounds.score == "win":
            reason = _.plural("Most rounds won: {n} round.", "Most rounds won: {n} rounds.", points)
        else:
            reason = _.plural("The highest score wins: {n} point.", "The highest score wins: {n} points.", points)
        return Outcome(self.leaders, reason, lowest_wins=is_lowest)

    def _list_moves(self) -> Iterator[Move]:
        """The open throw is the first move: the number keys enter its dice."""
        seat = self.active_seat
        if self.is_over:
            return
        if self.dice_to_throw:
            yield Move(MoveKind.THROW, seat, value_range=ValueRange(self.dice_to_throw, 1, self.rules.model.sides))
        yield from (Move(MoveKind.KEEP, seat, dice) for dice in self.legal_keeps)
        if self.rules.model.keep == "any" and self.aside and self.has_throws_left:
            yield Move(MoveKind.RETURN, seat)
        if self.may_bank:
            yield Move(MoveKind.BANK, seat)
        if self.throw_count:
            yield from (Move(MoveKind.CHOOSE, seat, (i + 1,)) for i in self.open_boxes)
