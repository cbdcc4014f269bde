"""The referee: its own offers, numbers of an open move, the marks of the clocks, the picture, and notices."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import pytest

from companion.api import NUMBER_ENTRY, ConsolePress, Correctable, GameClock, Move, Offer, ValueRange
from companion.events import Button, ButtonPressed, CameraState, CameraStateChanged, CupLifted
from companion.games.macroscope.state import Phase
from companion.games.memo_dice import GAME as MEMO_DICE
from companion.games.pictomania import GAME as PICTOMANIA
from companion.referee.game_stage import list_own_offers
from companion.referee.referee import Referee
from companion.referee.services import GameServices
from companion.testing.table import CAMERA_VIEW, TableUnderTest
from tests.definitions import change
from tests.referee.race import KIT, Race

Tables = Callable[..., TableUnderTest]
OK, NO, PLUS, MINUS = Button.OK, Button.NO, Button.PLUS, Button.MINUS
S1, S2, S3 = Button.SEAT1, Button.SEAT2, Button.SEAT3


@pytest.mark.parametrize(
    ("settings", "keys"),
    [
        ({}, ["minus: Pause"]),
        ({"has_clocks": True}, ["minus: Pause"]),
        ({"is_over": True}, ["ok: Play again *", "no: New game", "minus: Fix error"]),
        ({"has_clocks": True, "is_over": True}, ["minus: Pause"]),
    ],
)
def test_the_offers_of_the_referee(settings: Mapping[str, bool], keys: list[str]) -> None:
    found = [f"{offer.input}: {offer.label}{' *' * offer.awaited}" for offer in list_own_offers(**settings)]
    assert found == keys


# The numbers of an open move ------------------------------------------------------------------------------------

ROLL = Move("roll", value_range=ValueRange(3, 2, 4))


class Roller(Race):
    """A race that begins with a roll of three numbers from 2 to 4."""

    def list_moves(self) -> Sequence[Move]:
        return (ROLL,)

    def play(self, move: Move) -> Race:
        return replace(self, pressed=move.value)

    def list_clocks(self) -> Sequence[GameClock]:
        return ()

    def list_correctables(self) -> Sequence[Correctable]:
        return ()


ROLLER = change(
    KIT,
    create_game=lambda players, _first, settings: Roller(settings, (0,) * players),
    list_offers=lambda _game, _names, _visibility: [Offer(ROLL, NUMBER_ENTRY, "Roll", awaited=True)],
)


def list_number_keys(t: TableUnderTest) -> list[tuple[str, bool, bool]]:
    own = (ConsolePress.MINUS, ConsolePress.HOLD_NO)
    offers = [offer for offer in t.referee.list_offers() if offer.input not in own]
    return [(offer.label, offer.awaited, offer.repeats) for offer in offers]


def test_an_open_move_has_a_key_for_each_number_and_one_that_erases_the_last(table: Tables) -> None:
    t = table(3, definition=ROLLER)
    digits = [(str(n), True, True) for n in (2, 3, 4)]
    assert list_number_keys(t) == digits
    t.press(S2, S3)
    assert list_number_keys(t) == [*digits, ("Back", False, True)]
    assert t.state.entered_numbers == (2, 3)
    t.press(NO)
    assert t.state.entered_numbers == (2,)
    t.press(Button.SEAT4, S3)
    assert (t.game.pressed, t.state.entered_numbers) == ((2, 4, 3), ())


# Clocks ---------------------------------------------------------------------------------------------------------


def read_mark(t: TableUnderTest) -> float | None:
    return t.journal.read_clock_marks(t.saved_game.id).get("race")


def test_the_time_of_a_clock_is_stored_every_second_and_with_each_move(table: Tables) -> None:
    t = table(3, definition=KIT)
    t.wait(0.75)
    assert read_mark(t) is None
    t.wait(0.25)
    assert read_mark(t) == 1.0
    t.wait(0.75)
    assert read_mark(t) == 1.0
    t.send(ButtonPressed(S1, t.clock.now))
    assert read_mark(t) == 1.75
    t.wait(0.75)
    assert read_mark(t) == 1.75, "a second after the last time"
    t.wait(0.25)
    assert read_mark(t) == 2.75


def test_nothing_is_stored_while_no_clock_runs(table: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    t = table(3, definition=KIT)
    t.wait(5.0)
    t.hold(OK)
    assert t.game.ended
    assert read_mark(t) is not None, "undo gives a stopped clock no time back"
    stored: list[object] = []
    monkeypatch.setattr(t.journal, "save_clock_marks", lambda *marks: stored.append(marks))
    for _ in range(3):
        t.wait(5.0)
    assert stored == []


def test_an_unwritable_disk_does_not_stop_a_clock(table: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    from companion.journal.entry import JournalUnwritable

    t = table(3, definition=KIT)

    def full(*_: object) -> None:
        raise JournalUnwritable("The disk is full: free some space")

    monkeypatch.setattr(t.journal, "save_clock_marks", full)
    t.wait(1.0)
    assert t.state.notice == "The disk is full: free some space"
    assert [clock.seconds_left for clock in t.state.clocks] == [59]


def test_seconds_are_shown_rounded_up(table: Tables) -> None:
    t = table(3, definition=KIT)
    for seconds, shown in ((0.25, 60), (0.75, 59), (0.5, 59)):
        t.wait(seconds)
        assert [clock.seconds_left for clock in t.state.clocks] == [shown]


def test_a_new_game_is_not_paused_and_one_that_was_interrupted_is(table: Tables) -> None:
    t = table(3, definition=KIT)
    assert [clock.paused for clock in t.state.clocks] == [False]
    t.wait(1.0)
    t.restart()
    assert [clock.paused for clock in t.state.clocks] == [True]
    assert t.state.question is not None
    assert t.state.question.detail == "The clocks continue from where they stopped"
    t.press(OK, MINUS)
    assert t.state.question is not None
    assert t.state.question.detail == "The clocks are stopped"


def test_an_interrupted_game_without_clocks_goes_on(table: Tables) -> None:
    t = table(3, definition=KIT)
    t.wait(1.0)
    t.hold(OK)
    t.restart()
    assert (t.state.question, t.state.clocks) == (None, ())


# The picture ----------------------------------------------------------------------------------------------------


def test_a_touch_on_the_picture_presses_nothing_where_no_button_enlarges_it(table: Tables) -> None:
    t = table(3, ask_seconds=30)
    t.roll(2, 6)
    t.take_token(6)
    assert t.state.enlarge_button is None
    t.press(OK)
    assert t.game.phase is Phase.ASKING
    assert t.state.enlarge_button is None, "the clock runs"
    t.press(MINUS)
    assert t.state.question is not None
    assert t.state.enlarge_button is None, "the game is paused"


@pytest.mark.parametrize(
    ("state", "lid_known", "dice", "tokens"),
    [
        (CameraState.STEADY, True, True, True),
        (CameraState.STEADY, False, True, False),
        (CameraState.HAND, True, True, True),
        (CameraState.LOST, True, False, False),
    ],
)
def test_what_the_camera_sees_need_not_be_entered(
    table: Tables, state: CameraState, lid_known: bool, dice: bool, tokens: bool
) -> None:
    t = table()
    t.send(CameraStateChanged(state, t.clock.now, lid_known=lid_known))
    assert (t.referee.visibility.dice, t.referee.visibility.tokens) == (dice, tokens)


def test_a_referee_has_a_camera_unless_told_otherwise(table: Tables) -> None:
    t = table(3, definition=PICTOMANIA)
    t.press(OK, OK)
    t.wait(3.1)

    def label(referee: Referee) -> str:
        return next(key.label for key in referee.build_screen_state(CAMERA_VIEW).soft_keys if key.button is PLUS)

    assert label(Referee(t.saved_game, GameServices(t.clock))) == "Show drawing"
    assert label(Referee(t.saved_game, GameServices(t.clock, has_camera=False))) == ""


# Notices --------------------------------------------------------------------------------------------------------


def test_a_press_that_does_not_count_leaves_the_notice(table: Tables) -> None:
    t = table(2, definition=MEMO_DICE)
    t.send(ButtonPressed(S1, t.clock.now))
    t.send(CupLifted(0, 0.99, t.clock.now))
    assert t.state.notice == "Cup 1 was lifted too early: put it back"
    t.send(ButtonPressed(S1, t.clock.now + 0.1))
    assert (len(t.game.cup_row), t.state.notice) == (1, "Cup 1 was lifted too early: put it back")
    t.send(ButtonPressed(S1, t.clock.now + 1.0))
    assert (len(t.game.cup_row), t.state.notice) == (2, None)


def test_undo_says_what_was_undone(table: Tables) -> None:
    t = table(3, definition=KIT)
    t.press(S2)
    t.hold(NO)
    assert (t.game.pressed, t.state.notice) == ((0, 0, 0), "Undone: press")


def test_undo_with_nothing_to_undo_closes_what_is_open(table: Tables) -> None:
    t = table()
    t.press(MINUS, MINUS)
    assert t.state.menu is not None
    t.hold(NO)
    assert (t.state.menu, t.played()) == (None, None)
