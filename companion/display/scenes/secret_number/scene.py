"""Secret Number's scene: the large clock and the pile in a round, the cards at the reveal, the game's table."""

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
)
from companion.display.toolkit import (
    BACKGROUND,
    BAD,
    GOOD,
    INK,
    LINE,
    MUTED,
    PANEL,
    PIECE_RGB,
    RAISED,
    TEXT_EM,
    TITLE_EM,
    WARN,
    Canvas,
    Colour,
    ScreenLayout,
    Typeface,
    format_signed,
    split_bottom,
    split_columns,
    split_grid,
    split_left,
    split_right,
    split_rows,
    split_top,
)
from companion.display.widgets import (
    clock_colour,
    clock_content,
    draw_clock,
    draw_dialog_if_open,
    draw_time_bar,
    find_clock,
    format_clock,
)
from companion.games.api.game import Seat
from companion.games.secret_number.state import Phase, SecretNumberState
from companion.i18n import N_, Translator
from companion.screen_state import RunningClock, ScreenState

_ = Translator("secret_number")

FIRST_WARNING_SECONDS = 30
"""Seconds left from which a round's clock warns."""
LAST_WARNING_SECONDS = 10
"""Seconds left from which a round's clock warns again, more urgently."""
INFO_WIDTH = 31.0
"""Width of the bonuses beside the clock, in units."""
FOOT_HEIGHT = 10.5
"""Height of the help under the reveal, in units."""
PILE_HEIGHT = 19.0
"""Height of the pile under the clock, in units."""
ROUND_INSTRUCTIONS = (
    (N_("1. Calculate with both, never divide by zero"), N_("2. Cover a display card: the result shows")),
    (N_("Show a number card (no zero)"), N_("or the sign of your calculation")),
    (N_("Now show the other one:"), N_("a number card (no zero), or the sign")),
)
"""What all players do in secret before each of the three rounds (S11 to S13)."""
SIGN_LINES = ("+ −", "× :")
"""The signs of a sign card, line by line."""


class SecretNumberScene(GameScene[SecretNumberState]):
    """The scene of Secret Number: the clock of a round, the cards, or the table of points in the centre."""

    HIGHLIGHT_TEXTS = GAME_TEXTS
    POINTS_ICON = ("ok", GOOD)

    def draw_game(self, canvas: Canvas, layout: ScreenLayout, state: ScreenState, view: SecretNumberState) -> None:
        """Draw the phase of the game; or the dialog that is open, with clock and bonuses beside it.

        Args:
            canvas: Where it is drawn.
            layout: Places of the screen, in pixels.
            state: What is shown around the game: players, scores, clocks, dialogs.
            view: What is shown of the game: the same as `state.view`.

        Raises:
            IndexError: A seat in the view has no player in the state.
            pygame.error: The screen is too small, so that a part would have a negative size.
        """
        clock = find_clock(state)
        if draw_dialog_if_open(canvas, layout.stage, state):
            _draw_beside_dialog(canvas, layout, view, clock)
            return
        content = (view, state.players, clock_content(clock))
        canvas.draw_region(
            "main", layout.stage, content, lambda: _draw_centre(canvas, layout.stage, state, view, clock)
        )

    def find_active_seat(self, view: SecretNumberState) -> Seat | None:
        """Return the seat of the player whose card is turned, or whose bonus is asked for; None: there is none.

        Args:
            view: What is shown of the game.
        """
        if view.phase is Phase.REVEAL and view.next_card is not None:
            return view.next_card[1]
        return view.bonus_seat

    def count_rounds(self, view: SecretNumberState) -> int:
        """Return the number of rounds of a game, at least 1.

        Args:
            view: What is shown of the game.
        """
        return len(view.settings.round_bonus)

    def is_simultaneous(self, view: SecretNumberState) -> bool:
        """Return whether a round is being played, in which all play against the clock.

        Args:
            view: What is shown of the game.
        """
        return view.phase is Phase.ROUND


def _draw_centre(
    canvas: Canvas, rect: Rect, state: ScreenState, view: SecretNumberState, clock: RunningClock | None
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
        case Phase.RESULT | Phase.OVER:
            draw_score_table(canvas, rect, view, state.players)
        case _:
            foot, cards = split_bottom(rect, canvas.px(FOOT_HEIGHT), canvas.px(1.5))
            draw_reveal(canvas, cards, view, state.players)
            draw_reveal_help(canvas, foot, view, state.players)


def _draw_beside_dialog(
    canvas: Canvas, layout: ScreenLayout, view: SecretNumberState, clock: RunningClock | None
) -> None:
    """Draw the clock and the bonuses beside a dialog: the clock stays visible."""
    # With the gap left of it, where the centre's picture was.
    whole = split_left(layout.stage, layout.stage.w * 2 // 3)[1]
    rect = whole

    def paint() -> None:
        info = rect
        if clock is not None:
            upper, info = split_top(rect, canvas.px(17), canvas.px(1.5))
            draw_clock(canvas, upper, clock, _("Round {round}", round=view.round_number))
        _draw_bonus_info(canvas, info, view)

    canvas.draw_region("side", whole, (view, clock_content(clock)), paint)


def choose_warning(clock: RunningClock) -> tuple[Colour, str]:
    """Choose colour and warning of a round's clock: 30 seconds before the end, and 10 seconds before it.

    Args:
        clock: The clock; its seconds left are rounded up.

    Returns:
        Colour of the digits, and the warning in the current language ("Paused" while it is paused; empty: no warning).

    >>> [choose_warning(RunningClock("game 1, round 1", left, 180.0))[1] for left in (30.5, 30.0, 10.0)]
    ['', 'Last 30 seconds', 'Last 10 seconds!']
    """
    seconds = ceil(clock.seconds_left)
    if clock.paused:
        return MUTED, _("Paused")
    if seconds <= LAST_WARNING_SECONDS:
        return BAD, _("Last {n} seconds!", n=LAST_WARNING_SECONDS)
    if seconds <= FIRST_WARNING_SECONDS:
        return WARN, _("Last {n} seconds", n=FIRST_WARNING_SECONDS)
    return INK, ""


def _draw_round(
    canvas: Canvas, rect: Rect, state: ScreenState, view: SecretNumberState, clock: RunningClock | None
) -> None:
    """Draw the clock as large as possible; under it the pile, beside it the bonuses."""
    pile, above = split_bottom(rect, canvas.px(PILE_HEIGHT), canvas.px(1.5))
    info, box = split_right(above, min(canvas.px(INFO_WIDTH), above.w // 3), canvas.px(2))
    draw_pile(canvas, pile, view, state.players)
    _draw_bonus_info(canvas, info, view)
    if clock is None:
        return
    colour, warning = choose_warning(clock)
    bar = split_bottom(box, canvas.px(1.6))[0]
    line = Rect(box.left, bar.top - canvas.px(6.2), box.w, canvas.px(5.4))
    digits = Rect(box.left, box.top + canvas.px(0.6), box.w, line.top - box.top - canvas.px(1.8))
    draw_number(canvas, digits, format_clock(clock), 40.0, colour, TITLE_EM)
    if warning:
        canvas.draw_text(line, warning, TEXT_EM, colour, face=Typeface.DISPLAY, align=0.5)
    else:
        game = _("Game {game} of {games}", game=view.game_number, games=view.settings.games)
        canvas.draw_text(line, game, TEXT_EM, MUTED, align=0.5)
    draw_time_bar(canvas, bar, clock, colour, 0.8)


def _draw_bonus_info(canvas: Canvas, rect: Rect, view: SecretNumberState) -> None:
    """Draw the bonus of a right card in this round, and whether the fastest card is known."""
    inner = canvas.draw_panel(rect, PANEL, padding=(2.4, 2.4))
    upper, lower = split_top(inner, inner.h // 2)
    label, value = split_top(upper, canvas.px(5))
    canvas.draw_text(label, _("Round bonus"), TEXT_EM, MUTED, align=0.5)
    bonus = format_signed(view.settings.round_bonus[view.round_number - 1])
    draw_number(canvas, value, bonus, TITLE_EM + 2)
    label, value = split_top(lower, canvas.px(5))
    text = _("Fastest {points}", points=format_signed(view.settings.fastest_bonus))
    canvas.draw_text(label, text, TEXT_EM, MUTED, align=0.5)
    text = _("unknown")
    if view.cards_right:
        text = _("nobody yet") if view.fastest_seat is None else _("taken")
    canvas.draw_text(value, text, TEXT_EM, face=Typeface.DISPLAY, align=0.5)


def _draw_countdown(canvas: Canvas, rect: Rect, clock: RunningClock | None) -> None:
    """Draw the seconds until all show their cards at the same time."""
    inner = canvas.draw_panel(rect, PANEL, radius=2.4, padding=(4, 3))
    seconds = ceil(clock.seconds_left) if clock else 0
    note, number = split_bottom(inner, canvas.px(9))
    place, text, size = (number, str(seconds), 60.0) if seconds > 0 else (inner, _("Show!"), 40.0)
    canvas.draw_text(place, text, size, WARN, face=Typeface.DISPLAY, align=0.5)
    if seconds > 0:
        text = _("Paused") if clock and clock.paused else _("At zero all show at once")
        canvas.draw_text(note, text, TEXT_EM, MUTED, align=0.5)


def _draw_preparation(canvas: Canvas, rect: Rect, view: SecretNumberState, clock: RunningClock | None) -> None:
    """Draw what each player chooses in secret, with cards that show no number (S11 to S13)."""
    inner = canvas.draw_panel(rect, PANEL, radius=2.4, padding=(6, 5))
    height = canvas.px(8)
    text, drawing = split_bottom(inner, 3 * height, canvas.px(1.5))
    *rows, last = split_rows(text, 3, 0, height)
    for line, row in zip(ROUND_INSTRUCTIONS[view.round_number - 1], rows, strict=True):
        canvas.draw_text(row, _(line), TEXT_EM, face=Typeface.DISPLAY)
    note = _("Ready? OK, then 3, 2, 1: all at once")
    if clock is not None:
        colour, time = clock_colour(clock, LAST_WARNING_SECONDS), format_clock(clock)
        timer = canvas.draw_text(last, time, TITLE_EM, colour, face=Typeface.DISPLAY, align=1.0)
        last.w = timer.left - canvas.px(2) - last.left
        note = _("OK when all have chosen")
    canvas.draw_text(last, note, TEXT_EM, MUTED)
    if view.round_number == 1:
        _draw_calculation(canvas, drawing)
    else:
        _draw_number_or_sign(canvas, drawing, view)


def _draw_signs(canvas: Canvas, rect: Rect) -> None:
    """Draw the four signs in two lines."""
    for signs, row in zip(SIGN_LINES, split_rows(rect, 2, 0, rect.h // 2), strict=True):
        canvas.draw_text(row, signs, TITLE_EM, WARN, face=Typeface.DISPLAY, align=0.5)


def _draw_calculation(canvas: Canvas, rect: Rect) -> None:
    """Draw two numbers and a sign, and the display card on which the result is left uncovered (S11)."""
    gap, width = canvas.px(2), min(rect.h * 7 // 10, rect.w // 6)
    first, signs, second = split_columns(rect, (width, width * 4 // 5, width), gap)
    rest = split_left(rect, second.right - rect.left, gap)[1]
    for card in (first, second):
        draw_white_card(canvas, card, "?", TITLE_EM + 4)
    _draw_signs(canvas, signs)
    display = canvas.draw_icon_left(rest, "pointer", canvas.px(7), LINE, gap=2)
    draw_blank_card(canvas, display, RAISED, LINE)
    columns = 4
    room = display.inflate(-canvas.px(3), -canvas.px(3))
    for i, place in enumerate(split_grid(room, columns, 2, 0)):
        cell = place.inflate(-canvas.px(0.8), -canvas.px(0.8))
        is_result = i == columns + 1
        canvas.draw_panel(cell, WARN if is_result else LINE, radius=0.6)
        if is_result:
            canvas.draw_text(cell, "?", TEXT_EM, BACKGROUND, face=Typeface.DISPLAY, align=0.5)


def _draw_number_or_sign(canvas: Canvas, rect: Rect, view: SecretNumberState) -> None:
    """Draw a number card or a sign; in round 3 the one that was not shown in round 2 (S12, S13)."""
    width, margin = min(rect.h * 7 // 10, rect.w // 4), rect.w // 8
    card = Rect(rect.left + margin, rect.top, width, rect.h)
    draw_blank_card(canvas, card, PIECE_RGB["white"], LINE)
    numbers = f"1–{view.card_values[-1]}"
    text_rect = card.inflate(-canvas.px(2), 0)
    canvas.draw_text(text_rect, numbers, TITLE_EM, CARD_TEXT_RGB, face=Typeface.DISPLAY, align=0.5)
    sign = Rect(rect.right - margin - width, rect.top, width, rect.h)
    draw_blank_card(canvas, sign, RAISED, WARN)
    _draw_signs(canvas, sign)
    middle = Rect(card.right + canvas.px(1), rect.top, sign.left - card.right - canvas.px(2), rect.h)
    text = _("or") if view.round_number == 2 else _("the other")
    canvas.draw_text(middle, text, TEXT_EM, MUTED, align=0.5, max_lines=2)


def _draw_deal(canvas: Canvas, rect: Rect, view: SecretNumberState) -> None:
    """Draw which cards are used, and where they go (S2 to S5)."""
    inner = canvas.draw_panel(rect, PANEL, radius=2.4, padding=(6, 4))
    lines = (
        _("Shuffle {n} number cards: two of each", n=2 * len(view.card_values)),
        _("Answer cards 0 to {last} back to each player", last=view.card_values[-1]),
        _("Deal two each; nobody may hold two zeros"),
        _("Last two: one face up, one face down"),
    )
    height = canvas.px(7)
    text, drawing = split_bottom(inner, len(lines) * height, canvas.px(2))
    for line, row in zip(lines, split_rows(text, len(lines), 0, height), strict=True):
        canvas.draw_text(row, line, TEXT_EM)
    count = len(view.card_values)
    card_height = drawing.h - canvas.px(1.2)
    width = min(card_height * 7 // 10, drawing.w // count - canvas.px(3))
    step = min(drawing.w // count, width * 3 // 2)
    left = drawing.centerx - (step * (count - 1) + width) // 2
    for i, value in enumerate(view.card_values):
        card = Rect(left + i * step, drawing.top, width, card_height)
        draw_blank_card(canvas, card.move(canvas.px(1.4), canvas.px(1.2)), RAISED, LINE)
        draw_white_card(canvas, card, str(value), TITLE_EM + 2)
