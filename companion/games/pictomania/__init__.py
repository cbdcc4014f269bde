"""Pictomania: rules, words and offers. Rule numbers (P1 to P41, V1, V2, A1 to A13): see the rules file."""

from companion.games.api.offers import Kit
from companion.games.pictomania.offers import likely, live, meant, offers
from companion.games.pictomania.rules import Pictomania
from companion.games.pictomania.settings import FEWEST, MOST, Settings
from companion.games.pictomania.texts import correctable_words, earned, preparation, sentence, tell, value_words

__all__ = ["KIT", "Pictomania", "Settings"]

KIT = Kit(
    name="pictomania",
    title="Pictomania",
    begins=False,
    players=range(FEWEST, MOST + 1),
    settings=Settings,
    new=Pictomania.new,
    offers=offers,
    sentence=sentence,
    tell=tell,
    earned=earned,
    correctable_words=correctable_words,
    value_words=value_words,
    round_of=lambda game: game.marker,
    likely=likely,
    live=live,
    pieces=("red", "yellow", "green", "blue", "purple", "orange"),
    ask_once=("bonus_tokens",),
    preparation=preparation,
    meant=meant,
)
