"""The players of a running game: somebody joins, is called otherwise, or changes places; and the choice of a name."""

from collections.abc import Callable, Sequence
from functools import partial

from companion.api import NumberPress, Seat
from companion.events import SEAT_BUTTONS, Button
from companion.i18n import _
from companion.journal.entry import SeatChange
from companion.journal.known_players import KnownPlayers, shape_name
from companion.journal.replay import Replay
from companion.names import has_name
from companion.referee.dialogs.base import (
    Answer,
    LazyStep,
    ListMenu,
    QuestionDialog,
    Step,
    back_answer,
    open_numbered_menu,
)
from companion.referee.dialogs.name_input import NameInput
from companion.screen_state import Question

MAX_NAMES_OFFERED = 12
"""Known names that a seat is offered, the latest ones."""


def open_name_menu(button: Button, names: Sequence[str], choose: Callable[[str], Step]) -> ListMenu:
    """Open the choice of the name of who sits at a button: a known one, another one, or the button's shape.

    Args:
        names: known names that nobody at the table has, the likeliest first.
        choose: makes the step of the chosen name.
    """
    items: list[tuple[str, LazyStep]] = [
        (name, partial(choose, name)) for name in dict.fromkeys(names[:MAX_NAMES_OFFERED])
    ]
    items.append((_("Another name"), NameInput(_("Spell your name, or type it"), choose)))
    if shape_name(button) not in names:
        items.append((shape_name(button), partial(choose, shape_name(button))))
    return open_numbered_menu(_("Who sits here?"), items)


def open_players_menu(replay: Replay, known: KnownPlayers) -> ListMenu:
    """Open the menu of the players: who joins, a name, places.

    Args:
        replay: the game in play; it is only read.
        known: who played here before.

    Raises:
        Exception: a game of another package may raise any error.
    """
    items: list[tuple[str, LazyStep]] = [
        (_("Change a name"), _ask_for_seat(replay, _("Whose name?"), partial(_open_new_name, replay, known))),
        (_("Change places"), _ask_for_seat(replay, _("Who changes places?"), partial(_ask_for_place, replay))),
    ]
    if replay.can_join and set(replay.seating.buttons) < set(SEAT_BUTTONS):
        items.insert(0, (_("Somebody joins"), partial(_ask_who_joins, replay, known)))
    return open_numbered_menu(_("Players"), items)


def _ask_for_seat(replay: Replay, title: str, choose: Callable[[Seat], LazyStep]) -> QuestionDialog:
    answers = [
        Answer(_press(button), replay.players[seat], partial(choose, Seat(seat)), awaited=True)
        for seat, button in enumerate(replay.seating.buttons)
    ]
    return QuestionDialog(Question(title, _("Press your own button")), (*answers, back_answer()))


def _ask_who_joins(replay: Replay, known: KnownPlayers) -> QuestionDialog:
    """Ask for the button of who joins; the first name offered is that of who sat there last, as in the lobby."""
    seat, answers = len(replay.players), list[Answer]()
    for button in SEAT_BUTTONS:
        if button not in replay.seating.buttons:
            names = _list_free_names(replay, known)
            usual = known.by_button.get(button, "")
            first = usual if usual in names else _find_free_shape(replay, button)
            menu = open_name_menu(button, (first, *names), partial(_make_change, seat, button))
            answers.append(Answer(_press(button), _("Sit here"), menu, awaited=True))
    return QuestionDialog(Question(_("Who joins?"), _("Press a free button")), (*answers, back_answer()))


def _open_new_name(replay: Replay, known: KnownPlayers, seat: Seat) -> ListMenu:
    button = replay.seating.buttons[seat]
    return open_name_menu(button, _list_free_names(replay, known), partial(_make_change, seat, button))


def _ask_for_place(replay: Replay, seat: Seat) -> QuestionDialog:
    """Ask for a player's new button; the key of one that is taken has the name of who sits there."""
    names = dict(zip(replay.seating.buttons, replay.players, strict=True))
    answers = [
        Answer(
            _press(button),
            names.get(button) or _("Free"),
            SeatChange(seat=seat, name=replay.players[seat], button=button),
            awaited=True,
        )
        for button in SEAT_BUTTONS
        if button is not replay.seating.buttons[seat]
    ]
    question = Question(
        _("{who}: where to?", who=replay.players[seat]),
        _("Press the new button; you change places with the player there"),
    )
    return QuestionDialog(question, (*answers, back_answer()))


def _make_change(seat: int, button: Button, name: str) -> SeatChange:
    return SeatChange(seat=seat, name=name, button=button)


def _press(button: Button) -> NumberPress:
    return NumberPress(SEAT_BUTTONS.index(button) + 1)


def _list_free_names(replay: Replay, known: KnownPlayers) -> list[str]:
    return [name for name in known.names if not has_name(replay.players, name)]


def _find_free_shape(replay: Replay, button: Button) -> str:
    """Return the name of the button's shape, or of another one: who has changed places may still be called so."""
    shapes = [shape_name(each) for each in (button, *SEAT_BUTTONS)]
    return next(shape for shape in shapes if shape not in replay.players)
