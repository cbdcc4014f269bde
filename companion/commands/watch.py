"""`companion watch`: print what happens on the table in a video, a folder of frames or in front of a camera."""

import json
import math
import sys
import time
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from companion.commands import CommandError
from companion.commands.argument_values import shorten_argument
from companion.commands.common import report_errors
from companion.commands.see.drawing import save_drawing
from companion.commands.see.readings import truncate_confidence
from companion.events import CameraStateChanged, DiceAndLidEvent, DiceRead, LidCovered, LidRead, TokenPlaced, TokenTaken
from companion.i18n import replace_unprintable
from companion.system.progress import erase_progress, show_progress
from companion.vision.frames.image_io import UnreadableImage, list_images, load_image
from companion.vision.onnx import DamagedDataFile
from companion.vision.reading import Image
from companion.vision.table.watcher import make_dice_and_lid_watcher
from hardware.cameras.camera_opener import open_camera
from hardware.cameras.live_camera import Camera, CameraLost
from hardware.cameras.recordings import VideoFile

DESCRIPTION = "Print throws of dice, and tokens taken or placed, as they happen. Exit status 1 if nothing can be read."

DEFAULT_FOLDER_FPS = 15.0
"""Frames per second of a folder of frames if none are given."""
_POLL_SECONDS = 0.005
"""Pause before asking a live camera for a frame again; longer saves processor time and delays frames."""
_EARLY_FRAME_SECONDS = 0.008
"""How much too early a live camera's frame may come with --fps without being dropped, at most a quarter frame."""


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of `companion watch` (`path`, `json`, `fps`, `draw`) to its parser."""
    parser.add_argument("path", metavar="PATH", help="a video, a folder of frames, or a camera's number or address")
    parser.add_argument("--json", action="store_true", help="print one JSON object per event")
    parser.add_argument(
        "--fps",
        metavar="N",
        type=_parse_rate,
        help=f"frames per second (default: a video's own, {DEFAULT_FOLDER_FPS:.0f} for a folder); limits live cameras",
    )
    parser.add_argument(
        "--draw", metavar="DIR", type=Path, help="write each frame of an event with what was read in it"
    )


def run(args: Namespace) -> None:
    """Print each event on the table with the number of its frame, until the source ends or Ctrl-C.

    Ctrl-C is no failure. Pictures of a folder that cannot be read are reported on stderr.

    Args:
        args: `path` (text: a video, a folder of frames, or a camera's number or address), `json` (bool), `fps` (frames
            per second, above 0; None: the source's own, DEFAULT_FOLDER_FPS for a folder), `draw` (folder for the frames
            of events with what was read in them; None: none are written).

    Raises:
        CommandError: the source cannot be opened, a live camera went away, a packaged network is missing or damaged, or
            a frame cannot be written; status 1.
    """
    format_event = format_json if args.json else format_line
    try:
        watcher = make_dice_and_lid_watcher()
        for index, at, image in read_frames(args.path, args.fps):
            events = watcher.process_frame(image, at)
            if events:
                erase_progress()
            for event in events:
                print(format_event(index, event), flush=True)
            if args.draw is not None and events and watcher.reading is not None:
                with report_errors():
                    save_drawing(image, watcher.reading, args.draw, f"frame-{index:06}")
    except (CameraLost, UnreadableImage, DamagedDataFile) as error:
        raise CommandError(error) from error
    except KeyboardInterrupt:  # the usual end of a live camera
        pass


def read_frames(source: str, fps: float | None = None) -> Iterator[tuple[int, float, Image]]:
    """Yield the frames of a video or a folder to its end, or of a camera without end.

    Unreadable pictures of a folder, and missing frames of a video, are reported on stderr and left out.

    Args:
        source: path, or a camera's number or address, see `hardware.cameras.camera_opener.CameraOpener`.
        fps: frames per second, above 0; None: the video's own, DEFAULT_FOLDER_FPS for a folder, all of a live camera. A
            live camera gives at most this many.

    Yields:
        Index of the frame in the source, from 0; its time in seconds, from the start of a video or folder, of a live
        camera on the monotonic clock; the image, (H, W, 3) uint8 BGR.

    Raises:
        CameraLost: the source cannot be opened, or a live camera went away.
    """
    paths = list_images([Path(source)])
    if paths != [Path(source)]:
        yield from _read_folder_frames(show_progress(paths, "Frames"), fps or DEFAULT_FOLDER_FPS)
        return
    camera = open_camera(source, time.monotonic)
    try:
        if isinstance(camera, VideoFile):
            yield from show_progress(_read_video_frames(camera, fps), "Frames")
        else:
            yield from _read_live_frames(camera, fps)
    finally:
        camera.close()


def _read_video_frames(video: VideoFile, fps: float | None) -> Iterator[tuple[int, float, Image]]:
    while True:
        try:
            frame = video.read()
        except CameraLost:  # the end of the video
            if video.missing_frames:
                cut = f"{video.name} is cut off: {video.missing_frames} of its frames are missing"
                print(replace_unprintable(cut), file=sys.stderr)
            return
        if frame is not None:
            yield frame.index, frame.index / fps if fps else frame.at, frame.image


def _read_live_frames(camera: Camera, fps: float | None) -> Iterator[tuple[int, float, Image]]:
    due = -math.inf
    while True:
        frame = camera.read()
        if frame is None:
            time.sleep(_POLL_SECONDS)
        elif frame.at >= due:
            if fps:
                due = max(due, frame.at - min(_EARLY_FRAME_SECONDS, 0.25 / fps)) + 1 / fps
            yield frame.index, frame.at, frame.image


def format_json(frame: int, event: DiceAndLidEvent) -> str:
    """Return the event as one JSON object on one line.

    Args:
        frame: index of the frame in the source, from 0.
        event: what happened.

    Returns:
        An object with `frame` and `event`. With `event` "dice" it also has `values` (1 to 6), `confidence` (0 to 1) and
        perhaps `alternatives` (other possible values); with "token_removed" and "token_placed" `window` (0 to 11, row
        by row with the arrow up), `number` (1 to 6, null: never read) and `confidence`; with "state" `state` (of the
        camera); with "dice_gone" and "lid_ready" (all windows are covered again) nothing else.
    """
    return json.dumps({"frame": frame, **_convert_event(event)})


def format_line(frame: int, event: DiceAndLidEvent) -> str:
    """Return the event as one line for people, after the index of its frame in the source (from 0)."""
    match event:
        case DiceRead(values=()):
            text = "the dice are gone"
        case DiceRead():
            others = "".join(f", or {_join_values(other)}" for other in event.alternatives)
            text = f"dice {_join_values(event.values)} ({event.confidence:.2f}{others})"
        case TokenTaken():
            text = f"token {event.number or 'unread'} taken off window {event.window}"
        case TokenPlaced():
            text = f"token {event.number or 'unread'} put onto window {event.window}"
        case LidCovered():
            text = "all windows are covered again"
        case LidRead():
            text = f"{event.covered} windows are covered"
        case CameraStateChanged():
            text = f"{event.state.value} over the lid" if event.lid_hidden else event.state.value
    return f"{frame:6}  {text}"


def _convert_event(event: DiceAndLidEvent) -> dict[str, Any]:
    match event:
        case DiceRead(values=()):
            return {"event": "dice_gone"}
        case DiceRead():
            dice: dict[str, Any] = {
                "event": "dice",
                "values": list(event.values),
                "confidence": truncate_confidence(event.confidence),
            }
            if event.alternatives:
                dice["alternatives"] = [list(other) for other in event.alternatives]
            return dice
        case TokenTaken() | TokenPlaced():
            return {
                "event": "token_removed" if isinstance(event, TokenTaken) else "token_placed",
                "window": event.window,
                "number": event.number,
                "confidence": truncate_confidence(event.confidence),
            }
        case LidCovered():
            return {"event": "lid_ready"}
        case LidRead():
            return {"event": "lid", "covered": event.covered, "numbers": list(event.numbers)}
        case CameraStateChanged():
            return {"event": "state", "state": event.state.value, "lid_hidden": event.lid_hidden}


def _read_folder_frames(paths: Iterable[Path], fps: float) -> Iterator[tuple[int, float, Image]]:
    for index, path in enumerate(paths):
        try:
            yield index, index / fps, load_image(path)
        except UnreadableImage as error:
            erase_progress()
            print(replace_unprintable(f"{path}: {error}"), file=sys.stderr)


def _join_values(values: tuple[int, ...]) -> str:
    return " ".join(map(str, values))


def _parse_rate(text: str) -> float:
    with suppress(ValueError):
        rate = float(text)
        if 0 < rate < 1000:
            return rate
    raise ArgumentTypeError(f"{shorten_argument(text)} is no number of frames per second above 0 and below 1000")
