"""A saved game at the table: what is open now, what may be pressed, what the screen shows, and how the game changes."""

from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import replace
from math import ceil
from pkgutil import resolve_name
from typing import Any

from companion.api import (
    MIN_SHOWN_SECONDS,
    NUMBER_ENTRY,
    AnyGameDefinition,
    BadCorrection,
    Command,
    CommandName,
    ConsolePress,
    IllegalMove,
    Move,
    NumberPress,
    Offer,
    Visibility,
)
from companion.events import Button
from companion.i18n import N_, _, current_language
from companion.journal.entry import JournalUnwritable, describe_for_screen
from companion.journal.saved_game import SavedGame
from companion.referee.base_readings import GameReadings
from companion.referee.button_mapping import find_button
from companion.referee.camera_visibility import CameraVisibility
from companion.referee.clocks import GameClocks
from companion.referee.correction_learning import CorrectionLearner
from companion.referee.dialogs.base import Dialog, QuestionDialog
from companion.referee.dialogs.large_picture import ENLARGE, LIVE, CameraDialog, add_enlarge_offer
from companion.referee.dialogs.name_input import NameInput
from companion.referee.dialogs.pause_menu import PageCodeDialog, StillPlayingDialog, open_pause
from companion.referee.dialogs.result_codes import ResultCodesDialog, list_code_offers
from companion.referee.dialogs.score_sheet import ScoreSheetDialog, list_sheet_offers
from companion.referee.screen_parts import build_game_state, describe_played_move, summarise_ended_game
from companion.referee.services import GameServices
from companion.referee.simulated_rolls import list_overtaken_offers, show_rolling
from companion.referee.stage import Stage
from companion.screen_state import CameraView, HoldProgress, ScreenState

UNDO = Command(CommandName.UNDO)
CORRECT = Command(CommandName.CORRECT)
ERASE = Command(CommandName.ERASE)
HOLD_NOTICE = N_("Hold OK for a second")
"""Shown when OK is pressed where it is to be held."""
CLOCK_MARK_SECONDS = 1.0
"""Seconds between two marks of the running clocks in the journal: what a power cut can take from a clock."""


class OffersCache:
    """Keeps a list of offers until something changes on which it depends.

    A game lists its offers by its rules, which takes long; screen, lamps and presses ask several times a turn.

    >>> kept = OffersCache()
    >>> first = kept.get(1, lambda: [Offer(UNDO, ConsolePress.HOLD_NO, "Hold: undo")])
    >>> kept.get(1, lambda: []) is first, kept.get(2, lambda: [])
    (True, ())
    """

    def __init__(self) -> None:
        self._key: object = None
        self._offers: tuple[Offer, ...] | None = None

    def get(self, key: object, list_offers: Callable[[], Sequence[Offer]]) -> Sequence[Offer]:
        """Return the kept offers, listed again if `key` is not equal to that of the last call."""
        if self._offers is None or key != self._key:
            self._offers, self._key = tuple(list_offers()), key
        return self._offers


def expand_open_move(offer: Offer, *, is_begun: bool = False) -> Sequence[Offer]:
    """Replace an open move on the number keys by one offer for each number; any other offer is returned alone.

    Args:
        offer: one of the game's own offers.
        is_begun: numbers were entered already, which can be erased.
    """
    if offer.input != NUMBER_ENTRY or not isinstance(offer.action, Move) or offer.action.value_range is None:
        return [offer]
    numbers = range(offer.action.value_range.low, offer.action.value_range.high + 1)
    digits = [
        Offer(Command(CommandName.DIGIT, (n,)), NumberPress(n), str(n), offer.awaited, repeats=True) for n in numbers
    ]
    erase = Offer(ERASE, ConsolePress.NO, _("Back"), repeats=True)
    return [*digits, erase] if is_begun else digits


def list_game_offers(saved_game: SavedGame, seen: Visibility, *, is_begun: bool) -> Sequence[Offer]:
    """List the game's own offers, open moves on the number keys as one offer for each number.

    Args:
        seen: what the camera sees now.
        is_begun: numbers of an open move were entered already.

    Raises:
        Exception: a game of another package may raise any error.
    """
    definition: AnyGameDefinition = saved_game.definition
    offers = definition.list_offers(saved_game.game, saved_game.players, seen)
    expanded = [each for offer in offers for each in expand_open_move(offer, is_begun=is_begun)]
    erase = next((offer for offer in expanded if offer.action == ERASE), None)
    # While numbers are entered their button erases them, also if the game uses it.
    return [offer for offer in expanded if erase is None or offer is erase or offer.input != erase.input]


def list_own_offers(*, has_clocks: bool = False, is_over: bool = False) -> Sequence[Offer]:
    """List the offers that the referee adds to those of a game while no dialog is open; undo is not among them.

    Args:
        has_clocks: clocks are running, which MINUS pauses.
        is_over: the game is over: OK plays again, NO goes to the lobby, and MINUS corrects; else MINUS opens the pause
            menu. Without effect if `has_clocks`.
    """
    if has_clocks or not is_over:
        return [Offer(Command(CommandName.PAUSE), ConsolePress.MINUS, _("Pause"))]
    return [
        Offer(
            Command(CommandName.AGAIN), ConsolePress.OK, _("Play again"), awaited=True, shown_seconds=MIN_SHOWN_SECONDS
        ),
        Offer(Command(CommandName.LOBBY), ConsolePress.NO, _("New game"), shown_seconds=MIN_SHOWN_SECONDS),
        Offer(CORRECT, ConsolePress.MINUS, _("Fix error")),
    ]


def list_all_offers(
    saved_game: SavedGame,
    dialog: Dialog | None,
    game_offers: Callable[[], Sequence[Offer]],
    camera: CameraVisibility,
    *,
    has_clocks: bool,
) -> Sequence[Offer]:
    """List everything that may be pressed or done now, an open dialog's answers in place of the game's offers.

    Undo is the last one, if there is something to undo.

    Args:
        dialog: the open dialog; None: there is none.
        game_offers: lists the game's own offers; not called while a dialog is open.
        camera: what the camera sees, and what of its picture may be shown.
        has_clocks: clocks are running.

    Raises:
        Exception: a game of another package may raise any error.
    """
    if dialog is not None:
        offers = [*dialog.list_offers()]
    else:
        is_over = not has_clocks and saved_game.game.compute_outcome() is not None
        offers = [
            *game_offers(),
            *list_own_offers(has_clocks=has_clocks, is_over=is_over),
            *((*list_sheet_offers(saved_game.replay), *list_code_offers()) if is_over else ()),
        ]
        # In the enlarged picture seat buttons choose what to correct: not while a clock waits for them.
        waits = any(clock.on_expiry is not None for clock in saved_game.game.list_clocks())
        offers = add_enlarge_offer(offers, picture_visible=camera.is_picture_public and not waits)
        label = camera.live_label
        if label is not None and all(offer.input is not ConsolePress.PLUS for offer in offers):
            offers.append(Offer(LIVE, ConsolePress.PLUS, label))
    if saved_game.can_undo:
        offers.append(Offer(UNDO, ConsolePress.HOLD_NO, _("Hold: undo")))
    return offers


class GameStage(Stage):
    """State of a saved game at the table; `Referee` handles the events. `exit` is LOBBY, AGAIN or RESTART.

    Args:
        saved_game: the journalled game.
        services: clock, camera and other services of the device.

    Attributes:
        saved_game: the journalled game; it changes with each move.
        services: services of the device.
        readings: turns the camera's readings into moves and questions.
        camera: whether the camera sees dice and tokens now, and what of its picture may be shown.
        dialog: the open dialog; None: there is none.
        entered_numbers: numbers of an open move entered so far on the number keys.
        clocks: the clocks that the game asks for.
        learner: learns faces of dice from corrections.

    Raises:
        Exception: a game of another package may raise any error.
    """

    WITHOUT_CAMERA = N_("The game goes on by buttons.")

    def __init__(self, saved_game: SavedGame, services: GameServices) -> None:
        super().__init__(services.monotonic, saved_game.buttons, saved_game.players)
        self.saved_game, self.services = saved_game, services
        use = saved_game.definition.camera
        self.readings: GameReadings = (resolve_name(use.readings) if use else GameReadings)(saved_game)
        self.camera = CameraVisibility(
            saved_game, has_camera=services.has_camera, is_table_virtual=services.is_table_virtual
        )
        self.learner = CorrectionLearner(services.taught_dice, saved_game, may_learn=services.learns_corrections)
        self.dialog: Dialog | None = None
        self.entered_numbers: tuple[int, ...] = ()
        self._offers_cache, self._game_offers_cache = OffersCache(), OffersCache()
        self.clocks = GameClocks(services.monotonic)
        self._clocks_marked_at = services.monotonic()
        marks = self._read_clock_marks()
        self.clocks.set_clocks(saved_game.game.list_clocks(), marks)
        if marks and self.clocks.list_running():
            self.clocks.pause()
            self.dialog = self.open_pause(_("The clocks continue from where they stopped"))

    def _read_clock_marks(self) -> dict[str, float]:
        try:
            return self.saved_game.journal.read_clock_marks(self.saved_game.id)
        except JournalUnwritable as error:
            self.notice = error.screen_text  # the clocks begin again
            return {}

    @property
    def visibility(self) -> Visibility:
        """Whether the camera sees dice and tokens now; nothing before its first state is received."""
        return self.camera.seen

    def open_pause(self, detail: str = "") -> QuestionDialog:
        """Make the pause menu; `detail`: why the game stands still, empty: somebody wanted it."""
        return open_pause(detail, self.services.page_address, self.installed_version)

    def find_rules(self) -> tuple[AnyGameDefinition, Any]:
        definition = self.saved_game.definition
        return definition, definition.settings_model(**self.saved_game.setup.settings)

    def ask_whether_played(self, minutes: int) -> None:
        """Ask whether the game is still played, over a dialog that is open; it is put away in `minutes` otherwise."""
        if not isinstance(self.dialog, StillPlayingDialog):
            self.dialog = StillPlayingDialog(minutes, self.dialog)

    def offer_restart(self, version: str) -> None:
        """Offer from now on to restart the device into an upgrade, also in a pause menu that is open."""
        dialog = self.dialog
        is_pause = isinstance(dialog, QuestionDialog) and dialog == self.open_pause(dialog.asked.detail)
        super().offer_restart(version)
        if isinstance(dialog, QuestionDialog) and is_pause:
            self.dialog = self.open_pause(dialog.asked.detail)

    # Offers ----------------------------------------------------------------------------------------------------

    def list_offers(self) -> Sequence[Offer]:
        """List everything that may be pressed or done now, an open dialog's answers in place of the game's offers.

        Undo is the last one, if there is something to undo. Changes nothing; the list is kept until something changes
        on which it depends.

        Raises:
            Exception: a game of another package may raise any error.
        """
        has_clocks = bool(self.clocks.list_running())
        return self._offers_cache.get(
            (*self._offers_key, self.dialog, has_clocks, self.camera.is_live_wanted),
            lambda: list_all_offers(
                self.saved_game, self.dialog, self.list_game_offers, self.camera, has_clocks=has_clocks
            ),
        )

    def list_game_offers(self) -> Sequence[Offer]:
        """List the game's own offers, also while a dialog is open; kept as those of `list_offers`.

        Raises:
            Exception: a game of another package may raise any error.
        """
        is_begun = bool(self.entered_numbers)
        return self._game_offers_cache.get(
            self._offers_key, lambda: list_game_offers(self.saved_game, self.camera.seen, is_begun=is_begun)
        )

    @property
    def _offers_key(self) -> tuple[object, ...]:
        """All that the game's offers depend on: each change of the game has a journal entry of its own."""
        return self.saved_game.last_seq, self.camera.seen, bool(self.entered_numbers), current_language()

    def is_overtaken(self, offer: Offer) -> bool:
        """Return whether an offer counts only after the dice that roll now at a simulated table."""
        return self.camera.seen.is_table_virtual and offer in list_overtaken_offers(self.list_game_offers())

    # Screen ----------------------------------------------------------------------------------------------------

    def build_screen_state(self, camera_view: CameraView) -> ScreenState:
        """Build the screen of the game with its open dialog; changes nothing in the game.

        Raises:
            Exception: a game of another package may raise any error.
        """
        saved_game, dialog, offers = self.saved_game, self.dialog, self.list_lit_offers()
        warning = self.notice or self.describe_problem()
        late_chance = None if warning else self.describe_late_chance()
        ended = saved_game.game.compute_outcome() is not None
        details, rounds = (
            summarise_ended_game(saved_game, saved_game.last_seq, current_language()) if ended else ((), ())
        )
        state = build_game_state(
            saved_game.definition, saved_game.game, self._names, self._buttons, offers, self.camera.seen
        )
        state = replace(
            state,
            title=saved_game.definition.format_title(saved_game.setup.settings),
            prompt=(dialog.prompt if dialog else "") or state.prompt,
            question=dialog.question if dialog else None,
            asks_for_text=isinstance(dialog, NameInput),
            menu=dialog.menu if dialog else None,
            notice=warning or late_chance,
            notice_warns=late_chance is None,
            last_move=saved_game.last_move_text,
            played=describe_played_move(saved_game, saved_game.last_seq, current_language(), self.camera.seen),
            pressed_buttons=self.press_feedback.recent_presses(),
            hold=self._find_hold(),
            clocks=tuple(replace(clock, seconds_left=ceil(clock.seconds_left)) for clock in self.clocks.list_running()),
            camera_view=self.camera.choose_view(camera_view),
            details=details,
            round_points=rounds,
            score_sheet=dialog.sheet if isinstance(dialog, ScoreSheetDialog) else None,
            result_code=dialog.code if isinstance(dialog, ResultCodesDialog | PageCodeDialog) else None,
            die_picture=self.readings.die_picture,
            entered_numbers=dialog.entered_numbers if dialog else self.entered_numbers,
            marked_dice=dialog.marked_dice if dialog else (),
            choices=dialog.choices if dialog else (),
            enlarged=dialog.enlarged if isinstance(dialog, CameraDialog) else None,
            shows_live_picture=self.camera.is_live_shown,
            enlarge_button=self._find_enlarge_button(offers),
        )
        return show_rolling(state, self.list_game_offers())

    def _find_enlarge_button(self, offers: Sequence[Offer]) -> Button | None:
        """Find what a touch on the picture presses: what enlarges it, or closes it."""
        if isinstance(self.dialog, CameraDialog):
            return Button.NO
        enlarge = next((offer.input for offer in offers if offer.action in (ENLARGE, LIVE)), None)
        return None if enlarge is None else find_button(enlarge, self._buttons)

    @abstractmethod
    def _find_hold(self) -> HoldProgress | None:
        """Find the button that is held and will do something; None: there is none."""

    # Changes ---------------------------------------------------------------------------------------------------

    def describe_late_chance(self) -> str | None:
        """Say which press still counts although the game went on; None: there is no such press."""
        return None

    def change_game(
        self, change: Callable[[], str | None], message: str = "{what}", *, goes_back: bool = False
    ) -> None:
        """Change the game. A change that cannot be journalled has not happened, and the screen says why.

        Args:
            change: changes the saved game; returns what was undone or played again, None: something new happened.
            message: the notice about what `change` returned.
            goes_back: clocks go on from where they stood, as always where something was undone or played again.
        """
        by_position = isinstance(self.dialog, CameraDialog)
        was_over = self.saved_game.game.compute_outcome() is not None
        self.dialog, self.entered_numbers = None, ()
        try:
            undone = change()
            self._buttons, self._names = self.saved_game.buttons, self.saved_game.players
            self.clocks.set_clocks(self.saved_game.game.list_clocks(), after_undo=goes_back or undone is not None)
            self.mark_clocks(at_once=True)
            if not was_over and self.saved_game.game.compute_outcome() is not None:
                self.press_guard.note_new_screen(self._monotonic())
        except (IllegalMove, BadCorrection, JournalUnwritable) as error:
            self.notice = describe_for_screen(error, self._names)
        else:
            self.notice = _(message, what=undone) if undone else None
            learned = self.learner.follow_change(self.readings.find_thrown_values, by_position=by_position)
            self.notice = learned or self.notice

    def play_move(self, move: Move) -> None:
        """Play a move; the value of an open one is the time of a clock, in tenths of a second."""
        filled = self.fill_time(move)
        kind = self.saved_game.game.get_move_kind(move.kind)
        self.change_game(lambda: self.saved_game.play_move(filled), goes_back=kind.goes_back)

    def fill_time(self, move: Move) -> Move:
        """Return an open move with the time of its clock as value, in tenths of a second; others as they are."""
        limits, name = move.value_range, self.find_timed_clock(move)
        if limits is None or not name:
            return move
        tenths = round(self.clocks.counted_seconds().get(name, 0.0) * 10)
        return move.fill(min(limits.high, max(limits.low, tenths)))

    def find_timed_clock(self, move: Move) -> str:
        """Return the name of the clock whose time is the value of an open move; empty: there is none."""
        if move.value_range is None:
            return ""
        return self.saved_game.definition.get_timed_clock(self.saved_game.game, move)

    def mark_clocks(self, *, at_once: bool = False) -> None:
        """Store the times of the running clocks every `CLOCK_MARK_SECONDS`; `notice` says if that fails."""
        now = self._monotonic()
        if not at_once and (not self.clocks.list_running() or now - self._clocks_marked_at < CLOCK_MARK_SECONDS):
            return
        self._clocks_marked_at = now
        try:
            self.saved_game.journal.save_clock_marks(self.saved_game.id, self.clocks.counted_seconds())
        except JournalUnwritable as error:
            self.notice = error.screen_text  # the clocks go on; a power cut now would cost them what was not marked
