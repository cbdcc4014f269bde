"""Drivers of everything at the physical table: buttons, lamps, cameras and the screen's connector."""

import os

# Without this a stalled USB camera blocks each read for ten seconds. OpenCV may read the variable when it is imported.
os.environ.setdefault("OPENCV_VIDEOIO_V4L_SELECT_TIMEOUT", "1")
# OpenCV decodes pictures of up to 2**30 pixels, 3 GB, from files of a few kilobytes; no camera or phone takes 2**26.
os.environ.setdefault("OPENCV_IO_MAX_IMAGE_PIXELS", str(2**26))
