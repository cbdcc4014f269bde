"""Independent plain scoring of StarFall: the dust and the points, from the moves alone.

Written from the rules file, sharing no code with the game. It checks nothing; it only adds up.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

THINGS = 10


def final_points(players: Sequence[dict[str, Any]], *, tie: str = "all_tied", all_equal: str = "none") -> list[int]:
    """F30 to F36. Each player: stars, planets, moons, holes, comets, nebulae (five numbers), dust."""
    totals = []
    for player in players:
        total = player["planets"] * 5
        for moon in range(player["moons"]):
            if moon < player["planets"]:
                total += 3
        if player["holes"] == 1:
            total -= 5
        elif player["holes"] > 1:
            total += 15
        each = {0: 0, 1: 3, 2: 4, 3: 5, 4: 6}.get(player["comets"], 7)
        for _ in range(player["comets"]):
            total += each
        colours = 0
        for number in player["nebulae"]:
            total += number * 2
            if number > 0:
                colours += 1
        total += {2: 4, 3: 9, 4: 16, 5: 25}.get(colours, 0)
        dust = player["dust"]
        while dust >= 2:
            total += 1
            dust -= 2
        totals.append(total)
    stars = [player["stars"] for player in players]
    everybody_equal = len(set(stars)) == 1
    if everybody_equal and all_equal == "none":
        return totals
    with_most = [i for i in range(len(stars)) if stars[i] == max(stars)]
    with_fewest = [i for i in range(len(stars)) if stars[i] == min(stars)]
    if tie == "all_tied" or len(with_most) == 1:
        for i in with_most:
            totals[i] += 10
    if len(stars) > 2 and (tie == "all_tied" or len(with_fewest) == 1):
        for i in with_fewest:
            totals[i] -= 5
    return totals


class PlainStarFall:
    """Follows a whole game by its moves: (kind, seat, value)."""

    def __init__(self, players: int, settings: dict[str, Any]) -> None:
        start = settings.get("start_dust", 32)
        fives = 0
        while start - 5 * (fives + 1) >= 7:
            fives += 1
        self.ones = [start - 5 * fives] * players
        self.fives = [fives] * players
        self.settings = settings
        self.change = settings.get("token_change", True)
        self.catalogue = [[t.get(name, 0) for name in NAMES] for t in settings.get("catalogue", ())]
        self.board: dict[int, int] = {}
        self.tiles: list[list[int]] = [[] for _ in range(players)]
        self.wanted: int | None = None
        self.given: list[tuple[int, int]] = []
        self.said: int | None = None
        self.pages: list[list[int] | None] = [None] * players
        self.line = 0
        self.done: set[int] = set()

    def dust(self, seat: int) -> int:
        return self.ones[seat] + 5 * self.fives[seat]

    def play(self, kind: str, seat: int | None, value: Sequence[int]) -> None:
        if kind == "add":
            space = self.settings.get("top_space", 9)
            while space in self.board:
                space -= 1
            self.board[space] = value[0]
        elif kind == "move":
            tile = self.board.pop(value[0])
            space = value[0] - 1
            while space in self.board:
                space -= 1
            if space >= 0:
                self.board[space] = tile
        elif kind == "discover":
            self.wanted, self.given, self.said = value[0], [], None
            if value[0] == 0 or self.tiles[seat] == []:
                self.take(seat)
        elif kind == "with":
            self.given.append((value[0], value[1]))
        elif kind == "without":
            self.given.pop()
        elif kind == "dust":
            self.said = value[0]
        elif kind == "cancel":
            self.wanted = None
        elif kind == "pay":
            self.take(seat)
        else:
            self.count(kind, seat, value)

    def take(self, seat: int | None) -> None:
        assert seat is not None
        assert self.wanted is not None
        by_tiles = sum(worth for _, worth in self.given)
        owed = self.wanted - by_tiles if self.said is None else self.said
        self.pay_dust(seat, min(max(owed, 0), self.dust(seat)))
        gone = [index for index, _ in self.given]
        self.tiles[seat] = [t for i, t in enumerate(self.tiles[seat]) if i not in gone]
        self.tiles[seat].append(self.board.pop(self.wanted))
        self.wanted = None

    def pay_dust(self, seat: int, owed: int) -> None:
        if self.change:
            left = self.dust(seat) - owed
            self.ones[seat], self.fives[seat] = left, 0
            return
        while owed >= 5 and self.fives[seat] > 0:
            self.fives[seat] -= 1
            owed -= 5
        if owed > self.ones[seat]:
            self.fives[seat] -= 1
        else:
            self.ones[seat] -= owed

    def printed(self, seat: int) -> list[int]:
        page = [0] * THINGS
        for number in self.tiles[seat]:
            if 1 <= number <= len(self.catalogue):
                for i in range(THINGS):
                    page[i] += self.catalogue[number - 1][i]
        return page

    def count(self, kind: str, seat: int | None, value: Sequence[int]) -> None:
        if kind == "accept":
            for q in range(len(self.tiles)):
                known = all(1 <= n <= len(self.catalogue) for n in self.tiles[q])
                if q not in self.done and known:
                    self.pages[q] = self.printed(q)
                    self.done.add(q)
            return
        if kind in ("finish", "page", "name", "narrow", "back"):
            return
        assert seat is not None
        page = self.pages[seat]
        if page is None or (kind == "count" and seat not in self.done and page == [0] * THINGS):
            page = self.pages[seat] = self.printed(seat)
        if kind == "count":
            self.line = 0
        elif kind == "more":
            page[self.line] += value[0]
        elif kind == "less":
            page[self.line] -= 1
        elif kind == "back line":
            self.line -= 1
        elif kind == "next line" and self.line < THINGS - 1:
            self.line += 1
        elif kind in ("next line", "done"):
            self.done.add(seat)
            self.line = 0
        elif kind == "leave":
            self.line = 0

    def totals(self) -> list[int]:
        players = []
        for seat, page in enumerate(self.pages):
            assert page is not None
            stars, planets, moons, holes, comets, *nebulae = page
            players.append(
                {
                    "stars": stars,
                    "planets": planets,
                    "moons": moons,
                    "holes": holes,
                    "comets": comets,
                    "nebulae": nebulae,
                    "dust": self.dust(seat),
                }
            )
        return final_points(
            players,
            tie=self.settings.get("stars_tie", "all_tied"),
            all_equal=self.settings.get("stars_all_equal", "none"),
        )


NAMES = ("stars", "planets", "moons", "black_holes", "comets", "red", "blue", "green", "yellow", "purple")
