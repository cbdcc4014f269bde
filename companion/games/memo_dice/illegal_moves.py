"""Why a Memo Dice move is refused: the rule (`docs/rules/memo_dice.md`), the reason, the players concerned."""

from __future__ import annotations

from companion.events import MemoColour
from companion.games.api.game import IllegalMove, Move, Seat
from companion.games.memo_dice import colour_texts
from companion.games.memo_dice.state import MemoDiceState, MoveKind
from companion.games.memo_dice.view import SYMBOL_COLOURS, Phase
from companion.i18n import Translator

_ = Translator("memo_dice")

_UNCOVERING_MOVES = (MoveKind.CALL, MoveKind.LIFT, MoveKind.RIGHT, MoveKind.MISS)
"""Moves made while the cups are lifted (D20 to D25)."""


def explain_refusal(state: MemoDiceState, move: Move) -> IllegalMove:
    """Return the rule that forbids `move`, which is not legal in `state`, and the reason."""
    if move.kind not in list(MoveKind):
        return IllegalMove("D10", _("{move!r} is not a move of this game"), move=move.kind)
    if state.phase is Phase.OVER:
        return IllegalMove("D32", _("the game is over, square {n} is reached"), n=state.settings.target_square)
    if move.kind == MoveKind.NEXT:
        if move.seat is not None:
            return IllegalMove("D33", _("the next round belongs to no seat"))
        return IllegalMove("D33", _("this round is not over yet"))
    if move.seat is None or not 0 <= move.seat < state.player_count:
        return IllegalMove(
            "D2",
            _("{move} needs one of the {n} seats, not {seat}"),
            move=move.kind,
            n=state.player_count,
            seat=move.seat,
        )
    if state.phase is Phase.SCORED:
        return IllegalMove("D33", _("this round is over; OK begins the next one"))
    if state.away[move.seat]:
        return IllegalMove("D2", _("{who} is not at the table"), {"who": move.seat})
    explain = _explain_uncovering if move.kind in _UNCOVERING_MOVES else _explain_covering
    return explain(state, move, move.seat)


def _explain_covering(state: MemoDiceState, move: Move, seat: Seat) -> IllegalMove:
    if state.phase is Phase.UNCOVER:
        return IllegalMove("D14", _("the golden cup is placed, no more dice are covered in this round"))
    if seat != state.active_seat:
        return _explain_not_to_roll(state, seat)
    if state.phase is Phase.LOOK:
        if move.kind == MoveKind.COVER:
            return IllegalMove("D10", _("the open die is covered as it is, without a number"))
        return IllegalMove("D10", _("a die lies open; cover it first"))
    if move.kind == MoveKind.COVER:
        return IllegalMove("D10", _("roll a die first"))
    if move.kind in (MoveKind.GOLD, MoveKind.SHOW_GOLD):
        if move.value:
            return IllegalMove("D14", _("the colour under the golden cup is nobody's to know"))
        return IllegalMove("D13", _("cups of every colour are left, so the golden cup has to wait"))
    if len(move.value) != 1 or move.value[0] not in list(SYMBOL_COLOURS):
        return IllegalMove("D11", _("a symbol is red (1), blue (2) or black (3)"))
    if state.is_last_die:
        return IllegalMove("D12", _("the last die gets the golden cup, whatever its colour"))
    message = colour_texts.translate(colour_texts.GOLD_INSTEAD, MemoColour(move.value[0]))
    return IllegalMove("D14", message)


def _explain_uncovering(state: MemoDiceState, move: Move, seat: Seat) -> IllegalMove:
    if state.phase is not Phase.UNCOVER:
        if seat != state.active_seat:
            return _explain_not_to_roll(state, seat)
        return IllegalMove("D20", _("cups are lifted once the golden cup is placed; cover your die first"))
    if move.value:
        return IllegalMove("D21", _("a symbol is said aloud, it has no number here"))
    if seat != state.active_seat:
        return IllegalMove(
            "D20",
            _("it is {who}'s turn to name the symbol, not {other}'s"),
            {"who": state.active_seat, "other": seat},
        )
    if state.cup_lifted:
        return IllegalMove("D21", _("the cup is lifted; OK if the symbol was named rightly, NO if not"))
    if state.symbol_named:
        return IllegalMove("D21", _("a symbol is named once, no change afterwards; lift the cup"))
    return IllegalMove("D21", _("name the symbol, then lift the cup; OK if it is right, NO if not"))


def _explain_not_to_roll(state: MemoDiceState, seat: Seat) -> IllegalMove:
    return IllegalMove("D10", _("it is {who}'s turn to roll, not {other}'s"), {"who": state.active_seat, "other": seat})
