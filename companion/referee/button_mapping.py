"""Mapping between offers and physical buttons: what a press does, and what the soft keys say."""

from collections.abc import Mapping, Sequence

from companion.api import (
    Command,
    CommandName,
    ConsolePress,
    HoldNumberPress,
    HoldSeatPress,
    Input,
    NumberPress,
    Offer,
    SeatPress,
)
from companion.events import CONSOLE_BUTTONS, SEAT_BUTTONS, Button
from companion.i18n import _
from companion.screen_state import SoftKey

CONSOLE_BUTTON_OF: Mapping[Input, Button] = {
    ConsolePress.OK: Button.OK,
    ConsolePress.NO: Button.NO,
    ConsolePress.PLUS: Button.PLUS,
    ConsolePress.MINUS: Button.MINUS,
    ConsolePress.HOLD_OK: Button.OK,
}


def find_button(input: Input, seating: Sequence[Button]) -> Button | None:
    """Find the physical button of an input.

    Args:
        input: how an offer is taken up: by a seat's own button, a console button, a number key, or a table action.
        seating: the players' buttons, by seat.

    Returns:
        None for a table action, for holding NO, and for a number that is not 1 to 6. Holding OK has the button OK.

    Raises:
        IndexError: the input is the button of a seat that `seating` does not have.
    """
    match input:
        case SeatPress(seat=seat) | HoldSeatPress(seat=seat):
            return seating[seat]
        case NumberPress(number=number) | HoldNumberPress(number=number):
            return SEAT_BUTTONS[number - 1] if 1 <= number <= len(SEAT_BUTTONS) else None
        case _:
            return CONSOLE_BUTTON_OF.get(input)


def is_seat_hold(input: Input) -> bool:
    """Return whether an offer is taken up by holding one of the six seat buttons.

    >>> is_seat_hold(HoldNumberPress(2)), is_seat_hold(ConsolePress.HOLD_OK)
    (True, False)
    """
    return isinstance(input, HoldSeatPress | HoldNumberPress)


def find_offer(offers: Sequence[Offer], button: Button, seating: Sequence[Button]) -> Offer | None:
    """Find the first offer that a press of a button takes up.

    Args:
        offers: all offers that are open now; of several for one button the first counts, and one
            that is held comes last.
        button: the button that was pressed.
        seating: the players' buttons, by seat.

    Returns:
        None if the button does nothing now.

    Raises:
        IndexError: an offer is for a seat that `seating` does not have.
    """
    of_button = [offer for offer in offers if find_button(offer.input, seating) is button]
    pressed = (offer for offer in of_button if not is_seat_hold(offer.input))
    return next(pressed, of_button[0] if of_button else None)


def find_hold_offer(offers: Sequence[Offer], button: Button, seating: Sequence[Button]) -> Offer | None:
    """Find the offer that holding a seat's button takes up; None: holding it does nothing more than pressing it.

    Args:
        offers: all offers that are open now.
        seating: the players' buttons, by seat.

    Raises:
        IndexError: an offer is for a seat that `seating` does not have.
    """
    for offer in offers:
        if is_seat_hold(offer.input) and find_button(offer.input, seating) is button:
            return offer
    return None


def is_held_step(offer: Offer) -> bool:
    """Return whether an offer is a step of PLUS or MINUS in a dialog, which repeats while the button is held.

    Nothing else repeats by itself: a move of a game is a decision, and is journalled; a change of the colours or of the
    screen's rotation draws the whole screen again, and is stored.
    """
    is_answer = isinstance(offer.action, Command) and offer.action.name is CommandName.ANSWER
    return is_answer and offer.repeats and offer.input in (ConsolePress.PLUS, ConsolePress.MINUS)


def find_help_button(offers: Sequence[Offer]) -> Button:
    """Find the button that opens the help when it is held: MINUS, or OK where MINUS repeats a step.

    Neither is held for anything else there: OK is held in a game's real time alone, where no list is open.
    """
    is_stepped = any(offer.input is ConsolePress.MINUS and is_held_step(offer) for offer in offers)
    return Button.OK if is_stepped else Button.MINUS


def build_soft_keys(offers: Sequence[Offer], seating: Sequence[Button]) -> tuple[SoftKey, ...]:
    """Build the soft keys for the bottom of the screen: seat buttons 1 to 6, then OK, NO, PLUS and MINUS.

    Each is there once, with an empty label if it does nothing. What holding a seat button or NO does follows, with
    `is_hold`, unless a press of that button does nothing else.

    Args:
        offers: all offers that are open now; of several for one button the first counts.
        seating: the players' buttons, by seat.

    Raises:
        IndexError: an offer is for a seat that `seating` does not have.
    """
    keys, help_button = [], find_help_button(offers)
    for button in (*SEAT_BUTTONS, *CONSOLE_BUTTONS):
        offer = find_offer(offers, button, seating)
        opens_help = button is help_button
        if offer is None:
            keys.append(SoftKey(button, "", opens_help=opens_help))
        else:
            keys.append(
                SoftKey(
                    button,
                    offer.label,
                    offer.awaited,
                    swatch_colour=offer.swatch_colour,
                    is_number=isinstance(offer.input, NumberPress | HoldNumberPress),
                    opens_help=opens_help,
                )
            )
    for offer in offers:
        match offer.input:
            case HoldSeatPress() | HoldNumberPress() if (held := find_button(offer.input, seating)) is not None:
                if find_offer(offers, held, seating) is not offer:
                    is_number = isinstance(offer.input, HoldNumberPress)
                    keys.append(SoftKey(held, offer.label, offer.awaited, is_hold=True, is_number=is_number))
            case ConsolePress.HOLD_NO:
                keys.append(SoftKey(Button.NO, offer.label, offer.awaited, is_hold=True))
    return tuple(keys)


def format_button_name(button: Button, seating: Sequence[Button], names: Sequence[str]) -> str:
    """Format a button's name as players say it, in the current language: "Ada's button", "Button 2" or "OK".

    Args:
        button: any button.
        seating: the players' buttons, by seat; empty before a game.
        names: the players' names, by seat; as many as `seating`.

    Raises:
        IndexError: the button is in `seating`, and `names` is shorter.

    >>> format_button_name(Button.SEAT2, (Button.SEAT2,), ("Ada",)), format_button_name(Button.OK, (), ())
    ("Ada's button", 'OK')
    """
    if button in seating:
        return _("{who}'s button", who=names[seating.index(button)])
    return _("Button {n}", n=button.seat_number) if button.seat_number else str(button).upper()
