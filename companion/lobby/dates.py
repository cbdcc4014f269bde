"""Days, as people write them in the language of the evening."""

from __future__ import annotations

from datetime import datetime

from companion.i18n import N_, Translator

_ = Translator("companion")

MONTH_NAMES = (
    *(N_("Jan"), N_("Feb"), N_("Mar"), N_("Apr"), N_("May"), N_("Jun")),
    *(N_("Jul"), N_("Aug"), N_("Sep"), N_("Oct"), N_("Nov"), N_("Dec")),
)


def format_day(date: datetime) -> str:
    """A day with its year.

    >>> day_of(datetime(2026, 11, 21))
    '21 Nov 2026'
    """
    return _("{day} {month} {year}", day=date.day, month=_(MONTH_NAMES[date.month - 1]), year=date.year)
