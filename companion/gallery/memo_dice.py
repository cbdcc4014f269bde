"""Memo Dice on the screen: every phase, fewest and most players, clocks, questions, menus."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import cv2
import numpy as np

from companion.events import SEAT_BUTTONS, Button
from companion.gallery.fixtures import paused, table_offers, what_is_to_be_put_right
from companion.games.api.game import Correction, Move, Seat
from companion.games.api.offers import Sight
from companion.games.memo_dice import KIT, MemoDice, Settings
from companion.games.memo_dice.view import Phase
from companion.referee.screen import of_game
from companion.screen_state import Face, Menu, RunningClock, Shown

NAMES = ("Wilhelmina", "Bo", "Maximilianna", "Ada")
LETTERS = {"R": 1, "B": 2, "K": 3}
SEATING = (Button.SEAT2, Button.SEAT3, Button.SEAT5, Button.SEAT6)
NO_SIGHT = Sight()


def face() -> bytes:
    """Stands for the picture of a die's face: a red umbrella."""
    image = np.full((224, 224, 3), (210, 230, 240), np.uint8)
    red = (50, 50, 200)
    cv2.ellipse(image, (112, 112), (70, 62), 0, 180, 360, red, -1)
    for x in (65, 112, 159):
        cv2.ellipse(image, (x, 112), (23, 14), 0, 180, 360, (210, 230, 240), -1)
    cv2.line(image, (112, 60), (112, 160), red, 6)
    cv2.ellipse(image, (100, 160), (12, 14), 0, 0, 180, red, 6)
    return bytes(cv2.imencode(".jpg", image)[1])


PICTURE = face()


def game(players: int = 4, symbols: str = "", answers: str = "", **settings: Any) -> MemoDice:
    """Dice rolled and cups lifted, from the start of a round."""
    return on(MemoDice.new(players, Seat(0), Settings(**settings)), symbols, answers)


def on(at: MemoDice, symbols: str = "", answers: str = "") -> MemoDice:
    """The same, from `at`."""
    for letter in symbols:
        die = Move("die", at.active, (LETTERS[letter],))
        at = at.play(die if die in at.moves() else Move("gold", at.active))
        if at.phase is Phase.LOOK:
            at = at.play(Move("cover", at.active))
    for each in answers:
        at = at.play(Move("right" if each == "+" else "miss", at.active))
    return at


def standing(at: MemoDice, *squares: int) -> MemoDice:
    """The pieces on these squares."""
    return replace(at, shifts=tuple(s - at.settings.start_square for s in squares[: at.players]))


def shown(
    at: MemoDice,
    *,
    clock: float | None = None,
    names: tuple[str, ...] = NAMES,
    sight: Sight = NO_SIGHT,
    **fields: Any,
) -> Shown:
    """What the referee would show."""
    count = at.players
    buttons = SEATING[:count] if count > 2 else SEAT_BUTTONS[:count]
    clocks = tuple(RunningClock(c.name, c.seconds if clock is None else clock, c.seconds) for c in at.clocks())
    offers = (*KIT.offers(at, names, sight), *table_offers(paused=bool(clocks), over=at.outcome() is not None))
    return replace(
        of_game(KIT, at, names[:count], buttons, offers, sight),
        last=KIT.tell(*_lost(), NAMES),
        clocks=clocks,
        **fields,
    )


def _lost() -> tuple[MemoDice, Move, MemoDice]:
    """A long line on what was played last."""
    before = game(4, "RRRBBBKKR", "++-+-")
    move = Move("miss", before.active)
    return before, move, before.play(move)


def samples() -> dict[str, Shown]:
    """All states, by name."""
    found: dict[str, Shown] = {}
    spread = (14, 9, 9, 17)
    found["cover_first"] = shown(game())
    found["cover_two"] = shown(game(2))
    found["cover_some"] = shown(standing(game(4, "RBK"), *spread))
    found["cover_none_left"] = shown(standing(game(4, "RRRBKB"), *spread))
    found["cover_two_left_out"] = shown(standing(game(3, "RRRBBBK"), 1, 2, 19))
    found["cover_no_black"] = shown(standing(game(3, "KKKRB"), 1, 2, 19))
    found["cover_last"] = shown(standing(game(4, "RRRBBKKB"), 3, 3, 3, 3))
    found["cover_small_box"] = shown(game(2, "RB", cups_per_colour=1, dice=4))
    found["cover_from_zero"] = shown(standing(game(2, "RB", start_square=0, target_square=30), 0, 29))
    found["cover_far"] = shown(standing(game(3, "RB", target_square=100), 5, 63, 99))
    found["cover_long_past"] = shown(standing(game(3, "RB"), 24, 11, 112))
    looking = game(4, "RB", memorise_seconds=5).play(Move("die", Seat(2), (1,)))
    found["look"] = shown(standing(looking, *spread), clock=3.0, heard=frozenset({Button.OK}))
    golden = game(3, "RRR", memorise_seconds=5)
    found["look_gold"] = shown(golden.play(Move("gold", golden.active)), clock=5.0)
    found["uncover_nine"] = shown(standing(game(4, "RRRBBBKKR"), *spread))
    found["uncover_some"] = shown(standing(game(4, "RRRBBBKKR", "++-+-"), *spread))
    found["uncover_golden"] = shown(standing(game(4, "RRRBBBKKR", "++-+-+--"), *spread))
    found["uncover_four"] = shown(game(2, "RRRR", "+"))
    found["uncover_knocked"] = shown(
        game(3, "RBKRBKRR", "+")
        .correct(Correction("unknown 2", None, (1,)))
        .correct(Correction("unknown 5", None, (1,)))
    )
    timed = standing(game(4, "RRRBBBKKR", "++-", answer_seconds=15), *spread)
    found["uncover_clock"] = shown(timed, clock=4.2)
    found["uncover_called"] = shown(timed.play(Move("call", timed.active)))
    lifted = standing(game(4, "RRRBBBKKR", "++-"), *spread)
    lifted = lifted.play(Move("lift", lifted.active))
    found["uncover_lifted"] = shown(lifted, face=Face(4, PICTURE))
    found["uncover_face_of_the_last"] = shown(game(2, "RRRR", "+"), face=Face(1, PICTURE))
    found["uncover_damaged_face"] = shown(game(2, "RRRR", "+"), face=Face(1, b"torn"))
    seen = game(4, "RB").play(Move("show", Seat(2), (1,)))
    found["look_seen"] = shown(standing(seen, *spread), sight=Sight(dice=True))
    found["scored_four"] = shown(standing(game(4, "RRRBBBKKR", "++-+-++-+"), 5, 9, 9, 11))
    found["scored_two"] = shown(game(2, "RRRR", "+-++"))
    found["scored_corrected"] = shown(standing(game(3, "RRRR", "+-++"), 12, 0, 0))
    found["scored_away"] = shown(game(4, "RRRR", "----").correct(Correction("away", Seat(3), (1,))))
    tie = standing(game(2, "RRRBBKR", "+++++-+"), 16, 18)
    found["result"] = replace(shown(tie), details=("Bo is right about cup 1",) * 9)

    cover = found["cover_some"]
    found["question"] = replace(cover, question=paused())
    found["question_clock"] = replace(found["uncover_clock"], question=paused())
    lines = tuple(w[:1].upper() + w[1:] for w in KIT.correctable_words(game(4, "RBKRB"), NAMES).values())
    found["menu"] = replace(cover, menu=Menu(what_is_to_be_put_right(), lines, 3))
    found["menu_colour"] = replace(cover, menu=Menu("Colour of cup 5", (), 0, "black"))
    found["menu_taker"] = replace(cover, menu=Menu("Who has cup 3", (), 0, "Maximilianna"))
    found["menu_swap"] = replace(cover, menu=Menu("Neighbours that change places", (), 0, "4 and 5"))
    found["notice"] = replace(cover, notice="It is Wilhelmina's turn to roll, not Maximilianna's")
    return found
