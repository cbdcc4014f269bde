"""Train the network that reads token digits; see README.md beside this file.

python tools/training/train_digits/train.py --fonts DIR... [--out companion/vision/models/digits.onnx]
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np
import torch
from torch import nn

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from faces import draw_glyphs
from render import PatchRenderer

from companion.vision.lid.digit_reader import PATCH_SIDE_PX, extract_ink

ROOT = Path(__file__).resolve().parents[3]
HELD_OUT_FAMILIES = (
    "Cabin",
    "LiberationSans-",
    "LiberationSerif",
    "OpenSans",
    "BebasNeue-Bold",
    "Andika",
    "Humor",
    "BecauseWe",
    "Rufscript",
)
"""Font families for testing only."""

UNFIT_FONTS = ("Math", "Hairline", "Symbol", "Initials", "femkeklaver")
"""Parts of the names of fonts that nobody would print on a token."""


def build_network() -> nn.Sequential:
    def block(a: int, b: int, kernel: int = 3, stride: int = 1) -> list[nn.Module]:
        conv = nn.Conv2d(a, b, kernel, stride, padding=kernel // 2, bias=False)
        return [conv, nn.BatchNorm2d(b), nn.ReLU(inplace=True)]

    return nn.Sequential(
        *block(1, 16, kernel=5, stride=2),
        *block(16, 32, stride=2),
        *block(32, 64, stride=2),
        *block(64, 64),
        nn.Flatten(),
        nn.Dropout(0.2),
        nn.Linear(64 * (PATCH_SIDE_PX // 8) ** 2, 7),
    )


def draw_samples(n: int, renderer: PatchRenderer) -> tuple[torch.Tensor, torch.Tensor]:
    """Draw `n` samples as ink maps and classes."""
    patches, classes = zip(*(renderer.draw_sample() for _ in range(n)), strict=True)
    maps = extract_ink(np.stack(patches))
    return torch.from_numpy(maps[:, None].astype(np.float16)), torch.tensor(classes)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fonts", nargs="+", type=Path, required=True, help="folders with .ttf and .otf files")
    parser.add_argument("--out", type=Path, default=ROOT / "companion/vision/models/digits.onnx")
    parser.add_argument("--samples", type=int, default=240_000)
    parser.add_argument("--epochs", type=int, default=12)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    torch.manual_seed(args.seed)
    torch.set_num_threads(1)

    found = {p.stem: p for d in args.fonts for p in sorted(d.rglob("*.?tf")) if p.suffix in (".ttf", ".otf")}
    fonts = [found[name] for name in sorted(found) if not any(word in name for word in UNFIT_FONTS)]
    held = [p for p in fonts if any(p.name.startswith(h) for h in HELD_OUT_FAMILIES)]
    faces = draw_glyphs([p for p in fonts if p not in held])
    x, y = draw_samples(args.samples, PatchRenderer(np.random.default_rng(args.seed), faces))
    test_x, test_y = draw_samples(
        12_000, PatchRenderer(np.random.default_rng(args.seed + 1), draw_glyphs(held), by_hand=0.0)
    )
    print(len(fonts) - len(held), "fonts to train,", len(held), "held out", flush=True)

    net = build_network()
    optimiser = torch.optim.AdamW(net.parameters(), lr=3e-3, weight_decay=1e-4)
    batch = 192
    steps = args.epochs * (len(x) // batch)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, 4e-3, total_steps=steps)
    loss_of = nn.CrossEntropyLoss(label_smoothing=0.01)
    for epoch in range(args.epochs):
        net.train()
        order = torch.randperm(len(x))
        for i in range(len(x) // batch):
            pick = order[i * batch : (i + 1) * batch]
            maps = x[pick].float()
            if i % 2:  # a digit turned by a quarter is the same digit
                maps = torch.rot90(maps, int(torch.randint(1, 4, (1,))), (2, 3))
            loss = loss_of(net(maps), y[pick])
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            schedule.step()
        net.eval()
        with torch.no_grad():
            odds = torch.cat([net(part.float()).softmax(1) for part in test_x.split(500)])
        sure, guess = odds.max(1)
        right = guess == test_y
        acted = sure >= 0.9
        print(
            f"epoch {epoch}: right {right.float().mean():.4f}; at 0.9 and above {acted.float().mean():.4f}, "
            f"of these right {right[acted].float().mean():.5f}; loss {loss.item():.3f}",
            flush=True,
        )
        args.out.parent.mkdir(parents=True, exist_ok=True)
        save_onnx(net, args.out)


def split_into_quarters(net: nn.Sequential) -> nn.Sequential:
    """Return the same network for maps split by even and odd rows and columns, (n, 4, SIDE / 2, SIDE / 2).

    OpenCV takes less than half of the time for its first layer.
    """
    first = net[0]
    assert isinstance(first, nn.Conv2d)
    quarters = nn.Conv2d(4, first.out_channels, 3, padding=1, bias=False)
    weight = torch.zeros_like(quarters.weight)
    for y in range(5):
        for x in range(5):
            weight[:, y % 2 * 2 + x % 2, y // 2, x // 2] = first.weight[:, 0, y, x].detach()
    quarters.weight = nn.Parameter(weight)
    return nn.Sequential(quarters, *list(net)[1:]).eval()


def save_onnx(net: nn.Sequential, out: Path) -> None:
    sample = torch.zeros(1, 4, PATCH_SIDE_PX // 2, PATCH_SIDE_PX // 2)
    torch.onnx.export(
        split_into_quarters(net), (sample,), str(out), input_names=["ink"], output_names=["scores"],
        dynamic_axes={"ink": {0: "n"}, "scores": {0: "n"}}, opset_version=13, dynamo=False,
    )  # fmt: skip


if __name__ == "__main__":
    main()
