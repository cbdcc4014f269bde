"""The result of a check, and its line for people."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from companion.i18n import replace_unprintable


class CheckMark(StrEnum):
    """Result of a check; the values are printed and are part of the JSON output."""

    OK = "ok"
    WARN = "warn"  # something is missing or slow, and the companion can run without it
    FAIL = "fail"  # the companion cannot run like this


@dataclass(frozen=True, slots=True)
class Check:
    """The result of one check. Written as JSON with these field names."""

    name: str
    """What was checked, such as "display"."""
    mark: CheckMark
    found: str
    """What was found, in English, in one line."""
    fix: str = ""
    """The remedy, in English, in one line; empty: none is needed or known."""


def format_checks(checks: Sequence[Check]) -> list[str]:
    """Return one line per check: result, name, what was found, and the remedy.

    Raises:
        ValueError: `checks` is empty.
    """
    width = max(len(check.name) for check in checks)
    return [
        replace_unprintable(
            f"{check.mark:4}  {check.name:{width}}  {check.found}{f' -> {check.fix}' if check.fix else ''}"
        )
        for check in checks
    ]
