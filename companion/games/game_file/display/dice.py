"""The scene of all games with dice that a file describes: the dice, and the score sheet when a box is chosen."""

from collections import Counter
from collections.abc import Iterator

from companion.api import Seat, format_number
from companion.display.api import (
    GAP,
    INK,
    MUTED,
    TEXT_EM,
    Canvas,
    Rect,
    ScreenLayout,
    ScreenState,
    SoundEffect,
    Typeface,
    format_signed,
    split_bottom,
    split_right,
    split_top,
)
from companion.display.scenes.turn_clock import TurnClockScene
from companion.display.widgets import find_clock, has_visible_obstacle
from companion.events import CameraState
from companion.games.game_file.dice.scoring import Dice
from companion.games.game_file.dice.state import PROPOSALS, DiceGameState, Phase, TurnEnd, _
from companion.games.game_file.display.dice_table import (
    TUMBLE_SECONDS,
    draw_aside,
    draw_dice,
    draw_outlines,
    draw_tumbling,
)
from companion.games.game_file.display.sheet import SheetPage, describe_sheet, draw_sheet
from companion.i18n import join_label

FIGURE_PERCENT = 32
"""Width of the figure beside the dice, in percent of the stage's; upright its height under them."""
MIN_HEADED_HEIGHT = 22.0
"""Least height of the turn's points, in units, for words over them."""
CAPTION_HEIGHT = 7.0
"""Height of a line under the figure or the dice, in units."""
ASIDE_HEIGHT = 12.0
"""Height of the row of dice that were set aside, in units."""
MAX_FIGURE_EM = 44.0
"""Largest size of the figure, in units."""
ROLL_SECONDS = 2.0
"""Time in which the dice tumble at most while the camera sees them roll."""
MAX_TRACK_ROUNDS = 15
"""Most rounds that the track shows one by one."""


class DiceGameScene(TurnClockScene[DiceGameState]):
    """Dice large on the stage, beside them the points of the turn; the score sheet while a box is chosen."""

    ACCENT = (46, 125, 92)

    def draw_game(self, canvas: Canvas, layout: ScreenLayout, state: ScreenState, view: DiceGameState) -> None:
        """Draw the phase of the turn."""
        if self.has_own_scores(state):
            player = state.players[view.active_seat]
            draw_sheet(canvas, layout.body, view, SheetPage(player, _list_choices(state, view)))
            return
        rect = layout.stage
        is_rolling = state.camera_view.state is CameraState.ROLLING and bool(view.dice_to_throw)
        turn = (view.turn_number, view.throw_count)
        if is_rolling:
            tumble = canvas.timeline.progress("roll", turn, ROLL_SECONDS)
        else:
            tumble = canvas.timeline.progress("dice", turn if view.throw_count else None, TUMBLE_SECONDS)
        content = (view, state.players, state.entered_numbers, state.marked_dice, is_rolling, tumble)

        def paint() -> None:
            if state.enlarge_button is not None:
                canvas.add_touch_area(rect, state.enlarge_button)
            _draw_stage(canvas, rect, state, view, is_rolling=is_rolling, tumble=tumble)

        canvas.draw_region("main", rect, (*content, state.enlarge_button), paint)

    def describe_stage(self, state: ScreenState) -> Iterator[str]:
        """Yield the dice on the table, and the sheet of the player who has the turn."""
        view: DiceGameState = state.view
        if view.throw_count:
            yield " ".join(map(str, view.all_dice))
        if view.rules.model.categories:
            yield join_label(state.players[view.active_seat].name, describe_sheet(view))

    def needs_picture(self, state: ScreenState) -> bool:
        """Return whether the camera cannot read a throw that is to be made now, so that its picture shows why."""
        is_awaited = bool(state.view.dice_to_throw) and not state.entered_numbers and not state.choices
        return state.uses_camera and is_awaited and has_visible_obstacle(state.camera_view)

    def has_own_scores(self, state: ScreenState) -> bool:
        """Return whether the score sheet takes the place of the players' strip: while a box is chosen."""
        return bool(_list_choices(state, state.view)) and state.question is None and state.menu is None

    def find_active_seat(self, view: DiceGameState) -> Seat | None:
        """Return the seat whose turn it is; None after the end."""
        return None if view.is_over else view.active_seat

    def has_track(self, state: ScreenState) -> bool:
        """Return whether there is a clock, or the game has a number of rounds, which the track shows."""
        return find_clock(state) is not None or bool(self.count_rounds(state.view))

    def count_rounds(self, view: DiceGameState) -> int:
        """Return the number of rounds; 0: any number."""
        model = view.rules.model
        count = len(model.categories) or model.rounds.count
        return max(count, view.round_number) if 0 < count <= MAX_TRACK_ROUNDS else 0

    def choose_sound(self, before: DiceGameState, after: DiceGameState) -> SoundEffect | None:
        """Return the sound of a turn whose points were lost."""
        ended = after.ended_turn
        is_lost = ended is not None and ended is not before.ended_turn and ended.end is not TurnEnd.SCORED
        return SoundEffect.POINTS_LOST if is_lost else None


def _list_choices(state: ScreenState, view: DiceGameState) -> tuple[int, ...]:
    """Return the indexes of the boxes on the number keys; empty: no box is being chosen."""
    if state.choices:
        return state.choices
    return view.ranked_boxes[:PROPOSALS] if view.phase is Phase.CHOOSE else ()


def _draw_stage(
    canvas: Canvas, rect: Rect, state: ScreenState, view: DiceGameState, *, is_rolling: bool, tumble: float
) -> None:
    if canvas.is_portrait:
        beside, dice = split_bottom(rect, rect.h * FIGURE_PERCENT // 100, canvas.px(GAP))
    else:
        beside, dice = split_right(rect, rect.w * FIGURE_PERCENT // 100, canvas.px(2 * GAP))
    offered = view.find_offered_dice(tuple(view.table[place - 1] for place in state.marked_dice))
    _draw_figure(canvas, beside, state, view, offered)
    set_aside = (*view.aside, *view.locked)
    if set_aside:
        row, dice = split_bottom(dice, canvas.px(ASIDE_HEIGHT), canvas.px(GAP))
        draw_aside(canvas, row, set_aside)
    if offered:
        dice = _split_line_off(canvas, dice, _describe_combinations(view, offered))
    count = view.dice_to_throw
    if is_rolling:
        draw_tumbling(canvas, dice, count, tumble)
    elif state.entered_numbers or view.is_hot or not view.last_throw:
        draw_outlines(canvas, dice, state.entered_numbers, count or view.rules.model.count, view.rules.model.sides)
    elif view.throw_count:
        draw_dice(canvas, dice, view.table, marked=state.marked_dice, sides=view.rules.model.sides, tumble=tumble)
    elif view.ended_turn is not None:
        draw_dice(canvas, dice, view.ended_turn.dice, sides=view.rules.model.sides, is_dim=True)


def _describe_combinations(view: DiceGameState, dice: Dice) -> str:
    """Return the combinations of dice with their points: "Three alike: 200 · One: 2 × 100"."""
    scored = Counter(view.rules.list_best_combinations(dice, view.round_number, view.throw_count))
    ranked = sorted(scored.items(), key=lambda each: -each[0][1])
    return " · ".join(
        join_label(name, format_number(points) if count == 1 else f"{count} × {format_number(points)}")
        for (name, points), count in ranked
    )


def _split_line_off(canvas: Canvas, rect: Rect, words: str) -> Rect:
    """Draw words under a place, on two lines if one is too short; return what is left of the place."""
    is_long = canvas.text_width(words, TEXT_EM, Typeface.DISPLAY) > rect.w
    line, rest = split_bottom(rect, (1 + is_long) * canvas.px(CAPTION_HEIGHT))
    canvas.draw_text(line, words, TEXT_EM, INK, face=Typeface.DISPLAY, max_lines=1 + is_long, align=0.5)
    return rest


def _draw_figure(canvas: Canvas, rect: Rect, state: ScreenState, view: DiceGameState, offered: Dice) -> None:
    """Draw the points of the turn, or how many throws are left; before a throw how the last turn ended.

    Points that are still to be had are muted: nobody shall take them for points already made.
    """
    figure, words = _format_figure(state, view, offered)
    place = _split_line_off(canvas, rect, words)
    is_turn_score = view.throw_count > 0 and not view.has_sheet and not view.rules.model.rounds.points
    if is_turn_score and place.h >= canvas.px(MIN_HEADED_HEIGHT):
        heading, place = split_top(place, canvas.px(CAPTION_HEIGHT))
        title = _("Possible this turn") if offered else _("This turn")
        canvas.draw_text(heading, title, TEXT_EM, INK, face=Typeface.DISPLAY, align=0.5)
    canvas.draw_figure(place, figure, MUTED if offered else INK, max_em=MAX_FIGURE_EM)


def _format_figure(state: ScreenState, view: DiceGameState, offered: Dice) -> tuple[str, str]:
    """Return the figure beside the dice, and the words under it."""
    if not view.throw_count:
        return _format_last_turn(state, view)
    model = view.rules.model
    if view.has_sheet:
        return _count_throws(model.throws - view.throw_count)
    points = view.turn_points + (view.compute_aside_points(offered) or 0) if offered else view.current_points
    if model.rounds.points:
        total = view.round_points[view.active_seat] + points
        return format_number(total), _("of {n} points", n=model.rounds.points)
    if points < view.least_bank and view.least_bank > 1:
        least = view.least_bank
        on_board, to_score = _("{n} needed to get on the board", n=least), _("{n} needed to score", n=least)
        return format_number(points), on_board if view.is_getting_in else to_score
    return format_number(points), _("{n} in all", n=view.totals[view.active_seat] + points)


def _count_throws(n: int) -> tuple[str, str]:
    return format_number(n), _.plural("throw left", "throws left", n)


def _format_last_turn(state: ScreenState, view: DiceGameState) -> tuple[str, str]:
    """Return what the last turn brought, and to whom; before the first one what the game is about."""
    model, ended = view.rules.model, view.ended_turn
    if ended is not None and ended.box is not None:
        box = view.rules.label_category(ended.box)
        return format_signed(ended.points), join_label(state.players[ended.seat].name, box)
    if ended is not None:
        name = state.players[ended.seat].name
        if ended.end is TurnEnd.SCORED:
            return format_signed(ended.points) if ended.points else "0", name
        return "0", join_label(name, ended.format())
    if model.throws > 1:
        return _count_throws(model.throws)
    if model.rounds.points or model.target:
        return format_number(model.rounds.points or model.target), _("points to reach")
    return format_number(model.count), _("dice")
