"""The draw of the first player: the light runs around the table, slower and slower, and stops at the drawn player."""

from __future__ import annotations

from itertools import pairwise

import pytest

from companion.api import Command, CommandName, Seat, registry
from companion.events import Button, ButtonPressed, DeviceLost, LampState
from companion.games.macroscope import GAME
from companion.lobby import FirstPlayerDraw
from companion.lobby.first_player_draw import FirstPlayerView
from companion.screen_state import CameraView, ScreenKind
from companion.testing.table import ManualClock

BUTTONS = (Button.SEAT2, Button.SEAT4, Button.SEAT5)
NAMES = ("Ada", "Bob", "Cleo")


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock(0.0)


def draw(clock: ManualClock, first: int = 1, *, game: str = "macroscope") -> FirstPlayerDraw:
    definition = registry.find_game(game)
    return FirstPlayerDraw(definition, NAMES, BUTTONS, definition.settings_model(), Seat(first), clock)


def watch(clock: ManualClock, stage: FirstPlayerDraw) -> list[tuple[int | None, float]]:
    """Return each player at whom the light was, and when it came there, until it stands still."""
    began, seen = clock.now, list[tuple[int | None, float]]()
    while not stage.view.is_settled:
        if not seen or seen[-1][0] != stage.view.lit_seat:
            seen.append((stage.view.lit_seat, clock.now - began))
        clock.now += 0.001
    return [*seen, (stage.view.lit_seat, clock.now - began)]


@pytest.mark.parametrize("first", [0, 1, 2])
@pytest.mark.parametrize("start", [0.0, 5000.0])
def test_the_light_runs_twice_around_the_table_and_then_to_the_first_player(
    clock: ManualClock, first: int, start: float
) -> None:
    clock.now = start
    seats = [seat for seat, _at in watch(clock, draw(clock, first))]
    assert seats == [*[0, 1, 2] * 2, *range(first + 1)]


def test_the_light_slows_down(clock: ManualClock) -> None:
    times = [at for _seat, at in watch(clock, draw(clock, 2))]
    steps = [after - before for before, after in pairwise(times)]
    assert steps[0] == pytest.approx(0.09, abs=0.002)
    assert all(after > before for before, after in pairwise(steps))
    assert 0.25 < steps[-1] < 0.32
    assert times[-1] < 1.5, "nobody waits for long"


def test_the_screen_says_who_begins_when_the_light_stands_still(clock: ManualClock) -> None:
    stage = draw(clock)
    moving = stage.build_screen_state(CameraView())
    assert (moving.kind, moving.prompt, moving.addressed) == (ScreenKind.FIRST, "Who begins?", None)
    clock.now = 10.0
    settled = stage.build_screen_state(CameraView())
    assert (settled.prompt, settled.addressed) == ("Bob: you begin", 1)
    goal = "Peep through windows, say what the picture below shows. After 10 rounds the most crystals win."
    assert settled.view == FirstPlayerView(Seat(1), True, first_step=0, end_step=3, page=1, page_count=2, goal=goal)
    assert [(player.name, player.button) for player in settled.players] == list(zip(NAMES, BUTTONS, strict=True))
    assert settled.details == tuple(GAME.list_setup_steps(GAME.settings_model(), 3)) != ()


@pytest.mark.parametrize("game", ["pictomania", "secret_number"])
def test_where_all_play_at_once_nobody_is_drawn(clock: ManualClock, game: str) -> None:
    stage = draw(clock, game=game)
    assert (stage.view.lit_seat, stage.view.is_settled, stage.view.page_count) == (None, True, 1)
    assert [offer.label for offer in stage.list_offers()] == ["Begin", "Back"]
    screen = stage.build_screen_state(CameraView())
    assert (screen.prompt, screen.addressed) == ("Lay everything out, then begin with OK", None)


def test_the_lamps_show_who_may_press(clock: ManualClock) -> None:
    stage = draw(clock)
    lamps = stage.map_lamps()
    assert lamps[Button.OK] is lamps[Button.PLUS] is LampState.BLINK, "the table waits for them: there is a second page"
    for button in (*BUTTONS, Button.NO):
        assert lamps[button] is LampState.ON
    assert lamps[Button.SEAT1] is lamps[Button.MINUS] is LampState.OFF
    stage.receive(ButtonPressed(Button.PLUS, 0.0))
    stage.tick()
    assert stage.map_lamps()[Button.PLUS] is LampState.ON, "the last page is open"


@pytest.mark.parametrize(("button", "seat"), [(Button.SEAT2, 0), (Button.SEAT4, 1), (Button.SEAT5, 2)])
def test_a_claim_stops_the_light_at_once(clock: ManualClock, button: Button, seat: int) -> None:
    stage = draw(clock)
    stage.receive(ButtonPressed(button, 0.0))
    stage.tick()
    assert (stage.view.lit_seat, stage.view.is_settled) == (seat, True)
    assert (stage.first, stage.prompt, stage.exit) == (seat, f"{NAMES[seat]}: you begin", None)


def test_plus_turns_the_pages_of_what_to_lay_out(clock: ManualClock) -> None:
    stage = draw(clock)
    pages = []
    for _press in range(3):
        view = stage.view
        pages.append((view.page, stage.build_screen_state(CameraView()).details[view.first_step : view.end_step]))
        clock.now += 1.0
        stage.receive(ButtonPressed(Button.PLUS, clock.now))
        stage.tick()
    steps = tuple(GAME.list_setup_steps(GAME.settings_model(), 3))
    assert pages == [(1, steps[:3]), (2, steps[3:]), (1, steps[:3])]


def test_a_lost_device_is_reported(clock: ManualClock) -> None:
    stage = draw(clock)
    assert stage.build_screen_state(CameraView()).notice is None
    stage.receive(DeviceLost("camera", 0.0))
    assert "camera" in (stage.build_screen_state(CameraView()).notice or "")
    stage.notice = "said first"
    assert stage.build_screen_state(CameraView()).notice == "said first"


def test_a_double_press_is_one_press(clock: ManualClock) -> None:
    """Nobody can have read what the same button would do next."""
    stage = draw(clock, 1)
    for button, at in ((Button.SEAT2, 0.0), (Button.SEAT4, 0.1), (Button.SEAT2, 0.3)):
        stage.receive(ButtonPressed(button, at))
    stage.tick()
    assert stage.first == 1
    stage.receive(ButtonPressed(Button.SEAT2, 0.8))
    stage.receive(ButtonPressed(Button.OK, 0.9))
    stage.receive(ButtonPressed(Button.SEAT4, 1.0))
    stage.tick()
    assert (stage.first, stage.exit) == (0, Command(CommandName.BEGIN))
