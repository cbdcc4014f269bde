"""Display preferences: colours, rotation, distance, animations, keyboard hints, touch operation.

How people choose and store them: `companion.lobby.preferences`.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class DisplayPreferences:
    """How the picture is drawn on this device, as set in its settings.

    Attributes:
        palette: a key of `theme.PALETTES`.
        rotation_deg: degrees clockwise by which the picture is rotated: 0, 90, 180 or 270.
        mirrored: the keys OK, NO, plus and minus stand at the left of the row, for the left hand.
        animations: icons fly over the picture to show where points and pieces go.
        touch_seats: there are no buttons: areas along the top and bottom edges are the seats' buttons.
        keyboard_hints: soft keys name the keyboard key that stands for their button.
        sign_keys: what is printed on the keyboard's keys for PLUS and MINUS.
        is_far: the layout for people who sit too far away for the letters of the other one (`legibility.needs_far`).
        has_keys: False: there are neither soft keys nor a status line, as in a film; the stage has their room.
    """

    palette: str = "dark"
    rotation_deg: int = 0
    mirrored: bool = False
    animations: bool = True
    touch_seats: bool = False
    keyboard_hints: bool = True
    sign_keys: tuple[str, str] = ("+", "−")
    is_far: bool = False
    has_keys: bool = True


DEFAULT_PREFERENCES = DisplayPreferences()
"""Preferences of a device whose settings say nothing."""
