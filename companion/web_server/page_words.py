"""The words of a page in every language, for its script."""

import json
from collections.abc import Mapping

from companion.i18n import LANGUAGES, _, format_language_tag


def format_page_words(words: Mapping[str, str]) -> str:
    """Return a page's words as a script's object, by the language's tag; no text can end the script's element.

    >>> format_page_words({"away": "away"})[:36]
    '{"en": {"away": "away"}, "de": {"awa'

    Args:
        words: the English ones, by their names in the page.
    """
    translated = {
        format_language_tag(code): {name: _.in_language(code, word) for name, word in words.items()}
        for code in LANGUAGES
    }
    return json.dumps(translated, ensure_ascii=False).replace("<", r"\u003c")
