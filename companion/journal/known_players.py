"""Names of known players from earlier games, so that nobody enters a name twice."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from companion.events import Button
from companion.i18n import N_, _
from companion.journal.database import Journal
from companion.journal.entry import InvalidSavedGame
from companion.journal.seating import read_seating
from companion.names import make_name_key

SHAPE_NAMES = {
    Button.SEAT1: N_("Circle"),
    Button.SEAT2: N_("Triangle"),
    Button.SEAT3: N_("Square"),
    Button.SEAT4: N_("Diamond"),
    Button.SEAT5: N_("Star"),
    Button.SEAT6: N_("Hexagon"),
}
"""Name of each seat's shape, untranslated; it is the player's name until a better one is entered."""
RECENT_GAMES = 60
"""Number of most recent games that are searched for names; more makes the lobby open later."""


@dataclass(frozen=True, slots=True)
class KnownPlayers:
    """Names of known players."""

    names: Sequence[str] = ()
    """Latest first."""
    by_button: Mapping[Button, str] = field(default_factory=dict)
    """Who sat at each button last."""


def shape_name(button: Button) -> str:
    """Return the name of a player who has given none, in the current language: the shape on the seat's button.

    Args:
        button: a seat's button.

    Raises:
        KeyError: it is no seat's button.
    """
    return _(SHAPE_NAMES[button])


def all_shape_names() -> frozenset[str]:
    """Return the names of all seats' shapes in all languages: names that no player has entered."""
    return frozenset[str]().union(*(_.in_all_languages(shape) for shape in SHAPE_NAMES.values()))


def load_known_players(journal: Journal) -> KnownPlayers:
    """Collect the players' names in the latest `RECENT_GAMES` games of a journal; damaged games are skipped.

    Names of shapes, in any language, are left out.

    Args:
        journal: it is only read.

    Raises:
        JournalUnwritable: the journal cannot be read.
    """
    shapes = all_shape_names()
    names: dict[str, str] = {}  # by key: of several spellings the latest
    by_button: dict[Button, str] = {}
    for record in reversed(journal.list_games(RECENT_GAMES)):
        try:
            seating = read_seating(journal, record)
        except InvalidSavedGame:
            continue
        for name, button in zip(seating.players, seating.buttons, strict=True):
            if name not in shapes:
                latest = names.setdefault(make_name_key(name), name)
                by_button.setdefault(button, latest)
    return KnownPlayers(tuple(names.values()), by_button)
