"""Macroscope: rules, words and offers. Rule numbers (M1 to M61, V1 to V7, D1, A1 to A14): see the rules file."""

from companion.games.api.offers import Kit
from companion.games.macroscope.offers import likely, meant, offers
from companion.games.macroscope.rules import Macroscope
from companion.games.macroscope.settings import Settings
from companion.games.macroscope.texts import correctable_words, preparation, sentence, tell

__all__ = ["KIT", "Macroscope", "Settings"]

KIT = Kit(
    name="macroscope",
    title="Macroscope",
    players=range(2, 7),
    settings=Settings,
    new=Macroscope.new,
    offers=offers,
    sentence=sentence,
    tell=tell,
    correctable_words=correctable_words,
    round_of=lambda game: game.marker,
    likely=likely,
    preparation=preparation,
    camera=True,
    meant=meant,
)
