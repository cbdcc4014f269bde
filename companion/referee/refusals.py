"""Why a press did nothing, in the words of the rules.

The words are the game's (`explain_turn`, `MoveKind.needs`); the choice among them: `Game._explain_refusal` in
`companion/api/game.py`.
"""

from collections.abc import Sequence

from companion.api import Correction, IllegalMove, Move, NumberPress, Offer, Seat
from companion.events import Button
from companion.i18n import N_
from companion.journal.entry import describe_for_screen
from companion.journal.saved_game import SavedGame
from companion.referee.button_mapping import find_hold_offer

TOO_FAST = N_("Too fast: wait a moment, then press again")
"""Shown to who presses again and again where something is to be read first (`Offer.shown_seconds`)."""


def describe_refusal(
    saved_game: SavedGame, button: Button, offers: Sequence[Offer], buttons: Sequence[Button]
) -> str | None:
    """Say why a press of a number key, or of a player's own button, did nothing.

    An own button that is to be held for more than a move of its player says what its key says: "Hold: I threw that".

    Args:
        saved_game: the game in play; it is not changed.
        offers: all that can be pressed now. Of those of a dialog, only numbers that stand for moves are explained.
        buttons: the players' own buttons by seat, if they act for them now.

    Returns:
        None: there is nothing to say, as about a console button.
    """
    number, move = button.seat_number, None
    if number is not None and any(
        isinstance(offer.input, NumberPress) and isinstance(offer.action, Move | Correction) for offer in offers
    ):
        move = saved_game.definition.get_number_move(saved_game.game, number)
    if move is None and button in buttons:
        seat = Seat(buttons.index(button))
        held = find_hold_offer(offers, button, buttons)
        if held is not None and not (isinstance(held.action, Move) and held.action.seat == seat):
            return held.label
        move = saved_game.definition.get_default_move(saved_game.game, seat)
    try:
        if move is not None:
            saved_game.game.play(move)
    except IllegalMove as error:
        return describe_for_screen(error, saved_game.players)
    return None
