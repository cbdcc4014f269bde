"""Independent plain scoring of any game, sharing no code with the product; written from docs/rules/score_keeper.md."""

from __future__ import annotations

from typing import Any

USUAL_SECONDS = {"turn": 60, "bank": 600, "overtime": 30}


class PlainKeeper:
    """Totals, times and the end from moves and corrections alone: `press` and `correct`, in their order."""

    def __init__(self, players: int, rules: dict[str, Any]) -> None:
        self.players = players
        self.order = rules.get("turn_order", "none")
        self.target = rules.get("target_points", 0)
        self.last_round = rules.get("rounds", 0)
        self.counts_rounds = bool(self.order != "none" or rules.get("by_rounds") or self.last_round)
        self.lowest = rules.get("lowest_wins", False)
        self.extra = 10 * rules.get("extra_seconds", 0)
        self.kind_of_extra = rules.get("extra_time", "delay")
        self.grace = rules.get("grace_seconds", 0)
        self.komi = rules.get("komi_halves", 0) / 2 if players == 2 else 0.0
        self.beginner: int | None = 0 if self.order != "none" and players == 1 else None
        self.clock = rules.get("clock", "off")
        self.seconds = {name: rules.get(f"{name}_seconds", usual) for name, usual in USUAL_SECONDS.items()}
        self.time_is_up = rules.get("time_up", "remind")
        self.periods = rules.get("overtime_periods", 1)
        self.turns_in_period = rules.get("overtime_turns", 1)
        self.loser: int | None = None
        self.teams = bool(rules.get("teams") and players in (4, 6))
        self.book: list[list[tuple[int, int]]] = [[]]  # by round: (player, points)
        self.done: set[int] = set()
        self.turns: list[tuple[int, int, list[int]]] = []  # player, tenths, the others at the table
        self.whose: int | None = 0 if self.order != "none" and players == 1 else None
        self.over = False
        self.number = 1  # of the round in play
        self.added = [0] * players  # what corrections of totals add
        self.gone: set[int] = set()

    def own(self) -> list[int]:
        sums = list(self.added)
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
        if self.komi and self.over and self.beginner is not None:
            sums[1 - self.beginner] += int(self.komi)
        return sums

    def winners(self) -> set[int]:
        totals = self.totals()
        able = [p for p in range(self.players) if self.loser is None or p % self.sides() != self.loser % self.sides()]
        able = able or list(range(self.players))
        best = sorted(totals[p] for p in able)[0 if self.lowest else -1]
        winners = {p for p in able if totals[p] == best}
        if len(winners) == 2 and self.komi % 1 and self.over and self.beginner is not None:
            winners = {1 - self.beginner}
        return winners

    def sides(self) -> int:
        return self.players // 2 if self.teams else self.players

    def follow_clocks(self) -> list[tuple[int, int, int, int]]:
        """By player: tenths in the bank, periods left, tenths used of the present one, turns ended within it."""
        bank = [10 * self.seconds["bank"]] * self.players
        left, inside, count = [self.periods] * self.players, [0] * self.players, [0] * self.players
        period = 10 * self.seconds["overtime"]
        for who, tenths, others in self.turns:
            if self.clock == "sand_glass":
                taken = min(tenths, bank[who])
                bank[who] -= taken
                for q in others:
                    bank[q] += taken // len(others)
            if self.clock != "chess":
                continue
            rest = tenths
            if self.kind_of_extra == "fischer":
                bank[who] += self.extra
            else:
                rest = max(0, rest - self.extra)
            from_bank = min(rest, bank[who])
            bank[who], rest = bank[who] - from_bank, rest - from_bank
            if bank[who] or not period:
                continue
            inside[who] += rest
            while inside[who] > period and left[who] > 1:
                inside[who], left[who], count[who] = inside[who] - period, left[who] - 1, 0
            inside[who], count[who] = min(inside[who], period), count[who] + 1
            if count[who] == self.turns_in_period:
                inside[who] = count[who] = 0
        return list(zip(bank, left, inside, count, strict=True))

    def reached(self) -> bool:
        return self.target > 0 and any(total >= self.target for total in self.totals())

    def close_round(self) -> None:
        if self.reached() or (self.last_round and self.number == self.last_round):
            self.over = True
            self.whose = None
        else:
            self.number += 1
        self.book.append([])
        self.done = set()

    def waiting(self) -> list[int]:
        """Who is at the table and has had no turn in this round."""
        return [p for p in range(self.players) if p not in self.done and p not in self.gone]

    def hand_on(self, player: int) -> None:
        """End the turn of a player; the next one begins, or nobody's."""
        self.done.add(player)
        self.whose = None
        if not self.waiting():
            self.close_round()
        if self.over:
            return
        if self.order == "clockwise":
            at = player
            while self.whose is None:
                at = (at + 1) % self.players
                self.whose = at if at in self.waiting() else None
        elif len(self.waiting()) == 1:
            self.whose = self.waiting()[0]

    def correct(self, kind: str, player: int, index: int, value: int) -> None:
        if kind == "total":
            self.added[player] += value - self.own()[player]
        elif kind == "round":
            page = self.book[index - 1]
            self.book[index - 1] = [*((p, points) for p, points in page if p != player), (player, value)]
        elif kind == "current round":
            self.number = value
        elif kind == "active":
            if self.whose != value:
                self.whose = value
                self.done.discard(value)
        else:
            assert kind == "away"
            if not value:
                self.gone.discard(player)
            elif player not in self.gone:
                self.gone.add(player)
                nobody = self.order != "none" and self.whose is None and not self.over
                if self.whose == player:
                    self.hand_on(player)
                elif nobody and len(self.waiting()) == 1:
                    self.whose = self.waiting()[0]
                    self.beginner = self.whose if self.beginner is None else self.beginner

    def limit(self) -> float | None:
        """Seconds of the turn in play; None: any number, or nobody has a turn."""
        if self.whose is None or self.clock == "off":
            return None
        if self.clock == "turn":
            return float(self.seconds["turn"] + (self.grace if self.time_is_up != "remind" else 0))
        bank, left, inside, _count = self.follow_clocks()[self.whose]
        if self.clock == "sand_glass":
            return max(1.0, bank / 10)
        extra = self.extra if self.kind_of_extra != "bronstein" else 0
        return max(1.0, (extra + bank + 10 * self.seconds["overtime"] * left - inside) / 10)

    def time_up(self) -> int | None:
        """Tenths of a second after which the clock ends the turn in play; None: it only reminds, or there is none."""
        limit = self.limit()
        ends = self.time_is_up == "lose" or (self.time_is_up == "next_player" and (limit or 0) >= 5)
        return round(10 * limit) if limit is not None and ends else None

    def press(self, kind: str, player: int = -1, number: int = 0) -> None:
        assert not self.over
        if kind in ("point", "add"):
            self.book[-1].append((player, 1 if kind == "point" else number))
            if self.reached() and not self.counts_rounds:
                self.over = True
        elif kind == "take":
            assert player not in self.done
            self.whose = player
            self.beginner = player if self.beginner is None else self.beginner
        elif kind == "pass":
            assert player == self.whose
            end = self.time_up()
            self.end_turn(player, number)
            if self.time_is_up == "lose" and end is not None and number >= end:
                self.over, self.whose, self.loser = True, None, player
            else:
                self.hand_on(player)
        elif kind == "round":
            self.close_round()
        else:
            assert kind == "end"
            if self.whose is not None:
                self.end_turn(self.whose, number)
            self.whose = None
            self.over = True

    def end_turn(self, player: int, tenths: int) -> None:
        self.turns.append((player, tenths, [p for p in range(self.players) if p != player and p not in self.gone]))

    def times(self) -> list[tuple[int, int, int]]:
        """By player: turns, tenths of all, tenths of the longest."""
        found = []
        for p in range(self.players):
            own = [tenths for player, tenths, _others in self.turns if player == p]
            found.append((len(own), sum(own), max(own, default=0)))
        return found
