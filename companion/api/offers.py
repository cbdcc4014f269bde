"""Offers: which moves are open, by which input, with which label.

One list per state. Buttons, lamps, the soft keys on the screen, the keyboard help, the bots and the tests read it and
nothing else: if a thing can be pressed or done, it stands in that list.
"""

from dataclasses import dataclass
from enum import StrEnum

from companion.api.move import Correction, Move, Seat


class ConsolePress(StrEnum):
    """The four console buttons, and two of them held for a second.

    >>> Offer(Move("end_round"), ConsolePress.HOLD_OK, "All agree").input
    <ConsolePress.HOLD_OK: 'hold ok'>

    NO held is undo, always, and nothing else. OK held is for the whole table what one player alone must not do, such as
    to end a round in real time: a short press of it costs nobody anything.
    """

    OK = "ok"
    NO = "no"
    PLUS = "plus"
    MINUS = "minus"
    HOLD_NO = "hold no"
    HOLD_OK = "hold ok"


@dataclass(frozen=True, slots=True)
class SeatPress:
    """The button in front of the player of that seat.

    >>> Offer(Move("guess", Seat(2)), SeatPress(Seat(2)), "I guess").input
    SeatPress(seat=2)
    """

    seat: Seat


@dataclass(frozen=True, slots=True)
class HoldSeatPress:
    """The same button held for a second. A `SeatPress` of that seat then counts when the button is released.

    >>> Offer(Move("give_up", Seat(2)), HoldSeatPress(Seat(2)), "Give up").input.seat
    2
    """

    seat: Seat


@dataclass(frozen=True, slots=True)
class NumberPress:
    """A seat button that stands for the number 1 to 6, whether or not somebody sits there.

    >>> Offer(Move("open", Seat(0), (4,)), NumberPress(4), "Window 4").input.number
    4
    """

    number: int


@dataclass(frozen=True, slots=True)
class HoldNumberPress:
    """The same button held for a second. A `NumberPress` of that number then counts when the button is released.

    >>> Offer(Move("leave_out", Seat(0), (4,)), HoldNumberPress(4), "Leave out").input.number
    4
    """

    number: int


NUMBER_ENTRY = NumberPress(0)
"""Input of an open move whose value is entered number by number."""


@dataclass(frozen=True, slots=True)
class TableAction:
    """Something done on the table that the camera sees, or that people enter in the menu.

    >>> Offer(Move("open", Seat(0), (5,)), TableAction("token_taken", 5), "").input.number
    5
    """

    kind: str
    """A member of the game's `ActionKind`."""
    number: int | None = None
    """The token, or the colour, that it is done with; None: it makes no difference."""
    in_menu: bool = False
    """No camera sees it and no button is free for it: it stands in the menu of corrections."""


Input = SeatPress | HoldSeatPress | NumberPress | HoldNumberPress | ConsolePress | TableAction
"""How an offer is taken up."""


class CommandName(StrEnum):
    """Names of the commands of the referee and the lobby.

    >>> CommandName("undo")
    <CommandName.UNDO: 'undo'>
    """

    AGAIN = "again"  # the same game with the same players
    ANSWER = "answer"
    BACK = "back"  # to the dialog before, or out of it
    BEGIN = "begin"
    BOXES = "boxes"  # open a page of a score sheet to choose from: the best boxes (0), or the others from 1
    CLAIM = "claim"  # ask whether the last throw was the next player's
    CONTINUE = "go on"
    CORRECT = "fix"  # open the menu of corrections
    DICE_LUCK = "dice"  # of a finished game: the page of the score sheet
    DIGIT = "digit"  # one number of an open move
    DISTANCE = "distance"  # of the screen, in the set-up wizard: 1 farther, -1 nearer
    ENTER_SECOND_TOKEN = "second"  # choose the second token by its number
    ENTER_TOKEN = "by hand"  # choose the token by its number
    ERASE = "erase"
    FILM = "film"  # of a finished game, onto a USB stick
    FINISH = "finish"  # what has further steps
    FORGET = "forget"  # what was taught
    GAMES = "games"
    HELP = "help"
    JOIN = "join"
    LANGUAGE = "language"
    LEARN = "learn"  # by the lesson
    LEAVE = "leave"
    LIVE_PICTURE = "live"  # show or hide it
    LOBBY = "lobby"
    MARK_DIE = "mark die"  # of those on the table, by its place from 1, to set it aside
    ME = "me"  # the seat that plays first
    MORE = "more"
    NEXT = "next"
    PALETTE = "palette"
    PAUSE = "pause"
    PICTURE = "picture"  # enlarge it
    PLAYERS = "players"  # somebody joins, or a name or places change
    REDO = "redo"
    RESTART = "restart"  # the device, into an upgrade
    RESULT_CODE = "result code"  # of a finished game, for a phone
    RESULT = "result"  # of a finished game; without a value: of the last one
    RESUME = "resume"  # an interrupted or unfinished game
    SCORE_SHEET = "score sheet"
    SCREEN_SIZE = "screen size"  # in the set-up wizard, by its number from 1
    SET_ASIDE = "away"  # the game in play
    SET_INTERRUPTED_ASIDE = "put away"  # the game that was interrupted
    SET_UP = "set up"  # open the set-up wizard
    START = "start"
    TEACH = "teach"  # the buttons of a controller
    TEACH_DICE = "teach dice"  # show the box's own dice to the camera
    TRIED = "tried"  # a button, in the set-up wizard
    TURN = "turn"  # the screen
    UNDO = "undo"
    WATCH = "watch"  # a demo


@dataclass(frozen=True, slots=True)
class Command:
    """Something that the referee or the lobby does itself: undo, an answer to its question, a step in a menu.

    >>> Offer(Command(CommandName.DIGIT, (4,)), NumberPress(4), "4").action.value
    (4,)
    """

    name: CommandName
    value: tuple[int, ...] = ()


LATE_PRESS_SECONDS = 3.0
"""After moves that the table implied, or OK in its place, a player may still press for this long what could be pressed
before them. Larger: a press that is meant for the next turn takes the table back."""
MIN_SHOWN_SECONDS = 1.5
"""`shown_seconds` of what people are to read before they answer or leave it, such as a question or the points of a
round: who presses twice has not read it. Larger: slower for who has."""


@dataclass(frozen=True, slots=True)
class Offer:
    """One open possibility.

    >>> offer = Offer(Move("take", Seat(1)), SeatPress(Seat(1)), "Take", awaited=True)
    >>> offer.action.kind, offer.input
    ('take', SeatPress(seat=1))
    """

    action: Move | Correction | Command
    input: Input
    label: str
    """Label of the soft key, translated."""
    awaited: bool = False
    """The table waits for it: its lamp blinks; others are merely lit."""
    confirm_question: str = ""
    """A question that is to be answered with OK before it is done; empty: it is done at once."""
    repeats: bool = False
    """Its button may be pressed again at once, since the next press does the same: a step, a digit, a page. Of any
    other offer the second press of a double press is ignored."""
    shown_seconds: float = 0.0
    """Seconds after its last press, or after something new that opened by itself, before its button counts again: what
    is shown, such as a score, is read first. Who presses it again and again must stop for that time, at most a
    second."""
    swatch_colour: str = ""
    """The piece or colour that it is about ("red", "gold"), shown on its key; empty: none."""


@dataclass(frozen=True, slots=True)
class Visibility:
    """Whether the camera sees dice and tokens now; anything else is entered by buttons.

    >>> from companion.api.registry import find_game
    >>> pig = find_game("pig")
    >>> game = pig.create_game(2, Seat(0), pig.settings_model())
    >>> [offer.label for offer in pig.list_offers(game, ("Ada", "Bob"), Visibility())]
    ['Enter dice']
    >>> [offer.label for offer in pig.list_offers(game, ("Ada", "Bob"), Visibility(dice=True))]
    ['Throw', 'Enter dice']
    """

    dice: bool = False
    tokens: bool = False
    is_table_virtual: bool = False
    """The table is simulated: nobody has a card in the hand, turns a lid or enlarges a photograph."""
