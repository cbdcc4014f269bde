"""Who joins, is renamed or changes places while a game is played: entries like all others, in every page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion.api import BadCorrection, Correction, Move, Seat
from companion.api.registry import find_game
from companion.cli import main
from companion.commands.replay import build_replay, format_lines
from companion.events import SEAT_BUTTONS, Button
from companion.journal.database import JOURNAL_FILE, Journal
from companion.journal.entry import EntryContent, EntryKind, GameSetup, JournalUnwritable, NothingToUndo, SeatChange
from companion.journal.exported_game import build_export
from companion.journal.game_summary import summarise_game
from companion.journal.known_players import load_known_players
from companion.journal.saved_game import SavedGame
from companion.journal.seating import Seating, read_seating
from companion.journal.statistics import compute_rounds, list_score_changes
from companion.lobby.set_aside_games import list_set_aside
from companion.testing.table import open_tables

S1, S2, S3, S4, S5, S6 = SEAT_BUTTONS
CLEO = SeatChange(seat=2, name="Cleo", button=S3)
MACROSCOPE = find_game("macroscope")
ROLL, TAKE = Move("roll", Seat(0), (2, 5)), Move("remove", Seat(0), (2,))


def begin(journal: Journal, game: str = "macroscope", players: int = 2, **settings: Any) -> SavedGame:
    names, buttons = ("Ada", "Bob", "Cleo", "Dan", "Eve", "Finn")[:players], SEAT_BUTTONS[:players]
    setup = GameSetup.model_validate({"game": game, "players": names, "buttons": buttons, "settings": settings})
    return SavedGame.begin(journal, setup, find_game(game))


def play_round(saved: SavedGame) -> None:
    """The active player guesses at once, and is right."""
    who = saved.game.get_active_seat()
    saved.play_move(Move("roll", who, (2, 5)))
    for kind, seat, value in (
        ("remove", who, (saved.game.list_moves()[0].value[0],)),
        ("guess", who, ()),
        ("close", who, ()),
        ("cover", None, ()),
        ("right", who, ()),
    ):
        saved.play_move(Move(kind, seat, value))


def test_who_joins_has_the_crystals_of_the_start_and_all_others_keep_theirs(tmp_path: Path) -> None:
    with Journal(tmp_path / "j") as journal:
        saved = begin(journal)
        play_round(saved)
        before = saved.game.totals
        saved.change_seat(CLEO)
        assert saved.game.totals == (*before, 2)
        assert saved.game.changes == (0, 0, 0)
        assert saved.players == ("Ada", "Bob", "Cleo")
        assert saved.last_move_text == "Cleo joins"
        assert saved.game.find_next_seat(Seat(1)) == 2
        # The round before she came has her with nothing won, and so has the table of rounds.
        assert compute_rounds(saved.replay) == ((*(n - 2 for n in before), 0),)
        assert [line.total for line in list_score_changes(saved.replay, Seat(2))] == [2]
        play_round(saved)
        assert len(saved.game.totals) == 3


def test_it_is_undone_redone_restarted_and_exported(tmp_path: Path) -> None:
    with Journal(tmp_path / "j") as journal:
        saved = begin(journal)
        saved.play_move(ROLL)
        before = saved.game
        saved.change_seat(CLEO)
        saved.play_move(TAKE)
        after = saved.game
        assert saved.undo().startswith("Ada")
        assert saved.undo() == "Cleo joins"
        assert (saved.game, saved.players, saved.buttons) == (before, ("Ada", "Bob"), (S1, S2))
        assert saved.redo() == "Cleo joins"
        saved.redo()
        again = SavedGame(journal, saved.id, MACROSCOPE)
        assert (again.game, again.seating) == (after, saved.seating)
        exported = build_replay(build_export(journal, saved.id))
        assert exported["players"] == ["Ada", "Bob", "Cleo"]
        assert exported["scores"] == [2, 2, 2]
        lines = "\n".join(format_lines(exported))
        assert "Undone: Cleo joins" in lines
        assert "Played again: Cleo joins" in lines
        summary = summarise_game(journal, journal.get_game(saved.id), find_game, None)
        assert summary["players"] == ["Ada", "Bob", "Cleo"]


def begin_and_undo_two_moves(journal: Journal) -> SavedGame:
    saved = begin(journal)
    saved.play_move(ROLL)
    saved.play_move(TAKE)
    saved.undo()
    saved.undo()
    return saved


def test_what_was_undone_before_another_move_is_played_in_its_place_can_still_be_redone(tmp_path: Path) -> None:
    with Journal(tmp_path / "j") as journal:
        saved = begin(journal)
        with pytest.raises(NothingToUndo):
            saved.redo_as(ROLL)
        saved.play_move(ROLL)
        saved.correct(Correction("dice", None, (2, 6)))
        saved.change_seat(CLEO)
        saved.play_move(TAKE)
        for _step in range(4):
            saved.undo()
        assert saved.redo_as(Move("roll", Seat(0), (2, 2))) == "Ada rolls 2 and 2"
        game: Any = saved.game
        assert (game.dice, len(saved.replay.undone_steps)) == ((2, 2), 3)
        for _step in range(3):
            saved.redo()
        game = saved.game
        assert (game.dice, saved.players, game.opened_windows) == ((2, 6), ("Ada", "Bob", "Cleo"), 1)
        for _step in range(4):
            saved.undo()
        saved.redo_as(Move("roll", Seat(0), (3, 4)))
        assert len(saved.replay.undone_steps) == 3, "the token counts once the dice are corrected"
        saved.undo()
        assert SavedGame(journal, saved.id, MACROSCOPE).game == saved.game


def test_a_move_in_place_of_what_was_undone_is_written_with_what_can_still_be_redone_or_not_at_all(
    tmp_path: Path,
) -> None:
    """The plug pulled in between had left moves in the game that were undone."""
    with Journal(tmp_path / "j") as journal:
        saved = begin_and_undo_two_moves(journal)
        before = saved.game
        journal._connection.execute(
            "CREATE TEMP TRIGGER full BEFORE INSERT ON entries WHEN NEW.what LIKE '%undo%'"
            " BEGIN SELECT RAISE(ABORT, 'disk full'); END"
        )
        with pytest.raises(JournalUnwritable):
            saved.redo_as(Move("roll", Seat(0), (2, 2)))
        again = SavedGame(journal, saved.id, MACROSCOPE)
        assert (saved.game, again.game, len(again.replay.undone_steps)) == (before, before, 2)


def test_what_is_no_longer_possible_then_cannot_be_redone(tmp_path: Path) -> None:
    with Journal(tmp_path / "j") as journal:
        saved = begin_and_undo_two_moves(journal)
        saved.redo_as(Move("roll", Seat(0), (3, 4)))
        assert (saved.last_played, saved.can_redo) == (Move("roll", Seat(0), (3, 4)), False)


def test_who_joined_is_known_later_and_stands_in_the_list_of_unfinished_games(tmp_path: Path) -> None:
    with Journal(tmp_path / "j") as journal:
        saved = begin(journal)
        saved.change_seat(CLEO)
        saved.change_seat(SeatChange(seat=0, name="Anna", button=S6))
        saved.change_seat(SeatChange(seat=1, name="Rob", button=S2))
        saved.undo()
        saved.set_aside()
        known = load_known_players(journal)
        assert set(known.names) == {"Anna", "Bob", "Cleo"}
        assert known.by_button[S6] == "Anna"
        assert list_set_aside(journal)[0][1].endswith("Anna, Bob, Cleo")
        assert read_seating(journal, journal.get_game(saved.id)) == SavedGame(journal, saved.id, MACROSCOPE).seating


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (SeatChange(seat=2, name="Bob", button=S3), "Bob sits here already"),
        (SeatChange(seat=0, name="Bob", button=S1), "Bob sits here already"),
        (SeatChange(seat=2, name="Cleo", button=S2), "not free"),
        (SeatChange(seat=3, name="Cleo", button=S3), "not free"),
        (SeatChange(seat=2, name="Cleo", button=Button.OK), "not free"),
        (SeatChange(seat=0, name="Ada", button=Button.OK), "not free"),
    ],
)
def test_impossible_changes_write_no_entry(tmp_path: Path, change: SeatChange, reason: str) -> None:
    with Journal(tmp_path / "j") as journal:
        saved = begin(journal)
        with pytest.raises(BadCorrection, match=reason):
            saved.change_seat(change)
        assert journal.read_entries(saved.id) == ()


@pytest.mark.parametrize(
    ("game", "players", "settings"),
    [
        ("starfall", 2, {}),
        ("macroscope", 2, {"players_max": 2}),
        ("score_keeper", 2, {"late_joiners": "no"}),
        ("score_keeper", 3, {"teams": True}),
        ("hearts", 3, {}),
        ("memo_dice", 2, {}),
    ],
)
def test_games_in_which_nobody_can_join(tmp_path: Path, game: str, players: int, settings: dict[str, Any]) -> None:
    with Journal(tmp_path / "j") as journal:
        saved = begin(journal, game, players, **settings)
        assert not saved.replay.can_join
        with pytest.raises(BadCorrection, match=r"Nobody can join|not free"):
            saved.change_seat(SeatChange(seat=players, name="Zoe", button=SEAT_BUTTONS[-1]))


def test_nobody_joins_a_game_that_is_over(tmp_path: Path) -> None:
    with Journal(tmp_path / "j") as journal:
        saved = begin(journal, "score_keeper", target_points=1)
        assert saved.replay.can_join
        saved.play_move(Move("point", Seat(0)))
        with pytest.raises(BadCorrection, match="Nobody can join"):
            saved.change_seat(CLEO)


@pytest.mark.parametrize(
    ("settings", "first"),
    [({}, 0), ({"late_joiners": "as_last"}, 3), ({"late_joiners": "as_last", "lowest_wins": True}, 7)],
)
def test_the_house_rule_of_the_score_keeper(tmp_path: Path, settings: dict[str, Any], first: int) -> None:
    with Journal(tmp_path / "j") as journal:
        saved = begin(journal, "score_keeper", by_rounds=True, **settings)
        saved.play_move(Move("add", Seat(0), (7,)))
        saved.play_move(Move("add", Seat(1), (3,)))
        saved.play_move(Move("round"))
        saved.change_seat(CLEO)
        assert saved.game.totals == (7, 3, first)
        saved.play_move(Move("add", Seat(2), (5,)))
        assert saved.game.totals == (7, 3, first + 5)
        saved.play_move(Move("round"))
        assert compute_rounds(saved.replay) == ((7, 3, 0), (0, 0, 5))


@pytest.mark.parametrize(("game", "first"), [("pig", 0), ("farkle", 0), ("ten_thousand", 0), ("rummy", 0)])
def test_files_say_so_with_a_keyword(tmp_path: Path, game: str, first: int) -> None:
    with Journal(tmp_path / "j") as journal:
        saved = begin(journal, game)
        saved.change_seat(CLEO)
        assert saved.game.totals == (0, 0, first)


def test_who_is_last_in_rummy_says_where_a_late_player_begins(tmp_path: Path) -> None:
    with Journal(tmp_path / "j") as journal:
        saved = begin(journal, "rummy", 3)
        for hands in ((0, 10, 20), (5, 0, 7), (3, 4, 0)):
            for seat, hand in enumerate(hands):
                saved.play_move(Move("enter", Seat(seat), (hand,)))
                if not hand:
                    saved.play_move(Move("enter", Seat(seat), (0,)))  # not all cards in one turn
        assert list(saved.game.totals) == [30, 12, 7]
        saved.play_move(Move("enter", Seat(2), (0,)))
        saved.play_move(Move("enter", Seat(2), (0,)))
        saved.play_move(Move("enter", Seat(0), (4,)))
        saved.change_seat(SeatChange(seat=3, name="Dan", button=S6))
        saved.play_move(Move("enter", Seat(1), (6,)))
        assert saved.game.totals == (30, 12, 7, 7), "the round waits for Dan"
        saved.play_move(Move("enter", Seat(3), (1,)))
        assert saved.game.totals == (30, 12, 18, 7)


# Round the table --------------------------------------------------------------------------------------------------


def seat_all(*buttons: Button) -> Seating:
    seats = tuple(map(Seat, range(len(buttons))))
    return Seating(tuple("ABCDEF"[: len(buttons)]), buttons, seats)


@pytest.mark.parametrize(
    ("buttons", "new", "order"),
    [
        ((S1, S4), S2, (0, 2, 1)),
        ((S1, S2), S6, (0, 1, 2)),
        ((S2, S3), S1, (0, 1, 2)),
        ((S4, S6, S2), S5, (0, 3, 1, 2)),
        ((S5, S3, S1), S4, (0, 3, 1, 2)),  # the buttons lie the other way round the table
        ((S5, S3, S1), S6, (3, 0, 1, 2)),
    ],
)
def test_who_joins_sits_where_the_button_lies(buttons: tuple[Button, ...], new: Button, order: tuple[int, ...]) -> None:
    after = seat_all(*buttons).apply(SeatChange(seat=len(buttons), name="Zoe", button=new))
    at = after.order.index(Seat(0))
    assert (*after.order[at:], *after.order[:at]) == (*order[order.index(0) :], *order[: order.index(0)])


def test_two_change_places_and_their_turns_with_them(tmp_path: Path) -> None:
    with Journal(tmp_path / "j") as journal:
        saved = begin(journal, players=3)
        saved.change_seat(SeatChange(seat=1, name="Bob", button=S3))
        assert saved.buttons == (S1, S3, S2)
        assert saved.last_move_text == "Bob and Cleo change places"
        assert saved.seating.clockwise == ((S1, "Ada"), (S2, "Cleo"), (S3, "Bob"))
        assert [saved.game.find_next_seat(Seat(q)) for q in (0, 2, 1)] == [2, 1, 0]
        saved.change_seat(SeatChange(seat=0, name="Ada", button=S6))
        assert saved.last_move_text == "Ada moves to another button"
        assert [saved.game.find_next_seat(Seat(q)) for q in (2, 1, 0)] == [1, 0, 2]
        saved.undo()
        saved.undo()
        assert (saved.buttons, saved.game.find_next_seat(Seat(0))) == ((S1, S2, S3), 1)


def test_a_name_changes_in_every_game(tmp_path: Path) -> None:
    with Journal(tmp_path / "j") as journal:
        saved = begin(journal, "starfall")
        saved.change_seat(SeatChange(seat=1, name="Rob", button=S2))
        assert (saved.players, saved.last_move_text) == (("Ada", "Rob"), "Bob is called Rob now")
        assert saved.game == saved.replay.start


def test_an_entry_has_a_change_if_it_is_one() -> None:
    with pytest.raises(ValueError, match="needs `seated`"):
        EntryContent(kind=EntryKind.SEATED)
    with pytest.raises(ValueError, match="needs `seated`"):
        EntryContent(kind=EntryKind.UNDO, seated=CLEO)
    content = EntryContent(kind=EntryKind.SEATED, seated=CLEO)
    assert EntryContent.from_json(content.model_dump_json(exclude_none=True)) == content


def test_the_next_game_begins_as_they_sit_now(tmp_path: Path) -> None:
    with open_tables(tmp_path) as make_table:
        table = make_table(2, camera=False, buttons=(S1, S4))
        table.saved_game.change_seat(SeatChange(seat=2, name="Cleo", button=S2))
        assert [name for _button, name in table.saved_game.seating.clockwise] == ["Ada", "Cleo", "Bob"]


# Names of today ---------------------------------------------------------------------------------------------------


def test_players_of_one_table_stay_two_though_their_names_are_one(tmp_path: Path) -> None:
    """Else a club refuses the result for ever, and no seat can be changed."""
    with Journal(tmp_path / "j") as journal:
        journal.player_names.rename("Bob", "Cleo")
        saved = begin(journal, players=3)
        assert saved.players == saved.replay.setup.players == ("Ada", "Bob", "Cleo")
        assert read_seating(journal, saved.record).players == ("Ada", "Bob", "Cleo")
        saved.change_seat(SeatChange(seat=1, name="Bob", button=S5))
        assert saved.buttons == (S1, S5, S3)
        summary = summarise_game(journal, saved.record, find_game, None)
        assert journal.player_names.unify([summary])[0]["players"] == ["Ada", "Bob", "Cleo"]
        with pytest.raises(BadCorrection, match="Cleo sits here already"):
            saved.change_seat(SeatChange(seat=0, name="bob", button=S1))


def test_a_replay_is_printed_with_the_names_of_today(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with Journal(tmp_path / JOURNAL_FILE) as journal:
        begin(journal)
        journal.player_names.rename("Bob", "Robert")
    main(["replay", "--data", str(tmp_path), "1"])
    assert "Ada, Robert" in capsys.readouterr().out
