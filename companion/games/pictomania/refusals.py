"""Why a move is refused: the rule's number, then the reason.

Players appear as ``seat 2``, the value of `Seat`, for the rules know no names; whoever shows the message puts them in.
"""

from __future__ import annotations

from companion.games.game import Move, Seat
from companion.games.pictomania.position import Position
from companion.games.pictomania.settings import NUMBERS
from companion.games.pictomania.view import Phase

_WHEN = {
    "colour": "P10: the difficulty is chosen before the cards are dealt",
    "deal": "P12: the cards are dealt already",
    "start": "P14: the start signal follows when all have read the clues",
    "go": "P14: the drawing begins with the start signal",
    "stop": "P26: nobody is drawing now",
    "score": "P30: the piles are turned over when the drawing is over",
    "next": "P30: no pile is being scored now",
    "back": "P30: there is no pile before this one",
    "next_round": "P40: the next round begins when all piles of this one are scored",
}
"""Moves that belong to nobody, and when they are made."""
_OF_OWNER = ("misdrawn", "drawn", "number")
_OF_GUESSER = ("right", "wrong", "off", "card")


def refusal(p: Position, move: Move) -> str:
    """Says which rule forbids `move`, which is not legal in `p`."""
    if move.kind not in (*_WHEN, *_OF_OWNER, *_OF_GUESSER, "take"):
        return f"P20: {move.kind!r} is not a move of this game"
    if p.phase is Phase.OVER:
        return f"P40: the game is over after {p.settings.rounds} rounds"
    if move.kind in _WHEN:
        return _of_nobody(p, move)
    if move.seat is None or not 0 <= move.seat < p.players:
        return f"P1: {move.kind} needs one of the {p.players} seats, not {move.seat}"
    if move.kind == "take":
        return _take(p, move.seat)
    if p.owner is None:
        return "P30: no pile is being scored now"
    if move.kind in _OF_OWNER:
        return _of_owner(p, move, p.owner)
    return _of_guesser(p, move, move.seat, p.owner)


def _of_nobody(p: Position, move: Move) -> str:
    if move.seat is not None or move.value:
        return f"P1: {move.kind} belongs to no seat, and has no value"
    if move.kind == "colour" and p.phase is Phase.DIFFICULTY:
        return f"V1: this game is played with {p.colour} cards only"
    return _WHEN[move.kind]


def _take(p: Position, seat: Seat) -> str:
    if p.phase is Phase.STOP and not p.left:
        return "P25: the last bonus token is taken, the drawing is over"
    if p.phase is not Phase.DRAWING:
        return "P24: bonus tokens are taken while everybody draws"
    if seat not in p.seats:
        return f"P24: seat {seat} takes part from the next round on"
    if p.bonus[seat]:
        return f"P24: seat {seat} has taken a bonus token and is finished"
    if p.away[seat]:
        return f"P24: seat {seat} is away"
    return "P24: the best token that is left is taken, and no value is named"


def _of_owner(p: Position, move: Move, owner: Seat) -> str:
    if move.seat != owner:
        return f"P30: it is seat {owner}'s pile that is being scored, not seat {move.seat}'s"
    if move.kind == "drawn":
        return f"P31: nobody has said that seat {owner} drew another clue"
    if p.misdrawn[owner]:
        return f"P31: all cards have gone back from seat {owner}'s pile"
    if move.kind == "misdrawn":
        return "P31: a wrong drawing has no value"
    if len(move.value) != 1 or not 1 <= move.value[0] <= NUMBERS:
        return f"P12: a number card has a number from 1 to {NUMBERS}"
    if p.numbers[owner]:
        return f"P12: seat {owner}'s number is a {p.numbers[owner]}"
    (number,) = move.value
    if number in p.numbers:
        return f"P12: seat {p.numbers.index(number)} was dealt the {number}"
    return f"P21: somebody's {number} lies on another pile, and cannot be right here"


def _of_guesser(p: Position, move: Move, seat: Seat, owner: Seat) -> str:
    if seat == owner:
        return f"P21: seat {seat} cannot guess at an own drawing"
    if seat not in p.seats:
        return f"P21: seat {seat} takes part from the next round on"
    if p.misdrawn[owner]:
        return f"P31: all cards have gone back from seat {owner}'s pile"
    card = p.card_of(seat)
    if card is not None and move.kind in ("right", "card"):
        return f"P21: seat {seat} has a card on this pile already"
    if card is None and move.kind == "off":
        return f"P21: seat {seat} has no card on this pile"
    if move.kind == "card":
        return _numbered(p, move, seat, owner)
    if move.value:
        return f"P22: only a card that is entered as such has a number, not {move.kind!r}"
    if move.kind == "off":
        return f"P21: seat {seat}'s card was right; say first that it was wrong"
    if move.kind == "wrong" and card is None:
        return f"P32: seat {seat} has no card on this pile"
    if move.kind == "wrong":
        return f"P32: seat {seat}'s card is wrong already"
    return _lies_elsewhere(p, seat, p.numbers[owner])


def _numbered(p: Position, move: Move, seat: Seat, owner: Seat) -> str:
    if not p.numbers[owner]:
        return f"P22: turn over seat {owner}'s number card first"
    if len(move.value) != 1 or not 1 <= move.value[0] <= NUMBERS:
        return f"P1: a guess card has a number from 1 to {NUMBERS}"
    return _lies_elsewhere(p, seat, move.value[0])


def _lies_elsewhere(p: Position, seat: Seat, number: int) -> str:
    return f"P21: seat {seat} has put the {number} on seat {p.used(seat, number)}'s pile"
