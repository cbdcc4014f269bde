"""The words of the club's page; each browser shows it in its own language."""

import json

from companion.i18n import LANGUAGES, N_, _, format_language_tag

PAGE_WORDS = {
    "title": N_("Club night"),
    "online": N_("Tables online: {n}"),
    "broker": N_("No connection to the broker: trying again"),
    "lost": N_("The club’s computer does not answer: trying again"),
    "tables": N_("Tables"),
    "offline": N_("offline"),
    "free": N_("free"),
    "finished": N_("finished"),
    "playing": N_("playing"),
    "duplicate": N_("Two boxes have this table’s id: give one another id"),
    "round": N_("Round {n}"),
    "roundOf": N_("Round {n}/{count}"),
    "away": N_("away"),
    "evening": N_("Games this evening: {n}"),
    "pointsOf": N_("Points: {n}"),
    "recent": N_("Just finished"),
    "now": N_("just now"),
    "nothing": N_("Nothing yet"),
    "league": N_("League"),
    "groups": N_("Groups"),
    "group": N_("Group"),
    "seated": N_("Players by seat"),
    "state": N_("State"),
    "standings": N_("Standings"),
    "left": N_("has left"),
    "rank": N_("Place"),
    "player": N_("Player"),
    "points": N_("Points"),
    "strength": N_("Strength"),
    "played": N_("Played"),
    "won": N_("Won"),
}
"""The English words, by their names in page.html."""


def format_page_words() -> str:
    """Return the words as a script's object, by the language's tag; no text can end the script's element.

    >>> format_page_words()[:30]
    '{"en": {"title": "Club night",'
    """
    words = {
        format_language_tag(code): {name: _.in_language(code, word) for name, word in PAGE_WORDS.items()}
        for code in LANGUAGES
    }
    return json.dumps(words, ensure_ascii=False).replace("<", r"\u003c")
