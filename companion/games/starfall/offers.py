"""What can be pressed in each state of a StarFall game.

The number keys 1 to 3 take the tiles on the board, dearest first; 4 to 6 move them. OK goes on, NO goes back, PLUS
has more. MINUS (the menu) and NO held (undo) are the referee's and never used here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.games.api.game import Move, Seat
from companion.games.api.offers import Console, NumberPress, Offer, SeatPress, Sight
from companion.games.starfall import payment as payments
from companion.games.starfall.rules import StarFall
from companion.games.starfall.settings import MOST
from companion.games.starfall.state import KEYS, PAGE_OF_BOARD, UNKNOWN, Payment
from companion.games.starfall.tile_identification import naming
from companion.games.starfall.tile_texts import named
from companion.games.starfall.view import LINES, Phase
from companion.i18n import Words

_ = Words("starfall")

LIKED = {"add": 3.0, "move": 0.8, "pay": 4.0, "with": 0.3, "without": 0.1, "dust": 0.1, "cancel": 0.15}
LIKED |= {"name": 0.5, "narrow": 1.0, "back": 0.1, "page": 0.2}
LIKED |= {"more": 0.12, "less": 0.1, "next line": 1.0, "back line": 0.1, "leave": 0.02, "done": 2.0}
"""How much virtual players like a move, where 1 is what nothing speaks against."""


def offers(game: StarFall, _names: Sequence[str], _sight: Sight) -> Sequence[Offer]:
    """All that is open now. Every legal move is in it, or on another page of the keys."""
    return tuple(_offers(game))


def meant(game: StarFall, seat: Seat) -> Move | None:
    """During a turn the buttons are numbers: a key in vain meant a tile that cannot be paid for, or none at all.

    Who pressed is not known then: it may have been the active player's hand on another's button.
    """
    if game.ended:
        return Move("count", seat)
    if game.phase is not Phase.TURN:
        return Move("add", seat, (UNKNOWN,)) if seat != game.active else None
    dear = [space for space in game.on_keys if not game.payable(space)]
    return Move("discover", game.active, (dear[0] if dear else game.settings.top_space + 1,))


def likely(game: StarFall, offer: Offer) -> float:
    """Virtual players take what is cheap, pay as proposed, and count a few things on each page."""
    if not isinstance(offer.does, Move):
        return 1.0
    move = offer.does
    if move.kind == "discover":
        return 3.0 / (1 + move.value[0])
    if move.kind == "count":
        return 0.03 if game.counted[move.seat or 0] else 1.0
    return LIKED.get(move.kind, 1.0)


def _offers(game: StarFall) -> Iterator[Offer]:
    match game.phase:
        case Phase.TURN:
            yield from _turn(game)
        case Phase.NAMING:
            yield from _naming(game)
        case Phase.PAY:
            yield from _pay(game)
        case Phase.CHOOSE | Phase.TABLE:
            yield from _choose(game)
        case Phase.PAGE if game.counting is not None:
            yield from _page(game, game.counting)
        case _:
            pass


def _turn(game: StarFall) -> Iterator[Offer]:
    seat = game.active
    if game.may_add:
        yield Offer(Move("add", seat, (UNKNOWN,)), Console.OK, _("Add a tile"), awaited=True)
        if game.unseen:
            yield Offer(Move("name", seat), Console.PLUS, _("Add and say which"))
    for key, space in enumerate(game.on_keys, start=1):
        if game.payable(space):
            yield Offer(
                Move("discover", seat, (space,)), NumberPress(key), _("Take the {space}", space=space), awaited=True
            )
        lands = game.lands(space)
        words = _("Move {space} off", space=space)
        if lands is not None:
            words = _("Move {space} to {lands}", space=space, lands=lands)
        yield Offer(Move("move", seat, (space,)), NumberPress(key + PAGE_OF_BOARD), words)
    if game.board_pages > 1:
        yield Offer(Move("page", seat), Console.NO, _("Other tiles"))


def _naming(game: StarFall) -> Iterator[Offer]:
    seat = game.active
    for key, choice in enumerate(naming(game).choices, start=1):
        settled = len(choice.numbers) == 1
        does = Move("add", seat, choice.numbers) if settled else Move("narrow", seat, (key,))
        yield Offer(does, NumberPress(key), choice.words, awaited=True)
    yield Offer(Move("add", seat, (UNKNOWN,)), Console.OK, _("Not known"))
    yield Offer(Move("back", seat), Console.NO, _("Back"))


def _pay(game: StarFall) -> Iterator[Offer]:
    """F13."""
    seat, payment = game.active, game.payment
    assert payment is not None, "the phase of paying"
    if payments.enough(game, payment):
        more = _("That is more than needed. Pay it all the same?") if payments.unneeded(game, payment) else ""
        words = _("Pay {amount}", amount=amount(payments.dust_of(game, payment), len(payment.tiles)))
        yield Offer(Move("pay", seat), Console.OK, words, awaited=True, confirm=more)
    pages = payments.pages(game, payment)
    page = pages[game.page]
    for key, give in enumerate(page, start=1):
        words = _("Tile from {space}", space=give.worth)
        if game.settings.tile_pays == "star_symbols":
            words = _.plural("Tile: {n} star", "Tile: {n} stars", give.worth)
        yield Offer(Move("with", seat, (give.index, give.worth)), NumberPress(key), words)
    if not page:
        yield from _dust(game, payment)
    if len(pages) > 1:
        words = _("Change the dust") if page else _("Choose tiles")
        if game.page < len(pages) - 2:
            words = _("Other tiles")
        yield Offer(Move("page", seat), Console.PLUS, words)
    yield Offer(Move("cancel", seat), Console.NO, _("Not this tile"))


def _dust(game: StarFall, payment: Payment) -> Iterator[Offer]:
    keys = {
        -1: (1, _("1 dust less")),
        1: (2, _("1 dust more")),
        -5: (3, _("5 dust less")),
        5: (4, _("5 dust more")),
    }
    for change, dust in payments.dust_steps(game, payment):
        key, words = keys[change]
        yield Offer(Move("dust", game.active, (dust,)), NumberPress(key), words)
    unsaid = payments.unsaid(game, payment)
    if unsaid is not None:
        give = Move("with", game.active, (unsaid.index, unsaid.worth))
        yield Offer(give, NumberPress(5), _("And a tile"))
    if payment.tiles:
        yield Offer(Move("without", game.active), NumberPress(6), _("A tile back"))


def amount(dust: int, tiles: int) -> str:
    """What is paid, in words.

    >>> amount(7, 0), amount(4, 1), amount(0, 2)
    ('7 dust', '4 and a tile', '2 tiles')
    """
    if not tiles:
        return _("{dust} dust", dust=dust)
    if dust:
        return _.plural("{dust} and a tile", "{dust} and {n} tiles", tiles, dust=dust)
    return _.plural("a tile", "{n} tiles", tiles)


def _choose(game: StarFall) -> Iterator[Offer]:
    for q in game.present:
        counted = game.counted[q]
        words = _("Count again") if counted else _("Count my tiles")
        yield Offer(Move("count", q), SeatPress(q), words, not counted)
    if game.phase is Phase.TABLE:
        yield Offer(Move("finish"), Console.OK, _("That is right"), awaited=True)
    elif game.proposals:
        yield Offer(Move("accept"), Console.OK, _("As in the catalogue"), awaited=True)


def _page(game: StarFall, seat: Seat) -> Iterator[Offer]:
    line = game.line
    held = game.counts[seat][line]
    for n in range(1, KEYS + 1):
        if held + n <= MOST:
            yield Offer(Move("more", seat, (n,)), NumberPress(n), _("{n} more", n=n))
    last = line == len(LINES) - 1
    words = _("All counted") if last else _("Next: {things}", things=named(line + 1))
    yield Offer(Move("next line", seat), Console.OK, words, True)
    if game.counted[seat]:
        yield Offer(Move("done", seat), Console.PLUS, _("Put right: done"))
    elif held < MOST:
        yield Offer(Move("more", seat, (1,)), Console.PLUS, _("{n} more", n=1))
    if held:
        yield Offer(Move("less", seat), Console.NO, _("1 less"))
    elif line:
        yield Offer(Move("back line", seat), Console.NO, _("Back: {things}", things=named(line - 1)))
    else:
        yield Offer(Move("leave", seat), Console.NO, _("Another player"))
