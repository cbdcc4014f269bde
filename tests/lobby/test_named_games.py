"""Games of the score keeper that people named: stored, found again, renamed and deleted, all by buttons or keys."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from companion.api import registry
from companion.config.settings import CafeSettings
from companion.events import SEAT_BUTTONS, Button, CharacterTyped
from companion.games.score_keeper import GAME, Settings
from companion.journal.bg_stats import build_play
from companion.journal.database import Journal
from companion.journal.exported_game import replay_game
from companion.journal.game_summary import summarise_game
from companion.lobby import HouseRules, Lobby
from companion.lobby.house_rules import MAX_NAMED_GAMES, NAMED_GAMES_FILE, NamedSettings
from companion.referee.referee import Referee
from tests.app.session_table import SessionTable

OK, NO, PLUS, MINUS = Button.OK, Button.NO, Button.PLUS, Button.MINUS
S1, S2, S3, S4, S5, S6 = SEAT_BUTTONS
FOUR = (S1, S2, S3, S4)
KITS = registry.load_games()
ROMME = "Romm\u00e9"


class Box(SessionTable):
    """A session with all games in the lobby, its house rules stored in `folder`, worked by presses alone."""

    def __init__(self, journal: Journal, folder: Path | None, **options: Any) -> None:
        super().__init__(journal, definitions=KITS, house_rules=HouseRules(folder=folder), **options)
        self.presses = 0
        """Presses of buttons so far, those that seat players left out."""

    def press(self, *buttons: Button) -> None:
        super().press(*buttons)
        self.presses += len(buttons)

    def sit(self, *buttons: Button) -> None:
        self.press(*buttons)
        self.presses -= len(buttons)

    def type(self, text: str) -> None:
        for character in text:
            self.clock.now += 0.2
            self.session.step([CharacterTyped(character, self.clock.now)])

    def choose(self, words: str) -> None:
        """Choose the line that begins with these words, by its number key if it has one, else step by step.

        In the list of games PLUS turns the page.
        """
        while self.menu.details and not any(i.startswith(words) for i in self.menu.items):
            self.press(PLUS)
        at = next(i for i, line in enumerate(self.menu.items) if line.startswith(words))
        key = at - self.menu.first_numbered
        if 0 <= key < self.menu.numbered:
            self.press(SEAT_BUTTONS[key])
            return
        while self.menu.selected != at:
            self.press(MINUS)
        self.press(OK)

    def choose_any_game(self, words: str) -> None:
        self.press(PLUS)
        self.choose("Any game")
        self.choose(words)

    @property
    def settings(self) -> Settings:
        """Settings of the game in play."""
        assert isinstance(self.stage, Referee), self.state.prompt
        setup = self.stage.saved_game.setup
        assert setup.game == "score_keeper"
        return Settings.model_validate(setup.settings)

    def leave(self) -> None:
        """Leave the game in play for the lobby."""
        self.press(MINUS, PLUS, OK)
        assert isinstance(self.stage, Lobby)


def rules(**values: object) -> Settings:
    return Settings.model_validate(values)


@pytest.mark.parametrize(
    ("words", "players", "expected"),
    [
        ("Points only", FOUR, rules()),
        ("Turns to a target", (S1, S2, S3), rules(turn_order="clockwise", target_points=100)),
        ("Rounds, lowest wins", FOUR, rules(by_rounds=True, lowest_wins=True, target_points=100)),
        ("Chess clock", (S1, S2), rules(turn_order="clockwise", clock="chess", overtime_seconds=0, name="Chess clock")),
        ("Teams of two", FOUR, rules(teams=True, by_rounds=True, target_points=500)),
    ],
)
def test_a_usual_game_is_set_up_in_six_presses(
    journal: Journal, words: str, players: tuple[Button, ...], expected: Settings
) -> None:
    """K19: from the lobby to the first turn, besides everybody's own press; OK takes the default that is asked for."""
    box = Box(journal, None)
    box.sit(*players)
    box.choose_any_game(words)
    if box.state.menu is not None:
        box.press(OK)
    assert box.state.title == (expected.name or "Any game")
    box.press(OK)
    assert box.settings == expected
    if expected.turn_order == "clockwise":
        box.press(S2)  # who begins presses first (K5)
        assert box.stage.saved_game.game.active_seat == 1
    assert box.presses <= 6


def test_a_named_game_is_two_presses_away_next_week(journal: Journal, tmp_path: Path) -> None:
    """K18."""
    box = Box(journal, tmp_path)
    box.sit(*FOUR)
    box.choose_any_game("Rummy")
    box.press(NO, MINUS)  # back in the lobby: other house rules
    box.choose("House rules of Rummy")
    box.choose("Lowest score wins")
    box.press(NO, OK, OK)
    assert box.settings == rules(name="Rummy", by_rounds=True, target_points=500, lowest_wins=True)
    assert box.state.title == "Rummy"
    box.leave()

    again = Box(journal, tmp_path)
    again.sit(S2, S5, S6)
    again.press(PLUS, S1)
    assert again.presses == 2
    assert again.state.title == "Rummy"
    assert "The lowest score wins" in again.state.details
    again.press(OK)
    assert again.settings == rules(name="Rummy", by_rounds=True, target_points=500, lowest_wins=True)


def test_a_name_may_be_chosen_before_anybody_sits(journal: Journal, tmp_path: Path) -> None:
    box = Box(journal, tmp_path)
    box.choose_any_game("Darts")
    assert isinstance(box.stage, Lobby)
    assert box.state.title == "Darts"
    box.sit(S1, S2)
    box.press(OK, OK)
    assert box.settings.name == "Darts"


def test_a_name_of_their_own_is_typed(journal: Journal, tmp_path: Path) -> None:
    box = Box(journal, tmp_path)
    box.sit(S1, S2, S3)
    box.choose_any_game("Own name")
    assert box.state.asks_for_text
    box.type("wizard")
    box.press(OK)
    box.choose("Points only")
    box.press(OK)
    assert box.settings == rules(name="Wizard")


def test_a_name_that_is_known_opens_what_was_played_under_it(journal: Journal, tmp_path: Path) -> None:
    box = Box(journal, tmp_path)
    box.sit(S1, S2)
    box.choose_any_game("Hearts")
    box.press(OK)
    box.leave()
    box.choose_any_game("Own name")
    box.type("hearts")
    box.press(OK, OK)
    assert box.settings == rules(name="Hearts", by_rounds=True, lowest_wins=True, target_points=100)


def open_name(box: Box, name: str) -> None:
    box.press(MINUS)
    box.choose("House rules of")
    box.choose(f"Name: {name}")


def test_a_name_is_changed_and_deleted_by_buttons(journal: Journal, tmp_path: Path) -> None:
    box = Box(journal, tmp_path)
    for name in ("Rummy", "Hearts"):
        box.sit(S1, S2)
        box.choose_any_game(name)
        box.press(OK)
        box.leave()
        box.press(S1, S2)  # NO leads back to the game as long as nobody stands up
    open_name(box, "Hearts")
    box.choose("Rename")
    box.type("rummy")
    box.press(OK)
    assert box.state.notice == "There is Rummy already: choose another name"
    box.choose("Rename")
    box.type("Black Maria")
    box.press(OK, NO)
    assert box.state.title == "Black Maria"
    box.press(PLUS)
    assert box.menu.items[:2] == ("Rummy", "Black Maria"), "nobody has played it by its new name yet"
    assert box.menu.selected == 1
    box.press(NO)
    open_name(box, "Black Maria")
    box.choose("Delete")
    box.press(OK)  # No stands selected
    assert box.menu.title == "Black Maria"
    box.choose("Delete")
    box.choose("Yes")
    box.press(NO)
    assert box.state.title == "Any game"
    stored = NamedSettings(tmp_path).load(GAME)
    assert [*stored] == ["Rummy"]
    box.press(MINUS)
    box.choose("House rules of")
    assert "Lowest score wins: yes" in box.menu.items, "the rules in force stay"


def test_house_rules_in_force_get_a_name(journal: Journal, tmp_path: Path) -> None:
    box = Box(journal, tmp_path)
    box.choose_any_game("Points only")
    open_name(box, "none")
    box.type("Skat")
    box.press(OK, NO)
    assert box.state.title == "Skat"
    assert [*NamedSettings(tmp_path).load(GAME)] == ["Skat"]


def test_leaving_the_names_with_no_changes_nothing(journal: Journal, tmp_path: Path) -> None:
    box = Box(journal, tmp_path)
    box.sit(S1, S2)
    box.choose_any_game("Own name")
    box.type("x")
    box.press(NO)
    assert box.menu.title == "Any game"
    box.choose("Turns")
    box.press(NO)
    assert box.menu.title == "Any game"
    box.press(NO)
    assert box.state.menu is None
    open_name(box, "none")
    box.press(NO)
    assert box.menu.title == "House rules"
    assert not (tmp_path / NAMED_GAMES_FILE).exists()


def test_the_name_stands_in_result_and_history(journal: Journal, tmp_path: Path) -> None:
    box = Box(journal, tmp_path)
    box.sit(S1, S2)
    box.choose_any_game("Rummy")
    box.press(OK, S1, S1, S2, OK, PLUS, OK)
    assert box.state.outcome is not None
    assert box.state.title == "Rummy"
    box.press(NO, MINUS)
    box.choose("Past games")
    table = box.state.view
    assert [row.label for row in table.rows] == ["Rummy"]
    box.press(S1)
    assert "Rummy" in box.state.prompt


def test_exports_tell_named_games_apart(journal: Journal) -> None:
    """Rummy and Hearts are two games to the app, and to the history of a terminal."""
    box = Box(journal, None)
    box.sit(S1, S2)
    box.choose_any_game("Rummy")
    box.press(OK, S1, OK, PLUS, OK)
    saved_game = box.game
    record = journal.get_game(saved_game.id)
    entries = journal.read_entries(saved_game.id)
    replay = replay_game(saved_game.setup, entries, registry.find_game)
    play = build_play(record, replay, journal.clock)
    assert play["game"] == {"name": "Rummy", "sourceGameId": "score_keeper: Rummy", "highestWins": True}
    assert summarise_game(journal, record, registry.find_game, None)["title"] == "Rummy"


def test_an_interrupted_game_is_asked_about_by_its_name(journal: Journal, tmp_path: Path) -> None:
    box = Box(journal, tmp_path)
    box.sit(S1, S2)
    box.choose_any_game("Tichu")
    box.press(OK, S1)
    again = Box(journal, tmp_path)
    assert again.state.title == "Tichu"
    again.press(NO)  # set aside
    again.press(MINUS)
    assert any(line.startswith("Tichu of ") for line in again.menu.items)


def test_guests_choose_names_but_store_none(journal: Journal, tmp_path: Path) -> None:
    host = Box(journal, tmp_path)
    host.sit(S1, S2)
    host.choose_any_game("Rummy")
    host.press(OK)
    host.leave()
    before = (tmp_path / NAMED_GAMES_FILE).read_bytes()
    cafe = Box(journal, tmp_path, cafe=CafeSettings(on=True, quiet_minutes=10.0))
    cafe.sit(S1, S2, S3)
    cafe.press(PLUS)
    cafe.choose("Any game")
    assert "Own name" not in cafe.menu.items
    cafe.choose("Hearts")
    cafe.press(OK)
    assert cafe.settings.name == "Hearts"
    cafe.wait(10.1)
    cafe.wait(3.0)
    assert isinstance(cafe.stage, Lobby)
    assert cafe.state.players == ()
    cafe.press(PLUS)
    assert cafe.menu.items[0] == "Rummy"
    assert (tmp_path / NAMED_GAMES_FILE).read_bytes() == before


@pytest.mark.parametrize("content", [b"", b"\xff\xfe", b"3"])
def test_a_damaged_file_is_kept_and_reported(journal: Journal, tmp_path: Path, content: bytes) -> None:
    (tmp_path / NAMED_GAMES_FILE).write_bytes(content)
    box = Box(journal, tmp_path)
    kept = tmp_path / "named-games.damaged"
    file = tmp_path / NAMED_GAMES_FILE
    assert box.state.details == (f"The stored games: the file is damaged and not used; it is kept ({file})",)
    box.press(OK)
    box.sit(S1, S2)
    box.choose_any_game("Rummy")
    box.press(OK)
    assert box.settings.name == "Rummy"
    assert kept.read_bytes() == content
    assert [*NamedSettings(tmp_path).load(GAME)] == ["Rummy"]


def test_a_bad_rule_costs_that_rule_and_stays_in_the_file(journal: Journal, tmp_path: Path) -> None:
    entries = {"Rummy": {"target_points": 500}, "Skat": {"target_points": "many"}, "Go": {"no_such_rule": 1}}
    games = {"games": {"score_keeper": entries, "a_game_of_tomorrow": {"X": {"y": 1}}}}
    (tmp_path / NAMED_GAMES_FILE).write_text(json.dumps(games), encoding="utf-8")
    box = Box(journal, tmp_path)
    box.sit(S1, S2)
    box.press(PLUS)
    assert set(box.menu.items[:3]) == {"Go", "Rummy", "Skat"}
    bad = "Some house rules of {} are no longer valid and are ignored: check them"
    assert box.state.notice in {bad.format(name) for name in ("Skat", "Go")}
    box.choose("Rummy")
    box.press(OK)
    found = json.loads((tmp_path / NAMED_GAMES_FILE).read_text(encoding="utf-8"))["games"]
    assert found["score_keeper"]["Skat"] == entries["Skat"]
    assert found["a_game_of_tomorrow"] == {"X": {"y": 1}}


def test_a_disk_that_cannot_be_written_says_so(tmp_path: Path) -> None:
    named = NamedSettings(tmp_path / "missing")
    assert named.save(GAME, rules(name="Rummy")) is not None
    assert [*named.load(GAME)] == ["Rummy"], "it holds until the program ends"


def test_the_name_played_last_comes_first_and_old_ones_go(tmp_path: Path) -> None:
    named = NamedSettings(tmp_path)
    for i in range(MAX_NAMED_GAMES + 3):
        assert named.save(GAME, rules(name=f"Game {i}")) is None
    assert named.save(GAME, rules(name="Game 7", target_points=10)) is None
    names = [*NamedSettings(tmp_path).load(GAME)]
    assert names[:2] == ["Game 7", f"Game {MAX_NAMED_GAMES + 2}"]
    assert len(names) == MAX_NAMED_GAMES
    with pytest.raises(ValueError, match="without a name"):
        named.save(GAME, rules())


@pytest.mark.parametrize("name", ["x" * 17, "\u0958" * 16, "\ud800"])
def test_a_name_that_no_screen_could_show_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="name"):
        rules(name=name)


@pytest.mark.parametrize(
    ("written", "name"),
    [(" x ", "x"), ("\n", ""), ("\u200b", ""), ("Romme\u0301", ROMME), ("e\u0301" * 16, "\u00e9" * 16)],
)
def test_the_name_of_a_game_is_stored_in_normal_form(written: str, name: str) -> None:
    assert rules(name=written).name == name
    assert GAME.get_given_name({"name": written}) == name, "of a journal of before too"


def load_targets(named: NamedSettings) -> dict[str, int]:
    return {name: each.model_dump()["target_points"] for name, each in named.load(GAME).items()}


def test_two_spellings_of_a_name_are_one_game(tmp_path: Path) -> None:
    named = NamedSettings(tmp_path)
    assert named.save(GAME, rules(name="Romme\u0301", target_points=5)) is None
    assert named.save(GAME, rules(name="\u202eRomm\u00e9\u200b", target_points=6)) is None
    assert load_targets(named) == {ROMME: 6}
    assert named.find_name(GAME, "ROMME\u0301") == ROMME
    named.rename(GAME, "Romme\u0301", "ROMM\u00c9")
    assert [*NamedSettings(tmp_path).load(GAME)] == ["ROMM\u00c9"]
    named.delete(GAME, ROMME)
    assert not named.load(GAME)


def test_spellings_that_an_older_version_stored_are_one_game(tmp_path: Path) -> None:
    entries = {"Go": {}, "romme\u0301": {"target_points": 5, "house": 1}, ROMME: {"target_points": 6}, "\u200b": {}}
    (tmp_path / NAMED_GAMES_FILE).write_text(json.dumps({"games": {"score_keeper": entries}}), encoding="utf-8")
    named = NamedSettings(tmp_path)
    assert load_targets(named) == {ROMME: 6, "Go": 0}
    assert named.find_name(GAME, "romm\u00e9") == ROMME
    named.save(GAME, rules(name=ROMME, target_points=7))
    stored = json.loads((tmp_path / NAMED_GAMES_FILE).read_text(encoding="utf-8"))["games"]["score_keeper"]
    assert [*stored] == ["Go", "\u200b", ROMME]
    assert (stored[ROMME]["target_points"], stored[ROMME]["house"]) == (7, 1)


def test_every_preset_is_valid_for_its_game_in_every_language() -> None:
    for kit in KITS:
        for preset in kit.presets:
            assert isinstance(preset.settings, kit.settings_model)
            assert not preset.asked_setting or preset.asked_setting in kit.settings_model.model_fields
            if preset.is_named:
                for title in kit.translate.in_all_languages(preset.title):
                    kit.settings_model.model_validate({kit.name_setting: title})
