"""Options of a session: what it starts with, what it finds in the journal, and how café mode ends one."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from companion.api.registry import load_games
from companion.app.session import Session, SessionConfig
from companion.app.table_services import TableServices
from companion.config.settings import CafeSettings
from companion.events import SEAT_BUTTONS, Button, ButtonPressed, ButtonReleased, Event
from companion.games.macroscope import GAME
from companion.games.macroscope.settings import Settings
from companion.games.pictomania import GAME as PICTOMANIA
from companion.journal.database import Journal
from companion.journal.entry import EntryContent, EntryKind, GameSetup, JournalUnwritable
from companion.journal.saved_game import SavedGame
from companion.lobby import FirstPlayerDraw, HouseRules, Lobby, Preferences, ResumePrompt, SetupWizard
from companion.lobby.setup_wizard import WizardPage
from companion.lobby.unfinished_games import list_unfinished
from companion.referee.referee import Referee
from companion.screen_state import CameraView, ScreenKind, ScreenState

START = (Button.SEAT1, Button.SEAT2, Button.OK, Button.OK)
SETUP = GameSetup(game="macroscope", players=("Ada", "Ben"), buttons=(Button.SEAT1, Button.SEAT2))


class Table:
    """A session of Macroscope without dice, with a clock that the test moves.

    Args:
        journal: of the session.
        rules: house rules of Macroscope.
        options: further services, and fields of the session's configuration.
    """

    def __init__(self, journal: Journal, rules: dict[str, Any] | None = None, **options: Any) -> None:
        self.now = 1000.0
        own = {name: options.pop(name) for name in ("continue_game_id", "run_setup_wizard") if name in options}
        house = Settings(**{"dice": "off", **(rules or {})})
        config = SessionConfig(GAME, (), house, definitions=load_games(), **own)
        self.session = Session(config, journal, TableServices(lambda: self.now, random.Random(1), **options))

    def press(self, *buttons: Button) -> None:
        for button in buttons:
            self.now += 0.5
            self.session.step([ButtonPressed(button, self.now)])
            self.session.step([ButtonReleased(button, self.now + 0.1)])

    def wait(self, minutes: float, *events: Event) -> None:
        self.now += 60 * minutes
        self.session.step(events)

    def choose(self, words: str) -> None:
        """Choose the line of the lobby's menu that begins with these words."""
        self.press(Button.MINUS)
        assert self.state.menu is not None
        index = next(i for i, line in enumerate(self.state.menu.items) if line.startswith(words))
        self.press(SEAT_BUTTONS[index])

    def finish(self) -> None:
        """Play the only round of a game that was just begun."""
        self.press(Button.SEAT1)
        game = self.game
        self.press(game.setup.buttons[game.game.active_seat], Button.OK, Button.OK, Button.NO)
        assert self.state.kind is ScreenKind.RESULT

    @property
    def game(self) -> SavedGame:
        assert self.session.saved_game is not None
        return self.session.saved_game

    @property
    def state(self) -> ScreenState:
        return self.session.build_screen_state(CameraView())

    @property
    def seated(self) -> tuple[str, ...]:
        assert isinstance(self.session.stage, Lobby)
        return tuple(self.session.stage.seated)


def refuse(*_: object) -> Any:
    raise JournalUnwritable("the disk is full: make room there, then try again.")


# The start.


@pytest.mark.parametrize("continues", [True, False])
def test_a_game_that_a_crash_interrupted_continues_without_asking(journal: Journal, continues: bool) -> None:
    before = Table(journal)
    before.press(*START, Button.SEAT3)
    table = Table(journal, continue_game_id=before.game.id if continues else before.game.id + 1)
    assert isinstance(table.session.stage, Referee if continues else ResumePrompt)
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
    assert isinstance(table.session.stage, SetupWizard if starts else Lobby)


def test_without_preferences_there_is_nothing_to_set_up(journal: Journal) -> None:
    assert isinstance(Table(journal, run_setup_wizard=True).session.stage, Lobby)


def test_an_interrupted_game_comes_before_the_setup_wizard(journal: Journal) -> None:
    Table(journal).press(*START)
    table = Table(journal, preferences=Preferences(), run_setup_wizard=True)
    assert isinstance(table.session.stage, ResumePrompt)


@pytest.mark.parametrize(
    ("options", "has_page"), [({}, True), ({"has_camera": True}, True), ({"has_camera": False}, False)]
)
def test_the_setup_wizard_asks_for_the_camera_unless_there_is_none(
    journal: Journal, options: dict[str, bool], has_page: bool
) -> None:
    stage = Table(journal, preferences=Preferences(), run_setup_wizard=True, **options).session.stage
    assert isinstance(stage, SetupWizard)
    assert (WizardPage.CAMERA in stage.pages) is has_page


def test_after_the_setup_wizard_comes_the_lobby(journal: Journal) -> None:
    table = Table(journal, preferences=Preferences(), run_setup_wizard=True)
    for _ in range(12):
        if isinstance(table.session.stage, SetupWizard):
            table.press(Button.OK)
    assert isinstance(table.session.stage, Lobby)


# From stage to stage.


def test_back_from_the_draw_the_same_people_sit_in_the_lobby(journal: Journal) -> None:
    table = Table(journal)
    table.press(Button.SEAT2, Button.SEAT5, Button.OK)
    assert isinstance(table.session.stage, FirstPlayerDraw)
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
    table.choose("Last result")
    assert (table.state.kind, table.game.id) == (ScreenKind.RESULT, number)
    table.press(Button.NO)
    assert table.seated == ("Circle", "Triangle")


def test_without_a_finished_game_the_lobby_offers_no_result(journal: Journal) -> None:
    Table(journal).press(*START)
    table = Table(journal)
    table.press(Button.NO, Button.MINUS)
    assert table.state.menu is not None
    assert "Last result" not in table.state.menu.items


def test_after_a_look_at_a_past_game_the_same_people_sit_in_the_lobby(journal: Journal) -> None:
    table = Table(journal, {"rounds": 1})
    table.press(*START)
    table.finish()
    table.press(Button.NO, Button.SEAT6)
    table.choose("Past games")
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
        table.choose("Macroscope of")
    assert isinstance(table.session.stage, Lobby)
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
    assert isinstance(table.session.stage, ResumePrompt)
    assert "Something failed" in (table.session.notice or "")
    table.session.rebuild(ask_first=False)
    assert isinstance(table.session.stage, Referee), "the game that the prompt asks about"


def test_a_lobby_that_failed_is_made_anew_even_after_a_game_was_set_aside(journal: Journal) -> None:
    Table(journal).press(*START)
    table = Table(journal)
    table.press(Button.NO)
    lobby = table.session.stage
    table.session.rebuild(ask_first=False)
    assert isinstance(table.session.stage, Lobby)
    assert table.session.stage is not lobby


# Games that were set aside.


def begin(journal: Journal, game: str = "macroscope", *, set_aside: bool) -> int:
    number = journal.begin_game(SETUP.model_copy(update={"game": game}))
    if set_aside:
        journal.append_entry(number, EntryContent(kind=EntryKind.SET_ASIDE))
    return number


def test_the_five_newest_games_that_were_set_aside_are_listed(journal: Journal) -> None:
    numbers = [begin(journal, set_aside=True) for _ in range(6)]
    assert [number for number, _ in list_unfinished(journal)] == numbers[:0:-1]
    assert [number for number, _ in list_unfinished(journal, 2)] == numbers[:3:-1]


def test_only_games_that_were_set_aside_and_are_installed_are_listed(journal: Journal) -> None:
    begin(journal, set_aside=False)
    begin(journal, "not installed", set_aside=True)
    resumed = begin(journal, set_aside=True)
    journal.append_entry(resumed, EntryContent(kind=EntryKind.RESUMED))
    found = begin(journal, "pictomania", set_aside=True)
    ((number, label),) = list_unfinished(journal)
    assert number == found
    assert label.startswith(f"{PICTOMANIA.title} of ")
    assert label.endswith(": Ada, Ben")


@pytest.mark.parametrize(("later_games", "is_listed"), [(39, True), (40, False)])
def test_the_last_forty_games_are_searched(tmp_path: Path, later_games: int, is_listed: bool) -> None:
    with Journal(tmp_path / "many.sqlite3") as journal:
        begin(journal, set_aside=True)
        for _ in range(later_games):
            begin(journal, set_aside=False)
        assert bool(list_unfinished(journal)) is is_listed


@pytest.mark.parametrize(("wall", "month"), [(1705320000.0, "Jan"), (1710504000.0, "Mar"), (1734264000.0, "Dec")])
def test_games_are_listed_with_their_month(tmp_path: Path, wall: float, month: str) -> None:
    """Noon UTC in the middle of a month: the same month everywhere."""
    with Journal(tmp_path / "dated.sqlite3", wall=lambda: wall) as journal:
        begin(journal, set_aside=True)
        assert f" {month}, " in list_unfinished(journal)[0][1]


# Café mode.


@pytest.fixture
def cafe(journal: Journal) -> Table:
    return Table(journal, {"rounds": 1}, cafe=CafeSettings(on=True, quiet_minutes=10.0, dim_minutes=2.0))


def test_guests_who_leave_a_game_find_it_set_aside(cafe: Table, journal: Journal) -> None:
    cafe.press(*START)
    cafe.wait(9.9)
    assert isinstance(cafe.session.stage, Referee)
    cafe.wait(0.2)
    assert cafe.seated == ()
    assert len(list_unfinished(journal)) == 1


def test_guests_who_leave_a_result_leave_nothing(cafe: Table, journal: Journal) -> None:
    cafe.press(*START)
    cafe.finish()
    cafe.wait(10.1)
    assert cafe.seated == ()
    assert list_unfinished(journal) == ()
    cafe.press(Button.SEAT1, Button.MINUS)
    assert cafe.state.menu is not None
    assert not [line for line in cafe.state.menu.items if "result of" in line.lower() or "last" in line.lower()]


def test_guests_who_leave_the_lobby_leave_no_seat_and_no_rule(cafe: Table) -> None:
    cafe.press(Button.SEAT1, Button.SEAT2)
    cafe.wait(10.1)
    assert cafe.seated == ()


def test_a_lobby_that_nobody_touched_stays(cafe: Table) -> None:
    lobby = cafe.session.stage
    cafe.wait(10.1)
    assert cafe.session.stage is lobby


def test_guests_who_leave_the_draw_find_the_lobby(cafe: Table) -> None:
    cafe.press(Button.SEAT1, Button.SEAT2, Button.OK)
    assert isinstance(cafe.session.stage, FirstPlayerDraw)
    cafe.wait(10.1)
    assert cafe.seated == ()


def test_choices_of_the_last_guests_are_forgotten(journal: Journal) -> None:
    preferences = Preferences()
    table = Table(journal, preferences=preferences, cafe=CafeSettings(on=True, quiet_minutes=10.0))
    preferences.change("palette", "light")
    table.press(Button.SEAT1)
    table.wait(10.1)
    assert preferences.values.palette != "light"


def test_a_full_disk_does_not_keep_the_last_guests_seats(cafe: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    cafe.press(*START)
    monkeypatch.setattr(SavedGame, "set_aside", refuse)
    cafe.wait(10.1)
    assert cafe.seated == ()
    assert cafe.session.notice == "the disk is full: make room there, then try again."


def test_only_the_lobby_is_dimmed_and_only_in_cafe_mode(cafe: Table, tmp_path: Path) -> None:
    assert not cafe.state.dimmed
    cafe.wait(1.9)
    assert not cafe.state.dimmed
    cafe.wait(0.2)
    assert cafe.state.dimmed
    cafe.press(*START)
    cafe.wait(5.0)
    assert not cafe.state.dimmed
    with Journal(tmp_path / "home.sqlite3") as other:
        home = Table(other)
        home.wait(5.0)
        assert not home.state.dimmed


def test_outside_cafe_mode_people_may_take_their_time(journal: Journal) -> None:
    table = Table(journal)
    table.press(Button.SEAT1)
    table.wait(600.0)
    assert len(table.seated) == 1
