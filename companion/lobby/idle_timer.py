"""A table that guests come to and leave: after a quiet while the next ones find it as if nobody had been here."""

from __future__ import annotations

from companion.config.settings import CafeSettings
from companion.events import CameraSays, DeviceBack, DeviceLost, Signal


class Lull:
    """How long nobody has done anything. All times in seconds of the clock that stamps the signals.

    Args:
        settings: when that is long enough.
        now: the present.
    """

    def __init__(self, settings: CafeSettings, now: float) -> None:
        self._settings = settings
        self._since = now

    def heed(self, signal: Signal) -> None:
        """Somebody did something, unless it is a device or the light in the room that changed by itself."""
        if not isinstance(signal, CameraSays | DeviceLost | DeviceBack):
            self._since = max(self._since, signal.at)

    def left(self, now: float) -> bool:
        """Whether the guests have gone."""
        return self._settings.on and now - self._since >= self._settings.quiet_minutes * 60

    def dims(self, now: float) -> bool:
        """Whether the lobby is to be darkened."""
        return self._settings.on and now - self._since >= self._settings.dim_minutes * 60
