"""Options of a session: what it starts with, what it finds in the journal, and how café mode ends one.

Also here: the question whether an interrupted game goes on (`companion.lobby.resume_prompt`).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion.api import LATE_PRESS_SECONDS, Move, Seat
from companion.api.registry import find_game, load_games
from companion.app.session import Session, SessionConfig
from companion.app.table_services import TableServices
from companion.config.settings import CafeSettings
from companion.events import SEAT_BUTTONS, Button, DiceRead
from companion.games.macroscope.settings import Settings
from companion.games.pictomania import GAME as PICTOMANIA
from companion.i18n import current_language
from companion.journal.database import Journal
from companion.journal.entry import EntryContent, EntryKind, GameSetup, JournalUnwritable
from companion.journal.saved_game import SavedGame
from companion.lobby import FirstPlayerDraw, HouseRules, Lobby, Preferences, ResumePrompt, SetupWizard
from companion.lobby.set_aside_games import list_set_aside
from companion.lobby_views import WizardPage
from companion.referee.referee import Referee
from companion.screen_state import Question, ScreenKind
from companion.testing.table import ManualClock
from tests.app.session_table import START, SessionTable

SETUP = GameSetup(game="macroscope", players=("Ada", "Ben"), buttons=(Button.SEAT1, Button.SEAT2))


class Table(SessionTable):
    """A session without dice, with all games in the lobby."""

    def __init__(self, journal: Journal, rules: dict[str, Any] | None = None, **options: Any) -> None:
        super().__init__(journal, rules={"dice": "off", **(rules or {})}, definitions=load_games(), **options)

    def finish(self) -> None:
        """Play the only round of a game that was just begun."""
        self.press(Button.SEAT1)
        game = self.game
        self.press(game.setup.buttons[game.game.active_seat], Button.OK)
        self.clock.now += LATE_PRESS_SECONDS
        self.press(Button.OK, Button.NO)
        assert self.state.kind is ScreenKind.RESULT

    @property
    def seated(self) -> tuple[str, ...]:
        assert isinstance(self.stage, Lobby)
        return tuple(self.stage.seated)


def refuse(*_: object) -> Any:
    raise JournalUnwritable("the disk is full: make room there, then try again.")


# The start.


@pytest.mark.parametrize("continues", [True, False])
def test_a_game_that_a_crash_interrupted_continues_without_asking(journal: Journal, continues: bool) -> None:
    before = Table(journal)
    before.press(*START, Button.SEAT3)
    table = Table(journal, continue_game_id=before.game.id if continues else before.game.id + 1)
    assert isinstance(table.stage, Referee if continues else ResumePrompt)
    if continues:
        assert table.game.game == before.game.game
        assert journal.read_last_entry(1) is not None
        assert [entry.what.kind for entry in journal.read_entries(1)][-1] is EntryKind.RESUMED


def test_the_resume_prompt_tells_the_points_and_the_last_move(journal: Journal) -> None:
    Table(journal).press(*START)
    state = Table(journal).state
    assert [player.name for player in state.players] == ["Circle", "Triangle"]
    assert state.scores == (2, 2)
    assert state.details == ("Nothing was played yet",)
    table = Table(journal)
    table.press(Button.OK, Button.SEAT4)
    last = table.game.last_move_text
    assert last
    assert Table(journal).state.details == (last,)


def test_house_rules_of_the_session_come_before_those_of_the_settings(journal: Journal) -> None:
    usual = Table(journal, {"rounds": 3})
    usual.press(*START)
    assert usual.game.setup.settings["rounds"] == 3
    usual.game.set_aside()
    own = Table(journal, {"rounds": 3}, house_rules=HouseRules({"macroscope": Settings(rounds=4)}))
    own.press(*START)
    assert own.game.setup.settings["rounds"] == 4


@pytest.mark.parametrize(
    ("options", "is_set_up", "starts"),
    [
        ({"run_setup_wizard": True}, False, True),
        ({"run_setup_wizard": True}, True, False),
        ({"run_setup_wizard": False}, False, False),
        ({}, False, False),
    ],
    ids=["a new device", "a device that was set up", "a simulated table", "unless it is asked for"],
)
def test_the_setup_wizard_starts_on_a_new_device(
    journal: Journal, options: dict[str, bool], is_set_up: bool, starts: bool
) -> None:
    preferences = Preferences()
    if is_set_up:
        preferences.mark_set_up()
    table = Table(journal, preferences=preferences, **options)
    assert isinstance(table.stage, SetupWizard if starts else Lobby)


def test_an_interrupted_game_comes_before_the_setup_wizard(journal: Journal) -> None:
    Table(journal).press(*START)
    table = Table(journal, preferences=Preferences(), run_setup_wizard=True)
    assert isinstance(table.stage, ResumePrompt)


@pytest.mark.parametrize(
    ("options", "has_page"), [({}, True), ({"has_camera": True}, True), ({"has_camera": False}, False)]
)
def test_the_setup_wizard_asks_for_the_camera_unless_there_is_none(
    journal: Journal, options: dict[str, bool], has_page: bool
) -> None:
    stage = Table(journal, preferences=Preferences(), run_setup_wizard=True, **options).stage
    assert isinstance(stage, SetupWizard)
    assert (WizardPage.CAMERA in stage.pages) is has_page


# From stage to stage.


def test_back_from_the_draw_the_same_people_sit_in_the_lobby(journal: Journal) -> None:
    table = Table(journal)
    table.press(Button.SEAT2, Button.SEAT5, Button.OK)
    assert isinstance(table.stage, FirstPlayerDraw)
    table.press(Button.NO)
    assert len(table.seated) == 2
    table.press(Button.OK, Button.OK)
    assert table.game.setup.buttons == (Button.SEAT2, Button.SEAT5)


def test_the_lobby_offers_the_last_result_again(journal: Journal) -> None:
    table = Table(journal, {"rounds": 1})
    table.press(*START)
    table.finish()
    number = table.game.id
    table.press(Button.NO)
    table.open_lines("Last result")
    assert (table.state.kind, table.game.id) == (ScreenKind.RESULT, number)
    table.press(Button.NO)
    assert table.seated == ("Circle", "Triangle")


def test_without_a_finished_game_the_lobby_offers_no_result(journal: Journal) -> None:
    Table(journal).press(*START)
    table = Table(journal)
    table.press(Button.NO, Button.MINUS)
    assert "Last result" not in table.menu.items


def test_after_a_look_at_a_past_game_the_same_people_sit_in_the_lobby(journal: Journal) -> None:
    table = Table(journal, {"rounds": 1})
    table.press(*START)
    table.finish()
    table.press(Button.NO, Button.SEAT6)
    table.open_lines("Past games")
    table.press(Button.SEAT1, Button.SEAT6, Button.OK)  # Macroscope, its results, the first of them
    assert table.game.setup.players == ("Circle", "Triangle")
    table.press(Button.NO)
    assert table.seated == ("Circle", "Triangle", "Hexagon")


def test_a_set_aside_game_that_cannot_be_written_stays_in_the_lobby(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = Table(journal)
    first.press(*START)
    first.game.set_aside()
    table = Table(journal)
    with monkeypatch.context() as patch:
        patch.setattr(journal, "append_entry", refuse)
        table.open_lines("Macroscope of")
    assert isinstance(table.stage, Lobby)
    assert table.session.notice == ("That game cannot go on: the disk is full: make room there, then try again.")


# After an exception.


def test_a_game_that_failed_is_read_from_the_journal_again(journal: Journal) -> None:
    table = Table(journal)
    table.press(*START, Button.SEAT4)
    before = table.game
    table.session.rebuild(ask_first=False)
    assert table.game is not before
    assert table.game.game == before.game
    table.session.rebuild(ask_first=True)
    assert isinstance(table.stage, ResumePrompt)
    assert "Something failed" in (table.session.notice or "")
    table.session.rebuild(ask_first=False)
    assert isinstance(table.stage, Referee), "the game that the prompt asks about"


def test_a_lobby_that_failed_is_made_anew_even_after_a_game_was_set_aside(journal: Journal) -> None:
    Table(journal).press(*START)
    table = Table(journal)
    table.press(Button.NO)
    lobby = table.stage
    table.session.rebuild(ask_first=False)
    assert isinstance(table.stage, Lobby)
    assert table.stage is not lobby


# Games that were set aside.


def begin(journal: Journal, game: str = "macroscope", *, set_aside: bool) -> int:
    number = journal.begin_game(SETUP.model_copy(update={"game": game}))
    if set_aside:
        journal.append_entry(number, EntryContent(kind=EntryKind.SET_ASIDE))
    return number


def test_the_five_newest_games_that_were_set_aside_are_listed(journal: Journal) -> None:
    numbers = [begin(journal, set_aside=True) for _ in range(6)]
    assert [number for number, _ in list_set_aside(journal)] == numbers[:0:-1]
    assert [number for number, _ in list_set_aside(journal, 2)] == numbers[:3:-1]


def test_only_games_that_were_set_aside_and_are_installed_are_listed(journal: Journal) -> None:
    begin(journal, set_aside=False)
    begin(journal, "not installed", set_aside=True)
    resumed = begin(journal, set_aside=True)
    journal.append_entry(resumed, EntryContent(kind=EntryKind.RESUMED))
    found = begin(journal, "pictomania", set_aside=True)
    ((number, label),) = list_set_aside(journal)
    assert number == found
    assert label.startswith(f"{PICTOMANIA.title} of ")
    assert label.endswith(": Ada, Ben")


@pytest.mark.parametrize(("later_games", "is_listed"), [(39, True), (40, False)])
def test_the_last_forty_games_are_searched(tmp_path: Path, later_games: int, is_listed: bool) -> None:
    with Journal(tmp_path / "many.sqlite3") as journal:
        begin(journal, set_aside=True)
        for _ in range(later_games):
            begin(journal, set_aside=False)
        assert bool(list_set_aside(journal)) is is_listed


# Café mode.


@pytest.fixture
def cafe(journal: Journal) -> Table:
    return Table(journal, {"rounds": 1}, cafe=CafeSettings(on=True, quiet_minutes=10.0, dim_minutes=2.0))


def test_guests_who_leave_a_game_find_it_set_aside(cafe: Table, journal: Journal) -> None:
    cafe.press(*START)
    cafe.wait(9.9)
    assert cafe.state.question is None
    cafe.wait(0.2)
    assert cafe.state.question == Question(
        "Are you still playing?", "Otherwise it is put away in 3 minutes, and can be continued later"
    )
    cafe.press(Button.OK)
    assert cafe.state.question is None
    cafe.wait(10.1)
    assert isinstance(cafe.stage, Referee)
    cafe.wait(3.0)
    assert cafe.seated == ()
    assert len(list_set_aside(journal)) == 1, "it is not lost: the owner finds it with the command line"
    assert journal.find_resumable_game() is None


def test_rolling_dice_count_as_activity(cafe: Table) -> None:
    cafe.press(*START)
    for _ in range(3):
        cafe.wait(9.0, DiceRead((2, 3), 1.0, cafe.clock.now))
    assert isinstance(cafe.stage, Referee)


def test_a_running_clock_keeps_a_game_open(journal: Journal) -> None:
    keeper, clock = find_game("score_keeper"), ManualClock()
    rules = {"turn_order": "clockwise", "clock": "chess"}
    setup = GameSetup(game="score_keeper", players=("Ada", "Ben"), buttons=SEAT_BUTTONS[:2], settings=rules)
    game = SavedGame.begin(journal, setup, keeper)
    game.play_move(Move("take", Seat(0)))
    config = SessionConfig(keeper, (), keeper.settings_model(), definitions=load_games(), continue_game_id=game.id)
    session = Session(config, journal, TableServices(clock, cafe=CafeSettings(on=True, quiet_minutes=1.0)))
    clock.now += 100.0
    session.step([])
    assert isinstance(session.stage, Referee)
    assert session.stage.dialog is None


def test_guests_who_leave_a_result_leave_nothing(cafe: Table, journal: Journal) -> None:
    cafe.press(*START)
    cafe.finish()
    cafe.wait(10.1)
    assert cafe.seated == ()
    assert list_set_aside(journal) == ()
    cafe.press(Button.SEAT1, Button.MINUS)
    assert cafe.menu.items == ("Names", "Save today's results to a USB stick"), "neither results nor past games"


@pytest.mark.parametrize("presses", [(), (Button.OK,)], ids=["lobby", "draw"])
def test_guests_who_leave_before_a_game_leave_no_seat(cafe: Table, presses: tuple[Button, ...]) -> None:
    cafe.press(Button.SEAT1, Button.SEAT2, *presses)
    assert isinstance(cafe.stage, FirstPlayerDraw if presses else Lobby)
    cafe.wait(10.1)
    assert cafe.seated == ()


def test_a_lobby_that_nobody_touched_stays(cafe: Table) -> None:
    lobby = cafe.stage
    cafe.wait(10.1)
    assert cafe.stage is lobby


def test_choices_of_the_last_guests_are_forgotten(journal: Journal) -> None:
    preferences = Preferences()
    table = Table(journal, preferences=preferences, cafe=CafeSettings(on=True, quiet_minutes=10.0))
    preferences.change("palette", "light")
    preferences.change("language", "it")
    table.press(Button.SEAT1)
    table.wait(10.1)
    assert preferences.values.palette != "light"
    assert current_language() == "en"


def test_a_full_disk_does_not_keep_the_last_guests_seats(cafe: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    cafe.press(*START)
    monkeypatch.setattr(SavedGame, "set_aside", refuse)
    cafe.wait(10.1)
    cafe.wait(3.0)
    assert cafe.seated == ()
    assert cafe.session.notice == "the disk is full: make room there, then try again."


def test_only_the_lobby_is_dimmed_and_until_a_press(cafe: Table) -> None:
    cafe.wait(1.9)
    assert not cafe.state.dimmed
    cafe.wait(0.2)
    assert cafe.state.dimmed
    cafe.press(Button.SEAT1)
    assert not cafe.state.dimmed
    cafe.press(Button.SEAT2, Button.OK, Button.OK)
    cafe.wait(5.0)
    assert not cafe.state.dimmed


def test_outside_cafe_mode_people_may_take_their_time(journal: Journal) -> None:
    table = Table(journal)
    table.press(Button.SEAT1)
    table.wait(600.0)
    assert not table.state.dimmed
    assert len(table.seated) == 1
