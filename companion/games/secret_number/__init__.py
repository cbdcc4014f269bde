"""Secret Number: rules, words and offers. Rule numbers (S1 to S36, A1 to A14): see the rules file."""

from companion.games.api.offers import Kit
from companion.games.secret_number.offers import likely, meant, offers
from companion.games.secret_number.rules import SecretNumber
from companion.games.secret_number.settings import Settings
from companion.games.secret_number.texts import correctable_words, preparation, sentence, tell, value_words

__all__ = ["KIT", "SecretNumber", "Settings"]

KIT = Kit(
    name="secret_number",
    title="Secret Number",
    begins=False,
    players=range(2, 6),
    settings=Settings,
    new=SecretNumber.new,
    offers=offers,
    sentence=sentence,
    tell=tell,
    correctable_words=correctable_words,
    value_words=value_words,
    # What is scored and compared afterwards is a game of the match; its three rounds are scored together.
    round_of=lambda game: game.game,
    likely=likely,
    preparation=preparation,
    meant=meant,
)
