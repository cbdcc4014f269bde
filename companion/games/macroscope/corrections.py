"""Corrections of a Macroscope game: what people may correct, since the table is right, and what follows."""

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
from companion.games.macroscope.settings import MAX_TOKEN_NUMBER
from companion.games.macroscope.state import ASKING_PHASES, CorrectionKind, MacroscopeState, Phase
from companion.games.macroscope.transitions import StateT, start_next_turn, stop_turn, take_token, update_queue
from companion.i18n import Translator

_ = Translator("macroscope")

MAX_CRYSTALS = 999
"""Most crystals that may be entered for a player or a round; A13: more than the supply of 154 are possible."""
MIN_PLAYERS = 2
"""M6: with fewer players at the table there is no game."""


def list_correctables(state: MacroscopeState) -> Iterator[Correctable]:
    """Yield everything that may be corrected in `state`, with its present value and the values that may be entered.

    The order is that of the menu: recent entries first, then totals, then what is rarely corrected.
    """
    is_over, tokens_matter = state.phase is Phase.OVER, _tokens_matter(state)
    if state.dice and state.is_active_free and state.opened_windows < 2:
        yield Correctable(CorrectionKind.DICE, None, state.dice, ValueRange(2, 1, 6))
    if state.taken_tokens and tokens_matter:
        yield Correctable(CorrectionKind.TOKEN, None, state.taken_tokens[-1:], ValueRange(1, 1, MAX_TOKEN_NUMBER))
    if state.frozen_value is not None and not is_over:
        yield Correctable(CorrectionKind.VALUE, None, (state.frozen_value,), ValueRange(1, 1, state.settings.windows))
    yield from list_by_seat(CorrectionKind.CRYSTALS, state.crystals, 0, MAX_CRYSTALS)
    if tokens_matter:
        value_range = ValueRange(MAX_TOKEN_NUMBER, 0, state.settings.tokens_per_number)
        yield Correctable(CorrectionKind.TOKENS, None, state.tokens, value_range)
    if not is_over:
        yield Correctable(
            CorrectionKind.ROUND_NUMBER, None, (state.round_number,), ValueRange(1, 1, state.settings.rounds)
        )
    if state.phase in (Phase.ROLL, Phase.OPEN) and not state.opened_windows:
        yield Correctable(CommonCorrection.ACTIVE, None, (state.active_seat,), ValueRange(1, 0, state.player_count - 1))
    for number, scores in enumerate(state.round_scores, start=1):
        yield from list_by_seat(CommonCorrection.ROUND, scores, -MAX_CRYSTALS, MAX_CRYSTALS, (number,))
    if not is_over:
        yield from list_by_seat(CommonCorrection.AWAY, state.away, 0, 1)


def _tokens_matter(state: MacroscopeState) -> bool:
    """Whether it still matters which tokens are on the device: until a guess freezes V."""
    return state.frozen_value is None and state.phase in (Phase.ROLL, Phase.OPEN, *ASKING_PHASES)


def apply_correction(state: StateT, correction: Correction) -> StateT:
    """Return the state after `correction`: the table as people see it.

    Args:
        state: state before the correction.
        correction: entry whose kind, seat, index and value have been checked against `list_correctables`, as
            `BaseGame.correct` does; only LET_STAND is checked here. An unchecked one gives a wrong state or any error.

    Returns:
        The new state, with `changes` as before: `BaseGame.correct` computes them.

    Raises:
        BadCorrection: no table could show that; the error names the rule and the reason.
    """
    if correction.kind == CorrectionKind.LET_STAND:
        return _let_stand(state, correction.value)
    value = correction.value[0]
    match correction.kind, correction.seat:
        case CorrectionKind.DICE, _:
            return replace(state, dice=correction.value)
        case CorrectionKind.TOKEN, _:
            return _replace_last_token(state, value)
        case CorrectionKind.VALUE, _:
            return replace(state, frozen_value=value)
        case CorrectionKind.TOKENS, _:
            return _set_tokens(state, correction.value)
        case CorrectionKind.ROUND_NUMBER, _:
            return _set_round_number(state, value)
        case CommonCorrection.ROUND, int() as seat:
            return _set_round_score(state, correction.index[0] - 1, seat, value)
        case CommonCorrection.AWAY, int() as seat:
            return _leave_table(state, seat) if value and not state.away[seat] else state.set_away(seat, bool(value))
        case CorrectionKind.CRYSTALS, int() as seat:
            return _set_crystals(state, seat, value)
        case _:
            if state.away[value]:
                raise BadCorrection("M46", _("{who} is away"), {"who": Seat(value)})
            return replace(state, active_seat=Seat(value))


def _set_round_number(state: StateT, number: int) -> StateT:
    """Another round is in play. Rounds before it that were not recorded brought nothing that is known.

    Recorded rounds from `number` on become part of the round in play, so that the rounds add up to the crystals.
    """
    earlier, since = state.round_scores[: number - 1], state.round_scores[number - 1 :]
    missing = ((0,) * state.player_count,) * (number - 1 - len(earlier))
    at_start = tuple(held - sum(scores[q] for scores in since) for q, held in enumerate(state.crystals_at_round_start))
    return replace(state, round_number=number, round_scores=(*earlier, *missing), crystals_at_round_start=at_start)


def _set_crystals(state: StateT, seat: Seat, held: int) -> StateT:
    """A player holds `held` crystals. The change counts to the round in play or, after the end, to the last round."""
    if state.phase is Phase.OVER:
        *_, scores = state.round_scores
        return _set_round_score(state, len(state.round_scores) - 1, seat, scores[seat] + held - state.crystals[seat])
    return update_queue(replace(state, crystals=replace_at(state.crystals, seat, held)))


def _set_round_score(state: StateT, number: int, seat: Seat, points: int) -> StateT:
    """An earlier round (`number` from 0) brought something else; later rounds stay, and the total follows.

    Nobody can have paid with crystals that were not there, so the total may not fall below nothing (M44).
    """
    change = points - state.round_scores[number][seat]
    held = state.crystals[seat] + change
    if held < 0:
        raise BadCorrection("M44", _("{who} would have {n} crystals"), {"who": seat}, n=held)
    at_start = state.crystals_at_round_start
    return update_queue(
        replace(
            state,
            crystals=replace_at(state.crystals, seat, held),
            crystals_at_round_start=replace_at(at_start, seat, at_start[seat] + change),
            round_scores=replace_at(state.round_scores, number, replace_at(state.round_scores[number], seat, points)),
        )
    )


def _leave_table(state: StateT, seat: Seat) -> StateT:
    """Somebody leaves the table. The turn they were in ends as if they had declined (M16, M30)."""
    if len(state.present_seats) <= MIN_PLAYERS:
        raise BadCorrection("M6", _("with fewer than two players there is no game: set it aside instead"))
    state = state.set_away(seat, True)
    if seat == state.active_seat and state.is_active_free and state.opened_windows:
        return stop_turn(state)
    if seat == state.active_seat and state.phase in (Phase.ROLL, Phase.OPEN):
        return start_next_turn(state)
    if seat == state.active_seat and state.phase is Phase.COVER and not state.guessers:
        # After a void round (M50) the windows are covered at the start of the next turn.
        return replace(start_next_turn(state), phase=Phase.COVER)
    return update_queue(state)


def _let_stand(state: StateT, value: tuple[int, ...]) -> StateT:
    """M11 was broken at the table and all agree to leave it so. The token counts as opened, like any other."""
    if not state.is_active_free:
        raise BadCorrection("M10", _("no token can be let stand now"))
    if state.opened_windows >= 2:
        raise BadCorrection("M13", _("a third token in one turn cannot stand; put it back"))
    if value not in ValueRange(1, 1, MAX_TOKEN_NUMBER):
        message = _("a token has a number from 1 to {high}, not {value}")
        raise BadCorrection("M1", message, high=MAX_TOKEN_NUMBER, value=value)
    (number,) = value
    if not state.tokens[number - 1]:
        raise BadCorrection("M1", _("there is no token {n} on the device"), n=number)
    if number in state.takeable_tokens:
        raise BadCorrection("M11", _("the dice allow a {n}; that is a move, not a correction"), n=number)
    return take_token(state, number)


def _replace_last_token(state: StateT, number: int) -> StateT:
    """The token taken last bore another number."""
    *earlier, last = state.taken_tokens
    tokens = replace_at(state.tokens, last - 1, state.tokens[last - 1] + 1)
    tokens = replace_at(tokens, number - 1, tokens[number - 1] - 1)
    if min(tokens) < 0:
        raise BadCorrection("M1", _("no token {n} was left to be taken"), n=number)
    if max(tokens) > state.settings.tokens_per_number:
        raise BadCorrection("M1", _("all tokens {n} are on the device already"), n=last)
    return replace(state, tokens=tokens, taken_tokens=(*earlier, number))


def _set_tokens(state: StateT, tokens: tuple[int, ...]) -> StateT:
    """Other tokens are on the device than were computed."""
    if not any(tokens):
        raise BadCorrection("M50", _("with no token left the round is void; take the last one as a move"))
    if sum(tokens) > state.settings.windows - state.opened_windows:
        message = _("{n} windows were opened in this turn, so at least as many are open")
        raise BadCorrection("M17", message, n=state.opened_windows)
    return replace(state, tokens=tokens)
