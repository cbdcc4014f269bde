"""What lies on the Macroscope's table besides the lid: the dice, and the guessers in their order."""

from __future__ import annotations

from collections.abc import Sequence

from pygame import Rect

from companion.display.scenes.macroscope.lid import draw_token
from companion.display.toolkit.canvas import Canvas
from companion.display.toolkit.layout import split_rows
from companion.display.toolkit.text import FontWeight
from companion.display.toolkit.theme import (
    BODY_EM,
    BUTTON_COLOURS,
    HEADING_EM,
    INK,
    LINE,
    MIN_FAR_EM,
    MUTED,
    PANEL,
    SEAT_SHAPES,
    SMALL_EM,
)
from companion.games.api.game import Seat
from companion.games.macroscope.view import MacroscopeView, Phase
from companion.i18n import Translator
from companion.screen_state import Player

_ = Translator("macroscope")

DICE_COUNT = 2
MAX_LISTED_NUMBERS = 3
"""Numbers that are listed; more than these are any."""
GROUP_LABEL_HEIGHT, GROUP_GAP = 5.0, 1.4
"""Height of a word over badges, and the gap above it."""
MAX_GROUP_HEIGHT = 12.0
"""Height at most of a word with its badges beside it."""
MAX_SINGLE_COLUMN = 3
"""Guessers that stand one under the other."""


def draw_dice(canvas: Canvas, rect: Rect, values: Sequence[int], used: Sequence[bool]) -> None:
    """Draws the dice along the place's longer side: as read, dimmed once used; outlines while they are awaited."""
    gap = canvas.px(3)
    lying = rect.w > rect.h
    long, short = (rect.w, rect.h) if lying else (rect.h, rect.w)
    size = min(short, (long - gap) // DICE_COUNT)
    for i in range(DICE_COUNT):
        value = values[i] if i < len(values) else None
        off = (2 * i - DICE_COUNT + 1) * (size + gap) // 2
        centre = (rect.centerx + off, rect.centery) if lying else (rect.centerx, rect.centery + off)
        face = canvas.draw_die(value, centre, size, used=i < len(used) and used[i])
        if value is None:
            canvas.draw_text(face, "?", 12, LINE, weight=FontWeight.BOLD, align=0.5)


def draw_takeable(canvas: Canvas, rect: Rect, view: MacroscopeView) -> None:
    """Draws the numbers of the tokens that may be taken."""
    canvas.draw_panel(rect, PANEL)
    pad = canvas.px(1.4)
    label = Rect(rect.left + pad, rect.top + canvas.px(0.8), rect.w - 2 * pad, canvas.px(5))
    canvas.draw_text(label, _("Open"), SMALL_EM, MUTED, align=0.5)
    inner = Rect(label.left, label.bottom, label.w, rect.bottom - canvas.px(1.2) - label.bottom)
    if len(view.takeable_tokens) > MAX_LISTED_NUMBERS:
        canvas.draw_text(inner, _("any"), MIN_FAR_EM, weight=FontWeight.BOLD, align=0.5)
        return
    step = inner.w // len(view.takeable_tokens)
    size = min(canvas.px(9.4), inner.h, step - canvas.px(0.6))
    left = inner.centerx - step * (len(view.takeable_tokens) - 1) // 2
    for i, number in enumerate(view.takeable_tokens):
        draw_token(canvas, (left + i * step, inner.centery), size, number, can_take=True)


def draw_guess_order(canvas: Canvas, rect: Rect, view: MacroscopeView, players: Sequence[Player]) -> None:
    """Draws who has guessed, whose turn to guess it is, who follows, and who may still press."""
    canvas.draw_panel(rect, PANEL)
    now = (view.called_seat,) if view.called_seat is not None else ()
    tied = view.pick_candidates if view.phase is Phase.PICK else ()
    queued = tuple(s for s in view.wish_queue if s not in (*now, *tied))
    may = tuple(s for s in view.may_wish if s not in view.wish_queue)
    named = (
        (_("Guessed"), view.guessers),
        (_("Now"), now),
        (_("Who first?"), tied),
        (_("Then"), queued),
        (_("May press"), may),
    )
    groups = [(word, seats) for word, seats in named if seats]
    inner = rect.inflate(-canvas.px(3), -canvas.px(2.4))
    if not groups:
        canvas.draw_text(inner, _("Nobody can guess"), BODY_EM, MUTED, max_lines=3, align=0.5)
    elif _line_step(canvas, inner, groups)[1] > _column_step(canvas, inner, groups):
        _draw_groups_in_rows(canvas, inner, groups, players)
    else:
        _draw_groups_in_column(canvas, inner, groups, players)


Groups = Sequence[tuple[str, tuple[Seat, ...]]]
"""Words with the players of whom they are true."""


def _draw_groups_in_rows(canvas: Canvas, rect: Rect, groups: Groups, players: Sequence[Player]) -> None:
    """Each group's badges beside its word."""
    label, step = _line_step(canvas, rect, groups)
    for (word, seats), line in zip(
        groups, split_rows(rect, len(groups), canvas.px(1), canvas.px(MAX_GROUP_HEIGHT)), strict=True
    ):
        canvas.draw_text(
            Rect(line.left, line.top, label, line.h), word, SMALL_EM, INK if _is_emphasised(word) else MUTED
        )
        for i, seat in enumerate(seats):
            _draw_badge(
                canvas, (line.left + label + i * step + step // 2, line.centery), step - canvas.px(0.8), players[seat]
            )


def _line_step(canvas: Canvas, rect: Rect, groups: Groups) -> tuple[int, int]:
    """Width of the words, and the distance of badges, where each group takes one line."""
    words = [word for word, _seats in groups]
    label = max(canvas.fonts.measure_width(word, FontWeight.MEDIUM, canvas.px(SMALL_EM)) for word in words) + canvas.px(
        2
    )
    most = max(len(seats) for _word, seats in groups)
    high = split_rows(rect, len(groups), canvas.px(1), canvas.px(MAX_GROUP_HEIGHT))[0].h
    return label, min(high + canvas.px(0.8), (rect.w - label) // most)


def _draw_groups_in_column(canvas: Canvas, rect: Rect, groups: Groups, players: Sequence[Player]) -> None:
    """Each group's badges below its word."""
    line, gap = canvas.px(GROUP_LABEL_HEIGHT), canvas.px(GROUP_GAP)
    step = _column_step(canvas, rect, groups)
    size, each = step - canvas.px(0.8), max(1, rect.w // step)
    top = rect.top
    for word, seats in groups:
        canvas.draw_text(Rect(rect.left, top, rect.w, line), word, SMALL_EM, INK if _is_emphasised(word) else MUTED)
        for i, seat in enumerate(seats):
            centre = (rect.left + i % each * step + size // 2, top + line + i // each * step + size // 2)
            _draw_badge(canvas, centre, size, players[seat])
        top += line + -(-len(seats) // each) * step + gap


def _is_emphasised(word: str) -> bool:
    """Whether it is said of those whose turn it is."""
    return word in (_("Now"), _("Who first?"))


def _draw_badge(canvas: Canvas, centre: tuple[int, int], size: int, player: Player) -> None:
    canvas.draw_icon(SEAT_SHAPES[player.button], centre, size, BUTTON_COLOURS[player.button])


def _column_step(canvas: Canvas, rect: Rect, groups: Groups) -> int:
    """The largest distance of badges at which all groups, each below its word, fit one under the other; 0: none."""
    step, head = canvas.px(10), canvas.px(GROUP_LABEL_HEIGHT) + canvas.px(GROUP_GAP)
    while step > canvas.px(4):
        each = max(1, rect.w // step)
        if sum(head - (-len(seats) // each) * step for _word, seats in groups) <= rect.h:
            return step
        step -= 1
    return 0


def draw_guessers(canvas: Canvas, rect: Rect, view: MacroscopeView, players: Sequence[Player]) -> None:
    """Draws the guessers, in order, as large as there is room: one of them may be right."""
    guessers = view.guessers
    columns = 1 if len(guessers) <= MAX_SINGLE_COLUMN else 2
    count = -(-len(guessers) // columns)
    gap, pad = canvas.px(1.6), canvas.px(2)
    width = (rect.w - gap * (columns - 1)) // columns
    names = [players[seat].name for seat in guessers]
    for i, seat in enumerate(guessers):
        column, line = divmod(i, count)
        slot = Rect(rect.left + column * (width + gap), rect.top, width, rect.h)
        row = split_rows(slot, count, gap, canvas.px(26))[line]
        player = players[seat]
        canvas.draw_panel(row, PANEL, edge=BUTTON_COLOURS[player.button], radius=2.4)
        inner = row.inflate(-2 * pad, -2 * pad)
        if columns == 1:
            size = min(canvas.px(12), inner.h)
            centre = (inner.left + size // 2, inner.centery)
            name = Rect(inner.left + size + pad, inner.top, inner.w - size - pad, inner.h)
        else:
            size = min(canvas.px(8), inner.h * 55 // 100)
            centre = (inner.centerx, inner.top + size // 2)
            name = Rect(inner.left, inner.top + size, inner.w, inner.h - size)
        canvas.draw_icon(SEAT_SHAPES[player.button], centre, size, BUTTON_COLOURS[player.button])
        large = canvas.find_common_size(names, MIN_FAR_EM if columns == 1 else HEADING_EM, name.size, FontWeight.BOLD)
        canvas.draw_text(name, player.name, large, weight=FontWeight.BOLD, align=0.0 if columns == 1 else 0.5)
