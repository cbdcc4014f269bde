"""Why a move is refused: the rule's number, then the reason.

Players appear as ``seat 2``, the value of `Seat`, in every language, for the rules know no names; whoever shows the
message puts them in.
"""

from __future__ import annotations

from companion.games.api.game import Move, named
from companion.games.memo_dice import colour_texts
from companion.games.memo_dice.state import MemoDiceState
from companion.games.memo_dice.view import SYMBOL_COLOURS, CupColour, Phase
from companion.i18n import Translator

_ = Translator("memo_dice")

_COVERING = ("die", "gold", "show", "show gold", "cover")
_UNCOVERING = ("call", "lift", "right", "miss")


def explain_refusal(p: MemoDiceState, move: Move) -> str:
    """Says which rule forbids `move`, which is not legal in `p`."""
    if move.kind not in (*_COVERING, *_UNCOVERING, "next"):
        return _("D10: {move!r} is not a move of this game", move=move.kind)
    if p.phase is Phase.OVER:
        return _("D32: the game is over, square {n} is reached", n=p.settings.target_square)
    if move.kind == "next":
        if move.seat is not None:
            return _("D33: the next round belongs to no seat")
        return _("D33: this round is not over yet")
    if move.seat is None or not 0 <= move.seat < p.player_count:
        return _("D2: {move} needs one of the {n} seats, not {seat}", move=move.kind, n=p.player_count, seat=move.seat)
    if p.phase is Phase.SCORED:
        return _("D33: this round is over; OK begins the next one")
    if p.away[move.seat]:
        return _("D2: {who} is not at the table", who=named(move.seat))
    if move.kind in _COVERING:
        return _covering(p, move)
    return _uncovering(p, move)


def _covering(p: MemoDiceState, move: Move) -> str:
    if p.phase is Phase.UNCOVER:
        return _("D14: the golden cup is placed, no more dice are covered in this round")
    if move.seat != p.active_seat:
        return _not_to_roll(p, move)
    if p.phase is Phase.LOOK:
        if move.kind == "cover":
            return _("D10: the open die is covered as it is, without a number")
        return _("D10: a die lies open; cover it first")
    if move.kind == "cover":
        return _("D10: roll a die first")
    if move.kind in ("gold", "show gold"):
        if move.value:
            return _("D14: the colour under the golden cup is nobody's to know")
        return _("D13: cups of every colour are left, so the golden cup has to wait")
    if len(move.value) != 1 or move.value[0] not in list(SYMBOL_COLOURS):
        return _("D11: a symbol is red (1), blue (2) or black (3)")
    if p.is_last_die:
        return _("D12: the last die gets the golden cup, whatever its colour")
    return colour_texts.translate(colour_texts.GOLD_INSTEAD, CupColour(move.value[0]))


def _uncovering(p: MemoDiceState, move: Move) -> str:
    if p.phase is not Phase.UNCOVER:
        if move.seat != p.active_seat:
            return _not_to_roll(p, move)
        return _("D20: cups are lifted once the golden cup is placed; cover your die first")
    if move.value:
        return _("D21: a symbol is said aloud, it has no number here")
    if move.seat != p.active_seat:
        return _(
            "D20: it is {who}'s turn to name the symbol, not {other}'s",
            who=named(p.active_seat),
            other=named(move.seat),
        )
    if p.cup_lifted:
        return _("D21: the cup is lifted; OK if the symbol was named rightly, NO if not")
    if p.symbol_named:
        return _("D21: a symbol is named once, no change afterwards; lift the cup")
    return _("D21: name the symbol, then lift the cup; OK if it is right, NO if not")


def _not_to_roll(p: MemoDiceState, move: Move) -> str:
    return _("D10: it is {who}'s turn to roll, not {other}'s", who=named(p.active_seat), other=named(move.seat))
