"""Secret Number's cards on the screen: the pile as coloured backs, the turned ones with ticks and crosses."""

from __future__ import annotations

from collections.abc import Sequence

from pygame import Rect

from companion.display.toolkit.canvas import Canvas
from companion.display.toolkit.layout import rows
from companion.display.toolkit.text import Weight
from companion.display.toolkit.theme import (
    BACKGROUND,
    BAD,
    BODY,
    COLOURS,
    FAR,
    FLOOR,
    GOOD,
    HEAD,
    INK,
    LINE,
    MUTED,
    PANEL,
    PIECES,
    RAISED,
    SHAPES,
    SMALL,
    Colour,
    on,
)
from companion.games.secret_number.view import Laid, Phase, SecretNumberView
from companion.i18n import N_, Words
from companion.screen_state import Player

_ = Words("secret_number")

RATIO = 0.7
"""Width of a card to its height."""
WIDEST = 15.0
GAP = 1.1
HEADS = (N_("Cards"), N_("Fastest"), N_("Round"), N_("Display"), N_("Game"))
"""Of the table: S31 to S34, and their sum."""
WRITING = on(PIECES["white"])
CAPITAL = 0.76
"""Height of a digit to its em, with a little air."""


def points(number: int) -> str:
    """Points with their sign, as they are read on the table's cards.

    >>> points(2), points(0), points(-1)
    ('+2', '0', '−1')
    """
    return f"+{number}" if number > 0 else f"−{-number}" if number else "0"


def number(canvas: Canvas, rect: Rect, words: str, size: float, colour: Colour = INK, least: float = FLOOR) -> None:
    """Writes points in the middle of `rect`. Signs and digits do not hang below the line: they may fill it."""
    size = max(least, min(size, rect.h / canvas.unit / CAPITAL))
    spare = canvas.px(size * 0.24)
    canvas.text(rect.inflate(0, 2 * spare), words, size, colour, weight=Weight.BOLD, least=least, align=0.5)


def slots(canvas: Canvas, rect: Rect, count: int, widest: float = WIDEST, *, middle: bool = False) -> list[Rect]:
    """Places of `count` cards in rows, as large as there is room for; from the left, or in the middle."""
    gap = canvas.px(GAP)
    wide = canvas.px(widest)
    while wide > 4:
        tall = round(wide / RATIO)
        columns = max(1, (rect.w + gap) // (wide + gap))
        if -(-count // columns) * (tall + gap) - gap <= rect.h:
            break
        wide -= 1
    tall = round(wide / RATIO)
    columns = max(1, (rect.w + gap) // (wide + gap))
    lines = -(-count // columns)
    top = rect.top + max(0, rect.h - lines * (tall + gap) + gap) // 2
    left = rect.left
    if middle:
        left += max(0, rect.w - min(columns, count) * (wide + gap) + gap) // 2
    return [
        Rect(left + i % columns * (wide + gap), top + i // columns * (tall + gap), wide, tall) for i in range(count)
    ]


def blank(canvas: Canvas, rect: Rect, fill: Colour, edge: Colour | None = None) -> Rect:
    """Draws an empty card and returns it."""
    canvas.panel(rect, fill, edge=edge, radius=1.0)
    return rect


def paper(canvas: Canvas, rect: Rect) -> Rect:
    """Draws a white card with nothing on it and returns it; `WRITING` is what is written on it."""
    return blank(canvas, rect, PIECES["white"], LINE)


def back(canvas: Canvas, rect: Rect, player: Player, *, last: bool = False) -> None:
    """Draws a card face down: the owner's colour and shape; the one on top has a light edge."""
    colour = COLOURS[player.button]
    if last:
        canvas.panel(rect.inflate(canvas.px(0.9), canvas.px(0.9)), INK, radius=1.2)
        canvas.panel(rect.inflate(-canvas.px(0.3), -canvas.px(0.3)), BACKGROUND, radius=1.0)
        rect = rect.inflate(-canvas.px(0.9), -canvas.px(0.9))
    blank(canvas, rect, colour)
    size = min(rect.w * 7 // 10, rect.h // 2)
    canvas.sign(SHAPES[player.button], rect.center, size, BACKGROUND)


def face(canvas: Canvas, rect: Rect, player: Player, card: Laid) -> None:
    """Draws a turned card: whose it is, right or wrong, and its points; never its number."""
    right = card.right is True
    blank(canvas, rect, RAISED, GOOD if right else None)
    size = min(rect.w * 44 // 100, rect.h * 40 // 100)
    middle = rect.top + rect.h * 28 // 100
    aside = rect.w * 24 // 100
    canvas.sign(SHAPES[player.button], (rect.centerx - aside, middle), size, COLOURS[player.button])
    colour = GOOD if right else BAD
    canvas.sign("ok" if right else "no", (rect.centerx + aside, middle), size * 9 // 10, colour)
    foot = Rect(rect.left, rect.top + rect.h * 52 // 100, rect.w, rect.h * 42 // 100)
    number(canvas, foot, points(card.points), min(FAR, foot.h / canvas.unit), colour)


def round_card(canvas: Canvas, rect: Rect, round_: int, bonus: int) -> None:
    """Draws a round card: its number, and what a right card in that round gives on top."""
    blank(canvas, rect, BACKGROUND, LINE)
    inner = rect.inflate(-canvas.px(1), -canvas.px(1))
    upper = Rect(inner.left, inner.top, inner.w, inner.h * 58 // 100)
    canvas.text(upper, str(round_), min(FAR, upper.h / canvas.unit), weight=Weight.BOLD, align=0.5)
    lower = Rect(inner.left, upper.bottom, inner.w, inner.bottom - upper.bottom)
    canvas.text(lower, points(bonus), min(HEAD, max(FLOOR, lower.h / canvas.unit)), MUTED, align=0.5)


def pile(canvas: Canvas, rect: Rect, view: SecretNumberView, players: Sequence[Player]) -> None:
    """Draws the pile of the present round, the lowest card first: whose they are, and nothing else."""
    cards = [card for card in view.laid if card.round == view.round]
    canvas.panel(rect, PANEL, radius=2.0)
    inner = rect.inflate(-canvas.px(3), -canvas.px(2.4))
    if not cards:
        canvas.text(inner, _("No card on the pile yet"), BODY, MUTED, align=0.5)
        return
    count = Rect(inner.right - canvas.px(12), inner.top, canvas.px(12), inner.h)
    digits = canvas.text(
        Rect(count.left, count.top, count.w, count.h * 62 // 100), str(len(cards)), FAR, weight=Weight.BOLD, align=0.5
    )
    under = Rect(count.left, digits.bottom + canvas.px(0.6), count.w, count.bottom - digits.bottom - canvas.px(0.6))
    canvas.text(under, _.plural("card", "cards", len(cards)), SMALL, MUTED, align=0.5, upright=0.2)
    row = Rect(inner.left, inner.top, count.left - canvas.px(1.5) - inner.left, inner.h)
    for i, (card, slot) in enumerate(zip(cards, slots(canvas, row, len(cards)), strict=True)):
        back(canvas, slot, players[card.seat], last=i == len(cards) - 1)


def reveal(canvas: Canvas, rect: Rect, view: SecretNumberView, players: Sequence[Player]) -> None:
    """Draws all cards of the game behind their round cards; turned ones with what they brought, the next one marked."""
    rounds = [r for r in range(1, len(view.round_bonus) + 1) if any(card.round == r for card in view.laid)]
    found = iter(slots(canvas, rect, len(view.laid) + len(rounds), 19.0, middle=True))
    i = 0
    for r in rounds:
        round_card(canvas, next(found), r, view.round_bonus[r - 1])
        for card in (c for c in view.laid if c.round == r):
            slot = next(found)
            if i < view.turned:
                face(canvas, slot, players[card.seat], card)
            else:
                back(canvas, slot, players[card.seat], last=i == view.turned)
            i += 1
    if not rounds:
        canvas.text(rect, _("No card was laid"), HEAD, MUTED, align=0.5)


def foot(canvas: Canvas, rect: Rect, view: SecretNumberView, players: Sequence[Player]) -> None:
    """Draws what helps at the reveal: whose the fastest card is, how a pile is put right, where the bonus stands."""
    canvas.panel(rect, PANEL)
    inner = rect.inflate(-canvas.px(3), -canvas.px(1))
    match view.phase:
        case Phase.FIX:
            words = _("Press your button: your card lies before the marked one")
            if view.turned == len(view.laid):
                words = _("Press your button: your card lies at the end")
            if not any(view.left):
                words = _("All answer cards lie in the pile")
            canvas.text(inner, words, BODY, lines=2)
        case Phase.BONUS if view.bonus_table:
            _bonuses(canvas, inner, view)
        case Phase.BONUS:
            canvas.text(inner, _("It stands on your display card: press 1, 2 or 3"), BODY, lines=2)
        case _:
            words = _("Fastest card {points}:", points=points(view.fastest_bonus))
            drawn = canvas.text(inner, words, BODY, MUTED)
            left = drawn.right + canvas.px(2)
            if view.fastest is not None:
                size = min(canvas.px(5.6), inner.h)
                player = players[view.fastest]
                canvas.sign(SHAPES[player.button], (left + size // 2, inner.centery), size, COLOURS[player.button])
                left += size + canvas.px(1.5)
            name = _("nobody yet") if view.fastest is None else players[view.fastest].name
            rest = Rect(left, inner.top, inner.right - left, inner.h)
            canvas.text(rest, name, BODY, INK if view.fastest is not None else MUTED, weight=Weight.BOLD)


def _bonuses(canvas: Canvas, rect: Rect, view: SecretNumberView) -> None:
    """The results that give each bonus, where it does not stand on the card."""
    each = rect.w // len(view.bonus_table)
    listed = [" ".join(map(str, results)) or "–" for _, results in view.bonus_table]
    size = canvas.common(listed, BODY, (each - canvas.px(11), rect.h))
    for i, (bonus, _) in enumerate(view.bonus_table):
        left = rect.left + i * each
        drawn = canvas.text(Rect(left, rect.top, each, rect.h), points(bonus), HEAD, GOOD, weight=Weight.BOLD)
        words = Rect(drawn.right + canvas.px(1.2), rect.top, left + each - drawn.right - canvas.px(2.2), rect.h)
        canvas.text(words, listed[i], size, lines=2)


def table(canvas: Canvas, rect: Rect, view: SecretNumberView, players: Sequence[Player]) -> None:
    """Draws what the game brought each player, line by line of the scoring."""
    heads = tuple(_(word) for word in HEADS)
    gap = canvas.px(0.7)
    head = Rect(rect.left, rect.top, rect.w, canvas.px(6))
    body = Rect(rect.left, head.bottom, rect.w, rect.bottom - head.bottom)
    badge = canvas.px(8)
    step = (rect.w - badge - canvas.px(3)) // len(heads)
    columns = [Rect(rect.left + badge + canvas.px(3) + i * step, 0, step, 0) for i in range(len(heads))]
    for words, column in zip(heads, columns, strict=True):
        canvas.text(Rect(column.left, head.top, column.w, head.h), words, SMALL, MUTED, align=0.5)
    for player, row in zip(players, rows(body, len(players), gap, canvas.px(15)), strict=True):
        canvas.panel(row, PANEL)
        size = min(badge, row.h - canvas.px(2))
        canvas.sign(
            SHAPES[player.button],
            (row.left + canvas.px(1.5) + badge // 2, row.centery),
            size,
            COLOURS[player.button],
        )
        tally = view.tallies[player.seat]
        parts = (tally.cards, tally.fastest, tally.round, tally.display)
        for value, column in zip(parts, columns, strict=False):
            cell = Rect(column.left, row.top, column.w, row.h)
            number(canvas, cell, points(value), HEAD, INK if value else MUTED)
        cell = Rect(columns[-1].left, row.top, columns[-1].w, row.h)
        colour = GOOD if tally.total > 0 else BAD if tally.total < 0 else INK
        number(canvas, cell, points(tally.total), FAR, colour)
