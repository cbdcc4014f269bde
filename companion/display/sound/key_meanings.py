"""What can be done now, in words: the keys that do something, by the names that one finds them by without seeing."""

from collections.abc import Iterator, Sequence

from companion.events import Button
from companion.i18n import N_, _
from companion.possible_actions import PossibleAction

CONSOLE_NAMES = {Button.OK: N_("OK"), Button.NO: N_("NO"), Button.PLUS: N_("Plus"), Button.MINUS: N_("Minus")}
"""Spoken names of the console's buttons; the seats' buttons have their number, clockwise."""
MIN_RANGE = 3
"""Numbers in a row that are named by the first and the last one."""


def describe_actions(actions: Sequence[PossibleAction]) -> Iterator[str]:
    """Yield what the keys do, those with the same meaning together.

    >>> actions = [PossibleAction(button, "", "I guess") for button in (Button.SEAT1, Button.SEAT3)]
    >>> list(describe_actions([*actions, PossibleAction(Button.NO, "NO", "Hold: undo", is_hold=True)]))
    ['Buttons 1, 3: I guess', 'NO: Hold: undo']
    >>> list(describe_actions([PossibleAction(button, "", button[-1]) for button in Button if button.seat_number]))
    ['Buttons 1 to 6']
    """
    by_meaning: dict[str, list[Button]] = {}
    for action in actions:
        number = action.button.seat_number
        meaning = "" if number and action.words == str(number) else action.words  # empty: it is the key's own number
        by_meaning.setdefault(meaning, []).append(action.button)
    for meaning, buttons in by_meaning.items():
        names = name_buttons(buttons)
        yield f"{names}: {meaning}" if meaning else names


def name_buttons(buttons: Sequence[Button]) -> str:
    """Name buttons as they are spoken: "OK", "Button 2", "Buttons 1 to 6", "Button 2, OK".

    Args:
        buttons: at least one.
    """
    numbers = sorted(button.seat_number for button in buttons if button.seat_number)
    console = [_(CONSOLE_NAMES[button]) for button in buttons if not button.seat_number]
    if len(numbers) == 1:
        seats = [_("Button {n}", n=numbers[0])]
    elif len(numbers) >= MIN_RANGE and numbers == list(range(numbers[0], numbers[-1] + 1)):
        seats = [_("Buttons {first} to {last}", first=numbers[0], last=numbers[-1])]
    else:
        seats = [_("Buttons {numbers}", numbers=", ".join(map(str, numbers)))] if numbers else []
    return ", ".join([*seats, *console])
