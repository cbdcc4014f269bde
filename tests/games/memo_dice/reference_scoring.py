"""Reference scoring of Memo Dice, written from the rulebook alone: simple, and sharing no code with the game."""

from __future__ import annotations

from typing import Any

NUMBERS = {1: "red", 2: "blue", 3: "black"}


class ReferenceMemoDice:
    """The notes that players would take: whose turn, the row of cups, each player's cups, the squares."""

    def __init__(self, players: int, first: int, **rules: Any) -> None:
        self.rules: dict[str, Any] = {
            "start_square": 1,
            "target_square": 20,
            "gold_value": 2,
            "cup_value": 1,
            "cups_per_colour": 3,
            "dice": 9,
        } | rules
        self.players = players
        self.turn = first
        self.squares = [self.rules["start_square"] for _ in range(players)]
        self.history: list[list[int]] = []
        self.over = False
        self.set_out()

    def set_out(self) -> None:
        self.supply = dict.fromkeys(("red", "blue", "black"), self.rules["cups_per_colour"])
        self.row: list[str] = []
        self.won: list[list[str]] = [[] for _ in range(self.players)]
        self.lifted = 0
        self.open: tuple[str, tuple[int, ...]] | None = None

    def rolls(self, colour: str | None) -> str:
        """Roll a die of `colour` (None: nobody noted it); return the cup that covers it."""
        assert not self.over
        assert "golden" not in self.row
        if len(self.row) + 1 == self.rules["dice"]:
            cup = "golden"
        elif colour is None:
            assert 0 in self.supply.values()
            cup = "golden"
        elif self.supply[colour] == 0:
            cup = "golden"
        else:
            self.supply[colour] -= 1
            cup = colour
        self.row.append(cup)
        if cup != "golden":
            self.turn = (self.turn + 1) % self.players
        return cup

    def answers(self, right: bool) -> None:
        """The player on turn names a symbol and lifts the cup."""
        assert self.row[-1] == "golden"
        cup = self.row[self.lifted]
        self.lifted += 1
        if not right:
            self.turn = (self.turn + 1) % self.players
        self.won[self.turn].append(cup)
        if self.lifted == len(self.row):
            self.scores()

    def scores(self) -> None:
        gained = []
        for player in range(self.players):
            sum_of_cups = 0
            for cup in self.won[player]:
                if cup == "golden":
                    sum_of_cups += self.rules["gold_value"]
                else:
                    sum_of_cups += self.rules["cup_value"]
            gained.append(sum_of_cups)
            self.squares[player] += sum_of_cups
            if "golden" in self.won[player]:
                self.turn = player
        self.history.append(gained)
        for square in self.squares:
            if square >= self.rules["target_square"]:
                self.over = True

    def winners(self) -> list[int]:
        best = max(self.squares)
        return [player for player in range(self.players) if self.squares[player] == best]

    def take(self, kind: str, value: tuple[int, ...]) -> None:
        """Apply a move as the journal has it."""
        if kind in ("show", "show gold"):  # the die lies open until it is covered
            self.open = (kind, value)
        elif kind == "cover" and self.open is not None:
            shown, value = self.open
            self.open = None
            assert (self.rolls(NUMBERS[value[0]] if value else None) == "golden") == (shown == "show gold")
        elif kind == "die":
            assert self.rolls(NUMBERS[value[0]]) != "golden"
        elif kind == "gold":
            assert self.rolls(None) == "golden"
        elif kind in ("right", "miss"):
            self.answers(kind == "right")
        elif kind == "next":
            assert not self.over
            self.set_out()
        else:
            assert kind in ("cover", "call", "lift")
