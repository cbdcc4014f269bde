"""The menu that puts things right: every reading and every total, by buttons alone."""

from __future__ import annotations

import re
from collections.abc import Sequence

from companion.games.api.game import Correctable, Seat
from companion.games.api.offers import Command, Offer, TableAction, Visibility
from companion.i18n import Translator
from companion.journal.replay import SavedGame
from companion.referee.dialogs.base import CorrectionMenu, CountsInput, DigitsInput, Step, ValueInput
from companion.referee.dialogs.camera_view import ENLARGE, ENLARGE_BUTTONS, is_picture_visible
from companion.referee.dialogs.camera_view import enlarge_label as large_picture

_ = Translator("companion")

DIGIT_RANGE = (1, 6)
"""Range of a die's side and of a token's number: such values are entered on the number keys."""


def open_value_editor(
    title: str, correctable: Correctable, names: Sequence[str], value_labels: Sequence[str] = ()
) -> Step:
    """The dialog that fits the kind of value. `value_words`: the game's words for the values from the lowest up."""
    if (
        correctable.value_range.low,
        correctable.value_range.high,
    ) == DIGIT_RANGE and correctable.value_range.count <= 2:
        return DigitsInput(title, correctable)
    if correctable.value_range.count > 1:
        return CountsInput(title, correctable, correctable.current_value)
    usual: tuple[str, ...] = ()
    if correctable.kind == "active" or correctable.stored_kind.startswith("who "):
        usual = tuple(names)
    elif correctable.kind == "away":
        usual = (_("Here"), _("Away"))
    shown_as = tuple(value_labels) or usual
    return ValueInput(title, correctable, correctable.current_value[0], shown_as)


def capitalise(text: str) -> str:
    """As a line of a menu, names within it as they are."""
    return text[:1].upper() + text[1:]


def _is_presence(correctable: Correctable) -> bool:
    return correctable.kind == "away"


def _is_earlier(correctable: Correctable) -> bool:
    return re.fullmatch(r"(round|game) \d+", correctable.stored_kind) is not None


def _is_current(correctable: Correctable) -> bool:
    return not _is_presence(correctable) and not _is_earlier(correctable)


def open_correction_menu(saved_game: SavedGame, offers: Sequence[Offer], visibility: Visibility) -> CorrectionMenu:
    """What may be put right now: readings first, then totals, then the sitting itself.

    Earlier rounds, and who is away, are lists of their own: seldom needed, and long.

    Args:
        sitting: the sitting in play.
        offers: the game's own offers; deeds that no camera sees ("renew") are listed here, for a press, and the large
            picture, if they leave no button for it.
        sight: what the camera sees now.
    """
    names, kit, game = saved_game.setup.players, saved_game.definition, saved_game.game
    entries = [(c, capitalise(kit.correctable_label(game, c, names))) for c in game.list_correctables()]
    editors = [(c, line, open_value_editor(line, c, names, kit.value_labels(game, c, names))) for c, line in entries]
    items: list[tuple[str, Step]] = []
    for title, holds in (
        ("", _is_current),
        (_("Earlier rounds"), _is_earlier),
        (_("Who is here, who is away"), _is_presence),
    ):
        lines = tuple((line, step) for c, line, step in editors if holds(c))
        if title and len(lines) > 1:
            items.append((title, CorrectionMenu(lines)))
        else:
            items += lines
    items += [(o.label, o.action) for o in offers if isinstance(o.input, TableAction) and o.input.kind == "renew"]
    if all(any(o.input is free for o in offers) for free in ENLARGE_BUTTONS) and is_picture_visible(
        saved_game, visibility
    ):
        items.insert(0, (large_picture(), ENLARGE))
    if saved_game.can_redo:
        items.insert(0, (_("Redo what was taken back"), Command("redo")))
    items.append((_("Put this game away"), Command("away")))
    totals: dict[Seat, Step] = {}
    for c, _line, step in editors:
        if c.seat is not None:
            totals.setdefault(c.seat, step)  # what is nearest comes first
    return CorrectionMenu(tuple(items), tuple(totals.items()))
