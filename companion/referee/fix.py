"""The menu that puts things right: every reading and every total, by buttons alone."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.game import Correctable, Seat
from companion.games.offer import Command, Deed, Offer
from companion.journal.sitting import Sitting
from companion.referee.dialog import Counts, Digits, FixMenu, Spinner, Step

SIDES = (1, 6)
"""Range of a die's side and of a token's number: such values are entered on the number keys."""


HERE = ("Here", "Away")
"""Whether a player is at the table."""


def editor(words: str, what: Correctable, names: Sequence[str]) -> Step:
    """The dialog that fits the kind of value."""
    if (what.range.low, what.range.high) == SIDES and what.range.count <= 2:
        return Digits(words, what)
    if what.range.count > 1:
        return Counts(words, what, what.current)
    shown_as = tuple(names) if what.kind == "active" else HERE if what.kind == "away" else ()
    return Spinner(words, what, what.current[0], shown_as)


def capitalised(words: str) -> str:
    """As a line of a menu, names within it as they are."""
    return words[:1].upper() + words[1:]


def fix_menu(sitting: Sitting, offers: Sequence[Offer]) -> FixMenu:
    """What may be put right now: readings first, then totals, then the sitting itself.

    Args:
        sitting: the sitting in play.
        offers: the game's own offers; deeds that no camera sees ("renew") are listed here, for a press.
    """
    names = sitting.setup.players
    words = sitting.kit.correctable_words(sitting.game, names)
    entries = [(c, capitalised(words[c.kind, c.seat])) for c in sitting.game.correctables()]
    items: list[tuple[str, Step]] = [(line, editor(line, c, names)) for c, line in entries]
    items += [(o.words, o.does) for o in offers if isinstance(o.means, Deed) and o.means.kind == "renew"]
    if sitting.can_redo:
        items.insert(0, ("Redo what was taken back", Command("redo")))
    items.append(("Put this game away", Command("away")))
    totals: dict[Seat, Step] = {}
    for c, line in entries:
        if c.seat is not None:
            totals.setdefault(c.seat, editor(line, c, names))  # what is nearest comes first
    return FixMenu(tuple(items), tuple(totals.items()))
