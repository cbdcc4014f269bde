"""Idle timer of the café mode: after some time without a press the next guests find a fresh lobby."""

from companion.config.settings import CafeSettings
from companion.events import CameraStateChanged, DeviceLost, DeviceRestored, Event


class IdleTimer:
    """Measures for how long nobody has done anything. All times are seconds of the clock that stamps the events.

    Args:
        settings: whether the timer is on, the minutes until the screen is dimmed, and until the guests count as gone.
        now: the present time, in seconds of the host's monotonic clock.
    """

    def __init__(self, settings: CafeSettings, now: float) -> None:
        self._settings = settings
        self._last_activity = now

    def note_event(self, event: Event) -> None:
        """Note activity, unless the event is a device, or the camera's state, that changed by itself.

        Args:
            event: stamped in seconds of the host's monotonic clock.
        """
        if not isinstance(event, CameraStateChanged | DeviceLost | DeviceRestored):
            self._last_activity = max(self._last_activity, event.at)

    def is_abandoned(self, now: float) -> bool:
        """Return whether nobody has done anything for `quiet_minutes`: the guests count as gone. False if it is off.

        Args:
            now: the present time, in seconds of the host's monotonic clock.
        """
        return self._settings.on and now - self._last_activity >= self._settings.quiet_minutes * 60

    def is_dimmed(self, now: float) -> bool:
        """Return whether nobody has done anything for `dim_minutes`, so that the lobby is dimmed; False if it is off.

        Args:
            now: the present time, in seconds of the host's monotonic clock.
        """
        return self._settings.on and now - self._last_activity >= self._settings.dim_minutes * 60
