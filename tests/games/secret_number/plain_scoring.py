"""Independent plain scoring of Secret Number, sharing no code with the product; written from the rules alone.

Once by values, as in the rules file's examples, and once by what was pressed.
"""

from __future__ import annotations

from collections.abc import Sequence


def score_by_values(
    secret: int, rounds: Sequence[Sequence[tuple[int, int]]], display: Sequence[int], players: int
) -> list[int]:
    """Score one game: three rounds of (player, value) as laid, and each player's display bonus."""
    points = [0] * players
    anybody_right = False
    got_display: list[int] = []
    for number, cards in enumerate(rounds, start=1):
        for player, value in cards:
            if value != secret:
                points[player] -= 1
                continue
            points[player] += 1
            if not anybody_right:
                points[player] += 2
                anybody_right = True
            if number == 1:
                points[player] += 2
            if number == 2:
                points[player] += 1
            if player not in got_display:
                points[player] += display[player]
                got_display.append(player)
    return points


class PlainMatch:
    """Totals of a match from the presses alone: `press(kind, player, number)` in their order."""

    def __init__(self, players: int) -> None:
        self.totals = [0] * players
        self.clear()

    def clear(self) -> None:
        self.round = 1
        self.cards: list[list[int]] = []  # round, player
        self.seen: list[str] = []  # "right" or "wrong", of the cards from the bottom
        self.display = [0] * len(self.totals)

    def has_been_right(self, player: int) -> bool:
        return any(self.cards[i][1] == player and self.seen[i] == "right" for i in range(len(self.seen)))

    def pass_over_sure_ones(self) -> None:
        """Skip cards that must be wrong: a player has each value once, so after the right card all others are wrong."""
        while len(self.seen) < len(self.cards) and self.has_been_right(self.cards[len(self.seen)][1]):
            self.seen.append("wrong")

    def press(self, kind: str, player: int = -1, number: int = 0) -> None:
        if kind == "lay":
            self.cards.append([self.round, player])
        elif kind == "end":
            self.round += 1
        elif kind in ("right", "wrong"):
            self.pass_over_sure_ones()
            assert self.cards[len(self.seen)][1] == player
            self.seen.append(kind)
        elif kind == "fix":
            self.pass_over_sure_ones()
        elif kind == "earlier":
            self.seen.pop()
        elif kind == "remove":
            assert self.cards.pop(len(self.seen))[1] == player
        elif kind == "insert":
            here = len(self.seen)
            round_ = self.cards[here][0] if here < len(self.cards) else 3
            self.cards.insert(here, [round_, player])
        elif kind == "bonus":
            self.display[player] = number
        elif kind == "next":
            self.pass_over_sure_ones()
            for player_, points in enumerate(self.game()):
                self.totals[player_] += points
            self.clear()

    def game(self) -> list[int]:
        points = [0] * len(self.totals)
        rights = 0
        for (round_, player), seen in zip(self.cards, self.seen, strict=True):
            if seen == "wrong":
                points[player] += -1
            else:
                rights += 1
                points[player] += 1 + {1: 2, 2: 1, 3: 0}[round_] + (2 if rights == 1 else 0) + self.display[player]
        return points

    def winners(self) -> set[int]:
        return {player for player, points in enumerate(self.totals) if points == max(self.totals)}
