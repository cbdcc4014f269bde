"""Secret Number's cards on the screen: the pile as coloured backs, the turned ones with ticks and crosses."""

from __future__ import annotations

from collections.abc import Sequence

from pygame import Rect

from companion.display.toolkit.canvas import Canvas
from companion.display.toolkit.layout import split_rows
from companion.display.toolkit.text import FontWeight
from companion.display.toolkit.theme import (
    BACKGROUND,
    BAD,
    BODY_EM,
    BUTTON_COLOURS,
    GOOD,
    HEADING_EM,
    INK,
    LINE,
    MIN_EM,
    MIN_FAR_EM,
    MUTED,
    PANEL,
    PIECE_RGB,
    RAISED,
    SEAT_SHAPES,
    SMALL_EM,
    Colour,
    text_colour_for,
)
from companion.games.secret_number.view import LaidCard, Phase, SecretNumberView
from companion.i18n import N_, Translator
from companion.screen_state import Player

_ = Translator("secret_number")

CARD_ASPECT_RATIO = 0.7
"""Width of a card to its height."""
MAX_CARD_WIDTH = 15.0
CARD_GAP = 1.1
COLUMN_TITLES = (N_("Cards"), N_("Fastest"), N_("Round"), N_("Display"), N_("Game"))
"""Of the table: S31 to S34, and their sum."""
CARD_TEXT_RGB = text_colour_for(PIECE_RGB["white"])
DIGIT_HEIGHT_EM = 0.76
"""Height of a digit to its em, with a little air."""


def points(number: int) -> str:
    """Points with their sign, as they are read on the table's cards.

    >>> points(2), points(0), points(-1)
    ('+2', '0', '−1')
    """
    return f"+{number}" if number > 0 else f"−{-number}" if number else "0"


def draw_number(
    canvas: Canvas, rect: Rect, words: str, size: float, colour: Colour = INK, least: float = MIN_EM
) -> None:
    """Writes points in the middle of `rect`. Signs and digits do not hang below the line: they may fill it."""
    size = max(least, min(size, rect.h / canvas.unit_px / DIGIT_HEIGHT_EM))
    spare = canvas.px(size * 0.24)
    canvas.draw_text(rect.inflate(0, 2 * spare), words, size, colour, weight=FontWeight.BOLD, min_size=least, align=0.5)


def lay_out_cards(
    canvas: Canvas, rect: Rect, count: int, widest: float = MAX_CARD_WIDTH, *, middle: bool = False
) -> list[Rect]:
    """Places of `count` cards in rows, as large as there is room for; from the left, or in the middle."""
    gap = canvas.px(CARD_GAP)
    wide = canvas.px(widest)
    while wide > 4:
        tall = round(wide / CARD_ASPECT_RATIO)
        columns = max(1, (rect.w + gap) // (wide + gap))
        if -(-count // columns) * (tall + gap) - gap <= rect.h:
            break
        wide -= 1
    tall = round(wide / CARD_ASPECT_RATIO)
    columns = max(1, (rect.w + gap) // (wide + gap))
    lines = -(-count // columns)
    top = rect.top + max(0, rect.h - lines * (tall + gap) + gap) // 2
    left = rect.left
    if middle:
        left += max(0, rect.w - min(columns, count) * (wide + gap) + gap) // 2
    return [
        Rect(left + i % columns * (wide + gap), top + i // columns * (tall + gap), wide, tall) for i in range(count)
    ]


def draw_blank_card(canvas: Canvas, rect: Rect, fill: Colour, edge: Colour | None = None) -> Rect:
    """Draws an empty card and returns it."""
    canvas.draw_panel(rect, fill, edge=edge, radius=1.0)
    return rect


def draw_white_card(canvas: Canvas, rect: Rect) -> Rect:
    """Draws a white card with nothing on it and returns it; `WRITING` is what is written on it."""
    return draw_blank_card(canvas, rect, PIECE_RGB["white"], LINE)


def draw_card_back(canvas: Canvas, rect: Rect, player: Player, *, last: bool = False) -> None:
    """Draws a card face down: the owner's colour and shape; the one on top has a light edge."""
    colour = BUTTON_COLOURS[player.button]
    if last:
        canvas.draw_panel(rect.inflate(canvas.px(0.9), canvas.px(0.9)), INK, radius=1.2)
        canvas.draw_panel(rect.inflate(-canvas.px(0.3), -canvas.px(0.3)), BACKGROUND, radius=1.0)
        rect = rect.inflate(-canvas.px(0.9), -canvas.px(0.9))
    draw_blank_card(canvas, rect, colour)
    size = min(rect.w * 7 // 10, rect.h // 2)
    canvas.draw_icon(SEAT_SHAPES[player.button], rect.center, size, BACKGROUND)


def draw_card_face(canvas: Canvas, rect: Rect, player: Player, card: LaidCard) -> None:
    """Draws a turned card: whose it is, right or wrong, and its points; never its number."""
    right = card.is_right is True
    draw_blank_card(canvas, rect, RAISED, GOOD if right else None)
    size = min(rect.w * 44 // 100, rect.h * 40 // 100)
    middle = rect.top + rect.h * 28 // 100
    aside = rect.w * 24 // 100
    canvas.draw_icon(SEAT_SHAPES[player.button], (rect.centerx - aside, middle), size, BUTTON_COLOURS[player.button])
    colour = GOOD if right else BAD
    canvas.draw_icon("ok" if right else "no", (rect.centerx + aside, middle), size * 9 // 10, colour)
    foot = Rect(rect.left, rect.top + rect.h * 52 // 100, rect.w, rect.h * 42 // 100)
    draw_number(canvas, foot, points(card.points), min(MIN_FAR_EM, foot.h / canvas.unit_px), colour)


def draw_round_card(canvas: Canvas, rect: Rect, round_: int, bonus: int) -> None:
    """Draws a round card: its number, and what a right card in that round gives on top."""
    draw_blank_card(canvas, rect, BACKGROUND, LINE)
    inner = rect.inflate(-canvas.px(1), -canvas.px(1))
    upper = Rect(inner.left, inner.top, inner.w, inner.h * 58 // 100)
    canvas.draw_text(upper, str(round_), min(MIN_FAR_EM, upper.h / canvas.unit_px), weight=FontWeight.BOLD, align=0.5)
    lower = Rect(inner.left, upper.bottom, inner.w, inner.bottom - upper.bottom)
    canvas.draw_text(lower, points(bonus), min(HEADING_EM, max(MIN_EM, lower.h / canvas.unit_px)), MUTED, align=0.5)


def draw_pile(canvas: Canvas, rect: Rect, view: SecretNumberView, players: Sequence[Player]) -> None:
    """Draws the pile of the present round, the lowest card first: whose they are, and nothing else."""
    cards = [card for card in view.laid_cards if card.round_number == view.round_number]
    canvas.draw_panel(rect, PANEL, radius=2.0)
    inner = rect.inflate(-canvas.px(3), -canvas.px(2.4))
    if not cards:
        canvas.draw_text(inner, _("No card on the pile yet"), BODY_EM, MUTED, align=0.5)
        return
    count = Rect(inner.right - canvas.px(12), inner.top, canvas.px(12), inner.h)
    digits = canvas.draw_text(
        Rect(count.left, count.top, count.w, count.h * 62 // 100),
        str(len(cards)),
        MIN_FAR_EM,
        weight=FontWeight.BOLD,
        align=0.5,
    )
    under = Rect(count.left, digits.bottom + canvas.px(0.6), count.w, count.bottom - digits.bottom - canvas.px(0.6))
    canvas.draw_text(under, _.plural("card", "cards", len(cards)), SMALL_EM, MUTED, align=0.5, vertical_align=0.2)
    row = Rect(inner.left, inner.top, count.left - canvas.px(1.5) - inner.left, inner.h)
    for i, (card, slot) in enumerate(zip(cards, lay_out_cards(canvas, row, len(cards)), strict=True)):
        draw_card_back(canvas, slot, players[card.seat], last=i == len(cards) - 1)


def draw_reveal(canvas: Canvas, rect: Rect, view: SecretNumberView, players: Sequence[Player]) -> None:
    """Draws all cards of the game behind their round cards; turned ones with what they brought, the next one marked."""
    rounds = [
        r for r in range(1, len(view.round_bonuses) + 1) if any(card.round_number == r for card in view.laid_cards)
    ]
    found = iter(lay_out_cards(canvas, rect, len(view.laid_cards) + len(rounds), 19.0, middle=True))
    i = 0
    for r in rounds:
        draw_round_card(canvas, next(found), r, view.round_bonuses[r - 1])
        for card in (c for c in view.laid_cards if c.round_number == r):
            slot = next(found)
            if i < view.turned_count:
                draw_card_face(canvas, slot, players[card.seat], card)
            else:
                draw_card_back(canvas, slot, players[card.seat], last=i == view.turned_count)
            i += 1
    if not rounds:
        canvas.draw_text(rect, _("No card was laid"), HEADING_EM, MUTED, align=0.5)


def draw_reveal_help(canvas: Canvas, rect: Rect, view: SecretNumberView, players: Sequence[Player]) -> None:
    """Draws what helps at the reveal: whose the fastest card is, how a pile is put right, where the bonus stands."""
    canvas.draw_panel(rect, PANEL)
    inner = rect.inflate(-canvas.px(3), -canvas.px(1))
    match view.phase:
        case Phase.FIX:
            words = _("Press your button: your card lies before the marked one")
            if view.turned_count == len(view.laid_cards):
                words = _("Press your button: your card lies at the end")
            if not any(view.cards_in_hand):
                words = _("All answer cards lie in the pile")
            canvas.draw_text(inner, words, BODY_EM, max_lines=2)
        case Phase.BONUS if view.bonus_table:
            _draw_bonus_table(canvas, inner, view)
        case Phase.BONUS:
            canvas.draw_text(inner, _("It stands on your display card: press 1, 2 or 3"), BODY_EM, max_lines=2)
        case _:
            words = _("Fastest card {points}:", points=points(view.fastest_bonus))
            drawn = canvas.draw_text(inner, words, BODY_EM, MUTED)
            left = drawn.right + canvas.px(2)
            if view.fastest_seat is not None:
                size = min(canvas.px(5.6), inner.h)
                player = players[view.fastest_seat]
                canvas.draw_icon(
                    SEAT_SHAPES[player.button], (left + size // 2, inner.centery), size, BUTTON_COLOURS[player.button]
                )
                left += size + canvas.px(1.5)
            name = _("nobody yet") if view.fastest_seat is None else players[view.fastest_seat].name
            rest = Rect(left, inner.top, inner.right - left, inner.h)
            canvas.draw_text(
                rest, name, BODY_EM, INK if view.fastest_seat is not None else MUTED, weight=FontWeight.BOLD
            )


def _draw_bonus_table(canvas: Canvas, rect: Rect, view: SecretNumberView) -> None:
    """The results that give each bonus, where it does not stand on the card."""
    each = rect.w // len(view.bonus_table)
    listed = [" ".join(map(str, results)) or "–" for _, results in view.bonus_table]
    size = canvas.find_common_size(listed, BODY_EM, (each - canvas.px(11), rect.h))
    for i, (bonus, _) in enumerate(view.bonus_table):
        left = rect.left + i * each
        drawn = canvas.draw_text(
            Rect(left, rect.top, each, rect.h), points(bonus), HEADING_EM, GOOD, weight=FontWeight.BOLD
        )
        words = Rect(drawn.right + canvas.px(1.2), rect.top, left + each - drawn.right - canvas.px(2.2), rect.h)
        canvas.draw_text(words, listed[i], size, max_lines=2)


def draw_score_table(canvas: Canvas, rect: Rect, view: SecretNumberView, players: Sequence[Player]) -> None:
    """Draws what the game brought each player, line by line of the scoring."""
    heads = tuple(_(word) for word in COLUMN_TITLES)
    gap = canvas.px(0.7)
    head = Rect(rect.left, rect.top, rect.w, canvas.px(6))
    body = Rect(rect.left, head.bottom, rect.w, rect.bottom - head.bottom)
    badge = canvas.px(8)
    step = (rect.w - badge - canvas.px(3)) // len(heads)
    columns = [Rect(rect.left + badge + canvas.px(3) + i * step, 0, step, 0) for i in range(len(heads))]
    for words, column in zip(heads, columns, strict=True):
        canvas.draw_text(Rect(column.left, head.top, column.w, head.h), words, SMALL_EM, MUTED, align=0.5)
    for player, row in zip(players, split_rows(body, len(players), gap, canvas.px(15)), strict=True):
        canvas.draw_panel(row, PANEL)
        size = min(badge, row.h - canvas.px(2))
        canvas.draw_icon(
            SEAT_SHAPES[player.button],
            (row.left + canvas.px(1.5) + badge // 2, row.centery),
            size,
            BUTTON_COLOURS[player.button],
        )
        tally = view.tallies[player.seat]
        parts = (tally.card_points, tally.fastest_points, tally.round_points, tally.display_points)
        for value, column in zip(parts, columns, strict=False):
            cell = Rect(column.left, row.top, column.w, row.h)
            draw_number(canvas, cell, points(value), HEADING_EM, INK if value else MUTED)
        cell = Rect(columns[-1].left, row.top, columns[-1].w, row.h)
        colour = GOOD if tally.total > 0 else BAD if tally.total < 0 else INK
        draw_number(canvas, cell, points(tally.total), MIN_FAR_EM, colour)
