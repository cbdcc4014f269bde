"""Progress of a command that takes its time, on the error output: one line that is rewritten, or a line each tenth."""

import sys
from typing import TextIO

STEP_PERCENT = 10
"""Percent between two lines where the output is no terminal."""


class ProgressLine:
    """Shows how much of a task is done.

    >>> progress = ProgressLine("Film", sys.stdout)
    >>> for tenths in range(4):
    ...     progress.report(tenths / 20)
    Film: 10 %

    Args:
        label: what is being done.
        stream: where it is written; None: the error output.
    """

    def __init__(self, label: str, stream: TextIO | None = None) -> None:
        self._label, self._stream = label, stream or sys.stderr
        self._is_terminal = self._stream.isatty()
        self._shown = 0

    def report(self, share: float) -> None:
        """Show the share that is done, 0 to 1; one that is less than the last begins again."""
        step = 1 if self._is_terminal else STEP_PERCENT
        percent = int(100 * share + 1e-9) // step * step
        if percent == self._shown:
            return
        self._shown = percent
        if percent:
            line = f"{self._label}: {percent} %"
            self._stream.write(f"\r{line}" + ("\n" if percent == 100 else "") if self._is_terminal else f"{line}\n")
            self._stream.flush()
