"""All files of what people set and taught, and of what the box knows of itself.

Games: `companion/journal`.
"""

from dataclasses import dataclass
from typing import Any, Protocol

from companion.app.table_identity import TableIdentity
from companion.config.json_store import JsonStore
from companion.config.taught_buttons import TaughtButtons
from companion.config.taught_dice_store import TaughtDice
from companion.journal.renamed_players import PlayerNames
from companion.lobby import HouseRules, Preferences


class StoreOwner(Protocol):
    """What is stored in a file of its own."""

    @property
    def store(self) -> JsonStore[Any]:
        """The file."""

    def retry(self) -> None:
        """Read the file again if it could not be read, and write it if it could not be written."""


@dataclass(frozen=True, slots=True)
class StoredData:
    """The owners of these files.

    >>> data = StoredData(TaughtButtons(), TaughtDice(), HouseRules(), PlayerNames(), TableIdentity(), Preferences())
    >>> data.list_problems()
    []

    Attributes:
        table: None: it has no id.
        preferences: None: none can be changed.
    """

    buttons: TaughtButtons
    dice: TaughtDice
    rules: HouseRules
    names: PlayerNames
    table: TableIdentity | None
    preferences: Preferences | None

    def list_problems(self) -> list[str]:
        """Return what is wrong with the files, and with the preferences in them."""
        problems = [owner.store.problem for owner in self._list_owners()]
        if self.preferences is not None:
            problems.append(self.preferences.problem)
        return [problem for problem in problems if problem is not None]

    def retry(self) -> None:
        """Read the files again that could not be read, and write those that could not be written."""
        for owner in self._list_owners():
            owner.retry()

    def _list_owners(self) -> list[StoreOwner]:
        owners: list[StoreOwner] = [self.buttons, self.dice, self.rules, self.rules.named, self.names]
        return [*owners, *(owner for owner in (self.table, self.preferences) if owner is not None)]
