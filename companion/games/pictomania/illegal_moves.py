"""Why a move is refused: the rule's number, then the reason.

Players appear as ``seat 2``, the value of `Seat`, for the rules know no names; whoever shows the message puts them in.
What only a program could try is said in English, for it is never said at a table.
"""

from __future__ import annotations

from companion.games.api.game import Move, Seat
from companion.games.pictomania.settings import CLUE_COUNT
from companion.games.pictomania.state import Position
from companion.games.pictomania.view import Phase
from companion.i18n import N_, Translator

_ = Translator("pictomania")

_TABLE_MOVES = {
    "colour": N_("P10: the difficulty is chosen before the cards are dealt"),
    "deal": N_("P12: the cards are dealt already"),
    "start": N_("P14: the start signal follows when all have read the clues"),
    "go": N_("P14: the drawing begins with the start signal"),
    "stop": N_("P26: nobody is drawing now"),
    "score": N_("P30: the piles are turned over when the drawing is over"),
    "next": N_("P30: no pile is being scored now"),
    "back": N_("P30: there is no pile before this one"),
    "next_round": N_("P40: the next round begins when all piles of this one are scored"),
}
"""Moves that belong to nobody, and when they are made."""
_OWNER_MOVES = ("misdrawn", "drawn", "number")
_GUESSER_MOVES = ("right", "wrong", "off", "card")


def explain_refusal(p: Position, move: Move) -> str:
    """Says which rule forbids `move`, which is not legal in `p`."""
    if move.kind not in (*_TABLE_MOVES, *_OWNER_MOVES, *_GUESSER_MOVES, "take"):
        return f"P20: {move.kind!r} is not a move of this game"
    if p.phase is Phase.OVER:
        return _.plural(
            "P40: the game is over after {n} round", "P40: the game is over after {n} rounds", p.settings.rounds
        )
    if move.kind in _TABLE_MOVES:
        return _explain_table_move(p, move)
    if move.seat is None or not 0 <= move.seat < p.player_count:
        return f"P1: {move.kind} needs one of the {p.player_count} seats, not {move.seat}"
    if move.kind == "take":
        return _explain_take(p, move.seat)
    if p.pile_owner is None:
        return _("P30: no pile is being scored now")
    if move.kind in _OWNER_MOVES:
        return _explain_owner_move(p, move, p.pile_owner)
    return _explain_guesser_move(p, move, move.seat, p.pile_owner)


def _explain_table_move(p: Position, move: Move) -> str:
    if move.seat is not None or move.value:
        return f"P1: {move.kind} belongs to no seat, and has no value"
    if move.kind == "colour" and p.phase is Phase.DIFFICULTY:
        return _("V1: this game is played with {colour} cards only", colour=_(p.colour))
    return _(_TABLE_MOVES[move.kind])


def _explain_take(p: Position, seat: Seat) -> str:
    who = _seat(seat)
    if p.phase is Phase.STOP and not p.tokens_left:
        return _("P25: the last bonus token is taken, the drawing is over")
    if p.phase is not Phase.DRAWING:
        return _("P24: bonus tokens are taken while everybody draws")
    if seat not in p.round_seats:
        return _("P24: {who} takes part from the next round on", who=who)
    if p.bonus_stars[seat]:
        return _("P24: {who} has taken a bonus token and is finished", who=who)
    if p.away[seat]:
        return _("P24: {who} is away", who=who)
    return _("P24: the best token that is left is taken, and no value is named")


def _explain_owner_move(p: Position, move: Move, owner: Seat) -> str:
    if move.seat != owner:
        who = f"seat {move.seat}"
        return _("P30: it is {owner}'s pile that is being scored, not {who}'s", owner=_seat(owner), who=who)
    if move.kind == "drawn":
        return _("P31: nobody has said that {who} drew another clue", who=_seat(owner))
    if p.drew_wrong_clue[owner]:
        return _("P31: all cards have gone back from {who}'s pile", who=_seat(owner))
    if move.kind == "misdrawn":
        return "P31: a wrong drawing has no value"
    if len(move.value) != 1 or not 1 <= move.value[0] <= CLUE_COUNT:
        return _("P12: a number card has a number from 1 to {most}", most=CLUE_COUNT)
    if p.owner_numbers[owner]:
        return _("P12: {who}'s number is a {number}", who=_seat(owner), number=p.owner_numbers[owner])
    (number,) = move.value
    if number in p.owner_numbers:
        return _("P12: {who} was dealt the {number}", who=f"seat {p.owner_numbers.index(number)}", number=number)
    return _("P21: somebody's {number} lies on another pile, and cannot be right here", number=number)


def _explain_guesser_move(p: Position, move: Move, seat: Seat, owner: Seat) -> str:
    if seat == owner:
        return _("P21: {who} cannot guess at an own drawing", who=_seat(seat))
    if seat not in p.round_seats:
        return _("P21: {who} takes part from the next round on", who=_seat(seat))
    if p.drew_wrong_clue[owner]:
        return _("P31: all cards have gone back from {who}'s pile", who=_seat(owner))
    card = p.find_card(seat)
    if card is not None and move.kind in ("right", "card"):
        return _("P21: {who} has a card on this pile already", who=_seat(seat))
    if card is None and move.kind == "off":
        return _("P21: {who} has no card on this pile", who=_seat(seat))
    if move.kind == "card":
        return _explain_numbered_card(p, move, seat, owner)
    if move.value:
        return f"P22: only a card that is entered as such has a number, not {move.kind!r}"
    if move.kind == "off":
        return _("P21: {who}'s card was right; say first that it was wrong", who=_seat(seat))
    if move.kind == "wrong" and card is None:
        return _("P32: {who} has no card on this pile", who=_seat(seat))
    if move.kind == "wrong":
        return _("P32: {who}'s card is wrong already", who=_seat(seat))
    return _explain_card_elsewhere(p, seat, p.owner_numbers[owner])


def _explain_numbered_card(p: Position, move: Move, seat: Seat, owner: Seat) -> str:
    if not p.owner_numbers[owner]:
        return _("P22: turn over {who}'s number card first", who=_seat(owner))
    if len(move.value) != 1 or not 1 <= move.value[0] <= CLUE_COUNT:
        return _("P1: a guess card has a number from 1 to {most}", most=CLUE_COUNT)
    return _explain_card_elsewhere(p, seat, move.value[0])


def _explain_card_elsewhere(p: Position, seat: Seat, number: int) -> str:
    owner = f"seat {p.find_pile_with(seat, number)}"
    return _("P21: {who} has put the {number} on {owner}'s pile", who=_seat(seat), number=number, owner=owner)


def _seat(seat: Seat) -> str:
    return f"seat {seat}"
