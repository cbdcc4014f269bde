"""Why a move is refused: the rule (`docs/rules/game_files.md`), the reason, the players concerned.

Messages about what only a program could try are in English: they are never shown at a table.
"""

from companion.api import IllegalMove, Move, first_reason
from companion.games.game_file.dice.state import DiceGameState, MoveKind
from companion.i18n import Translator

_ = Translator("game_file")


def explain_refusal(state: DiceGameState, move: Move) -> IllegalMove:
    """Return (not raise) the error that explains why `move` is not legal in `state`.

    `move` must not be legal: of a legal one the reason would be wrong. The error holds the number of the rule that
    forbids it, the translated reason and the seats concerned.
    """
    kind, seat = move.kind, move.seat
    if kind not in list(MoveKind):
        return IllegalMove("G30", f"'{kind}' is not a move of this game")
    if seat is None or not 0 <= seat < state.player_count:
        return IllegalMove("G30", f"'{kind}' needs one of the {state.player_count} seats, not {seat}")
    who = {"who": seat}
    general = (
        (state.is_over, IllegalMove("G45", _("the game is over"))),
        (seat != state.active_seat, IllegalMove("G46", _("it is {other}'s turn"), {"other": state.active_seat})),
        (
            kind != MoveKind.THROW and not state.throw_count,
            IllegalMove("G31", _("{who} has not thrown yet"), who),
        ),
    )
    for applies, error in general:
        if applies:
            return error
    match kind:
        case MoveKind.THROW:
            return _explain_throw(state, move)
        case MoveKind.KEEP:
            return _explain_keep(state, move)
        case MoveKind.BANK:
            return _explain_bank(state)
        case MoveKind.RETURN:
            return first_reason(
                (state.rules.model.keep != "any", IllegalMove("G33", _("dice set aside stay there"))),
                (not state.has_throws_left, IllegalMove("G31", _("all throws are made"))),
                (True, IllegalMove("G33", _("no dice are set aside"))),
            )
    return first_reason(
        (not state.has_sheet, IllegalMove("G42", "this game has no score sheet")),
        (len(move.value) != 1, IllegalMove("G42", "a box has one number")),
        (
            not 0 < sum(move.value) <= len(state.rules.model.categories),
            IllegalMove("G42", f"there are {len(state.rules.model.categories)} boxes"),
        ),
        (True, IllegalMove("G42", _("this box is filled already"))),
    )


def _explain_throw(state: DiceGameState, move: Move) -> IllegalMove:
    count, sides = state.dice_to_throw, state.rules.model.sides
    is_scoring = state.rules.model.keep == "scoring"
    return first_reason(
        (not state.has_throws_left, IllegalMove("G31", _("all throws are made"))),
        (
            is_scoring and not state.aside,
            IllegalMove("G38", _("first set dice aside that score")),
        ),
        (not count, IllegalMove("G37", _("no dice are left to throw"))),
        (
            len(move.value) != count,
            IllegalMove("G31", _.plural("{n} die is thrown", "{n} dice are thrown", count)),
        ),
        (True, IllegalMove("G30", _("a die shows 1 to {n}"), n=sides)),
    )


def _explain_keep(state: DiceGameState, move: Move) -> IllegalMove:
    model, dice = state.rules.model, " ".join(map(str, move.value))
    return first_reason(
        (model.keep == "none", IllegalMove("G33", _("no dice are set aside in this game"))),
        (not move.value, IllegalMove("G33", _("choose at least one die"))),
        (
            state.find_rest(move.value) is None,
            IllegalMove("G33", _("{dice} do not lie on the table"), dice=dice),
        ),
        (
            model.keep == "any" and not state.has_throws_left,
            IllegalMove("G31", _("all throws are made")),
        ),
        (
            model.keep == "any" and len(move.value) == len(state.table),
            IllegalMove("G33", _("one die at least is thrown again")),
        ),
        (
            model.keep == "scoring" and state.compute_aside_points((*state.aside, *move.value)) is None,
            IllegalMove("G38", _("{dice}: not every die scores"), dice=dice),
        ),
        (True, IllegalMove("G33", "the dice are listed from the highest down")),
    )


def _explain_bank(state: DiceGameState) -> IllegalMove:
    least = state.least_bank
    return first_reason(
        (state.has_sheet, IllegalMove("G42", _("choose a box"))),
        (not state.rules.model.bank, IllegalMove("G36", _("the turn goes on"))),
        (state.bank_dice is None, IllegalMove("G37", _("all dice score: throw them again"))),
        (
            True,
            IllegalMove("G36", _("{n} points are needed, there are {has}"), n=least, has=state.bank_points),
        ),
    )
