"""What leads somebody who is new to a game through the first turn: rings around all that the table waits for."""

from collections.abc import Sequence

from companion.api import THROW_DICE, ConsolePress, Offer, TableAction
from companion.events import Button
from companion.guide import Guide
from companion.i18n import N_, _
from companion.journal.saved_game import SavedGame
from companion.referee.button_mapping import find_button

MAX_GUIDED_STEPS = 8
"""Moves after which the first turn counts as played where nobody's turn ends, such as in a game in real time."""

FIRST_SENTENCES = {
    THROW_DICE.kind: N_("Touch the tray"),
    "show": N_("Touch the dice to roll one"),
}
"""How to do what begins a game, by the kind of the table action."""


def build_guide(offers: Sequence[Offer], seating: Sequence[Button], *, sentence: str = "") -> Guide:
    """Build the rings of what is open now: all that is waited for, else all that may be done on the table.

    Where something is waited for on the table, the keys that enter the same by hand have no rings.

    Args:
        offers: all that is open now.
        seating: the players' buttons, by seat.
        sentence: what to do now, translated; empty: the game's own sentence is enough.

    >>> from companion.api import Command, CommandName
    >>> offer = Offer(Command(CommandName.UNDO), THROW_DICE, "Roll the dice", awaited=True)
    >>> build_guide([offer], ()).actions
    (TableAction(kind='throw', number=None, in_menu=False),)
    """
    awaited = [offer for offer in offers if offer.awaited]
    on_table = [offer for offer in awaited or offers if _is_on_table(offer)]
    pressed = () if awaited and on_table else awaited
    buttons = (
        Button.NO if offer.input is ConsolePress.HOLD_NO else find_button(offer.input, seating) for offer in pressed
    )
    return Guide(
        frozenset(button for button in buttons if button is not None),
        tuple(offer.input for offer in on_table if isinstance(offer.input, TableAction)),
        sentence,
    )


def guide_first_turn(saved_game: SavedGame, offers: Sequence[Offer]) -> Guide:
    """Build the rings of a game's first turn; before its first throw they come with a sentence on how to roll."""
    kinds = () if saved_game.can_undo else [o.input.kind for o in offers if isinstance(o.input, TableAction)]
    sentence = next((_(FIRST_SENTENCES[kind]) for kind in kinds if kind in FIRST_SENTENCES), "")
    return build_guide(offers, saved_game.buttons, sentence=sentence)


def is_first_turn_over(saved_game: SavedGame) -> bool:
    """Return whether somebody else is to act than at the start, or `MAX_GUIDED_STEPS` steps were made."""
    steps, find_addressed = saved_game.replay.steps, saved_game.definition.get_addressed_seat
    if not steps:
        return False
    seats = {find_addressed(game) for game in (steps[0].before, saved_game.game)}
    return len(steps) >= MAX_GUIDED_STEPS or len(seats - {None}) > 1


def _is_on_table(offer: Offer) -> bool:
    return isinstance(offer.input, TableAction) and not offer.input.in_menu
