"""Memo Dice on the screen: every phase, fewest and most players, clocks, questions, menus."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import cv2
import numpy as np

from companion.events import SEAT_BUTTONS, Button
from companion.gallery.fixtures import get_correction_menu_title, make_pause_question, make_referee_offers
from companion.games.api.game import Correction, Move, Seat
from companion.games.api.offers import Visibility
from companion.games.memo_dice import GAME, MemoDice, Settings
from companion.games.memo_dice.view import Phase
from companion.referee.screen import build_game_state
from companion.screen_state import DiePicture, Menu, RunningClock, ScreenState

NAMES = ("Wilhelmina", "Bo", "Maximilianna", "Ada")
CUP_COLOURS = {"R": 1, "B": 2, "K": 3}
SEAT_BUTTONS_USED = (Button.SEAT2, Button.SEAT3, Button.SEAT5, Button.SEAT6)
NO_VISIBILITY = Visibility()


def draw_die_picture() -> bytes:
    """Stands for the picture of a die's face: a red umbrella."""
    image = np.full((224, 224, 3), (210, 230, 240), np.uint8)
    red = (50, 50, 200)
    cv2.ellipse(image, (112, 112), (70, 62), 0, 180, 360, red, -1)
    for x in (65, 112, 159):
        cv2.ellipse(image, (x, 112), (23, 14), 0, 180, 360, (210, 230, 240), -1)
    cv2.line(image, (112, 60), (112, 160), red, 6)
    cv2.ellipse(image, (100, 160), (12, 14), 0, 0, 180, red, 6)
    return bytes(cv2.imencode(".jpg", image)[1])


DIE_PICTURE = draw_die_picture()


def make_game(players: int = 4, symbols: str = "", answers: str = "", **settings: Any) -> MemoDice:
    """Dice rolled and cups lifted, from the start of a round."""
    return play_moves(MemoDice.create(players, Seat(0), Settings(**settings)), symbols, answers)


def play_moves(at: MemoDice, symbols: str = "", answers: str = "") -> MemoDice:
    """The same, from `at`."""
    for letter in symbols:
        die = Move("die", at.active_seat, (CUP_COLOURS[letter],))
        at = at.play(die if die in at.list_moves() else Move("gold", at.active_seat))
        if at.phase is Phase.LOOK:
            at = at.play(Move("cover", at.active_seat))
    for each in answers:
        at = at.play(Move("right" if each == "+" else "miss", at.active_seat))
    return at


def place_pieces(at: MemoDice, *squares: int) -> MemoDice:
    """The pieces on these squares."""
    return replace(at, square_adjustments=tuple(s - at.settings.start_square for s in squares[: at.player_count]))


def show_game(
    at: MemoDice,
    *,
    clock: float | None = None,
    names: tuple[str, ...] = NAMES,
    sight: Visibility = NO_VISIBILITY,
    **fields: Any,
) -> ScreenState:
    """What the referee would show."""
    count = at.player_count
    buttons = SEAT_BUTTONS_USED[:count] if count > 2 else SEAT_BUTTONS[:count]
    clocks = tuple(RunningClock(c.name, c.seconds if clock is None else clock, c.seconds) for c in at.list_clocks())
    offers = (
        *GAME.list_offers(at, names, sight),
        *make_referee_offers(paused=bool(clocks), over=at.compute_outcome() is not None),
    )
    return replace(
        build_game_state(GAME, at, names[:count], buttons, offers, sight),
        last_move=GAME.describe(*_lost(), NAMES),
        clocks=clocks,
        **fields,
    )


def _lost() -> tuple[MemoDice, Move, MemoDice]:
    """A long line on what was played last."""
    before = make_game(4, "RRRBBBKKR", "++-+-")
    move = Move("miss", before.active_seat)
    return before, move, before.play(move)


def build_samples() -> dict[str, ScreenState]:
    """All states, by name."""
    found: dict[str, ScreenState] = {}
    spread = (14, 9, 9, 17)
    found["cover_first"] = show_game(make_game())
    found["cover_two"] = show_game(make_game(2))
    found["cover_some"] = show_game(place_pieces(make_game(4, "RBK"), *spread))
    found["cover_none_left"] = show_game(place_pieces(make_game(4, "RRRBKB"), *spread))
    found["cover_two_left_out"] = show_game(place_pieces(make_game(3, "RRRBBBK"), 1, 2, 19))
    found["cover_no_black"] = show_game(place_pieces(make_game(3, "KKKRB"), 1, 2, 19))
    found["cover_last"] = show_game(place_pieces(make_game(4, "RRRBBKKB"), 3, 3, 3, 3))
    found["cover_small_box"] = show_game(make_game(2, "RB", cups_per_colour=1, dice=4))
    found["cover_from_zero"] = show_game(place_pieces(make_game(2, "RB", start_square=0, target_square=30), 0, 29))
    found["cover_far"] = show_game(place_pieces(make_game(3, "RB", target_square=100), 5, 63, 99))
    found["cover_long_past"] = show_game(place_pieces(make_game(3, "RB"), 24, 11, 112))
    looking = make_game(4, "RB", memorise_seconds=5).play(Move("die", Seat(2), (1,)))
    found["look"] = show_game(place_pieces(looking, *spread), clock=3.0, pressed_buttons=frozenset({Button.OK}))
    golden = make_game(3, "RRR", memorise_seconds=5)
    found["look_gold"] = show_game(golden.play(Move("gold", golden.active_seat)), clock=5.0)
    found["uncover_nine"] = show_game(place_pieces(make_game(4, "RRRBBBKKR"), *spread))
    found["uncover_some"] = show_game(place_pieces(make_game(4, "RRRBBBKKR", "++-+-"), *spread))
    found["uncover_golden"] = show_game(place_pieces(make_game(4, "RRRBBBKKR", "++-+-+--"), *spread))
    found["uncover_four"] = show_game(make_game(2, "RRRR", "+"))
    found["uncover_knocked"] = show_game(
        make_game(3, "RBKRBKRR", "+")
        .correct(Correction.from_stored("unknown 2", None, (1,)))
        .correct(Correction.from_stored("unknown 5", None, (1,)))
    )
    timed = place_pieces(make_game(4, "RRRBBBKKR", "++-", answer_seconds=15), *spread)
    found["uncover_clock"] = show_game(timed, clock=4.2)
    found["uncover_called"] = show_game(timed.play(Move("call", timed.active_seat)))
    lifted = place_pieces(make_game(4, "RRRBBBKKR", "++-"), *spread)
    lifted = lifted.play(Move("lift", lifted.active_seat))
    found["uncover_lifted"] = show_game(lifted, die_picture=DiePicture(4, DIE_PICTURE))
    found["uncover_face_of_the_last"] = show_game(make_game(2, "RRRR", "+"), die_picture=DiePicture(1, DIE_PICTURE))
    found["uncover_damaged_face"] = show_game(make_game(2, "RRRR", "+"), die_picture=DiePicture(1, b"torn"))
    seen = make_game(4, "RB").play(Move("show", Seat(2), (1,)))
    found["look_seen"] = show_game(place_pieces(seen, *spread), sight=Visibility(dice=True))
    found["scored_four"] = show_game(place_pieces(make_game(4, "RRRBBBKKR", "++-+-++-+"), 5, 9, 9, 11))
    found["scored_two"] = show_game(make_game(2, "RRRR", "+-++"))
    found["scored_corrected"] = show_game(place_pieces(make_game(3, "RRRR", "+-++"), 12, 0, 0))
    found["scored_away"] = show_game(make_game(4, "RRRR", "----").correct(Correction("away", Seat(3), (1,))))
    tie = place_pieces(make_game(2, "RRRBBKR", "+++++-+"), 16, 18)
    found["result"] = replace(show_game(tie), details=("Bo is right about cup 1",) * 9)

    cover = found["cover_some"]
    found["question"] = replace(cover, question=make_pause_question())
    found["question_clock"] = replace(found["uncover_clock"], question=make_pause_question())
    game = make_game(4, "RBKRB")
    labels = (GAME.correctable_label(game, what, NAMES) for what in game.list_correctables())
    lines = tuple(label[:1].upper() + label[1:] for label in labels)
    found["menu"] = replace(cover, menu=Menu(get_correction_menu_title(), lines, 3))
    found["menu_colour"] = replace(cover, menu=Menu("Colour of cup 5", (), 0, "black"))
    found["menu_taker"] = replace(cover, menu=Menu("Who has cup 3", (), 0, "Maximilianna"))
    found["menu_swap"] = replace(cover, menu=Menu("Neighbours that change places", (), 0, "4 and 5"))
    found["notice"] = replace(cover, notice="It is Wilhelmina's turn to roll, not Maximilianna's")
    return found
