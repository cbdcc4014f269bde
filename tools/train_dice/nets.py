"""The two nets: one finds top faces, one reads them."""

from __future__ import annotations

from pathlib import Path

import torch
from torch import Tensor, nn


def conv(i: int, o: int, kernel: int = 3, stride: int = 1) -> nn.Sequential:
    """Convolution, batch normalisation, ReLU."""
    return nn.Sequential(nn.Conv2d(i, o, kernel, stride, kernel // 2, bias=False), nn.BatchNorm2d(o), nn.ReLU())


class Finder(nn.Module):
    """Pixels (n, 3, h, w) in 0..1, sides multiples of 8, to maps (n, 4, h/4, w/4).

    Maps: logit that a top face is centred in the cell; log of its edge over 16 pixels; its centre's offset from the
    cell's, x and y, in cells. After X. Zhou, D. Wang, P. Krähenbühl, "Objects as Points" (2019).
    """

    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Sequential(conv(3, 12, 3, 2), conv(12, 24, 3, 2), conv(24, 24))
        self.down = nn.Sequential(conv(24, 48, 3, 2), conv(48, 48), conv(48, 48), conv(48, 48))
        self.up = nn.ConvTranspose2d(48, 24, 2, 2)
        self.out = nn.Sequential(conv(24, 24), nn.Conv2d(24, 4, 1))
        nn.init.constant_(self.out[1].bias, 0.0)
        with torch.no_grad():
            self.out[1].bias[0] = -4.0

    def forward(self, x: Tensor) -> Tensor:
        x = self.stem(x - 0.5)
        return self.out(torch.relu(x + self.up(self.down(x))))


class Reader(nn.Module):
    """Crops (n, 3, 64, 64) to logits (n, 9): no top face, a clear one, a doubtful one; then the values 1 to 6."""

    def __init__(self) -> None:
        super().__init__()
        self.look = nn.Sequential(
            conv(3, 16, 5, 2), conv(16, 24), conv(24, 32, 3, 2), conv(32, 32), conv(32, 32),
            conv(32, 64, 3, 2), conv(64, 64), conv(64, 64),
        )  # fmt: skip
        self.say = nn.Sequential(nn.Linear(64 * 16, 64), nn.ReLU(), nn.Dropout(0.1), nn.Linear(64, 9))

    def forward(self, x: Tensor) -> Tensor:
        x = nn.functional.avg_pool2d(self.look(x), 2)
        return self.say(x.flatten(1))


def export(net: nn.Module, example: Tensor, path: Path, sides_vary: bool) -> None:
    """Writes ONNX that cv2.dnn 4.10 to 5 reads."""
    net.eval()
    axes = {0: "n", 2: "h", 3: "w"} if sides_vary else {0: "n"}
    torch.onnx.export(
        net,
        (example,),
        str(path),
        opset_version=13,
        dynamo=False,
        input_names=["pixels"],
        output_names=["maps"],
        dynamic_axes={"pixels": axes, "maps": axes},
    )
