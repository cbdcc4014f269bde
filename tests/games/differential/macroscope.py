"""Score Macroscope from what happened at the table; written from the rulebook, not from the game.

Rule numbers: `docs/rules/macroscope.md`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass
class CrystalTable:
    """The table: crystals, marker, tokens on the windows, dice, and whose turn it is.

    `rules` holds `easy`, `start`, `cost`, `rounds`, `windows`, `silent_lose`, `last_is_paid`, `void_pays`, `at_roll`.
    """

    seats: int
    active: int
    rules: dict[str, Any]
    marker: int = 1
    opened: int = 0
    value: int = 0
    guesses: list[int] = field(default_factory=list)
    wishes: set[int] = field(default_factory=set)
    called: set[int] = field(default_factory=set)
    away: set[int] = field(default_factory=set)
    rounds: list[list[int]] = field(default_factory=list)
    declined: bool = False
    over: bool = False
    corrected: bool = False
    """Whether crystals or marker were corrected, which the rules do not assign to a round."""

    def __post_init__(self) -> None:
        """Lay out crystals and tokens (M1, M3)."""
        self.crystals = [self.rules["start"]] * self.seats
        self.before_round = list(self.crystals)
        self.dice: set[tuple[int, ...]] = set()
        self._cover()

    def happen(self, kind: str, *what: Any) -> None:
        """Let one thing happen.

        `("roll", dice)`, `("open", number)`, `("stop",)`, `("wish", seat)`, `("withdraw", seat)`,
        `("close",)`, `("pick", seat)`, `("guess", seat)`, `("reveal", seat or None)`; and from outside the rules
        `("away", seat)`, `("back", seat)`, `("crystals", seat, count)`, `("marker", space)`, `("active", seat)`,
        `("worth", crystals)`.
        """
        getattr(self, f"_{kind}")(*what)
        self.wishes = {seat for seat in self.wishes if self.may_guess(seat)}
        if self.called and (len(self.called) > 1 or not self.called <= self.wishes):
            self._call()
            can_guess = any(self.may_guess(seat) for seat in range(self.seats))
            if self.declined and not self.guesses and not can_guess:
                self._pass_left()  # M16: who was called can no longer pay, and nobody else could

    def may_guess(self, seat: int) -> bool:
        """Return whether a player who is not active could name a picture (M23, M30, V3, V5)."""
        if seat == self.active or seat in self.guesses or seat in self.away:
            return False
        return self.active not in self.guesses if self.rules["easy"] else self.crystals[seat] >= self.rules["cost"]

    def list_tokens(self) -> set[int]:
        """Return the numbers of the tokens that the dice allow to be taken (M11, M12)."""
        if self.opened >= 2:
            return set()
        left = {number for number, count in self.tokens.items() if count}
        if not self.dice:
            return left
        return {number for number in left if any(self._use(dice, number) for dice in self.dice)}

    def _use(self, dice: tuple[int, ...], number: int) -> set[tuple[int, ...]]:
        """Return which dice may be left after a token was taken by one of `dice`."""
        free = self.at_roll if self.rules["at_roll"] else {n for n, count in self.tokens.items() if not count}
        uses = [i for i, die in enumerate(dice) if die == number or die in free]
        return {dice[:i] + dice[i + 1 :] for i in uses}

    def _roll(self, *dice: int) -> None:
        self.dice = {dice}
        self.at_roll = {n for n, count in self.tokens.items() if not count}

    def _open(self, number: int) -> None:
        assert number in self.list_tokens(), "M11, M13"
        assert not self.guesses, "M21"
        self.dice = {rest for dice in self.dice for rest in self._use(dice, number)}
        self.tokens[number] -= 1
        self.opened += 1
        self.wishes = set()
        self.called = set()
        if not sum(self.tokens.values()):  # M50: void; the opener is paid, the marker stays
            if self.rules["void_pays"]:
                self.crystals[self.active] += 2 if self.rules["easy"] else self.opened
            self._cover()
            self._pass_left()

    def _stop(self) -> None:
        self.crystals[self.active] += 2 if self.rules["easy"] else self.opened  # M16, V4
        self.declined, self.called = True, set()  # M33: another asking begins, with the wishes of the first
        if not any(self.may_guess(seat) for seat in range(self.seats)):
            self._pass_left()
        self._call_only_wisher()

    def _wish(self, seat: int) -> None:
        assert self.may_guess(seat), "M23"
        self.wishes.add(seat)
        self._call_only_wisher()

    def _call_only_wisher(self) -> None:
        if len([seat for seat in range(self.seats) if self.may_guess(seat)]) == len(self.wishes) == 1:
            self._call()  # M33: there is nobody else to wait for

    def _withdraw(self, seat: int) -> None:
        self.wishes.remove(seat)

    def _close(self) -> None:
        if self.wishes:
            self._call()
        elif self.declined and not self.guesses:
            self._pass_left()  # M16

    def _call(self) -> None:
        """M24: who has fewest crystals goes first; V6: anybody."""
        fewest = min((self.crystals[seat] for seat in self.wishes), default=0)
        self.called = {seat for seat in self.wishes if self.rules["easy"] or self.crystals[seat] == fewest}

    def _pick(self, seat: int) -> None:
        assert seat in self.called, "M24"
        self.called = {seat}

    def _guess(self, seat: int) -> None:
        if seat != self.active:
            assert self.called == {seat}, "M24"
            if not self.guesses and not self.declined:  # M30: asked after the first token
                self.crystals[self.active] += 1
                self.declined = True
            if not self.rules["easy"]:
                paid = self.guesses[-1] if self.rules["last_is_paid"] and self.guesses else self.active
                self.crystals[seat] -= self.rules["cost"]
                self.crystals[paid] += self.rules["cost"]
        if not self.guesses:
            self.value = sum(self.tokens.values())  # M21, M31
        self.guesses.append(seat)
        self.wishes.discard(seat)
        self.called = set()
        if seat != self.active and self.wishes:
            self._call()
        elif seat == self.active:
            self._call_only_wisher()

    def _reveal(self, right: int | None) -> None:
        assert right is None or right in self.guesses, "M40"
        losers = set(self.guesses)
        if self.rules["silent_lose"]:
            losers |= set(range(self.seats)) - self.away
        for seat in losers - {right}:
            self.crystals[seat] = max(0, self.crystals[seat] - self.value)  # M42
        if right is not None:
            self.crystals[right] += self.value  # M41
        self.rounds.append([now - then for now, then in zip(self.crystals, self.before_round, strict=True)])
        self.before_round = list(self.crystals)
        self._cover()
        self.over = self.marker >= self.rules["rounds"]  # M45, M60
        if not self.over:
            self.marker += 1
            self._pass_left()

    def _cover(self) -> None:
        self.tokens = dict.fromkeys(range(1, 7), self.rules["windows"] // 6)
        self.value = 0

    def _pass_left(self) -> None:
        """M46: the turn goes to the next player on the left who is at the table."""
        self.opened, self.declined, self.dice = 0, False, set()
        self.guesses, self.wishes, self.called = [], set(), set()
        order = [(self.active + step) % self.seats for step in range(1, self.seats + 1)]
        self.active = next(seat for seat in order if seat not in self.away)

    def _away(self, seat: int) -> None:
        """Who leaves in their own turn ends it as if they had declined."""
        self.away.add(seat)
        if seat == self.active and not self.guesses and not self.declined:
            if self.opened:
                self._stop()
            else:
                self._pass_left()

    def _back(self, seat: int) -> None:
        self.away.remove(seat)

    def _crystals(self, seat: int, count: int) -> None:
        self.crystals[seat] = count
        self.corrected = True

    def _marker(self, space: int) -> None:
        self.corrected = True
        self.marker = space

    def _worth(self, value: int) -> None:
        self.value = value

    def _active(self, seat: int) -> None:
        self.active = seat


def find_winners(crystals: Sequence[int]) -> set[int]:
    """Return everybody with the most crystals (M61)."""
    return {seat for seat, count in enumerate(crystals) if count == max(crystals)}
