"""Faults at the pins: lost edges, wrong timestamps, unavailable pins, and a machine without GPIO."""

from __future__ import annotations

import os
import sys
import threading
from itertools import pairwise
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.events import Button, ButtonPressed, ButtonReleased
from companion.testing.table import ManualClock
from hardware.buttons.gpio import driver as driver_module
from hardware.buttons.gpio import pin_factory as factory_module
from hardware.buttons.gpio.debounce import (
    CONFIRM_SECONDS,
    DEBOUNCE_SECONDS,
    EDGE_GRACE_SECONDS,
    MIN_CONTACT_SECONDS,
    DebouncedEdge,
    Debouncer,
)
from hardware.buttons.gpio.driver import LEVEL_CHECK_SECONDS, GpioPins, GpioSource, ThreadedGpioSource, open_gpio
from hardware.buttons.gpio.pin_factory import WORKING_FOLDER_VARIABLE, GpioMissing, open_lgpio, use_lgpio_folder
from hardware.buttons.lamp_effects import LampEffect
from tests.hardware.buttons.gpio.bench import (
    BUTTON_PINS,
    LAMP_PINS,
    PINS,
    BouncingPin,
    ClockFactory,
    Edge,
    MockBench,
    make_stroke,
)

OK = Button.OK


# Debouncing --------------------------------------------------------------------------------------------------------


def test_changes_during_debounce_are_reported_at_its_end() -> None:
    contact = Debouncer()
    assert contact.handle_edge(True, 1.0) == []
    assert contact.handle_edge(False, 1.006) == [DebouncedEdge(True, 1.0)]
    assert contact.check_level(False, 1.0 + DEBOUNCE_SECONDS) == []
    assert contact.check_level(False, contact.due_at or 0.0) == [DebouncedEdge(False, 1.0 + DEBOUNCE_SECONDS)]


def test_release_during_debounce_is_reported_before_the_next_press() -> None:
    contact = Debouncer()
    contact.handle_edge(True, 1.0)
    assert contact.handle_edge(False, 1.006) == [DebouncedEdge(True, 1.0)]
    assert contact.handle_edge(True, 1.1) == [DebouncedEdge(False, 1.0 + DEBOUNCE_SECONDS)]
    assert contact.check_level(True, 1.1 + CONFIRM_SECONDS) == [DebouncedEdge(True, 1.1)]


def test_level_counts_when_two_checks_agree() -> None:
    contact = Debouncer()
    assert contact.check_level(False, 0.99) == []
    assert contact.check_level(True, 1.0) == []
    assert contact.check_level(True, 1.0 + EDGE_GRACE_SECONDS / 2) == []
    (edge,) = contact.check_level(True, 1.0 + EDGE_GRACE_SECONDS)
    assert (edge.is_down, edge.at, edge.max_error_seconds) == (True, 1.0, pytest.approx(0.01))


def test_edge_between_two_checks_keeps_its_timestamp() -> None:
    contact = Debouncer()
    assert contact.check_level(True, 1.001) == []
    contact.handle_edge(True, 1.0)
    assert contact.check_level(True, 1.1) == [DebouncedEdge(True, 1.0)]


def test_a_glitch_is_no_press_and_chatter_no_second_one() -> None:
    """H3: 20 microseconds picked up by a long wire, and 30 microseconds of a held contact that opens."""
    contact = Debouncer()
    for at in (1.0, 1.05):
        assert contact.handle_edge(True, at) == []
        assert contact.handle_edge(False, at + 0.000_02) == []
        assert contact.check_level(False, at + CONFIRM_SECONDS) == []
    contact.handle_edge(True, 2.0)
    assert contact.check_level(True, 2.01) == [DebouncedEdge(True, 2.0)]
    assert contact.handle_edge(False, 2.5) == []
    assert contact.handle_edge(True, 2.500_03) == []
    assert contact.check_level(True, 2.6) == []


@given(st.floats(1e-6, 0.9 * MIN_CONTACT_SECONDS), st.floats(1.1 * MIN_CONTACT_SECONDS, 0.1))
def test_pulses_count_from_a_third_of_a_millisecond_on(glitch: float, press: float) -> None:
    for length, presses in ((glitch, 0), (press, 1)):
        contact = Debouncer()
        edges = contact.handle_edge(True, 1.0) + contact.handle_edge(False, 1.0 + length)
        edges += contact.check_level(False, 2.0)
        assert [edge.at for edge in edges if edge.is_down] == [1.0] * presses


def test_a_press_waits_for_one_that_began_earlier() -> None:
    bench = MockBench(latency=0.0)
    start = bench.clock.now
    for button, at in ((Button.SEAT1, 0.0), (Button.SEAT2, 0.000_5)):
        bench.pin(BUTTON_PINS[button]).set_level(False)
        bench.pin(BUTTON_PINS[button]).send_edge(start + at, False)
    # A later edge of the second one decides it before the first one is.
    bench.clock.now = start + 0.006
    bench.pin(BUTTON_PINS[Button.SEAT2]).send_edge(bench.clock.now, False)
    assert bench.gpio.read() == []
    bench.clock.now = start + 0.01
    bench.gpio.tick()
    assert [event.at - start for event in bench.gpio.read()] == pytest.approx([0.0, 0.000_5])


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


# Edges ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("latency", [0.0, 0.008, 0.025])
def test_lost_release_is_recovered_from_the_level(latency: float) -> None:
    bench = MockBench(latency)
    events = bench.play([Edge(0.1, OK, True), Edge(0.3, OK, False, lost=True)])
    assert [type(s) for s in events] == [ButtonPressed, ButtonReleased]
    assert events[0].at == pytest.approx(0.1)
    assert 0.3 <= events[1].at <= 0.3 + 2 * LEVEL_CHECK_SECONDS


def test_lost_press_is_recovered_from_the_level() -> None:
    bench = MockBench()
    events = bench.play([Edge(0.1, OK, True, lost=True), Edge(0.3, OK, False)])
    assert [type(s) for s in events] == [ButtonPressed, ButtonReleased]
    assert 0.1 <= events[0].at <= 0.1 + 2 * LEVEL_CHECK_SECONDS
    assert events[1].at == pytest.approx(0.3)


def test_late_edges_are_not_treated_as_lost() -> None:
    bench = MockBench(latency=0.025)
    events = bench.play([edge for i in range(200) for edge in make_stroke(OK, 0.15 * i, 0.07, (0.002, 0.001))])
    assert [s.at for s in events] == pytest.approx([0.15 * i + at for i in range(200) for at in (0.0, 0.07)])


def test_bounce_with_lost_end_is_recovered_from_the_level() -> None:
    bench = MockBench()
    train = [Edge(0.1, OK, True), Edge(0.101, OK, False), Edge(0.102, OK, True, lost=True)]
    events = bench.play([*train, Edge(0.4, OK, False)])
    # By the edges the contact is open after 0.101; reading the pin's level corrects that.
    assert [type(s) for s in events][-1] is ButtonReleased
    assert [type(s) for s in events] == [ButtonPressed, ButtonReleased, ButtonPressed, ButtonReleased]
    assert events[-1].at == pytest.approx(0.4)


def test_button_held_at_start_is_not_a_press() -> None:
    class Held(BouncingPin):
        def input_with_pull(self, pull: str) -> None:
            super().input_with_pull(pull)
            self._state = False

    bench = MockBench(pin_class=Held)
    assert [type(s) for s in bench.play([Edge(0.1, OK, False)]) if s.button is OK] == [ButtonReleased]


@pytest.mark.parametrize("off", [1_700_000_000.0, -90.0])
def test_timestamp_of_another_clock_is_ignored(off: float) -> None:
    """Kernels before 5.7 use the wall clock for timestamps."""
    bench = MockBench()
    pin = bench.pin(BUTTON_PINS[OK])
    pin.set_level(False)
    pin.send_edge(bench.clock.now + off, False)
    pressed_at = bench.clock.now
    bench.wait(0.01)
    (press,) = bench.gpio.read()
    assert press == ButtonPressed(OK, pressed_at, "GPIO")
    assert press.max_error_seconds == EDGE_GRACE_SECONDS


def test_pin_factory_with_its_own_clock() -> None:
    bench = MockBench()
    bench.factory.ticks = lambda: bench.clock.now - 1000.0  # type: ignore[method-assign]
    gpio = type(bench.gpio)(GpioPins({OK: 2}), bench.factory, bench.clock)
    pressed_at, bench.clock.now = bench.clock.now, bench.clock.now + 0.003
    bench.pin(2).set_level(False)
    bench.pin(2).send_edge(pressed_at - 1000.0, False)
    bench.clock.now += 0.01
    gpio.tick()
    (press,) = gpio.read()
    assert (press.at, press) == (pytest.approx(pressed_at), ButtonPressed(OK, press.at, "GPIO"))
    assert isinstance(press, ButtonPressed)
    assert press.max_error_seconds == 0.0


def test_a_press_wakes_the_application() -> None:
    bench = MockBench()
    bench.pin(BUTTON_PINS[OK]).set_level(False)
    bench.pin(BUTTON_PINS[OK]).send_edge(bench.clock.now, False)
    bench.clock.now += 0.01
    bench.gpio.tick()
    assert bench.woken >= 1


# Lamps ---------------------------------------------------------------------------------------------------------------


def test_no_pin_is_an_output_before_a_press_shows_the_wiring() -> None:
    """H9: by default nobody has said that anything is wired."""
    clock = ManualClock()
    factory = ClockFactory(clock)
    gpio = GpioSource(PINS, factory, clock, are_lamps_certain=False)
    gpio.set_lamps({OK: LampEffect.ON})
    assert {pin.function for pin in factory.pins.values()} == {"input"}
    factory.pin(BUTTON_PINS[Button.NO]).set_level(False)
    factory.pin(BUTTON_PINS[Button.NO]).send_edge(clock.now, False)
    for _ in range(2):
        clock.now += 0.01
        gpio.tick()
    assert factory.pin(LAMP_PINS[OK]).state == 1
    assert factory.pin(LAMP_PINS[Button.NO]).state == 0


def test_pins_with_a_hat_are_used_only_if_the_settings_say_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(driver_module, "HAT_DESCRIPTION", tmp_path)
    clock = ManualClock()
    monkeypatch.setattr(driver_module, "open_lgpio", lambda: ClockFactory(clock))
    with pytest.raises(GpioMissing, match="A HAT is on the pins"):
        open_gpio(PINS, clock, is_required=False)
    open_gpio(PINS, clock).close()


def test_breathing_without_pwm_shows_the_bright_half() -> None:
    bench = MockBench(pin_class=BouncingPin)
    bench.set_lamps({OK: LampEffect.BREATHE})
    levels = []
    for _ in range(400):
        bench.wait(0.01)
        levels.append(bench.get_brightness(OK))
    assert set(levels) == {0.0, 1.0}
    assert sum(levels) / len(levels) == pytest.approx(0.5, abs=0.02)


def test_pwm_runs_only_while_a_lamp_breathes() -> None:
    bench = MockBench()
    pin = bench.pin(LAMP_PINS[OK])
    assert pin.frequency is None
    bench.set_lamps({OK: LampEffect.BREATHE})
    assert pin.frequency == 100.0
    bench.set_lamps({OK: LampEffect.SLOW})
    assert pin.frequency is None


def test_unfinished_pwm_cycle_does_not_override_a_new_effect() -> None:
    """lgpio stops its PWM only after values written in the meantime."""
    bench = MockBench()
    bench.set_lamps({OK: LampEffect.BREATHE})
    bench.wait(0.5)
    bench.set_lamps({OK: LampEffect.ON})
    bench.pin(LAMP_PINS[OK]).set_level(False)
    bench.wait(0.1)
    assert bench.get_brightness(OK) == 1.0


def test_lamps_blink_in_phase() -> None:
    bench = MockBench()
    bench.set_lamps({Button.SEAT1: LampEffect.SLOW})
    bench.wait(0.3)
    bench.set_lamps({Button.SEAT1: LampEffect.SLOW, Button.SEAT2: LampEffect.SLOW})
    for _ in range(50):
        bench.wait(0.05)
        assert bench.get_brightness(Button.SEAT1) == bench.get_brightness(Button.SEAT2)


def test_lamps_are_dark_after_close() -> None:
    bench = MockBench()
    pin = bench.pin(LAMP_PINS[OK])
    states = []
    bench.set_lamps({OK: LampEffect.ON})
    pin.close = lambda: states.append(pin.state)
    bench.close()
    bench.close()
    assert states[0] == 0


# Missing hardware ----------------------------------------------------------------------------------------------------


class Busy(BouncingPin):
    """Pins, some of them used by another program."""

    numbers = frozenset({BUTTON_PINS[Button.PLUS], LAMP_PINS[OK]})

    def output_with_state(self, state: float) -> None:
        self._refuse()
        super().output_with_state(state)

    def input_with_pull(self, pull: str) -> None:
        self._refuse()
        super().input_with_pull(pull)

    def _refuse(self) -> None:
        if self._number in self.numbers:
            raise RuntimeError("'GPIO busy'")


def test_unavailable_pin_is_named_and_the_others_work() -> None:
    bench = MockBench(pin_class=Busy)
    assert [line.split(" (")[0] for line in bench.gpio.problems] == [
        f"GPIO{LAMP_PINS[OK]} is not available for the lamp of ok",
        f"GPIO{BUTTON_PINS[Button.PLUS]} is not available for plus",
    ]
    assert "(GPIO busy)" in bench.gpio.problems[0]
    assert len(bench.play([*make_stroke(OK, 0.1, 0.1), *make_stroke(Button.MINUS, 0.3, 0.1)])) == 4


def test_no_available_pin_raises() -> None:
    with pytest.raises(GpioMissing, match="GPIO7 is not available for plus"):
        MockBench(pin_class=Busy, pins=GpioPins({Button.PLUS: BUTTON_PINS[Button.PLUS]}))


def test_no_wired_buttons_is_no_error() -> None:
    bench = MockBench(pins=GpioPins())
    bench.set_lamps({OK: LampEffect.ON})
    bench.wait(0.2)
    assert bench.gpio.read() == []


class Dying(BouncingPin):
    """Pins that stop responding."""

    dead = False

    def _get_state(self) -> bool:
        if Dying.dead:
            raise RuntimeError("'bad handle'")
        return bool(super()._get_state())

    def close(self) -> None:
        if Dying.dead:
            raise RuntimeError("'bad handle'")
        super().close()


def test_failing_pins_are_reported_as_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    bench = MockBench(pin_class=Dying)
    monkeypatch.setattr(Dying, "dead", True)
    bench.wait(0.1)
    with pytest.raises(GpioMissing, match="no longer answer: bad handle"):
        bench.gpio.read()
    bench.set_lamps({OK: LampEffect.ON})
    bench.close()
    assert not bench.factory.pins  # the next open creates new pins


def test_failing_lamp_is_reported_by_read() -> None:
    bench = MockBench()
    bench.set_lamps({OK: LampEffect.BREATHE})

    class DeadPin:
        def __setattr__(self, name: str, value: object) -> None:
            raise RuntimeError("'bad handle'")

    bench.gpio._lamps[OK]._pin = DeadPin()  # type: ignore[assignment]
    bench.set_lamps({OK: LampEffect.ON})
    with pytest.raises(GpioMissing, match="no longer answer: bad handle"):
        bench.gpio.read()


@pytest.fixture
def chips(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A machine with a GPIO chip and lgpio."""
    folder = tmp_path / "dev"
    folder.mkdir()
    (folder / "gpiochip0").write_text("pinctrl-bcm2711")
    monkeypatch.setattr(factory_module, "DEVICE_FOLDER", folder)
    monkeypatch.setattr(factory_module, "find_spec", lambda _: object())
    monkeypatch.setattr(factory_module, "read_chip_label", lambda chip: chip.read_text().strip())
    monkeypatch.delitem(sys.modules, factory_module.LGPIO_FACTORY_MODULE, raising=False)
    monkeypatch.delenv(WORKING_FOLDER_VARIABLE, raising=False)
    return folder


def refusing(why: Exception) -> ModuleType:
    """gpiozero's module, whose factory cannot be made."""

    def refuse(chip: int) -> object:
        raise why

    module = ModuleType(factory_module.LGPIO_FACTORY_MODULE)
    module.LGPIOFactory = refuse  # type: ignore[attr-defined]
    return module


def test_machine_without_gpio(chips: Path) -> None:
    (chips / "gpiochip0").unlink()
    with pytest.raises(GpioMissing, match="no GPIO pins on this machine"):
        open_lgpio()


def test_missing_lgpio_names_its_package(monkeypatch: pytest.MonkeyPatch, chips: Path) -> None:
    monkeypatch.setattr(factory_module, "find_spec", lambda _: None)
    with pytest.raises(GpioMissing, match="need lgpio: sudo apt install python3-lgpio"):
        open_lgpio()


def test_lgpio_that_cannot_be_loaded(monkeypatch: pytest.MonkeyPatch, chips: Path) -> None:
    monkeypatch.setitem(sys.modules, "lgpio", None)
    with pytest.raises(GpioMissing, match=r"cannot be loaded .*: sudo apt install --reinstall python3-lgpio"):
        open_lgpio()


class PinUnknownPi(Exception):
    """Return the error as gpiozero raises it."""


@pytest.mark.parametrize(
    ("why", "words"),
    [
        (PinUnknownPi("no revision"), "not a Raspberry Pi"),
        (RuntimeError("'can not open gpiochip'"), "cannot be used: can not open gpiochip$"),
    ],
)
def test_failing_factory_is_explained(monkeypatch: pytest.MonkeyPatch, chips: Path, why: Exception, words: str) -> None:
    monkeypatch.setattr(factory_module, "import_module", lambda _: refusing(why))
    with pytest.raises(GpioMissing, match=words):
        open_lgpio()


class OddBoardFactory:
    """gpiozero's factory on a board that it does not know: it has opened the chip all the same."""

    def __init__(self, chip: int) -> None:
        self.is_open = True

    @property
    def board_info(self) -> object:
        raise PinUnknownPi("no revision")

    def close(self) -> None:
        self.is_open = False


def test_chip_of_an_unknown_board_is_closed(monkeypatch: pytest.MonkeyPatch, chips: Path) -> None:
    """The source is opened again and again, and lgpio has a limited number of handles."""
    opened: list[OddBoardFactory] = []
    module = SimpleNamespace(LGPIOFactory=lambda chip: opened.append(OddBoardFactory(chip)) or opened[-1])
    monkeypatch.setattr(factory_module, "import_module", lambda _: module)
    with pytest.raises(GpioMissing, match="not a Raspberry Pi"):
        open_lgpio()
    assert [factory.is_open for factory in opened] == [False]


def test_chips_without_permission(monkeypatch: pytest.MonkeyPatch, chips: Path) -> None:
    def refuse(_chip: Path) -> str:
        raise PermissionError

    monkeypatch.setattr(factory_module, "read_chip_label", refuse)
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(GpioMissing, match="usermod -aG gpio"):
        open_lgpio()


def test_chip_is_chosen_by_its_label(monkeypatch: pytest.MonkeyPatch, chips: Path) -> None:
    """H1: kernels of 2026 number the Pi 5's chips from 11, and a foreign chip may have the number 0 or 4."""
    opened = []
    module = ModuleType(factory_module.LGPIO_FACTORY_MODULE)
    module.LGPIOFactory = lambda chip: opened.append(chip) or SimpleNamespace(board_info=None)  # type: ignore[attr-defined]
    monkeypatch.setattr(factory_module, "import_module", lambda _: module)
    (chips / "gpiochip0").write_text("ft232h-gpio")
    (chips / "gpiochip15").write_text("pinctrl-rp1")
    (chips / "gpiochip4").symlink_to(chips / "gpiochip15")
    open_lgpio()
    assert opened == [15]
    (chips / "gpiochip15").write_text("gpio-brcmstb@107d508500")
    with pytest.raises(GpioMissing, match=r"\(gpiochip0 ft232h-gpio, gpiochip15 gpio-brcmstb@107d508500\)"):
        open_lgpio()


def test_lgpio_is_loaded_in_its_own_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv(WORKING_FOLDER_VARIABLE, raising=False)
    monkeypatch.chdir(tmp_path)
    with use_lgpio_folder() as folder:
        assert Path.cwd() == folder.resolve() != tmp_path
        assert os.environ[WORKING_FOLDER_VARIABLE] == str(folder)
    assert Path.cwd() == tmp_path
    assert WORKING_FOLDER_VARIABLE not in os.environ
    assert not folder.exists()


def test_configured_working_folder_is_used_and_kept(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, chips: Path
) -> None:
    monkeypatch.setenv(WORKING_FOLDER_VARIABLE, str(tmp_path))
    with use_lgpio_folder() as folder:
        assert folder == tmp_path == Path.cwd()
    assert tmp_path.exists()
    monkeypatch.setenv(WORKING_FOLDER_VARIABLE, str(tmp_path / "gone"))
    with pytest.raises(GpioMissing, match="name another, or unset it"):
        open_lgpio()


def test_lamp_thread_blinks_and_stops() -> None:
    """Runs in real time: waits for an event, with a generous limit."""
    ticked = threading.Event()

    class Ticking(ThreadedGpioSource):
        def tick(self) -> float:
            ticked.set()
            return super().tick()

    clock = ManualClock()
    source = Ticking(PINS, ClockFactory(clock), clock, are_lamps_certain=True)
    assert ticked.wait(30.0)
    source.set_lamps({OK: LampEffect.ON})
    assert (source.name, source.problems, source.read()) == ("GPIO", (), [])
    source.close()
    assert "gpio" not in {thread.name for thread in threading.enumerate()}
