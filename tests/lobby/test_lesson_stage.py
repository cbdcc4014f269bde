"""The lesson: each step is done by the person, wrong presses end nothing, and nothing is remembered."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from companion.api import TableAction
from companion.api.registry import find_lesson_game
from companion.events import (
    SEAT_BUTTONS,
    Button,
    ButtonPressed,
    ButtonReleased,
    CameraState,
    CameraStateChanged,
    DiceRead,
    LidCovered,
    TableMissed,
    TokenTaken,
)
from companion.games.macroscope.lesson import LESSON
from companion.journal.memory_journal import MemoryJournal
from companion.lobby import Lesson
from companion.lobby.lesson_stage import HOLD_LONGER, VERDICT_SECONDS, WRONG_KEY, WRONG_PLACE
from companion.referee.held_buttons import HOLD_SECONDS
from companion.screen_state import CameraView, ScreenKind, ScreenState
from companion.testing.table import ManualClock

ME = Button.SEAT3


class Learner:
    """Somebody who takes the lesson."""

    def __init__(self) -> None:
        self.clock = ManualClock(100.0)
        self.lesson = Lesson(find_lesson_game(), self.clock)
        self.receive(CameraStateChanged(CameraState.STEADY, 100.0, lid_known=True))

    @property
    def state(self) -> ScreenState:
        return self.lesson.build_screen_state(CameraView())

    @property
    def step(self) -> int:
        return self.lesson.step_number

    def receive(self, *events: object) -> None:
        for event in events:
            self.lesson.receive(event)
            self.lesson.tick()
        self.lesson.tick()

    def press(self, button: Button, seconds: float = 0.1) -> None:
        self.clock.now += 1.0
        self.receive(ButtonPressed(button, self.clock.now))
        self.clock.now += seconds
        self.receive(ButtonReleased(button, self.clock.now))

    def sit(self) -> None:
        self.press(ME)

    def roll(self) -> None:
        self.receive(DiceRead((2, 5), 1.0, self.clock.now))

    def take(self) -> None:
        self.receive(TokenTaken(0, 5, 1.0, self.clock.now))

    def undo(self) -> None:
        self.press(Button.NO, HOLD_SECONDS + 0.1)


ACTIONS: tuple[Callable[[Learner], None], ...] = (
    Learner.sit,
    Learner.roll,
    Learner.take,
    Learner.sit,
    Learner.undo,
    Learner.sit,
    Learner.sit,
)
"""What is done in each step."""
SENTENCES = [
    "Sit down: press one of the six keys",
    *[step.sentence for step in LESSON.steps],
]


@pytest.fixture
def learner() -> Learner:
    return Learner()


def test_each_step_is_done_by_the_person_and_leads_to_the_next(learner: Learner) -> None:
    for step, (act, sentence) in enumerate(zip(ACTIONS, SENTENCES, strict=True), 1):
        assert learner.step == step
        guide = learner.state.guide
        assert guide is not None
        assert guide.buttons or guide.actions, step
        assert (learner.state.view.sentence if step == 1 else guide.sentence) == sentence
        act(learner)
    assert learner.state.scores[0] == max(learner.state.scores) > 0
    learner.clock.now += VERDICT_SECONDS
    learner.receive()
    assert learner.lesson.is_done
    assert learner.step == len(SENTENCES) + 1
    assert learner.state.kind is ScreenKind.LESSON
    assert learner.state.notice is None
    learner.press(Button.OK)
    assert learner.lesson.exit is not None


@pytest.mark.parametrize("seconds", [0.2, 5.0])
def test_a_lid_covered_before_the_guess_is_undone_changes_nothing(learner: Learner, seconds: float) -> None:
    for act in ACTIONS[:4]:
        act(learner)
    learner.clock.now += seconds
    learner.receive(LidCovered(learner.clock.now))
    assert learner.step == 5
    learner.undo()
    assert learner.step == 6
    for act in ACTIONS[5:]:
        act(learner)
    assert learner.state.scores[0] > 0


def test_rings_are_around_what_can_be_touched_in_each_step(learner: Learner) -> None:
    rings = []
    for act in ACTIONS:
        guide = learner.state.guide
        assert guide is not None
        rings.append((guide.buttons, [(action.kind, action.number) for action in guide.actions]))
        act(learner)
    assert rings == [
        (frozenset(SEAT_BUTTONS), []),
        (frozenset(), [("throw", None)]),
        (frozenset(), [("take", 2), ("take", 5)]),
        (frozenset({ME}), []),
        (frozenset({Button.NO}), []),
        (frozenset({ME}), []),
        (frozenset({ME, Button.NO}), []),
    ]


@pytest.mark.parametrize("steps", range(1, len(ACTIONS)))
def test_wrong_touches_get_a_sentence_and_change_nothing(learner: Learner, steps: int) -> None:
    for act in ACTIONS[:steps]:
        act(learner)
    step, guide = learner.step, learner.state.guide
    assert guide is not None
    for button in {*Button} - guide.buttons - {Button.MINUS}:
        learner.press(button)
        assert learner.state.notice == WRONG_KEY, button
        learner.press(button, HOLD_SECONDS + 0.1)
        assert learner.state.notice == WRONG_KEY, button
        assert learner.step == step
    learner.receive(TableMissed(learner.clock.now))
    assert learner.state.notice == WRONG_PLACE
    assert (learner.step, learner.lesson.exit) == (step, None)
    ACTIONS[steps](learner)
    assert learner.state.notice not in (WRONG_KEY, WRONG_PLACE)
    assert learner.step != step or learner.lesson._ended_at is not None


def test_no_pressed_too_shortly_asks_to_be_held(learner: Learner) -> None:
    for act in ACTIONS[:4]:
        act(learner)
    learner.press(Button.NO)
    assert learner.step == ACTIONS.index(Learner.undo) + 1
    assert learner.state.notice == HOLD_LONGER


@pytest.mark.parametrize("steps", range(len(ACTIONS) + 1))
def test_minus_leaves_at_any_time(learner: Learner, steps: int) -> None:
    for act in ACTIONS[:steps]:
        act(learner)
    labels = {key.button: key.label for key in learner.state.soft_keys}
    assert labels[Button.MINUS] == "Leave lesson"
    learner.press(Button.MINUS)
    assert learner.lesson.exit is not None


def test_a_token_that_was_taken_while_the_dice_rolled_leads_on(learner: Learner) -> None:
    learner.sit()
    learner.receive(DiceRead((3, 3), 1.0, learner.clock.now))
    guide = learner.state.guide
    assert guide is not None
    assert guide.actions == (TableAction("take", 3),)


def test_a_journal_in_memory_forgets_and_leaves_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    lesson = Learner()
    lesson.sit()
    lesson.roll()
    assert isinstance(lesson.lesson._journal, MemoryJournal)
    assert len(lesson.lesson._journal.read_entries(1)) == 1
    with MemoryJournal(lambda: 0.0) as other:
        assert other.list_games() == ()
    assert not list(tmp_path.iterdir())
