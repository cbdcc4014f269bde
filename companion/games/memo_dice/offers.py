"""Offers of each state of a Memo Dice game: inputs, moves and labels.

Covering: the number keys 6, 1 and 3 are red, blue and black (`COLOUR_NUMBERS`). Uncovering: OK is right, NO is not.
MINUS (the menu) and NO held (undo) are the referee's and never used here. The camera's table actions are offered
beside them: a die shown, a cup put over it, a cup lifted.
"""

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum

from companion.api import ConsolePress, Correction, Move, NumberPress, Offer, Seat, SeatPress, TableAction, Visibility
from companion.events import MemoColour
from companion.games.memo_dice import colour_texts
from companion.games.memo_dice.rules import MemoDice
from companion.games.memo_dice.state import COLOUR_NUMBERS, SYMBOL_COLOURS, CorrectionKind, MoveKind, Phase
from companion.i18n import Translator

_ = Translator("memo_dice")


class ActionKind(StrEnum):
    """Kinds of `TableAction` that the camera sees."""

    SHOW = "show"  # a die of a colour lies at the end of the row
    CUP = "cup"  # a cup is put over it
    LIFT = "lift"  # the next cup is lifted


BOT_WEIGHTS: Mapping[str, float] = {MoveKind.RIGHT: 0.6, MoveKind.MISS: 0.4}
"""Relative weight of a move in the bots' choice; 1 for all others."""


def list_offers(game: MemoDice, _names: Sequence[str], visibility: Visibility) -> Sequence[Offer]:
    """Return all inputs that do something now, by button and, where the camera sees the dice, by `TableAction`.

    Every legal move is in the list, but those that only the camera makes (SHOW, SHOW_GOLD, LIFT) only if it sees the
    dice. Where the golden cup replaces a colour that has no cup left, it has two offers: its own, and one on the key of
    that colour. Empty: the game is over.

    Args:
        game: current game.
        _names: not used.
        visibility: whether the camera sees dice; without dice only buttons are offered.
    """
    return (*(_list_camera_offers(game) if visibility.dice else ()), *_list_button_offers(game))


def get_default_move(_game: MemoDice, seat: Seat) -> Move | None:
    """Return CALL (name the symbol), the move that the button of `seat` usually stands for.

    The move need not be legal now; its refusal then names the player on turn.
    """
    return Move(MoveKind.CALL, seat)


def get_number_move(game: MemoDice, number: int) -> Move:
    """Return the move that a number key stands for where such keys choose a colour: DIE, which enters a die.

    Args:
        game: current game.
        number: a value of `COLOUR_NUMBERS`; any other gives a die without a colour. The move need not be legal now.
    """
    colour = next((colour for colour, key in COLOUR_NUMBERS.items() if key == number), MemoColour.GOLD)
    return Move(MoveKind.DIE, game.active_seat, (int(colour),))


def get_bot_weight(_game: MemoDice, offer: Offer) -> float:
    """Return the relative weight of `offer` in the bots' random choice: 1.0 is usual, 0.0 is never chosen.

    Bots name six symbols of ten correctly; everything else has the weight 1.0.
    """
    return BOT_WEIGHTS.get(offer.action.kind, 1.0) if isinstance(offer.action, Move) else 1.0


def _list_button_offers(game: MemoDice) -> Iterator[Offer]:
    seat = game.active_seat
    match game.phase:
        case Phase.COVER:
            yield from _list_colours(game)
        case Phase.LOOK if game.open_colour is not None:
            yield Offer(Move(MoveKind.COVER, seat), ConsolePress.OK, _("Cover it"), awaited=True)
            if game.read_by_camera and game.open_colour is not MemoColour.GOLD:  # the camera may have misread it
                yield from _list_misreadings(game)
        case Phase.UNCOVER:
            if game.may_name:
                yield Offer(Move(MoveKind.CALL, seat), SeatPress(seat), _("I know"), awaited=True)
            yield Offer(Move(MoveKind.RIGHT, seat), ConsolePress.OK, _("Correct"), awaited=True)
            yield Offer(Move(MoveKind.MISS, seat), ConsolePress.NO, _("Wrong"), awaited=True)
        case Phase.SCORED:
            yield Offer(Move(MoveKind.NEXT), ConsolePress.OK, _("Next round"), awaited=True)


def _list_camera_offers(game: MemoDice) -> Iterator[Offer]:
    """Yield what the camera sees. A die that has no cup of its colour is played without that colour (D14)."""
    seat = game.active_seat
    match game.phase:
        case Phase.COVER:
            for colour in SYMBOL_COLOURS:
                has_cup = colour in game.coverable_colours
                move = Move(MoveKind.SHOW, seat, (int(colour),)) if has_cup else Move(MoveKind.SHOW_GOLD, seat)
                yield Offer(move, TableAction(ActionKind.SHOW, int(colour)), _("Roll a die"), awaited=True)
        case Phase.LOOK:
            yield Offer(Move(MoveKind.COVER, seat), TableAction(ActionKind.CUP), _("Cover it"), awaited=True)
        case Phase.UNCOVER if not game.cup_lifted:
            yield Offer(Move(MoveKind.LIFT, seat), TableAction(ActionKind.LIFT), _("Lift the cup"), awaited=True)


def _list_misreadings(game: MemoDice) -> Iterator[Offer]:
    """Yield the other colours that the open die may have, each corrected by one press."""
    for colour in game.coverable_colours:
        if colour is not game.open_colour:
            correction = Correction(CorrectionKind.OPEN, None, (int(colour),))
            label = _(colour_texts.IT_IS_LABELS[colour])
            yield Offer(correction, NumberPress(COLOUR_NUMBERS[colour]), label, swatch_colour=colour.name.lower())


def _list_colours(game: MemoDice) -> Iterator[Offer]:
    """D12 to D14. If two colours have no cup left, which one was pressed is not kept: both keys play the same move."""
    gold = Move(MoveKind.GOLD, game.active_seat)
    if not game.coverable_colours:
        yield Offer(gold, ConsolePress.OK, _("Golden cup"), awaited=True)
        return
    for colour in SYMBOL_COLOURS:
        has_cup = colour in game.coverable_colours
        move = Move(MoveKind.DIE, game.active_seat, (int(colour),)) if has_cup else gold
        label = _(colour_texts.LABELS[colour]) if has_cup else _("Golden cup")
        press, swatch = NumberPress(COLOUR_NUMBERS[colour]), colour.name.lower()
        yield Offer(move, press, label, awaited=True, swatch_colour=swatch)
