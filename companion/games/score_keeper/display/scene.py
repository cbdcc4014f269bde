"""The score keeper's scene: the scores as large cards, over them the clock of the turn; at the end the times."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import ceil

from companion.api import N_, Seat, format_number
from companion.api.places import list_teams
from companion.display.api import (
    BAD,
    BIG_EM,
    GAP,
    HUGE_EM,
    INK,
    LINE,
    MUTED,
    PANEL,
    TEXT_EM,
    TITLE_EM,
    WARN,
    Canvas,
    Colour,
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
    format_signed,
    split_bottom,
    split_grid,
    split_left,
    split_rows,
    split_top,
)
from companion.display.widgets import ScoreCard, clock_content, draw_score_cards, split_score_cards
from companion.display.widgets.header import draw_title_track
from companion.games.score_keeper.clock import (
    Part,
    get_bank_seconds_left,
    get_overtime_seconds_left,
    get_periods_left,
    list_time_parts,
)
from companion.games.score_keeper.state import TENTHS, Phase, ScoreKeeperState, _, format_time

CLOCK_PERCENT = 46
"""Height of the clock over the cards, in percent of the body."""
PORTRAIT_CLOCK_PERCENT = 34
"""The same upright."""
WARNING_SECONDS = 10
"""Seconds left from which a clock warns."""
PART_WORDS = {
    Part.TURN: "",
    Part.GRACE: N_("Grace period"),
    Part.DELAY: N_("Delay"),
    Part.BANK: N_("Time bank"),
    Part.OVERTIME: N_("Overtime"),
}
"""What stands beside the clock while a part of the turn's time runs down."""
TIME_COLUMNS = (N_("turns"), N_("all"), N_("mean"), N_("longest"))
"""K16: headings of the times in the result."""


class ScoreKeeperScene(GameScene[ScoreKeeperState]):
    """The scene of the score keeper: a card for each player or team, and the clock of the turn that runs."""

    ACCENT = (176, 84, 160)

    def draw_game(self, canvas: Canvas, layout: ScreenLayout, state: ScreenState, view: ScoreKeeperState) -> None:
        """Draw the clock, if the turn has one, and the scores."""
        rect, clock = layout.body, find_clock(state)
        has_clock = clock is not None and bool(list_time_parts(view))
        if clock is not None and has_clock:
            percent = PORTRAIT_CLOCK_PERCENT if canvas.is_portrait else CLOCK_PERCENT
            above, rect = split_top(rect, rect.h * percent // 100, canvas.px(GAP))
            _draw_clock(canvas, above, view, clock)
        _draw_cards(canvas, rect, state, view, has_clock=has_clock)

    def draw_result(self, canvas: Canvas, rect: Rect, state: ScreenState) -> None:
        """Draw the times of all players (K16)."""
        _draw_times(canvas, rect, state, state.view)

    def has_own_result(self, state: ScreenState) -> bool:
        """Return whether there were turns: their times are shown in place of the chart."""
        return any(state.view.turn_counts)

    def has_own_scores(self, _state: ScreenState) -> bool:
        """Return True: the scores are the point."""
        return True

    def has_track(self, state: ScreenState) -> bool:
        """Return whether rounds are counted (K7), or the game has a name (K18)."""
        return bool(state.view.settings.has_rounds or state.view.settings.name)

    def draw_track(self, canvas: Canvas, layout: ScreenLayout, state: ScreenState) -> None:
        """Draw the round track; in a game with a name (K18) the name, and the round in figures."""
        view: ScoreKeeperState = state.view
        if not view.settings.name:
            super().draw_track(canvas, layout, state)
            return
        number = view.round_number if view.settings.has_rounds else 0
        draw_title_track(canvas, layout, view.settings.name, number, view.settings.rounds)

    def describe_stage(self, state: ScreenState) -> Iterator[str]:
        """Yield the time that those have who do not have the turn."""
        view: ScoreKeeperState = state.view
        for player in state.players if view.settings.has_chess_clock else ():
            if player.seat != view.active_seat and not player.away:
                yield f"{player.name}: {_format_bank(view, player.seat)}"

    def find_spoken_clock(self, state: ScreenState) -> tuple[RunningClock, str]:
        """Return the clock of the part of the turn's time that runs down, and the word on it."""
        if not list_time_parts(state.view):
            return super().find_spoken_clock(state)
        clock, _part, word = split_clock(state.view, state.clocks[0])
        return clock, word

    def find_active_seat(self, view: ScoreKeeperState) -> Seat | None:
        """Return the seat that has the turn; None: nobody."""
        return view.active_seat

    def count_rounds(self, view: ScoreKeeperState) -> int:
        """Return the number of rounds; 0: any number (K9)."""
        return view.settings.rounds


def split_clock(view: ScoreKeeperState, clock: RunningClock) -> tuple[RunningClock, Part, str]:
    """Return the clock that is shown of a turn's time, which part it is, and a word on that, in the current language.

    The time of a turn has parts that run down one after the other (K13 to K15).

    Args:
        view: what is shown of the game; somebody has the turn.
        clock: the clock of the turn, over all parts.
    """
    left, after = clock.seconds_left, 0.0
    parts = list_time_parts(view)
    for shown in reversed(parts):
        if left <= after + shown.seconds or shown is parts[0]:
            break
        after += shown.seconds
    left -= after
    if shown.part is Part.OVERTIME:
        period = shown.full_seconds
        periods = max(1, ceil(left / period))
        left -= period * (periods - 1)
        word = _(PART_WORDS[shown.part])
        if view.settings.overtime_turns > 1 and view.active_seat is not None:
            word = _format_turns(view, view.active_seat)
        elif view.settings.overtime_periods > 1:
            word = _.plural("{n} period", "{n} periods", periods)
        return replace(clock, seconds_left=left, seconds_total=period), shown.part, word
    return replace(clock, seconds_left=left, seconds_total=shown.full_seconds), shown.part, _(PART_WORDS[shown.part])


def _format_turns(view: ScoreKeeperState, seat: Seat) -> str:
    """Format how many turns a player has to end within the period of overtime (K15)."""
    return _.plural("{n} more turn", "{n} more turns", view.settings.overtime_turns - view.period_turns[seat])


def _draw_clock(canvas: Canvas, rect: Rect, view: ScoreKeeperState, clock: RunningClock) -> None:
    """Draw the time left as large as possible, with a bar; a warning stands on a panel."""
    shown, part, word = split_clock(view, clock)
    if clock.paused:
        word = _("Paused")
    elif clock.seconds_left <= 0:
        word = _("Time is up")
    is_late = not clock.paused and (ceil(clock.seconds_left) <= WARNING_SECONDS or part in (Part.OVERTIME, Part.GRACE))

    def paint() -> None:
        box, colour = rect, INK
        if is_late:
            colour = BAD
            box = canvas.draw_panel(rect, PANEL, radius=2.4, padding=(3, 1))
        bar, box = split_bottom(box, canvas.px(1.6), canvas.px(0.6))
        if word:
            width = min(box.w // 3, canvas.text_width(word, TITLE_EM, Typeface.DISPLAY) + canvas.px(2))
            label, _rest = split_left(box, width)
            canvas.draw_text(label, word, TITLE_EM, colour, face=Typeface.DISPLAY, max_lines=2)
            box = box.inflate(-2 * width, 0)
        canvas.draw_figure(box, format_clock(shown), colour, face=Typeface.TABULAR)
        draw_time_bar(canvas, bar, shown, colour, 0.8)

    canvas.draw_region("clock", rect, (clock_content(shown), word, is_late), paint)


def _draw_cards(canvas: Canvas, rect: Rect, state: ScreenState, view: ScoreKeeperState, *, has_clock: bool) -> None:
    """Draw a card for each player, or for each team."""
    teams = list_teams(view, (Seat(0), *view.list_others(Seat(0))))
    places = split_score_cards(canvas, rect, len(teams), is_low=has_clock)
    cards = [
        ScoreCard(
            tuple(state.players[seat] for seat in team),
            state.scores[team[0]],
            _format_note(canvas, places[0].w, view, team, [state.players[seat] for seat in team]),
            bool(any(state.scores)) and team[0] in view.leaders,
            view.active_seat in team,
        )
        for team in teams
    ]
    draw_score_cards(canvas, rect, places, cards, BIG_EM if has_clock else HUGE_EM)


def _format_note(
    canvas: Canvas, width: int, view: ScoreKeeperState, team: tuple[Seat, ...], players: Sequence[Player]
) -> str:
    """Format the line under a score: away, the time left in the bank, or the points of the round."""
    if all(player.away for player in players):
        return _("away")
    if view.settings.has_chess_clock and view.active_seat not in team:
        return " · ".join(_format_bank(view, seat) for seat in team)
    points = sum(view.current_points[seat] for seat in team)
    if view.phase is not Phase.OVER and view.settings.has_rounds and points:
        text = _("{points} this round", points=format_signed(points))
        return text if canvas.text_width(text, face=Typeface.DISPLAY) <= width - canvas.px(2) else format_signed(points)
    return ""


def _format_bank(view: ScoreKeeperState, seat: Seat) -> str:
    """Format the time left to a player: in the bank, or in the periods of overtime once it is empty."""
    settings, bank = view.settings, get_bank_seconds_left(view, seat)
    if bank > 0 or settings.overtime_periods == settings.overtime_turns == 1:
        return format_time(ceil(bank) * TENTHS)
    if settings.overtime_turns > 1:
        return f"{format_time(ceil(get_overtime_seconds_left(view, seat)) * TENTHS)} · {_format_turns(view, seat)}"
    return f"{get_periods_left(view, seat)} × {format_time(settings.overtime_seconds * TENTHS)}"


def _draw_times(canvas: Canvas, rect: Rect, state: ScreenState, view: ScoreKeeperState) -> None:
    """Draw the number of turns, and the time of all, of the mean and of the longest turn, a row for each player."""
    inner = canvas.draw_panel(rect, PANEL, padding=(3, 2))
    badge = canvas.px(9)
    head, body = split_top(inner, canvas.px(7))
    columns = split_grid(split_left(head, badge)[1], len(TIME_COLUMNS), 1, canvas.px(1))
    for title, cell in zip(TIME_COLUMNS, columns, strict=True):
        canvas.draw_text(cell, _(title), TEXT_EM, MUTED, face=Typeface.DISPLAY, align=1.0)
    slowest = max(view.longest_tenths)
    for player, row in zip(
        state.players, split_rows(body, len(state.players), canvas.px(0.5), canvas.px(10)), strict=True
    ):
        q = player.seat
        canvas.fill_rect(LINE, Rect(row.left, row.bottom, row.w, canvas.px(0.2)))
        canvas.draw_badge(player.button, (row.left + badge * 2 // 5, row.centery), canvas.px(6))
        count = view.turn_counts[q]
        times = (view.turn_tenths[q], view.turn_tenths[q] // max(1, count), view.longest_tenths[q])
        texts = (format_number(count), *(format_time(tenths) if count else "–" for tenths in times))
        cells = split_grid(split_left(row, badge)[1], len(texts), 1, canvas.px(1))
        for i, (text, cell) in enumerate(zip(texts, cells, strict=True)):
            is_slowest = i == len(texts) - 1 and count > 0 and view.longest_tenths[q] == slowest
            tone: Colour = WARN if is_slowest else INK
            canvas.draw_text(cell, text, TEXT_EM, tone, face=Typeface.TABULAR, align=1.0)
