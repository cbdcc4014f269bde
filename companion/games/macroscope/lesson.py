"""The lesson with Macroscope: a turn of the easier variant, in which nobody else may guess."""

from companion.api import N_, Move
from companion.games.macroscope.moves import CoverWindows, Guess, NobodyRight, RemoveToken, Right, Roll
from companion.lobby.lesson_stage import LessonScript, LessonStep

LESSON = LessonScript(
    settings={"variant": "easy"},
    steps=(
        LessonStep(N_("Touch the tray to roll the dice"), (Roll.kind,)),
        LessonStep(N_("Touch a token with a ring"), (RemoveToken.kind,)),
        LessonStep(N_("You know the picture? Press your key"), (Guess.kind,)),
        LessonStep(N_("Not sure? Hold NO: that undoes it")),
        LessonStep(N_("Say what you see, and press your key again"), (Guess.kind,), then=Move(CoverWindows.kind)),
        LessonStep(N_("Were you right? Press your key, or NO"), (Right.kind, NobodyRight.kind)),
    ),
    learnt=(
        N_("A ring shows what the table waits for"),
        N_("The camera reads dice and tokens"),
        N_("Your key is for what you say"),
        N_("Hold NO: whatever happened is undone"),
    ),
)
