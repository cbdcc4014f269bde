"""When and how long each game was played last at this table, read from the journal without replaying anything."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from companion.api import AnyGameDefinition
from companion.journal.database import GameRecord, Journal
from companion.journal.entry import EntryKind, GameSetup, InvalidSavedGame
from companion.journal.play_time import find_begin

MAX_GAMES_SEARCHED = 1000
"""Newest games of the journal that are searched: years at home, months in a club. More make the list open later."""
MAX_GAME_SECONDS = 5 * 3600.0
"""Between the begin of a game and its last entry; after more it had been left lying."""


@dataclass(frozen=True, slots=True)
class LastPlayed:
    """The last time that a game was played.

    Args:
        number: the game's number in the journal: the higher, the later.
        begun: when it began, in local time; None: the machine did not know the date.
        minutes: how long it took; 0: not known.
    """

    number: int
    begun: datetime | None
    minutes: int


def format_game_key(game: str, given_name: str) -> str:
    """Return the key under which a game, or house rules with a name of their own, are known: in files too.

    >>> format_game_key("any_game", "Rummy"), format_game_key("chess", "")
    ('any_game: Rummy', 'chess')
    """
    return f"{game}: {given_name}" if given_name else game


def read_last_played(journal: Journal, definitions: Sequence[AnyGameDefinition]) -> Mapping[str, LastPlayed]:
    """Return when games were played last, by `format_game_key`; one that was not played here for long is missing.

    Raises:
        JournalUnwritable: the journal cannot be read.
    """
    by_name = {definition.name: definition for definition in definitions}
    name_settings = sorted({definition.name_setting for definition in definitions} - {""})
    found: dict[str, LastPlayed] = {}
    for record in journal.list_latest_games(MAX_GAMES_SEARCHED, name_settings):
        try:
            setup = GameSetup.from_json(record.setup_json)
        except InvalidSavedGame:
            continue
        if setup.game in by_name:
            key = format_game_key(setup.game, by_name[setup.game].get_given_name(setup.settings))
            begun = find_begin(record, journal.clock, None)
            found.setdefault(key, LastPlayed(record.id, begun, _measure_minutes(journal, record)))
    return found


def _measure_minutes(journal: Journal, record: GameRecord) -> int:
    try:
        last = journal.read_last_entry(record.id)
    except InvalidSavedGame:
        return 0
    if last is None or last.what.kind is EntryKind.SET_ASIDE or last.stamp.boot != record.started.boot:
        return 0
    seconds = last.stamp.monotonic - record.started.monotonic
    return round(seconds / 60) if seconds < MAX_GAME_SECONDS else 0
