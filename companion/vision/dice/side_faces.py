"""Tell where sides of a die may be seen beside its top face: taught faces are not looked for there.

Which of several near faces becomes the die: `assemble_dice` in `assembly.py`.
"""

from companion.vision.dice.detector import Candidate, is_near

_MIN_SIDE_SIZE_RATIO = 0.55
"""Least ratio of edges of two faces of one die. Larger: more sides of dice are compared with taught faces."""

_SIDE_FACE_REACH_EDGES = 1.25
"""Greatest distance from a top face to a side face of the same die, in edges: taught faces are not looked for there.

Larger: more taught faces are overlooked beside certain dice."""

_MIN_SIDE_DROP_EDGES = 0.3
"""Least distance of a side face below the top face, in the top face's edges: sides show toward the lower edge.

Larger: more sides of dice are compared with taught faces."""

_MAX_SIDE_SLOPE = 1.3
"""Greatest distance of a side face to the right or left, over that below the top face. Larger: more taught faces
are overlooked beside certain dice."""


def is_in_side_position(one: Candidate, other: Candidate) -> bool:
    """Return whether `one` lies where a side of the die with top face `other` may be seen.

    >>> top = Candidate(100.0, 100.0, edge=40.0, score=0.9)
    >>> is_in_side_position(Candidate(110.0, 135.0, edge=36.0, score=0.5), top)
    True
    >>> is_in_side_position(Candidate(140.0, 100.0, edge=40.0, score=0.5), top)
    False

    Args:
        one: the face in question.
        other: a top face in the same frame.
    """
    down = one.y - other.y
    return (
        _MIN_SIDE_SIZE_RATIO < one.edge / other.edge < 1 / _MIN_SIDE_SIZE_RATIO
        and is_near(one, other, _SIDE_FACE_REACH_EDGES)
        and down > _MIN_SIDE_DROP_EDGES * other.edge
        and abs(one.x - other.x) < _MAX_SIDE_SLOPE * down
    )
