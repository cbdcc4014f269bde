"""What can be pressed in a game with dice. MINUS (pause, menu) and NO held (undo) are the referee's.

OK goes on: it ends a turn or throws all dice again. PLUS opens the score sheet, sets the best dice aside or enters a
throw that the camera does not read. The number keys enter a throw, mark dice to set aside, or choose one of the three
best boxes. The referee opens two commands: MARK_DIE (`companion.games.game_file.dice.dialogs`), and BOXES for the
others.
"""

from collections.abc import Iterator, Sequence
from enum import StrEnum

from companion.api import (
    NUMBER_ENTRY,
    Command,
    CommandName,
    ConsolePress,
    Input,
    Move,
    NumberPress,
    Offer,
    Seat,
    TableAction,
    Visibility,
)
from companion.games.game_file.dice.rules import DiceGame
from companion.games.game_file.dice.state import MoveKind, Phase
from companion.i18n import Translator

_ = Translator("game_file")

PROPOSALS = 3
"""Boxes that are offered at once (G43)."""
NUMBER_KEYS = 6
"""Highest number that a key enters."""


class ActionKind(StrEnum):
    """Kinds of `TableAction`, which the camera sees."""

    THROW = "throw"  # the dice come to rest
    KEEP = "keep"  # some are taken out of the tray; the number has their values as digits
    RETURN = "return"  # all dice set aside are put back into the tray


BOT_WEIGHTS: dict[str, float] = {MoveKind.RETURN: 0.0, MoveKind.BANK: 2.0}
"""Relative weights in the bots' choice, where 1 is usual: a higher weight is played more often."""
COMMAND_BOT_WEIGHTS: dict[str, float] = {CommandName.MARK_DIE: 0.2, CommandName.BOXES: 0.2}
"""The same of the commands: there is one for each die, and most games are played by the keys beside them."""


def list_offers(game: DiceGame, _names: Sequence[str], visibility: Visibility) -> Sequence[Offer]:
    """Return all inputs that do something now, each with its move or command and its label; empty: the game is over.

    Every legal move is in the list, or behind one of the commands.

    Args:
        game: current game.
        _names: not used.
        visibility: whether the camera sees the dice; if not, throws are entered by keys.
    """
    return () if game.is_over else tuple(_list_all(game, has_camera=visibility.dice))


def get_default_move(game: DiceGame, seat: Seat) -> Move:
    """Return the move that the button of `seat` usually stands for: to end the turn.

    The move need not be legal now; its refusal then explains why the button has no use.
    """
    return Move(MoveKind.BANK, seat)


def get_bot_weight(_game: DiceGame, offer: Offer) -> float:
    """Return the relative weight of `offer` in the bots' random choice: 1.0 is usual, 0.0 is never chosen."""
    if isinstance(offer.action, Move):
        return BOT_WEIGHTS.get(offer.action.kind, 1.0)
    return COMMAND_BOT_WEIGHTS.get(offer.action.name, 1.0) if isinstance(offer.action, Command) else 1.0


def _list_all(game: DiceGame, *, has_camera: bool) -> Iterator[Offer]:
    match game.phase:
        case Phase.CHOOSE:
            yield from list_proposals(game)
            if len(game.open_boxes) > PROPOSALS:
                yield Offer(Command(CommandName.BOXES, (1,)), ConsolePress.PLUS, _("More boxes"))
        case _:
            yield from _list_throw(game, has_camera=has_camera)
            yield from _list_keeps(game, has_camera=has_camera)
            yield from _list_end(game)


def list_proposals(game: DiceGame) -> Iterator[Offer]:
    """Yield the three best boxes on the number keys (G43)."""
    for key, index in enumerate(game.ranked_boxes[:PROPOSALS], 1):
        move = Move(MoveKind.CHOOSE, game.active_seat, (index + 1,))
        yield Offer(move, NumberPress(key), game.rules.label_category_key(index), awaited=True)


def _find_throw(game: DiceGame) -> Move | None:
    return next((move for move in game.list_moves() if move.kind == MoveKind.THROW), None)


def _list_throw(game: DiceGame, *, has_camera: bool) -> Iterator[Offer]:
    """Yield how a throw is made: in the tray under the camera, or by keys."""
    throw = _find_throw(game)
    if throw is None:
        return
    if has_camera:
        yield Offer(throw, TableAction(ActionKind.THROW), _("Throw"), awaited=True)
    is_marking = game.phase is Phase.DECIDE and game.rules.model.keep != "none"
    by_key: Input = NUMBER_ENTRY
    label = _("Enter dice")
    if is_marking:
        by_key, label = ConsolePress.OK, label if has_camera else _("Throw all")
    elif has_camera or game.rules.model.sides > NUMBER_KEYS:
        # OK ends the turn, PLUS opens the score sheet: the other one of the two is free.
        by_key = ConsolePress.OK if game.has_sheet else ConsolePress.PLUS
    yield Offer(throw, by_key, label, awaited=not has_camera)


def _list_keeps(game: DiceGame, *, has_camera: bool) -> Iterator[Offer]:
    """Yield how dice are set aside: taken out of the tray, or marked on the number keys."""
    keeps = [Move(MoveKind.KEEP, game.active_seat, dice) for dice in game.legal_keeps]
    if has_camera:
        for keep in keeps:
            number = int("".join(map(str, keep.value)))
            yield Offer(keep, TableAction(ActionKind.KEEP, number), _("Set aside"))
    enters_throw = not has_camera and game.phase is Phase.AGAIN and game.dice_to_throw > 0
    if keeps and not enters_throw:
        for key, value in enumerate(game.table, 1):
            mark = Command(CommandName.MARK_DIE, (key,))
            yield Offer(mark, NumberPress(key), _("Keep the {n}", n=value), awaited=not has_camera)
    if game.rules.model.keep == "scoring" and game.phase is Phase.DECIDE and (best := game.best_keep):
        points = game.compute_aside_points(best) or 0
        keep_best = Move(MoveKind.KEEP, game.active_seat, best)
        yield Offer(keep_best, ConsolePress.PLUS, _("Best: {n}", n=points))
    if any(move.kind == MoveKind.RETURN for move in game.list_moves()):
        give_back = Move(MoveKind.RETURN, game.active_seat)
        yield Offer(give_back, ConsolePress.NO, _("Put back"))
        if has_camera:
            yield Offer(give_back, TableAction(ActionKind.RETURN), _("Put back"))


def _list_end(game: DiceGame) -> Iterator[Offer]:
    """Yield how the turn is ended: with its points, or with a box."""
    if game.may_bank:
        bank = Move(MoveKind.BANK, game.active_seat)
        is_free = game.rules.model.keep != "any" or game.phase is not Phase.DECIDE
        press = ConsolePress.OK if is_free else ConsolePress.PLUS
        yield Offer(bank, press, _("Score {n}", n=game.bank_points), awaited=True)
    if game.has_sheet and game.throw_count:
        yield Offer(Command(CommandName.BOXES, (0,)), ConsolePress.PLUS, _("Score it"))
