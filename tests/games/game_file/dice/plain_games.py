"""Plain scorings of the five games with dice, sharing no code with the product; written from the rules in their files.

`options` are the house rules that differ from the usual ones.

Each takes what happens at the table: `throw(dice)`, `keep(dice)`, `put_back()`, `stop()`, `fill(box)`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from itertools import permutations


class PlainGame:
    """Players in turn, clockwise from the first."""

    def __init__(self, players: int, first: int, options: Mapping[str, int] | None = None) -> None:
        self.players, self.turn_of, self.first = players, first, first
        self.options = options or {}
        self.over = False
        self.points = [0] * players

    def totals(self) -> list[int]:
        return list(self.points)

    def winners(self) -> set[int]:
        return {p for p in range(self.players) if self.totals()[p] == max(self.totals())}

    def next_player(self) -> None:
        self.turn_of = (self.turn_of + 1) % self.players

    @property
    def was_last_of_round(self) -> bool:
        return (self.turn_of + 1) % self.players == self.first


class PlainPig(PlainGame):
    """One die; a 1 loses the turn."""

    def __init__(self, players: int, first: int, options: Mapping[str, int] | None = None) -> None:
        super().__init__(players, first, options)
        self.gathered = 0

    def throw(self, dice: tuple[int, ...]) -> None:
        (die,) = dice
        if die == 1:
            self.gathered = 0
            self.end_turn()
        else:
            self.gathered += die

    def stop(self) -> None:
        self.points[self.turn_of] += self.gathered
        self.gathered = 0
        self.end_turn()

    def end_turn(self) -> None:
        if max(self.points) >= self.options.get("goal", 100):
            self.over = True
            return
        self.next_player()


class PlainBunco(PlainGame):
    """Three dice; six rounds to 21."""

    def __init__(self, players: int, first: int, options: Mapping[str, int] | None = None) -> None:
        super().__init__(players, first, options)
        self.number = 1
        self.this_round = [0] * players

    def throw(self, dice: tuple[int, ...]) -> None:
        if dice == (self.number,) * 3:
            scored = 21
        elif dice[0] == dice[1] == dice[2]:
            scored = 5
        else:
            scored = sum(1 for die in dice if die == self.number)
        self.this_round[self.turn_of] += scored
        if scored and self.this_round[self.turn_of] < 21:
            return
        if self.was_last_of_round and max(self.this_round) >= 21:
            for p in range(self.players):
                if self.this_round[p] == max(self.this_round):
                    self.points[p] += 1
            self.this_round = [0] * self.players
            if self.number == 6:
                self.over = True
                return
            self.number += 1
        self.next_player()


def score_yacht_box(box: int, dice: tuple[int, ...]) -> int:
    """Boxes count from 1."""
    row = sorted(dice)
    text = "".join(map(str, sorted(set(dice))))
    if box <= 6:
        return sum(die for die in dice if die == box)
    most = max(row.count(die) for die in row)
    match box:
        case 7:
            return sum(dice) if most >= 3 else 0
        case 8:
            return sum(dice) if most >= 4 else 0
        case 9:
            return (
                25 if row[0] == row[1] and row[3] == row[4] and row[0] != row[4] and row[2] in (row[0], row[4]) else 0
            )
        case 10:
            return 30 if any(run in text for run in ("1234", "2345", "3456")) else 0
        case 11:
            return 40 if text in ("12345", "23456") else 0
        case 12:
            return 50 if row[0] == row[4] else 0
    return sum(dice)


class PlainYacht(PlainGame):
    """Five dice, three throws, thirteen boxes."""

    def __init__(self, players: int, first: int, options: Mapping[str, int] | None = None) -> None:
        super().__init__(players, first, options)
        self.sheets: list[dict[int, int]] = [{} for _ in range(players)]
        self.kept: list[int] = []
        self.lying: list[int] = []

    def totals(self) -> list[int]:
        sums = []
        for sheet in self.sheets:
            upper = sum(sheet.get(box, 0) for box in range(1, 7))
            sums.append(sum(sheet.values()) + (35 if upper >= 63 else 0))
        return sums

    def throw(self, dice: tuple[int, ...]) -> None:
        assert len(dice) == 5 - len(self.kept)
        self.lying = list(dice)

    def keep(self, dice: tuple[int, ...]) -> None:
        for die in dice:
            self.lying.remove(die)
            self.kept.append(die)

    def put_back(self) -> None:
        self.lying += self.kept
        self.kept = []

    def fill(self, box: int) -> None:
        sheet = self.sheets[self.turn_of]
        assert box not in sheet
        sheet[box] = score_yacht_box(box, (*self.lying, *self.kept))
        self.kept, self.lying = [], []
        if all(len(each) == 13 for each in self.sheets):
            self.over = True
            return
        self.next_player()


class PlainYahtzee(PlainYacht):
    """Yacht with 100 points for each Yahtzee after the first one, which fits wherever its number cannot be filled."""

    def __init__(self, players: int, first: int, options: Mapping[str, int] | None = None) -> None:
        super().__init__(players, first, options)
        self.extra = [0] * players

    def totals(self) -> list[int]:
        return [points + extra for points, extra in zip(super().totals(), self.extra, strict=True)]

    def fill(self, box: int) -> None:
        player, sheet, dice = self.turn_of, self.sheets[self.turn_of], (*self.lying, *self.kept)
        is_joker = len({*dice}) == 1 and 12 in sheet
        assert not is_joker or box == dice[0] or dice[0] in sheet
        if is_joker and sheet[12] == 50:
            self.extra[player] += 100
        super().fill(box)
        if is_joker and box in (9, 10, 11):
            sheet[box] = {9: 25, 10: 30, 11: 40}[box]


def split_in_all_ways(dice: tuple[int, ...]) -> set[tuple[tuple[int, ...], ...]]:
    """Every way to lay dice in groups, as orders that are cut."""
    ways = set()
    for order in set(permutations(dice)):
        for cuts in range(2 ** (len(order) - 1)) if order else [0]:
            groups, group = [], list(order[:1])
            for i, die in enumerate(order[1:]):
                if cuts >> i & 1:
                    groups.append(tuple(sorted(group)))
                    group = []
                group.append(die)
            groups.append(tuple(sorted(group)))
            ways.add(tuple(sorted(groups)))
    return ways


Table = dict[tuple[int, ...], int]
"""What each scoring group of dice brings."""


@cache
def make_farkle_table(ones: int, doubling: bool) -> Table:
    """Three 1s bring `ones`; of more than three alike each one doubles, or they bring 1,000, 2,000 and 3,000."""
    table = {(1,): 100, (5,): 50, (1, 2, 3, 4, 5, 6): 1500}
    for value in range(1, 7):
        three = ones if value == 1 else 100 * value
        table[(value,) * 3] = three
        for more, usual in ((1, 1000), (2, 2000), (3, 3000)):
            table[(value,) * (3 + more)] = three * 2**more if doubling else usual
        for other in range(value + 1, 7):
            table[(value,) * 3 + (other,) * 3] = 2500
            table[(value,) * 2 + (other,) * 4] = 1500  # the four are two pairs
            table[(value,) * 4 + (other,) * 2] = 1500
            for third in range(other + 1, 7):
                table[(value, value, other, other, third, third)] = 1500
    return table


@cache
def make_ten_thousand_table(straight: int, pairs: int) -> Table:
    table = {(1,): 100, (5,): 50, (1, 2, 3, 4, 5, 6): straight}
    for value in range(1, 7):
        for more in range(4):
            table[(value,) * (3 + more)] = (1000 if value == 1 else 100 * value) * 2**more
        for other in range(value + 1, 7):
            for third in range(other + 1, 7):
                table[(value, value, other, other, third, third)] = pairs
    return table


_known: dict[tuple[int, tuple[int, ...]], int | None] = {}


def score_groups(table: Table, dice: tuple[int, ...]) -> int | None:
    """The most that all these dice bring together; None: one of them brings nothing."""
    key = (id(table), tuple(sorted(dice)))
    if key not in _known:
        sums = [sum(table[g] for g in way) for way in split_in_all_ways(key[1]) if all(g in table for g in way)]
        _known[key] = max(sums, default=None)
    return _known[key] if dice else 0


def list_choices(dice: tuple[int, ...]) -> set[tuple[int, ...]]:
    """Every choice of some of the dice, none included."""
    return {tuple(sorted(d for i, d in enumerate(dice) if mask >> i & 1)) for mask in range(2 ** len(dice))}


class PlainSettingAside(PlainGame):
    """Farkle and Ten Thousand: six dice, those that score are set aside."""

    MUST_THROW_HOT_DICE = False
    table: Table
    first_least = 1
    least = 1

    def __init__(self, players: int, first: int, options: Mapping[str, int] | None = None) -> None:
        super().__init__(players, first, options)
        self.gathered = 0
        self.aside: tuple[int, ...] = ()
        self.lying: tuple[int, ...] = ()
        self.used = 0  # dice that were set aside before this throw, since all six were thrown
        self.closer: int | None = None

    def throw(self, dice: tuple[int, ...]) -> None:
        if self.aside:
            self.gathered += score_groups(self.table, self.aside) or 0
            self.used += len(self.aside)
        if self.used == 6:
            self.used = 0
        assert len(dice) == 6 - self.used
        self.lying, self.aside = dice, ()
        if not any(choice and score_groups(self.table, choice) is not None for choice in list_choices(dice)):
            self.gathered = 0
            self.lose_turn()
            self.end_turn()

    def lose_turn(self) -> None:
        pass

    def keep(self, dice: tuple[int, ...]) -> None:
        left = list(self.lying)
        for die in dice:
            left.remove(die)
        self.lying, self.aside = tuple(left), (*self.aside, *dice)
        assert score_groups(self.table, self.aside) is not None

    def worth_now(self) -> int | None:
        """What the turn brings if it ends here, with all that scores; None: it may not end."""
        worths = []
        for more in list_choices(self.lying):
            chosen = (*self.aside, *more)
            worth = score_groups(self.table, chosen)
            if not chosen or worth is None:
                continue
            if self.MUST_THROW_HOT_DICE and len(more) == len(self.lying):
                continue
            worths.append(self.gathered + worth)
        best = max(worths, default=None)
        least = self.least if self.points[self.turn_of] > 0 else self.first_least
        return best if best is not None and best >= least else None

    def stop(self) -> None:
        worth = self.worth_now()
        assert worth is not None
        self.points[self.turn_of] += worth
        self.end_turn()

    def end_turn(self) -> None:
        self.gathered, self.aside, self.lying, self.used = 0, (), (), 0
        self.check_end()
        if not self.over:
            self.next_player()
            self.over = self.turn_of == self.closer

    def check_end(self) -> None:
        raise NotImplementedError


class PlainFarkle(PlainSettingAside):
    def __init__(self, players: int, first: int, options: Mapping[str, int] | None = None) -> None:
        super().__init__(players, first, options)
        self.table = make_farkle_table(self.options.get("ones", 1000), bool(self.options.get("doubling")))
        self.first_least = max(1, self.options.get("entry", 500))
        self.farkles = [0] * players

    def lose_turn(self) -> None:
        self.farkles[self.turn_of] += 1
        if self.farkles[self.turn_of] == 3:
            self.farkles[self.turn_of] = 0
            self.points[self.turn_of] -= self.options.get("penalty", 0)

    def stop(self) -> None:
        self.farkles[self.turn_of] = 0
        super().stop()

    def check_end(self) -> None:
        if self.closer is None and self.points[self.turn_of] >= self.options.get("goal", 10_000):
            self.closer = self.turn_of


class PlainTenThousand(PlainSettingAside):
    MUST_THROW_HOT_DICE = True

    def __init__(self, players: int, first: int, options: Mapping[str, int] | None = None) -> None:
        super().__init__(players, first, options)
        self.table = make_ten_thousand_table(self.options.get("straight", 2000), self.options.get("pairs", 1000))
        self.least = self.options.get("entry", 350)
        self.first_least = max(self.least, self.options.get("opening", 0))

    def check_end(self) -> None:
        self.over = self.was_last_of_round and max(self.points) >= self.options.get("goal", 10_000)
