"""The page of a result about its dice: what each player rolled, against all that fair dice give."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from companion.dice_statistics import INTERVAL_SHARE, Share
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
"""Height of the scale from 0 to 100 evenings, in units."""
MIN_SCALE_WIDTH = 14.0
"""Width of the scale at least, in units: with less, the numbers beside it are left out."""
MARK_SIZE = 4.6
"""Diameter of the mark on a scale, in units."""
MIN_ROW_HEIGHT = 7.4
"""Height of a row at least, in units: with less, the row of everybody is left out."""
MAX_ROW_HEIGHT = 12.0
"""Height of a row at most, in units."""
MAX_COUNTED_FACES = 3
"""Dice with more faces have no column for each, but one for their number and one for their mean."""


@dataclass(frozen=True, slots=True)
class _LuckRow:
    """One row: of a player, or of everybody (no player)."""

    player: Player | None
    dice: RolledDice
    cells: tuple[str, ...]


def draw_dice_luck(canvas: Canvas, rect: Rect, state: ScreenState, luck: DiceLuck) -> None:
    """Draw whether it was the dice, and a row for each player: the place of the dice among fair ones, and their mean.

    Args:
        state: has the players.
        luck: the dice; by seat as many as there are players.
    """
    inner = canvas.draw_panel(rect, PANEL, padding=(4, 2))
    head, body = split_top(inner, canvas.px(TITLE_EM + 1.5))
    canvas.draw_text(head, format_answer(luck, state.players), TITLE_EM, face=Typeface.DISPLAY)
    rows = [
        _LuckRow(player, dice, _list_cells(dice, luck))
        for player, dice in zip(state.players, luck.players, strict=True)
    ]
    lines = 2 if canvas.is_portrait else 1
    heading_height = canvas.px(7.2 * lines)
    if len(rows) > 1 and body.h - heading_height >= (len(rows) + 1) * canvas.px(MIN_ROW_HEIGHT):
        rows.append(_LuckRow(None, luck.everybody, _list_cells(luck.everybody, luck)))
    if body.h - heading_height < len(rows) * canvas.line_px(MIN_ROW_HEIGHT):
        heading_height = 0
    headings = _list_headings(luck)
    widths = _measure_columns(canvas, body.w, headings, rows)
    if widths[1] < canvas.px(MIN_SCALE_WIDTH):  # the answer matters more than the numbers
        headings, rows = (), [replace(row, cells=()) for row in rows]
        widths = _measure_columns(canvas, body.w, headings, rows)
    heading, body = split_top(body, heading_height)
    place, *cells = split_columns(heading, [sum(widths[:3]) + 2 * canvas.px(COLUMN_GAP), *widths[3:]], canvas.px(2))
    if heading_height:
        canvas.draw_text(place, _format_measure(luck), TEXT_EM, MUTED, face=Typeface.DISPLAY, max_lines=lines)
    for text, cell in zip(headings if heading_height else (), cells, strict=False):
        canvas.draw_text(cell, text, TEXT_EM, MUTED, face=Typeface.DISPLAY, align=1.0)
    for row, area in zip(rows, split_rows(body, len(rows), 0, canvas.px(MAX_ROW_HEIGHT)), strict=True):
        canvas.fill_rect(RAISED, Rect(area.left, area.top, area.w, canvas.px(0.2)))
        _draw_row(canvas, area, widths, row)


def format_answer(luck: DiceLuck, players: Sequence[Player]) -> str:
    """Return the answer to "Was it the dice?" in one translated sentence.

    Args:
        luck: the dice.
        players: the players by seat.
    """
    if all(dice.luck is None for dice in luck.players):
        return _("Too few dice to tell")
    if luck.striking is None:
        return _("The dice were nothing unusual")
    dice, name = luck.players[luck.striking], players[luck.striking].name
    if not luck.worth:
        return _("{who}: remarkably uneven dice", who=name)
    is_good = dice.luck is not None and dice.luck.value > 0.5
    if luck.worth != tuple(range(1, len(luck.worth) + 1)):
        return _("{who}: remarkable luck", who=name) if is_good else _("{who}: remarkably bad luck", who=name)
    return _("{who}: remarkably high dice", who=name) if is_good else _("{who}: remarkably low dice", who=name)


def _format_measure(luck: DiceLuck) -> str:
    """Return the heading of the scale: with what the dice are compared."""
    if not luck.worth:
        return _("More uneven than n of 100 evenings")
    if luck.worth != tuple(range(1, len(luck.worth) + 1)):
        return _("Luckier than n of 100 evenings")
    return _("Higher than n of 100 evenings")


def format_share(share: Share) -> str:
    """Return a share in percent with its interval: "83 (76–89)"."""
    value, low, high = share.percents
    return f"{value} ({low}–{high})"


def _list_headings(luck: DiceLuck) -> tuple[str, ...]:
    """Return the headings of the cells of `_list_cells`."""
    if not luck.worth and len(luck.everybody.counts) <= MAX_COUNTED_FACES:
        names = luck.face_names or tuple(map(str, range(1, len(luck.everybody.counts) + 1)))
        return (*names, _("Fair"))
    return (_("Dice"), _("Mean"), _("Fair")) if luck.worth else (_("Dice"),)


def _list_cells(dice: RolledDice, luck: DiceLuck) -> tuple[str, ...]:
    """Return the numbers beside the scale: of each face, or how many dice and their mean; then those of fair dice."""
    n, sides = sum(dice.counts), len(dice.counts)
    if not luck.worth:
        counted = (*map(str, dice.counts), f"{n / sides:.1f}")
        return counted if sides <= MAX_COUNTED_FACES else (str(n),)
    total = sum(count * worth for count, worth in zip(dice.counts, luck.worth, strict=True))
    return str(n), f"{total / n:.2f}" if n else "", f"{sum(luck.worth) / sides:.2f}"


def _measure_columns(canvas: Canvas, width: int, headings: Sequence[str], rows: Sequence[_LuckRow]) -> tuple[int, ...]:
    """Return the widths of badge and name, scale, share, and the cells, in pixels."""
    bold = Typeface.DISPLAY
    cells = [
        max(canvas.text_width(text, face=bold) for text in (heading, *(row.cells[i] for row in rows)))
        for i, heading in enumerate(headings)
    ]
    share = max((canvas.text_width(format_share(row.dice.luck), face=bold) for row in rows if row.dice.luck), default=0)
    everybody = canvas.text_width(_("All"), face=bold)
    if canvas.is_portrait:
        name = max(canvas.px(8), everybody)
    else:
        names = [canvas.text_width(row.player.name, face=bold) for row in rows if row.player is not None]
        name = min(canvas.px(MAX_NAME_WIDTH), max(everybody, *names) + canvas.px(8))
    room = width - name - share - sum(cells) - (2 + len(cells)) * canvas.px(COLUMN_GAP)
    return name, room, share, *cells


def _draw_row(canvas: Canvas, area: Rect, widths: Sequence[int], row: _LuckRow) -> None:
    """Draw a row: badge and name, the scale with its mark, the share with its interval, and the numbers."""
    name, scale, share, *cells = split_columns(area, list(widths), canvas.px(COLUMN_GAP))
    colour: Colour = INK
    if row.player is not None:
        colour = BUTTON_COLOURS[row.player.button]
        name = canvas.draw_badge_left(name, row.player.button, canvas.px(6), gap=1.4)
    if row.player is None or not canvas.is_portrait:
        text = _("All") if row.player is None else row.player.name
        canvas.draw_text(name, text, TEXT_EM, INK, face=Typeface.DISPLAY)
    if row.dice.luck is None:
        canvas.draw_text(scale.union(share), _("Too few"), TEXT_EM, MUTED, face=Typeface.DISPLAY, align=1.0)
    else:
        _draw_scale(canvas, scale, row.dice.luck, colour)
        canvas.draw_text(share, format_share(row.dice.luck), TEXT_EM, INK, face=Typeface.DISPLAY, align=1.0)
    for text, cell in zip(row.cells, cells, strict=True):
        canvas.draw_text(cell, format_number(text), TEXT_EM, MUTED, face=Typeface.DISPLAY, align=1.0)


def _draw_scale(canvas: Canvas, rect: Rect, share: Share, colour: Colour) -> None:
    """Draw the scale of all evenings: their middle 95 % raised, the half, the interval and the mark of this one."""
    half_mark = canvas.px(MARK_SIZE / 2)
    track = Rect(rect.left + half_mark, 0, rect.w - 2 * half_mark, canvas.px(SCALE_HEIGHT))
    track.centery = rect.centery

    def locate(part: float) -> int:
        return track.left + round(part * track.w)

    margin = (1 - INTERVAL_SHARE) / 2
    canvas.fill_rect(RAISED, track)
    usual = Rect(locate(margin), track.top, locate(1 - margin) - locate(margin), track.h)
    canvas.fill_rect(LINE, Rect(usual.left, track.top, canvas.px(0.3), track.h))
    canvas.fill_rect(LINE, Rect(usual.right, track.top, canvas.px(0.3), track.h))
    canvas.fill_rect(LINE, Rect(track.centerx, track.top, canvas.px(0.3), track.h))
    width = max(canvas.px(0.6), locate(share.high) - locate(share.low))
    interval = Rect(locate(share.low), 0, width, max(1, track.h // 2))
    interval.centery = rect.centery
    canvas.fill_rect(colour, interval)
    canvas.draw_disc((locate(share.value), rect.centery), canvas.px(MARK_SIZE), colour, PANEL)
