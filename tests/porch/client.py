"""A reader of the playing unit's socket, for tests."""

from __future__ import annotations

import json
import socket
from pathlib import Path
from typing import Any, Self

TIMEOUT_SECONDS = 200


class SocketReader:
    """Connects to a publisher and reads its lines; a missing line fails the test."""

    def __init__(self, path: Path) -> None:
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(TIMEOUT_SECONDS)
        self.socket.connect(str(path))
        self._file = self.socket.makefile("rb")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def close(self) -> None:
        self._file.close()
        self.socket.close()

    def read(self, kind: str = "") -> dict[str, Any]:
        """Return the next line, or the next one of a kind."""
        while True:
            text = self._file.readline()
            assert text, "the connection was closed"
            if text.strip():
                line: dict[str, Any] = json.loads(text)
                if kind in ("", line["kind"]):
                    return line

    def is_closed(self) -> bool:
        """Read to the end, and return that it was reached."""
        try:
            while self._file.read(1 << 16):
                pass
        except ConnectionResetError:
            pass
        return True
