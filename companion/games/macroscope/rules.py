"""Macroscope as a frozen value: what the rules allow, and what comes of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from companion.games.api.game import (
    Correctable,
    Correction,
    GameClock,
    IllegalMove,
    Move,
    Outcome,
    Seat,
    ValueRange,
    is_legal,
)
from companion.games.macroscope import corrections, transitions
from companion.games.macroscope.illegal_moves import explain_refusal
from companion.games.macroscope.settings import MAX_TOKEN_NUMBER, Settings
from companion.games.macroscope.state import SUPPLY_CRYSTALS, MacroscopeState, get_start_phase
from companion.games.macroscope.view import AskingReason, MacroscopeView, Phase
from companion.i18n import N_, Translator

_ = Translator("macroscope")

ROLL_RANGE = ValueRange(2, 1, 6)


@dataclass(frozen=True, slots=True)
class Macroscope(MacroscopeState):
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
    def create(cls, player_count: int, first_seat: Seat, settings: Settings) -> Macroscope:
        """M1 to M6: the game at its start.

        Raises:
            ValueError: too few or too many players, or no such seat.
        """
        if not settings.players_min <= player_count <= settings.players_max:
            raise ValueError(
                f"Macroscope is for {settings.players_min} to {settings.players_max} players, not {player_count}"
            )
        if not 0 <= first_seat < player_count:
            raise ValueError(f"seat {first_seat} cannot begin among {player_count} players")
        return cls(
            settings=settings,
            crystals=(settings.start_crystals,) * player_count,
            active_seat=first_seat,
            phase=get_start_phase(settings),
            tokens=(settings.tokens_per_number,) * MAX_TOKEN_NUMBER,
            changes=(0,) * player_count,
            crystals_at_round_start=(settings.start_crystals,) * player_count,
        )

    def list_moves(self) -> Sequence[Move]:
        return tuple(self._moves())

    def play(self, move: Move) -> Macroscope:
        if not is_legal(self, move):
            raise IllegalMove(explain_refusal(self, move))
        return self._changed_to(transitions.apply_move(self, move))

    def list_correctables(self) -> Sequence[Correctable]:
        return corrections.list_correctables(self)

    def correct(self, correction: Correction) -> Macroscope:
        return self._changed_to(corrections.apply_correction(self, correction))

    def list_clocks(self) -> Sequence[GameClock]:
        """House timers. A turn's clock only reminds; the asking's closes it."""
        clocks = []
        if self.settings.turn_seconds and (self.phase is Phase.ROLL or self.is_active_free):
            clocks.append(GameClock(f"turn {self.turn_number}", self.settings.turn_seconds))
        if self.settings.ask_seconds and self.phase is Phase.ASKING and self.asking_reason is not None:
            name = f"anyone else, turn {self.turn_number}, {self.asking_reason}, {len(self.guessers)} so far"
            clocks.append(GameClock(name, self.settings.ask_seconds, Move("close", self.active_seat)))
        return tuple(clocks)

    def compute_scores(self) -> Mapping[Seat, int]:
        return {Seat(q): held for q, held in enumerate(self.crystals)}

    def compute_outcome(self) -> Outcome | None:
        """M61: most crystals; several share the victory."""
        if self.phase is not Phase.OVER:
            return None
        most = max(self.crystals)
        winners = tuple(seat for seat, held in self.compute_scores().items() if held == most)
        shared = N_("All {rounds} rounds are scored; {most} crystals are the most, the victory is shared.")
        alone = N_("All {rounds} rounds are scored; {most} crystals are the most.")
        return Outcome(winners, _(shared if len(winners) > 1 else alone, rounds=self.settings.rounds, most=most))

    def build_view(self) -> MacroscopeView:
        return MacroscopeView(
            phase=self.phase,
            asking_reason=self.asking_reason,
            variant=self.settings.variant,
            active_seat=self.active_seat,
            round_number=self.round_number,
            round_count=self.settings.rounds,
            crystals=self.crystals,
            tokens=self.tokens,
            covered_windows=self.covered_windows,
            guess_value=self.guess_value,
            is_value_frozen=self.frozen_value is not None,
            dice=self.dice,
            used_dice=self.used_dice,
            takeable_tokens=self.takeable_tokens,
            opened_windows=self.opened_windows,
            may_wish=self.may_wish,
            wish_queue=self.wish_queue,
            called_seat=self.called_seat,
            pick_candidates=self.first_in_queue if self.phase is Phase.PICK else (),
            guessers=self.guessers,
            changes=self.changes,
            cards_used=self.cards_used,
            is_deck_empty=self.is_deck_empty,
            is_supply_exceeded=sum(self.crystals) > SUPPLY_CRYSTALS,
            outcome=self.compute_outcome(),
        )

    def _changed_to(self, after: Macroscope) -> Macroscope:
        changes = tuple(now - then for now, then in zip(after.crystals, self.crystals, strict=True))
        return replace(after, changes=changes)

    def _moves(self) -> Iterator[Move]:
        if self.may_renew:
            yield Move("renew")
        match self.phase:
            case Phase.ROLL:
                yield Move("roll", self.active_seat, value_range=ROLL_RANGE)
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
        yield from (Move("remove", self.active_seat, (n,)) for n in self.takeable_tokens)
        if self.opened_windows:
            yield Move("guess", self.active_seat)
            yield Move("stop", self.active_seat)
        if self.may_ask:
            yield Move("ask", self.active_seat)

    def _asking_moves(self) -> Iterator[Move]:
        """M33. Those among whom the active player is picking withdraw, if they will, when they are called."""
        if self.asking_reason is AskingReason.MEANWHILE:
            yield from self._active_moves()
        yield from (Move("wish", q) for q in self.may_wish)
        picking = self.first_in_queue if self.phase is Phase.PICK else ()
        yield from (Move("withdraw", q) for q in self.wish_queue if q not in picking)
        yield from (Move("pick", self.active_seat, (q,)) for q in picking)
        if self.phase is Phase.ASKING:
            yield Move("close", self.active_seat)
        if self.phase is Phase.CALLED and self.called_seat is not None:
            yield Move("name", self.called_seat)
