"""Parse TOML that is not valid as a whole: a wrong line costs that line, a wrong heading its section."""

import re
import tomllib
from typing import Any

MAX_STATEMENT_LINES = 60
"""Most lines of one statement, such as a list, in a file that is not valid. Larger: a hostile file takes longer."""
MAX_WRONG_LINES = 100
"""A file with more wrong lines is not parsed. Larger: a hostile file takes longer."""
_NO_HEADING = re.compile(r"""\s*($|\#|[\w."'-]+\s*=)""")
"""Begin of a line that is empty, a comment, or a key with its value."""
_ERROR_PLACE = re.compile(r"(.*) \(at line (\d+), column \d+\)")


def parse_toml_partly(text: str) -> tuple[dict[str, Any], list[str]]:
    r"""Parse a TOML document without the lines that are not valid.

    Returns:
        The values, and what is wrong, each with the number of its line; if nothing is, the document is valid.

    >>> parse_toml_partly("[table]\nkind = real\ncamera = 1\n")
    ({'table': {'camera': 1}}, ['line 2 is not TOML: Invalid value'])
    """
    try:
        return tomllib.loads(text), []
    except (ValueError, RecursionError):
        lines = text.split("\n")
    faults = dict[int, str]()
    begin, heading = 0, ""
    while begin < len(lines) and len(faults) <= MAX_WRONG_LINES:
        # The shortest run of lines that is a valid statement; if there is none, this line is wrong.
        ends = range(begin + 1, min(begin + MAX_STATEMENT_LINES, len(lines)) + 1)
        end = next((end for end in ends if _find_fault("\n".join([heading, *lines[begin:end]])) is None), None)
        is_heading = _is_heading(lines[begin])
        if end is None:
            faults[begin] = _find_fault(lines[begin]) or ""
            end = _find_heading(lines, begin + 1) if is_heading else begin + 1
            lines[begin:end] = [""] * (end - begin)
        elif is_heading:
            heading = lines[begin]
        begin = end
    # What is left may still be given twice.
    while len(faults) <= MAX_WRONG_LINES:
        text = "\n".join(lines)
        try:
            return tomllib.loads(text), [f"line {at + 1} is not TOML: {faults[at]}" for at in sorted(faults)]
        except (ValueError, RecursionError) as error:
            place = _ERROR_PLACE.fullmatch(str(error))
            at = min(int(place[2]) - 1 if place else begin, len(lines) - 1)
            faults[at] = place[1] if place else str(error)
            end = _find_heading(lines, at + 1) if _is_heading(lines[at]) else at + 1
            lines[at:end] = [""] * (end - at)
    return {}, ["too many lines are not TOML"]


def _is_heading(line: str) -> bool:
    """Return whether a line is the heading of a section, or may be one with a mistake: nothing under it counts then."""
    return _NO_HEADING.match(line) is None


def _find_fault(text: str) -> str | None:
    try:
        tomllib.loads(text)
    except RecursionError:
        return "too many brackets within brackets"
    except ValueError as error:
        return re.sub(r" \(at .*\)$", "", str(error))
    return None


def _find_heading(lines: list[str], begin: int) -> int:
    """Return the index of the next valid heading, or the number of lines."""
    return next(
        (at for at in range(begin, len(lines)) if lines[at].lstrip().startswith("[") and not _find_fault(lines[at])),
        len(lines),
    )
