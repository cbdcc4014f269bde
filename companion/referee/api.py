"""Readings for plug-ins: what a game of another distribution needs to read more than dice with the camera.

Dice alone need no code: `companion.api.DICE_CAMERA`. What `__all__` lists belongs to the contract of
`companion.api` and has its version. Watchers, which turn frames into events, are not part of it yet: name one of
the companion's in `CameraUse.watcher`, or take part in the companion's own development.
"""

from companion.events import (
    CupLifted,
    CupPlaced,
    DiceRead,
    DieShown,
    Event,
    LidCovered,
    LidRead,
    MemoColour,
    TokenPlaced,
    TokenTaken,
)
from companion.referee.base_readings import GameReadings, ReadingResult, find_move
from companion.referee.dialogs.base import Action, Dialog, QuestionDialog, Step, ask_question
from companion.screen_state import Question

__all__ = [
    "Action",
    "CupLifted",
    "CupPlaced",
    "Dialog",
    "DiceRead",
    "DieShown",
    "Event",
    "GameReadings",
    "LidCovered",
    "LidRead",
    "MemoColour",
    "Question",
    "QuestionDialog",
    "ReadingResult",
    "Step",
    "TokenPlaced",
    "TokenTaken",
    "ask_question",
    "find_move",
]
