"""Definitions of games, changed for a test."""

from __future__ import annotations

from copy import copy
from typing import Any

from companion.api import GameDefinition


def change(definition: GameDefinition[Any], **attributes: Any) -> GameDefinition[Any]:
    """Return the definition with other attributes; functions take what the method takes, without `self`."""
    changed = copy(definition)
    for name, value in attributes.items():
        setattr(changed, name, value)
    return changed
