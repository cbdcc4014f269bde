"""What can be pressed in each phase of a Secret Number match. MINUS (pause, menu) and NO held (undo) are the referee's.

Which keys there are follows from presses alone, as the companion knows no card's value: no key can give one away.
"""

from collections.abc import Sequence

from companion.api import ConsolePress, Move, NumberPress, Offer, Seat, SeatPress, Visibility
from companion.games.secret_number.rules import SecretNumber
from companion.games.secret_number.state import MoveKind, Phase
from companion.i18n import N_, Translator

_ = Translator("secret_number")

BOT_WEIGHTS: dict[str, float] = {
    MoveKind.AGAIN: 0.05,
    MoveKind.WAIT: 0.05,
    MoveKind.LAY: 0.5,
    MoveKind.END: 0.4,
    MoveKind.RIGHT: 0.3,
    MoveKind.FIX: 0.03,
    MoveKind.INSERT: 0.1,
    MoveKind.REMOVE: 0.1,
    MoveKind.EARLIER: 0.2,
}
"""Relative weights in the bots' choice, where 1 is usual: a higher weight is played more often. Chosen by hand so
that a few cards are laid in each round and the pile is seldom found wrong."""
_CONSOLE_KEYS: dict[str, tuple[ConsolePress, bool, str]] = {
    MoveKind.DEALT: (ConsolePress.OK, True, N_("Dealt")),
    MoveKind.AGAIN: (ConsolePress.NO, False, N_("Deal again")),
    MoveKind.READY: (ConsolePress.OK, True, N_("All ready")),
    MoveKind.GO: (
        ConsolePress.PLUS,
        False,
        N_("Start now"),
    ),  # not OK: who presses it a third time would cut the countdown short
    MoveKind.WAIT: (ConsolePress.NO, False, N_("Wait")),
    MoveKind.RIGHT: (ConsolePress.OK, True, N_("Correct")),
    MoveKind.WRONG: (ConsolePress.NO, True, N_("Wrong")),
    MoveKind.FIX: (ConsolePress.PLUS, False, N_("Fix pile")),
    MoveKind.EARLIER: (ConsolePress.PLUS, False, N_("Card back")),
    MoveKind.BACK: (ConsolePress.OK, True, N_("Pile right")),
}
"""Moves whose key always says the same: the key, whether the table waits for it, and its label."""


def list_offers(game: SecretNumber, names: Sequence[str], _visibility: Visibility) -> Sequence[Offer]:
    """Return all inputs that do something now, each with its move and its label: one offer for every legal move.

    Args:
        game: current game.
        names: players' names by seat, for the labels.
        _visibility: not used; no move of Secret Number comes from the camera.

    Raises:
        IndexError: a player in a label has no name.
    """
    return tuple(_make_offer(game, move, names) for move in game.list_moves())


def get_default_move(game: SecretNumber, seat: Seat) -> Move:
    """Return the move that the button of `seat` usually stands for: INSERT while the pile is checked, else LAY.

    The move need not be legal now; its refusal then explains why the button has no use.
    """
    return Move(MoveKind.INSERT if game.phase is Phase.FIX else MoveKind.LAY, seat)


def get_number_move(game: SecretNumber, number: int) -> Move:
    """Return the move that a number key stands for where such keys choose a bonus (S34): BONUS.

    Args:
        game: current game; the move is for the seat that is asked, or without a seat if nobody is.
        number: the bonus, 1 to 3; it is not checked. The move need not be legal now.
    """
    return Move(MoveKind.BONUS, game.bonus_seat, (number,))


def get_bot_weight(_game: SecretNumber, offer: Offer) -> float:
    """Return the relative weight of `offer` in the bots' random choice: 1.0 is usual, 0.0 is never chosen."""
    return BOT_WEIGHTS.get(offer.action.kind, 1.0) if isinstance(offer.action, Move) else 1.0


def _make_offer(game: SecretNumber, move: Move, names: Sequence[str]) -> Offer:
    """Return the key that plays `move`."""
    match move.kind, move.seat:
        case kind, _seat if kind in _CONSOLE_KEYS:
            key, is_awaited, label = _CONSOLE_KEYS[kind]
            return Offer(move, key, _(label), awaited=is_awaited)
        case MoveKind.END, _seat:
            # S23. Held, for seat buttons lay cards until then (S20), so nobody can agree with them.
            return Offer(move, ConsolePress.HOLD_OK, _("Hold: stop"), awaited=not game.seats_able_to_lay)
        case MoveKind.NEXT, _seat:
            is_last = game.game_number == game.settings.games
            return Offer(move, ConsolePress.OK, _("Final result") if is_last else _("Next game"), awaited=True)
        case MoveKind.BONUS, _seat:
            return Offer(move, NumberPress(move.value[0]), str(move.value[0]), awaited=True)
        case MoveKind.REMOVE, int():
            return Offer(move, ConsolePress.NO, _("No card"))
        case kind, int() as seat:
            if kind == MoveKind.LAY:
                return Offer(move, SeatPress(seat), _("Card laid"), repeats=True)
            # S25: a press of one's button puts one's card under the next one.
            return Offer(move, SeatPress(seat), _("My card"))
    raise AssertionError(f"{move} has no key")
