"""Score Memo Dice from what happened at the table; written from the rulebook, not from the game.

Rule numbers: `docs/rules/memo_dice.md`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

GOLD = "gold"


@dataclass
class CupTable:
    """The table: pieces, the row of cups, the cups won and whose turn it is.

    `rules` holds `start`, `target`, `gold`, `cup`, `cups`, `dice`.
    """

    seats: int
    turn: int
    rules: dict[str, int]
    row: list[Any] = field(default_factory=list)
    open_cup: Any = None
    owners: list[int] = field(default_factory=list)
    holder: int | None = None
    rounds: list[list[int]] = field(default_factory=list)
    away: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        """Put the pieces on the board (D2)."""
        self.squares = [self.rules["start"]] * self.seats

    def happen(self, kind: str, *what: Any) -> None:
        """Let one thing happen.

        `("roll", colour)`, `("cover",)`, `("call", right)`, `("next",)`; and from outside the rules `("away", seat)`,
        `("back", seat)`, `("turn", seat)`, `("square", seat, square)`, `("hand", cup, seat)`,
        `("colour", cup, colour)`, `("open", colour)`, `("swap", cup)`, `("round", number, seat, points)`.
        """
        getattr(self, f"_{kind}")(*what)

    @property
    def over(self) -> bool:
        """Whether a piece has reached the target and no round is being played (D32)."""
        return not self.row and self.open_cup is None and max(self.squares) >= self.rules["target"]

    def find_cup(self, colour: Any) -> Any:
        """Return the cup that covers a die of this colour (D12 to D14)."""
        is_last = len(self.row) == self.rules["dice"] - 1
        return GOLD if is_last or self.row.count(colour) >= self.rules["cups"] else colour

    def _roll(self, colour: Any) -> None:
        self.open_cup = self.find_cup(colour)

    def _cover(self) -> None:
        self.row.append(self.open_cup)
        if self.open_cup != GOLD:  # D15, D20: who placed the golden cup begins to uncover
            self._pass_left()
        self.open_cup = None

    def _call(self, right: bool) -> None:
        if not right:  # D23: the left neighbour takes the cup and goes on
            self._pass_left()
        self.owners.append(self.turn)
        if len(self.owners) == len(self.row):
            self._count()

    def _count(self) -> None:
        points = [0] * self.seats
        for cup, owner in zip(self.row, self.owners, strict=True):
            points[owner] += self.rules["gold"] if cup == GOLD else self.rules["cup"]
        self.rounds.append(points)
        self.squares = [square + more for square, more in zip(self.squares, points, strict=True)]
        self.holder = self.turn = self.owners[self.row.index(GOLD)]  # D33
        self.row, self.owners = [], []
        if self.turn in self.away:
            self._pass_left()

    def _next(self) -> None:
        self.holder = None

    def _pass_left(self) -> None:
        order = [(self.turn + step) % self.seats for step in range(1, self.seats + 1)]
        self.turn = next(seat for seat in order if seat not in self.away)

    def _away(self, seat: int) -> None:
        self.away.add(seat)
        if seat == self.turn:
            self._pass_left()

    def _back(self, seat: int) -> None:
        self.away.discard(seat)
        if seat == self.holder:
            self.turn = seat

    def _turn(self, seat: int) -> None:
        self.turn = seat

    def _square(self, seat: int, square: int) -> None:
        self.squares[seat] = square

    def _colour(self, cup: int, colour: int) -> None:
        self.row[cup] = colour

    def _open(self, colour: int) -> None:
        self.open_cup = colour

    def _swap(self, cup: int) -> None:
        if cup >= len(self.owners):  # the first of the cups that are down has no neighbour before it
            self.row[cup : cup + 2] = reversed(self.row[cup : cup + 2])

    def _round(self, number: int, seat: int, points: int) -> None:
        self.squares[seat] += points - self.rounds[number][seat]
        self.rounds[number][seat] = points

    def _hand(self, cup: int, seat: int) -> None:
        self.owners[cup] = seat


def find_winners(squares: Sequence[int]) -> set[int]:
    """Return everybody on the highest square (D32)."""
    return {seat for seat, square in enumerate(squares) if square == max(squares)}
