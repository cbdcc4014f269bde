"""What the screen says while a camera, button box or other device is missing."""

from companion.i18n import N_, _
from companion.lazy_message import LazyMessage

CAMERA = "camera"
POWER = "power supply"
WITHOUT_BUTTONS = N_("The keyboard works meanwhile.")
"""Added to the message that buttons are missing."""
DEVICE_LOST_MESSAGES = {
    CAMERA: N_("The camera is gone: plug it in again"),
    "button box": N_("The button box is gone: plug it in again"),
    "GPIO": N_("The buttons on the pins are gone: see that they are plugged in"),
}
"""By the device's name; a device that knows why it is missing reports that instead."""
SENTENCE_ENDS = (".", "?", "!")


def describe_missing_device(name: str, why: str, without_camera: str) -> str:
    """Describe a missing device, and what works meanwhile, in the current language.

    Args:
        name: of the device, as in `DeviceLost`.
        why: the device's own message, translated only now, as it may have come before the language was chosen; empty if
            it has none.
        without_camera: what is added if the camera is missing, in English; empty: nothing.

    >>> describe_missing_device("camera", "", "The game goes on by buttons.")
    'The camera is gone: plug it in again. The game goes on by buttons.'
    """
    said = _(why.template, **why.values) if isinstance(why, LazyMessage) else why
    text = said or _(DEVICE_LOST_MESSAGES.get(name) or N_("{device} is gone: plug it in again"), device=name)
    advice = {CAMERA: without_camera, POWER: ""}.get(name, WITHOUT_BUTTONS)
    return f"{text if text.endswith(SENTENCE_ENDS) else f'{text}.'} {_(advice)}" if advice else text
