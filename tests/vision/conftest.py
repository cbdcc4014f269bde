"""What the tests of vision share."""

from __future__ import annotations

import numpy as np
import pytest

from companion.vision.lid.digit_reader import TokenNet
from companion.vision.reading import Image
from tests.vision.watching import REST, Film


@pytest.fixture
def film() -> Film:
    """A table with a covered lid and no dice, looked at until all of it is known."""
    film = Film()
    assert film.deeds(REST) == []
    return film


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many tokens the digit net is asked about, call by call; clear it where counting shall begin."""
    counts: list[int] = []
    read = TokenNet.read

    def counted(net: TokenNet, patches: Image, *, closely: bool = False) -> np.ndarray:
        counts.append(len(patches))
        return read(net, patches, closely=closely)

    monkeypatch.setattr(TokenNet, "read", counted)
    return counts
