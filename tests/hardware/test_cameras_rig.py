"""A live camera on a real kernel: the rig's V4L2 test pattern, read through OpenCV as a USB camera would be."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[2]
RIG = REPOSITORY.parent / "shared" / "rig" / "rig"
NO_BOOT = 125

IN_THE_RIG = """
import json, sys, time
sys.path.insert(0, sys.argv[1])
from hardware.cameras import CameraLost, open_camera
camera = open_camera("0", time.monotonic)
frames, began = [], time.monotonic()
while len(frames) < 10 and time.monotonic() - began < 30.0:
    frame = camera.read()
    if frame is None:
        time.sleep(0.002)
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


def test_a_kernels_camera_gives_stamped_frames_and_a_missing_one_says_so() -> None:
    if not RIG.exists():
        pytest.skip(f"the rig is not here: {RIG}")
    command = [str(RIG), sys.executable, "-c", IN_THE_RIG, str(REPOSITORY)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode == NO_BOOT:
        pytest.skip(f"the rig cannot boot on this machine: {done.stderr.strip()}")
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout.strip().splitlines()[-1])
    frames = said["frames"]
    assert len(frames) == 10
    assert [index for index, *_ in frames] == sorted({index for index, *_ in frames})
    stamps = [at for _, at, *_ in frames]
    assert stamps == sorted(set(stamps))
    assert all(said["began"] <= at <= read for _, at, read, *_ in frames)
    assert all(shape == [720, 1280, 3] and spread > 10.0 for *_, shape, spread in frames)
    assert said["missing"].startswith("camera 7 does not open")


CANNOT_HOLD = """
import json, logging, sys, time
sys.path.insert(0, sys.argv[1])
logging.basicConfig(level=logging.INFO, format="%(message)s", stream=sys.stderr)
import cv2
from hardware.cameras import open_camera
camera = open_camera("0", time.monotonic)
mode = camera._capture.get(cv2.CAP_PROP_AUTO_EXPOSURE)
began, after, phase = time.monotonic(), 0, camera._exposure.phase
while after < 5 and time.monotonic() - began < 60.0:
    frame = camera.read()
    if frame is None:
        time.sleep(0.01)
    elif camera._exposure.phase == "left alone":
        after += 1
print(json.dumps({"mode": mode, "first": phase, "last": camera._exposure.phase, "after": after}))
camera.close()
"""


def test_a_kernels_camera_whose_exposure_cannot_be_held_goes_on_and_says_so_once() -> None:
    """vivid's test pattern, like a loopback device, has no exposure control at all."""
    if not RIG.exists():
        pytest.skip(f"the rig is not here: {RIG}")
    command = [str(RIG), sys.executable, "-c", CANNOT_HOLD, str(REPOSITORY)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode == NO_BOOT:
        pytest.skip(f"the rig cannot boot on this machine: {done.stderr.strip()}")
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout.strip().splitlines()[-1])
    assert said == {"mode": -1.0, "first": "settling", "last": "left alone", "after": 5}
    assert done.stdout.count("camera 0: its exposure cannot be held") == 1
