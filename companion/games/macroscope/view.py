"""What may be shown of a Macroscope game: everything, for the ledger holds no secret (the card is in the device)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from companion.games.api.game import Outcome, Seat


class Phase(StrEnum):
    """Where in a turn the game is."""

    ROLL = "roll"  # M10: the active player rolls
    OPEN = "open"  # M11 to M14: takes tokens, then guesses, stops, or asks the others
    ASKING = "asking"  # M23, M30, V5: others press if they wish to guess; M33
    PICK = "pick"  # M24, V6: the active player says who of several goes first
    CALLED = "called"  # M33: one player names a picture, or withdraws
    COVER = "cover"  # M40, M50: cover the windows, pull the card
    REVEAL = "reveal"  # M40: who was right?
    OVER = "over"  # M60


class AskingReason(StrEnum):
    """Why the others are being asked."""

    CHALLENGE = "challenge"  # the active player has guessed, M23
    DECLINED = "declined"  # he has stopped, M30
    MEANWHILE = "meanwhile"  # he declines for the moment, after his first token, M30


@dataclass(frozen=True, slots=True)
class MacroscopeView:
    phase: Phase
    asking_reason: AskingReason | None
    variant: str
    """"basic" or "easy"."""
    active_seat: Seat
    round_number: int
    round_count: int
    crystals: tuple[int, ...]
    """By seat."""
    tokens: tuple[int, ...]
    """How many tokens of the numbers 1 to 6 are on the device."""
    covered_windows: int
    guess_value: int
    """What a guess is worth: V, frozen or as of now."""
    is_value_frozen: bool
    dice: tuple[int, ...]
    """The roll as read; empty before it and in no-dice play."""
    used_dice: tuple[bool, ...]
    takeable_tokens: tuple[int, ...]
    """Numbers of the tokens that may be taken now, ascending."""
    opened_windows: int
    """Windows opened in this turn."""
    may_wish: tuple[Seat, ...]
    """Who may still press to guess."""
    wish_queue: tuple[Seat, ...]
    """Who has pressed, in the order in which they will be called (M24); among equals clockwise from the active."""
    called_seat: Seat | None
    pick_candidates: tuple[Seat, ...]
    guessers: tuple[Seat, ...]
    """Who has named a picture, in order; the active player first if he did."""
    changes: tuple[int, ...]
    """By seat: what the last move gave or took."""
    cards_used: int
    is_deck_empty: bool
    """D1: the device should be empty; renew the deck."""
    is_supply_exceeded: bool
    """A13: more than 154 crystals are in hands."""
    outcome: Outcome | None
