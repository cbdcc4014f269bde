"""Write a file in every way that the system has, with and without short writes.

Usage: every_write.py FOLDER
"""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path

import pytest

from tests.fault_injection.disk import SHORT, Control

PIECES = (b"ab" * 400, b"cd" * 300)


def write_everywhere(path: Path, flags: int) -> list[int]:
    """Return how much each call took."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | flags, 0o600)
    taken = [
        os.write(descriptor, PIECES[0]),
        os.writev(descriptor, PIECES),
        os.pwrite(descriptor, PIECES[1], 5000),
        os.pwritev(descriptor, PIECES, 7000),
        os.write(descriptor, PIECES[1]),
    ]
    os.close(descriptor)
    return taken


def main(folder: Path) -> None:
    control = Control()
    for name, flags in (("plain", 0), ("appended", os.O_APPEND)):
        assert write_everywhere(folder / name, flags) == [800, 1400, 600, 1400, 600]
        control.fail(0, 0, SHORT)
        assert write_everywhere(folder / f"{name}-short", flags)[1:] == [700, 300, 700, 300]
        control.fail(1, 1, errno.ENOSPC)
        with pytest.raises(OSError, match="No space left"):
            write_everywhere(folder / f"{name}-full", flags)
        control.heal()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
