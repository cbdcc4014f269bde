"""Check that the camera gives pictures that can be read, and store what it sees as a picture."""

import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np

from companion.commands.doctor.check import Check, CheckMark
from companion.system.atomic_file import write_atomic
from companion.vision.confidence_limits import MIN_PLAY_CONFIDENCE
from companion.vision.dice.reader import DiceReader
from companion.vision.frames.image_io import UnreadableImage, normalise_frame
from companion.vision.lid.digit_reader import DigitClassifier
from companion.vision.lid.reader import LidReader
from companion.vision.reading import Image, ProblemKind, Reading, ViewProblem
from companion.vision.table.single_images import read_single_image
from companion.vision.view_check.checks import (
    MIN_BRIGHT_LEVEL,
    check_view,
    draw_problems,
    estimate_blur,
    get_frame_box,
    shrink_to_grey,
)
from companion.vision.view_check.monitor import MIN_TOKENS_OF_UNKNOWN_LID
from companion.vision.view_check.partial_lid import find_tokens
from companion.vision.view_check.problem import make_problem
from hardware.cameras.camera_opener import OPENCV_SILENT, CameraOpener, shorten_address
from hardware.cameras.live_camera import Camera, CameraLost, Clock, Frame, LiveCamera, set_opencv_log_level

PICTURE_FILE = "camera.jpg"
"""Name of the file in the data folder with what the camera saw."""
FIRST_PICTURE_SECONDS = 3.0
"""Longest time until the first picture; slower cameras fail the check."""
SETTLE_SECONDS = 1.5
"""Time after the first picture for the camera's automatic exposure; longer makes the check slower."""
FOCUS_SECONDS = 15.0
"""Longest time for a camera to focus: it waits for a still view, and a scan takes up to ten seconds."""
NOTHING_VISIBLE = "Nothing can be recognised in the picture: aim it at the table"
TURN_LENS = ", turn the lens to focus"
"""For a lens without a motor."""
NOT_FOCUSED = "it has not focused yet: nothing may move in its picture for some seconds"


def check_camera(
    spec: str,
    required: bool,
    open_device: Callable[[Clock], Camera] | None = None,
    clock: Clock = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
    folder: Path | None = None,
    mains_hz: int = 0,
) -> Check:
    """Check that the camera gives pictures, and that they can be read. Takes some seconds; never raises CameraLost.

    Args:
        spec: number, "csi", URL, file or folder, as in the settings.
        required: fail, not only warn, if it gives no picture.
        open_device: opens the camera; None: `CameraOpener`.
        clock: returns seconds on the monotonic clock.
        sleep: waits for that many seconds.
        folder: where the picture with marked problems is stored as PICTURE_FILE, replacing an earlier one; None:
            nowhere. If it cannot be stored, the check does not mention it.
        mains_hz: frequency of the mains; 0: that of the country.

    Returns:
        The check: OK; WARN if something is wrong with the view; WARN or FAIL (`required`) if there is no picture; WARN
        if the picture is of no usual size.
    """
    missing = CheckMark.FAIL if required else CheckMark.WARN
    fix = (
        "plug it in, stop other programs that use it (such as a running companion), or name another with --camera; "
        "without one rolls are entered by buttons at a real table; a simulated table needs none"
    )
    name = f"camera {shorten_address(spec)}"
    # The check reports it; OpenCV shall not do so on stderr as well.
    level = set_opencv_log_level(OPENCV_SILENT)
    opener = CameraOpener(spec, mains_hz)
    try:
        with closing((open_device or opener.open)(clock)) as device:
            has_motor = _is_focusing(device)
            frame = _read_settled_frame(device, clock, sleep)
            is_focused = not _is_focusing(device)
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
    check = _check_image(name, image, folder, "" if has_motor else TURN_LENS)
    if not is_focused:
        check = replace(check, mark=CheckMark.WARN, fix="; ".join(filter(None, (NOT_FOCUSED, check.fix))))
    # Its number may be another one after the next start.
    return replace(check, found=f"{check.found}; also {opener.link}") if opener.link else check


def _is_focusing(device: Camera) -> bool:
    return isinstance(device, LiveCamera) and device.is_focusing


def _read_settled_frame(device: Camera, clock: Clock, sleep: Callable[[float], None]) -> Frame | None:
    """Return the latest picture after exposure and focus have settled; the last one of a file."""
    until = clock() + FIRST_PICTURE_SECONDS
    while (frame := device.read()) is None and clock() < until:
        sleep(0.02)
    until, focused_until = clock() + SETTLE_SECONDS, clock() + FOCUS_SECONDS
    while frame is not None and clock() < (focused_until if _is_focusing(device) else until):
        try:
            frame = device.read() or frame
        except CameraLost:
            break
        sleep(0.02)
    return frame


def _check_image(name: str, image: Image, folder: Path | None, focus_hint: str) -> Check:
    height, width = image.shape[:2]
    seen = ViewChecker(focus_hint).check(image)
    found = f"{width}x{height}, brightness {seen.brightness:.0f} of 255"
    kept = _save_picture(image, seen.problems, folder)
    words = "; ".join(f"{advice[0].lower()}{advice[1:]}" for advice in seen.advice)
    return Check(
        name, CheckMark.WARN if words else CheckMark.OK, found + _summarise_reading(seen.reading) + kept, words
    )


@dataclass(frozen=True, slots=True)
class ViewCheck:
    """What is read in a picture of the camera, and what is wrong with the view."""

    reading: Reading
    problems: tuple[ViewProblem, ...]
    advice: tuple[str, ...]
    """What to do about each problem, in one sentence without a full stop; empty: all is well."""
    brightness: float
    """Mean grey level, 0 to 255."""


class ViewChecker:
    """Checks pictures one by one, each by itself.

    Args:
        focus_hint: what to try, after a comma, if nothing is recognised; empty: the camera focuses by itself.

    Raises:
        DamagedDataFile: a packaged network is missing or damaged.
    """

    def __init__(self, focus_hint: str = "") -> None:
        self._focus_hint = focus_hint
        self._dice, self._lid, self._digits = DiceReader(), LidReader(), DigitClassifier()

    def check(self, image: Image) -> ViewCheck:
        """Read a picture and check the view.

        Args:
            image: (H, W, 3) uint8 BGR, as `normalise_frame` returns it.
        """
        gray = shrink_to_grey(image)
        seen = read_single_image(image, self._dice, self._lid)
        tokens = () if seen.lid else find_tokens(image, self._digits)
        problems = check_view(image, seen.lid, seen.dice, tokens)
        if not problems and len(tokens) >= MIN_TOKENS_OF_UNKNOWN_LID:
            is_dark = np.percentile(gray, 99) < MIN_BRIGHT_LEVEL
            kind = ProblemKind.DARK if is_dark else ProblemKind.UNKNOWN_LID
            problems = (make_problem(kind, get_frame_box(image)),)
        advice = tuple(problem.message for problem in problems)
        if not advice and estimate_blur(gray) is None:
            advice = (NOTHING_VISIBLE + self._focus_hint,)
        return ViewCheck(seen, problems, advice, float(gray.mean()))


def _summarise_reading(seen: Reading) -> str:
    sure = sum(die.confidence >= MIN_PLAY_CONFIDENCE for die in seen.dice)
    return (", the lid" if seen.lid else "") + (f", dice: {sure}" if sure else "")


def _save_picture(image: Image, problems: tuple[ViewProblem, ...], folder: Path | None) -> str:
    if folder is None:
        return ""
    path = folder / PICTURE_FILE
    try:
        folder.mkdir(parents=True, exist_ok=True)
        write_atomic(path, cv2.imencode(".jpg", draw_problems(image, problems))[1].tobytes())
    except OSError:
        return ""  # the check of the folder reports why
    return f"; what it sees: {path}"
