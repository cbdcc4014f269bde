"""Presses that no machine can put in order: drawn by lot, and said openly."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from companion.events import Button, ButtonPressed, Signal, Tie
from companion.games.api.offers import Offer
from companion.i18n import Words, both
from companion.referee.buttons import name_of, press_of

_ = Words("companion")


def settled(signals: Sequence[Signal], rng: Random) -> list[Signal]:
    """`signals` with the presses of each tie in an order drawn by lot, as far as they are still to be heeded.

    A press keeps its stamp: only the order in which they are heeded changes, and only among the places that they had.
    """
    order = list(signals)
    for tie in [signal for signal in signals if isinstance(signal, Tie)]:
        places = [i for i, signal in enumerate(order) if isinstance(signal, ButtonPressed) and signal in tie.presses]
        drawn = [order[i] for i in places]
        rng.shuffle(drawn)
        for place, press in zip(places, drawn, strict=True):
            order[place] = press
    return order


class TieSaid:
    """What the screen says of the tie whose presses are being heeded, if more than one of them does something.

    Args:
        seating: the players' buttons, in clockwise order.
        names: of the players, likewise.
    """

    def __init__(self, seating: Sequence[Button], names: Sequence[str]) -> None:
        self._seating, self._names = seating, names
        self._tie: Tie | None = None
        self._words: str | None = None
        """None: none of its presses has been heeded yet."""

    def begin(self, tie: Tie) -> None:
        """The presses of this tie come next."""
        self._tie, self._words = tie, None

    def of(self, button: Button, at: float, offers: Sequence[Offer]) -> str | None:
        """What is said at the press of `button` at `at`, when `offers` were open."""
        tie = self._tie
        if tie is None or all((press.button, press.at) != (button, at) for press in tie.presses):
            self._tie = None
            return None
        if self._words is None:
            works = sum(press_of(offers, press.button, self._seating) is not None for press in tie.presses)
            self._words = self._told(button, tie) if works > 1 else ""
        return self._words or None

    def _told(self, first: Button, tie: Tie) -> str:
        others = [press.button for press in tie.presses if press.button is not first]
        words = [name_of(button, self._seating, self._names) for button in dict.fromkeys((first, *others))]
        return _("{everybody} at the same moment: the lot fell on {one}", everybody=both(words), one=words[0])
