"""A real browser without a window: Debian's chromium, for the tests of web pages."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.support.ui import WebDriverWait

CHROMIUM = shutil.which("chromium")
needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed (Debian: chromium)")
DRIVER = shutil.which("chromedriver")
needs_chromedriver = pytest.mark.skipif(
    CHROMIUM is None or DRIVER is None, reason="chromedriver is not installed (Debian: chromium-driver)"
)
TIMEOUT_SECONDS = 200
SIZES = {"phone": (390, 844), "small phone": (320, 568), "desktop": (1280, 800), "television": (1920, 1080)}
"""Sizes of pages in pixels."""
PICTURES = os.environ.get("COMPANION_PAGE_PICTURES")
"""Folder for pictures of pages, to be looked at; None: none are made."""
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


def read_page(url: str, profile: Path, *options: str) -> str:
    """Return the document of a page as HTML, when all that it loads has arrived.

    Args:
        url: of the page.
        profile: an empty folder for the browser's own files.
        options: further ones of chromium.
    """
    assert CHROMIUM is not None
    command = [
        CHROMIUM,
        *QUIET,
        f"--user-data-dir={profile}",
        f"--timeout={TIMEOUT_SECONDS * 1000}",
        *options,
        "--dump-dom",
        url,
    ]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


class Browser:
    """Chromium without a window, driven by chromedriver."""

    def __init__(self, profile: Path) -> None:
        options = webdriver.ChromeOptions()
        for option in (*QUIET, f"--user-data-dir={profile}"):
            options.add_argument(option)
        options.binary_location = shutil.which("chromium") or ""
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(options, Service(DRIVER))

    def set_up(self, size: tuple[int, int], colours: str) -> None:
        """Set the size of the page in pixels, and "light" or "dark"."""
        width, height = size
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 800}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        features = [{"name": "prefers-color-scheme", "value": colours}]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})

    def wait_for_text(self, text: str) -> None:
        WebDriverWait(self.driver, TIMEOUT_SECONDS).until(
            lambda driver: text in driver.execute_script("return document.body.innerText")
        )

    def take_picture(self, name: str) -> None:
        if PICTURES:
            self.driver.save_screenshot(str(Path(PICTURES) / f"{name}.png"))

    def find_faults(self) -> list[str]:
        """Return what the page does not fit, and the serious findings of axe."""
        import axe_core_python

        script = (Path(axe_core_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")
        self.driver.execute_script(script)
        result: Any = self.driver.execute_async_script("axe.run().then(arguments[arguments.length - 1]);")
        assert result["passes"], "axe ran"
        faults = [
            f"axe: {each['id']}: {each['nodes'][0]['html']}"
            for each in result["violations"]
            if each["impact"] in ("serious", "critical")
        ]
        # Not `innerWidth`: on a phone it grows with what is too wide.
        wide = self.driver.execute_script("return document.body.scrollWidth - document.documentElement.clientWidth")
        return faults + ([f"{wide} px too wide"] if wide > 0 else [])
