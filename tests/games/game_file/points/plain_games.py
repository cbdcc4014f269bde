"""Plain scorings of four games in files whose points people enter, sharing no code with the product; written from
the rules in their files.

Each takes what people enter: `enter(player, number)`, `press(player)`, `pass_clock()`, `stop()`.
"""

from __future__ import annotations

from collections.abc import Mapping


class PlainScores:
    """Players by number, from 0."""

    fewest_win = False

    def __init__(self, players: int, first: int, options: Mapping[str, int] | None = None) -> None:
        self.players, self.first, self.options = players, first, options or {}
        self.points = [0] * players
        self.over = False

    def winners(self) -> set[int]:
        best = min(self.points) if self.fewest_win else max(self.points)
        return {p for p in range(self.players) if self.points[p] == best}

    def stop(self) -> None:
        self.over = True

    def enter(self, player: int, number: int) -> None:
        raise NotImplementedError

    def take_back(self, player: int) -> None:
        raise NotImplementedError

    def waiting(self) -> set[int]:
        """Players who have something to enter now."""
        raise NotImplementedError


class PlainHands(PlainScores):
    """After each hand everybody enters a number; at a tie for the best another hand is played."""

    limit = 0

    def __init__(self, players: int, first: int, options: Mapping[str, int] | None = None) -> None:
        super().__init__(players, first, options)
        self.hand: dict[int, int] = {}

    def waiting(self) -> set[int]:
        return set() if self.over else set(range(self.players)) - set(self.hand)

    def enter(self, player: int, number: int) -> None:
        assert player not in self.hand
        self.hand[player] = number
        if len(self.hand) == self.players and self.adds_up():
            self.score_hand()
            self.hand = {}
            self.over = max(self.points) >= self.options.get("goal", self.limit) and len(self.winners()) == 1

    def take_back(self, player: int) -> None:
        del self.hand[player]

    def adds_up(self) -> bool:
        raise NotImplementedError

    def score_hand(self) -> None:
        raise NotImplementedError


class PlainRummy(PlainHands):
    """Whoever went out alone gets what the others hold, twice if all cards were laid down in one turn; to 200."""

    limit = 200

    def __init__(self, players: int, first: int, options: Mapping[str, int] | None = None) -> None:
        super().__init__(players, first, options)
        self.at_once: dict[int, int] = {}

    def waiting(self) -> set[int]:
        asked = {player for player, left in self.hand.items() if left == 0 and player not in self.at_once}
        return set() if self.over else super().waiting() | asked

    def enter(self, player: int, number: int) -> None:
        if player in self.hand:
            self.at_once[player] = number
        else:
            self.hand[player] = number
        if not self.waiting() and self.adds_up():
            self.end_hand()

    def end_hand(self) -> None:
        self.score_hand()
        self.hand, self.at_once = {}, {}
        self.over = max(self.points) >= self.options.get("goal", self.limit) and len(self.winners()) == 1

    def adds_up(self) -> bool:
        return list(self.hand.values()).count(0) == 1

    def score_hand(self) -> None:
        out = [player for player, left in self.hand.items() if left == 0]
        if len(out) == 1:
            self.points[out[0]] += sum(self.hand.values()) * (2 if self.at_once[out[0]] else 1)


class PlainHearts(PlainHands):
    """26 points a hand, all 26 go to the others; to 100, the fewest win."""

    limit = 100
    fewest_win = True

    def adds_up(self) -> bool:
        return sum(self.hand.values()) == 26

    def score_hand(self) -> None:
        takes_off = 26 in self.hand.values() and self.options.get("takes_off")
        for player, taken in self.hand.items():
            if takes_off:
                taken = -taken
            elif 26 in self.hand.values():
                taken = 26 - taken
            self.points[player] += taken


class PlainCribbage(PlainScores):
    """Pegs at any time; 121 wins at once. Four are two pairs."""

    def enter(self, player: int, number: int) -> None:
        for each in (player, (player + 2) % 4) if self.players == 4 and self.options.get("partners", 1) else (player,):
            self.points[each] += number
        self.over = self.points[player] >= self.options.get("goal", 121)


class PlainGo(PlainScores):
    """Two clocks: 20 minutes for all moves, then 5 periods of 30 seconds; komi of 6 and a half for White."""

    def __init__(self, players: int, first: int, options: Mapping[str, int] | None = None) -> None:
        super().__init__(players, first, options)
        self.seconds_used = [0.0] * players
        self.periods = [5] * players
        self.lost: int | None = None
        self.turn_of: int | None = None
        self.white: int | None = None

    def enter(self, player: int, number: int) -> None:
        self.points[player] += number

    def begin(self, player: int) -> None:
        self.turn_of = player
        self.white = 1 - player

    def end(self) -> None:
        if self.white is not None:
            self.points[self.white] += 6

    def limit(self) -> float:
        """Seconds that the move in play may take."""
        assert self.turn_of is not None
        return max(0.0, 20 * 60 - self.seconds_used[self.turn_of]) + 30 * self.periods[self.turn_of]

    def pass_clock(self, seconds: float) -> None:
        who = self.turn_of
        assert who is not None
        if seconds >= self.limit() - 0.01:
            self.lost, self.over = who, True
            return
        overtime = seconds - max(0.0, 20 * 60 - self.seconds_used[who])
        while overtime > 30.01:
            overtime -= 30
            self.periods[who] -= 1
        self.seconds_used[who] += seconds
        self.turn_of = 1 - who

    def winners(self) -> set[int]:
        if self.lost is not None:
            return {1 - self.lost}
        best = super().winners()
        return best if len(best) == 1 or self.white is None else {self.white}
