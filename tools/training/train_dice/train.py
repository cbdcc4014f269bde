"""Train one of the two networks on rendered scenes.

    PYTHONPATH=.:tools:tools/training python -m train_dice.train finder|reader SCENES... --out FILE.pt --steps N
        [--rate 3e-3] [--seed 0] [--start FILE] [--batch N] [--device cuda] [--threads 1] [--jobs 1]

SCENES is a folder, or FOLDER:6 to draw each of its scenes six times as often. A reader that starts from an ONNX file is
trained on gently, by AdamW alone.
Every 20th scene is held back. Writes the running mean of the weights from time to time, their hash after 500 steps to
FILE.500, and FILE.onnx at the end. The
same seed and number of `--threads` give the same file, bit for bit, on the same machine, with any number of `--jobs`
that make the batches.
"""

from __future__ import annotations

import argparse
import hashlib
import os
from collections.abc import Callable, Sequence
from copy import deepcopy
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy, logsigmoid
from torch.optim.swa_utils import get_ema_multi_avg_fn

from companion.vision.dice.crops import DETECTOR_STRIDES_PX
from train_dice.batches import Batches, prepare_batch
from train_dice.muon import Muon
from train_dice.nets import FinderNet, ReaderNet, export_onnx, load_reader
from train_dice.samples import FLAT, HIDDEN, LEANING, NONE, SceneShards

HELD_BACK_EVERY = 20

FINDER_BATCH, READER_BATCH = 32, 256
"""Patches and crops of a step."""

KEPT_SHARE = 0.998
"""Share of the mean of the weights that stays at each step; the mean is what is exported.

B. Polyak and A. Juditsky, "Acceleration of stochastic approximation by averaging" (1992)."""

_KEPT_SHARE_TRAINED_ON = 0.98
"""As `KEPT_SHARE`, of a network that is trained on for some hundred steps: the first weights count for little."""

_HAS_FAST_BFLOAT16 = "AVX512" in torch.backends.cpu.get_cpu_capability()
"""Without AVX-512 a step in bfloat16 takes eight times as long as one in float32."""

_MUON_RATE_RATIO = 10
"""Learning rate of Muon, which moves the hidden convolutions, over that of AdamW, which moves the rest.

It gives 0.03 beside AdamW's 0.003: between 0.02 and 0.05, which trained the reader equally well (README.md)."""

_COLOURS = 3
"""Channels of a picture: a convolution of these is the first of its network."""

_MAP_MEASURES = 4
"""Channels of the finder's maps: a convolution that makes these is a last one."""


def split_weights(net: nn.Module) -> tuple[list[nn.Parameter], list[nn.Parameter]]:
    """Split a network's weights into those for Muon and those for AdamW.

    Returns:
        Weights of hidden convolutions; and all others: of first and last convolutions, linear layers, normalisations,
        and biases.
    """
    hidden = [
        part.weight
        for part in net.modules()
        if isinstance(part, nn.Conv2d) and part.in_channels > _COLOURS and part.out_channels > _MAP_MEASURES
    ]
    chosen = set(hidden)
    return hidden, [weight for weight in net.parameters() if weight not in chosen]


def run_net(net: nn.Module, pixels: Tensor) -> list[Tensor]:
    """Run the network, channels last, and in bfloat16 on a CPU that has instructions for it: that is fastest there."""
    with torch.autocast("cpu", torch.bfloat16, enabled=pixels.device.type == "cpu" and _HAS_FAST_BFLOAT16):
        out = net(pixels.contiguous(memory_format=torch.channels_last))
    return [one.float() for one in (out if isinstance(out, tuple) else (out,))]


def compute_finder_loss(net: nn.Module, pixels: Tensor, maps: Sequence[Tensor]) -> Tensor:
    """Compute the focal loss of "Objects as Points" on the heat, and L1 on edges and offsets, over all maps."""
    heat_loss = edge_loss = hit_count = near_count = torch.zeros((), device=pixels.device)
    for out, targets in zip(run_net(net, pixels), maps, strict=True):
        heat, target, weight, near = out[:, 0], targets[:, 0], targets[:, 4], targets[:, 5:6]
        p = torch.sigmoid(heat)
        hits = (target == 1).float()
        gain = hits * (1 - p) ** 2 * logsigmoid(heat) + (1 - hits) * (1 - target) ** 4 * p**2 * logsigmoid(-heat)
        heat_loss = heat_loss - (gain * weight).sum()
        edge_loss = edge_loss + (torch.abs(out[:, 1:4] - targets[:, 1:4]) * near).sum()
        hit_count, near_count = hit_count + hits.sum(), near_count + near.sum()
    return heat_loss / hit_count.clamp(min=1) + edge_loss / near_count.clamp(min=1)


def compute_reader_loss(net: nn.Module, crops: Tensor, targets: Sequence[Tensor]) -> Tensor:
    """Compute the cross entropy of states and of readable values, and L1 on the measures of all faces."""
    states, values, measures = targets
    out = run_net(net, crops)[0]
    # Weights in place of choosing rows: a GPU need not wait to learn how many there are.
    face, legible = (states != NONE).float(), ((states == FLAT) | (states == LEANING)).float()
    off = (torch.abs(out[:, 10:] - measures) * face[:, None]).sum(0) / face.sum().clamp(min=1)
    named = cross_entropy(out[:, 4:10], values.clamp(min=0), reduction="none") * legible
    named = named.sum() / legible.sum().clamp(min=1)
    return cross_entropy(out[:, :4], states) + named + 2.0 * off[:3].mean() + 0.5 * off[3:].mean()


def format_reader_report(net: nn.Module, crops: Tensor, targets: Sequence[Tensor]) -> str:
    """Format the errors on held-back scenes."""
    states, values, measures = targets
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


def split_scenes(count: int) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return the numbers of the held-back scenes and of the training scenes."""
    numbers = np.arange(count)
    return numbers[numbers % HELD_BACK_EVERY == 0], numbers[numbers % HELD_BACK_EVERY != 0]


class Trainer:
    """Trains a network step by step, and updates the running mean of its weights.

    On a GPU the first steps run one kernel after another; then a step is captured as a graph and replayed, because
    starting its many kernels one by one takes several times as long as their work. The graph holds the optimizers'
    constants, so only the learning rate is scheduled, not the momentum.

    Args:
        net: a network; one without normalisations is moved by AdamW alone.
        rate: highest learning rate of AdamW.
        steps: number of steps.
        compute_loss: the loss of the network, of its input and targets.

    Attributes:
        mean_net: the network whose weights are the running mean.
    """

    _EAGER_STEPS = 3
    """Steps before the graph is captured: PyTorch wants that many for its own buffers to be there."""

    def __init__(self, net: nn.Module, rate: float, steps: int, compute_loss: Callable[..., Tensor]) -> None:
        self._net, self._compute_loss = net.train(), compute_loss
        self.mean_net = deepcopy(net).eval()
        self._means, self._weights = (
            [part for part in one.state_dict().values() if part.is_floating_point()] for one in (self.mean_net, net)
        )
        normalised = any(isinstance(part, nn.BatchNorm2d) for part in net.modules())
        self._update_mean = get_ema_multi_avg_fn(KEPT_SHARE if normalised else _KEPT_SHARE_TRAINED_ON)
        device = next(net.parameters()).device
        self._on_gpu = device.type != "cpu"
        hidden, others = split_weights(net) if normalised else ([], list(net.parameters()))
        rates = rate, rate * _MUON_RATE_RATIO
        start, muon_start = (torch.tensor(one, device=device) if self._on_gpu else one for one in rates)
        self._optimizers: list[torch.optim.Optimizer] = [
            torch.optim.AdamW(others, start, weight_decay=1e-3, capturable=self._on_gpu),
            *([Muon(hidden, muon_start)] if hidden else []),
        ]
        self._schedulers = [
            torch.optim.lr_scheduler.OneCycleLR(optimizer, highest, steps, pct_start=0.1, cycle_momentum=False)
            for optimizer, highest in zip(self._optimizers, rates, strict=False)
        ]
        self._count = 0
        self._graph: torch.cuda.CUDAGraph | None = None
        self._static_inputs: list[Tensor] = []
        self._loss = torch.zeros((), device=device)

    def run(self, pixels: Tensor, targets: Sequence[Tensor]) -> Tensor:
        """Learn from one batch; return its loss."""
        self._count += 1
        if not self._on_gpu:
            self._run_step(pixels, targets)
        elif self._count <= self._EAGER_STEPS:
            side_stream = torch.cuda.Stream()
            side_stream.wait_stream(torch.cuda.current_stream())
            with torch.cuda.stream(side_stream):
                self._run_step(pixels, targets)
            torch.cuda.current_stream().wait_stream(side_stream)
        else:
            self._replay_graph(pixels, targets)
        for scheduler in self._schedulers:
            scheduler.step()
        return self._loss

    def _replay_graph(self, pixels: Tensor, targets: Sequence[Tensor]) -> None:
        if self._graph is None:
            self._static_inputs = [one.clone() for one in (pixels, *targets)]
            self._net.zero_grad()
            self._graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(self._graph, capture_error_mode="thread_local"):
                self._run_step(self._static_inputs[0], self._static_inputs[1:])
        for static, new in zip(self._static_inputs, (pixels, *targets), strict=True):
            static.copy_(new)
        self._graph.replay()

    def _run_step(self, pixels: Tensor, targets: Sequence[Tensor]) -> None:
        self._net.zero_grad()
        loss = self._compute_loss(self._net, pixels, targets)
        loss.backward()
        nn.utils.clip_grad_norm_(self._net.parameters(), 5.0)
        for optimizer in self._optimizers:
            optimizer.step()
        self._update_mean(self._means, self._weights, None)
        self._loss.copy_(loss.detach())


def hash_weights(net: nn.Module) -> str:
    """Return the SHA-256 of a network's weights, as hexadecimal digits."""
    return hashlib.sha256(b"".join(one.cpu().numpy().tobytes() for one in net.state_dict().values())).hexdigest()


def make_repeatable(seed: int, threads: int) -> None:
    """Make the same seed and number of threads give the same weights on the same machine."""
    os.environ["CUBLAS_WORKSPACE_CONFIG"] = ":4096:8"  # else CUDA's matrix products may differ
    torch.use_deterministic_algorithms(True)
    torch.utils.deterministic.fill_uninitialized_memory = False
    torch.backends.cudnn.benchmark = False
    torch.set_num_threads(threads)
    torch.manual_seed(seed)


def main() -> None:
    """Train the network that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("net", choices=["finder", "reader"])
    parser.add_argument("scenes", nargs="+")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--steps", type=int, required=True)
    parser.add_argument("--rate", type=float, default=3e-3, help="highest of AdamW; that of Muon is ten times as high")
    parser.add_argument("--start", type=Path, help="weights (.pt), or a reader (.onnx), to go on from")
    parser.add_argument("--batch", type=int, help="patches or crops of a step")
    parser.add_argument("--stop", type=int, help="stop after 500 or 1000 ... steps, to compare the weights' hash")
    parser.add_argument("--device", default="cpu", help="cpu or cuda")
    parser.add_argument("--threads", type=int, default=1, help="that compute on a CPU; the weights depend on it")
    parser.add_argument("--jobs", type=int, default=1, help="processes that make batches")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    make_repeatable(given.seed, given.threads)
    named = [word.partition(":") for word in given.scenes]
    scenes = SceneShards({Path(folder): float(weight or 1) for folder, _, weight in named})
    held, pick = split_scenes(len(scenes))
    finder, device = given.net == "finder", torch.device(given.device)
    trains_on = given.start is not None and given.start.suffix == ".onnx"
    net: nn.Module = load_reader(given.start) if trains_on else FinderNet() if finder else ReaderNet()
    net = net.to(device, memory_format=torch.channels_last)
    if given.start and not trains_on:
        net.load_state_dict(torch.load(given.start, map_location=device))
    size = given.batch or (FINDER_BATCH if finder else READER_BATCH)
    held_batch = Batches(scenes, held, finder=finder, size=96 if finder else 2000, count=1, seed=1)[0]
    checked = prepare_batch(held_batch, device, altered=False)
    batches = Batches(scenes, pick, finder=finder, size=size, count=given.steps, seed=given.seed)
    trainer = Trainer(net, given.rate, given.steps, compute_finder_loss if finder else compute_reader_loss)
    mean_loss = torch.zeros((), device=device)
    for step, (inputs, targets) in enumerate(batches.iterate(device, given.jobs), 1):
        mean_loss = mean_loss.lerp(trainer.run(inputs, targets), 0.02 if step > 1 else 1.0)
        if step % 500 == 0 or step == given.steps:
            if finder:
                with torch.no_grad():
                    report = f"held back {compute_finder_loss(trainer.mean_net, *checked).item():.3f}"
            else:
                report = format_reader_report(trainer.mean_net, *checked)
            digest = hash_weights(trainer.mean_net)
            print(f"{step}: loss {mean_loss.item():.3f} {report}, weights {digest}", flush=True)
            torch.save(trainer.mean_net.state_dict(), given.out)
            if step == 500:
                given.out.with_suffix(".500").write_text(digest, encoding="utf-8")
            if step == given.stop:
                return
    example = torch.rand(1, 3, 384, 640) if finder else torch.rand(2, 3, 64, 64)
    names = [f"stride{stride}" for stride in DETECTOR_STRIDES_PX] if finder else ["said"]
    part = given.out.with_suffix(".part")  # the network's file says that the training is finished
    export_onnx(trainer.mean_net.cpu(), example, part, names, sides_vary=finder)
    part.replace(given.out.with_suffix(".onnx"))


if __name__ == "__main__":
    main()
