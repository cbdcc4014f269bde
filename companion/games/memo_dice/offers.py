"""What can be pressed in each state of a Memo Dice game.

Covering: the number keys 1 to 3 are red, blue and black. Uncovering: OK is right, NO is not. MINUS (the menu) and NO
held (undo) are the referee's and never used here. What the camera sees stands beside it as deeds: a die shown, a cup
put over it, a cup lifted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.games.api.game import Correction, Move, Seat
from companion.games.api.offers import ConsolePress, NumberPress, Offer, SeatPress, TableAction, Visibility
from companion.games.memo_dice import colour_texts
from companion.games.memo_dice.rules import MemoDice
from companion.games.memo_dice.view import SYMBOL_COLOURS, CupColour, Phase
from companion.i18n import Translator

_ = Translator("memo_dice")


def list_offers(game: MemoDice, names: Sequence[str], visibility: Visibility) -> Sequence[Offer]:
    """All that is open now: every legal move, each colour without a cup once more as the golden cup."""
    return (*(_deeds(game) if visibility.dice else ()), *_offers(game))


def get_default_move(game: MemoDice, seat: Seat) -> Move | None:
    """Who presses their own button knows the symbol, or believes to be on turn; the refusal says whose turn it is."""
    return Move("call", seat)


def get_bot_weight(game: MemoDice, offer: Offer) -> float:
    """Virtual players know six symbols of ten; each colour is rolled equally often, for each has its own key."""
    if not isinstance(offer.action, Move):
        return 1.0
    return {"right": 0.6, "miss": 0.4}.get(offer.action.kind, 1.0)


def _offers(game: MemoDice) -> Iterator[Offer]:
    seat = game.active_seat
    match game.phase:
        case Phase.COVER:
            yield from _colours(game)
        case Phase.LOOK:
            gold = game.open_colour is CupColour.GOLD
            words = _("All looked: golden cup") if gold else _("All looked: cover it")
            swatch = "gold" if gold else game.open_colour.english_name if game.open_colour is not None else ""
            yield Offer(Move("cover", seat), ConsolePress.OK, words, awaited=True, swatch_colour=swatch)
            if game.read_by_camera and not gold:  # the camera may have misread it
                yield from _misread(game)
        case Phase.UNCOVER:
            if game.settings.answer_seconds and not (game.symbol_named or game.cup_lifted):
                yield Offer(Move("call", seat), SeatPress(seat), _("I name it"), awaited=True)
            yield Offer(Move("right", seat), ConsolePress.OK, _("Right"), awaited=True)
            yield Offer(Move("miss", seat), ConsolePress.NO, _("Wrong, or no answer"), awaited=True)
        case Phase.SCORED:
            yield Offer(Move("next"), ConsolePress.OK, _("Next round"), awaited=True)
        case Phase.OVER:
            pass


def _deeds(game: MemoDice) -> Iterator[Offer]:
    """What the camera sees. A die without a cup of its colour is told as such, not by its colour (D14)."""
    seat = game.active_seat
    match game.phase:
        case Phase.COVER:
            for colour in SYMBOL_COLOURS:
                known = colour in game.coverable_colours
                move = Move("show", seat, (int(colour),)) if known else Move("show gold", seat)
                yield Offer(move, TableAction("show", int(colour)), _("Roll a die"), awaited=True)
        case Phase.LOOK:
            yield Offer(Move("cover", seat), TableAction("cup"), _("Cover it"), awaited=True)
        case Phase.UNCOVER if not game.cup_lifted:
            yield Offer(Move("lift", seat), TableAction("lift"), _("Lift the cup"), awaited=True)
        case _:
            pass


def _misread(game: MemoDice) -> Iterator[Offer]:
    """The open die's colour put right by one press."""
    for colour in game.coverable_colours:
        if colour is not game.open_colour:
            put_right = Correction("open", None, (int(colour),))
            words = colour_texts.translate(colour_texts.IT_IS_LABELS, colour)
            yield Offer(put_right, NumberPress(int(colour)), words, swatch_colour=colour.english_name)


def _colours(game: MemoDice) -> Iterator[Offer]:
    """D12 to D14. Which of two colours had no cup left is pressed, but not kept: both keys play the same move."""
    gold = Move("gold", game.active_seat)
    if not game.coverable_colours:
        yield Offer(gold, ConsolePress.OK, _("Golden cup"), awaited=True, swatch_colour="gold")
        return
    for colour in SYMBOL_COLOURS:
        key = NumberPress(int(colour))
        if colour in game.coverable_colours:
            move = Move("die", game.active_seat, (int(colour),))
            words = colour_texts.translate(colour_texts.LABELS, colour)
            yield Offer(move, key, words, awaited=True, swatch_colour=colour.english_name)
        else:
            words = colour_texts.translate(colour_texts.NONE_LEFT_LABELS, colour)
            yield Offer(gold, key, words, awaited=True, swatch_colour=colour.english_name)
