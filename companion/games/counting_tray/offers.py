"""What can be pressed at the counting tray. MINUS (pause, menu) and NO held (undo) are the referee's.

The number keys choose from which value dice count, PLUS enters dice that the camera does not read, OK hands the tray to
the next player. NO enters a new throw while dice have failed, and ends the game between two throws.
"""

from collections.abc import Iterator, Sequence
from enum import StrEnum

from companion.api import ConsolePress, Move, NumberPress, Offer, Seat, TableAction, Visibility
from companion.games.counting_tray.rules import CountingTray
from companion.games.counting_tray.state import FACES, MoveKind, Phase
from companion.i18n import Translator

_ = Translator("counting_tray")


class ActionKind(StrEnum):
    """Kinds of `TableAction`, which the camera sees."""

    THROW = "throw"  # dice come to rest
    AGAIN = "again"  # dice that failed were thrown again; the number says how many failed


BOT_WEIGHTS: dict[str, float] = {MoveKind.THRESHOLD: 0.05, MoveKind.NEXT: 0.7, MoveKind.END: 0.15}
"""Relative weights in the bots' choice, where 1 is usual."""


def list_offers(game: CountingTray, _names: Sequence[str], visibility: Visibility) -> Sequence[Offer]:
    """Return all inputs that do something now, each with its move and its label; empty: the game is over.

    Args:
        game: current game.
        _names: not used.
        visibility: whether the camera sees the dice.
    """
    return tuple(_list_all(game, has_camera=visibility.dice))


def get_default_move(game: CountingTray, seat: Seat) -> Move:
    """Return the move that a seat's button usually stands for: as a number key, from which value dice count."""
    return Move(MoveKind.THRESHOLD, None, (min(seat + 1, FACES),))


def get_number_move(game: CountingTray, number: int) -> Move:
    """Return the move that a number key usually stands for."""
    return Move(MoveKind.THRESHOLD, None, (number,))


def get_bot_weight(_game: CountingTray, offer: Offer) -> float:
    """Return the relative weight of `offer` in the bots' random choice: 1.0 is usual, 0.0 is never chosen."""
    return BOT_WEIGHTS.get(offer.action.kind, 1.0) if isinstance(offer.action, Move) else 1.0


def _list_all(game: CountingTray, *, has_camera: bool) -> Iterator[Offer]:
    is_counted = game.phase is Phase.COUNTED
    for move in game.list_moves():
        match move.kind:
            case MoveKind.THROW:
                if has_camera:
                    yield Offer(move, TableAction(ActionKind.THROW), _("Throw"), awaited=True)
                if any(game.failed):
                    yield Offer(move, ConsolePress.NO, _("New throw"))
                else:
                    yield Offer(move, ConsolePress.PLUS, _("Enter dice"), awaited=not has_camera)
            case MoveKind.AGAIN:
                if has_camera:
                    yield Offer(move, TableAction(ActionKind.AGAIN, sum(game.failed)), _("Re-roll"), awaited=True)
                yield Offer(move, ConsolePress.PLUS, _("Re-roll"))
            case MoveKind.THRESHOLD:
                (n,) = move.value
                yield Offer(move, NumberPress(n), f"{n}+" if n < FACES else str(n))
            case MoveKind.NEXT:
                label = _("Next") if len(game.present_seats) > 1 else _("Done")
                yield Offer(move, ConsolePress.OK, label, awaited=is_counted)
            case MoveKind.END:
                yield Offer(move, ConsolePress.NO, _("End"), confirm_question=_("Does the game end here?"))
