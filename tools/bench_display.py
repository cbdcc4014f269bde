"""Measure frames and animations, relative to filling and flipping the same surface, and the idle lobby.

    python tools/bench_display.py [--size 1920x1080] [--rounds 100]

Without a display ($DISPLAY) a virtual one is opened (Xvfb). Everything is measured in one run. Times are CPU time, so
other programs do not count: of frames that of the drawing thread, of animations that of the whole process, with the
threads in which SDL's driver shows the picture.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from results import record
from virtual_display import start_virtual_display

sys.path.insert(0, str(Path(__file__).parent.parent))

ANIMATION_RATE_HZ = 30
"""Frames in a second of an animation."""
MOVING_STATES = {
    "macroscope": ("reveal_six", "roll_all_wrong"),
    "memo_dice": ("cover_some", "scored_four"),
    "pictomania": ("reading", "page_six"),
    "secret_number": ("round_some", "reveal_half"),
    "starfall": ("board", "clock"),
    "score_keeper": ("large", "teams_4"),
    "ended": ("macroscope_6", "pictomania_6"),
    "lobby": ("macroscope_empty", "macroscope_full"),
}
"""By part of the gallery: two states between which the screen changes back and forth, so that something moves."""


@contextmanager
def ensure_display(size: tuple[int, int]) -> Iterator[str]:
    """Yield the name of the present display, or of a virtual one that is open within the block; exit without Xvfb."""
    if os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY") or os.environ.get("SDL_VIDEODRIVER"):
        yield os.environ.get("SDL_VIDEODRIVER", "the desktop")
        return
    if shutil.which("Xvfb") is None:
        sys.exit("There is no screen, and no Xvfb to make one.")
    with start_virtual_display(*size) as display:
        os.environ["DISPLAY"] = display
        yield "Xvfb"


def measure_cpu_ms(
    what: Callable[[int], object], rounds: int, clock: Callable[[], float] = time.thread_time
) -> list[float]:
    """Call `what(round)` for each round; return the CPU milliseconds of each, of this thread or by another `clock`."""
    found = []
    for i in range(rounds):
        begun = clock()
        what(i)
        found.append(1000 * (clock() - begun))
    return found


def format_row(name: str, times: list[float], beside: float) -> str:
    """Format a row of the table: median, 99th percentile, and median divided by `beside` (milliseconds)."""
    ordered = sorted(times)
    median, late = statistics.median(ordered), ordered[min(len(ordered) - 1, round(0.99 * len(ordered)))]
    return f"{name:44} {median:8.2f} {late:8.2f} {median / beside:8.2f}"


def main() -> None:
    """Parse the command line, measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", default="1920x1080")
    parser.add_argument("--rounds", type=int, default=100)
    args = parser.parse_args()
    width, height = map(int, args.size.split("x"))
    with ensure_display((width, height)) as where:
        try:
            print_frame_times((width, height), args.rounds, where)
        finally:
            # Before its X server ends: Xlib ends a program whose server is gone, status 1.
            import pygame

            pygame.quit()


def print_frame_times(size: tuple[int, int], rounds: int, where: str) -> None:
    """Print the times of frames of `size` pixels, over `rounds` rounds; `where` names the display."""
    import pygame

    from companion.app.window import Window
    from companion.display import Screen
    from companion.display.toolkit.preferences import DisplayPreferences
    from companion.events import SEAT_BUTTONS
    from companion.gallery import lobby
    from companion.games.macroscope import samples as macroscope
    from companion.games.starfall import samples as starfall
    from companion.screen_state import ScreenState

    os.environ.setdefault("SDL_AUDIODRIVER", "dummy")
    pygame.display.init()
    onto = pygame.display.set_mode(size)
    states = macroscope.build_samples()
    base, clock = states["open_picture"], starfall.build_samples()["clock"]
    unsure = next(state for name, state in states.items() if name.startswith("view_tilted"))
    face = Screen(size, DisplayPreferences(animations=False))

    def show(shown: ScreenState) -> None:
        changed = face.draw(onto, shown)
        if changed:
            pygame.display.update(changed)

    def fill(i: int) -> None:
        onto.fill((i % 256, 0, 0))
        pygame.display.flip()

    presses = [base, replace(base, pressed_buttons=frozenset({SEAT_BUTTONS[0]}))]
    pictures = [replace(unsure, camera_view=replace(unsure.camera_view)) for _ in range(rounds)]
    seconds = [replace(clock, clocks=tuple(replace(c, seconds_left=float(s)) for c in clock.clocks)) for s in (31, 30)]
    turns = [states["open_picture"], states["asking_wishes"]]
    games = [states["open_picture"], clock]
    works: dict[str, Callable[[int], object]] = {
        "the same state again": lambda _i: show(base),
        "a press is heard": lambda i: show(presses[i % 2]),
        "a second of a clock": lambda i: show(seconds[i % 2]),
        "a new camera picture, as large as the stage": lambda i: show(pictures[i]),
        "another phase of the turn": lambda i: show(turns[i % 2]),
        "another game: all is redrawn": lambda i: show(games[i % 2]),
    }
    print(f"{size[0]} x {size[1]} on {where}, SDL's {pygame.display.get_driver()}, {rounds} rounds; CPU milliseconds")
    print(f"{'':44} {'median':>8} {'99 %':>8} {'ratio':>8}")
    for work in works.values():
        measure_cpu_ms(work, 4)
    plain = measure_cpu_ms(fill, rounds)
    beside = statistics.median(plain)
    print(format_row("filling and flipping the same surface", plain, beside))
    ratios = {}
    for name, work in works.items():
        times = measure_cpu_ms(work, rounds)
        print(format_row(name, times, beside))
        ratios[f"screen {size[1]} {name}"] = round(statistics.median(times) / beside, 2)
    print_animation_loads(size, 6, statistics.median(measure_cpu_ms(fill, rounds, time.process_time)))
    window, quiet = Window(onto, time.monotonic), lobby.build_samples()["macroscope_full"]

    def turn() -> None:
        window.poll_events()
        window.show(quiet)

    measure_idle_percent(turn)  # until everything that moves has come to rest
    share, waiting = measure_idle_percent(turn), measure_idle_percent(lambda: pygame.event.wait(100))
    print(f"Idle lobby: {share:.2f} % of one core; waiting with pygame.event.wait(100) alone: {waiting:.2f} %.")
    command = f"python tools/bench_display.py --size {size[0]}x{size[1]}"
    record({**ratios, f"screen {size[1]} idle percent": round(share, 1)}, command)


def print_animation_loads(size: tuple[int, int], turns: int, beside: float) -> None:
    """Print for each game the load of its animations at `ANIMATION_RATE_HZ`, over `turns` changes of the phase.

    Args:
        size: width and height of the picture in pixels.
        turns: changes of the phase for each game.
        beside: CPU milliseconds of filling and flipping, of the whole process.
    """
    import pygame

    from companion.display import Screen
    from companion.display.toolkit.preferences import DisplayPreferences
    from companion.gallery import load_sample_builders

    onto = pygame.display.get_surface()
    assert onto is not None
    print(f"\nAnimations, CPU milliseconds of the whole process; filling and flipping: {beside:.2f}")
    print(f"{'':44} {'median':>8} {'99 %':>8} {'ratio':>8} {f'core at {ANIMATION_RATE_HZ} Hz':>14}")
    for part, names in MOVING_STATES.items():
        samples, now, times = load_sample_builders()[part](), 0.0, []
        face = Screen(size, DisplayPreferences(animations=True), monotonic=lambda: now)  # noqa: B023 - read at once
        for i in range(turns):
            shown = samples[names[i % 2]]

            def show(_round: int) -> None:
                if changed := face.draw(onto, shown):  # noqa: B023 - called at once
                    pygame.display.update(changed)

            show(i)  # the change of the phase has a row of its own
            while face.is_animating:
                now += 1 / ANIMATION_RATE_HZ
                times += measure_cpu_ms(show, 1, time.process_time)
        if not times:
            print(f"{part:44} nothing moves")
            continue
        share = statistics.mean(times) * ANIMATION_RATE_HZ / 10
        print(f"{format_row(part, times, beside)} {share:12.1f} %")


def measure_idle_percent(turn: Callable[[], object], seconds: float = 5.0) -> float:
    """Return the CPU load of calling `turn` in a loop for `seconds`, in percent of one core."""
    begun, cpu = time.monotonic(), time.process_time()
    while time.monotonic() - begun < seconds:
        turn()
    return 100 * (time.process_time() - cpu) / (time.monotonic() - begun)


if __name__ == "__main__":
    main()
