"""What lies on the Macroscope's table besides the lid: the dice, and the guessers in their order."""

from __future__ import annotations

from collections.abc import Sequence

from pygame import Rect

from companion.display.scenes.macroscope.lid import token
from companion.display.toolkit.canvas import Canvas
from companion.display.toolkit.layout import rows
from companion.display.toolkit.text import Weight
from companion.display.toolkit.theme import BODY, COLOURS, FAR, HEAD, INK, LINE, MUTED, PANEL, SHAPES, SMALL
from companion.games.api.game import Seat
from companion.games.macroscope.view import MacroscopeView, Phase
from companion.i18n import Words
from companion.screen_state import Player

_ = Words("macroscope")

DICE = 2
LISTED = 3
"""Numbers that are listed; more than these are any."""
HEAD_HIGH, APART = 5.0, 1.4
"""Height of a word over badges, and the gap above it."""
LINE_HIGH = 12.0
"""Height at most of a word with its badges beside it."""
ONE_COLUMN = 3
"""Guessers that stand one under the other."""


def dice(canvas: Canvas, rect: Rect, values: Sequence[int], used: Sequence[bool]) -> None:
    """Draws the dice along the place's longer side: as read, dimmed once used; outlines while they are awaited."""
    gap = canvas.px(3)
    lying = rect.w > rect.h
    long, short = (rect.w, rect.h) if lying else (rect.h, rect.w)
    size = min(short, (long - gap) // DICE)
    for i in range(DICE):
        value = values[i] if i < len(values) else None
        off = (2 * i - DICE + 1) * (size + gap) // 2
        centre = (rect.centerx + off, rect.centery) if lying else (rect.centerx, rect.centery + off)
        face = canvas.die(value, centre, size, dim=i < len(used) and used[i])
        if value is None:
            canvas.text(face, "?", 12, LINE, weight=Weight.BOLD, align=0.5)


def takeable(canvas: Canvas, rect: Rect, view: MacroscopeView) -> None:
    """Draws the numbers of the tokens that may be taken."""
    canvas.panel(rect, PANEL)
    pad = canvas.px(1.4)
    label = Rect(rect.left + pad, rect.top + canvas.px(0.8), rect.w - 2 * pad, canvas.px(5))
    canvas.text(label, _("Open"), SMALL, MUTED, align=0.5)
    inner = Rect(label.left, label.bottom, label.w, rect.bottom - canvas.px(1.2) - label.bottom)
    if len(view.takeable) > LISTED:
        canvas.text(inner, _("any"), FAR, weight=Weight.BOLD, align=0.5)
        return
    step = inner.w // len(view.takeable)
    size = min(canvas.px(9.4), inner.h, step - canvas.px(0.6))
    left = inner.centerx - step * (len(view.takeable) - 1) // 2
    for i, number in enumerate(view.takeable):
        token(canvas, (left + i * step, inner.centery), size, number, take=True)


def order(canvas: Canvas, rect: Rect, view: MacroscopeView, players: Sequence[Player]) -> None:
    """Draws who has guessed, whose turn to guess it is, who follows, and who may still press."""
    canvas.panel(rect, PANEL)
    now = (view.called,) if view.called is not None else ()
    tied = view.pick_from if view.phase is Phase.PICK else ()
    queued = tuple(s for s in view.wishes if s not in (*now, *tied))
    may = tuple(s for s in view.can_wish if s not in view.wishes)
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
        canvas.text(inner, _("Nobody can guess"), BODY, MUTED, lines=3, align=0.5)
    elif _line_step(canvas, inner, groups)[1] > _column_step(canvas, inner, groups):
        _in_lines(canvas, inner, groups, players)
    else:
        _in_column(canvas, inner, groups, players)


Groups = Sequence[tuple[str, tuple[Seat, ...]]]
"""Words with the players of whom they are true."""


def _in_lines(canvas: Canvas, rect: Rect, groups: Groups, players: Sequence[Player]) -> None:
    """Each group's badges beside its word."""
    label, step = _line_step(canvas, rect, groups)
    for (word, seats), line in zip(groups, rows(rect, len(groups), canvas.px(1), canvas.px(LINE_HIGH)), strict=True):
        canvas.text(Rect(line.left, line.top, label, line.h), word, SMALL, INK if _bright(word) else MUTED)
        for i, seat in enumerate(seats):
            _badge(
                canvas, (line.left + label + i * step + step // 2, line.centery), step - canvas.px(0.8), players[seat]
            )


def _line_step(canvas: Canvas, rect: Rect, groups: Groups) -> tuple[int, int]:
    """Width of the words, and the distance of badges, where each group takes one line."""
    words = [word for word, _seats in groups]
    label = max(canvas.type.width(word, Weight.MEDIUM, canvas.px(SMALL)) for word in words) + canvas.px(2)
    most = max(len(seats) for _word, seats in groups)
    high = rows(rect, len(groups), canvas.px(1), canvas.px(LINE_HIGH))[0].h
    return label, min(high + canvas.px(0.8), (rect.w - label) // most)


def _in_column(canvas: Canvas, rect: Rect, groups: Groups, players: Sequence[Player]) -> None:
    """Each group's badges below its word."""
    line, gap = canvas.px(HEAD_HIGH), canvas.px(APART)
    step = _column_step(canvas, rect, groups)
    size, each = step - canvas.px(0.8), max(1, rect.w // step)
    top = rect.top
    for word, seats in groups:
        canvas.text(Rect(rect.left, top, rect.w, line), word, SMALL, INK if _bright(word) else MUTED)
        for i, seat in enumerate(seats):
            centre = (rect.left + i % each * step + size // 2, top + line + i // each * step + size // 2)
            _badge(canvas, centre, size, players[seat])
        top += line + -(-len(seats) // each) * step + gap


def _bright(word: str) -> bool:
    """Whether it is said of those whose turn it is."""
    return word in (_("Now"), _("Who first?"))


def _badge(canvas: Canvas, centre: tuple[int, int], size: int, player: Player) -> None:
    canvas.sign(SHAPES[player.button], centre, size, COLOURS[player.button])


def _column_step(canvas: Canvas, rect: Rect, groups: Groups) -> int:
    """The largest distance of badges at which all groups, each below its word, fit one under the other; 0: none."""
    step, head = canvas.px(10), canvas.px(HEAD_HIGH) + canvas.px(APART)
    while step > canvas.px(4):
        each = max(1, rect.w // step)
        if sum(head - (-len(seats) // each) * step for _word, seats in groups) <= rect.h:
            return step
        step -= 1
    return 0


def reveal(canvas: Canvas, rect: Rect, view: MacroscopeView, players: Sequence[Player]) -> None:
    """Draws the guessers, in order, as large as there is room: one of them may be right."""
    guessers = view.guessers
    columns = 1 if len(guessers) <= ONE_COLUMN else 2
    count = -(-len(guessers) // columns)
    gap, pad = canvas.px(1.6), canvas.px(2)
    width = (rect.w - gap * (columns - 1)) // columns
    names = [players[seat].name for seat in guessers]
    for i, seat in enumerate(guessers):
        column, line = divmod(i, count)
        slot = Rect(rect.left + column * (width + gap), rect.top, width, rect.h)
        row = rows(slot, count, gap, canvas.px(26))[line]
        player = players[seat]
        canvas.panel(row, PANEL, edge=COLOURS[player.button], radius=2.4)
        inner = row.inflate(-2 * pad, -2 * pad)
        if columns == 1:
            size = min(canvas.px(12), inner.h)
            centre = (inner.left + size // 2, inner.centery)
            name = Rect(inner.left + size + pad, inner.top, inner.w - size - pad, inner.h)
        else:
            size = min(canvas.px(8), inner.h * 55 // 100)
            centre = (inner.centerx, inner.top + size // 2)
            name = Rect(inner.left, inner.top + size, inner.w, inner.h - size)
        canvas.sign(SHAPES[player.button], centre, size, COLOURS[player.button])
        large = canvas.common(names, FAR if columns == 1 else HEAD, name.size, Weight.BOLD)
        canvas.text(name, player.name, large, weight=Weight.BOLD, align=0.0 if columns == 1 else 0.5)
