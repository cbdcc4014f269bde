"""Make all models (scenes, finder, reader, decision) for companion/vision/models, in two stages.

    PYTHONPATH=.:tools:tools/training python -m train_dice.make WORK [--base tools/training/train_dice/base]
        [--photographs ../shared/photos] [--scenes 12000] [--jobs 2] [--seed 0] [--steps 1.0] [--device cuda] [--keep]

Run it in the repository's root, in an environment with requirements.txt installed. README.md says how long it takes.
What WORK holds from an earlier run (scenes, finished trainings) is kept, so a run that was stopped goes on; other
options need another folder. `--steps` shortens all training by that factor, to test the recipe; `--device cuda` trains
on a GPU; `--keep` leaves the packaged models as they are.

The first stage, **base**, learns from rendered scenes alone. The reader is trained three times: beside the finder on
places drawn at random, then on the finder's candidates, which is what it sees in use, at last more often on the traced
scenes, which look more like photographs. `--base FOLDER` takes the networks of an earlier run in its place; few scenes
are rendered then. The second, **photographs**, trains that reader on: photographs whose licence allows it, mixed with
rendered scenes. Then the decision is fitted to photographs of other sources and to other rendered scenes.

Each learning rate rises once and falls to nothing; what is kept is the running mean of the weights. The same seed gives
the same models on the same machine, with any number of jobs; dice_models.json names the options, and the SHA-256 of
the data, of the base and of each model. Held-back families of dice and grounds (styles.py, unreadable.py) are in none
of the scenes.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from train_dice.photographs import JUDGED, format_attribution, list_photographs
from train_dice.render import KINDS

MODELS = Path(__file__).resolve().parents[3] / "companion" / "vision" / "models"

NETWORKS = "dice_finder.onnx", "dice_reader.onnx"

BASE = Path(__file__).with_name("base")
"""The networks of the first stage whose output is packaged, for `--base`."""

LEFT_OUT = "dice_decision_left_out.json"
"""Beside dice_decision.json, and then in this folder: the models by the source that was left out of their fit."""

_PHOTOGRAPH_STEPS = 4000
"""Steps in which the reader learns from photographs. More: slower; 1600 of 128 crops read two in 298 fewer than 4000 of
192."""

_PHOTOGRAPH_SHARE = 0.6
"""Share of scenes that are photographs. Larger: what only rendered scenes show is forgotten."""

_STEP_ENV = {
    # Let glibc keep freed memory (sizes in bytes): fresh pages from the kernel took a third of a batch's time.
    "MALLOC_MMAP_THRESHOLD_": "2000000000",
    "MALLOC_TRIM_THRESHOLD_": "8000000000",
    # The processes fill the cores already.
    "OPENBLAS_NUM_THREADS": "1",
}


def run_step(module: str, *words: object) -> None:
    """Run one step of the recipe in a process of its own.

    Raises:
        SystemExit: the step failed.
    """
    command = [sys.executable, "-m", f"train_dice.{module}", *(str(word) for word in words)]
    if subprocess.run(command, check=False, env={**os.environ, **_STEP_ENV}).returncode:
        raise SystemExit(f"The step {module} failed, see above. The same command goes on from there.")


@dataclass(frozen=True)
class Training:
    """The training of both networks in a folder.

    Attributes:
        work: the folder; it holds the scenes.
        seed: the trainings have seed + 1 to seed + 5; the scenes do not depend on it.
        steps_ratio: factor by which each training is shortened.
        device: "cpu" or "cuda".
        jobs: processes that make batches where one training runs alone; half of them where two do.
    """

    work: Path
    seed: int
    steps_ratio: float
    device: str
    jobs: int

    def _train(
        self,
        net: str,
        name: str,
        steps: int,
        rate: float,
        seed_offset: int,
        *,
        alone: bool,
        start: str = "",
        traced_weight: int = 1,
    ) -> Path:
        """Train a "finder" or "reader" on all scenes, unless it was finished earlier; return the network.

        A training that runs `alone` has two threads and all jobs, else one thread and half of the jobs.
        """
        out = self.work / f"{name}.pt"
        if not out.with_suffix(".onnx").exists():
            before = ["--start", self.work / f"{start}.pt"] if start else []
            count = max(1, round(steps * self.steps_ratio))
            jobs = self.jobs if alone else max(1, self.jobs // 2)
            options = ["--rate", rate, "--steps", count, "--seed", self.seed + seed_offset]
            options += ["--device", self.device, "--threads", 2 if alone else 1, "--jobs", jobs]
            scenes = [f"{self.work / name}:{traced_weight if kind.traced else 1}" for name, kind in KINDS.items()]
            run_step("train", net, *scenes, "--out", out, *before, *options)
        return out.with_suffix(".onnx")

    def train_finder(self) -> Path:
        """Train the finder; return the network."""
        return self._train("finder", "finder", 15000, 3e-3, 1, alone=False)

    def begin_reader(self) -> Path:
        """Train the reader without a finder's candidates; return the network."""
        return self._train("reader", "reader_begun", 8500, 3e-3, 2, alone=False)

    def finish_reader(self) -> Path:
        """Train the reader on the finder's candidates, at last more often on traced scenes; return the network."""
        self._train("reader", "reader_mined", 5500, 2e-3, 3, alone=True, start="reader_begun")
        return self._train("reader", "reader", 2500, 1e-3, 4, alone=True, start="reader_mined", traced_weight=6)

    def train_reader_on_photographs(self, reader: Path) -> Path:
        """Train a reader on, with photographs and rendered scenes; return the weighted mean of both.

        One thread: then the weights do not depend on how many cores are free.
        """
        out = self.work / "reader_photographs.pt"
        if not out.with_suffix(".onnx").exists():
            count = max(1, round(_PHOTOGRAPH_STEPS * self.steps_ratio))
            options = ["--rate", 7e-4, "--steps", count, "--seed", self.seed + 5, "--start", reader]
            options += ["--device", self.device, "--threads", 1, "--jobs", self.jobs]
            run_step("train", "reader", *self._weigh_folders(), "--out", out, *options)
        mixed = self.work / "reader_mixed.onnx"
        run_step("average_weights", reader, out.with_suffix(".onnx"), mixed)
        return mixed

    def _weigh_folders(self) -> list[str]:
        """Return FOLDER:WEIGHT of all scenes: groups of photographs weigh alike, not pictures."""
        groups = sorted(path for path in (self.work / "photographs").iterdir() if path.is_dir())
        counts = {folder: count_scenes(folder) for folder in (*groups, *(self.work / kind for kind in KINDS))}
        rendered = sum(count for folder, count in counts.items() if folder not in groups)
        weights = {folder: 1 / rendered for folder in counts if folder not in groups}
        share = _PHOTOGRAPH_SHARE / (1 - _PHOTOGRAPH_SHARE) / len(groups)
        weights |= {folder: share / counts[folder] for folder in groups}
        return [f"{folder}:{weight:.8f}" for folder, weight in weights.items()]


def count_scenes(folder: Path) -> int:
    """Return the number of scenes in the shards of a folder."""
    return sum(len(json.loads(notes.read_text(encoding="utf-8"))) for notes in folder.glob("*.json"))


def hash_files(files: Iterable[Path]) -> str:
    """Return the SHA-256 of files one after another, as hexadecimal digits."""
    total = hashlib.sha256()
    for file in files:
        total.update(file.read_bytes())
    return total.hexdigest()


def list_shards(folder: Path) -> list[Path]:
    """Return the files of a folder's scenes, pictures and contents, in a fixed order."""
    return sorted(file for file in folder.iterdir() if file.suffix in (".jpegs", ".json"))


def hash_photographs(folder: Path) -> dict[str, str]:
    """Return the SHA-256 of the photographs that train, of those that fit the decision, and of labels and sources."""
    photographs = list_photographs(folder)
    return {
        "training": hash_files(one.path for one in photographs if one.may_train),
        "fitting the decision": hash_files(one.path for one in photographs if not one.may_train),
        "labels": hash_files(
            folder / name for name in ("train/labels.csv", "train/meta.csv", *(f"{name}/labels.csv" for name in JUDGED))
        ),
    }


def hash_models(models: Mapping[str, Path]) -> dict[str, str]:
    """Return the SHA-256 of models by their packaged names."""
    return {name: hash_files([place]) for name, place in models.items()}


def read_early_hashes(work: Path) -> dict[str, str]:
    """Return the SHA-256 of each training's weights after 500 steps, by its name; shorter trainings have none."""
    return {file.stem: file.read_text(encoding="utf-8") for file in sorted(work.glob("*.500"))}


def main() -> None:
    """Make the models."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("work", type=Path)
    parser.add_argument("--base", type=Path, help="folder of dice_finder.onnx and dice_reader.onnx to train on")
    parser.add_argument("--photographs", type=Path, default=Path("../shared/photos"))
    parser.add_argument("--scenes", type=int, help="rendered ones of the first kind; default 12000, with --base 1000")
    parser.add_argument("--jobs", type=int, default=2, help="processes that render scenes and make batches")
    parser.add_argument("--device", default="cpu", help="cpu, or cuda to train on a GPU")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--steps", type=float, default=1.0)
    parser.add_argument("--keep", action="store_true")
    given = parser.parse_args()
    work: Path = given.work.resolve()
    work.mkdir(parents=True, exist_ok=True)
    scenes = given.scenes or (1000 if given.base else 12000)
    options = {"scenes": scenes, "seed": given.seed, "steps": given.steps, "device": given.device}
    if given.base:
        options["base"] = hash_models({name: given.base / name for name in NETWORKS})
    noted = work / "options.json"
    if noted.exists() and (before := json.loads(noted.read_text(encoding="utf-8"))) != options:
        parser.error(f"{work} was begun with {before}: use the same options, or another folder")
    noted.write_text(json.dumps(options), encoding="utf-8")
    run_step("render", work, "--scenes", scenes, "--jobs", given.jobs)
    training = Training(work, given.seed, given.steps, given.device, given.jobs)
    finder, base = (given.base / name for name in NETWORKS) if given.base else make_base(training, given.jobs)
    kinds = [work / kind for kind in KINDS]
    run_step("mine", *kinds, "--finder", finder, "--jobs", given.jobs)
    nets = ["--photographs", given.photographs, "--finder", finder]
    run_step("photo_scenes", work / "photographs", *nets, "--reader", base, "--jobs", given.jobs)
    reader = training.train_reader_on_photographs(base)
    decision = work / "dice_decision.json"
    run_step("fit_decision", *nets, "--reader", reader, "--out", decision, "--jobs", given.jobs)
    first_stage = dict(zip(NETWORKS, (finder, base), strict=True))
    made = {**dict(zip(NETWORKS, (finder, reader), strict=True)), "dice_decision.json": decision}
    photographs = list_photographs(given.photographs)
    manifest = {
        **options,
        "base": hash_models(first_stage),
        "rendered scenes": hash_files(file for kind in kinds for file in list_shards(kind)),
        "photographs": hash_photographs(given.photographs),
        "weights after 500 steps": read_early_hashes(work),
        "decisions without a source": hash_files([decision.with_name(LEFT_OUT)]),
        "sha256": hash_models(made),
    }
    print(json.dumps(manifest, indent=1))
    if not given.keep:
        for name, place in made.items():
            shutil.copy(place, MODELS / name)
        (MODELS / "dice_models.json").write_text(json.dumps(manifest, indent=1) + "\n", encoding="utf-8")
        for name, place in first_stage.items():
            if place.resolve() != BASE / name:
                shutil.copy(place, BASE / name)
        shutil.copy(decision.with_name(LEFT_OUT), Path(__file__).with_name(LEFT_OUT))
        (MODELS / "dice_attribution.txt").write_text(format_attribution(photographs), encoding="utf-8")


def make_base(training: Training, jobs: int) -> tuple[Path, Path]:
    """Train both networks on rendered scenes alone; return the finder and the reader."""
    with ThreadPoolExecutor(2) as both:
        reader_begun = both.submit(training.begin_reader)
        finder = both.submit(training.train_finder).result()
        reader_begun.result()
    run_step("mine", *(training.work / kind for kind in KINDS), "--finder", finder, "--jobs", jobs)
    return finder, training.finish_reader()


if __name__ == "__main__":
    main()
