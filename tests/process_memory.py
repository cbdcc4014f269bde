"""The memory of the process of the tests."""

from __future__ import annotations

import gc
import resource
from pathlib import Path


def measure_memory_kib() -> int:
    """Return the memory that is resident now, in KiB."""
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * resource.getpagesize() // 1024
