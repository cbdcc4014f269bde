"""F13: the active player pays for a tile with own tiles, and with dust for the rest.

The active player's button gives a tile and steps through what it may be; PLUS gives one more, OK pays.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from companion.api import N_, ConsolePress, Key, Move, Offer, Reason, SeatPress, Translator, Unmet, Visibility
from companion.games.starfall import payment_rules
from companion.games.starfall.moves import TurnMove, describe_taken_tile
from companion.games.starfall.state import Payment, Phase, StarFallState

_ = Translator("starfall")

_NO_TILE_GIVEN = "F13", N_("no tile is in the payment")


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

    kind, key, bot_weight = "pay", Key(ConsolePress.OK, N_("Pay"), awaited=True), 4.0

    def needs_payment(self, game: StarFallState, payment: Payment) -> Iterator[Reason]:
        if unneeded := payment_rules.find_unneeded_tile(payment):
            not_needed = N_("the tile that pays {n} is not needed; take it back, there is no change for tiles")
            yield Unmet("F13", not_needed, values={"n": unneeded.value})
        if not payment_rules.is_enough(game, payment):
            yield Unmet("F12", N_("this does not reach the price of {price}"), values={"price": payment.space})

    def apply(self, game: StarFallState, move: Move) -> StarFallState:
        return payment_rules.take_tile(game, _get_payment(game)).end_turn()

    def describe(self, before: StarFallState, move: Move, after: StarFallState, names: Sequence[str]) -> str:
        payment, spent = _get_payment(before), before.dust[move.player] - after.dust[move.player]
        return describe_taken_tile(names[move.player], payment.space, spent, len(payment.tiles))


class With(PaymentMove):
    """A tile is given; the values are its index and what it pays."""

    kind, bot_weight = "with", 0.3
    otherwise = "F13", N_("that tile cannot be given; only own tiles that were discovered earlier pay")

    def needs_payment(self, game: StarFallState, payment: Payment) -> Iterable[Reason]:
        if payment.tiles and payment_rules.sum_tile_values(payment) >= payment.space:
            yield "F13", N_("the tiles given pay the whole price")

    def list_values(self, game: StarFallState) -> Iterator[tuple[int, int]]:
        for option in payment_rules.list_tile_options(game, _get_payment(game)):
            yield option.tile_index, option.value

    def apply(self, game: StarFallState, move: Move) -> StarFallState:
        payment = _get_payment(game)
        given = payment_rules.make_paid_tile(game, *move.value)
        return replace(game, payment=replace(payment, tiles=(*payment.tiles, given)))

    def make_offers(
        self, game: StarFallState, moves: Sequence[Move], names: Sequence[str], visibility: Visibility
    ) -> Iterator[Offer]:
        if _get_payment(game).tiles:
            yield Offer(moves[0], ConsolePress.PLUS, _("One more tile"))
        else:
            yield _offer_tile(game, moves[0])

    def describe(self, before: StarFallState, move: Move, after: StarFallState, names: Sequence[str]) -> str:
        pays = _get_payment(after).tiles[-1].value
        return _("{who} gives a tile that pays {pays}", who=names[move.player], pays=pays)


class Change(With):
    """Another tile is given in place of the last one, or it has more stars; the values are as in `With`."""

    kind = "change"

    def needs_payment(self, game: StarFallState, payment: Payment) -> Iterable[Reason]:
        if not payment.tiles:
            yield _NO_TILE_GIVEN

    def list_values(self, game: StarFallState) -> Iterator[tuple[int, int]]:
        for option in payment_rules.list_other_options(game, _get_payment(game))[:1]:
            yield option.tile_index, option.value

    def apply(self, game: StarFallState, move: Move) -> StarFallState:
        return super().apply(_take_back(game), move)

    def make_offers(
        self, game: StarFallState, moves: Sequence[Move], names: Sequence[str], visibility: Visibility
    ) -> Iterator[Offer]:
        yield _offer_tile(game, moves[0])


class Without(PaymentMove):
    """The tile given last is taken back, after all that it may be."""

    kind, bot_weight, log = "without", 0.1, N_("{who} takes a tile back")
    otherwise = "F13", N_("another tile is tried before it is taken back")

    def needs_payment(self, game: StarFallState, payment: Payment) -> Iterable[Reason]:
        if not payment.tiles:
            yield _NO_TILE_GIVEN
        elif payment_rules.list_other_options(game, payment):
            yield self.otherwise

    def apply(self, game: StarFallState, move: Move) -> StarFallState:
        return _take_back(game)

    def make_offers(
        self, game: StarFallState, moves: Sequence[Move], names: Sequence[str], visibility: Visibility
    ) -> Iterator[Offer]:
        (move,) = moves
        yield Offer(move, SeatPress(move.player), _("No tile"), awaited=not _can_pay(game), repeats=True)


class Cancel(PaymentMove):
    """F12: the tile is not taken after all."""

    kind, rule, bot_weight = "cancel", "F12", 0.15
    key, log = Key(ConsolePress.NO, N_("Cancel")), N_("{who} does not take it")

    def apply(self, game: StarFallState, move: Move) -> StarFallState:
        return replace(game, payment=None)


def _get_payment(game: StarFallState) -> Payment:
    assert game.payment is not None, "nothing is being paid now"
    return game.payment


def _take_back(game: StarFallState) -> StarFallState:
    payment = _get_payment(game)
    return replace(game, payment=replace(payment, tiles=payment.tiles[:-1]))


def _offer_tile(game: StarFallState, move: Move) -> Offer:
    """Return the offer of the active player's button: a tile with what it pays."""
    value = move.value[1]
    label = _("Tile {space}", space=value)
    if game.settings.tile_pays == "star_symbols":
        label = _.plural("{n} star", "{n} stars", value)
    return Offer(move, SeatPress(move.player), label, awaited=not _can_pay(game), repeats=True)


def _can_pay(game: StarFallState) -> bool:
    """Return whether the payment may be made as it is; if not, the table waits for another tile."""
    return not any(Pay().needs_payment(game, _get_payment(game)))
