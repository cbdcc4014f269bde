"""Drivers of everything at the physical table: buttons, lamps, cameras and the screen's connector."""

import os

# Without this a stalled USB camera blocks each read for ten seconds. OpenCV may read the variable when it is imported.
os.environ.setdefault("OPENCV_VIDEOIO_V4L_SELECT_TIMEOUT", "1")
