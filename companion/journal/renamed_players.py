"""Other names of players: who was renamed or merged keeps all past games, and the journal stays as it was written.

`player-names.json` beside the journal says which name stands for which; all that shows past games asks it.
"""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from pydantic import Field

from companion.config.json_store import JsonStore, StoredModel
from companion.i18n import N_
from companion.journal.entry import PlayerName
from companion.names import make_name_key, normalize_name, resolve_names

NAMES_FILE = "player-names.json"


class _StoredOtherNames(StoredModel):
    names: dict[str, PlayerName] = Field(default_factory=dict)
    """The player's name now, by a name in the journal."""


class PlayerNames:
    """The names that players have now.

    >>> names = PlayerNames()
    >>> names.rename("bob", "Robert")
    >>> names.resolve("Bob"), names.list_others("Robert")
    ('Robert', ('bob',))

    Args:
        folder: of the journal; None: nothing is stored.

    Attributes:
        store: the file of the other names. Its problem may name players: it is not for the log.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self.store = JsonStore(
            folder / NAMES_FILE if folder else None,
            _StoredOtherNames,
            N_("The players' other names"),
        )
        self._index()

    def resolve(self, name: str) -> str:
        """Return the name that a player has now."""
        return self._by_key.get(make_name_key(name)) or normalize_name(name)

    def list_others(self, name: str) -> tuple[str, ...]:
        """Return the other names of a player, sorted."""
        key = make_name_key(name)
        others = (other for other, now in self.store.value.names.items() if make_name_key(now) == key)
        return tuple(sorted(other for other in others if make_name_key(other) != key))

    def list_all(self) -> set[str]:
        """Return all names in the file, also those that are not used because their entry is not valid."""
        stored = self.store.value.names
        return {*stored, *stored.values(), *(key.partition(".")[2] for key in self.store.ignored_keys)}

    def rename(self, name: str, new: str) -> str | None:
        """Let all games of a player count for another name, which may be that of another player: then they are one.

        Args:
            name: of the player now.
            new: the name from now on; of another player in whichever spelling that one has now.

        Returns:
            None, or a translated line: it could not be stored.
        """
        key = make_name_key(name)
        new = normalize_name(new) if make_name_key(self.resolve(new)) == key else self.resolve(new)
        own = {normalize_name(name): new, new: new}

        def change(names: dict[str, str]) -> dict[str, str]:
            others = {
                other: new if make_name_key(now) == key else now
                for other, now in names.items()
                if make_name_key(other) not in (key, make_name_key(new))
            }
            return others | own

        return self._update(change)

    def separate(self, other: str) -> str | None:
        """Let a name stand for itself again; returns None, or a translated line: it could not be stored."""
        key = make_name_key(other)
        return self._update(lambda names: {o: now for o, now in names.items() if make_name_key(o) != key})

    def unify(self, games: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """Return summaries of games with the names that players have now: of several spellings the latest.

        Args:
            games: JSON objects of `companion.journal.game_summary.summarise_game`, oldest first.
        """
        games = list(games)
        latest = {make_name_key(now): now for game in games for now in map(self.resolve, game.get("players", ()))}

        def resolve(name: str) -> str:
            return latest[make_name_key(self.resolve(name))]

        return [
            {**game, "players": list(resolve_names(game["players"], resolve))} if "players" in game else dict(game)
            for game in games
        ]

    def retry(self) -> None:
        """Read the file again if it could not be read, and write it if it could not be written."""
        if self.store.retry():
            self._index()

    def _update(self, change: Callable[[dict[str, str]], dict[str, str]]) -> str | None:
        problem = self.store.update(lambda stored: stored.model_copy(update={"names": change(stored.names)}))
        self._index()
        return problem

    def _index(self) -> None:
        self._by_key = {make_name_key(name): now for name, now in self.store.value.names.items()}
