"""Why a Memo Dice move is refused: the rule (`docs/rules/memo_dice.md`), the reason, the players concerned."""

from companion.api import IllegalMove, Move, Seat, first_reason
from companion.events import MemoColour
from companion.games.memo_dice import colour_texts
from companion.games.memo_dice.state import SYMBOL_COLOURS, MemoDiceState, MoveKind, Phase
from companion.i18n import Translator

_ = Translator("memo_dice")

_UNCOVERING_MOVES = (MoveKind.CALL, MoveKind.LIFT, MoveKind.RIGHT, MoveKind.MISS)
"""Moves made while the cups are lifted (D20 to D25)."""


def explain_refusal(state: MemoDiceState, move: Move) -> IllegalMove:
    """Return (not raise) the error that explains why `move` is not legal in `state`.

    `move` must not be legal: of a legal one the reason would be wrong. The error holds the number of the rule that
    forbids it, the translated reason and the seats concerned.
    """
    if move.kind not in list(MoveKind):
        return IllegalMove("D10", _("{move!r} is not a move of this game"), move=move.kind)
    if state.phase is Phase.OVER:
        return IllegalMove("D32", _("the game is over, square {n} is reached"), n=state.settings.target_square)
    if move.kind == MoveKind.NEXT:
        return first_reason(
            (move.seat is not None, IllegalMove("D33", _("the next round belongs to no seat"))),
            (True, IllegalMove("D33", _("this round is not over yet"))),
        )
    if move.seat is None or not 0 <= move.seat < state.player_count:
        message = _("{move} needs one of the {n} seats, not {seat}")
        return IllegalMove("D2", message, move=move.kind, n=state.player_count, seat=move.seat)
    if state.phase is Phase.SCORED:
        return IllegalMove("D33", _("this round is over; OK begins the next one"))
    if state.away[move.seat]:
        return IllegalMove("D2", _("{who} is not at the table"), {"who": move.seat})
    explain = _explain_uncovering if move.kind in _UNCOVERING_MOVES else _explain_covering
    return explain(state, move, move.seat)


def _explain_covering(state: MemoDiceState, move: Move, seat: Seat) -> IllegalMove:
    seats = {"who": state.active_seat, "other": seat}
    lies_open, covers = state.phase is Phase.LOOK, move.kind == MoveKind.COVER
    gold = move.kind in (MoveKind.GOLD, MoveKind.SHOW_GOLD)
    has_colour = len(move.value) == 1 and move.value[0] in list(SYMBOL_COLOURS)
    colour = MemoColour(move.value[0]) if has_colour else MemoColour.GOLD
    return first_reason(
        (
            state.phase is Phase.UNCOVER,
            IllegalMove("D14", _("the golden cup is placed, no more dice are covered in this round")),
        ),
        (seat != state.active_seat, IllegalMove("D10", _("it is {who}'s turn to roll, not {other}'s"), seats)),
        (
            lies_open and covers,
            IllegalMove("D10", _("the open die is covered as it is, without a number")),
        ),
        (lies_open, IllegalMove("D10", _("a die lies open; cover it first"))),
        (covers, IllegalMove("D10", _("roll a die first"))),
        (gold and move.value, IllegalMove("D14", _("the colour under the golden cup stays secret"))),
        (gold, IllegalMove("D13", _("cups of every colour are left, so the golden cup has to wait"))),
        (not has_colour, IllegalMove("D11", _("a symbol is red, blue or black"))),
        (state.is_last_die, IllegalMove("D12", _("the last die always gets the golden cup"))),
        (True, IllegalMove("D14", _(colour_texts.GOLD_INSTEAD[colour]))),
    )


def _explain_uncovering(state: MemoDiceState, move: Move, seat: Seat) -> IllegalMove:
    seats = {"who": state.active_seat, "other": seat}
    is_covering, is_other = state.phase is not Phase.UNCOVER, seat != state.active_seat
    return first_reason(
        (is_covering and is_other, IllegalMove("D10", _("it is {who}'s turn to roll, not {other}'s"), seats)),
        (
            is_covering,
            IllegalMove("D20", _("cups are lifted once the golden cup is placed; cover your die first")),
        ),
        (move.value, IllegalMove("D21", _("a symbol is said aloud, it has no number here"))),
        (is_other, IllegalMove("D20", _("it is {who}'s turn to name the symbol, not {other}'s"), seats)),
        (
            state.cup_lifted,
            IllegalMove("D21", _("the cup is lifted; OK if the symbol was named rightly, NO if not")),
        ),
        (
            state.symbol_named,
            IllegalMove("D21", _("a symbol is named once, no change afterwards; lift the cup")),
        ),
        (True, IllegalMove("D21", _("name the symbol, then lift the cup; OK if it is right, NO if not"))),
    )
