"""A kind of correction, declared once: where it is possible, what it does, its line in the menu and in the log.

Total, earlier round, whose turn it is and who is away are the same in all games and stand here.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from enum import Enum
from typing import Any, Generic

from companion.api.game_state import adjust, list_by_seat, replace_at, replace_in_round
from companion.api.move import BadCorrection, CommonCorrection, Correctable, Correction, Seat, ValueRange
from companion.api.move_kind import StateT
from companion.i18n import N_, _, format_number


class CorrectionKind(ABC, Generic[StateT]):
    """Base class of a kind of correction. A game lists one instance of each in `CORRECTIONS`, in the menu's order.

    >>> class Marker(CorrectionKind):
    ...     kind, label = "marker", N_("the round")
    ...     def list_entries(self, game):
    ...         yield self.make_entry(game, low=1, high=9)
    ...     def apply(self, game, correction):
    ...         return correction.value[0]
    ...
    >>> (entry,) = Marker().list_entries(2)
    >>> Marker().apply(2, entry.make_correction(3))
    3

    Texts are marked with `N_`; the game's catalogue translates them when they are shown.
    """

    kind: str
    """Name in journals: once released it never changes."""
    label: str
    """Its line in the menu; {who} is the player, {n} the first number of its index."""
    is_listed: bool = True
    """Whether it stands in the menu; else only readings of the camera make it."""
    phases: tuple[Enum, ...] = ()
    """Phases of the game in which it is possible at all; empty: in all."""

    def is_due(self, game: StateT) -> bool:
        """Whether it is possible in the phase of `game`."""
        return not self.phases or getattr(game, "phase", None) in self.phases

    @abstractmethod
    def list_entries(self, game: StateT) -> Iterable[Correctable]:
        """Yield what may be corrected; asked only if `is_due`."""

    @abstractmethod
    def apply(self, game: StateT, correction: Correction) -> StateT:
        """Return the game as the table shows it, all but `changes`; the value has been checked.

        Raises:
            BadCorrection: no table could show that.
        """

    def format_label(self, game: StateT, what: Correctable | Correction, names: Sequence[str]) -> str:
        """Return the translated line in the menu."""
        n = what.index[0] if what.index else 0
        return game.translate(self.label, who="" if what.seat is None else names[what.seat], n=n)

    def label_values(self, game: StateT, what: Correctable | Correction, names: Sequence[str]) -> Sequence[str]:
        """Return words for the values, from the lowest up; empty: the numbers themselves."""
        return ()

    def make_entry(
        self, value: int, low: int, high: int, seat: Seat | None = None, index: tuple[int, ...] = ()
    ) -> Correctable:
        """Return an entry whose value is one number, from `low` to `high`.

        >>> Away().make_entry(0, low=0, high=1, seat=Seat(2)).current_value
        (0,)
        """
        return Correctable(self.kind, seat, (int(value),), ValueRange(1, low, high), index)

    def describe(self, before: StateT, what: Correction, old: Correctable, names: Sequence[str]) -> str:
        """Return the translated line of the log: "Corrected: Ada's crystals, 3 to 5".

        `old` is the entry that was corrected, with the value before.
        """
        words = self.label_values(before, old, names)
        was, now = (
            words[value[0] - old.value_range.low] if words else format_number(" ".join(map(str, value)))
            for value in (old.current_value, what.value)
        )
        thing = self.format_label(before, what, names)
        return _("Corrected: {thing}, {old} to {new}", thing=thing, old=was, new=now)


class Score(CorrectionKind[StateT]):
    """One number for each player: the total, or what a player has of something.

    >>> from typing import NamedTuple
    >>> class Purses(NamedTuple):
    ...     crystals: tuple[int, ...]
    ...
    >>> crystals = Score(
    ...     "crystals", N_("{who}'s crystals"), 0, 99,
    ...     get=lambda game: game.crystals, change=lambda game, crystals: Purses(crystals),
    ... )
    >>> crystals.apply(Purses((3, 5)), Correction("crystals", Seat(1), (4,)))
    Purses(crystals=(3, 4))
    >>> [entry.current_value for entry in crystals.list_entries(Purses((3, 5)))]
    [(3,), (5,)]

    Args:
        kind: what journals hold.
        label: line in the menu, with {who}.
        low: lowest number that may be entered; a present one below it is allowed as well.
        high: highest number that may be entered; a present one above it is allowed as well.
        get: game -> the numbers by seat.
        change: (game, the numbers by seat) -> the game with them.
    """

    def __init__(
        self,
        kind: str,
        label: str,
        low: int,
        high: int,
        get: Callable[[StateT], tuple[int, ...]],
        change: Callable[[StateT, tuple[int, ...]], StateT],
    ) -> None:
        self.kind, self.label, self.low, self.high, self.get, self.change = kind, label, low, high, get, change

    def list_entries(self, game: StateT) -> Iterator[Correctable]:
        """Yield the number of each player."""
        return list_by_seat(self.kind, self.get(game), self.low, self.high)

    def apply(self, game: StateT, correction: Correction) -> StateT:
        """Return the game with another number of one player."""
        return self.change(game, replace_at(self.get(game), correction.player, correction.value[0]))


class EarlierRound(CorrectionKind[StateT]):
    """What an earlier round brought each player, the latest round first; {n} in the label is its number.

    >>> from companion.api.game_state import replace_in_round
    >>> points = EarlierRound(
    ...     N_("{who} in round {n}"), 0, 99, lambda rounds: rounds,
    ...     lambda rounds, seat, place, number: replace_in_round(rounds, place, seat, number),
    ... )
    >>> points.apply(((1, 2), (3, 4)), Correction("round", Seat(0), (9,), index=(2,)))
    ((1, 2), (9, 4))

    Args:
        label: line in the menu, with {who} and {n}.
        low: lowest points that may be entered.
        high: highest points that may be entered.
        get: game -> points by round and seat.
        change: (game, seat, index of the round from 0, points) -> the game with them.
        kind: what journals hold.
    """

    def __init__(
        self,
        label: str,
        low: int,
        high: int,
        get: Callable[[StateT], Sequence[tuple[int, ...]]],
        change: Callable[[StateT, Seat, int, int], StateT],
        kind: str = CommonCorrection.ROUND,
    ) -> None:
        self.kind, self.label, self.low, self.high, self.get, self.change = kind, label, low, high, get, change

    def list_entries(self, game: StateT) -> Iterator[Correctable]:
        """Yield the points of each player in each round, the latest round first."""
        for number, scores in reversed([*enumerate(self.get(game), start=1)]):
            yield from list_by_seat(self.kind, scores, self.low, self.high, (number,))

    def apply(self, game: StateT, correction: Correction) -> StateT:
        """Return the game with other points of one player in one round."""
        return self.change(game, correction.player, correction.index[0] - 1, correction.value[0])


class Active(CorrectionKind[StateT]):
    """Whose turn it is: a player who is not away; `GameState.change_active_seat` says what follows.

    >>> from companion.games.counting_tray import GAME
    >>> game = GAME.create_game(2, Seat(0), GAME.settings_model())
    >>> game.correct(Correction("active", value=(1,))).active_seat
    1

    Args:
        rule: rule that forbids the turn of a player who is away; empty: none.
        label: line in the menu.
    """

    kind = CommonCorrection.ACTIVE

    def __init__(self, rule: str, label: str) -> None:
        self.rule, self.label = rule, label

    def is_due(self, game: StateT) -> bool:
        """Whether the game is not over, nor in other phases than `phases`."""
        return super().is_due(game) and game.explain_end() is None

    def list_entries(self, game: StateT) -> Iterator[Correctable]:
        """Yield one entry, whose value is the seat."""
        yield self.make_entry(game.get_active_seat(), 0, game.player_count - 1)

    def apply(self, game: StateT, correction: Correction) -> StateT:
        """Return the game in which it is the turn of another player."""
        seat = Seat(correction.value[0])
        if game.away[seat]:
            if seat == game.get_active_seat():
                return game  # it waits for this player
            raise BadCorrection(self.rule, _("{who} is away"), {"who": seat})
        return game.change_active_seat(seat)

    def label_values(self, game: StateT, what: Correctable | Correction, names: Sequence[str]) -> Sequence[str]:
        """Return the players' names."""
        return names[: game.player_count]


class Away(CorrectionKind[StateT]):
    """Whether a player has left the table; `GameState.change_away` says what follows.

    >>> from companion.games.counting_tray import GAME
    >>> game = GAME.create_game(3, Seat(0), GAME.settings_model()).correct(Correction("away", Seat(0), (1,)))
    >>> game.away, game.active_seat
    ((True, False, False), 1)
    """

    kind = CommonCorrection.AWAY

    def is_due(self, game: StateT) -> bool:
        """Whether the game is not over, nor in other phases than `phases`."""
        return super().is_due(game) and game.explain_end() is None

    def list_entries(self, game: StateT) -> Iterable[Correctable]:
        """Yield an entry for each player: 1 is away."""
        return list_by_seat(self.kind, game.away, 0, 1)

    def apply(self, game: StateT, correction: Correction) -> StateT:
        """Return the game after a player left or came back."""
        return game.change_away(correction.player, bool(correction.value[0]))

    def format_label(self, game: StateT, what: Correctable | Correction, names: Sequence[str]) -> str:
        """Return "Ada is away"."""
        return _("{who} is away", who=names[what.seat or 0])

    def describe(self, before: StateT, what: Correction, old: Correctable, names: Sequence[str]) -> str:
        """Return "Ada is away" or "Ada is back"."""
        return _(N_("{who} is away") if what.value[0] else N_("{who} is back"), who=names[what.player])


def list_score_corrections(
    total_label: str,
    round_label: str,
    limit: int,
    turn: CorrectionKind[Any],
    get_totals: Callable[[Any], tuple[int, ...]],
    get_rounds: Callable[[Any], Sequence[tuple[int, ...]]],
) -> tuple[CorrectionKind[Any], ...]:
    """List totals, whose turn it is and earlier rounds, for a game with the fields `adjustments` and `finished_rounds`.

    >>> turn = Active("", "Whose turn")
    >>> kinds = list_score_corrections("{who}'s total", "{who}'s round {n}", 99, turn, lambda game: (), lambda game: ())
    >>> [str(kind.kind) for kind in kinds]
    ['total', 'active', 'round']

    Args:
        total_label: line in the menu of a total, with {who}.
        round_label: line in the menu of a round, with {who} and {n}.
        limit: highest points that may be entered, and with a minus sign the lowest.
        turn: the correction of whose turn it is.
        get_totals: game -> totals by seat, as they are to be corrected.
        get_rounds: game -> points by round and seat.
    """
    return (
        Score(
            "total",
            total_label,
            -limit,
            limit,
            get_totals,
            # The difference is kept beside the rounds.
            lambda game, totals: replace(game, adjustments=adjust(game.adjustments, get_totals(game), totals)),
        ),
        turn,
        EarlierRound(
            round_label,
            -limit,
            limit,
            get_rounds,
            lambda game, seat, place, points: replace(
                game, finished_rounds=replace_in_round(game.finished_rounds, place, seat, points)
            ),
        ),
    )
