"""Secret Number's scene: the big clock and the pile in a round, the row of cards at the reveal, the game's table."""

from __future__ import annotations

from math import ceil

from pygame import Rect

from companion.display.highlights import GAME_TEXTS
from companion.display.scenes.base import GameScene
from companion.display.scenes.secret_number.cards import (
    CARD_TEXT_RGB,
    draw_blank_card,
    draw_number,
    draw_pile,
    draw_reveal,
    draw_reveal_help,
    draw_score_table,
    draw_white_card,
    points,
)
from companion.display.toolkit.canvas import Canvas
from companion.display.toolkit.layout import ScreenLayout, lay_out_screen
from companion.display.toolkit.text import FontWeight
from companion.display.toolkit.theme import (
    BACKGROUND,
    BAD,
    BODY_EM,
    GOOD,
    HEADING_EM,
    INK,
    LINE,
    MIN_EM,
    MIN_FAR_EM,
    MUTED,
    PANEL,
    RAISED,
    SMALL_EM,
    TITLE_EM,
    WARN,
    Colour,
)
from companion.display.widgets.clocks import clock_content, draw_clock, format_clock
from companion.display.widgets.dialog import draw_dialog_if_open
from companion.display.widgets.header import draw_header, draw_round_track, draw_status_line
from companion.display.widgets.players import draw_players
from companion.display.widgets.soft_keys import draw_soft_keys
from companion.games.api.game import Seat
from companion.games.secret_number.view import Phase, SecretNumberView
from companion.i18n import N_, Translator
from companion.screen_state import RunningClock, ScreenState

_ = Translator("secret_number")

FIRST_WARNING_SECONDS, LAST_WARNING_SECONDS = 30, 10
"""Seconds left from which the clock warns."""
INFO_WIDTH = 31.0
FOOT_HEIGHT = 10.5
PILE_HEIGHT = 19.0
ROUND_INSTRUCTIONS = (
    (N_("1. Calculate with your two numbers"), N_("2. Cover a display card: the result shows")),
    (N_("Show a number card (no zero)"), N_("or the sign of your calculation")),
    (N_("Now show the other one:"), N_("a number card (no zero), or the sign")),
)


class SecretNumberScene(GameScene[SecretNumberView]):
    """Players at the left; the rest belongs to the clock, the cards or the table."""

    HIGHLIGHT_TEXTS = GAME_TEXTS
    POINTS_ICON = ("ok", GOOD)

    def draw(self, canvas: Canvas, state: ScreenState) -> None:
        """Draws `shown`, whose view is a `SecretNumberView`."""
        view = state.view
        assert isinstance(view, SecretNumberView), "Secret Number's scene draws its own game"
        places = lay_out_screen(canvas)
        active = _addressed_seat(view)
        draw_header(canvas, places, state, active, len(view.round_bonuses))
        draw_round_track(canvas, places, view.round_number, len(view.round_bonuses))
        draw_players(canvas, places, state, active, view.changes)
        if draw_dialog_if_open(canvas, places.main, state, "main"):
            self._draw_beside_dialog(canvas, places, state, view)
        else:
            self._draw_centre(canvas, places, state, view)
        draw_status_line(canvas, places, state)
        draw_soft_keys(canvas, places, state)

    def current_round(self, view: SecretNumberView) -> int:
        return view.round_number

    def is_simultaneous(self, view: SecretNumberView) -> bool:
        return view.phase is Phase.ROUND

    def _draw_centre(self, canvas: Canvas, places: ScreenLayout, shown: ScreenState, view: SecretNumberView) -> None:
        rect = places.centre
        clock = _first_clock(shown)
        shows = (view, shown.players, clock_content(clock) if clock else None)

        def paint() -> None:
            match view.phase:
                case Phase.DEAL:
                    _draw_deal(canvas, rect, view)
                case Phase.PREPARE:
                    _draw_preparation(canvas, rect, view, clock)
                case Phase.SHOW:
                    _draw_countdown(canvas, rect, clock)
                case Phase.ROUND:
                    _draw_round(canvas, rect, shown, view, clock)
                case Phase.RESULT | Phase.OVER:
                    draw_score_table(canvas, rect, view, shown.players)
                case _:
                    low = Rect(rect.left, rect.bottom - canvas.px(FOOT_HEIGHT), rect.w, canvas.px(FOOT_HEIGHT))
                    high = Rect(rect.left, rect.top, rect.w, low.top - canvas.px(1.5) - rect.top)
                    draw_reveal(canvas, high, view, shown.players)
                    draw_reveal_help(canvas, low, view, shown.players)

        canvas.draw_region("main", rect, shows, paint)

    def _draw_beside_dialog(
        self, canvas: Canvas, places: ScreenLayout, shown: ScreenState, view: SecretNumberView
    ) -> None:
        """Beside a question or a menu: the clock goes on being seen."""
        # With the gap before it: what the clock and the cards left there is wiped.
        whole = Rect(places.main.right, places.centre.top, places.centre.right - places.main.right, places.centre.h)
        rect = Rect(places.side.left, whole.top, places.side.w, whole.h)
        clock = _first_clock(shown)

        def paint() -> None:
            if clock is None:
                _draw_bonus_info(canvas, rect, view)
                return
            high = Rect(rect.left, rect.top, rect.w, canvas.px(17))
            draw_clock(canvas, high, clock, _("Round {round}", round=view.round_number))
            low = Rect(rect.left, high.bottom + canvas.px(1.5), rect.w, rect.bottom - high.bottom - canvas.px(1.5))
            _draw_bonus_info(canvas, low, view)

        canvas.draw_region("side", whole, (view, clock_content(clock) if clock else None), paint)


def _addressed_seat(view: SecretNumberView) -> Seat | None:
    """Who is asked something: whose card is turned, or whose bonus is wanted."""
    if view.phase is Phase.REVEAL and view.turned_count < len(view.laid_cards):
        return view.laid_cards[view.turned_count].seat
    return view.bonus_seat


def _first_clock(shown: ScreenState) -> RunningClock | None:
    return shown.clocks[0] if shown.clocks else None


def choose_warning(clock: RunningClock) -> tuple[Colour, str]:
    """A round's clock in colour and words: half a minute before the end, and ten seconds before it.

    >>> [warning(RunningClock("game 1, round 1", left, 180.0))[1] for left in (30.5, 30.0, 10.0)]
    ['', 'Last 30 seconds', 'Last 10 seconds!']
    """
    left = ceil(clock.seconds_left)
    if clock.paused:
        return MUTED, _("Paused")
    if left <= LAST_WARNING_SECONDS:
        return BAD, _("Last {n} seconds!", n=LAST_WARNING_SECONDS)
    return (WARN, _("Last {n} seconds", n=FIRST_WARNING_SECONDS)) if left <= FIRST_WARNING_SECONDS else (INK, "")


def _draw_round(
    canvas: Canvas, rect: Rect, shown: ScreenState, view: SecretNumberView, clock: RunningClock | None
) -> None:
    """The clock fills the middle; under it the pile, beside it what a right card is worth now."""
    low = Rect(rect.left, rect.bottom - canvas.px(PILE_HEIGHT), rect.w, canvas.px(PILE_HEIGHT))
    high = Rect(rect.left, rect.top, rect.w, low.top - canvas.px(1.5) - rect.top)
    wide = min(canvas.px(INFO_WIDTH), high.w // 3)
    info = Rect(high.right - wide, high.top, wide, high.h)
    draw_pile(canvas, low, view, shown.players)
    _draw_bonus_info(canvas, info, view)
    if clock is None:
        return
    colour, words = choose_warning(clock)
    box = Rect(high.left, high.top, info.left - canvas.px(2) - high.left, high.h)
    bar = Rect(box.left, box.bottom - canvas.px(1.6), box.w, canvas.px(1.6))
    line = Rect(box.left, bar.top - canvas.px(6.2), box.w, canvas.px(5.4))
    digits = Rect(box.left, box.top + canvas.px(0.6), box.w, line.top - box.top - canvas.px(1.8))
    draw_number(canvas, digits, format_clock(clock), 40.0, colour, MIN_FAR_EM)
    if words:
        canvas.draw_text(line, words, HEADING_EM, colour, weight=FontWeight.BOLD, align=0.5)
    else:
        game = _("Game {game} of {games}", game=view.game_number, games=view.game_count)
        canvas.draw_text(line, game, BODY_EM, MUTED, align=0.5)
    canvas.draw_panel(bar, RAISED, radius=0.8)
    part = min(1.0, max(0.0, ceil(clock.seconds_left) / clock.seconds_total)) if clock.seconds_total > 0 else 0.0
    if part:
        canvas.draw_panel(Rect(bar.left, bar.top, max(canvas.px(1.6), round(bar.w * part)), bar.h), colour, radius=0.8)


def _draw_bonus_info(canvas: Canvas, rect: Rect, view: SecretNumberView) -> None:
    """What a right card of this round gives on top, and the fastest card, of which nothing is known before the end."""
    canvas.draw_panel(rect, PANEL)
    inner = rect.inflate(-canvas.px(2.4), -canvas.px(2.4))
    half = inner.h // 2
    upper = Rect(inner.left, inner.top, inner.w, half)
    label = Rect(upper.left, upper.top, upper.w, canvas.px(5))
    canvas.draw_text(label, _("Round bonus"), SMALL_EM, MUTED, align=0.5)
    value = Rect(upper.left, label.bottom, upper.w, upper.bottom - label.bottom)
    bonus = view.round_bonuses[view.round_number - 1]
    draw_number(canvas, value, points(bonus), MIN_FAR_EM + 2, least=BODY_EM)
    lower = Rect(inner.left, upper.bottom, inner.w, inner.bottom - upper.bottom)
    label = Rect(lower.left, lower.top, lower.w, canvas.px(5))
    canvas.draw_text(label, _("Fastest {points}", points=points(view.fastest_bonus)), SMALL_EM, MUTED, align=0.5)
    value = Rect(lower.left, label.bottom, lower.w, lower.bottom - label.bottom)
    known = view.turned_count > 0
    words = _("unknown") if not known else _("nobody yet") if view.fastest_seat is None else _("taken")
    canvas.draw_text(value, words, HEADING_EM, weight=FontWeight.BOLD, align=0.5)


def _draw_countdown(canvas: Canvas, rect: Rect, clock: RunningClock | None) -> None:
    canvas.draw_panel(rect, PANEL, radius=2.4)
    inner = rect.inflate(-canvas.px(4), -canvas.px(3))
    left = ceil(clock.seconds_left) if clock else 0
    words = Rect(inner.left, inner.bottom - canvas.px(9), inner.w, canvas.px(9))
    number = Rect(inner.left, inner.top, inner.w, words.top - inner.top)
    if left > 0:
        canvas.draw_text(number, str(left), 60.0, WARN, weight=FontWeight.BOLD, min_size=MIN_FAR_EM, align=0.5)
        note = _("Paused") if clock and clock.paused else _("At zero all show at once")
        canvas.draw_text(words, note, HEADING_EM, MUTED, align=0.5)
    else:
        canvas.draw_text(inner, _("Show!"), 40.0, WARN, weight=FontWeight.BOLD, min_size=MIN_FAR_EM, align=0.5)


def _draw_preparation(canvas: Canvas, rect: Rect, view: SecretNumberView, clock: RunningClock | None) -> None:
    """What each player chooses in secret, drawn with cards that show no number."""
    canvas.draw_panel(rect, PANEL, radius=2.4)
    inner = rect.inflate(-canvas.px(6), -canvas.px(5))
    lines = ROUND_INSTRUCTIONS[view.round_number - 1]
    height = canvas.px(8)
    words = Rect(inner.left, inner.bottom - 3 * height, inner.w, 3 * height)
    drawing = Rect(inner.left, inner.top, inner.w, words.top - canvas.px(1.5) - inner.top)
    for i, line in enumerate(lines):
        row = Rect(words.left, words.top + i * height, words.w, height)
        canvas.draw_text(row, _(line), HEADING_EM, weight=FontWeight.BOLD)
    row = Rect(words.left, words.top + 2 * height, words.w, height)
    note = _("Ready? OK, then 3, 2, 1: all at once")
    if clock is not None:
        colour = MUTED if clock.paused else WARN if ceil(clock.seconds_left) <= LAST_WARNING_SECONDS else INK
        timer = canvas.draw_text(
            row, format_clock(clock), MIN_FAR_EM, colour, weight=FontWeight.BOLD, min_size=MIN_FAR_EM, align=1.0
        )
        row = Rect(row.left, row.top, timer.left - canvas.px(2) - row.left, row.h)
        note = _("OK when all have chosen")
    canvas.draw_text(row, note, BODY_EM, MUTED)
    if view.round_number == 1:
        _draw_calculation(canvas, drawing)
    else:
        _draw_number_or_sign(canvas, drawing, view)


def _draw_calculation(canvas: Canvas, rect: Rect) -> None:
    """Two numbers and a sign give what is left open on the display card."""
    tall = rect.h
    wide = min(tall * 7 // 10, rect.w // 6)
    gap = canvas.px(2)
    sign = Rect(rect.left + wide + gap, rect.top, wide * 4 // 5, tall)
    for left in (rect.left, sign.right + gap):
        card = draw_white_card(canvas, Rect(left, rect.top, wide, tall))
        canvas.draw_text(card, "?", TITLE_EM + 4, CARD_TEXT_RGB, weight=FontWeight.BOLD, align=0.5)
    half = sign.h // 2
    canvas.draw_text(Rect(sign.left, sign.top, sign.w, half), "+ −", TITLE_EM, WARN, weight=FontWeight.BOLD, align=0.5)
    canvas.draw_text(
        Rect(sign.left, sign.top + half, sign.w, half), "× :", TITLE_EM, WARN, weight=FontWeight.BOLD, align=0.5
    )
    left = sign.right + gap + wide + gap
    size = canvas.px(7)
    canvas.draw_icon("pointer", (left + size // 2, rect.centery), size, LINE)
    left += size + gap
    display = draw_blank_card(canvas, Rect(left, rect.top, rect.right - left, tall), RAISED, LINE)
    cells = 4
    room = display.inflate(-canvas.px(3), -canvas.px(3))
    each = room.w // cells
    for i in range(2 * cells):
        cell = Rect(room.left + i % cells * each, room.top + i // cells * room.h // 2, each, room.h // 2)
        cell = cell.inflate(-canvas.px(0.8), -canvas.px(0.8))
        shown = i == cells + 1
        canvas.draw_panel(cell, WARN if shown else LINE, radius=0.6)
        if shown:
            canvas.draw_text(cell, "?", HEADING_EM, BACKGROUND, weight=FontWeight.BOLD, align=0.5)


def _draw_number_or_sign(canvas: Canvas, rect: Rect, view: SecretNumberView) -> None:
    """A number card or the sign; in round 3 the one that was not shown in round 2."""
    tall = rect.h
    wide = min(tall * 7 // 10, rect.w // 4)
    card = draw_white_card(canvas, Rect(rect.left + rect.w // 8, rect.top, wide, tall))
    numbers = f"1–{view.card_values[-1]}"
    canvas.draw_text(
        card.inflate(-canvas.px(2), 0), numbers, TITLE_EM, CARD_TEXT_RGB, weight=FontWeight.BOLD, align=0.5
    )
    sign = draw_blank_card(canvas, Rect(rect.right - rect.w // 8 - wide, rect.top, wide, tall), RAISED, WARN)
    half = sign.h // 2
    canvas.draw_text(Rect(sign.left, sign.top, sign.w, half), "+ −", TITLE_EM, WARN, weight=FontWeight.BOLD, align=0.5)
    canvas.draw_text(
        Rect(sign.left, sign.top + half, sign.w, half), "× :", TITLE_EM, WARN, weight=FontWeight.BOLD, align=0.5
    )
    middle = Rect(card.right + canvas.px(1), rect.top, sign.left - card.right - canvas.px(2), tall)
    canvas.draw_text(
        middle, _("or") if view.round_number == 2 else _("the other"), HEADING_EM, MUTED, align=0.5, max_lines=2
    )


def _draw_deal(canvas: Canvas, rect: Rect, view: SecretNumberView) -> None:
    """S2 to S5: which cards are used, and where they go."""
    canvas.draw_panel(rect, PANEL, radius=2.4)
    inner = rect.inflate(-canvas.px(6), -canvas.px(4))
    last = view.card_values[-1]
    lines = (
        _("Shuffle {n} number cards: two of each", n=view.number_card_count),
        _("Answer cards 0 to {last} back to each player", last=last),
        _("Deal two each; nobody may hold two zeros"),
        _("Last two: one face up, one face down"),
    )
    height = canvas.px(7)
    words = Rect(inner.left, inner.bottom - len(lines) * height, inner.w, len(lines) * height)
    for i, line in enumerate(lines):
        canvas.draw_text(Rect(words.left, words.top + i * height, words.w, height), line, BODY_EM, max_lines=1)
    drawing = Rect(inner.left, inner.top, inner.w, words.top - canvas.px(2) - inner.top)
    tall = drawing.h - canvas.px(1.2)
    wide = min(tall * 7 // 10, drawing.w // len(view.card_values) - canvas.px(3))
    each = min(drawing.w // len(view.card_values), wide * 3 // 2)
    left = drawing.centerx - (each * (len(view.card_values) - 1) + wide) // 2
    for i, figure in enumerate(view.card_values):
        card = Rect(left + i * each, drawing.top, wide, tall)
        draw_blank_card(canvas, card.move(canvas.px(1.4), canvas.px(1.2)), RAISED, LINE)
        draw_white_card(canvas, card)
        canvas.draw_text(
            card, str(figure), TITLE_EM + 2, CARD_TEXT_RGB, weight=FontWeight.BOLD, align=0.5, min_size=MIN_EM
        )
