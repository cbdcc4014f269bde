"""`companion buttons --walk`: light one lamp after the other; wait for the press of its button and for an answer."""

from collections.abc import Callable, Sequence

from companion.commands.buttons.presses import WiringEvent, WiringTest
from companion.events import Button, ButtonPressed, ButtonReleased, Event
from hardware.buttons.gpio.driver import SOURCE_NAME as GPIO
from hardware.buttons.lamp_effects import LampEffect
from hardware.buttons.source import ButtonSource

DARK_HOLD_SECONDS = 1.5
"""Time for which a button is held to say that its lamp stayed dark; a shorter press says that it was lit."""

WALK_HINT = (
    "Each lamp is lit until its button is pressed; then press it once more if the lamp was lit, or hold it for two "
    "seconds if it stayed dark. Keys: y lit, n dark, r once more, b the button before, s skip. Ctrl-C ends."
)


class WiringWalk(WiringTest):
    """The test of a whole panel, button by button; a person alone can do it behind the panel, without the keyboard.

    Args:
        sources: open sources whose methods do not raise.
        clock: returns seconds on the host's monotonic clock.

    Attributes:
        dark_lamps: buttons whose lamp was said to be dark.
        is_over: every button had its turn.
    """

    def __init__(self, sources: Sequence[ButtonSource], clock: Callable[[], float]) -> None:
        super().__init__(sources, clock)
        self.dark_lamps: set[Button] = set()
        self._turn = 0
        self._is_asking = False
        self._answered_from: float | None = None
        """When the button was pressed again, as the answer."""
        self._found = [self._light_lamp()]

    @property
    def is_over(self) -> bool:
        """See the class."""
        return self._turn >= len(Button)

    def poll(self) -> list[WiringEvent]:
        """Return what happened since the last call, earliest first, without waiting; empty: nothing."""
        found, self._found = self._found, []
        return found + super().poll()

    def handle_key(self, typed: str) -> list[WiringEvent]:
        """Handle a key that was typed in the terminal: y, n, r, b or s; any other text is ignored."""
        if self.is_over:
            return []
        if typed in ("b", "r", "s"):
            return self._go_to(max(0, self._turn + {"b": -1, "r": 0, "s": 1}[typed]))
        return self._note_lamp(is_lit=typed == "y") if typed in ("y", "n") and self._is_asking else []

    def format_summary(self) -> str:
        """Return what `WiringTest` returns, and below it what was not pressed and which lamps were dark."""
        missing = ", ".join(str(button) for button in Button if button not in self.pressed)
        lines = [super().format_summary(), f"Never pressed: {missing}" if missing else "Every button was pressed."]
        if dark := ", ".join(str(button) for button in Button if button in self.dark_lamps):
            lines.append(f"Lamp dark: {dark}")
        if self.presses[GPIO]:
            lines.append('Buttons at the pins work: buttons = "gpio" (or "both") in section [table] says so for good.')
        return "\n".join(lines)

    def _convert_event(self, source: ButtonSource, event: Event) -> list[WiringEvent]:
        events = super()._convert_event(source, event)
        if self.is_over or not isinstance(event, ButtonPressed | ButtonReleased) or event.button is not self._button:
            return events
        if isinstance(event, ButtonPressed):
            if self._is_asking:
                self._answered_from = event.at
                return events
            self._is_asking = True
            return [*events, self._make_lamp_event("ask")]
        if self._answered_from is None:
            return events
        return events + self._note_lamp(is_lit=event.at - self._answered_from < DARK_HOLD_SECONDS)

    def _handle_press(self, source: str, button: Button, at: float) -> WiringEvent:
        event = self._count_press(source, button, at)
        if not self.is_over:
            event.details["lit"] = str(self._button)
        return event

    @property
    def _button(self) -> Button:
        return list(Button)[self._turn]

    def _note_lamp(self, *, is_lit: bool) -> list[WiringEvent]:
        (self.dark_lamps.discard if is_lit else self.dark_lamps.add)(self._button)
        noted = self._make_lamp_event("lamp", lit=is_lit)
        return [noted, *self._go_to(self._turn + 1)]

    def _go_to(self, turn: int) -> list[WiringEvent]:
        self._turn, self._is_asking, self._answered_from = turn, False, None
        return [self._light_lamp()]

    def _light_lamp(self) -> WiringEvent:
        """Light the lamp of the button whose turn it is; all are dark at the end."""
        lit = None if self.is_over else self._button
        self.lamps = {each: LampEffect.ON if each is lit else LampEffect.OFF for each in Button}
        self._update_lamps()
        return self._make_lamp_event("on") if lit else WiringEvent(self._clock() - self._start, "lamps", "over")

    def _make_lamp_event(self, event: str, **details: bool) -> WiringEvent:
        return WiringEvent(self._clock() - self._start, "lamps", event, {"button": str(self._button), **details})
