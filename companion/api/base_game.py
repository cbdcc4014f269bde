"""Base class of the games: players at the table, play and correct, totals and leaders."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import sub
from typing import Any, ClassVar, Self, TypeVar

from companion.api.game import BadCorrection, Correctable, Correction, IllegalMove, Move, Reason, Seat, ValueRange
from companion.i18n import Translator

_ = Translator("companion")

ItemT = TypeVar("ItemT")

FIRST_RULINGS = 1
"""Edition of our rulings in games that were begun by versions before 0.2, which stored none."""
CURRENT_RULINGS = 2
"""Edition of our rulings in new games. It grows by 1 when a rule of play changes, so that older games replay as they
were played. What each changed: `docs/rules/README.md`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BaseGame(ABC):
    """Skeleton of a game (`companion.api.game.Game`); tuples are by seat.

    A game's state derives from it and adds its fields; the game itself derives from the state and binds the functions
    of its other modules: ``_apply_move = transitions.apply_move``, and so on.
    """

    settings: Any
    """House rules: the `Settings` of the game."""
    away: tuple[bool, ...]
    """By seat: whether the player has left the table, for now or for good."""
    changes: tuple[int, ...] = ()
    """By seat: change of the total by the last move or correction, in points of the game."""
    rulings: int = CURRENT_RULINGS
    """Edition of our rulings by which the game is played, from `FIRST_RULINGS` to `CURRENT_RULINGS`."""

    translate: ClassVar[Translator]
    """Translates the messages of the game's catalogue."""
    MOVE_RULE: ClassVar[str]
    """Rule that says which moves there are and whose: for refusals that no other rule explains."""
    UNLISTED_CORRECTIONS: ClassVar[frozenset[str]] = frozenset()
    """Kinds of corrections that `list_correctables` does not list; `_apply_correction` checks their values."""

    def explain_end(self) -> Reason | None:
        """Return why no move at all is legal: the game is over; None while it goes on."""
        return None

    def get_active_seat(self) -> Seat:
        """Return whose turn it is, in games with turns."""
        raise NotImplementedError

    def explain_turn(self, rule: str) -> Reason:
        """Return, with that rule, why it is not the turn of another player, in games with turns."""
        raise NotImplementedError

    def change_active_seat(self, seat: Seat) -> Self:
        """Return the game in which it is the turn of `seat`, in games with turns."""
        raise NotImplementedError

    def change_away(self, seat: Seat, is_away: bool) -> Self:
        """Return the game after a player left the table or came back, with all that follows by the rules.

        Raises:
            BadCorrection: the player has to stay.
        """
        return self.set_away(seat, is_away)

    def fill_in(self, move: Move, names: Sequence[str]) -> Mapping[str, object]:
        """Return what the line of a move's log may name besides {who}; asked of the game before the move."""
        return {}

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
        """By seat: total now, in the game's own unit (points, crystals, number of a square); see the game's class."""

    @property
    def player_count(self) -> int:
        """Number of seats in the game, players who are away included."""
        return len(self.away)

    @property
    def present_seats(self) -> tuple[Seat, ...]:
        """Seats of the players who are not away, ascending."""
        return tuple(Seat(q) for q, is_away in enumerate(self.away) if not is_away)

    @property
    def leaders(self) -> tuple[Seat, ...]:
        """All seats with the highest total, ascending; players who are away included."""
        most = max(self.totals)
        return tuple(Seat(q) for q, total in enumerate(self.totals) if total == most)

    def list_others(self, seat: Seat) -> tuple[Seat, ...]:
        """Return all other seats, present or away, clockwise from the left neighbour of `seat`, a seat of the game."""
        return tuple(Seat((seat + step) % self.player_count) for step in range(1, self.player_count))

    def find_next_seat(self, seat: Seat) -> Seat:
        """Return the next seat clockwise from `seat` whose player is not away; `seat` itself if there is no other.

        Args:
            seat: a seat of the game; its player may be away.
        """
        return next((q for q in self.list_others(seat) if not self.away[q]), seat)

    def set_away(self, seat: Seat, is_away: bool) -> Self:
        """Return the game with the player of `seat` marked as away or back; `changes` stays as it is.

        Neither the seat, nor whose turn it is, nor whether enough players are left is checked: use `correct` with
        `CommonCorrection.AWAY` for that.

        Args:
            seat: from 0 to `player_count` - 1.
            is_away: True: the player is away; False: back.
        """
        return replace(self, away=replace_at(self.away, seat, is_away))

    def list_moves(self) -> Sequence[Move]:
        """Return all legal moves; empty: the game is over.

        A move whose value the table supplies is listed once, as an open move: without its value, with a `value_range`.
        """
        return tuple(self._list_moves())

    def play(self, move: Move) -> Self:
        """Return the game after `move`, with `changes` set; the game itself stays as it is.

        Args:
            move: a complete move, legal or not: an open one (with a `value_range`) is refused, `Move.fill` completes
                it.

        Raises:
            IllegalMove: the rules forbid the move now; the error names the rule.
        """
        if not any(allowed.allows(move) for allowed in self._list_moves()):
            raise self._explain_refusal(move)
        return self._with_changes(self._apply_move(move))

    def list_correctables(self) -> Sequence[Correctable]:
        """Return everything that may be corrected now, with present values: recent entries first, rare ones last."""
        return tuple(self._list_correctables())

    def find_correctable(self, correction: Correction) -> Correctable | None:
        """Return the entry of `list_correctables` with the kind, seat and index of `correction`, for any value of it.

        None: there is none, so that it cannot be corrected now.
        """
        return next((entry for entry in self._list_correctables() if entry.is_about(correction)), None)

    def correct(self, correction: Correction) -> Self:
        """Return the game with `correction` applied and `changes` set; the game itself stays as it is.

        Args:
            correction: for one of `list_correctables`, or of a kind in `UNLISTED_CORRECTIONS`.

        Raises:
            BadCorrection: this cannot be corrected now, the value is out of range, or no table could show that.
        """
        if correction.kind not in self.UNLISTED_CORRECTIONS:
            entry = self.find_correctable(correction)
            if entry is None:
                raise BadCorrection("", _("{what} cannot be corrected now", what=correction.stored_kind))
            entry.make_correction(*correction.value)
        return self._with_changes(self._apply_correction(correction))

    def _with_changes(self, after: Self) -> Self:
        """Return `after` with what it adds to the totals of this game."""
        return replace(after, changes=tuple(map(sub, after.totals, self.totals)))


def check_start(title: str, player_counts: range, player_count: int, first_seat: Seat) -> None:
    """Check the number of players and the first seat of a new game.

    Args:
        title: title of the game, for the message.
        player_counts: allowed numbers of players; not empty.
        player_count: number of players.
        first_seat: seat that begins, from 0.

    Raises:
        ValueError: `player_count` is not in `player_counts`, or `first_seat` is not from 0 to `player_count` - 1.
    """
    if player_count not in player_counts:
        raise ValueError(f"{title} is for {format_player_counts(player_counts)}, not {player_count}")
    if not 0 <= first_seat < player_count:
        raise ValueError(f"seat {first_seat} cannot begin among {player_count} players")


def format_player_counts(player_counts: range) -> str:
    """Return allowed numbers of players in English: "2 to 6 players", "2 players".

    Args:
        player_counts: not empty.
    """
    few, many = player_counts[0], player_counts[-1]
    return f"{few} players" if few == many else f"{few} to {many} players"


def list_by_seat(
    kind: str, values: Iterable[int], low: int, high: int, index: tuple[int, ...] = ()
) -> Iterator[Correctable]:
    """Yield one entry that may be corrected for each seat, with one number as its value.

    Args:
        kind: kind of the correction.
        values: present values by seat; True counts as 1.
        low: lowest value that may be entered; a present value below it is allowed as well.
        high: highest value that may be entered; a present value above it is allowed as well.
        index: index of the correction, as in `Correction.index`.
    """
    for q, value in enumerate(values):
        value_range = ValueRange(1, min(low, value), max(high, value))
        yield Correctable(kind, Seat(q), (int(value),), value_range, index)


def replace_at(values: tuple[ItemT, ...], place: int, value: ItemT) -> tuple[ItemT, ...]:
    """Return `values` with `value` in place of the item at index `place`, which counts from 0 and must be in range."""
    return (*values[:place], value, *values[place + 1 :])
