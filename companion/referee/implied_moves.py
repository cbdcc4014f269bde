"""Moves that people make without a press: they go on with the game at the table, and others may still object.

Which move a reading implies: `MoveKind.is_implied` in the `moves.py` of each game. Who objects: `late_presses.py`.
Where the setting "waits for OK" is on, `Referee` asks for none.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from companion.api import Move, Offer, SeatPress, TableAction, Visibility
from companion.events import Button
from companion.journal.saved_game import SavedGame
from companion.referee.button_mapping import find_offer

_MAX_IMPLIED_MOVES = 6
"""More are not looked for: a chain that long is a loop in the game's declarations."""


def find_implied_moves(saved_game: SavedGame, action: TableAction) -> tuple[Move, ...]:
    """Return the moves that `action` at the table says have been made without a press, in order.

    Each is the only legal move whose kind says that `action` implies it (`MoveKind.is_implied`). They lead to the offer
    of the action or, if something stands between that people must press, up to that.

    Returns:
        Empty: the action is possible now, or says nothing.
    """
    definition, names, game = saved_game.definition, saved_game.players, saved_game.game
    moves: list[Move] = []
    while len(moves) < _MAX_IMPLIED_MOVES:
        offers = definition.list_offers(game, names, Visibility(dice=True, tokens=True))
        if any(offer.input == action for offer in offers):
            break
        implied = [move for move in game.list_moves() if game.get_move_kind(move.kind).is_implied(game, action.kind)]
        if len(implied) != 1:
            break
        moves += implied
        game = game.play(implied[0])
    return tuple(moves)


def acts_after_table_action(saved_game: SavedGame, button: Button, buttons: Sequence[Button]) -> bool:
    """Return whether a player's own button does something after the next action at the table, or what that implies.

    Dice are not looked at: what they allow depends on what they show.
    """
    definition, names = saved_game.definition, saved_game.players

    def list_offers(game: Any) -> Sequence[Offer]:
        return definition.list_offers(game, names, Visibility(dice=True, tokens=True))

    def list_actions(game: Any) -> Iterator[tuple[TableAction, Move]]:
        for offer in list_offers(game):
            match offer:
                case Offer(action=Move(value_range=None) as move, input=TableAction(in_menu=False) as action):
                    yield action, move

    def list_games_after() -> Iterator[Any]:
        now = saved_game.game
        yield from (now.play(move) for _action, move in list_actions(now))
        for implied in (move for move in now.list_moves() if move.value_range is None):
            after, kind = now.play(implied), now.get_move_kind(implied.kind)
            yield from (after.play(move) for action, move in list_actions(after) if kind.is_implied(now, action.kind))

    found = (find_offer(list_offers(game), button, buttons) for game in list_games_after())
    return any(offer is not None and isinstance(offer.input, SeatPress) for offer in found)
