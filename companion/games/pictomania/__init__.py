"""Pictomania. For the rule numbers (P1 to P41, V1, V2, A1 to A13) see `docs/rules/pictomania.md`."""

from companion.games.pictomania.definition import GAME
from companion.games.pictomania.game import Pictomania
from companion.games.pictomania.settings import Settings

__all__ = ["GAME", "Pictomania", "Settings"]
