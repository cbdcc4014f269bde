"""The input of an open move: which dialog enters its value."""

from collections.abc import Sequence

from companion.api import Move
from companion.journal.saved_game import SavedGame
from companion.referee.dialogs.amount_input import AmountInput
from companion.referee.dialogs.base import NUMBER_KEYS, Dialog, ask_yes_or_no, open_numbered_menu
from companion.referee.dialogs.number_inputs import open_values_input


def open_move_input(label: str, move: Move, saved_game: SavedGame, names: Sequence[str]) -> Dialog:
    """Open the input of an open move: one press for a number up to 6 or a named value, else an amount.

    Args:
        label: of the move's offer, translated; heading where the game has none.
        names: the players' names by seat.

    Raises:
        AssertionError: the move is not open.
    """
    values, definition, game = move.value_range, saved_game.definition, saved_game.game
    assert values is not None, "an open move"
    if values.count != 1 or move.seat is None:
        return open_values_input(label, move)
    title = definition.format_input_title(game, move, names) or names[move.seat]
    if named := definition.label_input_values(game, move):
        return open_numbered_menu(title, [(name, move.fill(value)) for value, name in named.items()])
    if 1 <= values.low <= values.high <= NUMBER_KEYS:
        return open_values_input(label, move)
    if (values.low, values.high) == (0, 1) and definition.asks_yes_or_no(game, move):
        return ask_yes_or_no(title, move)
    return AmountInput(title, move)
