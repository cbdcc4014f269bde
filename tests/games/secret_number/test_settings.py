"""House rules of Secret Number."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from companion.api import GameClock, Outcome, Seat
from companion.api.registry import find_game
from companion.games.secret_number import GAME, Settings
from companion.games.secret_number.samples import lay_cards, new_game, start_round, turn_cards
from tests.games.secret_number.positions import answer_bonuses, play_moves


def test_the_kit_is_found_by_its_name() -> None:
    assert find_game("secret_number") is GAME
    assert GAME.player_counts == range(2, 6)
    assert GAME.piece_colours == ()
    assert not GAME.uses_camera


@pytest.mark.parametrize(
    "fields",
    [
        {"round_bonus": (2, 1)},
        {"round_bonus": (2, 1, 10)},
        {"card_points": (1,)},
        {"card_points": (1, -10)},
        {"display_bonus": {3: 4}},
        {"players_min": 4, "players_max": 3},
    ],
)
def test_impossible_settings_are_refused(fields: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        Settings(**fields)


def test_changeable_settings_have_a_title() -> None:
    titled = {name for name, field in Settings.model_fields.items() if field.title}
    assert titled == {
        *("games", "round_seconds", "show_seconds", "fastest_bonus", "round_bonus", "card_points", "choose_seconds")
    }


def test_other_points() -> None:
    game = turn_cards(new_game(2, fastest_bonus=3, round_bonus=(5, 4, 3), card_points=(2, -2)), 1, "A0", "B1", "A1")
    game = answer_bonuses(game, "A1 B2")
    assert [(t.card_points, t.fastest_points, t.round_points, t.display_points) for t in game.tallies] == [
        (0, 0, 3, 1),
        (2, 3, 4, 2),
    ]
    assert [card.points for card in game.laid_cards] == [-2, 9, 5]


def test_one_game() -> None:
    game = play_moves(lay_cards(new_game(2, games=1)), "next")
    reason = "The game is scored; 0 points are the most, the victory is shared."
    assert game.compute_outcome() == Outcome((Seat(0), Seat(1)), reason)


def test_a_table_of_bonuses_is_shown() -> None:
    table = {0: 1, 1: 1, 7: 2, 25: 3, 12: 3}
    assert new_game(2, display_bonus=table).settings.bonus_table == ((1, (0, 1)), (2, (7,)), (3, (12, 25)))
    assert new_game(2).settings.bonus_table == ()


def test_clocks() -> None:
    assert start_round(2, round_seconds=90).list_clocks()[0].seconds == 90
    assert play_moves(new_game(2), "dealt").list_clocks() == ()
    assert play_moves(new_game(2, choose_seconds=60), "dealt").list_clocks() == (
        GameClock("choose, game 1, round 1", 60),
    )
    assert new_game(2, choose_seconds=60).list_clocks() == ()


def test_fewer_players_by_house_rule() -> None:
    with pytest.raises(ValueError, match="2 to 3 players"):
        new_game(4, players_max=3)
