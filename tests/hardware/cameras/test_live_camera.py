"""All kinds of live cameras: their frames, timestamps and failures."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import cv2
import numpy as np
import pytest

from companion.testing.table import ManualClock
from hardware.cameras import camera_opener
from hardware.cameras.camera_opener import open_camera
from hardware.cameras.live_camera import IDLE_SECONDS, MAX_FAILED_GRABS, CameraLost, LiveCamera
from hardware.cameras.recordings import MAX_PICTURE_PIXELS
from tests.conftest import REPOSITORY


def grey(level: int, size: tuple[int, int] = (64, 48)) -> np.typing.NDArray[np.uint8]:
    return np.full((size[1], size[0], 3), level, np.uint8)


@pytest.mark.parametrize("spec", ["/nowhere/at/all", "nonsense", "63"])
def test_camera_that_cannot_be_opened_is_reported(spec: str, clock: ManualClock) -> None:
    with pytest.raises(CameraLost, match=spec):
        open_camera(spec, clock)


@contextmanager
def serve_then_stay_silent(first: bytes) -> Iterator[str]:
    """Serve `first` to each client of a real TCP socket, then nothing, until the block ends; yield the address."""
    stopping = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            connections = []
            while not stopping.is_set():
                connection = server.accept()[0]
                connection.sendall(first)
                connections.append(connection)
            for connection in connections:
                connection.close()

        thread = threading.Thread(target=serve)
        thread.start()
        address = server.getsockname()
        yield f"http://127.0.0.1:{address[1]}/stream"
        stopping.set()
        socket.create_connection(address).close()
        thread.join()


OPENCV_SECONDS = 29.0
"""Less than OpenCV's own limit, 30 s."""


class TestNetworkCamera:
    """Both give up while the server is still silent, sooner than OpenCV would."""

    @pytest.fixture(autouse=True)
    def _shorten_limit(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(camera_opener, "READ_TIMEOUT_SECONDS", 1.0)  # the busiest machine reads a picture in it

    def test_camera_that_does_not_answer_does_not_open(
        self, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(camera_opener, "OPEN_TIMEOUT_SECONDS", 0.3)
        errors: list[CameraLost] = []

        def fail_to_open(address: str) -> None:
            with pytest.raises(CameraLost, match="does not open") as caught:
                open_camera(address, clock)
            errors.append(caught.value)

        with serve_then_stay_silent(b"") as address:
            thread = threading.Thread(target=fail_to_open, args=(address,), daemon=True)
            thread.start()
            thread.join(OPENCV_SECONDS)
            assert errors, "opening waits for the silent server"

    def test_grab_of_a_camera_that_stalls_fails(self, clock: ManualClock) -> None:
        picture = cv2.imencode(".jpg", grey(80))[1].tobytes()
        head = b"--f\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n" % len(picture)
        stream = b"HTTP/1.0 200 OK\r\nContent-Type: multipart/x-mixed-replace;boundary=f\r\n\r\n"
        with serve_then_stay_silent(stream + 4 * (head + picture + b"\r\n")) as address:
            camera = open_camera(address, clock)
            assert isinstance(camera, LiveCamera)
            camera._thread.join(OPENCV_SECONDS)
            assert not camera._thread.is_alive(), "a grab waits for the silent server"
            assert camera.read() is not None
            with pytest.raises(CameraLost, match="no more pictures"):
                camera.read()
            camera.close()


class ScriptedCapture:
    """A fake driver: each grab waits for `allow`; a None in the script fails, and after its end all grabs fail."""

    def __init__(self, script: list[int | None], clock: ManualClock) -> None:
        self._script, self._clock = script, clock
        self._level = 0
        self.done = threading.Event()
        self.released = threading.Event()

    def grab(self) -> bool:
        if not self._script:
            self.done.set()
            return False
        level = self._script.pop(0)
        self._clock.now += 1.0
        self._level = level or 0
        return level is not None

    def retrieve(self) -> tuple[bool, np.typing.NDArray[np.uint8]]:
        return True, grey(self._level)

    def release(self) -> None:
        self.released.set()


class SteppedCapture:
    """A fake driver with a frame a second that delivers frames only in `deliver`."""

    def __init__(self, clock: ManualClock) -> None:
        self._clock, self._frames, self._waiting = clock, threading.Semaphore(0), threading.Semaphore(0)
        self.decoded = 0
        self.fails = False

    def deliver(self, count: int) -> None:
        """Deliver frames, and wait until the camera's thread is done with them and asks for the next, or ends."""
        for _ in range(count):
            self._waiting.acquire()
            self._clock.now += 1.0
            self._frames.release()
        self._waiting.acquire()
        self._waiting.release()

    def grab(self) -> bool:
        self._waiting.release()
        self._frames.acquire()
        return not self.fails

    def retrieve(self) -> tuple[bool, np.typing.NDArray[np.uint8]]:
        self.decoded += 1
        return True, grey(40)

    def release(self) -> None:
        self._waiting.release()


class TestLive:
    def test_next_frame_after_a_read_is_given_and_stamped_when_grabbed(self, clock: ManualClock) -> None:
        capture = ScriptedCapture([None, 10, 20, 30], clock)
        camera = LiveCamera("camera 0", capture, clock)
        capture.done.wait()
        frame = camera.read()
        assert frame is not None
        assert (frame.image[0, 0, 0], frame.at, frame.index) == (10, 102.0, 0)
        camera.close()

    def test_camera_that_keeps_failing_is_lost_and_closed(self, clock: ManualClock) -> None:
        capture = ScriptedCapture([10] + [None] * MAX_FAILED_GRABS, clock)
        camera = LiveCamera("camera 0", capture, clock)
        capture.released.wait()
        camera.close()
        assert camera.read() is not None, "what was taken before the loss is still given"
        with pytest.raises(CameraLost, match="camera 0 gives no more pictures"):
            camera.read()

    @pytest.mark.parametrize("where", ["grab", "retrieve", "release"])
    @pytest.mark.parametrize("error", [cv2.error("a driver's fault"), SystemExit(2)])
    def test_driver_exception_means_camera_lost(self, clock: ManualClock, where: str, error: BaseException) -> None:
        capture = ScriptedCapture([10, 20] if where != "release" else [], clock)
        released = capture.release

        def fail() -> Any:
            released()
            raise error

        setattr(capture, where, fail)
        camera = LiveCamera("camera 0", capture, clock)
        camera._thread.join()
        with pytest.raises(CameraLost, match="camera 0"):
            camera.read()
        assert capture.released.is_set()
        camera.close()

    def test_only_frames_that_are_read_are_decoded(self, clock: ManualClock) -> None:
        """A reader that takes three frames' time for each: one of four is decoded, and none is old."""
        capture = SteppedCapture(clock)
        camera = LiveCamera("camera 0", capture, clock)
        capture.deliver(1)
        for _ in range(5):
            assert camera.read() is not None
            capture.deliver(3)  # while it is read
            assert camera.read() is None
            capture.deliver(1)
        frame = camera.read()
        assert frame is not None
        assert (capture.decoded, frame.at) == (6, clock.now)
        camera._closing.set()
        capture.deliver(1)

    def test_frames_that_nobody_reads_are_grabbed_and_not_decoded(self, clock: ManualClock) -> None:
        """A game without a camera: nothing is decoded, no old frame is given, and the next one is there at once."""
        capture = SteppedCapture(clock)
        camera = LiveCamera("camera 0", capture, clock)
        capture.deliver(20)
        assert capture.decoded == 1
        assert camera.read() is None, "it is old"
        capture.deliver(1)
        frame = camera.read()
        assert frame is not None
        assert (capture.decoded, frame.at) == (2, clock.now)
        capture.deliver(2 * round(IDLE_SECONDS))
        capture.fails = True
        capture.deliver(MAX_FAILED_GRABS)
        camera._thread.join()
        with pytest.raises(CameraLost, match="camera 0 gives no more pictures"):
            camera.read()

    def test_close_releases_the_device(self, clock: ManualClock) -> None:
        capture = ScriptedCapture([], clock)
        camera = LiveCamera("camera 0", capture, clock)
        camera.close()
        camera.close()
        assert capture.released.is_set()


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    "module", ["companion.camera.camera_reader", "companion.vision.frames.image_io", "hardware.cameras.exposure"]
)
def test_opencv_is_limited_for_every_import_order(module: str) -> None:
    """OpenCV waits ten seconds for a camera, and decodes a thousand million pixels, unless told before its import."""
    limits = {"OPENCV_VIDEOIO_V4L_SELECT_TIMEOUT": "1", "OPENCV_IO_MAX_IMAGE_PIXELS": str(MAX_PICTURE_PIXELS)}
    hook = (
        "import sys, os\n"
        "class Watch:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        f"        if name == 'cv2': assert {limits}.items() <= os.environ.items()\n"
        "sys.meta_path.insert(0, Watch())\n"
    )
    environ = {key: value for key, value in os.environ.items() if key not in limits}
    done = subprocess.run(
        [sys.executable, "-c", f"{hook}import {module}; print('cv2' in sys.modules)"],
        env=environ,
        capture_output=True,
        text=True,
        check=False,
        cwd=REPOSITORY,
    )
    assert (done.returncode, done.stdout) == (0, "True\n"), done.stderr
