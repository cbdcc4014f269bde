"""What can be pressed in a game of entered points. MINUS (pause, menu) and NO held (undo) are the referee's."""

from collections.abc import Sequence

from companion.games.api.game import Move, Seat
from companion.games.api.offers import ConsolePress, Offer, SeatPress, Visibility
from companion.games.game_file.points.rules import PointsGame
from companion.games.game_file.points.state import MoveKind
from companion.i18n import Translator

_ = Translator("game_file")

END_WEIGHT = 0.002
"""Weight of ending a game early in the bots' choice, where 1 is usual."""


def list_offers(game: PointsGame, _names: Sequence[str], _visibility: Visibility) -> Sequence[Offer]:
    """Return all inputs that do something now: each player's own button enters that player's next number.

    Args:
        game: current game.
        _names: not used.
        _visibility: not used; no move comes from the camera.
    """
    return tuple(_make_offer(move) for move in game.list_moves())


def _make_offer(move: Move) -> Offer:
    if move.seat is not None:
        label = _("Enter {n}", n=move.value[0]) if move.value else _("Enter")
        return Offer(move, SeatPress(move.seat), label, awaited=True)
    return Offer(move, ConsolePress.HOLD_OK, _("Hold: end"))


def get_default_move(game: PointsGame, seat: Seat) -> Move:
    """Return the move that the button of `seat` usually stands for; its refusal explains why it has no use now."""
    return Move(MoveKind.ENTER, seat, (0,))


def get_bot_weight(_game: PointsGame, offer: Offer) -> float:
    """Return the relative weight of `offer` in the bots' random choice: 1.0 is usual."""
    return END_WEIGHT if isinstance(offer.action, Move) and offer.action.kind == MoveKind.END else 1.0
