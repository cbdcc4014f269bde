"""How a Macroscope position changes: what each move does, and what then follows by itself."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

from companion.games.api.game import Move, Seat
from companion.games.macroscope.state import MacroscopeState, get_start_phase
from companion.games.macroscope.view import AskingReason, Phase

StateT = TypeVar("StateT", bound=MacroscopeState)


def apply_move(p: StateT, move: Move) -> StateT:
    """The position after a legal `move`, all but `changes`."""
    match move.kind:
        case "roll":
            return replace(p, phase=Phase.OPEN, dice=move.value)
        case "renew":
            return replace(p, cards_at_renewal=p.cards_used)
        case "remove":
            return take_token(p, move.value[0])
        case "stop":
            return stop_turn(p)
        case "ask":
            return replace(p, phase=Phase.ASKING, asking_reason=AskingReason.MEANWHILE, others_asked=True)
        case "close":
            return _call(p) if p.wishes else _nobody_else(p)
        case "pick":
            return replace(p, phase=Phase.CALLED, called_seat=Seat(move.value[0]))
        case "cover":
            return _cover(p)
        case "nobody":
            return _score(p, right=None)
    assert move.seat is not None, f"{move.kind} belongs to a seat"
    match move.kind:
        case "guess":
            return _guess(p, move.seat)
        case "wish":
            return update_queue(replace(p, wishes=(*p.wishes, move.seat)))
        case "withdraw":
            return update_queue(replace(p, wishes=_without(p.wishes, move.seat)))
        case "name":
            return _name(p, move.seat)
        case _:
            return _score(p, right=move.seat)


def take_token(p: StateT, number: int) -> StateT:
    """M10, M13: a token comes off. The last one makes the round void (M50)."""
    off = tuple(count - (n == number) for n, count in enumerate(p.tokens, start=1))
    # One more window is open now: whoever wished to guess before (M30) wished at another price and another sight.
    p = replace(
        p,
        phase=Phase.OPEN,
        asking_reason=None,
        called_seat=None,
        wishes=(),
        tokens=off,
        taken_tokens=(*p.taken_tokens, number),
    )
    return p if p.covered_windows else _void(p)


def update_queue(p: StateT) -> StateT:
    """M24, M33: the order worked out again after a wish came or went; a player already called stays called.

    Wishes of players who can no longer pay (after a correction) are dropped.
    """
    wishes = tuple(q for q in p.wishes if q in p.eligible_seats)
    p = replace(p, wishes=wishes)
    if p.phase is Phase.PICK or (p.phase is Phase.CALLED and p.called_seat not in wishes):
        return _call(p)
    return p


def _call(p: StateT) -> StateT:
    """M24: calls the next of those who wish; with none left the asking goes on, if anybody could still guess."""
    first = p.first_in_queue
    if not first:
        p = replace(p, phase=Phase.ASKING, called_seat=None)
        return p if p.eligible_seats else _nobody_else(p)
    if len(first) > 1:
        return replace(p, phase=Phase.PICK, called_seat=None)
    return replace(p, phase=Phase.CALLED, called_seat=first[0])


def _nobody_else(p: StateT) -> StateT:
    """The asking is over, and nobody is left who wishes."""
    meanwhile = p.asking_reason is AskingReason.MEANWHILE
    p = replace(p, asking_reason=None, called_seat=None, wishes=())
    if p.guessers:
        return replace(p, phase=Phase.COVER)
    return replace(p, phase=Phase.OPEN) if meanwhile else start_next_turn(p)


def _guess(p: StateT, seat: Seat) -> StateT:
    """M21: V is frozen; M23: then the others are asked. Who already wished to guess (M30) now wishes to challenge.

    V3: in the easier variant nobody may challenge.
    """
    p = replace(p, guessers=(seat,), frozen_value=p.covered_windows, called_seat=None)
    if p.settings.is_easy or not p.eligible_seats:
        return replace(p, phase=Phase.COVER, asking_reason=None, wishes=())
    return replace(p, phase=Phase.ASKING, asking_reason=AskingReason.CHALLENGE)


def stop_turn(p: StateT) -> StateT:
    """M16, V4: crystals for the windows opened, then the others may guess (M30).

    Wishes made before stay: the windows are the same, and the asking is what they were waiting for.
    """
    p = _pay(p, p.active_seat, p.stop_crystals)
    if not p.eligible_seats:
        return start_next_turn(p)
    return replace(p, phase=Phase.ASKING, asking_reason=AskingReason.DECLINED, called_seat=None)


def _name(p: StateT, seat: Seat) -> StateT:
    """M23, M30, V5: the called player pays and has guessed; M31: the first guess freezes V."""
    p = _pay(_pay(p, p.payee, p.guess_cost), seat, -p.guess_cost)
    if p.asking_reason is AskingReason.MEANWHILE:
        # M30: he declined for the moment, and now that is final.
        p = replace(_pay(p, p.active_seat, p.opened_windows), asking_reason=AskingReason.DECLINED)
    value = p.covered_windows if p.frozen_value is None else p.frozen_value
    p = replace(p, guessers=(*p.guessers, seat), frozen_value=value, wishes=_without(p.wishes, seat))
    return _call(p)


def _cover(p: StateT) -> StateT:
    """M40: every window has a token again. After a void round nothing is to be revealed (M50)."""
    p = replace(p, tokens=(p.settings.tokens_per_number,) * len(p.tokens))
    return replace(p, phase=Phase.REVEAL if p.guessers else get_start_phase(p.settings))


def _score(p: StateT, right: Seat | None) -> StateT:
    """M41 to M45; A1's switch lets the silent lose too."""
    losers = range(p.player_count) if p.settings.silent_players_lose else p.guessers
    v = p.guess_value
    crystals = tuple(
        held + v if seat == right else held - min(v, held) if seat in losers else held
        for seat, held in enumerate(p.crystals)
    )
    brought = tuple(now - then for now, then in zip(crystals, p.crystals_at_round_start, strict=True))
    p = replace(
        p,
        crystals=crystals,
        cards_used=p.cards_used + 1,
        round_scores=(*p.round_scores, brought),
        crystals_at_round_start=crystals,
    )
    if p.round_number == p.settings.rounds:
        return replace(p, phase=Phase.OVER)
    return start_next_turn(replace(p, round_number=p.round_number + 1))


def _void(p: StateT) -> StateT:
    """M50, A9: the last token is off and nobody has guessed. The card is spent, the marker stays.

    V7 takes M50 as it is: the easier variant too pays one crystal a window here, not V4's two, because the
    opener never came to decline.
    """
    if p.settings.void_round_pays_opener:
        p = _pay(p, p.active_seat, p.opened_windows)
    return replace(start_next_turn(p), phase=Phase.COVER, cards_used=p.cards_used + 1)


def start_next_turn(p: StateT) -> StateT:
    """M46: the left neighbour's turn; M17: open windows stay open."""
    return replace(
        p,
        active_seat=p.next_seat,
        phase=get_start_phase(p.settings),
        turn_number=p.turn_number + 1,
        dice=(),
        taken_tokens=(),
        others_asked=False,
        asking_reason=None,
        wishes=(),
        called_seat=None,
        guessers=(),
        frozen_value=None,
    )


def _pay(p: StateT, seat: Seat, amount: int) -> StateT:
    crystals = tuple(held + amount * (q == seat) for q, held in enumerate(p.crystals))
    return replace(p, crystals=crystals)


def _without(seats: tuple[Seat, ...], seat: Seat) -> tuple[Seat, ...]:
    return tuple(q for q in seats if q != seat)
