"""F13: payment by any mix of stardust and own tiles: what is needed, what is enough, what could stay.

Whether a tile can be paid for at all: `StarFallState.can_pay_for`.
"""

from dataclasses import dataclass, replace

from companion.api import replace_at
from companion.games.starfall.state import OwnedTile, PaidTile, Payment, StarFallState

ORANGE_TOKEN_DUST = 5
"""F1: stardust that an orange token is worth; a white one is worth 1."""


@dataclass(frozen=True, slots=True)
class PaymentView:
    """F13: the payment for a tile, in stardust."""

    price: int
    dust: int
    tile_values: tuple[int, ...]
    """What each own tile pays."""
    is_enough: bool
    has_unneeded_tile: bool
    """A7: a tile could be left out, so that the payment is refused."""


@dataclass(frozen=True, slots=True)
class TileOption:
    """An own tile that may be given: its index among the player's tiles, and what it pays."""

    tile_index: int
    value: int
    """Stardust: the stars as printed, or as the players say."""


def list_unpaid_tiles(state: StarFallState, payment: Payment) -> tuple[tuple[int, OwnedTile], ...]:
    """Return the active player's tiles that are not in `payment`, as pairs (index among the player's tiles, tile)."""
    given = [paid.tile for paid in payment.tiles]
    left = []
    for index, tile in enumerate(state.owned_tiles[state.active_seat]):
        if tile in given:
            given.remove(tile)
        else:
            left.append((index, tile))
    return tuple(left)


def sum_tile_values(payment: Payment) -> int:
    """Return the stardust that the tiles in `payment` pay."""
    return sum(paid.value for paid in payment.tiles)


def get_dust(state: StarFallState, payment: Payment) -> int:
    """Return the stardust in `payment`: as much as the tiles leave of the price, at most what the player has."""
    return min(max(0, payment.space - sum_tile_values(payment)), state.dust[state.active_seat])


def is_enough(state: StarFallState, payment: Payment) -> bool:
    """Whether `payment` reaches the price (F12)."""
    return get_dust(state, payment) + sum_tile_values(payment) >= payment.space


def find_unneeded_tile(payment: Payment) -> PaidTile | None:
    """Return a tile without which the others in `payment` would still reach the price (F13, A7)."""
    total = sum_tile_values(payment)
    return next((paid for paid in payment.tiles if total - paid.value >= payment.space), None)


def make_payment_view(state: StarFallState, payment: Payment) -> PaymentView:
    """Return what the screen shows of `payment` by the active player; amounts are in stardust."""
    return PaymentView(
        price=payment.space,
        dust=get_dust(state, payment),
        tile_values=tuple(given.value for given in payment.tiles),
        is_enough=is_enough(state, payment),
        has_unneeded_tile=find_unneeded_tile(payment) is not None,
    )


def pay_tokens(state: StarFallState, seat: int, dust: int) -> tuple[int, int]:
    """Return (stardust left, white tokens left) of `seat` after paying `dust` (F13).

    Where the house rules give no change, an orange token paid for less than 5 stardust is lost as a whole.

    Args:
        state: state before the payment.
        seat: seat that pays.
        dust: stardust, from 0 to what the player has; it is not checked.

    Raises:
        IndexError: there is no such seat.
    """
    held, whites = state.dust[seat], state.white_tokens[seat]
    if state.settings.token_change:
        return held - dust, whites
    orange_tokens = (held - whites) // ORANGE_TOKEN_DUST
    used = min(orange_tokens, dust // ORANGE_TOKEN_DUST)
    ones = dust - used * ORANGE_TOKEN_DUST
    if ones > whites:
        used, ones = used + 1, 0
    return held - used * ORANGE_TOKEN_DUST - ones, whites - ones


def list_tile_options(state: StarFallState, payment: Payment) -> tuple[TileOption, ...]:
    """Return what the active player may add to `payment`, in the order in which the own button steps through it.

    First the tiles of known value, one of each kind, cheapest first; then, if the player owns a tile whose value nobody
    has entered, that tile with 1, 2, 3 stars and so on, up to what is still to be paid.
    """
    first_of_kind: dict[OwnedTile, TileOption] = {}
    unvalued = None
    for index, tile in list_unpaid_tiles(state, payment):
        value = state.get_tile_value(tile)
        if value is None:
            unvalued = index if unvalued is None else unvalued
        elif value:
            first_of_kind.setdefault(tile, TileOption(index, value))
    known = sorted(first_of_kind.values(), key=lambda option: option.value)
    stars = range(1, payment.space - sum_tile_values(payment) + 1) if unvalued is not None else ()
    return (*known, *(TileOption(unvalued or 0, count) for count in stars))


def list_other_options(state: StarFallState, payment: Payment) -> tuple[TileOption, ...]:
    """Return the options that follow the one chosen for the last tile in `payment`, which has at least one."""
    *others, last = payment.tiles
    options = list_tile_options(state, replace(payment, tiles=tuple(others)))
    chosen = [make_paid_tile(state, option.tile_index, option.value) for option in options]
    return options[chosen.index(last) + 1 :] if last in chosen else ()


def make_paid_tile(state: StarFallState, tile_index: int, value: int) -> PaidTile:
    """Return the active player's tile as part of a payment.

    Args:
        state: current state.
        tile_index: index among the active player's tiles, from 0.
        value: stardust that the players say it pays; ignored if the state knows its value.

    Raises:
        IndexError: the player has no such tile.
    """
    tile = state.owned_tiles[state.active_seat][tile_index]
    known = state.get_tile_value(tile)
    return PaidTile(tile, value if known is None else known)


def take_tile(state: StarFallState, payment: Payment) -> StarFallState:
    """Return the state after the active player took a tile (F12 to F14): the payment goes, the tile comes."""
    seat, space = state.active_seat, payment.space
    dust, whites = pay_tokens(state, seat, get_dust(state, payment))
    own = list(state.owned_tiles[seat])
    for given in payment.tiles:
        own.remove(given.tile)
    own.append(OwnedTile(dict(state.board)[space], space))
    return replace(
        state,
        dust=replace_at(state.dust, seat, dust),
        white_tokens=replace_at(state.white_tokens, seat, whites),
        owned_tiles=replace_at(state.owned_tiles, seat, tuple(own)),
        board=tuple(tile for tile in state.board if tile[0] != space),
        discarded=(*state.discarded, *(given.tile.tile_number for given in payment.tiles)),
    )
