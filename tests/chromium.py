"""A real browser without a window: Debian's chromium, for the tests of web pages."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

CHROMIUM = shutil.which("chromium")
needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed (Debian: chromium)")
QUIET = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
"""Options with which it asks for nothing but the page."""


def read_page(url: str, profile: Path, *options: str, seconds: int = 3) -> str:
    """Return the document of a page as HTML, after its scripts have run.

    Args:
        url: of the page.
        profile: an empty folder for the browser's own files.
        options: further ones of the browser, such as a window's size.
        seconds: after which a page that is still loading is read as it is.
    """
    assert CHROMIUM is not None
    command = [
        CHROMIUM,
        *QUIET,
        f"--user-data-dir={profile}",
        *options,
        f"--timeout={seconds * 1000}",
        "--dump-dom",
        url,
    ]
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=120).stdout
