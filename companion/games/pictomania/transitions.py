"""How a Pictomania position changes: what each move does, and what then follows by itself."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

from companion.games.api.game import Move, Seat
from companion.games.pictomania.state import UNKNOWN_NUMBER, GuessCard, Position
from companion.games.pictomania.view import Phase

P = TypeVar("P", bound=Position)


def apply_move(p: P, move: Move) -> P:
    """The position after a legal `move`, all but `changes`."""
    match move.kind:
        case "colour":
            return replace(p, difficulty_index=(p.difficulty_index + 1) % len(p.available_colours))
        case "deal":
            return replace(p, phase=Phase.READING)
        case "start":
            return replace(p, phase=Phase.START)
        case "go":
            return _start_drawing(p)
        case "stop":
            return replace(p, phase=Phase.STOP)
        case "score":
            return replace(p, phase=Phase.SCORING, pile_index=0)
        case "next":
            return _next_pile(p)
        case "back":
            return open_pile(p, p.pile_index - (p.phase is Phase.SCORING))
        case "next_round":
            return _next_round(p)
    assert move.seat is not None, f"{move.kind} belongs to a seat"
    match move.kind:
        case "take":
            return end_drawing_if_done(replace(p, bonus_stars=_replace_at(p.bonus_stars, move.seat, p.tokens_left[0])))
        case "misdrawn":
            cleared = _replace_at(p.piles, move.seat, ())  # P31: all cards go back
            return replace(p, piles=cleared, drew_wrong_clue=_replace_at(p.drew_wrong_clue, move.seat, True))
        case "drawn":
            return replace(p, drew_wrong_clue=_replace_at(p.drew_wrong_clue, move.seat, False))
        case "number":
            return _reveal_number(p, move.seat, move.value[0])
        case _:
            return _change_card(p, move, move.seat)


def end_drawing_if_done(p: P) -> P:
    """P25: with the last token, or with nobody left who could take one, the drawing ends."""
    return p if p.phase is not Phase.DRAWING or (p.tokens_left and p.seats_drawing) else replace(p, phase=Phase.STOP)


def open_pile(p: P, at: int) -> P:
    """Back to a pile; from the round's page that takes the round's scores off again."""
    finished = p.round_scores[:-1] if p.phase is Phase.ROUND else p.round_scores
    return replace(p, phase=Phase.SCORING, pile_index=at, round_scores=finished)


def rescore_round(p: P) -> P:
    """On the round's page: its scores worked out again."""
    return _score_round(open_pile(p, p.pile_index)) if p.phase is Phase.ROUND else p


def _start_drawing(p: P) -> P:
    return replace(
        p,
        phase=Phase.DRAWING,
        participants=p.present_seats,
        bonus_stars=(0,) * p.player_count,
        piles=((),) * p.player_count,
        drew_wrong_clue=(False,) * p.player_count,
        owner_numbers=(UNKNOWN_NUMBER,) * p.player_count,
        pile_index=0,
    )


def _next_pile(p: P) -> P:
    """P30: one pile after the other, then the round's page."""
    return replace(p, pile_index=p.pile_index + 1) if p.pile_index + 1 < len(p.participants) else _score_round(p)


def _score_round(p: P) -> P:
    """P36. Who did not take part has nothing to write down."""
    totals = {line.seat: line.total for line in p.score_lines}
    scores = tuple(totals.get(Seat(q), 0) for q in range(p.player_count))
    return replace(p, phase=Phase.ROUND, round_scores=(*p.round_scores, scores))


def _next_round(p: P) -> P:
    """P40: all tokens and cards go back."""
    phase = Phase.OVER if len(p.round_scores) >= p.settings.rounds else Phase.DIFFICULTY
    return replace(
        p, phase=phase, participants=(), bonus_stars=(), piles=(), drew_wrong_clue=(), owner_numbers=(), pile_index=0
    )


def _reveal_number(p: P, owner: Seat, number: int) -> P:
    """P30: the number card comes up; cards that were right had that number."""
    pile = tuple(replace(card, number=number) if card.right else card for card in p.piles[owner])
    return replace(
        p, owner_numbers=_replace_at(p.owner_numbers, owner, number), piles=_replace_at(p.piles, owner, pile)
    )


def _change_card(p: P, move: Move, guesser: Seat) -> P:
    """P32: a card is entered, changed in its place, or taken off."""
    owner = p.participants[p.pile_index]
    number = p.owner_numbers[owner]
    match move.kind:
        case "right":
            card = GuessCard(guesser, True, number)
        case "wrong":
            card = GuessCard(guesser, False)
        case "card":
            card = GuessCard(guesser, move.value[0] == number, move.value[0])  # P22
        case _:
            rest = tuple(c for c in p.piles[owner] if c.guesser != guesser)
            return replace(p, piles=_replace_at(p.piles, owner, rest))
    pile = p.piles[owner]
    known = tuple(card if c.guesser == guesser else c for c in pile)
    return replace(p, piles=_replace_at(p.piles, owner, known if known != pile else (*pile, card)))


T = TypeVar("T")


def _replace_at(by_seat: tuple[T, ...], seat: Seat, value: T) -> tuple[T, ...]:
    return (*by_seat[:seat], value, *by_seat[seat + 1 :])
