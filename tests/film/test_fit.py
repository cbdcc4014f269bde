"""Pictures without keys, as a film of a game shows them: the stage has another shape there, and all words fit."""

from __future__ import annotations

import re

import pytest

from companion.display import Screen
from companion.display.toolkit import DisplayPreferences
from companion.gallery import load_sample_builders
from companion.screen_state import ScreenKind, ScreenState
from companion.testing.screens import build_states, format_corner, use_language
from tests.display.corners import CORNERS


def is_filmed(state: ScreenState) -> bool:
    """Return whether a film may show the state: a game in play, or its result, without a dialog."""
    covers = (state.menu, state.question, state.result_code, state.score_sheet, state.enlarged, state.help, state.guide)
    return state.kind in (ScreenKind.PLAY, ScreenKind.RESULT) and not any(covers)


@pytest.mark.sampled(r"800x480-de-(macroscope|memo_dice|starfall)$", full=30)
@pytest.mark.parametrize("of", load_sample_builders())
@pytest.mark.parametrize(("size", "code"), [c for c in CORNERS if c[0][0] > c[0][1]], ids=format_corner)
def test_no_words_are_cut_and_losses_have_a_minus_sign(size: tuple[int, int], code: str, of: str) -> None:
    screen, faults = Screen(size, DisplayPreferences(keyboard_hints=False, has_keys=False)), []
    for name, state in build_states(load_sample_builders()[of], code).items():
        if not is_filmed(state):
            continue
        with use_language(code):
            screen.render(state)
        names = [player.name for player in state.players]
        texts = [text.text for text in screen.drawn_texts()]
        faults += [(name, text) for text in texts if re.search(r"(?<!\w)-\d", text)]
        cut = [text for text in texts if text.endswith("…")]
        faults += [(name, text) for text in cut if not any(each.startswith(text[:-1].strip()) for each in names)]
    assert not faults
