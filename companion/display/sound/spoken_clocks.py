"""Spoken clocks: that little time is left, that another part of the time begins, and that it is up."""

from math import ceil

from companion.display.scenes import load_game_scene
from companion.i18n import _
from companion.screen_state import RunningClock, ScreenKind, ScreenState

SPOKEN_SECONDS = (10, 30, 60, 300)
"""Seconds left that are spoken when they are reached, of a clock that runs at least twice as long."""


class ClockCaller:
    """Says what happens to the clock, and later what is due while something else is being spoken."""

    def __init__(self) -> None:
        self._last: ScreenState | None = None
        """The last state of whose clock all was said that was due."""

    def describe(self, state: ScreenState, *, is_silent: bool) -> str:
        """Describe what has happened since the last call; empty: nothing that is spoken now.

        Args:
            state: what is shown now.
            is_silent: nothing else is being spoken.

        Raises:
            Exception: any error of the scene's methods is passed on.
        """
        line = describe_clock_change(self._last, state, only_end=not is_silent)
        if line or is_silent or _find_name(self._last) != _find_name(state):
            self._last = state
        return line


def describe_time_left(state: ScreenState) -> str:
    """Describe how much time is left now; empty: no clock runs."""
    found = _find_clock(state)
    if found is None:
        return ""
    clock, word = found
    left = _("{time} left", time=_format_seconds(ceil(max(0.0, clock.seconds_left))))
    return f"{word}: {left}" if word else left


def describe_clock_change(before: ScreenState | None, after: ScreenState, *, only_end: bool = False) -> str:
    """Describe what has just happened to the clock, in the current language; empty: nothing that is spoken.

    Args:
        before: the state before; None: nothing was shown yet.
        after: the state after.
        only_end: something else is being spoken: only the end of the time may cut that short.

    Raises:
        Exception: any error of the scene's methods is passed on.
    """
    old, new = (None if state is None else _find_clock(state) for state in (before, after))
    if old is None or new is None or old[0].name != new[0].name or new[0].paused:
        return ""
    (clock_before, word_before), (clock, word) = old, new
    if clock.seconds_left <= 0 < clock_before.seconds_left:
        return _("Time is up")
    if only_end:
        return ""
    if word != word_before:
        return describe_time_left(after)
    reached = (n for n in SPOKEN_SECONDS if clock.seconds_left <= n < clock_before.seconds_left)
    mark = next(reached, 0)
    return describe_time_left(after) if mark and 2 * mark <= clock.seconds_total else ""


def _find_clock(state: ScreenState) -> tuple[RunningClock, str] | None:
    if state.kind is not ScreenKind.PLAY or not state.clocks:
        return None
    return load_game_scene(state.game_name).find_spoken_clock(state)


def _find_name(state: ScreenState | None) -> str:
    found = None if state is None else _find_clock(state)
    return "" if found is None else found[0].name


def _format_seconds(seconds: int) -> str:
    return f"{seconds // 60}:{seconds % 60:02}"
