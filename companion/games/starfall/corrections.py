"""The table is right: what people may correct, and what then follows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from companion.games.api.game import BadCorrection, Correctable, Correction, Seat, ValueRange
from companion.games.starfall import transitions
from companion.games.starfall.settings import MAX_SYMBOL_COUNT, TILE_COUNT
from companion.games.starfall.state import UNKNOWN_TILE, OwnedTile, Position
from companion.games.starfall.transitions import P, replace_at
from companion.games.starfall.view import FIRST_NEBULA_INDEX, Phase
from companion.games.starfall.view_builder import list_scores
from companion.i18n import Translator

_ = Translator("starfall")

MAX_DUST = 200
"""As many as the settings allow at the start."""
MIN_TOTAL, MAX_TOTAL = -99, 999
MIN_PLAYERS = 2
TURN_PHASES = (Phase.TURN, Phase.NAMING, Phase.PAY)
SPACES_KIND = "tiles on "
"""Begins the kinds that say which spaces hold a tile."""


def list_correctables(p: Position) -> Sequence[Correctable]:
    """What may be corrected in `p`: the nearest mistakes first, the rare ones last."""
    return tuple(_correctables(p))


def split_spaces(p: Position) -> tuple[tuple[int, ...], ...]:
    """The spaces in two parts, for a line of the menu has six values at most: 9 to 5, and 4 to 0."""
    spaces = tuple(range(p.settings.top_space, -1, -1))
    middle = (len(spaces) + 1) // 2
    return spaces[:middle], spaces[middle:]


def _correctables(p: Position) -> Iterator[Correctable]:
    if p.phase in (Phase.TABLE, Phase.OVER):
        for q in p.present_seats:
            total = list_scores(p)[q]
            yield Correctable("total", q, (total,), ValueRange(1, min(total, MIN_TOTAL), max(total, MAX_TOTAL)))
    for seat, held in enumerate(p.dust):
        yield Correctable("dust", Seat(seat), (held,), ValueRange(1, 0, MAX_DUST))
    if p.phase not in TURN_PHASES:
        yield from _list_page_correctables(p)
    else:
        yield Correctable("active", None, (p.active_seat,), ValueRange(1, 0, p.player_count - 1))
    for spaces in split_spaces(p):
        held_by = tuple(int(space in p.occupied_spaces) for space in spaces)
        yield Correctable(f"{SPACES_KIND}{spaces[0]} to {spaces[-1]}", None, held_by, ValueRange(len(spaces), 0, 1))
    yield Correctable("pile", None, (p.pile_size,), ValueRange(1, 0, TILE_COUNT))
    if p.phase in TURN_PHASES:
        for space, number in p.board if p.settings.catalogue else ():
            yield Correctable(f"tile on {space}", None, (number,), ValueRange(1, 0, len(p.settings.catalogue)))
        for seat, own in enumerate(p.owned_tiles):
            yield Correctable("tiles", Seat(seat), (len(own),), ValueRange(1, 0, max(TILE_COUNT, len(own))))
    for seat, away in enumerate(p.away):
        yield Correctable("away", Seat(seat), (int(away),), ValueRange(1, 0, 1))


def _list_page_correctables(p: Position) -> Iterator[Correctable]:
    for q in p.present_seats:
        if p.counted[q]:
            yield Correctable("counted", q, (1,), ValueRange(1, 0, 1))
    for q in p.present_seats:
        yield Correctable(
            "counts", q, p.symbol_counts[q][:FIRST_NEBULA_INDEX], ValueRange(FIRST_NEBULA_INDEX, 0, MAX_SYMBOL_COUNT)
        )
        yield Correctable(
            "nebulae", q, p.symbol_counts[q][FIRST_NEBULA_INDEX:], ValueRange(FIRST_NEBULA_INDEX, 0, MAX_SYMBOL_COUNT)
        )


def apply_correction(p: P, correction: Correction) -> P:
    """`p` as the table shows it, all but `changes`.

    Raises:
        BadCorrection: no table could show that, or it cannot be corrected now.
    """
    kind, seat = correction.stored_kind, correction.seat
    entry = next((c for c in _correctables(p) if (c.kind, c.seat) == (kind, seat)), None)
    if entry is None:
        raise BadCorrection(f"{kind} cannot be corrected now")
    entry.make_correction(*correction.value)
    after = (
        _correct_seat(p, kind, seat, correction.value)
        if seat is not None
        else _correct_table(p, kind, correction.value)
    )
    if bool(p.ended) != bool(after.ended):
        after = transitions.reset_counts(replace(after, payment=None, naming_answers=None, key_page=0))
    return transitions.open_last_count_page(after)


def _correct_table(p: P, kind: str, value: tuple[int, ...]) -> P:
    if kind == "active":
        return _set_active(p, Seat(value[0]))
    if kind == "pile":
        return replace(p, pile_size=value[0], naming_answers=None)
    if kind.startswith("tile on "):
        space = int(kind.removeprefix("tile on "))
        board = tuple((s, value[0] if s == space else number) for s, number in p.board)
        return replace(
            p, board=board, naming_answers=None
        )  # other tiles are in the pile than those that were asked about
    spaces = next(part for part in split_spaces(p) if kind == f"{SPACES_KIND}{part[0]} to {part[-1]}")
    return _set_board(p, dict(zip(spaces, map(bool, value), strict=True)))


def _correct_seat(p: P, kind: str, seat: Seat, value: tuple[int, ...]) -> P:
    match kind:
        case "dust":
            # The tokens that make it up are not told: as many orange ones as before, if they fit.
            fives = min((p.dust[seat] - p.white_tokens[seat]) // 5, value[0] // 5)
            whites = replace_at(p.white_tokens, seat, value[0] - 5 * fives)
            return _keep_payment(replace(p, dust=replace_at(p.dust, seat, value[0]), white_tokens=whites))
        case "tiles":
            own = p.owned_tiles[seat][: value[0]]
            own += (OwnedTile(UNKNOWN_TILE, None),) * (value[0] - len(own))
            return _drop_payment(replace(p, owned_tiles=replace_at(p.owned_tiles, seat, own), naming_answers=None))
        case "total":
            more = p.total_adjustments[seat] + value[0] - list_scores(p)[seat]
            return replace(p, total_adjustments=replace_at(p.total_adjustments, seat, more))
        case "counted":
            return p if value[0] else transitions.open_count_page(p, seat)
        case "counts":
            return replace(
                p,
                symbol_counts=replace_at(p.symbol_counts, seat, (*value, *p.symbol_counts[seat][FIRST_NEBULA_INDEX:])),
            )
        case "nebulae":
            return replace(
                p,
                symbol_counts=replace_at(p.symbol_counts, seat, (*p.symbol_counts[seat][:FIRST_NEBULA_INDEX], *value)),
            )
        case _:
            return _set_away(p, seat, away=bool(value[0]))


def _set_active(p: P, seat: Seat) -> P:
    if p.away[seat]:
        raise BadCorrection(_("F3: {who} is away", who=f"seat {seat}"))
    return _drop_payment(replace(p, active_seat=seat, naming_answers=None))


def _set_away(p: P, seat: Seat, *, away: bool) -> P:
    """A player who is away is not asked, not counted, and does not hold up the end (F21)."""
    if away and len([q for q in p.present_seats if q != seat]) < MIN_PLAYERS:
        raise BadCorrection(_("F3: {n} players must stay: put the game away instead", n=MIN_PLAYERS))
    p = replace(p, away=replace_at(p.away, seat, away))
    if p.away[p.active_seat]:
        p = _drop_payment(replace(p, active_seat=transitions.find_next_seat(p, p.active_seat), naming_answers=None))
    if p.counting_seat is not None and p.away[p.counting_seat]:
        p = replace(p, counting_seat=None, line_index=0)
    return p


def _set_board(p: P, holds: dict[int, bool]) -> P:
    """Tiles stand elsewhere, or more or fewer of them. As many as before are thought to be the same ones."""
    lost = [number for space, number in p.board if space in holds and not holds[space]]
    found = [space for space, held in holds.items() if held and space not in p.occupied_spaces]
    numbers = lost if len(lost) == len(found) else [UNKNOWN_TILE] * len(found)
    kept = [tile for tile in p.board if holds.get(tile[0], True)]
    board = tuple(sorted((*kept, *zip(found, numbers, strict=True)), reverse=True))
    if len(board) > p.settings.top_space:
        raise BadCorrection(_("F10: one space at least is empty"))
    return _keep_payment(replace(p, board=board, naming_answers=None))


def _keep_payment(p: P) -> P:
    """A payment goes on if its tile is still there and can be paid."""
    if p.payment is not None and (p.payment.space not in p.occupied_spaces or not p.can_pay_for(p.payment.space)):
        return _drop_payment(p)
    return p if p.payment is not None else replace(p, key_page=0)


def _drop_payment(p: P) -> P:
    return replace(p, payment=None, key_page=0)
