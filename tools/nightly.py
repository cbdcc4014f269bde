"""Run the long checks that no other command runs, and print one table of their results.

    nightly.py [STEP...]        default: all of rig, training, arm64-smoke, firmware, appliance, image-virt,
                                image-pi

The output of each step is written to build/nightly/STEP.log. What cannot run here is skipped, with its reason in the
table. Exit status 1: a step failed or took longer than its limit.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from argparse import ArgumentParser
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from xml.etree import ElementTree as ET

from make_image import PI_PROGRAMS, PROGRAMS

PROJECT = Path(__file__).resolve().parent.parent
REPORTS = PROJECT / "build" / "nightly"
SKIPPED_STATUS = 77
"""Exit status of a script that cannot run here; its last line says why."""
MAX_REMARK_LETTERS = 200


def describe_missing(programs: Sequence[str]) -> str:
    """Return which of these programs are missing; empty if none is."""
    missing = [name for name in programs if shutil.which(name) is None]
    return f"not installed: {' '.join(missing)}" if missing else ""


def find_firmware_obstacle() -> str:
    """Return why no firmware can be built here; empty if it can."""
    return describe_missing(("avr-gcc", "arm-none-eabi-gcc"))


def find_image_obstacle(target: str) -> str:
    """Return why no card image for a target can be built and started here; empty if one can."""
    programs = (*PROGRAMS, *((*PI_PROGRAMS, "fdtput") if target == "pi" else ()), "qemu-system-aarch64")
    return "needs root" if os.geteuid() else describe_missing(programs)


@dataclass(frozen=True)
class NightlyStep:
    """One check.

    Attributes:
        commands: run one after the other until one fails. {report}: the file for pytest's report, if it writes one.
        limit_minutes: time for all commands; generous, so that only a step that hangs exceeds it.
        find_obstacle: returns why the step cannot run here; empty if it can.
    """

    name: str
    commands: tuple[tuple[str, ...], ...]
    limit_minutes: float
    find_obstacle: Callable[[], str] = str


# The images have a step each: both together take longer than most nights, and each is of use alone.
STEPS = (
    NightlyStep("rig", (("make", "rig", "ARGS=--junitxml={report}"),), 180),
    NightlyStep("training", (("make", "training", "ARGS=--junitxml={report}"),), 60),
    NightlyStep("arm64-smoke", (("sh", "tools/arm64_smoke.sh"),), 60),
    NightlyStep(
        "firmware",
        (
            ("make", "firmware"),
            (
                *("make", "proof"),
                "ARGS=tests/firmware tests/hardware/buttons/usb_box tests/app/test_play_with_usb_box.py "
                "--junitxml={report}",
            ),
        ),
        180,
        find_firmware_obstacle,
    ),
    NightlyStep("appliance", (("make", "appliance-test", "ARGS=--junitxml={report}"),), 180),
    NightlyStep(
        "image-virt",
        (
            ("make", "image", "ARGS=--fast"),
            ("make", "proof", "ARGS=tests/systemd/test_card_image.py -k '[virt]' --junitxml={report}"),
        ),
        600,
        partial(find_image_obstacle, "virt"),
    ),
    NightlyStep(
        "image-pi",
        (
            ("make", "image", "ARGS=--fast --target pi"),
            (
                *("make", "proof"),
                "ARGS=tests/systemd/test_card_image.py tests/systemd/test_emulated_pi.py "
                "-k 'not [virt]' --junitxml={report}",
            ),
        ),
        600,
        partial(find_image_obstacle, "pi"),
    ),
)


@dataclass(frozen=True)
class Result:
    """How a step ended: `passed`, `skipped` or `failed`, and in how many seconds."""

    step: str
    outcome: str
    seconds: float = 0.0
    remark: str = ""


def read_report(report: Path) -> tuple[str, str]:
    """Read pytest's report; return the outcome and a remark with numbers of tests and the reasons of skips."""
    failed: list[str] = []
    reasons: dict[str, int] = {}
    count = 0
    for case in ET.parse(report).iter("testcase"):
        count += 1
        if case.find("failure") is not None or case.find("error") is not None:
            failed.append(case.get("name", ""))
        elif (skip := case.find("skipped")) is not None:
            reason = skip.get("message", "")
            reasons[reason] = reasons.get(reason, 0) + 1
    remarks = [f"{len(failed)} failed: {', '.join(failed)}"] if failed else []
    remarks += [f"{number} skipped: {reason}" for reason, number in reasons.items()]
    outcome = "failed" if failed else "skipped" if sum(reasons.values()) == count else "passed"
    return outcome, "; ".join([f"{count} tests", *remarks])


def run_step(step: NightlyStep, folder: Path = REPORTS) -> Result:
    """Run a step's commands; write their output to a log in `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    report, log = folder / f"{step.name}.xml", folder / f"{step.name}.log"
    report.unlink(missing_ok=True)
    if obstacle := step.find_obstacle():
        return Result(step.name, "skipped", remark=obstacle)
    began = time.monotonic()
    status = 0
    with log.open("w", encoding="utf-8") as output:
        for command in step.commands:
            left = began + 60 * step.limit_minutes - time.monotonic()
            status = run_command([word.format(report=report) for word in command], output.fileno(), left)
            if status:
                break
    seconds = time.monotonic() - began
    if status < 0:
        return Result(step.name, "failed", seconds, f"stopped after {step.limit_minutes:g} minutes")
    if report.exists():
        outcome, remark = read_report(report)
        return Result(step.name, outcome if not status else "failed", seconds, remark)
    last = (log.read_text(encoding="utf-8", errors="replace").splitlines() or [""])[-1]
    return Result(step.name, {0: "passed", SKIPPED_STATUS: "skipped"}.get(status, "failed"), seconds, last)


def run_command(command: Sequence[str], output: int, limit_seconds: float) -> int:
    """Run a command and return its exit status; -1: it took too long and was stopped with all that it had started."""
    process = subprocess.Popen(
        command, cwd=PROJECT, stdin=subprocess.DEVNULL, stdout=output, stderr=output, start_new_session=True
    )
    try:
        return abs(process.wait(limit_seconds))
    except subprocess.TimeoutExpired:
        return -1
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def format_table(results: Sequence[Result]) -> str:
    """Return the table of all results."""
    lines = [f"{'step':<12} {'result':<8} {'time':>8}  remark"]
    for result in results:
        minutes, seconds = divmod(round(result.seconds), 60)
        remark = " ".join(result.remark.split())[:MAX_REMARK_LETTERS]
        lines.append(f"{result.step:<12} {result.outcome:<8} {minutes:>5}:{seconds:02}  {remark}")
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None, steps: Sequence[NightlyStep] = STEPS, folder: Path = REPORTS) -> int:
    """Run the chosen steps, print the table and return the exit status."""
    parser = ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("steps", metavar="STEP", nargs="*", help="default: all of " + ", ".join(s.name for s in steps))
    chosen = parser.parse_args(arguments).steps or [step.name for step in steps]
    if unknown := set(chosen) - {step.name for step in steps}:
        parser.error(f"no such step: {', '.join(sorted(unknown))}")
    results = []
    for step in steps:
        if step.name in chosen:
            print(f"{step.name} ...", flush=True)
            results.append(run_step(step, folder))
        else:
            results.append(Result(step.name, "skipped", remark="not chosen"))
    print(f"\n{format_table(results)}\n\nOutput: {folder}")
    return int(any(result.outcome == "failed" for result in results))


if __name__ == "__main__":
    sys.exit(main())
