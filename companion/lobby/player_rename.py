"""Rename a player in all past games, let two names be one player, and part them again: dialogs of the history."""

from collections.abc import Callable, Sequence
from functools import partial

from companion.i18n import _
from companion.journal.known_players import all_shape_names
from companion.lobby.results_cache import ResultsCache
from companion.names import has_name, make_name_key
from companion.referee.dialogs.base import ListMenu, Step, open_numbered_menu
from companion.referee.dialogs.name_input import NameInput

OpenPlayer = Callable[[str], Step]
"""Makes the step that shows a player's page."""


def open_rename_menu(results: ResultsCache, name: str, show: OpenPlayer) -> ListMenu:
    """Open the choice of a player's name from now on: a new one, or that of another player, who is the same person.

    Args:
        results: the summaries of past games, all read.
        name: of the player now.
        show: makes the step that shows a player's page.
    """
    others = dict.fromkeys(other for players in reversed(_list_tables(results)) for other in players)
    shapes = all_shape_names()
    choose = partial(_choose_name, results, name, show)
    items = [(other, partial(choose, other)) for other in others if other != name and other not in shapes]
    spell = NameInput(_("Spell the new name, or type it"), choose)
    return open_numbered_menu(_("{who}: which name from now on?", who=name), [(_("Another name"), spell), *items])


def open_separation_menu(results: ResultsCache, name: str, show: OpenPlayer) -> ListMenu:
    """Open the choice of the name that is another player again."""
    items = [(other, partial(_separate, results, other, show)) for other in results.player_names.list_others(name)]
    return open_numbered_menu(_("{who}: which name is somebody else?", who=name), items)


def _list_tables(results: ResultsCache) -> Sequence[Sequence[str]]:
    """Return who played in each game, oldest first, by the names of now."""
    return [game.get("players", ()) for game in results.player_names.unify(results.summaries)]


def _choose_name(results: ResultsCache, name: str, show: OpenPlayer, new: str) -> Step:
    other = results.player_names.resolve(new)
    if make_name_key(other) == make_name_key(name):
        return _rename(results, name, show, new)
    if has_name(all_shape_names(), other):
        title = _("{name} is the name of a seat: it may be anybody", name=other)
        return open_numbered_menu(title, [(_("All right"), partial(show, name))])
    tables = _list_tables(results)
    if any(has_name(players, name) and has_name(players, other) for players in tables):
        title = _("{who} and {other} have sat at one table: they stay two", who=name, other=other)
        return open_numbered_menu(title, [(_("All right"), partial(show, name))])
    if not any(has_name(players, other) for players in tables):
        return _rename(results, name, show, new)
    title = _("Do all games of {who} count for {other} from now on?", who=name, other=other)
    return open_numbered_menu(
        title, [(_("Yes, they are one"), partial(_rename, results, name, show, other)), (_("No"), partial(show, name))]
    )


def _rename(results: ResultsCache, name: str, show: OpenPlayer, new: str) -> Step:
    return _report(results.player_names.rename(name, new), partial(show, results.player_names.resolve(new)))


def _separate(results: ResultsCache, other: str, show: OpenPlayer) -> Step:
    return _report(results.player_names.separate(other), partial(show, other))


def _report(problem: str | None, go_on: Callable[[], Step]) -> Step:
    """Return the next step, after what could not be stored is read."""
    return go_on() if problem is None else open_numbered_menu(problem, [(_("All right"), go_on)])
