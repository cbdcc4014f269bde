"""What the galleries of all games share: players, a drawn view from above, and what the referee adds to a game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from companion.events import SEAT_BUTTONS, Button, ButtonPressed, ButtonReleased, CameraState
from companion.games.api.game import Game, IllegalMove, Move, Seat
from companion.games.api.offers import Command, ConsolePress, GameDefinition, Offer
from companion.i18n import Translator
from companion.lobby import PreGameStage
from companion.referee.buttons import build_soft_keys
from companion.referee.dialogs.base import CorrectionMenu, Dialog, PauseDialog, Step, ValueInput, ask_confirmation
from companion.referee.dialogs.correction_menu import capitalise, open_value_editor
from companion.referee.refusal_text import format_refusal
from companion.screen_state import CameraView, Player, Question, ScreenState
from companion.vision.reading import Die, Image, Lid, LidWindow, Reading
from companion.vision.view_check.checks import CUT_OFF_MESSAGES, LENS_COVERED_MESSAGE, PROBLEM_MESSAGES
from companion.vision.view_check.problem import ProblemKind, ViewProblem

_ = Translator("companion")

PLAYER_NAMES = ("Wilhelmina", "Bo", "Maximilianna", "Ada", "Ferdinand", "Zoë")
"""Long ones and short ones, wide letters, and one with an accent."""
SEATS = tuple(Seat(i) for i in range(6))


def parse_move(text: str) -> Move:
    """A move as written at the table: kind, seat, value; a kind's words are joined by hyphens.

    >>> parse_move("discover 0 7") == Move("discover", Seat(0), (7,)), parse_move("next-line") == Move("next line")
    (True, True)
    """
    kind, *numbers = text.split()
    seat = Seat(int(numbers[0])) if numbers else None
    return Move(kind.replace("-", " "), seat, tuple(int(n) for n in numbers[1:]))


class ButtonPresser:
    """Presses in the places before a game, by a clock of their own: seconds, which pass from press to press."""

    def __init__(self) -> None:
        self.now = 0.0

    def get_time(self) -> float:
        """The present, for a place to go by."""
        return self.now

    def press(self, stage: PreGameStage, *buttons: Button) -> None:
        """Buttons one after the other; then a moment in which nothing is pressed."""
        for button in buttons:
            self.now += 0.5
            stage.receive(ButtonPressed(button, self.now))
            stage.receive(ButtonReleased(button, self.now + 0.1))
            stage.tick()
        self.now += 1


def make_players(count: int) -> tuple[Player, ...]:
    """Seats on buttons in clockwise order."""
    return tuple(Player(SEATS[i], PLAYER_NAMES[i], SEAT_BUTTONS[i]) for i in range(count))


def make_referee_offers(*, paused: bool = False, over: bool = False) -> tuple[Offer, ...]:
    """What the referee offers besides the game's own; `paused`: a clock runs that could be."""
    found = [
        Offer(Command("pause"), ConsolePress.MINUS, _("Pause"))
        if paused
        else Offer(Command("fix"), ConsolePress.MINUS, _("Fix")),
        Offer(Command("undo"), ConsolePress.HOLD_NO, _("Hold: undo")),
    ]
    if over:
        found += [
            Offer(Command("again"), ConsolePress.OK, _("Same again"), awaited=True),
            Offer(Command("lobby"), ConsolePress.NO, _("New game")),
        ]
    return tuple(found)


def open_dialog(shown: ScreenState, dialog: Dialog) -> ScreenState:
    """The same with a dialog of the referee open."""
    buttons = [player.button for player in shown.players]
    undo = tuple(key for key in shown.soft_keys if key.is_hold)
    return replace(
        shown,
        question=dialog.question,
        menu=dialog.menu,
        entered_numbers=dialog.entered_numbers,
        soft_keys=(*build_soft_keys(dialog.list_offers(), buttons), *undo),
    )


def make_pause_question() -> Question:
    """The clocks were stopped by a power cut, or by hand."""
    return PauseDialog(_("The clocks go on from where they stood")).question


def make_correction_menu(kit: GameDefinition, game: Game, names: Sequence[str], selected: int = 0) -> CorrectionMenu:
    """The menu of what may be put right in `game`."""
    return CorrectionMenu(tuple(_list_editors(kit, game, names)), (), selected)


def list_spinners(kit: GameDefinition, game: Game, names: Sequence[str]) -> Sequence[ValueInput]:
    """A page of its own for each value that may be put right in `game`."""
    return [step for _line, step in _list_editors(kit, game, names) if isinstance(step, ValueInput)]


def _list_editors(kit: GameDefinition, game: Game, names: Sequence[str]) -> Sequence[tuple[str, Step]]:
    lines = [(capitalise(kit.correctable_label(game, what, names)), what) for what in game.list_correctables()]
    return [(line, open_value_editor(line, what, names, kit.value_labels(game, what, names))) for line, what in lines]


def make_confirmation(offers: Sequence[Offer]) -> Dialog:
    """The first offer that asks back, asking."""
    offer = next(offer for offer in offers if offer.confirm_question)
    assert not isinstance(offer.action, Command), "the referee's own ask otherwise"
    return ask_confirmation(offer.confirm_question, offer.action)


def get_refusal_notice(game: Game, move: Move, names: Sequence[str]) -> str:
    """The notice after a move that is not legal in `game`."""
    try:
        game.play(move)
    except IllegalMove as why:
        return format_refusal(why, names)
    raise AssertionError(f"{move} is legal")


def get_correction_menu_title() -> str:
    """The title of the menu that puts things right."""
    return _("What is to be fixed?")


def draw_overhead_view() -> tuple[Image, Reading]:
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
        windows.append(LidWindow((x, y), 28.0, covered, i // 2 + 1 if covered else None, 0.97))
    dice = []
    for x, y, value in ((460, 130, 2), (530, 200, 5)):
        cv2.rectangle(image, (x, y), (x + 40, y + 40), (245, 245, 245), -1)
        for dx, dy in ((-1, -1), (1, 1), (-1, 1), (1, -1), (0, 0))[: 2 if value == 2 else 5]:
            cv2.circle(image, (x + 20 + 11 * dx, y + 20 + 11 * dy), 4, (30, 30, 30), -1, cv2.LINE_AA)
        dice.append(Die(value, (x, y, x + 40, y + 40), 0.99))
    corners = ((40.0, 60.0), (380.0, 60.0), (380.0, 310.0), (40.0, 310.0))
    return image, Reading(tuple(dice), Lid(corners, (210.0, 50.0), tuple(windows)), 12.0)


TABLE_IMAGE, TABLE_READING = draw_overhead_view()
LID_IMAGE = np.asarray(cv2.resize(TABLE_IMAGE[15:355, 40:380], (480, 480)), np.uint8)
STEADY_VIEW = CameraView(CameraState.STEADY, TABLE_READING, TABLE_IMAGE, LID_IMAGE)


def with_camera_state(eyes: CameraView, state: CameraState) -> CameraView:
    """The same sight in another state."""
    return CameraView(state, eyes.reading, eyes.picture, eyes.rectified_lid)


def list_view_problems() -> Sequence[ViewProblem]:
    """Each thing that may be wrong with the view, and the longest words for a lid that is cut off."""
    whole = (0.0, 0.0, float(TABLE_IMAGE.shape[1]), float(TABLE_IMAGE.shape[0]))
    found = [ViewProblem(trouble, _(words), whole) for trouble, words in PROBLEM_MESSAGES.items()]
    cut = max((_(words) for words in CUT_OFF_MESSAGES.values()), key=len)
    corner = (0.5 * whole[2], 0.4 * whole[3], whole[2], whole[3])
    return [
        *found,
        ViewProblem(ProblemKind.CUT_OFF, cut, corner),
        ViewProblem(ProblemKind.DARK, _(LENS_COVERED_MESSAGE), whole),
    ]
