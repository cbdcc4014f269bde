"""Macroscope as a frozen value: legal moves, clocks, outcome and view."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from companion.api import GameClock, Move, Outcome, Seat, ValueRange, check_start
from companion.games.macroscope import corrections, illegal_moves, transitions
from companion.games.macroscope.settings import MAX_TOKEN_NUMBER, Settings
from companion.games.macroscope.state import (
    AskingReason,
    CorrectionKind,
    MacroscopeState,
    MoveKind,
    Phase,
    get_start_phase,
)
from companion.i18n import N_, Translator

_ = Translator("macroscope")

ROLL_RANGE = ValueRange(2, 1, 6)
"""M10: a roll is two dice."""


@dataclass(frozen=True, slots=True)
class Macroscope(MacroscopeState):
    """A game of Macroscope (`companion.api.game.Game`).

    >>> game = Macroscope.create(2, Seat(0), Settings()).play(Move("roll", Seat(0), (2, 5)))
    >>> [move.value for move in game.list_moves()]
    [(2,), (5,)]
    >>> game.play(Move("remove", Seat(0), (3,)))
    Traceback (most recent call last):
    ...
    companion.api.game.IllegalMove: M11: the dice allow a 2 or a 5, not a 3
    """

    UNLISTED_CORRECTIONS = frozenset({CorrectionKind.LET_STAND})
    _apply_move = transitions.apply_move
    _explain_refusal = illegal_moves.explain_refusal
    _list_correctables = corrections.list_correctables
    _apply_correction = corrections.apply_correction

    @classmethod
    def create(cls, player_count: int, first_seat: Seat, settings: Settings) -> Macroscope:
        """Return a game at its start (M1 to M6).

        Args:
            player_count: number of players, within `settings.player_counts`.
            first_seat: seat that begins, from 0.
            settings: house rules.

        Raises:
            ValueError: `player_count` is not allowed, or `first_seat` is not from 0 to `player_count` - 1.
        """
        check_start("Macroscope", settings.player_counts, player_count, first_seat)
        return cls(
            settings=settings,
            crystals=(settings.start_crystals,) * player_count,
            active_seat=first_seat,
            phase=get_start_phase(settings),
            tokens=(settings.tokens_per_number,) * MAX_TOKEN_NUMBER,
            away=(False,) * player_count,
            changes=(0,) * player_count,
            crystals_at_round_start=(settings.start_crystals,) * player_count,
        )

    def list_clocks(self) -> Sequence[GameClock]:
        """Return the house timers that should run now, lengths in seconds; empty: none is set.

        The clock of a turn only reminds; the clock of the asking closes it with CLOSE.
        """
        clocks = []
        if self.settings.turn_seconds and (self.phase is Phase.ROLL or self.is_active_free):
            clocks.append(GameClock(f"turn {self.turn_number}", self.settings.turn_seconds, label=_("Turn")))
        if self.settings.ask_seconds and self.phase is Phase.ASKING:
            name = f"anyone else, turn {self.turn_number}, {self.asking_reason}, {len(self.guessers)} so far"
            close = Move(MoveKind.CLOSE, self.active_seat)
            clocks.append(GameClock(name, self.settings.ask_seconds, close, _("Anyone else?")))
        return tuple(clocks)

    def compute_outcome(self) -> Outcome | None:
        """Return who has most crystals (M61; several share the victory), and the reason; None before the end."""
        if self.phase is not Phase.OVER:
            return None
        shared = N_("All {rounds} rounds are scored; {most} crystals are the most, the victory is shared.")
        alone = N_("All {rounds} rounds are scored; {most} crystals are the most.")
        return Outcome(
            self.leaders,
            _(shared if len(self.leaders) > 1 else alone, rounds=self.settings.rounds, most=max(self.crystals)),
        )

    def _list_moves(self) -> Iterator[Move]:
        if self.may_renew:
            yield Move(MoveKind.RENEW)
        match self.phase:
            case Phase.ROLL:
                yield Move(MoveKind.ROLL, self.active_seat, value_range=ROLL_RANGE)
            case Phase.COVER:
                yield Move(MoveKind.COVER)
            case Phase.REVEAL:
                yield from (Move(MoveKind.RIGHT, q) for q in self.guessers)
                yield Move(MoveKind.NOBODY)
            case Phase.OPEN:
                yield from self._list_active_moves()
            case Phase.ASKING | Phase.PICK | Phase.CALLED:
                yield from self._list_asking_moves()

    def _list_active_moves(self) -> Iterator[Move]:
        """M14, and M30's asking; the same while the active player has declined only for the moment."""
        yield from (Move(MoveKind.REMOVE, self.active_seat, (n,)) for n in self.takeable_tokens)
        if self.opened_windows:
            yield Move(MoveKind.GUESS, self.active_seat)
            yield Move(MoveKind.STOP, self.active_seat)
        if self.may_ask:
            yield Move(MoveKind.ASK, self.active_seat)

    def _list_asking_moves(self) -> Iterator[Move]:
        """M33. Those among whom the active player is picking may withdraw only when they are called."""
        if self.asking_reason is AskingReason.MEANWHILE:
            yield from self._list_active_moves()
        yield from (Move(MoveKind.WISH, q) for q in self.may_wish)
        yield from (Move(MoveKind.WITHDRAW, q) for q in self.wish_queue if q not in self.pick_candidates)
        yield from (Move(MoveKind.PICK, self.active_seat, (q,)) for q in self.pick_candidates)
        if self.phase is Phase.ASKING:
            yield Move(MoveKind.CLOSE, self.active_seat)
        if self.called_seat is not None:
            yield Move(MoveKind.NAME, self.called_seat)
