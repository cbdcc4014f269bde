"""The help over any stage: it opens by a held button, and keeps from the stage the presses that are about it.

The stage beneath goes on: its clocks run, and it takes readings. Nothing of the help changes it.
"""

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import replace
from typing import Any

from companion.api import AnyGameDefinition, HoldSeatPress, SeatPress
from companion.events import (
    SEAT_BUTTONS,
    Button,
    ButtonPressed,
    ButtonReleased,
    CharacterTyped,
    Event,
    HelpPressed,
    LampState,
)
from companion.referee.button_mapping import find_help_button
from companion.referee.held_buttons import HOLD_SECONDS, PressFeedback
from companion.referee.stage import Stage
from companion.screen_state import HelpView, HoldProgress, ScreenState

RULES_PER_PAGE = 4
"""Rules on a page at most: more stand in letters that are too small for three metres."""


class HelpOverlay:
    """Opens and closes the help, and decides which events the stage beneath gets.

    The button that opens the help counts for the stage when it comes up. While the help is open PLUS and MINUS turn its
    pages, and any other press closes it. The press of a player's own button that does something acts as well: who is
    first must not depend on who reads.

        events = overlay.filter_events(stage, events)
        stage.tick()
        state = overlay.add_to(stage.build_screen_state(camera_view))

    Args:
        monotonic: the host's monotonic clock, in seconds; events are stamped by the same clock.
    """

    def __init__(self, monotonic: Callable[[], float]) -> None:
        self._feedback = PressFeedback(monotonic)
        self._pages: Sequence[HelpView] = ()
        """The pages of the open help; empty: it is closed."""
        self._page = 0
        self._waiting_press: ButtonPressed | None = None
        """The press of a button that opens the help if it is held on."""
        self._swallowed: set[Button] = set()
        """Buttons that are down whose press the stage did not get; it does not get their release either."""

    @property
    def is_open(self) -> bool:
        """Whether a page of the help is shown."""
        return bool(self._pages)

    def open(self, stage: Stage) -> None:
        """Open the first page: what can be done now.

        Raises:
            Exception: a game of another package may raise any error.
        """
        self._pages, self._page = make_help_pages(*(stage.find_rules() or (None, None))), 0

    def close(self) -> None:
        """Close the help, if it is open."""
        self._pages = ()

    def filter_events(self, stage: Stage, events: Sequence[Event]) -> list[Event]:
        """Return the events that the stage gets, in their order; to be called in each turn of the loop.

        Args:
            stage: what is open at the table.
            events: since the last call, earliest first; may be empty.

        Raises:
            Exception: a game of another package may raise any error.
        """
        passed: list[Event] = []
        for event in events:
            match event:
                case HelpPressed() if self.is_open:
                    self.close()
                case HelpPressed():
                    self.open(stage)
                case ButtonPressed():
                    passed += self._handle_press(stage, event)
                case ButtonReleased():
                    passed += self._handle_release(stage, event)
                case CharacterTyped() if self.is_open:
                    self.close()
                case _:
                    passed.append(event)
        if self._waiting_press is not None and self._feedback.take_hold(self._waiting_press.button):
            self._open_by_hold(stage, self._waiting_press.button)
        return passed

    def _handle_press(self, stage: Stage, press: ButtonPressed) -> list[Event]:
        button = press.button
        if self.is_open:
            if acts_beside_help(stage, button):
                self.close()
                return [press]
            self._swallowed.add(button)
            step = {Button.PLUS: 1, Button.MINUS: -1}.get(button)
            self._page = -1 if step is None else self._page + step
            if not 0 <= self._page < len(self._pages):
                self.close()
            return []
        # What is pressed before another button counts before it.
        earlier = self._take_waiting_press()
        if button is not find_help_button(stage.list_offers()):
            return [*earlier, press]
        self._waiting_press = press
        self._feedback.note_press(button, press.at)
        return earlier

    def _take_waiting_press(self) -> list[Event]:
        press, self._waiting_press = self._waiting_press, None
        return [] if press is None else [press]

    def _handle_release(self, stage: Stage, release: ButtonReleased) -> list[Event]:
        button = release.button
        if button in self._swallowed:
            self._swallowed.remove(button)
            return []
        if self._waiting_press is None or self._waiting_press.button is not button:
            return [release]
        seconds = self._feedback.note_release(button, release.at)
        if seconds is not None and seconds >= HOLD_SECONDS:
            self._open_by_hold(stage, button)  # press and release came in the same turn of the loop
            self._swallowed.discard(button)
            return []
        return [*self._take_waiting_press(), release]

    def _open_by_hold(self, stage: Stage, button: Button) -> None:
        self._waiting_press = None
        self._swallowed.add(button)
        self.open(stage)

    def drop_waiting_press(self, buttons: Set[Button]) -> None:
        """Drop the press of one of these buttons, if it waits for its release: nobody gets it."""
        if self._waiting_press is not None and self._waiting_press.button in buttons:
            self._swallowed.add(self._waiting_press.button)
            self._waiting_press = None

    def add_to(self, state: ScreenState) -> ScreenState:
        """Return the stage's screen with the open page of the help, and with the button that is held for it."""
        pressed = self._feedback.recent_presses() - state.pressed_buttons
        if pressed:
            state = replace(state, pressed_buttons=state.pressed_buttons | pressed)
        waiting = self._waiting_press
        if waiting is not None and (share := self._feedback.measure_hold(waiting.button)):
            state = replace(state, hold=HoldProgress(waiting.button, share))
        return replace(state, help=self._pages[self._page]) if self.is_open else state

    def map_lamps(self, stage: Stage) -> Mapping[Button, LampState]:
        """Map each button to its lamp: while the help is open those that turn its pages or act beside it are lit.

        Raises:
            Exception: a game of another package may raise any error.
        """
        lamps = stage.map_lamps()
        if not self.is_open:
            return lamps
        acting = {button: lamps[button] for button in SEAT_BUTTONS if acts_beside_help(stage, button)}
        keys = [Button.OK, Button.NO]
        keys += [Button.PLUS] if self._page + 1 < len(self._pages) else []
        keys += [Button.MINUS] if self._page else []
        return {**dict.fromkeys(Button, LampState.OFF), **acting, **dict.fromkeys(keys, LampState.ON)}


def acts_beside_help(stage: Stage, button: Button) -> bool:
    """Return whether a press acts although the help is open: it is a player's own button, and no key of a number."""
    offer = stage.find_offer(button) if button in SEAT_BUTTONS else None
    return offer is not None and isinstance(offer.input, SeatPress | HoldSeatPress)


def make_help_pages(definition: AnyGameDefinition | None, settings: Any) -> Sequence[HelpView]:
    """Make the pages of the help: what can be done now, the rules of a game, and how it ends.

    Args:
        definition: the game; None: there is only the first page.
        settings: its house rules, an instance of its `settings_model`.

    Raises:
        Exception: a game of another package may raise any error.
    """
    rules = () if definition is None else tuple(definition.list_rules(settings))
    ending = "" if definition is None else definition.explain_ending(settings)
    rule_pages = -(-len(rules) // RULES_PER_PAGE)
    step = -(-len(rules) // max(1, rule_pages))  # as many on each page
    contents = [((), ""), *((rules[i : i + step], "") for i in range(0, len(rules), step or 1))]
    contents += [((), ending)] if ending else []
    return [HelpView(page, len(contents), *content) for page, content in enumerate(contents)]
