"""What can be pressed in each state of a Pictomania game.

The console: OK goes on, NO goes back, PLUS changes something. MINUS (the menu) and NO held (undo) are the referee's.
A wrong drawing (P31, A7) is PLUS with a question to be answered, not a long press: NO held is undo and nothing else,
and no other button has a second meaning by being held.

Cards' numbers (P22) have moves, but no buttons: right or wrong is enough (P37), and a number card of 7 has no key.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.games.api.game import Move, Seat
from companion.games.api.offers import ConsolePress, Offer, SeatPress, Visibility
from companion.games.pictomania.rules import Pictomania
from companion.games.pictomania.view import Phase
from companion.i18n import Translator

_ = Translator("pictomania")

CAMERA_ONLY_MOVES = ("number", "card")
"""Moves that tell the box a number which it need not know."""

_BOT_WEIGHTS = {
    "colour": 0.4,
    "go": 0.2,
    "stop": 0.1,
    "wrong": 0.5,
    "off": 0.1,
    "misdrawn": 0.04,
    "drawn": 0.2,
    "back": 0.03,
}


def list_offers(game: Pictomania, names: Sequence[str], _sight: Visibility) -> Sequence[Offer]:
    """All that is open now. Every legal move is in it, but those of `BY_CAMERA_ONLY`."""
    return tuple(_offers(game, names))


def get_default_move(game: Pictomania, seat: Seat) -> Move:
    """Who presses their own button wants a bonus token; while piles are scored, theirs is the next card."""
    return Move("right" if game.phase is Phase.SCORING else "take", seat)


def weigh_for_bots(game: Pictomania, offer: Offer) -> float:
    """Virtual players: hurry, guess mostly right, and go on when some cards are on the pile."""
    if not isinstance(offer.action, Move):
        return 1.0
    if offer.action.kind == "next" and game.pile_owner is not None:
        return 0.2 + len(game.piles[game.pile_owner]) / 2
    return _BOT_WEIGHTS.get(offer.action.kind, 1.0)


def get_live_view_labels(game: Pictomania) -> tuple[str, str] | None:
    """A drawing held under the camera is to be seen by all, from the first line until its pile is scored."""
    if game.phase not in (Phase.DRAWING, Phase.STOP, Phase.SCORING):
        return None
    return _("Show a drawing"), _("Hide it")


def _offers(game: Pictomania, names: Sequence[str]) -> Iterator[Offer]:
    match game.phase:
        case Phase.DIFFICULTY:
            words = _("Deal {colour}", colour=_(game.colour))
            yield Offer(Move("deal"), ConsolePress.OK, words, awaited=True, swatch_colour=game.colour)
            if len(game.available_colours) > 1:
                after = game.available_colours[(game.difficulty_index + 1) % len(game.available_colours)]
                yield Offer(Move("colour"), ConsolePress.PLUS, _("Take {colour}", colour=_(after)), swatch_colour=after)
        case Phase.READING:
            yield Offer(Move("start"), ConsolePress.OK, _("Start signal"), awaited=True)
        case Phase.START:
            yield Offer(Move("go"), ConsolePress.PLUS, _("Go at once"))
        case Phase.DRAWING:
            words = _.plural("I take {n} star", "I take {n} stars", game.tokens_left[0])
            for q in game.seats_drawing:
                yield Offer(Move("take", q), SeatPress(q), words)
            yield Offer(
                Move("stop"), ConsolePress.OK, _("All agree: stop"), agreeing_seats=tuple(sorted(game.seats_drawing))
            )
        case Phase.STOP:
            yield Offer(Move("score"), ConsolePress.OK, _("Turn the piles"), awaited=True)
        case Phase.SCORING:
            yield from _scoring_offers(game, names, game.participants[game.pile_index])
        case Phase.ROUND:
            more = len(game.round_scores) < game.settings.rounds
            words = _("Next round") if more else _("Final result")
            yield Offer(Move("next_round"), ConsolePress.OK, words, awaited=True)
            yield Offer(Move("back"), ConsolePress.NO, _("Last pile"))
        case Phase.OVER:
            pass


def _scoring_offers(game: Pictomania, names: Sequence[str], owner: Seat) -> Iterator[Offer]:
    """P32: the guessers press (or are pressed) in the order of their cards."""
    for move in game.list_moves():
        match move.kind:
            case "right":
                assert move.seat is not None
                yield Offer(move, SeatPress(move.seat), _("Guessed it"))
            case "wrong":
                assert move.seat is not None
                yield Offer(move, SeatPress(move.seat), _("No, wrong") if game.find_card(move.seat) else _("Wrong"))
            case "off":
                assert move.seat is not None
                yield Offer(move, SeatPress(move.seat), _("No card"))
            case "next":
                last = game.pile_index + 1 == len(game.participants)
                yield Offer(move, ConsolePress.OK, _("Add up") if last else _("Next pile"), awaited=True)
            case "back":
                yield Offer(move, ConsolePress.NO, _("Pile before"))
            case "misdrawn":
                question = _("Did {who} obviously draw another clue? Then all cards go back.", who=names[owner])
                yield Offer(move, ConsolePress.PLUS, _("Wrong drawing"), confirm_question=question)
            case "drawn":
                yield Offer(move, ConsolePress.PLUS, _("Right after all"))
