"""Load the packaged neural networks and run them with OpenCV: no other runtime is needed."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

Float32Array = npt.NDArray[np.float32]
"""Input, output or weights of a network."""


def load_net(name: str | Path) -> cv2.dnn.Net:
    """Load a network in ONNX format.

    Args:
        name: file name of a packaged network (in `companion/vision/models`), or the path of another one.

    Raises:
        OSError: the file does not exist.
        cv2.error: the file holds no network that this OpenCV can read.
    """
    path = name if isinstance(name, Path) else files("companion.vision").joinpath("models", name)
    data = np.frombuffer(path.read_bytes(), np.uint8)
    # OpenCV 5's own new engine takes 1.5 times as long for networks of this size; OpenCV 4 has only the classic one.
    if hasattr(cv2.dnn, "ENGINE_CLASSIC"):
        return cv2.dnn.readNetFromONNX(data, engine=cv2.dnn.ENGINE_CLASSIC)
    return cv2.dnn.readNetFromONNX(data)


def softmax(logits: Float32Array) -> Float32Array:
    """Convert a network's logits to probabilities that sum to 1 along the last axis."""
    e = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return np.asarray(e / e.sum(axis=-1, keepdims=True), np.float32)
