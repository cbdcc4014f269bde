"""What the watcher's tests share."""

from __future__ import annotations

import pytest

from tests.vision.watching import REST, Film


@pytest.fixture
def film() -> Film:
    """A table with a covered lid and no dice, looked at until all of it is known."""
    film = Film()
    assert film.deeds(REST) == []
    return film
