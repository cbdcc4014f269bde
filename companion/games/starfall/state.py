"""One position of a StarFall game: what is stored, and what follows from it without a move."""

from __future__ import annotations

from dataclasses import dataclass

from companion.games.api.game import Seat
from companion.games.starfall.settings import Settings
from companion.games.starfall.view import SYMBOLS, Phase
from companion.i18n import Translator

_ = Translator("starfall")

UNKNOWN_TILE = 0
"""The number of a tile of which nobody said which one it is; those of the catalogue are numbered from 1."""
NUMBER_KEY_COUNT = 6
"""Number keys."""
BOARD_TILES_PER_PAGE = 3
"""Tiles of the board that stand on the keys at once: three keys take, three keys move."""


@dataclass(frozen=True, slots=True)
class OwnedTile:
    """A discovered tile: its number in the catalogue, and the space that it was taken from (None: not known)."""

    tile_number: int
    space: int | None


@dataclass(frozen=True, slots=True)
class PaidTile:
    """F13: an own tile given in payment, and what it pays; None: nobody said."""

    tile: OwnedTile
    value: int | None


@dataclass(frozen=True, slots=True)
class Payment:
    """F13: how the active player is about to pay for the tile on `space`."""

    space: int
    tiles: tuple[PaidTile, ...] = ()
    stated_dust: int | None = None
    """Dust as people said; None: as much as is needed."""


@dataclass(frozen=True, slots=True)
class Position:
    """What the ledger remembers. Tuples are by seat, but for the board: there each entry is a space and a tile."""

    settings: Settings
    dust: tuple[int, ...]
    white_tokens: tuple[int, ...]
    """F1: how many of the tokens are white (1); it matters only where the bank gives no change."""
    owned_tiles: tuple[tuple[OwnedTile, ...], ...]
    away: tuple[bool, ...]
    active_seat: Seat
    pile_size: int
    board: tuple[tuple[int, int], ...] = ()
    """(space, number of the tile), dearest first."""
    discarded: tuple[int, ...] = ()
    """Numbers of the tiles that fell off the board (F11) or were paid with (F13), in order."""
    turn_number: int = 1
    """Counts turns from 1; names the clocks."""
    key_page: int = 0
    """Which of the choices stand on the keys, where there are more than six."""
    naming_answers: tuple[int, ...] | None = None
    """While a tile is named: the answers so far."""
    payment: Payment | None = None
    symbol_counts: tuple[tuple[int, ...], ...] = ()
    """After the end: what each player has of each of `LINES`."""
    counted: tuple[bool, ...] = ()
    counting_seat: Seat | None = None
    """Whose page is open."""
    line_index: int = 0
    total_adjustments: tuple[int, ...] = ()
    """What people added to the totals, or took away."""
    scores_confirmed: bool = False
    """The table of the scores was looked at."""
    changes: tuple[int, ...] = ()

    @property
    def player_count(self) -> int:
        return len(self.dust)

    @property
    def present_seats(self) -> tuple[Seat, ...]:
        """Who takes part: everybody who is not away, by seat."""
        return tuple(Seat(q) for q, away in enumerate(self.away) if not away)

    @property
    def ended(self) -> str:
        """F20, F21: why the game is over, with its rule; empty while it goes on.

        It is worked out afresh in each position, so that it is seen at once, and that a corrected pile, board or
        dust lets the game go on again. The dust of players who are away does not hold up the end.
        """
        if not self.pile_size and len(self.board) <= 1:
            if self.board:
                return _("F20: the pile is empty and one tile is left on the board")
            return _("F20: the pile is empty and no tile is left on the board")
        if not any(self.dust[q] for q in self.present_seats):
            return _("F21: nobody has any stardust left")
        return ""

    @property
    def phase(self) -> Phase:
        if not self.ended:
            if self.payment is not None:
                return Phase.PAY
            return Phase.TURN if self.naming_answers is None else Phase.NAMING
        if self.counting_seat is not None:
            return Phase.PAGE
        if not all(self.counted[q] for q in self.present_seats):
            return Phase.CHOOSE
        return Phase.OVER if self.scores_confirmed else Phase.TABLE

    @property
    def occupied_spaces(self) -> tuple[int, ...]:
        """The spaces that hold a tile, dearest first."""
        return tuple(space for space, _ in self.board)

    @property
    def next_free_space(self) -> int:
        """F10: where the next tile goes. There are more spaces than tiles on them."""
        return next(s for s in range(self.settings.top_space, -1, -1) if s not in self.occupied_spaces)

    @property
    def can_add(self) -> bool:
        """F10, F15."""
        return self.pile_size > 0 and len(self.board) < self.settings.board_max_tiles

    def find_landing_space(self, space: int) -> int | None:
        """F11, A5: the next empty space below `space`; None: the tile leaves the board."""
        return next((s for s in range(space - 1, -1, -1) if s not in self.occupied_spaces), None)

    @property
    def spaces_on_keys(self) -> tuple[int, ...]:
        """The spaces whose tiles stand on the number keys now, dearest first."""
        first = self.key_page * BOARD_TILES_PER_PAGE
        return self.occupied_spaces[first : first + BOARD_TILES_PER_PAGE]

    @property
    def board_page_count(self) -> int:
        return max(1, -(-len(self.board) // BOARD_TILES_PER_PAGE))

    def get_tile_number(self, space: int) -> int:
        """Which tile of the catalogue lies there."""
        return dict(self.board)[space]

    def get_symbol_counts(self, number: int) -> tuple[int, ...]:
        """What is printed on that tile, as in `LINES`; empty if nobody knows."""
        known = 1 <= number <= len(self.settings.catalogue)
        return self.settings.catalogue[number - 1].symbol_counts if known else ()

    def get_tile_value(self, tile: OwnedTile) -> int | None:
        """F13, A2: what an own tile pays; None if only the players can tell."""
        if self.settings.tile_pays == "space_number":
            return tile.space
        counts = self.get_symbol_counts(tile.tile_number)
        return counts[0] if counts else None

    def can_pay_for(self, space: int) -> bool:
        """F12: whether the active player can pay for the tile there, as far as anybody knows."""
        worths = [self.get_tile_value(tile) for tile in self.owned_tiles[self.active_seat]]
        return None in worths or self.dust[self.active_seat] + sum(w or 0 for w in worths) >= space

    @property
    def unseen_tiles(self) -> tuple[int, ...]:
        """Numbers of the catalogue's tiles that are still in the pile, as far as anybody knows."""
        seen = {number for _, number in self.board} | set(self.discarded)
        seen |= {tile.tile_number for own in self.owned_tiles for tile in own}
        return tuple(n for n in range(1, len(self.settings.catalogue) + 1) if n not in seen)

    def has_only_known_tiles(self, seat: int) -> bool:
        """Whether the catalogue tells what is on all tiles of that player."""
        return all(self.get_symbol_counts(tile.tile_number) for tile in self.owned_tiles[seat])

    def sum_known_symbols(self, seat: int) -> tuple[int, ...]:
        """What is printed on those of the player's tiles that are known."""
        known = [counts for tile in self.owned_tiles[seat] if (counts := self.get_symbol_counts(tile.tile_number))]
        return tuple(sum(column) for column in zip(*known, strict=True)) if known else (0,) * len(SYMBOLS)

    @property
    def seats_with_proposal(self) -> tuple[Seat, ...]:
        """Players still to be counted of whom the catalogue knows every tile."""
        return tuple(
            q
            for q in self.present_seats
            if not self.counted[q] and self.settings.catalogue and self.has_only_known_tiles(q)
        )
