"""`companion see`: what the vision reads in pictures, as JSON lines or in words."""

from __future__ import annotations

import json
import os
import sys
from argparse import ArgumentParser, Namespace, _SubParsersAction
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from math import floor
from pathlib import Path
from typing import Any

from companion.vision.dice.reader import DiceReader
from companion.vision.frames.image_io import UnreadableImage, load_image, picture_paths
from companion.vision.lid.digit_reader import TokenNet
from companion.vision.lid.reader import LidReader
from companion.vision.reading import ACT, Image, Lid, Reading
from companion.vision.table.single_images import Sitting, each_for_itself
from companion.vision.view_check.checks import judge
from companion.vision.view_check.partial_lid import find_tokens

Eye = Callable[[Image], Reading]
Seen = tuple[Path, Reading | UnreadableImage]


def add_parser(subparsers: _SubParsersAction[ArgumentParser]) -> None:
    """Add the command to the program's."""
    parser = subparsers.add_parser(
        "see",
        help="read dice and the lid in pictures",
        description="Read dice and the Macroscope's lid in pictures. Exit status 1 if a picture could not be read.",
    )
    parser.add_argument("paths", metavar="PATH", type=Path, nargs="+", help="pictures, or folders of pictures")
    parser.add_argument("--json", action="store_true", help="print one JSON object per picture")
    parser.add_argument(
        "--sitting",
        action="store_true",
        help="the pictures of one folder are one camera's view in name order; the first shows the lid fully covered",
    )
    parser.set_defaults(run=run)


def run(args: Namespace) -> int:
    """Do what the command line says; 1 if some picture could not be read."""
    dice = DiceReader()
    shown_to: Callable[[Eye], Eye] = (lambda eye: eye) if args.json else with_view
    if args.sitting:
        seen = see_sittings(args.paths, lambda: shown_to(Sitting(dice, LidReader()).see))
    else:
        seen = see_each(picture_paths(args.paths), shown_to(each_for_itself(dice, LidReader)))
    return told(seen, as_json if args.json else in_words)


def with_view(eye: Eye) -> Eye:
    """The eye, with notes of what is wrong with the view: tokens without a lid tell that it is cut off or too far."""
    net = TokenNet()

    def see(image: Image) -> Reading:
        reading = eye(image)
        tokens = () if reading.lid is not None else find_tokens(image, net)
        wrong = (problem.trouble.value for problem in judge(image, reading.lid, reading.dice, tokens))
        return replace(reading, notes=(*reading.notes, *wrong))

    return see


def see_each(paths: Iterable[Path], eye: Eye) -> Iterator[Seen]:
    """Each picture's reading, or why it could not be read."""
    for path in paths:
        try:
            yield path, eye(load_image(path))
        except UnreadableImage as error:
            yield path, error


def see_sittings(paths: Iterable[Path], new_eye: Callable[[], Eye]) -> Iterator[Seen]:
    """As `see_each`; pictures of one folder share an eye, which is a sitting's."""
    eyes: dict[Path, Eye] = {}
    for path in picture_paths(paths):
        if path.parent not in eyes:
            eyes[path.parent] = new_eye()
        yield from see_each([path], eyes[path.parent])


def told(seen: Iterable[Seen], words: Callable[[Path, Reading | UnreadableImage], str]) -> int:
    """Print each picture's line as soon as it is read; the exit status."""
    status = 0
    for path, reading in seen:
        print(words(path, reading), flush=True)
        if isinstance(reading, UnreadableImage):
            status = 1
            print(f"{path}: {reading}", file=sys.stderr, flush=True)
    return status


def as_json(path: Path, reading: Reading | UnreadableImage) -> str:
    """One JSON object on one line."""
    if isinstance(reading, UnreadableImage):
        return json.dumps({"file": str(path), "error": str(reading)})
    dice = [{"value": die.value, "box": _rounded(die.box), "confidence": shown(die.confidence)} for die in reading.dice]
    seen = {"file": str(path), "dice": dice, "lid": _lid(reading.lid), "ms": round(reading.ms, 2)}
    return json.dumps(seen)


def in_words(path: Path, reading: Reading | UnreadableImage) -> str:
    """One line for people; a question mark stands behind what the companion would ask about."""
    name = os.fsencode(path).decode(errors="replace")  # file names need not be text
    if isinstance(reading, UnreadableImage):
        return f"{name}: not read"
    dice = " ".join(f"{die.value}{'' if die.confidence >= ACT else '?'}" for die in reading.dice)
    parts = [f"dice {dice}" if dice else "no dice"]
    if reading.lid is not None:
        windows = reading.lid.windows
        covered = sum(window.covered is True for window in windows)
        hidden = sum(window.covered is None for window in windows)
        parts.append(f"{covered} of {len(windows)} windows covered" + (f", {hidden} hidden" if hidden else ""))
    return f"{name}: " + "; ".join([*parts, *reading.notes, f"{reading.ms:.0f} ms"])


def _lid(lid: Lid | None) -> dict[str, Any] | None:
    if lid is None:
        return None
    return {
        "corners": [_rounded(corner) for corner in lid.corners],
        "arrow": None if lid.arrow is None else _rounded(lid.arrow),
        "windows": [
            {
                "center": _rounded(window.center),
                "covered": window.covered,
                "number": window.number,
                "confidence": shown(window.confidence),
            }
            for window in lid.windows
        ],
    }


def shown(confidence: float) -> float:
    """Four places, cut off: rounding up would lift a reading over the bar for acting on it."""
    return floor(confidence * 10_000) / 10_000


def _rounded(numbers: Iterable[float]) -> list[float]:
    return [round(float(number), 1) for number in numbers]
