"""Buttons in a session: presses at pins play, lamps follow the offers, a lost source is reported."""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.app import button_input as hands_module
from companion.app.button_input import ButtonInput, open_sources
from companion.app.session import Session, SessionConfig
from companion.app.table_services import TableServices
from companion.config.settings import Settings, TableSettings
from companion.config.taught_buttons import TAUGHT_BUTTONS_FILE, TaughtButtons
from companion.events import (
    Button,
    ButtonHeld,
    ButtonPressed,
    ButtonReleased,
    DeviceLost,
    DeviceRestored,
    Event,
    LampState,
    PressTie,
)
from companion.games.macroscope import GAME
from companion.games.macroscope.settings import Settings as Rules
from companion.journal.database import Journal
from companion.lobby import Lobby
from companion.screen_state import CameraView
from companion.testing.table import ManualClock
from hardware.buttons.gpio.driver import GpioSource
from hardware.buttons.gpio.pin_factory import GpioMissing
from hardware.buttons.lamp_effects import LampEffect
from hardware.buttons.press_merger import HOLD_BACK_SECONDS
from hardware.buttons.source import RETRY_SECONDS, ReconnectingSource
from tests.hardware.buttons.gpio.bench import BUTTON_PINS, LAMP_PINS, MockBench
from tests.hardware.buttons.test_source import FakeSource


class Table:
    """A session whose buttons are at gpiozero's mock pins."""

    def __init__(self, journal: Journal) -> None:
        self.bench = MockBench()
        self.clock = self.bench.clock
        self.there = True
        self.hands = ButtonInput([ReconnectingSource("GPIO", self._open, self.clock, report_missing=False)], self.clock)
        self.game_session = Session(
            SessionConfig(GAME, (), Rules()), journal, TableServices(self.clock, random.Random(1))
        )
        self.turn()

    def _open(self) -> GpioSource:
        if not self.there:
            raise GpioMissing("The pins may not be used")
        return self.bench.gpio

    def turn(self) -> None:
        self.game_session.step(self.hands.poll())
        self.hands.set_lamps(self.game_session.stage.map_lamps())

    def press(self, *buttons: Button) -> None:
        for button in buttons:
            for high in (False, True):
                self.clock.now += 0.3
                pin = self.bench.pin(BUTTON_PINS[button])
                pin.set_level(high)
                pin.send_edge(self.clock.now, high)
                self.bench.wait(0.01)
                self.turn()

    def lit(self) -> set[Button]:
        """Lamps that are lit now, or within a blink."""
        self.turn()
        seen = set()
        for _ in range(11):
            self.bench.wait(0.1)
            seen |= {button for button in Button if self.bench.get_brightness(button)}
        return seen

    @property
    def notice(self) -> str | None:
        return self.game_session.build_screen_state(CameraView()).notice


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    with Journal(tmp_path / "journal.sqlite3") as journal:
        table = Table(journal)
        yield table
        table.hands.close()


def test_presses_at_the_pins_begin_a_game(table: Table) -> None:
    table.press(Button.SEAT1, Button.SEAT4)
    assert isinstance(table.game_session.stage, Lobby)
    table.press(Button.OK, Button.OK)
    assert table.game_session.saved_game.setup.buttons == (Button.SEAT1, Button.SEAT4)


def test_what_may_be_pressed_is_lit(table: Table) -> None:
    while True:
        wanted = {button for button, lamp in table.game_session.stage.map_lamps().items() if lamp is not LampState.OFF}
        assert table.lit() == wanted
        assert wanted
        if table.game_session.saved_game is not None:
            break
        table.press(*((Button.SEAT1, Button.SEAT2) if Button.OK not in wanted else (Button.OK,)))


def test_a_loss_is_said_and_the_keys_go_on_and_the_return_is_noticed(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.press(Button.SEAT1)
    table.there = False
    monkeypatch.setattr(table.bench.gpio, "_lost", "The pins no longer answer")
    table.turn()
    assert table.notice == "The pins no longer answer. The keyboard works meanwhile."
    now = table.clock.now
    table.game_session.step([ButtonPressed(Button.SEAT2, now), ButtonReleased(Button.SEAT2, now)])
    table.clock.now += RETRY_SECONDS
    table.turn()
    assert table.notice == "The pins may not be used. The keyboard works meanwhile."
    table.there = True
    table.bench.gpio = GpioSource(table.bench.gpio_pins, table.bench.factory, table.clock)
    table.clock.now += RETRY_SECONDS
    table.turn()
    assert table.notice is None
    table.press(Button.OK, Button.OK)
    assert table.game_session.saved_game is not None


class Box(FakeSource):
    """Stand-in for the button box's driver; records its arguments."""

    name = "button box"

    def __init__(
        self,
        find_ports: Any = None,
        clock: Any = None,
        wake: Any = None,
        *,
        report_missing: bool = False,
        get_colours: Any = None,
    ) -> None:
        super().__init__()
        self.find_ports, self.report_missing, self.get_colours = find_ports, report_missing, get_colours


def presses(signals: list[Event]) -> list[tuple[Button, float]]:
    return [(signal.button, signal.at) for signal in signals if isinstance(signal, ButtonPressed)]


def test_what_two_sources_say_is_in_the_order_in_which_it_happened() -> None:
    clock, pins, box = ManualClock(), FakeSource(), Box()
    hands = ButtonInput([pins, box], clock, are_pins_wired=True)
    box.next = [ButtonPressed(Button.SEAT3, 99.99)]
    pins.next = [DeviceRestored("GPIO", 99.9)]
    assert presses(hands.poll()) == []  # a press at a pin may still be on its way
    assert hands.is_holding_back
    clock.now += 0.005
    pins.next = [ButtonPressed(Button.SEAT1, 99.988), ButtonPressed(Button.SEAT2, 100.001)]
    assert presses(hands.poll()) == []
    clock.now += HOLD_BACK_SECONDS
    assert presses(hands.poll()) == [(Button.SEAT1, 99.988), (Button.SEAT3, 99.99), (Button.SEAT2, 100.001)]
    assert not hands.is_holding_back


def test_a_box_waits_for_pins_only_after_a_press_there() -> None:
    """Any Raspberry Pi has pins that open; whether something is wired to them only a press shows."""
    clock, pins, box = ManualClock(), FakeSource(), Box()
    hands = ButtonInput([pins, box], clock)
    pins.next = [DeviceRestored("GPIO", 99.9), ButtonHeld(Button.OK, 99.9, "GPIO")]
    box.next = [ButtonPressed(Button.SEAT3, 99.995)]
    assert presses(hands.poll()) == [(Button.SEAT3, 99.995)]
    clock.now += 1.0
    box.next = [ButtonPressed(Button.SEAT3, 100.9)]  # 100 ms late, once
    hands.poll()
    clock.now += 1.0
    box.next = [ButtonPressed(Button.SEAT3, 101.995)]
    assert presses(hands.poll()) == [(Button.SEAT3, 101.995)]
    assert not hands.is_holding_back
    pins.next = [ButtonPressed(Button.SEAT1, 101.99)]
    clock.now += 0.2
    tie, late = [signal for signal in hands.poll() if isinstance(signal, ButtonPressed | PressTie)]
    assert isinstance(tie, PressTie)
    assert tie.is_late, "the first one is announced if it comes too late"
    assert late == ButtonPressed(Button.SEAT1, 101.99)
    clock.now += 1.0
    third = ButtonPressed(Button.SEAT3, clock.now - 0.005)
    box.next = [third]
    assert presses(hands.poll()) == []
    assert hands.is_holding_back
    pins.next = [DeviceLost("GPIO", clock.now), DeviceRestored("GPIO", clock.now)]
    assert presses(hands.poll()) == [], "once pressed, they are wired"
    clock.now += 1.0
    assert presses(hands.poll()) == [(Button.SEAT3, third.at)]


def test_a_press_at_the_pins_is_remembered_over_a_restart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """At the next start the box waits for the pins from its first press on, and the lamps there are lit at once."""
    asked: list[bool] = []

    def open_pins(*_: Any, is_required: bool, is_proven: bool) -> FakeSource:
        asked.append(is_proven and not is_required)
        return FakeSource().open()

    monkeypatch.setattr(hands_module, "open_gpio", open_pins)
    monkeypatch.setattr(hands_module, "ButtonBox", Box)
    settings = Settings(table=TableSettings(kind="real"))
    for pressed_before in (False, False, True):
        clock, taught, pins, box = ManualClock(), TaughtButtons(tmp_path), FakeSource(), Box()
        for source in open_sources(settings, clock, lambda: None, None, taught):
            source.read()
        assert asked.pop() is pressed_before
        assert not asked
        hands = ButtonInput(
            [pins, box], clock, are_pins_wired=taught.are_pins_wired, note_pin_press=taught.note_pin_press
        )
        pins.next = [DeviceRestored("GPIO", 99.9)]
        box.next = [ButtonPressed(Button.SEAT3, 99.995)]
        assert bool(presses(hands.poll())) is not pressed_before
        if (tmp_path / "second").exists():
            pins.next = [ButtonPressed(Button.SEAT1, 100.0)]
            hands.poll()
            taught.forget_all()
        (tmp_path / "second").touch()
    content = (tmp_path / TAUGHT_BUTTONS_FILE).read_bytes()
    taught.note_pin_press()
    assert (tmp_path / TAUGHT_BUTTONS_FILE).read_bytes() == content


def test_only_presses_at_the_pins_prove_them() -> None:
    clock, noted, pins, box = ManualClock(), list[bool](), FakeSource(), Box()
    hands = ButtonInput([pins, box], clock, note_pin_press=lambda: noted.append(True))
    pins.next = [DeviceRestored("GPIO", 99.9), ButtonHeld(Button.OK, 99.9, "GPIO"), ButtonReleased(Button.OK, 99.95)]
    box.next = [ButtonPressed(Button.SEAT3, 99.995)]
    hands.poll([ButtonPressed(Button.SEAT1, 99.99)])
    assert noted == []
    for _ in range(2):
        pins.next = [ButtonPressed(Button.SEAT1, 100.0)]
        hands.poll()
    assert noted == [True], "once"


def test_one_source_alone_waits_for_nobody() -> None:
    clock, pins = ManualClock(), FakeSource()
    hands = ButtonInput([pins], clock)
    pins.next = [ButtonPressed(Button.SEAT1, 100.0)]
    assert presses(hands.poll()) == [(Button.SEAT1, 100.0)]
    assert ButtonInput((), clock).poll([ButtonPressed(Button.OK, 100.0)]) == [ButtonPressed(Button.OK, 100.0)]


def test_presses_that_cannot_be_reported_apart_are_announced() -> None:
    clock, box = ManualClock(), Box()
    hands = ButtonInput([box], clock)
    both = [ButtonPressed(Button.SEAT1, 100.0), ButtonPressed(Button.SEAT2, 100.000_05)]
    box.next = list(both)
    assert [signal.presses for signal in hands.poll() if isinstance(signal, PressTie)] == [tuple(both)]


def test_what_comes_before_the_first_look_is_not_lost() -> None:
    fake, clock = FakeSource(), ManualClock()
    fake.next = [DeviceLost("GPIO", 1.0)]
    hands = ButtonInput([fake], clock)
    fake.next = [DeviceRestored("GPIO", 2.0)]
    assert [signal.at for signal in hands.poll()] == [1.0, 2.0]


def test_lamps_go_to_every_source_when_they_change() -> None:
    fakes = [FakeSource(), Box()]
    hands = ButtonInput(fakes, ManualClock())
    hands.set_lamps({Button.OK: LampState.BLINK, Button.NO: LampState.ON, Button.PLUS: LampState.OFF})
    assert [fake.lit for fake in fakes] == [{Button.OK: LampEffect.SLOW, Button.NO: LampEffect.ON}] * 2
    fakes[0].lit = {}
    hands.set_lamps({Button.OK: LampState.BLINK, Button.NO: LampState.ON})
    assert fakes[0].lit == {}
    hands.close()
    assert [fake.closed for fake in fakes] == [1, 1]


@pytest.mark.parametrize(
    ("buttons", "names", "missed", "must_all_work"),
    [
        ("any", ["GPIO", "button box"], [], False),
        ("gpio", ["GPIO"], ["GPIO"], True),
        ("box", ["button box"], [], None),
        ("both", ["GPIO", "button box"], ["GPIO"], True),
        ("none", [], [], None),
    ],
)
def test_the_settings_say_which_sources_there_are(
    monkeypatch: pytest.MonkeyPatch, buttons: Any, names: list[str], missed: list[str], must_all_work: bool | None
) -> None:
    """Pins that the settings name must all work; without a name, what there is is used."""
    asked: list[bool] = []

    def open_no_pins(*_: Any, is_required: bool, is_proven: bool) -> Any:
        asked.append(is_required)
        assert not is_proven
        raise GpioMissing("no pins")

    monkeypatch.setattr(hands_module, "open_gpio", open_no_pins)
    monkeypatch.setattr(hands_module, "ButtonBox", Box)
    settings = Settings(table=TableSettings(kind="real", buttons=buttons))
    sources = open_sources(settings, lambda: 1.0, lambda: None)
    assert [source.name for source in sources] == names
    assert {source.report_missing for source in sources if isinstance(source, Box)} <= {buttons != "any"}
    hands = ButtonInput(sources, lambda: 1.0)
    assert [signal.name for signal in hands.poll() if isinstance(signal, DeviceLost)] == missed
    assert set(asked) == ({must_all_work} if "GPIO" in names else set())


def test_who_tests_a_wiring_hears_of_all_that_is_missing_and_sees_the_lamps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the settings name; pins under a HAT are used only where they are named."""
    asked: list[tuple[bool, bool]] = []

    def open_no_pins(*_: Any, is_required: bool, is_proven: bool) -> Any:
        asked.append((is_required, is_proven))
        raise GpioMissing("no pins")

    monkeypatch.setattr(hands_module, "open_gpio", open_no_pins)
    monkeypatch.setattr(hands_module, "ButtonBox", Box)
    settings = Settings(table=TableSettings(kind="real"))
    pins, box = open_sources(settings, lambda: 1.0, lambda: None, is_wiring_test=True)
    assert [signal.name for signal in pins.read() if isinstance(signal, DeviceLost)] == ["GPIO"]
    assert asked == [(False, True)]
    assert isinstance(box, Box)
    assert box.report_missing


@pytest.mark.parametrize("buttons", ["any", "box", "both"])
def test_a_box_is_searched_for_on_windows_too(buttons: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(hands_module, "open_gpio", lambda *_, **__: FakeSource().open())
    monkeypatch.setattr(hands_module, "ButtonBox", Box)
    settings = Settings(table=TableSettings(kind="real", buttons=buttons))
    assert any(isinstance(source, Box) for source in open_sources(settings, lambda: 1.0, lambda: None))


def test_lamps_have_the_colours_of_the_palette_that_is_shown_now(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hands_module, "ButtonBox", Box)
    settings = Settings(table=TableSettings(kind="real", buttons="box"))
    shown = ["dark"]
    (box,) = open_sources(settings, lambda: 1.0, lambda: None, lambda: shown[0])
    assert isinstance(box, Box)
    dark = box.get_colours()
    shown[0] = "light"
    assert set(dark) == set(Button)
    assert all(max(colour) == 255 for colour in (*dark.values(), *box.get_colours().values())), "as bright as they can"
    assert dark != box.get_colours()


def test_the_wiring_and_the_port_are_those_of_the_settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    asked = []
    monkeypatch.setattr(hands_module, "open_gpio", lambda pins, *_, **__: asked.append(pins) or FakeSource().open())
    monkeypatch.setattr(hands_module, "ButtonBox", Box)
    port = tmp_path / "ttyACM7"
    port.touch()
    wired = Settings.model_validate({"box": {"port": str(port)}, "gpio": {"lamps": {"ok": 0}}})
    pins, box = open_sources(wired, lambda: 1.0, lambda: None)
    pins.read()
    assert asked[0].buttons == BUTTON_PINS
    assert asked[0].lamps == {b: n for b, n in LAMP_PINS.items() if b is not Button.OK}
    assert isinstance(box, Box)
    assert [place.device for place in box.find_ports()] == [str(port)]
