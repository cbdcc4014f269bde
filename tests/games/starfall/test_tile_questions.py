"""Questions which tile of the catalogue was added: few presses, never required."""

from __future__ import annotations

from random import Random

import pytest

from companion.api import ConsolePress, Move, Seat, SeatPress
from companion.gallery.fixtures import play_moves
from companion.games.starfall import GAME, Settings, SkyTile, StarFall
from companion.games.starfall.samples import make_position, new_game
from companion.games.starfall.state import Phase
from companion.games.starfall.tile_questions import get_tile_question
from companion.games.starfall.tile_texts import format_symbol_counts
from tests.games.starfall.positions import can, check_refused, kinds, offers

NAMES = ("Ada", "Bob", "Cleo")
FEW = (SkyTile(stars=1), SkyTile(stars=2, comets=1), SkyTile(planets=1), SkyTile(stars=1))


def box(seed: int = 1) -> tuple[SkyTile, ...]:
    """27 tiles such as they might be."""
    random = Random(seed)
    names = tuple(SkyTile.model_fields)
    tiles = []
    for _ in range(27):
        counts = dict.fromkeys(random.sample(names, 3), 1)
        tiles.append(SkyTile(**(counts | {"stars": random.randint(0, 4)})))
    return tuple(tiles)


def presses(game: StarFall, number: int) -> int:
    """How many presses it takes to say that the tile of that number is added."""
    counts = game.get_symbol_counts(number)
    game, pressed = play_moves(game, "name 0"), 1
    while game.phase is Phase.NAMING:
        place = next(
            i
            for i, choice in enumerate(get_tile_question(game).choices)
            if any(game.get_symbol_counts(n) == counts for n in choice.tile_numbers)
        )
        key = (SeatPress(game.active_seat), ConsolePress.OK, ConsolePress.PLUS)[place]
        (offer,) = (offer for offer in offers(game) if offer.input == key)
        assert isinstance(offer.action, Move)
        game, pressed = game.play(offer.action), pressed + 1
    assert game.get_symbol_counts(game.board[0][1]) == counts
    return pressed


def test_without_a_catalogue_nobody_is_asked() -> None:
    assert kinds(new_game()) == {"add"}
    check_refused(new_game(), "name 0", "F10: the catalogue knows of no tile")
    check_refused(new_game(), "add 0 3", "F10: that is no tile that could be added now")


def test_an_unknown_tile_is_one_press() -> None:
    game = new_game(catalogue=FEW)
    assert play_moves(game, "add 0 0").board == ((9, 0),)
    assert play_moves(game, "name 0", "add 0 0").board == ((9, 0),), "or when it was looked for in vain"


def test_up_to_three_tiles_stand_on_the_keys_themselves() -> None:
    game = play_moves(new_game(catalogue=FEW), "name 0")
    question = get_tile_question(game)
    assert question.line_index is None
    assert [(choice.label, choice.tile_numbers) for choice in question.choices] == [
        ("A", (2,)),
        ("B", (1,)),
        ("C", (3,)),
    ], "tiles 1 and 4 have the same print"
    assert GAME.format_prompt(game, NAMES) == "Ada: which tile is it?"
    assert can(game, "add 0 1")
    assert not can(game, "add 0 4"), "the lower number stands for both"
    after = play_moves(game, "add 0 1")
    assert (after.board, after.active_seat, after.phase) == (((9, 1),), 1, Phase.TURN)
    assert can(play_moves(after, "name 1"), "add 1 4"), "now the other one"


def test_a_tile_that_was_seen_is_not_asked_for_again() -> None:
    game = play_moves(new_game(catalogue=FEW), "name 0", "add 0 2", "name 1", "add 1 3", "name 2")
    assert {choice.tile_numbers for choice in get_tile_question(game).choices} == {(1,)}
    gone = play_moves(new_game(2, catalogue=(SkyTile(stars=1),)), "name 0", "add 0 1", "discover 1 9")
    assert kinds(gone) == {"add"}, "the only tile known is out"


@pytest.mark.proof
def test_any_of_27_tiles_takes_six_presses_at_most() -> None:
    for seed in range(20):
        game = new_game(catalogue=box(seed))
        needed = [presses(game, number) for number in range(1, 28)]
        assert max(needed) <= 6
        assert sum(needed) / len(needed) < 5.2


def test_tiles_that_differ_in_one_colour_are_distinguished() -> None:
    names = ("red", "blue", "green", "yellow", "purple")
    game = new_game(catalogue=tuple(SkyTile(stars=s, **{name: 1}) for name in names for s in range(3)))
    assert max(presses(game, number) for number in range(1, 16)) <= 5


def test_a_tile_that_is_not_found_is_added_all_the_same() -> None:
    narrowed = play_moves(new_game(catalogue=box()), "name 0", "narrow 0 1")
    assert narrowed.naming_answers == (1,)
    assert play_moves(narrowed, "add 0 0").board == ((9, 0),)
    check_refused(narrowed, "move 0 9", "F11: a tile is being added")
    check_refused(new_game(catalogue=FEW), "narrow 0 1", "F10: that names no tile now")


def test_the_question_splits_the_tiles_best() -> None:
    tiles = tuple(SkyTile(stars=1, comets=n % 4, green=n // 4) for n in range(8))
    game = play_moves(new_game(catalogue=tiles), "name 0")
    assert GAME.format_prompt(game, NAMES) == "Ada: how many comets are on it?"
    labels = [choice.label for choice in get_tile_question(game).choices]
    assert labels == ["None", "1 comet", "2 or more"]


def test_the_groups_of_a_question_are_as_equal_as_possible() -> None:
    game = play_moves(new_game(catalogue=tuple(SkyTile(stars=n) for n in range(9))), "name 0")
    assert GAME.format_prompt(game, NAMES) == "Ada: how many stars are on it?"
    question = get_tile_question(game)
    assert [(choice.label, len(choice.tile_numbers)) for choice in question.choices] == [
        ("0 to 2", 3),
        ("3 to 5", 3),
        ("6 or more", 3),
    ]
    assert get_tile_question(play_moves(game, "narrow 0 3")).line_index is None


def test_the_catalogue_lives_in_the_settings() -> None:
    settings = Settings(catalogue=box())
    assert Settings.model_validate(settings.model_dump(mode="json")) == settings
    assert StarFall.create(2, Seat(0), settings).unseen_tiles == tuple(range(1, 28))


def test_a_tile_in_a_few_letters() -> None:
    assert format_symbol_counts((0, 0, 1, 1, 0, 1, 1, 0, 0, 0)) == "1m 1b 2n"


@pytest.mark.parametrize(("tiles", "line"), [(3, None), (4, 0)])
def test_three_tiles_fit_on_the_keys_and_four_do_not(tiles: int, line: int | None) -> None:
    game = play_moves(new_game(catalogue=tuple(SkyTile(stars=n) for n in range(tiles))), "name 0")
    assert get_tile_question(game).line_index == line


def test_naming_begins_without_a_mark() -> None:
    game = play_moves(make_position((9, 8), settings={"catalogue": FEW}), "mark 0 8")
    assert play_moves(game, "name 0").marked_space is None
