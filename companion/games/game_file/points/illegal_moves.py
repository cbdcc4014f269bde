"""Why an entry is refused: the rule (`docs/rules/game_files.md`), the reason, the players concerned.

Messages about what only a program could try are in English: they are never shown at a table.
"""

from collections.abc import Mapping

from companion.api import IllegalMove, Move, first_reason
from companion.games.game_file.points.state import MoveKind, PointsGameState
from companion.i18n import Translator

_ = Translator("game_file")


def explain_refusal(state: PointsGameState, move: Move) -> IllegalMove:
    """Return (not raise) the error that explains why `move` is not legal in `state`; it must not be legal."""
    kind, seat = move.kind, move.seat
    if kind not in list(MoveKind):
        return IllegalMove("G61", f"'{kind}' is not a move of this game")
    if state.is_over:
        return IllegalMove("G68", _("the game is over"))
    if kind == MoveKind.END or seat is None or not 0 <= seat < state.player_count:
        return IllegalMove("G61", f"'{kind}' cannot be made by seat {seat}")
    if kind == MoveKind.AGAIN:
        return IllegalMove("G61", f"seat {seat} has nothing to enter again")
    who, entry = {"who": seat}, state.find_next_entry(seat)
    mistake = "" if state.seats_to_enter else _find_mistake(state)
    if entry is None or move.value_range is not None or len(move.value) != 1:
        return first_reason(
            (state.away[seat], IllegalMove("G60", _("{who} is away"), who)),
            (state.has_turns, IllegalMove("G60", _("it is not {who}'s turn"), who)),
            (bool(mistake), IllegalMove("G64", mistake)),
            (True, IllegalMove("G61", _("{who} has entered everything"), who)),
        )
    model, number = state.rules.model.entries[entry], move.value[0]
    if model.low <= number <= model.high and number not in model.impossible:
        return IllegalMove("G64", _find_mistake(state, {seat: (*state.rules.pad(state.entered[seat], entry), number)}))
    if model.low <= move.value[0] <= model.high:
        return IllegalMove("G61", _("{name}: {n} cannot be"), name=state.rules.translate(model.name), n=move.value[0])
    return IllegalMove(
        "G61",
        _("{name}: from {low} to {high}"),
        name=state.rules.translate(model.name),
        low=model.low,
        high=model.high,
    )


def _find_mistake(state: PointsGameState, tried: Mapping[int, tuple[int, ...]] | None = None) -> str:
    entered = {q: state.entered[q] for q in state.present_seats} | dict(tried or {})
    everybody = [state.rules.pad(own) for own in entered.values()]
    return "" if state.has_turns else state.rules.find_mistake(everybody, state.round_number)
