"""A live camera on a real kernel: the rig's V4L2 test pattern, read through OpenCV as a USB camera would be."""

from __future__ import annotations

import json
import sys

import pytest

from hardware.cameras.exposure import ExposurePhase
from tests.kernel_rig.log_words import CAMERA_DOES_NOT_OPEN, EXPOSURE_NOT_HELD
from tests.kernel_rig.runner import run_on_rig

pytestmark = [pytest.mark.proof, pytest.mark.timeout(900)]  # boots a kernel: make rig, make nightly

IN_THE_RIG = """
import json, threading, time
from hardware.cameras.live_camera import CameraLost
from hardware.cameras.camera_opener import open_camera
camera, pause = open_camera("0", time.monotonic), threading.Event()
frames, began = [], time.monotonic()
while len(frames) < 10 and time.monotonic() - began < 300.0:
    frame = camera.read()
    if frame is None:
        pause.wait(0.002)
    else:
        frames.append((frame.index, frame.at, time.monotonic(), frame.image.shape, float(frame.image.std())))
camera.close()
try:
    open_camera("7", time.monotonic)
    missing = None
except CameraLost as lost:
    missing = str(lost)
print(json.dumps({"began": began, "frames": frames, "missing": missing}))
"""


def test_v4l2_frames_are_stamped_and_missing_camera_is_reported() -> None:
    result = json.loads(run_on_rig(sys.executable, "-c", IN_THE_RIG, needs=None).strip().splitlines()[-1])
    frames = result["frames"]
    assert len(frames) == 10
    assert [index for index, *_ in frames] == sorted({index for index, *_ in frames})
    stamps = [at for _, at, *_ in frames]
    assert stamps == sorted(set(stamps))
    assert all(result["began"] <= at <= read for _, at, read, *_ in frames)
    assert all(shape == [720, 1280, 3] and spread > 10.0 for *_, shape, spread in frames)
    assert result["missing"].startswith(f"camera 7 {CAMERA_DOES_NOT_OPEN}")


CANNOT_HOLD = """
import json, logging, sys, threading, time
logging.basicConfig(level=logging.INFO, format="%(message)s", stream=sys.stderr)
import cv2
from hardware.cameras.camera_opener import open_camera
from hardware.cameras.exposure import ExposurePhase
camera, pause = open_camera("0", time.monotonic), threading.Event()
mode = camera._capture.get(cv2.CAP_PROP_AUTO_EXPOSURE)
began, after, phase = time.monotonic(), 0, camera._controllers[0].phase
while after < 5 and time.monotonic() - began < 300.0:
    frame = camera.read()
    if frame is None:
        pause.wait(0.01)
    elif camera._controllers[0].phase is ExposurePhase.AUTOMATIC:
        after += 1
print(json.dumps({"mode": mode, "first": phase, "last": camera._controllers[0].phase, "after": after}))
camera.close()
"""


def test_v4l2_camera_without_exposure_control_continues_and_logs_once() -> None:
    """vivid's test pattern, like a loopback device, has no exposure control."""
    printed = run_on_rig(sys.executable, "-c", CANNOT_HOLD, needs=None)
    result = json.loads(printed.strip().splitlines()[-1])
    assert result == {"mode": -1.0, "first": ExposurePhase.SETTLING, "last": ExposurePhase.AUTOMATIC, "after": 5}
    assert printed.count(f"camera 0: {EXPOSURE_NOT_HELD}") == 1


SET_CONTROLS = """
import fcntl, json, os, struct
from pathlib import Path
import cv2
from hardware.cameras import mains
device = Path("/dev/video0")
refused = mains.set_power_line_frequency(device, 50)
capture = cv2.VideoCapture(str(device), cv2.CAP_V4L2)
before = capture.get(cv2.CAP_PROP_BRIGHTNESS)
mains._POWER_LINE_FREQUENCY, mains._MENU = 0x00980900, {50: 77}  # brightness, which this camera has
accepted = mains.set_power_line_frequency(device, 50)
after, focus = capture.get(cv2.CAP_PROP_BRIGHTNESS), capture.get(cv2.CAP_PROP_AUTOFOCUS)
said = {"refused": refused, "accepted": accepted, "changed": before != 77, "after": after, "autofocus": focus}
print(json.dumps(said))
"""


def test_kernel_takes_a_control_from_beside_opencv() -> None:
    """vivid knows no mains frequency, which harms nothing; another control is set while OpenCV has the device open."""
    result = json.loads(run_on_rig(sys.executable, "-c", SET_CONTROLS, needs=None).strip().splitlines()[-1])
    expected = {"refused": False, "accepted": True, "changed": True, "after": 77.0, "autofocus": -1.0}
    assert result == expected
