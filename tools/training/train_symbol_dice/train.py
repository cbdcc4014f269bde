"""Train the network that classifies the object at a place and locates it.

    python -m train_symbol_dice.train OUT.onnx SECONDS TRAIN.npz... --held HELD.npz

Needs torch and onnx (train_dice/requirements.txt); the companion loads the finished model with OpenCV.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy, smooth_l1_loss

from train_symbol_dice.samples import CLASSES, OBJECT_SIZE_PX, PATCH_SIDE_PX

INPUT_SIDE_PX = 48
"""Side of the network's input in pixels; an object's nominal size is half of it."""


def make_conv(i: int, o: int, kernel: int = 3, stride: int = 1) -> nn.Sequential:
    """Create a convolution with batch normalisation and ReLU."""
    return nn.Sequential(nn.Conv2d(i, o, kernel, stride, kernel // 2, bias=False), nn.BatchNorm2d(o), nn.ReLU())


class MemoClassifierNet(nn.Module):
    """Network from crops (n, 3, 48, 48) in 0..1 to (n, 14).

    Outputs: logits of `CLASSES`; offset of the object's middle, right and down, in halves of the crop; logarithm of its
    size over half the crop's side; cosine and sine of four times the rotation of its edges.
    """

    def __init__(self) -> None:
        super().__init__()
        self.look = nn.Sequential(
            make_conv(3, 12, 5, 2),
            make_conv(12, 16),
            make_conv(16, 24, 3, 2),
            make_conv(24, 24),
            make_conv(24, 40, 3, 2),
        )
        self.say = nn.Sequential(nn.Linear(40 * 36, 48), nn.ReLU(), nn.Linear(48, len(CLASSES) + 5))

    def forward(self, x: Tensor) -> Tensor:
        return self.say(self.look(x - 0.5).flatten(1))


def augment(pixels: np.ndarray, kind: int, yaw: float, rng: np.random.Generator, strong: bool) -> tuple:
    """Vary a crop as the finder may cut it: shifted by up to a quarter of its size, turned, mirrored, relit."""
    # A thing of which the finder's place is this far off is still to be found; beyond, it is none here.
    dx, dy = rng.uniform(-0.3, 0.3, 2) * OBJECT_SIZE_PX
    scale = np.exp(rng.uniform(-0.32, 0.32)) * (INPUT_SIDE_PX / 2) / OBJECT_SIZE_PX
    if kind and rng.random() < 0.16:  # far too near, too far, or beside: that is no thing in the middle
        kind = 0
        if rng.random() < 0.7:
            scale = np.exp(rng.choice((-1, 1)) * rng.uniform(0.6, 0.95)) * (INPUT_SIDE_PX / 2) / OBJECT_SIZE_PX
        else:
            away, way = rng.uniform(0.62, 0.9) * OBJECT_SIZE_PX, rng.uniform(0, 6.3)
            dx, dy = away * np.cos(way), away * np.sin(way)
    turn = rng.uniform(-180, 180) if rng.random() < 0.5 else rng.choice((0, 90, 180, 270))
    c, s = np.cos(np.radians(turn)) * scale, np.sin(np.radians(turn)) * scale
    mid = PATCH_SIDE_PX / 2
    m = np.array([[c, -s, 0.0], [s, c, 0.0]])
    m[:, 2] = INPUT_SIDE_PX / 2 - m[:, :2] @ np.array([mid + dx, mid + dy])
    crop = cv2.warpAffine(
        pixels, m, (INPUT_SIDE_PX, INPUT_SIDE_PX), flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REPLICATE
    )
    off = m[:, :2] @ np.array([-dx, -dy]) / (INPUT_SIDE_PX / 2)
    angle = yaw + turn
    if rng.random() < 0.5:
        crop, off, angle = crop[:, ::-1], np.array([-off[0], off[1]]), -angle
    size = np.log(scale * OBJECT_SIZE_PX / (INPUT_SIDE_PX / 2))
    if strong:
        if rng.random() < 0.3:  # far away, or a small picture
            small = int(INPUT_SIDE_PX * rng.uniform(0.4, 0.8))
            crop = cv2.resize(
                cv2.resize(np.ascontiguousarray(crop), (small, small), interpolation=cv2.INTER_AREA),
                (INPUT_SIDE_PX, INPUT_SIDE_PX),
            )
        if rng.random() < 0.2:
            _, data = cv2.imencode(
                ".jpg", np.ascontiguousarray(crop), [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(35, 90))]
            )
            crop = cv2.imdecode(data, cv2.IMREAD_COLOR)
    x = crop.astype(np.float32) / 255
    if strong:
        x = x * rng.uniform(0.75, 1.2) * (1 + rng.uniform(-0.07, 0.07, 3))
        x = np.clip(x, 0, 1) ** rng.uniform(0.8, 1.25)
        x = x + rng.normal(0, rng.uniform(0, 0.02), x.shape)
    four = np.radians(4 * angle)
    measures = [off[0], off[1], size, np.cos(four), np.sin(four)]
    return np.clip(x, 0, 1).transpose(2, 0, 1).astype(np.float32), kind, measures


def make_batch(
    data: dict[str, np.ndarray], pick: np.ndarray, rng: np.random.Generator, strong: bool = True
) -> list[Tensor]:
    found = [augment(data["pixels"][i], int(data["labels"][i]), float(data["yaws"][i]), rng, strong) for i in pick]
    pixels, kinds, measures = zip(*found, strict=True)
    return [
        torch.from_numpy(np.stack(pixels)),
        torch.tensor(kinds),
        torch.from_numpy(np.array(measures, np.float32)),
    ]


def compute_loss(out: Tensor, kinds: Tensor, measures: Tensor) -> Tensor:
    count = len(CLASSES)
    there, turned = kinds > 0, (kinds >= 5) & (kinds <= 7)
    total = cross_entropy(out[:, :count], kinds, label_smoothing=0.002)
    if there.any():
        total = total + 2.0 * smooth_l1_loss(out[there, count : count + 3], measures[there, :3], beta=0.05)
    if turned.any():
        total = total + 0.3 * smooth_l1_loss(out[turned, count + 3 :], measures[turned, 3:], beta=0.2)
    return total


def load_patches(paths: list[str]) -> dict[str, np.ndarray]:
    files = [np.load(p) for p in paths]
    return {key: np.concatenate([f[key] for f in files]) for key in ("pixels", "labels", "yaws")}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("out", type=Path)
    parser.add_argument("seconds", type=float)
    parser.add_argument("train", nargs="+")
    parser.add_argument("--held", required=True)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--start", type=Path)
    parser.add_argument("--rate", type=float, default=3e-3)
    args = parser.parse_args()
    torch.manual_seed(args.seed)
    cv2.setNumThreads(1)
    rng = np.random.default_rng(args.seed)
    data, held = load_patches(args.train), load_patches([args.held])
    # Half of the patches show nothing; the colours of dice are what matters.
    weights = np.where(data["labels"] == 0, 0.35, 1.0) * np.where(data["labels"] >= 5, 1.6, 1.0)
    weights = weights / weights.sum()
    net = MemoClassifierNet()
    if args.start:
        net.load_state_dict(torch.load(args.start))
    print(sum(p.numel() for p in net.parameters()), "parameters;", len(data["labels"]), "patches", flush=True)
    best = torch.optim.AdamW(net.parameters(), args.rate, weight_decay=1e-3)
    begun, step, recent = time.monotonic(), 0, 0.0
    while (passed := time.monotonic() - begun) < args.seconds:
        for group in best.param_groups:
            group["lr"] = args.rate * min(1.0, (step + 1) / 100) * (0.5 + 0.5 * np.cos(np.pi * passed / args.seconds))
        net.train()
        pixels, kinds, measures = make_batch(data, rng.choice(len(weights), 128, p=weights), rng)
        loss = compute_loss(net(pixels), kinds, measures)
        best.zero_grad()
        loss.backward()
        best.step()
        step, recent = step + 1, 0.98 * recent + 0.02 * loss.item()
        if step % 250 == 0:
            print(step, round(passed), round(recent, 4), format_report(net, held), flush=True)
            torch.save(net.state_dict(), args.out.with_suffix(".pt"))
    print("end", step, format_report(net, held), flush=True)
    torch.save(net.state_dict(), args.out.with_suffix(".pt"))
    net.eval()
    torch.onnx.export(
        net, (torch.zeros(1, 3, INPUT_SIDE_PX, INPUT_SIDE_PX),), str(args.out), opset_version=13, dynamo=False,
        input_names=["pixels"], output_names=["told"], dynamic_axes={"pixels": {0: "n"}, "told": {0: "n"}},
    )  # fmt: skip


def format_report(net: nn.Module, held: dict[str, np.ndarray]) -> str:
    net.eval()
    rng = np.random.default_rng(1)
    pixels, kinds, measures = make_batch(held, np.arange(0, len(held["labels"]), 3), rng, strong=False)
    with torch.no_grad():
        out = net(pixels)
    count = len(CLASSES)
    said = out[:, :count].argmax(1)
    sure = out[:, :count].softmax(1).amax(1) >= 0.9
    die = (kinds >= 5) & (kinds <= 7)
    there = kinds > 0
    off = (out[there, count : count + 2] - measures[there, :2]).norm(dim=1).mean().item() / 2
    return (
        f"right {(said == kinds).float().mean():.4f} sure {sure.float().mean():.3f} wrong at it "
        f"{((said != kinds) & sure).sum()}/{len(kinds)}; dice {(said == kinds)[die].float().mean():.4f} off {off:.3f}"
    )


if __name__ == "__main__":
    main()
