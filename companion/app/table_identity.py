"""The table's own id, by which a club and the files of several boxes tell tables apart.

A second table of the same id is noticed by `companion/porch/mqtt.py`.
"""

import secrets
from pathlib import Path
from typing import Annotated

from pydantic import StringConstraints

from companion.config.json_store import JsonStore, StoredModel
from companion.i18n import N_
from companion.names import TABLE_ID_PATTERN

TABLE_FILE = "table-id.json"


class _StoredIdentity(StoredModel):
    id: Annotated[str, StringConstraints(pattern=TABLE_ID_PATTERN)] = ""
    """Empty: none was made yet."""


class TableIdentity:
    """The id that this box made once; made now, and stored, if there is none.

    It is not the machine's name: two boxes from one card image have the same.

    >>> len(TableIdentity().id), TableIdentity(given="hall-1").id
    (14, 'hall-1')

    Args:
        folder: the data folder; None: nothing is stored.
        given: the id that the settings name, which has priority; empty: none.
        can_make: make an id if there is none; otherwise nothing is written, and the id is empty.

    Attributes:
        store: the file of the id.
    """

    def __init__(self, folder: Path | None = None, given: str = "", *, can_make: bool = True) -> None:
        self._given, self._can_make = given, can_make
        self.store = JsonStore(
            folder / TABLE_FILE if folder and not given else None,
            _StoredIdentity,
            N_("The table's id"),
            vital_key="id",
        )
        self._make_id()

    @property
    def id(self) -> str:
        """The id; empty while neither its file nor the copy can be read: clubs know the one in it."""
        return self._given or self.store.value.id

    def retry(self) -> None:
        """Read the file again if it could not be read, and write it if it could not be written."""
        if self.store.retry():
            self._make_id()

    def _make_id(self) -> None:
        if self._can_make and not self.id and not self.store.is_unread:
            made = f"table-{secrets.token_hex(4)}"
            self.store.update(lambda stored: stored.model_copy(update={"id": made}))
