"""What the galleries of all games share: players, a drawn view from above, and what the referee adds to a game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from companion.events import SEAT_BUTTONS, Button, ButtonPressed, ButtonReleased, CameraState
from companion.games.api.game import Game, IllegalMove, Move, Seat
from companion.games.api.offers import Command, Console, Kit, Offer
from companion.i18n import Words
from companion.lobby import Hall
from companion.referee.buttons import keys_of
from companion.referee.dialogs.base import Dialog, FixMenu, Paused, Spinner, Step, confirmed
from companion.referee.dialogs.correction_menu import capitalised, editor
from companion.referee.refusal_text import refused
from companion.screen_state import Eyes, Player, Question, Shown
from companion.vision.reading import Die, Image, Lid, Reading, Window
from companion.vision.view_check.checks import COVERED, CUT_OFF, WORDS
from companion.vision.view_check.problem import Problem, Trouble

_ = Words("companion")

NAMES = ("Wilhelmina", "Bo", "Maximilianna", "Ada", "Ferdinand", "Zoë")
"""Long ones and short ones, wide letters, and one with an accent."""
SEATS = tuple(Seat(i) for i in range(6))


def as_move(text: str) -> Move:
    """A move as written at the table: kind, seat, value; a kind's words are joined by hyphens.

    >>> as_move("discover 0 7") == Move("discover", Seat(0), (7,)), as_move("next-line") == Move("next line")
    (True, True)
    """
    kind, *numbers = text.split()
    seat = Seat(int(numbers[0])) if numbers else None
    return Move(kind.replace("-", " "), seat, tuple(int(n) for n in numbers[1:]))


class Presses:
    """Presses in the places before a game, by a clock of their own: seconds, which pass from press to press."""

    def __init__(self) -> None:
        self.now = 0.0

    def clock(self) -> float:
        """The present, for a place to go by."""
        return self.now

    def press(self, stage: Hall, *buttons: Button) -> None:
        """Buttons one after the other; then a moment in which nothing is pressed."""
        for button in buttons:
            self.now += 0.5
            stage.take(ButtonPressed(button, self.now))
            stage.take(ButtonReleased(button, self.now + 0.1))
            stage.tick()
        self.now += 1


def players(count: int) -> tuple[Player, ...]:
    """Seats on buttons in clockwise order."""
    return tuple(Player(SEATS[i], NAMES[i], SEAT_BUTTONS[i]) for i in range(count))


def table_offers(*, paused: bool = False, over: bool = False) -> tuple[Offer, ...]:
    """What the referee offers besides the game's own; `paused`: a clock runs that could be."""
    found = [
        Offer(Command("pause"), Console.MINUS, _("Pause"))
        if paused
        else Offer(Command("fix"), Console.MINUS, _("Fix")),
        Offer(Command("undo"), Console.HOLD_NO, _("Hold: undo")),
    ]
    if over:
        found += [
            Offer(Command("again"), Console.OK, _("Same again"), awaited=True),
            Offer(Command("lobby"), Console.NO, _("New game")),
        ]
    return tuple(found)


def asked(shown: Shown, dialog: Dialog) -> Shown:
    """The same with a dialog of the referee open."""
    buttons = [player.button for player in shown.players]
    undo = tuple(key for key in shown.keys if key.held)
    return replace(
        shown,
        question=dialog.question,
        menu=dialog.menu,
        entered=dialog.entered,
        keys=(*keys_of(dialog.offers(), buttons), *undo),
    )


def paused() -> Question:
    """The clocks were stopped by a power cut, or by hand."""
    return Paused(_("The clocks go on from where they stood")).question


def fix_menu(kit: Kit, game: Game, names: Sequence[str], selected: int = 0) -> FixMenu:
    """The menu of what may be put right in `game`."""
    return FixMenu(tuple(_editors(kit, game, names)), (), selected)


def spinners(kit: Kit, game: Game, names: Sequence[str]) -> Sequence[Spinner]:
    """A page of its own for each value that may be put right in `game`."""
    return [step for _line, step in _editors(kit, game, names) if isinstance(step, Spinner)]


def _editors(kit: Kit, game: Game, names: Sequence[str]) -> Sequence[tuple[str, Step]]:
    words = kit.correctable_words(game, names)
    lines = [(capitalised(words[what.kind, what.seat]), what) for what in game.correctables()]
    return [(line, editor(line, what, names, kit.value_words(game, what, names))) for line, what in lines]


def confirming(offers: Sequence[Offer]) -> Dialog:
    """The first offer that asks back, asking."""
    offer = next(offer for offer in offers if offer.confirm)
    assert not isinstance(offer.does, Command), "the referee's own ask otherwise"
    return confirmed(offer.confirm, offer.does)


def in_vain(game: Game, move: Move, names: Sequence[str]) -> str:
    """The notice after a move that is not legal in `game`."""
    try:
        game.play(move)
    except IllegalMove as why:
        return refused(why, names)
    raise AssertionError(f"{move} is legal")


def what_is_to_be_put_right() -> str:
    """The title of the menu that puts things right."""
    return _("What is to be fixed?")


def overhead() -> tuple[Image, Reading]:
    """A drawn view from above, and what was read in it."""
    image = np.full((360, 640, 3), (70, 92, 120), np.uint8)
    cv2.rectangle(image, (40, 60), (380, 310), (60, 140, 190), -1)
    cv2.rectangle(image, (430, 90), (600, 280), (50, 60, 60), -1)
    windows = []
    for i in range(12):
        x, y = 90 + 80 * (i % 4), 110 + 72 * (i // 4)
        covered = i not in (1, 6)
        cv2.circle(image, (x, y), 28, (120, 200, 240) if covered else (200, 120, 60), -1, cv2.LINE_AA)
        if covered:
            number, face = str(i // 2 + 1), cv2.FONT_HERSHEY_DUPLEX
            cv2.putText(image, number, (x - 11, y + 12), face, 1.1, (40, 50, 60), 2, cv2.LINE_AA)
        windows.append(Window((x, y), 28.0, covered, i // 2 + 1 if covered else None, 0.97))
    dice = []
    for x, y, value in ((460, 130, 2), (530, 200, 5)):
        cv2.rectangle(image, (x, y), (x + 40, y + 40), (245, 245, 245), -1)
        for dx, dy in ((-1, -1), (1, 1), (-1, 1), (1, -1), (0, 0))[: 2 if value == 2 else 5]:
            cv2.circle(image, (x + 20 + 11 * dx, y + 20 + 11 * dy), 4, (30, 30, 30), -1, cv2.LINE_AA)
        dice.append(Die(value, (x, y, x + 40, y + 40), 0.99))
    corners = ((40.0, 60.0), (380.0, 60.0), (380.0, 310.0), (40.0, 310.0))
    return image, Reading(tuple(dice), Lid(corners, (210.0, 50.0), tuple(windows)), 12.0)


PICTURE, READING = overhead()
UPRIGHT = np.asarray(cv2.resize(PICTURE[15:355, 40:380], (480, 480)), np.uint8)
SEEING = Eyes(CameraState.STEADY, READING, PICTURE, UPRIGHT)


def seen_as(eyes: Eyes, state: CameraState) -> Eyes:
    """The same sight in another state."""
    return Eyes(state, eyes.reading, eyes.picture, eyes.lid_upright)


def faults() -> Sequence[Problem]:
    """Each thing that may be wrong with the view, and the longest words for a lid that is cut off."""
    whole = (0.0, 0.0, float(PICTURE.shape[1]), float(PICTURE.shape[0]))
    found = [Problem(trouble, _(words), whole) for trouble, words in WORDS.items()]
    cut = max((_(words) for words in CUT_OFF.values()), key=len)
    corner = (0.5 * whole[2], 0.4 * whole[3], whole[2], whole[3])
    return [*found, Problem(Trouble.CUT_OFF, cut, corner), Problem(Trouble.DARK, _(COVERED), whole)]
