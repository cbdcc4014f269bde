"""Why a move is refused: the rule's number, then the reason.

Players appear as ``seat 2``, the value of `Seat`, for the rules know no names; whoever shows the message puts them in.
"""

from __future__ import annotations

from companion.games.game import Move
from companion.games.memo_dice.position import Position
from companion.games.memo_dice.view import SYMBOLS, Colour, Phase

_COVERING = ("die", "gold", "show", "show gold", "cover")
_UNCOVERING = ("call", "lift", "right", "miss")


def refusal(p: Position, move: Move) -> str:
    """Says which rule forbids `move`, which is not legal in `p`."""
    if move.kind not in (*_COVERING, *_UNCOVERING, "next"):
        return f"D10: {move.kind!r} is not a move of this game"
    if p.phase is Phase.OVER:
        return f"D32: the game is over, square {p.settings.target_square} is reached"
    if move.kind == "next":
        if move.seat is not None:
            return "D33: the next round belongs to no seat"
        return "D33: this round is not over yet"
    if move.seat is None or not 0 <= move.seat < p.players:
        return f"D2: {move.kind} needs one of the {p.players} seats, not {move.seat}"
    if p.phase is Phase.SCORED:
        return "D33: this round is over; OK begins the next one"
    if p.away[move.seat]:
        return f"D2: seat {move.seat} is not at the table"
    if move.kind in _COVERING:
        return _covering(p, move)
    return _uncovering(p, move)


def _covering(p: Position, move: Move) -> str:
    if p.phase is Phase.UNCOVER:
        return "D14: the golden cup is placed, no more dice are covered in this round"
    if move.seat != p.active:
        return f"D10: it is seat {p.active}'s turn to roll, not seat {move.seat}'s"
    if p.phase is Phase.LOOK:
        if move.kind == "cover":
            return "D10: the open die is covered as it is, without a number"
        return "D10: a die lies open; cover it first"
    if move.kind == "cover":
        return "D10: roll a die first"
    if move.kind in ("gold", "show gold"):
        if move.value:
            return "D14: the colour under the golden cup is nobody's to know"
        return "D13: cups of every colour are left, so the golden cup has to wait"
    if len(move.value) != 1 or move.value[0] not in list(SYMBOLS):
        return "D11: a symbol is red (1), blue (2) or black (3)"
    if p.last_die:
        return "D12: the last die gets the golden cup, whatever its colour"
    return f"D14: no {Colour(move.value[0]).word} cup is left, the golden cup covers this die"


def _uncovering(p: Position, move: Move) -> str:
    if p.phase is not Phase.UNCOVER:
        if move.seat != p.active:
            return f"D10: it is seat {p.active}'s turn to roll, not seat {move.seat}'s"
        return "D20: cups are lifted once the golden cup is placed; cover your die first"
    if move.value:
        return "D21: a symbol is said aloud, it has no number here"
    if move.seat != p.active:
        return f"D20: it is seat {p.active}'s turn to name the symbol, not seat {move.seat}'s"
    if p.lifted:
        return "D21: the cup is lifted; OK if the symbol was named rightly, NO if not"
    if p.called:
        return "D21: a symbol is named once, no change afterwards; lift the cup"
    return "D21: name the symbol, then lift the cup; OK if it is right, NO if not"
