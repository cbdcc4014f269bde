"""What can be pressed in each phase of a Pictomania game.

The console: OK continues, NO goes back, PLUS changes something. MINUS (the menu) and NO held (undo) are the referee's.
OK held ends the drawing when all agree (P26): seat buttons take tokens until then (P24), so nobody can agree with them.
A wrong drawing (P31, A7) is PLUS with a question to be confirmed, not a long press: NO held is undo and nothing else.

Cards' numbers (P22) have moves, but no buttons: right or wrong is enough (P37), and a number card of 7 has no key.
"""

from collections.abc import Sequence

from companion.api import ConsolePress, Move, Offer, Seat, SeatPress, Visibility
from companion.games.pictomania.rules import Pictomania
from companion.games.pictomania.state import MoveKind, Phase
from companion.i18n import N_, Translator

_ = Translator("pictomania")

UNOFFERED_MOVES = (MoveKind.NUMBER, MoveKind.CARD)
"""Moves that enter a card's number, which nobody needs to; a camera may."""

_BOT_WEIGHTS: dict[str, float] = {
    MoveKind.COLOUR: 0.4,
    MoveKind.GO: 0.2,
    MoveKind.STOP: 0.1,
    MoveKind.WRONG: 0.5,
    MoveKind.OFF: 0.1,
    MoveKind.MISDRAWN: 0.04,
    MoveKind.DRAWN: 0.2,
    MoveKind.BACK: 0.03,
}
"""Relative weights in the bots' choice, where 1 is usual: a higher weight is played more often. Chosen by hand so
that bots guess mostly right and games go on."""
_PROMPTED_MOVES = (MoveKind.TAKE, MoveKind.RIGHT)
"""Moves of players that the prompt asks for: "Finished? Press your button", "Who else guessed right?"."""
_CONSOLE_KEYS: dict[str, tuple[ConsolePress, bool, str]] = {
    MoveKind.START: (ConsolePress.OK, True, N_("Start")),
    MoveKind.GO: (ConsolePress.PLUS, False, N_("Start now")),
    MoveKind.SCORE: (ConsolePress.OK, True, N_("Turn piles")),
    MoveKind.DRAWN: (ConsolePress.PLUS, False, N_("Right clue")),
}
"""Moves whose key always says the same: the key, whether the table waits for it, and its label."""


def list_offers(game: Pictomania, names: Sequence[str], _visibility: Visibility) -> Sequence[Offer]:
    """Return all inputs that do something now: one offer for every legal move but those of `UNOFFERED_MOVES`.

    Args:
        game: current game.
        names: players' names by seat, for the labels.
        _visibility: not used; no move of Pictomania comes from the camera.

    Raises:
        IndexError: a player in a label has no name.
    """
    return tuple(_make_offer(game, move, names) for move in game.list_moves() if move.kind not in UNOFFERED_MOVES)


def get_default_move(game: Pictomania, seat: Seat) -> Move:
    """Return the move that the button of `seat` usually stands for: RIGHT while piles are scored, else TAKE.

    The move need not be legal now; its refusal then explains why the button has no use.
    """
    return Move(MoveKind.RIGHT if game.phase is Phase.SCORING else MoveKind.TAKE, seat)


def get_bot_weight(game: Pictomania, offer: Offer) -> float:
    """Return the relative weight of `offer` in the bots' random choice: 1.0 is usual, 0.0 is never chosen.

    While a pile is scored, the move to the next pile weighs 0.2, and 0.5 more for each card on the pile.
    """
    if not isinstance(offer.action, Move):
        return 1.0
    if offer.action.kind == MoveKind.NEXT and game.pile_owner is not None:
        return 0.2 + len(game.piles[game.pile_owner]) / 2
    return _BOT_WEIGHTS.get(offer.action.kind, 1.0)


def get_live_view_labels(game: Pictomania) -> tuple[str, str] | None:
    """Return the labels of the two keys that show and hide the camera picture; None: there is no use for it now.

    The picture can be shown from the first line drawn to the end of the scoring, for drawings held under the camera.
    """
    if game.phase not in (Phase.DRAWING, Phase.STOP, Phase.SCORING):
        return None
    return _("Show drawing"), _("Hide it")


def _make_offer(game: Pictomania, move: Move, names: Sequence[str]) -> Offer:
    """Return the key that plays `move`. P32: the guessers press (or are pressed) in the order of their cards."""
    match move.kind, move.seat:
        case kind, _seat if kind in _CONSOLE_KEYS:
            key, is_awaited, label = _CONSOLE_KEYS[kind]
            return Offer(move, key, _(label), awaited=is_awaited)
        case MoveKind.DEAL, _seat:
            label = _("Deal {colour}", colour=_(game.colour))
            return Offer(move, ConsolePress.OK, label, awaited=True, swatch_colour=game.colour)
        case MoveKind.COLOUR, _seat:
            colour = game.available_colours[(game.difficulty_index + 1) % len(game.available_colours)]
            label = _("Next: {colour}", colour=_(colour))
            return Offer(move, ConsolePress.PLUS, label, awaited=True, repeats=True, swatch_colour=colour)
        case MoveKind.STOP, _seat:
            return Offer(move, ConsolePress.HOLD_OK, _("Hold: stop"))  # P26: no press of one player alone
        case MoveKind.NEXT, _seat:
            is_last = game.pile_index + 1 == len(game.participants)
            return Offer(move, ConsolePress.OK, _("Add up") if is_last else _("Next pile"), awaited=True)
        case MoveKind.NEXT_ROUND, _seat:
            has_more = len(game.round_scores) < game.settings.rounds
            return Offer(move, ConsolePress.OK, _("Next round") if has_more else _("Final result"), awaited=True)
        case MoveKind.BACK, _seat:
            return Offer(move, ConsolePress.NO, _("Back"))
        case MoveKind.MISDRAWN, int() as owner:
            question = _("Did {who} obviously draw another clue? Then all cards go back.", who=names[owner])
            return Offer(move, ConsolePress.PLUS, _("Wrong clue"), confirm_question=question)
        case kind, int() as seat:
            is_awaited = kind in _PROMPTED_MOVES
            return Offer(move, SeatPress(Seat(seat)), _label_seat_key(kind), awaited=is_awaited)
    raise AssertionError(f"{move} has no key")


def _label_seat_key(kind: str) -> str:
    """Label a seat's key with what pressing it says, never with what is already known."""
    match kind:
        case MoveKind.TAKE:
            return _("Done")
        case MoveKind.RIGHT:
            return _("Was right")
        case MoveKind.WRONG:
            return _("Was wrong")
        case _:
            return _("Remove card")
