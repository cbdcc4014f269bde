"""Read pictures of a table, and print what is seen in them."""

import json
import os
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from math import floor
from pathlib import Path
from typing import Any

from companion.commands.see.drawing import save_drawing
from companion.i18n import replace_unprintable
from companion.system.progress import erase_progress, show_progress
from companion.vision.confidence_limits import MIN_PLAY_CONFIDENCE
from companion.vision.dice.detector import MAX_PICTURE_CANDIDATES
from companion.vision.dice.reader import DiceReader
from companion.vision.frames.image_io import UnreadableImage, list_images, load_image
from companion.vision.lid.digit_reader import DigitClassifier
from companion.vision.lid.reader import LidReader
from companion.vision.reading import Image, Lid, Reading
from companion.vision.table.single_images import ImageSequence, read_single_image
from companion.vision.view_check.checks import check_view
from companion.vision.view_check.partial_lid import find_tokens

ReadImage = Callable[[Image], Reading]
"""Reads one picture, BGR."""
PROGRESS = "Reading pictures"
FileReading = tuple[Path, Reading | UnreadableImage]
"""A picture file, and its reading or why it could not be read."""


def read_files(paths: Sequence[Path], *, as_json: bool, are_sequences: bool, drawings: Path | None = None) -> int:
    """Read pictures, and print what is read in each: dice, lid, and (not as JSON) what is wrong with the view.

    Args:
        paths: pictures or folders of pictures.
        as_json: print one JSON object per picture.
        are_sequences: the pictures of one folder are one camera's view in the order of their names, and the first shows
            the lid fully covered.
        drawings: folder for a copy of each picture on which is drawn what was read; None: none are written.

    Returns:
        Exit status 0, or 1 if at least one picture could not be read; that is reported on stderr, and the others are
        read all the same.

    Raises:
        OSError: a packaged network is missing or damaged, or the output or a drawing cannot be written.
    """
    dice = DiceReader(MAX_PICTURE_CANDIDATES)
    wrap: Callable[[ReadImage], ReadImage] = (lambda read_image: read_image) if as_json else add_view_notes
    if are_sequences:
        readings = read_sequences(paths, lambda: wrap(ImageSequence(dice, LidReader()).read_next))
    else:
        read_image = partial(read_single_image, dice_reader=dice, lid_reader=LidReader())
        readings = read_each(show_progress(list_images(paths), PROGRESS), wrap(read_image))
    if drawings is not None:
        readings = draw_each(readings, drawings)
    return print_readings(readings, format_json if as_json else format_line)


def draw_each(readings: Iterable[FileReading], folder: Path) -> Iterator[FileReading]:
    """Yield the same readings, after a drawing of each was written into a folder, by the name of its picture.

    Raises:
        OSError: one cannot be written.
    """
    for path, reading in readings:
        if isinstance(reading, Reading):
            save_drawing(load_image(path), reading, folder, path.stem)
        yield path, reading


def add_view_notes(read_image: ReadImage) -> ReadImage:
    """Return a reader that adds notes on what is wrong with the view (a lid cut off or too far away, for example).

    Args:
        read_image: reads one picture, (H, W, 3) uint8 BGR.

    Returns:
        A function like `read_image`, whose readings have the values of `ProblemKind` appended to their `notes`.
    """
    net = DigitClassifier()

    def read_with_notes(image: Image) -> Reading:
        reading = read_image(image)
        tokens = () if reading.lid is not None else find_tokens(image, net)
        problems = (problem.kind.value for problem in check_view(image, reading.lid, reading.dice, tokens))
        return replace(reading, notes=(*reading.notes, *problems))

    return read_with_notes


def read_each(paths: Iterable[Path], read_image: ReadImage) -> Iterator[FileReading]:
    """Yield each path with the reading of its picture, or with the UnreadableImage that says why it could not be read.

    Args:
        paths: picture files; a folder counts as an unreadable picture.
        read_image: reads one picture, (H, W, 3) uint8 BGR; what it raises is passed on, save UnreadableImage.
    """
    for path in paths:
        try:
            yield path, read_image(load_image(path))
        except UnreadableImage as error:
            yield path, error


def read_sequences(paths: Iterable[Path], new_reader: Callable[[], ReadImage]) -> Iterator[FileReading]:
    """Yield each picture's path and its reading or UnreadableImage; pictures of one folder share a reader.

    Args:
        paths: pictures, or folders of pictures, which are read in natural order of their names (2 before 10).
        new_reader: makes a reader for one folder: a sequence of one fixed camera, the lid fully covered at first.
    """
    readers = defaultdict[Path, ReadImage](new_reader)
    for path in show_progress(list_images(paths), PROGRESS):
        yield from read_each([path], readers[path.parent])


def print_readings(
    readings: Iterable[FileReading], format_reading: Callable[[Path, Reading | UnreadableImage], str]
) -> int:
    """Print each reading on stdout as soon as it is there; why a picture could not be read on stderr.

    Args:
        readings: paths, each with its reading or the error.
        format_reading: returns the line for stdout; "": there is none.

    Returns:
        Exit status 0, or 1 if a picture could not be read.
    """
    status = 0
    for path, reading in readings:
        erase_progress()
        if line := format_reading(path, reading):
            print(line, flush=True)
        if isinstance(reading, UnreadableImage):
            status = 1
            print(replace_unprintable(f"{path}: {reading}"), file=sys.stderr, flush=True)
    return status


def format_json(path: Path, reading: Reading | UnreadableImage) -> str:
    """Return the reading as one JSON object on one line; positions in pixels of the picture, confidence 0 to 1.

    Keys: `file`, and either `error` (text) or these:

    - `dice`: a list, each with `value` (1 to 6), `box` (left, top, right, bottom) and `confidence`;
    - `lid`: null (none found), or `corners` (four, clockwise from the left of the arrow), `arrow` (null: not seen) and
      the 12 `windows`, each with `center`, `covered` (null: not visible), `number` (1 to 6; null: no token, or not
      read) and `confidence`;
    - `ms`: milliseconds that the reading took.
    """
    if isinstance(reading, UnreadableImage):
        return json.dumps({"file": str(path), "error": str(reading)})
    dice = [
        {"value": die.value, "box": _round_all(die.box), "confidence": truncate_confidence(die.confidence)}
        for die in reading.dice
    ]
    seen = {"file": str(path), "dice": dice, "lid": _convert_lid(reading.lid), "ms": round(reading.duration_ms, 2)}
    return json.dumps(seen)


def format_line(path: Path, reading: Reading | UnreadableImage) -> str:
    """Return the reading as one line for people, with its duration in milliseconds; "" for a picture that is not read.

    "?" marks dice with a confidence below MIN_PLAY_CONFIDENCE, about which the companion would ask the players.
    """
    if isinstance(reading, UnreadableImage):
        return ""  # the reason stands on stderr
    # File names need not be valid text, and a terminal must not execute them.
    name = replace_unprintable(os.fsencode(path).decode(errors="replace"))
    dice = " ".join(f"{die.value}{'' if die.confidence >= MIN_PLAY_CONFIDENCE else '?'}" for die in reading.dice)
    parts = [f"dice {dice}" if dice else "no dice"]
    if reading.lid is not None:
        windows = reading.lid.windows
        covered = sum(window.covered is True for window in windows)
        hidden = sum(window.covered is None for window in windows)
        unknown = sum(window.covered is True and window.number is None for window in windows)
        parts.append(
            f"{covered} of {len(windows)} windows covered"
            + (f", {unknown} without a number" if unknown else "")
            + (f", {hidden} hidden" if hidden else "")
        )
    return f"{name}: " + "; ".join([*parts, *reading.notes, f"{reading.duration_ms:.0f} ms"])


def _convert_lid(lid: Lid | None) -> dict[str, Any] | None:
    if lid is None:
        return None
    return {
        "corners": [_round_all(corner) for corner in lid.corners],
        "arrow": None if lid.arrow is None else _round_all(lid.arrow),
        "mirrored": lid.mirrored,
        "windows": [
            {
                "center": _round_all(window.center),
                "covered": window.covered,
                "number": window.number,
                "confidence": truncate_confidence(window.confidence),
            }
            for window in lid.windows
        ],
    }


def truncate_confidence(confidence: float) -> float:
    """Return a confidence (0 to 1) with four decimals, rounded down: one below MIN_PLAY_CONFIDENCE stays below."""
    return floor(confidence * 10_000) / 10_000


def _round_all(numbers: Iterable[float]) -> list[float]:
    return [round(float(number), 1) for number in numbers]
