"""Offers of each state of a Macroscope game: inputs, moves and labels.

The console: OK goes on, NO declines or asks, PLUS enters by hand. MINUS (the menu) and NO held (undo) are the
referee's and never used here. The referee expands two commands, `ENTER_TOKEN` and `ENTER_SECOND_TOKEN`: they stand for
the legal "remove" moves, each by its number key, because the number keys are the seats' buttons.
"""

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum

from companion.api import (
    NUMBER_ENTRY,
    Command,
    CommandName,
    ConsolePress,
    Move,
    NumberPress,
    Offer,
    Seat,
    SeatPress,
    TableAction,
    Visibility,
)
from companion.games.macroscope.rules import Macroscope
from companion.games.macroscope.state import AskingReason, MoveKind, Phase
from companion.i18n import Translator

_ = Translator("macroscope")


class ActionKind(StrEnum):
    """Kinds of `TableAction` that the camera sees, but for the last."""

    THROW = "throw"  # the dice come to rest
    TAKE = "take"  # the token of a number comes off
    COVER = "cover"  # all windows are covered
    RENEW = "renew"  # the deck is turned over; no camera sees it, so it stands in the menu


ENTER_SECOND_TOKEN = Command(CommandName.ENTER_SECOND_TOKEN)
"""Opens the choice of the second token by its number."""
ENTER_TOKEN = Command(CommandName.ENTER_TOKEN)
"""Opens the choice of the first token by its number, though the camera watches."""
BOT_WEIGHTS: Mapping[str, float] = {
    MoveKind.GUESS: 0.25,
    MoveKind.WISH: 0.3,
    MoveKind.WITHDRAW: 0.1,
    MoveKind.ASK: 0.4,
    MoveKind.RENEW: 0.0,
}
"""Relative weight of a move in the bots' choice; 1 for all others, 0: never."""


def get_bot_weight(_game: Macroscope, offer: Offer) -> float:
    """Return the relative weight of `offer` in the bots' random choice: 1.0 is usual, 0.0 is never chosen."""
    return BOT_WEIGHTS.get(offer.action.kind, 1.0) if isinstance(offer.action, Move) else 1.0


def list_offers(game: Macroscope, names: Sequence[str], visibility: Visibility) -> Sequence[Offer]:
    """Return all inputs that do something now, each with its move or command and its label; empty: the game is over.

    Every legal move is in the list, itself or behind `ENTER_TOKEN` or `ENTER_SECOND_TOKEN`.

    Args:
        game: current game.
        names: players' names by seat, for the labels.
        visibility: whether the camera sees dice and tokens; what it does not see is offered on buttons.

    Raises:
        IndexError: a player in a label has no name.
    """
    return tuple(_list_all(game, names, visibility))


def get_default_move(game: Macroscope, seat: Seat) -> Move | None:
    """Return the move that the button of `seat` usually stands for.

    That is RIGHT once the card is pulled; before it a guess: GUESS for the active player, WISH for all others. The move
    need not be legal now; its refusal then explains why the button has no use.
    """
    if game.phase is Phase.REVEAL:
        return Move(MoveKind.RIGHT, seat)
    return Move(MoveKind.GUESS if seat == game.active_seat else MoveKind.WISH, seat)


def get_number_move(game: Macroscope, number: int) -> Move:
    """Return the move that a number key stands for where such keys choose a token: REMOVE by the active player.

    Args:
        game: current game.
        number: the token's number, 1 to 6; it is not checked. The move need not be legal now.
    """
    return Move(MoveKind.REMOVE, game.active_seat, (number,))


def _list_all(game: Macroscope, names: Sequence[str], visibility: Visibility) -> Iterator[Offer]:
    """Yield all that is open now."""
    match game.phase:
        case Phase.ROLL:
            yield from _list_roll(game, visibility)
        case Phase.OPEN if not game.opened_windows:
            yield from _list_first_token(game, visibility)
        case Phase.OPEN:
            yield from _list_active(game, visibility, ConsolePress.OK)
        case Phase.ASKING | Phase.PICK | Phase.CALLED:
            yield from _list_asking(game, names, visibility)
        case Phase.COVER:
            cover = Move(MoveKind.COVER)
            if visibility.tokens:
                yield Offer(cover, TableAction(ActionKind.COVER), _("Cover all windows"), awaited=True)
            yield Offer(cover, ConsolePress.OK, _("Covered"), awaited=True)
        case Phase.REVEAL:
            for q in game.guessers:
                label = _("Was right")
                yield Offer(Move(MoveKind.RIGHT, q), SeatPress(q), label, awaited=True)
            yield Offer(Move(MoveKind.NOBODY), ConsolePress.NO, _("Nobody"))
    if game.may_renew:  # D1: a button only when the device should be empty; else the menu lists it
        is_empty = game.is_deck_empty
        renew = ConsolePress.OK if is_empty else TableAction(ActionKind.RENEW, in_menu=True)
        yield Offer(Move(MoveKind.RENEW), renew, _("Deck turned"), awaited=is_empty)


def _list_roll(game: Macroscope, visibility: Visibility) -> Iterator[Offer]:
    roll = next(move for move in game.list_moves() if move.kind == MoveKind.ROLL)
    if visibility.dice:
        yield Offer(roll, TableAction(ActionKind.THROW), _("Roll the dice"), awaited=True)
        yield Offer(roll, ConsolePress.PLUS, _("Enter roll"))
    else:
        yield Offer(roll, NUMBER_ENTRY, _("Enter roll"), awaited=True)


def _list_first_token(game: Macroscope, visibility: Visibility) -> Iterator[Offer]:
    yield from _list_takes(game, visibility, awaited=True)
    if visibility.tokens:
        yield Offer(ENTER_TOKEN, ConsolePress.PLUS, _("Enter token"))


def _list_active(game: Macroscope, visibility: Visibility, stop_press: ConsolePress) -> Iterator[Offer]:
    """Yield what the active player may do once a window is open (M14); `stop_press` is the button free for it."""
    seat = game.active_seat
    table_waits = game.phase is Phase.OPEN  # else it waits for the others
    yield Offer(Move(MoveKind.GUESS, seat), SeatPress(seat), _("I guess"), table_waits)
    yield Offer(Move(MoveKind.STOP, seat), stop_press, _("Stop: +{n}", n=game.stop_crystals))
    if game.may_ask:
        yield Offer(Move(MoveKind.ASK, seat), ConsolePress.NO, _("Ask all"))
    if game.takeable_tokens:
        yield Offer(ENTER_SECOND_TOKEN, ConsolePress.PLUS, _("Second token"))
        if visibility.tokens:
            yield from _list_takes(game, visibility, awaited=False)


def _list_asking(game: Macroscope, names: Sequence[str], visibility: Visibility) -> Iterator[Offer]:
    """Yield what is open while the others are asked (M33), while one is picked (M24), while one is called."""
    seat = game.active_seat
    is_meanwhile = game.asking_reason is AskingReason.MEANWHILE
    if is_meanwhile:
        yield from _list_active(game, visibility, ConsolePress.NO if game.phase is Phase.ASKING else ConsolePress.OK)
    asks_all = game.phase is Phase.ASKING and not is_meanwhile
    for q in game.may_wish:
        yield Offer(Move(MoveKind.WISH, q), SeatPress(q), _("I guess"), awaited=asks_all)
    for q in game.pick_candidates:
        label = _("Goes first")
        yield Offer(Move(MoveKind.PICK, seat, (q,)), SeatPress(q), label, awaited=True)
    called = game.called_seat
    if called is not None:
        yield Offer(Move(MoveKind.NAME, called), SeatPress(called), _("I guess"), awaited=True)
        silent = _("Says nothing")
        yield Offer(Move(MoveKind.WITHDRAW, called), ConsolePress.NO, silent)
    for q in game.wish_queue:
        if q != called and q not in game.pick_candidates:
            yield Offer(Move(MoveKind.WITHDRAW, q), SeatPress(q), _("I pass"))
    if game.phase is Phase.ASKING:
        nobody = _("Nobody else") if game.guessers else _("Nobody")
        label = _("Continue") if game.wishes else nobody
        yield Offer(Move(MoveKind.CLOSE, seat), ConsolePress.OK, label, awaited=True)


def _list_takes(game: Macroscope, visibility: Visibility, *, awaited: bool) -> Iterator[Offer]:
    for n in game.takeable_tokens:
        take = TableAction(ActionKind.TAKE, n) if visibility.tokens else NumberPress(n)
        yield Offer(Move(MoveKind.REMOVE, game.active_seat, (n,)), take, _("Open a {n}", n=n), awaited)
