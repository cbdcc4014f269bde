"""The menu of corrections: every reading and every total, by buttons alone."""

from collections.abc import Sequence

from companion.api import (
    AnyGameDefinition,
    Command,
    CommandName,
    CommonCorrection,
    Correctable,
    Game,
    Offer,
    Seat,
    SeatPress,
    TableAction,
)
from companion.i18n import N_, _, capitalize_first_letter
from companion.journal.saved_game import SavedGame
from companion.referee.dialogs.base import Answer, Dialog, ListMenu, Step
from companion.referee.dialogs.large_picture import ENLARGE, ENLARGE_BUTTON, ENLARGE_LABEL
from companion.referee.dialogs.number_inputs import CountsInput, DigitsInput, open_number_correction

DIGIT_RANGE = (1, 6)
"""Range of a die's face and of a token's number: such values are entered on the number keys."""
EARLIER, PRESENCE = N_("Earlier rounds"), N_("Present and away players")
"""Titles of the lists that have a menu of their own."""


def open_value_editor(
    title: str, correctable: Correctable, names: Sequence[str], value_labels: Sequence[str] = ()
) -> Dialog:
    """Open the input that fits the kind of value.

    At most two numbers from 1 to 6 are entered on the number keys, several others as counts, one other with PLUS and
    MINUS.

    Args:
        title: heading of the input, translated.
        correctable: the value to correct.
        names: the players' names, by seat; the labels of a correction of who is to play.
        value_labels: the game's words for the values, one for each from the lowest up; empty: the numbers, or for a
            player who is away "Here" and "Away".
    """
    limits = correctable.value_range
    if (limits.low, limits.high) == DIGIT_RANGE and limits.count <= 2:
        return DigitsInput(title, correctable)
    if limits.count > 1:
        return CountsInput(title, correctable, correctable.current_value)
    usual_labels: dict[str, Sequence[str]] = {
        CommonCorrection.ACTIVE: names,
        CommonCorrection.AWAY: (_("Here"), _("Away")),
    }
    labels = value_labels or usual_labels.get(correctable.kind, ())
    return open_number_correction(title, correctable, labels)


def list_editors(
    definition: AnyGameDefinition, game: Game, names: Sequence[str]
) -> list[tuple[Correctable, str, Dialog]]:
    """List everything that may be corrected in a game, each with its line of the menu and its input.

    Args:
        definition: the game's definition; it gives the labels.
        game: its state now.

    Returns:
        Triples in the order of `Game.list_correctables`: what may be corrected, its label with a capital letter, its
        input.

    Raises:
        IndexError: a player concerned has no name.
        Exception: a game of another package may raise any error.
    """
    editors = []
    for correctable in game.list_correctables():
        label = capitalize_first_letter(definition.label_correctable(game, correctable, names))
        values = definition.label_values(game, correctable, names)
        editors.append((correctable, label, open_value_editor(label, correctable, names, values)))
    return editors


def open_list(
    items: Sequence[tuple[str, Step]], totals: Sequence[tuple[Seat, Step]] = (), selected: int = 0
) -> ListMenu:
    """Open a menu of corrections.

    Args:
        items: label and step of each line; at least one.
        totals: seats, and the step that each seat's own button leads to.
        selected: index of the line that is selected at first, from 0.
    """
    return ListMenu(
        _("Choose what to correct"),
        tuple(items),
        selected,
        shortcuts=tuple(Answer(SeatPress(seat), _("My total"), step) for seat, step in totals),
    )


def _find_group(correctable: Correctable) -> str:
    if correctable.kind == CommonCorrection.AWAY:
        return PRESENCE
    return EARLIER if correctable.kind in (CommonCorrection.ROUND, CommonCorrection.GAME) else ""


def open_correction_menu(saved_game: SavedGame, offers: Sequence[Offer], *, picture_visible: bool) -> ListMenu | None:
    """Open the menu of everything that may be corrected: readings first, then totals.

    Above them stands redoing what was undone, if that is possible. Earlier rounds, and who is away, have menus of their
    own: they are seldom needed, and long.

    Args:
        saved_game: the game in play; it is only read.
        offers: the game's own offers; table actions marked `in_menu` are listed in the menu, and the enlarged picture,
            if they leave no button for it.
        picture_visible: there is a picture to enlarge.

    Returns:
        The menu; None: there is nothing to correct.

    Raises:
        Exception: a game of another package may raise any error.
    """
    groups: dict[str, list[tuple[str, Step]]] = {"": [], EARLIER: [], PRESENCE: []}
    totals: dict[Seat, Step] = {}
    for correctable, label, editor in list_editors(saved_game.definition, saved_game.game, saved_game.players):
        groups[_find_group(correctable)].append((label, editor))
        if correctable.seat is not None:
            totals.setdefault(correctable.seat, editor)  # the present one comes before those of earlier rounds
    items = groups.pop("")
    for title, lines in groups.items():
        items += [(_(title), open_list(lines))] if len(lines) > 1 else lines
    items += [(o.label, o.action) for o in offers if isinstance(o.input, TableAction) and o.input.in_menu]
    if picture_visible and any(offer.input is ENLARGE_BUTTON for offer in offers):
        items.insert(0, (_(ENLARGE_LABEL), ENLARGE))
    if saved_game.can_redo:
        items.insert(0, (_("Redo what was undone"), Command(CommandName.REDO)))
    return open_list(items, tuple(totals.items())) if items else None
