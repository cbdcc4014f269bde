"""Independent plain scoring of Pictomania, from the moves alone, written from the rules file."""

from __future__ import annotations

from typing import Any

from companion.api import Move


class PlainPictomania:
    """Follows the moves of a game in which nobody leaves, and adds everything up with loops.

    Args:
        players: how many.
        settings: anything with `bonus_tokens` and `scoring_tokens` by number of players.
        first: whose pile comes first.
    """

    def __init__(self, players: int, settings: Any, first: int = 0) -> None:
        self.players = players
        self.own_tokens = list(settings.scoring_tokens[players])
        self.middle_tokens = list(settings.bonus_tokens[players])
        self.order = [(first + i) % players for i in range(players)]
        self.totals = [0] * players
        self.rounds: list[list[tuple[int, int, int]]] = []
        self.begin_round()

    def begin_round(self) -> None:
        self.middle = sorted(self.middle_tokens)
        self.bonus = dict.fromkeys(range(self.players), 0)
        self.piles: dict[int, list[list[Any]]] = {p: [] for p in range(self.players)}
        self.wrong_drawing = dict.fromkeys(range(self.players), False)
        self.pile_number = dict.fromkeys(range(self.players), 0)
        self.turn = 0

    def play(self, move: Move) -> None:
        kind, who = move.kind, move.seat
        owner = self.order[min(self.turn, self.players - 1)]
        pile = self.piles[owner]
        if kind == "take":
            assert who is not None
            self.bonus[who] = self.middle.pop()
        elif kind == "right":
            pile.append([who, True])
        elif kind == "wrong":
            mine = [card for card in pile if card[0] == who]
            if mine:
                mine[0][1] = False
            else:
                pile.append([who, False])
        elif kind == "card":
            pile.append([who, move.value[0] == self.pile_number[owner]])
        elif kind == "number":
            self.pile_number[owner] = move.value[0]
        elif kind == "off":
            self.piles[owner] = [card for card in pile if card[0] != who]
        elif kind == "misdrawn":
            self.piles[owner] = []
            self.wrong_drawing[owner] = True
        elif kind == "drawn":
            self.wrong_drawing[owner] = False
        elif kind == "next":
            self.turn += 1
        elif kind == "back":
            self.turn -= 1
        elif kind == "next_round":
            page = self.page()
            self.rounds.append(page)
            for p in range(self.players):
                plus, minus, bonus = page[p]
                self.totals[p] += plus - minus + bonus
            self.begin_round()

    def page(self) -> list[tuple[int, int, int]]:
        """Return plus, minus and bonus part of each player."""
        got: dict[int, list[int]] = {p: [] for p in range(self.players)}
        kept: dict[int, list[int]] = {}
        middle: list[int] = []
        hits = dict.fromkeys(range(self.players), 0)
        for owner in range(self.players):
            tokens = list(self.own_tokens)
            if not self.wrong_drawing[owner]:
                for guesser, right in self.piles[owner]:
                    if right:
                        best = max(tokens)
                        tokens.remove(best)
                        got[guesser].append(best)
                        hits[owner] += 1
                    else:
                        middle.append(guesser)
            kept[owner] = tokens
        sheep = None
        for p in range(self.players):
            mine = middle.count(p)
            if mine > 0 and all(middle.count(q) < mine for q in range(self.players) if q != p):
                sheep = p
        page = []
        for p in range(self.players):
            if p == sheep:
                bonus = -self.bonus[p]
            elif hits[p] > 0:
                bonus = self.bonus[p]
            else:
                bonus = 0
            page.append((sum(got[p]), sum(kept[p]), bonus))
        return page
