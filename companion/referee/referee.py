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
    CameraSays,
    CameraState,
    CupLifted,
    CupPut,
    DeviceBack,
    DeviceLost,
    DiceRead,
    DieShown,
    Lamp,
    LidReady,
    Signal,
    Tie,
    TokenPut,
    TokenTaken,
)
from companion.games.api.game import BadCorrection, Correction, IllegalMove, Move, Seat
from companion.games.api.offers import ANY_NUMBER, Command, Console, Deed, NumberPress, Offer, Sight
from companion.i18n import N_, Words
from companion.journal.errors import JournalUnwritable
from companion.journal.replay import Sitting, Undone
from companion.referee.buttons import lamps_of, press_of
from companion.referee.clocks import Clocks
from companion.referee.dialogs.base import Agreement, Choice, Dialog, Digits, Paused, Step, confirmed
from companion.referee.dialogs.camera_view import Live, Looking, looking, to_be_seen, with_picture
from companion.referee.dialogs.correction_menu import fix_menu
from companion.referee.dialogs.score_sheet import SHEET, account, opening
from companion.referee.macroscope_readings import by_number, dice_dialog, put_dialog, taken_dialog, unsure_token
from companion.referee.memo_dice_readings import RowRead, RowReader
from companion.referee.refusal_text import refused
from companion.referee.screen import shown_of
from companion.referee.stage import Intake
from companion.referee.tie_break import TieSaid, settled
from companion.screen_state import Eyes, Shown
from companion.vision.reading import ACT

_ = Words("companion")

TableRead = DiceRead | TokenTaken | TokenPut | LidReady | RowRead
"""What the camera tells of the table."""
SEES = frozenset({CameraState.STEADY, CameraState.ROLLING, CameraState.HAND, CameraState.UNSURE})
"""States in which the camera can be relied on to see the next throw."""
REACTION = 0.4
"""Seconds within which nobody can have read a question: a press is still meant as it was before."""
MARK_EVERY = 1.0
"""Seconds between two marks of the running clocks in the journal: what a power cut can take from a clock."""


class Referee(Intake):
    """One sitting in play.

    Args:
        sitting: the journalled game.
        monotonic: the host's monotonic clock, in seconds; signals are stamped by the same clock.
        rng: draws lots among presses that cannot be put in order.
    """

    MEANWHILE = N_("The game goes on by buttons.")

    def __init__(self, sitting: Sitting, monotonic: Callable[[], float], rng: Random | None = None) -> None:
        super().__init__(monotonic)
        self.sitting = sitting
        self.row = RowReader(sitting)
        self._rng = rng or Random()
        self._tie_said = TieSaid(sitting.setup.buttons, sitting.setup.players)
        self.sight = Sight()
        self.live = Live(sitting)
        self.dialog: Dialog | None = None
        self.entered: tuple[int, ...] = ()
        self.notice: str | None = None
        self.leave: str | None = None
        """Set when people leave this sitting: "lobby" or "again"."""
        self.clocks = Clocks(monotonic)
        self._monotonic = monotonic
        self._waiting: list[TableRead] = []
        self._row_says = ""
        self._window: int | None = None
        self._marked_at = monotonic()
        marks = sitting.journal.clock_marks(sitting.id)
        self.clocks.restore(marks)
        self.clocks.want(sitting.game.clocks())
        if marks and self.clocks.running():
            self.clocks.pause()
            self.dialog = Paused(_("The clocks go on from where they stood"))

    # What is open now ------------------------------------------------------------------------------------------

    def offers(self) -> Sequence[Offer]:
        """The one list: what may be pressed or done now, in which words."""
        seen = to_be_seen(self.sitting, self.sight)
        at_play = self.live.offered(with_picture([*self._of_game(), *self._own()], seen=seen))
        offers = [*self.dialog.offers()] if self.dialog else at_play
        if self.sitting.can_undo:
            offers.append(Offer(Command("undo"), Console.HOLD_NO, _("Hold: undo")))
        return offers

    def _of_game(self) -> Sequence[Offer]:
        kit, setup = self.sitting.kit, self.sitting.setup
        return [
            shown
            for offer in kit.offers(self.sitting.game, setup.players, self.sight)
            for shown in self._expanded(offer)
        ]

    def _expanded(self, offer: Offer) -> Sequence[Offer]:
        """An open move on the number keys is one offer per number."""
        if offer.means != ANY_NUMBER or not isinstance(offer.does, Move) or offer.does.open is None:
            return [offer]
        numbers = range(offer.does.open.low, offer.does.open.high + 1)
        digits = [Offer(Command("digit", (n,)), NumberPress(n), str(n), offer.awaited) for n in numbers]
        return [*digits, Offer(Command("erase"), Console.NO, _("Back"))] if self.entered else digits

    def _own(self) -> Sequence[Offer]:
        if self.clocks.running():
            return [Offer(Command("pause"), Console.MINUS, _("Pause"))]
        fix = Offer(Command("fix"), Console.MINUS, _("Fix"))
        if self.sitting.game.outcome() is None:
            return [fix]
        return [
            Offer(Command("again"), Console.OK, _("Same again"), awaited=True),
            Offer(Command("lobby"), Console.NO, _("New game")),
            fix,
            *opening(self.sitting.replay),
        ]

    def lamps(self) -> Mapping[Button, Lamp]:
        """Lit: may be pressed now. Blinking: the table waits for it."""
        return lamps_of(self.offers(), self.sitting.setup.buttons)

    def shown(self, eyes: Eyes) -> Shown:
        """All that the display is told."""
        return shown_of(self, eyes)

    # Signals ---------------------------------------------------------------------------------------------------

    def tick(self) -> None:
        """Do what the signals taken so far ask for, and what the clocks ask for."""
        for signal in settled(self._due(), self._rng):
            self._heed(signal)
        if self.heard.held(Button.NO):
            self._carry_out(Command("undo"))
        for clock in self.clocks.expired():
            if clock.then is not None:
                self._carry_out(clock.then)
            else:
                self.notice = _("Time is up")
        self._mark_clocks()

    def _heed(self, signal: Signal) -> None:
        match signal:
            case Tie():
                self._tie_said.begin(signal)
            # NO held is undo, so NO itself counts when it is let go.
            case ButtonPressed(button=Button.NO):
                pass
            case ButtonPressed(button=button, at=at) if self.leave is None:
                self._press(button, at)
            case ButtonReleased(button=button, at=at):
                if self.heard.release(button, at) and button is Button.NO:
                    self._press(button, at)
            case DeviceLost() | DeviceBack():
                self._note_device(signal)
            case CameraSays(state=state, lid=lid):
                self.sight = Sight(dice=state in SEES, tokens=state in SEES and lid)
            case _ if isinstance(signal, TableRead) and self.sitting.kit.camera:
                self._read(signal)

    def _press(self, button: Button, at: float) -> None:
        asked = self.dialog
        if isinstance(asked, Agreement) and at - asked.since < REACTION:
            self.dialog = None
            self._press(button, at)
            if any(offer.does == asked.does for offer in self._of_game()):
                self.dialog = self.dialog or asked  # what was asked is asked on
            return
        offers, dialog = self.offers(), self.dialog
        said = self._tie_said.of(button, at, offers)
        offer = press_of(offers, button, self.sitting.setup.buttons)
        if offer is None:
            self._explain(button)
            return
        self.notice = None
        does = offer.does
        if isinstance(does, Command) and dialog is not None:
            self._carry_out(dialog.after(does))
        elif offer.confirm:
            self._carry_out(confirmed(offer.confirm, does))
        elif offer.agreed_by and isinstance(does, Move):
            self._carry_out(Agreement(offer.words, does, offer.agreed_by, self.sitting.setup.players, at))
        elif isinstance(does, Move) and does.open is not None:
            self._carry_out(Digits(offer.words, does))
        else:
            self._carry_out(does)
        self.notice = self.notice or said

    def _explain(self, button: Button) -> None:
        """Say why a player's press did nothing; a seat without a player, or a button of the console, does nothing."""
        sitting = self.sitting
        if self.dialog is not None or button not in sitting.setup.buttons:
            return
        move = sitting.kit.meant(sitting.game, Seat(sitting.setup.buttons.index(button)))
        if move is not None:
            try:
                sitting.game.play(move)
            except IllegalMove as why:
                self.notice = refused(why, sitting.setup.players)

    # Readings --------------------------------------------------------------------------------------------------

    def _read(self, signal: TableRead) -> None:
        """A reading that is sure plays its move; one that is not becomes a question."""
        if isinstance(self.dialog, Choice) and self._answered(self.dialog, signal):
            self.dialog = None
            if isinstance(signal, TokenPut):
                return
        if isinstance(self.dialog, Looking) and not self.dialog.changed:
            self.dialog = None  # people look on while the game goes on
        if self.dialog is not None:
            self._waiting.append(signal)  # people are busy with a menu: the table is read on when they are done
            return
        self._row_says = ""
        step = self._step_of(signal)
        said = self._row_says
        if step is not None:
            self._carry_out(step)
        self.notice = said or self.notice

    @staticmethod
    def _answered(question: Choice, signal: Signal) -> bool:
        if isinstance(signal, DiceRead | DieShown | CupPut):
            return question.about_dice
        return isinstance(signal, TokenPut | TokenTaken) and question.about_window == signal.window

    def _step_of(self, signal: TableRead) -> Step | None:
        match signal:
            case DiceRead():
                return self._dice(signal)
            case TokenTaken(number=number):
                self._window = signal.window
                if self._deed("cover"):
                    return None  # tokens change places while the windows are covered again
                if number is None or signal.confidence < ACT:
                    return unsure_token(signal, [m for m in self.sitting.game.moves() if m.kind == "remove"])
                offer = self._deed("take", number)
                return offer.does if offer and isinstance(offer.does, Move) else self._let_stand(signal, number)
            case TokenPut(number=number):
                return None if self._deed("cover") else put_dialog(signal, self.sitting.last_played)
            case LidReady():
                offer = self._deed("cover")
                return offer.does if offer and isinstance(offer.does, Move) else None
            case DieShown() | CupPut() | CupLifted():
                return self._row(signal)

    def _row(self, signal: RowRead) -> Step | None:
        heeded = self.row.heed(signal)
        self._row_says = heeded.notice
        if heeded.again:
            self._waiting.append(signal)  # until what is missing is entered
        return heeded.step

    def _dice(self, signal: DiceRead) -> Step | None:
        throw = self._deed("throw")
        if throw and isinstance(throw.does, Move):
            return dice_dialog(signal, throw.does)
        standing = next((c for c in self.sitting.game.correctables() if c.kind == "dice"), None)
        if standing is None or not signal.values or signal.values == tuple(sorted(standing.current)):
            return None
        return dice_dialog(signal, standing)

    def _let_stand(self, signal: TokenTaken, number: int) -> Step | None:
        stand = Correction("let_stand", None, (number,))
        try:
            self.sitting.game.correct(stand)
        except BadCorrection:
            self.notice = _("That was a {number}: please put it back", number=number)
            return None
        return taken_dialog(signal, number, stand)

    def _deed(self, kind: str, number: int | None = None) -> Offer | None:
        return next((o for o in self._of_game() if o.means == Deed(kind, number)), None)

    # Doing -----------------------------------------------------------------------------------------------------

    def _carry_out(self, step: Step) -> None:
        match step:
            case Move() | Correction():
                self._play(step)
            case Command():
                self._obey(step)
            case _:
                self.dialog = step
        if self.dialog is None and self.clocks.paused:
            if self.clocks.running():
                self.dialog = Paused()
            else:
                self.clocks.resume()  # what was put right has ended what they were running for
        if self.dialog is None:
            waiting, self._waiting = self._waiting, []
            for signal in waiting:
                self._read(signal)

    def _play(self, what: Move | Correction) -> None:
        if isinstance(what, Move):
            self._change(lambda: self.sitting.append_move(what))
        else:
            self._change(lambda: self.sitting.correct(what))

    def _change(self, change: Callable[[], Undone | None], said: str = "{what}") -> None:
        """Change the sitting; what cannot be written down has not happened, and the screen says why."""
        self.dialog, self.entered = None, ()
        try:
            undone = change()
            self.clocks.want(self.sitting.game.clocks(), again=undone is not None)
            self._mark_clocks(at_once=True)
        except (IllegalMove, BadCorrection, JournalUnwritable) as why:
            self.notice = refused(why, self.sitting.setup.players)
        else:
            self.notice = _(said, what=undone.words) if undone else None

    def _obey(self, command: Command) -> None:
        match command:
            case Command(name="undo") if self.sitting.can_undo:
                self._change(self.sitting.undo, N_("Taken back: {what}"))
            case Command(name="redo"):
                self._change(self.sitting.redo, N_("Again: {what}"))
            case Command(name="pause"):
                self.clocks.pause()
                self.dialog = Paused()
            case Command(name="go on"):
                self.clocks.resume()
                self.dialog = None
            case Command(name="fix"):
                self.dialog = fix_menu(self.sitting, self._of_game(), self.sight)
            case Command(name=name) if name == SHEET:
                self.dialog = account(self.sitting.replay, command)
            case Command(name="picture"):
                self.dialog = looking(self.sitting.game, self._window)
            case Command(name="live"):
                self.live.toggle()
            case Command(name="second" | "by hand"):
                removes = [m for m in self.sitting.game.moves() if m.kind == "remove"]
                self.dialog = by_number(_("Which token was taken?"), removes)
            case Command(name="digit", value=value):
                self._enter(*value)
            case Command(name="erase"):
                self.entered = self.entered[:-1]
            case Command(name="away"):
                self._change(self.sitting.put_away)
                self.leave = "lobby"
            case Command(name="again" | "lobby" as name):
                self.leave = name
            case _:  # `CLOSE`, and an undo where there is nothing to take back
                self.dialog = None

    def _enter(self, digit: int) -> None:
        """A number of an open move on the number keys; the last one plays it."""
        move = next(m for m in self.sitting.game.moves() if m.open is not None)
        assert move.open is not None
        self.entered = (*self.entered, digit)
        if len(self.entered) == move.open.count:
            self._play(move.filled(*self.entered))

    def _mark_clocks(self, *, at_once: bool = False) -> None:
        now = self._monotonic()
        if not at_once and (not self.clocks.running() or now - self._marked_at < MARK_EVERY):
            return
        self._marked_at = now
        try:
            self.sitting.journal.mark_clocks(self.sitting.id, self.clocks.marks())
        except JournalUnwritable as why:
            self.notice = why.short  # the clocks go on; a power cut now would cost them what was not marked
