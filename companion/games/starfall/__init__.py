"""StarFall: rules, words and offers. Rule numbers (F1 to F37, A1 to A14): see the rules file."""

from companion.games.api.offers import Kit
from companion.games.starfall.offers import likely, meant, offers
from companion.games.starfall.rules import StarFall
from companion.games.starfall.settings import Settings, Tile
from companion.games.starfall.texts import correctable_words, parts, preparation, sentence, tell, value_words

__all__ = ["KIT", "Settings", "StarFall", "Tile"]

KIT = Kit(
    name="starfall",
    title="StarFall",
    players=range(2, 5),
    settings=Settings,
    new=StarFall.new,
    offers=offers,
    sentence=sentence,
    tell=tell,
    parts=parts,
    correctable_words=correctable_words,
    value_words=value_words,
    likely=likely,
    preparation=preparation,
    meant=meant,
)
