"""Macroscope as a frozen value: what the rules allow, and what comes of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from companion.games.api.game import Clock, Correctable, Correction, IllegalMove, Move, Outcome, Range, Seat, legal
from companion.games.macroscope import corrections, transitions
from companion.games.macroscope.illegal_moves import refusal
from companion.games.macroscope.settings import NUMBERS, Settings
from companion.games.macroscope.state import CRYSTALS, Position, start_phase
from companion.games.macroscope.view import Asking, MacroscopeView, Phase
from companion.i18n import N_, Words

_ = Words("macroscope")

ROLL = Range(2, 1, 6)


@dataclass(frozen=True, slots=True)
class Macroscope(Position):
    """A game of Macroscope (`companion.games.api.game.Game`).

    >>> game = Macroscope.new(2, Seat(0), Settings()).play(Move("roll", Seat(0), (2, 5)))
    >>> [move.value for move in game.moves()]
    [(2,), (5,)]
    >>> game.play(Move("remove", Seat(0), (3,)))
    Traceback (most recent call last):
    ...
    companion.games.api.game.IllegalMove: M11: the dice allow a 2 or a 5, not a 3
    """

    @classmethod
    def new(cls, players: int, first: Seat, settings: Settings) -> Macroscope:
        """M1 to M6: the game at its start.

        Raises:
            ValueError: too few or too many players, or no such seat.
        """
        if not settings.players_min <= players <= settings.players_max:
            raise ValueError(
                f"Macroscope is for {settings.players_min} to {settings.players_max} players, not {players}"
            )
        if not 0 <= first < players:
            raise ValueError(f"seat {first} cannot begin among {players} players")
        return cls(
            settings=settings,
            crystals=(settings.start_crystals,) * players,
            active=first,
            phase=start_phase(settings),
            tokens=(settings.copies,) * NUMBERS,
            changes=(0,) * players,
            at_round=(settings.start_crystals,) * players,
        )

    def moves(self) -> Sequence[Move]:
        return tuple(self._moves())

    def play(self, move: Move) -> Macroscope:
        if not legal(self, move):
            raise IllegalMove(refusal(self, move))
        return self._changed_to(transitions.step(self, move))

    def correctables(self) -> Sequence[Correctable]:
        return corrections.correctables(self)

    def correct(self, correction: Correction) -> Macroscope:
        return self._changed_to(corrections.corrected(self, correction))

    def clocks(self) -> Sequence[Clock]:
        """House timers. A turn's clock only reminds; the asking's closes it."""
        clocks = []
        if self.settings.turn_seconds and (self.phase is Phase.ROLL or self.active_is_free):
            clocks.append(Clock(f"turn {self.turn}", self.settings.turn_seconds))
        if self.settings.ask_seconds and self.phase is Phase.ASKING and self.asking is not None:
            name = f"anyone else, turn {self.turn}, {self.asking}, {len(self.guessers)} so far"
            clocks.append(Clock(name, self.settings.ask_seconds, Move("close", self.active)))
        return tuple(clocks)

    def scores(self) -> Mapping[Seat, int]:
        return {Seat(q): held for q, held in enumerate(self.crystals)}

    def outcome(self) -> Outcome | None:
        """M61: most crystals; several share the victory."""
        if self.phase is not Phase.OVER:
            return None
        most = max(self.crystals)
        winners = tuple(seat for seat, held in self.scores().items() if held == most)
        shared = N_("All {rounds} rounds are scored; {most} crystals are the most, the victory is shared.")
        alone = N_("All {rounds} rounds are scored; {most} crystals are the most.")
        return Outcome(winners, _(shared if len(winners) > 1 else alone, rounds=self.settings.rounds, most=most))

    def view(self) -> MacroscopeView:
        return MacroscopeView(
            phase=self.phase,
            asking=self.asking,
            variant=self.settings.variant,
            active=self.active,
            marker=self.marker,
            rounds=self.settings.rounds,
            crystals=self.crystals,
            tokens=self.tokens,
            covered=self.covered,
            value=self.value,
            frozen=self.frozen_value is not None,
            dice=self.dice,
            dice_used=self.dice_used,
            takeable=self.takeable,
            opened=self.opened,
            can_wish=self.can_wish,
            wishes=self.queue,
            called=self.called,
            pick_from=self.first_in_queue if self.phase is Phase.PICK else (),
            guessers=self.guessers,
            changes=self.changes,
            cards_used=self.cards_used,
            deck_empty=self.deck_empty,
            reserve_hint=sum(self.crystals) > CRYSTALS,
            outcome=self.outcome(),
        )

    def _changed_to(self, after: Macroscope) -> Macroscope:
        changes = tuple(now - then for now, then in zip(after.crystals, self.crystals, strict=True))
        return replace(after, changes=changes)

    def _moves(self) -> Iterator[Move]:
        if self.may_renew:
            yield Move("renew")
        match self.phase:
            case Phase.ROLL:
                yield Move("roll", self.active, open=ROLL)
            case Phase.COVER:
                yield Move("cover")
            case Phase.REVEAL:
                yield from (Move("right", q) for q in self.guessers)
                yield Move("nobody")
            case Phase.OPEN:
                yield from self._active_moves()
            case Phase.ASKING | Phase.PICK | Phase.CALLED:
                yield from self._asking_moves()
            case Phase.OVER:
                pass

    def _active_moves(self) -> Iterator[Move]:
        """M14, and M30's asking; the same while he has declined only for the moment."""
        yield from (Move("remove", self.active, (n,)) for n in self.takeable)
        if self.opened:
            yield Move("guess", self.active)
            yield Move("stop", self.active)
        if self.may_ask:
            yield Move("ask", self.active)

    def _asking_moves(self) -> Iterator[Move]:
        """M33. Those among whom the active player is picking withdraw, if they will, when they are called."""
        if self.asking is Asking.MEANWHILE:
            yield from self._active_moves()
        yield from (Move("wish", q) for q in self.can_wish)
        picking = self.first_in_queue if self.phase is Phase.PICK else ()
        yield from (Move("withdraw", q) for q in self.queue if q not in picking)
        yield from (Move("pick", self.active, (q,)) for q in picking)
        if self.phase is Phase.ASKING:
            yield Move("close", self.active)
        if self.phase is Phase.CALLED and self.called is not None:
            yield Move("name", self.called)
