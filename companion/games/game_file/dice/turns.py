"""What follows in a game with dice when dice were thrown, and when a turn or a round ends.

How many dice are thrown next, also when all have scored (hot dice): `dice_to_throw` in `state.py`.
"""

from dataclasses import replace
from typing import TypeVar

from companion.api import Seat, replace_at
from companion.games.game_file.dice.scoring import Dice
from companion.games.game_file.dice.state import DiceGameState, EndedTurn, TurnEnd

StateT = TypeVar("StateT", bound=DiceGameState)


def throw(state: StateT, dice: Dice) -> StateT:
    """Return the state after the active player has thrown `dice` (G31), as many as are to be thrown."""
    is_scoring = state.rules.model.keep == "scoring"
    thrown = replace(
        state,
        turn_points=0 if state.rules.model.keep == "any" else state.current_points,
        throw_count=state.throw_count + 1,
        table=dice,
        aside=() if is_scoring else state.aside,
        locked=(*state.locked, *state.aside) if is_scoring and not state.is_hot else (),
        has_kept=False,
        before_throw=None,
    )
    return replace(settle_throw(thrown), before_throw=replace(state, before_throw=None))


def find_next_thrower(state: DiceGameState) -> Seat | None:
    """Return who throws next if the active player ends the turn now (G51).

    Returns:
        None: the turn cannot be ended so that it scores, or nobody else throws after it.
    """
    seat = state.active_seat
    if state.is_over or not state.throw_count or state.next_throw:
        return None
    if state.has_sheet:
        after = pass_turn(replace(state, has_acted=replace_at(state.has_acted, seat, True)), seat)
    elif any(state.get_move_kind("bank").list_legal(state)):
        after = bank(state)
    else:
        return None
    return None if after.is_over or after.active_seat == seat else after.active_seat


def find_claimant(state: DiceGameState) -> Seat | None:
    """Return whose throw the last one may have been, other than the player's as whose it was played (G51).

    Returns:
        None: it was that player's for certain.
    """
    before = state.before_throw
    if before is None or before.dice_to_throw != state.rules.model.count:
        return None
    return find_next_thrower(before)


def settle_throw(state: StateT) -> StateT:
    """Return the state after the rules have judged the dice of the last throw: the turn goes on, or it ends."""
    rules, model = state.rules, state.rules.model
    values = state.get_values(state.throw_points)
    if rules.holds("lose_all", values):
        return end_turn(state, TurnEnd.LOST_ALL, state.totals[state.active_seat])
    is_bust = rules.holds("bust", values)
    if model.keep == "scoring" and not state.legal_keeps:
        is_bust = True
    if is_bust:
        return end_turn(state, TurnEnd.BUST, state.turn_points if model.keep != "any" else 0)
    if state.has_sheet:
        return state
    if rules.holds("turn_ends", values) or (model.keep != "scoring" and not state.has_throws_left):
        return bank(state)
    return state


def bank(state: StateT) -> StateT:
    """Return the state after the turn was ended so that its points count (G36)."""
    points = state.bank_points
    return end_turn(state, TurnEnd.SCORED, points if points >= state.least_bank else 0)


def end_turn(state: StateT, end: TurnEnd, points: int, box: int | None = None) -> StateT:
    """Return the state after the turn of the active player, with its points counted or lost (G34, G36).

    Args:
        state: the state before; a box is filled already.
        end: how the turn ended.
        points: points that were scored or lost.
        box: index of the box that was filled, from 0; None: none.
    """
    seat, rules = state.active_seat, state.rules
    gained = points if end is TurnEnd.SCORED else 0
    values = {**state.get_values(state.throw_points), "points": gained, "bust": int(end is not TurnEnd.SCORED)}
    if rules.model.score and end is not TurnEnd.LOST_ALL:
        gained = rules.compute_turn_score(values)
    lost_or_gained = gained if end is TurnEnd.SCORED else points - gained
    ended = EndedTurn(seat, end, state.all_dice, lost_or_gained, box)
    if rules.model.kept:
        before = state if box is None else replace(state, boxes=_open_box(state.boxes, seat, box))
        memory = rules.compute_memory({**values, **before.box_values, "points": gained})
        state = replace(state, memory=replace_at(state.memory, seat, memory))
    if gained and not state.has_sheet:
        round_points = state.round_points[seat] + gained
        state = replace(state, round_points=replace_at(state.round_points, seat, round_points))
        if rules.model.rounds.score == "points":
            state = replace(state, points=replace_at(state.points, seat, state.points[seat] + gained))
    elif end is TurnEnd.LOST_ALL and not state.has_sheet:
        state = replace(
            state,
            points=replace_at(state.points, seat, 0),
            round_points=replace_at(state.round_points, seat, 0),
        )
    state = replace(_clear_table(state), ended_turn=ended, has_acted=replace_at(state.has_acted, seat, True))
    return pass_turn(_check_target(state, seat), seat)


def _open_box(boxes: tuple[tuple[int | None, ...], ...], seat: Seat, box: int) -> tuple[tuple[int | None, ...], ...]:
    return replace_at(boxes, seat, replace_at(boxes[seat], box, None))


def _clear_table(state: StateT) -> StateT:
    state = replace(state, throw_count=0, table=(), aside=(), locked=(), has_kept=False, turn_points=0)
    return replace(state, before_throw=None)


def _check_target(state: StateT, seat: Seat) -> StateT:
    """G48: what follows when somebody has reached the target."""
    model = state.rules.model
    if not model.target or max(state.totals) < model.target or state.is_last_round:
        return state
    if model.last_round == "none":
        return replace(state, is_over=True)
    if model.last_round == "others":
        acted = replace_at((False,) * state.player_count, seat, True)
        return replace(state, is_last_round=True, has_acted=acted)
    return state


def pass_turn(state: StateT, seat: Seat) -> StateT:
    """Return the state after the turn of `seat`: the next player has it, in a new round if all have had theirs (G46).

    The game is over if that was the last turn (G45 to G48). What the next player has thrown already counts (G51).
    """
    if state.is_over:
        return state
    if not state.seats_to_act:
        state = _finish_go_round(state)
        if state.is_over or not state.seats_to_act:
            return replace(state, is_over=True)
    waiting = state.seats_to_act
    after = begin_turn(state, next(q for q in (*state.list_others(seat), seat) if q in waiting))
    return throw(after, state.next_throw) if state.next_throw else after


def begin_turn(state: StateT, seat: Seat) -> StateT:
    """Return the state in which `seat` has a new turn, with nothing thrown."""
    return replace(_clear_table(state), active_seat=seat, turn_number=state.turn_number + 1, next_throw=())


def _finish_go_round(state: StateT) -> StateT:
    """Return the state after a turn of each player: the next turns of the round, a new round, or the end."""
    model = state.rules.model
    if state.is_last_round or (model.target and max(state.totals) >= model.target):
        return replace(state, is_over=True)
    state = replace(state, has_acted=(False,) * state.player_count)
    if model.rounds.points and max(state.round_points) < model.rounds.points:
        return state
    if model.rounds.score == "win":
        best = min(state.round_points) if model.lowest_wins else max(state.round_points)
        won = [points == best for points in state.round_points]
        state = replace(state, points=tuple(p + w for p, w in zip(state.points, won, strict=True)))
        if model.target and max(state.totals) >= model.target:
            return replace(state, is_over=True)
    if model.rounds.count and state.round_number >= model.rounds.count:
        return replace(state, is_over=True)
    return replace(state, round_number=state.round_number + 1, round_points=(0,) * state.player_count)
