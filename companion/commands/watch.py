"""`companion watch`: what happens on the table in a video, a folder of frames or before a camera, event by event."""

from __future__ import annotations

import json
import math
import sys
import time
from argparse import ArgumentParser, ArgumentTypeError, Namespace, _SubParsersAction
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from companion.commands.see import truncate_confidence
from companion.events import CameraStateChanged, DiceAndLidEvent, DiceRead, LidCovered, TokenPlaced, TokenTaken
from companion.vision.frames.image_io import UnreadableImage, list_images, load_image
from companion.vision.reading import Image
from companion.vision.table.watcher import make_dice_and_lid_watcher
from hardware.cameras.sources import Camera, CameraLost, VideoFile, open_camera

DEFAULT_FOLDER_FPS = 15.0
_POLL_SECONDS = 0.005
"""Between two looks for a live camera's next frame, which nothing else announces."""
_EARLY_FRAME_SECONDS = 0.008
"""So much earlier than its time a live camera's frame may come, but no more than a quarter of the time between two."""


def add_parser(subparsers: _SubParsersAction[ArgumentParser]) -> None:
    """Add the command to the program's."""
    parser = subparsers.add_parser(
        "watch",
        help="tell what happens on the table in a video or before a camera",
        description="Tell throws of dice and tokens taken or put, as they come. Exit status 1 if nothing can be read.",
    )
    parser.add_argument("path", metavar="PATH", help="a video, a folder of frames, or a camera's number or address")
    parser.add_argument("--json", action="store_true", help="print one JSON object per event")
    parser.add_argument(
        "--fps",
        metavar="N",
        type=_parse_rate,
        help=f"frames per second (default: a video's own, {DEFAULT_FOLDER_FPS:.0f} for a folder); limits live cameras",
    )
    parser.set_defaults(run=run)


def run(args: Namespace) -> int:
    """Do what the command line says; 1 if the source cannot be opened or a camera was lost."""
    watcher = make_dice_and_lid_watcher()
    words = format_json if args.json else format_line
    try:
        for index, at, image in read_frames(args.path, args.fps):
            for event in watcher.process_frame(image, at):
                print(words(index, event), flush=True)
    except (CameraLost, UnreadableImage) as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:  # how people end the watching of a live camera
        return 0
    return 0


def read_frames(source: str, fps: float | None = None) -> Iterator[tuple[int, float, Image]]:
    """Index (from 0 in the source as given), time in seconds, and frame; unreadable pictures are told and left out.

    Raises:
        CameraLost: the source cannot be opened, or a live camera went away.
    """
    paths = list_images([Path(source)])
    if paths != [Path(source)]:
        yield from _read_folder_frames(paths, fps or DEFAULT_FOLDER_FPS)
        return
    camera = open_camera(source, time.monotonic)
    try:
        yield from _read_video_frames(camera, fps) if isinstance(camera, VideoFile) else _read_live_frames(camera, fps)
    finally:
        camera.close()


def _read_video_frames(video: VideoFile, fps: float | None) -> Iterator[tuple[int, float, Image]]:
    while True:
        try:
            frame = video.read()
        except CameraLost:  # its end
            if video.missing_frames:
                print(f"{video.name} is cut off: {video.missing_frames} of its frames are missing", file=sys.stderr)
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
    """One JSON object on one line."""
    return json.dumps({"frame": frame, **_convert_event(event)})


def format_line(frame: int, event: DiceAndLidEvent) -> str:
    """One line for people."""
    match event:
        case DiceRead(values=()):
            words = "the dice are gone"
        case DiceRead():
            others = "".join(f", or {_join_values(other)}" for other in event.alternatives)
            words = f"dice {_join_values(event.values)} ({event.confidence:.2f}{others})"
        case TokenTaken():
            words = f"token {event.number or 'unread'} taken off window {event.window}"
        case TokenPlaced():
            words = f"token {event.number or 'unread'} put onto window {event.window}"
        case LidCovered():
            words = "all windows are covered again"
        case CameraStateChanged():
            words = event.state.value
    return f"{frame:6}  {words}"


def _convert_event(event: DiceAndLidEvent) -> dict[str, Any]:
    match event:
        case DiceRead(values=()):
            return {"event": "dice_gone"}
        case DiceRead():
            told: dict[str, Any] = {"event": "dice", "values": list(event.values)}
            told["confidence"] = truncate_confidence(event.confidence)
            if event.alternatives:
                told["alternatives"] = [list(other) for other in event.alternatives]
            return told
        case TokenTaken() | TokenPlaced():
            name = "token_removed" if isinstance(event, TokenTaken) else "token_placed"
            return {
                "event": name,
                "window": event.window,
                "number": event.number,
                "confidence": truncate_confidence(event.confidence),
            }
        case LidCovered():
            return {"event": "lid_ready"}
        case CameraStateChanged():
            return {"event": "state", "state": event.state.value}


def _read_folder_frames(paths: Sequence[Path], fps: float) -> Iterator[tuple[int, float, Image]]:
    for index, path in enumerate(paths):
        try:
            yield index, index / fps, load_image(path)
        except UnreadableImage as error:
            print(f"{path}: {error}", file=sys.stderr)


def _join_values(values: tuple[int, ...]) -> str:
    return " ".join(map(str, values))


def _parse_rate(text: str) -> float:
    rate = float(text)
    if not 0 < rate < 1000:
        raise ArgumentTypeError(f"{text} is no number of frames a second")
    return rate
