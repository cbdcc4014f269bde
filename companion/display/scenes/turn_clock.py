"""Base class of scenes in which the clock of a turn has the round track's place."""

from companion.display.scenes.base import GameScene, View
from companion.display.toolkit import Canvas, ScreenLayout
from companion.display.widgets import clock_content, draw_clock, find_clock
from companion.i18n import _
from companion.screen_state import ScreenState


class TurnClockScene(GameScene[View]):
    """The clock of the turn stands in the track's place, where a dialog leaves it visible; without one the track."""

    def has_track(self, state: ScreenState) -> bool:
        """Return whether there is a clock, or a round track."""
        return find_clock(state) is not None or super().has_track(state)

    def draw_track(self, canvas: Canvas, layout: ScreenLayout, state: ScreenState) -> None:
        """Draw the clock of the turn, or the round track."""
        clock = find_clock(state)
        if clock is None:
            super().draw_track(canvas, layout, state)
            return
        content = clock_content(clock)
        canvas.draw_region("track", layout.track, content, lambda: draw_clock(canvas, layout.track, clock, _("Turn")))
