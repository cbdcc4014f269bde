"""A game's definition: what holds when a game leaves something out, and what is derived from the rest."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from pydantic import ValidationError

from companion.api import (
    NUMBER_ENTRY,
    CameraUse,
    GameDefinition,
    GameSettings,
    Move,
    NumberPress,
    Offer,
    PlayerCountSettings,
    Seat,
    Visibility,
)
from tests.api.tally import Tally, new
from tests.definitions import change


class Plain(GameDefinition[Any]):
    """A game that gives only what every game must give."""

    name, title = "tally", "Tally"
    player_counts = range(2, 4)
    settings_model = GameSettings

    def create_game(self, player_count: int, first_seat: Seat, settings: GameSettings) -> Tally:
        return new(*[0] * player_count)

    def format_prompt(self, game: Tally, names: Sequence[str]) -> str:
        return "Add something"


PLAIN = Plain()
CAMERA = CameraUse(watcher="w:W", layout_file="w.json", readings="r:R", events=())
ADD = Move("add", Seat(0), (1,))


def test_a_plain_game_has_no_rounds_colours_camera_or_texts_of_its_own() -> None:
    game = new(0, 0)
    assert PLAIN.get_round_number(game) == 0
    assert PLAIN.has_first_player
    assert (PLAIN.get_default_move(game, Seat(0)), PLAIN.get_number_move(game, 1)) == (None, None)
    assert (PLAIN.get_addressed_seat(game), PLAIN.get_live_picture_labels(game)) == (None, None)
    assert PLAIN.format_camera_prompt(game, ("Ada", "Bob")) == "Add something", "the same"
    assert (PLAIN.piece_colours, PLAIN.confirm_on_first_use, PLAIN.list_setup_steps(None, 2)) == ((), (), ())
    assert (PLAIN.explain_score(game, game, Seat(0)), PLAIN.list_score_parts(game, Seat(0))) == ("", ())
    assert not PLAIN.uses_camera
    assert not PLAIN.hides_picture(game)
    assert not PLAIN.list_public_pictures(game)


def test_a_game_with_a_camera_uses_it_and_leaves_its_view_unchecked() -> None:
    assert change(PLAIN, camera=CAMERA).uses_camera
    assert not CAMERA.is_view_checked


def test_a_line_of_the_log_ends_with_the_changes_of_scores() -> None:
    game = new(0, 0)
    told = change(
        PLAIN,
        describe_step=lambda _before, what, _after, _names: f"They {what.kind}",
        describe_changes=lambda _what, after, names: f" ({names[0]} {after.changes[0]:+d})",
    )
    assert told.describe(game, ADD, game.play(ADD), ("Ada", "Bob")) == "They add (Ada +1)"


def test_the_camera_sees_nothing_unless_told() -> None:
    def offer_unless_seen(_game: Tally, _names: Sequence[str], visibility: Visibility) -> Sequence[Offer]:
        return () if visibility.dice or visibility.tokens else (Offer(ADD, NUMBER_ENTRY, "Add"),)

    game = change(PLAIN, list_offers=offer_unless_seen)
    (offer,) = game.list_offers(new(0, 0), ("Ada", "Bob"), Visibility())
    assert offer.input not in {NumberPress(number) for number in range(1, 7)}, "entered in several presses"


class Rules(PlayerCountSettings):
    players_min: int = 2
    players_max: int = 4


def test_the_number_of_players_is_from_the_lowest_to_the_highest() -> None:
    assert list(Rules().player_counts) == [2, 3, 4]
    assert list(Rules(players_min=3, players_max=3).player_counts) == [3]
    with pytest.raises(ValidationError, match="players_min 4 is above players_max 3"):
        Rules(players_min=4, players_max=3)
