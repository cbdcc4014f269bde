"""Presses that no machine can put in order: drawn by lot, and said openly."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from companion.referee.keys import name_of
from companion.words import Words, both
from hardware.signals import Button, ButtonPressed, Signal, Tie

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


def told(first: Button, tie: Tie, seating: Sequence[Button], names: Sequence[str]) -> str:
    """What the screen says of a tie whose press of `first` was heeded first."""
    others = [press.button for press in tie.presses if press.button is not first]
    words = [name_of(button, seating, names) for button in dict.fromkeys((first, *others))]
    return _("{everybody} at the same moment: the lot fell on {one}", everybody=both(words), one=words[0])
