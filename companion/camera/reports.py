"""What the camera's reader and its worker report alike: the camera's name, its failure, and the first view."""

from companion.events import CameraState
from companion.lazy_message import LazyMessage
from companion.screen_state import CameraView

CAMERA_NAME = "camera"
"""Name of the camera in `DeviceLost` and `DeviceRestored`."""

NO_PICTURES_MESSAGE = LazyMessage("The camera gives no pictures: unplug it and plug it in again")
"""Shown while an open camera gives no pictures."""

STARTING_VIEW = CameraView(CameraState.SEARCHING)
"""Shown until the first picture has been processed."""
