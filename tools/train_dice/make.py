"""Makes both models from nothing: scenes, finder, candidates, reader; puts them into companion/vision/models.

    PYTHONPATH=.:tools python -m train_dice.make WORK [--scenes 12000] [--jobs 2] [--seed 0]

Run it in the repository's root, in an environment with requirements.txt installed. Scenes that stand in WORK from an
earlier run are kept.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
from pathlib import Path

MODELS = Path(__file__).resolve().parents[2] / "companion" / "vision" / "models"


def run(module: str, *words: object) -> None:
    """One step, in a process of its own."""
    subprocess.run([sys.executable, "-m", f"train_dice.{module}", *(str(w) for w in words)], check=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("work", type=Path)
    parser.add_argument("--scenes", type=int, default=12000)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    work = given.work.resolve()
    scenes = work / "scenes"
    run("render", scenes, "--count", given.scenes, "--jobs", given.jobs)
    for net, steps in (("finder", 5000), ("reader", 10000)):
        run("train", net, scenes, "--out", work / f"{net}.pt", "--steps", steps, "--seed", given.seed)
        shutil.copy(work / f"{net}.onnx", MODELS / f"dice_{net}.onnx")
        if net == "finder":
            run("mine", scenes)
