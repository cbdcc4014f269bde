"""Why a move is refused: the rule's number, then the reason. Players appear as ``seat 2``, see the referee.

What only a program could try is said in English, for it is never said at a table.
"""

from __future__ import annotations

from companion.games.api.game import Move
from companion.games.starfall.state import Position
from companion.games.starfall.view import Phase
from companion.i18n import Translator

_ = Translator("starfall")

_TURN_MOVE_RULES = {
    "add": "F10",
    "name": "F10",
    "narrow": "F10",
    "back": "F10",
    "move": "F11",
    "discover": "F12",
    "page": "F10",
    "with": "F13",
    "without": "F13",
    "dust": "F13",
    "pay": "F13",
    "cancel": "F12",
}
_COUNT_MOVES = ("count", "more", "less", "next line", "back line", "leave", "done")
_TABLE_MOVES = ("accept", "finish")
_PAYMENT_MOVES = ("with", "without", "dust", "pay", "cancel")
_NAMING_MOVES = ("narrow", "back")


def explain_refusal(p: Position, move: Move) -> str:
    """Says which rule forbids `move`, which is not legal in `p`."""
    if move.kind not in (*_TURN_MOVE_RULES, *_COUNT_MOVES, *_TABLE_MOVES):
        return f"F10: {move.kind!r} is not a move of this game"
    if move.kind not in _TURN_MOVE_RULES:
        return _explain_count_move(p, move)
    if p.ended:
        return p.ended
    rule = _TURN_MOVE_RULES[move.kind]
    if move.seat is None or not 0 <= move.seat < p.player_count:
        return f"F3: {move.kind} needs one of the {p.player_count} seats, not {move.seat}"
    if move.seat != p.active_seat:
        return _(
            "{rule}: it is {active}'s turn, not {who}'s", rule=rule, active=_seat(p.active_seat), who=_seat(move.seat)
        )
    if p.phase is Phase.PAY and move.kind not in (*_PAYMENT_MOVES, "page"):
        return _(
            "{rule}: pay for the tile on {space} first, or choose another turn with NO", rule=rule, space=_price(p)
        )
    if p.phase is Phase.NAMING and move.kind not in (*_NAMING_MOVES, "add"):
        return _("{rule}: a tile is being added; say which one it is, or that nobody knows", rule=rule)
    if move.kind in _PAYMENT_MOVES:
        return _explain_payment_move(p, move)
    if move.kind in _NAMING_MOVES:
        return _("F10: that names no tile now")
    if move.kind == "page":
        return _("F10: there are no more tiles to turn to")
    return _explain_add(p, move) if move.kind in ("add", "name") else _explain_tile_move(p, move, rule)


def _explain_add(p: Position, move: Move) -> str:
    if not p.pile_size:
        return _("F10: the pile is empty")
    if len(p.board) >= p.settings.board_max_tiles:
        most = p.settings.board_max_tiles
        return _("F15: {n} tiles are on the board already, no more than {most} may be", n=len(p.board), most=most)
    if move.kind == "name":
        return _("F10: the catalogue knows of no tile that could be in the pile")
    return _("F10: that is no tile that could be added now")


def _explain_tile_move(p: Position, move: Move, rule: str) -> str:
    if not p.board:
        if move.kind == "move":
            return _("F15: the board is empty, so a tile must be added first, and nothing can be moved")
        return _("F15: the board is empty, so a tile must be added first, and nothing can be discovered")
    if len(move.value) != 1 or not 0 <= move.value[0] <= p.settings.top_space:
        return _("{rule}: no tile is on that key; it is {active}'s turn", rule=rule, active=_seat(p.active_seat))
    space = move.value[0]
    if space not in p.occupied_spaces:
        return _("{rule}: there is no tile on {space}", rule=rule, space=space)
    who, dust = _seat(p.active_seat), p.dust[p.active_seat]
    if p.owned_tiles[p.active_seat]:
        return _(
            "F12: the tile on {space} costs {space}, {who} has {dust} dust, and the tiles do not reach it",
            space=space,
            who=who,
            dust=dust,
        )
    return _("F12: the tile on {space} costs {space}, {who} has {dust} dust", space=space, who=who, dust=dust)


def _explain_payment_move(p: Position, move: Move) -> str:
    if p.payment is None:
        return _("F13: nothing is being paid now")
    match move.kind:
        case "pay":
            return _("F12: this does not reach the price of {price}", price=_price(p))
        case "without":
            return _("F13: no tile is in the payment")
        case "with":
            return _("F13: that tile cannot be given; only own tiles that were discovered earlier pay")
        case _:
            return _(
                "F14: {who} has {dust} dust and gets no more", who=_seat(p.active_seat), dust=p.dust[p.active_seat]
            )


def _seat(seat: int) -> str:
    return f"seat {seat}"


def _price(p: Position) -> int:
    return 0 if p.payment is None else p.payment.space


def _explain_count_move(p: Position, move: Move) -> str:
    if not p.ended:
        return _("F20: tiles are counted when the game has ended")
    if p.phase is Phase.OVER:
        return _("F37: all are counted and the game is over")
    if move.kind in _TABLE_MOVES:
        if move.seat is not None:
            return f"F37: {move.kind} belongs to no seat"
        if move.kind == "accept":
            return _("F30: the catalogue knows of nobody who is still to be counted every tile")
        return _("F37: not everybody is counted yet")
    if move.seat is None or not 0 <= move.seat < p.player_count:
        return f"F30: {move.kind} needs one of the {p.player_count} seats, not {move.seat}"
    if p.away[move.seat]:
        return _("F30: {who} is away and is not counted", who=_seat(move.seat))
    if p.counting_seat is not None and move.seat != p.counting_seat:
        return _("F30: {counting} is being counted, not {who}", counting=_seat(p.counting_seat), who=_seat(move.seat))
    if p.counting_seat is None:
        return _("F30: say first whose tiles are counted")
    if move.kind == "count":
        return _("F30: {who} is being counted already", who=_seat(p.counting_seat))
    return _("F30: the counting is elsewhere now")
