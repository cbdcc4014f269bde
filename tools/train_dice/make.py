"""Make all models from nothing (scenes, finder, candidates, reader, decision) for companion/vision/models.

    PYTHONPATH=.:tools python -m train_dice.make WORK [--scenes 19200] [--jobs 2] [--seed 0] [--steps 1.0] [--keep]

Run it in the repository's root, in an environment with requirements.txt installed; it takes about six hours on two
cores, and no GPU. Scenes in WORK from an earlier run are kept. `--steps` shortens all training by that factor, to test
the recipe; `--keep` leaves the packaged models as they are.

The finder is trained in four cycles, the reader in six, each with a learning rate that rises and falls again; what is
kept of each is the running mean of its weights. The reader trains on the finder's candidates, from the third cycle on
also on small dice, and at the end on traced scenes (traced.py). The packaged weights were not made by one run of this:
README.md says how. Held-back families of dice and grounds (styles.py) are in none of the scenes.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
from pathlib import Path

MODELS = Path(__file__).resolve().parents[2] / "companion" / "vision" / "models"
FIRST, FIRST_SMALL, FIRST_TRACED, FIRST_SMALL_TRACED = 1_000_000, 3_000_000, 7_000_000, 7_100_000
"""Numbers of the first training scenes of each kind; lower numbers are for tests and calibration."""


def run_step(module: str, *words: object) -> None:
    """Run one step of the recipe in a process of its own."""
    subprocess.run([sys.executable, "-m", f"train_dice.{module}", *(str(w) for w in words)], check=True)


def main() -> None:
    """Make the models."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("work", type=Path)
    parser.add_argument("--scenes", type=int, default=19200)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--steps", type=float, default=1.0)
    parser.add_argument("--keep", action="store_true")
    given = parser.parse_args()
    work: Path = given.work.resolve()
    scenes, small, traced, small_traced = (work / name for name in ("scenes", "small", "traced", "small_traced"))
    run_step("render", scenes, "--count", given.scenes, "--first", FIRST, "--jobs", given.jobs)
    run_step("render", small, "--count", given.scenes // 4, "--first", FIRST_SMALL, "--jobs", given.jobs, "--small")
    of_six, of_twentyfour = given.scenes // 6, given.scenes // 24  # a traced scene takes five times as long
    run_step("render", traced, "--count", of_six, "--first", FIRST_TRACED, "--jobs", given.jobs, "--traced")
    run_step(
        *("render", small_traced, "--count", of_twentyfour, "--first", FIRST_SMALL_TRACED, "--jobs", given.jobs),
        *("--traced", "--small"),
    )

    def train(net: str, cycle: int, steps: int, rate: float, *words: Path | str) -> Path:
        out = work / f"{net}{cycle}.pt"
        start = ["--start", work / f"{net}{cycle - 1}.pt"] if cycle > 1 else []
        rest = ["--rate", rate, "--steps", max(1, round(steps * given.steps)), "--seed", given.seed + cycle]
        run_step("train", net, *words, "--out", out, *start, *rest, "--threads", given.jobs)
        return out.with_suffix(".onnx")

    train("finder", 1, 7000, 3e-3, scenes)
    train("finder", 2, 7000, 2e-3, scenes)
    train("finder", 3, 5000, 1.5e-3, scenes, small)
    finder = train("finder", 4, 6000, 1e-3, traced, small_traced, small)
    run_step("mine", scenes, small, traced, small_traced, "--finder", finder)
    train("reader", 1, 6000, 3e-3, scenes)
    train("reader", 2, 12000, 2.5e-3, scenes)
    train("reader", 3, 5000, 1.5e-3, scenes, small)
    train("reader", 4, 12000, 2e-3, scenes, small)
    train("reader", 5, 6000, 1.2e-3, traced, small_traced, small)
    reader = train("reader", 6, 7000, 5e-4, traced, small_traced, small)
    decision = work / "dice_decision.json"
    words: list[object] = ["--finder", finder, "--reader", reader, "--out", decision, "--jobs", given.jobs]
    run_step("fit_decision", *words)
    if not given.keep:
        shutil.copy(finder, MODELS / "dice_finder.onnx")
        shutil.copy(reader, MODELS / "dice_reader.onnx")
        shutil.copy(decision, MODELS)


if __name__ == "__main__":
    main()
