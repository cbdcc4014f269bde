"""Dice that roll at a simulated table: they are thrown already, whatever is pressed before they are read.

Its screen names who throws. At a table with a camera they may be the next player's, and the press ends the turn before.
"""

from collections.abc import Sequence
from dataclasses import replace

from companion.api import THROW_DICE, Command, ConsolePress, Move, Offer, TableAction
from companion.events import CameraState
from companion.i18n import _
from companion.referee.button_mapping import CONSOLE_BUTTON_OF
from companion.screen_state import ScreenState, SoftKey


def list_overtaken_offers(game_offers: Sequence[Offer]) -> Sequence[Offer]:
    """List the offers of OK and PLUS that play something in place of a throw: they count after one that was begun.

    >>> from companion.api import Seat
    >>> throw, score = Move("throw", Seat(0)), Move("bank", Seat(0))
    >>> offers = [Offer(throw, THROW_DICE, "Throw", awaited=True), Offer(score, ConsolePress.OK, "Score 9")]
    >>> [offer.label for offer in list_overtaken_offers(offers)], list_overtaken_offers(offers[1:])
    (['Score 9'], [])
    """
    throws = [offer.action for offer in game_offers if offer.input == THROW_DICE and offer.awaited]
    if not throws:
        return []
    keys = ConsolePress.OK, ConsolePress.PLUS
    # By the key of the throw itself it is entered by hand.
    return [offer for offer in game_offers if offer.input in keys and offer.action not in throws]


def means_the_same(offer: Offer, later: Offer | None) -> bool:
    """Return whether an offer is still the same act after other dice were read, such as to score fewer points."""
    if later is None:
        return False
    return _get_act(offer) == _get_act(later)


def _get_act(offer: Offer) -> tuple[object, ...]:
    action = offer.action
    if isinstance(action, Move):
        return action.kind, action.seat
    return (action.name,) if isinstance(action, Command) else (action,)


def show_rolling(state: ScreenState, game_offers: Sequence[Offer]) -> ScreenState:
    """Say on the screen that dice roll, and take the keys from it that count only after them; else change nothing.

    A hand is taken for a throw where nothing else can be done at the table.
    """
    if not state.is_table_virtual or state.camera_view.state not in {CameraState.ROLLING, CameraState.HAND}:
        return state
    actions = {offer.input for offer in game_offers if isinstance(offer.input, TableAction)}
    is_thrown = state.camera_view.state is CameraState.ROLLING or actions == {THROW_DICE}
    is_rolling = THROW_DICE in actions and is_thrown
    if not is_rolling or state.question is not None or state.menu is not None or state.addressed is None:
        return state
    buttons = {CONSOLE_BUTTON_OF[offer.input] for offer in list_overtaken_offers(game_offers)}
    return replace(
        state,
        prompt=_("{who}: rolling …", who=state.players[state.addressed].name),
        soft_keys=tuple(
            SoftKey(key.button, "", opens_help=key.opens_help) if key.button in buttons and not key.is_hold else key
            for key in state.soft_keys
        ),
    )
