"""Redact private data in a bug report: names, home folders, addresses, serial numbers. Each is replaced by a word."""

import getpass
import re
import socket
from collections.abc import Iterable
from pathlib import Path

MIN_NAME_LETTERS = 2
"""Fewest letters of a name that is redacted; a name of one letter would redact every such single letter."""
URL_PATTERN = re.compile(r"(?P<scheme>[a-z][a-z0-9+.-]*)://[^\s\"'/]+(?P<rest>/[^\s\"']*)?", re.IGNORECASE)
IPV4_PATTERN = re.compile(r"(?<![\d.])(?:\d{1,3}\.){3}\d{1,3}(?![\d.])")
IPV6_PATTERN = re.compile(r"(?<![\w:])(?:[0-9a-f]{1,4}:){3,7}(?::?[0-9a-f]{1,4})(?![\w:])", re.IGNORECASE)
MAC_PATTERN = re.compile(r"(?<![\w:])(?:[0-9a-f]{2}:){5}[0-9a-f]{2}(?![\w:])", re.IGNORECASE)
USB_NAME_PATTERN = re.compile(
    r"(?P<before>\busb-[^\s\"',:]*_)[^\s\"',:_]+(?P<part>-(?:video-index|if)\d+|-event|-joystick)"
    r"|(?P<mac>/dev/(?:cu|tty)\.usb[a-z]+-?)[^\s\"',:]+"
)
"""Name of a USB device from udev, as in /dev/v4l/by-id, or macOS: its last word is usually the serial number."""
HOME_FOLDER_PATTERN = re.compile(r"(?P<where>/(?:home|media|run/media)/)(?P<who>[^/\s\"':]+)")


class Redactor:
    """Replaces private data in texts: call it with a text. It never raises.

    Args:
        names: names of the players; those shorter than MIN_NAME_LETTERS are not redacted.
        home: the home folder.
        user: the login name; empty (unknown), "root" and the service's own, "companion", are not redacted.
        host: the machine's name; empty (unknown) and "localhost" are not redacted.
    """

    def __init__(self, names: Iterable[str], home: Path, user: str, host: str) -> None:
        self._home = str(home)
        usable_names = sorted({name.strip() for name in names if len(name.strip()) >= MIN_NAME_LETTERS})
        words = {name: f"[player {number}]" for number, name in enumerate(usable_names, start=1)}
        if user not in {"", "root", "companion"}:
            words.setdefault(user, "[user]")
        if host not in {"", "localhost"}:
            words.setdefault(host, "[host]")
        longest_first = sorted(words, key=len, reverse=True)
        self._replacements = {word.casefold(): stands for word, stands in words.items()}
        # A name is redacted wherever it is a word of its own, in capitals or small letters.
        self._pattern = (
            re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest_first))})(?!\w)", re.IGNORECASE) if words else None
        )

    def __call__(self, text: str) -> str:
        """Return `text` with placeholders for private data, such as [player 1], [user], [host] and [address].

        Replaced are the names, the home folder (by ~), addresses of networks and devices, URLs, and serial numbers of
        USB devices.
        """
        if len(self._home) > 1:
            text = re.sub(rf"{re.escape(self._home)}(?![\w.-])", "~", text)
        text = HOME_FOLDER_PATTERN.sub(r"\g<where>[user]", text)
        text = URL_PATTERN.sub(lambda found: f"{found['scheme']}://[address]{'/...' if found['rest'] else ''}", text)
        text = USB_NAME_PATTERN.sub(lambda one: f"{one['before'] or one['mac']}[serial]{one['part'] or ''}", text)
        for pattern in (MAC_PATTERN, IPV6_PATTERN, IPV4_PATTERN):
            text = pattern.sub("[address]", text)
        if self._pattern is None:
            return text
        return self._pattern.sub(lambda found: self._replacements.get(found[0].casefold(), "[name]"), text)


def make_local_redactor(names: Iterable[str]) -> Redactor:
    """Return a redactor for this machine's user, home folder and host name, and for the players' `names`.

    Raises:
        RuntimeError: the user has no home folder.
    """
    try:
        user = getpass.getuser()
    except (KeyError, OSError, ImportError):  # a user without a name; Windows has no module pwd
        user = ""
    return Redactor(names, Path.home(), user, socket.gethostname())
