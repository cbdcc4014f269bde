"""What the camera sees of a game, and what of its picture the players may see.

Problems of the view, and when they are reported: `companion/vision/view_check/monitor.py`.
"""

from dataclasses import replace

from companion.api import Visibility
from companion.events import CameraState, CameraStateChanged
from companion.journal.saved_game import SavedGame
from companion.referee.dialogs.large_picture import hide_reading
from companion.referee.screen_parts import NO_CAMERA_VIEW, hide_picture
from companion.screen_state import CameraView

SEEING_STATES = frozenset({CameraState.STEADY, CameraState.ROLLING, CameraState.HAND, CameraState.UNSURE})
"""States in which the camera can be relied on to see the next throw."""
MOVING_STATES = frozenset({CameraState.ROLLING, CameraState.HAND})
"""States in which the camera has yet to read what people have done."""


class CameraVisibility:
    """Follows the camera's state for one game.

    Args:
        saved_game: the game in play; it is only read.
        has_camera: there is a camera, whether or not it works now.
        is_table_virtual: the table is simulated.

    Attributes:
        seen: whether the camera sees dice and tokens now; nothing before its first state is received.
        is_waiting: something moves in this game's picture, so the camera has yet to read what people have done.
        is_lid_hidden: that may have been done on the lid.
        is_live_wanted: the players want the plain picture beside the game; it is shown while the game has a use for it.
    """

    def __init__(self, saved_game: SavedGame, *, has_camera: bool, is_table_virtual: bool = False) -> None:
        self._saved_game, self._has_camera = saved_game, has_camera
        self.seen = Visibility(is_table_virtual=is_table_virtual)
        self.is_waiting = self.is_lid_hidden = self.is_live_wanted = False

    def note_state(self, event: CameraStateChanged) -> None:
        """Note a new state of the camera, and whether it knows where the lid lies."""
        can_see = event.state in SEEING_STATES
        self.is_waiting = self._saved_game.definition.uses_camera and event.state in MOVING_STATES
        self.is_lid_hidden = self.is_waiting and event.lid_hidden
        self.seen = replace(self.seen, dice=can_see, tokens=can_see and event.lid_known)

    @property
    def is_secret(self) -> bool:
        """Whether the camera's picture would give something away now. (An open menu hides the game's offers.)"""
        return self._saved_game.definition.hides_picture(self._saved_game.game)

    @property
    def is_picture_public(self) -> bool:
        """Whether there is a picture of the table that everybody may see: of a simulated one there is a better view."""
        is_seen = self.seen.dice and not self.seen.is_table_virtual
        return self._saved_game.definition.uses_camera and is_seen and not self.is_secret

    @property
    def live_label(self) -> str | None:
        """Label of the key that shows the live picture, or hides it; None: there is no use for it now."""
        labels = self._live_labels
        return None if labels is None else labels[self.is_live_wanted]

    @property
    def is_live_shown(self) -> bool:
        """Whether the plain picture stands beside the game now."""
        return self.is_live_wanted and self._live_labels is not None

    @property
    def _live_labels(self) -> tuple[str, str] | None:
        if not self._has_camera or self.is_secret:
            return None
        return self._saved_game.definition.get_live_picture_labels(self._saved_game.game)

    def choose_view(self, camera_view: CameraView) -> CameraView:
        """Choose what is shown of the camera's view: all of it, the plain picture, the camera's state, or nothing."""
        if self.is_secret:
            return hide_picture(camera_view.state)
        if self.is_live_shown:
            return hide_reading(camera_view)
        return camera_view if self._saved_game.definition.uses_camera else NO_CAMERA_VIEW
