"""Base of all games' states: players at the table, totals, leaders, and whose turn it is."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Self, TypeVar

from companion.api.move import Correctable, GameClock, Move, Outcome, Reason, Seat, ValueRange
from companion.i18n import Translator

ItemT = TypeVar("ItemT")


@dataclass(frozen=True, slots=True, kw_only=True)
class GameState(ABC):
    """Players, house rules and totals of a game: what moves and corrections are declared for; tuples are by seat."""

    settings: Any
    """House rules: the `Settings` of the game."""
    away: tuple[bool, ...]
    """By seat: whether the player has left the table, for now or for good."""
    order: tuple[Seat, ...] = ()
    """Seats clockwise, from any of them on, once somebody has joined or changed places; empty: by their numbers."""
    changes: tuple[int, ...] = ()
    """By seat: change of the total by the last move or correction, in points of the game."""

    _legal_moves: Mapping[str, tuple[Move, ...]] | None = field(
        default=None, init=False, repr=False, compare=False, hash=False
    )
    """Cache of `Game`: the legal moves by kind; None: nobody has asked yet."""

    translate: ClassVar[Translator]
    """Translates the messages of the game's catalogue."""
    MOVE_RULE: ClassVar[str]
    """Rule that says which moves there are and whose: for refusals that no other rule explains."""

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

    def get_log_values(self, move: Move, names: Sequence[str]) -> Mapping[str, object]:
        """Return the values that a move's line in the log may name besides {who}, from the game before the move."""
        return {}

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
    def lowest_wins(self) -> bool:
        """Whether the fewer points, the better; by default not."""
        return False

    @property
    def leaders(self) -> tuple[Seat, ...]:
        """All seats with the best total, ascending; players who are away included."""
        best = min(self.totals) if self.lowest_wins else max(self.totals)
        return tuple(Seat(q) for q, total in enumerate(self.totals) if total == best)

    @property
    def places(self) -> tuple[int, ...]:
        """By seat: place now, from 1; by default the leaders' first, then that of the total.

        >>> from companion.games.counting_tray import GAME
        >>> GAME.create_game(3, Seat(0), GAME.settings_model()).places
        (1, 1, 1)
        """
        leaders, sign = self.leaders, 1 if self.lowest_wins else -1
        return number_places([(q not in leaders, sign * total) for q, total in enumerate(self.totals)])

    def list_team(self, seat: Seat) -> tuple[Seat, ...]:
        """Return the seats whose score is one with that of `seat`, itself included, ascending: by default it alone."""
        return (seat,)

    def list_others(self, seat: Seat) -> tuple[Seat, ...]:
        """Return all other seats, present or away, clockwise from the left neighbour of `seat`, a seat of the game."""
        order = self.order or tuple(map(Seat, range(self.player_count)))
        place = order.index(seat)
        return order[place + 1 :] + order[:place]

    def find_next_seat(self, seat: Seat) -> Seat:
        """Return the next seat clockwise from `seat` whose player is not away; `seat` itself if there is no other.

        >>> from companion.games.counting_tray import GAME
        >>> game = GAME.create_game(3, Seat(0), GAME.settings_model())
        >>> game.find_next_seat(Seat(0)), game.set_away(Seat(1), True).find_next_seat(Seat(0))
        (1, 2)

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

    def set_order(self, order: tuple[Seat, ...]) -> Self:
        """Return the game in which the players sit in this order, clockwise."""
        return replace(self, order=order)

    def add_player(self) -> Self:
        """Return the game with one more player, whose seat has the next number; others keep theirs, and their scores.

        A game that says so (`GameDefinition.can_join`) adds the player to its own tuples by seat, and then calls this.
        """
        seat = Seat(self.player_count)
        order = (*(self.order or map(Seat, range(seat))), seat)
        return replace(self, away=(*self.away, False), order=order, changes=(0,) * (seat + 1))

    def list_clocks(self) -> Sequence[GameClock]:
        """Return the clocks that should run now, with lengths in seconds; by default none."""
        return ()

    @abstractmethod
    def compute_outcome(self) -> Outcome | None:
        """Return the winners and why the game ended (translated); None while it goes on."""


def number_places(keys: Sequence[tuple[bool, int]]) -> tuple[int, ...]:
    """Return the place of each key, from 1; the least key is the best, equal ones share a place, and each counts.

    >>> number_places([(True, -9), (True, -4), (True, -9)])
    (1, 3, 1)
    """
    return tuple(1 + sum(other < key for other in keys) for key in keys)


def check_start(title: str, player_counts: range, player_count: int, first_seat: Seat) -> None:
    """Check the number of players and the first seat of a new game.

    >>> check_start("Stone Race", range(2, 7), 1, Seat(0))
    Traceback (most recent call last):
    ...
    ValueError: Stone Race is for 2 to 6 players, not 1

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

    >>> format_player_counts(range(2, 7)), format_player_counts(range(2, 3))
    ('2 to 6 players', '2 players')

    Args:
        player_counts: not empty.
    """
    few, many = player_counts[0], player_counts[-1]
    return f"{few} players" if few == many else f"{few} to {many} players"


def list_by_seat(
    kind: str, values: Iterable[int], low: int, high: int, index: tuple[int, ...] = ()
) -> Iterator[Correctable]:
    """Yield one entry that may be corrected for each seat, with one number as its value.

    >>> [(entry.seat, entry.current_value) for entry in list_by_seat("total", (12, 7), low=0, high=99)]
    [(0, (12,)), (1, (7,))]

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


def adjust(adjustments: tuple[int, ...], old: Iterable[int], new: Iterable[int]) -> tuple[int, ...]:
    """Return, by seat, what is added to computed numbers so that `new` ones are shown in place of `old` ones.

    >>> adjust((0, 2), old=(10, 12), new=(10, 15))
    (0, 5)
    """
    return tuple(before + after - was for before, was, after in zip(adjustments, old, new, strict=True))


def replace_at(values: tuple[ItemT, ...], place: int, value: ItemT) -> tuple[ItemT, ...]:
    """Return `values` with `value` in place of the item at index `place`, which counts from 0 and must be in range.

    >>> replace_at(("red", "green", "blue"), 1, "white")
    ('red', 'white', 'blue')
    """
    return (*values[:place], value, *values[place + 1 :])


def replace_in_round(
    rounds: tuple[tuple[int, ...], ...], place: int, seat: Seat, points: int
) -> tuple[tuple[int, ...], ...]:
    """Return the points by round and seat with those of one player in one round, counted from 0, replaced.

    >>> replace_in_round(((1, 2), (3, 4)), 1, Seat(0), 9)
    ((1, 2), (9, 4))
    """
    return replace_at(rounds, place, replace_at(rounds[place], seat, points))
