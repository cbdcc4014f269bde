"""A button on a lead: the calculated pulses, and traces with ringing and long bounce through the debouncer.

The traces are made from the calculated lead; nobody has measured one.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from companion.events import SEAT_BUTTONS, ButtonPressed
from hardware.buttons.gpio.debounce import (
    CONFIRM_SECONDS,
    DEBOUNCE_SECONDS,
    MIN_CONTACT_SECONDS,
    DebouncedEdge,
    Debouncer,
)
from tests.conftest import REPOSITORY
from tests.hardware.buttons.gpio.bench import Edge, MockBench
from tests.hardware.buttons.gpio.lead_model import EXTERNAL_PULL_UP_OHM, HIGH_VOLTS, PIN_VOLTS, ButtonLead

LONGEST_METRES = 3.0
"""Longest lead of docs/build/leads.md."""
BARE, PULLED_UP = ButtonLead(LONGEST_METRES), ButtonLead(LONGEST_METRES, EXTERNAL_PULL_UP_OHM)
Trace = list[tuple[bool, float]]
"""Edges: whether the contact is closed, and when."""


def test_a_short_lead_with_a_pull_up_is_released_in_two_microseconds() -> None:
    assert ButtonLead(2.0, EXTERNAL_PULL_UP_OHM).release_seconds * 1e6 == pytest.approx(2.3, abs=0.05)


def replay(trace: Trace, until: float) -> list[tuple[bool, float]]:
    """Return the debounced edges of a trace."""
    contact, found = Debouncer(), list[DebouncedEdge]()
    for is_down, at in trace:
        found += contact.handle_edge(is_down, at)
    found += contact.check_level(trace[-1][0], until)
    return [(edge.is_down, edge.at) for edge in found]


def close_contact(random: Random, at: float, *, bounce_seconds: float, rings: int, is_down: bool = True) -> Trace:
    """Return the edges of a contact that bounces, each of whose changes rings on the lead."""
    trace, now, state = Trace(), at, is_down
    while now < at + bounce_seconds or state is not is_down:
        trace += ring(now, state, rings)
        now += random.uniform(0.000_05, 0.000_6)
        state = not state
    return trace + ring(now, is_down, rings)


def ring(at: float, is_down: bool, rings: int) -> Trace:
    """Return the edges of one change of the contact, that rings so many times."""
    half_period = 1 / PULLED_UP.ringing_hz / 2
    return [(is_down is (half % 2 == 0), at + half * half_period) for half in range(2 * rings + 1)]


def test_the_longest_pulse_of_a_lead_is_no_contact() -> None:
    assert BARE.longest_glitch_seconds * 5 < MIN_CONTACT_SECONDS
    assert PULLED_UP.longest_glitch_seconds * 50 < MIN_CONTACT_SECONDS


def test_a_release_is_stamped_late_by_less_than_people_differ() -> None:
    assert BARE.release_seconds < 0.000_1
    assert PULLED_UP.release_seconds < BARE.release_seconds / 7


def test_a_lamp_of_5_volts_in_the_cable_can_be_seen_at_the_pin() -> None:
    """Why a lit button gets a pull-up of its own: each switching of its lamp may be a short pulse."""
    assert PIN_VOLTS - PULLED_UP.compute_lamp_dip(5.0) < HIGH_VOLTS
    pulses_in_time = CONFIRM_SECONDS * 100.0 + 1  # a breathing lamp is switched with 100 Hz
    assert pulses_in_time * PULLED_UP.longest_glitch_seconds * 20 < MIN_CONTACT_SECONDS


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("bounce_ms", [0.5, 5, 12, 18])
def test_ringing_and_long_bounce_are_one_press_with_its_first_stamp(seed: int, bounce_ms: float) -> None:
    random = Random(f"{seed} {bounce_ms}")
    trace = close_contact(random, 1.0, bounce_seconds=bounce_ms / 1000, rings=5)
    trace += close_contact(random, 1.2, bounce_seconds=bounce_ms / 1000, rings=5, is_down=False)
    assert replay(trace, until=2.0) == [(True, 1.0), (False, 1.2)]


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("bounce_ms", [0.5, 5, 12, 18])
def test_the_driver_reports_one_press_for_each_of_six_leads(seed: int, bounce_ms: float) -> None:
    """All six players press within a millisecond of each other, as in a race."""
    random, bench = Random(f"driver {seed} {bounce_ms}"), MockBench()
    plan = [(button, 0.1 + 0.001 * place) for place, button in enumerate(random.sample(SEAT_BUTTONS, 6))]
    edges = [
        Edge(when, button, is_down)
        for button, pressed_at in plan
        for is_closed, at in ((True, pressed_at), (False, pressed_at + 0.2))
        for is_down, when in close_contact(random, at, bounce_seconds=bounce_ms / 1000, rings=5, is_down=is_closed)
    ]
    events = bench.play(edges)
    bench.close()
    pressed = [(event.button, event.at) for event in events if isinstance(event, ButtonPressed)]
    assert [button for button, _at in pressed] == [button for button, _at in plan]
    assert [at for _button, at in pressed] == pytest.approx([at for _button, at in plan], abs=1e-9)
    assert len(events) == 12


def test_bounce_longer_than_the_lockout_is_a_second_press() -> None:
    """Where the limit lies: a contact that opens again after 20 ms cannot be told from two presses."""
    trace = [(True, 1.0), (False, 1.0 + DEBOUNCE_SECONDS + 0.002), (True, 1.0 + DEBOUNCE_SECONDS + 0.030)]
    assert [is_down for is_down, _at in replay(trace, until=2.0)] == [True, False, True]


@pytest.mark.parametrize("lead", [BARE, PULLED_UP])
def test_sparks_and_lamps_are_no_press(lead: ButtonLead) -> None:
    def make_pulses() -> Iterator[tuple[bool, float]]:
        for pulse in range(200):
            yield True, 1.0 + pulse * 0.01
            yield False, 1.0 + pulse * 0.01 + lead.longest_glitch_seconds

    assert replay([*make_pulses()], until=4.0) == []


def test_a_press_among_the_pulses_of_a_lamp_keeps_its_stamp() -> None:
    pulse = PULLED_UP.longest_glitch_seconds
    trace = [(True, 0.99), (False, 0.99 + pulse), (True, 1.0), (False, 1.05)]
    assert replay(trace, until=2.0) == [(True, 1.0), (False, 1.05)]


@pytest.mark.parametrize("metres", [1.0, 2.0, 3.0])
def test_the_document_has_the_calculated_figures(metres: float) -> None:
    document = (REPOSITORY / "docs" / "build" / "leads.md").read_text(encoding="utf-8")
    bare, pulled_up = ButtonLead(metres), ButtonLead(metres, EXTERNAL_PULL_UP_OHM)
    cells = [f"{metres:.0f} m", f"{bare.farad * 1e12:.0f} pF", f"{bare.ringing_hz / 1e6:.0f} MHz"]
    for lead in (bare, pulled_up):
        cells += [f"{lead.release_seconds * 1e6:.0f} µs", f"{lead.longest_glitch_seconds * 1e6:.0f} µs"]
    assert f"| {' | '.join(cells)} |" in document
    assert f"moves the switch's core by more than {int(bare.compute_lamp_dip(5.0))} V" in document


def test_the_document_names_the_limits_of_the_debouncer() -> None:
    document = (REPOSITORY / "docs" / "build" / "leads.md").read_text(encoding="utf-8")
    for limit in (f"{MIN_CONTACT_SECONDS * 1e6:.0f} µs", f"{DEBOUNCE_SECONDS * 1e3:.0f} ms"):
        assert limit in document
    assert "**Nobody has built or measured a lead yet.**" in document
