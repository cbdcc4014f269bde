"""Why an entry is refused: the rule (`docs/rules/score_keeper.md`), the reason, the players concerned.

Messages about what only a program could try are in English: they are never shown at a table.
"""

from companion.api import IllegalMove, Move, first_reason
from companion.games.score_keeper.state import MAX_TOTAL, MoveKind, Phase, ScoreKeeperState
from companion.i18n import Translator

_ = Translator("score_keeper")

_SEAT_MOVES = frozenset({MoveKind.POINT, MoveKind.ADD, MoveKind.TAKE, MoveKind.PASS})


def explain_refusal(state: ScoreKeeperState, move: Move) -> IllegalMove:
    """Return (not raise) the error that explains why `move` is not legal in `state`.

    `move` must not be legal: of a legal one the reason would be wrong. The error holds the number of the rule that
    forbids it, the translated reason and the seats concerned.
    """
    kind, seat = move.kind, move.seat
    if kind not in list(MoveKind):
        return IllegalMove("K2", f"'{kind}' is not a move of this game")
    if state.phase is Phase.OVER:
        return IllegalMove("K10", _("the game is over"))
    if kind not in _SEAT_MOVES:
        is_unknown = seat is not None or kind == MoveKind.END
        return first_reason(
            (is_unknown, IllegalMove("K10", f"'{kind}' belongs to the whole table, with the time of a turn in play")),
            (True, IllegalMove("K7", _("no round can be ended now"))),
        )
    if seat is None or not 0 <= seat < state.player_count:
        return IllegalMove("K1", f"'{kind}' needs one of the {state.player_count} seats, not {seat}")
    who = {"who": seat}
    is_waiting, is_point = state.phase is Phase.WAIT, kind in (MoveKind.POINT, MoveKind.ADD)
    return first_reason(
        (state.away[seat], IllegalMove("K17", _("{who} is away"), who)),
        (is_point and is_waiting, IllegalMove("K5", _("first somebody takes the turn"))),
        (is_point, IllegalMove("K3", _("a score stays between -{n} and {n}"), n=MAX_TOTAL)),
        (
            kind == MoveKind.TAKE and is_waiting,
            IllegalMove("K6", _("{who} has had a turn in this round"), who),
        ),
        (kind == MoveKind.TAKE, IllegalMove("K5", _("the turn is taken"))),
        (True, IllegalMove("K5", _("{who} does not have the turn"), who)),
    )
