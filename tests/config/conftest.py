"""Fixtures of the stored files."""

from __future__ import annotations

import pytest

from tests.config.lamp_store import Disk


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Disk:
    return Disk(monkeypatch)
