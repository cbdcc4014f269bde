"""Base class of the games: players at the table, play and correct, totals and leaders."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self, TypeVar

from companion.games.api.game import BadCorrection, Correctable, Correction, IllegalMove, Move, Seat, ValueRange
from companion.i18n import Translator

_ = Translator("companion")

ItemT = TypeVar("ItemT")


@dataclass(frozen=True, slots=True, kw_only=True)
class BaseGame(ABC):
    """Skeleton of a game (`companion.games.api.game.Game`); tuples are by seat.

    A game's state derives from it and adds its fields; the game itself derives from the state and binds the functions
    of its other modules: ``_apply_move = transitions.apply_move``, and so on.
    """

    settings: Any
    """House rules: the game's `Settings`."""
    away: tuple[bool, ...]
    """Who has left the table, for now or for good."""
    changes: tuple[int, ...] = ()
    """Change of each total by the last move or correction."""

    UNLISTED_CORRECTIONS: ClassVar[frozenset[str]] = frozenset()
    """Kinds of corrections that stand in no menu: `_apply_correction` checks them itself."""

    @abstractmethod
    def _list_moves(self) -> Iterator[Move]:
        """Yield all legal moves."""

    @abstractmethod
    def _apply_move(self, move: Move) -> Self:
        """Return the state after the legal `move`, all but `changes`."""

    @abstractmethod
    def _explain_refusal(self, move: Move) -> IllegalMove:
        """Return the error that says why `move` is not legal now."""

    @abstractmethod
    def _list_correctables(self) -> Iterator[Correctable]:
        """Yield all that may be corrected: the latest entries first, rare things last."""

    @abstractmethod
    def _apply_correction(self, correction: Correction) -> Self:
        """Return the state as the table shows it, all but `changes`; kind, seat and value have been checked."""

    @property
    @abstractmethod
    def totals(self) -> tuple[int, ...]:
        """Points as of now."""

    @property
    def player_count(self) -> int:
        """Number of seats."""
        return len(self.away)

    @property
    def present_seats(self) -> tuple[Seat, ...]:
        """Everybody who is not away."""
        return tuple(Seat(q) for q, is_away in enumerate(self.away) if not is_away)

    @property
    def leaders(self) -> tuple[Seat, ...]:
        """Who has the highest total."""
        most = max(self.totals)
        return tuple(Seat(q) for q, total in enumerate(self.totals) if total == most)

    def list_others(self, seat: Seat) -> tuple[Seat, ...]:
        """Return all other seats, clockwise from the left of `seat`."""
        return tuple(Seat((seat + step) % self.player_count) for step in range(1, self.player_count))

    def find_next_seat(self, seat: Seat) -> Seat:
        """Return the next player clockwise who is not away; `seat` if there is no other."""
        return next((q for q in self.list_others(seat) if not self.away[q]), seat)

    def set_away(self, seat: Seat, is_away: bool) -> Self:
        """Return the game with `seat` away or back."""
        return replace(self, away=replace_at(self.away, seat, is_away))

    def list_moves(self) -> Sequence[Move]:
        """See `Game.list_moves`."""
        return tuple(self._list_moves())

    def play(self, move: Move) -> Self:
        """See `Game.play`."""
        if not any(allowed.allows(move) for allowed in self._list_moves()):
            raise self._explain_refusal(move)
        return self._with_changes(self._apply_move(move))

    def list_correctables(self) -> Sequence[Correctable]:
        """See `Game.list_correctables`."""
        return tuple(self._list_correctables())

    def find_correctable(self, correction: Correction) -> Correctable | None:
        """Return what `correction` is about; None: it cannot be corrected now."""
        return next((entry for entry in self._list_correctables() if entry.is_about(correction)), None)

    def correct(self, correction: Correction) -> Self:
        """See `Game.correct`."""
        if correction.kind not in self.UNLISTED_CORRECTIONS:
            entry = self.find_correctable(correction)
            if entry is None:
                raise BadCorrection("", _("{what} cannot be corrected now", what=correction.stored_kind))
            entry.make_correction(*correction.value)
        return self._with_changes(self._apply_correction(correction))

    def compute_scores(self) -> Mapping[Seat, int]:
        """See `Game.compute_scores`."""
        return {Seat(q): total for q, total in enumerate(self.totals)}

    def _with_changes(self, after: Self) -> Self:
        """Return `after` with what it adds to the totals of this game."""
        return replace(after, changes=tuple(now - then for now, then in zip(after.totals, self.totals, strict=True)))


def check_start(title: str, player_counts: range, player_count: int, first_seat: Seat) -> None:
    """Check what a game is started with.

    Raises:
        ValueError: `player_count` is not in `player_counts`, or there is no such first seat.
    """
    if player_count not in player_counts:
        few, many = player_counts[0], player_counts[-1]
        raise ValueError(f"{title} is for {few} to {many} players, not {player_count}")
    if not 0 <= first_seat < player_count:
        raise ValueError(f"seat {first_seat} cannot begin among {player_count} players")


def list_by_seat(
    kind: str, values: Iterable[int], low: int, high: int, index: tuple[int, ...] = ()
) -> Iterator[Correctable]:
    """Yield a correctable for each seat's value; its range is `low` to `high`, wider if the value is outside."""
    for q, value in enumerate(values):
        value_range = ValueRange(1, min(low, value), max(high, value))
        yield Correctable(kind, Seat(q), (int(value),), value_range, index)


def replace_at(values: tuple[ItemT, ...], place: int, value: ItemT) -> tuple[ItemT, ...]:
    """Return `values` with another one at `place` (from 0)."""
    return (*values[:place], value, *values[place + 1 :])
