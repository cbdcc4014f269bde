"""View of a Macroscope game for the screen. The stored state holds no secret: the card is in the device."""

from dataclasses import dataclass
from enum import StrEnum

from companion.games.api.game import Seat


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


@dataclass(frozen=True, slots=True)
class MacroscopeView:
    """All that the screen shows of a game."""

    phase: Phase
    asking_reason: AskingReason | None
    active_seat: Seat
    round_number: int
    round_count: int
    tokens: tuple[int, ...]
    """Number of tokens on the device that carry 1, 2, ... 6, in this order."""
    covered_windows: int
    guess_value: int
    """V: crystals that a guess wins or loses, frozen or as of now."""
    is_value_frozen: bool
    dice: tuple[int, ...]
    """The roll as read; empty before it and in play without dice."""
    used_dice: tuple[bool, ...]
    """By die: whether a token of this turn has used it up."""
    takeable_tokens: tuple[int, ...]
    """Numbers of the tokens that may be taken now, ascending."""
    may_wish: tuple[Seat, ...]
    """Who may still press to guess."""
    wish_queue: tuple[Seat, ...]
    """Who has pressed, in the order in which they will be called (M24); among equals clockwise from the active."""
    called_seat: Seat | None
    """Who is to name a picture now."""
    pick_candidates: tuple[Seat, ...]
    """M24: the players one of whom the active player lets go first."""
    guessers: tuple[Seat, ...]
    """Who has named a picture, in order; the active player first if that was one of them."""
    changes: tuple[int, ...]
    """By seat: crystals that the last move gave or took."""
    is_deck_empty: bool
    """D1: the device should be empty; the deck is to be turned over."""
    is_supply_exceeded: bool
    """A13: players hold more than the 154 crystals that the game has."""
