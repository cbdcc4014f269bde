"""Muon: gradient descent whose update of a convolution is made orthogonal, as a matrix of one row per output.

torch.optim.Muon takes matrices only, and reads a rate that is a tensor back to the host, so that a step could not be
captured as a CUDA graph.
"""

from __future__ import annotations

from collections.abc import Iterable

import torch
from torch import Tensor, nn

_COEFFICIENTS = (3.4445, -4.7750, 2.0315)
"""Of the polynomial whose iteration brings singular values near one in few steps (Jordan)."""

_ITERATIONS = 5
"""Of that polynomial (Jordan)."""

_MIN_NORM = 1e-7
"""Keeps a matrix of zeros from being divided by zero."""


def orthogonalize(matrix: Tensor) -> Tensor:
    """Return about the semi-orthogonal matrix nearest to `matrix`; both (m, n) float.

    Singular values above about 1/640 of the matrix's norm become 0.68 to 1.2; smaller ones stay smaller.
    """
    a, b, c = _COEFFICIENTS
    tall = matrix.shape[0] > matrix.shape[1]
    out = matrix.mT if tall else matrix
    out = out / (out.norm() + _MIN_NORM)
    for _ in range(_ITERATIONS):
        gram = out @ out.mT
        out = a * out + (b * gram + c * gram @ gram) @ out
    return out.mT if tall else out


class Muon(torch.optim.Optimizer):
    """Momentum (Nesterov's), then an orthogonal update of each weight as a matrix (outputs, inputs * height * width).

    So weights move as far where the gradient is small as where it is large. K. Jordan et al., "Muon: An optimizer for
    hidden layers in neural networks" (2024), https://kellerjordan.github.io/posts/muon/.

    Args:
        weights: of convolutions, (outputs, inputs, height, width) each.
        rate: size of the singular values of an update, times the root of outputs over matrix columns where there are
            more outputs; a tensor on a GPU.
        momentum: share of the mean gradient that stays at each step.
        weight_decay: share of the weights that a step of rate 1 would take away.
    """

    def __init__(
        self,
        weights: Iterable[nn.Parameter],
        rate: float | Tensor,
        *,
        momentum: float = 0.95,
        weight_decay: float = 0.01,
    ) -> None:
        super().__init__(weights, {"lr": rate, "momentum": momentum, "weight_decay": weight_decay})

    @torch.no_grad()
    def step(self) -> None:
        """Update all weights from their gradients."""
        for group in self.param_groups:
            rate, momentum, weight_decay = (group[name] for name in ("lr", "momentum", "weight_decay"))
            for weight in group["params"]:
                state = self.state[weight]
                if not state:
                    state["mean"] = torch.zeros_like(weight)
                mean = state["mean"].lerp_(weight.grad, 1 - momentum)
                update = orthogonalize(weight.grad.lerp(mean, momentum).flatten(1))
                aspect = max(1.0, update.shape[0] / update.shape[1]) ** 0.5
                weight.mul_(1 - rate * weight_decay).sub_(update.view_as(weight) * (rate * aspect))
