"""The score sheet of one player: a cell for each box, with what the dice would bring in the open ones."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from companion.display.api import (
    BACKGROUND,
    BUTTON_COLOURS,
    GAP,
    INK,
    MUTED,
    PANEL,
    RAISED,
    TEXT_EM,
    TITLE_EM,
    WARN,
    Canvas,
    Colour,
    Player,
    Rect,
    RegionCell,
    Typeface,
    split_grid,
    split_left,
    split_top,
)
from companion.events import SEAT_BUTTONS
from companion.games.game_file.dice.state import DiceGameState, _
from companion.games.game_file.display.dice_table import draw_dice
from companion.i18n import format_number

DICE_WIDTH = 13.0
"""Width of the column of dice at the left, in units; upright the height of the row of dice above."""
COLUMNS = 5
"""Columns of a sheet; upright `PORTRAIT_COLUMNS`."""
PORTRAIT_COLUMNS = 3
"""Columns of a sheet on an upright screen."""
CELL_GAP = 1.0
"""Room between two cells, in units."""
CELL_PADDING = 1.0
"""Room at the left and the right of a cell, in units."""
POINTS_GAP = 0.8
"""Room between the name and the points where they stand side by side, in units."""
STACKED_HEIGHT = 14.6
"""Height of a cell in units from which the points stand under the name."""
NAME_HEIGHT = 6.6
"""Height of the name in such a cell, in units."""


@dataclass(frozen=True, slots=True)
class SheetPage:
    """What is shown of a sheet.

    Attributes:
        player: whose sheet it is.
        choices: indexes of the boxes on the number keys, in their order, from 0.
    """

    player: Player
    choices: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Cell:
    """A cell of the sheet: `number` is its key, 0 for none; `points` empty: nothing is shown."""

    name: str
    points: str
    number: int = 0
    is_filled: bool = False
    is_total: bool = False


def draw_sheet(canvas: Canvas, rect: Rect, view: DiceGameState, page: SheetPage) -> None:
    """Draw the sheet of the active player beside the dice, as the regions "dice" and "sheet".

    Args:
        page: whose sheet it is, and which boxes are on the number keys.
    """
    side = canvas.px(DICE_WIDTH)
    if canvas.is_portrait:
        dice, sheet = split_top(rect, side, canvas.px(GAP))
    else:
        dice, sheet = split_left(rect, side, canvas.px(GAP))
    canvas.draw_region("dice", dice, view.all_dice, lambda: draw_dice(canvas, dice, view.all_dice))
    cells = _list_cells(view, page.choices)
    preferred = PORTRAIT_COLUMNS if canvas.is_portrait else COLUMNS
    grids = [_split_cells(canvas, sheet, len(cells), columns) for columns in range(preferred, 1, -1)]
    # Where the names fit in none they are smaller in the widest cells that have the height for them.
    widest = next((grid for grid in reversed(grids) if grid[0].h >= canvas.px(TEXT_EM)), grids[0])
    places = next((grid for grid in grids if _fit_cells(canvas, grid[0], cells)), widest)
    canvas.draw_cells(
        "sheet",
        sheet,
        [
            RegionCell(place, (cell, page.player), partial(_draw_cell, canvas, place, cell, page.player))
            for place, cell in zip(places, cells, strict=False)
        ],
    )


def describe_sheet(view: DiceGameState) -> str:
    """Describe the sheet of the active player in words: what boxes have brought, and open ones would bring."""
    cells = _list_cells(view, ())
    has_dice = view.throw_count > 0
    return "; ".join(
        f"{cell.name} {_format_points(cell)}" if has_dice or cell.is_filled or cell.is_total else cell.name
        for cell in cells
    )


def _split_cells(canvas: Canvas, rect: Rect, count: int, columns: int) -> list[Rect]:
    return split_grid(rect, columns, -(-count // columns), canvas.px(CELL_GAP))


def _fit_cells(canvas: Canvas, rect: Rect, cells: Sequence[_Cell]) -> bool:
    """Return whether the longest name fits into a cell, beside its points where they do not stand under it."""
    width = rect.w - 2 * canvas.px(CELL_PADDING)
    if rect.h >= canvas.px(STACKED_HEIGHT):
        return all(canvas.text_width(cell.name, face=Typeface.DISPLAY) <= width for cell in cells)
    gap = canvas.px(POINTS_GAP)
    return rect.h >= canvas.px(NAME_HEIGHT) and all(
        canvas.text_width(cell.name, face=Typeface.DISPLAY)
        + canvas.text_width(_format_points(cell), face=Typeface.TABULAR)
        + gap
        <= width
        for cell in cells
    )


def _format_points(cell: _Cell) -> str:
    """Return the points of a cell: those that an open box would bring with a sign."""
    return cell.points if cell.is_filled or cell.is_total else f"+{cell.points}"


def _list_cells(view: DiceGameState, choices: Sequence[int]) -> Sequence[_Cell]:
    boxes, cells = view.boxes[view.active_seat], []
    for index, points in enumerate(boxes):
        name = view.rules.label_category(index)
        if points is not None:
            cells.append(_Cell(name, format_number(points), is_filled=True))
            continue
        number = choices.index(index) + 1 if index in choices else 0
        cells.append(_Cell(name, format_number(view.get_box_points(index)), number))
    bonuses = zip(
        view.rules.model.bonuses,
        view.rules.compute_bonus_points(view.boxes[view.active_seat], view.memory[view.active_seat]),
        strict=True,
    )
    cells += [
        _Cell(view.rules.translate(bonus.name), format_number(points), is_total=True) for bonus, points in bonuses
    ]
    return (*cells, _Cell(_("Total"), format_number(view.totals[view.active_seat]), is_total=True))


def _draw_cell(canvas: Canvas, rect: Rect, cell: _Cell, player: Player) -> None:
    """Draw a cell: filled ones flat, open ones with an edge, those on a number key, to be touched, coloured."""
    fill: Colour = PANEL
    name_ink: Colour = MUTED
    points_ink: Colour = INK
    edge: Colour | None = None
    if cell.number:
        fill, name_ink, points_ink = BUTTON_COLOURS[player.button], BACKGROUND, BACKGROUND
    elif cell.is_total:
        fill, points_ink = BACKGROUND, WARN
    elif not cell.is_filled:
        fill, name_ink, edge = RAISED, INK, INK
    canvas.draw_panel(rect, fill, edge=edge)
    if cell.number:
        canvas.add_touch_area(rect, SEAT_BUTTONS[cell.number - 1])
    inner = rect.inflate(-2 * canvas.px(CELL_PADDING), 0)
    points = _format_points(cell)
    if rect.h >= canvas.px(STACKED_HEIGHT):
        name, below = split_top(inner, canvas.line_px(NAME_HEIGHT))
        canvas.draw_text(name.move(0, canvas.px(0.4)), cell.name, TEXT_EM, name_ink, face=Typeface.DISPLAY)
        canvas.draw_text(below, points, TITLE_EM, points_ink, face=Typeface.TABULAR, align=1.0)
        return
    drawn = canvas.draw_text(inner, points, TEXT_EM, points_ink, face=Typeface.TABULAR, align=1.0)
    inner.w = drawn.left - canvas.px(POINTS_GAP) - inner.left
    canvas.draw_text(inner, cell.name, TEXT_EM, name_ink, face=Typeface.DISPLAY)
