"""F13: any mix of stardust and own tiles. What is needed, what is enough, what could stay."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from companion.games.starfall.state import NUMBER_KEY_COUNT, OwnedTile, PaidTile, Payment, Position

ORANGE_TOKEN_DUST = 5
"""An orange token."""
VALUE_NOT_STATED = 0
"""In a move: nobody said how many stars are on the tile. (A tile without a star pays nothing, and nobody gives it.)"""


@dataclass(frozen=True, slots=True)
class TileOption:
    """An own tile that may be given: its place among the player's tiles, and what it is said to pay."""

    tile_index: int
    value: int
    """`NOT_SAID`, or the stars as printed, or as the players say."""
    is_known: bool
    """The ledger knows what it pays."""


def list_unpaid_tiles(p: Position, payment: Payment) -> tuple[tuple[int, OwnedTile], ...]:
    """The active player's tiles that are not in the payment, with their places."""
    given = [paid.tile for paid in payment.tiles]
    left = []
    for index, tile in enumerate(p.owned_tiles[p.active_seat]):
        if tile in given:
            given.remove(tile)
        else:
            left.append((index, tile))
    return tuple(left)


def sum_tile_values(payment: Payment) -> int:
    """What the tiles pay, as far as anybody knows."""
    return sum(paid.value or 0 for paid in payment.tiles)


def get_dust(p: Position, payment: Payment) -> int:
    """How much dust is on the way: as people said, else as much as is needed, if there is as much."""
    if payment.stated_dust is not None:
        return min(payment.stated_dust, p.dust[p.active_seat])
    return min(max(0, payment.space - sum_tile_values(payment)), p.dust[p.active_seat])


def is_enough(p: Position, payment: Payment) -> bool:
    """F12: whether it reaches the price. A tile of which nobody said what it pays is taken at the players' word."""
    if any(paid.value is None for paid in payment.tiles):
        return True
    return get_dust(p, payment) + sum_tile_values(payment) >= payment.space


def is_excessive(p: Position, payment: Payment) -> bool:
    """A7: whether a tile or a dust could stay, and the price were reached all the same."""
    dust = get_dust(p, payment)
    total = dust + sum_tile_values(payment)
    spare = [paid.value or 0 for paid in payment.tiles] + [1] * (dust > 0)
    return any(total - worth >= payment.space for worth in spare)


def pay_tokens(p: Position, seat: int, dust: int) -> tuple[int, int]:
    """F13: dust and white tokens left after paying `dust`. Where no change is given, what is paid too much is lost."""
    held, whites = p.dust[seat], p.white_tokens[seat]
    if p.settings.token_change:
        return held - dust, whites
    fives = (held - whites) // ORANGE_TOKEN_DUST
    used = min(fives, dust // ORANGE_TOKEN_DUST)
    ones = dust - used * ORANGE_TOKEN_DUST
    if ones > whites:
        used, ones = used + 1, 0
    return held - used * ORANGE_TOKEN_DUST - ones, whites - ones


def list_key_pages(p: Position, payment: Payment) -> tuple[tuple[TileOption, ...], ...]:
    """What the keys 1 to 6 give, page by page: tiles whose worth is known, one of a kind; then any other, the key's
    number being its stars; the last page is empty, for there the keys change the dust."""
    known: list[TileOption] = []
    seen: set[OwnedTile] = set()
    unknown: int | None = None
    for index, tile in list_unpaid_tiles(p, payment):
        worth = p.get_tile_value(tile)
        if worth is None:
            unknown = index if unknown is None else unknown
        elif worth and tile not in seen:
            seen.add(tile)
            known.append(TileOption(index, worth, is_known=True))
    known.sort(key=lambda give: give.value)
    found = [tuple(known[i : i + NUMBER_KEY_COUNT]) for i in range(0, len(known), NUMBER_KEY_COUNT)]
    if unknown is not None:
        found.append(tuple(TileOption(unknown, stars, is_known=False) for stars in range(1, NUMBER_KEY_COUNT + 1)))
    return (*found, ())


def find_unvalued_tile(p: Position, payment: Payment) -> TileOption | None:
    """A tile that may be given without a word on its stars."""
    unknown = next((index for index, tile in list_unpaid_tiles(p, payment) if p.get_tile_value(tile) is None), None)
    return None if unknown is None else TileOption(unknown, VALUE_NOT_STATED, is_known=False)


def list_dust_steps(p: Position, payment: Payment) -> Iterator[tuple[int, int]]:
    """Changes of the dust that are possible, each with the dust that there will be."""
    dust = get_dust(p, payment)
    for change in (-1, 1, -ORANGE_TOKEN_DUST, ORANGE_TOKEN_DUST):
        if 0 <= dust + change <= p.dust[p.active_seat]:
            yield change, dust + change


def make_paid_tile(p: Position, tile_index: int, value: int) -> PaidTile:
    """The tile at `index` as given."""
    tile = p.owned_tiles[p.active_seat][tile_index]
    known = p.get_tile_value(tile)
    if known is not None:
        return PaidTile(tile, known)
    return PaidTile(tile, value if value != VALUE_NOT_STATED else None)
