"""Corrections of a StarFall game: what people may correct, since the table is right, and what follows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from companion.api import (
    N_,
    Active,
    BadCorrection,
    Correctable,
    Correction,
    CorrectionKind,
    Score,
    Translator,
    ValueRange,
    adjust,
    list_by_seat,
    replace_at,
)
from companion.games.starfall.count_lines import (
    COLOURS_LINE,
    COUNT_LINES,
    NEBULAE_LINE,
    get_line_count,
    set_line_count,
)
from companion.games.starfall.payment_rules import ORANGE_TOKEN_DUST
from companion.games.starfall.state import UNKNOWN_TILE, OwnedTile, Phase, StarFallState
from companion.games.starfall.tile_catalogue import MAX_SYMBOL_COUNT, NEBULA_COLOURS, TILE_COUNT
from companion.games.starfall.tile_texts import format_symbol_counts

_ = Translator("starfall")

MAX_DUST = 200
"""Stardust of a player that may be entered; as much as the settings allow at the start."""
MIN_TOTAL = -99
"""Lowest total that may be entered."""
MAX_TOTAL = 999
"""Highest total that may be entered; far beyond what a game gives."""


class Total(Score[StarFallState]):
    """F37: a player's points."""

    phases = (Phase.TABLE, Phase.OVER)


TOTAL = Total(
    "total",
    N_("{who}'s total"),
    MIN_TOTAL,
    MAX_TOTAL,
    lambda game: game.totals,
    lambda game, totals: replace(game, total_adjustments=adjust(game.total_adjustments, game.totals, totals)),
)


class PlayerDust(CorrectionKind[StarFallState]):
    """A player's stardust."""

    kind, label = "dust", N_("{who}'s dust")

    def list_entries(self, game: StarFallState) -> Iterator[Correctable]:
        return list_by_seat(self.kind, game.dust, 0, MAX_DUST)

    def apply(self, game: StarFallState, correction: Correction) -> StarFallState:
        seat, (dust,) = correction.player, correction.value
        # Which tokens make it up is not entered: as many orange ones as before, if they fit.
        orange_tokens = (game.dust[seat] - game.white_tokens[seat]) // ORANGE_TOKEN_DUST
        whites = dust - ORANGE_TOKEN_DUST * min(orange_tokens, dust // ORANGE_TOKEN_DUST)
        white_tokens = replace_at(game.white_tokens, seat, whites)
        return _keep_payment(replace(game, dust=replace_at(game.dust, seat, dust), white_tokens=white_tokens))


class WhoseTurn(Active[StarFallState]):
    """F3: whose turn it is."""

    def is_due(self, game: StarFallState) -> bool:
        return not game.end_reason


class Counted(CorrectionKind[StarFallState]):
    """0: a player who was counted is counted again."""

    kind, label = "counted", N_("{who} is counted")

    def is_due(self, game: StarFallState) -> bool:
        return bool(game.end_reason)

    def list_entries(self, game: StarFallState) -> Iterator[Correctable]:
        for q in game.seats_to_count:
            if game.counted[q]:
                yield self.make_entry(1, 0, 1, seat=q)

    def apply(self, game: StarFallState, correction: Correction) -> StarFallState:
        return game if correction.value[0] else game.open_count_page(correction.player)

    def label_values(self, game: StarFallState, what: Correctable | Correction, names: Sequence[str]) -> Sequence[str]:
        return (_("Count again"), _("Counted"))

    def describe(self, before: StarFallState, what: Correction, old: Correctable, names: Sequence[str]) -> str:
        return _("{who} is counted again", who=names[what.player])


class Counts(CorrectionKind[StarFallState]):
    """A player's numbers on some lines of the page, from `first` to before `end` in `COUNT_LINES`."""

    def __init__(self, kind: str, label: str, first: int, end: int) -> None:
        self.kind, self.label, self.first, self.end = kind, label, first, end

    def is_due(self, game: StarFallState) -> bool:
        return bool(game.end_reason)

    def list_entries(self, game: StarFallState) -> Iterator[Correctable]:
        values = ValueRange(self.end - self.first, 0, MAX_SYMBOL_COUNT)
        for q in game.seats_to_count:
            now = tuple(get_line_count(game.symbol_counts[q], line) for line in range(self.first, self.end))
            yield Correctable(self.kind, q, now, values)

    def apply(self, game: StarFallState, correction: Correction) -> StarFallState:
        page = game.symbol_counts[correction.player]
        for line, count in zip(range(self.first, self.end), correction.value, strict=True):
            nebulae = get_line_count(page, NEBULAE_LINE)
            if line == COLOURS_LINE and not min(1, nebulae) <= count <= min(nebulae, len(NEBULA_COLOURS)):
                raise BadCorrection("F35", _("so many nebulae cannot have that many colours"))
            page = set_line_count(page, line, count)
        return replace(game, symbol_counts=replace_at(game.symbol_counts, correction.player, page))


COUNTS = Counts("counts", N_("{who}'s stars, planets, moons, holes, comets"), 0, NEBULAE_LINE)
NEBULAE = Counts("nebulae", N_("{who}'s nebulae and their colours"), NEBULAE_LINE, len(COUNT_LINES))


class Spaces(CorrectionKind[StarFallState]):
    """Which spaces from the first to the last of `index` hold a tile: 0 or 1 each.

    There are two halves, dearest first (9 to 5, 4 to 0): a line of the menu has at most six values.
    """

    kind, label = "tiles on", N_("tiles on {spaces}")

    def list_entries(self, game: StarFallState) -> Iterator[Correctable]:
        top = game.settings.top_space
        middle = top - top // 2
        for first, last in ((top, middle), (middle - 1, 0)):
            occupied = tuple(int(space in game.occupied_spaces) for space in range(first, last - 1, -1))
            yield Correctable(self.kind, None, occupied, ValueRange(len(occupied), 0, 1), (first, last))

    def apply(self, game: StarFallState, correction: Correction) -> StarFallState:
        """Return the game with tiles elsewhere; as many as before are thought to be the same ones."""
        first, last = correction.index
        occupied = dict(zip(range(first, last - 1, -1), map(bool, correction.value), strict=True))
        lost = [number for space, number in game.board if not occupied.get(space, True)]
        found = [space for space, is_occupied in occupied.items() if is_occupied and space not in game.occupied_spaces]
        numbers = lost if len(lost) == len(found) else [UNKNOWN_TILE] * len(found)
        kept = [tile for tile in game.board if occupied.get(tile[0], True)]
        board = tuple(sorted((*kept, *zip(found, numbers, strict=True)), reverse=True))
        if len(board) > game.settings.top_space:
            raise BadCorrection("F10", _("one space at least is empty"))
        return _keep_payment(replace(game, board=board, naming_answers=None, marked_space=None))

    def format_label(self, game: StarFallState, what: Correctable | Correction, names: Sequence[str]) -> str:
        first, last = what.index
        return _(self.label, spaces=" ".join(map(str, range(first, last - 1, -1))))


class Pile(CorrectionKind[StarFallState]):
    """F2: tiles in the pile."""

    kind, label = "pile", N_("tiles in the pile")

    def list_entries(self, game: StarFallState) -> Iterator[Correctable]:
        yield self.make_entry(game.pile_size, 0, TILE_COUNT)

    def apply(self, game: StarFallState, correction: Correction) -> StarFallState:
        return replace(game, pile_size=correction.value[0], naming_answers=None)


class TileOn(CorrectionKind[StarFallState]):
    """Which tile of the catalogue lies on space `index`; 0: not known."""

    kind, label = "tile on", N_("which tile lies on {n}")

    def is_due(self, game: StarFallState) -> bool:
        return not game.end_reason and bool(game.settings.catalogue)

    def list_entries(self, game: StarFallState) -> Iterator[Correctable]:
        for space, number in game.board:
            yield self.make_entry(number, 0, len(game.settings.catalogue), index=(space,))

    def apply(self, game: StarFallState, correction: Correction) -> StarFallState:
        board = dict(game.board) | {correction.index[0]: correction.value[0]}
        # Other tiles are in the pile than those that were asked about.
        return replace(game, board=tuple(board.items()), naming_answers=None)

    def label_values(self, game: StarFallState, what: Correctable | Correction, names: Sequence[str]) -> Sequence[str]:
        tiles = enumerate(game.settings.catalogue, start=1)
        return (_("Not known"), *(f"{n}: {format_symbol_counts(tile.symbol_counts)}" for n, tile in tiles))

    def describe(self, before: StarFallState, what: Correction, old: Correctable, names: Sequence[str]) -> str:
        """Return the line with the tiles' numbers alone."""
        thing, (was,), (now,) = self.format_label(before, what, names), old.current_value, what.value
        return _("Corrected: {thing}, {old} to {new}", thing=thing, old=was, new=now)


class OwnTiles(CorrectionKind[StarFallState]):
    """Number of tiles that a player owns."""

    kind, label = "tiles", N_("how many tiles {who} has")

    def is_due(self, game: StarFallState) -> bool:
        return not game.end_reason

    def list_entries(self, game: StarFallState) -> Iterable[Correctable]:
        return list_by_seat(self.kind, map(len, game.owned_tiles), 0, TILE_COUNT)

    def apply(self, game: StarFallState, correction: Correction) -> StarFallState:
        (count,) = correction.value
        own = game.owned_tiles[correction.player][:count]
        own += (OwnedTile(UNKNOWN_TILE, None),) * (count - len(own))
        return replace(game.restart_turn(), owned_tiles=replace_at(game.owned_tiles, correction.player, own))


def _keep_payment(game: StarFallState) -> StarFallState:
    """A payment goes on if its tile is still there and can be paid."""
    payment = game.payment
    if payment and payment.space in game.occupied_spaces and game.can_pay_for(payment.space):
        return game
    return replace(game, payment=None)
