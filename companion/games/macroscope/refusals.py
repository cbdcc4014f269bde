"""Why a move is refused: the rule's number, then the reason.

Players appear as ``seat 2``, the value of `Seat`, for the rules know no names; whoever shows the message puts them in.
"""

from __future__ import annotations

from companion.games.game import Move, Seat
from companion.games.macroscope.position import AT_ASKING, Position
from companion.games.macroscope.settings import NUMBERS
from companion.games.macroscope.view import Phase

_OF_ACTIVE = {
    "roll": "M10",
    "remove": "M10",
    "guess": "M15",
    "stop": "M16",
    "ask": "M30",
    "close": "M33",
    "pick": "M24",
}
_OF_NOBODY = {"renew": "D1", "cover": "M40", "nobody": "M40"}
_OF_OTHERS = ("wish", "withdraw", "name", "right")


def refusal(p: Position, move: Move) -> str:
    """Says which rule forbids `move`, which is not legal in `p`."""
    if move.kind not in (*_OF_ACTIVE, *_OF_NOBODY, *_OF_OTHERS):
        return f"M10: {move.kind!r} is not a move of this game"
    if p.phase is Phase.OVER:
        return f"M60: the game is over after {p.settings.rounds} scored rounds"
    if move.kind in _OF_NOBODY:
        return _of_nobody(p, move)
    if move.seat is None or not 0 <= move.seat < p.players:
        return f"M6: {move.kind} needs one of the {p.players} seats, not {move.seat}"
    if move.kind in _OF_OTHERS:
        return _of_others(p, move, move.seat)
    if move.seat != p.active:
        return f"{_OF_ACTIVE[move.kind]}: it is seat {p.active}'s turn, not seat {move.seat}'s"
    if move.kind == "remove":
        return _remove(p, move)
    return _of_active(p, move)


def _of_nobody(p: Position, move: Move) -> str:
    if move.kind == "renew":
        if p.cards_used == p.renewed_at:
            return "D1: no card has been pulled since the deck was last renewed"
        return "D1: the deck is renewed between two rounds, with all windows covered"
    if move.seat is not None:
        return f"M40: {move.kind} belongs to no seat"
    if move.kind == "cover":
        return "M40: the windows are covered when the guessing is over"
    return "M40: nothing is to be revealed now"


def _of_active(p: Position, move: Move) -> str:
    match move.kind:
        case "roll" if p.settings.dice == "off":
            return "M12: this game is played without dice"
        case "roll" if p.phase is Phase.ROLL:
            return "M10: a roll is two dice, each 1 to 6"
        case "roll":
            return "M10: the dice are rolled once, at the start of a turn"
        case "close":
            return "M33: there is no asking to close now"
        case "pick" if p.phase is Phase.PICK:
            return "M24: only " + " or ".join(f"seat {q}" for q in p.first_in_queue) + " can go first"
        case "pick":
            return "M24: there is nobody to pick from now"
        case "ask":
            return _ask(p)
    what = "guess" if move.kind == "guess" else "stop"
    if p.active in p.guessers:
        return f"A6: seat {p.active} has guessed already"
    if p.guessers or p.phase in AT_ASKING:
        return f"M31: seat {p.active} has declined, and that is final"
    if p.phase in (Phase.ROLL, Phase.OPEN):
        return f"{'M20' if move.kind == 'guess' else 'M13'}: open at least one window before you {what}"
    return "M40: the windows are being covered"


def _ask(p: Position) -> str:
    if p.settings.easy:
        return "V4: the others are asked once, after the last token"
    if not p.settings.others_may_guess_after_first_token:
        return "A4: in this game the others are not asked after the first token"
    if p.asked:
        return "M30: the others have been asked since the first token"
    if p.phase is not Phase.OPEN or p.opened != 1:
        return "M30: the others are asked between the first and the second token"
    return f"M30: nobody has the {p.cost} crystals that a guess costs"


def _remove(p: Position, move: Move) -> str:
    if p.guessers:
        return "M21: a guess is said, no token is removed in this round any more"
    if p.phase is Phase.ROLL:
        return "M10: roll the dice first"
    if not p.active_is_free:
        return f"M30: seat {p.active} has declined and opens no more windows"
    if p.opened >= 2:
        return "M13: at most two tokens in a turn"
    if len(move.value) != 1 or not 1 <= move.value[0] <= NUMBERS:
        return f"M1: a token has a number from 1 to {NUMBERS}"
    number = move.value[0]
    if not p.tokens[number - 1]:
        return f"M11: there is no token {number} on the device"
    allowed = " or ".join(f"a {n}" for n in p.takeable)
    return f"M11: the dice allow {allowed or 'no second token'}, not a {number}"


def _of_others(p: Position, move: Move, seat: Seat) -> str:
    if move.kind == "right":
        if p.phase is not Phase.REVEAL:
            return "M40: nothing is to be revealed now"
        return f"M41: seat {seat} has not guessed in this round"
    if p.phase not in AT_ASKING:
        if p.settings.easy and p.guessers:
            return "V3: nobody may challenge a guess in the easier variant"
        return "M15: the others guess only after the active player has guessed or declined"
    if seat == p.active and seat not in p.guessers:
        return f"M31: seat {seat} is the active player and does not guess as another"
    if seat in p.guessers:
        return f"A6: seat {seat} has guessed already, one guess a round"
    if p.crystals[seat] < p.cost:
        deed = "a challenge" if p.active in p.guessers else "a guess"
        return f"M23: {deed} costs {p.cost} crystals, seat {seat} has {p.crystals[seat]}"
    if move.kind == "wish":
        return f"M33: seat {seat} has already said so"
    if seat not in p.wishes:
        return f"M33: seat {seat} has not asked to guess"
    if move.kind == "withdraw":
        return f"M24: say first who begins; seat {seat} may withdraw when called"
    if p.called is None:
        return "M24: nobody is called yet"
    return f"M24: it is seat {p.called}'s turn to say a guess, not seat {seat}'s"
