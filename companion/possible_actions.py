"""What can be done now, as a list of keys in words: for the page of the help, and for what is spoken on demand."""

from dataclasses import dataclass

from companion.api import Seat
from companion.events import Button
from companion.i18n import _
from companion.screen_state import ScreenKind, ScreenState


@dataclass(frozen=True, slots=True)
class PossibleAction:
    """A button that does something now."""

    button: Button
    place: str
    """Whose or which button it is, in the current language: "Ada", "Button 2" or "OK"."""
    words: str
    """What it does now, in the current language."""
    seat: Seat | None = None
    """The player to whom it belongs; None: it is a key of the table, or stands for a number."""
    is_awaited: bool = False
    """The table waits for it."""
    is_hold: bool = False
    """It is to be held for a second."""


def list_possible_actions(state: ScreenState) -> tuple[PossibleAction, ...]:
    """List the buttons that do something in a state, those first for which the table waits; changes nothing.

    What dice, tokens or cards are waited for says `state.prompt`.

    >>> from companion.screen_state import Player, ScreenKind, SoftKey
    >>> keys = (SoftKey(Button.SEAT2, "I guess"), SoftKey(Button.OK, "Stop", awaited=True), SoftKey(Button.NO, ""))
    >>> ada = Player(Seat(0), "Ada", Button.SEAT2)
    >>> state = ScreenState(ScreenKind.PLAY, players=(ada,), soft_keys=keys)
    >>> [(action.place, action.words) for action in list_possible_actions(state)]
    [('OK', 'Stop'), ('Ada', 'I guess')]
    """
    owners = {player.button: player for player in state.players}
    actions = []
    for key in state.soft_keys:
        if not key.label:
            continue
        owner = None if key.is_number else owners.get(key.button)
        actions.append(
            PossibleAction(
                key.button,
                owner.name if owner is not None else _format_place(key.button),
                key.label,
                None if owner is None else owner.seat,
                key.awaited,
                key.is_hold,
            )
        )
    return tuple(sorted(actions, key=lambda action: not action.is_awaited))


def list_actions_beside_lines(state: ScreenState) -> tuple[PossibleAction, ...]:
    """List what can be done now but for choosing a line of the menu, whose number says it.

    What holding the key of a line does is listed.
    """
    lines = range(1, state.menu.numbered + 1) if state.menu else ()
    return tuple(
        action
        for action in list_possible_actions(state)
        if action.seat is not None or action.is_hold or action.button.seat_number not in lines
    )


def find_instruction(state: ScreenState) -> str:
    """Return the sentence that says what to do now; the lesson has it in the place of the game's picture.

    >>> from companion.guide import Guide
    >>> find_instruction(ScreenState(ScreenKind.PLAY, prompt="Step 2 of 7", guide=Guide(sentence="Click the tray")))
    'Click the tray'
    """
    in_picture = state.guide.sentence if state.guide is not None else ""
    if state.kind is ScreenKind.LESSON:
        in_picture = state.view.sentence
    return in_picture or state.prompt


def _format_place(button: Button) -> str:
    """Format a button that stands for nobody: by its number, or by what is written on it."""
    return _("Button {n}", n=button.seat_number) if button.seat_number else str(button).upper()
