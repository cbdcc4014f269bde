"""Presses that no machine can put in order: drawn by lot, and said openly."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from companion.events import Button, ButtonPressed, Event, PressTie
from companion.games.api.offers import Offer
from companion.i18n import Translator, join_and
from companion.referee.button_mapping import find_offer, format_button_name

_ = Translator("companion")


def shuffle_ties(events: Sequence[Event], rng: Random) -> list[Event]:
    """`signals` with the presses of each tie in an order drawn by lot, as far as they are still to be heeded.

    A press keeps its stamp: only the order in which they are heeded changes, and only among the places that they had.
    """
    order = list(events)
    for tie in [signal for signal in events if isinstance(signal, PressTie)]:
        places = [i for i, signal in enumerate(order) if isinstance(signal, ButtonPressed) and signal in tie.presses]
        drawn = [order[i] for i in places]
        rng.shuffle(drawn)
        for place, press in zip(places, drawn, strict=True):
            order[place] = press
    return order


class TieMessage:
    """What the screen says of the tie whose presses are being heeded, if more than one of them does something.

    Args:
        seating: the players' buttons, in clockwise order.
        names: of the players, likewise.
    """

    def __init__(self, seating: Sequence[Button], names: Sequence[str]) -> None:
        self._seating, self._names = seating, names
        self._tie: PressTie | None = None
        self._message: str | None = None
        """None: none of its presses has been heeded yet."""

    def begin_tie(self, tie: PressTie) -> None:
        """The presses of this tie come next."""
        self._tie, self._message = tie, None

    def message_for_press(self, button: Button, at: float, offers: Sequence[Offer]) -> str | None:
        """What is said at the press of `button` at `at`, when `offers` were open."""
        tie = self._tie
        if tie is None or all((press.button, press.at) != (button, at) for press in tie.presses):
            self._tie = None
            return None
        if self._message is None:
            works = sum(find_offer(offers, press.button, self._seating) is not None for press in tie.presses)
            self._message = self._format_message(button, tie) if works > 1 else ""
        return self._message or None

    def _format_message(self, first: Button, tie: PressTie) -> str:
        others = [press.button for press in tie.presses if press.button is not first]
        words = [format_button_name(button, self._seating, self._names) for button in dict.fromkeys((first, *others))]
        return _("{everybody} at the same moment: the lot fell on {one}", everybody=join_and(words), one=words[0])
