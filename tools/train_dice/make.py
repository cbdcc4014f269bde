"""Make all models from nothing (scenes, finder, candidates, reader, decision) for companion/vision/models.

    PYTHONPATH=.:tools python -m train_dice.make WORK [--scenes 16000] [--jobs 2] [--seed 0] [--steps 1.0] [--keep]

Run it in the repository's root, in an environment with requirements.txt installed; it takes about two hours on two
cores, and no GPU. What WORK holds from an earlier run (scenes, finished trainings) is kept, so a run that was stopped
goes on; use another folder for other options. `--steps` shortens all training by that factor, to test the recipe;
`--keep` leaves the packaged models as they are.

The reader is trained three times: beside the finder on places drawn at random, then on the finder's candidates, which
is what it sees in use, at last more often on the traced scenes, which look more like photographs. Each learning rate
rises once and falls to nothing; what is kept is the running mean of the weights. Each training has one thread, so the
same seed gives the same models on the same machine; dice_models.json names seed, work and hashes. Held-back families of
dice and grounds (styles.py) are in none of the scenes. The packaged weights were not made by one run of this: README.md
says how.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

MODELS = Path(__file__).resolve().parents[2] / "companion" / "vision" / "models"
FIRST, FIRST_SMALL, FIRST_TRACED, FIRST_SMALL_TRACED = 1_000_000, 3_000_000, 7_000_000, 7_100_000
"""Numbers of the first training scenes of each kind; lower numbers are for tests and calibration."""

_KINDS = ("scenes", "small", "traced", "small_traced")
"""Folders of the scenes."""

_MALLOC_ENV = {"MALLOC_MMAP_THRESHOLD_": "2000000000", "MALLOC_TRIM_THRESHOLD_": "8000000000"}
"""Let glibc keep freed memory (sizes in bytes): fresh pages from the kernel took a third of a batch's time."""


def run_step(module: str, *words: object) -> None:
    """Run one step of the recipe in a process of its own."""
    command = [sys.executable, "-m", f"train_dice.{module}", *(str(word) for word in words)]
    subprocess.run(command, check=True, env={**os.environ, **_MALLOC_ENV})


@dataclass(frozen=True)
class Training:
    """The training of both networks in a folder.

    Attributes:
        work: the folder; it holds the scenes.
        seed: the four trainings have seed + 1 to seed + 4; the scenes do not depend on it.
        steps_ratio: factor by which each training is shortened.
    """

    work: Path
    seed: int
    steps_ratio: float

    def _train(
        self, net: str, name: str, steps: int, rate: float, seed_offset: int, start: str = "", traced_weight: int = 1
    ) -> Path:
        """Train a "finder" or "reader" on all scenes, unless it was finished earlier; return the network."""
        out = self.work / f"{name}.pt"
        if not out.with_suffix(".onnx").exists():
            before = ["--start", self.work / f"{start}.pt"] if start else []
            count = max(1, round(steps * self.steps_ratio))
            options = ["--rate", rate, "--steps", count, "--seed", self.seed + seed_offset]
            scenes = [f"{self.work / kind}:{traced_weight if 'traced' in kind else 1}" for kind in _KINDS]
            run_step("train", net, *scenes, "--out", out, *before, *options)
        return out.with_suffix(".onnx")

    def train_finder(self) -> Path:
        """Train the finder; return the network."""
        return self._train("finder", "finder", 18000, 3e-3, 1)

    def begin_reader(self) -> Path:
        """Train the reader without a finder's candidates; return the network."""
        return self._train("reader", "reader_begun", 14000, 3e-3, 2)

    def finish_reader(self) -> Path:
        """Train the reader on the finder's candidates, at last more often on traced scenes; return the network."""
        self._train("reader", "reader_mined", 24000, 2e-3, 3, start="reader_begun")
        return self._train("reader", "reader", 8000, 1e-3, 4, start="reader_mined", traced_weight=6)


def render_scenes(work: Path, count: int, jobs: int) -> None:
    """Render all training scenes; shards that exist are kept. A traced scene takes eight times as long as another."""
    firsts, shares = (FIRST, FIRST_SMALL, FIRST_TRACED, FIRST_SMALL_TRACED), (1, 3, 8, 20)
    options = ((), ("--small",), ("--traced",), ("--traced", "--small"))
    for kind, first, share, words in zip(_KINDS, firsts, shares, options, strict=True):
        run_step("render", work / kind, "--count", count // share, "--first", first, "--jobs", jobs, *words)


def main() -> None:
    """Make the models."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("work", type=Path)
    parser.add_argument("--scenes", type=int, default=16000)
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
    run_step("mine", *(work / kind for kind in _KINDS), "--finder", finder, "--jobs", given.jobs)
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
