"""The keyboard as arcade buttons: always there, whatever else is missing."""

from __future__ import annotations

import pygame

from companion.events import Button

BUTTON_BY_KEY_CODE = {
    pygame.K_1: Button.SEAT1,
    pygame.K_2: Button.SEAT2,
    pygame.K_3: Button.SEAT3,
    pygame.K_4: Button.SEAT4,
    pygame.K_5: Button.SEAT5,
    pygame.K_6: Button.SEAT6,
    pygame.K_KP1: Button.SEAT1,
    pygame.K_KP2: Button.SEAT2,
    pygame.K_KP3: Button.SEAT3,
    pygame.K_KP4: Button.SEAT4,
    pygame.K_KP5: Button.SEAT5,
    pygame.K_KP6: Button.SEAT6,
    pygame.K_RETURN: Button.OK,
    pygame.K_KP_ENTER: Button.OK,
    pygame.K_SPACE: Button.OK,
    pygame.K_BACKSPACE: Button.NO,
    pygame.K_DELETE: Button.NO,
    pygame.K_PLUS: Button.PLUS,
    pygame.K_KP_PLUS: Button.PLUS,
    pygame.K_EQUALS: Button.PLUS,
    pygame.K_UP: Button.PLUS,
    pygame.K_MINUS: Button.MINUS,
    pygame.K_KP_MINUS: Button.MINUS,
    pygame.K_DOWN: Button.MINUS,
}
"""pygame key code -> button."""

KEY_LABELS = {
    Button.SEAT1: "1",
    Button.SEAT2: "2",
    Button.SEAT3: "3",
    Button.SEAT4: "4",
    Button.SEAT5: "5",
    Button.SEAT6: "6",
    Button.OK: "Enter",
    Button.NO: "Backspace",
    Button.PLUS: "+",
    Button.MINUS: "-",
}
"""What is printed on the key that people are told of."""

BUTTON_BY_TEXT = {"+": Button.PLUS, "-": Button.MINUS}
"""Keys that lie elsewhere on other layouts are known by what they type."""


def get_button_for_key(key_code: int, text: str = "") -> Button | None:
    """The button of a pygame key event's `key` and `unicode`; None for any other key."""
    return BUTTON_BY_TEXT.get(text) or BUTTON_BY_KEY_CODE.get(key_code)
