"""Secret Number as a frozen value: what the rules allow, and what comes of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from companion.games.api.game import Clock, Correctable, Correction, IllegalMove, Move, Outcome, Seat, legal
from companion.games.secret_number import corrections, transitions
from companion.games.secret_number.illegal_moves import refusal
from companion.games.secret_number.settings import BONUSES, Settings
from companion.games.secret_number.state import Position
from companion.games.secret_number.view import Phase, SecretNumberView
from companion.i18n import Words

_ = Words("secret_number")


@dataclass(frozen=True, slots=True)
class SecretNumber(Position):
    """A match of Secret Number (`companion.games.api.game.Game`).

    >>> game = SecretNumber.new(3, Seat(0), Settings())
    >>> for kind in ("dealt", "ready", "go"):
    ...     game = game.play(Move(kind))
    >>> game = game.play(Move("lay", Seat(0)))
    >>> [move.seat for move in game.moves() if move.kind == "lay"]
    [1, 2]
    >>> game.play(Move("lay", Seat(0)))
    Traceback (most recent call last):
    ...
    companion.games.api.game.IllegalMove: S21: seat 0 laid the last card; another player must lay one first
    """

    @classmethod
    def new(cls, players: int, first: Seat, settings: Settings) -> SecretNumber:
        """S1 to S6: the match at its start. Nobody goes first: a round is played by all at once (S20).

        Raises:
            ValueError: too few or too many players, or no such seat.
        """
        if not settings.players_min <= players <= settings.players_max:
            raise ValueError(
                f"Secret Number is for {settings.players_min} to {settings.players_max} players, not {players}"
            )
        if not 0 <= first < players:
            raise ValueError(f"seat {first} cannot begin among {players} players")
        nothing = (0,) * players
        seats = tuple(Seat(q) for q in range(players))
        return cls(settings, players, playing=seats, bonuses=nothing, offsets=nothing, changes=nothing)

    def moves(self) -> Sequence[Move]:
        return tuple(self._moves())

    def play(self, move: Move) -> SecretNumber:
        if not legal(self, move):
            raise IllegalMove(refusal(self, move))
        return self._changed_to(transitions.step(self, move))

    def correctables(self) -> Sequence[Correctable]:
        return corrections.correctables(self)

    def correct(self, correction: Correction) -> SecretNumber:
        return self._changed_to(corrections.corrected(self, correction))

    def clocks(self) -> Sequence[Clock]:
        """S23, A14: a round's three minutes; the common signal before it (S11 to S13); the house timer reminds."""
        where = f"game {self.game}, round {self.round}"
        match self.phase:
            case Phase.PREPARE if self.settings.choose_seconds:
                return (Clock(f"choose, {where}", self.settings.choose_seconds),)
            case Phase.SHOW:
                return (Clock(f"show, {where}", self.settings.show_seconds, Move("go")),)
            case Phase.ROUND:
                return (Clock(where, self.settings.round_seconds, Move("end")),)
        return ()

    def scores(self) -> Mapping[Seat, int]:
        return {Seat(q): total for q, total in enumerate(self.totals)}

    def outcome(self) -> Outcome | None:
        """S36: most points; several share the victory."""
        if self.phase is not Phase.OVER:
            return None
        most = max(self.totals)
        winners = tuple(seat for seat, total in self.scores().items() if total == most)
        scored = _.plural("The game is scored", "All {n} games are scored", self.settings.games)
        points = _.plural("{n} point is the most", "{n} points are the most", most)
        if len(winners) > 1:
            return Outcome(winners, _("{scored}; {points}, the victory is shared.", scored=scored, points=points))
        return Outcome(winners, _("{scored}; {points}.", scored=scored, points=points))

    def view(self) -> SecretNumberView:
        table = self.settings.display_bonus
        results = {} if isinstance(table, str) else table
        return SecretNumberView(
            phase=self.phase,
            game=self.game,
            games=self.settings.games,
            round=self.round,
            numbers=self.numbers,
            number_cards=self.number_cards,
            playing=self.playing,
            away=self.away,
            laid=self.laid,
            turned=len(self.marks),
            may_lay=self.may_lay,
            left=tuple(self.hand - self.used(Seat(q)) if q in self.playing else 0 for q in range(self.players)),
            round_bonus=self.settings.round_bonus,
            fastest_bonus=self.settings.fastest_bonus,
            fastest=self.fastest,
            asked=self.asked,
            bonus_table=tuple((n, tuple(sorted(r for r in results if results[r] == n))) for n in BONUSES if results),
            tallies=self.tallies,
            earlier=self.earlier,
            totals=self.totals,
            changes=self.changes,
            outcome=self.outcome(),
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
                yield from (Move("lay", q) for q in self.may_lay)
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
        if self.asked is not None:
            yield from (Move("bonus", self.asked, (n,)) for n in BONUSES)
        if self.phase is Phase.RESULT:
            yield Move("next")
        yield Move("fix")

    def _fixes(self) -> Iterator[Move]:
        """S25."""
        yield from (Move("insert", q) for q in self.may_insert)
        if self.next_card is not None:
            yield Move("remove", self.next_card[1])
        if self.marks:
            yield Move("earlier")
        yield Move("back")
