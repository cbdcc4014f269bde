"""What the rules say, as the table reads it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from companion.games.api.game import RuleError
from companion.journal.errors import describe_for_screen


def format_refusal(error: Exception, names: Sequence[str]) -> str:
    """Return a refusal for the screen: with players' names, without the rule's number."""
    if isinstance(error, RuleError) and error.rule:
        return error.describe(names)
    said = re.sub(r"^[A-Z]\d+: ", "", describe_for_screen(error))
    said = re.sub(r"\bseat (\d)\b", lambda match: names[int(match[1])], said)
    return said[:1].upper() + said[1:]
