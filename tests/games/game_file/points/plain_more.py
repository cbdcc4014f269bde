"""More plain scorings of games of the shelf, written from the games' rules and not from their files."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from tests.games.game_file.points.plain_shelf import Numbers, PlainShelf, PlainTeams, PlainTurns


class PlainMexicanTrain(PlainShelf):
    lowest = True

    def draw(self, random: Random) -> Numbers:
        return {p: {"pips": random.randint(0, 90)} for p in range(self.players)}

    def score(self, entered: Numbers) -> None:
        for p, own in entered.items():
            self.points[p] += own["pips"]
        self.over = self.round == self.options.get("length", 13)
        self.round += 1


class PlainWingspan(PlainShelf):
    def draw(self, random: Random) -> Numbers:
        ids = ("birds", "bonus", "goals", "eggs", "cached", "tucked", "food")
        return {p: {name: random.randint(0, 4) for name in ids} for p in range(self.players)}

    def score(self, entered: Numbers) -> None:
        self.food = [entered[p].pop("food") for p in range(self.players)]
        self.points = [sum(entered[p].values()) for p in range(self.players)]
        self.over = True

    def winners(self) -> set[int]:
        best = max(zip(self.points, self.food, strict=True))
        return {p for p in range(self.players) if (self.points[p], self.food[p]) == best}


class PlainQwixx(PlainShelf):
    def draw(self, random: Random) -> Numbers:
        colours = ("red", "yellow", "green", "blue")
        return {
            p: {**{name: random.randint(0, 12) for name in colours}, "failed": random.randint(0, 4)}
            for p in range(self.players)
        }

    def score(self, entered: Numbers) -> None:
        for p, own in entered.items():
            self.points[p] = -5 * own.pop("failed")
            for crosses in own.values():
                self.points[p] += sum(range(crosses + 1))
        self.over = True


class PlainEuchre(PlainTeams):
    def draw(self, random: Random) -> Numbers:
        maker, tricks = random.randrange(2), random.randint(0, 5)
        entered = {team: {"named": int(team == maker)} for team in (0, 1)}
        entered[maker]["alone"] = random.randrange(2)
        entered[0]["tricks"], entered[1]["tricks"] = tricks, 5 - tricks
        return entered

    def score(self, entered: Numbers) -> None:
        (maker,) = (team for team in (0, 1) if entered[team]["named"])
        tricks = entered[maker]["tricks"]
        if tricks < 3:
            self.add(1 - maker, 2)
        elif tricks == 5:
            self.add(maker, 4 if entered[maker]["alone"] else 2)
        else:
            self.add(maker, 1)
        self.over = max(self.points) >= self.options.get("goal", 10)


class PlainCanasta(PlainShelf):
    def __init__(self, players: int, options: Mapping[str, int] | None = None) -> None:
        super().__init__(players, options)
        self.sides = players // 2 if players in (4, 6) else players

    def draw(self, random: Random) -> Numbers:
        out = random.randrange(self.sides)
        entered: dict[int, dict[str, int]] = {}
        for side in range(self.sides):
            own = {"natural": random.randint(0, 2), "mixed": random.randint(0, 2), "out_first": int(side == out)}
            own["threes"] = random.randint(0, 4)
            if own["threes"] and not own["natural"] and not own["mixed"]:
                own["melded"] = random.randrange(2)
            entered[side] = {**own, "cards": 5 * random.randint(-40, 120)}
        return entered

    def score(self, entered: Numbers) -> None:
        for side, own in entered.items():
            points = 500 * own["natural"] + 300 * own["mixed"] + own["cards"] + 100 * own["out_first"]
            threes = 800 if own["threes"] == 4 else 100 * own["threes"]
            has_melds = own["natural"] + own["mixed"] > 0 or own.get("melded")
            points += threes if has_melds else -threes
            for p in range(side, self.players, self.sides):
                self.points[p] += points
        self.over = max(self.points) >= self.options.get("goal", 5000)


class PlainRiichi(PlainShelf):
    def __init__(self, players: int, options: Mapping[str, int] | None = None) -> None:
        super().__init__(players, options)
        self.points = [25_000] * players
        self.dealer, self.deals = 0, 0

    def draw(self, random: Random) -> Numbers:
        won = [100 * random.randint(-60, 60) for _ in range(self.players - 1)]
        entered = {p: {"change": change} for p, change in enumerate([*won, -sum(won)])}
        entered[self.dealer]["stays"] = int(random.random() < 0.3)
        return entered

    def score(self, entered: Numbers) -> None:
        for p, own in entered.items():
            self.points[p] += own["change"]
        if not entered[self.dealer]["stays"]:
            self.dealer = (self.dealer + 1) % self.players
            self.deals += 1
        self.over = self.deals == self.players * self.options.get("winds", 2) or min(self.points) < 0


class PlainBackgammon(PlainShelf):
    def draw(self, random: Random) -> Numbers:
        winner = random.randrange(2)
        cube = random.choice((1, 1, 1, 2, 2, 4, 8))
        return {winner: {"won": 1, "kind": random.randint(1, 3), "cube": cube}, 1 - winner: {"won": 0}}

    def score(self, entered: Numbers) -> None:
        (winner,) = (p for p in (0, 1) if entered[p]["won"])
        self.points[winner] += entered[winner]["kind"] * entered[winner]["cube"]
        self.over = self.points[winner] >= self.options.get("goal", 7)


class PlainGin(PlainShelf):
    def draw(self, random: Random) -> Numbers:
        p, how = random.randrange(2), random.choice((1, 1, 2))
        if random.random() < 0.1:  # the stock is used up
            return {q: {"knock": 0, "deadwood": random.randint(0, 60)} for q in range(2)}
        own = {"knock": how, **({"deadwood": random.randint(0, 10)} if how == 1 else {})}
        return {p: own, 1 - p: {"knock": 0, "deadwood": random.randint(0, 60)}}

    def score(self, entered: Numbers) -> None:
        p = next((p for p in (0, 1) if entered[p]["knock"]), None)
        if p is None:
            return
        other = entered[1 - p]["deadwood"]
        if entered[p]["knock"] == 2:
            self.points[p] += 25 + other
        elif other <= entered[p]["deadwood"]:
            self.points[1 - p] += 25 + entered[p]["deadwood"] - other
        else:
            self.points[p] += other - entered[p]["deadwood"]
        self.over = max(self.points) >= self.options.get("goal", 100)


class PlainScrabble(PlainTurns):
    def __init__(self, players: int, options: Mapping[str, int] | None = None) -> None:
        super().__init__(players, options)
        self.turns = 0

    def draw(self, random: Random) -> Numbers:
        own = {"word": random.choice((0, random.randint(2, 60)))}
        if own["word"]:
            own["bingo"] = int(random.random() < 0.1)
        return {self.turn: own}

    def score(self, entered: Numbers) -> None:
        ((p, own),) = entered.items()
        self.points[p] += own["word"] + (50 if own.get("bingo") else 0)
        self.turns += 1
        self.over = self.turns == 50 * self.players
        self.next_turn()


class PlainSkat(PlainShelf):
    def draw(self, random: Random) -> Numbers:
        soloist = random.randrange(self.players)
        value = random.choice((18, 20, 24, 33, 48, 72, -36, -48, -96, 0))
        return {p: {"game": value if p == soloist else 0} for p in range(self.players)}

    def score(self, entered: Numbers) -> None:
        for p, own in entered.items():
            value = own["game"]
            self.points[p] += value
            if self.options.get("league"):
                if value:
                    self.points[p] += 50 if value > 0 else -50
                elif any(other["game"] < 0 for other in entered.values()):
                    self.points[p] += {3: 40, 4: 30}[self.players]
        self.over = self.round == self.options.get("hands", 36)
        self.round += 1


class PlainCricket(PlainTurns):
    NUMBERS = (20, 19, 18, 17, 16, 15, 25)

    def __init__(self, players: int, options: Mapping[str, int] | None = None) -> None:
        super().__init__(players, options)
        self.marks = [dict.fromkeys(self.NUMBERS, 0) for _ in range(players)]

    def draw(self, random: Random) -> Numbers:
        hits = dict.fromkeys(self.NUMBERS, 0)
        for _ in range(3):
            number = random.choice(self.NUMBERS)
            hits[number] += random.randint(0, 2 if number == 25 else 3)
        return {self.turn: {f"h{number}": count for number, count in hits.items()}}

    def score(self, entered: Numbers) -> None:
        ((p, own),) = entered.items()
        for number in self.NUMBERS:
            for _ in range(own[f"h{number}"]):
                if self.marks[p][number] < 3:
                    self.marks[p][number] += 1
                elif any(self.marks[q][number] < 3 for q in range(self.players) if q != p):
                    self.points[p] += number
        self.over = bool(self.winners())
        self.next_turn()

    def winners(self) -> set[int]:
        best = max(self.points)
        return {q for q in range(self.players) if min(self.marks[q].values()) == 3 and self.points[q] == best}


class PlainDartsMatch(PlainTurns):
    """Legs from the points of the start to exactly 0; each begins one seat further."""

    def __init__(self, players: int, options: Mapping[str, int] | None = None) -> None:
        super().__init__(players, {"goal": 501, "double_in": 0, "double_out": 1, "legs": 1, **(options or {})})
        self.legs = [0] * players
        self.starter = 0
        self.begin_leg()

    def begin_leg(self) -> None:
        self.points = [self.options["goal"]] * self.players
        self.is_in = [not self.options["double_in"]] * self.players
        self.turn = self.starter

    def draw(self, random: Random) -> Numbers:
        own: dict[str, int] = {}
        if not self.is_in[self.turn]:
            own["begun"] = random.randrange(2)
            if not own["begun"]:
                return {self.turn: own}
        left = self.points[self.turn]
        own["darts"] = left if left <= 160 and random.random() < 0.8 else random.choice((26, 41, 60, 100, 140, 180))
        if own["darts"] == left and self.options["double_out"]:
            own["double"] = random.randrange(2)
        return {self.turn: own}

    def score(self, entered: Numbers) -> None:
        ((p, own),) = entered.items()
        self.is_in[p] = self.is_in[p] or own["begun"] == 1
        left = self.points[p] - own.get("darts", 0)
        is_double_missing = self.options["double_out"] and (left == 1 or (left == 0 and not own["double"]))
        if left >= 0 and not is_double_missing:
            self.points[p] = left
        self.next_turn()
        if self.points[p] == 0:
            self.legs[p] += 1
            self.over = self.legs[p] == self.options["legs"]
            if not self.over:
                self.starter = (self.starter + 1) % self.players
                self.begin_leg()

    def winners(self) -> set[int]:
        return {p for p in range(self.players) if self.legs[p] == self.options["legs"]}


MORE: dict[str, type[PlainShelf]] = {
    "backgammon": PlainBackgammon,
    "canasta": PlainCanasta,
    "cricket": PlainCricket,
    "darts_501": PlainDartsMatch,
    "euchre": PlainEuchre,
    "gin_rummy": PlainGin,
    "mexican_train": PlainMexicanTrain,
    "qwixx_sheet": PlainQwixx,
    "riichi": PlainRiichi,
    "scrabble": PlainScrabble,
    "skat": PlainSkat,
    "wingspan": PlainWingspan,
}
