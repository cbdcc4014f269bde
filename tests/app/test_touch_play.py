"""A finger alone plays every game to its end, at the virtual table and where no camera plays.

What several fingers do at once: test_touch_input.py.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pygame
import pytest

from companion.api import registry
from companion.events import SEAT_BUTTONS, Button
from companion.screen_state import ScreenKind
from tests.app.desk import screen
from tests.app.finger_table import FingerSession

__all__ = ["screen"]  # a fixture

GAMES: dict[str, tuple[int, dict[str, Any]]] = {
    "pig": (2, {"goal": 50}),
    "macroscope": (2, {"rounds": 1}),
    "memo_dice": (2, {"target_square": 4}),
    "yacht": (1, {}),
    "farkle": (2, {"goal": 2500, "entry": 0}),
    "counting_tray": (2, {}),
    "secret_number": (2, {"games": 1}),
    "pictomania": (3, {"rounds": 1}),
    "starfall": (2, {}),
    "score_keeper": (2, {"target_points": 30}),
}
"""Number of players and house rules, by game."""
LONG = {"memo_dice", "yacht", "farkle", "counting_tray"}
"""Games that take a finger over ten seconds of processor time."""


@pytest.mark.full
@pytest.mark.parametrize("name", [pytest.param(n, marks=pytest.mark.proof) if n in LONG else n for n in GAMES])
def test_a_finger_alone_plays_to_the_result(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pygame.time, "wait", lambda _ms: 0)
    count, rules = GAMES[name]
    definition = registry.find_game(name)
    session = FingerSession(definition, tmp_path, 5, definition.settings_model.model_validate(rules))
    state = session.play(count)
    assert state.outcome is not None
    session.close()


@pytest.mark.proof
@pytest.mark.parametrize("name", ["pig", "yacht", "farkle", "macroscope", "memo_dice"])
def test_no_touch_leads_where_no_other_leads_out(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pygame.time, "wait", lambda _ms: 0)
    count, rules = GAMES[name]
    definition = registry.find_game(name)
    session = FingerSession(definition, tmp_path, 3, definition.settings_model.model_validate(rules))
    assert session.play_at_random(count, 3000) > 0
    session.close()


@pytest.mark.full
def test_a_touch_at_the_tray_does_what_the_screen_says_while_keys_keep_dice_and_put_them_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pygame.time, "wait", lambda _ms: 0)
    definition = registry.find_game("yacht")
    session = FingerSession(definition, tmp_path, 5, definition.settings_model())
    assert session.panel is not None
    corner, table = (149.0, 89.0), session.panel.table

    def rest() -> Any:
        for _ in range(25):
            session.step()
        assert session.state.question is None
        return session.state.view

    while session.state.kind is not ScreenKind.PLAY:
        session._sit_down(1)
    session.touch_table(corner)
    thrown = rest().table
    session.touch_button(SEAT_BUTTONS[0])
    rest()
    assert session.panel._sentence == "Choose by the keys first"
    session.touch_table(corner)
    assert rest().table == thrown == tuple(sorted(table.values)), "the marks are as they were"
    assert session.state.marked_dice == (1,)
    session.touch_button(Button.OK)
    assert rest().aside == table.aside == thrown[:1]
    session.touch_button(Button.NO)
    assert (rest().aside, table.aside, len(table.values)) == ((), (), 5)
    session.touch_table(corner)
    assert (rest().throw_count, len(session.state.view.table)) == (2, 5), "all dice are thrown, as the bar says"
    session.close()
