"""Italian and German: no English text is left in any state."""

from __future__ import annotations

import re

import pytest

from companion.gallery import load_sample_builders
from companion.i18n import LANGUAGES
from companion.screen_state import ScreenState
from companion.testing.screens import build_states, draw_texts

SIZE = (1920, 1080)
GAMES = ("memo_dice", "pictomania", "secret_number", "starfall")
THE_SAME = {
    "it": {"bonus", "Bonus", "Display", "No", "No,", "Pile", "Round", "round", "stop"},
    "de": {"Bonus", "Orange", "Pause"},
}
"""Words that are the same in English."""
KEYBOARD = {"Bksp", "Enter"}


def texts(game: str, code: str) -> set[str]:
    """Return each line that is written in any state."""
    return {
        text.text
        for shown in build_states(load_sample_builders()[game], code).values()
        for text in draw_texts(shown, SIZE, code)
    }


def given(shown: ScreenState) -> set[str]:
    """Return the texts without a translation: names and the game's title."""
    return {shown.title, *(player.name for player in shown.players)}


@pytest.mark.full
@pytest.mark.parametrize("game", GAMES)
def test_nothing_stays_in_english(game: str) -> None:
    english = texts(game, "en")
    names = set().union(*(given(shown) for shown in build_states(load_sample_builders()[game]).values()))
    assert any(re.search(r"[a-z]{4}", text) for text in english - names)
    for code in set(LANGUAGES) - {"en"}:
        same = {text for text in english & texts(game, code) if re.search(r"[^\W\d_]{2}", text)}
        same -= {text for text in same if text.endswith("…") and any(n.startswith(text[:-1].strip()) for n in names)}
        same -= {text for text in same if set(re.findall(r"[^\W\d_]+", text)) <= THE_SAME[code]}
        assert same <= names | KEYBOARD | THE_SAME[code], code
