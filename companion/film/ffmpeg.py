"""MP4 by the system's ffmpeg: the pictures go to it raw, one after the other."""

import shutil
import subprocess
import threading
from collections.abc import Iterable
from pathlib import Path

from companion.film.pictures import FilmPicture

PROGRAM = "ffmpeg"
QUALITY = 20
"""x264's constant rate factor: less is sharper and larger; above 23 the edges of letters become soft."""
FRAME_RATE = 25
MAX_WAIT_SECONDS = 120.0
"""Time for ffmpeg to take a picture, and at the end to encode the rest; one that hangs is killed then."""


class FfmpegError(Exception):
    """ffmpeg could not write the film; the message is its last line."""


def has_ffmpeg() -> bool:
    """Return whether there is an ffmpeg on this system."""
    return shutil.which(PROGRAM) is not None


def encode_mp4(pictures: Iterable[FilmPicture], size: tuple[int, int], file: Path) -> None:
    """Write pictures as MP4 (H.264, yuv420p, its index first), which phones, browsers and television sets play.

    Args:
        pictures: of `size`, at `FRAME_RATE`.
        size: width and height in pixels, both even.
        file: the file to write; it is replaced.

    Raises:
        FfmpegError: ffmpeg cannot be started, or has failed.
        Exception: an error of `pictures` is passed on.
    """
    width, height = size
    source = ["-f", "rawvideo", "-pixel_format", "bgr24", "-video_size", f"{width}x{height}"]
    source += ["-framerate", str(FRAME_RATE), "-i", "-"]
    target = ["-an", "-c:v", "libx264", "-preset", "veryfast", "-tune", "animation", "-crf", str(QUALITY)]
    target += ["-pix_fmt", "yuv420p", "-movflags", "+faststart", "-f", "mp4", str(file)]
    command = [PROGRAM, "-hide_banner", "-loglevel", "error", "-y", *source, *target]
    with (file.parent / "ffmpeg.log").open("w+b") as log:
        try:
            process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=log)
        except OSError as error:
            raise FfmpegError(str(error)) from error
        with process:
            assert process.stdin is not None
            try:
                for picture in pictures:
                    frame = picture.pixels.tobytes()
                    watchdog = threading.Timer(MAX_WAIT_SECONDS, process.kill)
                    watchdog.start()
                    try:
                        for _i in range(picture.frames):
                            process.stdin.write(frame)
                    finally:
                        watchdog.cancel()
                process.stdin.close()
                status = process.wait(MAX_WAIT_SECONDS)
            except (BrokenPipeError, subprocess.TimeoutExpired):
                process.kill()
                status = process.wait() or 1
            except BaseException:
                process.kill()
                raise
        log.seek(0)
        lines = log.read().decode(errors="replace").split("\n")
    if status or not file.exists():
        raise FfmpegError(next((line for line in reversed(lines) if line.strip()), f"exit status {status}"))
