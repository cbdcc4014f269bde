"""A web server that cannot accept connections, or meets another error.

Its limits and its answers, over real HTTP: test_page.py and tests/club/test_page.py.
"""

from __future__ import annotations

import asyncio
import errno
from typing import Any

import pytest

from companion.web_server.serving import _ShortageLog


def test_only_a_shortage_is_logged_in_short(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    """asyncio's own handler writes a traceback, also of what is no shortage."""
    loop, passed_on = asyncio.new_event_loop(), list[dict[str, Any]]()
    monkeypatch.setattr(loop, "default_exception_handler", passed_on.append)
    shortages = _ShortageLog()
    shortage = {"exception": OSError(errno.EMFILE, "Too many open files"), "socket": object()}
    others = [
        {"exception": OSError(errno.EPERM, "Operation not permitted"), "socket": object()},
        {"exception": OSError(errno.EMFILE, "Too many open files")},
        {"exception": ValueError("a fault"), "socket": object()},
        {"message": "a task was destroyed"},
    ]
    for context in (shortage, *others, shortage):
        shortages.handle(loop, context)
    assert passed_on == others
    shortages.wrap(asyncio.Protocol)()  # a connection is accepted
    shortages.handle(loop, shortage)
    loop.close()
    assert [record.getMessage() for record in caplog.records] == [
        "No browser can connect at the moment: Too many open files."
    ] * 2
