"""What can be pressed in a game of the score keeper. MINUS (pause, menu) and NO held (undo) are the referee's."""

from collections.abc import Sequence

from companion.api import ConsolePress, HoldSeatPress, Move, Offer, Seat, SeatPress, Visibility
from companion.games.score_keeper.rules import ScoreKeeper
from companion.games.score_keeper.state import MoveKind, Phase
from companion.i18n import Translator

_ = Translator("score_keeper")

BOT_WEIGHTS: dict[str, float] = {
    MoveKind.POINT: 0.5,
    MoveKind.ADD: 0.3,
    MoveKind.ROUND: 0.4,
    MoveKind.END: 0.05,
}
"""Relative weights in the bots' choice, where 1 is usual: a higher weight is played more often. Chosen by hand so
that an open game has a few dozen entries."""


def list_offers(game: ScoreKeeper, _names: Sequence[str], _visibility: Visibility) -> Sequence[Offer]:
    """Return all inputs that do something now, each with its move and its label: one offer for every legal move.

    Args:
        game: current game.
        _names: not used.
        _visibility: not used; no move comes from the camera.
    """
    return tuple(_make_offer(game, move) for move in game.list_moves())


def get_default_move(game: ScoreKeeper, seat: Seat) -> Move:
    """Return the move that the button of `seat` usually stands for: TAKE while nobody has the turn, else POINT.

    The move need not be legal now; its refusal then explains why the button has no use.
    """
    return Move(MoveKind.TAKE if game.phase is Phase.WAIT else MoveKind.POINT, seat)


def get_timed_clock(game: ScoreKeeper, move: Move) -> str:
    """Return the name of the clock whose time completes `move`; empty: it is not completed by a time."""
    return game.turn_clock_name if move.kind in (MoveKind.PASS, MoveKind.END) else ""


def get_bot_weight(_game: ScoreKeeper, offer: Offer) -> float:
    """Return the relative weight of `offer` in the bots' random choice: 1.0 is usual, 0.0 is never chosen."""
    return BOT_WEIGHTS.get(offer.action.kind, 1.0) if isinstance(offer.action, Move) else 1.0


def _make_offer(game: ScoreKeeper, move: Move) -> Offer:
    """Return the key that plays `move`."""
    match move.kind, move.seat:
        case MoveKind.POINT, int() as seat:
            return Offer(move, SeatPress(seat), "+1", repeats=True)
        case MoveKind.ADD, int() as seat:
            return Offer(move, HoldSeatPress(seat), _("More"))
        case MoveKind.TAKE, int() as seat:
            return Offer(move, SeatPress(seat), _("My turn"), awaited=True)
        case MoveKind.PASS, _seat:
            return Offer(move, ConsolePress.OK, _("Next turn"), awaited=True)
        case MoveKind.ROUND, _seat:
            return Offer(move, ConsolePress.OK, _("End round"))
        case MoveKind.END, _seat if game.settings.has_rounds:
            # OK has another use, so that it cannot be held: the companion asks.
            question = _("Does the game end here?")
            return Offer(move, ConsolePress.PLUS, _("End game"), confirm_question=question)
        case MoveKind.END, _seat:
            return Offer(move, ConsolePress.HOLD_OK, _("Hold: end"))
    raise AssertionError(f"{move} has no key")
