"""Corrections of a Pictomania game: what people may correct, since the table is right, and what follows."""

from collections import Counter
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
from companion.games.pictomania import transitions
from companion.games.pictomania.settings import MIN_PLAYERS
from companion.games.pictomania.state import PHASES_AFTER_START, CorrectionKind, Phase, PictomaniaState
from companion.games.pictomania.transitions import StateT
from companion.i18n import Translator

_ = Translator("pictomania")

MAX_POINTS = 999
"""Highest points of a round or total that may be entered, and with a minus sign the lowest; no game gives as many."""


def list_correctables(state: PictomaniaState) -> Iterator[Correctable]:
    """Yield everything that may be corrected in `state`, with its present value and the values that may be entered.

    The order is that of the menu: recent entries first, then totals, then what is rarely corrected.
    """
    if state.phase in (Phase.SCORING, Phase.ROUND):
        owner = state.participants[state.pile_index]
        yield Correctable(CommonCorrection.ACTIVE, None, (owner,), ValueRange(1, 0, state.player_count - 1))
    # Corrected rounds may add up to more than MAX_POINTS.
    yield from list_by_seat(CorrectionKind.TOTAL, state.totals, -MAX_POINTS, MAX_POINTS)
    if state.phase in PHASES_AFTER_START:
        stars = ValueRange(1, 0, state.bonus_tokens[0])
        yield from (
            Correctable(CorrectionKind.BONUS, q, (state.bonus_stars[q],), stars) for q in sorted(state.participants)
        )
    for number, scores in reversed([*enumerate(state.round_scores, start=1)]):
        yield from list_by_seat(CommonCorrection.ROUND, scores, -MAX_POINTS, MAX_POINTS, (number,))
    if state.phase is Phase.OVER:
        return
    if len(state.available_colours) > 1:
        colours = ValueRange(1, 1, len(state.available_colours))
        yield Correctable(CorrectionKind.DIFFICULTY, None, (state.difficulty_index + 1,), colours)
    if state.phase is Phase.DIFFICULTY and state.round_number < state.settings.rounds:
        rounds = ValueRange(1, state.round_number, state.settings.rounds)
        yield Correctable(CorrectionKind.MARKER, None, (state.round_number,), rounds)
    yield from list_by_seat(CommonCorrection.AWAY, state.away, 0, 1)


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
    match correction.kind, correction.seat:
        case CommonCorrection.ACTIVE, _:
            return _reopen_pile(state, Seat(value))
        case CorrectionKind.DIFFICULTY, _:
            return replace(state, difficulty_index=value - 1)
        case CorrectionKind.MARKER, _:
            # Rounds were played without the companion: their scores can be corrected one by one.
            missing = [(0,) * state.player_count] * (value - state.round_number)
            return replace(state, round_scores=(*state.round_scores, *missing))
        case CorrectionKind.BONUS, int() as seat:
            return _set_bonus(state, Seat(seat), value)
        case CommonCorrection.AWAY, int() as seat:
            return _set_away(state, Seat(seat), bool(value))
        case CorrectionKind.TOTAL, int() as seat:
            adjustment = state.total_adjustments[seat] + value - state.totals[seat]
            return replace(state, total_adjustments=replace_at(state.total_adjustments, seat, adjustment))
        case _, int() as seat:
            return _set_round_score(state, correction.index[0] - 1, seat, value)
    raise AssertionError(f"{correction} is not listed")


def _set_round_score(state: StateT, i: int, seat: Seat, points: int) -> StateT:
    """A round (index `i`) brought something else; for the round on the page, that outlasts corrections of its cards."""
    scores = state.round_scores[i]
    if state.phase is Phase.ROUND and i == len(state.round_scores) - 1:
        adjustment = state.round_adjustments[seat] + points - scores[seat]
        state = replace(state, round_adjustments=replace_at(state.round_adjustments, seat, adjustment))
    return replace(state, round_scores=replace_at(state.round_scores, i, replace_at(scores, seat, points)))


def _reopen_pile(state: StateT, owner: Seat) -> StateT:
    """Go back (or on) to a pile, whose cards can then be corrected in the way they were entered."""
    if owner not in state.participants:
        raise BadCorrection("P21", _("{who} takes part from the next round on"), {"who": owner})
    return transitions.open_pile(state, state.participants.index(owner))


def _set_bonus(state: StateT, seat: Seat, stars: int) -> StateT:
    """P37: who holds which bonus token."""
    bonus_stars = replace_at(state.bonus_stars, seat, stars)
    if Counter(s for s in bonus_stars if s) - Counter(state.bonus_tokens):
        raise BadCorrection("P2", _("no bonus token with {n} stars is left in the middle"), n=stars)
    return transitions.rescore_round(transitions.end_drawing_if_done(replace(state, bonus_stars=bonus_stars)))


def _set_away(state: StateT, seat: Seat, is_away: bool) -> StateT:
    """Who leaves is not asked any more; cards that lie on the table count. Who comes back draws in the next round."""
    state = state.set_away(seat, is_away)
    if state.away.count(False) < MIN_PLAYERS:
        raise BadCorrection("P1", _("{n} players are needed: set the game aside instead"), n=MIN_PLAYERS)
    return transitions.end_drawing_if_done(state)
