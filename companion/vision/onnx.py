"""Load the packaged neural networks and run them with OpenCV (docs/design/networks-in-opencv.md)."""

from importlib.resources import files
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

Float32Array = npt.NDArray[np.float32]
"""Input, output or weights of a network."""


class DamagedDataFile(OSError):
    """A packaged network or weights file is missing or damaged. The message names the file and the remedy.

    >>> str(DamagedDataFile("digits.onnx"))
    'digits.onnx is missing or damaged: install the companion again'
    """

    def __init__(self, path: object) -> None:
        super().__init__(f"{path} is missing or damaged: install the companion again")


def load_net(name: str | Path) -> cv2.dnn.Net:
    """Load a neural network in ONNX format.

    >>> load_net("digits.onnx").getUnconnectedOutLayersNames()
    ('scores',)

    Args:
        name: file name of a packaged network in `companion/vision/models`, if it is a string; the path of another one,
            if it is a `Path`. Each call loads it again.

    Returns:
        The network, for OpenCV's classic engine on the CPU. It has buffers of its own: do not use it from two threads.

    Raises:
        DamagedDataFile: the file does not exist, cannot be read, or holds no network that this OpenCV can read.
    """
    path = name if isinstance(name, Path) else files("companion.vision").joinpath("models", name)
    try:
        data = np.frombuffer(path.read_bytes(), np.uint8)
        # OpenCV 5's own new engine takes 1.5 times as long for networks of this size; OpenCV 4 has only the old one.
        if hasattr(cv2.dnn, "ENGINE_CLASSIC"):
            return cv2.dnn.readNetFromONNX(data, engine=cv2.dnn.ENGINE_CLASSIC)
        return cv2.dnn.readNetFromONNX(data)
    except (OSError, cv2.error) as error:
        raise DamagedDataFile(path) from error


def softmax(logits: Float32Array) -> Float32Array:
    """Convert a network's logits to probabilities.

    >>> softmax(np.log(np.array([1.0, 3.0], np.float32))).round(2).tolist()
    [0.25, 0.75]

    Args:
        logits: natural logarithms of odds, up to a constant; any shape with a last axis that is not empty.

    Returns:
        Probabilities 0 to 1 that sum to 1 along the last axis, float32, of the same shape.

    Raises:
        ValueError: the last axis is empty, or `logits` has no axis.
    """
    e = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return np.asarray(e / e.sum(axis=-1, keepdims=True), np.float32)
