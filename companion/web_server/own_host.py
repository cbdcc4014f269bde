"""Whether an address is this machine's own, and whether a browser asked for it (DNS rebinding)."""

import contextlib
import ipaddress
from socket import gethostname
from urllib.parse import urlsplit


def is_loopback(address: str) -> bool:
    """Return whether an address that is bound can be reached from this machine only."""
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return address == "localhost"


def is_own_host(host_header: str, own_host: str | None) -> bool:
    """Return whether a browser asked for this machine, and not for a page elsewhere that lets its name point here.

    (DNS rebinding: such a page could read the answer.) Numbers, "localhost" and the machine's name are its own; nobody
    can register a name without a dot, or one that ends with ".local".

    >>> is_own_host("192.168.1.7:8788", None), is_own_host("evil.example", "club.example")
    (True, False)

    Args:
        host_header: header `Host` of the request.
        own_host: a further name of this machine; None: there is none.
    """
    try:
        host = urlsplit(f"//{host_header}").hostname or ""
    except ValueError:
        return False
    machine = gethostname().lower().partition(".")[0]
    if host in ("localhost", own_host, machine, f"{machine}.local"):
        return True
    with contextlib.suppress(ValueError):
        ipaddress.ip_address(host)
        return True
    return False
