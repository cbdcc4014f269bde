"""Rules of a game in a file, in memory: the file's part with its expressions compiled, and its texts."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from companion.games.game_file.file_part import FilePart
from companion.i18n import Translator, current_language, format_number

ModelT = TypeVar("ModelT", bound=FilePart)
SHIPPED_GAMES_DOMAIN = "shipped_games"
"""Catalogue of the texts of the files that come with the companion, in languages that they do not have themselves."""
_translate_shipped = Translator(SHIPPED_GAMES_DOMAIN)


@dataclass(frozen=True, eq=False)
class FileRules(Generic[ModelT]):
    """The rules of one file; subclasses compile its expressions in `__post_init__`.

    Args:
        model: the part of the file that says what is played.
        texts: translations of the file's texts, by language and English text.
        options: the house rules (G8): values by id.
        ending: the file's sentence on how the game ends and who wins (G3); empty: it has none.

    Raises:
        ExpressionError: an expression of the file is wrong.
    """

    model: ModelT
    texts: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    options: Mapping[str, int] = field(default_factory=dict)
    ending: str = ""

    def __eq__(self, other: object) -> bool:
        """Rules are equal if their files' part and their house rules are."""
        if self is other:
            return True
        return isinstance(other, FileRules) and (self.model, self.options) == (other.model, other.options)

    def __hash__(self) -> int:
        """Return the hash of the kind of rules, which is quick: a table plays few games."""
        return hash(type(self.model))

    def translate(self, text: str) -> str:
        """Return a text of the file in the current language; without a translation the text itself."""
        return self.texts.get(current_language(), {}).get(text) or _translate_shipped(text)

    def explain_ending(self) -> str:
        """Return the file's sentence on how the game ends and who wins, in the current language (G3, G8)."""
        return fill_options(self.translate(self.ending), self.options)


def fill_options(sentence: str, options: Mapping[str, int]) -> str:
    """Return a sentence of the rules with the values of house rules (G8).

    >>> fill_options("Legs needed to win: {legs}.", {"legs": 3})
    'Legs needed to win: 3.'

    Args:
        sentence: in any language.
        options: values by id.
    """
    for name, value in options.items():
        sentence = sentence.replace(f"{{{name}}}", format_number(value))
    return sentence
