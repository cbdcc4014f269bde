"""Memo Dice: rules, texts and offers. For the rule numbers (D1 to D40, A1 to A9) see `docs/rules/memo_dice.md`."""

from companion.games.memo_dice.definition import GAME
from companion.games.memo_dice.game import MemoDice
from companion.games.memo_dice.settings import Settings

__all__ = ["GAME", "MemoDice", "Settings"]
