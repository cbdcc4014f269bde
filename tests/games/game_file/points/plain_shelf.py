"""Plain scorings of games of the shelf, written from the games' rules and not from their files.

`draw` returns what each player enters in a round, or in a turn, by the ids of the file; `score` counts it.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

Numbers = dict[int, dict[str, int]]
"""By player: the numbers that are asked for, by the id of the entry."""


def split(total: int, parts: int, random: Random) -> list[int]:
    """Split a number of tricks at random among players."""
    taken = [0] * parts
    for _ in range(total):
        taken[random.randrange(parts)] += 1
    return taken


class PlainShelf:
    """A game with players by number, from 0."""

    has_turns = False
    lowest = False

    def __init__(self, players: int, options: Mapping[str, int] | None = None) -> None:
        self.players, self.options = players, dict(options or {})
        self.points = [0] * players
        self.round, self.turn, self.over = 1, 0, False

    def draw(self, random: Random) -> Numbers:
        raise NotImplementedError

    def score(self, entered: Numbers) -> None:
        raise NotImplementedError

    def winners(self) -> set[int]:
        best = min(self.points) if self.lowest else max(self.points)
        return {p for p in range(self.players) if self.points[p] == best}


class PlainWizard(PlainShelf):
    def draw(self, random: Random) -> Numbers:
        taken = split(self.round, self.players, random)
        return {
            p: {"bid": random.choice((taken[p], random.randint(0, self.round))), "tricks": taken[p]}
            for p in range(self.players)
        }

    def score(self, entered: Numbers) -> None:
        for p, own in entered.items():
            off = abs(own["bid"] - own["tricks"])
            self.points[p] += -10 * off if off else 20 + 10 * own["tricks"]
        self.over = self.round == {3: 20, 4: 15, 5: 12, 6: 10}[self.players]
        self.round += 1


class PlainSkullKing(PlainWizard):
    def draw(self, random: Random) -> Numbers:
        entered = super().draw(random)
        for own in entered.values():
            if own["bid"] == own["tricks"]:
                own["bonus"] = random.choice((0, 0, 10, 20, 30, -20))
        return entered

    def score(self, entered: Numbers) -> None:
        for p, own in entered.items():
            right = own["bid"] == own["tricks"]
            if own["bid"] == 0:
                self.points[p] += 10 * self.round if right else -10 * self.round
            elif right:
                self.points[p] += 20 * own["tricks"]
            else:
                self.points[p] -= 10 * abs(own["bid"] - own["tricks"])
            self.points[p] += own.get("bonus", 0)
        self.over = self.round == 10
        self.round += 1


class PlainTeams(PlainShelf):
    """Players 0 and 2 against 1 and 3."""

    def add(self, team: int, points: int) -> None:
        for p in (team, team + 2):
            self.points[p] += points


class PlainSpades(PlainTeams):
    def __init__(self, players: int, options: Mapping[str, int] | None = None) -> None:
        super().__init__(players, options)
        self.bags = [0, 0]

    def draw(self, random: Random) -> Numbers:
        taken = split(13, 4, random)
        entered: Numbers = {p: {"bid": random.choice((0, taken[p], taken[p], random.randint(1, 6)))} for p in range(4)}
        for p in range(4):
            if entered[p]["bid"] == 0:
                entered[p]["nil"] = int(taken[p] == 0)
        for team in (0, 1):
            entered[team]["taken"] = taken[team] + taken[team + 2]
        return entered

    def score(self, entered: Numbers) -> None:
        for team in (0, 1):
            bids = [entered[p]["bid"] for p in (team, team + 2)]
            for p in (team, team + 2):
                if entered[p]["bid"] == 0:
                    self.add(team, 100 if entered[p]["nil"] else -100)
            taken = entered[team]["taken"]
            if taken < sum(bids):
                self.add(team, -10 * sum(bids))
                continue
            over = taken - sum(bids)
            self.add(team, 10 * sum(bids) + over)
            self.bags[team] += over
            while self.bags[team] >= 10:
                self.bags[team] -= 10
                self.add(team, -100)
        ends = max(self.points) >= self.options.get("goal", 500) or min(self.points) <= -200
        self.over = ends and self.points[0] != self.points[1]


class PlainTichu(PlainTeams):
    def draw(self, random: Random) -> Numbers:
        entered: Numbers = {p: {"call": random.choice((0, 0, 0, 100, -100, 200, -200))} for p in range(4)}
        out = random.choice((None, None, 0, 1))
        share = random.randrange(-25, 130, 5)
        for team in (0, 1):
            entered[team]["out"] = 0 if out is None else 1 if team == out else 2
            if out is None:
                entered[team]["cards"] = share if team == 0 else 100 - share
        return entered

    def score(self, entered: Numbers) -> None:
        for team in (0, 1):
            for p in (team, team + 2):
                self.add(team, entered[p]["call"])
            if entered[team]["out"] == 1:
                self.add(team, 200)
            elif entered[team]["out"] == 0:
                self.add(team, entered[team]["cards"])
        self.over = max(self.points) >= self.options.get("goal", 1000) and self.points[0] != self.points[1]


class PlainPhase10(PlainShelf):
    lowest = True

    def __init__(self, players: int, options: Mapping[str, int] | None = None) -> None:
        super().__init__(players, options)
        self.done = [0] * players

    def draw(self, random: Random) -> Numbers:
        return {p: {"done": int(random.random() < 0.6), "hand": 5 * random.randint(0, 20)} for p in range(self.players)}

    def score(self, entered: Numbers) -> None:
        for p, own in entered.items():
            self.done[p] += own["done"]
            self.points[p] += own["hand"]
        self.over = max(self.done) == self.options.get("last", 10)

    def winners(self) -> set[int]:
        finished = [p for p in range(self.players) if self.done[p] == self.options.get("last", 10)]
        best = min(self.points[p] for p in finished)
        return {p for p in finished if self.points[p] == best}


class PlainTurns(PlainShelf):
    has_turns = True

    def next_turn(self) -> None:
        self.turn = (self.turn + 1) % self.players


class PlainCatan(PlainTurns):
    def __init__(self, players: int, options: Mapping[str, int] | None = None) -> None:
        super().__init__(players, options)
        self.built: list[int] = [2] * players
        self.road: int | None = None
        self.army: int | None = None
        self.points = [2] * players

    def draw(self, random: Random) -> Numbers:
        return {self.turn: {"built": random.choice((0, 0, 0, 1, 1, 2)), "taken": random.choice((0, 0, 0, 0, 1, 2, 3))}}

    def score(self, entered: Numbers) -> None:
        ((p, own),) = entered.items()
        self.built[p] += own["built"]
        if own["taken"] in (1, 3):
            self.road = p
        if own["taken"] in (2, 3):
            self.army = p
        self.points = [self.built[q] + 2 * (self.road == q) + 2 * (self.army == q) for q in range(self.players)]
        self.over = max(self.points) >= self.options.get("goal", 10)
        self.next_turn()


class PlainMolkky(PlainTurns):
    def __init__(self, players: int, options: Mapping[str, int] | None = None) -> None:
        super().__init__(players, options)
        self.misses = [0] * players

    def draw(self, random: Random) -> Numbers:
        wanted = 50 - self.points[self.turn]
        return {
            self.turn: {
                "pins": wanted if wanted <= 12 and random.random() < 0.3 else random.choice((*[0] * 9, *range(1, 13)))
            }
        }

    def score(self, entered: Numbers) -> None:
        ((p, own),) = entered.items()
        self.misses[p] = 0 if own["pins"] else self.misses[p] + 1
        self.points[p] += own["pins"]
        if self.points[p] > 50:
            self.points[p] = 25
        left = [q for q in range(self.players) if self.misses[q] < 3]
        self.over = self.points[p] == 50 or len(left) == 1
        if not self.over:
            self.next_turn()
            while self.turn not in left:
                self.next_turn()

    def winners(self) -> set[int]:
        left = [q for q in range(self.players) if self.misses[q] < 3]
        best = max(self.points[q] for q in left)
        return {q for q in left if self.points[q] == best}


class PlainSevenWonders(PlainShelf):
    def draw(self, random: Random) -> Numbers:
        ids = ("wonder", "civilian", "commerce", "guilds")
        science = ("compass", "gear", "tablet")
        return {
            p: {
                "military": random.randint(-6, 18),
                "coins": random.randint(0, 25),
                **{name: random.randint(0, 12) for name in ids},
                **{name: random.randint(0, 4) for name in science},
            }
            for p in range(self.players)
        }

    def score(self, entered: Numbers) -> None:
        self.coins = [entered[p]["coins"] for p in range(self.players)]
        for p, own in entered.items():
            symbols = [own["compass"], own["gear"], own["tablet"]]
            self.points[p] = own["military"] + own["coins"] // 3 + sum(s**2 for s in symbols) + 7 * min(symbols)
            self.points[p] += own["wonder"] + own["civilian"] + own["commerce"] + own["guilds"]
        self.over = True

    def winners(self) -> set[int]:
        best = max(zip(self.points, self.coins, strict=True))
        return {p for p in range(self.players) if (self.points[p], self.coins[p]) == best}


SHELF: dict[str, type[PlainShelf]] = {
    "catan": PlainCatan,
    "molkky": PlainMolkky,
    "phase_10": PlainPhase10,
    "seven_wonders": PlainSevenWonders,
    "skull_king": PlainSkullKing,
    "spades": PlainSpades,
    "tichu": PlainTichu,
    "wizard": PlainWizard,
}
