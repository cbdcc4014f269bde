"""The journal is opened, or waited for: a disk that is full, read-only or not there yet is told on the screen.

Nothing can be played without it, since nothing would be kept; the moment it can be written, the evening begins.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from pathlib import Path

from companion.app.resilient_window import AnyWindow
from companion.i18n import Translator
from companion.journal.database import Journal
from companion.journal.errors import JournalUnwritable
from companion.journal.recovery import to_unwritable_error
from companion.screen_state import ScreenKind, ScreenState

_ = Translator("companion")
log = logging.getLogger("companion")
RETRY_SECONDS = 2.0
"""Seconds between two attempts."""


def build_waiting_state(why: str) -> ScreenState:
    """What the screen shows meanwhile."""
    return ScreenState(
        ScreenKind.WAITING,
        title="",
        uses_camera=False,
        prompt=_("Nothing can be kept, so nothing can be played yet"),
        details=(why, _("It is tried again by itself")),
    )


def open_with_retry(
    path: Path,
    window: Callable[[], AnyWindow],
    feed_watchdog: Callable[[], None] = lambda: None,
    monotonic: Callable[[], float] = time.monotonic,
) -> Journal | None:
    """The journal at `path`, as soon as it can be opened; None: the window was closed before.

    Args:
        window: opens one that lasts, where it must be waited.
        alive: called in every turn of waiting.
        monotonic: the host's monotonic clock, in seconds.

    Raises:
        JournalBusy: another companion has it open.
        JournalTooNew: a newer companion wrote it.
    """
    onto: AnyWindow | None = None
    why, again = "", monotonic()
    while onto is None or not onto.closed:
        if monotonic() >= again:
            try:
                path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                return Journal(path)
            except OSError as error:
                trouble = error if isinstance(error, JournalUnwritable) else to_unwritable_error(path, error)
                if trouble.screen_text != why:
                    log.error("%s", trouble)
                why, again = trouble.screen_text, monotonic() + RETRY_SECONDS
        if onto is None:
            onto = window()
        onto.poll_events()
        onto.show(build_waiting_state(why))
        feed_watchdog()
    return None
