"""Measure the latency and fairness of the buttons.

Measured are the time from a press at the simulated chip's pin to lamp and screen, the share of fast presses that
arrive, and how often two presses are swapped, by the time between them. The results are printed as tables; the swap
rate is plotted into bench/swaps.png if matplotlib is installed. The first two need gcc-avr, avr-libc, libsimavr-dev and
libelf-dev.
"""

from __future__ import annotations

import os
import random
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import pygame
from results import record

from companion.api import registry
from companion.app.session import Session, SessionConfig
from companion.app.table_services import TableServices
from companion.display import Screen
from companion.events import Button, ButtonPressed
from companion.journal.database import Journal
from companion.screen_state import CameraView, ScreenKind
from hardware.buttons.lamp_effects import EFFECT_BY_LAMP_STATE
from hardware.buttons.usb_box.driver import ButtonBox
from hardware.buttons.usb_box.messages import BUTTONS
from hardware.buttons.usb_box.ports import make_path_finder
from tests.doubles.timing_races import (
    HARD_CONDITIONS,
    RaceResult,
    measure_swap_curve,
    race_across_two_sources,
    race_on_one_box,
    race_under_conditions,
)
from tests.firmware.simulator import Live, build, missing

FRAME_SECONDS = 1 / 60
"""Duration of a frame at 60 Hz."""
SCREEN_SIZE_PX = (1920, 1080)
PRESSES = 120
PRESSES_PER_SECOND = (50, 100, 150, 200, 240)
"""Press rates to try, all ten buttons together."""
SECONDS_PER_RATE = 4.0
"""Duration of the presses at each rate."""
DISTANCES_SECONDS = (0.000_02, 0.000_05, 0.000_1, 0.000_2, 0.000_5, 0.001, 0.002, 0.003, 0.005)
PAIRS_PER_DISTANCE = 2000
HARD_DISTANCES_SECONDS = (0.005, 0.008, 0.012, 0.020)
HARD_PAIRS = 10_000
PLOT = Path("bench") / "swaps.png"


class WakeSignal:
    """An event that the driver sets when it has something to read."""

    def __init__(self) -> None:
        self._event = threading.Event()

    def __call__(self) -> None:
        self._event.set()

    def wait(self, seconds: float) -> None:
        self._event.wait(seconds)
        self._event.clear()


@contextmanager
def connect_simulated_box(folder: Path) -> Iterator[tuple[Live, ButtonBox, WakeSignal]]:
    """Yield the simulated button box, running in real time, the real driver, and its wake signal."""
    woken = WakeSignal()
    with Live(folder) as live:
        driver = ButtonBox(make_path_finder(live.port), wake=woken)
        try:
            while not driver.is_connected:
                woken.wait(0.1)
            time.sleep(1.5)  # the clock's regression gathers its first round trips
            driver.read()
            yield live, driver, woken
        finally:
            driver.close()


def measure_latencies(folder: Path) -> tuple[list[float], list[float]]:
    """Return seconds from each press to the drawn frame, and to the lit lamp, in the lobby of Secret Number."""
    kit = registry.find_game("secret_number")
    rules = kit.settings_model.model_validate({"show_seconds": 1, "round_seconds": 180})
    screens, lamps = [], []
    with tempfile.TemporaryDirectory() as data, Journal(Path(data) / "journal.sqlite3") as journal:
        evening = Session(SessionConfig(kit, (), rules, 1), journal, TableServices(rng=random.Random(1)))
        screen, surface = Screen(SCREEN_SIZE_PX), pygame.Surface(SCREEN_SIZE_PX, 0, 32)
        with connect_simulated_box(folder) as (live, driver, woken):

            def step() -> list[Button]:
                signals = driver.read()
                evening.step(signals)
                screen.draw(surface, evening.build_screen_state(CameraView()))
                driver.set_lamps(
                    {button: EFFECT_BY_LAMP_STATE[lamp] for button, lamp in evening.stage.map_lamps().items()}
                )
                return [signal.button for signal in signals if isinstance(signal, ButtonPressed)]

            def press(button: Button) -> float:
                number = BUTTONS.index(button)
                started = time.monotonic()
                live.tell(f"pin +0 {number} 1")
                while button not in step():
                    woken.wait(0.1)
                drawn = time.monotonic() - started
                live.tell(f"pin +0 {number} 0")
                return drawn

            for _ in range(PRESSES):
                # In the lobby a press of a seat lights OK or another seat's lamp: something to see each time.
                drawn = press(Button.SEAT1)
                screens.append(drawn)
                started = time.monotonic() - drawn
                wanted = BUTTONS.index(Button.NO)  # lit as long as somebody sits
                lit_now = evening.build_screen_state(CameraView()).kind is ScreenKind.LOBBY and bool(
                    evening.build_screen_state(CameraView()).players
                )
                while bool(live.look_at_lamps()[wanted]) != lit_now:
                    step()
                lamps.append(time.monotonic() - started)
                settle = time.monotonic() + 0.25
                while time.monotonic() < settle:
                    step()
                    woken.wait(0.02)
    return screens, lamps


def count_arrivals(folder: Path, rate: float) -> tuple[int, int]:
    """Presses made in `LASTING` seconds at `rate` a second, and those that arrived."""
    count = int(rate * SECONDS_PER_RATE)
    heard = 0
    with connect_simulated_box(folder) as (live, driver, woken):
        for i in range(count):
            number, at = i % len(BUTTONS), 200_000 + i * 1e6 / rate
            live.tell(f"pin +{at:.0f} {number} 1")
            live.tell(f"pin +{at + 0.45e6 * len(BUTTONS) / rate:.0f} {number} 0")
        end = time.monotonic() + SECONDS_PER_RATE + 3
        while time.monotonic() < end and heard < count:
            heard += sum(isinstance(signal, ButtonPressed) for signal in driver.read())
            woken.wait(0.05)
    return count, heard


def format_percentiles(seconds: Sequence[float]) -> str:
    """Format median, 95th and 99th percentile in milliseconds, and the median in frames."""
    cuts = statistics.quantiles(seconds, n=100)
    middle = statistics.median(seconds)
    return f"{middle * 1e3:7.1f} {cuts[94] * 1e3:7.1f} {cuts[98] * 1e3:7.1f}   {middle / FRAME_SECONDS:5.2f}"


def describe_ms(seconds: Sequence[float]) -> str:
    """Return median, 95 % and 99 % in milliseconds, in words."""
    cuts = [1e3 * cut for cut in statistics.quantiles(seconds, n=100)]
    return f"median {cuts[49]:.0f} ms, 95 % within {cuts[94]:.0f} ms, 99 % within {cuts[98]:.0f} ms"


def plot_swap_rates(curves: dict[str, list[RaceResult]]) -> None:
    """Plot the swap rate against the time between two presses into `PLOT`; needs matplotlib."""
    try:
        import matplotlib as mpl
    except ImportError:
        print("no plot: matplotlib is not installed (pip install -e '.[bench]')")
        return
    mpl.use("Agg")
    import matplotlib.pyplot as plt

    PLOT.parent.mkdir(exist_ok=True)
    figure, axes = plt.subplots(figsize=(7, 4))
    for name, curve in curves.items():
        axes.plot(
            [race.distance_seconds * 1e3 for race in curve],
            [100 * race.swap_rate for race in curve],
            marker="o",
            label=name,
        )
    axes.set(xscale="log", xlabel="milliseconds between two presses", ylabel="swapped, %")
    axes.grid(visible=True, alpha=0.3)
    axes.legend()
    figure.tight_layout()
    figure.savefig(PLOT, dpi=120)
    print(f"plotted in {PLOT.resolve()}")


def print_hard_conditions() -> None:
    """Print how many pairs are swapped and how many are ties while threads stall and clocks err."""
    print(f"\n{HARD_PAIRS} pairs across two sources: swapped without a word / swapped and announced / ties in all")
    print(f"{'':28}" + "".join(f"{distance * 1e3:>20.0f} ms" for distance in HARD_DISTANCES_SECONDS))
    for conditions in HARD_CONDITIONS:
        cells = []
        for distance in HARD_DISTANCES_SECONDS:
            race = race_under_conditions(conditions, distance, HARD_PAIRS)
            assert race.lost == 0, race
            cells.append(f"{race.unannounced} / {race.swapped - race.unannounced} / {race.ties}")
            record({f"swapped {conditions.name} {distance * 1e3:.0f} ms": cells[-1]}, "make bench")
        print(f"{conditions.name:28}" + "".join(f"{cell:>23}" for cell in cells), flush=True)


def main() -> None:
    """Print the tables."""
    print("Pairs of presses, by their distance (simulated boxes, real driver code):")
    print(f"{'apart, ms':>10} {'one box: swapped':>18} {'unsaid':>7} {'box and pins: swapped':>22} {'unsaid':>7}")
    box, two = (
        measure_swap_curve(race_on_one_box, DISTANCES_SECONDS, PAIRS_PER_DISTANCE),
        measure_swap_curve(race_across_two_sources, DISTANCES_SECONDS, PAIRS_PER_DISTANCE),
    )
    for one, other in zip(box, two, strict=True):
        print(
            f"{one.distance_seconds * 1e3:10.2f} {one.swapped:>9} of {one.pairs} {one.unannounced:>7} "
            f"{other.swapped:>13} of {other.pairs} {other.unannounced:>7}"
        )
    print_hard_conditions()
    plot_swap_rates({"one box": box, "box and pins": two})
    lacking = missing()
    if lacking:
        print(f"No latencies: install {' '.join(lacking)}.")
        return
    with tempfile.TemporaryDirectory() as folder:
        build(Path(folder))
        screens, lamps = measure_latencies(Path(folder))
        title = f"From a press at the chip's pin, {len(screens)} presses, ms:"
        print(f"\n{title:50}  median    95 %    99 %   frames")
        print(f"{'to the picture, drawn at 1920x1080':>50} {format_percentiles(screens)}")
        print(f"{'to the lamp':>50} {format_percentiles(lamps)}")
        record({"press_to_picture_ms": describe_ms(screens), "press_to_lamp_ms": describe_ms(lamps)}, "make bench")
        print("\nPresses a second, ten buttons together, for four seconds:")
        for rate in PRESSES_PER_SECOND:
            made, heard = count_arrivals(Path(folder), rate)
            print(f"{rate:6} a second: {heard} of {made} arrived")


if __name__ == "__main__":
    main()
