"""Whether the camera gives pictures, and such as can be read; what it saw is kept as a picture."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import cv2

from companion.commands.doctor.system_checks import Check, CheckMark
from companion.vision.dice.reader import DiceReader
from companion.vision.frames.image_io import UnreadableImage, normalise_frame
from companion.vision.lid.digit_reader import DigitClassifier
from companion.vision.lid.reader import LidReader
from companion.vision.reading import MIN_PLAY_CONFIDENCE, Image, Reading
from companion.vision.table.single_images import read_single_image
from companion.vision.view_check.checks import check_view, draw_problems, estimate_blur, shrink_to_grey
from companion.vision.view_check.partial_lid import find_tokens
from companion.vision.view_check.problem import ViewProblem
from hardware.cameras.sources import OPENCV_SILENT, Camera, CameraLost, Clock, Frame, open_camera, set_opencv_log_level

PICTURE_FILE = "camera.jpg"
"""The file, in the data folder, with what the camera saw."""
FIRST_PICTURE_SECONDS = 3.0
"""Seconds that a camera gets until its first picture."""
SETTLE_SECONDS = 1.5
"""Seconds that it gets after that to find the light."""
NOTHING_VISIBLE = "nothing is to be made out in the picture: aim it at the table, turn the lens to focus"


def check_camera(
    spec: str,
    required: bool,
    open_device: Callable[[str, Clock], Camera] = open_camera,
    clock: Clock = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
    folder: Path | None = None,
) -> Check:
    """Whether the camera gives pictures, and such as can be read.

    `wanted`: it was asked for by name, and must be there.
    What it saw, the faults marked in it, is kept in `folder`; None: nowhere.
    """
    missing = CheckMark.FAIL if required else CheckMark.WARN
    fix = (
        "plug it in, stop what else uses it (a companion that runs does), or name another with --camera; "
        "without one a real table enters its rolls by buttons, and the virtual table needs none"
    )
    name = f"camera {spec}"
    # It is said once, by the check, and not a second time by OpenCV on stderr.
    level = set_opencv_log_level(OPENCV_SILENT)
    try:
        with closing(open_device(spec, clock)) as device:
            frame = _read_settled_frame(device, clock, sleep)
    except CameraLost as error:
        return Check(name, missing, str(error), fix)
    finally:
        set_opencv_log_level(level)
    if frame is None:
        return Check(name, missing, f"it opens, but gives no picture within {FIRST_PICTURE_SECONDS:.0f} s", fix)
    try:
        image = normalise_frame(frame.image)
    except UnreadableImage as why:
        return Check(name, missing, f"what it gives is {why}", "set it to a usual size, or name another with --camera")
    return _check_image(name, image, folder)


def _read_settled_frame(device: Camera, clock: Clock, sleep: Callable[[float], None]) -> Frame | None:
    """The latest picture after the camera has found the light; the last one of what has an end."""
    until = clock() + FIRST_PICTURE_SECONDS
    while (frame := device.read()) is None and clock() < until:
        sleep(0.02)
    until = clock() + SETTLE_SECONDS
    while frame is not None and clock() < until:
        try:
            frame = device.read() or frame
        except CameraLost:
            break
        sleep(0.02)
    return frame


def _check_image(name: str, image: Image, folder: Path | None) -> Check:
    height, width = image.shape[:2]
    gray = shrink_to_grey(image)
    found = f"{width}x{height}, brightness {gray.mean():.0f} of 255"
    seen = read_single_image(image, DiceReader(), LidReader())
    problems = check_view(image, seen.lid, seen.dice, () if seen.lid else find_tokens(image, DigitClassifier()))
    kept = _save_picture(image, problems, folder)
    words = [f"{problem.message[0].lower()}{problem.message[1:]}" for problem in problems]
    if not words and estimate_blur(gray) is None:
        words = [NOTHING_VISIBLE]
    return Check(
        name, CheckMark.WARN if words else CheckMark.OK, found + _summarise_reading(seen) + kept, "; ".join(words)
    )


def _summarise_reading(seen: Reading) -> str:
    sure = sum(die.confidence >= MIN_PLAY_CONFIDENCE for die in seen.dice)
    return (", the lid" if seen.lid else "") + (f", dice: {sure}" if sure else "")


def _save_picture(image: Image, problems: tuple[ViewProblem, ...], folder: Path | None) -> str:
    if folder is None:
        return ""
    path = folder / PICTURE_FILE
    try:
        folder.mkdir(parents=True, exist_ok=True)
        path.write_bytes(cv2.imencode(".jpg", draw_problems(image, problems))[1].tobytes())
    except OSError:
        return ""  # the check of the folder says why
    return f"; what it sees: {path}"
