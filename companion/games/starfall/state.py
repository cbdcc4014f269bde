"""One state of a StarFall game: what is stored, and what follows from it by itself."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Self

from companion.api import N_, Game, Reason, Seat, Translator, Unmet, replace_at
from companion.games.starfall.scoring import PlayerScore, ScoreKind, score_majority, score_symbols
from companion.games.starfall.settings import Settings
from companion.games.starfall.tile_catalogue import SYMBOLS

UNKNOWN_TILE = 0
"""In place of a tile's number in the catalogue (from 1): nobody said which tile it is."""
NUMBER_KEY_COUNT = 6
"""Number keys (the seat buttons) with which symbols are counted after the end."""


class Phase(StrEnum):
    """Phases of a game; the values are the names of samples and clocks."""

    TURN = "turn"  # F10 to F12: add, move or discover
    NAMING = "naming"  # F10: a tile is added, and people say which one of the catalogue it is
    PAY = "pay"  # F13: how a tile is paid for
    CHOOSE = "choose"  # after the end: whose tiles are counted next
    PAGE = "page"  # one player's tiles are being counted
    TABLE = "table"  # all are counted: the scores line by line, to look at
    OVER = "over"


class EndReason(StrEnum):
    """Why a game ended; for the rule and the text see `END_TEXTS`."""

    ONE_TILE_LEFT = "one tile left"
    NO_TILE_LEFT = "no tile left"
    NO_DUST = "no dust"


END_TEXTS = {
    EndReason.ONE_TILE_LEFT: ("F20", N_("the pile is empty and one tile is left on the board")),
    EndReason.NO_TILE_LEFT: ("F20", N_("the pile is empty and no tile is left on the board")),
    EndReason.NO_DUST: ("F21", N_("nobody has any stardust left")),
}
"""The rule that ends the game, and the reason as a text."""


@dataclass(frozen=True, slots=True)
class OwnedTile:
    """A discovered tile: its number in the catalogue, and the space that it was taken from (None: not known)."""

    tile_number: int
    space: int | None


@dataclass(frozen=True, slots=True)
class PaidTile:
    """F13: an own tile given in payment, and what it pays in stardust: as the catalogue or the players say."""

    tile: OwnedTile
    value: int


@dataclass(frozen=True, slots=True)
class Payment:
    """F13: how the active player is about to pay for the tile on `space`."""

    space: int
    tiles: tuple[PaidTile, ...] = ()


@dataclass(frozen=True, slots=True)
class StarFallState(Game):
    """Stored state of a game of StarFall. Tuples are by seat; entries of `board` are spaces with a tile.

    In a turn a player adds a tile from the pile to the board, moves a tile to a cheaper space, or discovers one: pays
    for it with stardust and own tiles. After the end the symbols on each player's tiles are counted, on a page of
    seven lines. The catalogue is the owner's list of the tiles (`Settings.catalogue`). Rule numbers (F1) are those of
    `docs/rules/starfall.md`.
    """

    settings: Settings = field(hash=False)
    dust: tuple[int, ...]
    white_tokens: tuple[int, ...]
    """F1: how many of the tokens are white (1 dust); it matters only where the bank gives no change."""
    owned_tiles: tuple[tuple[OwnedTile, ...], ...]
    active_seat: Seat
    pile_size: int
    board: tuple[tuple[int, int], ...] = ()
    """(space, number of the tile in the catalogue), dearest first."""
    discarded: tuple[int, ...] = ()
    """Numbers of the tiles that fell off the board (F11) or were paid with (F13), in order."""
    turn_number: int = 1
    """Counts turns from 1; names the clocks."""
    marked_space: int | None = None
    """Space of the tile that the active player has marked, to take or move it."""
    naming_answers: tuple[int, ...] | None = None
    """While people say which tile is added: the places (from 1) of the answers so far."""
    payment: Payment | None = None
    symbol_counts: tuple[tuple[int, ...], ...] = ()
    """After the end: what each player has of each of `SYMBOLS`."""
    counted: tuple[bool, ...] = ()
    """After the end: whose tiles are counted."""
    counting_seat: Seat | None = None
    """Whose page is open."""
    line_index: int = 0
    """The line of that page, as in `COUNT_LINES`."""
    total_adjustments: tuple[int, ...] = ()
    """What corrections add to the totals."""
    scores_confirmed: bool = False
    """F37: the table of the scores was looked at."""

    MOVE_RULE = "F10"
    translate = Translator("starfall")

    @property
    def end_reason(self) -> EndReason | None:
        """Why the game is over (F20, F21); None while it goes on.

        It is computed from the pile, the board and the dust, so that a correction of these lets the game go on again.
        The dust of players who are away does not prevent the end.
        """
        if not self.pile_size and len(self.board) <= 1:
            return EndReason.ONE_TILE_LEFT if self.board else EndReason.NO_TILE_LEFT
        return None if any(self.dust[q] for q in self.present_seats) else EndReason.NO_DUST

    @property
    def phase(self) -> Phase:
        """Phase of the game, derived from payment, naming, counts and `end_reason`; it is not stored."""
        if not self.end_reason:
            if self.payment is not None:
                return Phase.PAY
            return Phase.TURN if self.naming_answers is None else Phase.NAMING
        if self.counting_seat is not None:
            return Phase.PAGE
        if not all(self.counted[q] for q in self.seats_to_count):
            return Phase.CHOOSE
        return Phase.OVER if self.scores_confirmed else Phase.TABLE

    @property
    def seats_to_count(self) -> tuple[Seat, ...]:
        """Seats whose tiles are counted after the end: all but those of absent players without a tile."""
        return tuple(Seat(q) for q in range(self.player_count) if not self.away[q] or self.owned_tiles[q])

    @property
    def occupied_spaces(self) -> tuple[int, ...]:
        """Numbers of the spaces that hold a tile, dearest first."""
        return tuple(space for space, _ in self.board)

    @property
    def next_free_space(self) -> int:
        """Number of the dearest empty space, where the next tile is put (F10); it is also its price in stardust.

        There is one whenever `can_add` is true: `Settings` allows at most `top_space` tiles, and there is one space
        more.

        Raises:
            StopIteration: all spaces hold a tile, after a correction.
        """
        return next(s for s in range(self.settings.top_space, -1, -1) if s not in self.occupied_spaces)

    def explain_no_add(self) -> Iterator[Reason]:
        """Yield why no tile may be added (F10, F15): the pile has none, or the board no room for it."""
        count, most = len(self.board), self.settings.board_max_tiles
        if not self.pile_size:
            yield "F10", N_("the pile is empty")
        elif count >= most:
            full = N_("{n} tiles are on the board already, no more than {most} may be")
            yield Unmet("F15", full, values={"n": count, "most": most})

    @property
    def can_add(self) -> bool:
        """Whether a tile may be added (F10, F15)."""
        return not any(self.explain_no_add())

    def find_landing_space(self, space: int) -> int | None:
        """Return the space to which the tile on `space` is moved (F11, A5): the number of the next empty one below.

        None: all spaces below hold tiles, so that the tile leaves the board.
        """
        return next((s for s in range(space - 1, -1, -1) if s not in self.occupied_spaces), None)

    @property
    def next_mark(self) -> int | None:
        """Number of the space that the active player's button marks next: the cheapest tile's, then dearer ones.

        None: there is no tile, or no other one.
        """
        cheapest_first = self.occupied_spaces[::-1]
        dearer = (space for space in cheapest_first if self.marked_space is None or space > self.marked_space)
        following = next(dearer, next(iter(cheapest_first), None))
        return None if following == self.marked_space else following

    def get_symbol_counts(self, tile_number: int) -> tuple[int, ...]:
        """Return the number of each symbol on tile `tile_number` of the catalogue (from 1), in the order of `SYMBOLS`.

        Empty if the tile is `UNKNOWN_TILE` or not in the catalogue.
        """
        is_known = 1 <= tile_number <= len(self.settings.catalogue)
        return self.settings.catalogue[tile_number - 1].symbol_counts if is_known else ()

    def get_tile_value(self, tile: OwnedTile) -> int | None:
        """Return the stardust that an owned tile pays (F13, A2): its printed stars, or its space's number.

        None: only the players know it, since the tile is not in the catalogue, or nobody entered its space.
        """
        if self.settings.tile_pays == "space_number":
            return tile.space
        return next(iter(self.get_symbol_counts(tile.tile_number)), None)

    def can_pay_for(self, space: int) -> bool:
        """Whether the active player's dust and tiles reach the price of `space` (F12), which is the space's number.

        True as well if the player owns a tile of unknown value. Whether a tile lies there is not checked.
        """
        values = [self.get_tile_value(tile) for tile in self.owned_tiles[self.active_seat]]
        return None in values or self.dust[self.active_seat] + sum(value or 0 for value in values) >= space

    @property
    def unseen_tiles(self) -> tuple[int, ...]:
        """Numbers (from 1) of the catalogue's tiles that may still be in the pile, ascending."""
        seen = {number for _, number in self.board} | set(self.discarded)
        seen |= {tile.tile_number for own in self.owned_tiles for tile in own}
        return tuple(n for n in range(1, len(self.settings.catalogue) + 1) if n not in seen)

    def has_only_known_tiles(self, seat: int) -> bool:
        """Whether the catalogue has all tiles that `seat` owns; true as well for a player without tiles.

        Raises:
            IndexError: there is no such seat.
        """
        return all(self.get_symbol_counts(tile.tile_number) for tile in self.owned_tiles[seat])

    def sum_known_symbols(self, seat: int) -> tuple[int, ...]:
        """Return the number of each symbol on the catalogued tiles of `seat`, in the order of `SYMBOLS` (10 numbers).

        Tiles that are not in the catalogue do not count.

        Raises:
            IndexError: there is no such seat.
        """
        known = [counts for tile in self.owned_tiles[seat] if (counts := self.get_symbol_counts(tile.tile_number))]
        return tuple(sum(column) for column in zip(*known, strict=True)) if known else (0,) * len(SYMBOLS)

    @property
    def seats_with_proposal(self) -> tuple[Seat, ...]:
        """Seats still to be counted whose tiles are all in the catalogue: their counts can be proposed."""
        if not self.settings.catalogue:
            return ()
        return tuple(q for q in self.seats_to_count if not self.counted[q] and self.has_only_known_tiles(q))

    @property
    def has_running_score(self) -> bool:
        """Whether points are shown during the game: by house rule, and if all tiles taken are in the catalogue."""
        is_running = self.settings.running_score and not self.end_reason
        return is_running and all(map(self.has_only_known_tiles, map(Seat, range(self.player_count))))

    @property
    def score_kind(self) -> ScoreKind:
        """The quantity that `totals` holds now: dust, points so far, or points."""
        if not self.end_reason:
            return ScoreKind.POINTS if self.has_running_score else ScoreKind.DUST
        return ScoreKind.POINTS if self.phase in (Phase.TABLE, Phase.OVER) else ScoreKind.POINTS_SO_FAR

    @property
    def totals(self) -> tuple[int, ...]:
        """By seat: stardust while the game goes on; points with a running score, or after the end (F37).

        `score_kind` says which.
        """
        return self.dust if self.score_kind is ScoreKind.DUST else tuple(score.total for score in self.player_scores)

    @property
    def leaders(self) -> tuple[Seat, ...]:
        """Who has most points; nobody while `totals` holds dust, or is not yet entered by all."""
        points = self.totals if self.score_kind is ScoreKind.POINTS else ()
        return tuple(Seat(q) for q, n in enumerate(points) if n == max(points))

    @property
    def player_scores(self) -> tuple[PlayerScore, ...]:
        """Each player's symbols and points, by seat (F30 to F37): after the end from the counts entered.

        While the game goes on they are computed from the tiles in the catalogue; others do not count.
        """
        counts = self.symbol_counts
        if not self.end_reason:
            counts = tuple(self.sum_known_symbols(q) for q in range(self.player_count))
        bonuses = (0,) * self.player_count
        if self.has_running_score or self.phase in (Phase.TABLE, Phase.OVER):
            bonuses = score_majority([stars for stars, *_others in counts], self.settings)
        return tuple(
            PlayerScore(
                seat=Seat(q),
                symbol_counts=counts[q],
                dust=self.dust[q],
                points=score_symbols(counts[q], self.dust[q]),
                majority_bonus=bonuses[q],
                adjustment=self.total_adjustments[q],
                is_counted=self.counted[q],
            )
            for q in range(self.player_count)
        )

    def end_turn(self) -> Self:
        """Return the game in the next turn (F3): clockwise, past those who are away."""
        seat = self.find_next_seat(self.active_seat)
        after = replace(self.restart_turn(), active_seat=seat, turn_number=self.turn_number + 1)
        return after.open_last_count_page()

    def restart_turn(self) -> Self:
        """Return the game without the mark, the payment, or the naming of a tile, that was begun."""
        return replace(self, payment=None, naming_answers=None, marked_space=None)

    def open_count_page(self, seat: Seat) -> Self:
        """Return the game with the counting page of `seat` open at its first line.

        If nothing is counted yet, the page starts with the symbols that the catalogue knows. A player who was counted
        stays counted, so that one line can be corrected without going through all of them.
        """
        counts = self.symbol_counts
        if not self.counted[seat] and not any(counts[seat]):
            counts = replace_at(counts, seat, self.sum_known_symbols(seat))
        return replace(self, symbol_counts=counts, counting_seat=seat, line_index=0, scores_confirmed=False)

    def open_last_count_page(self) -> Self:
        """Return the game with the page of the only player still to be counted open; with several or none, itself."""
        waiting = [q for q in self.seats_to_count if not self.counted[q]]
        is_clear = self.end_reason and self.counting_seat is None and len(waiting) == 1
        return self.open_count_page(waiting[0]) if is_clear and not self.seats_with_proposal else self

    def reset_counts(self) -> Self:
        """Return the game with nothing counted and no corrected totals: it has just ended, or goes on again."""
        return replace(
            self,
            symbol_counts=((0,) * len(SYMBOLS),) * self.player_count,
            counted=(False,) * self.player_count,
            counting_seat=None,
            line_index=0,
            total_adjustments=(0,) * self.player_count,
            scores_confirmed=False,
        )
