"""Eyes for each game: one pair is open, the others let the camera go."""

from __future__ import annotations

from pathlib import Path

from companion.camera.layout_cache import FILE
from companion.camera.memo_dice_events import row_signal
from companion.camera.per_game import FILES, ByGame, memory_for, watcher_for
from companion.camera.reader import Looking
from companion.camera.worker import NO_EYES, ROW, USUAL
from companion.events import CameraSays, CameraState, CupLifted, CupPut, DieShown
from companion.vision.memo_dice.events import CupLiftedEvent, CupPutEvent, DieShownEvent, Paint
from companion.vision.memo_dice.watcher import MemoWatcher
from companion.vision.table.watcher import Watcher
from tests.camera.scripted import PICTURE, Clock, Plug, Scripted


def by_game() -> tuple[ByGame, dict[str, Plug], Clock]:
    clock = Clock()
    plugs = {name: Plug(clock) for name in ("macroscope", "memo_dice")}

    def make(name: str) -> Looking:
        return Looking(plugs[name], Scripted(), clock)

    eyes = ByGame(
        {"macroscope": lambda: make("macroscope"), "memo_dice": lambda: make("memo_dice")}, "macroscope", clock
    )
    return eyes, plugs, clock


def test_nothing_is_opened_before_the_first_look() -> None:
    eyes, plugs, _ = by_game()
    assert eyes.eyes is NO_EYES
    assert [plug.opened for plug in plugs.values()] == [0, 0]


def test_the_eyes_follow_the_game() -> None:
    eyes, plugs, clock = by_game()
    eyes.look()
    assert plugs["macroscope"].opened == 1
    eyes.game = "memo_dice"
    assert eyes.look() == [CameraSays(CameraState.LOOKING, clock.now)]
    assert (plugs["macroscope"].closed, plugs["memo_dice"].opened) == (1, 1)
    assert eyes.look() == []
    eyes.game = "pictomania"
    eyes.look()
    assert (plugs["memo_dice"].closed, plugs["macroscope"].opened) == (1, 2)
    eyes.close()
    assert plugs["macroscope"].closed == 2


def test_each_keeps_its_own_memory(tmp_path: Path) -> None:
    memory_for(ROW, tmp_path).keep({"memo row": 1})
    assert memory_for(ROW, tmp_path).recall() == {"memo row": 1}
    assert not (tmp_path / FILE).exists()


def test_what_is_damaged_of_one_table_is_set_aside_beside_that_of_another(tmp_path: Path) -> None:
    for game in (USUAL, ROW):
        (tmp_path / FILES[game]).write_bytes(game.encode())
        assert memory_for(game, tmp_path).recall() is None
    aside = {path.name: path.read_text() for path in tmp_path.iterdir()}
    assert aside == {"table.damaged.json": USUAL, "row.damaged.json": ROW}


def test_a_row_has_eyes_of_its_own() -> None:
    assert isinstance(watcher_for(ROW), MemoWatcher)
    assert isinstance(watcher_for(USUAL), Watcher)
    assert isinstance(watcher_for("pictomania"), Watcher)


def test_what_is_seen_of_the_row_becomes_a_signal_with_the_frames_stamp() -> None:
    shown = row_signal(DieShownEvent(2, Paint.BLUE, 0.7, (Paint.BLACK, Paint.RED), PICTURE, 1.5))
    assert isinstance(shown, DieShown)
    assert (shown.place, shown.colour, shown.confidence, shown.at, shown.alternatives) == (2, 2, 0.7, 1.5, (3, 1))
    assert shown.picture.startswith(b"\xff\xd8\xff")
    assert row_signal(CupPutEvent(1, Paint.GOLD, 0.9, 2.0)) == CupPut(1, 0, 0.9, 2.0)
    assert row_signal(CupLiftedEvent(1, 0.9, 2.5)) == CupLifted(1, 0.9, 2.5)
