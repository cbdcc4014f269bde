"""Why a StarFall move is refused: the rule (`docs/rules/starfall.md`), the reason, the players concerned.

Messages about what only a program could try are in English: they are never shown at a table.
"""

from companion.api import IllegalMove, Move, Seat, first_reason
from companion.games.starfall import payment_rules
from companion.games.starfall.state import END_TEXTS, MoveKind, Phase, StarFallState
from companion.i18n import Translator

_ = Translator("starfall")

_TURN_MOVE_RULES: dict[str, str] = {
    MoveKind.ADD: "F10",
    MoveKind.NAME: "F10",
    MoveKind.NARROW: "F10",
    MoveKind.BACK: "F10",
    MoveKind.MOVE: "F11",
    MoveKind.DISCOVER: "F12",
    MoveKind.PAGE: "F10",
    MoveKind.WITH: "F13",
    MoveKind.WITHOUT: "F13",
    MoveKind.DUST: "F13",
    MoveKind.PAY: "F13",
    MoveKind.CANCEL: "F12",
}
"""Moves of the active player before the end, each with its rule."""
_TABLE_MOVES = (MoveKind.ACCEPT, MoveKind.FINISH)
_PAYMENT_MOVES = (MoveKind.WITH, MoveKind.WITHOUT, MoveKind.DUST, MoveKind.PAY, MoveKind.CANCEL)
_NAMING_MOVES = (MoveKind.NARROW, MoveKind.BACK)


def explain_refusal(state: StarFallState, move: Move) -> IllegalMove:
    """Return (not raise) the error that explains why `move` is not legal in `state`.

    `move` must not be legal: of a legal one the reason would be wrong. The error holds the number of the rule that
    forbids it, the translated reason and the seats concerned.
    """
    if move.kind not in list(MoveKind):
        return IllegalMove("F10", f"'{move.kind}' is not a move of this game")
    rule = _TURN_MOVE_RULES.get(move.kind)
    if rule is None:
        return _explain_count_move(state, move)
    if state.end_reason:
        end_rule, message = END_TEXTS[state.end_reason]
        return IllegalMove(end_rule, _(message))
    if move.seat is None or not 0 <= move.seat < state.player_count:
        return IllegalMove("F3", f"{move.kind} needs one of the {state.player_count} seats, not {move.seat}")
    return _explain_turn_move(state, move, move.seat, rule)


def _explain_turn_move(state: StarFallState, move: Move, seat: Seat, rule: str) -> IllegalMove:
    kind, seats = move.kind, {"active": state.active_seat, "who": seat}
    is_paying, is_naming = state.phase is Phase.PAY, state.phase is Phase.NAMING
    price = state.payment and state.payment.space
    pay_first = _("pay for the tile on {space} first, or choose another turn with NO")
    say_which = _("a tile is being added; say which one it is, or that nobody knows")
    return first_reason(
        (seat != state.active_seat, IllegalMove(rule, _("it is {active}'s turn, not {who}'s"), seats)),
        (is_paying and kind not in (*_PAYMENT_MOVES, MoveKind.PAGE), IllegalMove(rule, pay_first, space=price)),
        (is_naming and kind not in (*_NAMING_MOVES, MoveKind.ADD), IllegalMove(rule, say_which)),
        (kind in _PAYMENT_MOVES, _explain_payment_move(state, kind)),
        (kind in _NAMING_MOVES, IllegalMove("F10", _("that names no tile now"))),
        (kind == MoveKind.PAGE, IllegalMove("F10", _("there are no more tiles to turn to"))),
        (kind in (MoveKind.ADD, MoveKind.NAME), _explain_add(state, kind)),
        (True, _explain_tile_move(state, move, rule)),
    )


def _explain_add(state: StarFallState, kind: str) -> IllegalMove:
    count, most = len(state.board), state.settings.board_max_tiles
    board_full = _("{n} tiles are on the board already, no more than {most} may be")
    none_known = _("the catalogue knows of no tile that could be in the pile")
    return first_reason(
        (not state.pile_size, IllegalMove("F10", _("the pile is empty"))),
        (count >= most, IllegalMove("F15", board_full, n=count, most=most)),
        (kind == MoveKind.NAME, IllegalMove("F10", none_known)),
        (True, IllegalMove("F10", _("that is no tile that could be added now"))),
    )


def _explain_tile_move(state: StarFallState, move: Move, rule: str) -> IllegalMove:
    if not state.board:
        message = _("the board is empty, so a tile must be added first, and nothing can be discovered")
        if move.kind == MoveKind.MOVE:
            message = _("the board is empty, so a tile must be added first, and nothing can be moved")
        return IllegalMove("F15", message)
    active = state.active_seat
    if len(move.value) != 1 or not 0 <= move.value[0] <= state.settings.top_space:
        return IllegalMove(rule, _("no tile is on that key; it is {active}'s turn"), {"active": active})
    space = move.value[0]
    if space not in state.occupied_spaces:
        return IllegalMove(rule, _("there is no tile on {space}"), space=space)
    message = _("the tile on {space} costs {space}, {who} has {dust} dust")
    if state.owned_tiles[active]:
        message = _("the tile on {space} costs {space}, {who} has {dust} dust, and the tiles do not reach it")
    return IllegalMove("F12", message, {"who": active}, space=space, dust=state.dust[active])


def _explain_payment_move(state: StarFallState, kind: str) -> IllegalMove:
    who, dust = {"who": state.active_seat}, state.dust[state.active_seat]
    price = state.payment and state.payment.space
    unneeded = None if state.payment is None else payment_rules.find_unneeded_tile(state, state.payment)
    not_needed = _("the tile that pays {n} is not needed; take it back, there is no change for tiles")
    no_such_tile = _("that tile cannot be given; only own tiles that were discovered earlier pay")
    return first_reason(
        (state.payment is None, IllegalMove("F13", _("nothing is being paid now"))),
        (kind == MoveKind.PAY and unneeded is not None, IllegalMove("F13", not_needed, n=unneeded and unneeded.value)),
        (kind == MoveKind.PAY, IllegalMove("F12", _("this does not reach the price of {price}"), price=price)),
        (kind == MoveKind.WITHOUT, IllegalMove("F13", _("no tile is in the payment"))),
        (kind == MoveKind.WITH, IllegalMove("F13", no_such_tile)),
        (True, IllegalMove("F14", _("{who} has {dust} dust and gets no more"), who, dust=dust)),
    )


def _explain_count_move(state: StarFallState, move: Move) -> IllegalMove:
    if not state.end_reason:
        return IllegalMove("F20", _("tiles are counted when the game has ended"))
    if state.phase is Phase.OVER:
        return IllegalMove("F37", _("all are counted and the game is over"))
    if move.kind in _TABLE_MOVES:
        none_known = _("the catalogue knows of nobody who is still to be counted every tile")
        return first_reason(
            (move.seat is not None, IllegalMove("F37", f"{move.kind} belongs to no seat")),
            (move.kind == MoveKind.ACCEPT, IllegalMove("F30", none_known)),
            (True, IllegalMove("F37", _("not everybody is counted yet"))),
        )
    if move.seat is None or not 0 <= move.seat < state.player_count:
        return IllegalMove("F30", f"{move.kind} needs one of the {state.player_count} seats, not {move.seat}")
    if move.seat not in state.seats_to_count:
        return IllegalMove("F30", _("{who} is away and has no tiles to count"), {"who": move.seat})
    if state.counting_seat is None:
        return IllegalMove("F30", _("say first whose tiles are counted"))
    seats = {"counting": state.counting_seat, "who": move.seat}
    is_other = move.seat != state.counting_seat
    return first_reason(
        (is_other, IllegalMove("F30", _("{counting} is being counted, not {who}"), seats)),
        (move.kind == MoveKind.COUNT, IllegalMove("F30", _("{who} is being counted already"), seats)),
        (True, IllegalMove("F30", _("the counting is elsewhere now"))),
    )
