"""The list of games: any game within three presses, last played first, favourites, players, letters by held keys."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.api import Command, CommandName, registry
from companion.display.sound.spoken_lines import SpeechLevel, compose_lines
from companion.display.widgets.key_caps import list_key_caps
from companion.events import SEAT_BUTTONS, Button, ButtonPressed, ButtonReleased
from companion.i18n import format_day_of_year
from companion.journal.database import Journal
from companion.journal.entry import EntryContent, EntryKind, GameSetup
from companion.lobby import Preferences
from companion.lobby.game_list import MAX_QUICK_LINES, GameLine, GameList, open_game_list
from companion.lobby.last_played import MAX_GAME_SECONDS, read_last_played
from companion.referee.dialogs.base import NUMBER_KEYS, Dialog, Step
from companion.testing.table import ManualClock
from tests.app.session_table import SessionTable

NO, PLUS, MINUS = Button.NO, Button.PLUS, Button.MINUS
S1, S2, S3, S4, S5, S6 = SEAT_BUTTONS
KITS = registry.load_games()
DAY = 86400.0
NOVEMBER = 1_793_500_000.0
"""Unix seconds on 1 Nov 2026."""


def choose(number: int) -> Command:
    return Command(CommandName.RESULT, (number,))


def make_lines(random: Random, count: int) -> list[GameLine]:
    """Make games with random titles, many of one letter, of which some were played, some are favourites."""
    titles = {random.choice("SSSSTABÖ7") + str(random.random()) for _game in range(count)}
    played = random.sample(range(count * 3), count)
    share = random.choice((0.1, 0.5, 1.0))
    return [
        GameLine(
            title,
            step=choose(number),
            last_played=played[number] if random.random() < share else 0,
            is_favourite=random.random() < 0.2,
            fits=random.random() < 0.9,
        )
        for number, title in enumerate(sorted(titles))
    ]


def list_steps(step: Step) -> Iterator[Step]:
    """Yield what one more press leads to."""
    if isinstance(step, Dialog):
        for offer, answer in zip(step.list_offers(), step.list_answers(), strict=True):
            assert answer.label, offer
            yield answer.step


@pytest.mark.parametrize("seed", range(30))
def test_any_game_is_three_presses_away_whatever_was_played(seed: int) -> None:
    random = Random(seed)
    count = random.choice((1, 6, 7, 16, 30, 37, MAX_QUICK_LINES))
    lines = make_lines(random, count)
    games = open_game_list(lines)
    one_more = list(list_steps(games))
    two_more = {found for step in one_more for found in list_steps(step) if isinstance(found, Command)}
    wanted = {line.step for line in lines if line.fits}
    assert wanted <= two_more | {step for step in one_more if isinstance(step, Command)}


@pytest.mark.parametrize("seed", range(30))
def test_favourites_come_first_and_then_what_was_played_last(seed: int) -> None:
    random = Random(seed)
    lines = make_lines(random, random.choice((7, 16, 37)))
    shown = open_game_list(lines, 3).pages[0].lines
    fitting = sorted((line for line in lines if line.fits), key=lambda line: -line.last_played)
    favourites = [line for line in fitting if line.is_favourite][:NUMBER_KEYS]
    assert set(shown[: len(favourites)]) == set(favourites)
    others = [line for line in fitting if line not in favourites]
    assert list(shown[len(favourites) :]) == others[: NUMBER_KEYS - len(favourites)]


def test_favourites_and_letters_keep_their_keys_whatever_is_played() -> None:
    def open_list(latest: str) -> GameList:
        titles = ("Skat", "Go", "Pig", "Catan", "Hearts", "Chess", "Tichu", "Uno")
        lines = [GameLine(t, last_played=int(t == latest), is_favourite=t in ("Uno", "Go")) for t in titles]
        return open_game_list(lines)

    before, after = open_list("Tichu"), open_list("Hearts")
    assert [line.title for line in before.pages[0].lines][:3] == ["Go", "Uno", "Tichu"]
    assert [line.title for line in after.pages[0].lines][:3] == ["Go", "Uno", "Hearts"]
    letters = [[line.title for line in page.lines] for page in before.pages[1:]]
    assert letters == [[line.title for line in page.lines] for page in after.pages[1:]]
    assert letters == [["Catan", "Chess", "Go", "Hearts", "Pig", "Skat"], ["Tichu", "Uno"]]
    assert before.menu.starred == {0, 1}


def test_games_for_other_numbers_of_players_come_last() -> None:
    titles = ("Skat", "Go", "Pig", "Catan", "Hearts", "Écarté", "Tichu")
    games = open_game_list([GameLine(t, fits=t not in ("Go", "Écarté")) for t in titles], 3)
    assert [page.heading for page in games.pages] == [
        "Which game for 3 players?",
        "All games for 3 players: C to T",
        "Not for 3 players: É to G",
    ]
    assert [line.title for page in games.pages for line in page.lines if not line.fits] == ["Écarté", "Go"]


def test_two_letters_stand_only_where_two_keys_would_say_the_same() -> None:
    titles = ("Ada", "Bo", "Canasta", "Catan", "Chess", "Cribbage", "Darts", "Go", "Pig", "Scrabble", "Skat", "Spades")
    for another, letters in (("Tichu", ["A to C", "D to S", "T"]), ("Sudoku", ["A to C", "D to Sp", "Su"])):
        games = open_game_list([GameLine(t) for t in (*titles, another)])
        assert [page.letters for page in games.pages[1:]] == letters


def test_the_first_page_says_that_it_is_what_was_played_last() -> None:
    titles = ("Skat", "Go", "Pig", "Catan", "Hearts", "Chess", "Tichu")
    played = [GameLine(t, last_played=int(t == "Go")) for t in titles]
    assert [page.heading for page in open_game_list(played, 2).pages] == [
        "Last played",
        "All games for 2 players: C to S",
        "All games for 2 players: T",
    ]
    assert open_game_list(played[:6], 2).menu.title == "Which game for 2 players?", "all there are"


# In the lobby -----------------------------------------------------------------------------------------------------


class Table(SessionTable):
    """A session with all games in its lobby."""

    def __init__(self, journal: Journal, **options: Any) -> None:
        super().__init__(journal, definitions=KITS, **options)

    def hold(self, button: Button, seconds: float = 1.1) -> None:
        self.clock.now += 0.6
        self.session.step([ButtonPressed(button, self.clock.now)])
        self.clock.now += seconds
        self.session.step([])
        self.session.step([ButtonReleased(button, self.clock.now)])

    @property
    def titles(self) -> tuple[str, ...]:
        return self.menu.items


def test_a_held_key_opens_its_letters_and_a_short_press_plays_its_line(journal: Journal) -> None:
    table = Table(journal)
    table.press(PLUS)
    first, title = table.titles, table.menu.title
    assert title.startswith("Which game? 1/")
    table.hold(S2)
    assert table.menu.title.endswith(f"3/{title[-1]}")
    assert table.titles == tuple(sorted(table.titles))
    table.hold(S1, 0.9)
    assert table.state.menu is None, "not long enough: its line"
    table.press(PLUS)
    assert table.titles == first
    table.session.step([ButtonPressed(S2, table.clock.now + 0.6)])
    table.clock.now += 1.3
    assert table.state.hold is not None, "the key shows for how long it is held"
    table.press(MINUS)
    table.session.step([ButtonReleased(S2, table.clock.now + 0.6)])
    assert table.menu.title.startswith("All games:"), "the page was turned meanwhile: nothing"


def test_a_key_says_on_the_screen_what_holding_it_does_and_its_line_is_known_to_the_voice(journal: Journal) -> None:
    table = Table(journal)
    table.press(PLUS)
    state = table.state
    drawn = [cap.label for cap in list_key_caps(state, keyboard=False)][:NUMBER_KEYS]
    assert all(label.startswith("Hold: ") for label in drawn), "the lines have their numbers"
    pressed = [key.label for key in state.soft_keys if key.button in SEAT_BUTTONS and not key.is_hold]
    assert not [label for label in pressed if label.startswith("Hold")]
    spoken = compose_lines(None, state, SpeechLevel.EVERYTHING)
    assert [line for line in spoken if "Hold" in line] == [f"Button {n}: {label}" for n, label in enumerate(drawn, 1)]


def test_a_held_key_without_a_line_opens_its_letters_and_pressed_it_does_nothing(journal: Journal) -> None:
    table = Table(journal)
    table.press(PLUS, MINUS)
    assert len(table.titles) < NUMBER_KEYS
    last = table.menu
    key = SEAT_BUTTONS[len(last.items)]
    if key in SEAT_BUTTONS[: int(last.title[-1]) - 1]:
        table.press(key)
        assert table.menu == last
        table.hold(key)
        assert table.menu != last


def test_the_list_is_about_those_who_sit_at_the_table(journal: Journal) -> None:
    table = Table(journal)
    table.press(S1, PLUS)
    assert table.menu.title.startswith("Which game? 1/"), "others may come"
    table.press(NO, S2, S3, S4, S5, PLUS)
    assert table.menu.title.startswith("Which game for 5 players? 1/")
    seen = set(table.titles)
    while not table.menu.title.startswith("Not for"):
        seen |= set(table.titles)
        table.press(PLUS)
    assert seen == {kit.title for kit in KITS if 5 in kit.player_counts}


def test_a_favourite_is_marked_in_the_settings_and_survives_a_restart(journal: Journal, tmp_path: Path) -> None:
    table = Table(journal, preferences=Preferences(folder=tmp_path), definition=registry.find_game("yacht"))
    table.open_lines("Yacht is a favourite: no")
    again = Table(journal, preferences=Preferences(folder=tmp_path))
    again.press(PLUS)
    assert (again.titles[0], again.menu.starred) == ("Yacht", {0})
    again.press(S1)
    again.open_lines("Yacht is a favourite: yes")
    assert Preferences(folder=tmp_path).favourites == frozenset()


def test_a_journal_that_cannot_be_read_leaves_the_list(journal: Journal) -> None:
    table = Table(journal)
    journal.close()
    table.press(PLUS)
    assert len(table.titles) == NUMBER_KEYS
    assert table.state.notice


# In the journal ---------------------------------------------------------------------------------------------------


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock(NOVEMBER)


def play(
    journal: Journal, clock: ManualClock, game: str, minutes: float, name: str = "", *, leave: bool = False
) -> int:
    setup = GameSetup(game=game, players=("Ada", "Bob"), buttons=(S1, S2), settings={"name": name} if name else {})
    number = journal.begin_game(setup)
    clock.now += 60 * minutes
    journal.append_entry(number, EntryContent(kind=EntryKind.SET_ASIDE if leave else EntryKind.UNDO))
    clock.now += DAY
    return number


def test_the_journal_says_when_and_how_long_a_game_was_played_last(clock: ManualClock, tmp_path: Path) -> None:
    with Journal(tmp_path / "journal.sqlite3", wall=clock, monotonic=clock) as journal:
        for _week in range(3):
            play(journal, clock, "farkle", 20)
            play(journal, clock, "score_keeper", 30, "Rummy")
        farkle = play(journal, clock, "farkle", 45)
        play(journal, clock, "score_keeper", 10)
        play(journal, clock, "yacht", 10, leave=True)
        play(journal, clock, "pig", MAX_GAME_SECONDS / 60 + 1)
        play(journal, clock, "of_another_package", 10)
        found = read_last_played(journal, KITS)
        assert {key: last.minutes for key, last in found.items()} == {
            "pig": 0,
            "yacht": 0,
            "score_keeper": 10,
            "farkle": 45,
            "score_keeper: Rummy": 30,
        }
        assert found["farkle"].number == farkle
        assert list(found) == sorted(found, key=lambda key: -found[key].number), "the latest comes first"
        statements: list[str] = []
        journal._connection.set_trace_callback(statements.append)
        read_last_played(journal, KITS)
        assert sum(" FROM sittings" in statement for statement in statements) == 1, "however many games there are"
        assert len(statements) <= 2 + len(found)


@pytest.mark.parametrize("seed", range(4))
def test_any_game_of_this_month_is_three_presses_from_the_lobby(journal: Journal, seed: int) -> None:
    random, clock = Random(seed), ManualClock(0.0)
    favourites = Preferences()
    for kit in random.sample(KITS, seed):
        favourites.toggle_favourite(kit.name)
    history = [random.choice(KITS) for _evening in range(random.choice((3, 30, 90)))]
    for kit in history:
        play(journal, clock, kit.name, random.random() * 100, leave=True)
    table = Table(journal, preferences=favourites)
    table.press(PLUS)
    games = table.stage.dialog
    assert isinstance(games, GameList)
    line_of = {line.title: line for page in games.pages for line in page.lines}
    one_more = list(list_steps(games))
    two_more = [found for step in one_more for found in list_steps(step)]
    assert all(line_of[kit.title].step in [*one_more, *two_more] for kit in history)
    others = [kit.title for kit in reversed(history) if kit.name not in favourites.favourites]
    latest = list(dict.fromkeys(others))[: NUMBER_KEYS - seed]
    assert list(table.titles[seed : seed + len(latest)]) == latest


def test_a_table_sees_what_it_played_last_with_its_day(journal: Journal) -> None:
    clock = ManualClock(0.0)
    played = [play(journal, clock, name, 1) for name in ("hearts", "bunco", "hearts")]
    table = Table(journal)
    table.press(PLUS)
    assert table.titles[:2] == ("Hearts", "Bunco")
    begun = read_last_played(journal, KITS)["hearts"].begun
    assert begun is not None
    assert table.menu.details[0] == ("3–6 players", "60 min", format_day_of_year(begun)), (
        "its usual time: none was measured"
    )
    assert played == [1, 2, 3]
