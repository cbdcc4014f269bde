"""StarFall as a frozen value: what the rules allow, and what follows from a move."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Self

from companion.api import GameClock, Move, Outcome, Seat, check_start
from companion.games.starfall import corrections, illegal_moves, payment_rules, transitions
from companion.games.starfall.settings import MAX_SYMBOL_COUNT, Settings
from companion.games.starfall.state import (
    END_TEXTS,
    NUMBER_KEY_COUNT,
    UNKNOWN_TILE,
    MoveKind,
    Payment,
    Phase,
    StarFallState,
)
from companion.games.starfall.tile_identification import get_tile_question
from companion.i18n import N_, Translator

_ = Translator("starfall")

INITIAL_WHITE_TOKENS = 7
"""F1: white tokens of each player at the start; the rest of the dust is orange tokens."""


@dataclass(frozen=True, slots=True)
class StarFall(StarFallState):
    """A game of StarFall (`companion.api.game.Game`).

    >>> game = StarFall.create(2, Seat(0), Settings()).play(Move("add", Seat(0), (0,)))
    >>> game.play(Move("discover", Seat(1), (9,))).dust
    (32, 23)
    >>> game.play(Move("discover", Seat(1), (8,)))
    Traceback (most recent call last):
    ...
    companion.api.game.IllegalMove: F12: there is no tile on 8
    """

    _apply_move = transitions.apply_move
    _explain_refusal = illegal_moves.explain_refusal
    _list_correctables = corrections.list_correctables
    _apply_correction = corrections.apply_correction

    @classmethod
    def create(cls, player_count: int, first_seat: Seat, settings: Settings) -> StarFall:
        """Return a game at its start (F1 to F3).

        Args:
            player_count: number of players, within `settings.player_counts`.
            first_seat: seat that begins, from 0.
            settings: house rules.

        Raises:
            ValueError: `player_count` is not allowed, or `first_seat` is not from 0 to `player_count` - 1.
        """
        check_start("StarFall", settings.player_counts, player_count, first_seat)
        dust = settings.start_dust
        orange_tokens = max(0, dust - INITIAL_WHITE_TOKENS) // payment_rules.ORANGE_TOKEN_DUST
        game = cls(
            settings=settings,
            dust=(dust,) * player_count,
            white_tokens=(dust - payment_rules.ORANGE_TOKEN_DUST * orange_tokens,) * player_count,
            owned_tiles=((),) * player_count,
            away=(False,) * player_count,
            active_seat=first_seat,
            pile_size=settings.get_pile_size(player_count),
            changes=(0,) * player_count,
        )
        return transitions.reset_counts(game)

    def list_clocks(self) -> Sequence[GameClock]:
        """Return the house timer of the turn, in seconds, which only reminds.

        Empty: none is set, or the game is over.
        """
        if self.end_reason or not self.settings.turn_seconds:
            return ()
        return (GameClock(f"turn {self.turn_number}", self.settings.turn_seconds),)

    def compute_outcome(self) -> Outcome | None:
        """Return who has most points (F37; several share the victory), and the reason; None before the end."""
        if self.phase is not Phase.OVER:
            return None
        most, winners = max(self.totals), self.leaders
        shared = N_("{why}; {most} points are the most, the victory is shared.")
        message = shared if len(winners) > 1 else N_("{why}; {most} points are the most.")
        return Outcome(winners, _(message, why=format_end_reason(self), most=most))

    def _with_changes(self, after: Self) -> Self:
        """Only numbers of the same kind are compared: dust with dust, points with points."""
        changes = tuple(now - then for now, then in zip(after.totals, self.totals, strict=True))
        return replace(after, changes=changes if self.score_kind is after.score_kind else (0,) * self.player_count)

    def _list_moves(self) -> Iterator[Move]:
        match self.phase:
            case Phase.TURN:
                yield from self._list_turn_moves(self.active_seat)
            case Phase.NAMING:
                yield Move(MoveKind.ADD, self.active_seat, (UNKNOWN_TILE,))
                choices = enumerate(get_tile_question(self).choices, start=1)
                yield from (choice.make_move(self.active_seat, key) for key, choice in choices)
                yield Move(MoveKind.BACK, self.active_seat)
            case Phase.PAY if self.payment is not None:
                yield from self._list_payment_moves(self.active_seat, self.payment)
            case Phase.CHOOSE | Phase.TABLE:
                yield from (Move(MoveKind.COUNT, q) for q in self.seats_to_count)
                if self.phase is Phase.TABLE:
                    yield Move(MoveKind.FINISH)
                elif self.seats_with_proposal:
                    yield Move(MoveKind.ACCEPT)
            case Phase.PAGE if self.counting_seat is not None:
                yield from self._list_count_moves(self.counting_seat)

    def _list_turn_moves(self, seat: Seat) -> Iterator[Move]:
        """F10 to F12."""
        if self.can_add:
            yield Move(MoveKind.ADD, seat, (UNKNOWN_TILE,))
            if self.unseen_tiles:
                yield Move(MoveKind.NAME, seat)
        for space in self.occupied_spaces:
            yield Move(MoveKind.MOVE, seat, (space,))
            if self.can_pay_for(space):
                yield Move(MoveKind.DISCOVER, seat, (space,))
        if self.board_page_count > 1:
            yield Move(MoveKind.PAGE, seat)

    def _list_payment_moves(self, seat: Seat, payment: Payment) -> Iterator[Move]:
        """F13."""
        if payment_rules.is_enough(self, payment) and payment_rules.find_unneeded_tile(self, payment) is None:
            yield Move(MoveKind.PAY, seat)
        pages = payment_rules.list_key_pages(self, payment)
        unvalued = payment_rules.find_unvalued_tile(self, payment)
        options = [option for page in pages for option in page] + ([unvalued] if unvalued else [])
        yield from (Move(MoveKind.WITH, seat, (option.tile_index, option.value)) for option in options)
        yield from (Move(MoveKind.DUST, seat, (dust,)) for _, dust in payment_rules.list_dust_steps(self, payment))
        if payment.tiles:
            yield Move(MoveKind.WITHOUT, seat)
        if len(pages) > 1:
            yield Move(MoveKind.PAGE, seat)
        yield Move(MoveKind.CANCEL, seat)

    def _list_count_moves(self, seat: Seat) -> Iterator[Move]:
        """F30."""
        held = self.symbol_counts[seat][self.line_index]
        numbers = range(1, min(NUMBER_KEY_COUNT, MAX_SYMBOL_COUNT - held) + 1)
        yield from (Move(MoveKind.MORE, seat, (n,)) for n in numbers)
        back = MoveKind.BACK_LINE if self.line_index else MoveKind.LEAVE
        yield Move(MoveKind.LESS if held else back, seat)
        yield Move(MoveKind.NEXT_LINE, seat)
        if self.counted[seat]:
            yield Move(MoveKind.DONE, seat)


def format_end_reason(state: StarFallState) -> str:
    """Return why the game ended: translated, with a capital letter and no full stop; empty while it goes on."""
    if state.end_reason is None:
        return ""
    _rule, message = END_TEXTS[state.end_reason]
    text = _(message)
    return text[:1].upper() + text[1:]
