"""The players with their scores, clockwise: one under the other, or in cells where the area is low and wide."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from pygame import Rect

from companion.display.toolkit import (
    BAD,
    BODY_EM,
    BUTTON_COLOURS,
    GOOD,
    HEADING_EM,
    INK,
    MIN_EM,
    MIN_FAR_EM,
    MUTED,
    PANEL,
    RAISED,
    SMALL_EM,
    WARN,
    Canvas,
    FontWeight,
    ScreenLayout,
    format_signed,
    split_grid,
    split_left,
    split_right,
    split_rows,
    split_top,
)
from companion.games.api.game import Seat
from companion.i18n import Translator
from companion.screen_state import Player, ScreenState

_ = Translator("companion")

MAX_ROW_HEIGHT = 20.0
"""Height of a player's row at most, in units."""
LOW_ROW_HEIGHT = 8.0
"""Height of a row in units under which a change of the score stands beside the score, not under the name."""
CELL_BADGE_SIZE = 6.0
"""Size of the badge in a cell, in units."""
CELL_NAME_HEIGHT = 5.2
"""Height of the name in a cell, in units; the score stands under it."""
LEFT_PADDING = 2.6
"""Room left of the badge, in units."""
NAME_TOP_PADDING = 0.4
"""Room over a name that stands over a second line, in units, for letters that are taller than capitals."""
RIGHT_PADDING = 1.8
"""Room right of the score, in units."""


def columns_for(count: int) -> int:
    """Return the number of columns, 1 to 3, in which players stand where the area is low and wide.

    Args:
        count: Number of players; 0 gives 3.
    """
    return {1: 1, 2: 2, 4: 2}.get(count, 3)


def split_player_cells(canvas: Canvas, rect: Rect, count: int) -> list[Rect]:
    """Cut an area into equal cells, one for each player, in 1 to 3 columns.

    Args:
        canvas: Converts layout units to pixels; nothing is drawn.
        rect: The area, in pixels.
        count: Number of players; 0 gives an empty list.

    Returns:
        At least `count` cells in pixels, row by row from the left: a last row that is not full has cells left over.
    """
    columns = columns_for(count)
    return split_grid(rect, columns, -(-count // columns), canvas.px(0.9))


def draw_players(
    canvas: Canvas,
    layout: ScreenLayout,
    state: ScreenState,
    active: Seat | None = None,
    changes: Sequence[int] = (),
) -> None:
    """Draw all players with their scores as the region "players".

    Each player sets an anchor ("player 0", by seat).

    Args:
        canvas: Where they are drawn.
        layout: Places of the screen; they are drawn at `layout.players`.
        state: What is shown, with at least one player; a seat without a score is drawn without one.
        active: Seat of the player who is highlighted; None: nobody.
        changes: Points that the last move gave or took, by seat; 0 or a missing entry draws nothing.

    Raises:
        KeyError: A player's piece has a colour that is not a key of `theme.PIECE_RGB`.
        IndexError: There are no players.
        pygame.error: The screen is too small, so that a part would have a negative size.
    """
    rect = layout.players

    draw = _draw_cells if rect.w > 2 * rect.h else _draw_rows
    paint = partial(draw, canvas, rect, state, active, changes)
    canvas.draw_region("players", rect, (state.players, state.scores, tuple(changes), active), paint)


@dataclass(frozen=True, slots=True)
class _SharedSizes:
    """Sizes that all rows share, so that names and scores stand in columns.

    Attributes:
        badge: Size in pixels.
        score: Em in units.
        score_width: Width of the scores in pixels.
        name: Em in units.
        change: Width in pixels of a change that stands beside the score; 0: changes stand under the names.
    """

    badge: int
    score: float
    score_width: int
    name: float
    change: int


def _measure_sizes(canvas: Canvas, row: Rect, state: ScreenState, changes: Sequence[int]) -> _SharedSizes:
    """Choose the sizes: scores as large as leaves the names room; names shrink last."""
    words = [format_signed(change) for change in changes if change and row.h < canvas.px(LOW_ROW_HEIGHT)]
    change = max((canvas.text_width(word, weight=FontWeight.BOLD) for word in words), default=0)
    change_room = change + canvas.px(1.2) if change else 0
    largest = max(MIN_FAR_EM, min(16.0, row.h / canvas.unit_px))
    names = [player.name for player in state.players]
    for score, badge in ((largest, 9.0), ((largest + MIN_FAR_EM) / 2, 7.5), (MIN_FAR_EM, 5.6)):
        size = min(canvas.px(badge), row.h - canvas.px(2.4))
        width = max((canvas.text_width(str(s), score, FontWeight.BOLD) for s in state.scores), default=0)
        room = row.w - size - width - canvas.px(LEFT_PADDING + 1.6 + 1.2 + RIGHT_PADDING) - change_room
        name = canvas.find_common_size(names, HEADING_EM, (room, row.h))
        if name >= BODY_EM:
            break
    return _SharedSizes(size, score, width, name, change)


def _change_of(player: Player, changes: Sequence[int]) -> int:
    return changes[player.seat] if player.seat < len(changes) else 0


def _score_of(player: Player, state: ScreenState) -> int | None:
    return state.scores[player.seat] if player.seat < len(state.scores) else None


def _draw_change(
    canvas: Canvas, rect: Rect, change: int, size: float, align: float = 0.0, vertical_align: float = 0.5
) -> None:
    """Draw what the last move gave or took."""
    text, colour = format_signed(change), GOOD if change > 0 else BAD
    canvas.draw_text(rect, text, size, colour, weight=FontWeight.BOLD, align=align, vertical_align=vertical_align)


def _draw_player_panel(canvas: Canvas, rect: Rect, player: Player, *, is_active: bool, bar_width: float) -> None:
    """Draw the ground of a row or a cell; with a bar in the seat's colour if the player is active."""
    canvas.draw_panel(rect, RAISED if is_active else PANEL)
    if is_active:
        bar = split_left(rect, canvas.px(bar_width))[0]
        canvas.draw_panel(bar, BUTTON_COLOURS[player.button], radius=bar_width / 2)


def _draw_cells(canvas: Canvas, rect: Rect, state: ScreenState, active: Seat | None, changes: Sequence[int]) -> None:
    """Draw the players in cells: the name over badge and score."""
    cells = split_player_cells(canvas, rect, len(state.players))
    room = (cells[0].w - canvas.px(2 * RIGHT_PADDING), canvas.px(CELL_NAME_HEIGHT))
    name = canvas.find_common_size([player.name for player in state.players], HEADING_EM, room)
    bold, body = FontWeight.BOLD, canvas.px(BODY_EM)
    widths = [canvas.fonts.measure_width(format_signed(change), bold, body) for change in changes if change]
    digits = (room[0] - max(widths, default=0) - canvas.px(CELL_BADGE_SIZE + 1.4 + 0.8), cells[0].h)
    largest = max(MIN_FAR_EM, min(18.0, (cells[0].h - room[1]) / canvas.unit_px))
    score = max(MIN_FAR_EM, canvas.find_common_size(map(str, state.scores), largest, digits, bold))
    for player in state.players:
        is_active = player.seat == active
        _draw_cell(canvas, cells[player.seat], player, state, (name, score), changes, is_active=is_active)


def _draw_cell(
    canvas: Canvas,
    cell: Rect,
    player: Player,
    state: ScreenState,
    sizes: tuple[float, float],
    changes: Sequence[int],
    *,
    is_active: bool,
) -> None:
    """Draw a player's cell; `sizes` are the ems of name and score in units."""
    _draw_player_panel(canvas, cell, player, is_active=is_active, bar_width=1.0)
    inner = cell.inflate(-2 * canvas.px(RIGHT_PADDING), -2 * canvas.px(0.8))
    head, under = split_top(inner, canvas.px(CELL_NAME_HEIGHT))
    name = canvas.draw_text(head, player.name, sizes[0], INK if is_active else MUTED)
    badge = min(canvas.px(CELL_BADGE_SIZE), under.h)
    centre = (under.left + badge // 2, under.centery)
    canvas.set_anchor(f"player {player.seat}", centre)
    canvas.draw_badge(player.button, centre, badge)
    if player.piece_colour:
        small = max(canvas.px(2.6), badge * 2 // 5)
        position = (under.left + badge - small // 3, under.bottom - small // 2)
        canvas.draw_piece(player.piece_colour, position, small)
    beside = split_left(under, badge + canvas.px(1.4))[1]
    score = _score_of(player, state)
    if score is not None:
        drawn = canvas.draw_text(under, str(score), sizes[1], weight=FontWeight.BOLD, min_size=MIN_FAR_EM, align=1.0)
        beside.w = drawn.left - canvas.px(0.8) - beside.left
    change = _change_of(player, changes)
    if player.away:
        canvas.draw_text(beside, _("away"), SMALL_EM, WARN)
    elif change:
        least = canvas.text_width(format_signed(change), weight=FontWeight.BOLD)
        if least <= beside.w:
            _draw_change(canvas, beside, change, BODY_EM)
        elif name.right + canvas.px(1) + least <= head.right:
            # Beside a long score, there is room behind a short name.
            _draw_change(canvas, head, change, MIN_EM, align=1.0)


def _draw_rows(canvas: Canvas, rect: Rect, state: ScreenState, active: Seat | None, changes: Sequence[int]) -> None:
    """Draw the players one under the other."""
    rows = split_rows(rect, len(state.players), canvas.px(0.7), canvas.px(MAX_ROW_HEIGHT))
    sizes = _measure_sizes(canvas, rows[0], state, changes)
    for player, row in zip(state.players, rows, strict=True):
        _draw_row(canvas, row, sizes, player, state, _change_of(player, changes), is_active=player.seat == active)


def _draw_row(
    canvas: Canvas,
    row: Rect,
    sizes: _SharedSizes,
    player: Player,
    state: ScreenState,
    change: int,
    *,
    is_active: bool,
) -> None:
    _draw_player_panel(canvas, row, player, is_active=is_active, bar_width=1.6)
    left = row.left + canvas.px(LEFT_PADDING)
    centre = (left + sizes.badge // 2, row.centery)
    canvas.set_anchor(f"player {player.seat}", centre)
    canvas.draw_badge(player.button, centre, sizes.badge)
    if player.piece_colour:
        small = max(canvas.px(3.0), sizes.badge * 2 // 5)
        position = (left + sizes.badge - small // 3, row.centery + sizes.badge // 2 - small // 3)
        canvas.draw_piece(player.piece_colour, position, small)
    left += sizes.badge + canvas.px(1.6)
    name = Rect(left, row.top, row.right - canvas.px(RIGHT_PADDING) - left, row.h)
    score = _score_of(player, state)
    if score is not None:
        digits, name = split_right(name, sizes.score_width, canvas.px(1.2))
        canvas.draw_text(digits, str(score), sizes.score, weight=FontWeight.BOLD, min_size=MIN_FAR_EM, align=1.0)
    if sizes.change:
        beside, name = split_right(name, sizes.change, canvas.px(1.2))
        if change:
            _draw_change(canvas, beside, change, MIN_EM, align=1.0)
    has_second_line = bool(player.away or (change and not sizes.change))
    if has_second_line:
        name = split_top(name, row.h * 55 // 100)[0].move(0, canvas.px(NAME_TOP_PADDING))
        under = Rect(name.left, name.bottom, name.w, row.bottom - name.bottom)
        if player.away:
            canvas.draw_text(under, _("away"), SMALL_EM, WARN, vertical_align=0.3)
        else:
            _draw_change(canvas, under, change, sizes.name, vertical_align=0.3)
    tone, vertical_align = INK if is_active else MUTED, 0.85 if has_second_line else 0.5
    canvas.draw_text(name, player.name, sizes.name, tone, vertical_align=vertical_align)
