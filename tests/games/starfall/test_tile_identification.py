"""Questions which tile of the catalogue was added: few presses, never required."""

from __future__ import annotations

from random import Random

import pytest

from companion.api import Move, Seat
from companion.gallery.fixtures import play_moves
from companion.games.starfall import GAME, Settings, SkyTile, StarFall
from companion.games.starfall.samples import make_position, new_game
from companion.games.starfall.state import Phase
from companion.games.starfall.tile_identification import format_symbol_counts, get_tile_question
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
        key = next(
            i
            for i, choice in enumerate(get_tile_question(game).choices, start=1)
            if any(game.get_symbol_counts(n) == counts for n in choice.tile_numbers)
        )
        offer = offers(game)[key - 1]
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


def test_up_to_six_tiles_stand_on_the_keys_themselves() -> None:
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


@pytest.mark.full
def test_any_of_27_tiles_takes_four_presses_at_most() -> None:
    for seed in range(20):
        game = new_game(catalogue=box(seed))
        needed = [presses(game, number) for number in range(1, 28)]
        assert max(needed) <= 4
        assert sum(needed) / len(needed) < 3.8


def test_tiles_that_differ_in_one_colour_are_distinguished() -> None:
    names = ("red", "blue", "green", "yellow", "purple")
    game = new_game(catalogue=tuple(SkyTile(stars=s, **{name: 1}) for name in names for s in range(3)))
    assert max(presses(game, number) for number in range(1, 16)) <= 4


def test_a_step_back() -> None:
    game = play_moves(new_game(catalogue=box()), "name 0")
    narrowed = play_moves(game, "narrow 0 1")
    assert narrowed.naming_answers == (1,)
    assert play_moves(narrowed, "back 0").naming_answers == ()
    assert play_moves(narrowed, "back 0", "back 0").phase is Phase.TURN
    check_refused(game, "move 0 9", "F11: a tile is being added")
    check_refused(new_game(catalogue=FEW), "narrow 0 1", "F10: that names no tile now")


def test_more_than_six_different_counts_end_in_or_more() -> None:
    game = play_moves(new_game(catalogue=tuple(SkyTile(stars=n) for n in range(9))), "name 0")
    assert GAME.format_prompt(game, NAMES) == "Ada: how many stars are on it?"
    assert get_tile_question(game).choices[-1].label == "5 or more"
    assert get_tile_question(play_moves(game, "narrow 0 6")).line_index is None


def test_the_question_splits_the_tiles_best() -> None:
    tiles = tuple(SkyTile(stars=1, comets=n % 4, green=n // 4) for n in range(8))
    game = play_moves(new_game(catalogue=tiles), "name 0")
    assert GAME.format_prompt(game, NAMES) == "Ada: how many comets are on it?"
    labels = [choice.label for choice in get_tile_question(game).choices]
    assert labels == ["None", "1 comet", "2 comets", "3 comets"]
    assert [choice.key for choice in get_tile_question(game).choices] == [6, 1, 2, 3]


def test_a_key_has_the_number_that_it_enters_unless_one_is_too_high() -> None:
    few = tuple(SkyTile(stars=n, planets=planets) for n in (0, 2, 4, 5) for planets in (0, 1))
    choices = get_tile_question(play_moves(new_game(catalogue=few), "name 0")).choices
    assert [(choice.key, choice.label) for choice in choices] == [
        (6, "None"),
        (2, "2 stars"),
        (4, "4 stars"),
        (5, "5 stars"),
    ]
    many = tuple(SkyTile(stars=n, planets=planets) for n in (0, 2, 6, 7) for planets in (0, 1))
    choices = get_tile_question(play_moves(new_game(catalogue=many), "name 0")).choices
    assert [choice.key for choice in choices] == [1, 2, 3, 4]


def test_the_catalogue_lives_in_the_settings() -> None:
    settings = Settings(catalogue=box())
    assert Settings.model_validate(settings.model_dump(mode="json")) == settings
    assert StarFall.create(2, Seat(0), settings).unseen_tiles == tuple(range(1, 28))


def test_a_tile_in_a_few_letters() -> None:
    assert format_symbol_counts((0, 0, 1, 1, 0, 1, 1, 0, 0, 0)) == "1m 1b 2n"


@pytest.mark.parametrize(("tiles", "line"), [(6, None), (7, 0)])
def test_six_tiles_fit_on_the_keys_and_seven_do_not(tiles: int, line: int | None) -> None:
    game = play_moves(new_game(catalogue=tuple(SkyTile(stars=n) for n in range(tiles))), "name 0")
    assert get_tile_question(game).line_index == line


@pytest.mark.parametrize(("most", "last"), [(5, "5 stars"), (6, "5 or more")])
def test_the_sixth_key_is_open_at_the_top_only_with_more_than_six_numbers(most: int, last: str) -> None:
    tiles = tuple(SkyTile(stars=n, planets=planets) for n in range(most + 1) for planets in (0, 1))
    game = play_moves(new_game(catalogue=tiles), "name 0")
    assert [choice.label for choice in get_tile_question(game).choices][-2:] == ["4 stars", last]


def test_answers_are_taken_back_one_by_one() -> None:
    catalogue = tuple(SkyTile(stars=n % 8, planets=n // 8) for n in range(27))
    game = play_moves(new_game(catalogue=catalogue), "name 0")
    assert game.naming_answers == ()
    first = play_moves(game, "narrow 0 1")
    second = play_moves(first, "narrow 0 6")
    assert (len(first.naming_answers or ()), len(second.naming_answers or ())) == (1, 2)
    assert play_moves(second, "back 0") == first
    assert play_moves(first, "back 0") == game
    assert play_moves(game, "back 0").phase is Phase.TURN


def test_naming_begins_with_the_first_page_of_keys() -> None:
    game = make_position((9, 8, 7, 4), settings={"board_max_tiles": 5, "catalogue": FEW})
    game = play_moves(game, "page 0")
    assert game.key_page == 1
    assert play_moves(game, "name 0").key_page == play_moves(game, "move 0 4").key_page == 0
