"""The table's own id, by which a club and the files of several boxes tell tables apart.

A second table of the same id is noticed by `companion/porch/mqtt.py`.
"""

import secrets
from pathlib import Path

from companion.config.json_store import JsonStore, StoredModel
from companion.i18n import N_
from companion.log import log

TABLE_FILE = "table.json"


class _StoredIdentity(StoredModel):
    id: str = ""
    """Empty: none was made yet."""


def load_table_id(folder: Path | None) -> str:
    """Return the id that this box made once; made now, and stored, if there is none.

    It is not the machine's name: two boxes from one card image have the same.

    >>> len(load_table_id(None))
    14

    Args:
        folder: the data folder; None: nothing is stored.
    """
    store = JsonStore(folder / TABLE_FILE if folder else None, _StoredIdentity, N_("The table's id"))
    if not store.value.id:
        made = f"table-{secrets.token_hex(4)}"
        # Clubs know the old one: it comes back if the file can be read later.
        store.update(lambda stored: stored.model_copy(update={"id": stored.id or made}))
    if store.problem:
        log.warning("%s", store.problem)
    return store.value.id
