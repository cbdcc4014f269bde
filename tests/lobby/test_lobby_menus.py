"""The lobby's menus: games, names, house rules and their storage; the draw of the first player."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion.api import Command, CommandName, NumberPress, Seat, registry
from companion.config.settings import CafeSettings
from companion.events import Button, ButtonPressed, ButtonReleased, CharacterTyped
from companion.games.macroscope import GAME as MACROSCOPE
from companion.games.macroscope.settings import Settings
from companion.games.pictomania.settings import Settings as PictomaniaSettings
from companion.i18n import set_language
from companion.journal.known_players import KnownPlayers
from companion.journal.renamed_players import PlayerNames
from companion.lobby import FirstPlayerDraw, HouseRules, Lobby
from companion.lobby.house_rules import HOUSE_RULES_FILE
from companion.lobby.services import LobbyServices
from companion.screen_state import CameraView
from tests.lobby.presses import CLOCK, choose, choose_game, menu, open_line, press, screen

OK, NO, PLUS, MINUS = Button.OK, Button.NO, Button.PLUS, Button.MINUS
S1, S2, S3, S4, S5, S6 = list(Button)[:6]
KITS = registry.load_games()
PICTOMANIA = registry.find_game("pictomania")


def lobby(house_rules: HouseRules | None = None, known_players: KnownPlayers | None = None, **more: object) -> Lobby:
    return Lobby(
        MACROSCOPE,
        LobbyServices(CLOCK, house_rules=house_rules or HouseRules()),
        definitions=KITS,
        known_players=known_players,
        **more,
    )


def test_a_game_for_fewer_players_removes_the_last_ones() -> None:
    stage = lobby()
    press(stage, S1, S2, S3, S4, S5)
    choose_game(stage, "Memo Dice")
    assert stage.seating == (S1, S2, S3, S4)


def test_known_players_get_their_names_where_they_sat_last() -> None:
    stage = lobby(known_players=KnownPlayers(("Ada", "Bob"), {S2: "Ada", S5: "Bob"}))
    press(stage, S2, S3, S5)
    assert stage.seated == ("Ada", "Square", "Bob")


def test_no_name_is_seated_twice() -> None:
    stage = lobby(known_players=KnownPlayers(("Ada",), {S2: "Ada", S5: "Ada"}))
    press(stage, S2, S5)
    assert stage.seated == ("Ada", "Star")


def ask_for_name(stage: Lobby, seat: Button) -> None:
    """Open the page on which the player of this seat enters another name."""
    open_line(stage, "Names")
    press(stage, seat)
    choose(stage, "Another name")


def test_a_new_name_is_spelt_with_six_keys() -> None:
    stage = lobby()
    press(stage, S1, S4)
    ask_for_name(stage, S4)
    press(stage, S1, S1, S1, S1)  # D
    press(stage, PLUS, S1)  # a
    press(stage, S3, S3, S3, S3)  # n
    question = screen(stage).question
    assert question.title == "Dan"
    press(stage, S6, MINUS, OK)  # one letter too many, and away with it
    assert stage.seated == ("Circle", "Dan")


def type_text(stage: Lobby, text: str) -> None:
    for character in text:
        stage.receive(CharacterTyped(character, CLOCK()))
        stage.tick()


def test_a_name_is_typed_on_a_keyboard() -> None:
    stage = lobby()
    press(stage, S1, S4)
    type_text(stage, "x")  # no name is asked for
    assert not screen(stage).asks_for_text
    ask_for_name(stage, S4)
    assert screen(stage).asks_for_text
    type_text(stage, "-+ zoëe\b--Ann  o3")
    question = screen(stage).question
    assert question.title == "Zoë-Ann o_"
    type_text(stage, "\b\b")
    type_text(stage, "abcdefghijkl")
    press(stage, OK)
    assert stage.seated == ("Circle", "Zoë-Annabcdefghi")


def test_erasing_an_empty_name_goes_back() -> None:
    stage = lobby()
    press(stage, S1)
    ask_for_name(stage, S1)
    type_text(stage, "a\b")
    assert stage.dialog is not None
    type_text(stage, "\b")
    assert stage.dialog is None


def test_all_letters_can_be_reached_and_a_name_ends_somewhere() -> None:
    stage = lobby()
    press(stage, S1)
    ask_for_name(stage, S1)
    for _ in range(30):
        press(stage, S5, PLUS)
    press(stage, *[S6] * 6, OK)
    assert stage.seated[0] == "U" + "u" * 15


def test_a_house_rule_is_changed_and_stored(tmp_path: Path) -> None:
    stage = lobby(HouseRules(folder=tmp_path))
    press(stage, MINUS, OK)
    choose(stage, "Rounds")
    press(stage, MINUS, MINUS, OK)
    assert "Rounds: 8" in menu(stage).items
    press(stage, NO)
    assert stage.settings.rounds == 8
    assert "Rounds: 8" in screen(stage).details
    assert HouseRules(folder=tmp_path).rules_of(MACROSCOPE).rounds == 8


def test_the_easy_rules_bring_their_own_start() -> None:
    """Macroscope V1: no crystals at the start."""
    stage = lobby()
    press(stage, MINUS, OK)
    choose(stage, "Rules")
    assert (stage.settings.variant, stage.settings.start_crystals) == ("easy", 0)
    choose(stage, "Rules")
    assert (stage.settings.variant, stage.settings.start_crystals) == ("basic", 2)


def test_every_rule_of_every_game_can_be_opened_and_left() -> None:
    for kit in KITS[:6]:  # games in files have none
        stage = Lobby(kit, LobbyServices(CLOCK), definitions=KITS)
        press(stage, MINUS, OK)
        for words in menu(stage).items:
            choose(stage, words.split(":")[0])
            for _ in range(2):
                if screen(stage).menu is None or menu(stage).title != "House rules":
                    press(stage, NO)
            assert menu(stage).title == "House rules"
            press(stage, NO)
            assert screen(stage).menu is None
            press(stage, MINUS, OK)


FIVE = ("Ada", "Bob", "Cleo", "Dan", "Eve")


def test_with_too_many_names_those_who_sit_down_play() -> None:
    stage = Lobby(registry.find_game("starfall"), LobbyServices(CLOCK), names=FIVE)
    press(stage, S1, S2, S3, S4)
    assert stage.prompt == "The table is full: start with OK"
    press(stage, OK)
    assert stage.exit == Command(CommandName.START)
    stage = Lobby(MACROSCOPE, LobbyServices(CLOCK), names=FIVE, definitions=KITS)
    press(stage, S1, S2, S3, S4, S5)
    choose_game(stage, "StarFall")
    assert stage.prompt == "StarFall is for 2 to 4 players: who sits this one out?"
    press(stage, S2, OK)
    assert stage.exit == Command(CommandName.START)
    assert stage.seated == ("Ada", "Cleo", "Dan", "Eve")


def test_a_wrong_card_can_cost_more_and_less_again() -> None:
    """Secret Number, S31: points may be negative."""
    stage = Lobby(registry.find_game("secret_number"), LobbyServices(CLOCK))
    press(stage, MINUS, OK)
    choose(stage, "Points")
    press(stage, OK, PLUS, MINUS, MINUS, OK)
    assert stage.settings.card_points == (1, -2)


def test_a_token_without_a_star_cannot_be_entered() -> None:
    """Pictomania, P2: the owner's answer counts, so it must be one that can."""
    stage = Lobby(PICTOMANIA, LobbyServices(CLOCK))
    press(stage, S1, S2, S3, OK, S1, MINUS, MINUS, OK, OK)
    assert stage.exit == Command(CommandName.START)
    assert stage.notice is None
    assert stage.settings.bonus_tokens[3] == (1, 1)


def test_no_more_tiles_are_removed_than_a_game_can_do_without() -> None:
    """StarFall, F20: the game ends with one tile on the board and none in the pile."""
    house = HouseRules()
    house.change(registry.find_game("starfall"), "tiles_removed", {2: (25,)})
    stage = Lobby(registry.find_game("starfall"), LobbyServices(CLOCK, house_rules=house))
    press(stage, MINUS, OK)
    choose(stage, "Tiles removed")
    press(stage, PLUS, OK)
    assert stage.notice is None
    assert stage.settings.tiles_removed[2] == (25,)


@pytest.mark.parametrize("torn", [b"", b"{", b"\xff\x00", b"3", b'{"rules": {"macroscope": {"rounds": '])
def test_a_damaged_rules_file_is_set_aside(tmp_path: Path, torn: bytes) -> None:
    (tmp_path / HOUSE_RULES_FILE).write_bytes(torn)
    house = HouseRules(folder=tmp_path)
    assert house.rules_of(MACROSCOPE).rounds == 10
    assert "damaged" in (house.store.problem or "")
    assert house.change(MACROSCOPE, "rounds", 4) is None
    assert (tmp_path / HOUSE_RULES_FILE).with_suffix(".damaged").read_bytes() == torn
    assert HouseRules(folder=tmp_path).rules_of(MACROSCOPE).rounds == 4


def test_a_stored_rule_that_is_no_longer_valid_is_ignored(tmp_path: Path) -> None:
    stored = {"rounds": 900, "no such": 1, "challenge_cost": 5}
    (tmp_path / HOUSE_RULES_FILE).write_text(json.dumps({"rules": {"macroscope": stored}}))
    house = HouseRules(folder=tmp_path)
    assert house.rules_of(MACROSCOPE) == Settings(challenge_cost=5)
    assert "no longer valid" in (house.problem or "")
    assert house.change(MACROSCOPE, "start_crystals", 9) is None, "an old rule does not bar a new choice"
    again = json.loads((tmp_path / HOUSE_RULES_FILE).read_text())["rules"]["macroscope"]
    assert again == stored | {"start_crystals": 9}


def test_on_a_full_disk_the_rule_holds_for_the_session(tmp_path: Path) -> None:
    house = HouseRules(folder=tmp_path / "gone")
    assert "tonight only" in (house.change(MACROSCOPE, "rounds", 4) or "")
    assert house.rules_of(MACROSCOPE).rounds == 4


def test_a_guessed_default_is_confirmed_once(tmp_path: Path) -> None:
    """Pictomania, section 3: values of the bonus tokens were not found."""
    stage = Lobby(PICTOMANIA, LobbyServices(CLOCK, house_rules=HouseRules(folder=tmp_path)))
    press(stage, S1, S2, S3, OK)
    assert stage.exit is None
    assert menu(stage).title == "How many stars are on the black bonus tokens for 3 players?"
    assert menu(stage).items == ("Stars on bonus token 1: 2", "Stars on bonus token 2: 1")
    assert menu(stage).numbered == 2
    press(stage, S1, Button.PLUS)
    assert (menu(stage).value, menu(stage).note) == ("3", "was 2")
    press(stage, OK)
    assert menu(stage).items == ("Stars on bonus token 1: 3, was 2", "Stars on bonus token 2: 1")
    press(stage, OK)
    assert stage.exit == Command(CommandName.START)
    assert stage.settings.bonus_tokens[3] == (3, 1)
    again = Lobby(PICTOMANIA, LobbyServices(CLOCK, house_rules=HouseRules(folder=tmp_path)))
    press(again, S1, S2, S3, OK)
    assert again.exit == Command(CommandName.START)
    assert again.settings.bonus_tokens[3] == (3, 1)
    four = Lobby(PICTOMANIA, LobbyServices(CLOCK, house_rules=HouseRules(folder=tmp_path)))
    press(four, S1, S2, S3, S4, OK)
    assert four.exit is None, "for four players there are other tokens"


def test_no_single_press_changes_a_value_that_is_confirmed(tmp_path: Path) -> None:
    """S7: a seat button changed the value that was shown, and nobody noticed."""
    for button in (S1, S2, S3, S4, S5, S6, Button.PLUS, Button.MINUS):
        house = HouseRules(folder=tmp_path / button)
        stage = Lobby(PICTOMANIA, LobbyServices(CLOCK, house_rules=house))
        press(stage, S1, S2, S3, OK, button, NO)
        assert house.rules_of(PICTOMANIA) == PictomaniaSettings(), button
        press(stage, *([OK] if stage.dialog is None else []), OK)
        assert stage.exit == Command(CommandName.START), button
        assert house.rules_of(PICTOMANIA) == PictomaniaSettings(), button


def first(drawn: int, *buttons: Button) -> FirstPlayerDraw:
    names = ("Ada", "Bob", "Cleo")
    return FirstPlayerDraw(MACROSCOPE, names, (S2, S4, S5), Settings(), Seat(drawn), CLOCK)


def test_once_the_light_stands_still_everybody_but_the_first_player_can_claim_the_turn() -> None:
    stage = first(1)
    CLOCK.now += 60.0
    claims = [offer.input for offer in stage.list_offers() if offer.label == "I begin"]
    assert claims == [NumberPress(2), NumberPress(5)], "the buttons of Ada and Cleo"
    moving = [offer.input for offer in first(1).list_offers() if offer.label == "I begin"]
    assert moving == [NumberPress(2), NumberPress(4), NumberPress(5)]


def test_a_stored_rule_counts_where_the_settings_file_names_none(tmp_path: Path) -> None:
    HouseRules(folder=tmp_path).change(MACROSCOPE, "rounds", 7)
    HouseRules(folder=tmp_path).change(MACROSCOPE, "challenge_cost", 5)
    house = HouseRules({"macroscope": Settings(rounds=5, start_crystals=9)}, tmp_path)
    rules = house.rules_of(MACROSCOPE)
    assert (rules.rounds, rules.challenge_cost, rules.start_crystals, rules.windows) == (5, 5, 9, 12)
    assert house.problem is None


def test_choices_of_a_session_are_forgotten_and_the_stored_ones_stay(tmp_path: Path) -> None:
    house = HouseRules({"macroscope": Settings(rounds=5)}, tmp_path)
    house.change(MACROSCOPE, "rounds", 7)
    house.change(MACROSCOPE, "challenge_cost", 5)
    assert (house.rules_of(MACROSCOPE).rounds, house.rules_of(MACROSCOPE).challenge_cost) == (7, 5)
    house.forget_session()
    assert (house.rules_of(MACROSCOPE).rounds, house.rules_of(MACROSCOPE).challenge_cost) == (5, 5)


def test_the_first_thing_that_is_wrong_with_a_rule_is_said() -> None:
    house = HouseRules()
    assert house.change(MACROSCOPE, "rounds", 0) == "Input should be greater than or equal to 1"
    assert house.rules_of(MACROSCOPE).rounds == 10


def test_a_guess_that_the_settings_file_names_is_not_asked_about() -> None:
    given = PICTOMANIA.settings_model(bonus_tokens={3: (1, 1), 4: (1, 1, 1), 5: (1,) * 4, 6: (1,) * 5})
    assert HouseRules().list_unconfirmed(PICTOMANIA, 3) == ("bonus_tokens",)
    assert HouseRules({"pictomania": given}).list_unconfirmed(PICTOMANIA, 3) == ()
    assert HouseRules({"pictomania": PICTOMANIA.settings_model(rounds=3)}).list_unconfirmed(PICTOMANIA, 3) != ()


def test_a_list_moves_on_while_the_button_is_held() -> None:
    stage = lobby()
    press(stage, S1, MINUS)
    CLOCK.now += 0.5
    stage.receive(ButtonPressed(MINUS, CLOCK.now))
    stage.tick()
    assert menu(stage).selected == 1
    CLOCK.now += 0.5
    stage.tick()
    assert menu(stage).selected == 2 % len(menu(stage).items)
    stage.receive(ButtonReleased(MINUS, CLOCK.now))
    CLOCK.now += 2.0
    stage.tick()
    assert menu(stage).selected == 2 % len(menu(stage).items)


def test_a_game_for_one_number_of_players_says_so() -> None:
    stage = lobby()
    for code, words in (("en", "2 players"), ("it", "2 giocatori"), ("de", "2 Spieler")):
        set_language(code)
        choose_game(stage, "Backgammon")
        assert stage.build_screen_state(CameraView()).details == (words,)


def test_who_was_renamed_sits_down_by_the_new_name_also_in_a_cafe() -> None:
    names = PlayerNames()
    names.rename("Bob", "Robert")
    services = LobbyServices(CLOCK, player_names=names, cafe=CafeSettings(on=True))
    stage = Lobby(MACROSCOPE, services, names=("Ada", "Bob"))
    press(stage, S1)
    assert stage.prompt == "Robert: press your button"
    press(stage, S2)
    assert stage.seated == ("Ada", "Robert")
    stage = Lobby(MACROSCOPE, services, known_players=KnownPlayers(("Bob",), {S1: "Bob", S2: "Robert"}))
    press(stage, S1, S2)
    assert stage.seated == ("Robert", "Triangle")
    open_line(stage, "Names")
    press(stage, S2)
    choose(stage, "Bob")
    assert stage.notice == "Robert sits here already: choose another name"
