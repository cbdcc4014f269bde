"""What can be pressed in each phase of a StarFall game.

The number keys 1 to 3 take the tiles on the board, dearest first; 4 to 6 move them. OK continues, NO goes back, PLUS
has more. MINUS (the menu) and NO held (undo) are the referee's and never used here.
"""

from collections.abc import Iterator, Sequence

from companion.api import ConsolePress, Move, NumberPress, Offer, Seat, SeatPress, Visibility
from companion.games.starfall import payment_rules
from companion.games.starfall.rules import StarFall
from companion.games.starfall.settings import MAX_SYMBOL_COUNT, SYMBOLS
from companion.games.starfall.state import (
    BOARD_TILES_PER_PAGE,
    NUMBER_KEY_COUNT,
    UNKNOWN_TILE,
    MoveKind,
    Payment,
    Phase,
)
from companion.games.starfall.tile_identification import get_tile_question
from companion.i18n import N_, Translator

_ = Translator("starfall")

BOT_WEIGHTS: dict[str, float] = {
    MoveKind.ADD: 3.0,
    MoveKind.MOVE: 0.8,
    MoveKind.PAY: 4.0,
    MoveKind.WITH: 0.3,
    MoveKind.WITHOUT: 0.1,
    MoveKind.DUST: 0.1,
    MoveKind.CANCEL: 0.15,
    MoveKind.NAME: 0.5,
    MoveKind.NARROW: 1.0,
    MoveKind.BACK: 0.1,
    MoveKind.PAGE: 0.2,
    MoveKind.MORE: 0.12,
    MoveKind.LESS: 0.1,
    MoveKind.NEXT_LINE: 1.0,
    MoveKind.BACK_LINE: 0.1,
    MoveKind.LEAVE: 0.02,
    MoveKind.DONE: 2.0,
}
"""Relative weights in the bots' choice, where 1 is usual: a higher weight is played more often. Chosen by hand so
that tiles are added and paid for as proposed, and few things are counted."""
_CONSOLE_KEYS: dict[str, tuple[ConsolePress, bool, str]] = {
    MoveKind.NAME: (ConsolePress.PLUS, False, N_("Say which")),
    MoveKind.BACK: (ConsolePress.NO, False, N_("Back")),
    MoveKind.CANCEL: (ConsolePress.NO, False, N_("Cancel")),
    MoveKind.FINISH: (ConsolePress.OK, True, N_("Correct")),
    MoveKind.ACCEPT: (ConsolePress.OK, True, N_("As listed")),
    MoveKind.LESS: (ConsolePress.NO, False, N_("1 less")),
    MoveKind.LEAVE: (ConsolePress.NO, False, N_("Others")),
    MoveKind.DONE: (ConsolePress.PLUS, False, N_("Done")),
}
"""Moves whose key always says the same: the key, whether the table waits for it, and its label."""
_DUST_KEYS = {
    -1: (1, N_("Dust −1")),
    1: (2, N_("Dust +1")),
    -5: (3, N_("Dust −5")),
    5: (4, N_("Dust +5")),
}
"""By change of the dust: the number key and its label."""


def list_offers(game: StarFall, _names: Sequence[str], _visibility: Visibility) -> Sequence[Offer]:
    """Return all inputs that do something now.

    Every legal move is in the list, or on another page of the keys, which one of the offers opens. Names and visibility
    are not used.
    """
    match game.phase:
        case Phase.TURN:
            return tuple(_turn_offers(game))
        case Phase.NAMING:
            return tuple(_naming_offers(game))
        case Phase.PAY if game.payment is not None:
            return tuple(_payment_offers(game, game.payment))
        case Phase.CHOOSE | Phase.TABLE:
            return tuple(_choose_offers(game))
        case Phase.PAGE if game.counting_seat is not None:
            return tuple(_count_offers(game, game.counting_seat))
        case _:
            return ()


def get_default_move(game: StarFall, seat: Seat) -> Move | None:
    """Return the move whose refusal explains why the button of `seat` has no use now; None: nothing to explain.

    After the end it is COUNT of that seat. During a turn it is the dearest tile on the keys that cannot be paid for,
    since buttons are number keys then, and the active player may press the button of another seat. In other phases it
    is ADD, or None for the active player.
    """
    if game.end_reason:
        return Move(MoveKind.COUNT, seat)
    if game.phase is not Phase.TURN:
        return Move(MoveKind.ADD, seat, (UNKNOWN_TILE,)) if seat != game.active_seat else None
    too_dear = (space for space in game.spaces_on_keys if not game.can_pay_for(space))
    return Move(MoveKind.DISCOVER, game.active_seat, (next(too_dear, game.settings.top_space + 1),))


def get_bot_weight(game: StarFall, offer: Offer) -> float:
    """Return the relative weight of `offer` in the bots' random choice: 1.0 is usual, 0.0 is never chosen.

    The dearer a tile, the lower its weight: bots prefer cheap tiles.
    """
    if not isinstance(offer.action, Move):
        return 1.0
    move = offer.action
    if move.kind == MoveKind.DISCOVER:
        return 3.0 / (1 + move.value[0])
    if move.kind == MoveKind.COUNT:
        return 0.03 if game.counted[move.seat or 0] else 1.0
    return BOT_WEIGHTS.get(move.kind, 1.0)


def _make_console_offer(kind: MoveKind, seat: Seat | None = None) -> Offer:
    key, is_awaited, label = _CONSOLE_KEYS[kind]
    return Offer(Move(kind, seat), key, _(label), awaited=is_awaited, repeats=kind is MoveKind.LESS)


def _turn_offers(game: StarFall) -> Iterator[Offer]:
    seat = game.active_seat
    if game.can_add:
        yield Offer(Move(MoveKind.ADD, seat, (UNKNOWN_TILE,)), ConsolePress.OK, _("Add tile"), awaited=True)
        if game.unseen_tiles:
            yield _make_console_offer(MoveKind.NAME, seat)
    for key, space in enumerate(game.spaces_on_keys, start=1):
        if game.can_pay_for(space):
            label = _("Take {space}", space=space)
            yield Offer(Move(MoveKind.DISCOVER, seat, (space,)), NumberPress(key), label, awaited=True)
        lands = game.find_landing_space(space)
        message = N_("Push {space} off") if lands is None else N_("Move {space} to {lands}")
        label = _(message, space=space, lands=lands)
        yield Offer(Move(MoveKind.MOVE, seat, (space,)), NumberPress(key + BOARD_TILES_PER_PAGE), label, awaited=True)
    if game.board_page_count > 1:
        yield Offer(Move(MoveKind.PAGE, seat), ConsolePress.NO, _("More tiles"), repeats=True)


def _naming_offers(game: StarFall) -> Iterator[Offer]:
    seat = game.active_seat
    for position, choice in enumerate(get_tile_question(game).choices, start=1):
        yield Offer(choice.make_move(seat, position), NumberPress(choice.key), choice.label, awaited=True)
    yield Offer(Move(MoveKind.ADD, seat, (UNKNOWN_TILE,)), ConsolePress.OK, _("Not known"))
    yield _make_console_offer(MoveKind.BACK, seat)


def _payment_offers(game: StarFall, payment: Payment) -> Iterator[Offer]:
    """F13."""
    seat = game.active_seat
    if payment_rules.is_enough(game, payment) and payment_rules.find_unneeded_tile(game, payment) is None:
        is_excessive = payment_rules.is_excessive(game, payment)
        question = _("That is more than needed. Pay it all the same?") if is_excessive else ""
        yield Offer(Move(MoveKind.PAY, seat), ConsolePress.OK, _("Pay"), awaited=True, confirm_question=question)
    pages = payment_rules.list_key_pages(game, payment)
    page = pages[game.key_page]
    for key, option in enumerate(page, start=1):
        label = _("Tile {space}", space=option.value)
        if game.settings.tile_pays == "star_symbols":
            label = _.plural("{n} star", "{n} stars", option.value)
        yield Offer(Move(MoveKind.WITH, seat, (option.tile_index, option.value)), NumberPress(key), label)
    if not page:
        yield from _dust_offers(game, payment)
    if len(pages) > 1:
        label = _("Dust") if page else _("Tiles")
        if game.key_page < len(pages) - 2:
            label = _("More tiles")
        yield Offer(Move(MoveKind.PAGE, seat), ConsolePress.PLUS, label, repeats=True)
    yield _make_console_offer(MoveKind.CANCEL, seat)


def _dust_offers(game: StarFall, payment: Payment) -> Iterator[Offer]:
    seat = game.active_seat
    for change, dust in payment_rules.list_dust_steps(game, payment):
        key, label = _DUST_KEYS[change]
        yield Offer(Move(MoveKind.DUST, seat, (dust,)), NumberPress(key), _(label), repeats=True)
    if option := payment_rules.find_unvalued_tile(game, payment):
        give = Move(MoveKind.WITH, seat, (option.tile_index, option.value))
        yield Offer(give, NumberPress(5), _("Tile +1"))
    if payment.tiles:
        yield Offer(Move(MoveKind.WITHOUT, seat), NumberPress(6), _("Tile −1"))


def format_payment(dust: int, tile_count: int) -> str:
    """Return a payment as a translated text; a payment of nothing is "0 dust".

    Args:
        dust: stardust paid, 0 or more.
        tile_count: number of tiles paid, 0 or more.

    >>> format_payment(7, 0), format_payment(4, 1), format_payment(0, 2)
    ('7 dust', '4 and a tile', '2 tiles')
    """
    if not tile_count:
        return _("{dust} dust", dust=dust)
    if dust:
        return _.plural("{dust} and a tile", "{dust} and {n} tiles", tile_count, dust=dust)
    return _.plural("a tile", "{n} tiles", tile_count)


def _choose_offers(game: StarFall) -> Iterator[Offer]:
    for q in game.seats_to_count:
        is_counted = game.counted[q]
        label = _("Count again") if is_counted else _("My tiles")
        yield Offer(Move(MoveKind.COUNT, q), SeatPress(q), label, awaited=not is_counted)
    if game.phase is Phase.TABLE:
        yield _make_console_offer(MoveKind.FINISH)
    elif game.seats_with_proposal:
        yield _make_console_offer(MoveKind.ACCEPT)


def _count_offers(game: StarFall, seat: Seat) -> Iterator[Offer]:
    line = game.line_index
    held = game.symbol_counts[seat][line]
    more = [
        Offer(Move(MoveKind.MORE, seat, (n,)), NumberPress(n), _("+{n}", n=n), repeats=True)
        for n in range(1, NUMBER_KEY_COUNT + 1)
        if held + n <= MAX_SYMBOL_COUNT
    ]
    yield from more
    is_last = line == len(SYMBOLS) - 1
    label = _("Finish") if is_last else _("Next")
    yield Offer(Move(MoveKind.NEXT_LINE, seat), ConsolePress.OK, label, awaited=True)
    if game.counted[seat]:
        yield _make_console_offer(MoveKind.DONE, seat)
    elif more:
        yield Offer(Move(MoveKind.MORE, seat, (1,)), ConsolePress.PLUS, _("+{n}", n=1), repeats=True)
    if line and not held:
        label = _("Back")
        yield Offer(Move(MoveKind.BACK_LINE, seat), ConsolePress.NO, label)
    else:
        yield _make_console_offer(MoveKind.LESS if held else MoveKind.LEAVE, seat)
