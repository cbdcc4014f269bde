"""Trains one of the two nets on rendered scenes.

    python -m train_dice.train finder|reader SCENES... --out FILE.pt --steps N [--from FILE.pt]

Scenes of every 20th number are held back. Writes the weights now and then, and FILE.onnx at the end.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import nn
from torch.nn.functional import cross_entropy, logsigmoid

from train_dice.nets import Finder, Reader, export
from train_dice.samples import ASK, READ, Scenes, crop_sample, patch

HELD_BACK = 20


def batch_of_crops(scenes: Scenes, pick: np.ndarray, rng: np.random.Generator, count: int) -> tuple[torch.Tensor, ...]:
    """So many crops, states, values; flipped and turned by quarters."""
    crops, states, values = [], [], []
    while len(crops) < count:
        scene = scenes[int(rng.choice(pick))]
        for _ in range(6):
            one = crop_sample(*scene, rng)
            if one is None:
                continue
            pixels = np.rot90(one[0], int(rng.integers(4)), (1, 2))
            crops.append(pixels[:, :, ::-1] if rng.random() < 0.5 else pixels)
            states.append(one[1])
            values.append(one[2])
    stack = torch.from_numpy(np.stack(crops[:count]).astype(np.float32))
    return stack, torch.tensor(states[:count]), torch.tensor(values[:count])


def batch_of_patches(
    scenes: Scenes, pick: np.ndarray, rng: np.random.Generator, count: int
) -> tuple[torch.Tensor, torch.Tensor]:
    """So many patches (0..1) with their maps; flipped."""
    pixels, maps = [], []
    for i in rng.choice(pick, count):
        image, dice, *_ = scenes[int(i)]
        p, m = patch(image, dice, rng)
        if rng.random() < 0.5:
            p, m = p[:, :, ::-1], m[:, :, ::-1].copy()
            m[2] = -m[2]
        pixels.append(p)
        maps.append(m)
    return torch.from_numpy(np.stack(pixels)).float() / 255, torch.from_numpy(np.stack(maps))


def answer(net: nn.Module, pixels: torch.Tensor) -> torch.Tensor:
    """The net's output, computed the way that is quickest on a CPU: bfloat16, channels last."""
    with torch.autocast("cpu", torch.bfloat16):
        return net(pixels.contiguous(memory_format=torch.channels_last)).float()


def finder_loss(net: nn.Module, pixels: torch.Tensor, maps: torch.Tensor) -> torch.Tensor:
    """The focal loss of "Objects as Points" on the heat, and L1 on edges and offsets."""
    out = answer(net, pixels)
    heat, target, weight, near = out[:, 0], maps[:, 0], maps[:, 4], maps[:, 5:6]
    p = torch.sigmoid(heat)
    hits = (target == 1).float()
    gain = hits * (1 - p) ** 2 * logsigmoid(heat) + (1 - hits) * (1 - target) ** 4 * p**2 * logsigmoid(-heat)
    regress = (torch.abs(out[:, 1:4] - maps[:, 1:4]) * near).sum() / near.sum().clamp(min=1)
    return -(gain * weight).sum() / hits.sum().clamp(min=1) + regress


def reader_loss(net: nn.Module, crops: torch.Tensor, states: torch.Tensor, values: torch.Tensor) -> torch.Tensor:
    """Cross entropy of the states, and of the values of what is to be read."""
    out = answer(net, crops)
    clear = states == READ
    return cross_entropy(out[:, :3], states) + cross_entropy(out[clear, 3:], values[clear])


def reader_report(net: nn.Module, scenes: Scenes, pick: np.ndarray) -> str:
    """Errors on held-back scenes."""
    crops, states, values = batch_of_crops(scenes, pick, np.random.default_rng(1), 2000)
    with torch.no_grad():
        out = net(crops)
    p, q = out[:, :3].softmax(1), out[:, 3:].softmax(1)
    clear = states == READ
    right = q.argmax(1) == values
    sure = p[:, READ] * q.max(1).values
    act = sure >= 0.9
    wrong = act & ~(clear & right)
    return (
        f"state {(p.argmax(1) == states).float().mean():.4f} value {right[clear].float().mean():.4f} "
        f"acted {act[clear].float().mean():.4f} acted wrong {wrong.float().sum() / act.float().sum().clamp(min=1):.4f} "
        f"asked about {act[states == ASK].float().mean():.4f}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("net", choices=["finder", "reader"])
    parser.add_argument("scenes", type=Path, nargs="+")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--steps", type=int, required=True)
    parser.add_argument("--batch", type=int)
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--start", type=Path)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    torch.set_num_threads(given.threads)
    cv2.setNumThreads(1)
    torch.manual_seed(given.seed)
    rng = np.random.default_rng(given.seed)
    scenes = Scenes(given.scenes)
    numbers = np.arange(len(scenes))
    held = numbers[numbers % HELD_BACK == 0]
    pick = numbers[numbers % HELD_BACK != 0]
    finder = given.net == "finder"
    net: nn.Module = Finder() if finder else Reader()
    net = net.to(memory_format=torch.channels_last)
    if given.start:
        net.load_state_dict(torch.load(given.start))
    batch = given.batch or (16 if finder else 96)
    rule = torch.optim.AdamW(net.parameters(), given.rate, weight_decay=1e-3)
    pace = torch.optim.lr_scheduler.OneCycleLR(rule, given.rate, given.steps, pct_start=0.1)
    mean = 0.0
    for step in range(1, given.steps + 1):
        net.train()
        if finder:
            loss = finder_loss(net, *batch_of_patches(scenes, pick, rng, batch))
        else:
            loss = reader_loss(net, *batch_of_crops(scenes, pick, rng, batch))
        rule.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        rule.step()
        pace.step()
        mean = 0.98 * mean + 0.02 * loss.item() if step > 1 else loss.item()
        if step % 250 == 0 or step == given.steps:
            net.eval()
            if finder:
                with torch.no_grad():
                    loss = finder_loss(net, *batch_of_patches(scenes, held, np.random.default_rng(1), 128))
                report = f"held back {loss.item():.3f}"
            else:
                report = reader_report(net, scenes, held)
            print(f"{step} loss {mean:.3f} {report}", flush=True)
            torch.save(net.state_dict(), given.out)
    example = torch.rand(1, 3, 384, 640) if finder else torch.rand(2, 3, 64, 64)
    export(net, example, given.out.with_suffix(".onnx"), sides_vary=finder)


if __name__ == "__main__":
    main()
