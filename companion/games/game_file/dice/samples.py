"""The games with dice that a file describes: every phase, number of dice, players and boxes."""

from dataclasses import replace
from typing import Any

from companion.api import AnyGameDefinition, Command, CommandName, GameDefinition, Move, Seat, Visibility
from companion.api.registry import find_game
from companion.gallery import fixtures
from companion.gallery.fixtures import (
    PLAYER_NAMES,
    get_refusal_notice,
    list_value_inputs,
    make_correction_menu,
    open_dialog,
    play_moves,
)
from companion.games.game_file.definition import make_definition
from companion.games.game_file.dice.dialogs import BoxPage, DiceMarking, open_dice_choice
from companion.games.game_file.dice.game import DiceGame
from companion.screen_state import ScreenState

MANY_DICE = """
name = "many_dice"
title = "Many dice"
players_min = 1
players_max = 6
[dice]
points = "count(dice, 6)"
bank = false
throws = 1
rounds = { count = 8 }
count = %d
sides = %d
"""
"""The file of a game in which the sixes of one throw score, each round once; with places for the dice."""
YACHT_BOXES = ((3, 8, None, 12, 20, None, 21, None, 25, None, None, None, 17), (None, 6, 9, 12, 15, 24) + (None,) * 7)
"""Sheets of two players in the middle of a game, by box."""


def make_dice_game(count: int, sides: int = 6) -> GameDefinition[Any]:
    """Return the game of `MANY_DICE` with that number of dice."""
    return make_definition(MANY_DICE % (count, sides), "many_dice.toml")


def new_game(definition: AnyGameDefinition, players: int) -> DiceGame:
    """Return a game at its start.

    Raises:
        ValueError: the number of players is not allowed.
    """
    game: Any = definition.create_game(players, Seat(0), definition.settings_model.model_validate({}))
    assert isinstance(game, DiceGame)
    return game


def show_game(
    definition: AnyGameDefinition, game: DiceGame, *moves: str, camera: bool = False, **fields: Any
) -> ScreenState:
    """Build the screen of a game after moves in the notation of `fixtures.parse_move`, with the line on the last one.

    Raises:
        IllegalMove: a move is not legal.
    """
    for text in moves:
        before, game = game, play_moves(game, text)
        fields.setdefault("last_move", "")
        move = fixtures.parse_move(text)
        fields["last_move"] = definition.describe(before, move, game, PLAYER_NAMES)
    return fixtures.show_game(definition, game, visibility=Visibility(dice=camera), **fields)


def build_samples() -> dict[str, ScreenState]:
    """Return the sample screens of this module by name of the state, with texts in the current language."""
    return {**_build_yacht(), **_build_setting_aside(), **_build_throws(), **_build_dialogs(), **_build_ends()}


def _start_yacht(players: int) -> DiceGame:
    game = new_game(find_game("yacht"), players)
    boxes = tuple(YACHT_BOXES[q % 2] for q in range(players))
    return replace(game, boxes=boxes, round_number=7)


def _build_yacht() -> dict[str, ScreenState]:
    yacht = find_game("yacht")
    game = _start_yacht(4)
    thrown = play_moves(game, "throw 0 6 6 2 3 6")
    kept = play_moves(thrown, "keep 0 6 6 6")
    last = play_moves(kept, "throw 0 6 1, keep 0 6, throw 0 4")
    long = play_moves(_start_yacht(2), "throw 0 2 3 4 5 1")
    return {
        "yacht_throw": show_game(yacht, new_game(yacht, 2)),
        "yacht_throw_camera": show_game(yacht, new_game(yacht, 6), camera=True),
        "yacht_enter": show_game(yacht, game, entered_numbers=(5, 5, 1)),
        "yacht_decide": show_game(yacht, game, "throw 0 6 6 2 3 6"),
        "yacht_decide_camera": show_game(yacht, game, "throw 0 6 6 2 3 6", camera=True),
        "yacht_mark": open_dialog(show_game(yacht, thrown), DiceMarking(thrown, PLAYER_NAMES, (1, 2, 5))),
        "yacht_again": show_game(yacht, thrown, "keep 0 6 6 6"),
        "yacht_again_enter": show_game(yacht, kept, entered_numbers=(4,)),
        "yacht_again_camera": show_game(yacht, thrown, "keep 0 6 6 6", camera=True),
        "yacht_choose": show_game(yacht, last),
        "yacht_choose_solo": show_game(
            yacht, play_moves(new_game(yacht, 1), "throw 0 6 6 6 5 5, throw 0 6 6 6 5 5, throw 0 6 6 6 5 5")
        ),
        "yacht_best": open_dialog(show_game(yacht, long), BoxPage(long, 0)),
        "yacht_boxes": open_dialog(show_game(yacht, last), BoxPage(last, 1)),
        "yacht_scored": show_game(yacht, last, "choose 0 6"),
        "yacht_next_throw": show_game(yacht, replace(last, next_throw=(1, 2, 3, 4, 6)), camera=True),
    }


def _build_setting_aside() -> dict[str, ScreenState]:
    farkle, ten = find_game("farkle"), find_game("ten_thousand")
    game = replace(new_game(farkle, 3), points=(2350, 0, 9100), round_number=6)
    thrown = play_moves(game, "throw 0 1 5 2 2 2 4")
    kept = play_moves(thrown, "keep 0 2 2 2")
    second = play_moves(kept, "throw 0 1 4 6")
    hot = play_moves(second, "keep 0 1, throw 0 5 1")
    six = replace(new_game(ten, 6), points=(350, 9800, 4100, 0, 1200, 700), round_number=9)
    return {
        "farkle_decide": show_game(farkle, game, "throw 0 1 5 2 2 2 4"),
        "farkle_first": show_game(farkle, replace(game, points=(0, 0, 9100)), "throw 0 1 5 2 2 2 4"),
        "farkle_decide_camera": show_game(farkle, game, "throw 0 1 5 2 2 2 4", camera=True),
        "farkle_mark": open_dialog(show_game(farkle, thrown), DiceMarking(thrown, PLAYER_NAMES, (1, 2))),
        "farkle_mark_refused": open_dialog(show_game(farkle, thrown), DiceMarking(thrown, PLAYER_NAMES, (3, 4))),
        "farkle_again": show_game(farkle, thrown, "keep 0 2 2 2"),
        "farkle_again_camera": show_game(farkle, thrown, "keep 0 2 2 2", camera=True),
        "farkle_second": show_game(farkle, kept, "throw 0 1 4 6"),
        "farkle_hot": show_game(farkle, hot, "keep 0 5 1"),
        "farkle_lost": show_game(farkle, kept, "throw 0 6 4 3"),
        "farkle_scored": show_game(farkle, thrown, "bank 0"),
        "ten_thousand_must": show_game(ten, six, "throw 0 1 2 3 4 5 6"),
        "ten_thousand_needed": show_game(ten, six, "throw 0 1 2 3 4 4 6"),
    }


def _build_throws() -> dict[str, ScreenState]:
    pig, bunco = find_game("pig"), find_game("bunco")
    game = replace(new_game(pig, 4), points=(42, 81, 7, 99), round_number=5)
    rounds = replace(new_game(bunco, 5), points=(1, 0, 1, 0, 0), round_number=3, round_points=(14, 3, 20, 0, 7))
    dice = tuple(range(1, 7)) * 7
    return {
        "pig_start": show_game(pig, new_game(pig, 2)),
        "pig_throw": show_game(pig, play_moves(game, "throw 0 4"), "throw 0 6"),
        "pig_throw_camera": show_game(pig, play_moves(game, "throw 0 4"), "throw 0 6", camera=True),
        "pig_lost": show_game(pig, play_moves(game, "throw 0 4"), "throw 0 1"),
        "pig_scored": show_game(pig, play_moves(game, "throw 0 4"), "bank 0"),
        "bunco_start": show_game(bunco, rounds),
        "bunco_scored": show_game(bunco, rounds, "throw 0 3 3 1"),
        "bunco_ended": show_game(bunco, rounds, "throw 0 2 2 1"),
        **{
            f"dice_{count}": _show_many(make_dice_game(count), " ".join(map(str, ("throw 0", *dice[:count]))))
            for count in (8, 20, 40)
        },
        "dice_many_sides": _show_many(make_dice_game(4, 20), "throw 0 7 20 13 3"),
    }


def _show_many(definition: GameDefinition[Any], move: str) -> ScreenState:
    """Show a throw of a game that is not installed: in the scene of one that is."""
    return show_game(definition, new_game(definition, 2), move, game_name="yacht")


def _build_dialogs() -> dict[str, ScreenState]:
    yacht, farkle = find_game("yacht"), find_game("farkle")
    game = play_moves(_start_yacht(4), "throw 0 6 6 2 3 6")
    pig = find_game("pig")
    thrown = play_moves(new_game(pig, 2), "throw 0 5, throw 0 4")
    whose_throw = open_dice_choice(thrown, PLAYER_NAMES, Command(CommandName.CLAIM))
    assert whose_throw is not None, "the last throw can be claimed"
    aside = play_moves(new_game(farkle, 3), "throw 0 1 5 2 2 2 4")
    refusal = get_refusal_notice(aside, Move("keep", Seat(0), (4, 2)), PLAYER_NAMES)
    return {
        "menu": open_dialog(show_game(yacht, game), make_correction_menu(yacht, game, PLAYER_NAMES, 1)),
        "menu_box": open_dialog(show_game(yacht, game), list_value_inputs(yacht, game, PLAYER_NAMES)[8]),
        "notice": show_game(farkle, aside, notice=refusal),
        "whose_throw": open_dialog(show_game(pig, thrown, camera=True), whose_throw),
        "away": show_game(yacht, game.set_away(Seat(2), is_away=True)),
    }


def _build_ends() -> dict[str, ScreenState]:
    yacht, bunco, farkle = find_game("yacht"), find_game("bunco"), find_game("farkle")
    full = tuple(tuple(points or 0 for points in sheet) for sheet in YACHT_BOXES)
    two = replace(new_game(yacht, 2), boxes=full, is_over=True, round_number=13)
    six = replace(new_game(farkle, 6), points=(10_350, 9_800, 4_100, 0, 1_200, 700), is_over=True)
    three = replace(new_game(bunco, 3), points=(3, 3, 1), round_number=6, is_over=True)
    turns = ((500, 0, 1300, 0, 700, 0), (2850, 4800, 800, 0, 0, 0), (7000, 5000, 2000, 0, 500, 700))
    boxes = tuple(zip(*full, strict=True))
    wins = ((1, 0, 0), (0, 1, 0), (1, 1, 0), (0, 0, 1), (1, 0, 0), (0, 1, 0))
    return {
        "over": show_game(yacht, two, round_points=boxes),
        "over_rounds": show_game(bunco, three, round_points=wins),
        "over_six": show_game(farkle, six, round_points=turns),
    }
