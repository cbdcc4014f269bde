"""Open the journal; while the disk is full, read-only or missing, say so on the screen and try again.

Without a journal nothing would be saved, so nothing can be played before it is open.
"""

import time
from collections.abc import Callable
from pathlib import Path

from companion.app.resilient_window import AnyWindow
from companion.i18n import _
from companion.journal.database import Journal
from companion.journal.entry import JournalUnwritable
from companion.journal.recovery import to_unwritable_error
from companion.log import log
from companion.screen_state import ScreenKind, ScreenState

RETRY_SECONDS = 2.0
"""Seconds between two attempts to open the journal."""


def build_waiting_state(reason: str) -> ScreenState:
    """Build the state of the screen that is shown while the journal cannot be opened.

    Args:
        reason: why it cannot be opened and what to do, translated, in one line.
    """
    return ScreenState(
        ScreenKind.WAITING,
        uses_camera=False,
        prompt=_("Games cannot be saved, so no game can start yet"),
        details=(reason, _("The companion tries again by itself")),
    )


def open_with_retry(
    path: Path,
    window: Callable[[], AnyWindow],
    feed_watchdog: Callable[[], None] = lambda: None,
    monotonic: Callable[[], float] = time.monotonic,
) -> Journal | None:
    """Open the journal at `path`; while it cannot be accessed, say so in a window and try every RETRY_SECONDS.

    Args:
        path: the journal file; its folder is created if missing.
        window: opens a window; called once, and only if the first attempt fails.
        feed_watchdog: called in every turn of waiting.
        monotonic: the host's monotonic clock, in seconds.

    Returns:
        The open journal, to be closed by the caller; None: the window was closed before it could be opened.

    Raises:
        JournalBusy: another companion has it open.
        JournalTooNew: a newer version of the companion wrote it.
        Exception: an error of `window` or of the window's `poll_events` or `show` is passed on.
    """
    waiting_window: AnyWindow | None = None
    reason, next_attempt_at = "", monotonic()
    while waiting_window is None or not waiting_window.closed:
        if monotonic() >= next_attempt_at:
            try:
                return Journal(path)
            except OSError as error:
                problem = error if isinstance(error, JournalUnwritable) else to_unwritable_error(path, error)
                if problem.screen_text != reason:
                    log.error("%s", problem)
                reason, next_attempt_at = problem.screen_text, monotonic() + RETRY_SECONDS
        if waiting_window is None:
            waiting_window = window()
        waiting_window.poll_events()
        waiting_window.show(build_waiting_state(reason))
        feed_watchdog()
    return None
