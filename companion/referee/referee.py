"""The referee: signals in, moves out.

It takes signals in the order of their own stamps, matches presses and readings to offers, asks where a reading is
not sure, keeps the clocks that the game asks for, and has each move journalled before anyone sees its effect. That a
press was heard is shown at once; what it did is shown when it is safe.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random

from companion.events import (
    Button,
    ButtonPressed,
    ButtonReleased,
    CameraState,
    CameraStateChanged,
    CupLifted,
    CupPlaced,
    DeviceLost,
    DeviceRestored,
    DiceRead,
    DieShown,
    Event,
    LampState,
    LidCovered,
    PressTie,
    TokenPlaced,
    TokenTaken,
)
from companion.games.api.game import BadCorrection, Correction, IllegalMove, Move, Seat
from companion.games.api.offers import NUMBER_ENTRY, Command, ConsolePress, NumberPress, Offer, TableAction, Visibility
from companion.i18n import N_, Translator
from companion.journal.errors import JournalUnwritable
from companion.journal.replay import SavedGame, UndoResult
from companion.referee.buttons import find_offer, map_lamps
from companion.referee.clocks import GameClocks
from companion.referee.dialogs.base import (
    AgreementDialog,
    Dialog,
    DigitsInput,
    PauseDialog,
    QuestionDialog,
    Step,
    ask_confirmation,
)
from companion.referee.dialogs.camera_view import (
    CameraDialog,
    LivePicture,
    add_enlarge_offer,
    is_picture_visible,
    open_camera_dialog,
)
from companion.referee.dialogs.correction_menu import open_correction_menu
from companion.referee.dialogs.score_sheet import SCORE_SHEET, list_sheet_offers, open_score_sheet
from companion.referee.macroscope_readings import (
    ask_returned_token,
    ask_unexpected_token,
    ask_unread_token,
    ask_which_token,
    handle_dice,
)
from companion.referee.memo_dice_readings import CupRowReader, CupRowReading
from companion.referee.refusal_text import format_refusal
from companion.referee.screen import build_screen_state
from companion.referee.stage import Stage
from companion.referee.tie_break import TieMessage, shuffle_ties
from companion.screen_state import CameraView, ScreenState
from companion.vision.reading import MIN_PLAY_CONFIDENCE

_ = Translator("companion")

TableReading = DiceRead | TokenTaken | TokenPlaced | LidCovered | CupRowReading
"""What the camera tells of the table."""
SEEING_STATES = frozenset({CameraState.STEADY, CameraState.ROLLING, CameraState.HAND, CameraState.UNSURE})
"""States in which the camera can be relied on to see the next throw."""
REACTION_SECONDS = 0.4
"""Seconds within which nobody can have read a question: a press is still meant as it was before."""
CLOCK_MARK_SECONDS = 1.0
"""Seconds between two marks of the running clocks in the journal: what a power cut can take from a clock."""


class Referee(Stage):
    """One sitting in play.

    Args:
        sitting: the journalled game.
        monotonic: the host's monotonic clock, in seconds; signals are stamped by the same clock.
        rng: draws lots among presses that cannot be put in order.
    """

    WITHOUT_CAMERA = N_("The game goes on by buttons.")

    def __init__(self, saved_game: SavedGame, monotonic: Callable[[], float], rng: Random | None = None) -> None:
        super().__init__(monotonic)
        self.saved_game = saved_game
        self.cup_row_reader = CupRowReader(saved_game)
        self._rng = rng or Random()
        self._tie_message = TieMessage(saved_game.setup.buttons, saved_game.setup.players)
        self.visibility = Visibility()
        self.live_picture = LivePicture(saved_game)
        self.dialog: Dialog | None = None
        self.entered_numbers: tuple[int, ...] = ()
        self.notice: str | None = None
        self.exit: str | None = None
        """Set when people leave this sitting: "lobby" or "again"."""
        self.clocks = GameClocks(monotonic)
        self._monotonic = monotonic
        self._waiting_readings: list[TableReading] = []
        self._cup_row_notice = ""
        self._last_opened_window: int | None = None
        self._clocks_marked_at = monotonic()
        marks = saved_game.journal.read_clock_marks(saved_game.id)
        self.clocks.restore_marks(marks)
        self.clocks.set_clocks(saved_game.game.list_clocks())
        if marks and self.clocks.list_running():
            self.clocks.pause()
            self.dialog = PauseDialog(_("The clocks go on from where they stood"))

    # What is open now ------------------------------------------------------------------------------------------

    def list_offers(self) -> Sequence[Offer]:
        """The one list: what may be pressed or done now, in which words."""
        seen = is_picture_visible(self.saved_game, self.visibility)
        at_play = self.live_picture.add_offer(
            add_enlarge_offer([*self._list_game_offers(), *self._list_own_offers()], picture_visible=seen)
        )
        offers = [*self.dialog.list_offers()] if self.dialog else at_play
        if self.saved_game.can_undo:
            offers.append(Offer(Command("undo"), ConsolePress.HOLD_NO, _("Hold: undo")))
        return offers

    def _list_game_offers(self) -> Sequence[Offer]:
        kit, setup = self.saved_game.definition, self.saved_game.setup
        return [
            shown
            for offer in kit.list_offers(self.saved_game.game, setup.players, self.visibility)
            for shown in self._expand_open_move(offer)
        ]

    def _expand_open_move(self, offer: Offer) -> Sequence[Offer]:
        """An open move on the number keys is one offer per number."""
        if offer.input != NUMBER_ENTRY or not isinstance(offer.action, Move) or offer.action.value_range is None:
            return [offer]
        numbers = range(offer.action.value_range.low, offer.action.value_range.high + 1)
        digits = [Offer(Command("digit", (n,)), NumberPress(n), str(n), offer.awaited) for n in numbers]
        return [*digits, Offer(Command("erase"), ConsolePress.NO, _("Back"))] if self.entered_numbers else digits

    def _list_own_offers(self) -> Sequence[Offer]:
        if self.clocks.list_running():
            return [Offer(Command("pause"), ConsolePress.MINUS, _("Pause"))]
        fix = Offer(Command("fix"), ConsolePress.MINUS, _("Fix"))
        if self.saved_game.game.compute_outcome() is None:
            return [fix]
        return [
            Offer(Command("again"), ConsolePress.OK, _("Same again"), awaited=True),
            Offer(Command("lobby"), ConsolePress.NO, _("New game")),
            fix,
            *list_sheet_offers(self.saved_game.replay),
        ]

    def map_lamps(self) -> Mapping[Button, LampState]:
        """Lit: may be pressed now. Blinking: the table waits for it."""
        return map_lamps(self.list_offers(), self.saved_game.setup.buttons)

    def build_screen_state(self, camera_view: CameraView) -> ScreenState:
        """All that the display is told."""
        return build_screen_state(self, camera_view)

    # Signals ---------------------------------------------------------------------------------------------------

    def tick(self) -> None:
        """Do what the signals taken so far ask for, and what the clocks ask for."""
        for signal in shuffle_ties(self._take_due_events(), self._rng):
            self._handle_event(signal)
        if self.press_feedback.take_hold(Button.NO):
            self._apply(Command("undo"))
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
            # NO held is undo, so NO itself counts when it is let go.
            case ButtonPressed(button=Button.NO):
                pass
            case ButtonPressed(button=button, at=at) if self.exit is None:
                self._handle_press(button, at)
            case ButtonReleased(button=button, at=at):
                if self.press_feedback.note_release(button, at) and button is Button.NO:
                    self._handle_press(button, at)
            case DeviceLost() | DeviceRestored():
                self._note_device_event(event)
            case CameraStateChanged(state=state, lid_known=lid):
                self.visibility = Visibility(dice=state in SEEING_STATES, tokens=state in SEEING_STATES and lid)
            case _ if isinstance(event, TableReading) and self.saved_game.definition.uses_camera:
                self._handle_reading(event)

    def _handle_press(self, button: Button, at: float) -> None:
        asked = self.dialog
        if isinstance(asked, AgreementDialog) and at - asked.asked_at < REACTION_SECONDS:
            self.dialog = None
            self._handle_press(button, at)
            if any(offer.action == asked.move for offer in self._list_game_offers()):
                self.dialog = self.dialog or asked  # what was asked is asked on
            return
        offers, dialog = self.list_offers(), self.dialog
        said = self._tie_message.message_for_press(button, at, offers)
        offer = find_offer(offers, button, self.saved_game.setup.buttons)
        if offer is None:
            self._explain_refusal(button)
            return
        self.notice = None
        does = offer.action
        if isinstance(does, Command) and dialog is not None:
            self._apply(dialog.handle(does))
        elif offer.confirm_question:
            self._apply(ask_confirmation(offer.confirm_question, does))
        elif offer.agreeing_seats and isinstance(does, Move):
            self._apply(AgreementDialog(offer.label, does, offer.agreeing_seats, self.saved_game.setup.players, at))
        elif isinstance(does, Move) and does.value_range is not None:
            self._apply(DigitsInput(offer.label, does))
        else:
            self._apply(does)
        self.notice = self.notice or said

    def _explain_refusal(self, button: Button) -> None:
        """Say why a player's press did nothing; a seat without a player, or a button of the console, does nothing."""
        sitting = self.saved_game
        if self.dialog is not None or button not in sitting.setup.buttons:
            return
        move = sitting.definition.default_move(sitting.game, Seat(sitting.setup.buttons.index(button)))
        if move is not None:
            try:
                sitting.game.play(move)
            except IllegalMove as why:
                self.notice = format_refusal(why, sitting.setup.players)

    # Readings --------------------------------------------------------------------------------------------------

    def _handle_reading(self, event: TableReading) -> None:
        """A reading that is sure plays its move; one that is not becomes a question."""
        if isinstance(self.dialog, QuestionDialog) and self._is_answered_by(self.dialog, event):
            self.dialog = None
            if isinstance(event, TokenPlaced):
                return
        if isinstance(self.dialog, CameraDialog) and not self.dialog.is_changed:
            self.dialog = None  # people look on while the game goes on
        if self.dialog is not None:
            self._waiting_readings.append(event)  # people are busy with a menu: the table is read on when they are done
            return
        self._cup_row_notice = ""
        step = self._find_step(event)
        said = self._cup_row_notice
        if step is not None:
            self._apply(step)
        self.notice = said or self.notice

    @staticmethod
    def _is_answered_by(question: QuestionDialog, event: Event) -> bool:
        if isinstance(event, DiceRead | DieShown | CupPlaced):
            return question.about_dice
        return isinstance(event, TokenPlaced | TokenTaken) and question.about_window == event.window

    def _find_step(self, event: TableReading) -> Step | None:
        match event:
            case DiceRead():
                return self._read_dice(event)
            case TokenTaken(number=number):
                self._last_opened_window = event.window
                if self._find_table_action("cover"):
                    return None  # tokens change places while the windows are covered again
                if number is None or event.confidence < MIN_PLAY_CONFIDENCE:
                    return ask_unread_token(event, [m for m in self.saved_game.game.list_moves() if m.kind == "remove"])
                offer = self._find_table_action("take", number)
                return (
                    offer.action
                    if offer and isinstance(offer.action, Move)
                    else self._offer_to_let_stand(event, number)
                )
            case TokenPlaced(number=number):
                return (
                    None if self._find_table_action("cover") else ask_returned_token(event, self.saved_game.last_played)
                )
            case LidCovered():
                offer = self._find_table_action("cover")
                return offer.action if offer and isinstance(offer.action, Move) else None
            case DieShown() | CupPlaced() | CupLifted():
                return self._read_cup_row(event)

    def _read_cup_row(self, event: CupRowReading) -> Step | None:
        heeded = self.cup_row_reader.handle(event)
        self._cup_row_notice = heeded.notice
        if heeded.read_again:
            self._waiting_readings.append(event)  # until what is missing is entered
        return heeded.step

    def _read_dice(self, event: DiceRead) -> Step | None:
        throw = self._find_table_action("throw")
        if throw and isinstance(throw.action, Move):
            return handle_dice(event, throw.action)
        standing = next((c for c in self.saved_game.game.list_correctables() if c.kind == "dice"), None)
        if standing is None or not event.values or event.values == tuple(sorted(standing.current_value)):
            return None
        return handle_dice(event, standing)

    def _offer_to_let_stand(self, event: TokenTaken, number: int) -> Step | None:
        stand = Correction("let_stand", None, (number,))
        try:
            self.saved_game.game.correct(stand)
        except BadCorrection:
            self.notice = _("That was a {number}: please put it back", number=number)
            return None
        return ask_unexpected_token(event, number, stand)

    def _find_table_action(self, kind: str, number: int | None = None) -> Offer | None:
        return next((o for o in self._list_game_offers() if o.input == TableAction(kind, number)), None)

    # Doing -----------------------------------------------------------------------------------------------------

    def _apply(self, step: Step) -> None:
        match step:
            case Move() | Correction():
                self._play(step)
            case Command():
                self._execute(step)
            case _:
                self.dialog = step
        if self.dialog is None and self.clocks.paused:
            if self.clocks.list_running():
                self.dialog = PauseDialog()
            else:
                self.clocks.resume()  # what was put right has ended what they were running for
        if self.dialog is None:
            waiting, self._waiting_readings = self._waiting_readings, []
            for signal in waiting:
                self._handle_reading(signal)

    def _play(self, what: Move | Correction) -> None:
        if isinstance(what, Move):
            self._change_game(lambda: self.saved_game.play_move(what))
        else:
            self._change_game(lambda: self.saved_game.correct(what))

    def _change_game(self, change: Callable[[], UndoResult | None], said: str = "{what}") -> None:
        """Change the sitting; what cannot be written down has not happened, and the screen says why."""
        self.dialog, self.entered_numbers = None, ()
        try:
            undone = change()
            self.clocks.set_clocks(self.saved_game.game.list_clocks(), after_undo=undone is not None)
            self._mark_clocks(at_once=True)
        except (IllegalMove, BadCorrection, JournalUnwritable) as why:
            self.notice = format_refusal(why, self.saved_game.setup.players)
        else:
            self.notice = _(said, what=undone.text) if undone else None

    def _execute(self, command: Command) -> None:
        match command:
            case Command(name="undo") if self.saved_game.can_undo:
                self._change_game(self.saved_game.undo, N_("Taken back: {what}"))
            case Command(name="redo"):
                self._change_game(self.saved_game.redo, N_("Again: {what}"))
            case Command(name="pause"):
                self.clocks.pause()
                self.dialog = PauseDialog()
            case Command(name="go on"):
                self.clocks.resume()
                self.dialog = None
            case Command(name="fix"):
                self.dialog = open_correction_menu(self.saved_game, self._list_game_offers(), self.visibility)
            case Command(name=name) if name == SCORE_SHEET:
                self.dialog = open_score_sheet(self.saved_game.replay, command)
            case Command(name="picture"):
                self.dialog = open_camera_dialog(self.saved_game.game, self._last_opened_window)
            case Command(name="live"):
                self.live_picture.toggle()
            case Command(name="second" | "by hand"):
                removes = [m for m in self.saved_game.game.list_moves() if m.kind == "remove"]
                self.dialog = ask_which_token(_("Which token was taken?"), removes)
            case Command(name="digit", value=value):
                self._enter_number(*value)
            case Command(name="erase"):
                self.entered_numbers = self.entered_numbers[:-1]
            case Command(name="away"):
                self._change_game(self.saved_game.set_aside)
                self.exit = "lobby"
            case Command(name="again" | "lobby" as name):
                self.exit = name
            case _:  # `CLOSE`, and an undo where there is nothing to take back
                self.dialog = None

    def _enter_number(self, digit: int) -> None:
        """A number of an open move on the number keys; the last one plays it."""
        move = next(m for m in self.saved_game.game.list_moves() if m.value_range is not None)
        assert move.value_range is not None
        self.entered_numbers = (*self.entered_numbers, digit)
        if len(self.entered_numbers) == move.value_range.count:
            self._play(move.fill(*self.entered_numbers))

    def _mark_clocks(self, *, at_once: bool = False) -> None:
        now = self._monotonic()
        if not at_once and (not self.clocks.list_running() or now - self._clocks_marked_at < CLOCK_MARK_SECONDS):
            return
        self._clocks_marked_at = now
        try:
            self.saved_game.journal.save_clock_marks(self.saved_game.id, self.clocks.counted_seconds())
        except JournalUnwritable as why:
            self.notice = why.screen_text  # the clocks go on; a power cut now would cost them what was not marked
