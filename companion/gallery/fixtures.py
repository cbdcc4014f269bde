"""Fixtures shared by all modules of the gallery: players, and what the referee adds to a game."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, TypeVar

from companion.api import (
    AnyGameDefinition,
    Command,
    ConsolePress,
    Game,
    IllegalMove,
    Move,
    Offer,
    Seat,
    Visibility,
    registry,
)
from companion.events import SEAT_BUTTONS, Button, ButtonPressed, ButtonReleased
from companion.i18n import _
from companion.journal.entry import GameSetup, describe_for_screen
from companion.journal.known_players import KnownPlayers
from companion.journal.replay import Replay
from companion.lobby import PreGameStage
from companion.referee.button_mapping import build_soft_keys
from companion.referee.dialogs.base import Dialog, LazyStep, ListMenu, QuestionDialog, ask_confirmation
from companion.referee.dialogs.correction_menu import list_editors, open_list
from companion.referee.dialogs.number_inputs import NumberInput
from companion.referee.dialogs.pause_menu import PageCodeDialog, open_pause
from companion.referee.dialogs.players_menu import open_players_menu
from companion.referee.game_stage import HOLD_NOTICE, UNDO, expand_open_move, list_own_offers
from companion.referee.screen_parts import build_game_state
from companion.screen_state import CameraView, RunningClock, ScreenState

GameT = TypeVar("GameT", bound=Game)
SAMPLE_FILES = ("mexican_train", "yacht")
"""Games in files that have samples of all screens around a game: one with points, one with dice."""

PLAYER_NAMES = ("Wilhelmina", "Bo", "Maximilianna", "Ada", "Ferdinand", "Zoë")
"""Long and short names, wide letters, and an accent."""
SEATS = tuple(Seat(i) for i in range(6))
SEAT_LETTERS = "ABCDEF"
"""Players by seat, as the examples in docs/rules call them."""
FOUR_SEAT_BUTTONS = (Button.SEAT2, Button.SEAT3, Button.SEAT5, Button.SEAT6)
"""Buttons of up to four players who did not sit down at the first buttons."""

NEXT_VERSION = "9.1"
"""Of an upgrade that waits for a restart."""
PAGE_ADDRESS = "http://companion.local:8788/sPoR7rJ0y4Vf9cQx2LmWkA/"
"""Address of a page for spectators."""


def parse_move(text: str) -> Move:
    """Parse "KIND SEAT VALUE...": seat (from 0) and values are optional; hyphens in KIND stand for spaces.

    Raises:
        ValueError: `text` is empty, or seat or value is not a whole number.

    >>> parse_move("discover 0 7") == Move("discover", Seat(0), (7,)), parse_move("next-line") == Move("next line")
    (True, True)
    """
    kind, *numbers = text.split()
    seat = Seat(int(numbers[0])) if numbers else None
    return Move(kind.replace("-", " "), seat, tuple(int(n) for n in numbers[1:]))


def play_moves(game: GameT, *moves: str) -> GameT:
    """Return the game after moves in the notation of `parse_move`; each text holds one or several, separated by ", ".

    >>> from companion.api.registry import find_game
    >>> pig = find_game("pig")
    >>> game = pig.create_game(2, Seat(0), pig.settings_model())
    >>> play_moves(game, "throw 0 4", "bank 0").totals
    (4, 0)

    Raises:
        IllegalMove: a move is not legal when its turn comes.
        ValueError: a text is empty or not in that notation.
    """
    for text in ", ".join(moves).split(", ") if moves else ():
        game = game.play(parse_move(text))
    return game


def describe_move(definition: AnyGameDefinition, game: Game, move: Move, names: Sequence[str]) -> str:
    """Return the sentence on a move in `game`, in the current language; `names` are by seat.

    Raises:
        IllegalMove: the move is not legal.
        IndexError: a player of the move has no name.
    """
    return definition.describe(game, move, game.play(move), names)


class ButtonPresser:
    """Presses buttons in a stage before the game, on a simulated clock in seconds."""

    def __init__(self) -> None:
        self.now = 0.0

    def get_time(self) -> float:
        """Return the simulated time in seconds from 0, to be passed to a stage as `monotonic`."""
        return self.now

    def press(self, stage: PreGameStage, *buttons: Button) -> None:
        """Press and release the buttons in `stage`, half a second apart, then let one second pass."""
        for button in buttons:
            self.now += 0.5
            stage.receive(ButtonPressed(button, self.now))
            stage.receive(ButtonReleased(button, self.now + 0.1))
            stage.tick()
        self.now += 1

    def show(self, stage: PreGameStage, *buttons: Button, view: CameraView | None = None) -> ScreenState:
        """Press the buttons (none: leave the stage as it is) and return the screen that follows.

        Args:
            stage: stage that receives the presses.
            buttons: buttons in the order of the presses.
            view: what the camera sees; None: there is no camera.
        """
        if buttons:
            self.press(stage, *buttons)
        return stage.build_screen_state(view or CameraView())


def show_game(
    definition: AnyGameDefinition,
    game: Game,
    names: Sequence[str] = PLAYER_NAMES,
    *,
    buttons: Sequence[Button] = SEAT_BUTTONS,
    visibility: Visibility | None = None,
    seconds_left: float | None = None,
    **fields: Any,
) -> ScreenState:
    """Build the screen of a game as the referee shows it while no dialog is open.

    >>> from companion.api.registry import find_game
    >>> pig = find_game("pig")
    >>> state = show_game(pig, pig.create_game(2, Seat(0), pig.settings_model()), ("Ada", "Bob"))
    >>> [player.name for player in state.players]
    ['Ada', 'Bob']

    Args:
        names, buttons: by seat; more than the game has players are ignored.
        visibility: what the camera sees; None: there is no camera.
        seconds_left: on each clock of the game; None: the full time.
        fields: further fields of `ScreenState`, or others in place of those built here.

    Raises:
        ValueError: there are fewer names or buttons than players.
        TypeError: `ScreenState` has no field of that name.
    """
    count, visibility = game.player_count, visibility or Visibility()
    clocks = tuple(
        RunningClock(
            clock.name, clock.seconds if seconds_left is None else seconds_left, clock.seconds, label=clock.label
        )
        for clock in game.list_clocks()
    )
    offers = (
        *(each for offer in definition.list_offers(game, names, visibility) for each in expand_open_move(offer)),
        *make_referee_offers(paused=bool(clocks), over=game.compute_outcome() is not None),
    )
    state = build_game_state(definition, game, names[:count], buttons[:count], offers, visibility)
    return replace(state, **{"clocks": clocks, **fields})


def make_referee_offers(*, paused: bool = False, over: bool = False) -> tuple[Offer, ...]:
    """Return the referee's own offers.

    Args:
        paused: a clock runs that can be paused.
        over: the game is over.
    """
    undo = Offer(UNDO, ConsolePress.HOLD_NO, _("Hold: undo"))
    return *list_own_offers(has_clocks=paused, is_over=over), undo


def open_dialog(state: ScreenState, dialog: Dialog) -> ScreenState:
    """Return a copy of `state` with the question, menu, entered numbers and keys of `dialog` in place of its own.

    >>> from companion.api.registry import find_game
    >>> from companion.referee.dialogs.base import QuestionDialog
    >>> from companion.screen_state import Question
    >>> pig = find_game("pig")
    >>> state = show_game(pig, pig.create_game(2, Seat(0), pig.settings_model()))
    >>> open_dialog(state, QuestionDialog(Question("Take it back?"), ())).question.title
    'Take it back?'

    The dialog's prompt replaces that of `state` unless it is empty. Keys of `state` that are held (undo) stay.

    Raises:
        IndexError: an offer of the dialog is for a seat without a player.
    """
    undo = tuple(key for key in state.soft_keys if key.is_hold and key.button is Button.NO)
    return replace(
        state,
        prompt=dialog.prompt or state.prompt,
        question=dialog.question,
        menu=dialog.menu,
        entered_numbers=dialog.entered_numbers,
        marked_dice=dialog.marked_dice,
        choices=dialog.choices,
        soft_keys=(*build_soft_keys(dialog.list_offers(), [player.button for player in state.players]), *undo),
    )


def get_hold_notice() -> str:
    """Return the notice of a short press of OK where it is to be held."""
    return _(HOLD_NOTICE)


def make_pause_dialog() -> QuestionDialog:
    """Return the dialog of the stopped clocks: its question and its keys."""
    return open_pause(_("The clocks continue from where they stopped"))


def show_page_code(state: ScreenState) -> tuple[ScreenState, ScreenState]:
    """Return a game that is paused where there is a page for spectators and an upgrade, and the QR code of the page."""
    pause = open_pause(page_address=PAGE_ADDRESS, installed_version=NEXT_VERSION)
    dialog = next(answer.step for answer in pause.answers if isinstance(answer.step, PageCodeDialog))
    return open_dialog(state, pause), replace(open_dialog(state, dialog), result_code=dialog.code)


def show_player_dialogs(state: ScreenState, definition: AnyGameDefinition, game: Game) -> dict[str, ScreenState]:
    """Return the menu of the players, and what it asks who joins and who changes places, by sample name."""
    setup = GameSetup(
        game=definition.name,
        players=tuple(player.name for player in state.players),
        buttons=tuple(player.button for player in state.players),
    )
    menu = open_players_menu(Replay(definition, setup, game), KnownPlayers(PLAYER_NAMES))
    join, _rename, move = (follow_step(step) for _label, step in menu.items)
    assert isinstance(join, QuestionDialog)
    assert isinstance(move, QuestionDialog)
    dialogs = {
        "players": menu,
        "who_joins": join,
        "who_sits": follow_step(join.answers[0].step),
        "where_to": follow_step(move.answers[0].step),
    }
    return {name: open_dialog(state, dialog) for name, dialog in dialogs.items()}


def follow_step(step: LazyStep) -> Dialog:
    """Return the dialog that an answer opens."""
    while callable(step):
        step = step()
    assert isinstance(step, Dialog)
    return step


def make_correction_menu(
    definition: AnyGameDefinition, game: Game, names: Sequence[str], selected: int = 0
) -> ListMenu:
    """Return the menu of everything that can be corrected in `game`.

    Args:
        selected: index of the selected line, from 0; not checked.

    Raises:
        IndexError: there are fewer names than players.
    """
    return open_list([(line, editor) for _what, line, editor in list_editors(definition, game, names)], (), selected)


def list_value_inputs(definition: AnyGameDefinition, game: Game, names: Sequence[str]) -> Sequence[NumberInput]:
    """Return the dialogs that correct a single number of `game`, in the order of the menu; `names` are by seat.

    Raises:
        IndexError: there are fewer names than players.
    """
    return [editor for _what, _line, editor in list_editors(definition, game, names) if isinstance(editor, NumberInput)]


def make_confirmation(offers: Sequence[Offer]) -> Dialog:
    """Return the dialog of the first offer that asks for confirmation.

    Raises:
        StopIteration: no offer does.
        AssertionError: that offer is a command, not a move.
    """
    offer = next(offer for offer in offers if offer.confirm_question)
    assert not isinstance(offer.action, Command), "only the referee's own offers are commands"
    return ask_confirmation(offer.confirm_question, offer.action)


def get_refusal_notice(game: Game, move: Move, names: Sequence[str]) -> str:
    """Return the translated notice that the screen shows after the illegal `move`; `names` are by seat.

    >>> from companion.api.registry import find_game
    >>> pig = find_game("pig")
    >>> game = pig.create_game(2, Seat(0), pig.settings_model())
    >>> "Bob" in get_refusal_notice(game, Move("bank", Seat(1)), ("Ada", "Bob"))
    False

    Raises:
        AssertionError: `move` is legal in `game`.
    """
    try:
        game.play(move)
    except IllegalMove as error:
        return describe_for_screen(error, names)
    raise AssertionError(f"{move} is legal")


def list_sample_games() -> Sequence[str]:
    """Return the names of the games that have samples of all screens around a game: of those in files a few."""
    installed = registry.list_installed_names()
    return (*(game.name for game in registry.load_games() if game.name in installed), *SAMPLE_FILES)
