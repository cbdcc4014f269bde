"""A double press does one thing, in every game and dialog; what is repeated on purpose stays as fast as it is."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.api import Move, registry
from companion.app.session import Session, SessionConfig
from companion.app.table_services import TableServices
from companion.events import Button, ButtonPressed, ButtonReleased, CameraState, CameraStateChanged, TokenTaken
from companion.games.macroscope.state import Phase as MacroscopePhase
from companion.journal.database import Journal
from companion.lobby import FirstPlayerDraw, Lobby
from companion.testing.table import TableUnderTest
from tests.referee.questions import read_title
from tests.referee.race import KIT

Tables = Callable[..., TableUnderTest]
OK, NO, PLUS, MINUS = Button.OK, Button.NO, Button.PLUS, Button.MINUS
S1, S2, S3, S4 = Button.SEAT1, Button.SEAT2, Button.SEAT3, Button.SEAT4
QUICK = 0.15
"""Seconds between the two presses of a double press."""


def press_quickly(t: TableUnderTest, *buttons: Button, apart: float = QUICK) -> None:
    for button in buttons:
        t.send(ButtonPressed(button, t.clock.now), ButtonReleased(button, t.clock.now + 0.05))
        t.clock.now += apart
    t.wait(1.0)


def count_moves(t: TableUnderTest, kind: str) -> int:
    played = [entry.what.played for entry in t.journal.read_entries(t.saved_game.id)]
    return sum(move is not None and move.kind == kind for move in played)


def start(table: Tables, game: str, *presses: Button, players: int = 3) -> TableUnderTest:
    t = table(players, definition=registry.find_game(game), camera=False)
    t.press(*presses)
    return t


def test_memo_dice_marks_one_cup_right(table: Tables) -> None:
    t = start(table, "memo_dice", S1, S1, S1, S1)
    press_quickly(t, OK, OK)
    assert (count_moves(t, "right"), t.state.notice) == (1, None), "the second one was not meant"
    t.wait(1.5)
    press_quickly(t, OK)
    assert count_moves(t, "right") == 2, "a press that was read first counts"


def test_presses_under_a_hand_wait_side_by_side_each_button_once(table: Tables) -> None:
    """Somebody asks who wants to guess, twice, and two players answer before the camera has read the token."""
    t = table()
    t.roll(2, 5)
    t.take_token(2)
    t.roll(3, 4)
    t.send(CameraStateChanged(CameraState.HAND, t.clock.now, lid_known=True))
    before = count_moves(t, "stop")
    press_quickly(t, OK, OK, S1, S3)
    assert count_moves(t, "stop") == before
    t.send(TokenTaken(3, 3, 0.99, t.clock.now), CameraStateChanged(CameraState.STEADY, t.clock.now, lid_known=True))
    for _press in range(4):  # one in each turn of the loop
        t.wait(0.0)
    assert (count_moves(t, "stop"), t.game.wishes) == (before + 1, (0, 2))


def test_memo_dice_takes_one_answer_and_covers_one_die(table: Tables) -> None:
    t = start(table, "memo_dice")
    press_quickly(t, S1, S1)
    assert count_moves(t, "die") == 1
    t.press(S1, S1, S1)
    press_quickly(t, NO, NO)
    assert count_moves(t, "miss") == 1, "NO counts when it is released"


def test_starfall_adds_no_tile_for_the_next_player(table: Tables) -> None:
    t = start(table, "starfall")
    press_quickly(t, OK, OK)
    assert count_moves(t, "add") == 1


def test_pictomania_skips_no_pile(table: Tables) -> None:
    t = start(table, "pictomania", OK, OK)
    t.wait(3.1)
    t.press(S3, S1, OK)  # the two tokens, and the piles are turned
    press_quickly(t, S2, S2)
    assert (count_moves(t, "right"), count_moves(t, "wrong")) == (1, 0)
    press_quickly(t, OK, OK)
    assert count_moves(t, "next") == 1


IMPATIENT = 0.5
"""Seconds between two presses of who is impatient: longer than a double press, too short to have read or done much."""


MASHED = 20
"""Presses of who does not stop."""


def reach_reveal(t: TableUnderTest) -> None:
    """Lay two cards in Secret Number, and end all rounds."""
    t.press(OK, OK)
    t.wait(3.2)
    t.press(S1, S2)
    for _round in range(2):
        t.hold(OK)
        t.press(OK)
        t.wait(3.2)
    t.hold(OK)


def reach_pictomania_piles(t: TableUnderTest) -> None:
    t.press(OK, OK)
    t.wait(3.1)
    t.press(S3, S1, OK)  # the two tokens, and the piles are turned
    t.press(S2)


def reach_pictomania_page(t: TableUnderTest) -> None:
    reach_pictomania_piles(t)
    for _pile in range(2):
        t.press(OK)
        if count_moves(t, "next") < 3:
            t.hold(OK)


@pytest.mark.parametrize(
    ("game", "reach", "kind"),
    [
        ("memo_dice", lambda t: t.press(S1, S1, S1, S1, OK), "right"),
        ("memo_dice", lambda t: t.press(*[S1] * 4, *[OK] * 4), "next"),
        ("secret_number", reach_reveal, "right"),
        ("pictomania", reach_pictomania_piles, "next"),
        ("pictomania", reach_pictomania_page, "next_round"),
        ("starfall", lambda t: t.press(OK, OK, S1, OK, S2, *[OK] * 12), "finish"),
        ("rummy", lambda t: t.press(S1, S2, OK, S2, S3, OK, S3, S4, OK), "confirm"),
        ("score_keeper", lambda t: t.press(S1, OK), "round"),
        ("score_keeper turns", lambda t: t.press(S1, OK), "pass"),
    ],
)
def test_who_goes_on_pressing_ok_skips_nothing(
    table: Tables, game: str, reach: Callable[[TableUnderTest], None], kind: str
) -> None:
    settings: dict[str, dict[str, Any]] = {
        "starfall": {"tiles_removed": {"2": 25}},
        "score_keeper": {"rounds": 8},
        "score_keeper turns": {"rounds": 8, "turn_order": "clockwise"},
    }
    players = 2 if game == "starfall" else 3
    t = table(players, definition=registry.find_game(game.split()[0]), camera=False, **settings.get(game, {}))
    reach(t)
    before, shown = count_moves(t, kind), t.game
    press_quickly(t, *[OK] * MASHED, apart=IMPATIENT)
    assert t.game == shown
    assert t.state.notice == "Too fast: wait a moment, then press again"
    t.wait(0.5)
    press_quickly(t, OK)
    assert count_moves(t, kind) == before + 1, "a press that was read first counts"
    assert t.state.notice is None


@pytest.mark.parametrize(("game", "presses"), [("scrabble", (S1, S1)), ("rummy", (S1,))], ids=["turns", "together"])
def test_a_question_after_a_number_is_answered_once_it_is_read(
    table: Tables, game: str, presses: tuple[Button, ...]
) -> None:
    t = start(table, game, *presses)
    press_quickly(t, OK, OK, apart=IMPATIENT)
    assert count_moves(t, "enter") == 1
    t.press(OK)
    assert count_moves(t, "enter") == 2


def test_macroscope_stop_leaves_the_others_their_chance(table: Tables) -> None:
    """M30."""
    t = start(table, "macroscope", S2, Button.SEAT6, Button.SEAT6)
    press_quickly(t, OK, OK)
    assert (t.game.phase, count_moves(t, "close")) == (MacroscopePhase.ASKING, 0)
    press_quickly(t, S2, S2)
    assert (count_moves(t, "wish"), count_moves(t, "withdraw")) == (1, 0), "a wish is not withdrawn at once"


def test_a_question_is_not_answered_by_the_press_that_opened_it(table: Tables) -> None:
    t = start(table, "starfall")
    press_quickly(t, MINUS, MINUS)
    assert t.state.menu is None, "the pause that was opened stays open"
    press_quickly(t, MINUS, MINUS)
    menu = t.state.menu
    assert menu is not None
    assert menu.items[menu.selected] == "Ada's dust"
    press_quickly(t, OK, OK)
    assert t.referee.dialog is not None, "the input that was opened stays open"
    press_quickly(t, NO, NO)
    assert t.saved_game.last_played is None


def test_a_pause_does_not_open_the_menu(table: Tables) -> None:
    t = table(3, definition=KIT)
    press_quickly(t, MINUS, MINUS)
    assert read_title(t) == "Paused"


@pytest.mark.parametrize("apart", [0.05, 0.15, 0.39])
def test_hammering_plays_once_until_the_screen_could_be_read(table: Tables, apart: float) -> None:
    t = start(table, "starfall")
    press_quickly(t, OK, OK, apart=apart)
    assert count_moves(t, "add") == 1


def test_a_guarded_press_is_acknowledged(table: Tables) -> None:
    t = start(table, "starfall")
    now = t.clock.now
    t.send(ButtonPressed(OK, now), ButtonReleased(OK, now + 0.05))
    t.clock.now += 0.3
    assert OK not in t.state.pressed_buttons
    t.send(ButtonPressed(OK, t.clock.now))
    assert OK in t.state.pressed_buttons
    assert count_moves(t, "add") == 1


def test_the_stamps_count_and_not_the_arrival(table: Tables) -> None:
    t = start(table, "starfall")
    now = t.clock.now
    t.send(ButtonPressed(OK, now), ButtonPressed(OK, now + 0.5))
    assert count_moves(t, "add") == 2


def test_one_press_heard_by_two_devices_counts_once(table: Tables) -> None:
    t = start(table, "starfall")
    now = t.clock.now
    t.send(ButtonPressed(OK, now, "touch screen"), ButtonPressed(OK, now + 0.03, "GPIO"))
    assert count_moves(t, "add") == 1


def test_other_players_buttons_are_not_held_up(table: Tables) -> None:
    t = table(3, definition=KIT)
    press_quickly(t, S1, S2, S3, apart=0.01)
    assert t.game.pressed == (1, 1, 1)


def test_a_press_just_before_an_offer_appears_makes_the_next_one_too_early(table: Tables) -> None:
    t = start(table, "macroscope")
    now = t.clock.now
    t.send(ButtonPressed(OK, now))
    t.saved_game.play_move(Move("roll", t.game.active_seat, (2, 6)))
    t.saved_game.play_move(Move("remove", t.game.active_seat, (6,)))
    t.send(ButtonPressed(OK, now + QUICK))
    assert count_moves(t, "stop") == 0
    t.send(ButtonPressed(OK, now + 0.5))
    assert count_moves(t, "stop") == 1


# What is repeated on purpose ------------------------------------------------------------------------------------


def test_digits_may_be_entered_fast(table: Tables) -> None:
    t = start(table, "macroscope")
    press_quickly(t, S3, S3, S3)
    assert t.played() == Move("roll", t.game.active_seat, (3, 3))
    assert t.game.phase is MacroscopePhase.OPEN


def test_values_and_menus_are_stepped_fast(table: Tables) -> None:
    t = start(table, "starfall", MINUS, MINUS)
    press_quickly(t, MINUS, MINUS, MINUS, PLUS)
    menu = t.state.menu
    assert menu is not None
    assert menu.items[menu.selected] == "Cleo's dust"
    t.press(S2)
    value = t.referee.dialog.value
    press_quickly(t, MINUS, MINUS, MINUS)
    assert t.referee.dialog.value == value - 3


def test_pictures_cards_and_dust_are_stepped_fast(table: Tables) -> None:
    t = start(table, "pictomania")
    press_quickly(t, PLUS, PLUS)
    assert count_moves(t, "colour") == 2


def test_an_unchanged_seat_key_stays_as_fast_as_it_is(table: Tables) -> None:
    """S21: after another player's card."""
    t = start(table, "secret_number", OK, OK)
    t.wait(3.1)
    press_quickly(t, S1, S2, S1, S2)
    assert t.game.current_pile == (0, 1, 0, 1)


# From stage to stage --------------------------------------------------------------------------------------------


class SessionUnderTest:
    def __init__(self, folder: Path, game: str) -> None:
        self.now = 0.0
        definition = registry.find_game(game)
        self.journal = Journal(folder / "journal.sqlite3")
        config = SessionConfig(definition, (), definition.settings_model())
        self.session = Session(config, self.journal, TableServices(lambda: self.now, Random(1)))

    def press(self, *buttons: Button, apart: float = 0.5) -> None:
        for button in buttons:
            self.session.step([ButtonPressed(button, self.now), ButtonReleased(button, self.now + 0.05)])
            self.now += apart
        self.now += 0.5


def test_a_seat_is_not_left_at_once(tmp_path: Path) -> None:
    t = SessionUnderTest(tmp_path, "starfall")
    t.press(S1, S1, apart=QUICK)
    assert isinstance(t.session.stage, Lobby)
    assert t.session.stage.seating == (S1,)
    t.journal.close()


def test_one_stage_is_not_left_by_the_press_that_opened_it(tmp_path: Path) -> None:
    t = SessionUnderTest(tmp_path, "starfall")
    t.press(S1, S2)
    t.press(OK, OK, apart=QUICK)
    assert isinstance(t.session.stage, FirstPlayerDraw)
    t.press(OK, OK, apart=QUICK)
    assert t.session.saved_game is not None
    assert t.session.saved_game.last_played is None, "no tile was added by the press that began the game"
    t.journal.close()


def test_the_last_press_of_a_game_does_not_begin_another(tmp_path: Path) -> None:
    t = SessionUnderTest(tmp_path, "macroscope")
    t.session.stage.house_rules.change(registry.find_game("macroscope"), "rounds", 1)
    t.press(S1, S2, OK, OK)
    saved_game = t.session.saved_game
    assert saved_game is not None
    seat = saved_game.game.active_seat
    saved_game.play_move(Move("roll", seat, (2, 5)))
    saved_game.play_move(Move("remove", seat, (5,)))
    saved_game.play_move(Move("guess", seat))
    saved_game.play_move(Move("close", seat))
    saved_game.play_move(Move("cover"))
    t.press(NO, NO, apart=QUICK)  # nobody was right; then "New game"
    assert t.session.saved_game is not None
    assert t.session.saved_game.game.compute_outcome() is not None
    t.journal.close()
