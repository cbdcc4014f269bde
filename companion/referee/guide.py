"""Lead people who are new to a game through their first turns and moves: rings around all that is waited for.

Drawn by `companion.display.widgets.guide` (the sentence) and `companion.app.table_panel.rings`. The help that a
held button opens: `help_overlay`.
"""

from collections.abc import Sequence
from itertools import groupby

from companion.api import THROW_DICE, ConsolePress, Move, Offer, Seat, TableAction
from companion.events import Button
from companion.guide import Guide
from companion.i18n import N_, _
from companion.journal.saved_game import SavedGame
from companion.referee.button_mapping import find_button

MAX_GUIDED_STEPS = 8
"""Moves after which the first turns count as played, for each player: nobody's turn ends in a game in real time."""

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


def guide_first_acts(saved_game: SavedGame, offers: Sequence[Offer]) -> Guide | None:
    """Build the rings of somebody's first turn, and later those of each kind of move that nobody has made yet.

    Before the first throw they come with a sentence on how to roll.

    Returns:
        None: all that is waited for was done before.
    """
    turns = _list_turns(saved_game)
    if turns[-1] in turns[:-1] or are_first_turns_over(saved_game):
        made = {step.played.kind for step in saved_game.replay.steps if isinstance(step.played, Move)}
        new = [o for o in offers if o.awaited and isinstance(o.action, Move) and o.action.kind not in made]
        return build_guide(new, saved_game.buttons) if new else None
    kinds = () if saved_game.can_undo else [o.input.kind for o in offers if isinstance(o.input, TableAction)]
    sentence = next((_(FIRST_SENTENCES[kind]) for kind in kinds if kind in FIRST_SENTENCES), "")
    return build_guide(offers, saved_game.buttons, sentence=sentence)


def are_first_turns_over(saved_game: SavedGame) -> bool:
    """Return whether all who play have had a turn, or `MAX_GUIDED_STEPS` steps were made for each of them."""
    turns, players = _list_turns(saved_game), len(saved_game.players)
    is_last_over = len(turns) > 1 and len(set(turns[:-1])) == players
    return is_last_over or len(saved_game.replay.steps) >= MAX_GUIDED_STEPS * players


def _list_turns(saved_game: SavedGame) -> Sequence[Seat | None]:
    """List whose turns there were, one after the other, the present one last; None: it is nobody's in particular."""
    games = [*(step.before for step in saved_game.replay.steps), saved_game.game]
    seats = [seat for seat in map(saved_game.definition.get_addressed_seat, games) if seat is not None]
    return [seat for seat, _turn in groupby(seats)] or [None]


def _is_on_table(offer: Offer) -> bool:
    return isinstance(offer.input, TableAction) and not offer.input.in_menu
