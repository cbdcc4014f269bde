"""What a camera reading leads to: a move where it is sure, a question where it is not.

The table is right: a question offers the likeliest answers one press away, and entering by hand.
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.events import DiceRead, TokenPut, TokenTaken
from companion.games.api.game import Correctable, Correction, Move
from companion.games.api.offers import Command, Console, Means, NumberPress
from companion.i18n import Words, both
from companion.referee.dialogs.base import CLOSE, Choice, Digits, Step
from companion.screen_state import Question
from companion.vision.reading import ACT

_ = Words("companion")


def spoken(values: Sequence[int]) -> str:
    """Values as people say them.

    >>> spoken((2, 5)), spoken((1, 3, 6)), spoken((4,))
    ('2 and 5', '1, 3 and 6', '4')
    """
    return both([str(v) for v in values])


def dice_dialog(reading: DiceRead, target: Move | Correctable) -> Step | None:
    """Dice came to rest: the roll, if the reading is sure and fits; else a question; None if the tray is empty.

    Args:
        reading: what lies in the tray.
        target: the open roll, or the roll that stands already (then even a sure reading only asks: somebody may
            have knocked a die over).
    """
    wanted = target.open if isinstance(target, Move) else target.range
    assert wanted is not None, "an open move"
    count = len(reading.values)
    if not count:
        return None
    by_hand = Digits(_("Enter the roll"), target)
    if count != wanted.count:
        if isinstance(target, Correctable):
            return None
        return Choice(
            Question(
                _.plural("Only one die is in the tray", "{n} dice are in the tray", count),
                _("Roll again, or enter the roll by hand"),
            ),
            ((Console.OK, _("Roll again"), CLOSE), (Console.PLUS, _("By hand"), by_hand)),
            about_dice=True,
        )
    if isinstance(target, Correctable):
        return Choice(
            Question(
                _("Dice moved: {roll}?", roll=spoken(reading.values)),
                _("{roll} was rolled", roll=spoken(target.current)),
            ),
            (
                (Console.OK, _("Keep {roll}", roll=spoken(target.current)), CLOSE),
                (Console.PLUS, _("Take {roll}", roll=spoken(reading.values)), target.corrected(*reading.values)),
            ),
            about_dice=True,
        )
    if reading.confidence >= ACT:
        return target.filled(*reading.values)
    answers: list[tuple[Means, str, Step]] = [
        (Console.OK, spoken(reading.values), target.filled(*reading.values)),
    ]
    second = next((values for values in reading.alternatives if values in wanted), None)
    if second is not None:
        answers.append((Console.PLUS, spoken(second), target.filled(*second)))
    answers += [(Console.MINUS, _("By hand"), by_hand), (Console.NO, _("Roll again"), CLOSE)]
    return Choice(
        Question(_("Is it {roll}?", roll=spoken(reading.values)), _("The dice cannot be read for sure")),
        tuple(answers),
        about_dice=True,
    )


def by_number(title: str, moves: Sequence[Move], detail: str = "", window: int | None = None) -> Choice:
    """Which of these moves was it? Each by its number, on the seat buttons."""
    numbers = tuple((NumberPress(m.value[0]), str(m.value[0]), m) for m in moves)
    return Choice(Question(title, detail), (*numbers, (Console.NO, _("None"), CLOSE)), about_window=window)


def unsure_token(reading: TokenTaken, removes: Sequence[Move]) -> Choice | None:
    """A window was opened, but which number its token has was not to be read. None where no token may be taken."""
    if not removes:
        return None
    detail = "" if reading.number is None else _("It looked like a {number}", number=reading.number)
    return by_number(_("Which token was taken?"), removes, detail, reading.window)


def taken_dialog(reading: TokenTaken, number: int, stand: Correction) -> Choice:
    """A removal that the dice do not allow: shown as such, and let stand only on a press (design: table is right)."""
    return Choice(
        Question(_("That was a {number}", number=number), _("Put it back, or press OK to let it stand"), warning=True),
        ((Console.OK, _("Let it stand"), stand), (Console.NO, _("Not taken"), CLOSE)),
        about_window=reading.window,
    )


def put_dialog(reading: TokenPut, last: Move | Correction | None) -> Choice | None:
    """A token came back onto the lid: if it is the one just taken, is the move to be taken back?"""
    if last is None or last.kind not in {"remove", "let_stand"} or reading.number not in {None, *last.value}:
        return None
    return Choice(
        Question(_("The {number} is back on the lid", number=last.value[0]), _("Take the move back?")),
        ((Console.OK, _("Take it back"), Command("undo")), (Console.NO, _("No, it is off"), CLOSE)),
        about_window=reading.window,
    )
