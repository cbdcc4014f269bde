"""When and how long a game was played, on machines whose clocks sleep, start in 1970, are set late, or never."""

from __future__ import annotations

import csv
import errno
import io
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from companion.commands import history, replay
from companion.film.pictures import format_film_name
from companion.games.macroscope import GAME as MACROSCOPE
from companion.journal import boot_notes
from companion.journal.bg_stats import build_play
from companion.journal.boot_notes import FILE_SUFFIX, SECTOR_BYTES, BootNote, BootNotes
from companion.journal.database import Journal
from companion.journal.entry import EntryContent, EntryKind, StoredMove
from companion.journal.exported_game import build_export, export_game, import_game, replay_game
from companion.journal.game_summary import summarise_game
from companion.journal.history_csv import write_csv
from companion.journal.play_time import find_begin
from companion.journal.saved_game import SavedGame
from companion.journal.timestamps import NOTE_SECONDS
from companion.journal.usb_export import export_today
from companion.lobby.results_cache import ResultsCache
from companion.lobby.set_aside_games import list_set_aside
from companion.porch.table_result import build_table_result
from companion.referee.dialogs.result_codes import open_result_codes
from companion.system.atomic_file import write_atomic
from tests.journal.toy import GAME as TOY
from tests.journal.toy import SETUP, add, find_definition
from tests.referee.dialogs.test_score_sheet import SETUP as MACROSCOPE_SETUP

MONDAY = datetime(2026, 11, 23, 20, 0, tzinfo=UTC).timestamp()
BEGUN = "2026-11-23T20:00:00+00:00"
DAY = 86_400.0
MINUTES = 19


@pytest.fixture(autouse=True)
def _utc(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with monkeypatch.context() as patch:
        patch.setenv("TZ", "UTC")
        time.tzset()
        yield
    time.tzset()


class Machine:
    """A machine with its clocks, and one journal."""

    def __init__(self, folder: Path, wall: float = MONDAY, *, knows_date: bool = True) -> None:
        self.path = folder / "journal.sqlite3"
        self.wall, self.monotonic, self.knows_date = wall, 30.0, knows_date
        self._boot_count = 0
        self.start()

    def start(self) -> None:
        """Start the program in a new boot."""
        self._boot_count += 1
        self.journal = Journal(
            self.path,
            lambda: self.wall,
            lambda: self.monotonic,
            f"b{self._boot_count}",
            knows_date=lambda: self.knows_date,
        )

    def restart(self, wall: float) -> None:
        """Switch the machine off and on; its clock shows `wall` then."""
        self.journal.close()
        self.wall, self.monotonic = wall, 20.0
        self.start()

    def wait(self, seconds: float) -> None:
        self.wall += seconds
        self.monotonic += seconds
        self.journal.clock.note_boot(is_new=False)  # as the session does

    def play(self, minutes: int = MINUTES, hook: Callable[[int], None] = lambda _minute: None) -> int:
        """Play a game, by default to its end, with a move each minute; return its number."""
        game = self.journal.begin_game(SETUP)
        for minute in range(1, minutes + 1):
            self.wait(60.0)
            hook(minute)
            move = StoredMove.from_played(add((minute + 1) % 2, 2))
            self.journal.append_entry(game, EntryContent(kind=EntryKind.MOVE, played=move))
        return game

    def jump(self, seconds: float) -> None:
        """Set the wall clock."""
        self.wall += seconds

    def ask_everybody(self, game: int) -> dict[str, set[Any]]:
        """Return what all who are told say about begin, end and minutes of a game."""
        journal, clock = self.journal, self.journal.clock
        record = journal.get_game(game)
        replayed = replay_game(SETUP, journal.read_entries(game), find_definition)
        summary = summarise_game(journal, record, find_definition, UTC)
        results = ResultsCache(journal, find=find_definition, zone=UTC)
        for _ in range(2):  # replayed, and from the cache
            results.restart()
            results.read_more()
        cached = next(each for each in results.summaries if each["id"] == game)
        play, published = build_play(record, replayed, clock), build_table_result(record, replayed, clock, "hall-1")
        shown = replay.build_replay(build_export(journal, game), find_definition, UTC)
        file = io.StringIO()
        write_csv([summary], file)
        begin = find_begin(record, clock, UTC)
        return {
            "begun": {
                *(each["begun"] for each in (summary, cached, shown)),
                next(csv.DictReader(io.StringIO(file.getvalue())))["begun"],
                published["started"].replace("Z", "+00:00"),
                begin and begin.isoformat(),
                history.format_games([summary]).splitlines()[1].split("  ")[1].replace(" ", "T") + ":00+00:00",
            },
            "ended": {
                *(each["ended"] for each in (summary, cached)),
                shown["entries"][-1]["at"],
                published["ended"].replace("Z", "+00:00"),
                play["playDate"].replace(" ", "T") + "+00:00",
            },
            "minutes": {
                *(round(each["duration_s"] / 60) for each in (summary, cached, published)),
                play["durationMin"],
            },
        }


RIGHT = {"begun": {BEGUN}, "ended": {"2026-11-23T20:19:00+00:00"}, "minutes": {MINUTES}}


def test_a_laptop_that_slept_after_the_game_keeps_its_day(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    game = machine.play()
    machine.wait(4 * DAY)  # closed, and opened on Friday: the boot clock goes on in a suspend
    assert machine.ask_everybody(game) == RIGHT
    assert export_today(machine.journal, machine.wall, [tmp_path], "hall") == "Nothing has been played today"


def test_the_boot_clock_is_that_of_the_kernel_which_goes_on_in_a_suspend(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on a laptop that slept for four days: on a machine that never slept both clocks show the same."""
    clocks = {time.CLOCK_MONOTONIC: 1000.0, time.CLOCK_BOOTTIME: 1000.0 + 4 * DAY}
    with Journal(tmp_path / "journal.sqlite3") as journal, monkeypatch.context() as patch:
        patch.setattr(time, "clock_gettime", clocks.__getitem__)
        assert journal.clock.now().monotonic == 1000.0 + 4 * DAY


@pytest.mark.parametrize(
    ("wall", "jumps"),
    [
        (30.0, {10: MONDAY - 30.0}),  # a Pi without a clock, and the network in mid-game
        (MONDAY - 45 * 60, {10: 45 * 60}),
        (MONDAY + 45 * 60, {10: -45 * 60}),
        (MONDAY - 50 * 60, {5: 25 * 60, 12: 25 * 60}),
        (MONDAY - 59 * 60, {MINUTES: 59 * 60}),
    ],
    ids=["1970", "late", "fast", "set twice", "set at the last move"],
)
@pytest.mark.parametrize("restarts", [False, True])
def test_a_clock_that_is_set_in_mid_game_moves_no_answer(
    tmp_path: Path, wall: float, jumps: dict[int, float], restarts: bool
) -> None:
    machine = Machine(tmp_path, wall)
    game = machine.play(hook=lambda minute: machine.jump(jumps.get(minute, 0.0)))
    assert machine.ask_everybody(game) == RIGHT
    if restarts:
        machine.restart(MONDAY + DAY)
        assert machine.ask_everybody(game) == RIGHT


def test_a_clock_that_is_set_when_nobody_plays_any_more_counts_after_a_restart(tmp_path: Path) -> None:
    machine = Machine(tmp_path, 30.0)
    game = machine.play()
    assert find_begin(machine.journal.get_game(game), machine.journal.clock, UTC) is None
    machine.wait(600.0)
    machine.jump(MONDAY - 30.0)
    machine.wait(60.0)
    machine.restart(MONDAY + DAY)
    assert machine.ask_everybody(game) == RIGHT


@pytest.mark.parametrize("accepts", [False, True])
def test_all_say_the_same_of_a_game_that_goes_on_behind_a_gap(tmp_path: Path, accepts: bool) -> None:
    """The pause in which people saw the loss is no play; entries that they left out do not count."""
    machine = Machine(tmp_path)
    game = machine.play(MINUTES - 2)
    machine.journal.append_entry(game, EntryContent(kind=EntryKind.LOST))
    machine.wait(60.0)
    machine.journal.append_entry(game, EntryContent(kind=EntryKind.RESUMED))
    saved_game = SavedGame(machine.journal, game, TOY)
    summary = summarise_game(machine.journal, saved_game.record, find_definition, UTC)
    published = build_table_result(saved_game.record, saved_game.replay, machine.journal.clock, "hall-1")
    assert summary["ended"] == published["ended"].replace("Z", "+00:00")
    machine.wait(30 * 60.0)
    if accepts:
        saved_game.replay_behind_gap()
    for minute in (MINUTES - 1, MINUTES):
        machine.wait(60.0)
        saved_game.play_move(add((minute + 1) % 2, 2))
    answers = machine.ask_everybody(game)
    # Before the first move stands the cut, if they left it out.
    assert (len(answers["ended"]), answers["minutes"]) == (1, {MINUTES if accepts else MINUTES - 1})


def test_an_exported_game_takes_its_right_time_with_it(tmp_path: Path) -> None:
    machine = Machine(tmp_path, 30.0)
    machine.jump(0.0)
    with Journal(tmp_path / "other" / "journal.sqlite3", lambda: 0.0, lambda: 0.0, "") as other:
        machine.play(hook=lambda minute: machine.jump(MONDAY - 30.0 if minute == 10 else 0.0))
        export_game(machine.journal, 1, tmp_path / "game.json")
        number = import_game(other, tmp_path / "game.json", find_definition)
        assert summarise_game(other, other.get_game(number), find_definition, UTC)["begun"] == BEGUN


def test_a_lost_or_torn_note_leaves_times_as_they_were_stored(tmp_path: Path) -> None:
    machine = Machine(tmp_path, MONDAY)
    game = machine.play()
    notes = tmp_path / f"journal{FILE_SUFFIX}"
    whole = notes.read_text(encoding="ascii")
    for text in ("", whole[:-8], "\ufffd" * 9, "b1 nan known\n", "b1 1.000 perhaps\n", whole):
        notes.write_text(text, encoding="utf-8")
        machine.restart(MONDAY + DAY)
        assert machine.ask_everybody(game) == RIGHT, text
    notes.unlink()
    notes.mkdir()  # cannot be read or written: the game goes on
    machine.restart(MONDAY + DAY)
    assert machine.ask_everybody(machine.play())["minutes"] == {MINUTES}
    assert machine.ask_everybody(game) == RIGHT


@pytest.mark.parametrize("fill", [b"\x00", b"\xff", b"7"])
def test_a_lost_sector_costs_no_note(tmp_path: Path, fill: bytes) -> None:
    notes = {f"boot-{number}": BootNote(1_764_000_000.0 + number, number % 2 == 0) for number in range(150)}
    stored = BootNotes(tmp_path / "journal")
    for boot, note in notes.items():
        stored.write(boot, note)
    file = tmp_path / f"journal{FILE_SUFFIX}"
    whole = file.read_bytes()
    for start in range(0, len(whole), SECTOR_BYTES):
        length = len(whole[start : start + SECTOR_BYTES])
        file.write_bytes(whole[:start] + fill * length + whole[start + length :])
        again = BootNotes(tmp_path / "journal")
        assert {boot: again.get(boot) for boot in notes} == notes, start


def test_notes_that_cannot_be_read_for_a_moment_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> bytes:
        raise OSError(errno.EIO, "the disk does not answer")

    old, new = BootNote(1_764_000_000.0, True), BootNote(1_764_000_060.0, False)
    BootNotes(tmp_path / "journal").write("b1", old)
    with monkeypatch.context() as patch:
        patch.setattr(boot_notes, "read_file", fail)
        notes = BootNotes(tmp_path / "journal")
        notes.write("b2", new)
    assert BootNotes(tmp_path / "journal").get("b1") == old
    notes.write("b2", new)
    assert [BootNotes(tmp_path / "journal").get(boot) for boot in ("b1", "b2")] == [old, new]


def test_a_clock_that_never_stops_jumping_does_not_wear_the_disk_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine = Machine(tmp_path, MONDAY)
    machine.play()
    file, writes = tmp_path / f"journal{FILE_SUFFIX}", list[int]()

    def count(path: Path, data: bytes) -> None:
        write_atomic(path, data)
        writes.append(len(data))

    monkeypatch.setattr(boot_notes, "write_atomic", count)
    size = file.stat().st_size
    for turn in range(300):  # a turn of the main loop each tenth of a second
        machine.jump(60.0 if turn % 2 else -60.0)
        machine.wait(0.1)
    assert 1 <= len(writes) <= 30 / NOTE_SECONDS + 1
    assert {*writes, file.stat().st_size} == {size}, "one note for a boot, whatever it has learnt"


def test_an_evening_that_passes_midnight_is_one(tmp_path: Path) -> None:
    stick = tmp_path / "stick"
    stick.mkdir()
    machine = Machine(tmp_path, MONDAY + 3 * 3600.0 + 40 * 60)  # 23:40
    SavedGame.begin(machine.journal, MACROSCOPE_SETUP, MACROSCOPE)
    machine.wait(99 * 60)
    SavedGame.begin(machine.journal, MACROSCOPE_SETUP, MACROSCOPE)
    text = export_today(machine.journal, machine.wall, [stick], "hall")
    assert text == "2 games of today are on the stick, in companion-hall-2026-11-23.csv: you can unplug it"
    machine.wait(4 * 3600.0)  # 5:19
    assert export_today(machine.journal, machine.wall, [stick], "hall") == "Nothing has been played today"


def test_a_machine_that_does_not_know_the_date_says_so_and_exports_what_was_played_since_it_is_on(
    tmp_path: Path,
) -> None:
    """A box without a network: its clock goes on where it was switched off, a week apart or not."""
    machine = Machine(tmp_path, MONDAY, knows_date=False)
    SavedGame.begin(machine.journal, MACROSCOPE_SETUP, MACROSCOPE).set_aside()
    machine.restart(machine.wall)
    SavedGame.begin(machine.journal, MACROSCOPE_SETUP, MACROSCOPE)
    assert export_today(machine.journal, machine.wall, [tmp_path], "hall").startswith("1 game of today")
    games = machine.journal.list_games()
    summaries = [summarise_game(machine.journal, record, lambda _name: MACROSCOPE, UTC) for record in games]
    assert [summary["date_known"] for summary in summaries] == [False, False]
    assert history.format_games(summaries).count("date unknown") == 2
    shown = replay.build_replay(build_export(machine.journal, 1), lambda _name: MACROSCOPE, UTC, is_date_known=False)
    assert next(replay.format_lines(shown)) == "Macroscope, date unknown: Ada, Bob"
    assert list_set_aside(machine.journal)[0][1] == "Macroscope: Ada, Bob"


def test_a_date_that_somebody_sets_is_known_for_all_of_this_boot_and_no_other(tmp_path: Path) -> None:
    machine = Machine(tmp_path, MONDAY - 7 * DAY, knows_date=False)
    first = machine.play()
    machine.restart(machine.wall)
    machine.wall = MONDAY
    second = machine.play()
    clock = machine.journal.clock
    assert find_begin(machine.journal.get_game(second), clock, UTC) is None
    clock.confirm_date()
    for _ in range(2):
        begins = [find_begin(machine.journal.get_game(game), machine.journal.clock, UTC) for game in (first, second)]
        assert begins[0] is None
        assert begins[1] is not None
        assert begins[1].isoformat() == BEGUN
        machine.restart(MONDAY + DAY)


def test_the_code_of_a_result_and_the_film_leave_an_unknown_day_out(tmp_path: Path) -> None:
    machine = Machine(tmp_path, MONDAY, knows_date=False)
    record = machine.journal.get_game(machine.play())
    replayed = replay_game(SETUP, machine.journal.read_entries(1), find_definition)
    headings = []
    for _ in range(2):
        dialog = open_result_codes(record, replayed, machine.journal.clock, "text", UTC)
        headings.append(dialog.code.text.splitlines()[0])
        machine.journal.clock.confirm_date()
    assert headings == ["Toy", "Toy, 23 Nov 2026"]
    assert format_film_name("toy", 1, None, "0a1b2c3d4e") == "companion-undated-toy-1-0a1b2c3d.mp4"


def test_a_boot_in_which_nothing_is_played_is_not_noted(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    machine.wait(60.0)
    assert not (tmp_path / f"journal{FILE_SUFFIX}").exists()
