"""What can be done now, in words: the keys that do something, by the names that one finds them by without seeing."""

from collections.abc import Iterator, Sequence

from companion.events import Button
from companion.i18n import N_, _
from companion.screen_state import ScreenState, SoftKey

CONSOLE_NAMES = {Button.OK: N_("OK"), Button.NO: N_("NO"), Button.PLUS: N_("Plus"), Button.MINUS: N_("Minus")}
"""Spoken names of the console's buttons; the seats' buttons have their number, clockwise."""
MIN_RANGE = 3
"""Numbers in a row that are named by the first and the last one."""


def list_live_keys(state: ScreenState) -> Sequence[SoftKey]:
    """Return the keys that do something now, those that the game waits for first.

    Number keys of a menu's lines are left out: the lines are read with their numbers.
    """
    lines = range(1, state.menu.numbered + 1) if state.menu else ()
    live = [key for key in state.soft_keys if key.label and not (key.is_number and key.button.seat_number in lines)]
    return sorted(live, key=lambda key: not key.awaited)


def describe_keys(keys: Sequence[SoftKey]) -> Iterator[str]:
    """Yield what the keys do, those with the same meaning together: "Buttons 1, 3: I guess".

    >>> list(describe_keys([SoftKey(Button.SEAT1, "I guess"), SoftKey(Button.SEAT3, "I guess")]))
    ['Buttons 1, 3: I guess']
    >>> list(describe_keys([SoftKey(button, button[-1]) for button in Button if button.seat_number]))
    ['Buttons 1 to 6']
    >>> list(describe_keys([SoftKey(Button.NO, "Hold: undo", is_hold=True)]))
    ['NO: Hold: undo']
    """
    by_meaning: dict[str, list[Button]] = {}
    for key in keys:
        meaning = "" if key.label == str(key.button.seat_number) else key.label  # it is the key's own number
        by_meaning.setdefault(meaning, []).append(key.button)
    for meaning, buttons in by_meaning.items():
        names = name_buttons(buttons)
        yield f"{names}: {meaning}" if meaning else names


def name_buttons(buttons: Sequence[Button]) -> str:
    """Name buttons as they are spoken: "OK", "Button 2", "Buttons 1 to 6", "Button 2, OK".

    Args:
        buttons: at least one, those of the seats in their order.
    """
    numbers = [button.seat_number for button in buttons if button.seat_number]
    console = [_(CONSOLE_NAMES[button]) for button in buttons if not button.seat_number]
    if len(numbers) == 1:
        seats = [_("Button {n}", n=numbers[0])]
    elif len(numbers) >= MIN_RANGE and numbers == list(range(numbers[0], numbers[-1] + 1)):
        seats = [_("Buttons {first} to {last}", first=numbers[0], last=numbers[-1])]
    else:
        seats = [_("Buttons {numbers}", numbers=", ".join(map(str, numbers)))] if numbers else []
    return ", ".join([*seats, *console])
