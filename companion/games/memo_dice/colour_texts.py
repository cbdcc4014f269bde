"""Texts about a colour: a whole message for each, since in other languages the word for a colour varies by sentence."""

from collections.abc import Mapping
from types import MappingProxyType

from companion.events import MemoColour
from companion.i18n import N_


def _by_colour(gold: str, red: str, blue: str, black: str) -> Mapping[MemoColour, str]:
    """Return a table of untranslated messages; "" for a colour that has none."""
    return MappingProxyType(
        {MemoColour.GOLD: gold, MemoColour.RED: red, MemoColour.BLUE: blue, MemoColour.BLACK: black}
    )


NAMES = _by_colour(N_("golden"), N_("red"), N_("blue"), N_("black"))
"""Names of the colours: "red"."""
LABELS = _by_colour(N_("Golden"), N_("Red"), N_("Blue"), N_("Black"))
"""Labels of keys and cups."""
CUP_NAMES = _by_colour("", N_("a red cup"), N_("a blue cup"), N_("a black cup"))
"""Names of a cup within a sentence: "a red cup"."""
IT_IS_LABELS = _by_colour("", N_("Is red"), N_("Is blue"), N_("Is black"))
"""Labels of keys that correct a colour: "It is red"."""
COVER_PROMPTS = _by_colour(
    N_("{who}: let all see the symbol, then put the golden cup over it"),
    N_("{who}: let all see the symbol, then put a red cup over it"),
    N_("{who}: let all see the symbol, then put a blue cup over it"),
    N_("{who}: let all see the symbol, then put a black cup over it"),
)
COVERED_LINES = _by_colour(
    N_("{who} covers die {n} with the golden cup"),
    N_("{who} covers die {n} with a red cup"),
    N_("{who} covers die {n} with a blue cup"),
    N_("{who} covers die {n} with a black cup"),
)
GOLD_INSTEAD = _by_colour(
    "",
    N_("no red cup is left, the golden cup covers this die"),
    N_("no blue cup is left, the golden cup covers this die"),
    N_("no black cup is left, the golden cup covers this die"),
)
TAKE_ROLL_BACK = _by_colour(
    "",
    N_("no red cup is left; take the roll back, then the golden cup covers it"),
    N_("no blue cup is left; take the roll back, then the golden cup covers it"),
    N_("no black cup is left; take the roll back, then the golden cup covers it"),
)
TOO_MANY_CUPS = _by_colour(
    "",
    N_("there are only {n} red cups"),
    N_("there are only {n} blue cups"),
    N_("there are only {n} black cups"),
)
