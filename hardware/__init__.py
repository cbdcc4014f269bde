"""Everything that touches the physical table: buttons, lamps, cameras, and their virtual twins."""

import os

# A stalled USB camera blocks each read for ten seconds otherwise; OpenCV may look at this when it is imported.
os.environ.setdefault("OPENCV_VIDEOIO_V4L_SELECT_TIMEOUT", "1")
