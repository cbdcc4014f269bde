"""Who plays here: names from earlier sittings, so that nobody enters one twice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from companion.journal.entry import Setup
from companion.journal.errors import BadSitting
from companion.journal.store import Journal
from hardware.signals import Button

SHAPES = {
    Button.SEAT1: "Circle",
    Button.SEAT2: "Triangle",
    Button.SEAT3: "Square",
    Button.SEAT4: "Diamond",
    Button.SEAT5: "Star",
    Button.SEAT6: "Hexagon",
}
"""A seat's shape, which is its player's name until somebody gives a better one."""
LOOKED_AT = 60
"""Sittings, the latest, in which names are looked for."""


@dataclass(frozen=True, slots=True)
class Regulars:
    """`names`: latest first. `at`: who sat last at each button."""

    names: Sequence[str] = ()
    at: Mapping[Button, str] = field(default_factory=dict)


def regulars(journal: Journal) -> Regulars:
    """The names in the latest sittings."""
    names: dict[str, None] = {}
    at: dict[Button, str] = {}
    for record in reversed(journal.records()[-LOOKED_AT:]):
        try:
            setup = Setup.from_json(record.setup)
        except BadSitting:
            continue
        for name, button in zip(setup.players, setup.buttons, strict=True):
            if name not in SHAPES.values():
                names.setdefault(name)
                at.setdefault(button, name)
    return Regulars(tuple(names), at)
