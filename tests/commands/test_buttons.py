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
from companion.commands import buttons as command
from companion.commands.buttons import (
    WALK_STEP_SECONDS,
    WiringEvent,
    WiringTest,
    format_json,
    format_line,
    unbuffered_keys,
)
from companion.events import (
    Button,
    ButtonPressed,
    ButtonReleased,
    CameraState,
    CameraStateChanged,
    DeviceLost,
    DeviceRestored,
)
from companion.testing.table import ManualClock
from hardware.buttons.lamp_effects import LampEffect
from tests.hardware.buttons.test_source import FakeSource
from tests.kernel_rig.runner import run_script

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


def test_walk_lights_one_lamp_after_the_other(clock: ManualClock) -> None:
    pins = FakeSource()
    trial = WiringTest([pins], clock, walk=True)
    lit = []
    for _ in range(11):
        assert len(trial.poll()) == 1
        assert trial.poll() == []
        lit += [button for button, effect in pins.lit.items() if effect is LampEffect.ON]
        clock.now += WALK_STEP_SECONDS
    assert lit == [*Button, Button.SEAT1]
    pins.next = [ButtonPressed(OK, clock.now)]
    told = trial.poll()
    assert "lamp" not in told[0].details
    assert format_line(told[0]).endswith("ms, but seat1 is lit")
    pins.next = [ButtonPressed(Button.SEAT2, clock.now)]
    assert format_line(trial.poll()[0]).endswith("ms, as lit")
    assert (
        trial.format_summary() == "Presses: GPIO 2\nNever pressed: seat1, seat3, seat4, seat5, seat6, no, plus, minus"
    )
    for key in "13456\x7f+-":
        trial.handle_key(key)
    assert trial.format_summary() == "Presses: GPIO 2, keyboard 8\nEvery button was pressed."
    trial.close()
    assert pins.closed == 1


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
            assert select.select([terminal], [], [], 10.0)[0]  # the kernel hands it over in its own time
            assert keys() == "1+"
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

    def sources_of(settings: Any, clock: Any, wake: Any) -> list[Any]:
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
    assert kind == "both"
    assert fake.closed == 1


def test_the_command_in_json(capsys: pytest.CaptureFixture[str], sources: list[Any]) -> None:
    assert main(["buttons", "--seconds", "0.05", "--json"]) == 0
    (line,) = capsys.readouterr().out.splitlines()
    assert json.loads(line)["button"] == "ok"


def test_the_settings_may_name_one_source(sources: list[Any], tmp_path: Path) -> None:
    file = tmp_path / "box.toml"
    file.write_text("[table]\nbuttons = 'box'\n", encoding="utf-8")
    assert main(["buttons", "--seconds", "0.01", "--settings", str(file)]) == 0
    assert sources[0][0] == "box"


def test_settings_that_cannot_be_used(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["buttons", "--settings", str(tmp_path / "gone.toml")]) == 2
    assert "cannot be read" in capsys.readouterr().err


@pytest.mark.parametrize("seconds", ["0", "-1", "nan", "inf", "soon"])
def test_odd_seconds(seconds: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["buttons", "--seconds", seconds])
    assert "is no number of seconds" in capsys.readouterr().err


IN_THE_RIG = """
"$1" -m companion buttons --json --seconds 800 </dev/null >"$TMPDIR/told" &
until grep -q '"GPIO", "event": "there"' "$TMPDIR/told"; do sleep 0.1; done
echo pull-down >$RIG_GPIO/sim_gpio23/pull
until grep -q '"down", "button": "ok"' "$TMPDIR/told"; do sleep 0.1; done
until [ "$(cat $RIG_GPIO/sim_gpio25/value)" = 1 ]; do sleep 0.1; done
echo pull-up >$RIG_GPIO/sim_gpio23/pull
until grep -q '"up", "button": "ok"' "$TMPDIR/told"; do sleep 0.1; done
kill $!
wait $!
cat "$TMPDIR/told"
"""


@pytest.mark.full
@pytest.mark.timeout(900)
def test_on_a_kernels_lines() -> None:
    told = [json.loads(line) for line in run_script(IN_THE_RIG).splitlines() if line.startswith("{")]
    pins = [each for each in told if each["source"] == "GPIO"]
    assert [each["event"] for each in pins] == ["there", "down", "up"]
    assert pins[1]["lamp"] == "on"
