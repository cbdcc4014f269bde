"""The page of a result about its dice: how lucky each player's were, and what they rolled."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from companion.display.toolkit import (
    BUTTON_COLOURS,
    INK,
    LINE,
    MUTED,
    PANEL,
    RAISED,
    TEXT_EM,
    TITLE_EM,
    Canvas,
    Colour,
    Rect,
    Typeface,
    split_columns,
    split_grid,
    split_rows,
    split_top,
)
from companion.i18n import _, format_number
from companion.screen_state import DiceLuck, Player, RolledDice, ScreenState

MAX_NAME_WIDTH = 34.0
"""Width of the players' names with their badges at most, in units; upright there are only badges."""
COLUMN_GAP = 2.0
"""Room between two columns, in units."""
SCALE_HEIGHT = 3.2
"""Height of the scale of luck, in units."""
USUAL_SHARE = 0.8
"""Share of the scale, in its middle, that is drawn as usual: 8 of 10 evenings with fair dice are there."""
MIN_SCALE_WIDTH = 14.0
"""Width of the scale at least, in units: with less, the numbers beside it are left out."""
MARK_SIZE = 4.6
"""Diameter of the mark on a scale, in units."""
MIN_ROW_HEIGHT = 7.4
"""Height of a row at least, in units: with less, the row of everybody is left out."""
MAX_ROW_HEIGHT = 12.0
"""Height of a row at most, in units."""
MAX_COUNTED_FACES = 3
"""Dice with more faces have no column for each, but one for their number and one for their average."""


@dataclass(frozen=True, slots=True)
class _LuckRow:
    """One row: of a player, or of everybody (no player)."""

    player: Player | None
    dice: RolledDice
    cells: tuple[str, ...]


def draw_dice_luck(canvas: Canvas, rect: Rect, state: ScreenState, luck: DiceLuck) -> None:
    """Draw whether it was the dice, and a row for each player who rolled: how lucky the dice were, and their average.

    Args:
        state: has the players.
        luck: the dice; by seat as many as there are players.
    """
    inner = canvas.draw_panel(rect, PANEL, padding=(4, 2))
    head, body = split_top(inner, canvas.px(TITLE_EM + 1.5))
    canvas.draw_text(head, luck.sentence, TITLE_EM, face=Typeface.DISPLAY)
    rows = [
        _LuckRow(player, dice, _list_cells(dice, luck))
        for player, dice in zip(state.players, luck.players, strict=True)
        if any(dice.counts)
    ]
    heading_height = canvas.px(7.2)
    if len(rows) > 1 and body.h - heading_height >= (len(rows) + 1) * canvas.px(MIN_ROW_HEIGHT):
        rows.append(_LuckRow(None, luck.everybody, _list_cells(luck.everybody, luck)))
    if body.h - heading_height < len(rows) * canvas.line_px(MIN_ROW_HEIGHT):
        heading_height = 0
    has_words = heading_height and any(row.dice.luck for row in rows)
    words = _list_scale_words(luck) if has_words else ("", "", "")
    text_px = canvas.px_at_least(TEXT_EM)  # the least of both layouts
    word_width = max(canvas.fonts.measure_width(word, Typeface.DISPLAY, text_px) for word in words)
    headings = _list_headings(luck)
    widths = _measure_columns(canvas, body.w, headings, rows)
    if widths[1] < max(canvas.px(MIN_SCALE_WIDTH), 3 * word_width):  # the answer matters more than the numbers
        headings, rows = (), [replace(row, cells=()) for row in rows]
        widths = _measure_columns(canvas, body.w, headings, rows)
    heading, body = split_top(body, heading_height)
    _name, scale, *cells = split_columns(heading, list(widths), canvas.px(COLUMN_GAP))
    for text, place, align in zip(words, split_grid(scale, 3, 1, 0), (0.0, 0.5, 1.0), strict=True):
        canvas.draw_text(place, text, TEXT_EM, MUTED, face=Typeface.DISPLAY, align=align)
    for text, cell in zip(headings if heading_height else (), cells, strict=False):
        canvas.draw_text(cell, text, TEXT_EM, MUTED, face=Typeface.DISPLAY, align=1.0)
    for row, area in zip(rows, split_rows(body, len(rows), 0, canvas.px(MAX_ROW_HEIGHT)), strict=True):
        canvas.fill_rect(RAISED, Rect(area.left, area.top, area.w, canvas.px(0.2)))
        _draw_row(canvas, area, widths, row)


def _list_scale_words(luck: DiceLuck) -> tuple[str, str, str]:
    """Return the words over the two ends and the middle of the scale."""
    if not luck.worth:
        return _("even"), _("usual"), _("uneven")
    if luck.worth != tuple(range(1, len(luck.worth) + 1)):
        return _("bad luck"), _("usual"), _("good luck")
    return _("low dice"), _("usual"), _("high dice")


def _list_headings(luck: DiceLuck) -> tuple[str, ...]:
    """Return the headings of the cells of `_list_cells`."""
    if not luck.worth and len(luck.everybody.counts) <= MAX_COUNTED_FACES:
        return luck.face_names or tuple(map(str, range(1, len(luck.everybody.counts) + 1)))
    return (_("Dice"), _("Average")) if luck.worth else (_("Dice"),)


def _list_cells(dice: RolledDice, luck: DiceLuck) -> tuple[str, ...]:
    """Return the numbers beside the scale: of each face, or how many dice and the average of their points."""
    n = sum(dice.counts)
    if not luck.worth:
        return tuple(map(str, dice.counts)) if len(dice.counts) <= MAX_COUNTED_FACES else (str(n),)
    total = sum(count * worth for count, worth in zip(dice.counts, luck.worth, strict=True))
    whole, _point, tenths = f"{total / max(1, n):.1f}".partition(".")
    return str(n), _("{whole}.{tenths}", whole=whole, tenths=tenths)


def _measure_columns(canvas: Canvas, width: int, headings: Sequence[str], rows: Sequence[_LuckRow]) -> tuple[int, ...]:
    """Return the widths of badge and name, scale, and the cells, in pixels."""
    bold = Typeface.TABULAR
    cells = [
        max(canvas.text_width(text, face=bold) for text in (heading, *(row.cells[i] for row in rows)))
        for i, heading in enumerate(headings)
    ]
    everybody = canvas.text_width(_("All"), face=bold)
    if canvas.is_portrait:
        name = max(canvas.px(8), everybody)
    else:
        names = [canvas.text_width(row.player.name, face=bold) for row in rows if row.player is not None]
        name = min(canvas.px(MAX_NAME_WIDTH), max(everybody, *names) + canvas.px(8))
    room = width - name - sum(cells) - (1 + len(cells)) * canvas.px(COLUMN_GAP)
    return name, room, *cells


def _draw_row(canvas: Canvas, area: Rect, widths: Sequence[int], row: _LuckRow) -> None:
    """Draw a row: badge and name, the scale with its mark, and the numbers."""
    name, scale, *cells = split_columns(area, list(widths), canvas.px(COLUMN_GAP))
    colour: Colour = INK
    if row.player is not None:
        colour = BUTTON_COLOURS[row.player.button]
        name = canvas.draw_badge_left(name, row.player.button, canvas.px(6), gap=1.4)
    if row.player is None or not canvas.is_portrait:
        text = _("All") if row.player is None else row.player.name
        canvas.draw_text(name, text, TEXT_EM, INK, face=Typeface.DISPLAY)
    if row.dice.luck is not None:
        _draw_scale(canvas, scale, row.dice.luck.value, colour)
    for text, cell in zip(row.cells, cells, strict=True):
        canvas.draw_text(cell, format_number(text), TEXT_EM, INK, face=Typeface.TABULAR, align=1.0)


def _draw_scale(canvas: Canvas, rect: Rect, share: float, colour: Colour) -> None:
    """Draw the scale of all evenings with what is usual lighter in its middle, and the mark of this one."""
    half_mark = canvas.px(MARK_SIZE / 2)
    track = Rect(rect.left + half_mark, 0, rect.w - 2 * half_mark, canvas.px(SCALE_HEIGHT))
    track.centery = rect.centery
    canvas.draw_panel(track, RAISED, radius=SCALE_HEIGHT / 2)
    usual = Rect(0, track.top, round(track.w * USUAL_SHARE), track.h)
    usual.centerx = track.centerx
    canvas.fill_rect(LINE, usual)
    canvas.draw_disc((track.left + round(share * track.w), rect.centery), canvas.px(MARK_SIZE), colour, PANEL)
