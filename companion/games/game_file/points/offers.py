"""What can be pressed in a game of entered points. MINUS (pause, menu) and NO held (undo) are the referee's."""

from collections.abc import Sequence

from companion.api import ConsolePress, Move, Offer, Seat, SeatPress, Visibility
from companion.games.game_file.points.rules import PointsGame
from companion.games.game_file.points.state import MoveKind
from companion.i18n import Translator

_ = Translator("game_file")

BOT_WEIGHTS: dict[str, float] = {MoveKind.END: 0.002, MoveKind.AGAIN: 0.05}
"""Relative weights in the bots' choice, where 1 is usual: few games are ended early, few numbers entered again."""


def list_offers(game: PointsGame, _names: Sequence[str], _visibility: Visibility) -> Sequence[Offer]:
    """Return all inputs that do something now: each player's own button enters that player's next number.

    Args:
        game: current game.
        _names: not used.
        _visibility: not used; no move comes from the camera.
    """
    return tuple(_make_offer(game, move) for move in game.list_moves())


def _make_offer(game: PointsGame, move: Move) -> Offer:
    entry = game.find_next_entry(game.active_seat)
    asks = entry is not None and game.is_question(entry)
    if move.kind == MoveKind.AGAIN and move.seat is not None:
        return Offer(move, SeatPress(move.seat), _("Again"), awaited=not game.seats_to_enter)
    if move.seat is not None and asks:
        key, label = (ConsolePress.OK, _("Yes")) if move.value[0] else (ConsolePress.NO, _("No"))
        return Offer(move, key, label, awaited=True)
    if asks:
        # OK has another use, so that it cannot be held: the companion asks.
        return Offer(move, ConsolePress.PLUS, _("End game"), confirm_question=_("Does the game end here?"))
    if move.seat is not None:
        label = _("Enter {n}", n=move.value[0]) if move.value else _("Enter")
        return Offer(move, SeatPress(move.seat), label, awaited=True)
    return Offer(move, ConsolePress.HOLD_OK, _("Hold: end"))


def get_default_move(game: PointsGame, seat: Seat) -> Move:
    """Return the move that the button of `seat` usually stands for; its refusal explains why it has no use now."""
    return Move(MoveKind.ENTER, seat, (0,))


def get_bot_weight(_game: PointsGame, offer: Offer) -> float:
    """Return the relative weight of `offer` in the bots' random choice: 1.0 is usual."""
    return BOT_WEIGHTS.get(offer.action.kind, 1.0) if isinstance(offer.action, Move) else 1.0
