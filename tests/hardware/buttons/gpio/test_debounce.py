"""When a contact's edges count: how long it must be closed, how long it is locked, and when a level is believed."""

from __future__ import annotations

import pytest

from hardware.buttons.gpio.debounce import DebouncedEdge, Debouncer


def press(contact: Debouncer, at: float) -> None:
    """Close a contact for good."""
    contact.handle_edge(True, at)
    assert contact.check_level(True, at + 0.006) == [DebouncedEdge(True, at)]


@pytest.mark.parametrize(("length", "presses"), [(0.000_34, 0), (0.000_35, 1)])
def test_contact_must_be_closed_for_a_third_of_a_millisecond(length: float, presses: int) -> None:
    contact = Debouncer()
    contact.handle_edge(True, 0.0)
    edges = contact.handle_edge(False, length) + contact.check_level(False, 2.0)
    assert sum(edge.is_down for edge in edges) == presses


def test_contact_time_adds_up_over_bounces_of_one_change_only() -> None:
    contact = Debouncer()
    for at in (1.0, 1.001):  # 0.4 ms in all
        contact.handle_edge(True, at)
        contact.handle_edge(False, at + 0.000_2)
    assert contact.check_level(False, 1.006) == [DebouncedEdge(True, 1.0)]
    contact = Debouncer()
    for at in (1.0, 1.1):
        contact.handle_edge(True, at)
        contact.handle_edge(False, at + 0.000_2)
    assert contact.check_level(False, 2.0) == [], "a glitch before does not help"


def test_a_change_is_decided_five_milliseconds_after_its_first_edge() -> None:
    contact = Debouncer()
    assert contact.due_at is None
    contact.handle_edge(True, 1.0)
    assert contact.due_at == pytest.approx(1.005)
    assert contact.check_level(True, 1.0049) == []
    assert contact.check_level(True, 1.0051) == [DebouncedEdge(True, 1.0)]
    assert contact.due_at is None


def test_a_short_press_is_released_when_the_lock_of_20_milliseconds_ends() -> None:
    contact = Debouncer()
    contact.handle_edge(True, 1.0)
    assert contact.handle_edge(False, 1.010) == [DebouncedEdge(True, 1.0)]
    assert contact.due_at == pytest.approx(1.025)
    assert contact.check_level(False, 1.0249) == []
    (release,) = contact.check_level(False, 1.0251)
    assert (release.is_down, release.at) == (False, pytest.approx(1.020))


def test_edges_count_in_the_order_of_their_stamps() -> None:
    contact = Debouncer()
    contact.handle_edge(True, 1.0)
    contact.handle_edge(False, 0.999)  # overtaken by a later one
    assert contact.check_level(True, 1.1) == [DebouncedEdge(True, 1.0)]
    contact.handle_edge(False, 2.0)
    contact.handle_edge(True, 2.0)  # of two with the same stamp the second one is the later
    assert contact.check_level(True, 2.1) == []


def test_a_level_without_an_edge_is_believed_after_30_milliseconds() -> None:
    for level_at, edges in ((0.0299, []), (0.03, [DebouncedEdge(True, 0.0)])):
        contact = Debouncer()
        assert contact.check_level(True, 0.0) == []
        assert [DebouncedEdge(e.is_down, e.at) for e in contact.check_level(True, level_at)] == edges


def test_a_level_does_not_reject_a_press_whose_edges_are_on_their_way() -> None:
    contact = Debouncer()
    contact.handle_edge(True, 1.0)
    assert contact.check_level(False, 1.010) == [], "its release may be a glitch's, on its way"
    contact.handle_edge(False, 1.000_1)
    assert contact.check_level(False, 1.1) == [], "it was a glitch"


def test_an_agreeing_level_starts_the_wait_again() -> None:
    contact = Debouncer()
    for at, is_down in ((1.0, True), (1.02, False), (1.04, True), (1.06, True)):
        assert contact.check_level(is_down, at) == []
    (edge,) = contact.check_level(True, 1.0701)
    assert (edge.at, edge.max_error_seconds) == (1.04, pytest.approx(0.02)), "it was up at 1.02"


def test_stamp_of_a_lost_edge_is_off_by_a_tenth_of_a_second_at_most() -> None:
    contact = Debouncer()
    contact.check_level(False, 1.0)
    contact.check_level(True, 5.0)
    (edge,) = contact.check_level(True, 5.1)
    assert edge == DebouncedEdge(True, 5.0, 0.1)
    contact.check_level(True, 5.12)
    contact.check_level(False, 5.15)
    (edge,) = contact.check_level(False, 5.2)
    assert (edge.at, edge.max_error_seconds) == (5.15, pytest.approx(0.03)), "it was down at 5.12"


def test_error_of_an_edges_stamp_is_that_of_its_first_edge() -> None:
    contact = Debouncer()
    contact.handle_edge(True, 1.0, 0.03)
    contact.handle_edge(False, 1.001)
    contact.handle_edge(True, 1.002)
    assert contact.check_level(True, 1.1) == [DebouncedEdge(True, 1.0, 0.03)]
    assert contact.handle_edge(False, 2.0) == []
    assert contact.check_level(False, 2.1) == [DebouncedEdge(False, 2.0, 0.0)]
