"""Eyes for each game: one pair is open, the others let the camera go."""

from __future__ import annotations

from pathlib import Path

from companion.camera.layout_cache import LAYOUT_FILE
from companion.camera.per_game import LAYOUT_FILES, PerGameReader, make_layout_cache, make_watcher_for
from companion.camera.reader import CameraReader
from companion.camera.worker import CUP_ROW_GAME, DEFAULT_GAME, STARTING_VIEW
from companion.events import CameraState, CameraStateChanged
from companion.vision.memo_dice.watcher import CupRowWatcher
from companion.vision.table.watcher import DiceAndLidWatcher
from tests.camera.scripted import Clock, PluggableCamera, ScriptedWatcher


def by_game() -> tuple[PerGameReader, dict[str, PluggableCamera], Clock]:
    clock = Clock()
    plugs = {name: PluggableCamera(clock) for name in ("macroscope", "memo_dice")}

    def make(name: str) -> CameraReader:
        return CameraReader(plugs[name], ScriptedWatcher(), clock)

    eyes = PerGameReader(
        {"macroscope": lambda: make("macroscope"), "memo_dice": lambda: make("memo_dice")}, "macroscope", clock
    )
    return eyes, plugs, clock


def test_nothing_is_opened_before_the_first_look() -> None:
    eyes, plugs, _ = by_game()
    assert eyes.camera_view is STARTING_VIEW
    assert [plug.opened for plug in plugs.values()] == [0, 0]


def test_the_eyes_follow_the_game() -> None:
    eyes, plugs, clock = by_game()
    eyes.poll()
    assert plugs["macroscope"].opened == 1
    eyes.game = "memo_dice"
    assert eyes.poll() == [CameraStateChanged(CameraState.SEARCHING, clock.now)]
    assert (plugs["macroscope"].closed, plugs["memo_dice"].opened) == (1, 1)
    assert eyes.poll() == []
    eyes.game = "pictomania"
    eyes.poll()
    assert (plugs["memo_dice"].closed, plugs["macroscope"].opened) == (1, 2)
    eyes.close()
    assert plugs["macroscope"].closed == 2


def test_each_keeps_its_own_memory(tmp_path: Path) -> None:
    make_layout_cache(CUP_ROW_GAME, tmp_path).save({"memo row": 1})
    assert make_layout_cache(CUP_ROW_GAME, tmp_path).load() == {"memo row": 1}
    assert not (tmp_path / LAYOUT_FILE).exists()


def test_what_is_damaged_of_one_table_is_set_aside_beside_that_of_another(tmp_path: Path) -> None:
    for game in (DEFAULT_GAME, CUP_ROW_GAME):
        (tmp_path / LAYOUT_FILES[game]).write_bytes(game.encode())
        assert make_layout_cache(game, tmp_path).load() is None
    aside = {path.name: path.read_text() for path in tmp_path.iterdir()}
    assert aside == {"table.damaged": DEFAULT_GAME, "row.damaged": CUP_ROW_GAME}


def test_a_row_has_eyes_of_its_own() -> None:
    assert isinstance(make_watcher_for(CUP_ROW_GAME), CupRowWatcher)
    assert isinstance(make_watcher_for(DEFAULT_GAME), DiceAndLidWatcher)
    assert isinstance(make_watcher_for("pictomania"), DiceAndLidWatcher)
