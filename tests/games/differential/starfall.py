"""Score StarFall from what happened at the table; written from the rulebook, not from the game.

Rule numbers: `docs/rules/starfall.md`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

COMETS = (0, 3, 8, 15, 24, 35)
"""F34: points of 0 to 5 comets."""
NEBULAE = (0, 0, 4, 9, 16, 25)
"""F35: bonus for 0 to 5 colours."""


def score_sky(symbols: Sequence[Sequence[int]], dust: Sequence[int], rules: Mapping[str, Any]) -> list[int]:
    """Return each player's final points (F30 to F36).

    Args:
        symbols: by player stars, planets, moons, black holes, comets, and nebulae of five colours.
        dust: by player, the stardust left.
        rules: `ties` (those who are tied get the bonus), `equal` (also if all are tied).
    """
    points = []
    for (_, planets, moons, holes, comets, *nebulae), left in zip(symbols, dust, strict=True):
        tail = COMETS[comets] if comets < 6 else 7 * comets
        clouds = 2 * sum(nebulae) + NEBULAE[sum(map(bool, nebulae))]
        points.append(5 * planets + 3 * min(moons, planets) + (0, -5, 15)[min(holes, 2)] + tail + clouds + left // 2)
    stars = [each[0] for each in symbols]
    if len(stars) > 1 and (len(set(stars)) > 1 or rules["equal"]):
        for bonus, count in ((10, max(stars)), (-5 if len(stars) > 2 else 0, min(stars))):
            tied = [seat for seat, held in enumerate(stars) if held == count]
            for seat in tied if rules["ties"] or len(tied) == 1 else []:
                points[seat] += bonus
    return points


@dataclass
class StarTable:
    """The table: stardust, the pile, the board, tiles owned and whose turn it is.

    `rules` as in `score_sky`, and `dust`, `pile`, `most` (tiles on the board), `top` (space), `change`,
    `space_pays` (a tile pays the number of its space), `catalogue` (symbols by tile, the first tile is number 1).
    """

    seats: int
    turn: int
    rules: dict[str, Any]
    board: dict[int, int] = field(default_factory=dict)
    """Number of the tile in the catalogue by space; 0: not known."""
    away: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        """Deal stardust and pile (F1, F2)."""
        dust = self.rules["dust"]
        self.pile = self.rules["pile"]
        self.confirmed = False
        self.pages: dict[int, list[int]] = {}
        self.counted: set[int] = set()
        oranges = max(0, dust - 7) // 5
        self.tokens = [(dust - 5 * oranges, oranges)] * self.seats
        self.tiles: list[list[tuple[int, int | None]]] = [[] for _ in range(self.seats)]

    def happen(self, kind: str, *what: Any) -> None:
        """Let one thing happen.

        `("add", tile)`, `("move", space)`, `("discover", space, dust, tiles paid with and their stars)`;
        `("count", seat, line, change)` of a symbol, `("later", seat)`, `("counted", seat)`, `("accept",)` of what the
        catalogue knows, `("finish",)` when the points are confirmed; and from outside the rules `("away", seat)`,
        `("back", seat)`, `("turn", seat)`, `("dust", seat, count)`, `("pile", count)`, `("tiles", seat, count)`.
        """
        had_ended = self.ended
        getattr(self, f"_{kind}")(*what)
        if self.ended != had_ended:
            self.pages.clear()
            self.counted.clear()

    @property
    def dust(self) -> list[int]:
        """By player, the stardust left."""
        return [white + 5 * orange for white, orange in self.tokens]

    @property
    def over(self) -> bool:
        """Whether the points are confirmed (F37)."""
        return self.ended and self.confirmed

    @property
    def ended(self) -> bool:
        """F20, F21: whether the game has ended; who is away does not keep it going."""
        here = [dust for seat, dust in enumerate(self.dust) if seat not in self.away]
        return (not self.pile and len(self.board) <= 1) or not any(here)

    def is_known(self, seat: int) -> bool:
        """Return whether the catalogue has all tiles of a player."""
        return all(1 <= number <= len(self.rules["catalogue"]) for number, _ in self.tiles[seat])

    def get_page(self, seat: int) -> list[int]:
        """Return the symbols of a player as counted (F30); at first those on tiles that the catalogue knows."""
        catalogue = self.rules["catalogue"]
        known = [catalogue[number - 1] for number, _ in self.tiles[seat] if 1 <= number <= len(catalogue)]
        return self.pages.setdefault(seat, [sum(tile[line] for tile in known) for line in range(10)])

    @property
    def points(self) -> list[int]:
        """By player, the final points."""
        return score_sky([self.get_page(seat) for seat in range(self.seats)], self.dust, self.rules)

    def list_actions(self) -> set[tuple[str, int]]:
        """Return the legal actions with the space that they are about (F10 to F12)."""
        actions = {("move", space) for space in self.board}
        if self.pile and len(self.board) < self.rules["most"]:
            actions.add(("add", max(set(range(self.rules["top"] + 1)) - set(self.board))))
        values = [self.get_value(tile) for tile in self.tiles[self.turn]]
        means = self.dust[self.turn] + sum(value or 0 for value in values)
        return actions | {("discover", space) for space in self.board if None in values or means >= space}

    def get_value(self, tile: tuple[int, int | None]) -> int | None:
        """Return what an own tile pays (F13, A2); None: only the players know its stars."""
        number, space = tile
        if self.rules["space_pays"]:
            return space
        catalogue = self.rules["catalogue"]
        return catalogue[number - 1][0] if 1 <= number <= len(catalogue) else None

    def _add(self, tile: int) -> None:
        self.board[max(set(range(self.rules["top"] + 1)) - set(self.board))] = tile
        self.pile -= 1
        self._pass_left()

    def _move(self, space: int) -> None:
        tile = self.board.pop(space)
        below = set(range(space)) - set(self.board)
        if below:
            self.board[max(below)] = tile
        self._pass_left()

    def _discover(self, space: int, dust: int, given: Sequence[tuple[int, int | None]]) -> None:
        own = self.tiles[self.turn]
        values = [self.get_value(own[index]) for index, _ in given]
        values = [stated if value is None else value for value, (_, stated) in zip(values, given, strict=True)]
        if None not in values:
            paid = dust + sum(value or 0 for value in values)
            assert paid >= space, "F12"
            known = [self.get_value(own[index]) for index, _ in given]
            assert not any(value is not None and paid - value >= space for value in known), "A7"
        self.tokens[self.turn] = self._pay(*self.tokens[self.turn], dust)
        paid_with = {index for index, _ in given}
        self.tiles[self.turn] = [tile for i, tile in enumerate(own) if i not in paid_with]
        self.tiles[self.turn].append((self.board.pop(space), space))
        self._pass_left()

    def _count(self, seat: int, line: int, change: int) -> None:
        self.get_page(seat)[line] += change

    def _later(self, seat: int) -> None:
        if not any(self.get_page(seat)):
            del self.pages[seat]

    def _counted(self, seat: int) -> None:
        self.counted.add(seat)

    def _accept(self) -> None:
        asked = {seat for seat in range(self.seats) if seat not in self.away or self.tiles[seat]}
        for seat in {seat for seat in asked if self.is_known(seat)} - self.counted:
            self.pages.pop(seat, None)
            self.counted.add(seat)

    def _finish(self) -> None:
        self.confirmed = True

    def _pay(self, white: int, orange: int, dust: int) -> tuple[int, int]:
        """F13: the bank gives change; by house rule it does not, and then the least is paid that is enough."""
        if self.rules["change"]:
            left = white + 5 * orange - dust
            return left % 5, left // 5
        ways = [(5 * o + w, -o, w) for o in range(orange + 1) for w in range(white + 1) if 5 * o + w >= dust]
        _, minus, whites = min(ways)
        return white - whites, orange + minus

    def _pass_left(self) -> None:
        order = [(self.turn + step) % self.seats for step in range(1, self.seats + 1)]
        self.turn = next(seat for seat in order if seat not in self.away)

    def _away(self, seat: int) -> None:
        self.away.add(seat)
        if seat == self.turn:
            self._pass_left()

    def _back(self, seat: int) -> None:
        self.away.remove(seat)

    def _turn(self, seat: int) -> None:
        self.turn = seat

    def _pile(self, count: int) -> None:
        self.pile = count

    def _tiles(self, seat: int, count: int) -> None:
        self.tiles[seat] = self.tiles[seat][:count] + [(0, None)] * (count - len(self.tiles[seat]))

    def _dust(self, seat: int, count: int) -> None:
        oranges = min(self.tokens[seat][1], count // 5)
        self.tokens[seat] = (count - 5 * oranges, oranges)


def find_winners(points: Sequence[int]) -> set[int]:
    """Return everybody with the highest total (F37)."""
    return {seat for seat, total in enumerate(points) if total == max(points)}
