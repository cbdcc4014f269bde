"""Fixtures of all tests: no screen, no sound, no pins, none of the person's own files."""

from __future__ import annotations

import fcntl
import logging
import os
import re
import subprocess
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from companion.i18n import current_language, set_language
from companion.journal.database import Journal
from companion.testing.table import TableUnderTest, open_tables
from tests.firmware.simulator import Built, build, build_pico, install_rp2040js, missing, missing_for_pico

# Before anybody imports pygame or gpiozero. A display that the caller names (Xvfb) stays.
os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("SDL_AUDIODRIVER", "dummy")
os.environ["PYGAME_HIDE_SUPPORT_PROMPT"] = "1"
os.environ["GPIOZERO_PIN_FACTORY"] = "mock"

# The same examples each time, and no deadline: a slow machine is no failure. `make proof` looks for new ones.
settings.register_profile("test", derandomize=True, deadline=None, max_examples=50)
settings.register_profile("proof", deadline=None, max_examples=2000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "test"))

REPOSITORY = Path(__file__).resolve().parent.parent
SHARED = REPOSITORY.parent / "shared"

MARKED_LIMITS_SECONDS = {"proof": 4 * 3600, "appliance": 3600, "training": 1200}
"""Time limits of tests with these markers, which take longer than the default in pyproject.toml."""


@pytest.hookimpl(tryfirst=True)  # before pytest chooses by marker
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave cases of `sampled` tests to the layers `full` and `proof`, and give long tests their time limit.

    Cases that are named, or failed last (`--lf`), are not sampled.
    """
    cases: defaultdict[str, list[pytest.Function]] = defaultdict(list)
    for item in items:
        limits = [seconds for name, seconds in MARKED_LIMITS_SECONDS.items() if item.get_closest_marker(name)]
        if limits and not item.get_closest_marker("timeout"):
            item.add_marker(pytest.mark.timeout(max(limits)))
        if isinstance(item, pytest.Function) and item.get_closest_marker("sampled"):
            cases[item.nodeid.partition("[")[0]].append(item)
    if config.getoption("lf", False) or any("[" in word for word in config.args):
        return
    for of_one_test in cases.values():
        marker = of_one_test[0].get_closest_marker("sampled")
        assert marker is not None
        for layer, left in zip(("full", "proof"), leave_cases(of_one_test, *marker.args, **marker.kwargs), strict=True):
            for item in left:
                item.add_marker(layer)


def leave_cases(
    items: Sequence[pytest.Function], wanted: int | str, full: int | None = None
) -> tuple[list[pytest.Function], list[pytest.Function]]:
    """Return the cases that `make test` leaves to `make full`, and those that both leave to `make proof`."""
    chosen = choose_cases(items, wanted)
    left = [item for item in items if item not in chosen]
    in_full = left if full is None else choose_cases(left, full)
    return in_full, [item for item in left if item not in in_full]


def choose_cases(items: Sequence[pytest.Function], wanted: int | str) -> list[pytest.Function]:
    """Return some cases of a test: so many, evenly spread, or those whose ids match."""
    if isinstance(wanted, int):
        count = min(wanted, len(items))
        return [items[number * len(items) // count] for number in range(count)]
    chosen = [item for item in items if re.search(wanted, item.callspec.id)]
    assert chosen, f"no case of {items[0].nodeid} matches {wanted}"
    return chosen


@pytest.fixture(autouse=True, scope="session")
def _own_home() -> Iterator[None]:
    """Neither read nor write the settings and games of the person who runs the tests."""
    with tempfile.TemporaryDirectory(prefix="companion-tests-") as home, pytest.MonkeyPatch.context() as patch:
        for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"):
            patch.setenv(name, str(Path(home, name)))
        patch.setenv("HOME", home)
        patch.delenv("COMPANION_SETTINGS", raising=False)
        yield


@pytest.fixture(autouse=True)
def _own_umask() -> Iterator[None]:
    """Take back what a test, or the command line within it, did to the permissions of new files."""
    before = os.umask(0o022)
    os.umask(before)
    yield
    os.umask(before)


@contextmanager
def keep_log() -> Iterator[None]:
    """Take back what is done to the root logger: a handler that stays writes to the closed output of a test."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    try:
        yield
    finally:
        root.handlers[:] = handlers
        root.setLevel(level)


@pytest.fixture(autouse=True)
def _own_log() -> Iterator[None]:
    """Take back what a test, or the command line within it, did to the log."""
    with keep_log():
        yield


@pytest.fixture(autouse=True)
def _own_language() -> Iterator[None]:
    """Take back the language that a test has chosen: the next one of this worker expects its own."""
    before = current_language()
    yield
    set_language(before)


@pytest.fixture(autouse=True)
def _close_journals() -> Iterator[None]:
    """Close the journals that a test leaves open, as one of a power cut does: Python 3.13 and later warn of them."""
    opened: list[Journal] = []
    open_journal = Journal.__init__

    def open_and_keep(journal: Journal, *words: Any, **options: Any) -> None:
        open_journal(journal, *words, **options)
        opened.append(journal)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Journal, "__init__", open_and_keep)
        yield
    for journal in opened:
        journal.close()


@pytest.fixture(scope="session")
def shared() -> Path:
    """Return the folder with photographs and image sequences beside the checkout; skip without it."""
    if not SHARED.is_dir():
        pytest.skip(f"{SHARED} is not here")
    return SHARED


def _skip_without(lacking: list[str]) -> None:
    """Skip, visibly, where a program is missing; CI installs them all, there a gap is a failure."""
    if lacking:
        message = f"not installed: {' '.join(lacking)}"
        assert not os.environ.get("CI"), message
        pytest.skip(message)


def _build(temporary: pytest.TempPathFactory, name: str, compile_all: Callable[[Path], str]) -> Built:
    """Compile the firmware into a folder that all processes of this run of the tests share."""
    base = temporary.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / name
    folder.mkdir(exist_ok=True)
    output = folder / "output.txt"
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not output.exists():
            try:
                output.write_text(compile_all(folder), encoding="utf-8")
            except subprocess.CalledProcessError as error:
                pytest.fail(f"the firmware does not compile: {error.stdout}")
    return Built(folder, output.read_text(encoding="utf-8"))


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """Build the ATmega's firmware and simulator once; skip, visibly, where a part of either is missing."""
    _skip_without(missing())
    return _build(tmp_path_factory, "buttonbox", build)


@pytest.fixture(scope="session")
def built_pico(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """Build the Pico's firmware once, and get its simulator; skip, visibly, where a part of either is missing."""
    _skip_without(missing_for_pico())
    try:
        install_rp2040js()
    except subprocess.CalledProcessError:
        _skip_without(["rp2040js (npm ci in firmware_notes/simulator/pico)"])
    return _build(tmp_path_factory, "buttonbox-pico", build_pico)


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Callable[..., TableUnderTest]]:
    """Return a factory of tables; closes their journals afterwards."""
    with open_tables(tmp_path) as make:
        yield make
