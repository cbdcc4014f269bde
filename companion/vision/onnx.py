"""The packaged networks, run by OpenCV: no other runtime is needed; and their odds."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt


def load_net(name: str | Path) -> cv2.dnn.Net:
    """A packaged network by its file's name, or the one in a file, ready to run.

    Raises:
        OSError: there is no such file.
        cv2.error: it holds no network that this OpenCV reads.
    """
    path = name if isinstance(name, Path) else files("companion.vision").joinpath("models", name)
    data = np.frombuffer(path.read_bytes(), np.uint8)
    # OpenCV 5's own new engine takes half as long again for networks so small; OpenCV 4 has but the classic one.
    if hasattr(cv2.dnn, "ENGINE_CLASSIC"):
        return cv2.dnn.readNetFromONNX(data, engine=cv2.dnn.ENGINE_CLASSIC)
    return cv2.dnn.readNetFromONNX(data)


def softmax(logits: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """A network's scores as odds that sum to 1 along the last axis."""
    e = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return np.asarray(e / e.sum(axis=-1, keepdims=True), np.float32)
