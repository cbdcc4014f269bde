"""One position of a Macroscope game: what is stored, and what follows from it without a move."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.games.api.game import Seat
from companion.games.macroscope.settings import NUMBERS, Settings
from companion.games.macroscope.view import Asking, Phase

CRYSTALS = 154
"""M2: points in the box, 54 ones and 10 tens."""

EASY_PAY = 2
"""V4: what declining earns in the easier variant."""

AT_ASKING = (Phase.ASKING, Phase.PICK, Phase.CALLED)
"""The phases in which the others are being asked."""


@dataclass(frozen=True, slots=True)
class Position:
    """What the ledger remembers. Seats, tokens and dice are tuples; `changes` is the last move's doing, by seat."""

    settings: Settings
    crystals: tuple[int, ...]
    active: Seat
    phase: Phase
    tokens: tuple[int, ...]
    """How many of the numbers 1 to 6 are on the device."""
    marker: int = 1
    turn: int = 1
    """Counts turns from 1; names the clocks."""
    dice: tuple[int, ...] = ()
    taken: tuple[int, ...] = ()
    """Numbers taken off in this turn, in order."""
    asked: bool = False
    """M30: the others have been asked since the first token."""
    asking: Asking | None = None
    wishes: tuple[Seat, ...] = ()
    """In the order of the presses; `queue` has the order of M24."""
    called: Seat | None = None
    guessers: tuple[Seat, ...] = ()
    frozen_value: int | None = None
    cards_used: int = 0
    renewed_at: int = 0
    """D1: `cards_used` when the deck was last renewed."""
    changes: tuple[int, ...] = ()
    away: tuple[Seat, ...] = ()
    """Who has left the table, for now or for good: skipped, and not asked."""
    rounds: tuple[tuple[int, ...], ...] = ()
    """What each scored round brought, by seat, with what was earned and paid on the way to it."""
    at_round: tuple[int, ...] = ()
    """Crystals when the round in play began, by seat."""

    @property
    def players(self) -> int:
        return len(self.crystals)

    @property
    def covered(self) -> int:
        return sum(self.tokens)

    @property
    def opened(self) -> int:
        return len(self.taken)

    @property
    def value(self) -> int:
        """V, frozen or as of now (M21, M31)."""
        return self.covered if self.frozen_value is None else self.frozen_value

    @property
    def left_neighbour(self) -> Seat:
        """M46: the next one clockwise who is at the table."""
        return next(q for q in (*self.others, self.active) if q not in self.away)

    @property
    def others(self) -> tuple[Seat, ...]:
        """Everybody but the active player, clockwise from his left."""
        return tuple(Seat((self.active + i) % self.players) for i in range(1, self.players))

    @property
    def cost(self) -> int:
        """What a guess costs the others: M23, M30; V5: nothing."""
        return 0 if self.settings.easy else self.settings.challenge_cost

    @property
    def stop_pay(self) -> int:
        """M16, A2: a crystal for each window of this turn; V4: always two."""
        return EASY_PAY if self.settings.easy else self.opened

    @property
    def payee(self) -> Seat:
        """A5: who is paid for the next guess."""
        if self.settings.challenge_payee == "last_guesser" and self.guessers:
            return self.guessers[-1]
        return self.active

    @property
    def eligible(self) -> tuple[Seat, ...]:
        """M23: who of the others could guess, if asked."""
        return tuple(
            q for q in self.others if q not in self.guessers and q not in self.away and self.crystals[q] >= self.cost
        )

    @property
    def can_wish(self) -> tuple[Seat, ...]:
        if self.phase not in AT_ASKING:
            return ()
        return tuple(q for q in self.eligible if q not in self.wishes)

    @property
    def queue(self) -> tuple[Seat, ...]:
        """M24: fewest crystals first, seats clockwise from the active player among equals; V6: by seats only."""
        clockwise = tuple(q for q in self.others if q in self.wishes)
        return clockwise if self.settings.easy else tuple(sorted(clockwise, key=lambda q: self.crystals[q]))

    @property
    def first_in_queue(self) -> tuple[Seat, ...]:
        """Whose turn it is to be called; several: the active player picks (M24 a tie, V6 all)."""
        if self.settings.easy:
            return self.queue
        fewest = min((self.crystals[q] for q in self.wishes), default=0)
        return tuple(q for q in self.queue if self.crystals[q] == fewest)

    @property
    def active_is_free(self) -> bool:
        """Whether the active player may still take, guess or stop: in OPEN, and while MEANWHILE lasts (M30)."""
        return self.phase is Phase.OPEN or (self.phase in AT_ASKING and self.asking is Asking.MEANWHILE)

    @property
    def may_ask(self) -> bool:
        """M30, A4, V4: whether the others may be asked between the first and the second token."""
        return (
            self.phase is Phase.OPEN
            and self.opened == 1
            and not self.asked
            and not self.settings.easy
            and self.settings.others_may_guess_after_first_token
            and bool(self.eligible)
        )

    @property
    def dice_used(self) -> tuple[bool, ...]:
        """Which dice the tokens taken in this turn have used up."""
        return _used(self.dice, self.tokens, self.taken, self.settings)

    @property
    def takeable(self) -> tuple[int, ...]:
        """M11 to M13: numbers of the tokens that may be taken now, ascending."""
        if not self.active_is_free or self.opened >= 2:
            return ()
        present = tuple(n for n in range(1, NUMBERS + 1) if self.tokens[n - 1])
        if self.settings.dice == "off":
            return present
        left = [die for die, used in zip(self.dice, self.dice_used, strict=True) if not used]
        if any(_free(die, self.tokens, self.taken, self.settings) for die in left):
            return present
        return tuple(n for n in present if n in left)

    @property
    def deck_empty(self) -> bool:
        """D1: all cards since the last renewal have been pulled. Playing on shows that there were more."""
        pulled = self.cards_used - self.renewed_at
        return pulled > 0 and pulled % self.settings.deck_cards == 0

    @property
    def may_renew(self) -> bool:
        """D1: between two rounds, once a card has been pulled since the last renewal."""
        return (
            self.phase is start_phase(self.settings)
            and self.opened == 0
            and self.covered == self.settings.windows
            and self.cards_used > self.renewed_at
        )


def start_phase(settings: Settings) -> Phase:
    """How a turn begins: with the roll (M10), or at once with the tokens (M12)."""
    return Phase.ROLL if settings.dice == "on" else Phase.OPEN


def _free(die: int, tokens: Sequence[int], taken: Sequence[int], settings: Settings) -> bool:
    """M11: whether a die may be used on any token, with `tokens` on the device and `taken` off it in this turn."""
    if settings.match_dice == "at_roll":
        return tokens[die - 1] == 0 and die not in taken
    return tokens[die - 1] == 0


def _used(dice: tuple[int, ...], tokens: Sequence[int], taken: Sequence[int], settings: Settings) -> tuple[bool, ...]:
    """Which dice `taken` has used up; worked out afresh, so that a corrected die or token needs nothing else.

    A token uses the die that shows exactly its number, if one is unused, and only else a free die. That leaves
    the most permissive rest. At use: while a token n is taken by its own die, the other die keeps whatever
    freedom it had, and a free die may take anything that a bound one may. At roll: freedom is fixed when rolled,
    a die showing n is bound for as long as a token n was there, so spending the free one on n would only leave
    the bound one. A token that no die allowed was let stand; it uses up the first die that is left.
    """
    used = [False] * len(dice)
    for i, number in enumerate(taken):
        on_device = list(tokens)
        for later in taken[i:]:
            on_device[later - 1] += 1
        left = [d for d in range(len(dice)) if not used[d]]
        exact = [d for d in left if dice[d] == number]
        free = [d for d in left if _free(dice[d], on_device, taken[:i], settings)]
        for d in (exact or free or left)[:1]:
            used[d] = True
    return tuple(used)
