"""Reference scoring of Macroscope, written from the rules alone: simple, and sharing no code with the game."""

from __future__ import annotations

from companion.api import Move
from companion.games.macroscope.settings import Settings


class ReferenceMacroscope:
    """Crystals computed from the moves alone."""

    def __init__(self, players: int, rules: Settings) -> None:
        self.rules = rules
        self.crystals = [rules.start_crystals] * players
        self.reserve = 154 - sum(self.crystals)
        self.active: int | None = None
        self.opened = 0
        self.for_the_moment = False
        self.new_round()

    def new_round(self) -> None:
        self.covered = self.rules.windows
        self.guessers: list[int] = []
        self.v = 0

    def gains(self, seat: int, amount: int) -> None:
        self.crystals[seat] += amount
        self.reserve -= amount

    def play(self, move: Move) -> None:
        if move.kind in ("roll", "remove") and move.seat != self.active:
            self.active, self.opened = move.seat, 0
        seat = -1 if move.seat is None else move.seat
        if move.kind == "remove":
            self.opened += 1
            self.covered -= 1
            if self.covered == 0:
                if self.rules.void_round_pays_opener:
                    self.gains(seat, 2 if self.rules.variant == "easy" else self.opened)
                self.new_round()
        elif move.kind == "stop":
            self.gains(seat, 2 if self.rules.variant == "easy" else self.opened)
        elif move.kind == "guess":
            self.guesses(seat)
        elif move.kind == "name":
            self.pays_for_a_guess(seat)
            if self.for_the_moment and not self.guessers:
                self.gains(self.active or 0, 1)
            self.guesses(seat)
        elif move.kind in ("right", "nobody"):
            self.scores(seat)
        if move.kind in ("ask", "remove", "stop", "guess", "name"):
            self.for_the_moment = move.kind == "ask"

    def pays_for_a_guess(self, seat: int) -> None:
        if self.rules.variant == "easy":
            return
        payee = self.active or 0
        if self.rules.challenge_payee == "last_guesser" and self.guessers:
            payee = self.guessers[-1]
        self.crystals[seat] -= self.rules.challenge_cost
        self.crystals[payee] += self.rules.challenge_cost

    def guesses(self, seat: int) -> None:
        if not self.guessers:
            self.v = self.covered
        self.guessers.append(seat)

    def scores(self, right: int) -> None:
        for seat in range(len(self.crystals)):
            if seat == right:
                self.gains(seat, self.v)
            elif seat in self.guessers or self.rules.silent_players_lose:
                self.gains(seat, -min(self.v, self.crystals[seat]))
        self.new_round()
