"""The table is right: what people may correct, and what then follows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from companion.games.api.game import BadCorrection, Correctable, Correction, Range, Seat
from companion.games.starfall import transitions
from companion.games.starfall.settings import MOST, TILES
from companion.games.starfall.state import UNKNOWN, Owned, Position
from companion.games.starfall.transitions import P, put
from companion.games.starfall.view import FIRST_NEBULA, Phase
from companion.games.starfall.view_builder import standing
from companion.i18n import Words

_ = Words("starfall")

MOST_DUST = 200
"""As many as the settings allow at the start."""
LEAST_TOTAL, MOST_TOTAL = -99, 999
LEAST_PLAYERS = 2
AT_TURN = (Phase.TURN, Phase.NAMING, Phase.PAY)
AT_SPACES = "tiles on "
"""Begins the kinds that say which spaces hold a tile."""


def correctables(p: Position) -> Sequence[Correctable]:
    """What may be corrected in `p`: the nearest mistakes first, the rare ones last."""
    return tuple(_correctables(p))


def halves(p: Position) -> tuple[tuple[int, ...], ...]:
    """The spaces in two parts, for a line of the menu has six values at most: 9 to 5, and 4 to 0."""
    spaces = tuple(range(p.settings.top_space, -1, -1))
    middle = (len(spaces) + 1) // 2
    return spaces[:middle], spaces[middle:]


def _correctables(p: Position) -> Iterator[Correctable]:
    if p.phase in (Phase.TABLE, Phase.OVER):
        for q in p.present:
            total = standing(p)[q]
            yield Correctable("total", q, (total,), Range(1, min(total, LEAST_TOTAL), max(total, MOST_TOTAL)))
    for seat, held in enumerate(p.dust):
        yield Correctable("dust", Seat(seat), (held,), Range(1, 0, MOST_DUST))
    if p.phase not in AT_TURN:
        yield from _pages(p)
    else:
        yield Correctable("active", None, (p.active,), Range(1, 0, p.players - 1))
    for spaces in halves(p):
        held_by = tuple(int(space in p.spaces) for space in spaces)
        yield Correctable(f"{AT_SPACES}{spaces[0]} to {spaces[-1]}", None, held_by, Range(len(spaces), 0, 1))
    yield Correctable("pile", None, (p.pile,), Range(1, 0, TILES))
    if p.phase in AT_TURN:
        for space, number in p.board if p.settings.catalogue else ():
            yield Correctable(f"tile on {space}", None, (number,), Range(1, 0, len(p.settings.catalogue)))
        for seat, own in enumerate(p.tiles):
            yield Correctable("tiles", Seat(seat), (len(own),), Range(1, 0, max(TILES, len(own))))
    for seat, away in enumerate(p.away):
        yield Correctable("away", Seat(seat), (int(away),), Range(1, 0, 1))


def _pages(p: Position) -> Iterator[Correctable]:
    for q in p.present:
        if p.counted[q]:
            yield Correctable("counted", q, (1,), Range(1, 0, 1))
    for q in p.present:
        yield Correctable("counts", q, p.counts[q][:FIRST_NEBULA], Range(FIRST_NEBULA, 0, MOST))
        yield Correctable("nebulae", q, p.counts[q][FIRST_NEBULA:], Range(FIRST_NEBULA, 0, MOST))


def corrected(p: P, correction: Correction) -> P:
    """`p` as the table shows it, all but `changes`.

    Raises:
        BadCorrection: no table could show that, or it cannot be corrected now.
    """
    kind, seat = correction.kind, correction.seat
    entry = next((c for c in _correctables(p) if (c.kind, c.seat) == (kind, seat)), None)
    if entry is None:
        raise BadCorrection(f"{kind} cannot be corrected now")
    entry.corrected(*correction.value)
    after = _of_seat(p, kind, seat, correction.value) if seat is not None else _of_table(p, kind, correction.value)
    if bool(p.ended) != bool(after.ended):
        after = transitions.uncounted(replace(after, payment=None, naming=None, page=0))
    return transitions.opened(after)


def _of_table(p: P, kind: str, value: tuple[int, ...]) -> P:
    if kind == "active":
        return _active(p, Seat(value[0]))
    if kind == "pile":
        return replace(p, pile=value[0], naming=None)
    if kind.startswith("tile on "):
        space = int(kind.removeprefix("tile on "))
        board = tuple((s, value[0] if s == space else number) for s, number in p.board)
        return replace(p, board=board, naming=None)  # other tiles are in the pile than those that were asked about
    spaces = next(part for part in halves(p) if kind == f"{AT_SPACES}{part[0]} to {part[-1]}")
    return _board(p, dict(zip(spaces, map(bool, value), strict=True)))


def _of_seat(p: P, kind: str, seat: Seat, value: tuple[int, ...]) -> P:
    match kind:
        case "dust":
            # The tokens that make it up are not told: as many orange ones as before, if they fit.
            fives = min((p.dust[seat] - p.whites[seat]) // 5, value[0] // 5)
            whites = put(p.whites, seat, value[0] - 5 * fives)
            return _same_payment(replace(p, dust=put(p.dust, seat, value[0]), whites=whites))
        case "tiles":
            own = p.tiles[seat][: value[0]]
            own += (Owned(UNKNOWN, None),) * (value[0] - len(own))
            return _no_payment(replace(p, tiles=put(p.tiles, seat, own), naming=None))
        case "total":
            more = p.put_right[seat] + value[0] - standing(p)[seat]
            return replace(p, put_right=put(p.put_right, seat, more))
        case "counted":
            return p if value[0] else transitions.open_page(p, seat)
        case "counts":
            return replace(p, counts=put(p.counts, seat, (*value, *p.counts[seat][FIRST_NEBULA:])))
        case "nebulae":
            return replace(p, counts=put(p.counts, seat, (*p.counts[seat][:FIRST_NEBULA], *value)))
        case _:
            return _away(p, seat, away=bool(value[0]))


def _active(p: P, seat: Seat) -> P:
    if p.away[seat]:
        raise BadCorrection(_("F3: {who} is away", who=f"seat {seat}"))
    return _no_payment(replace(p, active=seat, naming=None))


def _away(p: P, seat: Seat, *, away: bool) -> P:
    """A player who is away is not asked, not counted, and does not hold up the end (F21)."""
    if away and len([q for q in p.present if q != seat]) < LEAST_PLAYERS:
        raise BadCorrection(_("F3: {n} players must stay: put the game away instead", n=LEAST_PLAYERS))
    p = replace(p, away=put(p.away, seat, away))
    if p.away[p.active]:
        p = _no_payment(replace(p, active=transitions.after(p, p.active), naming=None))
    if p.counting is not None and p.away[p.counting]:
        p = replace(p, counting=None, line=0)
    return p


def _board(p: P, holds: dict[int, bool]) -> P:
    """Tiles stand elsewhere, or more or fewer of them. As many as before are thought to be the same ones."""
    lost = [number for space, number in p.board if space in holds and not holds[space]]
    found = [space for space, held in holds.items() if held and space not in p.spaces]
    numbers = lost if len(lost) == len(found) else [UNKNOWN] * len(found)
    kept = [tile for tile in p.board if holds.get(tile[0], True)]
    board = tuple(sorted((*kept, *zip(found, numbers, strict=True)), reverse=True))
    if len(board) > p.settings.top_space:
        raise BadCorrection(_("F10: one space at least is empty"))
    return _same_payment(replace(p, board=board, naming=None))


def _same_payment(p: P) -> P:
    """A payment goes on if its tile is still there and can be paid."""
    if p.payment is not None and (p.payment.space not in p.spaces or not p.payable(p.payment.space)):
        return _no_payment(p)
    return p if p.payment is not None else replace(p, page=0)


def _no_payment(p: P) -> P:
    return replace(p, payment=None, page=0)
