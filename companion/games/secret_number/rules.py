"""Secret Number as a frozen value: what the rules allow, and what comes of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from companion.games.api.game import Correctable, Correction, GameClock, IllegalMove, Move, Outcome, Seat, is_legal
from companion.games.secret_number import corrections, transitions
from companion.games.secret_number.illegal_moves import explain_refusal
from companion.games.secret_number.settings import DISPLAY_BONUSES, Settings
from companion.games.secret_number.state import Position
from companion.games.secret_number.view import Phase, SecretNumberView
from companion.i18n import Translator

_ = Translator("secret_number")


@dataclass(frozen=True, slots=True)
class SecretNumber(Position):
    """A match of Secret Number (`companion.games.api.game.Game`).

    >>> game = SecretNumber.create(3, Seat(0), Settings())
    >>> for kind in ("dealt", "ready", "go"):
    ...     game = game.play(Move(kind))
    >>> game = game.play(Move("lay", Seat(0)))
    >>> [move.seat for move in game.list_moves() if move.kind == "lay"]
    [1, 2]
    >>> game.play(Move("lay", Seat(0)))
    Traceback (most recent call last):
    ...
    companion.games.api.game.IllegalMove: S21: seat 0 laid the last card; another player must lay one first
    """

    @classmethod
    def create(cls, player_count: int, first_seat: Seat, settings: Settings) -> SecretNumber:
        """S1 to S6: the match at its start. Nobody goes first: a round is played by all at once (S20).

        Raises:
            ValueError: too few or too many players, or no such seat.
        """
        if not settings.players_min <= player_count <= settings.players_max:
            raise ValueError(
                f"Secret Number is for {settings.players_min} to {settings.players_max} players, not {player_count}"
            )
        if not 0 <= first_seat < player_count:
            raise ValueError(f"seat {first_seat} cannot begin among {player_count} players")
        nothing = (0,) * player_count
        seats = tuple(Seat(q) for q in range(player_count))
        return cls(
            settings,
            player_count,
            participants=seats,
            display_bonuses=nothing,
            total_adjustments=nothing,
            changes=nothing,
        )

    def list_moves(self) -> Sequence[Move]:
        return tuple(self._moves())

    def play(self, move: Move) -> SecretNumber:
        if not is_legal(self, move):
            raise IllegalMove(explain_refusal(self, move))
        return self._changed_to(transitions.apply_move(self, move))

    def list_correctables(self) -> Sequence[Correctable]:
        return corrections.list_correctables(self)

    def correct(self, correction: Correction) -> SecretNumber:
        return self._changed_to(corrections.apply_correction(self, correction))

    def list_clocks(self) -> Sequence[GameClock]:
        """S23, A14: a round's three minutes; the common signal before it (S11 to S13); the house timer reminds."""
        where = f"game {self.game_number}, round {self.round_number}"
        match self.phase:
            case Phase.PREPARE if self.settings.choose_seconds:
                return (GameClock(f"choose, {where}", self.settings.choose_seconds),)
            case Phase.SHOW:
                return (GameClock(f"show, {where}", self.settings.show_seconds, Move("go")),)
            case Phase.ROUND:
                return (GameClock(where, self.settings.round_seconds, Move("end")),)
        return ()

    def compute_scores(self) -> Mapping[Seat, int]:
        return {Seat(q): total for q, total in enumerate(self.totals)}

    def compute_outcome(self) -> Outcome | None:
        """S36: most points; several share the victory."""
        if self.phase is not Phase.OVER:
            return None
        most = max(self.totals)
        winners = tuple(seat for seat, total in self.compute_scores().items() if total == most)
        scored = _.plural("The game is scored", "All {n} games are scored", self.settings.games)
        points = _.plural("{n} point is the most", "{n} points are the most", most)
        if len(winners) > 1:
            return Outcome(winners, _("{scored}; {points}, the victory is shared.", scored=scored, points=points))
        return Outcome(winners, _("{scored}; {points}.", scored=scored, points=points))

    def build_view(self) -> SecretNumberView:
        table = self.settings.display_bonus
        results = {} if isinstance(table, str) else table
        return SecretNumberView(
            phase=self.phase,
            game_number=self.game_number,
            game_count=self.settings.games,
            round_number=self.round_number,
            card_values=self.card_values,
            number_card_count=self.number_card_count,
            participants=self.participants,
            away=self.away,
            laid_cards=self.laid_cards,
            turned_count=len(self.cards_right),
            seats_able_to_lay=self.seats_able_to_lay,
            cards_in_hand=tuple(
                self.hand_size - self.count_cards_laid(Seat(q)) if q in self.participants else 0
                for q in range(self.player_count)
            ),
            round_bonuses=self.settings.round_bonus,
            fastest_bonus=self.settings.fastest_bonus,
            fastest_seat=self.fastest_seat,
            bonus_seat=self.bonus_seat,
            bonus_table=tuple(
                (n, tuple(sorted(r for r in results if results[r] == n))) for n in DISPLAY_BONUSES if results
            ),
            tallies=self.tallies,
            earlier_scores=self.earlier_scores,
            totals=self.totals,
            changes=self.changes,
            outcome=self.compute_outcome(),
        )

    def _changed_to(self, after: SecretNumber) -> SecretNumber:
        changes = tuple(now - then for now, then in zip(after.totals, self.totals, strict=True))
        return replace(after, changes=changes)

    def _moves(self) -> Iterator[Move]:
        match self.phase:
            case Phase.DEAL:
                yield Move("dealt")
                yield Move("again")
            case Phase.PREPARE:
                yield Move("ready")
            case Phase.SHOW:
                yield Move("go")
                yield Move("wait")
            case Phase.ROUND:
                yield from (Move("lay", q) for q in self.seats_able_to_lay)
                yield Move("end")
            case Phase.FIX:
                yield from self._fixes()
            case Phase.OVER:
                pass
            case _:
                yield from self._reveals()

    def _reveals(self) -> Iterator[Move]:
        """S30 to S34; at any time it may turn out that the pile differs from the presses (S25)."""
        if self.phase is Phase.REVEAL and self.next_card is not None:
            yield Move("right", self.next_card[1])
            yield Move("wrong", self.next_card[1])
        if self.bonus_seat is not None:
            yield from (Move("bonus", self.bonus_seat, (n,)) for n in DISPLAY_BONUSES)
        if self.phase is Phase.RESULT:
            yield Move("next")
        yield Move("fix")

    def _fixes(self) -> Iterator[Move]:
        """S25."""
        yield from (Move("insert", q) for q in self.seats_able_to_insert)
        if self.next_card is not None:
            yield Move("remove", self.next_card[1])
        if self.cards_right:
            yield Move("earlier")
        yield Move("back")
