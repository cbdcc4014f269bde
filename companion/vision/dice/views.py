"""Views of one face: turned and mirrored crops whose readings are averaged."""

from collections.abc import Sequence

import numpy as np

from companion.vision.dice.assembly import FLAT, NO_FACE, FaceReading
from companion.vision.dice.detector import Candidate
from companion.vision.dice.face_normals import turn_normal
from companion.vision.onnx import Float32Array, softmax

View = tuple[float, int, bool]
"""How a face is cut out once more: size of the cut (1: as is), quarter turns, whether it is mirrored."""
VIEWS: Sequence[View] = (
    (1.1, 1, False),
    (1.0, 2, True),
    (0.92, 2, False),
    (1.0, 3, True),
)
"""Further views of an uncertain face, in this order. More: slower; a value that few views show is less confident."""
OBLIQUE_VIEWS: Sequence[View] = (
    (1.0, 0, True),
    (1.1, 0, False),
    (0.92, 0, True),
)
"""Further views of a face that is seen obliquely: never turned, because "up" tells the top from the sides."""
_AGREED_CONFIDENCE = 0.8
"""P(flat) times P(value) that every view must reach for one value to stop early. Larger: more views are read."""
STATES = slice(0, 4)
"""Where the reader net's output holds the logits of the states."""
VALUES = slice(4, 10)
"""Where the reader net's output holds the logits of the values 1 to 6."""
NORMAL = slice(13, 15)
"""Where the output holds the face normal's components across the line of sight: right, down."""


def can_stop_early(outputs: Sequence[Float32Array]) -> bool:
    """Return whether two views, shape (15,) each, or more are enough: all agree on a value, or in all P(no face) > 0.5.

    Once two differ all views are read.
    """
    states = [softmax(output[STATES]) for output in outputs]
    if all(state[NO_FACE] > 0.5 for state in states):
        return True
    values = [softmax(output[VALUES]) for output in outputs]
    first = int(values[0].argmax())
    return all(state[FLAT] * value[first] >= _AGREED_CONFIDENCE for state, value in zip(states, values, strict=True))


def average_views(candidate: Candidate, outputs: Sequence[Float32Array], views: Sequence[View] = ()) -> FaceReading:
    """Average the reader net's outputs, shape (15,) each: the first of the face as it is, the others of `views`."""
    states = np.mean([softmax(output[STATES]) for output in outputs], axis=0)
    values = np.mean([softmax(output[VALUES]) for output in outputs], axis=0)
    normals = [outputs[0][NORMAL]]
    for output, (_, turns, mirrored) in zip(outputs[1:], views, strict=False):
        right, down = (float(v) for v in output[NORMAL])
        # The view was turned by `turns` and then mirrored.
        normals.append(np.array(turn_normal((-right if mirrored else right, down), 4 - turns), np.float32))
    right, down = np.mean(normals, axis=0)
    return FaceReading(candidate, states, values, (float(right), float(down)))
