"""The help in a session: it opens in the lobby, in menus, in the set-up and in games, and closes by buttons alone.

What the help shows and when it opens: tests/referee/test_help_overlay.py.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest

from companion.api.registry import load_games
from companion.display import Screen
from companion.events import Button, ButtonPressed, ButtonReleased, HelpPressed, LampState
from companion.gallery import load_sample_builders
from companion.i18n import LANGUAGES
from companion.journal.database import Journal
from companion.lobby import Preferences
from companion.referee.held_buttons import HOLD_SECONDS
from companion.referee.help_overlay import make_help_pages
from companion.referee.screen_parts import NO_CAMERA_VIEW
from companion.screen_state import ScreenKind, ScreenState
from companion.testing.screens import use_language
from tests.app.session_table import START, SessionTable

PLACES: dict[str, tuple[Button, ...]] = {
    "the lobby": (),
    "the games": (Button.PLUS,),
    "the settings": (Button.MINUS,),
    "who begins": START[:3],
    "a game": START,
    "the pause": (*START, Button.MINUS),
    "corrections": (*START, Button.PLUS, Button.SEAT1, Button.SEAT2, Button.MINUS, Button.MINUS),
}


def hold_help(table: SessionTable) -> None:
    """Hold the button that the screen marks with a question mark, until the help opens."""
    button = next(key.button for key in table.state.soft_keys if key.opens_help)
    table.clock.now += 0.6
    table.session.step([ButtonPressed(button, table.clock.now)])
    table.clock.now += HOLD_SECONDS
    table.session.step([])
    table.session.step([ButtonReleased(button, table.clock.now + 0.1)])


def still(state: ScreenState) -> ScreenState:
    """Leave out what tells of presses alone, and the camera, which is compared by identity."""
    return replace(state, pressed_buttons=frozenset(), hold=None, notice=None, camera_view=NO_CAMERA_VIEW)


def check_help(table: SessionTable) -> None:
    before, lamps = still(table.state), dict(table.session.map_lamps())
    for leave in (Button.OK, Button.NO, Button.MINUS, Button.SEAT6):
        hold_help(table)
        view = table.state.help
        assert view is not None
        assert view.page == 0
        assert table.session.map_lamps()[Button.OK] is LampState.ON
        assert still(replace(table.state, help=None)) == before, "nothing beneath it changes"
        table.press(leave)
        assert still(table.state) == before
    assert table.session.map_lamps() == lamps


@pytest.mark.parametrize("presses", PLACES.values(), ids=PLACES)
def test_the_help_opens_and_closes_everywhere(presses: tuple[Button, ...], journal: Journal) -> None:
    table = SessionTable(journal)
    table.press(*presses)
    table.clock.now += 5  # the draw of the first player is over
    check_help(table)


def test_the_help_opens_in_the_set_up(journal: Journal) -> None:
    table = SessionTable(journal, run_setup_wizard=True, preferences=Preferences())
    check_help(table)


def test_a_key_of_the_keyboard_is_no_press(journal: Journal) -> None:
    table = SessionTable(journal)
    for is_open in (True, False):
        table.session.step([HelpPressed(table.clock.now)])
        assert (table.state.help is not None) is is_open


def test_the_help_closes_when_the_next_stage_is_entered(journal: Journal) -> None:
    table = SessionTable(journal)
    table.press(*START[:3])
    table.session.step([HelpPressed(table.clock.now)])
    table.session.stage.exit = next(o.action for o in table.stage.list_offers() if o.input == "ok")
    table.session.step([])
    assert table.session.saved_game is not None
    assert table.state.help is None


@pytest.mark.full  # builds all samples
def test_every_sample_marks_the_one_key_that_opens_the_help() -> None:
    for name, build_samples in load_sample_builders().items():
        for state, shown in build_samples().items():
            marked = [key.button for key in shown.soft_keys if key.opens_help]
            assert len(marked) == 1 or not shown.soft_keys, (name, state)
            assert set(marked) <= {Button.MINUS, Button.OK}, (name, state)


@pytest.mark.full  # draws all pages of all games
@pytest.mark.parametrize("size", [(800, 480), (480, 800)], ids=["wide", "upright"])
def test_the_rules_of_every_game_fit_in_every_language(size: tuple[int, int]) -> None:
    screen = Screen(size)
    for language, definition in product(LANGUAGES, load_games()):
        with use_language(language):
            for page in make_help_pages(definition, definition.settings_model())[1:]:
                screen.render(ScreenState(ScreenKind.LOBBY, definition.name, definition.translated_title, help=page))
                assert not [text.text for text in screen.drawn_texts() if "…" in text.text], (language, definition.name)
