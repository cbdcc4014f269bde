"""The menu of the players in the pause menu: somebody joins, is called otherwise, or changes places, by buttons."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from companion.api import Seat
from companion.api.registry import find_game
from companion.events import SEAT_BUTTONS, Button, CharacterTyped
from companion.journal.entry import JournalUnwritable
from companion.testing.table import TableUnderTest

Tables = Callable[..., TableUnderTest]
OK, NO, PLUS, MINUS = Button.OK, Button.NO, Button.PLUS, Button.MINUS
S1, S2, S3, S4, S5, S6 = SEAT_BUTTONS
JOIN, RENAME, MOVE = "Somebody joins", "Change a name", "Change places"


def choose(table: TableUnderTest, line: str) -> None:
    """Open the pause menu and its menu of the players, and press the number key of the line."""
    table.press(MINUS, S3)
    menu = table.state.menu
    assert menu is not None
    table.press(SEAT_BUTTONS[menu.items.index(line)])


def list_names(table: TableUnderTest) -> list[tuple[str, Button]]:
    return [(player.name, player.button) for player in table.state.players]


def test_somebody_joins_with_four_presses_and_plays(table: Tables) -> None:
    seated = table(2, camera=False, buttons=(S1, S4))
    choose(seated, JOIN)
    assert seated.state.question is not None
    assert "free button" in seated.state.question.detail
    assert seated.offer(S1) is None
    seated.press(S2)
    assert seated.state.menu is not None
    assert seated.state.menu.items[:1] == ("Triangle",)
    seated.press(OK)
    assert list_names(seated) == [("Ada", S1), ("Bob", S4), ("Triangle", S2)]
    assert seated.state.scores == (2, 2, 2)
    assert seated.state.last_move == "Triangle joins"
    seated.press(S2, S5)  # 2 and 5 are thrown
    seated.press(S5, OK, OK)  # Ada takes the 5, stops, nobody guesses
    assert seated.game.active_seat == 2, "Triangle sits between Ada and Bob"
    seated.restart()
    assert list_names(seated) == [("Ada", S1), ("Bob", S4), ("Triangle", S2)]
    for _ in range(5):
        seated.hold(NO)
    assert list_names(seated) == [("Ada", S1), ("Bob", S4)]
    assert list(seated.state.scores) == [2, 2]


def test_the_new_button_acts_at_once(table: Tables) -> None:
    seated = table(2, definition=find_game("score_keeper"))
    choose(seated, JOIN)
    seated.press(S6, OK)
    seated.press(S6, S6)
    assert list(seated.game.totals) == [0, 0, 2]
    seated.hold(NO)
    seated.hold(NO)
    seated.hold(NO)
    assert seated.offer(S6) is None
    seated.press(S6)
    assert seated.game.totals == (0, 0)


def test_a_known_player_gets_the_name_of_before_and_another_one_spells_it(table: Tables) -> None:
    seated = table(3, definition=find_game("score_keeper"))
    other = table(2, definition=find_game("score_keeper"))
    for each in (seated, other):
        choose(each, JOIN)
        each.press(S5)
    menu = seated.state.menu
    assert menu is not None
    seated.press(SEAT_BUTTONS[menu.items.index("Another name")])
    assert seated.state.asks_for_text
    seated.send(*(CharacterTyped(letter, seated.clock.now) for letter in "zoë x\b\b"))
    seated.press(OK)
    assert list_names(seated)[-1] == ("Zoë", S5)
    seated.hold(NO)
    choose(seated, JOIN)
    seated.press(S5)
    assert seated.state.menu is not None
    seated.press(SEAT_BUTTONS[seated.state.menu.items.index("Another name")])
    seated.send(CharacterTyped("a", seated.clock.now), CharacterTyped("\b", seated.clock.now))
    seated.send(CharacterTyped("\b", seated.clock.now))
    assert seated.referee.dialog is None, "erasing nothing closes the input, as in the lobby"


def test_who_sat_there_last_is_offered_first(table: Tables) -> None:
    seated = table(3, definition=find_game("score_keeper"))
    setup = seated.saved_game.setup
    seated.saved_game = type(seated.saved_game).begin(
        seated.journal, setup.model_copy(update={"players": ("Ada", "Bob"), "buttons": (S1, S2)}), seated.definition
    )
    seated.restart()
    choose(seated, JOIN)
    seated.press(S3, OK)
    assert list_names(seated)[-1] == ("Cleo", S3)


def test_a_name_that_somebody_has_is_refused(table: Tables) -> None:
    seated = table(2, definition=find_game("starfall"))
    choose(seated, RENAME)
    seated.press(S2)
    assert seated.state.menu is not None
    seated.press(SEAT_BUTTONS[seated.state.menu.items.index("Another name")])
    seated.send(*(CharacterTyped(letter, seated.clock.now) for letter in "ada"))
    seated.press(OK)
    assert seated.state.notice == "Ada sits here already: choose another name"
    assert list_names(seated) == [("Ada", S1), ("Bob", S2)]


def test_a_player_is_renamed(table: Tables) -> None:
    seated = table(2, definition=find_game("starfall"), camera=False)
    choose(seated, RENAME)
    seated.press(S1)
    assert seated.state.menu is not None
    seated.press(SEAT_BUTTONS[seated.state.menu.items.index("Circle")])
    assert seated.state.prompt.startswith("Circle")
    assert seated.state.last_move == "Ada is called Circle now"
    seated.hold(NO)
    assert seated.state.prompt.startswith("Ada")
    assert seated.state.notice == "Undone: Ada is called Circle now"


def test_two_change_places_and_one_moves(table: Tables) -> None:
    seated = table(3, definition=find_game("score_keeper"))
    seated.press(S1, S2, S2)
    choose(seated, MOVE)
    seated.press(S1)
    assert seated.offer(S1) is None
    seated.press(S3)
    assert list_names(seated) == [("Ada", S3), ("Bob", S2), ("Cleo", S1)]
    seated.press(S3)
    assert seated.game.totals == (2, 2, 0), "Ada's points went with her"
    choose(seated, MOVE)
    seated.press(S2, S6)
    assert list_names(seated) == [("Ada", S3), ("Bob", S6), ("Cleo", S1)]
    seated.press(S6)
    assert seated.game.totals == (2, 3, 0)
    seated.restart()
    seated.press(S6)
    assert seated.game.totals == (2, 4, 0)


@pytest.mark.parametrize("game", ["starfall", "memo_dice"])
def test_where_nobody_can_join_the_menu_has_no_line_for_it(table: Tables, game: str) -> None:
    seated = table(2, definition=find_game(game))
    seated.press(MINUS, S3)
    assert seated.state.menu is not None
    assert seated.state.menu.items == (RENAME, MOVE)


def test_a_clock_stands_still_meanwhile_and_goes_on(table: Tables) -> None:
    seated = table(2, definition=find_game("score_keeper"), turn_order="clockwise", clock="turn", turn_seconds=60)
    seated.press(S1)
    seated.wait(10)
    choose(seated, JOIN)
    seated.wait(300)
    seated.press(S3, OK)
    assert seated.state.question is not None, "the pause stays open: its OK lets the clock go on"
    seated.press(OK)
    assert seated.state.clocks[0].seconds_left == pytest.approx(50, abs=3)
    assert seated.game.active_seat == Seat(0)


def test_a_journal_that_cannot_be_read_is_named(table: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    seated = table(2, definition=find_game("score_keeper"))

    def fail(*_newest: int) -> None:
        raise JournalUnwritable("the disk is gone", "The disk is gone")

    monkeypatch.setattr(seated.journal, "list_games", fail)
    seated.press(MINUS, S3)
    assert seated.referee.dialog is None
    assert seated.state.notice
