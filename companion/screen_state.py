"""All that the display is told for one frame: plain values, so that equal values draw equal pictures.

The referee, the lobby and the eyes fill it in; the display reads it and nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from companion.events import Button, CameraState
from companion.games.api.game import Seat
from companion.vision.reading import Image, Reading
from companion.vision.view_check.problem import ViewProblem


class ScreenKind(StrEnum):
    """Where in the evening we are."""

    RESUME = "resume"  # a sitting was interrupted: go on, or put it away
    LOBBY = "lobby"  # players press their buttons in clockwise order
    FIRST = "first"  # who begins, and what is to be laid out
    PLAY = "play"
    RESULT = "result"
    SETUP = "setup"  # the guided set-up of a new box
    HISTORY = "history"  # what was played here before
    WAITING = "waiting"  # something is missing before anything can be played


@dataclass(frozen=True, slots=True)
class Player:
    """A seat is a colour, a shape (both by its physical button, 1 to 6) and a name."""

    seat: Seat
    name: str
    button: Button
    piece_colour: str = ""
    """Colour of the player's piece in the box; empty: it has none."""
    away: bool = False
    """Has left the table, for now or for good."""


@dataclass(frozen=True, slots=True)
class SoftKey:
    """What one physical button does now. `words` empty: nothing, its lamp is dark."""

    button: Button
    label: str
    awaited: bool = False
    is_hold: bool = False
    """True for what holding the button for a second does (NO: undo)."""
    swatch_colour: str = ""
    """The piece or colour that it is about; empty: none."""
    is_number: bool = False
    """The button stands for its number. In a game whoever is asked presses it, whosever button it is else."""


@dataclass(frozen=True, slots=True)
class Question:
    """Something the table is asked; the answers stand in the keys."""

    title: str
    detail: str = ""
    warning: bool = False


@dataclass(frozen=True, slots=True)
class Menu:
    """A list to go through with plus and minus; `value` is the entry being changed, if one is open."""

    title: str
    items: tuple[str, ...]
    selected: int
    value: str | None = None


@dataclass(frozen=True, slots=True)
class PictureMark:
    """A thing on the camera's picture whose value may be put right there."""

    kind: str
    """"die" or "token"."""
    original: int
    """As it was read or entered."""
    value: int
    """As it is to be."""
    selected: bool = False
    window: int | None = None
    """A token's window, by its index in the reading; None: not known, or a die."""


@dataclass(frozen=True, slots=True)
class EnlargedPicture:
    """The camera's picture is enlarged, with these things to be put right on it."""

    marks: tuple[PictureMark, ...] = ()


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """Something that gave a player points or took some."""

    round: int
    label: str
    points: int
    total: int
    """The player's score after it."""


@dataclass(frozen=True, slots=True)
class ScoreSheet:
    """When the game is over: how the scores came about, in the place of their chart.

    `seat` None: everybody's points, round by round; else that player's score line by line.
    """

    seat: Seat | None = None
    lines: tuple[ScoreLine, ...] = ()
    selected: int = 0
    """The line that is to be in sight."""


@dataclass(frozen=True, slots=True)
class HistoryRow:
    """A row of a table: its words, numbers under the table's heads, and a second line."""

    label: str
    cells: tuple[str, ...] = ()
    detail: str = ""


@dataclass(frozen=True, slots=True)
class HistoryTable:
    """A page of the history (`Shown.view` there): `heads` stand over the cells."""

    headings: tuple[str, ...]
    rows: tuple[HistoryRow, ...]
    selected: int = 0
    label_heading: str = ""
    """What the words of the rows are."""


@dataclass(frozen=True, slots=True)
class RunningClock:
    """A clock as shown: seconds left of seconds in all."""

    name: str
    seconds_left: float
    seconds_total: float
    paused: bool = False
    label: str = ""
    """What the screen calls it, translated."""


@dataclass(frozen=True, eq=False, slots=True)
class CameraView:
    """What the camera sees: its state, the latest reading, small live picture, and the lid turned upright.

    Compared by identity: the eyes hand out a new value only when something changed.
    """

    state: CameraState = CameraState.OFF
    reading: Reading | None = None
    picture: Image | None = None
    """The frame in which `reading` was made; pixels of the reading are its pixels."""
    rectified_lid: Image | None = None
    """Straightened, arrow up; None while it must stay blank or was not seen."""
    problem: ViewProblem | None = None
    """What is wrong with the view, as long as it is; its pixels are those of `picture`."""


@dataclass(frozen=True, slots=True)
class DiePicture:
    """The picture (JPEG) of the die that was under a lifted cup, by the cup's number in the row, from 1."""

    cup_number: int
    jpeg: bytes = field(repr=False)


class WizardPage(StrEnum):
    """The pages of the guided set-up, in their order."""

    LANGUAGE = "language"
    PICTURE = "picture"
    BUTTONS = "buttons"
    CAMERA = "camera"


@dataclass(frozen=True, slots=True)
class WizardView:
    """What a page of the set-up shows (`Shown.view` there)."""

    page: WizardPage
    number: int
    """Of this page, from 1."""
    page_count: int
    language: str = ""
    """The language's code."""
    tried_buttons: frozenset[Button] = frozenset()
    """Seat buttons that have been pressed on the page of the buttons."""


@dataclass(frozen=True, slots=True)
class ScreenState:
    """One state of the screen."""

    kind: ScreenKind
    game_name: str = "macroscope"
    title: str = "Macroscope"
    uses_camera: bool = True
    """Whether the camera plays in it, and so a virtual table has something to show."""
    prompt: str = ""
    """Whose turn and what now."""
    view: Any = None
    """The game's own view (`Game.view()`); None in the lobby."""
    players: tuple[Player, ...] = ()
    scores: tuple[int, ...] = ()
    soft_keys: tuple[SoftKey, ...] = ()
    """The soft-key row: seat buttons 1 to 6, then OK, NO, plus, minus; NO once more with `held` for undo."""
    question: Question | None = None
    menu: Menu | None = None
    notice: str | None = None
    """One line on what is missing and what to do (camera unplugged), or what was just undone."""
    last_move: str | None = None
    """What was played last, in words."""
    pressed_buttons: frozenset[Button] = frozenset()
    """Buttons pressed just now: acknowledged in the next frame, before the effect is shown."""
    clocks: tuple[RunningClock, ...] = ()
    camera_view: CameraView = CameraView()
    details: tuple[str, ...] = ()
    """Further lines of the place: who pressed in the lobby, the line-by-line score in the result."""
    round_points: tuple[tuple[int, ...], ...] = ()
    """Points of each round, by seat, when the game is over."""
    score_sheet: ScoreSheet | None = None
    """When the game is over: a page on how the scores came about; None: their chart."""
    die_picture: DiePicture | None = None
    """None as long as it is secret, and where none was taken."""
    entered_numbers: tuple[int, ...] = ()
    """Numbers entered so far by hand (the first die of a roll)."""
    enlarged: EnlargedPicture | None = None
    """The camera's picture stands large in the middle."""
    enlarge_button: Button | None = None
    """The button that makes the camera's picture large, or small again; None: none does."""
    shows_live_picture: bool = False
    """The camera's plain picture stands beside the game: people hold something under it, and nothing is read of it."""
    dimmed: bool = False
    """Nobody has been here for a while: the picture is darkened until somebody is."""

    @property
    def in_game(self) -> bool:
        """Whether a game is played or has just ended: `view` is the game's own."""
        return self.kind in (ScreenKind.PLAY, ScreenKind.RESULT)
