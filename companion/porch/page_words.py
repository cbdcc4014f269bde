"""The page's own words in every language; all its other texts come with the state of the table."""

from collections.abc import Mapping

from companion.i18n import N_

PAGE_WORDS: Mapping[str, str] = {
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
