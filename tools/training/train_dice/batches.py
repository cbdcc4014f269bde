"""Batches of patches or crops with their labels, made ahead by other processes, for a CPU or a GPU."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor
from torch.linalg import vector_norm
from torch.nn.functional import conv2d, interpolate, pad
from torch.utils.data import DataLoader, Dataset

from companion.vision.dice.crops import (
    CROP_SIDE_PX,
    DETECTOR_STRIDES_PX,
    MIN_DEVIATION_LEVELS,
    STRIDE_EDGE_LIMITS_PX,
    get_reference_edge,
)
from train_dice.labels import IGNORED
from train_dice.photo_variations import vary_photograph
from train_dice.samples import PATCH_SIDE_PX, ScenePixels, SceneShards, draw_crop, draw_patch, draw_turn

Labels = tuple[npt.NDArray[np.float32] | npt.NDArray[np.int64], ...]

PreparedBatch = tuple[Tensor, Sequence[Tensor]]
"""The net's input, and its targets."""

_PATCHES_PER_SCENE = 2
"""Patches cut from one scene once it is read. More: faster, and the patches of a batch vary less."""

_CROPS_PER_SCENE = 8
"""Crops drawn in one scene once it is read; some are left out (`samples.draw_crop`). More: as `_PATCHES_PER_SCENE`."""

_MAX_STEPS = 1_000_000
"""More than the steps of any training: each step has random numbers of its own."""

_IGNORED_SCALE_RANGE = 1.2
"""Factor beyond a map's range of sizes within which its output is not judged."""


class Batch(NamedTuple):
    """Patches or crops, and their labels.

    Attributes:
        pixels: (n, side, side, 3) uint8.
        labels: of patches: dice (n, most in a patch, 4) float32: x, y, edge in pixels, and state; `IGNORED` at edge 0
            fills up. Of crops: states (n,), values (n,) int64, and measures (n, 5) float32.
        seed: random numbers for the colours come from it.
    """

    pixels: Tensor
    labels: Labels  # small: as arrays they reach another process faster than as tensors
    seed: int


class Batches(Dataset[Batch]):
    """The batches of a training. Each has its own random numbers, so it does not matter which process makes it.

    Args:
        scenes: the scenes.
        pick: numbers of those to draw from.
        finder: whether patches are made, not crops.
        size: pictures in a batch, an even number.
        count: batches.
        seed: all random numbers come from it.
    """

    def __init__(
        self, scenes: SceneShards, pick: npt.NDArray[np.int64], *, finder: bool, size: int, count: int, seed: int
    ) -> None:
        self._scenes, self._pick, self._draw = scenes, pick, self._draw_patches if finder else self._draw_crops
        self._size, self._count, self._seed = size, count, seed
        weights = scenes.weights[pick]
        self._weights = weights / weights.sum()

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, step: int) -> Batch:
        cv2.setNumThreads(1)
        pixels, labels = self._draw(np.random.default_rng([self._seed, step]))
        return Batch(torch.from_numpy(np.stack(pixels)), labels, self._seed * _MAX_STEPS + step)

    def iterate(self, device: torch.device, jobs: int) -> Iterator[PreparedBatch]:
        """Yield what a net on `device` learns from, batch by batch; `jobs` processes make them ahead."""
        make = partial(prepare_batch, device=device)
        if device.type == "cpu":
            yield from DataLoader(self, None, num_workers=jobs, collate_fn=make, worker_init_fn=_lower_priority)
        else:
            for batch in DataLoader(self, None, num_workers=jobs, collate_fn=_return_unchanged, prefetch_factor=4):
                yield make(batch)

    def _draw_patches(self, rng: np.random.Generator) -> tuple[list[npt.NDArray[np.uint8]], Labels]:
        pixels, lists = [], []
        for number in rng.choice(self._pick, self._size // _PATCHES_PER_SCENE, p=self._weights):
            image = ScenePixels(self._scenes.read_image(number))
            for _ in range(_PATCHES_PER_SCENE):
                region, dice = draw_patch(draw_turn(self._scenes[number], rng), rng)
                pixels.append(image.cut_patch(region))
                lists.append(dice)
        filled = np.zeros((len(lists), max(1, *map(len, lists)), 4), np.float32)
        filled[:, :, 3] = IGNORED
        for row, dice in zip(filled, lists, strict=True):
            row[: len(dice)] = np.array(dice, np.float32).reshape(-1, 4)
        return pixels, (filled,)

    def _draw_crops(self, rng: np.random.Generator) -> tuple[list[npt.NDArray[np.uint8]], Labels]:
        pixels, labels = [], []
        for number in rng.choice(self._pick, self._size, p=self._weights):
            scene, picture = self._scenes[number], self._scenes.read_image(number)
            if scene.is_photograph:
                picture, scene = vary_photograph(picture, scene, rng)
            turned, image = draw_turn(scene, rng), ScenePixels(picture)
            drawn = [draw_crop(turned, rng) for _ in range(_CROPS_PER_SCENE)]
            for region, label in [one for one in drawn if one is not None][: self._size - len(pixels)]:
                pixels.append(image.cut_crop(region))
                labels.append(label)
            if len(pixels) == self._size:
                break
        states, values, measures = zip(*labels, strict=True)
        return pixels, (np.array(states), np.array(values), np.array(measures, np.float32))


def _lower_priority(_worker: int) -> None:
    """Let the training go first where it shares the cores: a step waits for the slowest of its threads."""
    os.nice(10)


def _return_unchanged(batch: Batch) -> Batch:
    """Keep DataLoader from turning the labels into tensors."""
    return batch


def prepare_batch(batch: Batch, device: torch.device, *, altered: bool = True) -> PreparedBatch:
    """Return the net's input and its targets.

    Args:
        batch: patches or crops.
        device: where both are put.
        altered: whether the crops' colours are changed; patches are never changed.

    Returns:
        Patches (n, 3, side, side), -0.5 to 0.5, and a target map for each stride (`make_targets`). Or crops,
        normalised as `crops.crop_face` does, with states, values and measures.
    """
    pixels, *labels = (
        # From pinned memory a copy goes on while the GPU still works on the batch before.
        part if device.type == "cpu" else part.pin_memory().to(device, non_blocking=True)
        for part in (batch.pixels, *map(torch.from_numpy, batch.labels))
    )
    if pixels.shape[1] == PATCH_SIDE_PX:
        maps = [make_targets(labels[0], level) for level in range(len(DETECTOR_STRIDES_PX))]
        return pixels.permute(0, 3, 1, 2).float().div_(255).sub_(0.5), maps
    # Planes one after another: `alter_colours` works on whole planes.
    crops = pixels.permute(0, 3, 1, 2).contiguous().float()
    mean, deviation = _measure(crops)
    crops.sub_(mean).div_(deviation + MIN_DEVIATION_LEVELS)
    crops = alter_colours(crops, batch.seed) if altered else crops
    return crops.contiguous(memory_format=torch.channels_last), labels  # as the net wants them


def _measure(pixels: Tensor) -> tuple[Tensor, Tensor]:
    """Return mean and standard deviation of each picture, (n, 1, 1, 1)."""
    return _combine_planes(*_measure_planes(pixels))


def _measure_planes(pixels: Tensor) -> tuple[Tensor, Tensor]:
    """Return mean and mean square of each plane of pictures (n, 3, h, w): (n, 3, 1, 1)."""
    # torch.std_mean takes ten times as long on a CPU, hence vector_norm.
    mean_squares = vector_norm(pixels, dim=(2, 3), keepdim=True).square() / pixels[0, 0].numel()
    return pixels.mean((2, 3), keepdim=True), mean_squares


def _combine_planes(means: Tensor, mean_squares: Tensor) -> tuple[Tensor, Tensor]:
    """Return mean and standard deviation of each picture, (n, 1, 1, 1), given those of its planes."""
    mean = means.mean(1, keepdim=True)
    return mean, (mean_squares.mean(1, keepdim=True) - mean.square()).clamp(min=0).sqrt()


def alter_colours(crops: Tensor, seed: int) -> Tensor:
    """Change the colours of crops, and the resolution of some, at the same mean and contrast.

    Half are tinted; 60 % of these have their planes in another order. 12 % of all are made coarser.

    Args:
        crops: (n, 3, 64, 64), normalised.
        seed: all random numbers come from it.

    Returns:
        The changed crops, likewise.
    """
    count, device = len(crops), crops.device
    random = torch.Generator(device).manual_seed(seed)

    def draw(*shape: int) -> Tensor:
        return torch.rand(*shape, 1, 1, generator=random, device=device)

    def draw_normal() -> Tensor:
        return torch.randn(count, 3, 1, 1, generator=random, device=device)

    tinted = draw(count, 1) < 0.5
    shuffled = tinted & (draw(count, 1) < 0.6)
    order = torch.where(shuffled, draw(count, 3).argsort(1), torch.arange(3, device=device)[:, None, None])
    scale = torch.where(tinted, torch.exp(0.15 * draw_normal()), 1.0)
    shift = torch.where(tinted, 0.15 * draw_normal(), 0.0)
    means, mean_squares = _measure_planes(crops)
    mean, deviation = _combine_planes(means, mean_squares)
    # The new planes are scale * plane + shift, so no second pass over the pixels is needed to measure them.
    means, mean_squares = torch.gather(means, 1, order), torch.gather(mean_squares, 1, order)
    new_mean_squares = scale.square() * mean_squares + 2 * scale * shift * means + shift.square()
    new_mean, new_deviation = _combine_planes(scale * means + shift, new_mean_squares)
    gain = deviation / (new_deviation + 1e-3)
    planes = order + 3 * torch.arange(count, device=device)[:, None, None, None]
    out = crops.flatten(0, 1)[planes.flatten()].view_as(crops)
    out.mul_(scale * gain).add_((shift - new_mean) * gain + mean)
    coarse = torch.randperm(count, generator=random, device=device)[: round(0.12 * count)]
    if len(coarse):
        coarsened = _coarsen(out[coarse], np.random.default_rng(seed))
        new_mean, new_deviation = _measure(coarsened)
        out[coarse] = (coarsened - new_mean) / (new_deviation + 1e-3) * deviation[coarse] + mean[coarse]
    return out


def _coarsen(crops: Tensor, rng: np.random.Generator) -> Tensor:
    """Make crops small, sharpen them as a camera's program does, and make them large again."""
    small = interpolate(crops, size=int(rng.integers(24, 48)), mode="bilinear", antialias=True)
    places = torch.arange(-2.0, 3.0, device=crops.device)
    row = torch.exp(-(places**2) / (2 * rng.uniform(0.6, 1.2) ** 2))
    kernel = torch.outer(row, row) / row.sum() ** 2
    channels = small.shape[1]
    soft = conv2d(pad(small, (2, 2, 2, 2), mode="reflect"), kernel.expand(channels, 1, 5, 5), groups=channels)
    return interpolate(small + rng.uniform(0, 1.2) * (small - soft), size=CROP_SIDE_PX, mode="bilinear", antialias=True)


def make_targets(dice: Tensor, level: int) -> Tensor:
    """Make the targets (n, 6, cells, cells) of one map for dice (n, d, 4): x, y, edge in patch pixels, and state.

    Targets: heat, log edge, dx, dy, weight of the heat, weight of the others.
    """
    stride, least, most = DETECTOR_STRIDES_PX[level], STRIDE_EDGE_LIMITS_PX[level], STRIDE_EDGE_LIMITS_PX[level + 1]
    cells = PATCH_SIDE_PX // stride
    at = torch.arange(cells, device=dice.device, dtype=torch.float32)
    right, down = at[None, None, None, :], at[None, None, :, None]
    x, y, edge, state = (column[..., None, None] for column in dice.unbind(2))
    cx, cy = x / stride - 0.5, y / stride - 0.5
    square = (right - cx) ** 2 + (down - cy) ** 2
    own = (least <= edge) & (edge < most) & (state != IGNORED)
    close = (least / _IGNORED_SCALE_RANGE <= edge) & (edge < most * _IGNORED_SCALE_RANGE)
    blurred = ~own & close & (square < (edge / stride * 0.6).clamp(min=1.0) ** 2)
    sigma = (edge / stride / 6).clamp(min=0.7)
    i, j = cx.round(), cy.round()
    counted = own & (i >= 0) & (i < cells) & (j >= 0) & (j < cells)
    heat = torch.where(own, torch.exp(-square / (2 * sigma**2)), 0.0)
    heat = torch.where(counted & (right == i) & (down == j), 1.0, heat).amax(1)
    near = counted & ((right - i).abs() <= 1) & ((down - j).abs() <= 1)
    nearest = torch.where(near, square, torch.inf).argmin(1, keepdim=True)
    log_edge = torch.log(edge.clamp(min=1e-3) / get_reference_edge(stride))
    measures = [torch.gather(one.expand_as(square), 1, nearest)[:, 0] for one in (log_edge, cx - right, cy - down)]
    weight = near.any(1).float()
    return torch.stack([heat, *(one * weight for one in measures), (~blurred.any(1)).float(), weight], 1)
