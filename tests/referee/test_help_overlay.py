"""The help: it opens and closes by buttons alone, and changes nothing of what is beneath it."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from companion.api import registry
from companion.events import Button, ButtonPressed, ButtonReleased, CharacterTyped, Event, HelpPressed, LampState
from companion.referee.held_buttons import HOLD_SECONDS
from companion.referee.help_overlay import HelpOverlay, make_help_pages
from companion.testing.table import TableUnderTest

MakeTable = Callable[..., TableUnderTest]


class HelpTable:
    """A table whose events pass through the help."""

    def __init__(self, table: TableUnderTest) -> None:
        self.table = table
        self.help = HelpOverlay(table.clock)

    def send(self, *events: Event) -> None:
        self.table.send(*self.help.filter_events(self.table.referee, events))
        if self.table.referee.wants_help:
            self.table.referee.wants_help = False
            self.help.open(self.table.referee)

    def press(self, button: Button, seconds: float = 0.1) -> None:
        self.table.clock.now += 0.5
        self.send(ButtonPressed(button, self.table.clock.now))
        self.table.clock.now += seconds
        self.send()
        self.send(ButtonReleased(button, self.table.clock.now))

    def hold(self, button: Button) -> None:
        self.press(button, HOLD_SECONDS + 0.1)

    @property
    def page(self) -> int | None:
        view = self.help.add_to(self.table.state).help
        return None if view is None else view.page


@pytest.fixture
def open_help(table: MakeTable) -> Callable[..., HelpTable]:
    return lambda name, players=3, **options: HelpTable(
        table(players, definition=registry.find_game(name), camera=False, **options)
    )


OpenTable = Callable[..., HelpTable]


def test_minus_held_opens_the_help_and_again_leaves_it(open_help: OpenTable) -> None:
    table = open_help("macroscope")
    before = table.table.state
    table.hold(Button.MINUS)
    assert table.page == 0
    table.press(Button.MINUS)
    assert table.page is None
    assert table.table.referee.dialog is None, "the pause is not open"
    assert table.table.state.soft_keys == before.soft_keys


def test_a_short_press_still_pauses(open_help: OpenTable) -> None:
    table = open_help("macroscope")
    table.press(Button.MINUS)
    assert table.page is None
    assert table.table.state.question is not None


def test_where_minus_steps_ok_is_held(open_help: OpenTable) -> None:
    table = open_help("yacht")
    table.press(Button.MINUS)
    table.press(Button.MINUS)  # the menu of corrections
    menu = table.table.state.menu
    assert menu is not None
    table.hold(Button.OK)
    assert table.page == 0
    table.press(Button.OK)
    assert table.page is None
    assert table.table.state.menu == menu, "no line was chosen"


def test_the_pause_menu_opens_it(open_help: OpenTable) -> None:
    table = open_help("macroscope")
    table.press(Button.MINUS)
    table.press(Button.SEAT4)
    assert table.page == 0
    table.press(Button.NO)
    assert table.page is None
    assert table.table.state.question is not None, "the pause is still open"


def test_a_key_of_the_keyboard_opens_and_closes_it(open_help: OpenTable) -> None:
    table = open_help("macroscope")
    table.send(HelpPressed(table.table.clock.now))
    assert table.page == 0
    table.send(CharacterTyped("a", table.table.clock.now))
    assert table.page is None


def test_plus_and_minus_turn_the_pages(open_help: OpenTable) -> None:
    table = open_help("macroscope")
    table.hold(Button.MINUS)
    pages = []
    for button in (Button.PLUS, Button.PLUS, Button.MINUS, Button.PLUS, Button.PLUS):
        table.press(button)
        pages.append(table.page)
    assert pages == [1, 2, 1, 2, None]


def test_an_own_key_that_acts_closes_the_help_and_acts(open_help: OpenTable) -> None:
    table = open_help("score_keeper")
    table.hold(Button.MINUS)
    assert table.help.map_lamps(table.table.referee)[Button.SEAT2] is LampState.ON
    table.press(Button.SEAT2)
    assert table.page is None
    assert table.table.game.totals == (0, 1, 0), "who is first does not depend on who reads"


def test_a_number_key_only_closes_the_help(open_help: OpenTable) -> None:
    table = open_help("yacht")
    table.hold(Button.MINUS)
    assert table.help.map_lamps(table.table.referee)[Button.SEAT2] is LampState.OFF
    table.press(Button.SEAT2)
    assert table.page is None
    assert table.table.state.entered_numbers == ()


def test_holding_no_in_the_help_undoes_nothing(open_help: OpenTable) -> None:
    table = open_help("score_keeper")
    table.press(Button.SEAT1)
    table.hold(Button.MINUS)
    table.hold(Button.NO)
    assert table.page is None
    assert table.table.game.totals == (1, 0, 0)


def test_a_press_beside_a_held_minus_keeps_their_order(open_help: OpenTable) -> None:
    table = open_help("score_keeper")
    now = table.table.clock.now
    table.send(ButtonPressed(Button.MINUS, now), ButtonPressed(Button.SEAT1, now + 0.05))
    assert table.table.state.question is not None, "the pause was first"
    assert table.table.game.totals == (0, 0, 0)


def test_a_clock_runs_on(open_help: OpenTable) -> None:
    table = open_help("score_keeper", turn_order="clockwise", clock="chess")
    table.press(Button.SEAT1)
    left = table.table.state.clocks[0].seconds_left
    table.hold(Button.MINUS)
    table.table.wait(30)
    assert table.page == 0
    assert not table.table.state.clocks[0].paused
    assert table.table.state.clocks[0].seconds_left <= left - 30


def test_rules_are_spread_evenly_over_pages() -> None:
    yacht = registry.find_game("yacht")
    pages = make_help_pages(yacht, yacht.settings_model())
    assert [len(page.rules) for page in pages] == [0, 4, 4, 0]
    assert [bool(page.ending) for page in pages] == [False] * 3 + [True]


@pytest.mark.parametrize("name", ["macroscope", "score_keeper", "yacht", "memo_dice"])
def test_a_game_with_help_opened_at_random_is_the_same_game(name: str, open_help: OpenTable) -> None:
    def play(*, with_help: bool) -> tuple[object, ...]:
        table, players, hands = open_help(name), Random(4), Random(5)
        for _turn in range(60):
            table.table.wait(5)  # what is shown for a while was read, in both games
            if with_help and hands.random() < 0.4:
                help_button = next(key.button for key in table.table.state.soft_keys if key.opens_help)
                table.hold(help_button)
                assert table.page == 0
                for _page in range(hands.randrange(3)):
                    table.press(Button.PLUS)
                if table.page is not None:
                    table.press(Button.NO)
            offers = [button for button in Button if table.table.offer(button) and button is not Button.MINUS]
            table.press(players.choice(offers))
            assert table.page is None
        saved = table.table.saved_game
        return saved.last_seq, saved.game.totals, tuple(saved.describe_steps())

    assert play(with_help=True) == play(with_help=False)
