"""When a contact's edges count: how long it must be closed, how long it is locked, and when a level is believed.

The button box's: tests/firmware/test_debounce.py.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.buttons.gpio.debounce import DEBOUNCE_SECONDS, DebouncedEdge, Debouncer

EDGE, LEVEL = Debouncer.handle_edge, Debouncer.check_level
DOWN, UP = True, False

Step = tuple[Callable[[Debouncer, bool, float], list[DebouncedEdge]], bool, float, list[DebouncedEdge]]
"""An edge or a reading of the level, its state and time, and the debounced edges that are certain then."""


def pressed(at: float, error: float = 0.0) -> DebouncedEdge:
    return DebouncedEdge(DOWN, at, pytest.approx(error, abs=1e-9))


def released(at: float, error: float = 0.0) -> DebouncedEdge:
    return DebouncedEdge(UP, at, pytest.approx(error, abs=1e-9))


STORIES: dict[str, list[Step]] = {
    "a contact closed for less than a third of a millisecond is a glitch": [
        (EDGE, DOWN, 0.0, []),
        (EDGE, UP, 0.000_34, []),
        (LEVEL, UP, 2.0, []),
    ],
    "a third of a millisecond is a press": [
        (EDGE, DOWN, 0.0, []),
        (EDGE, UP, 0.000_35, []),
        (LEVEL, UP, 0.006, [pressed(0.0)]),
    ],
    "the time adds up over bounces": [
        (EDGE, DOWN, 1.0, []),
        (EDGE, UP, 1.000_2, []),
        (EDGE, DOWN, 1.001, []),
        (EDGE, UP, 1.001_2, []),
        (LEVEL, UP, 1.006, [pressed(1.0)]),
    ],
    "a glitch before does not help": [
        (EDGE, DOWN, 1.0, []),
        (EDGE, UP, 1.000_2, []),
        (EDGE, DOWN, 1.1, []),
        (EDGE, UP, 1.100_2, []),
        (LEVEL, UP, 2.0, []),
    ],
    "a held contact that opens for a moment is no second press": [
        (EDGE, DOWN, 2.0, []),
        (LEVEL, DOWN, 2.01, [pressed(2.0)]),
        (EDGE, UP, 2.5, []),
        (EDGE, DOWN, 2.500_03, []),
        (LEVEL, DOWN, 2.6, []),
    ],
    "a change is decided five milliseconds after its first edge": [
        (EDGE, DOWN, 1.0, []),
        (LEVEL, DOWN, 1.0049, []),
        (LEVEL, DOWN, 1.0051, [pressed(1.0)]),
    ],
    "a short press is released when the lock of 20 ms ends": [
        (EDGE, DOWN, 1.0, []),
        (EDGE, UP, 1.010, [pressed(1.0)]),
        (LEVEL, UP, 1.0249, []),
        (LEVEL, UP, 1.0251, [released(1.0 + DEBOUNCE_SECONDS)]),
    ],
    "and before the next press": [
        (EDGE, DOWN, 1.0, []),
        (EDGE, UP, 1.006, [pressed(1.0)]),
        (EDGE, DOWN, 1.1, [released(1.0 + DEBOUNCE_SECONDS)]),
        (LEVEL, DOWN, 1.11, [pressed(1.1)]),
    ],
    "edges count in the order of their stamps": [
        (EDGE, DOWN, 1.0, []),
        (EDGE, UP, 0.999, []),  # overtaken by a later one
        (LEVEL, DOWN, 1.1, [pressed(1.0)]),
        (EDGE, UP, 2.0, []),
        (EDGE, DOWN, 2.0, []),  # of two with the same stamp the second one is the later
        (LEVEL, DOWN, 2.1, []),
    ],
    "a level without an edge is believed after 30 ms": [
        (LEVEL, DOWN, 0.0, []),
        (LEVEL, DOWN, 0.0299, []),
        (LEVEL, DOWN, 0.03, [pressed(0.0, 0.1)]),
    ],
    "an edge that comes after its level keeps its stamp": [
        (LEVEL, DOWN, 1.001, []),
        (EDGE, DOWN, 1.0, []),
        (LEVEL, DOWN, 1.1, [pressed(1.0)]),
    ],
    "a level does not reject a press whose edges are on their way": [
        (EDGE, DOWN, 1.0, []),
        (LEVEL, UP, 1.010, []),  # its release may be a glitch's, on its way
        (EDGE, UP, 1.000_1, []),
        (LEVEL, UP, 1.1, []),
    ],
    "a level that agrees starts the wait again and bounds the error": [
        (LEVEL, DOWN, 1.0, []),
        (LEVEL, UP, 1.02, []),
        (LEVEL, DOWN, 1.04, []),
        (LEVEL, DOWN, 1.06, []),
        (LEVEL, DOWN, 1.0701, [pressed(1.04, 0.02)]),
    ],
    "the stamp of a lost edge is off by a tenth of a second at most": [
        (LEVEL, UP, 1.0, []),
        (LEVEL, DOWN, 5.0, []),
        (LEVEL, DOWN, 5.1, [pressed(5.0, 0.1)]),
        (LEVEL, DOWN, 5.12, []),
        (LEVEL, UP, 5.15, []),
        (LEVEL, UP, 5.2, [released(5.15, 0.03)]),
    ],
}


@pytest.mark.parametrize("story", STORIES.values(), ids=STORIES.keys())
def test_debouncing(story: list[Step]) -> None:
    contact = Debouncer()
    for step, is_down, at, expected in story:
        assert step(contact, is_down, at) == expected, at


def test_a_change_is_due_five_milliseconds_after_its_first_edge_or_after_the_lock() -> None:
    contact = Debouncer()
    assert contact.due_at is None
    contact.handle_edge(DOWN, 1.0)
    assert contact.due_at == pytest.approx(1.005)
    contact.handle_edge(UP, 1.010)
    assert contact.due_at == pytest.approx(1.025)
    contact.check_level(UP, 1.0251)
    assert contact.due_at is None


def test_error_of_an_edges_stamp_is_that_of_its_first_edge() -> None:
    contact = Debouncer()
    contact.handle_edge(DOWN, 1.0, 0.03)
    contact.handle_edge(UP, 1.001)
    contact.handle_edge(DOWN, 1.002)
    assert contact.check_level(DOWN, 1.1) == [DebouncedEdge(DOWN, 1.0, 0.03)]


@given(st.lists(st.tuples(st.floats(0.0001, 0.2), st.booleans()), max_size=60))
def test_presses_and_releases_alternate_for_any_edges(gaps: list[tuple[float, bool]]) -> None:
    """No change follows another within the debounce time, and the last one equals the contact's level."""
    contact, at, changes, level = Debouncer(), 0.0, [], False
    for gap, level in gaps:
        at += gap
        changes += contact.handle_edge(level, at)
    changes += contact.check_level(level, at + 2 * DEBOUNCE_SECONDS)
    assert [c.is_down for c in changes] == [i % 2 == 0 for i in range(len(changes))]
    assert all(b.at - a.at >= DEBOUNCE_SECONDS - 1e-9 for a, b in pairwise(changes))
    assert contact.is_down == level
