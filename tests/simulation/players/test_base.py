"""Virtual players of every game wait for the camera, take their seats and press real buttons."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import pytest

from companion.api import MIN_SHOWN_SECONDS, Command, CommandName, ConsolePress, Offer, Seat, TableAction
from companion.events import Button, ButtonPressed, ButtonReleased, Event
from companion.referee.held_buttons import HOLD_SECONDS
from companion.referee.unmeant_presses import REACTION_SECONDS
from companion.screen_state import Player, ScreenKind, ScreenState
from companion.simulation.players.base import PATIENCE_SECONDS, PAUSE_SECONDS, VirtualPlayers, is_unused

OK = Offer(Command(CommandName.CONTINUE), ConsolePress.OK, "Continue", awaited=True)
LIFT = Offer(Command(CommandName.MORE), TableAction("lift"), "Lift", awaited=True)
"""An action that the camera must see."""
PLAY = ScreenState(ScreenKind.PLAY)


class Bare:
    """A table with nothing on it."""

    at_work = False

    def is_busy(self, now: float) -> bool:
        return self.at_work


@dataclass(slots=True)
class First(VirtualPlayers[Bare]):
    """Players that take the first offer and record the actions that the camera did not see."""

    unseen: list[TableAction] = field(default_factory=list)

    def _choose_offer(
        self, state: ScreenState, offers: Sequence[Offer], bot_weight: Callable[[Offer], float]
    ) -> Offer | None:
        return next(iter(offers), None)

    def _execute(self, offer: Offer, state: ScreenState, offers: Sequence[Offer], now: float) -> list[Event]:
        if not isinstance(offer.input, TableAction):
            return self._press(offer, state, now)
        self._unseen_action = (offers, offer.input, now)
        return []

    def _handle_unseen(
        self, action: TableAction, state: ScreenState, offers: Sequence[Offer], now: float
    ) -> list[Event]:
        self.unseen.append(action)
        return []


@pytest.fixture
def people() -> First:
    return First(Bare(), random.Random(1), 2, thinking_seconds=(3.0, 3.0))


def test_a_press_is_a_button_down_and_up(people: First) -> None:
    down, up = people.act(PLAY, [OK], 7.0)
    assert down == ButtonPressed(Button.OK, 7.0)
    assert isinstance(up, ButtonReleased)
    assert (up.button, up.at > 7.0) == (Button.OK, True)


def test_they_pause_where_somebody_waits_and_think_where_nobody_does(people: First) -> None:
    assert people.act(PLAY, [OK], 0.0)
    assert not people.act(PLAY, [OK], 0.9 * PAUSE_SECONDS)
    unhurried = Offer(Command(CommandName.CONTINUE), ConsolePress.OK, "Continue")
    assert people.act(PLAY, [replace(unhurried, repeats=True)], 1.1 * PAUSE_SECONDS)
    assert not people.act(PLAY, [OK], 2.9)
    assert people.act(PLAY, [OK], 3.1 + PAUSE_SECONDS)


def test_they_read_what_their_button_means_before_they_press_it_again(people: First) -> None:
    other = replace(OK, input=ConsolePress.NO)
    assert people.act(PLAY, [OK], 0.0)
    assert not people.act(PLAY, [OK], 0.9 * REACTION_SECONDS)
    assert people.act(PLAY, [other], 0.9 * REACTION_SECONDS)
    assert people.act(PLAY, [OK], 1.9 * REACTION_SECONDS)
    shown = replace(OK, shown_seconds=MIN_SHOWN_SECONDS)
    assert not people.act(PLAY, [shown], 1.8 * REACTION_SECONDS + MIN_SHOWN_SECONDS)
    assert people.act(PLAY, [shown], 2.0 * REACTION_SECONDS + MIN_SHOWN_SECONDS)


def test_they_hold_ok_where_it_is_to_be_held(people: First) -> None:
    down, up = people.act(PLAY, [replace(OK, input=ConsolePress.HOLD_OK)], 7.0)
    assert (down.at, up.at) == (7.0, 7.0 + HOLD_SECONDS)


def test_nobody_presses_while_a_hand_is_at_work(people: First) -> None:
    people.table.at_work = True
    assert not people.act(PLAY, [OK], 0.0)


def test_what_the_camera_did_not_see_is_noticed_after_a_while(people: First) -> None:
    people.act(PLAY, [LIFT], 0.0)
    people.act(PLAY, [LIFT], 0.9 * PATIENCE_SECONDS)
    assert not people.unseen
    people.act(PLAY, [LIFT], 1.1 * PATIENCE_SECONDS)
    assert people.unseen == [TableAction("lift")]


def test_an_action_after_which_the_same_is_offered_again_was_seen_if_the_game_changed(people: First) -> None:
    """A six, after which the same player throws again."""
    people.act(replace(PLAY, view="turn 1"), [LIFT], 0.0)
    people.act(replace(PLAY, view="turn 2"), [LIFT], 1.0)
    people.act(replace(PLAY, view="turn 2"), [LIFT], 1.1 * PATIENCE_SECONDS)
    assert not people.unseen
    people.act(replace(PLAY, view="turn 2"), [LIFT], 1.1 + 1.1 * PATIENCE_SECONDS)
    assert people.unseen == [TableAction("lift")]


def test_what_the_camera_saw_is_done_with(people: First) -> None:
    people.act(PLAY, [LIFT], 0.0)
    assert people.act(PLAY, [OK], 1.0)
    people.act(PLAY, [OK], 1.1 * PATIENCE_SECONDS)
    assert not people.unseen


def test_in_the_lobby_they_join_until_all_are_there_and_then_start(people: First) -> None:
    join, start = (
        Offer(Command(CommandName.JOIN), ConsolePress.PLUS, "Join"),
        Offer(Command(CommandName.START), ConsolePress.OK, "Start"),
    )
    menu = Offer(Command(CommandName.MORE), ConsolePress.MINUS, "Rules")
    one, two = Player(Seat(0), "Ada", Button.SEAT1), Player(Seat(1), "Bob", Button.SEAT2)
    pressed = [
        *people.act(ScreenState(ScreenKind.LOBBY, players=(one,)), [menu, start, join], 0.0),
        *people.act(ScreenState(ScreenKind.LOBBY, players=(one, two)), [menu, join, start], 9.0),
    ]
    assert [s.button for s in pressed if isinstance(s, ButtonPressed)] == [Button.PLUS, Button.OK]


@pytest.mark.parametrize("name", ["fix", "undo", "pause"])
def test_players_at_play_have_no_use_for_some_offers(name: str) -> None:
    assert is_unused(Offer(Command(name), ConsolePress.OK, name))
    assert is_unused(Offer(Command(CommandName.CONTINUE), ConsolePress.HOLD_NO, "Undo"))
    assert not is_unused(OK)
