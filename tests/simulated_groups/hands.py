"""Hands on a table, in two ways: as readings that a perfect camera would send, or as frames of a simulated table."""

from __future__ import annotations

from random import Random
from typing import Any

from companion.testing.table import TableUnderTest
from tests.simulated_groups.rendered_table import REST_SECONDS, RenderedTable


class Hands:
    """Send readings, each certain unless a die is cocked."""

    are_filmed = False

    def __init__(self, table: TableUnderTest, random: Random) -> None:
        self.table, self.random = table, random

    def rest(self) -> None:
        """Let the camera read whatever lies on the table."""


class FilmedHands(Hands):
    """Act on the simulated table before the camera; `things` is that table."""

    are_filmed = True
    table: RenderedTable

    @property
    def things(self) -> Any:
        return self.table.things

    def rest(self) -> None:
        self.table.wait_for_hands(REST_SECONDS)
