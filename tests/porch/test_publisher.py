"""The playing unit's socket: real sockets, real games, and readers that are late, slow, hung or gone."""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from companion.events import DeviceLost, DeviceRestored
from companion.journal.database import JOURNAL_FILE, Journal
from companion.journal.saved_game import SavedGame
from companion.porch import publisher as publisher_module
from companion.porch.messages import (
    LINE_ADAPTER,
    EventLine,
    HelloLine,
    StateLine,
)
from companion.porch.publisher import MAX_READERS, MEMORY_FILE, PorchPublisher
from companion.screen_state import RunningClock, ScreenKind, ScreenState
from tests.porch.client import SocketReader
from tests.referee.dialogs.test_score_sheet import Table

MakePublisher = Callable[..., PorchPublisher]


@pytest.fixture
def make(path: Path) -> Iterator[MakePublisher]:
    made: list[PorchPublisher] = []

    def make_one(**options: Any) -> PorchPublisher:
        made.append(PorchPublisher(path, "hall-1", **options))
        return made[-1]

    yield make_one
    for each in made:
        each.close()


def test_late_reader_gets_the_present_state_first(make: MakePublisher, path: Path, playing: list[ScreenState]) -> None:
    publisher = make(table_name="By the window")
    with SocketReader(path) as early:
        hello = early.read()
        assert (hello["kind"], hello["table_name"]) == ("hello", "By the window")
        assert hello["path_token"] == publisher.path_token
        for state in playing:
            publisher.publish(state, None)
            assert early.read("state")["headline"] == state.prompt
        with SocketReader(path) as late:
            assert late.read()["kind"] == "hello"
            assert late.read()["headline"] == playing[-1].prompt


def test_equal_states_are_published_once(make: MakePublisher, path: Path, playing: list[ScreenState]) -> None:
    publisher = make()
    with SocketReader(path) as reader:
        for state in (playing[0], replace(playing[0]), replace(playing[0], dimmed=True), playing[1]):
            publisher.publish(state, None)
        assert [reader.read("state")["headline"] for _ in range(2)] == [playing[0].prompt, playing[1].prompt]


def test_running_clock_is_not_published_each_second(
    make: MakePublisher, path: Path, playing: list[ScreenState]
) -> None:
    now = [100.0]
    publisher = make(get_time=lambda: now[0])
    clock = RunningClock("turn", 60.0, 60.0)
    with SocketReader(path) as reader:
        publisher.publish(replace(playing[0], clocks=(clock,)), None)
        assert reader.read("state")["clocks"][0]["seconds_left"] == 60
        now[0] = 110.0
        publisher.publish(replace(playing[0], clocks=(replace(clock, seconds_left=50.0),)), None)  # as expected
        publisher.publish(replace(playing[0], clocks=(replace(clock, seconds_left=58.0),)), None)  # time was added
        assert reader.read("state")["clocks"][0]["seconds_left"] == 58
        now[0] = 120.0
        with SocketReader(path) as late:
            assert late.read("state")["clocks"][0]["seconds_left"] == 48


def test_nothing_is_read_from_a_reader(make: MakePublisher, path: Path, playing: list[ScreenState]) -> None:
    """A reader that writes gets an error from the kernel: its bytes never reach the process."""
    publisher = make()
    with SocketReader(path) as reader:
        reader.read("hello")
        with pytest.raises(BrokenPipeError):
            reader.socket.sendall(b'{"press": "ok"}\n' * 100)
        publisher.publish(playing[0], None)
        assert reader.read("state")["headline"] == playing[0].prompt


def test_hung_reader_costs_nothing_and_is_cut_off(
    make: MakePublisher, path: Path, playing: list[ScreenState], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(publisher_module, "MAX_WAITING_BYTES", 20_000)
    publisher = make()
    with SocketReader(path) as hung, SocketReader(path) as good:
        hung.read("hello")  # and then it reads no more
        good.read("hello")
        for i in range(2_000):
            state = replace(playing[0], prompt=f"{i} {'x' * 250}")
            publisher.publish(state, None)
            assert good.read("state")["headline"] == state.prompt
        assert hung.is_closed()
        publisher.publish(playing[0], None)
        assert good.read("state")["headline"] == playing[0].prompt


def test_main_loop_never_waits_for_the_thread(make: MakePublisher, path: Path, playing: list[ScreenState]) -> None:
    """While the thread is stuck, states are handed over at once; the latest one counts when it goes on."""
    goes_on, is_stuck = threading.Event(), threading.Event()

    def get_language() -> str:
        is_stuck.set()
        goes_on.wait()
        return "en"

    publisher = make(get_language=get_language)
    with SocketReader(path) as reader:
        publisher.publish(playing[0], None)
        is_stuck.wait()
        for i in range(5_000):
            publisher.publish(replace(playing[1], prompt=f"{i}"), None)
        goes_on.set()
        headlines: list[str] = []
        while not headlines or headlines[-1] != "4999":
            headlines.append(reader.read("state")["headline"])
        assert len(headlines) <= publisher_module.MAX_WAITING_STATES + 1


def test_readers_beyond_the_limit_are_turned_away(make: MakePublisher, path: Path, playing: list[ScreenState]) -> None:
    publisher = make()
    readers = [SocketReader(path) for _ in range(MAX_READERS)]
    for reader in readers:
        reader.read("hello")
    with SocketReader(path) as further:
        assert further.is_closed()
    readers.pop().close()
    publisher.publish(playing[0], None)  # a closed reader is noticed when something is written
    for reader in readers:
        reader.read("state")
        reader.close()


def test_hundreds_of_hasty_readers(make: MakePublisher, path: Path, playing: list[ScreenState]) -> None:
    publisher = make()
    with SocketReader(path) as steady:
        steady.read("hello")
        before = len(os.listdir("/proc/self/fd"))  # noqa: PTH208 - of this process
        for i in range(300):
            hasty = socket.socket(socket.AF_UNIX)
            hasty.connect(str(path))
            hasty.close()
            publisher.publish(replace(playing[0], prompt=f"{i}"), None)
            while steady.read("state")["headline"] != f"{i}":
                pass
        publisher.publish(replace(playing[0], prompt="the last"), None)
        steady.read("state")
        assert len(os.listdir("/proc/self/fd")) <= before + 1  # noqa: PTH208 - as above
        with SocketReader(path) as late:
            assert late.read("state")["headline"] == "the last"


def test_socket_that_cannot_be_made_is_logged(tmp_path: Path, playing: list[ScreenState], caplog: Any) -> None:
    (tmp_path / "run").write_text("no folder", encoding="ascii")
    publisher = PorchPublisher(tmp_path / "run" / "porch.sock", "hall-1")
    publisher.publish(playing[0], None)
    publisher.close()
    assert "Nothing is published" in caplog.text


def test_old_socket_is_replaced_and_removed_at_the_end(
    make: MakePublisher, path: Path, playing: list[ScreenState]
) -> None:
    path.parent.mkdir()
    old = socket.socket(socket.AF_UNIX)
    old.bind(str(path))
    old.close()  # as after a power cut: the file stays
    publisher = make()
    assert path.stat().st_mode & 0o777 == 0o660
    with SocketReader(path) as reader:
        publisher.publish(playing[0], None)
        reader.read("state")
        publisher.close()
        assert reader.is_closed()
    assert not path.exists()


def test_lost_devices_are_published(make: MakePublisher, path: Path, playing: list[ScreenState]) -> None:
    publisher = make()
    with SocketReader(path) as reader:
        publisher.publish(playing[0], None, [DeviceLost("camera", 1.0)])
        publisher.publish(playing[0], None, [DeviceRestored("camera", 2.0)])
        lines = [reader.read("event") for _ in range(2)]
    assert [(line["event_type"], line["text"]) for line in lines] == [
        ("device_lost", "camera"),
        ("device_restored", "camera"),
    ]


def test_who_connects_before_something_happens_is_told(
    make: MakePublisher, path: Path, playing: list[ScreenState], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A reader connects, and then a device is lost, just after the thread has looked for new readers."""
    readers: list[SocketReader] = []
    accept = PorchPublisher._accept

    def accept_and_go_on(publisher: PorchPublisher) -> None:
        accept(publisher)
        if not readers:
            readers.append(SocketReader(path))
            publisher.publish(playing[0], None, [DeviceLost("camera", 1.0)])
            connected.set()

    connected = threading.Event()
    monkeypatch.setattr(PorchPublisher, "_accept", accept_and_go_on)
    publisher = make()
    connected.wait()
    with readers[0] as reader, SocketReader(path) as late:
        late.read("state")  # the line about the device comes before this one, or never
        publisher.publish(playing[1], None)
        while (line := reader.read())["kind"] != "event":
            assert line.get("headline") != playing[1].prompt
        assert (line["event_type"], line["text"]) == ("device_lost", "camera")


def test_faulty_state_of_a_game_is_left_out(make: MakePublisher, path: Path, playing: list[ScreenState]) -> None:
    publisher = make()
    with SocketReader(path) as reader:
        publisher.publish(replace(playing[0], scores=("many",) * 6), None)
        publisher.publish(playing[1], None)
        assert reader.read("state")["headline"] == playing[1].prompt


class Followed:
    """A table whose states are published as the main loop does."""

    def __init__(self, table: Table, publisher: PorchPublisher) -> None:
        self.table, self.publisher = table, publisher
        self.show()

    def show(self) -> None:
        self.publisher.publish(self.table.shown(), self.table.saved_game)


def test_result_is_published_taken_back_and_kept(tmp_path: Path, path: Path, make: MakePublisher) -> None:
    memory = tmp_path / MEMORY_FILE
    with Journal(tmp_path / JOURNAL_FILE) as journal:
        table = Table(journal)
        publisher = make(memory_file=memory)
        followed = Followed(table, publisher)
        with SocketReader(path) as reader:
            result = reader.read("result")["result"]
            assert result["finished"]
            assert [player["score"] for player in result["players"]] == list(table.saved_game.game.totals)
            table.saved_game.undo()
            followed.show()
            taken_back = reader.read("result")["result"]
            assert not taken_back["finished"]
            assert {(player["won"], player["place"]) for player in taken_back["players"]} == {(False, 0)}
            assert taken_back["sitting"] == result["sitting"]
            assert taken_back["revision"] > result["revision"]
            table.saved_game.redo()
            followed.show()
            assert reader.read("result")["result"]["finished"]
        token = publisher.path_token
        publisher.close()

        # After a restart late readers get the result; and the end of the same game is taken back then, too.
        again = make(memory_file=memory)
        assert again.path_token == token
        with SocketReader(path) as reader:
            assert reader.read("result")["result"]["finished"]
            saved_game = SavedGame(journal, table.saved_game.id, table.saved_game.definition)
            saved_game.undo()
            again.publish(table.shown(), saved_game)
            assert not reader.read("result")["result"]["finished"]


def test_late_readers_get_the_scores_from_the_start_even_after_a_restart(
    tmp_path: Path, path: Path, make: MakePublisher
) -> None:
    """The porch, or the program that plays, is started again in the middle of a game."""
    with Journal(tmp_path / JOURNAL_FILE) as journal:
        table = Table(journal)
        first = make()
        with SocketReader(path) as reader:
            Followed(table, first)
            points = reader.read("scores")["points"]
            assert len(points) > 2
            assert points[-1][1] == list(table.saved_game.game.totals)
            assert [number for number, _scores in points] == sorted({number for number, _scores in points})
            with SocketReader(path) as late:
                assert late.read("scores")["points"] == points
            first.publish(ScreenState(ScreenKind.LOBBY), None)
            assert reader.read("scores")["points"] == []
            first.publish(table.shown(), table.saved_game)
            assert reader.read("scores")["points"] == points, "the game goes on"
        first.close()
        again = make()
        saved_game = SavedGame(journal, table.saved_game.id, table.saved_game.definition)
        with SocketReader(path) as reader:
            again.publish(table.shown(), saved_game)
            assert reader.read("scores")["points"] == points


def test_kept_results_have_the_new_id_of_a_table(path: Path, tmp_path: Path) -> None:
    result = {"sitting": "0a1b2c3d", "revision": 1}
    for table in ("hall-1", "hall-3"):
        publisher = PorchPublisher(path, table, memory_file=tmp_path / "porch.json")
        publisher._remember(result | {"table": publisher._table})
        with SocketReader(path) as reader:
            assert (reader.read("hello")["table"], reader.read("result")["result"]["table"]) == (table, table)
        publisher.close()


def test_all_names_are_in_normal_form() -> None:
    """Marks of direction would show "\u202eevil" as "live", on a page as at a terminal."""
    written, read = "\u202eZoe\u0308\u200b", "Zo\u00eb"
    player = {"name": written, "seat": 0, "button": 1, "colour": "#000000", "shape": "circle"}
    lines: list[dict[str, Any]] = [
        {"kind": "hello", "table_name": written},
        {"kind": "state", "screen": "play", "table_name": written, "players": (player,)},
        {"kind": "event", "event_type": "turn", "names": (written,)},
    ]
    hello, state, event = (LINE_ADAPTER.validate_python(line | {"table": "hall-1"}) for line in lines)
    assert isinstance(hello, HelloLine)
    assert isinstance(state, StateLine)
    assert isinstance(event, EventLine)
    assert (hello.table_name, state.table_name, state.players[0].name, event.names) == (read, read, read, (read,))
