"""The date and time of a device without a network, set by buttons alone."""

from collections.abc import Callable
from datetime import date, datetime, time
from functools import partial

from companion.i18n import _, format_day
from companion.journal.play_time import to_local_time
from companion.journal.timestamps import TimestampClock
from companion.referee.dialogs.base import LazyStep, Step
from companion.referee.dialogs.number_inputs import Number, NumberInput

FIRST_DAY, LAST_DAY = date(2026, 1, 1), date(2099, 12, 31)
"""Days that can be set: from the first release on."""
DAY_JUMPS = (-365, -30, -7, 7, 30, 365)
MINUTE_JUMPS = (-60, -10, -5, 5, 10, 60)
MAX_ERROR_SECONDS = 5.0
"""Largest difference between the clock and what it was set to at which it counts as set."""
WAIT_SECONDS = 10.0
"""How long to wait for systemd to set the clock."""


class ClockSetting:
    """Sets the machine's clock, which only another program may, and says how that went.

    Args:
        clock: the journal's.
        request: asks for the clock to be set to Unix seconds; returns whether it could be asked for.
        monotonic: the host's monotonic clock, in seconds.
    """

    def __init__(self, clock: TimestampClock, request: Callable[[float], bool], monotonic: Callable[[], float]) -> None:
        self._clock, self._request, self._monotonic = clock, request, monotonic
        self._requested: tuple[float, float] | None = None
        """Unix seconds that were asked for, and when, on the monotonic clock; None: nothing was."""

    @property
    def is_date_known(self) -> bool:
        """Whether the machine knows the date."""
        return self._clock.is_date_known(self._clock.now())

    def read(self) -> datetime:
        """Return the machine's date and time, known or not, in local time."""
        return to_local_time(self._clock.now().wall, None)

    def format(self) -> str:
        """Return the date and time for the screen, or that they are not known."""
        return format_moment(self.read()) if self.is_date_known else _("not known")

    def set(self, moment: datetime) -> str:
        """Ask for the clock to be set; `poll` says how it went.

        Args:
            moment: in local time.

        Returns:
            A notice for the screen if it cannot be asked for, else nothing.
        """
        target = moment.timestamp()
        if not self._request(target):
            return _("This device cannot set its clock")
        self._requested = (target, self._monotonic())
        return ""

    def poll(self) -> str | None:
        """Return a notice once the clock was set, or was not after WAIT_SECONDS; None: nothing is new."""
        if self._requested is None:
            return None
        target, asked_at = self._requested
        waited = self._monotonic() - asked_at
        if abs(self._clock.now().wall - target - waited) <= MAX_ERROR_SECONDS:
            self._requested = None
            self._clock.confirm_date()
            return _("It is {moment}", moment=format_moment(self.read()))
        if waited < WAIT_SECONDS:
            return None
        self._requested = None
        return _("The clock could not be set")


def format_moment(moment: datetime) -> str:
    """Return date and time for the screen in the current language."""
    return _("{day}, {time}", day=format_day(moment), time=f"{moment:%H:%M}")


def open_clock_input(setting: ClockSetting, notify: Callable[[Callable[[], str]], Step], back: LazyStep) -> NumberInput:
    """Open the input of the day, and after it that of the time of day.

    Args:
        setting: sets the clock.
        notify: does something, and shows the notice that it returns.
        back: step of NO.
    """
    now = setting.read()

    def set_clock(day: Number, minute: Number) -> Step:
        moment = datetime.combine(date.fromordinal(int(day)), time(*divmod(int(minute), 60)))
        return notify(partial(setting.set, moment))

    def open_time(day: Number) -> NumberInput:
        return NumberInput(
            _("Time"),
            now.hour * 60 + now.minute,
            0,
            24 * 60 - 1,
            lambda minute: partial(set_clock, day, minute),
            format_value=lambda minute: f"{int(minute) // 60:02}:{int(minute) % 60:02}",
            back=partial(open_clock_input, setting, notify, back),
            jumps=MINUTE_JUMPS,
        )

    return NumberInput(
        _("Date"),
        min(max(now.date(), FIRST_DAY), LAST_DAY).toordinal(),
        FIRST_DAY.toordinal(),
        LAST_DAY.toordinal(),
        lambda day: partial(open_time, day),
        format_value=lambda day: format_day(datetime.combine(date.fromordinal(int(day)), time())),
        back=back,
        jumps=DAY_JUMPS,
    )
