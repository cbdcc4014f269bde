"""Announce the steps of what takes long: "step 3 of 9: compress the disk"."""

from __future__ import annotations


class Steps:
    """Counts and prints steps.

    >>> steps = Steps(2)
    >>> steps.begin("build the wheel")
    step 1 of 2: build the wheel

    Args:
        count: number of calls of `begin` that will come.
    """

    def __init__(self, count: int) -> None:
        self.count, self._begun = count, 0

    def begin(self, name: str) -> None:
        """Print the number and name of the step that begins now."""
        self._begun += 1
        print(f"step {self._begun} of {self.count}: {name}", flush=True)
