"""Macroscope: rules, screens, camera readings and simulated table.

For the rule numbers (M1 to M61, V1 to V7, D1, A1 to A15) see `docs/rules/macroscope.md`."""

from companion.games.macroscope.definition import GAME
from companion.games.macroscope.game import Macroscope
from companion.games.macroscope.settings import Settings

__all__ = ["GAME", "Macroscope", "Settings"]
