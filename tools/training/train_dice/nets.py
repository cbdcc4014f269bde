"""The two networks: the finder locates top faces, the reader reads them."""

from __future__ import annotations

from pathlib import Path

import onnx
import torch
from onnx import numpy_helper
from torch import Tensor, nn


def make_conv(i: int, o: int, kernel: int = 3, stride: int = 1, *, normalised: bool = True) -> nn.Sequential:
    """Create a convolution with ReLU, and batch normalisation between them unless that is part of the weights."""
    conv = nn.Conv2d(i, o, kernel, stride, kernel // 2, bias=not normalised)
    return nn.Sequential(conv, nn.BatchNorm2d(o), nn.ReLU()) if normalised else nn.Sequential(conv, nn.ReLU())


class FinderNet(nn.Module):
    """Network from pixels (n, 3, h, w) in -0.5..0.5 to a map (n, 4, h/s, w/s) for each stride s.

    h and w are multiples of 32. Maps: logit that a top face is centred in the cell; log of its edge over 4 s; the
    offset of its centre from the cell's, x and y, in cells. Heat after X. Zhou, D. Wang, P. Krähenbühl, "Objects as
    Points" (2019); one map for each range of sizes after T.-Y. Lin et al., "Feature Pyramid Networks for Object
    Detection" (2017).
    """

    def __init__(self) -> None:
        super().__init__()
        # cv2.dnn works through channels by eights: others cost as much as the next eight.
        a, b, c, d = 16, 32, 56, 64
        self.stem = nn.Sequential(make_conv(3, 8, 3, 2), make_conv(8, a, 3, 2), make_conv(a, a))
        self.down8 = nn.Sequential(make_conv(a, b, 3, 2), make_conv(b, b), make_conv(b, b))
        self.down16 = nn.Sequential(make_conv(b, c, 3, 2), make_conv(c, c), make_conv(c, c))
        self.down32 = nn.Sequential(make_conv(c, d, 3, 2), make_conv(d, d))
        self.up16, self.up8, self.up4 = (self._up(n, m) for n, m in ((d, c), (c, b), (b, a)))
        self.out4, self.out8, self.out16, self.out32 = (self._head(n, m) for n, m in ((a, a), (b, a), (c, a), (d, a)))

    @staticmethod
    def _up(i: int, o: int) -> nn.Sequential:
        """Create the step to the next larger map: 1x1 and doubling.

        In cv2.dnn a transposed convolution takes five times as long.
        """
        return nn.Sequential(nn.Conv2d(i, o, 1), nn.Upsample(scale_factor=2))

    @staticmethod
    def _head(i: int, o: int) -> nn.Sequential:
        last = nn.Conv2d(o, 4, 1)
        nn.init.constant_(last.bias, 0.0)
        with torch.no_grad():
            last.bias[0] = -4.5
        return nn.Sequential(make_conv(i, o), last)

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        x4 = self.stem(x)
        x8 = self.down8(x4)
        x16 = self.down16(x8)
        x32 = self.down32(x16)
        x16 = torch.relu(x16 + self.up16(x32))
        x8 = torch.relu(x8 + self.up8(x16))
        x4 = torch.relu(x4 + self.up4(x8))
        return self.out4(x4), self.out8(x8), self.out16(x16), self.out32(x32)


class ReaderNet(nn.Module):
    """Network from crops (n, 3, 64, 64) to (n, 15): logits of four states and of the values 1 to 6, then five measures.

    States: no top face; flat; leaning; partly hidden or moving. Measures: offset of the face's centre, right and down,
    in edges of the crop's face; log of its edge over the crop's; direction of its normal (labels.DieTruth.lean_x,
    lean_y).

    Args:
        normalised: with batch normalisation; without, as ONNX files have it (`load_reader`).
    """

    def __init__(self, *, normalised: bool = True) -> None:
        super().__init__()
        layers = ((3, 16, 5, 2), (16, 24), (24, 40, 3, 2), (40, 40), (40, 40), (40, 64, 3, 2), (64, 64), (64, 64))
        self.look = nn.Sequential(*(make_conv(*layer, normalised=normalised) for layer in layers))
        self.say = nn.Sequential(nn.Linear(64 * 16, 80), nn.ReLU(), nn.Dropout(0.1), nn.Linear(80, 15))

    def forward(self, x: Tensor) -> Tensor:
        x = nn.functional.avg_pool2d(self.look(x), 2)
        return self.say(x.flatten(1))


def export_onnx(net: nn.Module, example: Tensor, path: Path, names: list[str], sides_vary: bool) -> None:
    """Write a network as ONNX that cv2.dnn 4.10 to 5 can load."""
    net.eval()
    axes = {0: "n", 2: "h", 3: "w"} if sides_vary else {0: "n"}
    torch.onnx.export(
        net,
        (example,),
        str(path),
        opset_version=13,
        dynamo=False,
        input_names=["pixels"],
        output_names=names,
        dynamic_axes=dict.fromkeys(["pixels", *names], axes),
    )


def load_reader(path: Path) -> ReaderNet:
    """Load a reader that `export_onnx` wrote, to train it on: its normalisations are part of the convolutions."""
    graph = onnx.load(path).graph
    weights = {one.name: torch.tensor(numpy_helper.to_array(one).copy()) for one in graph.initializer}
    net = ReaderNet(normalised=False)
    parts = [part for part in net.modules() if isinstance(part, nn.Conv2d | nn.Linear)]
    nodes = [node for node in graph.node if node.op_type in ("Conv", "Gemm")]
    for part, node in zip(parts, nodes, strict=True):
        part.weight.data, part.bias.data = weights[node.input[1]], weights[node.input[2]]
    return net
