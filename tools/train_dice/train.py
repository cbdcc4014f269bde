"""Train one of the two networks on rendered scenes.

    python -m train_dice.train finder|reader SCENES... --out FILE.pt --steps N [--start FILE]

SCENES is a folder, or FOLDER:6 to draw each of its scenes six times as often.
Every 20th scene is held back. Writes the running mean of the weights from time to time, and FILE.onnx at the end. On
one thread (the default) the same seed gives the same file, bit for bit; batches are made by a second one meanwhile.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import TypeVar

import cv2
import numpy as np
import torch
from torch import nn
from torch.nn.functional import cross_entropy, logsigmoid
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

from companion.vision.dice.crops import DETECTOR_STRIDES_PX
from train_dice.nets import FinderNet, ReaderNet, export_onnx
from train_dice.samples import (
    FLAT,
    HIDDEN,
    LEANING,
    NONE,
    SceneShards,
    alter_colours,
    cut_crop,
    cut_patch,
    turn_upright,
)

HELD_BACK_EVERY = 20
BatchT = TypeVar("BatchT")

KEPT_SHARE = 0.998
"""Share of the mean of the weights that stays at each step; the mean is what is exported.

B. Polyak and A. Juditsky, "Acceleration of stochastic approximation by averaging" (1992)."""


def turn_crop(pixels: np.ndarray, measures: np.ndarray, turns: int, mirrored: bool) -> tuple[np.ndarray, np.ndarray]:
    """Turn a crop and its measures by quarter turns anticlockwise, and mirror them left to right."""
    out = measures.copy()
    for _ in range(turns):
        out[[0, 1, 3, 4]] = out[1], -out[0], out[4], -out[3]
    pixels = np.rot90(pixels, turns, (1, 2))
    if mirrored:
        pixels = pixels[:, :, ::-1]
        out[[0, 3]] *= -1
    return pixels, out


def draw_scenes(scenes: SceneShards, pick: np.ndarray, rng: np.random.Generator, count: int) -> np.ndarray:
    """Draw `count` of the scenes numbered `pick` by their weights."""
    weights = scenes.weights[pick]
    return rng.choice(pick, count, p=weights / weights.sum())


def make_crop_batch(
    scenes: SceneShards, pick: np.ndarray, rng: np.random.Generator, count: int, varied: bool = False
) -> tuple[torch.Tensor, ...]:
    """Make `count` crops, states, values and measures; mirrored, and turned where no direction is up.

    `varied`: also in other colours and resolutions.
    """
    crops, answers, measures = [], [], []
    while len(crops) < count:
        *scene, free = turn_upright(*scenes[int(draw_scenes(scenes, pick, rng, 1)[0])], rng)
        for _ in range(10):
            one = cut_crop(*scene, rng)
            if one is None:
                continue
            pixels, (state, value, five) = one
            pixels, five = turn_crop(
                pixels, np.array(five, np.float32), int(rng.integers(4)) if free else 0, rng.random() < 0.5
            )
            crops.append(alter_colours(pixels, rng) if varied else pixels)
            answers.append((state, value))
            measures.append(five)
    stack = torch.from_numpy(np.stack(crops[:count]).astype(np.float32))
    said = torch.tensor(answers[:count])
    return stack, said[:, 0], said[:, 1], torch.from_numpy(np.stack(measures[:count]))


def make_patch_batch(
    scenes: SceneShards, pick: np.ndarray, rng: np.random.Generator, count: int
) -> tuple[torch.Tensor, list[torch.Tensor]]:
    """Make `count` patches (-0.5..0.5) with their maps; mirrored, and turned upside down where no direction is up."""
    pixels: list[np.ndarray] = []
    maps: list[list[np.ndarray]] = []
    for i in draw_scenes(scenes, pick, rng, count):
        image, dice, _, _, free = turn_upright(*scenes[int(i)], rng)
        p, levels = cut_patch(image, dice, rng)
        for axis in (1, 2) if free else (2,):
            if rng.random() < 0.5:
                p = np.flip(p, axis)
                levels = [np.flip(m, axis).copy() for m in levels]
                for m in levels:
                    m[3 if axis == 1 else 2] *= -1
        pixels.append(p)
        maps.append(levels)
    stacked = [torch.from_numpy(np.stack(level)) for level in zip(*maps, strict=True)]
    return torch.from_numpy(np.stack(pixels)).float().div_(255).sub_(0.5), stacked


def make_ahead(make: Callable[[], BatchT], count: int) -> Iterator[BatchT]:
    """Yield `count` batches, each made in a second thread while the one before is learnt from."""
    with ThreadPoolExecutor(1) as maker:
        coming = maker.submit(make)
        for _ in range(count - 1):
            batch = coming.result()
            coming = maker.submit(make)
            yield batch
        yield coming.result()


def run_net(net: nn.Module, pixels: torch.Tensor) -> list[torch.Tensor]:
    """Run the network in the way that is fastest on a CPU: bfloat16, channels last."""
    with torch.autocast("cpu", torch.bfloat16):
        out = net(pixels.contiguous(memory_format=torch.channels_last))
    return [one.float() for one in (out if isinstance(out, tuple) else (out,))]


def compute_finder_loss(net: nn.Module, pixels: torch.Tensor, maps: list[torch.Tensor]) -> torch.Tensor:
    """Compute the focal loss of "Objects as Points" on the heat, and L1 on edges and offsets, over all maps."""
    heat_loss = edge_loss = torch.zeros(())
    hit_count = near_count = torch.zeros(())
    for out, wanted in zip(run_net(net, pixels), maps, strict=True):
        heat, target, weight, near = out[:, 0], wanted[:, 0], wanted[:, 4], wanted[:, 5:6]
        p = torch.sigmoid(heat)
        hits = (target == 1).float()
        gain = hits * (1 - p) ** 2 * logsigmoid(heat) + (1 - hits) * (1 - target) ** 4 * p**2 * logsigmoid(-heat)
        heat_loss = heat_loss - (gain * weight).sum()
        edge_loss = edge_loss + (torch.abs(out[:, 1:4] - wanted[:, 1:4]) * near).sum()
        hit_count, near_count = hit_count + hits.sum(), near_count + near.sum()
    return heat_loss / hit_count.clamp(min=1) + edge_loss / near_count.clamp(min=1)


def compute_reader_loss(net: nn.Module, crops: torch.Tensor, *wanted: torch.Tensor) -> torch.Tensor:
    """Compute the cross entropy of states and of readable values, and L1 on the measures of all faces."""
    states, values, measures = wanted
    out = run_net(net, crops)[0]
    face, legible = states != NONE, (states == FLAT) | (states == LEANING)
    off = torch.abs(out[:, 10:] - measures)[face]
    named = cross_entropy(out[legible, 4:10], values[legible])
    return cross_entropy(out[:, :4], states) + named + 2.0 * off[:, :3].mean() + 0.5 * off[:, 3:].mean()


def format_reader_report(net: nn.Module, scenes: SceneShards, pick: np.ndarray) -> str:
    """Format the errors on held-back scenes."""
    crops, states, values, measures = make_crop_batch(scenes, pick, np.random.default_rng(1), 2000)
    with torch.no_grad():
        out = net(crops)
    p, q = out[:, :4].softmax(1), out[:, 4:10].softmax(1)
    clear = (states == FLAT) | (states == LEANING)
    right = q.argmax(1) == values
    sure = (p[:, FLAT] + p[:, LEANING]) * q.max(1).values
    act = sure >= 0.9
    wrong = act & ~(clear & right)
    off = torch.abs(out[:, 10:] - measures)[states != NONE].mean(0)
    return (
        f"none {((p.argmax(1) == NONE) == (states == NONE)).float().mean():.4f} "
        f"state {(p.argmax(1) == states).float().mean():.4f} value {right[clear].float().mean():.4f} "
        f"acted {act[clear].float().mean():.4f} acted wrong {wrong.float().sum() / act.float().sum().clamp(min=1):.4f} "
        f"hidden acted {act[states == HIDDEN].float().mean():.4f} off {' '.join(f'{v:.3f}' for v in off)}"
    )


def split_scenes(count: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the numbers of the held-back scenes and of the training scenes."""
    numbers = np.arange(count)
    return numbers[numbers % HELD_BACK_EVERY == 0], numbers[numbers % HELD_BACK_EVERY != 0]


def main() -> None:
    """Train the network that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("net", choices=["finder", "reader"])
    parser.add_argument("scenes", nargs="+")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--steps", type=int, required=True)
    parser.add_argument("--batch", type=int)
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--start", type=Path, help="weights (.pt) to go on from")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    torch.set_num_threads(given.threads)
    cv2.setNumThreads(1)
    torch.manual_seed(given.seed)
    rng = np.random.default_rng(given.seed)
    named = [word.partition(":") for word in given.scenes]
    scenes = SceneShards({Path(folder): float(weight or 1) for folder, _, weight in named})
    held, pick = split_scenes(len(scenes))
    finder = given.net == "finder"
    net: nn.Module = FinderNet() if finder else ReaderNet()
    net = net.to(memory_format=torch.channels_last)
    if given.start:
        net.load_state_dict(torch.load(given.start))
    batch = given.batch or (24 if finder else 128)
    rule = torch.optim.AdamW(net.parameters(), given.rate, weight_decay=1e-3)
    pace = torch.optim.lr_scheduler.OneCycleLR(rule, given.rate, given.steps, pct_start=0.1)
    kept = AveragedModel(net, multi_avg_fn=get_ema_multi_avg_fn(KEPT_SHARE), use_buffers=True)
    mean = 0.0
    make = partial(make_patch_batch if finder else partial(make_crop_batch, varied=True), scenes, pick, rng, batch)
    for step, made in enumerate(make_ahead(make, given.steps), 1):
        net.train()
        loss = (compute_finder_loss if finder else compute_reader_loss)(net, *made)
        rule.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        rule.step()
        pace.step()
        kept.update_parameters(net)
        mean = 0.98 * mean + 0.02 * loss.item() if step > 1 else loss.item()
        if step % 500 == 0 or step == given.steps:
            best = kept.module
            best.eval()
            if finder:
                with torch.no_grad():
                    loss = compute_finder_loss(best, *make_patch_batch(scenes, held, np.random.default_rng(1), 96))
                report = f"held back {loss.item():.3f}"
            else:
                report = format_reader_report(best, scenes, held)
            print(f"{step} of {len(scenes)} scenes, loss {mean:.3f} {report}", flush=True)
            torch.save(best.state_dict(), given.out)
    example = torch.rand(1, 3, 384, 640) if finder else torch.rand(2, 3, 64, 64)
    names = [f"stride{stride}" for stride in DETECTOR_STRIDES_PX] if finder else ["said"]
    part = given.out.with_suffix(".part")  # the network's file says that the training is finished
    export_onnx(kept.module, example, part, names, sides_vary=finder)
    part.replace(given.out.with_suffix(".onnx"))


if __name__ == "__main__":
    main()
