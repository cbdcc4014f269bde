"""Services that the device gives to a session: one value for all its stages."""

from dataclasses import dataclass, field

from companion.app.film_export import FilmExport
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
    table_id: str = "table"
    """The table's name in those of exported files: small letters, digits, hyphens."""
    film_export: FilmExport | None = None
    """Writes films of finished games onto a USB stick; None: none are made."""
