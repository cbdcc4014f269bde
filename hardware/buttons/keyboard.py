"""The keys of the ten buttons. A key is its place on the keyboard, whatever the layout of a country prints there.

Key 6 of a French keyboard types "-", key 1 of a Czech one "+": both are seats. One table serves the window, which gets
SDL's scancodes, and keyboards that are read through the kernel.
"""

from collections.abc import Callable
from itertools import chain

from companion.events import SEAT_BUTTONS, Button

MINUS_SCANCODE, EQUALS_SCANCODE = 45, 46
"""The two places right of 0, named after what a US keyboard prints there."""
BUTTON_KEYS = (
    *zip(SEAT_BUTTONS, range(30, 36), range(2, 8), strict=True),  # 1 to 6 above the letters
    *zip(SEAT_BUTTONS, range(89, 95), (79, 80, 81, 75, 76, 77), strict=True),  # 1 to 6 of the keypad
    (Button.OK, 40, 28),  # Enter
    (Button.OK, 44, 57),  # Space
    (Button.OK, 88, 96),  # Enter of the keypad
    (Button.NO, 42, 14),  # Backspace
    (Button.NO, 76, 111),  # Delete
    (Button.PLUS, EQUALS_SCANCODE, 13),
    (Button.PLUS, 87, 78),  # + of the keypad
    (Button.PLUS, 82, 103),  # arrow up
    (Button.MINUS, MINUS_SCANCODE, 12),
    (Button.MINUS, 86, 74),  # - of the keypad
    (Button.MINUS, 81, 108),  # arrow down
)
"""Button, scancode of SDL (usage of page 7 in the USB HID Usage Tables), and key code of the kernel, of each key."""
BUTTON_BY_SCANCODE = {scancode: button for button, scancode, _code in BUTTON_KEYS}
BUTTON_BY_KERNEL_CODE = {code: button for button, _scancode, code in BUTTON_KEYS}
BUTTON_BY_SIGN = {"+": Button.PLUS, "-": Button.MINUS}
LETTER_SCANCODES = range(4, 30)
"""Scancodes of the keys that print A to Z on a US keyboard, in this order."""
PRINTED_KEY_CODES = (range(0x21, 0x7F), range(0xA1, 0x700))
"""Key codes of SDL (Unicode) that are searched for what a key prints: up to Arabic."""


def get_button_for_key(scancode: int, text: str = "") -> Button | None:
    """Return the button that a key of the keyboard stands for; raises nothing.

    >>> get_button_for_key(35, "-"), get_button_for_key(48, "+"), get_button_for_key(48, "]")
    (<Button.SEAT6: 'seat6'>, <Button.PLUS: 'plus'>, None)

    Args:
        scancode: `scancode` of a pygame KEYDOWN event: the key's place.
        text: `unicode` of the event: the typed text, may be empty. "+" and "-" count where no seat, OK or NO is: the
            places of these two differ most between countries.

    Returns:
        The button; None if the key stands for no button.
    """
    button = BUTTON_BY_SCANCODE.get(scancode)
    return BUTTON_BY_SIGN.get(text, button) if button in {None, Button.PLUS, Button.MINUS} else button


def get_latin_key(key_code: int, scancode: int) -> int:
    """Return the key code of a key, or of the letter A to Z at its place if it prints none (Cyrillic, Greek).

    >>> chr(get_latin_key(ord("с"), 6)), chr(get_latin_key(ord("a"), 20))
    ('c', 'a')
    """
    is_foreign = key_code > 0x7F and scancode in LETTER_SCANCODES
    return ord("a") + LETTER_SCANCODES.index(scancode) if is_foreign else key_code


def find_sign_keys(get_scancode: Callable[[int], int]) -> tuple[str, str]:
    """Return what is printed on the keys for PLUS and MINUS in the keyboard's layout.

    >>> german = {ord("+"): 48, ord("-"): 56}
    >>> find_sign_keys(lambda key: german.get(key, 0))
    ('+', '−')

    Args:
        get_scancode: returns the scancode of a key code (Unicode of what the key types without Shift); 0: no key.

    Returns:
        Of each "+" or "−" if a key is known to print it, else what the place prints, else the arrow key that works too.
    """

    def find(sign: str, scancode: int, arrow: str) -> str:
        place = get_scancode(ord(sign))
        if place and get_button_for_key(place, sign) is BUTTON_BY_SIGN[sign]:
            return sign
        printed = next((chr(key) for key in chain(*PRINTED_KEY_CODES) if get_scancode(key) == scancode), arrow)
        if (sign, printed) == ("+", "="):
            return sign  # with Shift: the two share a key nearly everywhere
        return arrow if printed in BUTTON_BY_SIGN else printed  # it types the other sign

    return find("+", EQUALS_SCANCODE, "↑"), find("-", MINUS_SCANCODE, "↓").replace("-", "−")
