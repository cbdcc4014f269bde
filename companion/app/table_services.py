"""Services that the device gives to a session: one value for all its stages."""

from dataclasses import dataclass, field

from companion.app.film_export import FilmExport
from companion.app.table_identity import TableIdentity
from companion.lobby.services import LobbyServices
from companion.system.appliance import Appliance


@dataclass(frozen=True)
class TableServices(LobbyServices):
    """Services of the device; the lobby sees the part `LobbyServices` of it, a game the part `GameServices`.

    >>> TableServices(lambda: 0.0, code_kind="text").appliance.is_present
    False
    """

    appliance: Appliance = field(default_factory=Appliance)
    """The device, if the program runs as its service: switches it off, restarts it into an upgrade."""
    table: TableIdentity | None = None
    """The table's id, for the names of exported files; None: it has none."""
    film_export: FilmExport | None = None
    """Writes films of finished games onto a USB stick; None: none are made."""
