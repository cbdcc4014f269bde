"""The referee: events in, moves out.

It handles events in the order of their time stamps, matches presses and readings to offers, asks where a reading is
uncertain, runs the clocks that the game asks for, and has each move journalled before anyone sees its effect. A press
is acknowledged at once; its effect is shown when it is safe.

A press goes through `tick`, `_handle_event`, `_handle_press`, `_find_step` and `take_step`, which executes a command,
plays a move or opens a dialog. Undo: `SavedGame.undo`, called by `commands.py`.
"""

from collections.abc import Sequence
from math import inf

from companion.api import LATE_PRESS_SECONDS, Command, ConsolePress, Correction, Move, Offer
from companion.events import (
    Button,
    ButtonPressed,
    ButtonReleased,
    CameraStateChanged,
    CharacterTyped,
    DiceRead,
    Event,
    PressTie,
)
from companion.i18n import N_, _
from companion.journal.entry import SeatChange
from companion.journal.saved_game import SavedGame
from companion.referee.base_readings import ReadingResult
from companion.referee.button_mapping import find_hold_offer, find_offer, is_held_step, is_seat_hold
from companion.referee.commands import execute_command
from companion.referee.dialogs.base import Action, Dialog, Step, ask_confirmation
from companion.referee.dialogs.large_picture import CameraDialog
from companion.referee.dialogs.move_input import open_move_input
from companion.referee.dialogs.name_input import NameInput
from companion.referee.dialogs.pause_menu import StillPlayingDialog
from companion.referee.game_stage import HOLD_NOTICE, UNDO, GameStage
from companion.referee.held_buttons import HOLD_SECONDS
from companion.referee.late_presses import LateChance, ends_chance_of_others
from companion.referee.refusals import TOO_FAST, describe_refusal
from companion.referee.services import GameServices
from companion.referee.tie_lots import TieMessage, shuffle_ties
from companion.referee.waiting_presses import TOO_LATE, WaitingPresses
from companion.screen_state import HoldProgress

LATE_NOTICE = N_("Your own button still counts for {n} seconds")
"""Shown for `LATE_PRESS_SECONDS` after moves that nobody has pressed."""

READING_PATIENCE_SECONDS = 5.0
"""How long the end of a clock waits for the camera to read what was done in time. Longer: a hand that rests in view
holds the game up; shorter: a long roll is the next player's."""


class Referee(GameStage):
    """Runs one saved game. All calls come from the main loop's thread.

    referee = Referee(saved_game, GameServices(time.monotonic))
    referee.receive(ButtonPressed(Button.OK, at))
    referee.tick()
    screen.render(referee.build_screen_state(camera_view))
    """

    def __init__(self, saved_game: SavedGame, services: GameServices) -> None:
        super().__init__(saved_game, services)
        self._tie_message = TieMessage()
        self._held_offer: Offer | None = None
        """The offer of OK held that stood there when OK was pressed last; None: there was none."""
        self._waiting_readings: list[Event] = []
        self._has_table_asked = False
        self._late_chance: LateChance | None = None
        self._waiting_presses = WaitingPresses(saved_game)

    # Events ----------------------------------------------------------------------------------------------------

    def tick(self) -> None:
        """Handle the queued events in order, and the buttons held long enough; play the moves of expired clocks.

        While something moves before the camera clocks end nothing for `READING_PATIENCE_SECONDS`.

        A move that is not legal, or that cannot be journalled, is not played: `notice` says why, and nothing is raised.
        The stored times of the running clocks are renewed every `CLOCK_MARK_SECONDS`; `notice` says if that fails.

        Raises:
            ValueError: dice were read with a value that the game does not have (not 1 to 6).
            Exception: a game of another package may raise any error.
        """
        self._play_waiting_press()
        for event in shuffle_ties(self._take_due_events(), self.services.rng):
            self._handle_event(event)
        for button in (Button.NO, Button.OK, *self._deferred_offers):
            if self.press_feedback.take_hold(button):
                self._handle_hold(button)
        self._repeat_held_steps()
        # What the camera has yet to read was done in time: dice that roll are not the next player's.
        is_behind = self.camera.is_waiting or (self._waiting_presses and self.dialog is None)
        patience = READING_PATIENCE_SECONDS if is_behind else 0.0
        self._has_table_asked = self._has_table_asked and self.dialog is not None
        if self._has_table_asked:
            patience = inf  # people read the question and answer it first
        for clock in self.clocks.take_expired(patience):
            if clock.on_expiry is not None:
                self.take_step(clock.on_expiry)
                # Where nobody has the turn all press as quickly as they can.
                if clock.on_expiry.seat is not None and self.find_offer(Button.OK) is not None:
                    self.press_guard.note_new_screen(self._monotonic())
            else:
                self.notice = _("Time is up")
        self.mark_clocks()
        if not self._waiting_presses and self._late_chance is not None and self._late_chance.is_over(self._monotonic()):
            self._late_chance = None

    def _play_waiting_press(self, *, is_over: bool = False) -> bool:
        """Play the press that waits longest, once the camera has read what it is about; return whether one was played.

        That is in the turn of the loop after the reading, and one press in each: people see what led to it.

        Args:
            is_over: what it is about will not be read any more; one that does nothing yet is about what follows.
        """
        while self._waiting_presses and self.dialog is None:
            button = self._waiting_presses.first.button
            offer = self.find_offer(button)
            if offer is None if is_over else self._must_wait(offer):
                return False
            waiting = self._waiting_presses.take_first()
            if self._waiting_presses.is_meant(waiting, offer) or (
                offer is None and self._find_late_offer(button, waiting.at)
            ):
                self._handle_press(button, waiting.at, has_waited=True)
                # Only now can people read what they would press for again.
                self.press_guard.accept_press(button, self._monotonic(), None)
                return True
            self.notice = None  # in place of the one that it waits
            if waiting.is_overtaken:
                self.notice = _("The dice were thrown before that press")
            elif waiting.offer is None or button in self._buttons:
                self.notice = _(TOO_LATE)
        return False

    def _play_waiting_presses(self, *, is_over: bool = False) -> None:
        """Play all presses that waited, before a new one, which would drop them, or what follows them at the table."""
        while self._play_waiting_press(is_over=is_over):
            pass

    def _handle_event(self, event: Event) -> None:
        match event:
            case PressTie():
                self._tie_message.begin_tie(event, self._buttons, self._names)
            # NO held is undo, so NO itself counts when it is released.
            case ButtonPressed(button=button, at=at) if self.exit is None and button is not Button.NO:
                self._play_waiting_presses()
                if not self._defer_press(button):
                    self._handle_press(button, at)
            case ButtonReleased(button=button, at=at):
                self._handle_release(button, at)
            case CharacterTyped(character=character):
                self._type_character(character)
            case CameraStateChanged():
                self.camera.note_state(event)
                self.readings.note_motion(self.camera.is_waiting, event.at)
                if not self.camera.seen.dice:
                    self.learner.note_reading(None)  # the dice may be thrown again unseen
            case _:
                use = self.saved_game.definition.camera
                if use and isinstance(event, use.events):
                    self._handle_reading(event)

    def _type_character(self, character: str) -> None:
        """Add a typed character to the name that is being entered; erasing nothing closes that dialog."""
        if isinstance(self.dialog, NameInput):
            is_left = character == "\b" and not self.dialog.written
            self.take_step(None if is_left else self.dialog.type_character(character))

    def _handle_release(self, button: Button, at: float) -> None:
        """Handle a button that came up: one that may be held counts now, unless it was held."""
        seconds = self.press_feedback.note_release(button, at)
        offer = self._deferred_offers.get(button)
        if seconds is not None and seconds >= HOLD_SECONDS:
            self._handle_hold(button)  # press and release came in the same turn of the loop
        elif seconds is not None and (button is Button.NO or offer is not None):
            self._play_waiting_presses()
            if button is Button.NO or self._is_still_offered(button):
                self._handle_press(button, at)
            elif offer is not None and not is_seat_hold(offer.input):
                self.notice = _(TOO_LATE)
        self._deferred_offers.pop(button, None)

    def _handle_press(self, button: Button, at: float, *, has_waited: bool = False) -> None:
        offers = self.list_offers()
        offer = find_offer(offers, button, self._buttons)
        if offer is not None and is_seat_hold(offer.input):
            offer = None  # it came up too soon
        needs_hold = offer is not None and offer.input is ConsolePress.HOLD_OK
        if button is Button.OK:
            self._held_offer = offer if needs_hold else None
        if not has_waited and self.dialog is None and self._must_wait(offer):
            is_overtaken = offer is not None and self.is_overtaken(offer)
            if self._waiting_presses.keep(button, at, self._buttons, offer, is_overtaken=is_overtaken):
                if not is_overtaken:
                    self.notice = _("The camera waits for the hand to leave")
                return
        tie_message = self._tie_message.message_for_press(button, at, offers, self.press_guard)
        if not self.press_guard.accept_press(button, at, None if needs_hold else offer, has_waited=has_waited):
            # While the screen says that others may still press, it goes on saying so.
            if self.describe_late_chance() is None and self.press_guard.is_too_fast(button, at, offer):
                self.notice = _(TOO_FAST)
            return
        if offer is None and self._take_back(button, at, ends_waiting=not has_waited):
            return
        if offer is None:
            self._explain_refusal(button)
            self.notice = tie_message or self.notice
            return
        if needs_hold:
            self.notice = _(HOLD_NOTICE)
            return
        self.notice = None
        # An answer is about what they wait for, and a menu about something else.
        in_dialog = self.dialog is not None
        if self._late_chance is not None and self._late_chance.has_begun:
            self._late_chance = None  # otherwise its moves wait for this answer
        ends_waiting = not has_waited and not in_dialog and isinstance(offer.action, Move)
        self._waiting_presses.note_taken(button, at, in_dialog=in_dialog, ends_waiting=ends_waiting)
        if is_held_step(offer):
            self.press_feedback.begin_repeat(button)
        if self.camera.seen.dice and ends_chance_of_others(self.saved_game, offer):
            self._take_with_late_chance((offer.action,))
        else:
            self.take_step(self._find_step(offer))
        self.notice = self.notice or tie_message

    def _must_wait(self, offer: Offer | None) -> bool:
        """Return whether a press that does this, or None yet, may be about what the camera has yet to read."""
        if offer is None or self.is_overtaken(offer):
            return self.camera.is_waiting
        return self.camera.is_lid_hidden and isinstance(offer.action, Move) and self.readings.is_counting(offer.action)

    def _handle_hold(self, button: Button) -> None:
        """Do what a held button does: NO undoes; OK and a seat button take the offer that stood there when pressed."""
        if self._is_still_offered(button):
            held = find_hold_offer(self.list_offers(), button, self._buttons)
            if held is not None and self.exit is None:
                self.notice = None
                self.take_step(self._find_move_step(held))
        elif button in self._deferred_offers:
            self.notice = _(TOO_LATE)
        if button not in (Button.NO, Button.OK):
            return
        offer, self._held_offer = self._held_offer, None
        if button is Button.NO:
            self._waiting_presses.clear()
            self.take_step(UNDO)
        elif offer is not None and offer in self.list_offers():
            self.take_step(offer.action)

    def _find_hold(self) -> HoldProgress | None:
        """Find the button that is held and will do something: NO undoes or closes the dialog, OK takes its offer."""
        if self.exit is not None:
            return None
        if (share := self.press_feedback.measure_hold(Button.NO)) and (self.saved_game.can_undo or self.dialog):
            return HoldProgress(Button.NO, share)
        if (share := self.press_feedback.measure_hold(Button.OK)) and self._held_offer in self.list_offers():
            return HoldProgress(Button.OK, share)
        return self._find_deferred_hold()

    def _handle_reading(self, event: Event) -> None:
        """Play the move of a certain reading; ask about an uncertain one."""
        if isinstance(self.dialog, StillPlayingDialog):
            self.dialog = self.dialog.beneath  # the table has answered
        dialog = self.dialog
        is_answer = self.readings.is_answer(event, dialog)
        if is_answer or (isinstance(dialog, CameraDialog) and not dialog.is_changed):
            self.dialog = None  # the players watch the picture while the game goes on
        if self.readings.follows_presses(event):
            self._play_waiting_presses(is_over=True)
        if self.dialog is not None:
            self._waiting_readings.append(event)  # the players use a menu: the table is read on when they are done
            self.learner.note_reading(None)  # what they enter may be these dice, or those before
            return
        if isinstance(event, DiceRead):
            # What was thrown before was taken up again.
            self._waiting_readings = [e for e in self._waiting_readings if not isinstance(e, DiceRead)]
        if self._late_chance is not None:
            self._late_chance.add_reading(event)
        offers = self.list_game_offers()
        if isinstance(event, DiceRead) and event.was_picked_up:
            result = self.readings.handle_picked_up(event, offers)
        else:
            result = self.readings.handle(event, offers, is_answer=is_answer)
        if (result.implied or result.ends_turn) and self.services.waits_for_ok:
            result = ReadingResult(notice=_("Press OK first"), read_again=True)
        if isinstance(event, DiceRead):
            self.learner.note_reading(event if result.implied or result.step is not None else None)
        if result.read_again or result.implied:
            self._waiting_readings.append(event)  # until what is missing is entered
        if result.implied:
            self._take_with_late_chance(result.implied)
        elif result.step is not None or is_answer:  # what waited for the answer is read now
            self.take_step(result.step)
        if self.dialog is not None and self.dialog != dialog:
            self.press_guard.note_question(self._monotonic())
        self._has_table_asked = self.dialog is not None
        self.notice = result.notice or self.notice

    def _take_with_late_chance(self, moves: tuple[Action, ...]) -> None:
        """Play moves before which others may still press for a few seconds from then on."""
        # Before the step, which may play a throw that was kept: the chance notes that throw.
        self._late_chance = LateChance(moves, len(self.saved_game.replay.steps))
        self.take_step(moves)

    def _take_back(self, button: Button, at: float, *, ends_waiting: bool) -> bool:
        """Take back the moves that the table implied and play this press, if it was possible before them; return that.

        What the camera has read since is kept, and read again when its turn comes.
        """
        chance, found = self._late_chance, self._find_late_offer(button, at)
        if chance is None or found is None:
            return False
        self._late_chance = None
        self._waiting_presses.note_taken(button, at, in_dialog=False, ends_waiting=ends_waiting)
        self._waiting_readings = chance.readings
        count, offer = found
        assert isinstance(offer.action, Move)
        self.take_step((*[UNDO] * count, offer.action))
        return True

    def _find_late_offer(self, button: Button, at: float) -> tuple[int, Offer] | None:
        """Find what this press would have done before the moves that the table implied: see `LateChance.find_offer`."""
        if self._late_chance is None or self._late_chance.is_over(at) or self.dialog is not None:
            return None
        return self._late_chance.find_offer(self.saved_game, button, self._buttons)

    def list_lit_offers(self) -> Sequence[Offer]:
        """List also what the players' own buttons would have done before moves that nobody has pressed."""
        offers, chance = self.list_offers(), self._late_chance
        if chance is None or self.dialog is not None:
            return offers
        free = [button for button in self._buttons if find_offer(offers, button, self._buttons) is None]
        late = (chance.find_offer(self.saved_game, button, self._buttons) for button in free)
        return [*offers, *(found[1] for found in late if found is not None)]

    def describe_late_chance(self) -> str | None:
        """Say that a press still counts which the table has made needless."""
        has_begun = self._late_chance is not None and self._late_chance.has_begun
        return _(LATE_NOTICE, n=round(LATE_PRESS_SECONDS)) if has_begun and self.dialog is None else None

    # Steps -----------------------------------------------------------------------------------------------------

    def _find_step(self, offer: Offer) -> Step:
        """Find the step of an offer that is pressed: a dialog's answer, a question whether it is meant, or its move."""
        if self.dialog is not None and isinstance(offer.action, Command):
            step = self.dialog.handle(offer.action)
            if step is None:
                self.learner.note_reading(None)  # no answer: the dice may be thrown again
            return step
        if offer.confirm_question:
            return ask_confirmation(offer.confirm_question, offer.action)
        return self._find_move_step(offer)

    def _find_move_step(self, offer: Offer) -> Step:
        """Find the step of an offer; the value of an open move is entered first, unless a clock has it."""
        action = offer.action
        if not isinstance(action, Move) or action.value_range is None or self.find_timed_clock(action):
            return action
        return open_move_input(offer.label, action, self.saved_game, self._names)

    def take_step(self, step: Step) -> None:
        """Take the step of a press, a reading or a clock: change the game, open a dialog or close it (None).

        Args:
            step: a move or correction need not be legal: `notice` says why it is refused, and what should follow it is
                not done.

        Raises:
            Exception: a game of another package may raise any error.
        """
        self._take_one(step)
        if self._late_chance is not None:
            self._late_chance.update(self.saved_game, self._monotonic(), is_asked=self.dialog is not None)
        if self.dialog is None and self.clocks.paused:
            if self.clocks.list_running():
                self.dialog = self.open_pause(_("The clocks are stopped"))
            else:
                self.clocks.resume()  # a correction has ended what they were running for
        if self.dialog is None:
            waiting, self._waiting_readings = self._waiting_readings, []
            for event in waiting:
                self._handle_reading(event)
        chance = self._late_chance
        if self.dialog is None and chance and not chance.is_usable(self.saved_game, self._buttons, self.list_offers()):
            self._late_chance = None

    def _take_one(self, step: Step, following: Sequence[Action] = ()) -> None:
        """Change the game, open a dialog or close it (None); a question about a move keeps what follows it."""
        if isinstance(step, Move) and self.camera.seen.tokens:
            instead = self.readings.check_against_camera(step, following)
            if instead is not None:  # nobody has asked for it, also if somebody has pressed
                self.press_guard.note_question(self._monotonic())
            step = instead or step
        if isinstance(step, Command):
            step = execute_command(self, step)
        if isinstance(step, tuple):
            for index, action in enumerate(step):
                seq = self.saved_game.last_seq
                self._take_one(action, step[index + 1 :])
                if self.saved_game.last_seq == seq:
                    break
            return
        match step:
            case Move():
                seq = self.saved_game.last_seq
                self.play_move(step)
                if self.saved_game.last_seq > seq:
                    self._open_next_input(step)
            case Correction():
                self.change_game(lambda: self.saved_game.correct(step))
            case SeatChange():
                self.change_game(lambda: self.saved_game.change_seat(step))
            case _:
                assert not isinstance(step, Command), step
                self.dialog = step

    def _open_next_input(self, move: Move) -> None:
        """Open the input of the next number of the player who has entered one, if there is one."""
        following = self.saved_game.definition.find_next_input(self.saved_game.game, move)
        offers = (offer for offer in self.list_offers() if offer.action == following)
        if following is not None and (offer := next(offers, None)) is not None:
            step = self._find_move_step(offer)
            self.dialog = step if isinstance(step, Dialog) else None

    def _explain_refusal(self, button: Button) -> None:
        """Show why a press did nothing."""
        buttons = self._buttons if self.dialog is None else ()
        self.notice = describe_refusal(self.saved_game, button, self.list_offers(), buttons) or self.notice
