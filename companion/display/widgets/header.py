"""The top: whose turn and what now, and the round track. Under the game: what was played last, or a notice."""

from __future__ import annotations

from collections.abc import Sequence

from pygame import Rect

from companion.display.toolkit.canvas import Canvas
from companion.display.toolkit.layout import Grid
from companion.display.toolkit.text import Weight
from companion.display.toolkit.theme import (
    BACKGROUND,
    COLOURS,
    FAR,
    FLOOR,
    HEAD,
    INK,
    LINE,
    MUTED,
    PANEL,
    RAISED,
    SHAPES,
    SMALL,
    TITLE,
    WARN,
)
from companion.games.api.game import Seat
from companion.i18n import Words
from companion.screen_state import Player, Shown

_ = Words("companion")

HELD = 40.0
"""Width at most of what holding a button does."""
LINES, TALL_LINES = 2, 3
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


def header(canvas: Canvas, places: Grid, shown: Shown, active: Seat | None = None, rounds: int = 0) -> None:
    """Draws badge and name of whom the sentence speaks (or of the active player), and the sentence under it.

    Args:
        rounds: length of the round track, which takes the right of the row; 0: there is none.
    """
    player, sentence = subject(shown.sentence, shown.players)
    if player is None and active is not None:
        player = shown.players[active]
    row = places.name
    if rounds and places.track.top == row.top:
        row = Rect(row.left, row.top, places.track.left - row.left - canvas.px(2), row.h)
    title = shown.title if player is None else player.name
    button = player.button if player else None

    def name() -> None:
        rect = row
        if button is not None:
            size = canvas.px(TITLE)
            canvas.sign(SHAPES[button], (row.left + size // 2, row.centery), size, COLOURS[button])
            rect = Rect(row.left + size + canvas.px(2.5), row.top, row.w - size - canvas.px(2.5), row.h)
        canvas.text(rect, title, TITLE, INK, weight=Weight.BOLD, least=FAR)

    canvas.part("name", row, (title, button), name)
    lines = TALL_LINES if canvas.portrait else LINES
    canvas.part(
        "sentence",
        places.sentence,
        sentence,
        lambda: canvas.text(places.sentence, sentence, HEAD, lines=lines, upright=0.5 if lines == LINES else 0.7),
    )


def track(canvas: Canvas, places: Grid, marker: int, rounds: int) -> None:
    """Draws the round track with the marker on it; rounds behind it are filled, those ahead are empty."""
    rect = places.track

    def paint() -> None:
        large, small = min(canvas.px(9.0), rect.h), canvas.px(5.6)
        label = canvas.px(12.5)
        room = rect.w - label
        small = min(small, (room - large) // max(1, rounds - 1) - canvas.px(0.6))
        gap = (room - large - small * (rounds - 1)) // max(1, rounds - 1)
        canvas.text(Rect(rect.left, rect.top, label, rect.h), _("Round"), SMALL, MUTED)
        left = rect.left + label
        canvas.fill(RAISED, Rect(left, rect.centery - canvas.px(0.3), room - large, canvas.px(0.6)))
        for i in range(1, rounds + 1):
            size = large if i == marker else small
            centre = (left + size // 2, rect.centery)
            canvas.anchor(f"round {i}", centre)
            left += size + gap
            if i == marker:
                disc = canvas.disc(centre, large, INK)
                canvas.text(disc, str(i), HEAD, BACKGROUND, weight=Weight.BOLD, align=0.5)
            else:
                disc = canvas.disc(centre, small, RAISED if i < marker else PANEL, LINE)
                canvas.text(disc, str(i), FLOOR, MUTED, align=0.5)

    canvas.part("track", rect, (marker, rounds), paint)


def status(canvas: Canvas, places: Grid, shown: Shown) -> None:
    """Draws the notice, if there is one, else what was played last; at the right, what holding a button does."""
    notice = shown.notice
    held = next((key for key in shown.keys if key.held), None)
    whole = places.status
    lines = 2 if canvas.portrait else 1

    def paint() -> None:
        rect = Rect(whole)
        # A notice that needs the whole line has it: what holding NO does is known, and is there again afterwards.
        crowded = notice is not None and not _fits(canvas, notice, whole.w - canvas.px(HELD), lines)
        if held is not None and not crowded:
            wide = canvas.px(HELD)
            if lines > 1:
                # It takes two lines of its own, so that the other side has room for its two.
                wide = canvas.type.narrowest(held.words, Weight.MEDIUM, canvas.floor(FLOOR), lines)
            words = Rect(rect.right - wide, rect.top, wide, rect.h)
            drawn = canvas.text(words, held.words, SMALL, MUTED, align=1.0, lines=lines)
            sign = SHAPES.get(held.button, str(held.button))
            canvas.sign(sign, (drawn.left - canvas.px(2.6), rect.centery), canvas.px(3.4), COLOURS[held.button])
            rect.w = drawn.left - canvas.px(6) - rect.left
        if notice is not None:
            canvas.panel(rect, WARN)
            size = canvas.px(3.8)
            canvas.sign("bang", (rect.left + canvas.px(3.4), rect.centery), size, BACKGROUND)
            line = Rect(rect.left + canvas.px(6), rect.top, rect.w - canvas.px(8), rect.h)
            canvas.text(line, notice, SMALL, BACKGROUND, lines=lines)
        elif shown.last:
            canvas.text(rect, shown.last, SMALL, MUTED, lines=lines)

    canvas.part("status", whole, (notice, shown.last, held), paint)


def _fits(canvas: Canvas, text: str, width: int, lines: int) -> bool:
    return canvas.type.narrowest(text, Weight.MEDIUM, canvas.floor(FLOOR), lines) <= width
