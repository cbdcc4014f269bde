"""The Macroscope's scene: its stage for every phase of a turn."""

from collections.abc import Sequence

from companion.api import Seat
from companion.display.api import (
    BACKGROUND,
    BIG_EM,
    INK,
    PANEL,
    TEXT_EM,
    TITLE_EM,
    WARN,
    Canvas,
    GameScene,
    Player,
    Rect,
    RunningClock,
    ScreenLayout,
    ScreenState,
    Typeface,
    draw_time_bar,
    find_clock,
    format_clock,
    split_bottom,
    split_left,
    split_right,
    split_top,
)
from companion.display.toolkit import PIECE_RGB
from companion.display.widgets import (
    can_read_table,
    clock_colour,
    clock_content,
    draw_camera_label,
    has_visible_obstacle,
)
from companion.events import CameraState
from companion.games.macroscope.display.lid import (
    COVER_STEPS,
    COVER_TABLE,
    COVER_VOID_TABLE,
    RENEWAL_STEPS,
    VOID_ROUND_STEPS,
    draw_instructions,
    draw_lid,
    list_places,
)
from companion.games.macroscope.display.table import (
    draw_dice,
    draw_guess_order,
    draw_guessers,
    draw_takeable,
    draw_verdict,
    list_groups,
)
from companion.games.macroscope.state import AskingReason, MacroscopeState, Phase, _

LID_ASPECT_RATIO = 4 / 3
"""Ratio of width to height of the lid."""
MAX_LID_SHARE = 0.56
"""Width of the lid at most, as a share of the stage's."""
BESIDE_PERCENT = 46
"""Width of what stands between a guess's value and the lid, in percent of the room beside the lid."""
VALUE_WIDTH = 40.0
"""Width of a guess's value beside dice that are rolled, in units."""
WIDE_CHOICE_RATIO = 3
"""A place wider than this, as a multiple of its height, has dice and numbers side by side."""
CAPTION_HEIGHT = 7.0
"""Height of the words under a value, in units."""
CAMERA_OUT = frozenset({CameraState.OFF, CameraState.LOST})
"""States in which the camera reads nothing."""
EYE_SIZE = 7.0
"""Size of the eye before the words that the camera reads the dice, in units."""
MIN_CAPTION_ROOM = 17.0
"""Height in units from which a value has words under it."""
CLOCK_VALUE_HEIGHTS = (8.0, 13.0)
"""Height of the value of a guess under a clock, in units: with its words on one line, and on two."""
MAX_VALUE_EM = 56.0
"""Largest size of a guess's value, in units."""
TUMBLE_SECONDS = 0.7
"""Time in which the dice come to rest on the values that were read."""
ROLL_SECONDS = 2.0
"""Time in which the dice tumble at most while the camera sees them roll."""
REVEAL_SECONDS = 1.2
"""Time in which the guessers appear at the reveal, one after the other."""
VERDICT_GROWTH = 4.0
"""The winner's card has its full size after this fraction of that time: a quarter."""


class MacroscopeScene(GameScene[MacroscopeState]):
    """The scene of The Macroscope: dice, lid, and the value of a guess or the guessers, as the phase needs."""

    POINTS_ICON = ("gem", PIECE_RGB["blue"])
    ACCENT = PIECE_RGB["gold"]

    def is_reveal(self, before: MacroscopeState, after: MacroscopeState) -> bool:
        """Return whether it was said who was right."""
        return before.phase is Phase.REVEAL

    def describe_answer(self, state: ScreenState) -> tuple[str, Seat | None]:
        """Return who was right."""
        winner = _find_winner(state.players, state.view.changes)
        return (_("Nobody was right"), None) if winner is None else (_("{who}: right!", who=winner.name), winner.seat)

    def draw_answer(
        self, canvas: Canvas, layout: ScreenLayout, state: ScreenState, after: MacroscopeState, part: float
    ) -> None:
        """Draw what who was right wins, and what the others lose."""
        rect, growth = layout.stage, min(1.0, VERDICT_GROWTH * part)
        canvas.draw_region(
            "main",
            rect,
            (after.changes, state.players, growth),
            lambda: draw_verdict(canvas, rect, after.changes, state.players, growth),
        )

    def draw_game(self, canvas: Canvas, layout: ScreenLayout, state: ScreenState, view: MacroscopeState) -> None:
        """Draw the phase of the game."""
        rect, clock = layout.stage, find_clock(state)
        round_number = view.round_number if view.phase is Phase.REVEAL else None
        tumble = _measure_tumble(canvas, state, view)
        reveal = canvas.timeline.progress("reveal", round_number, REVEAL_SECONDS)
        places = list_places(view, state.camera_view.reading)
        content = (
            view,
            state.players,
            state.entered_numbers,
            places,
            clock_content(clock),
            state.camera_view.state,
            state.camera_view.problem,
            tumble,
            reveal,
        )

        def paint() -> None:
            _draw_stage(canvas, rect, state, view, places, tumble, reveal)
            if state.enlarge_button is not None and view.phase is not Phase.COVER:
                canvas.add_touch_area(rect, state.enlarge_button)

        canvas.draw_region("main", rect, content, paint)

    def needs_picture(self, state: ScreenState) -> bool:
        """Return whether the camera cannot read the dice or tokens that are to be read now."""
        is_read_now = state.view.phase in {Phase.ROLL, Phase.OPEN}
        return state.uses_camera and is_read_now and has_visible_obstacle(state.camera_view)

    def find_active_seat(self, view: MacroscopeState) -> Seat | None:
        """Return the seat of the player whose turn it is; None while all others are asked, or all say who was right."""
        asks_others = view.phase is Phase.ASKING and view.asking_reason is not AskingReason.MEANWHILE
        return None if asks_others or view.phase is Phase.REVEAL else view.active_seat

    def count_rounds(self, view: MacroscopeState) -> int:
        """Return the number of rounds of a game, at least 1."""
        return view.settings.rounds


def _find_winner(players: Sequence[Player], changes: Sequence[int]) -> Player | None:
    """Find the player who was right; None: nobody was."""
    return next((player for player in players if changes[player.seat] > 0), None)


def _measure_tumble(canvas: Canvas, state: ScreenState, view: MacroscopeState) -> float:
    """Return how far the dice have come to rest: while the camera sees them roll, and once their values are read."""
    if view.phase is not Phase.ROLL:
        return canvas.timeline.progress("dice", view.dice or None, TUMBLE_SECONDS)
    is_rolling = state.camera_view.state is CameraState.ROLLING and not state.entered_numbers
    return canvas.timeline.progress("roll", view.turn_number if is_rolling else None, ROLL_SECONDS)


def _draw_stage(
    canvas: Canvas,
    rect: Rect,
    state: ScreenState,
    view: MacroscopeState,
    places: Sequence[int | None],
    tumble: float,
    reveal: float,
) -> None:
    clock = find_clock(state)
    match view.phase:
        case Phase.COVER:
            if state.is_table_virtual:
                words = (
                    _("Cover all windows") if state.is_demo else _(COVER_TABLE if view.guessers else COVER_VOID_TABLE)
                )
                canvas.draw_text(rect, words, BIG_EM, INK, face=Typeface.DISPLAY, max_lines=3, align=0.5)
            else:
                draw_instructions(canvas, rect, COVER_STEPS if view.guessers else VOID_ROUND_STEPS)
        case Phase.ROLL | Phase.OPEN if view.is_renewal_due and not state.entered_numbers:
            draw_instructions(canvas, rect, RENEWAL_STEPS)
        case Phase.REVEAL | Phase.OVER:
            draw_guessers(canvas, rect, view, state.players, reveal)
        case Phase.ROLL:
            caption, above = split_bottom(rect, canvas.px(CAPTION_HEIGHT), canvas.px(1))
            dice, value = split_left(above, rect.w - canvas.px(VALUE_WIDTH), canvas.px(2))
            if not canvas.is_portrait:  # upright the words need the whole width
                caption.w, value.h = dice.w, rect.h
            _draw_roll_caption(canvas, caption, state)
            draw_dice(canvas, dice, state.entered_numbers, (), tumble)
            _draw_value_or_clock(canvas, value, view, clock)
        case _:
            left = rect
            if not _is_lid_beside(state):
                width = min(round(rect.h * LID_ASPECT_RATIO), round(rect.w * MAX_LID_SHARE))
                lid, left = split_right(rect, width, canvas.px(2))
                draw_lid(canvas, lid, view, places)
            groups = list_groups(view) if view.phase is not Phase.OPEN else []
            has_choice = view.phase is Phase.OPEN and bool(view.dice or view.takeable_tokens)
            beside = Rect(left)
            if groups or has_choice:
                if canvas.is_portrait:
                    beside, left = split_bottom(left, left.h * 48 // 100, canvas.px(1))
                else:
                    beside, left = split_right(left, left.w * BESIDE_PERCENT // 100, canvas.px(2))
            if has_choice:
                _draw_choice(canvas, beside, state, view, tumble)
            elif groups:
                draw_guess_order(canvas, beside, groups, state.players)
            _draw_value_or_clock(canvas, left, view, clock)


def _is_lid_beside(state: ScreenState) -> bool:
    """Return whether a simulated lid lies beside the display: a second one looks as if it could be touched, too.

    In a demo nobody touches one; in a film (without a camera) there is no other.
    """
    return state.is_table_virtual and state.uses_camera and not state.is_demo


def _draw_roll_caption(canvas: Canvas, rect: Rect, state: ScreenState) -> None:
    """Draw who reads the dice: the camera, so that nothing has to be pressed, or the players by the number keys.

    At a simulated table there is nothing to say: people see that it reads them.
    """
    if state.camera_view.state in CAMERA_OUT:
        canvas.draw_text(rect, _("Then press their numbers"), TEXT_EM, INK, face=Typeface.DISPLAY, align=0.5)
        return
    if not can_read_table(state.camera_view):  # the status line says what helps, a key that they can be entered
        draw_camera_label(canvas, rect, state.camera_view)
        return
    if state.is_table_virtual:
        return
    words = _("The camera reads them: no key")
    size, gap = canvas.px(EYE_SIZE), canvas.px(1.5)
    line = Rect(0, rect.top, size + gap + canvas.text_width(words, face=Typeface.DISPLAY), rect.h)
    line.centerx = rect.centerx
    place = canvas.draw_icon_left(line.clip(rect), "eye", size, INK, gap=1.5)
    canvas.draw_text(place, words, TEXT_EM, INK, face=Typeface.DISPLAY)


def _draw_choice(canvas: Canvas, rect: Rect, state: ScreenState, view: MacroscopeState, tumble: float) -> None:
    """Draw the dice that were rolled, and the numbers that may be opened."""
    if view.dice:
        is_wide = rect.w > WIDE_CHOICE_RATIO * rect.h
        dice, rect = split_left(rect, rect.w // 2) if is_wide else split_top(rect, rect.h // 2, canvas.px(1))
        draw_dice(canvas, dice, view.dice, view.used_dice, tumble)
    if view.takeable_tokens:
        camera_sees = state.camera_view.state not in CAMERA_OUT
        draw_takeable(canvas, rect, view, camera_sees=camera_sees)


def _draw_value_or_clock(canvas: Canvas, rect: Rect, view: MacroscopeState, clock: RunningClock | None) -> None:
    """Draw what a guess wins or loses; while a clock runs, its digits large and the value below."""
    if clock is None:
        _draw_value(canvas, rect, view)
        return
    words, number = _("Crystals at stake"), str(view.guess_value)
    number_width = canvas.text_width(number, TITLE_EM, Typeface.DISPLAY)
    room = rect.w - number_width - canvas.px(2)
    lines = 1 if canvas.text_width(words, face=Typeface.DISPLAY) <= room else 2
    value, time_left = split_bottom(rect, canvas.px(CLOCK_VALUE_HEIGHTS[lines - 1]), canvas.px(1))
    _draw_clock_figure(canvas, time_left, clock)
    figure, caption = split_right(value, number_width, canvas.px(2))
    canvas.draw_text(figure, number, TITLE_EM, INK, face=Typeface.DISPLAY, align=1.0)
    canvas.draw_text(caption, words, TEXT_EM, INK, face=Typeface.DISPLAY, max_lines=lines)


def _draw_clock_figure(canvas: Canvas, rect: Rect, clock: RunningClock) -> None:
    """Draw the time left as the dominant figure, over a bar of it; paused, it is muted."""
    inner = canvas.draw_panel(rect, PANEL, radius=2.4, padding=(4, 3))
    colour = clock_colour(clock)
    bar, digits = split_bottom(inner, canvas.px(1.4), canvas.px(1))
    draw_time_bar(canvas, bar, clock, colour, 0.7)
    canvas.draw_figure(digits, format_clock(clock), colour, max_em=MAX_VALUE_EM, face=Typeface.TABULAR)


def _draw_value(canvas: Canvas, rect: Rect, view: MacroscopeState) -> None:
    """Draw what a guess wins or loses now, with a word under it."""
    hint = _("Renew the deck") if view.is_deck_empty else _("Bank runs low") if view.is_supply_exceeded else ""
    has_caption = rect.h >= canvas.px(MIN_CAPTION_ROOM)
    caption, number = split_bottom(rect, canvas.px(CAPTION_HEIGHT) if has_caption else 0)
    words = hint or _("Crystals at stake")
    if has_caption:
        if hint:
            canvas.draw_panel(caption, WARN)
        canvas.draw_text(caption, words, TEXT_EM, BACKGROUND if hint else INK, face=Typeface.DISPLAY, align=0.5)
    canvas.draw_figure(number, str(view.guess_value), max_em=MAX_VALUE_EM)
