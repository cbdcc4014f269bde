"""Score Secret Number from what happened at the table; written from the rulebook, not from the game.

Rule numbers: `docs/rules/secret_number.md`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any


def score_game(
    seats: int, piles: Sequence[Sequence[tuple[int, bool]]], display: Mapping[int, int], rules: Mapping[str, Any]
) -> list[int]:
    """Return each player's points of one game (S30 to S34).

    Args:
        seats: number of players.
        piles: the cards of rounds 1 to 3, in the order in which they were laid: whose card, and whether it is right.
        display: bonus of the display card of those who were right.
        rules: `fastest`, `round_bonus` by round, `card_points` for right and wrong cards.
    """
    points = [0] * seats
    found: set[int] = set()
    gain, loss = rules["card_points"]
    for pile, early in zip(piles, rules["round_bonus"], strict=True):
        for seat, right in pile:
            if not right:
                points[seat] += loss
                continue
            assert seat not in found, "S35"
            points[seat] += gain + early + (0 if found else rules["fastest"]) + display.get(seat, 0)
            found.add(seat)
    return points


@dataclass
class CardTable:
    """The table: the pile of answer cards of a game, and the points of the games before.

    `rules` as in `score_game`, and `games`.
    """

    seats: int
    first: int
    rules: dict[str, Any]
    round: int = 1
    cards: list[tuple[int, int]] = field(default_factory=list)
    """Round and owner of each card, in the order of the pile."""
    right: list[bool] = field(default_factory=list)
    display: dict[int, int] = field(default_factory=dict)
    games: list[list[int]] = field(default_factory=list)
    away: set[int] = field(default_factory=set)
    fixing: bool = False
    """S25: the pile is being compared with the presses."""

    def __post_init__(self) -> None:
        """Deal everybody in."""
        self.dealt = set(range(self.seats))
        self.extra = [0] * self.seats

    def happen(self, kind: str, *what: Any) -> None:
        """Let one thing happen.

        `("lay", seat)`, `("end",)`, `("turn", right)`, `("display", seat, bonus)`, `("next",)`, `("insert", seat)`,
        `("fix",)`, `("remove",)`, `("earlier",)`, `("done",)`; and from outside the rules `("away", seat)`,
        `("back", seat)`, `("total", seat, points)`, `("game", number, seat, points)`, `("mark", card, right)`,
        `("owner", card, seat)`, `("round_of", card, round)`, `("round", number)`.
        """
        getattr(self, f"_{kind}")(*what)

    @property
    def over(self) -> bool:
        """Whether all games are scored (S36)."""
        return bool(len(self.games) >= self.rules["games"])

    @property
    def points(self) -> list[int]:
        """Points of this game, as far as the cards are turned."""
        piles: list[list[tuple[int, bool]]] = [[], [], []]
        for (number, seat), right in zip(self.cards, self.right, strict=False):
            piles[number - 1].append((seat, right))
        return score_game(self.seats, piles, self.display, self.rules)

    @property
    def totals(self) -> list[int]:
        """Points of the match (S6)."""
        return [
            more + now + sum(game[seat] for game in self.games)
            for seat, (more, now) in enumerate(zip(self.extra, self.points, strict=True))
        ]

    @property
    def may_lay(self) -> set[int]:
        """Who may lay a card now (S20 to S22)."""
        last = next((owner for number, owner in reversed(self.cards) if number == self.round), None)
        owners = [owner for _, owner in self.cards]
        return {
            seat for seat in self.dealt - self.away - {last} if owners.count(seat) < len(self.dealt) + 1
        }  # S3: cards 0 to N

    def _lay(self, seat: int) -> None:
        assert seat in self.may_lay, "S21"
        self.cards.append((self.round, seat))

    def _end(self) -> None:
        self.round += 1
        self._go_on()

    def _turn(self, right: bool) -> None:
        self.right.append(right)
        self._go_on()

    def _fix(self) -> None:
        self.fixing = True

    def _done(self) -> None:
        self.fixing = False
        self._go_on()

    def _go_on(self) -> None:
        """S35: further cards of a player who was right are wrong, and nobody has to be asked."""
        if self.round <= 3 or self.fixing:
            return
        found = {owner for (_, owner), right in zip(self.cards, self.right, strict=False) if right}
        while len(self.right) < len(self.cards) and self.cards[len(self.right)][1] in found:
            self.right.append(False)
        if len(self.right) == len(self.cards):
            self.display = {seat: bonus for seat, bonus in self.display.items() if seat in found}

    def _display(self, seat: int, bonus: int) -> None:
        self.display[seat] = bonus

    def _next(self) -> None:
        self.games.append(self.points)
        self.round, self.cards, self.right, self.display = 1, [], [], {}
        self.dealt = set(range(self.seats)) - self.away

    def _insert(self, seat: int) -> None:
        """S25: it was overlooked, under the next card."""
        turned = len(self.right)
        number = self.cards[turned][0] if turned < len(self.cards) else 3
        self.cards.insert(turned, (number, seat))

    def _remove(self) -> None:
        del self.cards[len(self.right)]

    def _earlier(self) -> None:
        self.right.pop()

    def _away(self, seat: int) -> None:
        self.away.add(seat)

    def _back(self, seat: int) -> None:
        self.away.remove(seat)

    def _deal(self) -> None:
        """Who is at the table while the cards are dealt plays this game."""
        self.dealt = set(range(self.seats)) - self.away

    def _mark(self, card: int, right: bool) -> None:
        owner = self.cards[card][1]
        for place in range(len(self.right)) if right else ():
            self.right[place] &= self.cards[place][1] != owner
        self.right[card] = right
        self._go_on()

    def _owner(self, card: int, seat: int) -> None:
        self.cards[card] = (self.cards[card][0], seat)
        self._go_on()

    def _round_of(self, card: int, number: int) -> None:
        self.cards[card] = (number, self.cards[card][1])

    def _round(self, number: int) -> None:
        self.round = number
        self.cards = [(min(lying, number), owner) for lying, owner in self.cards]

    def _total(self, seat: int, points: int) -> None:
        self.extra[seat] += points - self.totals[seat]

    def _game(self, number: int, seat: int, points: int) -> None:
        self.games[number][seat] = points


def find_winners(totals: Sequence[int]) -> set[int]:
    """Return everybody with the highest sum of the games (S36)."""
    return {seat for seat, total in enumerate(totals) if total == max(totals)}
