"""A game's definition: what holds when a game leaves something out, and what is derived from the rest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from pydantic import ValidationError

from companion.api.game import Move, Seat
from companion.api.offers import (
    NUMBER_ENTRY,
    CameraUse,
    ConsolePress,
    GameDefinition,
    NumberPress,
    Offer,
    TableAction,
    Visibility,
)
from companion.api.settings import GameSettings, PlayerCountSettings
from tests.api.tally import Tally, new

PLAIN = GameDefinition(
    name="tally",
    title="Tally",
    player_counts=range(2, 4),
    settings_model=GameSettings,
    create_game=lambda players, _first, _settings: new(*[0] * players),
    list_offers=lambda _game, _names, _visibility: (),
    prompt=lambda _game, _names: "Add something",
    describe_line=lambda _before, what, _after, _names: f"They {what.kind}",
    correctable_label=lambda _game, what, _names: what.kind,
)
"""A game that gives only what every game must give."""
CAMERA = CameraUse(watcher="w:W", layout_file="w.json", readings="r:R", events=())
ADD = Move("add", Seat(0), (1,))


def test_a_plain_game_has_no_rounds_colours_camera_or_texts_of_its_own() -> None:
    game = new(0, 0)
    offer = Offer(ADD, ConsolePress.OK, "Add")
    assert PLAIN.round_number(game) == 0
    assert PLAIN.bot_weight(game, offer) == 1.0, "as usual"
    assert PLAIN.has_first_player
    assert (PLAIN.default_move(game, Seat(0)), PLAIN.number_move(game, 1)) == (None, None)
    assert (PLAIN.addressed_seat(game), PLAIN.prompt_with_camera, PLAIN.live_picture_labels(game)) == (None, None, None)
    assert (PLAIN.piece_colours, PLAIN.confirm_on_first_use, PLAIN.setup_steps(None, 2)) == ((), (), ())
    assert (PLAIN.score_reason(game, game, Seat(0)), PLAIN.score_parts(game, Seat(0))) == ("", ())
    assert PLAIN.value_labels(game, game.list_correctables()[0], ("Ada", "Bob")) == ()
    assert not PLAIN.uses_camera
    assert not PLAIN.hides_picture(game)


def test_the_camera_hides_its_picture_when_the_game_says_so() -> None:
    def hides(game: Tally) -> bool:
        return game.totals == (1, 0)

    seen = replace(PLAIN, camera=CAMERA)
    assert seen.uses_camera
    assert not seen.hides_picture(new(1, 0)), "unless the game says so"
    secret = replace(PLAIN, camera=replace(CAMERA, hides_picture=hides))
    assert (secret.hides_picture(new(1, 0)), secret.hides_picture(new(0, 1))) == (True, False)


def test_pictures_are_secret_and_the_view_unchecked_unless_the_game_says_otherwise() -> None:
    assert not CAMERA.public_pictures(new(0, 0))
    assert not CAMERA.is_view_checked


def test_a_line_of_the_log_ends_with_the_changes_of_scores() -> None:
    game = new(0, 0)
    assert PLAIN.describe(game, ADD, game.play(ADD), ("Ada", "Bob")) == "They add"
    told = replace(PLAIN, describe_changes=lambda _what, after, names: f" ({names[0]} {after.changes[0]:+d})")
    assert told.describe(game, ADD, game.play(ADD), ("Ada", "Bob")) == "They add (Ada +1)"


def test_an_offer_is_done_at_once_by_one_press_and_nobody_waits_for_it_unless_told() -> None:
    offer = Offer(ADD, TableAction("throw"), "Add")
    assert (offer.awaited, offer.confirm_question, offer.repeats, offer.swatch_colour) == (False, "", False, "")
    assert offer.input == TableAction("throw", in_menu=False), "the camera sees it"
    assert PLAIN.bot_weight(new(0, 0), offer) == 1.0


def test_the_camera_sees_nothing_unless_told() -> None:
    def offer_unless_seen(_game: Tally, _names: Sequence[str], visibility: Visibility) -> Sequence[Offer]:
        return () if visibility.dice or visibility.tokens else (Offer(ADD, NUMBER_ENTRY, "Add"),)

    game = replace(PLAIN, list_offers=offer_unless_seen)
    (offer,) = game.list_offers(new(0, 0), ("Ada", "Bob"), Visibility())
    assert offer.input not in {NumberPress(number) for number in range(1, 7)}, "entered in several presses"
    assert game.bot_weight(new(0, 0), offer) == 1.0


class Rules(PlayerCountSettings):
    players_min: int = 2
    players_max: int = 4


def test_the_number_of_players_is_from_the_lowest_to_the_highest() -> None:
    assert list(Rules().player_counts) == [2, 3, 4]
    assert list(Rules(players_min=3, players_max=3).player_counts) == [3]
    with pytest.raises(ValidationError, match="players_min 4 is above players_max 3"):
        Rules(players_min=4, players_max=3)


def test_house_rules_are_frozen_and_unknown_names_refused() -> None:
    with pytest.raises(ValidationError, match="frozen"):
        Rules().players_min = 3
    with pytest.raises(ValidationError, match="player_min"):
        Rules.model_validate({"player_min": 3})
