"""Which evening a moment belongs to: one that passes midnight is one, and ends at five in the morning."""

from datetime import date, datetime, timedelta

NIGHT_HOURS = 5
"""Hours after midnight that belong to the evening before."""


def get_evening(moment: datetime) -> date:
    """Return the day of the evening to which a moment in local time belongs.

    >>> get_evening(datetime(2026, 11, 24, 1, 19)), get_evening(datetime(2026, 11, 24, 5, 0))
    (datetime.date(2026, 11, 23), datetime.date(2026, 11, 24))
    """
    return (moment.replace(tzinfo=None) - timedelta(hours=NIGHT_HOURS)).date()


def find_first_moment(day: date) -> datetime:
    """Return when the evening before a day has ended, in local time.

    >>> find_first_moment(date(2026, 11, 24)).strftime("%d %H:%M")
    '24 05:00'
    """
    return datetime(day.year, day.month, day.day, NIGHT_HOURS).astimezone()
