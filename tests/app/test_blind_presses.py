"""Blind presses at the whole session: no exception, no dead end, honest lamps, exact journal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.i18n import DEFAULT_LANGUAGE, set_language
from tests.app.blind_presses import BlindPeople

FEW_SEEDS, MANY_SEEDS = range(3), range(1000, 1300)
GESTURES = 120


@pytest.fixture(autouse=True)
def _language() -> Iterator[None]:
    yield
    set_language(DEFAULT_LANGUAGE)


@pytest.mark.full
@pytest.mark.sampled(1)
@pytest.mark.parametrize("seed", FEW_SEEDS)
def test_blind_presses_break_nothing(tmp_path: Path, seed: int) -> None:
    figures = BlindPeople(tmp_path, seed, draw=seed == 0).play(GESTURES)
    assert figures["presses"] > GESTURES


@pytest.mark.proof
def test_three_hundred_sessions_of_blind_presses_break_nothing(tmp_path: Path) -> None:
    figures: Counter[str] = Counter()
    for seed in MANY_SEEDS:
        try:
            figures += BlindPeople(tmp_path / str(seed), seed, draw=seed % 5 == 0).play(3 * GESTURES)
        except Exception as error:  # any failure is reported with its seed
            raise AssertionError(f"seed {seed}: {error}") from error
    print(dict(figures))
    assert figures["finished"] > len(MANY_SEEDS) / 2
