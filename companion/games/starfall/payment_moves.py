"""F13: the active player pays for a tile with dust and own tiles."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from companion.api import N_, ConsolePress, Key, Move, NumberPress, Offer, Reason, Unmet, Visibility
from companion.games.starfall import payment_rules
from companion.games.starfall.moves import TurnMove, describe_taken_tile
from companion.games.starfall.state import PaidTile, Payment, Phase, StarFallState, _

_DUST_KEYS = {-1: (1, N_("Dust −1")), 1: (2, N_("Dust +1")), -5: (3, N_("Dust −5")), 5: (4, N_("Dust +5"))}
"""By change of the dust: the number key and its label."""


class PaymentMove(TurnMove):
    """A move while a tile is paid for."""

    rule, phases = "F13", (Phase.PAY,)

    def needs_in_turn(self, game: StarFallState) -> Iterator[Reason]:
        if game.payment is None:
            yield "F13", N_("nothing is being paid now")
        else:
            yield from self.needs_payment(game, game.payment)

    def needs_payment(self, game: StarFallState, payment: Payment) -> Iterable[Reason]:
        """Yield each condition of the payment that is not met."""
        return ()


class Pay(PaymentMove):
    """F12: the payment is made."""

    kind, bot_weight = "pay", 4.0

    def needs_payment(self, game: StarFallState, payment: Payment) -> Iterator[Reason]:
        if unneeded := payment_rules.find_unneeded_tile(game, payment):
            not_needed = N_("the tile that pays {n} is not needed; take it back, there is no change for tiles")
            yield Unmet("F13", not_needed, values={"n": unneeded.value})
        if not payment_rules.is_enough(game, payment):
            yield Unmet("F12", N_("this does not reach the price of {price}"), values={"price": payment.space})

    def apply(self, game: StarFallState, move: Move) -> StarFallState:
        return payment_rules.take_tile(game, _get_payment(game)).end_turn()

    def get_key(self, game: StarFallState) -> Key:
        is_excessive = payment_rules.is_excessive(game, _get_payment(game))
        question = N_("That is more than needed. Pay it all the same?") if is_excessive else ""
        return Key(ConsolePress.OK, N_("Pay"), awaited=True, confirm_question=question)

    def describe(self, before: StarFallState, move: Move, after: StarFallState, names: Sequence[str]) -> str:
        payment, spent = _get_payment(before), before.dust[move.player] - after.dust[move.player]
        return describe_taken_tile(names[move.player], payment.space, spent, len(payment.tiles))


class Dust(PaymentMove):
    """The value is how much dust is given."""

    kind, bot_weight = "dust", 0.1

    def list_values(self, game: StarFallState) -> Iterable[int]:
        return (dust for _, dust in payment_rules.list_dust_steps(game, _get_payment(game)))

    def explain_value(self, game: StarFallState, move: Move) -> Iterator[Reason]:
        yield Unmet("F14", N_("{who} has {dust} dust and gets no more"), values={"dust": game.dust[move.player]})

    def apply(self, game: StarFallState, move: Move) -> StarFallState:
        return replace(game, payment=replace(_get_payment(game), stated_dust=move.value[0]))

    def make_offers(
        self, game: StarFallState, moves: Sequence[Move], names: Sequence[str], visibility: Visibility
    ) -> Iterator[Offer]:
        if _list_options_on_keys(game):
            return
        dust = payment_rules.get_dust(game, _get_payment(game))
        for move in moves:
            key, label = _DUST_KEYS[move.value[0] - dust]
            yield Offer(move, NumberPress(key), _(label), repeats=True)

    def describe(self, before: StarFallState, move: Move, after: StarFallState, names: Sequence[str]) -> str:
        return _("{who} pays {value} dust", who=names[move.player], value=move.value[0])


class With(PaymentMove):
    """A tile is given; the values are its index and what it pays."""

    kind, bot_weight = "with", 0.3
    otherwise = "F13", N_("that tile cannot be given; only own tiles that were discovered earlier pay")

    def list_values(self, game: StarFallState) -> Iterator[tuple[int, int]]:
        payment = _get_payment(game)
        unvalued = payment_rules.find_unvalued_tile(game, payment)
        for page in (*payment_rules.list_key_pages(game, payment), (unvalued,) if unvalued else ()):
            yield from ((option.tile_index, option.value) for option in page)

    def apply(self, game: StarFallState, move: Move) -> StarFallState:
        payment, given = _get_payment(game), payment_rules.make_paid_tile(game, *move.value)
        return _replace_tiles(game, (*payment.tiles, given), is_stated=given.value is not None)

    def make_offers(
        self, game: StarFallState, moves: Sequence[Move], names: Sequence[str], visibility: Visibility
    ) -> Iterator[Offer]:
        page = _list_options_on_keys(game)
        for key, option in enumerate(page, start=1):
            label = _("Tile {space}", space=option.value)
            if game.settings.tile_pays == "star_symbols":
                label = _.plural("{n} star", "{n} stars", option.value)
            yield Offer(Move(self.kind, game.active_seat, (option.tile_index, option.value)), NumberPress(key), label)
        if not page and moves[-1].value[1] == payment_rules.VALUE_NOT_STATED:
            yield Offer(moves[-1], NumberPress(5), _("Tile +1"))

    def describe(self, before: StarFallState, move: Move, after: StarFallState, names: Sequence[str]) -> str:
        pays = payment_rules.make_paid_tile(before, *move.value).value
        message = N_("{who} gives a tile") if pays is None else N_("{who} gives a tile that pays {pays}")
        return _(message, who=names[move.player], pays=pays)


class Without(PaymentMove):
    """The tile given last is taken back."""

    kind, bot_weight, log = "without", 0.1, N_("{who} takes a tile back")

    def needs_payment(self, game: StarFallState, payment: Payment) -> Iterator[Reason]:
        if not payment.tiles:
            yield "F13", N_("no tile is in the payment")

    def apply(self, game: StarFallState, move: Move) -> StarFallState:
        return _replace_tiles(game, _get_payment(game).tiles[:-1], is_stated=False)

    def get_key(self, game: StarFallState) -> Key | None:
        return None if _list_options_on_keys(game) else Key(NumberPress(6), N_("Tile −1"))


class Cancel(PaymentMove):
    """F12: the tile is not taken after all."""

    kind, rule, bot_weight = "cancel", "F12", 0.15
    key, log = Key(ConsolePress.NO, N_("Cancel")), N_("{who} does not take it")

    def apply(self, game: StarFallState, move: Move) -> StarFallState:
        return replace(game, payment=None, key_page=0)


def _get_payment(game: StarFallState) -> Payment:
    assert game.payment is not None, "nothing is being paid now"
    return game.payment


def _list_options_on_keys(game: StarFallState) -> tuple[payment_rules.TileOption, ...]:
    """Return the tiles that are on the keys; empty: the keys change the dust."""
    return payment_rules.list_key_pages(game, _get_payment(game))[game.key_page]


def _replace_tiles(game: StarFallState, tiles: tuple[PaidTile, ...], *, is_stated: bool) -> StarFallState:
    """Return the game with other tiles in the payment.

    When no stars are stated, or a tile must go back, the keys go on with the dust, on the last page.
    """
    payment = replace(_get_payment(game), tiles=tiles)
    is_unneeded = payment_rules.find_unneeded_tile(game, payment) is not None
    page = 0 if is_stated and not is_unneeded else len(payment_rules.list_key_pages(game, payment)) - 1
    return replace(game, payment=payment, key_page=page)
