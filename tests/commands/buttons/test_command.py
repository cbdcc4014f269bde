"""The command `companion buttons`: presses by source, lamp effects, missing devices."""

from __future__ import annotations

import io
import json
import os
import select
import sys
import termios
from pathlib import Path
from typing import Any

import pytest

from companion.cli import main
from companion.commands.buttons import command
from companion.commands.buttons.presses import WiringEvent, WiringTest, format_json, format_line
from companion.commands.buttons.walk import WiringWalk
from companion.commands.key_input import unbuffered_keys
from companion.config.taught_buttons import TaughtButtons
from companion.events import (
    Button,
    ButtonHeld,
    ButtonPressed,
    ButtonReleased,
    CameraState,
    CameraStateChanged,
    DeviceLost,
    DeviceRestored,
)
from companion.testing.table import ManualClock
from hardware.buttons.gpio import driver as driver_module
from hardware.buttons.lamp_effects import LampEffect
from tests.hardware.buttons.test_source import FakeSource

OK = Button.OK


class Box(FakeSource):
    name = "button box"


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


def test_presses_are_listed_by_source_in_order(clock: ManualClock) -> None:
    pins, box = FakeSource(), Box()
    trial = WiringTest([pins, box], clock)
    clock.now = 101.0
    pins.next = [ButtonPressed(OK, 100.5), ButtonReleased(OK, 100.75)]
    box.next = [ButtonPressed(Button.SEAT2, 100.6)]
    told = trial.poll()
    assert [(each.at, each.source, each.event, each.details["button"]) for each in told] == [
        (0.5, "GPIO", "down", "ok"),
        (pytest.approx(0.6), "button box", "down", "seat2"),
        (0.75, "GPIO", "up", "ok"),
    ]
    assert told[0].details == {"button": "ok", "heard_after": 0.5, "lamp": "on"}
    assert told[2].details["after"] == 0.25
    assert trial.format_summary() == "Presses: GPIO 1, button box 1"


def test_lost_and_restored_devices_are_listed(clock: ManualClock) -> None:
    pins = FakeSource()
    trial = WiringTest([pins], clock)
    pins.next = [
        DeviceLost("GPIO", 100.0, "no rights"),
        DeviceLost("GPIO", 100.0),
        DeviceRestored("GPIO", 101.0),
        CameraStateChanged(CameraState.STEADY, 101.0),
    ]
    assert [format_line(each) for each in trial.poll()] == [
        "    0.000000  GPIO        missing: no rights",
        "    0.000000  GPIO        missing: unplugged",
        "    1.000000  GPIO        there",
    ]
    assert trial.format_summary() == "Presses: none"


def test_each_press_switches_the_lamp_to_the_next_effect(clock: ManualClock) -> None:
    pins, box = FakeSource(), Box()
    trial = WiringTest([pins, box], clock)
    seen = []
    for _ in range(6):
        pins.next = [ButtonPressed(OK, clock.now)]
        trial.poll()
        assert pins.lit == box.lit
        seen.append(box.lit[OK])
    assert seen == [LampEffect.ON, LampEffect.SLOW, LampEffect.FAST, LampEffect.BREATHE, LampEffect.OFF, LampEffect.ON]
    assert all(effect is LampEffect.OFF for button, effect in box.lit.items() if button is not OK)


def test_terminal_keys_count_as_presses(clock: ManualClock) -> None:
    pins = FakeSource()
    trial = WiringTest([pins], clock)
    typed = [told for key in "3x\n\x7f+-" for told in trial.handle_key(key)]
    assert [told.details["button"] for told in typed] == ["seat3", "ok", "no", "plus", "minus"]
    assert {told.source for told in typed} == {"keyboard"}
    assert pins.lit[Button.SEAT3] is LampEffect.ON


def press(trial: WiringTest, pins: FakeSource, button: Button, hold: float = 0.2) -> list[str]:
    """Press and release a button at the pins; return what was printed of lamps."""
    clock = trial._clock
    assert isinstance(clock, ManualClock)
    pins.next = [ButtonPressed(button, clock.now)]
    told = trial.poll()
    clock.now += hold
    pins.next = [ButtonReleased(button, clock.now)]
    told += trial.poll()
    clock.now += 1.0
    return [format_line(each).split("lamps", 1)[1].strip() for each in told if each.source == "lamps"]


def test_walk_waits_for_the_press_of_the_lit_one_and_for_the_answer(clock: ManualClock) -> None:
    pins = FakeSource()
    trial = WiringWalk([pins], clock)
    assert [format_line(each).split()[-1] for each in trial.poll()] == ["it"]
    for button in Button:
        assert [each for each, effect in pins.lit.items() if effect is LampEffect.ON] == [button]
        clock.now += 60.0
        assert trial.poll() == [], "it waits, however long"
        assert press(trial, pins, Button.OK if button is not Button.OK else Button.NO) == []
        (asked,) = press(trial, pins, button)
        assert "was its lamp lit?" in asked
        answered = press(trial, pins, button, hold=2.0 if button is Button.SEAT3 else 0.2)[0]
        assert answered.endswith("dark" if button is Button.SEAT3 else "lit")
    assert trial.is_over
    assert not any(pins.lit.values())
    assert trial.format_summary().splitlines()[1:3] == ["Every button was pressed.", "Lamp dark: seat3"]
    assert 'buttons = "gpio"' in trial.format_summary()
    trial.close()
    assert pins.closed == 1


def test_press_of_another_button_than_the_lit_one_is_named(clock: ManualClock) -> None:
    pins = FakeSource()
    trial = WiringWalk([pins], clock)
    trial.poll()
    pins.next = [ButtonPressed(OK, clock.now)]
    assert format_line(trial.poll()[0]).endswith("ms, but seat1 is lit")
    pins.next = [ButtonPressed(Button.SEAT1, clock.now)]
    assert format_line(trial.poll()[0]).endswith("ms, as lit")


def test_walk_goes_by_keys_too(clock: ManualClock) -> None:
    """Each button can be repeated, and one that does not work can be left out."""
    pins = FakeSource()
    trial = WiringWalk([pins], clock)
    trial.poll()
    assert trial.handle_key("y") == [], "nothing was pressed yet"
    assert trial.handle_key("s")[-1].details == {"button": "seat2"}
    press(trial, pins, Button.SEAT2)
    assert [each.event for each in trial.handle_key("n")] == ["lamp", "on"]
    assert trial.handle_key("b")[-1].details == {"button": "seat2"}
    press(trial, pins, Button.SEAT2)
    assert trial.handle_key("r")[-1].details == {"button": "seat2"}
    press(trial, pins, Button.SEAT2)
    trial.handle_key("y")
    assert trial.handle_key("3x") == []
    assert trial.handle_key("bb") == []
    for _ in range(8):
        told = trial.handle_key("s")
    assert (trial.is_over, told[-1].event, trial.handle_key("b")) == (True, "over", [])
    assert trial.format_summary().splitlines()[:2] == [
        "Presses: GPIO 3",
        "Never pressed: seat1, seat3, seat4, seat5, seat6, ok, no, plus, minus",
    ]


@pytest.mark.parametrize("kind", [WiringTest, WiringWalk])
def test_button_that_is_down_from_the_beginning_is_named(clock: ManualClock, kind: type[WiringTest]) -> None:
    pins = FakeSource()
    trial = kind([pins], clock)
    pins.next = [ButtonHeld(Button.SEAT1, clock.now, "GPIO")]
    (line,) = [format_line(each) for each in trial.poll() if each.event == "held"]
    assert "seat1  down from the beginning: at N.C. instead of N.O." in line
    # It counts as pressed when it is let go, and the line above has long scrolled away when ten buttons are done.
    pins.next = [ButtonReleased(Button.SEAT1, clock.now), ButtonPressed(Button.SEAT1, clock.now + 0.2)]
    trial.poll()
    assert "seat1: down from the beginning: at N.C. instead of N.O., or shorted?" in trial.format_summary().splitlines()


def test_as_json() -> None:
    line = format_json(
        WiringEvent(1.00000012, "GPIO", "down", {"button": "ok", "heard_after": 0.0012344, "lamp": "on"})
    )
    told = {"at": 1.0, "source": "GPIO", "event": "down", "button": "ok", "heard_after": 0.001234, "lamp": "on"}
    assert json.loads(line) == told


def test_terminal_is_unbuffered_and_restored() -> None:
    master, slave = os.openpty()
    with os.fdopen(master, "wb", buffering=0) as keyboard, os.fdopen(slave) as terminal:
        before = termios.tcgetattr(terminal)
        with unbuffered_keys(terminal) as keys:
            assert keys() == ""
            keyboard.write(b"1+")
            typed = ""
            while len(typed) < 2:
                select.select([terminal], [], [])  # the kernel hands it over in its own time, perhaps in parts
                typed += keys()
            assert typed == "1+"
        assert termios.tcgetattr(terminal) == before


def test_no_terminal_gives_no_keys(tmp_path: Path) -> None:
    file = tmp_path / "keys"
    file.write_text("1")
    with file.open() as opened, unbuffered_keys(opened) as keys:
        assert keys() == ""
    with unbuffered_keys(io.StringIO("1")) as keys:
        assert keys() == ""


@pytest.fixture
def sources(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The sources that the command opened, as (table.buttons, source)."""
    opened: list[Any] = []

    def sources_of(settings: Any, clock: Any, wake: Any, *, is_wiring_test: bool) -> list[Any]:
        assert is_wiring_test
        fake = FakeSource()
        fake.next = [ButtonPressed(OK, clock())]
        opened.append((settings.table.buttons, fake))
        return [fake]

    monkeypatch.setattr(command, "open_sources", sources_of)
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    return opened


def test_the_command(capsys: pytest.CaptureFixture[str], sources: list[Any]) -> None:
    assert main(["buttons", "--seconds", "0.05"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("Press buttons")
    assert "down, heard after" in lines[1]
    assert lines[-1] == "Presses: GPIO 1"
    ((kind, fake),) = sources
    assert kind == "any"
    assert fake.closed == 1


def test_the_command_walks(capsys: pytest.CaptureFixture[str], sources: list[Any], tmp_path: Path) -> None:
    assert not TaughtButtons(tmp_path).are_pins_wired
    assert main(["buttons", "--walk", "--seconds", "0.05", "--data", str(tmp_path)]) == 0
    assert TaughtButtons(tmp_path).are_pins_wired, "there was a press at the pins"
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("Each lamp is lit")
    assert "seat1  is lit: press it" in lines[1]
    assert lines[2].endswith("but seat1 is lit")
    assert lines[4].startswith("Never pressed: seat1")


def test_the_command_in_json(capsys: pytest.CaptureFixture[str], sources: list[Any]) -> None:
    assert main(["buttons", "--seconds", "0.05", "--json"]) == 0
    (line,) = capsys.readouterr().out.splitlines()
    assert json.loads(line)["button"] == "ok"


def test_the_settings_may_name_one_source(sources: list[Any], tmp_path: Path) -> None:
    file = tmp_path / "box.toml"
    file.write_text("[table]\nbuttons = 'box'\n", encoding="utf-8")
    assert main(["buttons", "--seconds", "0.01", "--settings", str(file)]) == 0
    assert sources[0][0] == "box"


def test_pins_under_a_hat_are_left_alone(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A lamp's pin is an output: against the board on the pins it may damage both."""
    monkeypatch.setattr(driver_module, "HAT_DESCRIPTION", tmp_path)
    monkeypatch.setattr(driver_module, "open_lgpio", lambda: pytest.fail("pins were opened"))
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    assert main(["buttons", "--walk", "--seconds", "0.05", "--data", str(tmp_path)]) == 0
    assert "missing: A HAT is on the pins" in capsys.readouterr().out


@pytest.mark.parametrize("seconds", ["0", "-1", "nan", "inf", "soon"])
def test_odd_seconds(seconds: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["buttons", "--seconds", seconds])
    assert "is no number of seconds" in capsys.readouterr().err
