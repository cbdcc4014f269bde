"""Map keyboard keys to arcade buttons: the keyboard works whichever other sources are missing."""

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
"""Button for each pygame key code that stands for one."""

BUTTON_BY_TEXT = {"+": Button.PLUS, "-": Button.MINUS}
"""Button for typed text: these keys have other key codes on other keyboard layouts."""


def get_button_for_key(key_code: int, text: str = "") -> Button | None:
    """Return the button that a key of the keyboard stands for; raises nothing.

    >>> get_button_for_key(pygame.K_1), get_button_for_key(pygame.K_a, "+"), get_button_for_key(pygame.K_a)
    (<Button.SEAT1: 'seat1'>, <Button.PLUS: 'plus'>, None)

    Args:
        key_code: `key` of a pygame KEYDOWN or KEYUP event, one of pygame's K_ constants.
        text: `unicode` of the event: the typed text, may be empty. "+" and "-" take precedence over the key code; any
            other text is ignored.

    Returns:
        The button; None if the key stands for no button.
    """
    return BUTTON_BY_TEXT.get(text) or BUTTON_BY_KEY_CODE.get(key_code)
