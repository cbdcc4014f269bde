"""`companion dice-test`: throw one die many times under the camera, and tell whether it is fair."""

import random
import sys
import time
from argparse import ArgumentParser, Namespace
from contextlib import suppress
from functools import partial

from companion.commands import CommandError
from companion.commands.argument_values import parse_output_file, parse_whole_number
from companion.commands.common import add_settings_option, load_command_settings, report_errors
from companion.commands.dice_test.report import format_report, write_csv
from companion.commands.dice_test.sources import CameraThrows, KeyboardThrows, ThrowSource, VirtualThrows
from companion.commands.dice_test.throws import ThrowCounter
from companion.commands.key_input import read_lines, unbuffered_keys
from companion.journal.entry import MAX_WHOLE_NUMBER
from companion.system.progress import erase_progress
from companion.vision.onnx import DamagedDataFile
from hardware.cameras.live_camera import CameraLost

DESCRIPTION = (
    "Throw one die again and again under the camera, alone and with nothing else in view that moves. What the camera "
    "is not sure of is asked: press the face that lies on top. The result says whether the die is fair, and how sure "
    "that is. Nothing is stored unless --csv is given."
)

DEFAULT_THROWS, MIN_THROWS, MAX_THROWS = 200, 10, 1000
"""Number of throws of a test: if none is given, least and most."""
CAMERA_FACES, MIN_FACES, MAX_FACES = 6, 2, 20
"""Faces of the dice that the camera reads, and least and most faces of a die whose throws are entered by keys."""
POLL_SECONDS = 0.005
"""Pause before the camera and the keyboard are asked again; longer saves processor time."""


def add_arguments(parser: ArgumentParser) -> None:
    """Add the options of `companion dice-test` to its parser.

    They are `throws`, `faces`, `table`, `camera`, `seed`, `loaded`, `csv` and `settings`.
    """
    parser.add_argument(
        "--throws",
        metavar="N",
        type=partial(parse_whole_number, low=MIN_THROWS, high=MAX_THROWS),
        default=DEFAULT_THROWS,
        help=f"number of throws, {MIN_THROWS} to {MAX_THROWS} (default: {DEFAULT_THROWS})",
    )
    parser.add_argument(
        "--faces",
        metavar="N",
        type=partial(parse_whole_number, low=MIN_FACES, high=MAX_FACES),
        default=CAMERA_FACES,
        help=f"faces of the die (default: {CAMERA_FACES}); the camera reads only {CAMERA_FACES}, others are entered",
    )
    parser.add_argument(
        "--table",
        choices=("real", "virtual", "keyboard"),
        help="real: under the camera (default); virtual: a simulated die throws itself; keyboard: all is entered",
    )
    parser.add_argument(
        "--camera", metavar="N|csi|URL|FILE|FOLDER", help="the camera (default: as in the settings, else 0)"
    )
    parser.add_argument(
        "--seed",
        metavar="N",
        type=partial(parse_whole_number, low=-MAX_WHOLE_NUMBER, high=MAX_WHOLE_NUMBER),
        help="seed of the simulated die, to repeat a test",
    )
    parser.add_argument(
        "--loaded",
        metavar="FACE",
        type=partial(parse_whole_number, low=1, high=CAMERA_FACES),
        help="the simulated die shows this face twice as often as another",
    )
    parser.add_argument("--csv", metavar="FILE", type=parse_output_file, help="write each throw to this file")
    add_settings_option(parser)


def run(args: Namespace) -> None:
    """Count throws until there are enough, and print what they say about the die.

    Ctrl-C, "q" and the end of a video or of the input end the test early; what was thrown until then is judged.

    Args:
        args: the options of `add_arguments`; `table` None: real, or keyboard for a die that the camera cannot read;
            `camera` None: as in the settings; `seed` None: random; `loaded` None: a fair die; `csv` None: no file.

    Raises:
        CommandError: status 2: an option would have no effect, or the settings cannot be used. Status 1: the camera
            cannot be used, the file cannot be written, a packaged network is damaged, or nothing was thrown.
    """
    table = args.table or ("real" if args.faces == CAMERA_FACES else "keyboard")
    with report_errors(status=2):
        check_effects(args, table)
    settings = load_command_settings(args)
    counter = ThrowCounter(args.faces, args.throws)
    with report_errors():
        if args.csv is not None:
            write_csv(counter, args.csv)  # a file that cannot be written is known before the first throw
        try:
            source = make_source(args, table, counter, settings.table.camera)
        except (CameraLost, DamagedDataFile) as error:
            raise CommandError(f"{error}\n--table keyboard enters the throws by keys.") from error
        try:
            with suppress(KeyboardInterrupt):
                count_throws(counter, source)
        finally:
            source.close()
            if args.csv is not None:
                write_csv(counter, args.csv)
        if not counter.throws:
            raise CommandError("No throw was counted, so nothing can be said about the die.")
        print(format_report(counter, source.list_true_faces()), flush=True)


def check_effects(args: Namespace, table: str) -> None:
    """Check that the options have an effect together.

    Args:
        args: the parsed options.
        table: "real", "virtual" or "keyboard".

    Raises:
        CommandError: one would have none; status 2.
    """
    if args.faces != CAMERA_FACES and table != "keyboard":
        message = (
            f"the camera reads only dice with {CAMERA_FACES} faces: use --table keyboard for one with {args.faces}"
        )
        raise CommandError(message, status=2)
    if args.camera is not None and table != "real":
        raise CommandError(f"--camera is for a real table, not for --table {table}", status=2)
    for name in ("seed", "loaded"):
        if getattr(args, name) is not None and table != "virtual":
            raise CommandError(f"--{name} is for the simulated die: use --table virtual with it", status=2)


def make_source(args: Namespace, table: str, counter: ThrowCounter, camera: str) -> ThrowSource:
    """Make the source of throws.

    Args:
        args: the parsed options.
        table: "real", "virtual" or "keyboard".
        counter: receives the throws.
        camera: the camera of the settings.

    Raises:
        CameraLost: there is no such camera, or it does not open.
        DamagedDataFile: a packaged network is missing or damaged.
    """
    if table == "keyboard":
        return KeyboardThrows()
    if table == "virtual":
        rng = random.Random(args.seed)
        weights = [2.0 if face == args.loaded else 1.0 for face in range(1, CAMERA_FACES + 1)]
        return VirtualThrows(counter, rng, weights)
    return CameraThrows(args.camera or camera, time.monotonic)


def count_throws(counter: ThrowCounter, source: ThrowSource) -> None:
    """Pass events and keys to the counter until it has enough throws or the source has ended; print what it says.

    Args:
        counter: counts the throws.
        source: gives events of the table.

    Raises:
        CameraLost: a video ended before the first frame.
        OSError: stdin or stdout cannot be used.
    """
    print(source.hint, flush=True)
    with unbuffered_keys(sys.stdin) as read_keys:
        read = read_keys if sys.stdin.isatty() else read_lines(sys.stdin)
        while not counter.is_done and not source.is_over:
            said = [message for event in source.poll() for message in counter.handle_event(event)]
            keys = read() if source.takes_keys else source.answer(counter.question)
            if keys is None and source.needs_keys:  # the end of the input
                break
            said += counter.handle_keys(keys or "")
            if said:
                erase_progress()
            for message in said:
                print(message, flush=True)
            if source.is_live and not said:
                time.sleep(POLL_SECONDS)
    for message in counter.finish():
        print(message, flush=True)
