"""A table that guests come to and leave: after a quiet while the next ones find it as if nobody had been here."""

from __future__ import annotations

from companion.config.settings import CafeSettings
from companion.events import CameraStateChanged, DeviceLost, DeviceRestored, Event


class IdleTimer:
    """How long nobody has done anything. All times in seconds of the clock that stamps the signals.

    Args:
        settings: when that is long enough.
        now: the present.
    """

    def __init__(self, settings: CafeSettings, now: float) -> None:
        self._settings = settings
        self._last_activity = now

    def note_event(self, event: Event) -> None:
        """Somebody did something, unless it is a device or the light in the room that changed by itself."""
        if not isinstance(event, CameraStateChanged | DeviceLost | DeviceRestored):
            self._last_activity = max(self._last_activity, event.at)

    def is_abandoned(self, now: float) -> bool:
        """Whether the guests have gone."""
        return self._settings.on and now - self._last_activity >= self._settings.quiet_minutes * 60

    def is_dimmed(self, now: float) -> bool:
        """Whether the lobby is to be darkened."""
        return self._settings.on and now - self._last_activity >= self._settings.dim_minutes * 60
