"""Where an MQTT broker is, how to log in, and what is wrong if that fails: for the porch and for the club."""

import re
import socket
import ssl
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from companion.file_reader import read_file

if TYPE_CHECKING:
    from paho.mqtt.properties import Properties
    from paho.mqtt.reasoncodes import ReasonCode

TOPIC_ROOT = "board-game-companion"
"""First level of all topics."""
PORT, TLS_PORT = 1883, 8883
"""Ports of a broker that names none."""
MAX_CA_BYTES = 1 << 22
"""Longest file of certificates; all that a machine trusts take 250 kB."""
MAX_PACKET_BYTES = 67_584
"""Largest packet that the broker may send, topic and all: it keeps back what is larger. A message that is read has 64
KiB. Larger: anybody who can write to the broker can take more of this machine's memory. A broker that ignores it is
not stopped: paho reads a packet of any size, up to 256 MB."""
LOGIN_REASONS = (134, 135)
"""Reason codes of MQTT 5 for "bad user name or password" and "not authorized"."""


@dataclass(frozen=True, slots=True)
class BrokerAccess:
    """Where the broker is and how to log in."""

    host: str
    port: int
    user: str = ""
    """Name to log in with; empty: none."""
    password: str = field(default="", repr=False)
    tls: bool = True
    """Encrypt, and check the broker's certificate."""
    ca_file: str = ""
    """PEM file of the authority that signed it; empty: those that the machine trusts."""

    def make_tls_context(self) -> ssl.SSLContext | None:
        """Return how to encrypt; None: not at all.

        Raises:
            OSError: `ca_file` cannot be read, or holds no certificate (ssl.SSLError).
        """
        if not self.tls:
            return None
        # ssl itself would wait at a pipe and never end at a device.
        pem = read_file(Path(self.ca_file), MAX_CA_BYTES).decode("ascii", "ignore") if self.ca_file else None
        return ssl.create_default_context(cadata=pem)


def make_connect_properties() -> "Properties":
    """Return what each client states when it connects: the largest packet that it takes."""
    from paho.mqtt.packettypes import PacketTypes  # the page alone does without the library
    from paho.mqtt.properties import Properties

    properties = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]  # it has no types
    properties.MaximumPacketSize = MAX_PACKET_BYTES
    return properties


def parse_broker(text: str, *, tls: bool) -> tuple[str, int]:
    """Parse "host", "host:port" or "[address]:port".

    Raises:
        ValueError: it is none of these.

    >>> parse_broker("club.example", tls=True), parse_broker("[::1]:1884", tls=False)
    (('club.example', 8883), ('::1', 1884))
    """
    try:
        if re.fullmatch(r"([A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(:[0-9]+)?", text):
            parts = urlsplit(f"//{text}")
            if parts.hostname and parts.hostname.encode("idna"):
                return parts.hostname, parts.port or (TLS_PORT if tls else PORT)
    except ValueError:  # no such port or address, a part of the name that is empty or too long
        pass
    raise ValueError(f"{text[:80]!a} is no host of a broker")


def describe_failure(access: BrokerAccess, failure: "BaseException | ReasonCode | None") -> str:
    """Return why there is no connection, with the setting that may be wrong: TLS, the port, or the login.

    Args:
        access: how it was tried.
        failure: the error, the broker's own reason, or None: the broker ended the connection without a word.
    """
    port = f"port {access.port}"
    match failure:
        case ssl.SSLCertVerificationError():
            return (
                f"its certificate is not accepted ({failure.verify_message}): name the authority that signed it "
                "(mqtt_ca, --ca), and the host as the certificate does"
            )
        case None | ConnectionResetError() | BrokenPipeError() | ssl.SSLError() if access.tls:
            return (
                f"{port} does not speak TLS: name the broker's port with TLS, mostly {TLS_PORT}, or do without TLS "
                "(mqtt_tls = false, no --tls)"
            )
        case None | ConnectionResetError() | BrokenPipeError():
            return f"{port} does not speak MQTT without TLS: switch TLS on (mqtt_tls = true, --tls), or name its port"
        case ConnectionRefusedError():
            return f"nothing listens at {port}: a broker's port is mostly {TLS_PORT} with TLS, {PORT} without"
        case socket.gaierror():
            return "no machine has this name"
        case TimeoutError():
            return f"{port} does not answer"
        case BaseException():
            return getattr(failure, "strerror", None) or str(failure) or type(failure).__name__
        case _ if failure.value in LOGIN_REASONS:
            return (
                f"the login is refused ({failure}): check name and password "
                "(mqtt_user, mqtt_password_file, --user, --password-file)"
            )
    return f"the broker refuses the connection: {failure}"
