"""The scene of Memo Dice: one dominant thing for every phase of a round."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from math import ceil

import cv2
import numpy as np

from companion.api import Seat
from companion.display.api import (
    BIG_EM,
    GAP,
    INK,
    RGB,
    TEXT_EM,
    TITLE_EM,
    WARN,
    Canvas,
    GameScene,
    Movement,
    Player,
    Rect,
    RegionCell,
    RunningClock,
    ScreenLayout,
    ScreenState,
    SoundEffect,
    Typeface,
    draw_time_bar,
    find_clock,
    split_bottom,
    split_left,
    split_right,
    split_rows,
    split_top,
)
from companion.events import MemoColour
from companion.games.memo_dice.display.cups import CUP_ART
from companion.games.memo_dice.display.lanes import Lane, draw_lane, draw_way, find_name_size, split_lane
from companion.games.memo_dice.display.table import (
    MAX_LANE_HEIGHT,
    ROW_HEIGHT,
    draw_asked_cup,
    draw_cup_row,
    draw_open_die,
    draw_progress_row,
    draw_supply,
)
from companion.games.memo_dice.state import COVERING_PHASES, MemoDiceState, Phase, _
from companion.screen_state import DiePicture
from companion.vision.reading import Image

ACCENT_RGB: RGB = (140, 112, 98)
"""Memo Dice's own colour: leather, like the cups'; no seat has it."""
CUP_SECONDS = 0.35
"""Time in which the cup of an open die comes in."""
GROW_SECONDS = 0.35
"""Time in which the next cup of the row grows, and the last one shrinks."""
LIFT_SECONDS = 0.4
"""Time in which a cup is lifted."""
RACE_SECONDS = 1.2
"""Time in which the pieces move to their new squares."""
CLOCK_SHARE = 0.36
"""Width of the seconds beside the die that all look at, as a share of the stage's."""
TIME_BAR_HEIGHT = 2.0
"""Height of the bar of the time left, in units."""
MIN_NEXT_WIDTH = 40.0
"""Width in units below which it is not said who is next, beside the picture of a die."""
PICTURE_SHARE = 0.5
"""Width at most of the picture of a lifted die, as a share of the stage's."""


class MemoDiceScene(GameScene[MemoDiceState]):
    """The scene of Memo Dice: the cups to choose from, the open die, the cup in question, or the race.

    The camera's picture is not shown: it would give away what the cups hide. The face of a die is shown once its cup
    was lifted.
    """

    POINTS_ICON = ("pointer", WARN)
    ACCENT = ACCENT_RGB
    HAS_OWN_STANDINGS = True

    def is_reveal(self, before: MemoDiceState, after: MemoDiceState) -> bool:
        """Return whether the last cup of a round has gone to a player: the round is scored."""
        return before.stage is Phase.UNCOVER and after.stage is Phase.SCORED

    def describe_answer(self, state: ScreenState) -> tuple[str, Seat | None]:
        """Return who gets the golden cup; the points beside the names are those of all cups of the round (D31)."""
        assert state.played is not None, "an answer follows from a move"
        guesser, cup = state.played.before.active_seat, state.view.cup_row[-1]
        if cup.colour is not MemoColour.GOLD:
            return super().describe_answer(state)
        who, other = state.players[guesser].name, state.players[cup.owner].name
        if cup.owner == guesser:
            return _("{who}: right, the golden cup is yours. Now all cups count", who=who), guesser
        return _("{who}: wrong, {other} gets the golden cup. Now all cups count", who=who, other=other), guesser

    def draw_answer(
        self, canvas: Canvas, layout: ScreenLayout, state: ScreenState, after: MemoDiceState, part: float
    ) -> None:
        """Draw the last cup, lifted, while it goes to who has won it."""
        _draw_guessing(canvas, layout.stage, state, replace(state.view, cup_lifted=True), is_answered=True)

    def draw_game(self, canvas: Canvas, layout: ScreenLayout, state: ScreenState, view: MemoDiceState) -> None:
        """Draw the phase of the game."""
        if view.phase in COVERING_PHASES:
            _draw_covering(canvas, layout.stage, state, view)
        elif view.phase is Phase.UNCOVER:
            _draw_guessing(canvas, layout.stage, state, view)
        else:
            _draw_race(canvas, layout.body, state, view)

    def draw_track(self, canvas: Canvas, layout: ScreenLayout, state: ScreenState) -> None:
        """Draw the number of the round as the region "track"."""
        text = _("Round {n}", n=state.view.round_number)
        align = 0.0 if canvas.is_portrait else 1.0
        canvas.draw_region(
            "track",
            layout.track,
            text,
            lambda: canvas.draw_text(layout.track, text, TEXT_EM, INK, face=Typeface.DISPLAY, align=align),
        )

    def has_track(self, state: ScreenState) -> bool:
        """Return whether the number of the round is shown: not while a question is open, which needs the room."""
        return state.question is None

    def has_own_scores(self, state: ScreenState) -> bool:
        """Return whether the race shows the scores: once the round is scored."""
        return state.menu is None and state.question is None and state.view.phase in (Phase.SCORED, Phase.OVER)

    def find_active_seat(self, view: MemoDiceState) -> Seat:
        """Return the seat of the player whose turn it is."""
        return view.active_seat

    def list_changes(self, view: MemoDiceState) -> Sequence[int]:
        """Return the points that the last move gave or took: those of the round just scored, else none.

        Points of cups won in the round in play are not in the scores yet.

        Returns:
            Points by seat, 0 for a player without a change; empty: nothing is drawn beside the scores.
        """
        return view.round_points if view.stage is Phase.SCORED else ()

    def choose_sound(self, before: MemoDiceState, after: MemoDiceState) -> SoundEffect | None:
        """Return the sound of a prize if the golden cup was won; else None."""
        return SoundEffect.PRIZE if before.gold_holder is None and after.gold_holder is not None else None

    def find_movements(self, before: MemoDiceState, after: MemoDiceState) -> Iterator[Movement]:
        """Yield a movement for each cup that goes to the player who has won it (D22, D23).

        Yields:
            Movements from an anchor "cup 0" (by index in the row) to an anchor "player 0" (by seat).
        """
        for i, (old, new) in enumerate(zip(before.cup_row, after.cup_row, strict=False)):
            if old.owner is None and new.owner is not None:
                yield Movement(CUP_ART[new.colour], INK, f"cup {i}", f"player {new.owner}")


def _draw_covering(canvas: Canvas, rect: Rect, state: ScreenState, view: MemoDiceState) -> None:
    """Draw the cups to choose from, or the die that lies open with the seconds left, over the round's dice."""
    row, above = split_bottom(rect, canvas.px(ROW_HEIGHT), canvas.px(GAP))
    canvas.draw_region("row", row, view, lambda: draw_progress_row(canvas, row, view))
    clock = find_clock(state)
    if clock is not None:
        place, above = split_left(above, round(above.w * CLOCK_SHARE), canvas.px(GAP))
        _draw_seconds(canvas, place, clock)
    if view.open_colour is None:
        canvas.draw_region("main", above, view, lambda: draw_supply(canvas, above, view))
        return
    key = (view.round_number, len(view.cup_row), view.open_colour)
    come = canvas.timeline.progress("cup", key, CUP_SECONDS)
    canvas.draw_region("main", above, (view, come), lambda: draw_open_die(canvas, above, view, come))


def _draw_seconds(canvas: Canvas, rect: Rect, clock: RunningClock) -> None:
    """Draw the seconds left as the one figure, over a bar of them, as the region "clock"."""
    seconds = max(0, ceil(clock.seconds_left))

    def paint() -> None:
        bar, above = split_bottom(rect, canvas.px(TIME_BAR_HEIGHT), canvas.px(2))
        label = _.plural("second to look", "seconds to look", seconds)
        width = canvas.min_text_width(label, 2, Typeface.DISPLAY)
        unit, figure = split_right(above, width, canvas.px(2))
        figure = figure.inflate(0, -figure.h // 8)
        canvas.draw_figure(figure, str(seconds), INK, align=1.0, face=Typeface.TABULAR)
        canvas.draw_text(unit, label, TEXT_EM, INK, face=Typeface.DISPLAY, max_lines=2)
        draw_time_bar(canvas, bar.inflate(-canvas.px(8), 0), clock, INK, 1.0)

    canvas.draw_region("clock", rect, (seconds, clock.paused, clock.seconds_total), paint)


def _draw_guessing(
    canvas: Canvas, rect: Rect, state: ScreenState, view: MemoDiceState, *, is_answered: bool = False
) -> None:
    """Draw the row of cups with the one in question huge; until it is answered also seconds, and who is next on a miss.

    The picture of a die whose cup was lifted takes the height of the stage at the right.
    """
    picture, clock = state.die_picture, find_clock(state)
    if picture is not None:
        place, rect = split_right(rect, min(rect.h, round(rect.w * PICTURE_SHARE)), canvas.px(2 * GAP))
        canvas.draw_region("face", place, picture, lambda: _paint_die_picture(canvas, place, picture))
    index = view.next_cup_index or 0
    current = canvas.timeline.follow("current cup", index, GROW_SECONDS)
    lifted = canvas.timeline.progress("lift", index, LIFT_SECONDS) if view.cup_lifted else 0.0
    seconds = None if clock is None else max(0, ceil(clock.seconds_left))
    content = (view, tuple(state.players), current, lifted, seconds, is_answered)

    def paint() -> None:
        if picture is not None and canvas.is_portrait:
            draw_asked_cup(canvas, rect, view, state.players, lifted)
            return
        room = draw_cup_row(canvas, rect, view, state.players, current, lifted)
        if not is_answered and (picture is None or room.w > canvas.px(MIN_NEXT_WIDTH)):
            _paint_next_guesser(canvas, room, state.players[view.find_next_seat(view.active_seat)], seconds)

    canvas.draw_region("main", rect, content, paint)


def _paint_next_guesser(canvas: Canvas, rect: Rect, player: Player, seconds: int | None) -> None:
    """Paint the seconds left to answer, and who guesses after a miss (D20, D23)."""
    if seconds is not None:
        width = canvas.text_width(_("{n} s", n="00"), BIG_EM, Typeface.TABULAR)
        clock, rect = split_left(rect, width, canvas.px(4))
        if not canvas.is_far:
            clock = clock.inflate(0, canvas.px(4))  # the room above and below is free
        canvas.draw_text(clock, _("{n} s", n=seconds), BIG_EM, INK, face=Typeface.TABULAR, align=0.5)
    words = _("If wrong, cup goes to:")
    lines = 1 if canvas.text_width(words, face=Typeface.DISPLAY) <= rect.w else 2
    label, name = split_top(rect, min(lines * canvas.line_px(TEXT_EM + 1), rect.h // 2), canvas.px(0.6))
    canvas.draw_text(label, words, TEXT_EM, INK, face=Typeface.DISPLAY, max_lines=lines)
    name.h = min(name.h, canvas.px(TITLE_EM))
    beside = canvas.draw_badge_left(name, player.button, min(name.h, canvas.px(7)), gap=1.4)
    canvas.draw_text(beside, player.name, TITLE_EM, INK, face=Typeface.DISPLAY)


def _paint_die_picture(canvas: Canvas, rect: Rect, picture: DiePicture) -> None:
    """Paint the die under the cup lifted last, as large as fits, over the number of its cup."""
    label, above = split_bottom(rect, canvas.line_px(TEXT_EM), canvas.px(0.6))
    side = min(above.size)
    place = Rect(0, 0, side, side)
    place.center = above.center
    edge = canvas.px(0.8)
    canvas.draw_panel(place, INK)
    canvas.draw_image(_decode_image(picture.jpeg), place.inflate(-2 * edge, -2 * edge))
    canvas.draw_text(label, _("Under cup {n}", n=picture.cup_number), TEXT_EM, INK, face=Typeface.DISPLAY, align=0.5)


@lru_cache(maxsize=4)
def _decode_image(jpeg: bytes) -> Image:
    """Decode a JPEG; return a grey square if it is damaged."""
    image = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR) if jpeg else None
    return np.full((8, 8, 3), 90, np.uint8) if image is None else np.asarray(image, np.uint8)


def _draw_race(canvas: Canvas, rect: Rect, state: ScreenState, view: MemoDiceState) -> None:
    """Draw the race to the target square as the region "main": a lane for each player (D31 to D33).

    The pieces move from where they stood before the round just scored (D30).
    """
    players = state.players
    gained = view.round_scores[-1] if view.round_scores else (0,) * len(players)
    moved = canvas.timeline.progress("race", view.round_number, RACE_SECONDS)
    first, last = view.settings.start_square, view.settings.target_square
    lanes = []
    places = split_rows(rect, len(players), canvas.px(1.0), canvas.px(MAX_LANE_HEIGHT))
    name_size = find_name_size(canvas, places[0], [player.name for player in players])
    for player, place in zip(players, places, strict=True):
        total = view.totals[player.seat]
        square = canvas.timeline.follow(f"piece {player.seat}", total, RACE_SECONDS) - (1 - moved) * gained[player.seat]
        has_gold = view.gold_holder == player.seat
        lane = Lane(player, total, gained[player.seat], has_gold, name_size)
        lanes.append(RegionCell(place, lane, partial(draw_lane, canvas, place, lane)))
        way = split_lane(canvas, place)[2]
        content = (lane, square, first, last)
        lanes.append(RegionCell(way, content, partial(draw_way, canvas, way, *content)))
    canvas.draw_cells("main", rect, lanes)
