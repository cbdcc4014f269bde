"""What follows in a game of entered points from the numbers: the end of a turn, of a round, of the game.

Scores of the numbers, and lost turns: `formulas.py`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from companion.api import Seat, replace_at
from companion.games.game_file.points.formulas import Entered, Memory, RoundInfo, Side
from companion.games.game_file.points.state import PlayedRound, PointsGameState
from companion.games.game_file.points_model import FlagModel

StateT = TypeVar("StateT", bound=PointsGameState)
BeforeTurn = tuple[tuple[Memory, ...], tuple[int, ...]]
"""What the players kept before a turn, and their scores, both by seat."""
MAX_EMPTY_ROUNDS = 20
"""G62: rounds one after the other without a number to enter after which the game ends, since it may go on for ever."""


def begin_round(state: StateT, first_seat: Seat) -> StateT:
    """Return the state with a new round in which nothing has been entered yet."""
    nothing: tuple[Entered, ...] = ((),) * state.player_count
    current = PlayedRound(nothing, (0,) * state.player_count, state.memory)
    acted = (False,) * state.player_count
    return replace(state, current=current, entered=nothing, has_acted=acted, active_seat=first_seat)


def settle(state: StateT) -> StateT:
    """Return the state after what follows from the numbers: the end of a turn, of a round, of the game."""
    first_empty, empty_count, after = None, 0, state
    # G64: with a broken check it waits until somebody enters again.
    while not (after.seats_to_enter or after.is_over or (any(after.entered) and after.find_broken_check())):
        if _is_untouched(after):
            first_empty, empty_count = first_empty or after, empty_count + 1
            if empty_count == MAX_EMPTY_ROUNDS:
                break
        after = _end_step(after)
    if first_empty is None or after.seats_to_enter:
        return after
    everybody = (False,) * state.player_count
    if first_empty.away != everybody and not settle(replace(first_empty, away=everybody)).is_over:
        return first_empty  # G62: whoever is away may come back and enter something
    return after if after.is_over else replace(first_empty, is_over=True)


def _is_untouched(state: PointsGameState) -> bool:
    """Return whether in the round in play nobody has entered anything or had a turn."""
    return not (any(state.entered) or any(state.has_acted) or any(state.current.numbers))


def _end_step(state: StateT) -> StateT:
    """Return the state after the end of the round, or of the turn of a player who may be out or away."""
    if not state.has_turns:
        return end_round(state)
    seat = state.active_seat
    return pass_turn(state, seat) if state.away[seat] or state.is_out(seat) else _end_turn(state)


def end_round(state: StateT) -> StateT:
    """Return the state after a round whose numbers have been entered together."""
    playing = state.playing_seats
    numbers = tuple(state.rules.pad(own) if q in playing else () for q, own in enumerate(state.entered))
    current = replace(state.current, numbers=numbers)
    before = [played.list_gains() for played in state.finished]
    points, memory = _score_round(state, current, state.memory, before, state.round_number)
    return _end_round(replace(state, current=replace(current, points=points), memory=memory))


def correct_numbers(state: StateT, place: int, numbers: tuple[Entered, ...]) -> StateT:
    """Return the state with other numbers in an earlier round or turn; all that follows from them changes (G71).

    Args:
        place: index of the round, from 0; the number of finished rounds for the turns of the round in play.
        numbers: by seat.
    """
    rounds = [*state.finished, state.current]
    last = {seat: i for i, (seat, _own) in enumerate(rounds[place].turns)}
    changed = tuple(
        (seat, numbers[seat] if last[seat] == i else own) for i, (seat, own) in enumerate(rounds[place].turns)
    )
    rounds[place] = replace(rounds[place], numbers=numbers, turns=changed)
    after = rounds[place].memory
    for i in range(place, len(rounds)):
        before = [played.list_gains() for played in rounds[:i]]
        memory = _apply_changes(state, rounds[i], after, 0)
        points, after = _score_round(state, rounds[i], memory, before, i + 1)
        rounds[i] = replace(rounds[i], points=points, memory=memory)
        if i < len(rounds) - 1:
            after = pass_flags(state, rounds[i], after, state.list_totals(before, memory, i + 1), i + 1)
    return replace(state, finished=tuple(rounds[:-1]), current=rounds[-1], memory=after)


def _apply_changes(
    state: PointsGameState, played: PlayedRound, memory: tuple[Memory, ...], turns_over: int
) -> tuple[Memory, ...]:
    """Return what is kept with what people have corrected after a number of turns of a round (G72)."""
    for change in played.changes:
        if change.turns_over == turns_over:
            memory = set_memory(state, memory, change.seat, change.index, change.value)
    return memory


def set_memory(
    state: PointsGameState, memory: tuple[Memory, ...], seat: Seat, index: int, value: int
) -> tuple[Memory, ...]:
    """Return what the players keep with another value of one of them; a flag is taken from the others (G73).

    Args:
        index: its place in `Memory`.
        value: the number; of a flag 1, or 0 so that nobody has it.
    """
    team, is_flag = state.list_team(seat), index >= len(state.rules.model.kept)
    return tuple(
        replace_at(own, index, value) if q in team else replace_at(own, index, 0) if is_flag else own
        for q, own in enumerate(memory)
    )


def _score_round(
    state: PointsGameState,
    played: PlayedRound,
    memory: tuple[Memory, ...],
    before: Sequence[tuple[int, ...]],
    round_number: int,
    before_turns: dict[Seat, BeforeTurn] | None = None,
) -> tuple[tuple[int, ...], tuple[Memory, ...]]:
    """Return the points of a round by seat, and what is kept after it; who has entered nothing has none (G60).

    Args:
        played: the round; its points are not used.
        memory: what is kept before it, by seat.
        before: by round and seat, the points of the rounds before it with what people have added.
        before_turns: filled with what was there before the turn of each player who has entered something.
    """
    entered = {Seat(q): own for q, own in enumerate(played.numbers) if own}
    played = replace(played, points=(0,) * state.player_count)
    seen = {} if before_turns is None else before_turns
    if not state.has_turns:
        totals = state.list_totals([*before, played.list_gains(0)], memory, round_number)
        seen.update(dict.fromkeys(entered, (memory, totals)))
        points, memory, _is_bust = score_numbers(state, entered, memory, totals, round_number)
        return points, memory
    for turns_over, (seat, numbers) in enumerate(played.turns):
        # A turn may take a flag from others, which changes their scores (G76).
        totals = state.list_totals([*before, played.list_gains(turns_over)], memory, round_number)
        seen[seat] = memory, totals
        own, memory, _is_bust = score_numbers(state, {seat: numbers}, memory, totals, round_number)
        played = replace(played, points=replace_at(played.points, seat, played.points[seat] + own[seat]))
        memory = _apply_changes(state, played, memory, turns_over + 1)
    return played.points, memory


def list_before_turns(state: PointsGameState, place: int) -> Mapping[Seat, BeforeTurn]:
    """Return what was there before the numbers of each player in an earlier round, or turn.

    Args:
        place: as in `correct_numbers`.
    """
    rounds, found = [*state.finished, state.current], dict[Seat, BeforeTurn]()
    before = [played.list_gains() for played in rounds[:place]]
    _score_round(state, rounds[place], rounds[place].memory, before, place + 1, found)
    return found


def score_numbers(
    state: PointsGameState,
    entered: Mapping[Seat, Entered],
    memory: tuple[Memory, ...],
    totals: Sequence[int],
    round_number: int,
) -> tuple[tuple[int, ...], tuple[Memory, ...], bool]:
    """Return the points of a round or turn by seat, what is kept after it, and whether the turn is lost (G65).

    Args:
        entered: the numbers, one for each entry, of those who have entered them.
        memory: what is kept before, by seat.
        totals: the scores before, by seat.
    """
    rules, teams = state.rules, state.teams
    sides = state.make_sides(entered, memory, totals)
    info = RoundInfo(round_number, len(state.present_seats) if state.has_turns else len(entered))
    points, after, is_bust = [0] * state.player_count, [*memory], False
    for i, team in enumerate(teams):
        if not sides[i].numbers:
            continue
        points[team[0]], is_bust = rules.compute_points(sides, i, info)
        kept = rules.compute_memory(sides, i, info, points[team[0]])
        for q in team:
            after[q] = kept
    for index, flag in enumerate(rules.model.flags, len(rules.model.kept)):
        taker = next((team[0] for i, team in enumerate(teams) if _takes(state, flag, sides, i, info, points)), None)
        if taker is not None:
            after = [*set_memory(state, tuple(after), taker, index, 1)]
    return tuple(points), tuple(after), is_bust


def _takes(
    state: PointsGameState, flag: FlagModel, sides: Sequence[Side], i: int, info: RoundInfo, points: Sequence[int]
) -> bool:
    own = points[state.teams[i][0]]
    return bool(sides[i].numbers) and state.rules.moves_flag("takes", flag, sides, i, info, own)


def pass_flags(
    state: PointsGameState,
    played: PlayedRound,
    memory: tuple[Memory, ...],
    totals: Sequence[int],
    round_number: int,
) -> tuple[Memory, ...]:
    """Return what is kept after a round, with the flags passed on that their owners pass on (G73).

    Args:
        played: the round, with its points.
        memory: what is kept after the last turn of it, by seat.
        totals: the scores before it, by seat.
    """
    rules, info = state.rules, RoundInfo(round_number, len(state.present_seats))
    numbers = {Seat(q): own for q, own in enumerate(played.numbers) if own}
    for index, flag in enumerate(rules.model.flags, len(rules.model.kept)):
        owner = next((Seat(q) for q in range(state.player_count) if played.memory[q][index]), None)
        if owner is None or not memory[owner][index]:
            continue  # somebody has taken it in this round
        sides = state.make_sides(numbers, memory, totals)
        mine = owner % len(state.teams)
        if rules.moves_flag("passes", flag, sides, mine, info, played.points[state.teams[mine][0]]):
            # Of those who were there in this round: others may be there now, when it is corrected.
            following = next((q for q in state.list_others(owner) if played.numbers[q]), owner)
            memory = set_memory(state, memory, following, index, 1)
    return memory


def _pass_flags_on(state: StateT) -> StateT:
    """Return the state at the end of the round in play with the flags passed on (G73)."""
    # A restart leaves players without a turn (G78), to whom a flag is passed all the same.
    waiting = [q for q in state.playing_seats if state.has_turns and not state.has_acted[q]]
    nothing = state.rules.pad(())
    numbers = tuple(own or (nothing if q in waiting else ()) for q, own in enumerate(state.current.numbers))
    before = [played.list_gains() for played in state.finished]
    totals = state.list_totals(before, state.current.memory, state.round_number)
    played = replace(state.current, numbers=numbers)
    return replace(state, memory=pass_flags(state, played, state.memory, totals, state.round_number))


def pass_turn(state: StateT, seat: Seat) -> StateT:
    """Return the state after the turn of `seat`: the next player at the table has it, or the round ends (G60)."""
    state = replace(state, has_acted=replace_at(state.has_acted, seat, True))
    waiting = [q for q in state.list_others(seat) if q in state.playing_seats and not state.has_acted[q]]
    return replace(state, active_seat=waiting[0]) if waiting else _end_round(state)


def _end_turn(state: StateT) -> StateT:
    seat = state.active_seat
    own = state.rules.pad(state.entered[seat])
    points, memory, is_bust = score_numbers(state, {seat: own}, state.memory, state.totals, state.round_number)
    current = replace(
        state.current,
        numbers=replace_at(state.current.numbers, seat, own),
        points=replace_at(state.current.points, seat, state.current.points[seat] + points[seat]),
        turns=(*state.current.turns, (seat, own)),
    )
    entered = replace_at(state.entered, seat, ())
    state = replace(state, current=current, memory=memory, entered=entered, is_bust=is_bust)
    if state.rules.model.end_at == "once" and _is_end(state):
        return replace(state, is_over=True)
    if state.rules.model.end_at == "once" and _holds(state, "restart"):
        return _restart(_pass_flags_on(state))
    return pass_turn(state, seat)


def _is_end(state: PointsGameState) -> bool:
    """Return whether somebody ends the game with the numbers of this round (G67), or nobody is left (G77)."""
    # Who is away may come back, and is left as well.
    left = sum(not state.is_out(Seat(q)) for q in range(state.player_count))
    return (bool(state.rules.model.out) and left <= min(1, state.player_count - 1)) or _holds(state, "end")


def _holds(state: PointsGameState, condition: str) -> bool:
    nothing = state.rules.pad(())
    numbers = {Seat(q): own or nothing for q, own in enumerate(state.current.numbers)}
    info = RoundInfo(state.round_number, state.player_count)
    return state.rules.is_end(state.list_sides(numbers), info, condition)


def _restart(state: StateT) -> StateT:
    """Return the state with everybody at the start again (G78); who sits behind the one that began begins now."""
    model = state.rules.model
    # A flag that somebody has from the start, such as the dealer's, stays where it is.
    is_lasting = [*(kept.lasting for kept in model.kept), *(flag.start == "first" for flag in model.flags)]
    starts = [*(kept.start for kept in model.kept), *(0 for _flag in model.flags)]
    memory = tuple(
        tuple(number if lasts else start for number, lasts, start in zip(own, is_lasting, starts, strict=True))
        for own in state.memory
    )
    nobody = (0,) * state.player_count
    state = replace(state, memory=memory, finished=(), adjustments=nobody, round_number=1)
    following = next((q for q in state.list_others(state.first_seat) if q in state.present_seats), state.first_seat)
    state = replace(state, first_seat=following, restart_count=state.restart_count + 1)
    return begin_round(state, _find_first_seat(state))


def _end_round(state: StateT) -> StateT:
    model = state.rules.model
    is_last = state.round_number == model.rounds or _is_end(state)
    restarts = _holds(state, "restart")
    if model.ties == "play_on" and len({state.list_team(q) for q in state.leaders}) > 1:
        # G69: also after the last round; then each further round may be the last.
        is_last = False
    elif model.rounds and state.round_number > model.rounds:
        is_last = True
    state = _pass_flags_on(state)
    state = replace(state, finished=(*state.finished, state.current), is_over=is_last)
    if restarts and not is_last:
        return _restart(state)
    state = begin_round(state, _find_first_seat(state))
    return state if is_last else replace(state, round_number=state.round_number + 1)


def _find_first_seat(state: PointsGameState) -> Seat:
    """Return who begins the next round: whoever has the flag that the file names (G73), else who began the first."""
    first = state.first_seat
    if state.rules.model.begins:
        index = [each.id for each in state.rules.remembered].index(state.rules.model.begins)
        first = next((Seat(q) for q, own in enumerate(state.memory) if own[index]), first)
    playing = state.playing_seats
    return next((q for q in (first, *state.list_others(first)) if q in playing), first)
