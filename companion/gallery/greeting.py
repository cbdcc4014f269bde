"""The greeting, and the lesson step by step as somebody does it."""

from companion.api import registry
from companion.events import (
    Button,
    ButtonPressed,
    ButtonReleased,
    CameraState,
    CameraStateChanged,
    DiceRead,
    TokenTaken,
)
from companion.gallery.fixtures import STEADY_VIEW, ButtonPresser
from companion.lobby import Greeting, Lesson
from companion.referee.held_buttons import HOLD_SECONDS
from companion.screen_state import ScreenState

ROLLED = (2, 5)


def build_samples() -> dict[str, ScreenState]:
    """Return the sample screens of this module by name of the state, with texts in the current language."""
    presser = ButtonPresser()
    first = registry.find_first_game()
    samples = {
        "choices": presser.show(Greeting(first, presser.get_time)),
        "choices_played": presser.show(Greeting(first, presser.get_time, has_played=True)),
    }
    lesson = Lesson(presser.get_time)
    lesson.receive(CameraStateChanged(CameraState.STEADY, presser.now, lid_known=True))
    samples["lesson_sit"] = presser.show(lesson, view=STEADY_VIEW)
    presser.press(lesson, Button.SEAT2)
    lesson.tick()
    samples["lesson_roll"] = presser.show(lesson, view=STEADY_VIEW)
    samples["lesson_wrong"] = presser.show(lesson, Button.SEAT5, view=STEADY_VIEW)
    lesson.receive(DiceRead(ROLLED, 1.0, presser.now))
    samples["lesson_take"] = presser.show(lesson, Button.SEAT5, view=STEADY_VIEW)
    lesson.receive(TokenTaken(0, ROLLED[0], 1.0, presser.now))
    lesson.tick()
    samples["lesson_guess"] = presser.show(lesson, view=STEADY_VIEW)
    samples["lesson_undo"] = presser.show(lesson, Button.SEAT2, view=STEADY_VIEW)
    hold_no(presser, lesson)
    samples["lesson_guess_again"] = presser.show(lesson, view=STEADY_VIEW)
    samples["lesson_answer"] = presser.show(lesson, Button.SEAT2, view=STEADY_VIEW)
    presser.press(lesson, Button.SEAT2)
    samples["lesson_end"] = presser.show(lesson, Button.OK, view=STEADY_VIEW)
    return samples


def hold_no(presser: ButtonPresser, lesson: Lesson) -> None:
    """Hold NO for as long as undo asks for."""
    lesson.receive(ButtonPressed(Button.NO, presser.now))
    presser.now += HOLD_SECONDS
    lesson.receive(ButtonReleased(Button.NO, presser.now))
    lesson.tick()
    presser.now += 1
