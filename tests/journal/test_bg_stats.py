"""Finished games for the app BG Stats: its published format, the time of the end, and the time that was played."""

import json
import re
from copy import copy
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import unquote

import pytest

from companion.api import registry
from companion.cli import main
from companion.journal.bg_stats import LINK_START, build_play, format_link
from companion.journal.database import JOURNAL_FILE, Journal
from companion.journal.entry import EntryContent, EntryKind, JournalEntry, Timestamp
from companion.journal.play_time import compute_play_time
from companion.journal.saved_game import SavedGame
from companion.journal.timestamps import TimestampClock
from tests.referee.dialogs.test_score_sheet import play_to_the_end

BEGUN = datetime(2026, 11, 22, 18, 0, tzinfo=UTC).timestamp()


class Clock:
    """A wall clock that moves a minute whenever it is read."""

    def __init__(self) -> None:
        self.now = BEGUN - 60

    def __call__(self) -> float:
        self.now += 60
        return self.now


def make_entry(seq: int, minute: float, kind: EntryKind = EntryKind.UNDO) -> JournalEntry:
    stamp = Timestamp(wall=BEGUN + 60 * minute, monotonic=0.0, boot="")
    return JournalEntry(seq=seq, what=EntryContent(kind=kind), stamp=stamp)


@pytest.fixture
def saved_game(tmp_path: Path) -> SavedGame:
    return play_to_the_end(Journal(tmp_path / JOURNAL_FILE, Clock(), lambda: 0.0, ""))


def test_a_play_has_the_keys_that_the_app_asks_for(saved_game: SavedGame) -> None:
    journal = saved_game.journal
    record, entries = journal.get_game(saved_game.id), journal.read_entries(saved_game.id)
    play = build_play(record, saved_game.replay, journal.clock)
    assert set(play) == {"sourceName", "sourcePlayId", "playDate", "durationMin", "game", "players"}
    assert play["sourcePlayId"] == record.uid[:16]
    assert play["playDate"] == datetime.fromtimestamp(entries[-1].stamp.wall, UTC).strftime("%Y-%m-%d %H:%M:%S")
    assert play["durationMin"] == round((entries[-1].stamp.wall - record.started.wall) / 60) > 1
    assert play["game"] == {
        "name": "Macroscope",
        "sourceGameId": "macroscope",
        "highestWins": True,
    }
    for player in play["players"]:
        assert {type(player[key]) for key in ("startPlayer", "winner")} == {bool}
        assert isinstance(player["score"], int)
    assert [player["startPlayer"] for player in play["players"]] == [True, False]


def test_a_game_of_boardgamegeek_is_sent_with_its_number(saved_game: SavedGame) -> None:
    definition = copy(saved_game.replay.definition)
    definition.bgg_id = 2243
    replay = replace(saved_game.replay, definition=definition)
    journal = saved_game.journal
    play = build_play(journal.get_game(saved_game.id), replay, journal.clock)
    assert play["game"]["bggId"] == registry.find_game("yahtzee").bgg_id == 2243


def test_an_unfinished_game_has_no_result(saved_game: SavedGame) -> None:
    saved_game.undo()
    record = saved_game.journal.get_game(saved_game.id)
    with pytest.raises(ValueError, match="not finished"):
        build_play(record, saved_game.replay, saved_game.journal.clock)


@pytest.mark.parametrize(
    ("entries", "minutes"),
    [
        ([make_entry(1, 2), make_entry(2, 5)], 5),
        ([make_entry(1, 2), make_entry(2, 500, EntryKind.RESUMED), make_entry(3, 503)], 5),
        ([make_entry(1, 2), make_entry(2, 62.1)], 2),
        ([make_entry(1, 2), make_entry(2, -900), make_entry(3, -899)], 3),
        ([], 0),
    ],
    ids=["at once", "device was off", "long pause", "clock set back", "no entry"],
)
def test_only_time_that_was_played_counts(saved_game: SavedGame, entries: list[JournalEntry], minutes: float) -> None:
    record = saved_game.journal.get_game(saved_game.id)
    clock = TimestampClock(lambda: 0.0, lambda: 0.0, boot="")
    assert compute_play_time(record, entries, clock).seconds == pytest.approx(60 * minutes, abs=61)


def test_a_link_carries_any_name_and_only_marks_that_a_query_may_have() -> None:
    play = {"players": [{"name": '"Zoë" & {Bob}+=#%'}]}
    link = format_link(play)
    assert json.loads(unquote(link.removeprefix(LINK_START))) == play
    assert re.fullmatch(r"[A-Za-z0-9\-._~!$'()*,:;@/?%]*", link.removeprefix(LINK_START))


def test_the_command_prints_a_finished_game(saved_game: SavedGame, capsys: pytest.CaptureFixture[str]) -> None:
    journal = saved_game.journal
    expected = build_play(journal.get_game(saved_game.id), saved_game.replay, journal.clock)
    folder = str(journal.path.parent)
    journal.close()
    main(["history", "--data", folder, "--bgstats", str(saved_game.id)])
    assert json.loads(capsys.readouterr().out) == expected


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        (["--bgstats", "7"], 1, "Game 7"),
        (["--bgstats", "1", "--player", "Ada"], 2, "leave out"),
        (["--bgstats", "1", "export", "1", "x.json"], 2, "not for export"),
    ],
)
def test_wrong_uses_say_what_to_do(
    saved_game: SavedGame, words: list[str], status: int, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    saved_game.journal.close()
    folder = str(saved_game.journal.path.parent)
    assert main(["history", "--data", folder, *words]) == status
    assert message in capsys.readouterr().err
