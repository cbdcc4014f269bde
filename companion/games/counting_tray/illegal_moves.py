"""Why a move is refused: the rule (`docs/rules/counting_tray.md`), the reason, the players concerned."""

from companion.api import IllegalMove, Move, first_reason
from companion.games.counting_tray.state import CountingTrayState, MoveKind, Phase
from companion.i18n import Translator

_ = Translator("counting_tray")


def explain_refusal(state: CountingTrayState, move: Move) -> IllegalMove:
    """Return (not raise) the error that explains why `move` is not legal in `state`.

    `move` must not be legal: of a legal one the reason would be wrong.
    """
    kind = move.kind
    if kind not in list(MoveKind):
        return IllegalMove("T1", f"'{kind}' is not a move of this game")
    who = {"who": state.active_seat}
    return first_reason(
        (state.phase is Phase.OVER, IllegalMove("T9", _("the game is over"))),
        (
            kind == MoveKind.THRESHOLD and move.value == (state.threshold,),
            IllegalMove("T3", _("{n} and more count already"), n=state.threshold),
        ),
        (kind == MoveKind.AGAIN and not any(state.faces), IllegalMove("T5", _("no dice lie in the tray"))),
        (kind == MoveKind.AGAIN and not any(state.failed), IllegalMove("T5", _("no die has failed"))),
        (
            kind == MoveKind.NEXT and len(state.present_seats) == 1,
            IllegalMove("T6", _("nobody else throws")),
        ),
        (kind == MoveKind.END and move.seat is None, IllegalMove("T9", _("first end the throw with OK"))),
        (move.seat != state.active_seat and move.seat is not None, IllegalMove("T1", _("{who} throws now"), who)),
        (True, IllegalMove("T2", f"{move} is no move of {state.phase}")),
    )
