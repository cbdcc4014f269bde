"""Sample views of the camera: a drawn table with lid and dice, and each problem that a view may have."""

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from companion.events import CameraState
from companion.i18n import _
from companion.screen_state import CameraView
from companion.simulation.render_pips import PIP_PLACES
from companion.vision.reading import Die, Image, Lid, LidWindow, ProblemKind, Reading, ViewProblem
from companion.vision.view_check.problem import CUT_OFF_MESSAGES, LENS_COVERED_MESSAGE, PROBLEM_MESSAGES

OPEN_WINDOW = 3
"""Index of the open window of the drawn table: a 2 was taken from it."""
LID_BOX, TRAY_BOX = (40, 60, 380, 310), (430, 90, 600, 280)
"""Edges of lid and tray on the drawn table: left, top, right and bottom in pixels."""


def draw_overhead_view(faces: Sequence[int] = (2, 5), *, has_lid: bool = True) -> tuple[Image, Reading]:
    """Draw a table from above with a lid and two dice; return the (360, 640, 3) uint8 BGR image and its reading."""
    grain = cv2.GaussianBlur(np.random.default_rng(7).normal(0.0, 1.0, (360, 640)), (0, 0), sigmaX=30, sigmaY=1.2)
    wood = 1.0 + 0.05 * grain[..., None] / grain.std()
    shade = np.ones((360, 640), np.float32)
    for left, top, right, bottom in [TRAY_BOX, *([LID_BOX] if has_lid else [])]:
        cv2.rectangle(shade, (left + 4, top + 6), (right + 6, bottom + 8), 0.5, -1)
    image = np.asarray(np.clip(wood * cv2.GaussianBlur(shade, (0, 0), 6)[..., None] * (70, 92, 120), 0, 255), np.uint8)
    cv2.rectangle(image, TRAY_BOX[:2], TRAY_BOX[2:], (50, 60, 60), -1)
    windows = []
    if has_lid:
        cv2.rectangle(image, LID_BOX[:2], LID_BOX[2:], (60, 140, 190), -1)
    for i in range(12 if has_lid else 0):
        x, y = 90 + 80 * (i % 4), 110 + 72 * (i // 4)
        covered = i != OPEN_WINDOW
        cv2.circle(image, (x, y), 28, (120, 200, 240) if covered else (200, 120, 60), -1, cv2.LINE_AA)
        if covered:
            number, face = str(i // 2 + 1), cv2.FONT_HERSHEY_DUPLEX
            cv2.putText(image, number, (x - 11, y + 12), face, 1.1, (40, 50, 60), 2, cv2.LINE_AA)
        windows.append(LidWindow((x, y), 28.0, covered, i // 2 + 1 if covered else None, 0.97))
    dice = []
    for (x, y), value in zip(((460, 130), (530, 200)), faces, strict=True):
        cv2.rectangle(image, (x + 4, y + 5), (x + 44, y + 45), (28, 34, 34), -1)
        cv2.rectangle(image, (x, y), (x + 40, y + 40), (235, 240, 242), -1)
        for dx, dy in PIP_PLACES[value]:
            cv2.circle(image, (x + 20 + 11 * dx, y + 20 + 11 * dy), 4, (30, 30, 30), -1, cv2.LINE_AA)
        dice.append(Die(value, (x, y, x + 40, y + 40), 0.99))
    corners = ((40.0, 60.0), (380.0, 60.0), (380.0, 310.0), (40.0, 310.0))
    lid = Lid(corners, (210.0, 50.0), tuple(windows)) if has_lid else None
    return image, Reading(tuple(dice), lid, 12.0)


DARK_DIVISOR, COVERED_DIVISOR = 7, 40
"""Divisors of the brightness in pictures of a dark table, and of a covered lens."""
BLUR_PX = 9.0
"""Standard deviation of the blur in a blurred picture."""
TABLE_IMAGE, TABLE_READING = draw_overhead_view()
STEADY_VIEW = CameraView(CameraState.STEADY, TABLE_READING, TABLE_IMAGE)
"""A camera that sees the whole table and has read it."""


def show_dice(value: int) -> CameraView:
    """Return what the camera sees of two dice with the same face on top, and nothing else."""
    picture, reading = draw_overhead_view((value, value), has_lid=False)
    return CameraView(CameraState.STEADY, reading, picture)


def list_view_problems() -> Sequence[ViewProblem]:
    """Return one sample of each problem of the camera's view, with the longest message for a lid that is cut off."""
    height, width = map(float, TABLE_IMAGE.shape[:2])
    whole = (0.0, 0.0, width, height)
    sides = max(CUT_OFF_MESSAGES, key=lambda each: len(_(CUT_OFF_MESSAGES[each])))
    lid = (
        0.4 * width if "right" in sides else 0.0,
        0.4 * height if "bottom" in sides else 0.0,
        0.6 * width if "left" in sides else width,
        0.6 * height if "top" in sides else height,
    )
    return [
        *(ViewProblem(kind, _(message), whole) for kind, message in PROBLEM_MESSAGES.items()),
        ViewProblem(ProblemKind.CUT_OFF, _(CUT_OFF_MESSAGES[sides]), lid),
        ViewProblem(ProblemKind.DARK, _(LENS_COVERED_MESSAGE), whole),
    ]


def show_problem(problem: ViewProblem) -> CameraView:
    """Return what the camera sees with a problem of its view: dark, bright, blurred or mirrored if that is the problem.

    Args:
        problem: one of `list_view_problems`.
    """
    match problem.kind:
        case ProblemKind.DARK:
            is_covered = problem.message == _(LENS_COVERED_MESSAGE)
            picture = TABLE_IMAGE // (COVERED_DIVISOR if is_covered else DARK_DIVISOR)
        case ProblemKind.BRIGHT:
            picture = 255 - (255 - TABLE_IMAGE) // DARK_DIVISOR
        case ProblemKind.BLURRED:
            picture = np.asarray(cv2.GaussianBlur(TABLE_IMAGE, (0, 0), BLUR_PX), np.uint8)
        case ProblemKind.MIRRORED:
            picture = np.ascontiguousarray(TABLE_IMAGE[:, ::-1])
        case ProblemKind.NO_DICE:
            without_dice = replace(TABLE_READING, dice=())
            return replace(STEADY_VIEW, reading=without_dice, problem=problem)
        case _:
            return replace(STEADY_VIEW, problem=problem)
    return CameraView(CameraState.STEADY, None, picture, problem)
