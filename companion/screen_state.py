"""The view model of the whole screen: plain values, so that equal values draw equal pictures.

The referee, the lobby and the camera fill it in; the display reads it and nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from companion.api import Outcome, PicturedRule, Seat
from companion.dice_statistics import Share
from companion.events import Button, CameraState
from companion.guide import Guide

if TYPE_CHECKING:  # past games have no picture: their commands need not load numpy
    from companion.vision.reading import Image, Reading, ViewProblem


class ScreenKind(StrEnum):
    """Which screen is shown."""

    GREETING = "greeting"  # play, watch or learn
    LESSON = "lesson"  # the first and the last page of the lesson; between them it is PLAY
    RESUME = "resume"  # a game was interrupted: continue it, or set it aside
    LOBBY = "lobby"  # players press their buttons in clockwise order
    FIRST = "first"  # the draw of the first player, and what is to be laid out
    PLAY = "play"
    RESULT = "result"
    SETUP = "setup"  # the set-up wizard
    TEACHING = "teaching"  # the buttons of a controller
    DICE_TEACHING = "dice teaching"  # the box's own dice
    HISTORY = "history"  # results of earlier games
    TITLE = "title"  # the end of the demo
    WAITING = "waiting"  # something is missing before anything can be played


@dataclass(frozen=True, slots=True)
class Player:
    """A player at the table.

    >>> Player(Seat(0), "Ada", Button.SEAT1).name
    'Ada'
    """

    seat: Seat
    """Place in clockwise order, from 0."""
    name: str
    button: Button
    """The player's seat button; their colour and shape on the screen follow from it."""
    piece_colour: str = ""
    """Colour of the player's own pieces of the game; empty: there are none."""
    away: bool = False
    """The player has left the table, for now or for good."""


@dataclass(frozen=True, slots=True)
class SoftKey:
    """The present meaning of one physical button."""

    button: Button
    label: str
    """What it does now, translated; empty: nothing, and its lamp is off."""
    awaited: bool = False
    """The game waits for this button."""
    is_hold: bool = False
    """The label is for holding the button for a second (NO: undo; a number key of a list: a page; a player's own)."""
    swatch_colour: str = ""
    """Name of the piece or colour that the button stands for; empty: none."""
    is_number: bool = False
    """The button stands for its number, and not for the player whose button it is."""
    opens_help: bool = False
    """Held for a second it opens the help, also if a press does nothing."""


@dataclass(frozen=True, slots=True)
class HoldProgress:
    """A held button that will do something once it has been held long enough."""

    button: Button
    share: float
    """Share of the time that has passed, 0 to 1."""


@dataclass(frozen=True, slots=True)
class HelpView:
    """An open page of the help: what can be done now (without `rules` and `ending`), the rules, or how it ends."""

    page: int
    """Number of the page, from 0."""
    page_count: int
    rules: tuple[PicturedRule, ...] = ()
    ending: str = ""
    """How the game ends and who wins, translated."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question to the players, translated; the answers are on the soft keys.

    >>> Question("Which dice lie there?", "The camera is not sure.").title
    'Which dice lie there?'
    """

    title: str
    """The question, in one line."""
    detail: str = ""
    """A further sentence; empty: none."""
    warning: bool = False
    """It is asked because something is wrong."""


@dataclass(frozen=True, slots=True)
class GameCover:
    """The title picture of a game on the shelf."""

    game: str
    """Name of the game in the registry; after a colon the name that people gave to what they play."""
    caption: str = ""
    """What stands under the picture, translated; empty: nothing."""


@dataclass(frozen=True, slots=True)
class Menu:
    """A list in which PLUS and MINUS move."""

    title: str
    items: tuple[str, ...]
    """The entries, translated, in order."""
    selected: int
    """Index of the selected entry, from 0."""
    value: str | None = None
    """New value of the selected entry while it is being changed; None: no entry is."""
    numbered: int = 0
    """How many entries have a number key, in order; its number, from 1, stands before them."""
    first_numbered: int = 0
    """Index of the first entry that has a number key, from 0."""
    details: tuple[tuple[str, ...], ...] = ()
    """What else is to be known about each entry, the most important first; empty: nothing."""
    starred: frozenset[int] = frozenset()
    """Indexes of the entries with a star, from 0: favourites."""
    note: str | None = None
    """A line under the value of a menu without entries, translated; empty: its place is kept; None: there is none."""
    covers: tuple[GameCover, ...] = ()
    """Pictures of the entries, which then stand on a shelf; empty: they are lines."""


@dataclass(frozen=True, slots=True)
class PictureMark:
    """A mark on the enlarged picture: a thing whose value can be corrected there."""

    kind: str
    """"die" or "token"."""
    original: int
    """The value that was read or entered."""
    value: int
    """The value after the changes so far."""
    selected: bool = False
    window: int | None = None
    """Index of the token's window in the reading; None: not known, or it is a die."""


@dataclass(frozen=True, slots=True)
class EnlargedPicture:
    """The camera's picture is enlarged, with these marks on it."""

    marks: tuple[PictureMark, ...] = ()


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """An event that changed a player's score."""

    round: int
    """Number of the round, from 1; 0: the game has no rounds."""
    label: str
    """The reason, translated; empty: none is given."""
    points: int
    """Change of the score; may be negative."""
    total: int
    """The player's score afterwards."""


@dataclass(frozen=True, slots=True)
class RolledDice:
    """Dice that were rolled in a game, by one player or by all."""

    counts: tuple[int, ...]
    """Number of dice that showed each face, from face 1 up."""
    luck: Share | None
    """Than how large a share of fair evenings with as many dice they were luckier, or more uneven if no face is better
    than another; None: too few dice to tell."""


@dataclass(frozen=True, slots=True)
class DiceLuck:
    """The dice of a finished game against fair ones."""

    players: tuple[RolledDice, ...]
    """By seat."""
    everybody: RolledDice
    worth: tuple[int, ...]
    """Value of each face, from face 1 up; empty: no face is better than another."""
    face_names: tuple[str, ...] = ()
    """Translated names of the faces, from face 1 up; empty: their numbers."""
    sentence: str = ""
    """Whether it was the dice, in one translated sentence."""


@dataclass(frozen=True, slots=True)
class ScoreSheet:
    """A page on how the scores of a finished game came about, in place of their chart."""

    seat: Seat | None = None
    """The player whose score is shown line by line; None: the points of all players, round by round."""
    lines: tuple[ScoreLine, ...] = ()
    """The lines of that player's score, in order."""
    selected: int = 0
    """Index of the line, or of the round, that must be visible."""
    dice: DiceLuck | None = None
    """The page is on the dice; None: on the scores."""


@dataclass(frozen=True, slots=True)
class ResultCode:
    """A QR code for phones: a page of the result of a finished game, or the address of the spectators' page."""

    text: str
    """Content of the code: a link, or lines of text."""
    caption: str
    """What the phone gets, translated."""
    page: int = 0
    """Number of the page, from 0."""
    page_count: int = 1


@dataclass(frozen=True, slots=True)
class PlayedMove:
    """The move that was just played: the display celebrates it, and never what a correction or undo has changed."""

    number: int
    """Number of its journal entry."""
    before: Any = field(compare=False)
    """The game before the move."""
    text: str = ""
    """The line that describes the move."""
    prompt: str = ""
    """The sentence that was shown before the move."""
    addressed: Seat | None = None
    """The player whose name that sentence begins with; None: it was for all."""
    round_start_scores: tuple[int, ...] = ()
    """By seat: the scores before the round that the move has ended; empty: it has ended none."""
    round_start_places: tuple[int, ...] = ()
    """By seat: the places then."""


@dataclass(frozen=True, slots=True)
class RunningClock:
    """A clock on the screen.

    >>> RunningClock("turn", seconds_left=29.2, seconds_total=30.0).paused
    False
    """

    name: str
    """Name of the clock in the game and the journal."""
    seconds_left: float
    """Seconds until it ends; 0 when it has ended."""
    seconds_total: float
    """Seconds that it runs in all."""
    paused: bool = False
    label: str = ""
    """Its name on the screen, translated; empty: none."""


@dataclass(frozen=True, eq=False, slots=True)
class CameraView:
    """What the camera sees: its state, the latest reading, and the picture.

    Compared by identity: the camera reader makes a new value only when something changed.
    """

    state: CameraState = CameraState.OFF
    reading: Reading | None = None
    picture: Image | None = None
    """The frame of `reading`, (H, W, 3) uint8 BGR; the reading is in its pixel coordinates."""
    problem: ViewProblem | None = None
    """The present problem with the camera's view, in pixel coordinates of `picture`; None: there is none."""


@dataclass(frozen=True, slots=True)
class DiePicture:
    """The picture (JPEG) of the die under a lifted cup; `cup_number` counts the cups of the row from 1."""

    cup_number: int
    jpeg: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class ScreenState:
    """All that the display needs to draw one frame.

    >>> state = ScreenState(ScreenKind.LOBBY, title="Pig", prompt="Press your button")
    >>> state.prompt, state.in_game
    ('Press your button', False)
    """

    kind: ScreenKind
    game_name: str = ""
    """Name of the game in the registry, which selects the scene; empty: there is none."""
    title: str = ""
    """Title of the game for the screen; empty: none."""
    uses_camera: bool = True
    """Whether the camera plays in the game, and so a simulated table has something to show."""
    is_table_virtual: bool = False
    """The table of the game is simulated."""
    prompt: str = ""
    """Who is to act and what to do now, in one sentence."""
    addressed: Seat | None = None
    """The player whose name the prompt begins with ("Ada: roll the dice"); None: it is for all."""
    view: Any = None
    """The game itself (`companion.api.game.Game`); in other screens a value of their own, or None."""
    players: tuple[Player, ...] = ()
    """The players by seat, clockwise."""
    scores: tuple[int, ...] = ()
    """Points by seat."""
    outcome: Outcome | None = None
    """Winners and the reason of the end; None while the game goes on."""
    soft_keys: tuple[SoftKey, ...] = ()
    """Seat buttons 1 to 6, then OK, NO, PLUS, MINUS; those that may be held once more with `is_hold`."""
    question: Question | None = None
    menu: Menu | None = None
    asks_for_text: bool = False
    """A text is being entered: what is typed on a keyboard goes into it."""
    notice: str | None = None
    """One line: a problem and what to do about it (camera unplugged), or what was just undone."""
    notice_warns: bool = True
    """Whether the notice is a warning; else it says what can still be done."""
    last_move: str | None = None
    """Description of the last move."""
    played: PlayedMove | None = None
    """The move that was just played; None: what came last is a correction, an undo, a redo or a resumption."""
    pressed_buttons: frozenset[Button] = frozenset()
    """Buttons pressed just now: acknowledged at once, before the effect is shown."""
    hold: HoldProgress | None = None
    """The button that is held and will do something; None: none is."""
    clocks: tuple[RunningClock, ...] = ()
    camera_view: CameraView = CameraView()
    details: tuple[str, ...] = ()
    """Further lines: the house rules in the lobby, all moves in the result."""
    round_points: tuple[tuple[int, ...], ...] = ()
    """Points by round and seat, when the game is over."""
    highlights: tuple[str, ...] = ()
    """What is remarkable about a game that is over, beside earlier ones, translated; the rarest first."""
    score_sheet: ScoreSheet | None = None
    """When the game is over: the open page of the score sheet; None: the chart is shown."""
    result_code: ResultCode | None = None
    """The QR code that is shown in place of all but the soft keys; None: none is."""
    die_picture: DiePicture | None = None
    """None as long as it is secret, or if none was taken."""
    entered_numbers: tuple[int, ...] = ()
    """Numbers entered by hand so far (the first die of a roll)."""
    marked_dice: tuple[int, ...] = ()
    """Places of the dice on the table that are marked to be set aside, from 1."""
    choices: tuple[int, ...] = ()
    """Indexes of the boxes that an open page of a score sheet has on the number keys, in their order, from 0."""
    enlarged: EnlargedPicture | None = None
    """The camera's picture is enlarged in the middle; None: it is not."""
    enlarge_button: Button | None = None
    """The button that enlarges the camera's picture, or makes it small again; None: none does."""
    shows_live_picture: bool = False
    """The camera's plain picture is shown beside the game; nothing is read from it."""
    guide: Guide | None = None
    """Rings around all that is waited for; None: there are none."""
    help: HelpView | None = None
    """The open page of the help, in place of all but the soft keys; None: none is."""
    is_demo: bool = False
    """A demo is shown: a game that plays itself, without sound, with its table beside it."""
    dimmed: bool = False
    """Nobody has done anything for a while: the screen is darkened."""

    @property
    def in_game(self) -> bool:
        """Whether a game is in play or has just ended (`kind` is PLAY or RESULT): then `view` is the game itself."""
        return self.kind in (ScreenKind.PLAY, ScreenKind.RESULT)
