"""What can be pressed in each state of a StarFall game.

The number keys 1 to 3 take the tiles on the board, dearest first; 4 to 6 move them. OK goes on, NO goes back, PLUS
has more. MINUS (the menu) and NO held (undo) are the referee's and never used here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.games.api.game import Move, Seat
from companion.games.api.offers import ConsolePress, NumberPress, Offer, SeatPress, Visibility
from companion.games.starfall import payment as payments
from companion.games.starfall.rules import StarFall
from companion.games.starfall.settings import MAX_SYMBOL_COUNT
from companion.games.starfall.state import BOARD_TILES_PER_PAGE, NUMBER_KEY_COUNT, UNKNOWN_TILE, Payment
from companion.games.starfall.tile_identification import get_tile_question
from companion.games.starfall.tile_texts import get_symbol_name
from companion.games.starfall.view import SYMBOLS, Phase
from companion.i18n import Translator

_ = Translator("starfall")

BOT_WEIGHTS = {"add": 3.0, "move": 0.8, "pay": 4.0, "with": 0.3, "without": 0.1, "dust": 0.1, "cancel": 0.15}
BOT_WEIGHTS |= {"name": 0.5, "narrow": 1.0, "back": 0.1, "page": 0.2}
BOT_WEIGHTS |= {"more": 0.12, "less": 0.1, "next line": 1.0, "back line": 0.1, "leave": 0.02, "done": 2.0}
"""How much virtual players like a move, where 1 is what nothing speaks against."""


def list_offers(game: StarFall, _names: Sequence[str], _sight: Visibility) -> Sequence[Offer]:
    """All that is open now. Every legal move is in it, or on another page of the keys."""
    return tuple(_offers(game))


def get_default_move(game: StarFall, seat: Seat) -> Move | None:
    """During a turn the buttons are numbers: a key in vain meant a tile that cannot be paid for, or none at all.

    Who pressed is not known then: it may have been the active player's hand on another's button.
    """
    if game.ended:
        return Move("count", seat)
    if game.phase is not Phase.TURN:
        return Move("add", seat, (UNKNOWN_TILE,)) if seat != game.active_seat else None
    dear = [space for space in game.spaces_on_keys if not game.can_pay_for(space)]
    return Move("discover", game.active_seat, (dear[0] if dear else game.settings.top_space + 1,))


def weigh_for_bots(game: StarFall, offer: Offer) -> float:
    """Virtual players take what is cheap, pay as proposed, and count a few things on each page."""
    if not isinstance(offer.action, Move):
        return 1.0
    move = offer.action
    if move.kind == "discover":
        return 3.0 / (1 + move.value[0])
    if move.kind == "count":
        return 0.03 if game.counted[move.seat or 0] else 1.0
    return BOT_WEIGHTS.get(move.kind, 1.0)


def _offers(game: StarFall) -> Iterator[Offer]:
    match game.phase:
        case Phase.TURN:
            yield from _turn_offers(game)
        case Phase.NAMING:
            yield from _naming_offers(game)
        case Phase.PAY:
            yield from _payment_offers(game)
        case Phase.CHOOSE | Phase.TABLE:
            yield from _choose_offers(game)
        case Phase.PAGE if game.counting_seat is not None:
            yield from _count_offers(game, game.counting_seat)
        case _:
            pass


def _turn_offers(game: StarFall) -> Iterator[Offer]:
    seat = game.active_seat
    if game.can_add:
        yield Offer(Move("add", seat, (UNKNOWN_TILE,)), ConsolePress.OK, _("Add a tile"), awaited=True)
        if game.unseen_tiles:
            yield Offer(Move("name", seat), ConsolePress.PLUS, _("Add and say which"))
    for key, space in enumerate(game.spaces_on_keys, start=1):
        if game.can_pay_for(space):
            yield Offer(
                Move("discover", seat, (space,)), NumberPress(key), _("Take the {space}", space=space), awaited=True
            )
        lands = game.find_landing_space(space)
        words = _("Move {space} off", space=space)
        if lands is not None:
            words = _("Move {space} to {lands}", space=space, lands=lands)
        yield Offer(Move("move", seat, (space,)), NumberPress(key + BOARD_TILES_PER_PAGE), words)
    if game.board_page_count > 1:
        yield Offer(Move("page", seat), ConsolePress.NO, _("Other tiles"))


def _naming_offers(game: StarFall) -> Iterator[Offer]:
    seat = game.active_seat
    for key, choice in enumerate(get_tile_question(game).choices, start=1):
        settled = len(choice.tile_numbers) == 1
        does = Move("add", seat, choice.tile_numbers) if settled else Move("narrow", seat, (key,))
        yield Offer(does, NumberPress(key), choice.label, awaited=True)
    yield Offer(Move("add", seat, (UNKNOWN_TILE,)), ConsolePress.OK, _("Not known"))
    yield Offer(Move("back", seat), ConsolePress.NO, _("Back"))


def _payment_offers(game: StarFall) -> Iterator[Offer]:
    """F13."""
    seat, payment = game.active_seat, game.payment
    assert payment is not None, "the phase of paying"
    if payments.is_enough(game, payment):
        more = _("That is more than needed. Pay it all the same?") if payments.is_excessive(game, payment) else ""
        words = _("Pay {amount}", amount=format_payment(payments.get_dust(game, payment), len(payment.tiles)))
        yield Offer(Move("pay", seat), ConsolePress.OK, words, awaited=True, confirm_question=more)
    pages = payments.list_key_pages(game, payment)
    page = pages[game.key_page]
    for key, give in enumerate(page, start=1):
        words = _("Tile from {space}", space=give.value)
        if game.settings.tile_pays == "star_symbols":
            words = _.plural("Tile: {n} star", "Tile: {n} stars", give.value)
        yield Offer(Move("with", seat, (give.tile_index, give.value)), NumberPress(key), words)
    if not page:
        yield from _dust_offers(game, payment)
    if len(pages) > 1:
        words = _("Change the dust") if page else _("Choose tiles")
        if game.key_page < len(pages) - 2:
            words = _("Other tiles")
        yield Offer(Move("page", seat), ConsolePress.PLUS, words)
    yield Offer(Move("cancel", seat), ConsolePress.NO, _("Not this tile"))


def _dust_offers(game: StarFall, payment: Payment) -> Iterator[Offer]:
    keys = {
        -1: (1, _("1 dust less")),
        1: (2, _("1 dust more")),
        -5: (3, _("5 dust less")),
        5: (4, _("5 dust more")),
    }
    for change, dust in payments.list_dust_steps(game, payment):
        key, words = keys[change]
        yield Offer(Move("dust", game.active_seat, (dust,)), NumberPress(key), words)
    unsaid = payments.find_unvalued_tile(game, payment)
    if unsaid is not None:
        give = Move("with", game.active_seat, (unsaid.tile_index, unsaid.value))
        yield Offer(give, NumberPress(5), _("And a tile"))
    if payment.tiles:
        yield Offer(Move("without", game.active_seat), NumberPress(6), _("A tile back"))


def format_payment(dust: int, tiles: int) -> str:
    """What is paid, in words.

    >>> format_payment(7, 0), format_payment(4, 1), format_payment(0, 2)
    ('7 dust', '4 and a tile', '2 tiles')
    """
    if not tiles:
        return _("{dust} dust", dust=dust)
    if dust:
        return _.plural("{dust} and a tile", "{dust} and {n} tiles", tiles, dust=dust)
    return _.plural("a tile", "{n} tiles", tiles)


def _choose_offers(game: StarFall) -> Iterator[Offer]:
    for q in game.present_seats:
        counted = game.counted[q]
        words = _("Count again") if counted else _("Count my tiles")
        yield Offer(Move("count", q), SeatPress(q), words, not counted)
    if game.phase is Phase.TABLE:
        yield Offer(Move("finish"), ConsolePress.OK, _("That is right"), awaited=True)
    elif game.seats_with_proposal:
        yield Offer(Move("accept"), ConsolePress.OK, _("As in the catalogue"), awaited=True)


def _count_offers(game: StarFall, seat: Seat) -> Iterator[Offer]:
    line = game.line_index
    held = game.symbol_counts[seat][line]
    for n in range(1, NUMBER_KEY_COUNT + 1):
        if held + n <= MAX_SYMBOL_COUNT:
            yield Offer(Move("more", seat, (n,)), NumberPress(n), _("{n} more", n=n))
    last = line == len(SYMBOLS) - 1
    words = _("All counted") if last else _("Next: {things}", things=get_symbol_name(line + 1))
    yield Offer(Move("next line", seat), ConsolePress.OK, words, True)
    if game.counted[seat]:
        yield Offer(Move("done", seat), ConsolePress.PLUS, _("Put right: done"))
    elif held < MAX_SYMBOL_COUNT:
        yield Offer(Move("more", seat, (1,)), ConsolePress.PLUS, _("{n} more", n=1))
    if held:
        yield Offer(Move("less", seat), ConsolePress.NO, _("1 less"))
    elif line:
        yield Offer(Move("back line", seat), ConsolePress.NO, _("Back: {things}", things=get_symbol_name(line - 1)))
    else:
        yield Offer(Move("leave", seat), ConsolePress.NO, _("Another player"))
