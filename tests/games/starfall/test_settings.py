"""Each setting of the rules file's section 3, and our own."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from companion.gallery.fixtures import parse_move, play_moves
from companion.games.starfall import Settings, SkyTile
from companion.games.starfall.samples import make_position, new_game
from tests.games.starfall.positions import can, list_marked, offers


def test_they_survive_the_journal() -> None:
    settings = Settings(
        start_dust=40,
        tiles_removed={2: 7},
        tile_pays="space_number",
        catalogue=(SkyTile(stars=2, purple=1), SkyTile()),
        running_score=True,
    )
    assert Settings.model_validate(settings.model_dump(mode="json")) == settings
    assert Settings.model_validate_json(settings.model_dump_json()) == settings


@pytest.mark.parametrize(
    "wrong",
    [
        {"players_min": 4, "players_max": 3},
        {"tiles_removed": {5: (1,)}},
        {"tiles_removed": {2: (26,)}},
        {"tiles_removed": {2: (1, 2)}},
        {"tiles_removed": 3},
        {"catalogue": [{"stars": -1}]},
        {"catalogue": [{"suns": 1}]},
        {"catalogue": [{}] * 28},
    ],
)
def test_nonsense_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        Settings(**wrong)


@pytest.mark.parametrize(
    "right",
    [
        {"tiles_removed": {2: (25,), 3: (0,)}},
        {"board_max_tiles": 5, "top_space": 5},
        {"catalogue": [{}] * 27},
        {"players_min": 3, "players_max": 3},
    ],
)
def test_what_is_just_possible_is_allowed(right: dict[str, Any]) -> None:
    Settings(**right)


def test_all_that_people_may_change_has_a_title() -> None:
    hidden = {"players_min", "players_max"}
    for model in (Settings, SkyTile):
        assert {name for name, field in model.model_fields.items() if not field.title} <= hidden


def test_start_dust() -> None:
    assert new_game(2, start_dust=50).dust == (50, 50)
    assert new_game(2, start_dust=4).white_tokens == (4, 4)


def test_tiles_removed_may_list_differences_only() -> None:
    game = new_game(2, tiles_removed={2: 3})
    assert game.pile_size == 24
    assert new_game(3, tiles_removed={"2": [3]}).pile_size == 22


def test_top_space() -> None:
    assert play_moves(new_game(top_space=5), "add 0 0").occupied_spaces == (5,)
    assert len(make_position(settings={"top_space": 5}).list_correctables()) == len(make_position().list_correctables())


def test_each_of_many_tiles_on_the_board_is_reached_by_one_button() -> None:
    game = make_position((9, 8, 7, 4), settings={"board_max_tiles": 5})
    assert can(game, "add 0 0")
    assert [marked.marked_space for marked in list_marked(game)] == [None, 4, 7, 8, 9]
    does = [o.action for marked in list_marked(game) for o in offers(marked)]
    for space in game.occupied_spaces:
        assert parse_move(f"discover 0 {space}") in does
        assert parse_move(f"move 0 {space}") in does
    assert play_moves(game, "mark 0 4", "discover 0 4").marked_space is None, "the next turn begins without a mark"
