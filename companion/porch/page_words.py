"""The page's own words; like all its other texts they come from the table, in the table's language."""

from companion.i18n import N_, _

PAGE_WORDS = {
    "round": N_("Round {n}"),
    "roundOf": N_("Round {n}/{count}"),
    "away": N_("away"),
    "lost": N_("The table does not answer: trying again"),
    "nobody": N_("Nothing is being played"),
    "wins": N_("winner"),
    "turn": N_("to play"),
    "soon": N_("A game is shown here as soon as it begins"),
    "picture": N_("The table’s screen"),
    "waits": N_("The picture waits: a menu or the camera is open at the table"),
    "chart": N_("Scores"),
    "numbers": N_("All numbers"),
    "evening": N_("This evening"),
    "full": N_("Full screen"),
}
"""The English words, by their names in page.html."""


def translate_page_words(language: str) -> dict[str, str]:
    """Return the words in a language, by their names.

    >>> translate_page_words("de")["away"]
    'weg'
    """
    return {name: _.in_language(language, word) for name, word in PAGE_WORDS.items()}
