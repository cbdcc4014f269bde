"""Corrections of a Memo Dice game (D40): what people may correct, since the table is right, and what follows."""

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
from companion.events import MemoColour
from companion.games.memo_dice import colour_texts
from companion.games.memo_dice.state import SYMBOL_COLOURS, CorrectionKind, MemoDiceState, Phase
from companion.games.memo_dice.transitions import StateT, replace_cup, set_round_starter
from companion.i18n import Translator

_ = Translator("memo_dice")

MAX_SQUARE = 199
"""Highest square that may be entered; squares beyond the target are counted on the screen."""
MIN_PLAYERS = 2
"""D2: with fewer players at the table there is no game."""


def list_correctables(state: MemoDiceState) -> Iterator[Correctable]:
    """Yield everything that may be corrected in `state`, with its present value and the values that may be entered.

    The order is that of the menu: recent entries first, then totals, then what is rarely corrected.
    """
    row = list(enumerate(state.cup_row, start=1))
    down = [(i, cup) for i, cup in row if cup.owner is None]
    coloured = [i for i, cup in down if cup.colour is not MemoColour.GOLD]
    any_seat, any_colour = ValueRange(1, 0, state.player_count - 1), ValueRange(1, 1, len(SYMBOL_COLOURS))
    if state.open_colour is not None and state.open_colour is not MemoColour.GOLD:
        yield Correctable(CorrectionKind.OPEN, None, (int(state.open_colour),), any_colour)
    if state.phase is not Phase.OVER:
        yield Correctable(CommonCorrection.ACTIVE, None, (state.active_seat,), any_seat)
    for i in reversed(coloured):
        yield Correctable(CorrectionKind.CUP, None, (int(state.cup_row[i - 1].colour),), any_colour, (i,))
    if len(coloured) > 1:
        no_pair = coloured[0] - 1  # a value entered unchanged changes nothing, so it must not be the first pair
        yield Correctable(CorrectionKind.SWAP, None, (no_pair,), ValueRange(1, no_pair, coloured[-2]))
    for i, cup in reversed(row):
        if cup.owner is not None:
            yield Correctable(CorrectionKind.OWNER, None, (cup.owner,), any_seat, (i,))
    yield from list_by_seat(CorrectionKind.SQUARE, state.totals, 0, MAX_SQUARE)
    for i, cup in reversed(down):
        yield Correctable(CorrectionKind.UNKNOWN, None, (int(cup.is_die_unknown),), ValueRange(1, 0, 1), (i,))
    all_cups = state.settings.dice * state.settings.cup_value + state.settings.gold_value  # D30: more than possible
    for number, scores in reversed(list(enumerate(state.round_scores, start=1))):
        yield from list_by_seat(CommonCorrection.ROUND, scores, 0, all_cups, (number,))
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
    i = correction.index[0] - 1 if correction.index else 0
    match correction.kind, correction.seat:
        case CorrectionKind.SQUARE, int() as seat:
            squares = state.square_adjustments[seat] + value - state.totals[seat]
            return replace(state, square_adjustments=replace_at(state.square_adjustments, seat, squares))
        case CommonCorrection.ROUND, int() as seat:
            scores = replace_at(state.round_scores[i], seat, value)
            return _check_squares(replace(state, round_scores=replace_at(state.round_scores, i, scores)))
        case CommonCorrection.AWAY, int() as seat:
            return _set_away(state, seat, bool(value))
        case CorrectionKind.OPEN, _:
            return _set_open_colour(state, MemoColour(value))
        case CorrectionKind.CUP, _:
            return _set_cup_colour(state, i, MemoColour(value))
        case CorrectionKind.SWAP, _:
            entry = state.find_correctable(correction)
            return state if entry and correction.value == entry.current_value else _swap_cups(state, value - 1)
        case CorrectionKind.OWNER, _:
            return _hand_over(state, i, Seat(value))
        case CorrectionKind.UNKNOWN, _:
            return replace_cup(state, i, replace(state.cup_row[i], is_die_unknown=bool(value)))
        case _:
            if state.away[value]:
                raise BadCorrection("D2", _("{who} is not at the table"), {"who": Seat(value)})
            return replace(state, active_seat=Seat(value), symbol_named=False)


def _set_open_colour(state: StateT, colour: MemoColour) -> StateT:
    """The die that lies open bears another colour."""
    if not state.free_cups[colour]:
        raise BadCorrection("D14", _(colour_texts.TAKE_ROLL_BACK[colour]))
    return replace(state, open_colour=colour)


def _set_cup_colour(state: StateT, i: int, colour: MemoColour) -> StateT:
    """A cup of another colour was used. Whether the golden cup came rightly is not asked: it stands on the table."""
    state = replace_cup(state, i, replace(state.cup_row[i], colour=colour))
    cups = state.settings.cups_per_colour
    if [*(cup.colour for cup in state.cup_row), state.open_colour].count(colour) > cups:
        raise BadCorrection("D1", _(colour_texts.TOO_MANY_CUPS[colour], n=cups))
    return state


def _swap_cups(state: StateT, i: int) -> StateT:
    """Two neighbours in the row stand the other way round, each over its own die."""
    # If two cups are lifted out of their order, the camera has seen neither.
    row = state.cup_row
    return replace(state, cup_row=(*row[:i], row[i + 1], row[i], *row[i + 2 :]), cup_lifted=False)


def _hand_over(state: StateT, i: int, seat: Seat) -> StateT:
    """A cup is handed over. After the scoring its points go with it, and the golden cup's holder starts (D33)."""
    cup = state.cup_row[i]
    assert cup.owner is not None, "a cup that was won"
    state = replace_cup(state, i, replace(cup, owner=seat))
    if state.stage is not Phase.SCORED:
        return state
    points = state.get_cup_points(cup.colour)
    *earlier, scores = state.round_scores
    scores = replace_at(scores, cup.owner, scores[cup.owner] - points)
    scores = replace_at(scores, seat, scores[seat] + points)
    if min(scores) < 0:
        message = _("{who} has no {n} points in this round to hand over")
        raise BadCorrection("D30", message, {"who": cup.owner}, n=points)
    state = _check_squares(replace(state, round_scores=(*earlier, scores)))
    return set_round_starter(state) if cup.colour is MemoColour.GOLD else state


def _set_away(state: StateT, seat: Seat, is_away: bool) -> StateT:
    """Who has left is skipped; who comes back is asked again in that place from now on."""
    min_players = max(MIN_PLAYERS, state.settings.players_min)
    if is_away and not state.away[seat] and len(state.present_seats) <= min_players:
        message = _("fewer than {n} players would stay; set the game aside instead")
        raise BadCorrection("D2", message, n=min_players)
    state = state.set_away(seat, is_away)
    if is_away and state.active_seat == seat:
        return replace(state, active_seat=state.find_next_seat(seat), symbol_named=False)
    if not is_away and state.stage is Phase.SCORED and state.gold_holder == seat:
        return replace(state, active_seat=seat)
    return state


def _check_squares(state: StateT) -> StateT:
    if min(state.totals) < 0:
        raise BadCorrection("D31", _("a piece would stand before the board"))
    return state
