"""Whatever is said of a colour: a whole message for each, for in other languages its word changes with the sentence."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from companion.games.memo_dice.view import Colour
from companion.i18n import N_, Words

_ = Words("memo_dice")

Said = Mapping[Colour, str]
"""A message by colour."""


def _said(gold: str, red: str, blue: str, black: str) -> Said:
    return MappingProxyType(dict(zip(Colour, (gold, red, blue, black), strict=True)))


NAME = _said(N_("golden"), N_("red"), N_("blue"), N_("black"))
LABEL = _said(N_("Golden"), N_("Red"), N_("Blue"), N_("Black"))
"""On a key, or under a cup."""
NONE = _said("", N_("No red"), N_("No blue"), N_("No black"))
CUP = _said(N_("the golden cup"), N_("a red cup"), N_("a blue cup"), N_("a black cup"))
IT_IS = _said("", N_("It is red"), N_("It is blue"), N_("It is black"))
COVER = _said(
    N_("{who}: let all look, then cover it with the golden cup"),
    N_("{who}: let all look, then cover it with a red cup"),
    N_("{who}: let all look, then cover it with a blue cup"),
    N_("{who}: let all look, then cover it with a black cup"),
)
COVERED = _said(
    N_("{who} covers die {n} with the golden cup"),
    N_("{who} covers die {n} with a red cup"),
    N_("{who} covers die {n} with a blue cup"),
    N_("{who} covers die {n} with a black cup"),
)
NONE_LEFT = _said("", N_("No red left: golden cup"), N_("No blue left: golden cup"), N_("No black left: golden cup"))
# Why something is refused, or cannot be so.
GOLD_INSTEAD = _said(
    "",
    N_("D14: no red cup is left, the golden cup covers this die"),
    N_("D14: no blue cup is left, the golden cup covers this die"),
    N_("D14: no black cup is left, the golden cup covers this die"),
)
TAKE_BACK = _said(
    "",
    N_("D14: no red cup is left; take the roll back, then the golden cup covers it"),
    N_("D14: no blue cup is left; take the roll back, then the golden cup covers it"),
    N_("D14: no black cup is left; take the roll back, then the golden cup covers it"),
)
ONLY = _said(
    "",
    N_("D1: there are only {n} red cups"),
    N_("D1: there are only {n} blue cups"),
    N_("D1: there are only {n} black cups"),
)


def of(said: Said, colour: Colour, **values: object) -> str:
    """What is said of this colour, in the language of the evening."""
    return _(said[colour], **values)
