"""The menu that puts things right: every reading and every total, by buttons alone."""

from __future__ import annotations

import re
from collections.abc import Sequence

from companion.games.api.game import Correctable, Seat
from companion.games.api.offers import Command, Deed, Offer, Sight
from companion.i18n import Words
from companion.journal.replay import Sitting
from companion.referee.dialogs.base import Counts, Digits, FixMenu, Spinner, Step
from companion.referee.dialogs.camera_view import ENLARGE, FREE, to_be_seen
from companion.referee.dialogs.camera_view import words as large_picture

_ = Words("companion")

SIDES = (1, 6)
"""Range of a die's side and of a token's number: such values are entered on the number keys."""


def editor(words: str, what: Correctable, names: Sequence[str], value_words: Sequence[str] = ()) -> Step:
    """The dialog that fits the kind of value. `value_words`: the game's words for the values from the lowest up."""
    if (what.range.low, what.range.high) == SIDES and what.range.count <= 2:
        return Digits(words, what)
    if what.range.count > 1:
        return Counts(words, what, what.current)
    usual: tuple[str, ...] = ()
    if what.kind == "active" or what.kind.startswith("who "):
        usual = tuple(names)
    elif what.kind == "away":
        usual = (_("Here"), _("Away"))
    shown_as = tuple(value_words) or usual
    return Spinner(words, what, what.current[0], shown_as)


def capitalised(words: str) -> str:
    """As a line of a menu, names within it as they are."""
    return words[:1].upper() + words[1:]


def _presence(what: Correctable) -> bool:
    return what.kind == "away"


def _earlier(what: Correctable) -> bool:
    return re.fullmatch(r"(round|game) \d+", what.kind) is not None


def _near(what: Correctable) -> bool:
    return not _presence(what) and not _earlier(what)


def fix_menu(sitting: Sitting, offers: Sequence[Offer], sight: Sight) -> FixMenu:
    """What may be put right now: readings first, then totals, then the sitting itself.

    Earlier rounds, and who is away, are lists of their own: seldom needed, and long.

    Args:
        sitting: the sitting in play.
        offers: the game's own offers; deeds that no camera sees ("renew") are listed here, for a press, and the large
            picture, if they leave no button for it.
        sight: what the camera sees now.
    """
    names, kit, game = sitting.setup.players, sitting.kit, sitting.game
    words = kit.correctable_words(game, names)
    entries = [(c, capitalised(words[c.kind, c.seat])) for c in game.correctables()]
    editors = [(c, line, editor(line, c, names, kit.value_words(game, c, names))) for c, line in entries]
    items: list[tuple[str, Step]] = []
    for title, holds in (("", _near), (_("Earlier rounds"), _earlier), (_("Who is here, who is away"), _presence)):
        lines = tuple((line, step) for c, line, step in editors if holds(c))
        if title and len(lines) > 1:
            items.append((title, FixMenu(lines)))
        else:
            items += lines
    items += [(o.words, o.does) for o in offers if isinstance(o.means, Deed) and o.means.kind == "renew"]
    if all(any(o.means is free for o in offers) for free in FREE) and to_be_seen(sitting, sight):
        items.insert(0, (large_picture(), ENLARGE))
    if sitting.can_redo:
        items.insert(0, (_("Redo what was taken back"), Command("redo")))
    items.append((_("Put this game away"), Command("away")))
    totals: dict[Seat, Step] = {}
    for c, _line, step in editors:
        if c.seat is not None:
            totals.setdefault(c.seat, step)  # what is nearest comes first
    return FixMenu(tuple(items), tuple(totals.items()))
