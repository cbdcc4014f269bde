"""What can be pressed in each state of a Memo Dice game.

Covering: the number keys 1 to 3 are red, blue and black. Uncovering: OK is right, NO is not. MINUS (the menu) and NO
held (undo) are the referee's and never used here. What the camera sees stands beside it as deeds: a die shown, a cup
put over it, a cup lifted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.games.api.game import Correction, Move, Seat
from companion.games.api.offers import Console, Deed, NumberPress, Offer, SeatPress, Sight
from companion.games.memo_dice import colour_texts
from companion.games.memo_dice.rules import MemoDice
from companion.games.memo_dice.view import SYMBOLS, Colour, Phase
from companion.i18n import Words

_ = Words("memo_dice")


def offers(game: MemoDice, names: Sequence[str], sight: Sight) -> Sequence[Offer]:
    """All that is open now: every legal move, each colour without a cup once more as the golden cup."""
    return (*(_deeds(game) if sight.dice else ()), *_offers(game))


def meant(game: MemoDice, seat: Seat) -> Move | None:
    """Who presses their own button knows the symbol, or believes to be on turn; the refusal says whose turn it is."""
    return Move("call", seat)


def likely(game: MemoDice, offer: Offer) -> float:
    """Virtual players know six symbols of ten; each colour is rolled equally often, for each has its own key."""
    if not isinstance(offer.does, Move):
        return 1.0
    return {"right": 0.6, "miss": 0.4}.get(offer.does.kind, 1.0)


def _offers(game: MemoDice) -> Iterator[Offer]:
    seat = game.active
    match game.phase:
        case Phase.COVER:
            yield from _colours(game)
        case Phase.LOOK:
            gold = game.looking is Colour.GOLD
            words = _("All looked: golden cup") if gold else _("All looked: cover it")
            swatch = "gold" if gold else game.looking.word if game.looking is not None else ""
            yield Offer(Move("cover", seat), Console.OK, words, awaited=True, swatch=swatch)
            if game.seen and not gold:  # the camera may have misread it
                yield from _misread(game)
        case Phase.UNCOVER:
            if game.settings.answer_seconds and not (game.called or game.lifted):
                yield Offer(Move("call", seat), SeatPress(seat), _("I name it"), awaited=True)
            yield Offer(Move("right", seat), Console.OK, _("Right"), awaited=True)
            yield Offer(Move("miss", seat), Console.NO, _("Wrong, or no answer"), awaited=True)
        case Phase.SCORED:
            yield Offer(Move("next"), Console.OK, _("Next round"), awaited=True)
        case Phase.OVER:
            pass


def _deeds(game: MemoDice) -> Iterator[Offer]:
    """What the camera sees. A die without a cup of its colour is told as such, not by its colour (D14)."""
    seat = game.active
    match game.phase:
        case Phase.COVER:
            for colour in SYMBOLS:
                known = colour in game.coverable
                move = Move("show", seat, (int(colour),)) if known else Move("show gold", seat)
                yield Offer(move, Deed("show", int(colour)), _("Roll a die"), awaited=True)
        case Phase.LOOK:
            yield Offer(Move("cover", seat), Deed("cup"), _("Cover it"), awaited=True)
        case Phase.UNCOVER if not game.lifted:
            yield Offer(Move("lift", seat), Deed("lift"), _("Lift the cup"), awaited=True)
        case _:
            pass


def _misread(game: MemoDice) -> Iterator[Offer]:
    """The open die's colour put right by one press."""
    for colour in game.coverable:
        if colour is not game.looking:
            put_right = Correction("open", None, (int(colour),))
            words = colour_texts.of(colour_texts.IT_IS, colour)
            yield Offer(put_right, NumberPress(int(colour)), words, swatch=colour.word)


def _colours(game: MemoDice) -> Iterator[Offer]:
    """D12 to D14. Which of two colours had no cup left is pressed, but not kept: both keys play the same move."""
    gold = Move("gold", game.active)
    if not game.coverable:
        yield Offer(gold, Console.OK, _("Golden cup"), awaited=True, swatch="gold")
        return
    for colour in SYMBOLS:
        key = NumberPress(int(colour))
        if colour in game.coverable:
            move = Move("die", game.active, (int(colour),))
            words = colour_texts.of(colour_texts.LABEL, colour)
            yield Offer(move, key, words, awaited=True, swatch=colour.word)
        else:
            words = colour_texts.of(colour_texts.NONE_LEFT, colour)
            yield Offer(gold, key, words, awaited=True, swatch=colour.word)
