"""Secret Number's scene: the big clock and the pile in a round, the row of cards at the reveal, the game's table."""

from __future__ import annotations

from math import ceil

from pygame import Rect

from companion.display.highlights import OF_GAMES
from companion.display.scenes.base import GameScene
from companion.display.scenes.secret_number.cards import (
    WRITING,
    blank,
    foot,
    number,
    paper,
    pile,
    points,
    reveal,
    table,
)
from companion.display.toolkit.canvas import Canvas
from companion.display.toolkit.layout import Grid, grid
from companion.display.toolkit.text import Weight
from companion.display.toolkit.theme import (
    BACKGROUND,
    BAD,
    BODY,
    FAR,
    FLOOR,
    GOOD,
    HEAD,
    INK,
    LINE,
    MUTED,
    PANEL,
    RAISED,
    SMALL,
    TITLE,
    WARN,
    Colour,
)
from companion.display.widgets.clocks import clock_shows, draw_clock, reading
from companion.display.widgets.dialog import dialog
from companion.display.widgets.header import header, status, track
from companion.display.widgets.players import players
from companion.display.widgets.soft_keys import keys
from companion.games.api.game import Seat
from companion.games.secret_number.view import Phase, SecretNumberView
from companion.i18n import N_, Words
from companion.screen_state import RunningClock, Shown

_ = Words("secret_number")

HALF_MINUTE, LAST = 30, 10
"""Seconds left from which the clock warns."""
INFO = 31.0
FOOT = 10.5
PILE = 19.0
TO_SHOW = (
    (N_("1. Calculate with your two numbers"), N_("2. Cover a display card: the result shows")),
    (N_("Show a number card (no zero)"), N_("or the sign of your calculation")),
    (N_("Now show the other one:"), N_("a number card (no zero), or the sign")),
)


class SecretNumberScene(GameScene[SecretNumberView]):
    """Players at the left; the rest belongs to the clock, the cards or the table."""

    MOMENTS = OF_GAMES
    POINTS = ("ok", GOOD)

    def draw(self, canvas: Canvas, shown: Shown) -> None:
        """Draws `shown`, whose view is a `SecretNumberView`."""
        view = shown.view
        assert isinstance(view, SecretNumberView), "Secret Number's scene draws its own game"
        places = grid(canvas)
        active = _spoken_to(view)
        header(canvas, places, shown, active, len(view.round_bonus))
        track(canvas, places, view.round, len(view.round_bonus))
        players(canvas, places, shown, active, view.changes)
        if dialog(canvas, places.main, shown, "main"):
            self._beside(canvas, places, shown, view)
        else:
            self._centre(canvas, places, shown, view)
        status(canvas, places, shown)
        keys(canvas, places, shown)

    def round(self, view: SecretNumberView) -> int:
        return view.round

    def at_once(self, view: SecretNumberView) -> bool:
        return view.phase is Phase.ROUND

    def _centre(self, canvas: Canvas, places: Grid, shown: Shown, view: SecretNumberView) -> None:
        rect = places.centre
        clock = _clock(shown)
        shows = (view, shown.players, clock_shows(clock) if clock else None)

        def paint() -> None:
            match view.phase:
                case Phase.DEAL:
                    _deal(canvas, rect, view)
                case Phase.PREPARE:
                    _prepare(canvas, rect, view, clock)
                case Phase.SHOW:
                    _countdown(canvas, rect, clock)
                case Phase.ROUND:
                    _round(canvas, rect, shown, view, clock)
                case Phase.RESULT | Phase.OVER:
                    table(canvas, rect, view, shown.players)
                case _:
                    low = Rect(rect.left, rect.bottom - canvas.px(FOOT), rect.w, canvas.px(FOOT))
                    high = Rect(rect.left, rect.top, rect.w, low.top - canvas.px(1.5) - rect.top)
                    reveal(canvas, high, view, shown.players)
                    foot(canvas, low, view, shown.players)

        canvas.part("main", rect, shows, paint)

    def _beside(self, canvas: Canvas, places: Grid, shown: Shown, view: SecretNumberView) -> None:
        """Beside a question or a menu: the clock goes on being seen."""
        # With the gap before it: what the clock and the cards left there is wiped.
        whole = Rect(places.main.right, places.centre.top, places.centre.right - places.main.right, places.centre.h)
        rect = Rect(places.side.left, whole.top, places.side.w, whole.h)
        clock = _clock(shown)

        def paint() -> None:
            if clock is None:
                _info(canvas, rect, view)
                return
            high = Rect(rect.left, rect.top, rect.w, canvas.px(17))
            draw_clock(canvas, high, clock, _("Round {round}", round=view.round))
            low = Rect(rect.left, high.bottom + canvas.px(1.5), rect.w, rect.bottom - high.bottom - canvas.px(1.5))
            _info(canvas, low, view)

        canvas.part("side", whole, (view, clock_shows(clock) if clock else None), paint)


def _spoken_to(view: SecretNumberView) -> Seat | None:
    """Who is asked something: whose card is turned, or whose bonus is wanted."""
    if view.phase is Phase.REVEAL and view.turned < len(view.laid):
        return view.laid[view.turned].seat
    return view.asked


def _clock(shown: Shown) -> RunningClock | None:
    return shown.clocks[0] if shown.clocks else None


def warning(clock: RunningClock) -> tuple[Colour, str]:
    """A round's clock in colour and words: half a minute before the end, and ten seconds before it.

    >>> [warning(RunningClock("game 1, round 1", left, 180.0))[1] for left in (30.5, 30.0, 10.0)]
    ['', 'Last 30 seconds', 'Last 10 seconds!']
    """
    left = ceil(clock.left)
    if clock.paused:
        return MUTED, _("Paused")
    if left <= LAST:
        return BAD, _("Last {n} seconds!", n=LAST)
    return (WARN, _("Last {n} seconds", n=HALF_MINUTE)) if left <= HALF_MINUTE else (INK, "")


def _round(canvas: Canvas, rect: Rect, shown: Shown, view: SecretNumberView, clock: RunningClock | None) -> None:
    """The clock fills the middle; under it the pile, beside it what a right card is worth now."""
    low = Rect(rect.left, rect.bottom - canvas.px(PILE), rect.w, canvas.px(PILE))
    high = Rect(rect.left, rect.top, rect.w, low.top - canvas.px(1.5) - rect.top)
    wide = min(canvas.px(INFO), high.w // 3)
    info = Rect(high.right - wide, high.top, wide, high.h)
    pile(canvas, low, view, shown.players)
    _info(canvas, info, view)
    if clock is None:
        return
    colour, words = warning(clock)
    box = Rect(high.left, high.top, info.left - canvas.px(2) - high.left, high.h)
    bar = Rect(box.left, box.bottom - canvas.px(1.6), box.w, canvas.px(1.6))
    line = Rect(box.left, bar.top - canvas.px(6.2), box.w, canvas.px(5.4))
    digits = Rect(box.left, box.top + canvas.px(0.6), box.w, line.top - box.top - canvas.px(1.8))
    number(canvas, digits, reading(clock), 40.0, colour, FAR)
    if words:
        canvas.text(line, words, HEAD, colour, weight=Weight.BOLD, align=0.5)
    else:
        game = _("Game {game} of {games}", game=view.game, games=view.games)
        canvas.text(line, game, BODY, MUTED, align=0.5)
    canvas.panel(bar, RAISED, radius=0.8)
    part = min(1.0, max(0.0, ceil(clock.left) / clock.total)) if clock.total > 0 else 0.0
    if part:
        canvas.panel(Rect(bar.left, bar.top, max(canvas.px(1.6), round(bar.w * part)), bar.h), colour, radius=0.8)


def _info(canvas: Canvas, rect: Rect, view: SecretNumberView) -> None:
    """What a right card of this round gives on top, and the fastest card, of which nothing is known before the end."""
    canvas.panel(rect, PANEL)
    inner = rect.inflate(-canvas.px(2.4), -canvas.px(2.4))
    half = inner.h // 2
    upper = Rect(inner.left, inner.top, inner.w, half)
    label = Rect(upper.left, upper.top, upper.w, canvas.px(5))
    canvas.text(label, _("Round bonus"), SMALL, MUTED, align=0.5)
    value = Rect(upper.left, label.bottom, upper.w, upper.bottom - label.bottom)
    bonus = view.round_bonus[view.round - 1]
    number(canvas, value, points(bonus), FAR + 2, least=BODY)
    lower = Rect(inner.left, upper.bottom, inner.w, inner.bottom - upper.bottom)
    label = Rect(lower.left, lower.top, lower.w, canvas.px(5))
    canvas.text(label, _("Fastest {points}", points=points(view.fastest_bonus)), SMALL, MUTED, align=0.5)
    value = Rect(lower.left, label.bottom, lower.w, lower.bottom - label.bottom)
    known = view.turned > 0
    words = _("unknown") if not known else _("nobody yet") if view.fastest is None else _("taken")
    canvas.text(value, words, HEAD, weight=Weight.BOLD, align=0.5)


def _countdown(canvas: Canvas, rect: Rect, clock: RunningClock | None) -> None:
    canvas.panel(rect, PANEL, radius=2.4)
    inner = rect.inflate(-canvas.px(4), -canvas.px(3))
    left = ceil(clock.left) if clock else 0
    words = Rect(inner.left, inner.bottom - canvas.px(9), inner.w, canvas.px(9))
    number = Rect(inner.left, inner.top, inner.w, words.top - inner.top)
    if left > 0:
        canvas.text(number, str(left), 60.0, WARN, weight=Weight.BOLD, least=FAR, align=0.5)
        note = _("Paused") if clock and clock.paused else _("At zero all show at once")
        canvas.text(words, note, HEAD, MUTED, align=0.5)
    else:
        canvas.text(inner, _("Show!"), 40.0, WARN, weight=Weight.BOLD, least=FAR, align=0.5)


def _prepare(canvas: Canvas, rect: Rect, view: SecretNumberView, clock: RunningClock | None) -> None:
    """What each player chooses in secret, drawn with cards that show no number."""
    canvas.panel(rect, PANEL, radius=2.4)
    inner = rect.inflate(-canvas.px(6), -canvas.px(5))
    lines = TO_SHOW[view.round - 1]
    height = canvas.px(8)
    words = Rect(inner.left, inner.bottom - 3 * height, inner.w, 3 * height)
    drawing = Rect(inner.left, inner.top, inner.w, words.top - canvas.px(1.5) - inner.top)
    for i, line in enumerate(lines):
        row = Rect(words.left, words.top + i * height, words.w, height)
        canvas.text(row, _(line), HEAD, weight=Weight.BOLD)
    row = Rect(words.left, words.top + 2 * height, words.w, height)
    note = _("Ready? OK, then 3, 2, 1: all at once")
    if clock is not None:
        colour = MUTED if clock.paused else WARN if ceil(clock.left) <= LAST else INK
        timer = canvas.text(row, reading(clock), FAR, colour, weight=Weight.BOLD, least=FAR, align=1.0)
        row = Rect(row.left, row.top, timer.left - canvas.px(2) - row.left, row.h)
        note = _("OK when all have chosen")
    canvas.text(row, note, BODY, MUTED)
    if view.round == 1:
        _calculation(canvas, drawing)
    else:
        _number_or_sign(canvas, drawing, view)


def _calculation(canvas: Canvas, rect: Rect) -> None:
    """Two numbers and a sign give what is left open on the display card."""
    tall = rect.h
    wide = min(tall * 7 // 10, rect.w // 6)
    gap = canvas.px(2)
    sign = Rect(rect.left + wide + gap, rect.top, wide * 4 // 5, tall)
    for left in (rect.left, sign.right + gap):
        card = paper(canvas, Rect(left, rect.top, wide, tall))
        canvas.text(card, "?", TITLE + 4, WRITING, weight=Weight.BOLD, align=0.5)
    half = sign.h // 2
    canvas.text(Rect(sign.left, sign.top, sign.w, half), "+ −", TITLE, WARN, weight=Weight.BOLD, align=0.5)
    canvas.text(Rect(sign.left, sign.top + half, sign.w, half), "× :", TITLE, WARN, weight=Weight.BOLD, align=0.5)
    left = sign.right + gap + wide + gap
    size = canvas.px(7)
    canvas.sign("pointer", (left + size // 2, rect.centery), size, LINE)
    left += size + gap
    display = blank(canvas, Rect(left, rect.top, rect.right - left, tall), RAISED, LINE)
    cells = 4
    room = display.inflate(-canvas.px(3), -canvas.px(3))
    each = room.w // cells
    for i in range(2 * cells):
        cell = Rect(room.left + i % cells * each, room.top + i // cells * room.h // 2, each, room.h // 2)
        cell = cell.inflate(-canvas.px(0.8), -canvas.px(0.8))
        shown = i == cells + 1
        canvas.panel(cell, WARN if shown else LINE, radius=0.6)
        if shown:
            canvas.text(cell, "?", HEAD, BACKGROUND, weight=Weight.BOLD, align=0.5)


def _number_or_sign(canvas: Canvas, rect: Rect, view: SecretNumberView) -> None:
    """A number card or the sign; in round 3 the one that was not shown in round 2."""
    tall = rect.h
    wide = min(tall * 7 // 10, rect.w // 4)
    card = paper(canvas, Rect(rect.left + rect.w // 8, rect.top, wide, tall))
    numbers = f"1–{view.numbers[-1]}"
    canvas.text(card.inflate(-canvas.px(2), 0), numbers, TITLE, WRITING, weight=Weight.BOLD, align=0.5)
    sign = blank(canvas, Rect(rect.right - rect.w // 8 - wide, rect.top, wide, tall), RAISED, WARN)
    half = sign.h // 2
    canvas.text(Rect(sign.left, sign.top, sign.w, half), "+ −", TITLE, WARN, weight=Weight.BOLD, align=0.5)
    canvas.text(Rect(sign.left, sign.top + half, sign.w, half), "× :", TITLE, WARN, weight=Weight.BOLD, align=0.5)
    middle = Rect(card.right + canvas.px(1), rect.top, sign.left - card.right - canvas.px(2), tall)
    canvas.text(middle, _("or") if view.round == 2 else _("the other"), HEAD, MUTED, align=0.5, lines=2)


def _deal(canvas: Canvas, rect: Rect, view: SecretNumberView) -> None:
    """S2 to S5: which cards are used, and where they go."""
    canvas.panel(rect, PANEL, radius=2.4)
    inner = rect.inflate(-canvas.px(6), -canvas.px(4))
    last = view.numbers[-1]
    lines = (
        _("Shuffle {n} number cards: two of each", n=view.number_cards),
        _("Answer cards 0 to {last} back to each player", last=last),
        _("Deal two each; nobody may hold two zeros"),
        _("Last two: one face up, one face down"),
    )
    height = canvas.px(7)
    words = Rect(inner.left, inner.bottom - len(lines) * height, inner.w, len(lines) * height)
    for i, line in enumerate(lines):
        canvas.text(Rect(words.left, words.top + i * height, words.w, height), line, BODY, lines=1)
    drawing = Rect(inner.left, inner.top, inner.w, words.top - canvas.px(2) - inner.top)
    tall = drawing.h - canvas.px(1.2)
    wide = min(tall * 7 // 10, drawing.w // len(view.numbers) - canvas.px(3))
    each = min(drawing.w // len(view.numbers), wide * 3 // 2)
    left = drawing.centerx - (each * (len(view.numbers) - 1) + wide) // 2
    for i, figure in enumerate(view.numbers):
        card = Rect(left + i * each, drawing.top, wide, tall)
        blank(canvas, card.move(canvas.px(1.4), canvas.px(1.2)), RAISED, LINE)
        paper(canvas, card)
        canvas.text(card, str(figure), TITLE + 2, WRITING, weight=Weight.BOLD, align=0.5, least=FLOOR)
