"""Why a move is refused: the rule's number, then the reason.

Players appear as ``seat 2``, the value of `Seat`, for the rules know no names; whoever shows the message puts them in.
What only a program could try is said in English, for it is never said at a table.
"""

from __future__ import annotations

from companion.games.api.game import Move, Seat
from companion.games.secret_number.state import Position
from companion.games.secret_number.view import Phase
from companion.i18n import N_, Translator

_ = Translator("secret_number")

_TABLE_MOVES = {
    "dealt": N_("S4: the cards are dealt at the start of a game"),
    "again": N_("S4: the cards are dealt again only before a game begins"),
    "ready": N_("S11: a round is prepared before it starts"),
    "go": N_("S20: a round starts when all show at the same time"),
    "wait": N_("S20: only what has not started yet can wait"),
    "end": N_("S23: no round is being played"),
    "next": N_("S6: the next game starts when this one is scored"),
    "fix": N_("S25: the pile is put right when it is turned"),
    "earlier": N_("S25: there is no earlier card to go back to"),
    "back": N_("S25: the pile is not being put right"),
}
_SEAT_MOVES = {
    "right": N_("S30: no card is being turned"),
    "wrong": N_("S30: no card is being turned"),
    "remove": N_("S25: there is no card to be taken out"),
    "insert": N_("S25: the pile is not being put right"),
    "bonus": N_("S34: nobody is asked for a bonus"),
}


def explain_refusal(p: Position, move: Move) -> str:
    """Says which rule forbids `move`, which is not legal in `p`."""
    if move.kind not in (*_TABLE_MOVES, *_SEAT_MOVES, "lay"):
        return f"S20: {move.kind!r} is not a move of this game"
    if p.phase is Phase.OVER:
        return _.plural(
            "S36: the match is over after {n} game", "S36: the match is over after {n} games", p.settings.games
        )
    if move.kind in _TABLE_MOVES:
        if move.seat is not None or move.value:
            return f"S20: {move.kind!r} belongs to the whole table"
        return _(_TABLE_MOVES[move.kind])
    if move.seat is None or not 0 <= move.seat < p.player_count:
        return f"S3: {move.kind!r} needs one of the {p.player_count} seats, not {move.seat}"
    return _explain_lay(p, move.seat) if move.kind == "lay" else _explain_reveal_move(p, move, move.seat)


def _explain_lay(p: Position, seat: Seat) -> str:
    if seat in p.away:
        return _("S20: {who} is away", who=_seat(seat))
    if seat not in p.participants:
        return _("S3: {who} has no cards in this game and joins the next one", who=_seat(seat))
    match p.phase:
        case Phase.DEAL:
            return _("S4: deal the cards first")
        case Phase.PREPARE:
            return _("S1{round}: choose what to show first; OK starts the round", round=p.round_number)
        case Phase.SHOW:
            return _("S1{round}: the round starts when all have shown", round=p.round_number)
        case Phase.ROUND if p.count_cards_laid(seat) >= p.hand_size:
            return _explain_empty_hand(p, seat)
        case Phase.ROUND:
            return _("S21: {who} laid the last card; another player must lay one first", who=_seat(seat))
        case Phase.BONUS:
            return _("S34: {who} is asked for a bonus of 1, 2 or 3", who=f"seat {p.bonus_seat}")
        case Phase.FIX:
            return _explain_empty_hand(p, seat)
        case _:
            return _("S24: the three rounds are over, no card is laid any more")


def _explain_reveal_move(p: Position, move: Move, seat: Seat) -> str:
    match move.kind:
        case "right" | "wrong" | "remove" if p.phase in (Phase.REVEAL, Phase.FIX) and p.next_card is not None:
            if seat != p.next_card[1]:
                return _("S30: the next card is {owner}'s, not {who}'s", owner=_seat(p.next_card[1]), who=_seat(seat))
            if move.kind != "remove" and p.phase is Phase.FIX:
                return _("S25: the pile is being put right; say first that it is right")
        case "insert" if p.phase is Phase.FIX:
            if seat not in p.participants:
                return _("S3: {who} has no cards in this game", who=_seat(seat))
            if p.count_cards_laid(seat) >= p.hand_size:
                return _explain_empty_hand(p, seat)
        case "bonus" if p.bonus_seat is not None:
            if seat != p.bonus_seat:
                return _("S34: {asked} is asked for the bonus, not {who}", asked=_seat(p.bonus_seat), who=_seat(seat))
            return _("S34: a display card gives 1, 2 or 3")
    return _(_SEAT_MOVES[move.kind])


def _explain_empty_hand(p: Position, seat: Seat) -> str:
    return _("S22: {who} has laid all {n} cards of this game", who=_seat(seat), n=p.hand_size)


def _seat(seat: Seat) -> str:
    return f"seat {seat}"
