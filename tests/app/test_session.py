"""From stage to stage: resume, lobby, game, result, and again.

Also here: a start after the plug was pulled (resume.py), and games that were set aside (set_aside_games.py).
"""

from __future__ import annotations

import functools
import random
from pathlib import Path

import pytest

from companion.api import LATE_PRESS_SECONDS, AnyGameDefinition, registry
from companion.api.registry import UnknownGame
from companion.events import (
    SEAT_BUTTONS,
    Button,
    ButtonHeld,
    ButtonReleased,
    CameraState,
    CameraStateChanged,
    DeviceLost,
)
from companion.journal import exported_game, schema
from companion.journal.database import Journal
from companion.journal.entry import EntryKind, InvalidSavedGame
from companion.journal.saved_game import SavedGame
from companion.lobby import Lobby
from companion.lobby.set_aside_games import list_set_aside
from companion.referee.referee import Referee
from companion.screen_state import CameraView, ScreenKind
from companion.testing.table import TableUnderTest
from companion.vision.reading import ProblemKind, ViewProblem
from tests.app.session_table import START, SessionTable


def play_to_the_result(journal: Journal) -> SessionTable:
    """Play a game of one round, which shows its result then."""
    table = SessionTable(journal, rules={"rounds": 1, "dice": "off"})
    table.press(*START, Button.SEAT1)
    table.press(table.game.setup.buttons[table.game.game.active_seat], Button.OK)
    table.clock.now += LATE_PRESS_SECONDS
    table.press(Button.OK, Button.NO)
    assert table.state.kind is ScreenKind.RESULT
    return table


def test_house_rules_for_fewer_players_are_reported_and_the_lobby_comes_back(journal: Journal) -> None:
    """`players_max` of the settings file: the program must not fall over it."""
    table = SessionTable(journal, rules={"players_max": 2})
    table.press(Button.SEAT1, Button.SEAT2, Button.SEAT3, Button.OK, Button.OK)
    assert isinstance(table.stage, Lobby)
    assert table.state.notice == "Macroscope is for 2 players, not 3"
    table.press(Button.SEAT3, Button.OK, Button.OK)
    assert isinstance(table.stage, Referee)


class FirstSeatDrawn(random.Random):
    """Draws the first seat each time."""

    def randrange(self, start: int, stop: int | None = None, step: int = 1) -> int:
        return start if stop is not None else 0


def test_the_first_player_is_drawn(tmp_path: Path) -> None:
    """Macroscope M6."""
    firsts = set()
    for seed in range(12):
        with Journal(tmp_path / f"{seed}.sqlite3") as journal:
            table = SessionTable(journal, rng=random.Random(seed))
            table.press(*START)
            firsts.add(table.game.setup.first)
    assert firsts == {0, 1}


def test_after_the_plug_was_pulled_the_game_is_back(journal: Journal) -> None:
    before = SessionTable(journal)
    before.press(*START, Button.SEAT3, Button.SEAT4)
    after = SessionTable(journal)
    assert after.state.kind is ScreenKind.RESUME
    after.press(Button.OK)
    assert after.game.game == before.game.game


def test_a_finished_game_can_be_undone_after_a_restart(journal: Journal) -> None:
    play_to_the_result(journal)
    after = SessionTable(journal)
    assert isinstance(after.stage, Lobby), "it is not offered to go on"
    after.press(Button.MINUS, Button.SEAT5)
    assert after.state.kind is ScreenKind.RESULT
    after.game.undo()
    assert after.state.kind is ScreenKind.PLAY


def remove_all_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no game be installed when a saved one is loaded."""

    def find_nothing(name: str) -> AnyGameDefinition:
        raise UnknownGame(f"there is no game {name!r} here")

    find = functools.partial(exported_game.find_definition, find_game=find_nothing)
    monkeypatch.setattr(exported_game, "find_definition", find)


def test_a_saved_game_of_a_game_that_is_not_installed_is_reported_and_left_alone(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    SessionTable(journal).press(*START)

    remove_all_games(monkeypatch)
    after = SessionTable(journal)
    assert isinstance(after.stage, Lobby)
    assert "macroscope" in (after.state.notice or "")


def test_a_game_that_could_not_go_on_is_found_again_after_another_was_begun(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As after an upgrade that was taken back, or without a package for one evening."""
    SessionTable(journal).press(*START)

    with monkeypatch.context() as patch:
        remove_all_games(patch)
        SessionTable(journal)
        assert journal.find_resumable_game() == 1, "the next start asks about it if nothing else is played"
        SessionTable(journal).press(*START)
    assert [record.id for record in journal.list_games()] == [1, 2]
    assert [number for number, _label in list_set_aside(journal)] == [1]


def test_a_game_that_could_not_go_on_is_found_again_after_an_older_one_went_on(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    SessionTable(journal).press(*START)
    SessionTable(journal).press(Button.NO, *START)  # put it away, and play another
    with monkeypatch.context() as patch:
        patch.setattr("companion.app.resume.load_saved_game", refuse_game_2)
        table = SessionTable(journal)
        table.press(Button.MINUS)
        table.press(*[Button.MINUS] * (len(table.menu.items) - 1), Button.OK)
        assert table.game.id == 1
        table.game.set_aside()
    assert [number for number, _label in list_set_aside(journal)] == [2, 1]


def refuse_game_2(journal: Journal, number: int) -> SavedGame:
    """Load a game, but for the second, as if its package were gone."""
    if number == 2:
        raise InvalidSavedGame("there is no such game here")
    return exported_game.load_saved_game(journal, number)


def test_last_game_with_an_entry_of_a_newer_version_is_kept_and_said(journal: Journal) -> None:
    SessionTable(journal).press(*START)
    row = schema.add_checksum((1, 1, '{"kind":"swap","seats":[0,1]}', 1e9, 1.0, "boot"))
    journal._connection.execute(schema.INSERT_ENTRY, row)
    after = SessionTable(journal)
    assert isinstance(after.stage, Lobby)
    assert after.state.notice == (
        "The last game cannot go on: entry 1 is of a newer version: update the companion (the game is kept)"
    )
    after.press(*START)
    assert isinstance(after.stage, Referee)
    assert [record.id for record in journal.list_games()] == [1, 2]
    last = journal.read_last_entry(1)
    assert last is not None
    assert last.what.kind is EntryKind.SET_ASIDE, "the newer version finds it again"


@pytest.mark.parametrize(
    "buttons", [(Button.OK, Button.OK), (Button.NO, Button.OK, Button.OK)], ids=["same again", "through the lobby"]
)
def test_from_a_result_to_the_next_start_in_three_presses(journal: Journal, buttons: tuple[Button, ...]) -> None:
    table = play_to_the_result(journal)
    first = table.game
    table.press(*buttons)
    assert table.state.kind is ScreenKind.PLAY
    assert table.game.id != first.id
    assert table.game.setup.buttons == (Button.SEAT1, Button.SEAT2)
    assert (table.game.setup.players, table.game.setup.settings) == (first.setup.players, first.setup.settings)


def test_the_next_stage_knows_what_the_camera_said_and_what_is_missing(journal: Journal) -> None:
    table = SessionTable(journal)
    table.session.step([CameraStateChanged(CameraState.STEADY, 0.0, lid_known=True), DeviceLost("camera", 0.0)])
    table.press(*START)
    assert table.stage.visibility.tokens
    assert "camera" in (table.state.notice or "")


def test_a_button_that_is_down_from_the_start_is_named_on_each_screen(journal: Journal) -> None:
    """It was held when its source was opened: no press has told a stage of it."""
    table = SessionTable(journal)
    table.session.step([ButtonHeld(Button.SEAT6, table.clock.now)])
    table.wait(1.0)
    held = "Button 6 stays down: stuck, or wired to N.C. instead of N.O."
    assert table.state.notice == held
    table.press(*START)
    assert (table.state.kind, table.state.notice) == (ScreenKind.PLAY, held)
    table.session.step([ButtonReleased(Button.SEAT6, table.clock.now)])
    assert table.state.notice is None


def test_a_notice_stays_until_somebody_presses(journal: Journal) -> None:
    table = SessionTable(journal)
    table.session.notice = "The journal was damaged."
    table.session.step([])
    assert table.state.notice == "The journal was damaged."
    assert table.session.build_screen_state(DARK).notice == "The journal was damaged.", "before that of the view"
    table.press(Button.SEAT1)
    assert table.state.notice is None


def test_a_game_that_was_put_away_goes_on_from_the_lobby(journal: Journal) -> None:
    first = SessionTable(journal)
    first.press(*START, Button.SEAT3, Button.SEAT4)
    later = SessionTable(journal)
    later.press(Button.NO)  # put it away
    later.press(*START)  # and play another
    later.game.set_aside()
    after = SessionTable(journal)
    after.press(Button.MINUS)
    assert len([line for line in after.menu.items if line.startswith("Macroscope of")]) == 2
    after.press(*[Button.MINUS] * (len(after.menu.items) - 1), Button.OK)
    assert after.game.game == first.game.game
    again = SessionTable(journal)
    again.press(Button.OK)
    assert again.game.id == after.game.id, "it is the one that was played last, though not the newest"


DARK = CameraView(problem=ViewProblem(ProblemKind.DARK, "Switch on a lamp", (0, 0, 9, 9)))
BLURRED = CameraView(problem=ViewProblem(ProblemKind.BLURRED, "Wipe the lens", (0, 0, 9, 9)))


def test_one_press_leads_back_to_a_game_that_was_just_left(journal: Journal) -> None:
    table = SessionTable(journal)

    def get_label() -> str:
        return next(key.label for key in table.state.soft_keys if key.button is Button.NO)

    table.press(*START)
    left = table.game.id
    table.press(Button.MINUS, Button.PLUS, Button.OK)
    assert (isinstance(table.stage, Lobby), get_label()) == (True, "Back to game")
    table.press(Button.SEAT3)
    assert get_label() == "Remove last", "they want to play something else"
    table.press(Button.SEAT3)
    assert get_label() == "Back to game"
    table.press(Button.NO)
    assert (isinstance(table.stage, Referee), table.game.id) == (True, left)
    for button in (Button.MINUS, Button.PLUS, Button.OK, Button.OK):
        table.press(button)
    table.press(Button.NO)
    assert get_label() == "Remove last", "another game was about to begin"


def test_what_is_wrong_with_the_view_is_reported_until_it_is_mended(journal: Journal) -> None:
    table = SessionTable(journal)
    assert table.session.build_screen_state(DARK).notice == "Switch on a lamp"
    table.press(Button.SEAT1)
    assert table.session.build_screen_state(DARK).notice == "Switch on a lamp", (
        "people come and go while the table is set up"
    )
    assert table.state.notice is None


def test_in_a_game_each_fault_of_the_view_is_reported_until_a_press(journal: Journal) -> None:
    table = SessionTable(journal)
    table.press(*START)
    show = table.session.build_screen_state
    assert show(DARK).notice == "Switch on a lamp"
    table.press(Button.PLUS)
    assert show(DARK).notice != "Switch on a lamp"
    assert show(DARK).camera_view.problem is DARK.problem, "the camera's corner goes on telling it"
    assert show(BLURRED).notice == "Wipe the lens"
    show(CameraView())
    assert show(DARK).notice == "Switch on a lamp", "it was mended, and is back"


@pytest.mark.parametrize("name", [game.name for game in registry.load_games()])
def test_a_test_table_plays_what_a_new_game_of_a_session_plays(journal: Journal, tmp_path: Path, name: str) -> None:
    """R22: else tests of referees, random players and plug-ins would prove rules that nobody plays by."""
    definition = registry.find_game(name)
    players = min(definition.player_counts)
    table = SessionTable(journal, definition, rng=FirstSeatDrawn(4))
    table.press(*SEAT_BUTTONS[:players])
    while table.session.saved_game is None:  # Pictomania's material is asked about
        table.press(Button.OK)
    assert table.game.game == TableUnderTest(tmp_path / "other", players, definition=definition).game
