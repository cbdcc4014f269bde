"""F13: payment by any mix of stardust and own tiles: what is needed, what is enough, what could stay."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from companion.games.starfall.state import NUMBER_KEY_COUNT, OwnedTile, PaidTile, Payment, StarFallState

ORANGE_TOKEN_DUST = 5
"""F1: stardust of an orange token; a white one is 1."""
VALUE_NOT_STATED = 0
"""Value of a tile in a move, if nobody said how many stars are on it. (A tile without a star pays nothing, so that
nobody gives it.)"""


@dataclass(frozen=True, slots=True)
class TileOption:
    """An own tile that may be given: its index among the player's tiles, and what it pays."""

    tile_index: int
    value: int
    """Stardust: the stars as printed, or as the players say, or `VALUE_NOT_STATED`."""


def list_unpaid_tiles(state: StarFallState, payment: Payment) -> tuple[tuple[int, OwnedTile], ...]:
    """Return the active player's tiles that are not in the payment, with their indices."""
    given = [paid.tile for paid in payment.tiles]
    left = []
    for index, tile in enumerate(state.owned_tiles[state.active_seat]):
        if tile in given:
            given.remove(tile)
        else:
            left.append((index, tile))
    return tuple(left)


def sum_tile_values(payment: Payment) -> int:
    """Return what the tiles of the payment pay in stardust, as far as it was stated."""
    return sum(paid.value or 0 for paid in payment.tiles)


def get_dust(state: StarFallState, payment: Payment) -> int:
    """Return the dust of the payment: as people said, else as much as is needed, at most what the player has."""
    needed = max(0, payment.space - sum_tile_values(payment))
    return min(needed if payment.stated_dust is None else payment.stated_dust, state.dust[state.active_seat])


def is_enough(state: StarFallState, payment: Payment) -> bool:
    """F12: whether the payment reaches the price. For a tile of unstated value the players' word is taken."""
    if any(paid.value is None for paid in payment.tiles):
        return True
    return get_dust(state, payment) + sum_tile_values(payment) >= payment.space


def is_excessive(state: StarFallState, payment: Payment) -> bool:
    """A7: whether a tile, or one dust, could be left out and the price were still reached."""
    dust = get_dust(state, payment)
    total = dust + sum_tile_values(payment)
    parts = [paid.value or 0 for paid in payment.tiles] + [1] * (dust > 0)
    return any(total - part >= payment.space for part in parts)


def pay_tokens(state: StarFallState, seat: int, dust: int) -> tuple[int, int]:
    """F13: return dust and white tokens left after paying `dust`; where the bank gives no change, the rest is lost."""
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
    """Return the tiles on the number keys, page by page.

    First tiles of known value, one of each kind, cheapest first; then any other tile, where the key's number is its
    stars. The last page is empty: there the keys change the dust.
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
    """Return a tile that may be given without stating its stars; None: all values are known."""
    for index, tile in list_unpaid_tiles(state, payment):
        if state.get_tile_value(tile) is None:
            return TileOption(index, VALUE_NOT_STATED)
    return None


def list_dust_steps(state: StarFallState, payment: Payment) -> Iterator[tuple[int, int]]:
    """Yield the possible changes of the dust (-1, 1, -5, 5), each with the dust after it."""
    dust = get_dust(state, payment)
    for change in (-1, 1, -ORANGE_TOKEN_DUST, ORANGE_TOKEN_DUST):
        if 0 <= dust + change <= state.dust[state.active_seat]:
            yield change, dust + change


def make_paid_tile(state: StarFallState, tile_index: int, value: int) -> PaidTile:
    """Return the active player's tile at `tile_index` as given; `value` counts only where the ledger knows none."""
    tile = state.owned_tiles[state.active_seat][tile_index]
    known = state.get_tile_value(tile)
    stated = None if value == VALUE_NOT_STATED else value
    return PaidTile(tile, stated if known is None else known)
