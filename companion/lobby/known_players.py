"""Who plays here: names from earlier sittings, so that nobody enters one twice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from companion.events import Button
from companion.i18n import N_, Words
from companion.journal.database import Journal
from companion.journal.entry import Setup
from companion.journal.errors import BadSitting

_ = Words("companion")

SHAPES = {
    Button.SEAT1: N_("Circle"),
    Button.SEAT2: N_("Triangle"),
    Button.SEAT3: N_("Square"),
    Button.SEAT4: N_("Diamond"),
    Button.SEAT5: N_("Star"),
    Button.SEAT6: N_("Hexagon"),
}
"""A seat's shape, which (in the language of the evening) is its player's name until somebody gives a better one."""
LOOKED_AT = 60
"""Sittings, the latest, in which names are looked for."""


@dataclass(frozen=True, slots=True)
class Regulars:
    """`names`: latest first. `at`: who sat last at each button."""

    names: Sequence[str] = ()
    at: Mapping[Button, str] = field(default_factory=dict)


def shape_name(button: Button) -> str:
    """The name of somebody who has given none."""
    return _(SHAPES[button])


def every_shape_name() -> frozenset[str]:
    """The shapes' names in all languages."""
    return frozenset[str]().union(*(_.everywhere(shape) for shape in SHAPES.values()))


def regulars(journal: Journal) -> Regulars:
    """The names in the latest sittings."""
    shapes = every_shape_name()
    names: dict[str, None] = {}
    at: dict[Button, str] = {}
    for record in reversed(journal.records()[-LOOKED_AT:]):
        try:
            setup = Setup.from_json(record.setup)
        except BadSitting:
            continue
        for name, button in zip(setup.players, setup.buttons, strict=True):
            if name not in shapes:
                names.setdefault(name)
                at.setdefault(button, name)
    return Regulars(tuple(names), at)
