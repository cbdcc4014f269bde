"""Memo Dice on the screen: every phase, fewest and most players, clocks, questions, menus."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import cv2
import numpy as np

from companion.api import CommonCorrection, Correction, Move, Seat, Visibility
from companion.events import SEAT_BUTTONS, Button, CameraState
from companion.gallery import fixtures
from companion.gallery.fixtures import (
    FOUR_SEAT_BUTTONS,
    get_refusal_notice,
    make_correction_menu,
    make_pause_dialog,
    open_dialog,
)
from companion.games.memo_dice import GAME, MemoDice, Settings
from companion.games.memo_dice.corrections import CupColour, Owner, Swap
from companion.games.memo_dice.state import Phase
from companion.referee.dialogs.correction_menu import list_editors
from companion.referee.dialogs.number_inputs import NumberInput
from companion.referee.dialogs.pause_menu import open_pause
from companion.screen_state import CameraView, DiePicture, ScreenState

NAMES = ("Wilhelmina", "Bo", "Maximilianna", "Ada")
CUP_COLOURS = {"R": 1, "B": 2, "K": 3}
"""Red, blue and black cups as they are written in `play_moves`."""
STEADY_VIEW = CameraView(state=CameraState.STEADY)
"""The camera sees the table."""
SPREAD_SQUARES = (14, 9, 9, 17)
"""Pieces of four players, two of them on the same square."""


def draw_die_picture() -> bytes:
    """Draw a red umbrella as the picture of a die's face, (224, 224) pixels; return it as JPEG."""
    image = np.full((224, 224, 3), (210, 230, 240), np.uint8)
    red = (50, 50, 200)
    cv2.ellipse(image, (112, 112), (70, 62), 0, 180, 360, red, -1)
    for x in (65, 112, 159):
        cv2.ellipse(image, (x, 112), (23, 14), 0, 180, 360, (210, 230, 240), -1)
    cv2.line(image, (112, 60), (112, 160), red, 6)
    cv2.ellipse(image, (100, 160), (12, 14), 0, 0, 180, red, 6)
    return bytes(cv2.imencode(".jpg", image)[1])


DIE_PICTURE = draw_die_picture()
"""Picture of a die's face as JPEG, 224 x 224 pixels."""


def make_game(players: int = 4, symbols: str = "", answers: str = "", **settings: Any) -> MemoDice:
    """Return a game in its first round, after dice were covered and cups lifted.

    Args:
        players: number of players, 2 to 4.
        symbols, answers: as in `play_moves`.
        settings: house rules by name.

    Raises:
        ValueError: `players` or a setting is not allowed.
        IllegalMove: a die or an answer is not possible in the game.
    """
    return play_moves(MemoDice.create(players, Seat(0), Settings(**settings)), symbols, answers)


def play_moves(game: MemoDice, symbols: str = "", answers: str = "") -> MemoDice:
    """Return the game after dice were covered and cups lifted.

    Args:
        game: game in which the next die is to be rolled.
        symbols: letter of each die's colour, a key of `CUP_COLOURS`; without a cup of that colour the golden one is
            taken.
        answers: one character for each cup lifted: "+" right, else wrong.

    Raises:
        KeyError: a letter in `symbols` is no key of `CUP_COLOURS`.
        IllegalMove: a die or an answer is not possible in the game.
    """
    for letter in symbols:
        die = Move("die", game.active_seat, (CUP_COLOURS[letter],))
        game = game.play(die if die in game.list_moves() else Move("gold", game.active_seat))
        if game.phase is Phase.LOOK:
            game = game.play(Move("cover", game.active_seat))
    for answer in answers:
        game = game.play(Move("right" if answer == "+" else "miss", game.active_seat))
    return game


def place_pieces(game: MemoDice, *squares: int) -> MemoDice:
    """Return the game with the players' pieces on `squares`, one for each seat; surplus squares are ignored.

    Only for a game without a scored round, since points of scored rounds are added to the squares. Fewer squares than
    players give an incomplete game.

    Args:
        squares: numbers of squares, from `settings.start_square` on; not checked.
    """
    adjustments = tuple(square - game.settings.start_square for square in squares[: game.player_count])
    return replace(game, square_adjustments=adjustments)


def show_game(game: MemoDice, *, names: tuple[str, ...] = NAMES, **fields: Any) -> ScreenState:
    """Build the screen of a game with the last move that led to it.

    Args:
        names: players' names by seat, at least as many as players; more are ignored.
        fields: further fields of `ScreenState`, or others in place of those built here.

    Raises:
        ValueError: there are fewer names than players.
        TypeError: `ScreenState` has no field of that name, or `fields` holds `buttons` or `last_move`.
    """
    return fixtures.show_game(
        GAME,
        game,
        names,
        buttons=FOUR_SEAT_BUTTONS if game.player_count > 2 else SEAT_BUTTONS,
        last_move=describe_last_move(game, names),
        **fields,
    )


def describe_last_move(game: MemoDice, names: tuple[str, ...]) -> str | None:
    """Return the sentence on a move that may have led to the state of a game; None: the game begins.

    A cup that was won is told as a right answer of its owner.

    Raises:
        IndexError: there are fewer names than players.
    """
    row, seat = game.cup_row, game.active_seat
    if not row and game.open_colour is None:
        return None
    if game.phase is Phase.LOOK:
        return GAME.describe(game, Move("die", seat), game, names)
    if game.phase is Phase.COVER:
        before = next(q for q in map(Seat, range(game.player_count)) if game.find_next_seat(q) == seat)
        return GAME.describe(game, Move("cover", before), game, names)
    if game.cup_lifted or game.symbol_named:
        return GAME.describe(game, Move("lift" if game.cup_lifted else "call", seat), game, names)
    won = [i for i, cup in enumerate(row) if cup.owner is not None]
    if not won:
        return GAME.describe(game, Move("gold", seat), game, names)
    cups = (*row[: won[-1]], replace(row[won[-1]], owner=None), *row[won[-1] + 1 :])
    earlier = replace(game, stage=Phase.UNCOVER, cup_row=cups)
    return GAME.describe(earlier, Move("right", row[won[-1]].owner), game, names)


def build_samples() -> dict[str, ScreenState]:
    """Return the sample screens of this module by name of the state, with texts in the current language."""
    samples = _build_cover_samples() | _build_uncover_samples() | _build_score_samples()
    cover = samples["cover_some"]
    covered, won = make_game(4, "RBKRB"), make_game(4, "RRRBBBKKR", "++-+-")
    return samples | {
        "question": open_dialog(cover, open_pause()),
        "question_clock": open_dialog(samples["uncover_clock"], make_pause_dialog()),
        "menu": open_dialog(cover, make_correction_menu(GAME, covered, NAMES, selected=3)),
        "menu_colour": open_dialog(cover, _edit_value(covered, CupColour.kind, 5, value=3)),
        "menu_taker": open_dialog(samples["uncover_some"], _edit_value(won, Owner.kind, 3, value=2)),
        "menu_swap": open_dialog(cover, _edit_value(covered, Swap.kind, value=4)),
        "notice": replace(cover, notice=get_refusal_notice(make_game(4, "RBK"), Move("die", Seat(1), (1,)), NAMES)),
    }


def _edit_value(game: MemoDice, kind: str, *index: int, value: int) -> NumberInput:
    """Return the dialog that corrects an entry of a game, with another value entered.

    Raises:
        StopIteration: there is no such entry.
    """
    editors = list_editors(GAME, game, NAMES)
    editor = next(editor for what, _line, editor in editors if (what.kind, what.index) == (kind, index))
    assert isinstance(editor, NumberInput)
    return replace(editor, value=value)


def _build_cover_samples() -> dict[str, ScreenState]:
    """Dice are covered with cups (D10 to D15)."""
    memorising = make_game(4, "RB", memorise_seconds=5).play(Move("die", Seat(2), (1,)))
    golden = make_game(3, "RRR", memorise_seconds=5)
    return {
        "cover_first": show_game(make_game()),
        "cover_two": show_game(make_game(2)),
        "cover_some": show_game(place_pieces(make_game(4, "RBK"), *SPREAD_SQUARES)),
        "cover_none_left": show_game(place_pieces(make_game(4, "RRRBKB"), *SPREAD_SQUARES)),
        "cover_two_left_out": show_game(place_pieces(make_game(3, "RRRBBBK"), 1, 2, 19)),
        "cover_no_black": show_game(place_pieces(make_game(3, "KKKRB"), 1, 2, 19)),
        "cover_last": show_game(place_pieces(make_game(4, "RRRBBKKB"), 3, 3, 3, 3)),
        "cover_small_box": show_game(make_game(2, "RB", cups_per_colour=1, dice=4)),
        "cover_from_zero": show_game(place_pieces(make_game(2, "RB", start_square=0, target_square=30), 0, 29)),
        "cover_far": show_game(place_pieces(make_game(3, "RB", target_square=100), 5, 63, 99)),
        "cover_long_past": show_game(place_pieces(make_game(3, "RB"), 24, 11, 112)),
        "look": show_game(
            place_pieces(memorising, *SPREAD_SQUARES), seconds_left=3.0, pressed_buttons=frozenset({Button.OK})
        ),
        "look_gold": show_game(golden.play(Move("gold", golden.active_seat)), seconds_left=5.0),
        "look_seen": show_game(
            place_pieces(make_game(4, "RB").play(Move("show", Seat(2), (1,))), *SPREAD_SQUARES),
            visibility=Visibility(dice=True),
            camera_view=STEADY_VIEW,
        ),
    }


def _build_uncover_samples() -> dict[str, ScreenState]:
    """Cups are lifted and their dice guessed (D20 to D25)."""
    four = make_game(2, "RRRR", "+")
    four_lifted = four.play(Move("lift", four.active_seat))
    knocked = make_game(3, "RBKRBKRR", "+")
    for cup in (2, 5):
        knocked = knocked.correct(Correction("unknown", None, (1,), (cup,)))
    timed = place_pieces(make_game(4, "RRRBBBKKR", "++-", answer_seconds=15), *SPREAD_SQUARES)
    lifted = place_pieces(make_game(4, "RRRBBBKKR", "++-"), *SPREAD_SQUARES)
    lifted = lifted.play(Move("lift", lifted.active_seat))
    return {
        "uncover_nine": show_game(place_pieces(make_game(4, "RRRBBBKKR"), *SPREAD_SQUARES)),
        "uncover_some": show_game(place_pieces(make_game(4, "RRRBBBKKR", "++-+-"), *SPREAD_SQUARES)),
        "uncover_golden": show_game(place_pieces(make_game(4, "RRRBBBKKR", "++-+-+--"), *SPREAD_SQUARES)),
        "uncover_four": show_game(four),
        "uncover_knocked": show_game(knocked),
        "uncover_clock": show_game(timed, seconds_left=4.2),
        "uncover_called": show_game(timed.play(Move("call", timed.active_seat))),
        "uncover_lifted": show_game(lifted, die_picture=DiePicture(4, DIE_PICTURE), camera_view=STEADY_VIEW),
        "uncover_damaged_face": show_game(four_lifted, die_picture=DiePicture(2, b"torn"), camera_view=STEADY_VIEW),
    }


def _describe_answers(game: MemoDice, answers: str) -> Iterator[str]:
    """Yield the sentence of each answer of a round, as the log has it; `answers` are as in `play_moves`."""
    for answer in answers:
        after = play_moves(game, "", answer)
        yield GAME.describe(game, Move("right" if answer == "+" else "miss", game.active_seat), after, NAMES)
        game = after


def _build_score_samples() -> dict[str, ScreenState]:
    """The page of a scored round, and the result."""
    return {
        "scored_four": show_game(place_pieces(make_game(4, "RRRBBBKKR", "++-+-++-+"), 5, 9, 9, 11)),
        "scored_two": show_game(make_game(2, "RRRR", "+-++")),
        "scored_corrected": show_game(place_pieces(make_game(3, "RRRR", "+-++"), 12, 0, 0)),
        "scored_away": show_game(
            make_game(4, "RRRR", "----").correct(Correction(CommonCorrection.AWAY, Seat(3), (1,)))
        ),
        "result": show_game(
            place_pieces(make_game(2, "RRRBBKR", "+++++-+"), 16, 18),
            details=tuple(_describe_answers(make_game(2, "RRRBBKR"), "+++++-+")),
        ),
    }
