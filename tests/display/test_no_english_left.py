"""No English text is left in the states of four games in any other language; all texts: test_translated_texts.py.

The change of language while it runs: tests/lobby/test_preferences.py.
"""

from __future__ import annotations

import re
from functools import cache

import pytest

from companion.catalogues import find_packaged_folder
from companion.gallery import load_sample_builders
from companion.i18n import LANGUAGES
from companion.po_file import parse_po
from companion.screen_state import ScreenState
from companion.testing.screens import build_states, draw_texts

SIZE = (1920, 1080)
GAMES = ("memo_dice", "pictomania", "secret_number", "starfall")
KEYBOARD = {"Bksp", "Enter"}


def texts(game: str, code: str) -> set[str]:
    """Return each line that is written in any state."""
    return {
        text.text
        for shown in build_states(load_sample_builders()[game], code).values()
        for text in draw_texts(shown, SIZE, code)
    }


@cache
def list_shared_words(code: str) -> frozenset[str]:
    """Return the words of messages that are the same in English, such as "Pause" in German."""
    shared = set[str]()
    for file in find_packaged_folder(code, "companion").iterdir():
        if file.name.endswith(".po"):
            for entry in parse_po(file.read_text(encoding="utf-8")).entries:
                for english in map(find_words, (entry.message, entry.plural)):
                    shared |= english if english in map(find_words, entry.texts) else set()
    return frozenset(shared)


def find_words(text: str) -> set[str]:
    """Return the words of a message in small letters, without its {fields}."""
    return set(re.findall(r"[^\W\d_]+", re.sub(r"{\w+}", "", text).casefold()))


def given(shown: ScreenState) -> set[str]:
    """Return the texts without a translation: names and the game's title."""
    return {shown.title, *(player.name for player in shown.players)}


@pytest.mark.proof
@pytest.mark.parametrize("game", GAMES)
def test_nothing_stays_in_english(game: str) -> None:
    english = texts(game, "en")
    names = set().union(*(given(shown) for shown in build_states(load_sample_builders()[game]).values()))
    assert any(re.search(r"[a-z]{4}", text) for text in english - names)
    for code in set(LANGUAGES) - {"en"}:
        same = {text for text in english & texts(game, code) if re.search(r"[^\W\d_]{2}", text)}
        same -= {text for text in same if text.endswith("…") and any(n.startswith(text[:-1].strip()) for n in names)}
        same -= {text for text in same if find_words(text) <= list_shared_words(code)}
        assert same <= names | KEYBOARD, code
