"""The events of the table, used by hardware, vision and referee alike.

The time `at` of an event is taken where it happened (kernel GPIO timestamp, microcontroller tick, frame capture), in
seconds on the host's monotonic clock, never in a callback. A touch, a click or a key is an event like any other.
This module imports nothing of the project; every other module may import it.
"""

from dataclasses import dataclass, field
from enum import IntEnum, StrEnum


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
        """Number 1 to 6 of a seat's button, clockwise; None for one on the console."""
        return int(self[-1]) if self.startswith("seat") else None


SEAT_BUTTONS = (Button.SEAT1, Button.SEAT2, Button.SEAT3, Button.SEAT4, Button.SEAT5, Button.SEAT6)
"""The seats' buttons, in the order of the seats."""

TOUCH_RESOLUTION_SECONDS = 0.020
"""Touches nearer to each other in time cannot be put in order: a touch panel reports 60 to 120 times a second, and the
main loop reads it between two frames."""

CONSOLE_BUTTONS = (Button.OK, Button.NO, Button.PLUS, Button.MINUS)
"""The buttons on the console."""


class LampState(StrEnum):
    """State of a button's lamp: lit means that the button can be pressed, blinking that the game waits for it."""

    OFF = "off"
    ON = "on"
    BLINK = "blink"


class CameraState(StrEnum):
    """The state of the camera and of the table in its view, always visible on the screen."""

    OFF = "off"  # no camera is used
    SEARCHING = "looking"  # it works; the table is not found yet, or the whole view is changing
    STEADY = "steady"  # the table is at rest and read
    ROLLING = "rolling"  # dice, or something as small, are moving
    HAND = "hand"  # a hand is over the tray or the lid
    UNSURE = "unsure"  # at rest, but a reading is too uncertain to be played
    BLIND = "blind"  # too dark, covered, frozen, or no picture comes
    LOST = "lost"  # unplugged


class MemoColour(IntEnum):
    """Colours of the cups; the symbols of the dice under them have all of them but gold.

    >>> MemoColour(1)
    <MemoColour.RED: 1>
    """

    GOLD = 0
    RED = 1
    BLUE = 2
    BLACK = 3


@dataclass(frozen=True, slots=True)
class _ButtonEvent:
    """Base of the events of a button.

    Attributes:
        button: the button.
        at: when it happened, in seconds on the host's monotonic clock.
        source: name of the device, for users; empty where that does not matter.
    """

    button: Button
    at: float
    source: str = ""


@dataclass(frozen=True, slots=True)
class ButtonPressed(_ButtonEvent):
    """A button went down.

    Attributes:
        max_error_seconds: how far `at` may be from the press beyond what the source's resolution says.
        order_seconds: presses of the same source whose stamps are closer together may be in the other order; 0.0: their
            order is certain beyond what the source's resolution says.
    """

    max_error_seconds: float = field(default=0.0, compare=False)
    order_seconds: float = field(default=0.0, compare=False)


@dataclass(frozen=True, slots=True)
class ButtonReleased(_ButtonEvent):
    """A button went up."""


@dataclass(frozen=True, slots=True)
class ButtonHeld(_ButtonEvent):
    """A button is down that nobody was seen to press: it was down when its device was opened.

    It is stuck, or wired to its normally closed contact (N.C.) or to a wrong pin. `ButtonReleased` says that it is up.
    """


@dataclass(frozen=True, slots=True)
class ControllerId:
    """What a controller (gamepad, arcade encoder, presenter) is recognised by when it is plugged in again.

    Attributes:
        vendor: USB vendor id, 0 to 65535.
        product: USB product id, 0 to 65535.
        name: the name that the device gives itself; may be empty.
        serial: its serial number; empty for most cheap devices.
        port: the socket that it is plugged into, as the kernel names it; may be empty.
    """

    vendor: int
    product: int
    name: str
    serial: str = ""
    port: str = ""


@dataclass(frozen=True, slots=True)
class ControlPressed:
    """A key, button or stick of a controller was pressed that stands for no button of the table: it can be taught.

    Attributes:
        controller: the device.
        control: what was pressed, unique in the device: "key 288", "axis 16 -".
        at: when it happened, in seconds on the host's monotonic clock.
        is_taught: other controls of this device stand for buttons.
    """

    controller: ControllerId
    control: str
    at: float
    is_taught: bool = False


@dataclass(frozen=True, slots=True)
class CharacterTyped:
    """A character was typed on a keyboard while the screen asks for a text.

    Attributes:
        character: one character; "\\b" erases the last one.
        at: when it happened, in seconds on the host's monotonic clock.
    """

    character: str
    at: float


@dataclass(frozen=True, slots=True)
class DiceRead:
    """Dice came to rest in the tray.

    >>> read = DiceRead((2, 5, 6), confidence=0.97, at=12.5, lying=(True, False, False))
    >>> read.thrown_values
    (5, 6)

    Attributes:
        values: top faces, sorted; empty: the tray was emptied.
        confidence: that the whole reading is right, 0 to 1.
        at: when it happened, in seconds on the host's monotonic clock.
        alternatives: the next most likely readings, best first.
        lying: for each of `values`, whether that die lay there before, so that it was not thrown; empty: not known.
        doubtful: for each of `values`, whether `lying` is in doubt: an equal die may have been thrown to that place;
            empty: nothing is in doubt.
        known_confidence: that an uncertain reading is right if as many dice are known to lie there (see `Die`); less
            than `confidence`: not known.
        was_picked_up: it could not be read in time: other dice lie there now, or some were taken out.
        clear_values: of an uncertain reading with something that only looks a little like a die, the values of the dice
            that are certain (`vision.table.dice_agreement.find_clear_dice`), sorted; empty: there is no such thing.
        uncertain_faces: for each of `values`, the top face as PNG (`vision.dice.taught_dice.encode_face`) of a die that
            was not read with certainty, b"" of any other; empty: not kept.
    """

    values: tuple[int, ...]
    confidence: float
    at: float
    alternatives: tuple[tuple[int, ...], ...] = ()
    lying: tuple[bool, ...] = ()
    doubtful: tuple[bool, ...] = ()
    known_confidence: float = 0.0
    was_picked_up: bool = False
    clear_values: tuple[int, ...] = ()
    uncertain_faces: tuple[bytes, ...] = field(default=(), compare=False, repr=False)

    @property
    def thrown_values(self) -> tuple[int, ...]:
        """The values of the dice that did not lie there before, sorted; all of them if that is not known."""
        return (
            tuple(v for v, lay in zip(self.values, self.lying, strict=True) if not lay) if self.lying else self.values
        )

    @property
    def is_in_doubt(self) -> bool:
        """Whether all dice lie where equal ones lay, but some may have been thrown there."""
        return bool(self.doubtful_values) and not self.thrown_values

    @property
    def doubtful_values(self) -> tuple[int, ...]:
        """The values of the dice that lay there before or were thrown: nobody can know from the pictures; sorted."""
        return tuple(v for v, is_doubtful in zip(self.values, self.doubtful, strict=False) if is_doubtful)


@dataclass(frozen=True, slots=True)
class _TokenEvent:
    """Base of the events of a token on the lid.

    Attributes:
        window: 0 to 11, row by row with the arrow up.
        number: the token's number, 1 to 6, as it was read before; None: it was never read, or lies blank side up.
        confidence: that window and number are right, 0 to 1.
        at: when it happened, in seconds on the host's monotonic clock.
    """

    window: int
    number: int | None
    confidence: float
    at: float


@dataclass(frozen=True, slots=True)
class TokenTaken(_TokenEvent):
    """A token was taken off a window of the lid.

    >>> TokenTaken(window=3, number=5, confidence=0.98, at=12.5).number
    5
    """


@dataclass(frozen=True, slots=True)
class TokenPlaced(_TokenEvent):
    """A token was placed on an open window of the lid.

    >>> TokenPlaced(window=3, number=5, confidence=0.98, at=12.5).window
    3
    """


@dataclass(frozen=True, slots=True)
class LidCovered:
    """All windows are covered again (after at least one was open) and no hand is over the lid.

    >>> LidCovered(at=12.5)
    LidCovered(at=12.5)
    """

    at: float


@dataclass(frozen=True, slots=True)
class LidRead:
    """All windows of the lid were read with certainty, and not as the last time.

    >>> LidRead(covered=3, numbers=(1, 0, 0, 2, 0, 0), at=12.5).covered
    3

    Attributes:
        covered: number of windows that are covered.
        numbers: how many of the tokens carry 1, 2, ... 6, in this order; fewer than `covered` where a number was never
            read.
        at: when it happened, in seconds on the host's monotonic clock.
    """

    covered: int
    numbers: tuple[int, ...]
    at: float


@dataclass(frozen=True, slots=True)
class DieShown:
    """A die with a symbol was laid at the end of the row, or shows another symbol now.

    >>> DieShown(place=0, colour=MemoColour.BLUE, confidence=0.95, at=12.5).colour.name
    'BLUE'

    Attributes:
        place: index in the row, from 0 in the order of laying.
        colour: of its symbol; never gold.
        confidence: that the colour is right, 0 to 1.
        at: when it happened, in seconds on the host's monotonic clock.
        alternatives: the next most likely colours, best first.
        face_jpeg: a JPEG of its face; it is secret and left out of `repr`.
    """

    place: int
    colour: MemoColour
    confidence: float
    at: float
    alternatives: tuple[MemoColour, ...] = ()
    face_jpeg: bytes = field(default=b"", repr=False)


@dataclass(frozen=True, slots=True)
class FacesShown:
    """Dice came to rest below the camera while people teach it their dice.

    Attributes:
        pictures: the top face of each as PNG (`vision.dice.taught_dice.encode_face`); empty: no die is in sight.
        at: when it happened, in seconds on the host's monotonic clock.
    """

    pictures: tuple[bytes, ...] = field(repr=False)
    at: float


@dataclass(frozen=True, slots=True)
class CupPlaced:
    """A cup was placed over the die at `place` of the row; `confidence`: that its colour is right, 0 to 1.

    >>> CupPlaced(place=0, colour=MemoColour.BLUE, confidence=0.95, at=12.5).colour.name
    'BLUE'
    """

    place: int
    colour: MemoColour
    confidence: float
    at: float


@dataclass(frozen=True, slots=True)
class CupLifted:
    """The cup at `place` of the row was lifted, and its die is visible; `confidence`: that it is, 0 to 1.

    >>> CupLifted(place=2, confidence=0.95, at=12.5).place
    2
    """

    place: int
    confidence: float
    at: float


@dataclass(frozen=True, slots=True)
class CameraStateChanged:
    """The camera's state changed.

    Attributes:
        lid_known: the lid is known, so tokens taken off it will be seen.
        lid_hidden: a hand is over the table, and the lid is to be read again when it leaves.
    """

    state: CameraState
    at: float
    lid_known: bool = False
    lid_hidden: bool = False


@dataclass(frozen=True, slots=True)
class HelpPressed:
    """The help was asked for by a key of the keyboard, or by a touch on its sign: it opens, or closes."""

    at: float


@dataclass(frozen=True, slots=True)
class DeviceLost:
    """A device went away.

    Attributes:
        name: for users ("camera", "button box").
        at: when it happened, in seconds on the host's monotonic clock.
        message: what is wrong and what helps; empty: it was unplugged.
    """

    name: str
    at: float
    message: str = ""


@dataclass(frozen=True, slots=True)
class DeviceRestored:
    """A lost device works again. `name`: for users."""

    name: str
    at: float


@dataclass(frozen=True, slots=True)
class PressTie:
    """Presses of different buttons too close together to know which was first.

    It precedes those of its presses that were not reported yet, and says that their order means nothing. A game that
    rewards the first press shows the tie and settles it by its rules or by lot.

    Attributes:
        presses: at least two, by time; where nothing is held back, all but the last were reported before.
        resolution: seconds; presses of these devices closer together than this cannot be put in order.
        at: the time of the press that follows.
        is_late: the press that follows was earlier than others, which were handled before it arrived.
    """

    presses: tuple[ButtonPressed, ...]
    resolution: float
    at: float
    is_late: bool = False


@dataclass(frozen=True, slots=True)
class TableMissed:
    """Somebody touched a simulated table where nothing is waited for (`companion.guide.Guide`)."""

    at: float


LidEvent = TokenTaken | TokenPlaced | LidCovered | LidRead
"""An event on the lid."""

DiceAndLidEvent = DiceRead | LidEvent | CameraStateChanged
"""An event that the camera sees on a table with dice and a lid."""

CupRowEvent = DieShown | CupPlaced | CupLifted
"""An event in the row of dice and cups."""

VisionEvent = DiceAndLidEvent | CupRowEvent | FacesShown
"""Any event that the camera sees."""

Event = (
    ButtonPressed
    | ButtonReleased
    | ButtonHeld
    | ControlPressed
    | CharacterTyped
    | HelpPressed
    | VisionEvent
    | DeviceLost
    | DeviceRestored
    | PressTie
    | TableMissed
)
"""Any event."""
