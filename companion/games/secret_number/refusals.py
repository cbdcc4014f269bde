"""Why a move is refused: the rule's number, then the reason.

Players appear as ``seat 2``, the value of `Seat`, for the rules know no names; whoever shows the message puts them in.
"""

from __future__ import annotations

from companion.games.game import Move, Seat
from companion.games.secret_number.position import Position
from companion.games.secret_number.view import Phase

_OF_NOBODY = {
    "dealt": "S4: the cards are dealt at the start of a game",
    "again": "S4: the cards are dealt again only before a game begins",
    "ready": "S11: a round is prepared before it starts",
    "go": "S20: a round starts when all show at the same time",
    "wait": "S20: only what has not started yet can wait",
    "end": "S23: no round is being played",
    "next": "S6: the next game starts when this one is scored",
    "fix": "S25: the pile is put right when it is turned",
    "earlier": "S25: there is no earlier card to go back to",
    "back": "S25: the pile is not being put right",
}
_OF_SOMEBODY = {
    "right": "S30: no card is being turned",
    "wrong": "S30: no card is being turned",
    "remove": "S25: there is no card to be taken out",
    "insert": "S25: the pile is not being put right",
    "bonus": "S34: nobody is asked for a bonus",
}


def refusal(p: Position, move: Move) -> str:
    """Says which rule forbids `move`, which is not legal in `p`."""
    if move.kind not in (*_OF_NOBODY, *_OF_SOMEBODY, "lay"):
        return f"S20: {move.kind!r} is not a move of this game"
    if p.phase is Phase.OVER:
        return f"S36: the match is over after {p.settings.games} games"
    if move.kind in _OF_NOBODY:
        if move.seat is not None or move.value:
            return f"S20: {move.kind!r} belongs to the whole table"
        return _OF_NOBODY[move.kind]
    if move.seat is None or not 0 <= move.seat < p.players:
        return f"S3: {move.kind!r} needs one of the {p.players} seats, not {move.seat}"
    return _lay(p, move.seat) if move.kind == "lay" else _at_reveal(p, move, move.seat)


def _lay(p: Position, seat: Seat) -> str:
    if seat in p.away:
        return f"S20: seat {seat} is away"
    if seat not in p.playing:
        return f"S3: seat {seat} has no cards in this game and joins the next one"
    match p.phase:
        case Phase.DEAL:
            return "S4: deal the cards first"
        case Phase.PREPARE:
            return f"S1{p.round}: choose what to show first; OK starts the round"
        case Phase.SHOW:
            return f"S1{p.round}: the round starts when all have shown"
        case Phase.ROUND if p.used(seat) >= p.hand:
            return f"S22: seat {seat} has laid all {p.hand} cards of this game"
        case Phase.ROUND:
            return f"S21: seat {seat} laid the last card; another player must lay one first"
        case Phase.BONUS:
            return f"S34: seat {p.asked} is asked for a bonus of 1, 2 or 3"
        case Phase.FIX:
            return f"S22: seat {seat} has laid all {p.hand} cards of this game"
        case _:
            return "S24: the three rounds are over, no card is laid any more"


def _at_reveal(p: Position, move: Move, seat: Seat) -> str:
    match move.kind:
        case "right" | "wrong" | "remove" if p.phase in (Phase.REVEAL, Phase.FIX) and p.next_card is not None:
            if seat != p.next_card[1]:
                return f"S30: the next card is seat {p.next_card[1]}'s, not seat {seat}'s"
            if move.kind != "remove" and p.phase is Phase.FIX:
                return "S25: the pile is being put right; say first that it is right"
        case "insert" if p.phase is Phase.FIX:
            if seat not in p.playing:
                return f"S3: seat {seat} has no cards in this game"
            if p.used(seat) >= p.hand:
                return f"S22: seat {seat} has laid all {p.hand} cards of this game"
        case "bonus" if p.asked is not None:
            if seat != p.asked:
                return f"S34: seat {p.asked} is asked for the bonus, not seat {seat}"
            return "S34: a display card gives 1, 2 or 3"
    return _OF_SOMEBODY[move.kind]
