"""Pictomania on the screen: every phase, fewest and most players, long names, running clocks, questions."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import cv2
import numpy as np

from companion.events import SEAT_BUTTONS, Button, CameraState
from companion.gallery.fixtures import NAMES, asked, confirming, fix_menu, in_vain, spinners, table_offers
from companion.gallery.pictomania_positions import drawing, new, play, scoring, vector
from companion.games.api.game import Correction, Move, Seat
from companion.games.api.offers import Console, Offer, Sight
from companion.games.pictomania import KIT, Pictomania, Settings
from companion.games.pictomania.offers import live as pictomania_live
from companion.referee.buttons import keys_of
from companion.referee.dialogs.base import Paused
from companion.referee.dialogs.camera_view import LIVE
from companion.referee.screen import of_game
from companion.screen_state import Eyes, RunningClock, Shown
from companion.vision.reading import Image

LONG = ("Wilhelmina", "Bo", "Maximilianna", "Alexandrine", "Ferdinand", "Konstantin")


def shown(game: Pictomania, *clocks: RunningClock, names: tuple[str, ...] = NAMES, **more: Any) -> Shown:
    """A state as the referee shows it."""
    names = names[: game.players]
    buttons = SEAT_BUTTONS[: game.players]
    offers = (*KIT.offers(game, names, Sight()), *table_offers(paused=bool(clocks)))
    state = of_game(KIT, game, names, buttons, offers, Sight())
    return replace(state, **{"last": guessed(names), "clocks": clocks, **more})


def guessed(names: tuple[str, ...]) -> str:
    """What was played last, where it makes no difference."""
    pile, right = scoring(len(names)), Move("right", Seat(len(names) - 1))
    return KIT.tell(pile, right, pile.play(right), names)


def all_guess(players: int) -> Pictomania:
    """T5's kind of round: everybody is right, up to its page."""
    piles = [" ".join(f"{g}{o + 1}" for g in "ABCDEF"[:players] if "ABCDEF".index(g) != o) for o in range(players)]
    return vector(range(1, players + 1), piles, "ABCDEF"[: players - 1])


def samples() -> dict[str, Shown]:
    """All states, by name."""
    late = all_guess(6)
    for _ in range(3):
        late = play(
            late, "next_round, deal, start, go, stop, score, right 1, right 2, next, next, next, next, next, next"
        )
    late = late.correct(Correction("round 1", Seat(4), (-18,))).correct(Correction("round 2", Seat(0), (104,)))
    fourth = play(late, "next_round")
    pile = play(scoring(6), "right 3, right 1, wrong 1, right 5")
    return (
        _before_drawing(fourth)
        | _drawing(fourth)
        | _held_under_the_camera()
        | _scoring(fourth, pile)
        | _page(late)
        | {"heard": shown(pile, heard=frozenset({SEAT_BUTTONS[3]}))}
    )


def two_away() -> Pictomania:
    """Two of six have left the table."""
    return new(6).correct(Correction("away", Seat(1), (1,))).correct(Correction("away", Seat(4), (1,)))


def _before_drawing(fourth: Pictomania) -> dict[str, Shown]:
    """Difficulty, reading, and the countdown. `fourth`: the fourth round of six begins."""
    found: dict[str, Shown] = {}
    found["difficulty"] = shown(new(6))
    found["difficulty_corrected"] = shown(new(6).correct(Correction("total", Seat(0), (5,))))
    found["difficulty_away"] = shown(new(6).correct(Correction("away", Seat(0), (1,))))
    found["difficulty_two_away"] = shown(two_away(), names=LONG)
    found["difficulty_late"] = shown(play(fourth, "colour, colour"), names=LONG)
    found["difficulty_green"] = shown(new(3, variant="only_green"))
    found["difficulty_many"] = shown(
        new(3, difficulty_colours=("yellow", "green", "orange", "red", "black", "purple")), names=LONG
    )
    found["reading"] = shown(play(new(4), "colour, deal"))
    found["reading_clock"] = shown(
        play(new(6, reading_seconds=60), "deal"), RunningClock("reading, round 1", 47, 60), names=LONG
    )
    found["reading_one_card"] = shown(play(new(3, variant="one_card"), "colour, colour, deal"))
    begun = play(new(5), "deal, start")
    found["start_3"] = shown(begun, RunningClock("start, round 1", 3, 3))
    found["start_1"] = shown(begun, RunningClock("start, round 1", 1, 3), names=LONG)
    found["start_paused"] = asked(shown(begun, RunningClock("start, round 1", 2, 3, paused=True)), Paused())
    found["menu_colour"] = asked(shown(new(6)), next(s for s in spinners(KIT, new(6), LONG) if s.shown_as))
    return found


def _drawing(fourth: Pictomania) -> dict[str, Shown]:
    """All draw and guess, until somebody stops it. `fourth`: the fourth round of six begins."""
    found: dict[str, Shown] = {}
    found["drawing_six"] = shown(drawing(6))
    found["drawing_three"] = shown(play(drawing(3), "take 2"), names=LONG)
    busy = play(play(fourth, "deal, start, go"), "take 5, take 2, take 0")
    found["drawing_late"] = shown(busy, names=LONG)
    timed = play(drawing(6, drawing_seconds=180), "take 5, take 2, take 0, take 3")
    found["drawing_clock"] = shown(timed, RunningClock("drawing, round 1", 121, 180), names=LONG)
    found["drawing_soon"] = shown(
        play(drawing(3, drawing_seconds=180), "take 1"), RunningClock("drawing, round 1", 4, 180)
    )
    rich = Settings.model_validate({}).bonus_tokens | {4: (9, 4, 3)}
    found["drawing_rich"] = shown(play(drawing(4, bonus_tokens=rich), "take 1"))
    found["stop"] = shown(play(drawing(6), "take 5, take 2, take 0, take 3, take 1"), names=LONG)
    found["stop_agreed"] = shown(play(drawing(3), "take 1, stop"))
    found["stop_nobody"] = shown(play(drawing(5), "stop"))
    found["notice"] = shown(busy, names=LONG, notice=in_vain(busy, Move("take", Seat(0)), LONG))
    return found


def _scoring(fourth: Pictomania, pile: Pictomania) -> dict[str, Shown]:
    """The piles are looked through. `fourth`: as above; `pile`: of the first of six."""
    found: dict[str, Shown] = {}
    found["scoring_six"] = shown(pile)
    found["scoring_full"] = shown(play(pile, "right 2, right 4, wrong 4"), names=LONG)
    found["scoring_empty"] = shown(play(scoring(6), "next, next"), names=LONG)
    found["scoring_three"] = shown(play(scoring(3), "right 1, next, right 0, wrong 0"))
    found["scoring_late"] = shown(
        play(fourth, "deal, start, go, stop, score, next, next, next, next, next, right 0, right 1, right 2, right 3"),
        names=LONG,
    )
    found["scoring_given"] = shown(play(scoring(3), "right 1, right 2"))
    found["misdrawn"] = shown(play(scoring(4), "next, misdrawn 1"))
    found["confirm"] = asked(shown(pile), confirming(KIT.offers(pile, NAMES, Sight())))
    return found


def _page(late: Pictomania) -> dict[str, Shown]:
    """The round's page. `late`: the third of six players' rounds is over."""
    found: dict[str, Shown] = {}
    t1 = vector([3, 5, 1, 7], ["B3 C3 D6", "A5 D5 C2", "B1 A4", "A7 C4 B7"], "BAC")
    found["page"] = shown(t1)
    found["page_long"] = shown(t1, names=LONG)
    found["page_three"] = shown(vector([2, 6, 4], ["B2 C5", "C6 A3", ""], "BC"))
    sheep = play(late, "back, right 0, wrong 0, right 1, wrong 1, right 2, wrong 2, right 3, wrong 3, next")
    found["page_six"] = shown(all_guess(6), names=LONG)
    found["page_late"] = shown(sheep, names=LONG)
    five = vector([1, 2, 3, 4, 5], ["B1 C2", "A2 C1", "D3", "E4 C5", ""], "ABED")
    found["page_five"] = shown(five, names=LONG)
    gone = two_away()
    found["page_away"] = shown(play(gone, "deal, start, go, stop, score, right 2, next, next, next, next"))
    found["menu"] = asked(shown(sheep, names=LONG), fix_menu(KIT, sheep, LONG, 2))
    return found


def _held_under_the_camera() -> dict[str, Shown]:
    """A drawing is shown to all, by the camera's picture beside the game."""
    found: dict[str, Shown] = {}
    seen = Eyes(CameraState.STEADY, None, drawing_held())
    beside = {"eyes": seen, "live": True, "enlarges": Button.PLUS}
    hide = Offer(LIVE, Console.PLUS, (pictomania_live(drawing(6)) or ("", ""))[1])

    def shown_beside(game: Pictomania, *clocks: RunningClock) -> Shown:
        offers = (*KIT.offers(game, LONG, Sight()), *table_offers(paused=bool(clocks)))
        free = all(offer.means is not Console.PLUS for offer in offers)
        row = keys_of((*offers, *([hide] if free else [])), SEAT_BUTTONS[: game.players])
        return shown(game, *clocks, names=LONG, keys=row, **(beside if free else beside | {"enlarges": None}))

    found["drawing_live"] = shown_beside(play(drawing(6), "take 5, take 2"))
    timed = play(drawing(4, drawing_seconds=180), "take 3")
    found["drawing_live_clock"] = shown_beside(timed, RunningClock("drawing, round 1", 121, 180))
    found["drawing_live_none"] = replace(found["drawing_live"], eyes=Eyes(CameraState.LOOKING))
    found["stop_live"] = shown_beside(play(drawing(6), "take 5, take 2, take 0, take 3, take 1"))
    found["scoring_live"] = shown_beside(play(scoring(6), "right 3, right 1, wrong 1, right 5"))
    found["misdrawn_live"] = shown_beside(play(scoring(4), "next, misdrawn 1"))
    return found


def drawing_held() -> Image:
    """A board with a drawing of a house, as the camera sees it."""
    image = np.full((360, 640, 3), (62, 84, 110), np.uint8)
    board = np.array([[120, 40], [540, 60], [520, 330], [100, 300]], np.int32)
    cv2.fillPoly(image, [board], (238, 240, 240))
    for line in ([[230, 260], [230, 160], [310, 100], [390, 165], [385, 265], [230, 260]], [[290, 262], [292, 205]]):
        cv2.polylines(image, [np.array(line, np.int32)], False, (150, 60, 30), 6, cv2.LINE_AA)
    cv2.circle(image, (460, 120), 32, (40, 160, 240), 6, cv2.LINE_AA)
    return image
