"""Stamped facts from the table.

A signal's time `at` is taken where it happened (kernel GPIO stamp, microcontroller tick, frame capture), in
seconds of the host's monotonic clock, never in a callback. A touch, a click or a key is a signal like any other
and enters at the same door. Plain values: this module imports nothing, everybody may import it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum


class Button(StrEnum):
    """The ten arcade buttons: six seats, four on the console."""

    SEAT1 = "seat1"
    SEAT2 = "seat2"
    SEAT3 = "seat3"
    SEAT4 = "seat4"
    SEAT5 = "seat5"
    SEAT6 = "seat6"
    OK = "ok"
    NO = "no"
    PLUS = "plus"
    MINUS = "minus"

    @property
    def seat_number(self) -> int | None:
        """1 to 6 for a seat's button, None on the console."""
        return int(self[-1]) if self.startswith("seat") else None


SEAT_BUTTONS = (Button.SEAT1, Button.SEAT2, Button.SEAT3, Button.SEAT4, Button.SEAT5, Button.SEAT6)
CONSOLE_BUTTONS = (Button.OK, Button.NO, Button.PLUS, Button.MINUS)


class LampState(StrEnum):
    """What a button's lamp does: lit means you may press, blinking means the table waits for you."""

    OFF = "off"
    ON = "on"
    BLINK = "blink"


class CameraState(StrEnum):
    """The camera's state in a word, always visible on the screen."""

    OFF = "off"  # no camera is used
    SEARCHING = "looking"  # it works, the table is not found yet
    STEADY = "steady"  # the table is at rest and read
    ROLLING = "rolling"  # dice in motion
    HAND = "hand"  # a hand over the tray or the lid
    UNSURE = "unsure"  # at rest, but a reading is below the bar
    BLIND = "blind"  # too dark, covered, or no picture comes
    LOST = "lost"  # unplugged


@dataclass(frozen=True, slots=True)
class ButtonPressed:
    """`source`: the device that it came from, as people call it; empty where that does not matter."""

    button: Button
    at: float
    source: str = ""


@dataclass(frozen=True, slots=True)
class ButtonReleased:
    button: Button
    at: float
    source: str = ""


@dataclass(frozen=True, slots=True)
class DiceRead:
    """Dice came to rest in the tray. `values` are sorted top faces; empty: the tray was emptied.

    `confidence` is that of the whole reading; `alternatives` the next likeliest readings, best first.
    """

    values: tuple[int, ...]
    confidence: float
    at: float
    alternatives: tuple[tuple[int, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class TokenTaken:
    """A token was taken off a window. `window` is 0 to 11, row by row with the arrow up; `number` None: unread."""

    window: int
    number: int | None
    confidence: float
    at: float


@dataclass(frozen=True, slots=True)
class TokenPlaced:
    """A token was put onto an open window."""

    window: int
    number: int | None
    confidence: float
    at: float


@dataclass(frozen=True, slots=True)
class LidCovered:
    """All windows are covered again (after at least one was open) and the hand is gone."""

    at: float


@dataclass(frozen=True, slots=True)
class DieShown:
    """A die with a symbol came to lie at the end of a row (Memo Dice). `place` counts from 0 in the order of laying.

    `colour`: 1 red, 2 blue, 3 black; `alternatives` are the next likeliest, best first. `picture` is a JPEG of its
    face: a secret, so it is in no words of this value.
    """

    place: int
    colour: int
    confidence: float
    at: float
    alternatives: tuple[int, ...] = ()
    face_jpeg: bytes = field(default=b"", repr=False)


@dataclass(frozen=True, slots=True)
class CupPlaced:
    """A cup stands at a place of the row. `colour`: 0 golden, 1 red, 2 blue, 3 black."""

    place: int
    colour: int
    confidence: float
    at: float


@dataclass(frozen=True, slots=True)
class CupLifted:
    """The cup at a place of the row is off, and its die is seen."""

    place: int
    confidence: float
    at: float


@dataclass(frozen=True, slots=True)
class CameraStateChanged:
    """The camera's state changed. `lid`: the lid is known, so that tokens taken off it will be seen."""

    state: CameraState
    at: float
    lid_known: bool = False


@dataclass(frozen=True, slots=True)
class DeviceLost:
    """A device went away; `name` as people call it ("camera", "button box").

    `words`: what is wrong and what helps, where it is not that it was unplugged.
    """

    name: str
    at: float
    message: str = ""


@dataclass(frozen=True, slots=True)
class DeviceRestored:
    """A lost device is back."""

    name: str
    at: float


@dataclass(frozen=True, slots=True)
class PressTie:
    """Presses of different buttons closer together than can be told apart: no machine knows who was first.

    It comes before those of its presses that have not been handed out yet, and says what they do not: that their
    order is worth nothing. Whoever gives something to the first shows the tie and settles it, by the game's rule or
    by lot.
    """

    presses: tuple[ButtonPressed, ...]
    """At least two, by stamp; where nothing is held back all but the last were handed out before."""
    resolution: float
    """Seconds: presses of these sources closer than this cannot be put in order."""
    at: float
    """That of the press which follows."""


Event = (
    ButtonPressed
    | ButtonReleased
    | DiceRead
    | TokenTaken
    | TokenPlaced
    | LidCovered
    | DieShown
    | CupPlaced
    | CupLifted
    | CameraStateChanged
    | DeviceLost
    | DeviceRestored
    | PressTie
)
