"""From stage to stage: resume, lobby, game, result, and again."""

from __future__ import annotations

import itertools
import random

import pytest

from companion.api.registry import UnknownGame
from companion.app.session import Session, SessionConfig
from companion.app.table_services import TableServices
from companion.events import Button, ButtonPressed, ButtonReleased, CameraState, CameraStateChanged, DeviceLost
from companion.games.macroscope import GAME
from companion.games.macroscope.settings import Settings
from companion.journal import schema
from companion.journal.database import Journal
from companion.lobby import Lobby, ResumePrompt
from companion.referee.referee import Referee
from companion.screen_state import CameraView, ScreenKind
from companion.vision.reading import ProblemKind, ViewProblem


def session(journal: Journal, **settings: object) -> Session:
    return Session(SessionConfig(GAME, (), Settings(**settings)), journal, TableServices(lambda: 0.0, random.Random(1)))


def press(table: Session, *buttons: Button) -> None:
    for button in buttons:
        at = next(TIMES)
        table.step([ButtonPressed(button, at)])
        table.step([ButtonReleased(button, at + 0.1)])


TIMES = itertools.count()
START = (Button.SEAT1, Button.SEAT2, Button.OK, Button.OK)


def test_an_session_begins_in_the_lobby(journal: Journal) -> None:
    assert isinstance(session(journal).stage, Lobby)


def test_a_start_begins_a_journalled_saved_game(journal: Journal) -> None:
    table = session(journal)
    press(table, *START)
    assert isinstance(table.stage, Referee)
    assert journal.find_resumable_game() is not None


def test_house_rules_for_fewer_players_are_reported_and_the_lobby_comes_back(journal: Journal) -> None:
    """`players_max` of the settings file: the program must not fall over it."""
    table = session(journal, players_max=2)
    press(table, Button.SEAT1, Button.SEAT2, Button.SEAT3, Button.OK, Button.OK)
    assert isinstance(table.stage, Lobby)
    assert table.build_screen_state(CameraView()).notice == "Macroscope is for 2 players, not 3"
    press(table, Button.SEAT3, Button.OK, Button.OK)
    assert isinstance(table.stage, Referee)


def test_the_first_player_is_drawn(journal: Journal) -> None:
    """Macroscope M6."""
    firsts = set()
    for seed in range(20):
        table = Session(SessionConfig(GAME, (), Settings()), journal, TableServices(lambda: 0.0, random.Random(seed)))
        if isinstance(table.stage, ResumePrompt):
            press(table, Button.NO)
        press(table, *START)
        assert table.saved_game is not None
        firsts.add(table.saved_game.setup.first)
    assert firsts == {0, 1}


def test_after_the_plug_was_pulled_the_game_is_back(journal: Journal) -> None:
    before = session(journal)
    press(before, *START, Button.SEAT3, Button.SEAT4)
    assert before.saved_game is not None
    after = session(journal)
    assert after.build_screen_state(CameraView()).kind is ScreenKind.RESUME
    press(after, Button.OK)
    assert after.saved_game is not None
    assert after.saved_game.game == before.saved_game.game


def test_an_interrupted_game_may_be_put_away(journal: Journal) -> None:
    press(session(journal), *START)
    after = session(journal)
    press(after, Button.NO)
    assert isinstance(after.stage, Lobby)
    assert isinstance(session(journal).stage, Lobby)


def test_a_finished_game_is_not_offered_again(journal: Journal) -> None:
    table = session(journal, rounds=1, dice="off")
    press(table, *START, Button.SEAT1)
    active = table.saved_game.game.active_seat if table.saved_game else 0
    press(table, list(Button)[active], Button.OK, Button.OK, Button.NO)
    assert table.build_screen_state(CameraView()).kind is ScreenKind.RESULT
    assert isinstance(session(journal).stage, Lobby)


def test_a_finished_game_can_be_undone_after_a_restart(journal: Journal) -> None:
    table = session(journal, rounds=1, dice="off")
    press(table, *START, Button.SEAT1)
    active = table.saved_game.game.active_seat if table.saved_game else 0
    press(table, list(Button)[active], Button.OK, Button.OK, Button.NO)
    after = session(journal)
    press(after, Button.MINUS, Button.SEAT5)
    assert after.build_screen_state(CameraView()).kind is ScreenKind.RESULT
    assert after.saved_game is not None
    after.saved_game.undo()
    assert after.build_screen_state(CameraView()).kind is ScreenKind.PLAY


def test_a_saved_game_of_a_game_that_is_not_installed_is_reported_and_left_alone(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    press(session(journal), *START)

    def nowhere(name: str) -> None:
        raise UnknownGame(f"there is no game {name!r} here")

    monkeypatch.setattr("companion.app.stage_flow.find_game", nowhere)
    after = session(journal)
    assert isinstance(after.stage, Lobby)
    assert "macroscope" in (after.build_screen_state(CameraView()).notice or "")


def test_last_game_with_an_entry_of_a_newer_version_is_kept_and_said(journal: Journal) -> None:
    press(session(journal), *START)
    row = schema.add_checksum((1, 1, '{"kind":"swap","seats":[0,1]}', 1e9, 1.0, "boot"))
    journal._connection.execute(schema.INSERT_ENTRY, row)
    after = session(journal)
    assert isinstance(after.stage, Lobby)
    assert after.build_screen_state(CameraView()).notice == (
        "The last game cannot go on: entry 1 is of a newer version: update the companion (the game is kept)"
    )
    press(after, *START)
    assert isinstance(after.stage, Referee)
    assert [record.id for record in journal.list_games()] == [1, 2]


def test_same_again_keeps_seats_and_house_rules(journal: Journal) -> None:
    table = session(journal, rounds=1, dice="off")
    press(table, *START, Button.SEAT1)
    assert table.saved_game is not None
    first = table.saved_game
    press(table, list(Button)[first.game.active_seat], Button.OK, Button.OK, Button.NO, Button.OK, Button.OK)
    assert table.saved_game is not None
    assert table.saved_game.id != first.id
    assert (table.saved_game.setup.players, table.saved_game.setup.settings) == (
        first.setup.players,
        first.setup.settings,
    )


def test_a_new_game_after_the_result_starts_in_the_lobby(journal: Journal) -> None:
    table = session(journal, rounds=1, dice="off")
    press(table, *START, Button.SEAT1)
    assert table.saved_game is not None
    press(table, list(Button)[table.saved_game.game.active_seat], Button.OK, Button.OK, Button.NO, Button.NO)
    assert isinstance(table.stage, Lobby)


def test_the_next_stage_knows_what_the_camera_said(journal: Journal) -> None:
    table = session(journal)
    table.step([CameraStateChanged(CameraState.STEADY, 0.0, lid_known=True)])
    press(table, *START)
    assert isinstance(table.stage, Referee)
    assert table.stage.visibility.tokens


def test_the_next_stage_knows_what_is_missing(journal: Journal) -> None:
    table = session(journal)
    table.step([DeviceLost("camera", 0.0)])
    press(table, *START)
    assert "camera" in (table.build_screen_state(CameraView()).notice or "")


def test_a_notice_stays_until_somebody_presses(journal: Journal) -> None:
    table = session(journal)
    table.notice = "The journal was damaged."
    table.step([])
    assert table.build_screen_state(CameraView()).notice == "The journal was damaged."
    press(table, Button.SEAT1)
    assert table.build_screen_state(CameraView()).notice is None


def presses_to_the_next_start(table: Session, *buttons: Button) -> int:
    assert table.build_screen_state(CameraView()).kind is ScreenKind.RESULT
    for count, button in enumerate(buttons, 1):
        press(table, button)
        if table.build_screen_state(CameraView()).kind is ScreenKind.PLAY:
            return count
    raise AssertionError(table.build_screen_state(CameraView()).prompt)


@pytest.mark.parametrize(
    "buttons", [(Button.OK, Button.OK), (Button.NO, Button.OK, Button.OK)], ids=["same again", "through the lobby"]
)
def test_from_a_result_to_the_next_start_in_three_presses(journal: Journal, buttons: tuple[Button, ...]) -> None:
    table = session(journal, rounds=1, dice="off")
    press(table, *START, Button.SEAT1)
    active = table.saved_game.game.active_seat if table.saved_game else 0
    press(table, list(Button)[active], Button.OK, Button.OK, Button.NO)
    assert presses_to_the_next_start(table, *buttons) <= 3
    assert table.saved_game is not None
    assert table.saved_game.setup.buttons == (Button.SEAT1, Button.SEAT2)


def test_a_game_that_was_put_away_goes_on_from_the_lobby(journal: Journal) -> None:
    first = session(journal)
    press(first, *START, Button.SEAT3, Button.SEAT4)
    assert first.saved_game is not None
    played = first.saved_game.game
    first.step([])
    later = session(journal)
    press(later, Button.NO)  # put it away
    press(later, Button.SEAT1, Button.SEAT2, Button.OK, Button.OK)  # and play another
    assert later.saved_game is not None
    later.saved_game.set_aside()
    after = session(journal)
    press(after, Button.MINUS)
    menu = after.build_screen_state(CameraView()).menu
    assert menu is not None
    assert len([line for line in menu.items if line.startswith("Macroscope of")]) == 2
    press(after, *[Button.MINUS] * (len(menu.items) - 1), Button.OK)
    assert after.saved_game is not None
    assert after.saved_game.game == played
    again = session(journal)
    press(again, Button.OK)
    assert again.saved_game is not None
    assert again.saved_game.id == after.saved_game.id, "it is the one that was played last, though not the newest"


DARK = CameraView(problem=ViewProblem(ProblemKind.DARK, "Switch on a lamp", (0, 0, 9, 9)))
BLURRED = CameraView(problem=ViewProblem(ProblemKind.BLURRED, "Wipe the lens", (0, 0, 9, 9)))


def test_what_is_wrong_with_the_view_is_reported_until_it_is_mended(journal: Journal) -> None:
    table = session(journal)
    assert table.build_screen_state(DARK).notice == "Switch on a lamp"
    press(table, Button.SEAT1)
    assert table.build_screen_state(DARK).notice == "Switch on a lamp", "people come and go while the table is set up"
    assert table.build_screen_state(CameraView()).notice is None


def test_in_a_game_each_fault_of_the_view_is_reported_until_a_press(journal: Journal) -> None:
    table = session(journal)
    press(table, *START)
    assert table.build_screen_state(DARK).notice == "Switch on a lamp"
    press(table, Button.PLUS)
    assert table.build_screen_state(DARK).notice != "Switch on a lamp"
    assert table.build_screen_state(DARK).camera_view.problem is DARK.problem, "the camera's corner goes on telling it"
    assert table.build_screen_state(BLURRED).notice == "Wipe the lens"
    table.build_screen_state(CameraView())
    assert table.build_screen_state(DARK).notice == "Switch on a lamp", "it was mended, and is back"


def test_more_pressing_notices_come_first(journal: Journal) -> None:
    table = session(journal)
    table.notice = "The disk is full"
    assert table.build_screen_state(DARK).notice == "The disk is full"
