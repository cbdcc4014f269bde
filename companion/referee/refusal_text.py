"""What the rules say, as the table reads it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from companion.journal.errors import describe_for_screen


def format_refusal(error: Exception, names: Sequence[str]) -> str:
    """A refusal as the table reads it: with names, without the rule's number.

    >>> from companion.games.api.game import IllegalMove
    >>> refused(IllegalMove("M23: a challenge costs 2 crystals, seat 1 has 1"), ("Ada", "Bob"))
    'A challenge costs 2 crystals, Bob has 1'
    """
    said = re.sub(r"^[A-Z]\d+: ", "", describe_for_screen(error))
    said = re.sub(r"\bseat (\d)\b", lambda match: names[int(match[1])], said)
    return said[:1].upper() + said[1:]
