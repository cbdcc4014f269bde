"""The referee: events in, moves out.

It handles events in the order of their time stamps, matches presses and readings to offers, asks where a reading is
uncertain, runs the clocks that the game asks for, and has each move journalled before anyone sees its effect. A press
is acknowledged at once; its effect is shown when it is safe.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import ceil
from pkgutil import resolve_name
from random import Random

from companion.api import (
    NUMBER_ENTRY,
    BadCorrection,
    Command,
    CommandName,
    ConsolePress,
    Correction,
    IllegalMove,
    Move,
    NumberPress,
    Offer,
    Seat,
    ValueRange,
    Visibility,
)
from companion.config.settings import ResultCodeKind
from companion.config.taught_dice import TaughtDice
from companion.events import (
    Button,
    ButtonPressed,
    ButtonReleased,
    CameraState,
    CameraStateChanged,
    DiceRead,
    Event,
    PressTie,
)
from companion.games.game_file.dice.dialogs import open_dice_choice
from companion.i18n import N_, Translator, current_language
from companion.journal.errors import JournalUnwritable, describe_for_screen
from companion.journal.replay import SavedGame
from companion.referee.button_mapping import find_button, find_hold_offer, find_offer
from companion.referee.clocks import GameClocks
from companion.referee.correction_learning import CorrectionLearner
from companion.referee.dialogs.amount_input import AmountInput
from companion.referee.dialogs.base import Dialog, QuestionDialog, Step, ask_confirmation
from companion.referee.dialogs.camera_view import (
    ENLARGE,
    LIVE,
    CameraDialog,
    add_enlarge_offer,
    hide_reading,
    open_camera_dialog,
)
from companion.referee.dialogs.correction_menu import open_correction_menu
from companion.referee.dialogs.inputs import open_values_input
from companion.referee.dialogs.menus import NUMBER_KEYS
from companion.referee.dialogs.pause import PageCodeDialog, open_pause
from companion.referee.dialogs.result_codes import ResultCodesDialog, list_code_offers, open_result_codes
from companion.referee.dialogs.score_sheet import ScoreSheetDialog, list_sheet_offers, open_score_sheet
from companion.referee.press_filter import HOLD_SECONDS
from companion.referee.press_order import TieMessage, shuffle_ties
from companion.referee.readings import GameReadings
from companion.referee.screen import NO_CAMERA_VIEW, build_game_state, hide_picture, summarise_ended_game
from companion.referee.stage import Stage, is_held_step
from companion.screen_state import CameraView, HoldProgress, ScreenState

_ = Translator("companion")

SEEING_STATES = frozenset({CameraState.STEADY, CameraState.ROLLING, CameraState.HAND, CameraState.UNSURE})
"""States in which the camera can be relied on to see the next throw."""
CLOCK_MARK_SECONDS = 1.0
"""Seconds between two marks of the running clocks in the journal: what a power cut can take from a clock."""
HOLD_NOTICE = N_("Hold OK to end it for all")
"""Shown when OK is pressed where it is to be held."""
UNDO = Command(CommandName.UNDO)
CORRECT = Command(CommandName.CORRECT)


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
    erase = Offer(Command(CommandName.ERASE), ConsolePress.NO, _("Back"), repeats=True)
    return [*digits, erase] if is_begun else digits


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
        Offer(Command(CommandName.AGAIN), ConsolePress.OK, _("Play again"), awaited=True),
        Offer(Command(CommandName.LOBBY), ConsolePress.NO, _("New game")),
        Offer(CORRECT, ConsolePress.MINUS, _("Fix error")),
    ]


def _fits_number_keys(values: ValueRange) -> bool:
    return 1 <= values.low <= values.high <= NUMBER_KEYS


class Referee(Stage):
    """Runs one saved game; `exit` is LOBBY or AGAIN. All calls come from the main loop's thread.

    Args:
        saved_game: the journalled game.
        monotonic: the host's monotonic clock, in seconds; events are stamped by the same clock.
        rng: draws lots among presses that cannot be put in order; None: a new generator.
        has_camera: there is a camera, whether or not it works now.
        code_kind: form of the result's QR code that is shown first.
        start_film: begins to write the film of the game of that number onto a USB stick, and reports about it itself;
            None: no films are made.
        page_address: of the spectators' page, for its QR code in the pause menu; empty: there is none.
        installed_version: an upgrade of the device that starts with its next restart; empty: there is none.
        taught_dice: stores the faces of dice that players correct; None: they are not stored.
        learns_corrections: corrections of dice teach the camera these dice.

    Attributes:
        saved_game: the journalled game; it changes with each move.
        readings: turns the camera's readings into moves and questions.
        visibility: whether the camera sees dice and tokens now; nothing before its first state is received.
        dialog: the open dialog; None: there is none.
        entered_numbers: numbers of an open move entered so far on the number keys.
        clocks: the clocks that the game asks for.

    Raises:
        JournalUnwritable: the journal cannot be read.
        InvalidSavedGame: the journal does not contain the game.
        Exception: a game of another package may raise any error.
    """

    WITHOUT_CAMERA = N_("The game goes on by buttons.")

    def __init__(
        self,
        saved_game: SavedGame,
        monotonic: Callable[[], float],
        rng: Random | None = None,
        *,
        has_camera: bool = True,
        code_kind: ResultCodeKind = "bg_stats",
        start_film: Callable[[int], None] | None = None,
        page_address: str = "",
        installed_version: str = "",
        taught_dice: TaughtDice | None = None,
        learns_corrections: bool = False,
    ) -> None:
        super().__init__(monotonic, saved_game.setup.buttons, saved_game.setup.players)
        self.saved_game = saved_game
        self._camera_use = saved_game.definition.camera
        make_readings = resolve_name(self._camera_use.readings) if self._camera_use else GameReadings
        self.readings: GameReadings = make_readings(saved_game)
        self._learner = CorrectionLearner(taught_dice or TaughtDice(), saved_game, may_learn=learns_corrections)
        self._rng = rng or Random()
        self._tie_message = TieMessage(self._buttons, self._names)
        self.visibility = Visibility()
        self._has_camera = has_camera
        self._code_kind = code_kind
        self._start_film = start_film
        self._page_address, self.installed_version = page_address, installed_version
        self._wants_live_picture = False
        """The players want the camera's plain picture beside the game; it is shown while the game has a use for it."""
        self.dialog: Dialog | None = None
        self._deferred_offers: dict[Button, Offer | None] = {}
        """By seat button that is down and also may be held: the offer of pressing it, which counts when it comes up."""
        self._held_offer: Offer | None = None
        """The offer of OK held that stood there when OK was pressed last; None: there was none."""
        self.entered_numbers: tuple[int, ...] = ()
        self.clocks = GameClocks(monotonic)
        self._waiting_readings: list[Event] = []
        self._clocks_marked_at = monotonic()
        marks = saved_game.journal.read_clock_marks(saved_game.id)
        self.clocks.set_clocks(saved_game.game.list_clocks(), marks)
        if marks and self.clocks.list_running():
            self.clocks.pause()
            self.dialog = open_pause(_("The clocks continue from where they stopped"), page_address, installed_version)

    def offer_restart(self, version: str) -> None:
        """Offer from now on to restart the device into an upgrade, also in a pause menu that is open.

        Args:
            version: the upgrade's version; empty: there is none.
        """
        if isinstance(self.dialog, QuestionDialog):
            detail = self.dialog.asked.detail
            if self.dialog == open_pause(detail, self._page_address, self.installed_version):
                self.dialog = open_pause(detail, self._page_address, version)
        super().offer_restart(version)

    # Offers ----------------------------------------------------------------------------------------------------

    def list_offers(self) -> Sequence[Offer]:
        """List everything that may be pressed or done now, an open dialog's answers in place of the game's offers.

        Undo is the last one, if there is something to undo. Changes nothing.

        Raises:
            Exception: a game of another package may raise any error.
        """
        if self.dialog is not None:
            offers = [*self.dialog.list_offers()]
        else:
            has_clocks = bool(self.clocks.list_running())
            is_over = not has_clocks and self.saved_game.game.compute_outcome() is not None
            offers = [
                *self._list_game_offers(),
                *list_own_offers(has_clocks=has_clocks, is_over=is_over),
                *((*list_sheet_offers(self.saved_game.replay), *list_code_offers()) if is_over else ()),
            ]
            # In the enlarged picture seat buttons choose what to correct: not while a clock waits for them.
            waits = any(clock.on_expiry is not None for clock in self.saved_game.game.list_clocks())
            offers = add_enlarge_offer(offers, picture_visible=self._is_picture_visible and not waits)
            labels = self._live_picture_labels
            if labels is not None and all(offer.input is not ConsolePress.PLUS for offer in offers):
                offers.append(Offer(LIVE, ConsolePress.PLUS, labels[self._wants_live_picture]))
        if self.saved_game.can_undo:
            offers.append(Offer(UNDO, ConsolePress.HOLD_NO, _("Hold: undo")))
        return offers

    def _list_game_offers(self) -> Sequence[Offer]:
        saved_game = self.saved_game
        offers = saved_game.definition.list_offers(saved_game.game, self._names, self.visibility)
        is_begun = bool(self.entered_numbers)
        expanded = [each for offer in offers for each in expand_open_move(offer, is_begun=is_begun)]
        erase = next((offer for offer in expanded if offer.action == Command(CommandName.ERASE)), None)
        # While numbers are entered their button erases them, whatever the game has it for.
        return [offer for offer in expanded if erase is None or offer is erase or offer.input != erase.input]

    # Screen ----------------------------------------------------------------------------------------------------

    def build_screen_state(self, camera_view: CameraView) -> ScreenState:
        """Build the screen of the game with its open dialog; changes nothing in the game.

        Args:
            camera_view: the camera's state, its latest picture and what it read there; hidden if the game keeps it
                secret.

        Raises:
            Exception: a game of another package may raise any error.
        """
        saved_game, dialog, offers = self.saved_game, self.dialog, self.list_offers()
        ended = saved_game.game.compute_outcome() is not None
        details, rounds = (
            summarise_ended_game(saved_game, saved_game.last_seq, current_language()) if ended else ((), ())
        )
        state = build_game_state(
            saved_game.definition, saved_game.game, self._names, self._buttons, offers, self.visibility
        )
        return replace(
            state,
            title=saved_game.definition.format_title(saved_game.setup.settings),
            prompt=(dialog.prompt if dialog else "") or state.prompt,
            question=dialog.question if dialog else None,
            menu=dialog.menu if dialog else None,
            notice=self.notice or self.describe_problem(),
            last_move=saved_game.last_move_text,
            pressed_buttons=self.press_feedback.recent_presses(),
            hold=self._find_hold(),
            clocks=tuple(replace(clock, seconds_left=ceil(clock.seconds_left)) for clock in self.clocks.list_running()),
            camera_view=self._choose_camera_view(camera_view),
            details=details,
            round_points=rounds,
            score_sheet=dialog.sheet if isinstance(dialog, ScoreSheetDialog) else None,
            result_code=dialog.code if isinstance(dialog, ResultCodesDialog | PageCodeDialog) else None,
            die_picture=self.readings.die_picture,
            entered_numbers=dialog.entered_numbers if dialog else self.entered_numbers,
            marked_dice=dialog.marked_dice if dialog else (),
            choices=dialog.choices if dialog else (),
            enlarged=dialog.enlarged if isinstance(dialog, CameraDialog) else None,
            shows_live_picture=self._is_live_picture_shown,
            enlarge_button=self._find_enlarge_button(offers),
        )

    @property
    def _is_picture_visible(self) -> bool:
        """Whether there is a picture of the table that everybody may see."""
        return self._camera_use is not None and self.visibility.dice and not self._is_picture_secret

    @property
    def _is_picture_secret(self) -> bool:
        """Whether the camera's picture would give something away now. (An open menu hides the game's offers.)"""
        return self.saved_game.definition.hides_picture(self.saved_game.game)

    @property
    def _live_picture_labels(self) -> tuple[str, str] | None:
        """Labels of what shows the live picture, and hides it; None: there is no use for it now."""
        is_possible = self._has_camera and not self._is_picture_secret
        return self.saved_game.definition.get_live_picture_labels(self.saved_game.game) if is_possible else None

    @property
    def _is_live_picture_shown(self) -> bool:
        return self._wants_live_picture and self._live_picture_labels is not None

    def _choose_camera_view(self, camera_view: CameraView) -> CameraView:
        if self._is_picture_secret:
            return hide_picture(camera_view.state)
        if self._is_live_picture_shown:
            return hide_reading(camera_view)
        return camera_view if self._camera_use else NO_CAMERA_VIEW

    def _find_enlarge_button(self, offers: Sequence[Offer]) -> Button | None:
        """Find what a touch on the picture presses: what enlarges it, or closes it."""
        if isinstance(self.dialog, CameraDialog):
            return Button.NO
        enlarge = next((offer.input for offer in offers if offer.action in (ENLARGE, LIVE)), None)
        return None if enlarge is None else find_button(enlarge, self._buttons)

    # Events ----------------------------------------------------------------------------------------------------

    def tick(self) -> None:
        """Handle the queued events in order, and the buttons held long enough; play the moves of expired clocks.

        A move that is not legal, or that cannot be journalled, is not played: `notice` says why, and nothing is raised.
        The stored times of the running clocks are renewed every `CLOCK_MARK_SECONDS`; `notice` says if that fails.

        Raises:
            ValueError: dice were read with a value that the game does not have (not 1 to 6).
            Exception: a game of another package may raise any error.
        """
        for event in shuffle_ties(self._take_due_events(), self._rng):
            self._handle_event(event)
        for button in (Button.NO, Button.OK, *self._deferred_offers):
            if self.press_feedback.take_hold(button):
                self._handle_hold(button)
        self._repeat_held_steps()
        for clock in self.clocks.take_expired():
            if clock.on_expiry is not None:
                self._apply(clock.on_expiry)
            else:
                self.notice = _("Time is up")
        self._mark_clocks()

    def _handle_event(self, event: Event) -> None:
        match event:
            case PressTie():
                self._tie_message.begin_tie(event)
            # NO held is undo, so NO itself counts when it is released.
            case ButtonPressed(button=button, at=at) if self.exit is None and button is not Button.NO:
                offers = self.list_offers()
                if find_hold_offer(offers, button, self._buttons) is None:
                    self._handle_press(button, at)
                else:
                    self._deferred_offers[button] = find_offer(offers, button, self._buttons)
            case ButtonReleased(button=button, at=at):
                seconds = self.press_feedback.note_release(button, at)
                is_deferred = button in self._deferred_offers
                if seconds is not None and seconds >= HOLD_SECONDS:
                    self._handle_hold(button)  # press and release came in the same turn of the loop
                elif seconds is not None and (button is Button.NO or self._is_still_offered(button)):
                    self._handle_press(button, at)
                if is_deferred:
                    self._deferred_offers.pop(button, None)
            case CameraStateChanged(state=state, lid_known=lid_known):
                can_see = state in SEEING_STATES
                self.visibility = Visibility(dice=can_see, tokens=can_see and lid_known)
                if not can_see:
                    self._learner.note_reading(None)  # the dice may be thrown again unseen
            case _ if self._camera_use and isinstance(event, self._camera_use.events):
                self._handle_reading(event)

    def _is_still_offered(self, button: Button) -> bool:
        """Return whether a seat button that came up still means what it meant when it went down."""
        offer = self._deferred_offers.get(button)
        return offer is not None and find_offer(self.list_offers(), button, self._buttons) == offer

    def _handle_press(self, button: Button, at: float) -> None:
        dialog = self.dialog
        offers = self.list_offers()
        offer = find_offer(offers, button, self._buttons)
        needs_hold = offer is not None and offer.input is ConsolePress.HOLD_OK
        if button is Button.OK:
            self._held_offer = offer if needs_hold else None
        tie_message = self._tie_message.message_for_press(button, at, offers, self.double_press_guard)
        if not self.double_press_guard.accept_press(button, at, None if needs_hold else offer):
            return
        if offer is None:
            self._explain_refusal(button)
            self.notice = tie_message or self.notice
            return
        if needs_hold:
            self.notice = _(HOLD_NOTICE)
            return
        self.notice = None
        if is_held_step(offer):
            self.press_feedback.begin_repeat(button)
        action = offer.action
        if isinstance(action, Command) and dialog is not None:
            self._apply(dialog.handle(action))
        elif offer.confirm_question:
            self._apply(ask_confirmation(offer.confirm_question, action))
        else:
            self._take_up(offer)
        self.notice = self.notice or tie_message

    def _handle_hold(self, button: Button) -> None:
        """Do what a held button does: NO undoes; OK takes its offer, if that stood there when it was pressed.

        So does a seat button that may be held.
        """
        if self._is_still_offered(button):
            held = find_hold_offer(self.list_offers(), button, self._buttons)
            if held is not None and self.exit is None:
                self.notice = None
                self._take_up(held)
        if button not in (Button.NO, Button.OK):
            return
        offer, self._held_offer = self._held_offer, None
        if button is Button.NO:
            self._apply(UNDO)
        elif offer is not None and offer in self.list_offers():
            self._apply(offer.action)

    def _find_hold(self) -> HoldProgress | None:
        """Find the button that is held and will do something: NO undoes or closes the dialog, OK takes its offer."""
        if self.exit is not None:
            return None
        if (share := self.press_feedback.measure_hold(Button.NO)) and (self.saved_game.can_undo or self.dialog):
            return HoldProgress(Button.NO, share)
        if (share := self.press_feedback.measure_hold(Button.OK)) and self._held_offer in self.list_offers():
            return HoldProgress(Button.OK, share)
        for button in self._deferred_offers:
            if (share := self.press_feedback.measure_hold(button)) and self._is_still_offered(button):
                return HoldProgress(button, share)
        return None

    def _take_up(self, offer: Offer) -> None:
        """Do what an offer says; the value of an open move is entered first, unless a clock has it."""
        action = offer.action
        if not isinstance(action, Move) or action.value_range is None or self._find_timed_clock(action):
            self._apply(action)
        elif action.value_range.count == 1 and action.seat is not None and not _fits_number_keys(action.value_range):
            definition, game = self.saved_game.definition, self.saved_game.game
            title = definition.format_input_title(game, action, self._names) or self._names[action.seat]
            self._apply(AmountInput(title, action))
        else:
            self._apply(open_values_input(offer.label, action))

    def _find_timed_clock(self, move: Move) -> str:
        return self.saved_game.definition.get_timed_clock(self.saved_game.game, move)

    def _fill_in_time(self, move: Move) -> Move:
        """Complete an open move whose value is the time of a clock, in tenths of a second; others stay as they are."""
        limits = move.value_range
        name = self._find_timed_clock(move) if limits is not None else ""
        if limits is None or not name:
            return move
        tenths = round(self.clocks.counted_seconds().get(name, 0.0) * 10)
        return move.fill(min(limits.high, max(limits.low, tenths)))

    def _explain_refusal(self, button: Button) -> None:
        """Show why a press of a number key, or of a player's own button, did nothing.

        A seat without a player, or a console button, does nothing. In a dialog only numbers that stand for moves are
        explained.
        """
        saved_game, number = self.saved_game, button.seat_number
        definition = saved_game.definition
        move = None
        if number is not None and any(
            isinstance(offer.input, NumberPress) and isinstance(offer.action, Move | Correction)
            for offer in self.list_offers()
        ):
            move = definition.get_number_move(saved_game.game, number)
        if move is None and self.dialog is None and button in self._buttons:
            move = definition.get_default_move(saved_game.game, Seat(self._buttons.index(button)))
        if move is not None:
            try:
                saved_game.game.play(move)
            except IllegalMove as error:
                self.notice = describe_for_screen(error, self._names)

    def _handle_reading(self, event: Event) -> None:
        """Play the move of a certain reading; ask about an uncertain one."""
        dialog = self.dialog
        is_answer = self.readings.is_answer(event, dialog)
        if is_answer or (isinstance(dialog, CameraDialog) and not dialog.is_changed):
            self.dialog = None  # the players watch the picture while the game goes on
        if self.dialog is not None:
            self._waiting_readings.append(event)  # the players use a menu: the table is read on when they are done
            self._learner.note_reading(None)  # what they enter may be these dice, or those before
            return
        result = self.readings.handle(event, self._list_game_offers(), is_answer=is_answer)
        if isinstance(event, DiceRead):
            self._learner.note_reading(event if result.step is not None else None)
        if result.read_again:
            self._waiting_readings.append(event)  # until what is missing is entered
        if result.step is not None:
            self._apply(result.step)
        self.notice = result.notice or self.notice

    # Actions ---------------------------------------------------------------------------------------------------

    def _apply(self, step: Step) -> None:
        match step:
            case Move():
                self._change_game(lambda: self.saved_game.play_move(self._fill_in_time(step)))
            case Correction():
                self._change_game(lambda: self.saved_game.correct(step))
            case Command():
                self._execute(step)
            case _:
                self.dialog = step
                if step is None:
                    self._learner.note_reading(None)  # no answer: the dice may be thrown again
        if self.dialog is None and self.clocks.paused:
            if self.clocks.list_running():
                self.dialog = open_pause(_("The clocks are stopped"), self._page_address, self.installed_version)
            else:
                self.clocks.resume()  # a correction has ended what they were running for
        if self.dialog is None:
            waiting, self._waiting_readings = self._waiting_readings, []
            for event in waiting:
                self._handle_reading(event)

    def _change_game(self, change: Callable[[], str | None], message: str = "{what}") -> None:
        """Change the game. A change that cannot be journalled has not happened, and the screen says why."""
        by_position = isinstance(self.dialog, CameraDialog)
        self.dialog, self.entered_numbers = None, ()
        try:
            undone = change()
            self.clocks.set_clocks(self.saved_game.game.list_clocks(), after_undo=undone is not None)
            self._mark_clocks(at_once=True)
        except (IllegalMove, BadCorrection, JournalUnwritable) as error:
            self.notice = describe_for_screen(error, self._names)
        else:
            self.notice = _(message, what=undone) if undone else None
            learned = self._learner.follow_change(self.readings.find_thrown_values, by_position=by_position)
            self.notice = learned or self.notice

    def _execute(self, command: Command) -> None:
        saved_game = self.saved_game
        match command.name:
            case CommandName.UNDO if saved_game.can_undo:
                self._change_game(saved_game.undo, N_("Undone: {what}"))
            case CommandName.UNDO:
                self.dialog = None
            case CommandName.REDO:
                self._change_game(saved_game.redo, N_("Redone: {what}"))
            case CommandName.PAUSE if self.clocks.list_running():
                self.clocks.pause()  # `_apply` opens the message
            case CommandName.PAUSE:
                self.dialog = open_pause("", self._page_address, self.installed_version)
            case CommandName.CONTINUE:
                self.clocks.resume()
                self.dialog = None
            case CommandName.CORRECT:
                offers, visible = self._list_game_offers(), self._is_picture_visible
                self.dialog = open_correction_menu(saved_game, offers, picture_visible=visible)
                if self.dialog is None:
                    self.notice = _("Nothing can be corrected yet")
            case CommandName.SCORE_SHEET | CommandName.DICE_LUCK:
                self.dialog = open_score_sheet(saved_game.replay, command)
            case CommandName.RESULT_CODE:
                journal = saved_game.journal
                record = journal.get_game(saved_game.id)
                self.dialog = open_result_codes(
                    record,
                    saved_game.replay,
                    journal.clock,
                    self._code_kind,
                    offers_film=self._start_film is not None,
                )
            case CommandName.FILM if self._start_film is not None:
                self.dialog = None
                self._start_film(saved_game.id)
            case CommandName.MARK_DIE | CommandName.BOXES:
                self.dialog = open_dice_choice(saved_game.game, self._names, command)
            case CommandName.PICTURE:
                self.dialog = open_camera_dialog(saved_game.game, self.readings.last_window)
            case CommandName.LIVE_PICTURE:
                self._wants_live_picture = not self._wants_live_picture
            case CommandName.DIGIT:
                self._enter_number(*command.value)
            case CommandName.ERASE:
                self.entered_numbers = self.entered_numbers[:-1]
            case CommandName.SET_ASIDE:
                self._change_game(saved_game.set_aside)
                self.exit = Command(CommandName.LOBBY)
            case CommandName.AGAIN | CommandName.LOBBY | CommandName.RESTART:
                self.dialog, self.exit = None, command
            case _:
                self._apply(self.readings.handle_command(command))

    def _enter_number(self, digit: int) -> None:
        """Enter a number of the open move that is on the number keys; the last one plays it."""
        move = next(m for m in self.saved_game.game.list_moves() if m.value_range is not None)
        assert move.value_range is not None
        self.entered_numbers = (*self.entered_numbers, digit)
        if len(self.entered_numbers) == move.value_range.count:
            self._apply(move.fill(*self.entered_numbers))

    def _mark_clocks(self, *, at_once: bool = False) -> None:
        now = self._monotonic()
        if not at_once and (not self.clocks.list_running() or now - self._clocks_marked_at < CLOCK_MARK_SECONDS):
            return
        self._clocks_marked_at = now
        try:
            self.saved_game.journal.save_clock_marks(self.saved_game.id, self.clocks.counted_seconds())
        except JournalUnwritable as error:
            self.notice = error.screen_text  # the clocks go on; a power cut now would cost them what was not marked
