"""How a Secret Number position changes: what each move does, and what then follows by itself."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

from companion.games.api.game import Move, Seat
from companion.games.secret_number.settings import ROUNDS_PER_GAME
from companion.games.secret_number.state import REVEAL_PHASES, Position
from companion.games.secret_number.view import Phase

P = TypeVar("P", bound=Position)


def apply_move(p: P, move: Move) -> P:
    """The position after a legal `move`, all but `changes`."""
    match move.kind:
        case "again":  # S4
            return replace(p, deal_count=p.deal_count + 1)
        case "dealt" | "wait":
            return replace(p, phase=Phase.PREPARE)
        case "ready":
            return replace(p, phase=Phase.SHOW if p.settings.show_seconds else Phase.ROUND)
        case "go":
            return replace(p, phase=Phase.ROUND)
        case "end":  # S23, S24
            if p.round_number < ROUNDS_PER_GAME:
                return replace(p, phase=Phase.PREPARE, round_number=p.round_number + 1)
            return advance_reveal(replace(p, phase=Phase.REVEAL))
        case "right" | "wrong":
            return advance_reveal(replace(p, cards_right=(*p.cards_right, move.kind == "right")))
        case "next":
            return _start_next_game(p)
        case _:
            return _change_pile(p, move)


def _change_pile(p: P, move: Move) -> P:
    """S25, and what else belongs to one player."""
    match move.kind:
        case "fix":
            return replace(p, phase=Phase.FIX)
        case "back":
            return advance_reveal(replace(p, phase=Phase.REVEAL))
        case "earlier":
            return replace(p, cards_right=p.cards_right[:-1])
        case "remove":
            return replace(p, piles=remove_card(p.piles, len(p.cards_right)))
    assert move.seat is not None, f"{move.kind} belongs to a seat"
    match move.kind:
        case "lay":
            return replace(p, piles=add_to_pile(p, p.round_number, move.seat))
        case "insert":
            return replace(p, piles=_insert_card(p, move.seat))
        case _:
            bonuses = tuple(move.value[0] if q == move.seat else b for q, b in enumerate(p.display_bonuses))
            return advance_reveal(replace(p, display_bonuses=bonuses))


def advance_reveal(p: P) -> P:
    """S30 to S35: how far the reveal has come, and what is to be done next."""
    if p.phase not in REVEAL_PHASES or p.phase is Phase.FIX:
        return p
    # S35: who was right has no second right card, so nobody needs to be asked.
    while p.next_card is not None and p.next_card[1] in p.seats_right:
        p = replace(p, cards_right=(*p.cards_right, False))
    if p.next_card is not None:
        return replace(p, phase=Phase.REVEAL)
    bonuses = tuple(b if q in p.seats_right else 0 for q, b in enumerate(p.display_bonuses))
    p = replace(p, display_bonuses=bonuses, phase=Phase.BONUS)
    return p if p.bonus_seat is not None else replace(p, phase=Phase.RESULT)


def _start_next_game(p: P) -> P:
    """S6, A9: the next game, or the end; the result of this one is kept."""
    p = replace(p, earlier_scores=(*p.earlier_scores, tuple(tally.total for tally in p.tallies)))
    p = replace(p, piles=((),) * ROUNDS_PER_GAME, cards_right=(), display_bonuses=(0,) * p.player_count)
    if p.game_number == p.settings.games:
        return replace(p, phase=Phase.OVER)
    return replace(
        p, phase=Phase.DEAL, game_number=p.game_number + 1, round_number=1, deal_count=1, participants=p.present_seats
    )


def add_to_pile(p: Position, round_: int, seat: Seat) -> tuple[tuple[Seat, ...], ...]:
    """The piles with one card more on that of a round."""
    return tuple((*pile, seat) if r == round_ else pile for r, pile in enumerate(p.piles, start=1))


def _insert_card(p: Position, seat: Seat) -> tuple[tuple[Seat, ...], ...]:
    """The piles with a card under the next one, in its round; at the end of the last round if all are turned."""
    if p.next_card is None:
        return add_to_pile(p, ROUNDS_PER_GAME, seat)
    place = len(p.cards_right)
    piles = []
    for pile in p.piles:
        piles.append((*pile[:place], seat, *pile[place:]) if 0 <= place < len(pile) else pile)
        place -= len(pile)
    return tuple(piles)


def remove_card(piles: tuple[tuple[Seat, ...], ...], place: int) -> tuple[tuple[Seat, ...], ...]:
    """The piles without the card at `place`, counted over all rounds from 0."""
    left = []
    for pile in piles:
        left.append((*pile[:place], *pile[place + 1 :]) if 0 <= place < len(pile) else pile)
        place -= len(pile)
    return tuple(left)
