"""What a camera reading leads to: a move where it is sure, a question where it is not.

The table is right: a question offers the likeliest answers one press away, and entering by hand.
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.events import DiceRead, TokenPlaced, TokenTaken
from companion.games.api.game import Correctable, Correction, Move
from companion.games.api.offers import Command, ConsolePress, Input, NumberPress
from companion.i18n import Translator, join_and
from companion.referee.dialogs.base import CLOSE, DigitsInput, QuestionDialog, Step
from companion.screen_state import Question
from companion.vision.reading import MIN_PLAY_CONFIDENCE

_ = Translator("companion")


def format_values(values: Sequence[int]) -> str:
    """Values as people say them.

    >>> spoken((2, 5)), spoken((1, 3, 6)), spoken((4,))
    ('2 and 5', '1, 3 and 6', '4')
    """
    return join_and([str(v) for v in values])


def handle_dice(reading: DiceRead, target: Move | Correctable) -> Step | None:
    """Dice came to rest: the roll, if the reading is sure and fits; else a question; None if the tray is empty.

    Args:
        reading: what lies in the tray.
        target: the open roll, or the roll that stands already (then even a sure reading only asks: somebody may
            have knocked a die over).
    """
    wanted = target.value_range
    assert wanted is not None, "an open move"
    count = len(reading.values)
    if not count:
        return None
    by_hand = DigitsInput(_("Enter the roll"), target)
    if count != wanted.count:
        if isinstance(target, Correctable):
            return None
        return QuestionDialog(
            Question(
                _.plural("Only one die is in the tray", "{n} dice are in the tray", count),
                _("Roll again, or enter the roll by hand"),
            ),
            ((ConsolePress.OK, _("Roll again"), CLOSE), (ConsolePress.PLUS, _("By hand"), by_hand)),
            about_dice=True,
        )
    if isinstance(target, Correctable):
        return QuestionDialog(
            Question(
                _("Dice moved: {roll}?", roll=format_values(reading.values)),
                _("{roll} was rolled", roll=format_values(target.current_value)),
            ),
            (
                (ConsolePress.OK, _("Keep {roll}", roll=format_values(target.current_value)), CLOSE),
                (
                    ConsolePress.PLUS,
                    _("Take {roll}", roll=format_values(reading.values)),
                    target.make_correction(*reading.values),
                ),
            ),
            about_dice=True,
        )
    if reading.confidence >= MIN_PLAY_CONFIDENCE:
        return target.fill(*reading.values)
    answers: list[tuple[Input, str, Step]] = [
        (ConsolePress.OK, format_values(reading.values), target.fill(*reading.values)),
    ]
    second = next((values for values in reading.alternatives if values in wanted), None)
    if second is not None:
        answers.append((ConsolePress.PLUS, format_values(second), target.fill(*second)))
    answers += [(ConsolePress.MINUS, _("By hand"), by_hand), (ConsolePress.NO, _("Roll again"), CLOSE)]
    return QuestionDialog(
        Question(_("Is it {roll}?", roll=format_values(reading.values)), _("The dice cannot be read for sure")),
        tuple(answers),
        about_dice=True,
    )


def ask_which_token(title: str, moves: Sequence[Move], detail: str = "", window: int | None = None) -> QuestionDialog:
    """Which of these moves was it? Each by its number, on the seat buttons."""
    numbers = tuple((NumberPress(m.value[0]), str(m.value[0]), m) for m in moves)
    return QuestionDialog(Question(title, detail), (*numbers, (ConsolePress.NO, _("None"), CLOSE)), about_window=window)


def ask_unread_token(reading: TokenTaken, removes: Sequence[Move]) -> QuestionDialog | None:
    """A window was opened, but which number its token has was not to be read. None where no token may be taken."""
    if not removes:
        return None
    detail = "" if reading.number is None else _("It looked like a {number}", number=reading.number)
    return ask_which_token(_("Which token was taken?"), removes, detail, reading.window)


def ask_unexpected_token(reading: TokenTaken, number: int, correction: Correction) -> QuestionDialog:
    """A removal that the dice do not allow: shown as such, and let stand only on a press (design: table is right)."""
    return QuestionDialog(
        Question(_("That was a {number}", number=number), _("Put it back, or press OK to let it stand"), warning=True),
        ((ConsolePress.OK, _("Let it stand"), correction), (ConsolePress.NO, _("Not taken"), CLOSE)),
        about_window=reading.window,
    )


def ask_returned_token(reading: TokenPlaced, last: Move | Correction | None) -> QuestionDialog | None:
    """A token came back onto the lid: if it is the one just taken, is the move to be taken back?"""
    if last is None or last.kind not in {"remove", "let_stand"} or reading.number not in {None, *last.value}:
        return None
    return QuestionDialog(
        Question(_("The {number} is back on the lid", number=last.value[0]), _("Take the move back?")),
        ((ConsolePress.OK, _("Take it back"), Command("undo")), (ConsolePress.NO, _("No, it is off"), CLOSE)),
        about_window=reading.window,
    )
