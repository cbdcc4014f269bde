"""Keys by their place: one table for SDL's scancodes and the kernel's codes, and what layouts print there.

Keys at the window: tests/app/test_keyboard.py.
"""

from __future__ import annotations

import pytest

from companion.events import Button
from hardware.buttons.keyboard import BUTTON_BY_KERNEL_CODE, BUTTON_KEYS, find_sign_keys, get_button_for_key

KERNEL_CODE_BY_USAGE = (
    *(0, 0, 0, 0, 30, 48, 46, 32, 18, 33, 34, 35, 23, 36, 37, 38, 50, 49, 24, 25, 16, 19, 31, 20, 22, 47, 17, 45, 21),
    *(44, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 28, 1, 14, 15, 57, 12, 13, 26, 27, 43, 43, 39, 40, 41, 51, 52, 53, 58),
    *(59, 60, 61, 62, 63, 64, 65, 66, 67, 68, 87, 88, 99, 70, 119, 110, 102, 104, 111, 107, 109, 106, 105, 108, 103),
    *(69, 98, 55, 74, 78, 96, 79, 80, 81, 75, 76, 77, 71, 72, 73, 82, 83),
)
"""`hid_keyboard` of Linux' drivers/hid/hid-input.c, up to the keypad."""


def test_both_columns_of_the_table_name_the_same_keys() -> None:
    assert [KERNEL_CODE_BY_USAGE[scancode] for _button, scancode, _code in BUTTON_KEYS] == [
        code for _button, _scancode, code in BUTTON_KEYS
    ]
    assert {button for button, _scancode, _code in BUTTON_KEYS} == set(Button)
    for button, scancode, code in BUTTON_KEYS:
        assert (get_button_for_key(scancode), BUTTON_BY_KERNEL_CODE[code]) == (button, button)


@pytest.mark.parametrize(
    ("printed", "signs"),
    [
        ({"=": 46, "-": 45}, ("+", "−")),  # US, Russian
        ({"+": 48, "-": 56, "ß": 45, "'": 46}, ("+", "−")),  # German: elsewhere, but known by their text
        ({"+": 45, "-": 56}, ("+", "−")),  # Swedish: PLUS stands where others have MINUS
        ({"-": 35, "=": 46, ")": 45}, ("+", ")")),  # French: "-" is player 6
        ({"+": 30, "=": 45, "-": 56}, ("↑", "−")),  # Czech: "+" is player 1, and a dead accent right of "="
        ({"=": 56, ")": 45, "-": 46}, ("↑", "−")),  # Belgian
        ({}, ("↑", "↓")),  # unknown
    ],
)
def test_the_keys_for_plus_and_minus_are_named_as_they_are_printed(
    printed: dict[str, int], signs: tuple[str, str]
) -> None:
    assert find_sign_keys(lambda key_code: printed.get(chr(key_code), 0)) == signs
