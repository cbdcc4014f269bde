"""A disk without room: each file can grow to some bytes, then the system refuses more."""

from __future__ import annotations

import resource
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def limit_file_size(max_bytes: int) -> Iterator[None]:
    """Let no file of this process grow beyond that number of bytes: the system then takes a part of what is written.

    The error is EFBIG in place of ENOSPC; mounting a full disk needs root.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (max_bytes, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
