"""The parts of the screen that follow from the game alone: its players, and who of them is away."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from companion.api import Correction, Seat
from companion.events import SEAT_BUTTONS, Button, CameraState
from companion.referee.screen_parts import build_players, hide_picture
from companion.screen_state import Player, ScreenKind
from companion.testing.table import TableUnderTest
from tests.definitions import change
from tests.referee.race import KIT

BUTTONS = (Button.SEAT2, Button.SEAT5)


def test_players_have_their_buttons_and_the_colours_of_their_pieces() -> None:
    game = change(KIT, piece_colours=("white", "black"))
    assert build_players(game, ("Ada", "Bob"), BUTTONS, (Seat(1),)) == (
        Player(Seat(0), "Ada", Button.SEAT2, "black", False),
        Player(Seat(1), "Bob", Button.SEAT5, "white", True),
    )
    assert [player.piece_colour for player in build_players(KIT, ("Ada", "Bob"), BUTTONS)] == ["", ""]


@pytest.mark.parametrize(
    ("numbers", "colours"),
    [
        ((1, 2, 3, 4), ["purple", "orange", "green", "white"]),
        ((2, 3, 5, 6), ["orange", "green", "purple", "white"]),
        ((5, 6, 1, 2), ["purple", "orange", "green", "white"]),
    ],
)
def test_pieces_have_the_colour_of_the_button_and_never_one_twice(numbers: tuple[int, ...], colours: list[str]) -> None:
    game = change(KIT, piece_colours=("purple", "orange", "green", "white", "purple", "orange"))
    players = build_players(game, "ABCD", [SEAT_BUTTONS[n - 1] for n in numbers])
    assert [player.piece_colour for player in players] == colours


def test_each_player_needs_a_button() -> None:
    with pytest.raises(ValueError, match="shorter"):
        build_players(KIT, ("Ada", "Bob"), BUTTONS[:1])


def test_who_has_left_the_table_is_shown_as_away(table: Callable[..., TableUnderTest]) -> None:
    t = table(3)
    assert [player.away for player in t.state.players] == [False, False, False]
    t.saved_game.correct(Correction("away", Seat(1), (1,)))
    assert [player.away for player in t.state.players] == [False, True, False]


def test_a_finished_game_shows_its_result(table: Callable[..., TableUnderTest]) -> None:
    t = table(3, definition=KIT)
    assert (t.state.kind, t.state.details) == (ScreenKind.PLAY, ())
    t.hold(Button.OK)
    assert (t.state.kind, t.state.details) == (ScreenKind.RESULT, ("end",))


def test_a_hidden_picture_leaves_the_state_of_the_camera() -> None:
    hidden = hide_picture(CameraState.ROLLING)
    assert (hidden.state, hidden.picture, hidden.reading) == (CameraState.ROLLING, None, None)
    assert hidden is hide_picture(CameraState.ROLLING), "else the screen would be drawn again each time"
