"""How a game is shown in the demo: its house rules, players who play well, and what the captions point out.

The script itself is the `simulator/demo.py` of a game; `companion/app/demo.py` plays it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.api import Offer

if TYPE_CHECKING:  # it brings OpenCV
    from companion.vision.reading import Reading


class PictureCircle(NamedTuple):
    """A circle around something on the camera's picture, in pixels of the frame."""

    x: float
    y: float
    radius: float


class DemoCaption(NamedTuple):
    """A sentence on what has just happened.

    Attributes:
        text: the sentence, translated.
        circles: what it speaks of on the camera's picture; empty: nothing there.
    """

    text: str
    circles: tuple[PictureCircle, ...] = ()


@dataclass(frozen=True, slots=True)
class DemoScript:
    """What `GameDefinition.demo` names.

    >>> def find_caption(before, after, seen, sees, names):
    ...     return DemoCaption("Ada rolls") if after.dice != before.dice else None
    >>> script = DemoScript({"rounds": 2}, lambda game, offer: 1.0, lambda: "A race", find_caption)
    >>> script.settings["rounds"]
    2
    """

    settings: Mapping[str, Any]
    """House rules that make a game of two minutes."""
    weigh: Callable[[Any, Offer], float]
    """Returns the relative weight of an offer for somebody who plays well: by the game and the offer."""
    format_intro: Callable[[], str]
    """Returns what the game is about, translated, in one sentence."""
    find_caption: Callable[[Any, Any, Reading | None, Reading | None, tuple[str, ...]], DemoCaption | None]
    """Returns the caption of a change, None if there is nothing to say: by the game before and after, what the camera
    read at the last change and now, and the players' names by seat."""
