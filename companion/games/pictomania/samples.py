"""Pictomania on the screen: every phase, fewest and most players, clocks, questions; and positions for the tests."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import cv2
import numpy as np

from companion.api import CommonCorrection, ConsolePress, Correction, Move, Offer, Seat, Visibility
from companion.events import SEAT_BUTTONS, Button, CameraState
from companion.gallery import fixtures
from companion.gallery.fixtures import (
    PLAYER_NAMES,
    SEAT_LETTERS,
    get_refusal_notice,
    list_value_inputs,
    make_confirmation,
    make_correction_menu,
    make_referee_offers,
    open_dialog,
    play_moves,
)
from companion.games.pictomania import GAME, Pictomania, Settings
from companion.games.pictomania.state import Phase
from companion.referee.button_mapping import build_soft_keys
from companion.referee.dialogs.large_picture import LIVE
from companion.referee.dialogs.pause_menu import open_leave_question, open_pause
from companion.screen_state import CameraView, RunningClock, ScreenState
from companion.vision.reading import Image

LONG_NAMES = ("Wilhelmina", "Bo", "Maximilianna", "Alexandrine", "Ferdinand", "Konstantin")


def new_game(player_count: int = 3, first_seat: int = 0, **settings: Any) -> Pictomania:
    """Return a game at its start; `settings` are house rules by name.

    Raises:
        ValueError: `player_count`, `first_seat` or a setting is not allowed.
    """
    return Pictomania.create(player_count, Seat(first_seat), Settings(**settings))


def start_drawing(player_count: int = 3, first_seat: int = 0, **settings: Any) -> Pictomania:
    """Return a game in its first round, in which everybody draws (P20); `settings` are house rules by name.

    Raises:
        ValueError: `player_count`, `first_seat` or a setting is not allowed.
    """
    return play_moves(new_game(player_count, first_seat, **settings), "deal, start, go")


def start_scoring(player_count: int = 3, takes: str = "", **settings: Any) -> Pictomania:
    """Return a game with the first pile turned over (P30).

    Args:
        player_count: number of players, 3 to 6.
        takes: letters of the players who took bonus tokens, in order ("BAC").
        settings: house rules by name.

    Raises:
        ValueError: `player_count`, a letter or a setting is not allowed.
        IllegalMove: a player takes a second token or does not play, or no token is left.
    """
    game = play_moves(start_drawing(player_count, **settings), *(f"take {get_seat(letter)}" for letter in takes))
    return play_moves(game, "score" if game.phase == "stop" else "stop, score")


def get_seat(letter: str) -> Seat:
    """Return the seat of a player's letter: 0 for "A" to 5 for "F".

    Raises:
        ValueError: `letter` is not one of "A" to "F". Other texts than one letter are not always refused.
    """
    return Seat(SEAT_LETTERS.index(letter))


def play_round(numbers: Sequence[int], piles: Sequence[str], takes: str, misdrawn: str = "") -> Pictomania:
    """Play a first round, written as cards ("B3 C3") on piles, up to the page with its scores.

    Args:
        numbers: number card (1 to 7) of each player, by seat, for 3 to 6 players.
        piles: cards on each pile, by owner, with guesser and number ("B3 C3 D6").
        takes: letters of the players who took bonus tokens, in order.
        misdrawn: letters of the players who drew another clue; letters of nobody are ignored.

    Raises:
        ValueError: `numbers` and `piles` differ in length, or a text is not in that notation.
        IllegalMove: a card or token is not possible by the rules.
        IndexError: a card has a letter and no number.
    """
    game = start_scoring(len(numbers), takes)
    for owner, (number, pile) in enumerate(zip(numbers, piles, strict=True)):
        for card in pile.split():
            guesser, guess = get_seat(card[0]), int(card[1])
            game = play_moves(game, f"right {guesser}" if guess == number else f"right {guesser}, wrong {guesser}")
        if SEAT_LETTERS[owner] in misdrawn:
            game = play_moves(game, f"misdrawn {owner}")
        game = play_moves(game, "next")
    return game


def play_all_right(player_count: int) -> Pictomania:
    """Play a round of 3 to 6 players in which every guess is right, up to its scores (example T5 of the rules file).

    Raises:
        ValueError: `player_count` is less than 3.
        IndexError: `player_count` is more than 6.
    """
    letters = SEAT_LETTERS[:player_count]
    piles = [" ".join(f"{guesser}{i + 1}" for guesser in letters if guesser != letters[i]) for i in range(player_count)]
    return play_round(range(1, player_count + 1), piles, letters[:-1])


def set_away(game: Pictomania, seat: int) -> Pictomania:
    """Return the game after the player of `seat` has left the table.

    Raises:
        BadCorrection: fewer than three players would be left, or nobody has that seat.
    """
    return game.correct(Correction(CommonCorrection.AWAY, Seat(seat), (1,)))


def show_game(game: Pictomania, names: tuple[str, ...] = PLAYER_NAMES, **fields: Any) -> ScreenState:
    """Build the screen of a game with the last move that led to it.

    Args:
        names: players' names by seat, at least as many as players; more are ignored.
        fields: further fields of `ScreenState`, or others in place of those built here.

    Raises:
        ValueError: there are fewer names than players.
        TypeError: `ScreenState` has no field of that name.
    """
    names = names[: game.player_count]
    return fixtures.show_game(GAME, game, names, **{"last_move": describe_last_move(game, names), **fields})


def describe_last_move(game: Pictomania, names: tuple[str, ...]) -> str | None:
    """Return the sentence on a move that may have led to the state of a game; None: the game begins.

    Raises:
        IndexError: there are fewer names than players.
    """

    def describe(kind: str, seat: Seat | None = None) -> str:
        return GAME.describe(game, Move(kind, seat), game, names)

    match game.phase:
        case Phase.DIFFICULTY:
            if game.difficulty_index:
                return describe("colour")
            return describe("next_round") if game.round_number > 1 else None
        case Phase.READING:
            return describe("deal")
        case Phase.START:
            return describe("start")
        case Phase.DRAWING | Phase.STOP if any(game.bonus_stars):
            least = min(stars for stars in game.bonus_stars if stars)
            if game.phase is Phase.STOP and game.tokens_left:
                return describe("stop")
            return describe("take", Seat(game.bonus_stars.index(least)))
        case Phase.DRAWING:
            return describe("go")
        case Phase.STOP:
            return describe("stop")
        case Phase.SCORING:
            owner = game.participants[game.pile_index]
            if game.drew_wrong_clue[owner]:
                return describe("misdrawn", owner)
            if game.piles[owner]:
                card = game.piles[owner][-1]
                return describe("right" if card.is_right else "wrong", card.guesser)
            if not game.pile_index:
                return describe("score")
            return GAME.describe(replace(game, pile_index=game.pile_index - 1), Move("next"), game, names)
        case _:
            return describe("next")


def build_samples() -> dict[str, ScreenState]:
    """Return the sample screens of this module by name of the state, with texts in the current language."""
    late = play_all_right(6)
    for _ in range(3):
        late = play_moves(
            late, "next_round, deal, start, go, stop, score, right 1, right 2, next, next, next, next, next, next"
        )
    for number, seat, points in ((1, 4, -18), (2, 0, 104)):
        late = late.correct(Correction(CommonCorrection.ROUND, Seat(seat), (points,), (number,)))
    fourth = play_moves(late, "next_round")
    pile = play_moves(start_scoring(6), "right 3, right 1, wrong 1, right 5")
    return {
        **_build_difficulty_samples(fourth),
        **_build_drawing_samples(fourth),
        **_build_live_picture_samples(),
        **_build_scoring_samples(fourth, pile),
        **_build_page_samples(late),
        "heard": show_game(pile, pressed_buttons=frozenset({SEAT_BUTTONS[3]})),
    }


def _build_difficulty_samples(fourth: Pictomania) -> dict[str, ScreenState]:
    """Difficulty, reading, countdown (P10 to P14); `fourth`: the fourth round of six players begins."""
    colours = ("yellow", "green", "orange", "red", "black", "purple")
    countdown = play_moves(new_game(5), "deal, start")
    paused = show_game(countdown, clocks=(RunningClock("start, round 1", 2, 3, paused=True),))
    colour_menu = next(dialog for dialog in list_value_inputs(GAME, new_game(6), LONG_NAMES) if dialog.has_names)
    return {
        "difficulty": show_game(new_game(6)),
        "difficulty_corrected": _show_correction(Correction("total", Seat(0), (5,))),
        "difficulty_away": _show_correction(Correction(CommonCorrection.AWAY, Seat(0), (1,))),
        "difficulty_two_away": _show_correction(
            Correction(CommonCorrection.AWAY, Seat(4), (1,)), set_away(new_game(6), 1), LONG_NAMES
        ),
        "difficulty_late": show_game(play_moves(fourth, "colour, colour"), LONG_NAMES),
        "difficulty_green": show_game(new_game(3, variant="only_green")),
        "difficulty_many": show_game(new_game(3, difficulty_colours=colours), LONG_NAMES),
        "reading": show_game(play_moves(new_game(4), "colour, deal")),
        "reading_clock": show_game(play_moves(new_game(6, reading_seconds=60), "deal"), LONG_NAMES, seconds_left=47),
        "reading_one_card": show_game(play_moves(new_game(3, variant="one_card"), "colour, colour, deal")),
        "start_3": show_game(countdown, seconds_left=3),
        "start_1": show_game(countdown, LONG_NAMES, seconds_left=1),
        "start_paused": open_dialog(paused, open_pause()),
        "start_leave": open_dialog(paused, open_leave_question()),
        "menu_colour": open_dialog(show_game(new_game(6)), colour_menu),
    }


def _show_correction(
    correction: Correction, before: Pictomania | None = None, names: tuple[str, ...] = PLAYER_NAMES
) -> ScreenState:
    """Build the screen of a game after a correction; `before` it, by default a new game of six."""
    before = before or new_game(6)
    after = before.correct(correction)
    return show_game(after, names, last_move=GAME.describe(before, correction, after, names))


def _build_drawing_samples(fourth: Pictomania) -> dict[str, ScreenState]:
    """Drawing and guessing until somebody stops it (P20 to P26); `fourth`: the fourth round of six players begins."""
    busy = play_moves(fourth, "deal, start, go, take 5, take 2, take 0")
    bonus_tokens = Settings.model_validate({}).bonus_tokens | {4: (9, 4, 3)}
    return {
        "drawing_six": show_game(start_drawing(6)),
        "drawing_three": show_game(play_moves(start_drawing(3), "take 2"), LONG_NAMES),
        "drawing_late": show_game(busy, LONG_NAMES),
        "drawing_clock": show_game(
            play_moves(start_drawing(6, drawing_seconds=180), "take 5, take 2, take 0, take 3"),
            LONG_NAMES,
            seconds_left=121,
        ),
        "drawing_soon": show_game(play_moves(start_drawing(3, drawing_seconds=180), "take 1"), seconds_left=4),
        "drawing_rich": show_game(play_moves(start_drawing(4, bonus_tokens=bonus_tokens), "take 1")),
        "stop": show_game(play_moves(start_drawing(6), "take 5, take 2, take 0, take 3, take 1"), LONG_NAMES),
        "stop_agreed": show_game(play_moves(start_drawing(3), "take 1, stop")),
        "stop_nobody": show_game(play_moves(start_drawing(5), "stop")),
        "notice": show_game(busy, LONG_NAMES, notice=get_refusal_notice(busy, Move("take", Seat(0)), LONG_NAMES)),
    }


def _build_scoring_samples(fourth: Pictomania, pile: Pictomania) -> dict[str, ScreenState]:
    """The piles are scored (P30 to P32).

    Args:
        fourth: the fourth round of six players begins.
        pile: the first pile of six players is being scored.
    """
    late = play_moves(
        fourth, "deal, start, go, stop, score, next, next, next, next, next, right 0, right 1, right 2, right 3"
    )
    return {
        "scoring_six": show_game(pile),
        "scoring_full": show_game(play_moves(pile, "right 2, right 4, wrong 4"), LONG_NAMES),
        "scoring_empty": show_game(play_moves(start_scoring(6), "next, next"), LONG_NAMES),
        "scoring_three": show_game(play_moves(start_scoring(3), "right 1, next, right 0, wrong 0")),
        "scoring_late": show_game(late, LONG_NAMES),
        "scoring_given": show_game(play_moves(start_scoring(3), "right 1, right 2")),
        "misdrawn": show_game(play_moves(start_scoring(4), "next, misdrawn 1")),
        "confirm": open_dialog(show_game(pile), make_confirmation(GAME.list_offers(pile, PLAYER_NAMES, Visibility()))),
    }


def _build_page_samples(late: Pictomania) -> dict[str, ScreenState]:
    """The round's page (P33 to P36); `late`: the page of the fourth round of six players."""
    four = play_round([3, 5, 1, 7], ["B3 C3 D6", "A5 D5 C2", "B1 A4", "A7 C4 B7"], "BAC")
    black_sheep = play_moves(late, "back, right 0, wrong 0, right 1, wrong 1, right 2, wrong 2, right 3, wrong 3, next")
    away = play_moves(
        set_away(set_away(new_game(6), 1), 4), "deal, start, go, stop, score, right 2, next, next, next, next"
    )
    return {
        "page": show_game(four),
        "page_long": show_game(four, LONG_NAMES),
        "page_three": show_game(play_round([2, 6, 4], ["B2 C5", "C6 A3", ""], "BC")),
        "page_six": show_game(play_all_right(6), LONG_NAMES),
        "page_late": show_game(black_sheep, LONG_NAMES),
        "page_five": show_game(play_round([1, 2, 3, 4, 5], ["B1 C2", "A2 C1", "D3", "E4 C5", ""], "ABED"), LONG_NAMES),
        "page_away": show_game(away),
        "menu": open_dialog(show_game(black_sheep, LONG_NAMES), make_correction_menu(GAME, black_sheep, LONG_NAMES, 2)),
    }


def _build_live_picture_samples() -> dict[str, ScreenState]:
    """A drawing is held under the camera and shown beside the game."""
    drawing = _show_with_picture(play_moves(start_drawing(6), "take 5, take 2"))
    return {
        "drawing_live": drawing,
        "drawing_live_clock": _show_with_picture(
            play_moves(start_drawing(4, drawing_seconds=180), "take 3"), seconds_left=121
        ),
        "drawing_live_none": replace(drawing, camera_view=CameraView(CameraState.SEARCHING)),
        "stop_live": _show_with_picture(play_moves(start_drawing(6), "take 5, take 2, take 0, take 3, take 1")),
        "scoring_live": _show_with_picture(play_moves(start_scoring(6), "right 3, right 1, wrong 1, right 5")),
        "misdrawn_live": _show_with_picture(play_moves(start_scoring(4), "next, misdrawn 1")),
    }


def _show_with_picture(game: Pictomania, seconds_left: float | None = None) -> ScreenState:
    """`show_game` with the camera's picture; PLUS hides it, where PLUS has no other meaning."""
    offers = (
        *GAME.list_offers(game, LONG_NAMES, Visibility()),
        *make_referee_offers(paused=bool(game.list_clocks())),
    )
    is_free = all(offer.input is not ConsolePress.PLUS for offer in offers)
    if is_free and (labels := GAME.get_live_picture_labels(game)):
        offers = (*offers, Offer(LIVE, ConsolePress.PLUS, labels[1]))
    return show_game(
        game,
        LONG_NAMES,
        seconds_left=seconds_left,
        soft_keys=build_soft_keys(offers, SEAT_BUTTONS[: game.player_count]),
        camera_view=CameraView(CameraState.STEADY, None, draw_board()),
        shows_live_picture=True,
        enlarge_button=Button.PLUS if is_free else None,
    )


def draw_board() -> Image:
    """Draw a board with a house on it as the camera sees it: (360, 640, 3) uint8 BGR."""
    image = np.full((360, 640, 3), (62, 84, 110), np.uint8)
    board = np.array([[120, 40], [540, 60], [520, 330], [100, 300]], np.int32)
    cv2.fillPoly(image, [board], (238, 240, 240))
    for line in ([[230, 260], [230, 160], [310, 100], [390, 165], [385, 265], [230, 260]], [[290, 262], [292, 205]]):
        cv2.polylines(image, [np.array(line, np.int32)], False, (150, 60, 30), 6, cv2.LINE_AA)
    cv2.circle(image, (460, 120), 32, (40, 160, 240), 6, cv2.LINE_AA)
    return image
