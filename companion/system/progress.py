"""A line on the terminal that says how much of a long piece of work is done."""

import sys
import time
from collections.abc import Iterable, Iterator, Sized
from typing import TypeVar

from companion.i18n import replace_unprintable

Item = TypeVar("Item")

QUIET_SECONDS = 1.0
"""Nothing is shown of work that ends within this time."""
REDRAW_SECONDS = 0.2
"""Shortest time between two changes of the line."""
STEP_PERCENT = 10
"""Percent between two lines of `PercentLine` where the error output is no terminal."""


def show_progress(items: Iterable[Item], label: str, total: int | None = None) -> Iterator[Item]:
    """Yield the items; while they take longer than QUIET_SECONDS a line on stderr counts those that are done.

    >>> list(show_progress("abc", "Reading"))
    ['a', 'b', 'c']

    On a slow disk the terminal would show "Reading: 2 of 3", and the line is gone after the last one. Where stderr is
    no terminal (a log, a pipe) nothing is written. A loop that prints calls `erase_progress` before.

    Args:
        items: a collection, or an iterator whose items take time to make.
        label: what is done, in a few words.
        total: how many items there will be; None: as many as a collection has, of an iterator it is unknown.
    """
    if sys.stderr is None or not sys.stderr.isatty():
        yield from items
        return
    if total is None and isinstance(items, Sized):
        total = len(items)
    due = time.monotonic() + QUIET_SECONDS
    try:
        for done, item in enumerate(items):
            if time.monotonic() >= due:
                _line.draw(f"{label}: {done}" + ("" if total is None else f" of {total}"))
                due = time.monotonic() + REDRAW_SECONDS
            yield item
    finally:
        _line.erase()


def erase_progress() -> None:
    """Erase the line, if there is one: to be called before something else is printed on the terminal."""
    _line.erase()


class PercentLine:
    """Shows the share of a task that is done: in a terminal on the line that changes, else as a line each tenth.

    >>> progress = PercentLine("Film")
    >>> progress.report(0.12)  # writes "Film: 10 %" on the error output

    Args:
        label: what is being done.
    """

    def __init__(self, label: str) -> None:
        self._label, self._shown = label, 0

    def report(self, share: float) -> None:
        """Show the share that is done, 0 to 1; one that is less than the last begins again."""
        is_terminal = sys.stderr.isatty()
        step = 1 if is_terminal else STEP_PERCENT
        percent = int(100 * share + 1e-9) // step * step
        if percent == self._shown:
            return
        self._shown = percent
        if not is_terminal:
            if percent:
                sys.stderr.write(f"{self._label}: {percent} %\n")
                sys.stderr.flush()
        elif percent == 100:
            _line.erase()
        else:
            _line.draw(f"{self._label}: {percent} %")


class _ProgressLine:
    """The one line that changes."""

    def __init__(self) -> None:
        self._width = 0

    def draw(self, text: str) -> None:
        line = replace_unprintable(text).ljust(self._width)
        self._width = len(line)
        # The cursor goes back to its beginning, so that ^C is written over it.
        self._write(f"{line}\r")

    def erase(self) -> None:
        if self._width:
            self._write(f"{'':{self._width}}\r")
            self._width = 0

    def _write(self, text: str) -> None:
        sys.stderr.write(text)
        sys.stderr.flush()


_line = _ProgressLine()
