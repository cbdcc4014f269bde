"""State of a Macroscope game: stored fields, and what follows from them: which tokens and guesses are allowed now."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar

from companion.api import N_, Game, Reason, Seat, Translator, Unmet
from companion.games.macroscope.settings import Settings

_ = Translator("macroscope")

StateT = TypeVar("StateT", bound="MacroscopeState")


SUPPLY_CRYSTALS = 154
"""M2: value of all crystals in the game, 54 ones and 10 tens. If players hold more, the screen shows a hint."""
EASY_STOP_CRYSTALS = 2
"""V4: crystals that the active player gets for declining in the easier variant."""
MAX_TAKEN_TOKENS = 2
"""M13: tokens that the active player may take in a turn."""


class Phase(StrEnum):
    """Where in a turn the game is."""

    ROLL = "roll"  # M10: the active player rolls
    OPEN = "open"  # M11 to M14: takes tokens, then guesses, stops, or asks the others
    ASKING = "asking"  # M23, M30, V5: others press if they wish to guess; M33
    PICK = "pick"  # M24, V6: the active player picks who of several goes first
    CALLED = "called"  # M33: one player names a picture, or withdraws
    COVER = "cover"  # M40, M50: cover the windows, pull the card
    REVEAL = "reveal"  # M40: who was right?
    OVER = "over"  # M60


class AskingReason(StrEnum):
    """Why the others are being asked whether they guess."""

    CHALLENGE = "challenge"  # the active player has guessed, M23
    DECLINED = "declined"  # the active player has stopped, M30
    MEANWHILE = "meanwhile"  # the active player declines for the moment, after the first token, M30


class ActionKind(StrEnum):
    """Kinds of `TableAction` that the camera sees, but for the last; the roll is `THROW_DICE`."""

    TAKE = "take"  # the token of a number comes off
    COVER = "cover"  # all windows are covered
    RENEW = "renew"  # the deck is turned over; no camera sees it, so it stands in the menu


ASKING_PHASES = (Phase.ASKING, Phase.PICK, Phase.CALLED)
"""The phases in which the others are being asked whether they guess."""


@dataclass(frozen=True, slots=True)
class MacroscopeState(Game):
    """Stored state of a game of Macroscope. `totals` and `changes` are in crystals.

    In a turn the active player opens one or two windows by taking tokens off them, then guesses the picture below or
    declines. The others may then wish to guess; they are called one by one, and pay for a guess. When the card is
    pulled, who was right wins the value of a guess. Rule numbers (M1) are those of `docs/rules/macroscope.md`.
    """

    settings: Settings
    crystals: tuple[int, ...]
    """Crystals held, by seat."""
    active_seat: Seat
    phase: Phase
    tokens: tuple[int, ...]
    """Number of tokens on the device that carry 1, 2, ... 6, in this order."""
    round_number: int = 1
    turn_number: int = 1
    """Counts turns from 1; names the clocks."""
    dice: tuple[int, ...] = ()
    """The roll; empty before it, and in play without dice (M12)."""
    taken_tokens: tuple[int, ...] = ()
    """Numbers of the tokens taken off in this turn, in order."""
    others_asked: bool = False
    """M30: the others have been asked since the first token."""
    asking_reason: AskingReason | None = None
    wishes: tuple[Seat, ...] = ()
    """Who wants to guess, in the order of the presses; `wish_queue` has the order of M24."""
    called_seat: Seat | None = None
    """M33: who is to name a picture now."""
    guessers: tuple[Seat, ...] = ()
    """Who has guessed in this round, in order."""
    frozen_value: int | None = None
    """M21: what a guess is worth, from the first guess on."""
    cards_used: int = 0
    """Number of cards pulled since the start of the game."""
    cards_at_renewal: int = 0
    """D1: `cards_used` when the deck was last renewed."""
    round_scores: tuple[tuple[int, ...], ...] = ()
    """By round and seat: what each scored round brought, with what was earned and paid on the way to it."""
    crystals_at_round_start: tuple[int, ...] = ()
    """Crystals held at the start of the round, by seat."""

    @property
    def totals(self) -> tuple[int, ...]:
        """Crystals held, by seat."""
        return self.crystals

    @property
    def covered_windows(self) -> int:
        """Number of windows covered by a token, 0 to `settings.windows`."""
        return sum(self.tokens)

    @property
    def opened_windows(self) -> int:
        """Number of windows opened in this turn, 0 to 2; more only after a correction."""
        return len(self.taken_tokens)

    @property
    def guess_value(self) -> int:
        """Crystals that a guess wins or loses: the frozen value, else the number of covered windows (M21, M31)."""
        return self.covered_windows if self.frozen_value is None else self.frozen_value

    @property
    def guess_cost(self) -> int:
        """Crystals that a guess costs a player who is not the active one (M23, M30); 0 in the easier variant (V5)."""
        return 0 if self.settings.is_easy else self.settings.challenge_cost

    @property
    def stop_crystals(self) -> int:
        """Crystals for declining now: one for each window opened in this turn (M16, A2), or always two (V4)."""
        return EASY_STOP_CRYSTALS if self.settings.is_easy else self.opened_windows

    @property
    def payee(self) -> Seat:
        """Seat that is paid for the next guess (A5): the active player or, by house rule, the last guesser."""
        to_last_guesser = self.settings.challenge_payee == "last_guesser" and self.guessers
        return self.guessers[-1] if to_last_guesser else self.active_seat

    @property
    def eligible_seats(self) -> tuple[Seat, ...]:
        """Seats that could guess if asked (M23), clockwise from the active player, who is not among them."""
        others = self.list_others(self.active_seat)
        return tuple(q for q in others if not self.away[q] and not any(self.explain_ineligibility(q)))

    def explain_ineligibility(self, seat: Seat) -> Iterator[Reason]:
        """Yield why a player who is at the table could not guess if the others were asked."""
        is_challenge = self.active_seat in self.guessers
        if seat == self.active_seat and not is_challenge:
            yield "M31", N_("{who} is the active player and does not guess as another")
        if seat in self.guessers:
            yield "A6", N_("{who} has guessed already, one guess a round")
        if (has := self.crystals[seat]) < (cost := self.guess_cost):
            challenge = N_("a challenge costs {n} crystals, {who} has {has}")
            text = challenge if is_challenge else N_("a guess costs {n} crystals, {who} has {has}")
            yield Unmet("M23", text, values={"n": cost, "has": has})

    @property
    def wish_queue(self) -> tuple[Seat, ...]:
        """Seats that wish to guess, in the order in which they are called; empty: nobody does.

        Fewest crystals first, and clockwise from the active player among equals (M24); in the easier variant only
        clockwise (V6).
        """
        clockwise = tuple(q for q in self.list_others(self.active_seat) if q in self.wishes)
        return clockwise if self.settings.is_easy else tuple(sorted(clockwise, key=lambda q: self.crystals[q]))

    @property
    def first_in_queue(self) -> tuple[Seat, ...]:
        """Seats that may be called next; of several the active player picks one (M24: a tie; V6: any).

        Empty: nobody wishes to guess.
        """
        queue = self.wish_queue
        return tuple(q for q in queue if self.settings.is_easy or self.crystals[q] == self.crystals[queue[0]])

    @property
    def pick_candidates(self) -> tuple[Seat, ...]:
        """Seats of whom the active player now picks the one to guess first (M24); empty in all phases but PICK."""
        return self.first_in_queue if self.phase is Phase.PICK else ()

    @property
    def is_active_free(self) -> bool:
        """Whether the active player may still take a token, guess or stop.

        That is so in the phase OPEN, and while the others are asked for the reason MEANWHILE (M30).
        """
        is_meanwhile = self.phase in ASKING_PHASES and self.asking_reason is AskingReason.MEANWHILE
        return self.phase is Phase.OPEN or is_meanwhile

    @property
    def may_open(self) -> bool:
        """Whether the active player may still open a window, if the dice allow a token (M13)."""
        return self.is_active_free and self.opened_windows < MAX_TAKEN_TOKENS

    @property
    def used_dice(self) -> tuple[bool, ...]:
        """By die: whether a token taken in this turn has used it up; empty without a roll.

        It is computed from the start of the turn, so that corrections need no update of their own.

        A token uses an unused die that shows exactly its number, else the first unused die that is free (M11: it may be
        used on any token). So as many tokens as possible stay allowed. With the house rule "at use" a die is free while
        no token of its number is on the device; with "at roll" only if there was none before the turn either. A token
        that no die allowed was let stand (the correction `LetStand`); it uses up the first unused die.
        """
        # Own die first leaves the most permissive rest. At use: while a token n is taken by its own die, the other die
        # keeps any freedom it had, and a free die may take anything that a bound one may. At roll: freedom is fixed
        # when rolled, a die showing n is bound if a token n was there then, so spending the free one on n would only
        # leave the bound one.
        used = [False] * len(self.dice)
        for i, number in enumerate(self.taken_tokens):
            on_device = list(self.tokens)
            for later in self.taken_tokens[i:]:
                on_device[later - 1] += 1
            left = [d for d in range(len(self.dice)) if not used[d]]
            exact = [d for d in left if self.dice[d] == number]
            free = [d for d in left if _is_free(self.dice[d], on_device, self.taken_tokens[:i], self.settings)]
            for d in (exact or free or left)[:1]:
                used[d] = True
        return tuple(used)

    @property
    def takeable_tokens(self) -> tuple[int, ...]:
        """Numbers (1 to 6) of the tokens that may be taken now, ascending (M11 to M13); empty: none."""
        if not self.may_open:
            return ()
        used = self.used_dice
        unused = [die for d, die in enumerate(self.dice) if not used[d]]
        any_token = self.settings.dice == "off" or any(
            _is_free(die, self.tokens, self.taken_tokens, self.settings) for die in unused
        )
        return tuple(n for n, count in enumerate(self.tokens, start=1) if count and (any_token or n in unused))

    @property
    def is_deck_empty(self) -> bool:
        """Whether all `settings.deck_cards` cards since the last renewal have been pulled (D1).

        If play goes on, there were more cards; it is true again after as many cards once more.
        """
        pulled = self.cards_used - self.cards_at_renewal
        return pulled > 0 and pulled % self.settings.deck_cards == 0

    @property
    def is_supply_exceeded(self) -> bool:
        """Whether players hold more crystals than the game has (A13): more than `SUPPLY_CRYSTALS` in all."""
        return sum(self.crystals) > SUPPLY_CRYSTALS

    @property
    def is_between_rounds(self) -> bool:
        """Whether a turn begins with all windows covered, so that the deck may be renewed (D1)."""
        return self.phase is get_start_phase(self.settings) and self.covered_windows == self.settings.windows

    @property
    def is_card_out(self) -> bool:
        """Whether the card of the round just scored and the marker are still to be moved (M45, M46).

        They are not after a void round (M50), in which somebody was paid, nor when the card has gone into the device
        with the renewed deck (D1).
        """
        is_scored = bool(self.round_scores) and self.crystals == self.crystals_at_round_start
        return is_scored and self._is_old_card_there

    @property
    def _is_old_card_there(self) -> bool:
        """Whether a round has just ended, and its card was not renewed with the deck (D1)."""
        return self.is_between_rounds and self.cards_used != self.cards_at_renewal

    @property
    def is_void_card_out(self) -> bool:
        """Whether the card of a void round is still to be put away (M50), unless the deck was renewed since.

        Before all windows are open, somebody has been paid for a stop.
        """
        return self.crystals != self.crystals_at_round_start and self._is_old_card_there

    @property
    def is_renewal_due(self) -> bool:
        """Whether the device should be empty now (D1): the table waits for the renewal."""
        return self.is_between_rounds and self.is_deck_empty


def get_start_phase(settings: Settings) -> Phase:
    """Return the phase in which a turn begins: ROLL (M10), or OPEN in a game without dice (M12)."""
    return Phase.ROLL if settings.dice == "on" else Phase.OPEN


def _is_free(die: int, tokens: Sequence[int], taken: Sequence[int], settings: Settings) -> bool:
    """M11: whether a die may be used on any token, with `tokens` on the device and `taken` off it in this turn."""
    return tokens[die - 1] == 0 and not (settings.match_dice == "at_roll" and die in taken)
