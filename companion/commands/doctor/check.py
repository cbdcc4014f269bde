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
    """What was checked, the result, what was found, and the remedy. Written as JSON with these field names."""

    name: str
    mark: CheckMark
    found: str
    fix: str = ""


def format_checks(checks: Sequence[Check]) -> list[str]:
    """Return one line per check: result, name, what was found, and the remedy."""
    width = max(len(check.name) for check in checks)
    return [
        replace_unprintable(
            f"{check.mark:4}  {check.name:{width}}  {check.found}{f' -> {check.fix}' if check.fix else ''}"
        )
        for check in checks
    ]
