"""Make all models from nothing (scenes, finder, candidates, reader, decision) for companion/vision/models.

    PYTHONPATH=.:tools python -m train_dice.make WORK [--scenes 19200] [--jobs 2] [--seed 0] [--steps 1.0] [--keep]

Run it in the repository's root, in an environment with requirements.txt installed; it takes two to three hours on two
cores, and no GPU. What WORK holds from an earlier run (scenes, finished cycles) is kept, so a run that was stopped
goes on; use another folder for other options. `--steps` shortens all training by that factor, to test the recipe;
`--keep` leaves the packaged models as they are.

The finder is trained in four cycles, the reader in six, each with a learning rate that rises and falls again; what is
kept of each is the running mean of its weights. The reader's first two cycles run beside the finder; from the third
on it learns from the finder's candidates and from small dice, at the end from traced scenes (traced.py). Each training
has one thread, so the same seed gives the same models on the same machine; dice_models.json names seed, work and
hashes. Held-back families of dice and grounds (styles.py) are in none of the scenes. The packaged weights were not
made by one run of this: README.md says how.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

MODELS = Path(__file__).resolve().parents[2] / "companion" / "vision" / "models"
FIRST, FIRST_SMALL, FIRST_TRACED, FIRST_SMALL_TRACED = 1_000_000, 3_000_000, 7_000_000, 7_100_000
"""Numbers of the first training scenes of each kind; lower numbers are for tests and calibration."""


def run_step(module: str, *words: object) -> None:
    """Run one step of the recipe in a process of its own."""
    subprocess.run([sys.executable, "-m", f"train_dice.{module}", *(str(w) for w in words)], check=True)


@dataclass(frozen=True)
class Training:
    """The cycles of both networks in a folder.

    Attributes:
        seed: of a network's first cycle; the next cycles have the next seeds.
        steps_ratio: factor by which each cycle is shortened.
    """

    work: Path
    seed: int
    steps_ratio: float

    def run_cycle(self, net: str, cycle: int, steps: int, rate: float, *scenes: str) -> None:
        """Train one cycle of "finder" or "reader", from the end of the one before, unless it was finished earlier."""
        out = self.work / f"{net}{cycle}.pt"
        if out.with_suffix(".onnx").exists():
            return
        start = ["--start", self.work / f"{net}{cycle - 1}.pt"] if cycle > 1 else []
        count = max(1, round(steps * self.steps_ratio))
        places = [self.work / name for name in scenes]
        options = ["--rate", rate, "--steps", count, "--seed", self.seed + cycle]
        run_step("train", net, *places, "--out", out, *start, *options)

    def train_finder(self) -> Path:
        """Train all cycles of the finder; return the network."""
        self.run_cycle("finder", 1, 7000, 3e-3, "scenes")
        self.run_cycle("finder", 2, 7000, 2e-3, "scenes")
        self.run_cycle("finder", 3, 5000, 1.5e-3, "scenes", "small")
        self.run_cycle("finder", 4, 6000, 1e-3, "traced", "small_traced", "small")
        return self.work / "finder4.onnx"

    def begin_reader(self) -> None:
        """Train the cycles of the reader that need no finder."""
        self.run_cycle("reader", 1, 6000, 3e-3, "scenes")
        self.run_cycle("reader", 2, 12000, 2.5e-3, "scenes")

    def finish_reader(self) -> Path:
        """Train the other cycles of the reader, on the finder's candidates; return the network."""
        self.run_cycle("reader", 3, 5000, 1.5e-3, "scenes", "small")
        self.run_cycle("reader", 4, 12000, 2e-3, "scenes", "small")
        self.run_cycle("reader", 5, 6000, 1.2e-3, "traced", "small_traced", "small")
        self.run_cycle("reader", 6, 7000, 5e-4, "traced", "small_traced", "small")
        return self.work / "reader6.onnx"


def render_scenes(work: Path, count: int, jobs: int) -> None:
    """Render all training scenes; shards that exist are kept. A traced scene takes four times as long as another."""
    for name, first, share, options in (
        ("scenes", FIRST, 1, ()),
        ("small", FIRST_SMALL, 4, ("--small",)),
        ("traced", FIRST_TRACED, 6, ("--traced",)),
        ("small_traced", FIRST_SMALL_TRACED, 24, ("--traced", "--small")),
    ):
        run_step("render", work / name, "--count", count // share, "--first", first, "--jobs", jobs, *options)


def main() -> None:
    """Make the models."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("work", type=Path)
    parser.add_argument("--scenes", type=int, default=19200)
    parser.add_argument("--jobs", type=int, default=2, help="processes that render scenes")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--steps", type=float, default=1.0)
    parser.add_argument("--keep", action="store_true")
    given = parser.parse_args()
    work: Path = given.work.resolve()
    render_scenes(work, given.scenes, given.jobs)
    training = Training(work, given.seed, given.steps)
    with ThreadPoolExecutor(2) as both:
        reader_begun = both.submit(training.begin_reader)
        finder = both.submit(training.train_finder).result()
        reader_begun.result()
    run_step("mine", *(work / name for name in ("scenes", "small", "traced", "small_traced")), "--finder", finder)
    reader = training.finish_reader()
    decision = work / "dice_decision.json"
    run_step("fit_decision", "--finder", finder, "--reader", reader, "--out", decision, "--jobs", given.jobs)
    made = {"dice_finder.onnx": finder, "dice_reader.onnx": reader, "dice_decision.json": decision}
    manifest = {
        "scenes": given.scenes,
        "seed": given.seed,
        "steps": given.steps,
        "sha256": {name: hashlib.sha256(place.read_bytes()).hexdigest() for name, place in made.items()},
    }
    print(json.dumps(manifest, indent=1))
    if not given.keep:
        for name, place in made.items():
            shutil.copy(place, MODELS / name)
        (MODELS / "dice_models.json").write_text(json.dumps(manifest, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
