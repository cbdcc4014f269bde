"""Secret Number's scene: the clock of a round fills the stage, the card that is turned, the table of points."""

from math import ceil

from companion.api import N_, Seat
from companion.display.api import (
    BACKGROUND,
    BAD,
    BIG_EM,
    GOOD,
    INK,
    LINE,
    MUTED,
    PANEL,
    RAISED,
    TEXT_EM,
    TITLE_EM,
    WARN,
    Canvas,
    Colour,
    GameScene,
    Rect,
    RunningClock,
    ScreenLayout,
    ScreenState,
    Typeface,
    draw_time_bar,
    find_clock,
    format_clock,
    format_signed,
    split_bottom,
    split_grid,
    split_left,
    split_right,
    split_rows,
    split_top,
)
from companion.display.best_moments import GAME_TEXTS
from companion.display.widgets import clock_content
from companion.games.secret_number.display.cards import (
    CARD_ASPECT_RATIO,
    draw_blank_card,
    draw_pile,
    draw_score_table,
    draw_white_card,
)
from companion.games.secret_number.display.reveal import draw_reveal, draw_reveal_help
from companion.games.secret_number.state import Phase, SecretNumberState, _

FIRST_WARNING_SECONDS = 30
"""Seconds left from which a round's clock warns."""
DEAL_COLUMNS = 3
"""Columns of the pairs of number cards that are dealt."""
LAST_WARNING_SECONDS = 10
"""Seconds left from which a round's clock warns again, more urgently."""
BONUS_WIDTH = 41.0
"""Width of the bonuses beside the clock, in units."""
PILE_PERCENT = 34
"""Height of the pile under the clock, in percent of the stage."""
MIN_WARNED_HEIGHT = 20.0
"""Height of its place in units from which the warning has a line; the clock's colour is enough for less."""
WARNING_HEIGHT = 7.0
"""Height of that line, in units."""
MAX_COUNTDOWN_EM = 80.0
"""Largest size of the countdown's digit, in units."""
INSTRUCTION_HEIGHT = 9.5
"""Height of a line that says what to choose, in units."""
OR_MARGIN = 1.5
"""Room between the word "or" and the cards at its sides, in units."""
TIMER_WIDTH = 34.0
"""Width of the clock beside what is chosen, in units."""
DISPLAY_COLUMNS, DISPLAY_ROWS = 4, 2
"""Numbers on the drawn display card, a part of the real ones."""
RESULT_PLACE = 5
"""The place on it that stays open, from 0."""
FLIP_SECONDS = 0.5
"""Time in which the next card of the reveal comes to the front."""
COUNT_SECONDS = 1.5
"""Time in which the points of a game count up."""
ROUND_INSTRUCTIONS = (
    (N_("1. Calculate: the result must be on a display card"), N_("2. Cover that card so that the result shows")),
    (N_("Show a number card (no zero)"), N_("or the sign of your calculation")),
    (N_("Now show the other one:"), N_("a number card (no zero), or the sign")),
)
"""What all players do in secret before each of the three rounds (S11 to S13)."""
SIGN_LINES = ("+ −", "× :")
"""The signs of a sign card, line by line."""


class SecretNumberScene(GameScene[SecretNumberState]):
    """The scene of Secret Number: the clock of a round, the card that is turned, or the table of points."""

    BEST_MOMENT_TEXTS = GAME_TEXTS
    POINTS_ICON = ("ok", GOOD)
    ACCENT = (60, 170, 190)

    def draw_game(self, canvas: Canvas, layout: ScreenLayout, state: ScreenState, view: SecretNumberState) -> None:
        """Draw the phase of the game."""
        clock = find_clock(state)
        rect = layout.body if self.has_own_scores(state) else layout.stage
        turned = len(view.cards_right) if view.phase is Phase.REVEAL else None
        flip = canvas.timeline.progress("card", turned, FLIP_SECONDS)
        game_number = view.game_number if view.phase is Phase.RESULT else None
        count = canvas.timeline.progress("points", game_number, COUNT_SECONDS)
        content = (view, state.players, state.scores, clock_content(clock), flip, count)

        def paint() -> None:
            if view.phase in {Phase.RESULT, Phase.OVER}:
                draw_score_table(canvas, rect, view, state.players, state.scores, count)
            else:
                _draw_stage(canvas, rect, state, view, clock, flip)

        canvas.draw_region("main", rect, content, paint)

    def draw_track(self, canvas: Canvas, layout: ScreenLayout, state: ScreenState) -> None:
        """Draw the round track; while a dialog is open the clock that runs stands in its place."""
        clock, rect = find_clock(state), layout.track
        if clock is None or (state.menu is None and state.question is None):
            super().draw_track(canvas, layout, state)
            return
        text = format_clock(clock)
        canvas.draw_region(
            "track",
            rect,
            text,
            lambda: canvas.draw_text(rect, text, TITLE_EM, INK, face=Typeface.TABULAR, align=1.0),
        )

    def has_track(self, state: ScreenState) -> bool:
        """Return whether rounds are counted: not between games, where the title counts those."""
        return state.view.phase not in {Phase.DEAL, Phase.RESULT, Phase.OVER}

    def has_own_scores(self, state: ScreenState) -> bool:
        """Return whether a game has been scored: its table shows the scores."""
        return state.view.phase in {Phase.RESULT, Phase.OVER}

    def find_active_seat(self, view: SecretNumberState) -> Seat | None:
        """Return the seat of the player whose card is turned, or whose bonus is asked for; None: there is none."""
        if view.phase is Phase.REVEAL and view.next_card is not None:
            return view.next_card[1]
        return view.bonus_seat

    def count_rounds(self, view: SecretNumberState) -> int:
        """Return the number of rounds of a game, at least 1."""
        return len(view.settings.round_bonus)

    def is_simultaneous(self, view: SecretNumberState) -> bool:
        """Return whether a round is being played, in which all play against the clock."""
        return view.phase is Phase.ROUND


def _draw_stage(
    canvas: Canvas,
    rect: Rect,
    state: ScreenState,
    view: SecretNumberState,
    clock: RunningClock | None,
    flip: float,
) -> None:
    match view.phase:
        case Phase.DEAL:
            _draw_deal(canvas, rect, view)
        case Phase.PREPARE:
            _draw_preparation(canvas, rect, view, clock)
        case Phase.SHOW:
            _draw_countdown(canvas, rect, clock)
        case Phase.ROUND:
            _draw_round(canvas, rect, state, view, clock)
        case _:
            help_rect, cards = split_bottom(rect, rect.h * (48 if canvas.is_portrait else 28) // 100, canvas.px(1))
            draw_reveal(canvas, cards, view, state.players, flip)
            draw_reveal_help(canvas, help_rect, view, state.players)


def choose_warning(clock: RunningClock) -> tuple[Colour, str]:
    """Choose colour and warning of a round's clock: 30 seconds before the end, and 10 seconds before it.

    Args:
        clock: the clock; its seconds left are rounded up.

    Returns:
        Colour of the digits, and the warning in the current language ("Paused" while it is paused; empty: no warning).

    >>> [choose_warning(RunningClock("game 1, round 1", left, 180.0))[1] for left in (30.5, 30.0, 10.0)]
    ['', 'Last 30 seconds', 'Last 10 seconds!']
    """
    seconds = ceil(clock.seconds_left)
    if clock.paused:
        return INK, _("Paused")
    if seconds <= LAST_WARNING_SECONDS:
        return BAD, _("Last {n} seconds!", n=LAST_WARNING_SECONDS)
    if seconds <= FIRST_WARNING_SECONDS:
        return WARN, _("Last {n} seconds", n=FIRST_WARNING_SECONDS)
    return INK, ""


def _draw_round(
    canvas: Canvas, rect: Rect, state: ScreenState, view: SecretNumberState, clock: RunningClock | None
) -> None:
    """Draw the clock as large as possible; under it the pile, beside it the bonuses."""
    pile, above = split_bottom(rect, rect.h * PILE_PERCENT // 100, canvas.px(1))
    draw_pile(canvas, pile, view, state.players)
    if canvas.is_portrait:
        bonus, box = split_bottom(above, canvas.px(8), canvas.px(1))
    else:
        bonus, box = split_right(above, canvas.px(BONUS_WIDTH), canvas.px(2))
    colour, warning = (INK, "") if clock is None else choose_warning(clock)
    if warning and bonus.h >= canvas.px(MIN_WARNED_HEIGHT):
        # Beside the clock: under it its digits would shrink when they matter most.
        line, bonus = split_bottom(bonus, canvas.px(WARNING_HEIGHT))
        canvas.draw_text(line, warning, TEXT_EM, INK, face=Typeface.DISPLAY, align=1.0)
    _draw_bonuses(canvas, bonus, view)
    if clock is None:
        return
    if colour is not INK:
        box = canvas.draw_panel(box, PANEL, radius=2.4, padding=(3, 0))
    bar, box = split_bottom(box, canvas.px(1.6), canvas.px(0.6))
    if warning and canvas.is_portrait and box.h >= canvas.px(MIN_WARNED_HEIGHT):
        line, box = split_bottom(box, canvas.px(WARNING_HEIGHT))
        canvas.draw_text(line, warning, TEXT_EM, colour, face=Typeface.DISPLAY, align=0.5)
    canvas.draw_figure(box, format_clock(clock), colour, face=Typeface.TABULAR)
    draw_time_bar(canvas, bar, clock, colour, 0.8)


def _draw_bonuses(canvas: Canvas, rect: Rect, view: SecretNumberState) -> None:
    """Draw the bonus of a right card in this round and of the fastest one, and the game's number."""
    lines = [
        (_("Right card"), format_signed(view.settings.round_bonus[view.round_number - 1])),
        (_("Fastest"), format_signed(view.settings.fastest_bonus)),
    ]
    rows = split_rows(rect, 2, 0, canvas.px(TITLE_EM + 2))
    if canvas.is_portrait:
        rows = split_grid(rect, 2, 1, canvas.px(4))
    for (label, points), row in zip(lines, rows, strict=True):
        drawn = canvas.draw_text(row, points, TITLE_EM, INK, face=Typeface.DISPLAY, align=1.0)
        row.w = drawn.left - canvas.px(2) - row.left
        canvas.draw_text(row, label, TEXT_EM, INK, face=Typeface.DISPLAY, align=1.0)


def _draw_countdown(canvas: Canvas, rect: Rect, clock: RunningClock | None) -> None:
    """Draw the seconds until all show their cards at the same time."""
    seconds = ceil(clock.seconds_left) if clock else 0
    if clock and clock.paused:
        note, rect = split_bottom(rect, canvas.px(7))
        canvas.draw_text(note, _("Paused"), TEXT_EM, INK, face=Typeface.DISPLAY, align=0.5)
    canvas.draw_figure(rect, str(seconds) if seconds > 0 else _("Show!"), WARN, max_em=MAX_COUNTDOWN_EM)


def _draw_preparation(canvas: Canvas, rect: Rect, view: SecretNumberState, clock: RunningClock | None) -> None:
    """Draw what each player chooses in secret, with cards that show no number (S11 to S13)."""
    lines = ROUND_INSTRUCTIONS[view.round_number - 1]
    if view.round_number == 1 and not canvas.is_portrait:
        text, drawing = split_bottom(rect, canvas.px(INSTRUCTION_HEIGHT) * len(lines), canvas.px(1))
        timer, drawing = split_right(drawing, canvas.px(TIMER_WIDTH), canvas.px(2))
    else:
        if canvas.is_portrait:
            drawing, text = split_top(rect, rect.h * 2 // 5, canvas.px(2))
        else:
            drawing, text = split_left(rect, rect.w * 38 // 100, canvas.px(4))
        timer, text = split_bottom(text, text.h // 3 if clock is not None else 0)
    if clock is not None:
        canvas.draw_figure(timer, format_clock(clock), INK, max_em=BIG_EM, face=Typeface.TABULAR)
    rows = split_rows(
        text, len(lines), 0, text.h // len(lines) if canvas.is_portrait else canvas.px(INSTRUCTION_HEIGHT)
    )
    down = (text.bottom - rows[-1].bottom) // 2
    for line, row in zip(lines, rows, strict=True):
        canvas.draw_text(row.move(0, down), _(line), TITLE_EM, face=Typeface.DISPLAY, max_lines=2)
    _draw_choice(canvas, drawing, view)


def _draw_signs(canvas: Canvas, rect: Rect, colour: Colour) -> None:
    """Draw the four signs in two lines."""
    rows = split_rows(rect, 2, 0, rect.h // 2)
    em = canvas.find_common_size(SIGN_LINES, BIG_EM, rows[0].size, Typeface.DISPLAY)
    for signs, row in zip(SIGN_LINES, rows, strict=True):
        canvas.draw_text(row, signs, em, colour, face=Typeface.DISPLAY, align=0.5)


def _draw_choice(canvas: Canvas, rect: Rect, view: SecretNumberState) -> None:
    """Draw a number card or the signs; in round 1 both, a second number and the display card (S11 to S13)."""
    is_pair = view.round_number > 1
    width = min(round(rect.h * CARD_ASPECT_RATIO), rect.w * 10 // (26 if is_pair else 40))
    gap = width // 3
    if is_pair:
        word = canvas.fonts.measure_width(_("or"), Typeface.DISPLAY, canvas.px_at_least(TITLE_EM))
        gap = max(width // 2, word + 2 * canvas.px(OR_MARGIN))
        width = min(width, (rect.w - canvas.px(1) - gap) // 2)
    height = round(width / CARD_ASPECT_RATIO)
    card = Rect(rect.left + canvas.px(1), rect.centery - height // 2, width, height)
    sign = Rect(card.right + gap, card.top, width, height)
    draw_white_card(canvas, card, "?", BIG_EM)
    draw_blank_card(canvas, sign, RAISED, LINE)
    _draw_signs(canvas, sign, WARN)
    if is_pair:
        between = Rect(card.right, card.top, gap, height)
        canvas.draw_text(between, _("or"), TITLE_EM, INK, face=Typeface.DISPLAY, align=0.5)
        return
    second = sign.move(sign.left - card.left, 0)
    draw_white_card(canvas, second, "?", BIG_EM)
    display = Rect(second.right + 3 * gap, card.top, min(2 * width, rect.right - second.right - 3 * gap), height)
    if display.w < width:
        return
    canvas.draw_icon("pointer", ((second.right + display.left) // 2, rect.centery), 2 * gap, MUTED)
    _draw_display_card(canvas, display)


def _draw_display_card(canvas: Canvas, rect: Rect) -> None:
    """Draw the card with all numbers on which only the result is left to be seen (S11)."""
    draw_blank_card(canvas, rect, RAISED, LINE)
    gap = canvas.px(1)
    for i, cell in enumerate(split_grid(rect.inflate(-4 * gap, -4 * gap), DISPLAY_COLUMNS, DISPLAY_ROWS, gap)):
        is_result = i == RESULT_PLACE
        canvas.draw_panel(cell, WARN if is_result else LINE, radius=0.6)
        if is_result:
            canvas.draw_text(cell, "?", TITLE_EM, BACKGROUND, face=Typeface.DISPLAY, align=0.5)


def _draw_deal(canvas: Canvas, rect: Rect, view: SecretNumberState) -> None:
    """Draw which cards are used, and where they go (S2 to S5)."""
    lines = (
        _("1. Shuffle the {n} number cards", n=2 * len(view.card_values)),
        _("2. Take back your answer cards"),
        _("3. Deal two each, never two zeros"),
        _("4. Last two: one open, one hidden"),
    )
    drawing, text = split_left(rect, rect.w * (0 if canvas.is_portrait else 30) // 100, canvas.px(4))
    for line, row in zip(lines, split_rows(text, len(lines), 0, text.h // len(lines)), strict=True):
        canvas.draw_text(row, line, TITLE_EM, face=Typeface.DISPLAY)
    if canvas.is_portrait:
        return
    columns = min(DEAL_COLUMNS, len(view.card_values))
    rows = -(-len(view.card_values) // columns)
    for value, cell in zip(view.card_values, split_grid(drawing, columns, rows, canvas.px(2)), strict=False):
        height = min(cell.h, cell.w)
        upper = Rect(0, 0, round(height * CARD_ASPECT_RATIO), height)
        upper.midleft = cell.midleft
        draw_white_card(canvas, upper.move(height * 3 // 10, 0), "", TITLE_EM)
        draw_white_card(canvas, upper, str(value), TITLE_EM)
