"""Presses that cannot be put in order: they are drawn by lot, and the screen says so.

All others are in the order of their stamps already: `hardware.buttons.press_merger.PressMerger`.
"""

from collections.abc import Sequence
from random import Random

from companion.api import ConsolePress, Offer
from companion.events import Button, ButtonPressed, Event, PressTie
from companion.i18n import _, join_and
from companion.referee.button_mapping import find_offer, format_button_name
from companion.referee.unmeant_presses import PressGuard


def shuffle_ties(events: Sequence[Event], rng: Random) -> list[Event]:
    """Return the events with the presses of each tie in an order drawn by lot.

    Presses keep their time stamps: they only change places with each other.

    Args:
        events: in the order of their time stamps, with a `PressTie` before its presses.
        rng: draws the order.
    """
    order = list(events)
    for tie in [event for event in events if isinstance(event, PressTie)]:
        places = [i for i, event in enumerate(order) if isinstance(event, ButtonPressed) and event in tie.presses]
        drawn = [order[i] for i in places]
        rng.shuffle(drawn)
        for place, press in zip(places, drawn, strict=True):
            order[place] = press
    return order


class TieMessage:
    """The message about the tie whose presses are being handled, if more than one of them does something."""

    def __init__(self) -> None:
        self._seating: Sequence[Button] = ()
        self._names: Sequence[str] = ()
        self._tie: PressTie | None = None
        self._message: str | None = None
        """None: none of its presses has been handled yet. Empty: there is nothing to say."""

    def begin_tie(self, tie: PressTie, seating: Sequence[Button], names: Sequence[str]) -> None:
        """Note that the presses of this tie come next, so that `message_for_press` knows them.

        Args:
            tie: the tie; its presses may come in any order.
            seating: the players' buttons, by seat.
        """
        self._tie, self._message = tie, None
        self._seating, self._names = seating, names

    def message_for_press(self, button: Button, at: float, offers: Sequence[Offer], guard: PressGuard) -> str | None:
        """Return the message that a lot decided which of several presses came first.

        Args:
            button: the button that was pressed.
            at: stamp of the press, in seconds of the host's monotonic clock.
            offers: all offers that are open when the press is handled.
            guard: what it refuses, the second press of a double press, does nothing; it has not noted this press yet.

        Returns:
            The message in the current language; None if the press is not part of the tie, or at most one of the tie's
            presses does something. A late press that counts is always announced: nobody knows whether the other one
            did something.
        """
        tie = self._tie
        if tie is None or all((press.button, press.at) != (button, at) for press in tie.presses):
            self._tie = None
            return None
        offer = find_offer(offers, button, self._seating)
        if guard.must_refuse(button, at, offer):
            return None
        if tie.is_late:
            return self._format_late_message(tie)
        if self._message is None and offer is not None:
            found = [(press, find_offer(offers, press.button, self._seating)) for press in tie.presses]
            works = [
                other
                for press, other in found
                if other is not None
                and other.input is not ConsolePress.HOLD_OK
                and not guard.must_refuse(press.button, press.at, other)
            ]
            self._message = self._format_message(button, tie) if len(works) > 1 else ""
        return self._message or None

    def _format_message(self, first: Button, tie: PressTie) -> str:
        buttons = dict.fromkeys((first, *(press.button for press in tie.presses)))
        words = [format_button_name(button, self._seating, self._names) for button in buttons]
        return _("{everybody} at the same moment: the lot fell on {one}", everybody=join_and(words), one=words[0])

    def _format_late_message(self, tie: PressTie) -> str:
        late, *others = dict.fromkeys(press.button for press in tie.presses)
        words = [format_button_name(button, self._seating, self._names) for button in (late, *others)]
        return _("{late} was first, but was noticed after {others}", late=words[0], others=join_and(words[1:]))
