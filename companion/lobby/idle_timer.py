"""Idle timer of the café mode: after some time without a press the next guests find a fresh lobby.

What follows: `Session._reset_if_abandoned` in `companion/app/session.py`.
"""

from companion.events import ButtonHeld, CameraStateChanged, DeviceLost, DeviceRestored, Event


class IdleTimer:
    """Measures for how long nobody has done anything. All times are seconds of the clock that stamps the events.

    Args:
        now: the present time, in seconds of the host's monotonic clock.
        is_on: whether café mode is on.
    """

    def __init__(self, now: float, *, is_on: bool) -> None:
        self._is_on = is_on
        self._last_activity = now

    def note_event(self, event: Event) -> None:
        """Note that somebody did something at the event's time; a later time noted before stays.

        A device, or the camera's state, that changes, and a stuck button, was not caused by a person and is not noted.

        Args:
            event: stamped in seconds of the host's monotonic clock.
        """
        if not isinstance(event, ButtonHeld | CameraStateChanged | DeviceLost | DeviceRestored):
            self._last_activity = max(self._last_activity, event.at)

    def was_active_since(self, at: float) -> bool:
        """Return whether somebody did something after `at`, in seconds of the host's monotonic clock."""
        return self._last_activity > at

    def is_idle(self, minutes: float, now: float) -> bool:
        """Return whether nobody has done anything for `minutes` or longer. False outside café mode.

        Args:
            minutes: the setting `quiet_minutes` (the guests count as gone) or `dim_minutes` (the lobby is dimmed).
            now: the present time, in seconds of the host's monotonic clock.
        """
        return self._is_on and now - self._last_activity >= minutes * 60
