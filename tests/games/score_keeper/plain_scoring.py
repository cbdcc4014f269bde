"""Independent plain scoring of any game, sharing no code with the product; written from docs/rules/score_keeper.md."""

from __future__ import annotations

from typing import Any


class PlainKeeper:
    """Totals, times and the end from the moves alone: `press(kind, player, number)` in their order."""

    def __init__(self, players: int, rules: dict[str, Any]) -> None:
        self.players = players
        self.order = rules.get("turn_order", "none")
        self.target = rules.get("target_points", 0)
        self.last_round = rules.get("rounds", 0)
        self.counts_rounds = bool(self.order != "none" or rules.get("by_rounds") or self.last_round)
        self.lowest = rules.get("lowest_wins", False)
        self.delay = rules.get("delay_seconds", 0)
        self.teams = bool(rules.get("teams") and players in (4, 6))
        self.book: list[list[tuple[int, int]]] = [[]]  # by round: (player, points)
        self.done: set[int] = set()
        self.turns: list[tuple[int, int]] = []  # player, tenths
        self.whose: int | None = 0 if self.order != "none" and players == 1 else None
        self.over = False

    def own(self) -> list[int]:
        sums = [0] * self.players
        for page in self.book:
            for player, points in page:
                sums[player] += points
        return sums

    def totals(self) -> list[int]:
        sums = self.own()
        if self.teams:
            half = self.players // 2
            pairs = [sums[p] + sums[p + half] for p in range(half)]
            return [*pairs, *pairs]
        return sums

    def winners(self) -> set[int]:
        totals = self.totals()
        best = sorted(totals)[0 if self.lowest else -1]
        return {p for p in range(self.players) if totals[p] == best}

    def reached(self) -> bool:
        return self.target > 0 and any(total >= self.target for total in self.totals())

    def close_round(self) -> None:
        if self.reached() or (self.last_round and len(self.book) == self.last_round):
            self.over = True
            self.whose = None
        self.book.append([])
        self.done = set()

    def press(self, kind: str, player: int = -1, number: int = 0) -> None:
        assert not self.over
        if kind in ("point", "add"):
            self.book[-1].append((player, 1 if kind == "point" else number))
            if self.reached() and not self.counts_rounds:
                self.over = True
        elif kind == "take":
            assert player not in self.done
            self.whose = player
        elif kind == "pass":
            assert player == self.whose
            self.turns.append((player, number))
            self.done.add(player)
            self.whose = None
            if len(self.done) == self.players:
                self.close_round()
            left = [p for p in range(self.players) if p not in self.done]
            if not self.over and self.order == "clockwise":
                self.whose = (player + 1) % self.players
            elif not self.over and len(left) == 1:
                self.whose = left[0]
        elif kind == "round":
            self.close_round()
        else:
            assert kind == "end"
            if self.whose is not None:
                self.turns.append((self.whose, number))
            self.whose = None
            self.over = True

    def times(self) -> list[tuple[int, int, int, int]]:
        """By player: turns, tenths of all, tenths of the longest, tenths from the bank."""
        found = []
        for p in range(self.players):
            own = [tenths for player, tenths in self.turns if player == p]
            paid = [max(0, tenths - 10 * self.delay) for tenths in own]
            found.append((len(own), sum(own), max(own, default=0), sum(paid)))
        return found
