"""Memo Dice: rules, words and offers. Rule numbers (D1 to D40, A1 to A9): see the rules file."""

from companion.games.api.offers import Kit
from companion.games.memo_dice.offers import likely, meant, offers
from companion.games.memo_dice.rules import MemoDice
from companion.games.memo_dice.settings import Settings
from companion.games.memo_dice.texts import (
    PIECES,
    correctable_words,
    earned,
    preparation,
    sentence,
    sighted,
    tell,
    value_words,
)

__all__ = ["KIT", "MemoDice", "Settings"]

KIT = Kit(
    name="memo_dice",
    title="Memo Dice",
    players=range(2, 5),
    settings=Settings,
    new=MemoDice.new,
    offers=offers,
    sentence=sentence,
    tell=tell,
    earned=earned,
    correctable_words=correctable_words,
    value_words=value_words,
    round_of=lambda game: game.round,
    likely=likely,
    pieces=PIECES,
    preparation=preparation,
    meant=meant,
    sighted=sighted,
    camera=True,
    private=True,
)
