"""StarFall as a frozen value: what the rules allow, and what comes of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from companion.games.api.game import Correctable, Correction, GameClock, IllegalMove, Move, Outcome, Seat, is_legal
from companion.games.starfall import corrections, transitions
from companion.games.starfall import payment as payments
from companion.games.starfall.illegal_moves import explain_refusal
from companion.games.starfall.settings import MAX_SYMBOL_COUNT, Settings
from companion.games.starfall.state import NUMBER_KEY_COUNT, UNKNOWN_TILE, Position
from companion.games.starfall.tile_identification import get_tile_question
from companion.games.starfall.view import Phase, StarFallView
from companion.games.starfall.view_builder import build_view, get_score_kind, list_scores
from companion.i18n import Translator

_ = Translator("starfall")

INITIAL_WHITE_TOKENS = 7
"""F1: white tokens at the start, beside the orange ones."""


@dataclass(frozen=True, slots=True)
class StarFall(Position):
    """A game of StarFall (`companion.games.api.game.Game`).

    >>> game = StarFall.create(2, Seat(0), Settings()).play(Move("add", Seat(0), (0,)))
    >>> game.play(Move("discover", Seat(1), (9,))).dust
    (32, 23)
    >>> game.play(Move("discover", Seat(1), (8,)))
    Traceback (most recent call last):
    ...
    companion.games.api.game.IllegalMove: F12: there is no tile on 8
    """

    @classmethod
    def create(cls, player_count: int, first_seat: Seat, settings: Settings) -> StarFall:
        """F1 to F3: the game at its start.

        Raises:
            ValueError: too few or too many players, or no such seat.
        """
        if not settings.players_min <= player_count <= settings.players_max:
            raise ValueError(
                f"StarFall is for {settings.players_min} to {settings.players_max} players, not {player_count}"
            )
        if not 0 <= first_seat < player_count:
            raise ValueError(f"seat {first_seat} cannot begin among {player_count} players")
        dust = settings.start_dust
        game = cls(
            settings=settings,
            dust=(dust,) * player_count,
            white_tokens=(
                dust - payments.ORANGE_TOKEN_DUST * (max(0, dust - INITIAL_WHITE_TOKENS) // payments.ORANGE_TOKEN_DUST),
            )
            * player_count,
            owned_tiles=((),) * player_count,
            away=(False,) * player_count,
            active_seat=first_seat,
            pile_size=settings.get_pile_size(player_count),
            changes=(0,) * player_count,
        )
        return transitions.reset_counts(game)

    def list_moves(self) -> Sequence[Move]:
        return tuple(self._moves())

    def play(self, move: Move) -> StarFall:
        if not is_legal(self, move):
            raise IllegalMove(explain_refusal(self, move))
        return self._changed_to(transitions.apply_move(self, move))

    def list_correctables(self) -> Sequence[Correctable]:
        return corrections.list_correctables(self)

    def correct(self, correction: Correction) -> StarFall:
        return self._changed_to(corrections.apply_correction(self, correction))

    def list_clocks(self) -> Sequence[GameClock]:
        """The house timer; it only reminds."""
        if self.ended or not self.settings.turn_seconds:
            return ()
        return (GameClock(f"turn {self.turn_number}", self.settings.turn_seconds),)

    def compute_scores(self) -> Mapping[Seat, int]:
        """What can be known: the dust while the game goes on, the points once tiles are counted.

        With `running_score`, the points as if the game ended now, as long as the catalogue knows every tile taken.
        """
        return {Seat(q): score for q, score in enumerate(list_scores(self))}

    def compute_outcome(self) -> Outcome | None:
        """F37: highest total; several share the victory."""
        if self.phase is not Phase.OVER:
            return None
        totals = list_scores(self)
        most = max(totals[q] for q in self.present_seats)
        winners = tuple(q for q in self.present_seats if totals[q] == most)
        if len(winners) > 1:
            shared = _(
                "{why}; {most} points are the most, the victory is shared.", why=format_end_reason(self), most=most
            )
            return Outcome(winners, shared)
        return Outcome(winners, _("{why}; {most} points are the most.", why=format_end_reason(self), most=most))

    def build_view(self) -> StarFallView:
        return build_view(self, self.compute_outcome(), format_end_reason(self))

    def _changed_to(self, after: StarFall) -> StarFall:
        same = get_score_kind(self) == get_score_kind(after)
        changes = [now - then for now, then in zip(list_scores(after), list_scores(self), strict=True)]
        return replace(after, changes=tuple(changes) if same else (0,) * self.player_count)

    def _moves(self) -> Iterator[Move]:
        match self.phase:
            case Phase.TURN:
                yield from self._turn()
            case Phase.NAMING:
                yield from self._naming()
            case Phase.PAY:
                yield from self._pay()
            case Phase.CHOOSE | Phase.TABLE:
                yield from (Move("count", q) for q in self.present_seats)
                if self.phase is Phase.TABLE:
                    yield Move("finish")
                elif self.seats_with_proposal:
                    yield Move("accept")
            case Phase.PAGE if self.counting_seat is not None:
                yield from self._page(self.counting_seat)
            case _:
                pass

    def _turn(self) -> Iterator[Move]:
        """F10 to F12."""
        seat = self.active_seat
        if self.can_add:
            yield Move("add", seat, (UNKNOWN_TILE,))
            if self.unseen_tiles:
                yield Move("name", seat)
        for space in self.occupied_spaces:
            yield Move("move", seat, (space,))
            if self.can_pay_for(space):
                yield Move("discover", seat, (space,))
        if self.board_page_count > 1:
            yield Move("page", seat)

    def _naming(self) -> Iterator[Move]:
        yield Move("add", self.active_seat, (UNKNOWN_TILE,))
        for key, choice in enumerate(get_tile_question(self).choices, start=1):
            if len(choice.tile_numbers) == 1:
                yield Move("add", self.active_seat, choice.tile_numbers)
            else:
                yield Move("narrow", self.active_seat, (key,))
        yield Move("back", self.active_seat)

    def _pay(self) -> Iterator[Move]:
        """F13."""
        seat, payment = self.active_seat, self.payment
        assert payment is not None, "the phase of paying"
        if payments.is_enough(self, payment):
            yield Move("pay", seat)
        pages = payments.list_key_pages(self, payment)
        yield from (Move("with", seat, (give.tile_index, give.value)) for page in pages for give in page)
        unsaid = payments.find_unvalued_tile(self, payment)
        if unsaid is not None:
            yield Move("with", seat, (unsaid.tile_index, unsaid.value))
        yield from (Move("dust", seat, (dust,)) for _, dust in payments.list_dust_steps(self, payment))
        if payment.tiles:
            yield Move("without", seat)
        if len(pages) > 1:
            yield Move("page", seat)
        yield Move("cancel", seat)

    def _page(self, seat: Seat) -> Iterator[Move]:
        held = self.symbol_counts[seat][self.line_index]
        yield from (Move("more", seat, (n,)) for n in range(1, NUMBER_KEY_COUNT + 1) if held + n <= MAX_SYMBOL_COUNT)
        if held:
            yield Move("less", seat)
        elif self.line_index:
            yield Move("back line", seat)
        else:
            yield Move("leave", seat)
        yield Move("next line", seat)
        if self.counted[seat]:
            yield Move("done", seat)


def format_end_reason(game: Position) -> str:
    """Why the game ended, without the rule's number."""
    ended = game.ended.partition(": ")[2]
    return ended[:1].upper() + ended[1:]
