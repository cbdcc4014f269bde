"""F13: any mix of stardust and own tiles. What is needed, what is enough, what could stay."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from companion.games.starfall.state import KEYS, Owned, Paid, Payment, Position

FIVE = 5
"""An orange token."""
NOT_SAID = 0
"""In a move: nobody said how many stars are on the tile. (A tile without a star pays nothing, and nobody gives it.)"""


@dataclass(frozen=True, slots=True)
class Give:
    """An own tile that may be given: its place among the player's tiles, and what it is said to pay."""

    index: int
    worth: int
    """`NOT_SAID`, or the stars as printed, or as the players say."""
    known: bool
    """The ledger knows what it pays."""


def rest(p: Position, payment: Payment) -> tuple[tuple[int, Owned], ...]:
    """The active player's tiles that are not in the payment, with their places."""
    given = [paid.tile for paid in payment.tiles]
    left = []
    for index, tile in enumerate(p.tiles[p.active]):
        if tile in given:
            given.remove(tile)
        else:
            left.append((index, tile))
    return tuple(left)


def tiles_pay(payment: Payment) -> int:
    """What the tiles pay, as far as anybody knows."""
    return sum(paid.worth or 0 for paid in payment.tiles)


def dust_of(p: Position, payment: Payment) -> int:
    """How much dust is on the way: as people said, else as much as is needed, if there is as much."""
    if payment.said is not None:
        return min(payment.said, p.dust[p.active])
    return min(max(0, payment.space - tiles_pay(payment)), p.dust[p.active])


def enough(p: Position, payment: Payment) -> bool:
    """F12: whether it reaches the price. A tile of which nobody said what it pays is taken at the players' word."""
    if any(paid.worth is None for paid in payment.tiles):
        return True
    return dust_of(p, payment) + tiles_pay(payment) >= payment.space


def unneeded(p: Position, payment: Payment) -> bool:
    """A7: whether a tile or a dust could stay, and the price were reached all the same."""
    dust = dust_of(p, payment)
    total = dust + tiles_pay(payment)
    spare = [paid.worth or 0 for paid in payment.tiles] + [1] * (dust > 0)
    return any(total - worth >= payment.space for worth in spare)


def tokens(p: Position, seat: int, dust: int) -> tuple[int, int]:
    """F13: dust and white tokens left after paying `dust`. Where no change is given, what is paid too much is lost."""
    held, whites = p.dust[seat], p.whites[seat]
    if p.settings.token_change:
        return held - dust, whites
    fives = (held - whites) // FIVE
    used = min(fives, dust // FIVE)
    ones = dust - used * FIVE
    if ones > whites:
        used, ones = used + 1, 0
    return held - used * FIVE - ones, whites - ones


def pages(p: Position, payment: Payment) -> tuple[tuple[Give, ...], ...]:
    """What the keys 1 to 6 give, page by page: tiles whose worth is known, one of a kind; then any other, the key's
    number being its stars; the last page is empty, for there the keys change the dust."""
    known: list[Give] = []
    seen: set[Owned] = set()
    unknown: int | None = None
    for index, tile in rest(p, payment):
        worth = p.worth(tile)
        if worth is None:
            unknown = index if unknown is None else unknown
        elif worth and tile not in seen:
            seen.add(tile)
            known.append(Give(index, worth, known=True))
    known.sort(key=lambda give: give.worth)
    found = [tuple(known[i : i + KEYS]) for i in range(0, len(known), KEYS)]
    if unknown is not None:
        found.append(tuple(Give(unknown, stars, known=False) for stars in range(1, KEYS + 1)))
    return (*found, ())


def unsaid(p: Position, payment: Payment) -> Give | None:
    """A tile that may be given without a word on its stars."""
    unknown = next((index for index, tile in rest(p, payment) if p.worth(tile) is None), None)
    return None if unknown is None else Give(unknown, NOT_SAID, known=False)


def dust_steps(p: Position, payment: Payment) -> Iterator[tuple[int, int]]:
    """Changes of the dust that are possible, each with the dust that there will be."""
    dust = dust_of(p, payment)
    for change in (-1, 1, -FIVE, FIVE):
        if 0 <= dust + change <= p.dust[p.active]:
            yield change, dust + change


def paid(p: Position, index: int, worth: int) -> Paid:
    """The tile at `index` as given."""
    tile = p.tiles[p.active][index]
    known = p.worth(tile)
    if known is not None:
        return Paid(tile, known)
    return Paid(tile, worth if worth != NOT_SAID else None)
