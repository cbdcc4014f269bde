"""Pictomania on the screen: every phase, fewest and most players, long names, running clocks, questions."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import cv2
import numpy as np

from companion.events import SEAT_BUTTONS, Button, CameraState
from companion.gallery.fixtures import (
    PLAYER_NAMES,
    get_refusal_notice,
    list_spinners,
    make_confirmation,
    make_correction_menu,
    make_referee_offers,
    open_dialog,
)
from companion.gallery.pictomania_positions import new_game, play_moves, play_round, start_drawing, start_scoring
from companion.games.api.game import Correction, Move, Seat
from companion.games.api.offers import ConsolePress, Offer, Visibility
from companion.games.pictomania import GAME, Pictomania, Settings
from companion.games.pictomania.offers import get_live_view_labels as pictomania_live
from companion.referee.buttons import build_soft_keys
from companion.referee.dialogs.base import PauseDialog
from companion.referee.dialogs.camera_view import LIVE
from companion.referee.screen import build_game_state
from companion.screen_state import CameraView, RunningClock, ScreenState
from companion.vision.reading import Image

LONG_NAMES = ("Wilhelmina", "Bo", "Maximilianna", "Alexandrine", "Ferdinand", "Konstantin")


def show_game(
    game: Pictomania, *clocks: RunningClock, names: tuple[str, ...] = PLAYER_NAMES, **more: Any
) -> ScreenState:
    """A state as the referee shows it."""
    names = names[: game.player_count]
    buttons = SEAT_BUTTONS[: game.player_count]
    offers = (*GAME.list_offers(game, names, Visibility()), *make_referee_offers(paused=bool(clocks)))
    state = build_game_state(GAME, game, names, buttons, offers, Visibility())
    return replace(state, **{"last_move": describe_last_move(names), "clocks": clocks, **more})


def describe_last_move(names: tuple[str, ...]) -> str:
    """What was played last, where it makes no difference."""
    pile, right = start_scoring(len(names)), Move("right", Seat(len(names) - 1))
    return GAME.describe(pile, right, pile.play(right), names)


def play_all_right(players: int) -> Pictomania:
    """T5's kind of round: everybody is right, up to its page."""
    piles = [" ".join(f"{g}{o + 1}" for g in "ABCDEF"[:players] if "ABCDEF".index(g) != o) for o in range(players)]
    return play_round(range(1, players + 1), piles, "ABCDEF"[: players - 1])


def build_samples() -> dict[str, ScreenState]:
    """All states, by name."""
    late = play_all_right(6)
    for _ in range(3):
        late = play_moves(
            late, "next_round, deal, start, go, stop, score, right 1, right 2, next, next, next, next, next, next"
        )
    late = late.correct(Correction.from_stored("round 1", Seat(4), (-18,))).correct(
        Correction.from_stored("round 2", Seat(0), (104,))
    )
    fourth = play_moves(late, "next_round")
    pile = play_moves(start_scoring(6), "right 3, right 1, wrong 1, right 5")
    return (
        _before_drawing(fourth)
        | _drawing(fourth)
        | _held_under_the_camera()
        | _scoring(fourth, pile)
        | _page(late)
        | {"heard": show_game(pile, pressed_buttons=frozenset({SEAT_BUTTONS[3]}))}
    )


def make_game_with_two_away() -> Pictomania:
    """Two of six have left the table."""
    return new_game(6).correct(Correction("away", Seat(1), (1,))).correct(Correction("away", Seat(4), (1,)))


def _before_drawing(fourth: Pictomania) -> dict[str, ScreenState]:
    """Difficulty, reading, and the countdown. `fourth`: the fourth round of six begins."""
    found: dict[str, ScreenState] = {}
    found["difficulty"] = show_game(new_game(6))
    found["difficulty_corrected"] = show_game(new_game(6).correct(Correction("total", Seat(0), (5,))))
    found["difficulty_away"] = show_game(new_game(6).correct(Correction("away", Seat(0), (1,))))
    found["difficulty_two_away"] = show_game(make_game_with_two_away(), names=LONG_NAMES)
    found["difficulty_late"] = show_game(play_moves(fourth, "colour, colour"), names=LONG_NAMES)
    found["difficulty_green"] = show_game(new_game(3, variant="only_green"))
    found["difficulty_many"] = show_game(
        new_game(3, difficulty_colours=("yellow", "green", "orange", "red", "black", "purple")), names=LONG_NAMES
    )
    found["reading"] = show_game(play_moves(new_game(4), "colour, deal"))
    found["reading_clock"] = show_game(
        play_moves(new_game(6, reading_seconds=60), "deal"), RunningClock("reading, round 1", 47, 60), names=LONG_NAMES
    )
    found["reading_one_card"] = show_game(play_moves(new_game(3, variant="one_card"), "colour, colour, deal"))
    begun = play_moves(new_game(5), "deal, start")
    found["start_3"] = show_game(begun, RunningClock("start, round 1", 3, 3))
    found["start_1"] = show_game(begun, RunningClock("start, round 1", 1, 3), names=LONG_NAMES)
    found["start_paused"] = open_dialog(
        show_game(begun, RunningClock("start, round 1", 2, 3, paused=True)), PauseDialog()
    )
    found["menu_colour"] = open_dialog(
        show_game(new_game(6)), next(s for s in list_spinners(GAME, new_game(6), LONG_NAMES) if s.value_labels)
    )
    return found


def _drawing(fourth: Pictomania) -> dict[str, ScreenState]:
    """All draw and guess, until somebody stops it. `fourth`: the fourth round of six begins."""
    found: dict[str, ScreenState] = {}
    found["drawing_six"] = show_game(start_drawing(6))
    found["drawing_three"] = show_game(play_moves(start_drawing(3), "take 2"), names=LONG_NAMES)
    busy = play_moves(play_moves(fourth, "deal, start, go"), "take 5, take 2, take 0")
    found["drawing_late"] = show_game(busy, names=LONG_NAMES)
    timed = play_moves(start_drawing(6, drawing_seconds=180), "take 5, take 2, take 0, take 3")
    found["drawing_clock"] = show_game(timed, RunningClock("drawing, round 1", 121, 180), names=LONG_NAMES)
    found["drawing_soon"] = show_game(
        play_moves(start_drawing(3, drawing_seconds=180), "take 1"), RunningClock("drawing, round 1", 4, 180)
    )
    rich = Settings.model_validate({}).bonus_tokens | {4: (9, 4, 3)}
    found["drawing_rich"] = show_game(play_moves(start_drawing(4, bonus_tokens=rich), "take 1"))
    found["stop"] = show_game(play_moves(start_drawing(6), "take 5, take 2, take 0, take 3, take 1"), names=LONG_NAMES)
    found["stop_agreed"] = show_game(play_moves(start_drawing(3), "take 1, stop"))
    found["stop_nobody"] = show_game(play_moves(start_drawing(5), "stop"))
    found["notice"] = show_game(
        busy, names=LONG_NAMES, notice=get_refusal_notice(busy, Move("take", Seat(0)), LONG_NAMES)
    )
    return found


def _scoring(fourth: Pictomania, pile: Pictomania) -> dict[str, ScreenState]:
    """The piles are looked through. `fourth`: as above; `pile`: of the first of six."""
    found: dict[str, ScreenState] = {}
    found["scoring_six"] = show_game(pile)
    found["scoring_full"] = show_game(play_moves(pile, "right 2, right 4, wrong 4"), names=LONG_NAMES)
    found["scoring_empty"] = show_game(play_moves(start_scoring(6), "next, next"), names=LONG_NAMES)
    found["scoring_three"] = show_game(play_moves(start_scoring(3), "right 1, next, right 0, wrong 0"))
    found["scoring_late"] = show_game(
        play_moves(
            fourth, "deal, start, go, stop, score, next, next, next, next, next, right 0, right 1, right 2, right 3"
        ),
        names=LONG_NAMES,
    )
    found["scoring_given"] = show_game(play_moves(start_scoring(3), "right 1, right 2"))
    found["misdrawn"] = show_game(play_moves(start_scoring(4), "next, misdrawn 1"))
    found["confirm"] = open_dialog(
        show_game(pile), make_confirmation(GAME.list_offers(pile, PLAYER_NAMES, Visibility()))
    )
    return found


def _page(late: Pictomania) -> dict[str, ScreenState]:
    """The round's page. `late`: the third of six players' rounds is over."""
    found: dict[str, ScreenState] = {}
    t1 = play_round([3, 5, 1, 7], ["B3 C3 D6", "A5 D5 C2", "B1 A4", "A7 C4 B7"], "BAC")
    found["page"] = show_game(t1)
    found["page_long"] = show_game(t1, names=LONG_NAMES)
    found["page_three"] = show_game(play_round([2, 6, 4], ["B2 C5", "C6 A3", ""], "BC"))
    sheep = play_moves(late, "back, right 0, wrong 0, right 1, wrong 1, right 2, wrong 2, right 3, wrong 3, next")
    found["page_six"] = show_game(play_all_right(6), names=LONG_NAMES)
    found["page_late"] = show_game(sheep, names=LONG_NAMES)
    five = play_round([1, 2, 3, 4, 5], ["B1 C2", "A2 C1", "D3", "E4 C5", ""], "ABED")
    found["page_five"] = show_game(five, names=LONG_NAMES)
    gone = make_game_with_two_away()
    found["page_away"] = show_game(play_moves(gone, "deal, start, go, stop, score, right 2, next, next, next, next"))
    found["menu"] = open_dialog(show_game(sheep, names=LONG_NAMES), make_correction_menu(GAME, sheep, LONG_NAMES, 2))
    return found


def _held_under_the_camera() -> dict[str, ScreenState]:
    """A drawing is shown to all, by the camera's picture beside the game."""
    found: dict[str, ScreenState] = {}
    seen = CameraView(CameraState.STEADY, None, draw_board())
    beside = {"camera_view": seen, "shows_live_picture": True, "enlarge_button": Button.PLUS}
    hide = Offer(LIVE, ConsolePress.PLUS, (pictomania_live(start_drawing(6)) or ("", ""))[1])

    def shown_beside(game: Pictomania, *clocks: RunningClock) -> ScreenState:
        offers = (*GAME.list_offers(game, LONG_NAMES, Visibility()), *make_referee_offers(paused=bool(clocks)))
        free = all(offer.input is not ConsolePress.PLUS for offer in offers)
        row = build_soft_keys((*offers, *([hide] if free else [])), SEAT_BUTTONS[: game.player_count])
        return show_game(
            game, *clocks, names=LONG_NAMES, soft_keys=row, **(beside if free else beside | {"enlarge_button": None})
        )

    found["drawing_live"] = shown_beside(play_moves(start_drawing(6), "take 5, take 2"))
    timed = play_moves(start_drawing(4, drawing_seconds=180), "take 3")
    found["drawing_live_clock"] = shown_beside(timed, RunningClock("drawing, round 1", 121, 180))
    found["drawing_live_none"] = replace(found["drawing_live"], camera_view=CameraView(CameraState.SEARCHING))
    found["stop_live"] = shown_beside(play_moves(start_drawing(6), "take 5, take 2, take 0, take 3, take 1"))
    found["scoring_live"] = shown_beside(play_moves(start_scoring(6), "right 3, right 1, wrong 1, right 5"))
    found["misdrawn_live"] = shown_beside(play_moves(start_scoring(4), "next, misdrawn 1"))
    return found


def draw_board() -> Image:
    """A board with a drawing of a house, as the camera sees it."""
    image = np.full((360, 640, 3), (62, 84, 110), np.uint8)
    board = np.array([[120, 40], [540, 60], [520, 330], [100, 300]], np.int32)
    cv2.fillPoly(image, [board], (238, 240, 240))
    for line in ([[230, 260], [230, 160], [310, 100], [390, 165], [385, 265], [230, 260]], [[290, 262], [292, 205]]):
        cv2.polylines(image, [np.array(line, np.int32)], False, (150, 60, 30), 6, cv2.LINE_AA)
    cv2.circle(image, (460, 120), 32, (40, 160, 240), 6, cv2.LINE_AA)
    return image
