"""F13: payment by any mix of stardust and own tiles: what is needed, what is enough, what could stay."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from companion.api import replace_at
from companion.games.starfall.state import NUMBER_KEY_COUNT, OwnedTile, PaidTile, Payment, StarFallState

ORANGE_TOKEN_DUST = 5
"""F1: stardust that an orange token is worth; a white one is worth 1."""
VALUE_NOT_STATED = 0
"""Value of a tile in a move if nobody entered the stars on it.

No tile has the value 0 in a payment, since nobody pays with a tile without stars.
"""


@dataclass(frozen=True, slots=True)
class PaymentView:
    """F13: the payment for a tile, in stardust."""

    price: int
    dust: int
    tile_values: tuple[int, ...]
    """What each own tile pays; 0: not stated."""
    is_enough: bool
    has_unneeded_tile: bool
    """A7: a tile of known stars could be left out, so that the payment is refused."""
    is_excessive: bool
    """A7: a tile, or one dust, could be left out."""


@dataclass(frozen=True, slots=True)
class TileOption:
    """An own tile that may be given: its index among the player's tiles, and what it pays."""

    tile_index: int
    value: int
    """Stardust: the stars as printed, or as the players say, or `VALUE_NOT_STATED`."""


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
    """Return the stardust that the tiles in `payment` pay; tiles of unstated value count 0."""
    return sum(paid.value or 0 for paid in payment.tiles)


def get_dust(state: StarFallState, payment: Payment) -> int:
    """Return the stardust in `payment`: as entered, else as much as the price still needs.

    At most what the player has.
    """
    needed = max(0, payment.space - sum_tile_values(payment))
    return min(needed if payment.stated_dust is None else payment.stated_dust, state.dust[state.active_seat])


def is_enough(state: StarFallState, payment: Payment) -> bool:
    """Whether `payment` reaches the price (F12); always true if it has a tile of unstated value."""
    if any(paid.value is None for paid in payment.tiles):
        return True
    return get_dust(state, payment) + sum_tile_values(payment) >= payment.space


def is_excessive(state: StarFallState, payment: Payment) -> bool:
    """Whether a tile, or one stardust, could be left out of `payment` and the price were still reached (A7)."""
    dust = get_dust(state, payment)
    total = dust + sum_tile_values(payment)
    parts = [paid.value or 0 for paid in payment.tiles] + [1] * (dust > 0)
    return any(total - part >= payment.space for part in parts)


def find_unneeded_tile(state: StarFallState, payment: Payment) -> PaidTile | None:
    """Return a tile whose stars are known and without which `payment` would still reach the price (F13, A7)."""
    total = get_dust(state, payment) + sum_tile_values(payment)
    known = ((paid, value) for paid in payment.tiles if (value := state.get_tile_value(paid.tile)))
    return next((paid for paid, value in known if total - value >= payment.space), None)


def make_payment_view(state: StarFallState, payment: Payment) -> PaymentView:
    """Return what the screen shows of `payment` by the active player; amounts are in stardust."""
    return PaymentView(
        price=payment.space,
        dust=get_dust(state, payment),
        tile_values=tuple(given.value or 0 for given in payment.tiles),
        is_enough=is_enough(state, payment),
        has_unneeded_tile=find_unneeded_tile(state, payment) is not None,
        is_excessive=is_excessive(state, payment),
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


def list_key_pages(state: StarFallState, payment: Payment) -> tuple[tuple[TileOption, ...], ...]:
    """Return the active player's tiles that are not yet in `payment`, on the number keys, page by page.

    A page has at most `NUMBER_KEY_COUNT` tiles; the keys count from 1. First come the tiles of known value, one of each
    kind, cheapest first. If the value of a tile is unknown, a page for one such tile follows, on which the key's number
    is its stars. The last page is always there and empty: on it the keys change the dust.
    """
    first_of_kind: dict[OwnedTile, TileOption] = {}
    for index, tile in list_unpaid_tiles(state, payment):
        if value := state.get_tile_value(tile):
            first_of_kind.setdefault(tile, TileOption(index, value))
    known = sorted(first_of_kind.values(), key=lambda option: option.value)
    pages = [tuple(known[i : i + NUMBER_KEY_COUNT]) for i in range(0, len(known), NUMBER_KEY_COUNT)]
    if other := find_unvalued_tile(state, payment):
        pages.append(tuple(TileOption(other.tile_index, stars) for stars in range(1, NUMBER_KEY_COUNT + 1)))
    return (*pages, ())


def find_unvalued_tile(state: StarFallState, payment: Payment) -> TileOption | None:
    """Return an unpaid tile of the active player whose value nobody knows; None: all values are known."""
    unpaid = list_unpaid_tiles(state, payment)
    return next((TileOption(i, VALUE_NOT_STATED) for i, tile in unpaid if state.get_tile_value(tile) is None), None)


def list_dust_steps(state: StarFallState, payment: Payment) -> Iterator[tuple[int, int]]:
    """Yield the possible changes of the stardust in `payment` as pairs (change, dust after it).

    Changes are -1, 1, -5 and 5; those that would leave the range from 0 to the player's dust are left out.
    """
    dust = get_dust(state, payment)
    for change in (-1, 1, -ORANGE_TOKEN_DUST, ORANGE_TOKEN_DUST):
        if 0 <= dust + change <= state.dust[state.active_seat]:
            yield change, dust + change


def make_paid_tile(state: StarFallState, tile_index: int, value: int) -> PaidTile:
    """Return the active player's tile as part of a payment.

    Args:
        state: current state.
        tile_index: index among the active player's tiles, from 0.
        value: stardust that the players say it pays, or `VALUE_NOT_STATED`; ignored if the state knows its value.

    Raises:
        IndexError: the player has no such tile.
    """
    tile = state.owned_tiles[state.active_seat][tile_index]
    known = state.get_tile_value(tile)
    stated = None if value == VALUE_NOT_STATED else value
    return PaidTile(tile, stated if known is None else known)


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
