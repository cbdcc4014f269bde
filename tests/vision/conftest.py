"""Fixtures shared by the tests of vision."""

from __future__ import annotations

from copy import deepcopy

import numpy as np
import pytest

from companion.vision.lid.digit_reader import DigitClassifier
from companion.vision.reading import Image
from tests.vision.watching import REST, WatcherFilm, film_after_throw


@pytest.fixture(scope="session")
def film_at_rest() -> WatcherFilm:
    film = WatcherFilm()
    assert film.collect_actions(REST) == []
    return film


@pytest.fixture
def film(film_at_rest: WatcherFilm) -> WatcherFilm:
    """A table with a covered lid and no dice, of which everything has been read."""
    return deepcopy(film_at_rest)


@pytest.fixture
def thrown_film() -> WatcherFilm:
    """The same table after a throw of two dice, which has been read."""
    return film_after_throw()


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Number of tokens in each call of the digit classifier; clear it where counting starts."""
    counts: list[int] = []
    classify = DigitClassifier.classify

    def counted(net: DigitClassifier, patches: Image, *, as_windows: bool = False) -> np.ndarray:
        counts.append(len(patches))
        return classify(net, patches, as_windows=as_windows)

    monkeypatch.setattr(DigitClassifier, "classify", counted)
    return counts
