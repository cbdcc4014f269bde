"""Who plays here: names from earlier sittings, so that nobody enters one twice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from companion.events import Button
from companion.i18n import N_, Translator
from companion.journal.database import Journal
from companion.journal.entry import GameSetup
from companion.journal.errors import InvalidSavedGame

_ = Translator("companion")

SHAPE_NAMES = {
    Button.SEAT1: N_("Circle"),
    Button.SEAT2: N_("Triangle"),
    Button.SEAT3: N_("Square"),
    Button.SEAT4: N_("Diamond"),
    Button.SEAT5: N_("Star"),
    Button.SEAT6: N_("Hexagon"),
}
"""A seat's shape, which (in the language of the evening) is its player's name until somebody gives a better one."""
RECENT_GAMES = 60
"""Sittings, the latest, in which names are looked for."""


@dataclass(frozen=True, slots=True)
class KnownPlayers:
    """`names`: latest first. `at`: who sat last at each button."""

    names: Sequence[str] = ()
    by_button: Mapping[Button, str] = field(default_factory=dict)


def shape_name(button: Button) -> str:
    """The name of somebody who has given none."""
    return _(SHAPE_NAMES[button])


def all_shape_names() -> frozenset[str]:
    """The shapes' names in all languages."""
    return frozenset[str]().union(*(_.in_all_languages(shape) for shape in SHAPE_NAMES.values()))


def load_known_players(journal: Journal) -> KnownPlayers:
    """The names in the latest sittings."""
    shapes = all_shape_names()
    names: dict[str, None] = {}
    at: dict[Button, str] = {}
    for record in reversed(journal.list_games()[-RECENT_GAMES:]):
        try:
            setup = GameSetup.from_json(record.setup_json)
        except InvalidSavedGame:
            continue
        for name, button in zip(setup.players, setup.buttons, strict=True):
            if name not in shapes:
                names.setdefault(name)
                at.setdefault(button, name)
    return KnownPlayers(tuple(names), at)
