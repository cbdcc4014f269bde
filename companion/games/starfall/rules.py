"""StarFall as a frozen value: what the rules allow, and what comes of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from companion.games.api.game import Clock, Correctable, Correction, IllegalMove, Move, Outcome, Seat, legal
from companion.games.starfall import corrections, transitions
from companion.games.starfall import payment as payments
from companion.games.starfall.illegal_moves import refusal
from companion.games.starfall.settings import MOST, Settings
from companion.games.starfall.state import KEYS, UNKNOWN, Position
from companion.games.starfall.tile_identification import naming
from companion.games.starfall.view import Phase, StarFallView
from companion.games.starfall.view_builder import scores_are, shown, standing
from companion.i18n import Words

_ = Words("starfall")

FIRST_WHITES = 7
"""F1: white tokens at the start, beside the orange ones."""


@dataclass(frozen=True, slots=True)
class StarFall(Position):
    """A game of StarFall (`companion.games.api.game.Game`).

    >>> game = StarFall.new(2, Seat(0), Settings()).play(Move("add", Seat(0), (0,)))
    >>> game.play(Move("discover", Seat(1), (9,))).dust
    (32, 23)
    >>> game.play(Move("discover", Seat(1), (8,)))
    Traceback (most recent call last):
    ...
    companion.games.api.game.IllegalMove: F12: there is no tile on 8
    """

    @classmethod
    def new(cls, players: int, first: Seat, settings: Settings) -> StarFall:
        """F1 to F3: the game at its start.

        Raises:
            ValueError: too few or too many players, or no such seat.
        """
        if not settings.players_min <= players <= settings.players_max:
            raise ValueError(f"StarFall is for {settings.players_min} to {settings.players_max} players, not {players}")
        if not 0 <= first < players:
            raise ValueError(f"seat {first} cannot begin among {players} players")
        dust = settings.start_dust
        game = cls(
            settings=settings,
            dust=(dust,) * players,
            whites=(dust - payments.FIVE * (max(0, dust - FIRST_WHITES) // payments.FIVE),) * players,
            tiles=((),) * players,
            away=(False,) * players,
            active=first,
            pile=settings.pile(players),
            changes=(0,) * players,
        )
        return transitions.uncounted(game)

    def moves(self) -> Sequence[Move]:
        return tuple(self._moves())

    def play(self, move: Move) -> StarFall:
        if not legal(self, move):
            raise IllegalMove(refusal(self, move))
        return self._changed_to(transitions.step(self, move))

    def correctables(self) -> Sequence[Correctable]:
        return corrections.correctables(self)

    def correct(self, correction: Correction) -> StarFall:
        return self._changed_to(corrections.corrected(self, correction))

    def clocks(self) -> Sequence[Clock]:
        """The house timer; it only reminds."""
        if self.ended or not self.settings.turn_seconds:
            return ()
        return (Clock(f"turn {self.turn}", self.settings.turn_seconds),)

    def scores(self) -> Mapping[Seat, int]:
        """What can be known: the dust while the game goes on, the points once tiles are counted.

        With `running_score`, the points as if the game ended now, as long as the catalogue knows every tile taken.
        """
        return {Seat(q): score for q, score in enumerate(standing(self))}

    def outcome(self) -> Outcome | None:
        """F37: highest total; several share the victory."""
        if self.phase is not Phase.OVER:
            return None
        totals = standing(self)
        most = max(totals[q] for q in self.present)
        winners = tuple(q for q in self.present if totals[q] == most)
        if len(winners) > 1:
            shared = _("{why}; {most} points are the most, the victory is shared.", why=why(self), most=most)
            return Outcome(winners, shared)
        return Outcome(winners, _("{why}; {most} points are the most.", why=why(self), most=most))

    def view(self) -> StarFallView:
        return shown(self, self.outcome(), why(self))

    def _changed_to(self, after: StarFall) -> StarFall:
        same = scores_are(self) == scores_are(after)
        changes = [now - then for now, then in zip(standing(after), standing(self), strict=True)]
        return replace(after, changes=tuple(changes) if same else (0,) * self.players)

    def _moves(self) -> Iterator[Move]:
        match self.phase:
            case Phase.TURN:
                yield from self._turn()
            case Phase.NAMING:
                yield from self._naming()
            case Phase.PAY:
                yield from self._pay()
            case Phase.CHOOSE | Phase.TABLE:
                yield from (Move("count", q) for q in self.present)
                if self.phase is Phase.TABLE:
                    yield Move("finish")
                elif self.proposals:
                    yield Move("accept")
            case Phase.PAGE if self.counting is not None:
                yield from self._page(self.counting)
            case _:
                pass

    def _turn(self) -> Iterator[Move]:
        """F10 to F12."""
        seat = self.active
        if self.may_add:
            yield Move("add", seat, (UNKNOWN,))
            if self.unseen:
                yield Move("name", seat)
        for space in self.spaces:
            yield Move("move", seat, (space,))
            if self.payable(space):
                yield Move("discover", seat, (space,))
        if self.board_pages > 1:
            yield Move("page", seat)

    def _naming(self) -> Iterator[Move]:
        yield Move("add", self.active, (UNKNOWN,))
        for key, choice in enumerate(naming(self).choices, start=1):
            if len(choice.numbers) == 1:
                yield Move("add", self.active, choice.numbers)
            else:
                yield Move("narrow", self.active, (key,))
        yield Move("back", self.active)

    def _pay(self) -> Iterator[Move]:
        """F13."""
        seat, payment = self.active, self.payment
        assert payment is not None, "the phase of paying"
        if payments.enough(self, payment):
            yield Move("pay", seat)
        pages = payments.pages(self, payment)
        yield from (Move("with", seat, (give.index, give.worth)) for page in pages for give in page)
        unsaid = payments.unsaid(self, payment)
        if unsaid is not None:
            yield Move("with", seat, (unsaid.index, unsaid.worth))
        yield from (Move("dust", seat, (dust,)) for _, dust in payments.dust_steps(self, payment))
        if payment.tiles:
            yield Move("without", seat)
        if len(pages) > 1:
            yield Move("page", seat)
        yield Move("cancel", seat)

    def _page(self, seat: Seat) -> Iterator[Move]:
        held = self.counts[seat][self.line]
        yield from (Move("more", seat, (n,)) for n in range(1, KEYS + 1) if held + n <= MOST)
        if held:
            yield Move("less", seat)
        elif self.line:
            yield Move("back line", seat)
        else:
            yield Move("leave", seat)
        yield Move("next line", seat)
        if self.counted[seat]:
            yield Move("done", seat)


def why(game: Position) -> str:
    """Why the game ended, without the rule's number."""
    ended = game.ended.partition(": ")[2]
    return ended[:1].upper() + ended[1:]
