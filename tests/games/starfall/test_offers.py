"""Offers of StarFall: buttons and labels; explanations of presses without effect."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.api import ConsolePress, Correction, IllegalMove, Input, NumberPress, Offer, Seat, SeatPress
from companion.gallery.fixtures import parse_move, play_moves
from companion.games.starfall import GAME, SkyTile, StarFall
from companion.games.starfall.samples import count_tiles, end_game, make_position, new_game
from companion.games.starfall.state import OwnedTile
from companion.testing.checks import list_bot_shares, list_keys
from tests.games.starfall.positions import NAMES, offers, view_payment

ADA = SeatPress(Seat(0))
COUNTING = play_moves(end_game(2), "count 0")
LAST_LINE = count_tiles(end_game(2, (6, 4)), 0, 3, 2, 3, 1, 4)


def table(game):
    """Means to words; the words end in a star where the table waits for it."""
    return {o.input: o.label + "*" * o.awaited for o in offers(game)}


def test_an_ordinary_turn_is_one_press() -> None:
    assert table(new_game()) == {ConsolePress.OK: "Add tile*"}
    assert table(make_position((9, 7))) == {ADA: "Tile 7*", ConsolePress.OK: "Add tile*"}
    assert table(make_position((9, 8, 7))) == {ADA: "Tile 7*"}, "F15: three tiles are on the board"


def test_the_own_button_marks_a_tile_and_ok_takes_it_and_plus_moves_it() -> None:
    game = play_moves(make_position((9, 7)), "mark 0 7")
    assert table(game) == {
        ADA: "Tile 9",
        ConsolePress.OK: "Take 7*",
        ConsolePress.PLUS: "Move 7 to 6*",
        ConsolePress.NO: "Back",
    }
    assert play_moves(game, "mark 0 9").next_mark == 7, "after the dearest tile the cheapest comes again"
    assert table(play_moves(game, "unmark 0")) == table(make_position((9, 7)))
    poor = play_moves(make_position((1, 0), dust=(0, 9, 9), pile_size=2), "mark 0 0", "mark 0 1")
    assert table(poor) == {ADA: "Tile 0", ConsolePress.PLUS: "Push 1 off*", ConsolePress.NO: "Back"}


def test_paying_as_proposed_is_one_press_more() -> None:
    game = play_moves(make_position((9, 7), own=(1,)), "discover 0 7")
    assert table(game) == {ADA: "1 star", ConsolePress.OK: "Pay*", ConsolePress.NO: "Cancel"}


def test_the_own_button_counts_the_stars_of_a_tile_up_to_the_price_and_then_takes_it_back() -> None:
    game = play_moves(make_position((9, 3), own=(2,)), "discover 0 3", "with 0 0 1")
    assert table(game) == {
        ADA: "2 stars",
        ConsolePress.OK: "Pay*",
        ConsolePress.PLUS: "One more tile",
        ConsolePress.NO: "Cancel",
    }
    game = play_moves(game, "change 0 0 2", "change 0 0 3")
    assert table(game) == {ADA: "No tile", ConsolePress.OK: "Pay*", ConsolePress.NO: "Cancel"}
    assert table(play_moves(game, "without 0"))[ADA] == "1 star"


def test_known_tiles_come_first_and_then_the_stars_of_one_that_nobody_knows() -> None:
    game = make_position((9, 7), settings={"catalogue": (SkyTile(stars=4), SkyTile(stars=2))})
    game = replace(game, owned_tiles=((OwnedTile(1, 3), OwnedTile(0, 4), OwnedTile(2, 5)), (), ()))
    game = play_moves(game, "discover 0 7")
    assert table(game)[ADA] == "2 stars"
    game = play_moves(game, "with 0 2 2")
    assert table(game)[ADA] == "4 stars"
    game = play_moves(game, "change 0 0 4")
    assert table(game)[ADA] == "1 star"
    game = play_moves(game, "with 0 2 2")
    assert table(game)[ADA] == "1 star", "the first tile stays"
    assert view_payment(game).tile_values == (4, 2)


def test_choosing_whose_tiles_are_counted() -> None:
    game = end_game(3)
    assert table(game) == {SeatPress(Seat(q)): "My tiles*" for q in range(3)}
    game = count_tiles(game, 0, *[0] * 10)
    assert table(game)[SeatPress(Seat(0))] == "Count again"


def test_a_page() -> None:
    game = play_moves(end_game(2), "count 0")
    assert table(game) == {
        **{NumberPress(n): f"{n}*" for n in range(1, 7)},
        ConsolePress.OK: "None*",
        ConsolePress.PLUS: "6 and more",
        ConsolePress.NO: "Others",
    }
    assert table(play_moves(game, "six-more 0")) == {
        **{NumberPress(n): f"+{n}*" for n in range(1, 7)},
        ConsolePress.OK: "Next*",
        ConsolePress.PLUS: "6 and more",
        ConsolePress.NO: "Back to 0",
    }
    assert table(play_moves(game, "enter 0 2"))[ConsolePress.NO] == "Back"
    colours = play_moves(LAST_LINE, "enter 0 3")
    assert table(colours) == {**{NumberPress(n): f"{n}*" for n in range(1, 4)}, ConsolePress.NO: "Back"}, (
        "F35: three nebulae have up to three colours"
    )


def test_the_table_of_scores() -> None:
    game = end_game(2)
    for seat in (0, 1):
        game = count_tiles(game, seat, *[0] * 10)
    assert table(game)[ConsolePress.OK] == "Correct*"
    assert table(play_moves(game, "count 0"))[ConsolePress.OK] == "None*"
    assert table(play_moves(game, "finish")) == {}


def test_the_log_at_the_end_lists_most_and_fewest_stars() -> None:
    game = end_game(3)
    for seat, stars in ((0, 4), (1, 1), (2, 1)):
        game = count_tiles(game, seat, stars, *[0] * 9)
    finish = parse_move("finish")
    assert (
        GAME.describe(game, finish, game.play(finish), NAMES)
        == "The count is right; for stars: Ada +10, Bob −5, Cleo −5"
    )


def test_why_a_press_did_nothing() -> None:
    def why(game, seat):
        with pytest.raises(IllegalMove) as said:
            game.play(GAME.get_default_move(game, Seat(seat)))
        return str(said.value)

    assert why(new_game(), 0) == "F15: the board is empty, so a tile must be added first"
    assert why(play_moves(make_position((9,)), "mark 0 9"), 0) == "F10: no other tile is on the board"
    paying = play_moves(make_position((9, 7), own=(1,)), "discover 0 7")
    assert why(paying, 1) == "F10: it is seat 0's turn, not seat 1's"
    assert why(replace(end_game(), away=(True, False, False)), 0) == "F30: seat 0 is away and has no tiles to count"


@pytest.mark.parametrize(
    ("game", "words"),
    [
        (new_game(), "Ada: add a tile"),
        (make_position((9, 8)), "Ada: add, move or take a tile"),
        (make_position((9, 8, 7)), "Ada: move or take a tile"),
        (make_position((9, 8), dust=(0, 1, 1), pile_size=0), "Ada: move a tile"),
        (play_moves(make_position((9, 7)), "mark 0 7"), "Ada: take the tile on 7, or move it"),
        (play_moves(make_position((9, 7), dust=(6, 9, 9)), "mark 0 7"), "Ada: move the tile on 7"),
        (play_moves(make_position((9, 7), own=(1,)), "discover 0 7"), "Ada: pay 7 for the tile"),
        (end_game(), "The game is over: press your button to count your tiles"),
        (play_moves(end_game(), "count 1"), "Bob: how many stars are on your tiles?"),
        (count_tiles(count_tiles(end_game(2), 0, *[0] * 10), 1, *[0] * 10), "All are counted: is everything right?"),
        (make_position((9, 8), dust=(7, 9, 9)), "Ada: add or move a tile"),
        (make_position((9, 8), dust=(8, 9, 9)), "Ada: add, move or take a tile"),
        (make_position((9, 8, 7), dust=(6, 9, 9)), "Ada: move a tile"),
        (play_moves(end_game(2), "count 1", "next-line 1"), "Bob: how many planets do you have?"),
        (
            play_moves(count_tiles(count_tiles(end_game(2, (9, 1)), 0, *[0] * 10), 1, *[0] * 10), "finish"),
            "Ada wins with 4",
        ),
        (
            play_moves(count_tiles(count_tiles(end_game(2, (4, 4)), 0, *[0] * 10), 1, *[0] * 10), "finish"),
            "Ada and Bob share the victory with 2",
        ),
    ],
)
def test_sentences(game: StarFall, words: str) -> None:
    assert GAME.format_prompt(game, NAMES) == words


def test_the_questions_which_tile_was_added() -> None:
    tiles = {"catalogue": tuple(SkyTile(stars=n) for n in range(8))}
    game = play_moves(make_position((9,), settings=tiles), "name 0")
    assert GAME.format_prompt(game, NAMES) == "Ada: how many stars are on it?"
    assert GAME.format_prompt(play_moves(game, "narrow 0 3"), NAMES) == "Ada: which tile is it?"


def test_who_is_addressed() -> None:
    turn = make_position((9,), active_seat=Seat(1))
    assert GAME.get_addressed_seat(turn) == 1
    assert GAME.get_addressed_seat(end_game()) is None
    assert GAME.get_addressed_seat(play_moves(end_game(), "count 2")) == 2


@pytest.mark.parametrize(
    ("game", "text", "line"),
    [
        (make_position((9,)), "add 0 0", "Ada adds a tile on 8"),
        (make_position((9, 4)), "move 0 9", "Ada moves the tile on 9 to 8"),
        (make_position((1, 0), pile_size=1), "move 0 0", "Ada moves the tile on 0 off the board"),
        (make_position((9, 4)), "discover 0 4", "Ada takes the tile on 4 for 4 dust"),
        (make_position((9, 0)), "discover 0 0", "Ada takes the tile on 0 for nothing"),
        (
            play_moves(make_position((9, 4), own=(1,)), "discover 0 4", "with 0 0 1"),
            "pay 0",
            "Ada takes the tile on 4 for 3 dust and a tile",
        ),
        (
            make_position((6, 2), pile_size=0),
            "discover 0 2",
            "Ada takes the tile on 2 for 2 dust",
        ),
        (COUNTING, "six-more 0", "Ada: 6 stars"),
        (replace(COUNTING, line_index=5), "enter 0 2", "Ada has 2 nebulae"),
        (replace(COUNTING, line_index=5), "next-line 0", "Ada 16: dust 16"),
        (LAST_LINE, "enter 0 1", "Ada has 40 points"),
        (make_position((9, 7)), "mark 0 7", "Ada chooses the tile on 7"),
        (play_moves(make_position((9, 7)), "mark 0 7"), "unmark 0", "Ada chooses no tile"),
        (
            play_moves(make_position((9,), settings={"catalogue": (SkyTile(), SkyTile(stars=1))}), "name 0"),
            "add 0 2",
            "Ada adds tile 2 on 8",
        ),
        (make_position((9, 7), own=(1,)), "discover 0 7", "Ada chooses the tile on 7"),
        (play_moves(make_position((9, 7), own=(1,)), "discover 0 7"), "with 0 0 3", "Ada gives a tile that pays 3"),
        (
            play_moves(make_position((9, 7), own=(1,)), "discover 0 7", "with 0 0 3"),
            "change 0 0 4",
            "Ada gives a tile that pays 4",
        ),
        (
            play_moves(make_position((9, 7), own=(2,)), "discover 0 7", "with 0 0 6", "with 0 1 1"),
            "pay 0",
            "Ada takes the tile on 7 for 2 tiles",
        ),
        (
            play_moves(make_position((9, 5), own=(1,)), "discover 0 5", "with 0 0 5"),
            "pay 0",
            "Ada takes the tile on 5 for a tile",
        ),
        (end_game(2), "count 1", "Bob counts"),
        (play_moves(end_game(2), "count 0"), "enter 0 3", "Ada has 3 stars"),
        (play_moves(end_game(2), "count 0", "next-line 0"), "back-line 0", "Ada: back to the stars"),
        (play_moves(end_game(2), "count 0", "six-more 0"), "clear 0", "Ada: 0 stars"),
    ],
)
def test_the_log(game: StarFall, text: str, line: str) -> None:
    move = parse_move(text)
    assert GAME.describe(game, move, game.play(move), NAMES) == line


def test_counts_from_the_catalogue_are_listed_from_the_best_score_on() -> None:
    game = end_game(3, (0, 0, 10), settings={"catalogue": (SkyTile(planets=1), SkyTile(planets=4))})
    game = replace(game, owned_tiles=((OwnedTile(1, 5),), (OwnedTile(2, 4),), ()))
    accept = parse_move("accept")
    assert GAME.describe(game, accept, game.play(accept), NAMES) == "As in the catalogue: Bob 20, Ada 5, Cleo 5"


def test_the_parts_of_a_score() -> None:
    game = count_tiles(end_game(2, (7, 0)), 0, 3, 1, 1, 1, 2, 2, 0, 1, 0, 0)
    assert GAME.list_score_parts(game, Seat(1)) == [("nothing", 0)], "not counted yet"
    game = count_tiles(game, 1, *[0] * 10)
    parts = [
        ("3 stars", 10),
        ("1 planet", 5),
        ("1 moon", 3),
        ("1 black hole", -5),
        ("2 comets", 8),
        ("3 nebulae, 2 colours", 10),
        ("7 dust", 3),
    ]
    assert GAME.list_score_parts(game, Seat(0)) == parts
    assert GAME.list_score_parts(game, Seat(1)) == [("nothing", 0)]
    game = game.correct(Correction("total", Seat(0), (game.totals[0] + 2,)))
    assert GAME.list_score_parts(game, Seat(0)) == [*parts, ("corrected by hand", 2)]


# Keys and bots in each position ------------------------------------------------------------------------------------

EIGHT_TILES = {"catalogue": tuple(SkyTile(stars=n) for n in range(8))}
PAYING = play_moves(make_position((9, 7), own=(1,)), "discover 0 7")
COUNTED = count_tiles(count_tiles(end_game(2), 0, *[0] * 10), 1, *[0] * 10)
COUNT_UP = {str(n): 12.1 for n in range(1, 7)}


@pytest.mark.parametrize(
    ("game", "keys"),
    [
        (
            make_position((9,), settings=EIGHT_TILES),
            {ConsolePress.OK: "Add tile*", ConsolePress.PLUS: "Say which"},
        ),
        (make_position((9, 8, 7)), {ADA: "Tile 7*~", ConsolePress.NO: None, ConsolePress.OK: None}),
        (
            play_moves(make_position((9,), settings=EIGHT_TILES), "mark 0 9"),
            {ConsolePress.OK: "Take 9*", ConsolePress.PLUS: "Move 9 to 8*", ADA: None},
        ),
        (
            play_moves(make_position((9,), settings=EIGHT_TILES), "name 0"),
            {ADA: "0 to 1*", ConsolePress.OK: "2 to 4*", ConsolePress.PLUS: "5 or more*", ConsolePress.NO: "Not known"},
        ),
        (PAYING, {ADA: "1 star~", ConsolePress.OK: "Pay*", ConsolePress.PLUS: None, ConsolePress.NO: "Cancel"}),
        (
            count_tiles(end_game(3), 0, *[0] * 10),
            {SeatPress(Seat(0)): "Count again", SeatPress(Seat(1)): "My tiles*"},
        ),
        (
            play_moves(end_game(2), "count 0", "six-more 0"),
            {
                **{NumberPress(n): f"+{n}*" for n in range(1, 7)},
                ConsolePress.OK: "Next*",
                ConsolePress.PLUS: "6 and more~",
                ConsolePress.NO: "Back to 0",
            },
        ),
        (COUNTED, {ConsolePress.OK: "Correct*"}),
        (play_moves(COUNTED, "count 0"), {ConsolePress.OK: "None*", ConsolePress.NO: "Others"}),
    ],
)
def test_keys(game: StarFall, keys: dict[Input, str | None]) -> None:
    found = list_keys(GAME, game, NAMES)
    assert {key: found.get(key) for key in keys} == keys


def test_no_more_than_99_of_a_symbol() -> None:
    page = play_moves(end_game(2), "count 0")
    for held, most in ((93, 6), (94, 5), (98, 1), (99, 0)):
        game = replace(page, symbol_counts=((held, *[0] * 9), (0,) * 10))
        more = [move.value[0] for move in game.list_moves() if move.kind == "enter"]
        assert more == list(range(1, most + 1))
        keys = list_keys(GAME, game, NAMES)
        assert [key for key in keys if isinstance(key, NumberPress)] == [NumberPress(n) for n in more]
        assert (ConsolePress.PLUS in keys) == (most == 6)


def test_the_catalogue_is_offered_while_somebody_is_to_be_counted() -> None:
    game = end_game(2, settings={"catalogue": (SkyTile(stars=3),)})
    game = replace(game, owned_tiles=((OwnedTile(1, 5),), (OwnedTile(0, 4),)))
    assert list_keys(GAME, game, NAMES)[ConsolePress.OK] == "As listed*"
    game = count_tiles(game, 0, 3, *[0] * 9)
    assert ConsolePress.OK not in list_keys(GAME, replace(game, counting_seat=None), NAMES), "Bob's tile is not known"


@pytest.mark.parametrize(
    ("game", "shares"),
    [
        (make_position((9, 1), settings=EIGHT_TILES), {"Add tile": 46.2, "Say which": 7.7, "Tile 1": 46.2}),
        (
            play_moves(make_position((9, 1)), "mark 0 1"),
            {"Take 1": 50.0, "Move 1 to 0": 26.7, "Tile 9": 20.0, "Back": 3.3},
        ),
        (play_moves(make_position((9,), settings=EIGHT_TILES), "name 0"), {"0 to 1": 16.7, "Not known": 50.0}),
        (PAYING, {"Pay": 89.9, "1 star": 6.7, "Cancel": 3.4}),
        (play_moves(PAYING, "with 0 0 7"), {"Pay": 94.1, "No tile": 2.4}),
        (count_tiles(end_game(3), 0, *[0] * 10), {"Count again": 1.5, "My tiles": 49.3}),
        (count_tiles(end_game(3), 1, *[0] * 10), {"Count again": 1.5, "My tiles": 49.3}),
        (play_moves(end_game(2), "count 0"), {**COUNT_UP, "None": 24.3, "6 and more": 2.4, "Others": 0.5}),
        (play_moves(end_game(2), "count 0", "six-more 0"), {"Back to 0": 1.2}),
        (play_moves(end_game(2), "count 0", "next-line 0"), {"Back": 2.4}),
        (COUNTED, {"Correct": 94.3}),
    ],
)
def test_how_often_bots_choose_a_key(game: StarFall, shares: dict[str, float]) -> None:
    """In percent: they take cheap tiles, pay as proposed, and seldom go back; else self-played games would not end."""
    found = list_bot_shares(GAME, game, NAMES)
    assert {label: found[label] for label in shares} == shares


def test_bots_choose_no_correction_more_often_than_a_usual_move() -> None:
    correction = Offer(Correction("pile", None, (3,)), ConsolePress.OK, "Pile")
    assert GAME.get_bot_weight(new_game(), correction) == 1.0


def test_the_help_names_the_bonus_for_colours_of_nebulae() -> None:
    """F35: once a tile is out, the board has no room for it."""
    sentences = [rule.sentence for rule in GAME.list_rules(new_game().settings)]
    assert "Nebulae in 2, 3, 4, 5 colours bring 4, 9, 16, 25 more." in sentences
