"""Build a network of the size of YOLOv5n with random weights, to measure what a general detector costs here."""

from __future__ import annotations

import time
from collections.abc import Iterable

import cv2
import numpy as np

INPUT_SIDE_PX = 640
# Output channels and stride of the 3x3 convolutions; weights (1.9 million) and work (4.5 GFLOP) equal YOLOv5n's.
LAYERS = (
    (16, 2),
    (32, 2),
    (32, 1),
    (64, 2),
    (64, 1),
    (64, 1),
    (128, 2),
    (128, 1),
    (128, 1),
    (256, 2),
    (256, 1),
    (256, 1),
)


def encode_field(number: int, value: int | bytes | str) -> bytes:
    """Encode a field of a protocol buffer (protobuf.dev, "Encoding"): a number or length-delimited bytes."""
    if isinstance(value, int):
        return encode_varint(number << 3) + encode_varint(value)
    data = value.encode() if isinstance(value, str) else value
    return encode_varint(number << 3 | 2) + encode_varint(len(data)) + data


def encode_varint(value: int) -> bytes:
    """Encode a non-negative number as a base-128 varint (protobuf.dev, "Encoding")."""
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])


def encode_float_tensor(name: str, shape: Iterable[int]) -> bytes:
    """Encode an ONNX ValueInfoProto: a float tensor of that shape."""
    dims = b"".join(encode_field(1, encode_field(1, size)) for size in shape)
    return encode_field(1, name) + encode_field(2, encode_field(1, encode_field(1, 1) + encode_field(2, dims)))


def encode_nano_network(rng: np.random.Generator) -> bytes:
    """Encode an ONNX file (onnx.proto3, opset 13) of `LAYERS`, each with a ReLU, on a 1x3xSIDExSIDE picture."""
    nodes, weights, channels, last = b"", b"", 3, "x"
    for number, (wanted, stride) in enumerate(LAYERS):
        values = rng.normal(0, (2 / (9 * channels)) ** 0.5, (wanted, channels, 3, 3)).astype(np.float32)
        dims = b"".join(encode_field(1, size) for size in values.shape)
        weights += encode_field(
            5, dims + encode_field(2, 1) + encode_field(8, f"w{number}") + encode_field(9, values.tobytes())
        )
        attributes = b"".join(
            encode_field(
                5, encode_field(1, name) + b"".join(encode_field(8, one) for one in ints) + encode_field(20, 7)
            )
            for name, ints in (("kernel_shape", (3, 3)), ("strides", (stride, stride)), ("pads", (1, 1, 1, 1)))
        )
        names = encode_field(1, last) + encode_field(1, f"w{number}") + encode_field(2, f"c{number}")
        nodes += encode_field(1, names + encode_field(4, "Conv") + attributes)
        nodes += encode_field(
            1, encode_field(1, f"c{number}") + encode_field(2, f"r{number}") + encode_field(4, "Relu")
        )
        channels, last = wanted, f"r{number}"
    small = INPUT_SIDE_PX // 2 ** sum(stride == 2 for _, stride in LAYERS)
    source = encode_field(11, encode_float_tensor("x", (1, 3, INPUT_SIDE_PX, INPUT_SIDE_PX)))
    target = encode_field(12, encode_float_tensor(last, (1, channels, small, small)))
    graph = nodes + encode_field(2, "nano") + weights + source + target
    return encode_field(1, 8) + encode_field(7, graph) + encode_field(8, encode_field(1, "") + encode_field(2, 13))


class NanoNetwork:
    """The network, loaded by cv2.dnn, with a random input; sets OpenCV to one thread."""

    def __init__(self) -> None:
        cv2.setNumThreads(1)
        rng = np.random.default_rng(1)
        self._net = cv2.dnn.readNetFromONNX(np.frombuffer(encode_nano_network(rng), np.uint8))
        self._picture = rng.random((1, 3, INPUT_SIDE_PX, INPUT_SIDE_PX), dtype=np.float32)

    def measure_ms(self) -> float:
        """Return the CPU time of one forward pass in milliseconds."""
        start = time.thread_time()
        self._net.setInput(self._picture)
        self._net.forward()
        return (time.thread_time() - start) * 1000
