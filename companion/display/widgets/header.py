"""The top: whose turn and what now, and the round track. Under the game: what was played last, or a notice."""

from __future__ import annotations

from collections.abc import Sequence

from pygame import Rect

from companion.display.toolkit.canvas import Canvas
from companion.display.toolkit.layout import ScreenLayout
from companion.display.toolkit.text import FontWeight
from companion.display.toolkit.theme import (
    BACKGROUND,
    BUTTON_COLOURS,
    HEADING_EM,
    INK,
    LINE,
    MIN_EM,
    MIN_FAR_EM,
    MUTED,
    PANEL,
    RAISED,
    SEAT_SHAPES,
    SMALL_EM,
    TITLE_EM,
    WARN,
)
from companion.games.api.game import Seat
from companion.i18n import Translator
from companion.screen_state import Player, ScreenState

_ = Translator("companion")

MAX_HOLD_HINT_WIDTH = 40.0
"""Width at most of what holding a button does."""
MAX_SENTENCE_LINES, PORTRAIT_MAX_SENTENCE_LINES = 2, 3
"""Lines of the sentence at most, lying and upright."""


def subject(sentence: str, players: Sequence[Player]) -> tuple[Player | None, str]:
    """The player whom the sentence addresses by name, and what it says to him; None if it speaks to all.

    >>> from companion.events import Button
    >>> ada = Player(Seat(0), "Ada", Button.SEAT1)
    >>> subject("Ada: roll the dice", [ada])[1], subject("Ada wins", [ada])[1]
    ('Roll the dice', 'Ada wins')
    """
    for player in players:
        rest = sentence.removeprefix(f"{player.name}: ")
        if rest != sentence:
            return player, rest[:1].upper() + rest[1:]
    return None, sentence


def draw_header(
    canvas: Canvas, layout: ScreenLayout, state: ScreenState, active: Seat | None = None, rounds: int = 0
) -> None:
    """Draws badge and name of whom the sentence speaks (or of the active player), and the sentence under it.

    Args:
        rounds: length of the round track, which takes the right of the row; 0: there is none.
    """
    player, sentence = subject(state.prompt, state.players)
    if player is None and active is not None:
        player = state.players[active]
    row = layout.name
    if rounds and layout.track.top == row.top:
        row = Rect(row.left, row.top, layout.track.left - row.left - canvas.px(2), row.h)
    title = state.title if player is None else player.name
    button = player.button if player else None

    def name() -> None:
        rect = row
        if button is not None:
            size = canvas.px(TITLE_EM)
            canvas.draw_icon(SEAT_SHAPES[button], (row.left + size // 2, row.centery), size, BUTTON_COLOURS[button])
            rect = Rect(row.left + size + canvas.px(2.5), row.top, row.w - size - canvas.px(2.5), row.h)
        canvas.draw_text(rect, title, TITLE_EM, INK, weight=FontWeight.BOLD, min_size=MIN_FAR_EM)

    canvas.draw_region("name", row, (title, button), name)
    lines = PORTRAIT_MAX_SENTENCE_LINES if canvas.is_portrait else MAX_SENTENCE_LINES
    canvas.draw_region(
        "sentence",
        layout.sentence,
        sentence,
        lambda: canvas.draw_text(
            layout.sentence,
            sentence,
            HEADING_EM,
            max_lines=lines,
            vertical_align=0.5 if lines == MAX_SENTENCE_LINES else 0.7,
        ),
    )


def draw_round_track(canvas: Canvas, layout: ScreenLayout, current_round: int, rounds: int) -> None:
    """Draws the round track with the marker on it; rounds behind it are filled, those ahead are empty."""
    rect = layout.track

    def paint() -> None:
        large, small = min(canvas.px(9.0), rect.h), canvas.px(5.6)
        label = canvas.px(12.5)
        room = rect.w - label
        small = min(small, (room - large) // max(1, rounds - 1) - canvas.px(0.6))
        gap = (room - large - small * (rounds - 1)) // max(1, rounds - 1)
        canvas.draw_text(Rect(rect.left, rect.top, label, rect.h), _("Round"), SMALL_EM, MUTED)
        left = rect.left + label
        canvas.fill_rect(RAISED, Rect(left, rect.centery - canvas.px(0.3), room - large, canvas.px(0.6)))
        for i in range(1, rounds + 1):
            size = large if i == current_round else small
            centre = (left + size // 2, rect.centery)
            canvas.set_anchor(f"round {i}", centre)
            left += size + gap
            if i == current_round:
                disc = canvas.draw_disc(centre, large, INK)
                canvas.draw_text(disc, str(i), HEADING_EM, BACKGROUND, weight=FontWeight.BOLD, align=0.5)
            else:
                disc = canvas.draw_disc(centre, small, RAISED if i < current_round else PANEL, LINE)
                canvas.draw_text(disc, str(i), MIN_EM, MUTED, align=0.5)

    canvas.draw_region("track", rect, (current_round, rounds), paint)


def draw_status_line(canvas: Canvas, layout: ScreenLayout, state: ScreenState) -> None:
    """Draws the notice, if there is one, else what was played last; at the right, what holding a button does."""
    notice = state.notice
    held = next((key for key in state.soft_keys if key.is_hold), None)
    whole = layout.status
    lines = 2 if canvas.is_portrait else 1

    def paint() -> None:
        rect = Rect(whole)
        # A notice that needs the whole line has it: what holding NO does is known, and is there again afterwards.
        crowded = notice is not None and not _fits(canvas, notice, whole.w - canvas.px(MAX_HOLD_HINT_WIDTH), lines)
        if held is not None and not crowded:
            wide = canvas.px(MAX_HOLD_HINT_WIDTH)
            if lines > 1:
                # It takes two lines of its own, so that the other side has room for its two.
                wide = canvas.fonts.find_min_width(held.label, FontWeight.MEDIUM, canvas.px_at_least(MIN_EM), lines)
            words = Rect(rect.right - wide, rect.top, wide, rect.h)
            drawn = canvas.draw_text(words, held.label, SMALL_EM, MUTED, align=1.0, max_lines=lines)
            sign = SEAT_SHAPES.get(held.button, str(held.button))
            canvas.draw_icon(
                sign, (drawn.left - canvas.px(2.6), rect.centery), canvas.px(3.4), BUTTON_COLOURS[held.button]
            )
            rect.w = drawn.left - canvas.px(6) - rect.left
        if notice is not None:
            canvas.draw_panel(rect, WARN)
            size = canvas.px(3.8)
            canvas.draw_icon("bang", (rect.left + canvas.px(3.4), rect.centery), size, BACKGROUND)
            line = Rect(rect.left + canvas.px(6), rect.top, rect.w - canvas.px(8), rect.h)
            canvas.draw_text(line, notice, SMALL_EM, BACKGROUND, max_lines=lines)
        elif state.last_move:
            canvas.draw_text(rect, state.last_move, SMALL_EM, MUTED, max_lines=lines)

    canvas.draw_region("status", whole, (notice, state.last_move, held), paint)


def _fits(canvas: Canvas, text: str, width: int, lines: int) -> bool:
    return canvas.fonts.find_min_width(text, FontWeight.MEDIUM, canvas.px_at_least(MIN_EM), lines) <= width
