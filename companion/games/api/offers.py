"""Offers: which moves are open, by which means, in which words.

One list per state. Buttons, lamps, the soft-key row on the screen, the keyboard help, the virtual players and the
tests read it and nothing else: if a thing can be pressed or done, it stands in that list.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from pydantic import BaseModel

from companion.games.api.game import Correctable, Correction, Game, Move, Seat


class ConsolePress(StrEnum):
    """The four console buttons, and NO held for a second (which is undo, always, and nothing else)."""

    OK = "ok"
    NO = "no"
    PLUS = "plus"
    MINUS = "minus"
    HOLD_NO = "hold no"


@dataclass(frozen=True, slots=True)
class SeatPress:
    """The button in front of the player of that seat."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class NumberPress:
    """The seat buttons standing for the numbers 1 to 6, whoever sits there."""

    number: int


NUMBER_ENTRY = NumberPress(0)
"""Means of an open move whose value is entered number by number."""


@dataclass(frozen=True, slots=True)
class TableAction:
    """Something done on the table that the camera sees: "throw", "take" (a token of that number), "cover"; of Memo
    Dice "show" (a die of that colour), "cup" (over it), "lift"."""

    kind: str
    number: int | None = None


Input = SeatPress | NumberPress | ConsolePress | TableAction


@dataclass(frozen=True, slots=True)
class Command:
    """Something that the referee does itself: undo, an answer to its question, a step in a menu."""

    name: str
    value: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Offer:
    """One open possibility. `awaited`: the table waits for it (its lamp blinks, others are merely lit)."""

    action: Move | Correction | Command
    input: Input
    label: str
    awaited: bool = False
    confirm_question: str = ""
    """A question that is to be answered with OK before it is done; empty: it is done at once."""
    agreeing_seats: tuple[Seat, ...] = ()
    """All of these must press their own button before it is done; empty: it is done at once."""
    swatch_colour: str = ""
    """The piece or colour that it is about ("red", "gold"), shown on its key; empty: none."""


@dataclass(frozen=True, slots=True)
class Visibility:
    """What the table can see by itself just now; without a camera numbers are entered at once."""

    dice: bool = False
    tokens: bool = False


@dataclass(frozen=True, slots=True)
class GameDefinition:
    """What a game brings with it; found through the entry-point group `companion.games`."""

    name: str
    """As in `--game`: lower case, underscores."""
    title: str
    player_counts: range
    """Possible numbers of players."""
    settings_model: type[BaseModel]
    """Frozen pydantic model of the house rules, with defaults."""
    create_game: Callable[[int, Seat, Any], Game]
    """players, first seat, settings -> the game at its start."""
    list_offers: Callable[[Any, Sequence[str], Visibility], Sequence[Offer]]
    """game, names by seat, sight -> what is open now."""
    prompt: Callable[[Any, Sequence[str]], str]
    """game, names -> whose turn and what now, in one sentence."""
    describe: Callable[[Any, Move | Correction, Any, Sequence[str]], str]
    """game before, what was played, game after, names -> one line for the log, the replay and the undo."""
    correctable_labels: Callable[[Any, Sequence[str]], Mapping[tuple[str, Seat | None], str]]
    """game, names -> for each (kind, seat) of `correctables()` its line in the menu ("Ada's crystals")."""
    value_labels: Callable[[Any, Correctable, Sequence[str]], Sequence[str]] = lambda _game, _what, _names: ()
    """game, what may be corrected, names -> words for its values from the lowest up; empty: the numbers themselves."""
    score_reason: Callable[[Any, Any, Seat], str] = lambda _before, _after, _seat: ""
    """game before, game after, seat -> what its points came from, for the line of its score sheet; empty: what `tell`
    says of it."""
    score_parts: Callable[[Any, Seat], Sequence[tuple[str, int]]] = lambda _game, _seat: ()
    """game at its end, seat -> what the score is made of, each part with its points, where all is counted in the end;
    empty: it was gathered as the game went on."""
    round_number: Callable[[Any], int] = lambda _game: 1
    """game -> number of the round it is in, from 1: for the history and the scores over rounds."""
    bot_weight: Callable[[Any, Offer], float] = lambda _game, _offer: 1.0
    """game, offer -> how much virtual players like it, where 1 is what nothing speaks against; 0: never."""
    has_first_player: bool = True
    """Whether one player begins; else all play at once."""
    piece_colours: tuple[str, ...] = ()
    """Colours of the box's own pieces, by seat; empty: it has none."""
    confirm_on_first_use: tuple[str, ...] = ()
    """Settings whose default is a guess of ours: the first lobby shows them, and the owner's answer is kept."""
    setup_steps: Callable[[Any, int], Sequence[str]] = lambda _settings, _players: ()
    """settings, number of players -> what is to be laid out before the game, a line each."""
    uses_camera: bool = False
    """Whether the camera plays in it, and so a virtual table has something to show."""
    keeps_picture_private: bool = False
    """Whether the camera's own picture stays off the screen during the game: it would give something away."""
    live_picture_labels: Callable[[Any], tuple[str, str] | None] = lambda _game: None
    """game -> what showing the camera's plain picture beside the game is called just now, and hiding it: for what
    people hold under the camera, of which nothing is read. None: there is no use for it now."""
    prompt_with_camera: Callable[[Any, Sequence[str]], str] | None = None
    """As `sentence`, while the camera sees the table; None: the same."""
    default_move: Callable[[Any, Seat], Move | None] = lambda _game, _seat: None
    """game, seat -> what that seat's button usually means; if it is pressed in vain, the rules' refusal of this move
    tells why."""
