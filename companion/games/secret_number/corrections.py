"""Corrections of a Secret Number match: what people may correct, since the table is right, and what follows."""

from collections.abc import Iterator
from dataclasses import replace

from companion.api import (
    BadCorrection,
    CommonCorrection,
    Correctable,
    Correction,
    Seat,
    ValueRange,
    list_by_seat,
    replace_at,
)
from companion.games.secret_number.settings import DISPLAY_BONUSES, ROUNDS_PER_GAME
from companion.games.secret_number.state import (
    MIN_PLAYERS,
    REVEAL_PHASES,
    ROUND_PHASES,
    CorrectionKind,
    Phase,
    SecretNumberState,
)
from companion.games.secret_number.transitions import StateT, advance_reveal, group_cards
from companion.i18n import Translator

_ = Translator("secret_number")

MAX_POINTS = 999
"""Highest points of a game or total that may be entered, and with a minus sign the lowest; no match gives as many."""


def list_correctables(state: SecretNumberState) -> Iterator[Correctable]:
    """Yield everything that may be corrected in `state`, with its present value and the values that may be entered.

    The order is that of the menu: recent entries first, then totals, then what is rarely corrected.
    """
    if state.phase in REVEAL_PHASES:
        yield from _list_card_correctables(state)
    elif state.cards_in_order and state.phase in ROUND_PHASES:
        last = len(state.cards_in_order)
        owner = state.cards_in_order[-1][1]
        yield Correctable(CorrectionKind.OWNER, None, (owner,), _get_seat_range(state), (last,))
    # Before all else that belongs to a seat: in the menu, a player's own button leads to the first of these.
    yield from list_by_seat(CorrectionKind.TOTAL, state.totals, -MAX_POINTS, MAX_POINTS)
    for seat in state.seats_right:
        if state.phase in REVEAL_PHASES and state.display_bonuses[seat]:
            bonus_range = ValueRange(1, DISPLAY_BONUSES[0], DISPLAY_BONUSES[-1])
            yield Correctable(CorrectionKind.BONUS, seat, (state.display_bonuses[seat],), bonus_range)
    for number, scores in reversed([*enumerate(state.earlier_scores, start=1)]):
        yield from list_by_seat(CommonCorrection.GAME, scores, -MAX_POINTS, MAX_POINTS, (number,))
    if state.phase in ROUND_PHASES:
        yield Correctable(CorrectionKind.CURRENT_ROUND, None, (state.round_number,), ValueRange(1, 1, ROUNDS_PER_GAME))
    if state.phase is not Phase.OVER:
        yield from list_by_seat(CommonCorrection.AWAY, state.away, 0, 1)


def _list_card_correctables(state: SecretNumberState) -> Iterator[Correctable]:
    """The cards at the reveal, the latest first: right or wrong, whose they are, and in which round they lie."""
    cards = state.cards_in_order
    known = range(min(len(state.cards_right) + 1, len(cards)) - 1, -1, -1)
    for i in range(len(state.cards_right) - 1, -1, -1):
        yield Correctable(CorrectionKind.CARD, None, (int(state.cards_right[i]),), ValueRange(1, 0, 1), (i + 1,))
    for i in known:
        yield Correctable(CorrectionKind.OWNER, None, (cards[i][1],), _get_seat_range(state), (i + 1,))
    for i in known:
        # A card stays in its place, so only the round cards around it can lie above or below it.
        low = cards[i - 1][0] if i else 1
        high = cards[i + 1][0] if i + 1 < len(cards) else ROUNDS_PER_GAME
        if low < high:
            yield Correctable(CorrectionKind.CARD_ROUND, None, (cards[i][0],), ValueRange(1, low, high), (i + 1,))


def _get_seat_range(state: SecretNumberState) -> ValueRange:
    return ValueRange(1, 0, state.player_count - 1)


def apply_correction(state: StateT, correction: Correction) -> StateT:
    """Return the state after `correction`: the table as people see it.

    Args:
        state: state before the correction.
        correction: entry whose kind, seat, index and value have been checked against `list_correctables`, as
            `BaseGame.correct` does. An unchecked one gives a wrong state or any error.

    Returns:
        The new state, with `changes` as before: `BaseGame.correct` computes them.

    Raises:
        BadCorrection: no table could show that; the error names the rule and the reason.
    """
    (value,) = correction.value
    i = correction.index[0] - 1 if correction.index else 0
    match correction.kind, correction.seat:
        case CorrectionKind.CURRENT_ROUND, _:
            return _set_round(state, value)
        case CorrectionKind.CARD_ROUND, _:
            cards = replace_at(state.cards_in_order, i, (value, state.cards_in_order[i][1]))
            return advance_reveal(replace(state, piles=group_cards(cards)))
        case CorrectionKind.OWNER, _:
            return advance_reveal(_set_owner(state, i, Seat(value)))
        case CorrectionKind.CARD, _:
            return advance_reveal(_mark_card(state, i, bool(value)))
        case CommonCorrection.AWAY, int() as seat:
            return _set_away(state, seat, bool(value))
        case CorrectionKind.BONUS, int() as seat:
            return advance_reveal(replace(state, display_bonuses=replace_at(state.display_bonuses, seat, value)))
        case CorrectionKind.TOTAL, int() as seat:
            adjustment = state.total_adjustments[seat] + value - state.totals[seat]
            return replace(state, total_adjustments=replace_at(state.total_adjustments, seat, adjustment))
        case _, int() as seat:
            scores = replace_at(state.earlier_scores[i], seat, value)
            return replace(state, earlier_scores=replace_at(state.earlier_scores, i, scores))
    raise AssertionError(f"{correction} is not listed")


def _set_away(state: StateT, seat: Seat, is_away: bool) -> StateT:
    """Who leaves lays no more cards; those that lie there count. Who was not dealt in joins the next game."""
    state = state.set_away(seat, is_away)
    is_dealing = state.phase is Phase.DEAL
    if len(state.present_seats) < MIN_PLAYERS or (not is_dealing and len(state.active_seats) < MIN_PLAYERS):
        raise BadCorrection("S2", _("fewer than {n} players would be left; set the game aside instead"), n=MIN_PLAYERS)
    return replace(state, participants=state.present_seats) if is_dealing else state


def _set_round(state: StateT, number: int) -> StateT:
    """Another round is being played than the ledger says; cards laid since then lie in it."""
    if number >= state.round_number:
        return replace(state, round_number=number)
    cards = [(min(r, number), seat) for r, seat in state.cards_in_order]
    return replace(state, round_number=number, piles=group_cards(cards))


def _mark_card(state: StateT, i: int, is_right: bool) -> StateT:
    """S35: a right card makes the same player's other cards wrong."""
    owner = state.cards_in_order[i][1]
    others = (
        mark and not (is_right and state.cards_in_order[place][1] == owner)
        for place, mark in enumerate(state.cards_right)
    )
    return replace(state, cards_right=replace_at(tuple(others), i, is_right))


def _set_owner(state: StateT, i: int, seat: Seat) -> StateT:
    cards, who = state.cards_in_order, {"who": seat}
    if seat not in state.participants:
        raise BadCorrection("S3", _("{who} has no cards in this game"), who)
    if cards[i][1] == seat:
        return state
    if state.count_cards_laid(seat) >= state.hand_size:
        raise BadCorrection("S22", _("{who} has laid all {n} cards of this game"), who, n=state.hand_size)
    if state.cards_right[i : i + 1] == (True,) and seat in state.seats_right:
        raise BadCorrection("S35", _("{who} has a right card already"), who)
    return replace(state, piles=group_cards(replace_at(cards, i, (cards[i][0], seat))))
