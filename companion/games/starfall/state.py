"""One position of a StarFall game: what is stored, and what follows from it without a move."""

from __future__ import annotations

from dataclasses import dataclass

from companion.games.api.game import Seat
from companion.games.starfall.settings import Settings
from companion.games.starfall.view import LINES, Phase
from companion.i18n import Words

_ = Words("starfall")

UNKNOWN = 0
"""The number of a tile of which nobody said which one it is; those of the catalogue are numbered from 1."""
KEYS = 6
"""Number keys."""
PAGE_OF_BOARD = 3
"""Tiles of the board that stand on the keys at once: three keys take, three keys move."""


@dataclass(frozen=True, slots=True)
class Owned:
    """A discovered tile: its number in the catalogue, and the space that it was taken from (None: not known)."""

    number: int
    space: int | None


@dataclass(frozen=True, slots=True)
class Paid:
    """F13: an own tile given in payment, and what it pays; None: nobody said."""

    tile: Owned
    worth: int | None


@dataclass(frozen=True, slots=True)
class Payment:
    """F13: how the active player is about to pay for the tile on `space`."""

    space: int
    tiles: tuple[Paid, ...] = ()
    said: int | None = None
    """Dust as people said; None: as much as is needed."""


@dataclass(frozen=True, slots=True)
class Position:
    """What the ledger remembers. Tuples are by seat, but for the board: there each entry is a space and a tile."""

    settings: Settings
    dust: tuple[int, ...]
    whites: tuple[int, ...]
    """F1: how many of the tokens are white (1); it matters only where the bank gives no change."""
    tiles: tuple[tuple[Owned, ...], ...]
    away: tuple[bool, ...]
    active: Seat
    pile: int
    board: tuple[tuple[int, int], ...] = ()
    """(space, number of the tile), dearest first."""
    gone: tuple[int, ...] = ()
    """Numbers of the tiles that fell off the board (F11) or were paid with (F13), in order."""
    turn: int = 1
    """Counts turns from 1; names the clocks."""
    page: int = 0
    """Which of the choices stand on the keys, where there are more than six."""
    naming: tuple[int, ...] | None = None
    """While a tile is named: the answers so far."""
    payment: Payment | None = None
    counts: tuple[tuple[int, ...], ...] = ()
    """After the end: what each player has of each of `LINES`."""
    counted: tuple[bool, ...] = ()
    counting: Seat | None = None
    """Whose page is open."""
    line: int = 0
    put_right: tuple[int, ...] = ()
    """What people added to the totals, or took away."""
    settled: bool = False
    """The table of the scores was looked at."""
    changes: tuple[int, ...] = ()

    @property
    def players(self) -> int:
        return len(self.dust)

    @property
    def present(self) -> tuple[Seat, ...]:
        """Who takes part: everybody who is not away, by seat."""
        return tuple(Seat(q) for q, away in enumerate(self.away) if not away)

    @property
    def ended(self) -> str:
        """F20, F21: why the game is over, with its rule; empty while it goes on.

        It is worked out afresh in each position, so that it is seen at once, and that a corrected pile, board or
        dust lets the game go on again. The dust of players who are away does not hold up the end.
        """
        if not self.pile and len(self.board) <= 1:
            if self.board:
                return _("F20: the pile is empty and one tile is left on the board")
            return _("F20: the pile is empty and no tile is left on the board")
        if not any(self.dust[q] for q in self.present):
            return _("F21: nobody has any stardust left")
        return ""

    @property
    def phase(self) -> Phase:
        if not self.ended:
            if self.payment is not None:
                return Phase.PAY
            return Phase.TURN if self.naming is None else Phase.NAMING
        if self.counting is not None:
            return Phase.PAGE
        if not all(self.counted[q] for q in self.present):
            return Phase.CHOOSE
        return Phase.OVER if self.settled else Phase.TABLE

    @property
    def spaces(self) -> tuple[int, ...]:
        """The spaces that hold a tile, dearest first."""
        return tuple(space for space, _ in self.board)

    @property
    def next_free(self) -> int:
        """F10: where the next tile goes. There are more spaces than tiles on them."""
        return next(s for s in range(self.settings.top_space, -1, -1) if s not in self.spaces)

    @property
    def may_add(self) -> bool:
        """F10, F15."""
        return self.pile > 0 and len(self.board) < self.settings.board_max_tiles

    def lands(self, space: int) -> int | None:
        """F11, A5: the next empty space below `space`; None: the tile leaves the board."""
        return next((s for s in range(space - 1, -1, -1) if s not in self.spaces), None)

    @property
    def on_keys(self) -> tuple[int, ...]:
        """The spaces whose tiles stand on the number keys now, dearest first."""
        first = self.page * PAGE_OF_BOARD
        return self.spaces[first : first + PAGE_OF_BOARD]

    @property
    def board_pages(self) -> int:
        return max(1, -(-len(self.board) // PAGE_OF_BOARD))

    def number_at(self, space: int) -> int:
        """Which tile of the catalogue lies there."""
        return dict(self.board)[space]

    def printed(self, number: int) -> tuple[int, ...]:
        """What is printed on that tile, as in `LINES`; empty if nobody knows."""
        known = 1 <= number <= len(self.settings.catalogue)
        return self.settings.catalogue[number - 1].counts if known else ()

    def worth(self, tile: Owned) -> int | None:
        """F13, A2: what an own tile pays; None if only the players can tell."""
        if self.settings.tile_pays == "space_number":
            return tile.space
        counts = self.printed(tile.number)
        return counts[0] if counts else None

    def payable(self, space: int) -> bool:
        """F12: whether the active player can pay for the tile there, as far as anybody knows."""
        worths = [self.worth(tile) for tile in self.tiles[self.active]]
        return None in worths or self.dust[self.active] + sum(w or 0 for w in worths) >= space

    @property
    def unseen(self) -> tuple[int, ...]:
        """Numbers of the catalogue's tiles that are still in the pile, as far as anybody knows."""
        seen = {number for _, number in self.board} | set(self.gone)
        seen |= {tile.number for own in self.tiles for tile in own}
        return tuple(n for n in range(1, len(self.settings.catalogue) + 1) if n not in seen)

    def all_known(self, seat: int) -> bool:
        """Whether the catalogue tells what is on all tiles of that player."""
        return all(self.printed(tile.number) for tile in self.tiles[seat])

    def proposed(self, seat: int) -> tuple[int, ...]:
        """What is printed on those of the player's tiles that are known."""
        known = [counts for tile in self.tiles[seat] if (counts := self.printed(tile.number))]
        return tuple(sum(column) for column in zip(*known, strict=True)) if known else (0,) * len(LINES)

    @property
    def proposals(self) -> tuple[Seat, ...]:
        """Players still to be counted of whom the catalogue knows every tile."""
        return tuple(q for q in self.present if not self.counted[q] and self.settings.catalogue and self.all_known(q))
