"""Offers: which moves are open, by which input, with which label.

One list per state. Buttons, lamps, the soft keys on the screen, the keyboard help, the bots and the tests read it and
nothing else: if a thing can be pressed or done, it stands in that list.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from pydantic import BaseModel

from companion.api.fair_dice import FairDice
from companion.api.game import Correctable, Correction, Game, Move, Seat
from companion.events import Event
from companion.i18n import Translator


class ConsolePress(StrEnum):
    """The four console buttons, and two of them held for a second.

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
    """The button in front of the player of that seat."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class HoldSeatPress:
    """The same button held for a second. A `SeatPress` of that seat then counts when the button is released."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class NumberPress:
    """A seat button that stands for the number 1 to 6, whether or not somebody sits there."""

    number: int


NUMBER_ENTRY = NumberPress(0)
"""Input of an open move whose value is entered number by number."""


@dataclass(frozen=True, slots=True)
class TableAction:
    """Something done on the table that the camera sees, or that people enter in the menu."""

    kind: str
    """A member of the game's `ActionKind`."""
    number: int | None = None
    """The token, or the colour, that it is done with; None: it makes no difference."""
    in_menu: bool = False
    """No camera sees it and no button is free for it: it stands in the menu of corrections."""


Input = SeatPress | HoldSeatPress | NumberPress | ConsolePress | TableAction
"""How an offer is taken up."""


class CommandName(StrEnum):
    """Names of the commands of the referee and the lobby."""

    AGAIN = "again"  # the same game with the same players
    ANSWER = "answer"
    BACK = "back"  # to the dialog before, or out of it
    BEGIN = "begin"
    BOXES = "boxes"  # open a page of a score sheet to choose from: the best boxes (0), or the others from 1
    CONTINUE = "go on"
    CORRECT = "fix"  # open the menu of corrections
    DICE_LUCK = "dice"  # of a finished game: the page of the score sheet
    DIGIT = "digit"  # one number of an open move
    ENTER_SECOND_TOKEN = "second"  # choose the second token by its number
    ENTER_TOKEN = "by hand"  # choose the token by its number
    ERASE = "erase"
    FILM = "film"  # of a finished game, onto a USB stick
    FINISH = "finish"  # what has further steps
    FORGET = "forget"  # what was taught
    GAMES = "games"
    JOIN = "join"
    LANGUAGE = "language"
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
    REDO = "redo"
    RESTART = "restart"  # the device, into an upgrade
    RESULT_CODE = "result code"  # of a finished game, for a phone
    RESULT = "result"  # of a finished game; without a value: of the last one
    RESUME = "resume"  # an interrupted or unfinished game
    SCORE_SHEET = "score sheet"
    SET_ASIDE = "away"  # the game in play
    SET_INTERRUPTED_ASIDE = "put away"  # the game that was interrupted
    SET_UP = "set up"  # open the set-up wizard
    START = "start"
    TEACH = "teach"  # the buttons of a controller
    TEACH_DICE = "teach dice"  # show the box's own dice to the camera
    TRIED = "tried"  # a button, in the set-up wizard
    TURN = "turn"  # the screen
    UNDO = "undo"


@dataclass(frozen=True, slots=True)
class Command:
    """Something that the referee or the lobby does itself: undo, an answer to its question, a step in a menu."""

    name: CommandName
    value: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Offer:
    """One open possibility."""

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
    swatch_colour: str = ""
    """The piece or colour that it is about ("red", "gold"), shown on its key; empty: none."""


@dataclass(frozen=True, slots=True)
class Visibility:
    """Whether the camera sees dice and tokens now; anything else is entered by buttons."""

    dice: bool = False
    tokens: bool = False


@dataclass(frozen=True, slots=True)
class CameraUse:
    """A game's use of the camera. Pure data: classes are given as "package.module:name" and loaded when needed."""

    watcher: str
    """Factory (no arguments) of what follows the table from frame to frame and returns events."""
    layout_file: str
    """File in the data folder that keeps what was learnt of this kind of table."""
    readings: str
    """Class of the referee's that turns `events` into moves and questions."""
    events: tuple[type[Event], ...]
    """The classes of events that the game takes; others are ignored."""
    hides_picture: Callable[[Any], bool] = lambda _game: False
    """game -> whether the camera's own picture stays off the screen now: it would give something away."""
    public_pictures: Callable[[Any], Collection[int]] = lambda _game: ()
    """game -> numbers of the stored pictures of this round that are no secret any more."""
    is_view_checked: bool = False
    """Problems of the camera's view (lid cut off, too dark) are looked for and shown."""


@dataclass(frozen=True, slots=True)
class Preset:
    """House rules that fit a usual kind of game, all chosen by one press in the lobby."""

    title: str
    """Its line in the lobby's menu, to be translated by the game's catalogue."""
    settings: BaseModel
    """An instance of the game's `settings_model`."""
    asked_setting: str = ""
    """Setting that the lobby asks for before the start; empty: none."""
    is_named: bool = False
    """People know the title as the name of a game: it is stored as such from its first start."""


@dataclass(frozen=True, slots=True)
class GameDefinition:
    """All that a game provides; found through the entry-point group `companion.games`.

    `names` are the players' names by seat; all texts are translated.
    """

    name: str
    """As in `--game`: lower case, underscores."""
    title: str
    player_counts: range
    """Possible numbers of players."""
    settings_model: type[BaseModel]
    """Frozen pydantic model of the house rules, with defaults."""
    create_game: Callable[[int, Seat, Any], Game]
    """(player count, first seat, settings) -> the game at its start; raises ValueError if they are not allowed."""
    list_offers: Callable[[Any, Sequence[str], Visibility], Sequence[Offer]]
    """(game, names, visibility) -> what is open now."""
    prompt: Callable[[Any, Sequence[str]], str]
    """(game, names) -> who is to act and what to do now, in one sentence."""
    describe_line: Callable[[Any, Move | Correction, Any, Sequence[str]], str]
    """(game before, what was played, game after, names) -> one line on it, without changes of scores."""
    correctable_label: Callable[[Any, Correctable, Sequence[str]], str]
    """(game, what may be corrected, names) -> its line in the menu: "Ada's crystals"."""
    value_labels: Callable[[Any, Correctable, Sequence[str]], Sequence[str]] = lambda _game, _what, _names: ()
    """(game, what may be corrected, names) -> texts for its values from the lowest up; empty: the numbers
    themselves."""
    describe_changes: Callable[[Move | Correction, Any, Sequence[str]], str] = lambda _what, _after, _names: ""
    """(what was played, game after, names) -> how the line ends in the log: " (Ada +9, Bob -4)"; empty: no changes."""
    score_reason: Callable[[Any, Any, Seat], str] = lambda _before, _after, _seat: ""
    """(game before, game after, seat) -> where its points came from, for the line of its score sheet; empty: as
    `describe_line`."""
    score_parts: Callable[[Any, Seat], Sequence[tuple[str, int]]] = lambda _game, _seat: ()
    """(finished game, seat) -> the parts of its score, each with its points, where all is counted at the end;
    empty: the score was gathered as the game went on."""
    round_number: Callable[[Any], int] = lambda _game: 0
    """game -> number of the round in play, from 1: for the history and the scores over rounds; 0: it has no rounds."""
    bot_weight: Callable[[Any, Offer], float] = lambda _game, _offer: 1.0
    """(game, offer) -> its relative weight in the bots' choice; 1 is usual, 0 never."""
    default_move: Callable[[Any, Seat], Move | None] = lambda _game, _seat: None
    """(game, seat) -> the move that this seat's button usually means; if the button has no use now, the refusal of
    this move explains it."""
    number_move: Callable[[Any, int], Move | None] = lambda _game, _number: None
    """(game, number 1 to 6) -> the move that this number key usually means where such keys choose a move; if the key
    has no use now, the refusal of this move explains it. None: `default_move` does."""
    timed_clock: Callable[[Any, Move], str] = lambda _game, _move: ""
    """(game, open move) -> name of the clock whose time so far, in tenths of a second, is the value of the move;
    empty: people enter the value."""
    has_first_player: bool = True
    """Whether one player begins; else all play at the same time."""
    piece_colours: tuple[str, ...] = ()
    """Colours of the game's own pieces, by number of the button, so that a player gets the one nearest to the own
    button's; one that stands there twice belongs to the first who has it, the others get what is left. Empty: none."""
    confirm_on_first_use: tuple[str, ...] = ()
    """Settings whose default is a guess: the first lobby asks about them, and the answer is kept."""
    setup_steps: Callable[[Any, int], Sequence[str]] = lambda _settings, _player_count: ()
    """(settings, player count) -> what is to be laid out before the game, a line each."""
    addressed_seat: Callable[[Any], Seat | None] = lambda _game: None
    """game -> the player whose name the prompt begins with ("Ada: roll the dice"); None: it is for all."""
    prompt_with_camera: Callable[[Any, Sequence[str]], str] | None = None
    """(game, names) -> the prompt while the camera sees the table; None: the game has only `prompt`."""
    live_picture_labels: Callable[[Any], tuple[str, str] | None] = lambda _game: None
    """game -> labels of the keys that show the camera's plain picture beside the game, and hide it, for what people
    hold under the camera; None: it has no use now."""
    camera: CameraUse | None = None
    """None: the camera does not play in it."""
    fair_dice: FairDice | None = None
    """The dice that players roll, for the statistics of luck; None: there are none, or not all faces are known."""
    input_title: Callable[[Any, Move, Sequence[str]], str] = lambda _game, _move, _names: ""
    """(game, open move, names) -> heading while its number is entered; empty: the player's name."""
    lobby_place: int = 0
    """Place in the lobby's menu of games: lower ones come first, equal ones by name."""
    scene: str = ""
    """Name of the entry point of the scene that draws it, where several games share one; empty: the game's name."""
    locale_package: str = "companion"
    """The package with the folder `locale`, in which the catalogue `name` has the translations of the title and of the
    house rules' titles and values: that of the plug-in. Texts made by the game's own functions are its own affair."""

    @property
    def translate(self) -> Translator:
        """Translates messages of the game's catalogue into the current language."""
        return Translator(self.name, self.locale_package)

    presets: tuple[Preset, ...] = ()
    """Usual house rules to choose from in the lobby; empty: there are none."""
    name_setting: str = ""
    """Setting, a text, with the name that people gave to what they play, such as "Rummy": it stands in headings and in
    the history in place of the title, and the house rules are stored by it. Empty: there is no such setting."""

    @property
    def translated_title(self) -> str:
        """The title in the current language; a name that has no translation stays as it is."""
        return self.translate(self.title)

    def get_given_name(self, settings: BaseModel | Mapping[str, Any]) -> str:
        """Return the name that people gave to what they play (`name_setting`); empty: they gave none.

        Args:
            settings: house rules of this game, as an instance of its `settings_model` or as a journal has them.
        """
        if not self.name_setting:
            return ""
        values = (
            settings if isinstance(settings, Mapping) else {self.name_setting: getattr(settings, self.name_setting)}
        )
        return str(values.get(self.name_setting, ""))

    def format_title(self, settings: BaseModel | Mapping[str, Any]) -> str:
        """Return the name that people gave to what they play, else the title in the current language.

        Args:
            settings: as for `get_given_name`.
        """
        return self.get_given_name(settings) or self.translated_title

    @property
    def uses_camera(self) -> bool:
        """Whether the camera follows the game (`camera` is given), so that its readings become moves and questions."""
        return self.camera is not None

    def describe(self, before: Game, what: Move | Correction, after: Game, names: Sequence[str]) -> str:
        """Return one translated line on a step and its changes of scores: for the log, the replay and the undo.

        Args:
            before: game before it.
            what: the move or correction, which was legal in `before`.
            after: game after it.
            names: players' names by seat.

        Raises:
            IndexError: a player concerned has no name.
            KeyError: the game knows no such kind of move or correction.
            Exception: a game of another package may raise any other error.
        """
        return self.describe_line(before, what, after, names) + self.describe_changes(what, after, names)

    def hides_picture(self, game: Game) -> bool:
        """Return whether the camera's picture must stay off the screen in this state of `game`: it shows a secret.

        False for games without a camera.

        Raises:
            Exception: a game of another package may raise any error.
        """
        return self.camera is not None and self.camera.hides_picture(game)
