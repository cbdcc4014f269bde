"""Bring the letters of a line into the order in which they are drawn, if some of its words go from right to left."""

import re
import unicodedata
from pathlib import Path

FontLetter = tuple[str | Path, str]
"""A font and a letter or mark that is drawn with it."""
_RIGHT_TO_LEFT = re.compile(r"RM*(?:[^L]*RM*)?\)?")
"""Words from right to left, in the kinds of `_classify`: letters (R), their marks (M), what parts them (L)."""
_SIGNS_IN_NAMES = frozenset("-.'\"!?&")
"""Signs that stand within a name or between two words of one: they do not end a run. A comma or colon ends it."""
_NUMBER_OR_LETTER = re.compile(r"(?:(?<!\S)-)?\d+(?:[.-]\d+)*|.", re.DOTALL)
"""One part of a turned run: a number stays as it is, from left to right and with its sign in front; or one letter."""
_MIRRORED = str.maketrans("()[]{}<>«»", ")(][}{><»«")
"""Signs that open on the right among words from right to left."""


def turn_right_to_left(letters: list[FontLetter]) -> list[FontLetter]:
    """Return a line as it is drawn: words from right to left that follow each other are turned as a whole.

    As the Unicode bidirectional algorithm (UAX 9) does it in a line from left to right, but words that a comma, colon
    or another sign parts are turned each by itself, and a number behind them stays on their right: in a line of
    several names and their points each name is left of its own points.
    """
    kinds = "".join(_classify(letter) for _font, letter in letters)
    turned: list[FontLetter] = []
    done = 0
    while longest := _RIGHT_TO_LEFT.search(kinds, done):
        # A bracket that was opened before these words stays behind them: the run ends with the last word before it.
        found = _RIGHT_TO_LEFT.match(kinds, longest.start(), _find_unopened_bracket(kinds, *longest.span()))
        assert found is not None, "it begins with a letter, before any bracket"
        start, end = found.span()
        turned += letters[done:start] + _turn(letters[start:end])
        done = end
    return turned + letters[done:]


def _find_unopened_bracket(kinds: str, start: int, end: int) -> int:
    """Return the index of the first closing bracket whose opening one is before `start`; `end` if there is none."""
    depth = 0
    for index in range(start, end):
        depth += (kinds[index] == "(") - (kinds[index] == ")")
        if depth < 0:
            return index
    return end


def _classify(letter: str) -> str:
    """Return the kind of a letter for `_RIGHT_TO_LEFT`."""
    if letter in "([{)]}":
        return "(" if letter in "([{" else ")"
    if letter.isspace() or letter.isdecimal() or letter in _SIGNS_IN_NAMES:
        return " "
    return {"R": "R", "NSM": "M"}.get(unicodedata.bidirectional(letter), "L")


def _turn(letters: list[FontLetter]) -> list[FontLetter]:
    """Return words in the other order, each mark after its letter; numbers keep their own order."""
    text = "".join(letter for _font, letter in letters)
    clusters: list[list[FontLetter]] = []
    for found in _NUMBER_OR_LETTER.finditer(text):
        if clusters and unicodedata.combining(found[0][0]):
            clusters[-1] += letters[found.start() : found.end()]
        else:
            clusters.append(letters[found.start() : found.end()])
    return [(font, letter.translate(_MIRRORED)) for cluster in reversed(clusters) for font, letter in cluster]
