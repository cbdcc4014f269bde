"""Games that were set aside before their end, to be continued from the lobby."""

from datetime import datetime

from companion.i18n import MONTH_NAMES, _, join_label
from companion.journal.database import Journal
from companion.journal.entry import EntryKind, GameSetup, InvalidSavedGame
from companion.journal.exported_game import find_definition
from companion.journal.play_time import find_begin
from companion.journal.seating import read_seating

MAX_GAMES_SEARCHED = 40
"""Number of most recent games that are searched for set-aside ones. More makes the lobby open later."""


def list_set_aside(journal: Journal, max_count: int = 5) -> tuple[tuple[int, str], ...]:
    """List the most recent games that were set aside before their end.

    The last entry of a game shows whether it was set aside; nothing is replayed for this. Games that are not installed
    and that no file in the journal describes, or whose setup or last entry cannot be read, are left out.

    Args:
        journal: the last MAX_GAMES_SEARCHED games in it are searched.
        max_count: most games that are listed, 1 or more.

    Returns:
        Number in the journal and translated label (game, local time, players) of each, newest first.

    Raises:
        JournalUnwritable: the journal cannot be read.
        Exception: an error while an installed game is loaded is passed on, such as ImportError.
    """
    found = []
    for record in reversed(journal.list_games(MAX_GAMES_SEARCHED)):
        try:
            setup = GameSetup.from_json(record.setup_json)
            names = ", ".join(read_seating(journal, record).players)
            last = journal.read_last_entry(record.id)
            if last is None or last.what.kind is not EntryKind.SET_ASIDE:
                continue
            title = find_definition(setup).format_title(setup.settings)
        except InvalidSavedGame:
            continue
        found.append((record.id, _format_label(title, find_begin(record, journal.clock, None), names)))
        if len(found) == max_count:
            break
    return tuple(found)


def _format_label(title: str, begun: datetime | None, names: str) -> str:
    if begun is None:
        return join_label(title, names)
    return _(
        "{game} of {day} {month}, {time}: {names}",
        game=title,
        day=begun.day,
        month=_(MONTH_NAMES[begun.month - 1]),
        time=f"{begun:%H:%M}",
        names=names,
    )
