"""Pictures that never leave the table."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from companion.display.scenes import load_game_scene
from companion.display.scenes.base import GameScene
from companion.porch.public_state import is_screen_public
from companion.porch.publisher import PorchPublisher
from companion.screen_state import CameraView, EnlargedPicture, Menu, ResultCode, ScreenKind, ScreenState
from tests.porch.client import SocketReader
from tests.porch.picture_table import Table

PRIVATE = {
    "lobby": {"kind": ScreenKind.LOBBY},
    "set-up": {"kind": ScreenKind.SETUP},
    "history": {"kind": ScreenKind.HISTORY},
    "menu": {"menu": Menu("Settings", ("Language",), 0)},
    "code": {"result_code": ResultCode("http://box.local:8788/secret/", "Watch along")},
    "typing": {"asks_for_text": True},
    "camera": {"enlarged": EnlargedPicture()},
    "demo": {"is_demo": True},
}


@pytest.mark.parametrize("changes", PRIVATE.values(), ids=PRIVATE)
def test_what_is_private_stays_at_the_table_also_later(table: Table, changes: dict[str, object]) -> None:
    playing = table.state
    reader = table.connect()
    table.draw(1)
    table.hand_out()
    reader.receive_file()
    assert reader.read_numbers() == [1]
    table.state = replace(playing, **changes)  # type: ignore[arg-type]  # any field
    table.draw(2)
    table.hand_out(1.0)
    table.state = playing
    table.connect()
    table.hand_out(1.0)
    assert reader.read_numbers() == [], "the screen still shows it"
    table.draw(3)
    table.hand_out(1.0)
    assert reader.read_numbers() == [2]


def test_screens_with_a_code_or_a_menu_are_never_public(samples: dict[str, ScreenState]) -> None:
    public = {name for name, state in samples.items() if is_screen_public(state)}
    for name in public:
        state = samples[name]
        assert state.kind in (ScreenKind.PLAY, ScreenKind.RESULT), name
        assert state.result_code is None, name
        assert state.menu is None, name
    assert {name.partition("/")[0] for name in public} >= {"macroscope", "starfall", "score_keeper"}


def find_covered(samples: dict[str, ScreenState]) -> ScreenState:
    """Return a state in which the camera's picture stands in place of the game."""
    states = (state for state in samples.values() if state.in_game)
    return next(state for state in states if load_game_scene(state.game_name).shows_camera(state))


def test_a_camera_in_place_of_the_game_is_not_shown(table: Table, samples: dict[str, ScreenState]) -> None:
    covered = find_covered(samples)
    reader = table.connect()
    for table.state in (covered, replace(covered, camera_view=CameraView())):
        table.draw(1)
        table.hand_out(1.0)
    reader.receive_file()
    assert reader.read_numbers() == [1], "only once the game is back"


def test_the_page_knows_that_its_picture_waits(
    path: Path, publisher: PorchPublisher, samples: dict[str, ScreenState]
) -> None:
    """It darkens the last one, and says so; whether the camera is in place of the game depends on its view alone."""
    covered = find_covered(samples)
    clear = replace(covered, camera_view=CameraView())
    with SocketReader(path) as reader:
        for state in (clear, covered, clear, replace(clear, menu=Menu("Settings", ("Language",), 0))):
            publisher.publish(state, None)
        assert [reader.read("state")["has_picture"] for _ in range(4)] == [True, False, True, False]


def test_a_scene_that_fails_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    state = ScreenState(ScreenKind.PLAY, "secret_number")
    assert is_screen_public(state)
    monkeypatch.setattr(GameScene, "needs_picture", lambda _scene, _state: 1 / 0)
    assert not is_screen_public(state)
