"""Fixtures for tests of sessions: a journal of their own; afterwards the language is English again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion import i18n
from companion.journal.database import Journal


@pytest.fixture(autouse=True)
def english_again() -> Iterator[None]:
    yield
    i18n.set_language("en")


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal(tmp_path / "journal.sqlite3") as journal:
        yield journal
