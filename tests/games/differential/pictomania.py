"""Score Pictomania from what happened at the table; written from the rulebook, not from the game.

Rule numbers: `docs/rules/pictomania.md`.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any


def score_round(
    players: Sequence[int],
    tokens: Sequence[int],
    bonus: Mapping[int, int],
    piles: Mapping[int, Sequence[tuple[int, bool]]],
    wrong_drawings: Collection[int] = (),
) -> dict[int, int]:
    """Return each player's points of one round (P30 to P36).

    Args:
        players: who takes part.
        tokens: stars on the scoring tokens that each player puts out.
        bonus: stars on the bonus token of those who took one.
        piles: for each owner the guess cards on the pile, first guess first: whose card, and whether it is right.
        wrong_drawings: owners who drew another clue than their own.
    """
    points, mistakes = dict.fromkeys(players, 0), dict.fromkeys(players, 0)
    guessed = set()
    for owner in players:
        left = sorted(tokens)
        for guesser, right in () if owner in wrong_drawings else piles.get(owner, ()):
            if right:
                points[guesser] += left.pop()
                guessed.add(owner)
            else:
                mistakes[guesser] += 1
        points[owner] -= sum(left)
    most = max(mistakes.values())
    sheep = [seat for seat in players if mistakes[seat] == most > 0]
    for seat, stars in bonus.items():
        if [seat] == sheep:
            points[seat] -= stars
        elif seat in guessed:
            points[seat] += stars
    return points


@dataclass
class DrawingTable:
    """The table: bonus tokens, guess piles and points written down.

    `rules` holds `rounds`, and `bonus` and `scoring`: the tokens by number of players.
    """

    seats: int
    first: int
    rules: dict[str, Any]
    away: set[int] = field(default_factory=set)
    players: list[int] = field(default_factory=list)
    bonus: dict[int, int] = field(default_factory=dict)
    piles: dict[int, list[tuple[int, bool]]] = field(default_factory=dict)
    wrong_drawings: set[int] = field(default_factory=set)
    rounds: list[list[int]] = field(default_factory=list)
    over: bool = False

    def __post_init__(self) -> None:
        """Write nothing down yet."""
        self.extra = [0] * self.seats
        self.by_hand = [0] * self.seats
        self.written = False

    def happen(self, kind: str, *what: Any) -> None:
        """Let one thing happen.

        `("go",)`, `("take", seat)`, `("card", owner, guesser, right)`, `("off", owner, guesser)`,
        `("misdrawn", owner)`, `("drawn", owner)`, `("write",)`, `("erase",)`, `("next",)`;
        and from outside the rules `("away", seat)`, `("back", seat)`, `("bonus", seat, stars)`,
        `("total", seat, points)`, `("round", number, seat, points)`, `("reopen",)` of a pile, `("marker", round)`.
        """
        getattr(self, f"_{kind}")(*what)

    @property
    def totals(self) -> list[int]:
        """Each player's points, as written down (P41)."""
        return [self.extra[seat] + sum(points[seat] for points in self.rounds) for seat in range(self.seats)]

    @property
    def tokens_left(self) -> list[int]:
        """Stars on the bonus tokens still in the middle, highest first (P24)."""
        left = Counter(self.rules["bonus"][len(self.players)]) - Counter(self.bonus.values())
        return sorted(left.elements(), reverse=True)

    @property
    def may_finish(self) -> set[int]:
        """Who may still take a bonus token (P24, P25)."""
        free = {seat for seat in self.players if seat not in self.bonus and seat not in self.away}
        return free if self.tokens_left else set()

    def _go(self) -> None:
        self.players = [seat for seat in range(self.seats) if seat not in self.away]
        self.bonus, self.piles, self.wrong_drawings = {}, {}, set()

    def _take(self, seat: int) -> None:
        assert seat in self.may_finish, "P24"
        self.bonus[seat] = self.tokens_left[0]

    def _card(self, owner: int, guesser: int, right: bool) -> None:
        pile = self.piles.setdefault(owner, [])
        lying = next((i for i, (who, _) in enumerate(pile) if who == guesser), None)
        if lying is None:
            pile.append((guesser, right))
        else:
            pile[lying] = (guesser, right)

    def _off(self, owner: int, guesser: int) -> None:
        self.piles[owner] = [card for card in self.piles[owner] if card[0] != guesser]

    def _misdrawn(self, owner: int) -> None:
        self.wrong_drawings.add(owner)
        self.piles[owner] = []

    def _drawn(self, owner: int) -> None:
        self.wrong_drawings.remove(owner)

    def _write(self) -> None:
        scoring = self.rules["scoring"][len(self.players)]
        points = score_round(self.players, scoring, self.bonus, self.piles, self.wrong_drawings)
        self.rounds.append([points.get(seat, 0) + self.by_hand[seat] for seat in range(self.seats)])
        self.written = True

    def _erase(self) -> None:
        self.rounds.pop()
        self.written = False

    def _next(self) -> None:
        self.by_hand, self.written = [0] * self.seats, False
        self.over = len(self.rounds) >= self.rules["rounds"]  # P40

    def _away(self, seat: int) -> None:
        self.away.add(seat)

    def _back(self, seat: int) -> None:
        self.away.remove(seat)

    def _bonus(self, seat: int, stars: int) -> None:
        self.bonus = {who: held for who, held in self.bonus.items() if who != seat} | ({seat: stars} if stars else {})
        if self.written:
            self._erase()
            self._write()

    def _reopen(self) -> None:
        if self.written:
            self._erase()

    def _marker(self, number: int) -> None:
        self.rounds += [[0] * self.seats for _ in range(number - 1 - len(self.rounds))]

    def _total(self, seat: int, points: int) -> None:
        self.extra[seat] += points - self.totals[seat]

    def _round(self, number: int, seat: int, points: int) -> None:
        if self.written and number == len(self.rounds) - 1:
            self.by_hand[seat] += points - self.rounds[number][seat]
        self.rounds[number][seat] = points


def find_winners(totals: Sequence[int]) -> set[int]:
    """Return everybody with the highest sum (P41)."""
    return {seat for seat, total in enumerate(totals) if total == max(totals)}
