"""The scene of Memo Dice: its centre for every phase of a round."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import cv2
import numpy as np
from pygame import Rect

from companion.display.scenes.base import GameScene, Movement
from companion.display.scenes.memo_dice.table import (
    CUP_PIECE_NAMES,
    draw_board,
    draw_cup,
    draw_cup_row,
    draw_player_piece,
    draw_supply,
    measure_row_height,
)
from companion.display.sound_effects import SoundEffect
from companion.display.toolkit.canvas import Canvas
from companion.display.toolkit.layout import ScreenLayout, lay_out_screen, split_rows
from companion.display.toolkit.text import FontWeight
from companion.display.toolkit.theme import (
    BODY_EM,
    BUTTON_COLOURS,
    GOOD,
    HEADING_EM,
    HUGE_EM,
    INK,
    MIN_FAR_EM,
    MUTED,
    PANEL,
    PIECE_RGB,
    RAISED,
    SEAT_SHAPES,
    SMALL_EM,
    WARN,
)
from companion.display.widgets.clocks import clock_content, draw_clock
from companion.display.widgets.dialog import draw_dialog_if_open
from companion.display.widgets.header import draw_header, draw_status_line
from companion.display.widgets.players import draw_players
from companion.display.widgets.soft_keys import draw_soft_keys
from companion.events import MemoColour
from companion.games.api.game import Seat
from companion.games.memo_dice.view import MemoDiceView, Phase
from companion.i18n import N_, Translator
from companion.screen_state import DiePicture, Player, RunningClock, ScreenState
from companion.vision.reading import Image

_ = Translator("memo_dice")

COVERING_PHASES = (Phase.COVER, Phase.LOOK)
PIECE_NAMES = {
    "white": N_("White piece"),
    "purple": N_("Purple piece"),
    "orange": N_("Orange piece"),
    "green": N_("Green piece"),
}
BADGE_AND_NAME_WIDTH = 56.0
"""Width that a badge and a long name need."""
SIDE_WIDTH = 27.0
"""Width of the dice left, or of the clock."""


class MemoDiceScene(GameScene[MemoDiceView]):
    """Players at the left; the row of cups over what matters in the phase; the board at the top right.

    No picture of the camera is shown: it would give away what the cups hide. The face of a die is shown once its cup
    was lifted.
    """

    POINTS_ICON = ("pointer", WARN)

    def draw(self, canvas: Canvas, state: ScreenState) -> None:
        """Draws `shown`, whose view is a `MemoDiceView`."""
        view = state.view
        assert isinstance(view, MemoDiceView), "the scene of Memo Dice draws its own game"
        places = lay_out_screen(canvas)
        draw_header(canvas, places, state, view.active_seat, rounds=1)
        canvas.draw_region(
            "track",
            places.track,
            (view.round_number, view.squares, view.start_square, view.target_square, state.players),
            lambda: draw_board(canvas, places.track, view, state.players),
        )
        draw_players(canvas, places, state, view.active_seat, view.points)
        if not draw_dialog_if_open(canvas, places.centre, state, "main"):
            self._draw_centre(canvas, places, state, view)
        draw_status_line(canvas, places, state)
        draw_soft_keys(canvas, places, state)

    def current_round(self, view: MemoDiceView) -> int:
        return view.round_number

    def choose_sound(self, before: MemoDiceView, after: MemoDiceView) -> SoundEffect | None:
        return SoundEffect.PRIZE if before.gold_holder is None and after.gold_holder is not None else None

    def find_movements(self, before: MemoDiceView, after: MemoDiceView) -> Iterator[Movement]:
        """A cup goes to who has won it (D22, D23)."""
        for i, (old, new) in enumerate(zip(before.cup_row, after.cup_row, strict=False)):
            if old.owner is None and new.owner is not None:
                yield Movement("cup", PIECE_RGB[CUP_PIECE_NAMES[new.colour]], f"cup {i}", f"player {new.owner}")

    def _draw_centre(self, canvas: Canvas, places: ScreenLayout, shown: ScreenState, view: MemoDiceView) -> None:
        rect = places.centre
        clock = shown.clocks[0] if shown.clocks else None

        def paint() -> None:
            if view.phase in (*COVERING_PHASES, Phase.UNCOVER):
                _draw_playing(canvas, rect, view, shown.players, clock, shown.die_picture)
            else:
                _draw_scored(canvas, rect, view, shown.players)

        shows = clock_content(clock) if clock else None
        canvas.draw_region("main", rect, (view, shown.players, shows, shown.die_picture), paint)


def _draw_playing(
    canvas: Canvas,
    rect: Rect,
    view: MemoDiceView,
    players: tuple[Player, ...],
    clock: RunningClock | None,
    face: DiePicture | None,
) -> None:
    """The row, and under it what the phase is about; at the right the clock, how many dice are left, or a face.

    A face whose cup has just been lifted stands as high as all of it: that is what everybody looks at.
    """
    gap = canvas.px(1.6)
    covering = view.phase in COVERING_PHASES
    if face is not None and view.cup_lifted and rect.w * 2 > rect.h * 3:
        rect = Rect(rect.left, rect.top, rect.w - _draw_lifted_face(canvas, rect, face) - gap, rect.h)
        face = None
    above = Rect(rect.left, rect.top, rect.w, min(measure_row_height(canvas, rect.w, view), rect.h * 55 // 100))
    draw_cup_row(canvas, above, view, players)
    below = Rect(rect.left, above.bottom + gap, rect.w, rect.bottom - above.bottom - gap)
    if covering or clock is not None:
        wide = min(canvas.px(SIDE_WIDTH), below.w // 3)
        side = Rect(below.right - wide, below.top, wide, below.h)
        below.w -= wide + gap
        if clock is not None:
            draw_clock(canvas, side, clock, _("Look") if covering else _("Answer"))
        else:
            _draw_dice_left(canvas, side, view)
    elif face is not None and not covering:
        below.w -= _draw_lifted_face(canvas, below, face) + gap
    if covering:
        draw_supply(canvas, below, view)
    else:
        _draw_guessing(canvas, below, view, players)


def _draw_lifted_face(canvas: Canvas, rect: Rect, face: DiePicture) -> int:
    """What lay under the cup that was lifted last, as large as there is room, at the right of `rect`; its width."""
    words = canvas.px(5.4)
    side = min(rect.h - words - canvas.px(2.4), rect.w * 45 // 100)
    said = _("Under cup {n}", n=face.cup_number)
    wide = max(
        side, canvas.fonts.measure_width(said, FontWeight.MEDIUM, canvas.px(SMALL_EM)) + canvas.px(1)
    ) + canvas.px(3)
    panel = Rect(rect.right - wide, rect.top, wide, rect.h)
    canvas.draw_panel(panel, PANEL, radius=2.0)
    picture = Rect(0, 0, side, side)
    picture.midtop = (panel.centerx, panel.top + canvas.px(1.5))
    canvas.draw_image(_decode_image(face.jpeg), picture)
    label = Rect(panel.left, panel.bottom - words - canvas.px(0.4), panel.w, words)
    canvas.draw_text(label, said, SMALL_EM, MUTED, align=0.5)
    return panel.w


@lru_cache(maxsize=4)
def _decode_image(picture: bytes) -> Image:
    """The picture's pixels; a grey square for one that is damaged."""
    found = cv2.imdecode(np.frombuffer(picture, np.uint8), cv2.IMREAD_COLOR) if picture else None
    return np.full((8, 8, 3), 90, np.uint8) if found is None else np.asarray(found, np.uint8)


def _draw_dice_left(canvas: Canvas, rect: Rect, view: MemoDiceView) -> None:
    canvas.draw_panel(rect, PANEL, radius=2.0)
    inner = rect.inflate(-canvas.px(3), -canvas.px(2))
    line = canvas.px(5.4)
    words = Rect(inner.left, inner.bottom - line, inner.w, line)
    number = Rect(inner.left, inner.top, inner.w, words.top - inner.top)
    canvas.draw_text(number, str(view.dice_left), HUGE_EM, INK, weight=FontWeight.BOLD, min_size=MIN_FAR_EM, align=0.5)
    canvas.draw_text(words, _("Last die") if view.dice_left == 1 else _("Dice left"), BODY_EM, MUTED, align=0.5)


def _draw_guessing(canvas: Canvas, rect: Rect, view: MemoDiceView, players: tuple[Player, ...]) -> None:
    """D20, D23: who guesses, and who goes on after a miss."""
    gap = canvas.px(1.6)
    tall = (rect.h - gap) * 58 // 100
    first = Rect(rect.left, rect.top, rect.w, tall)
    second = Rect(rect.left, first.bottom + gap, rect.w, rect.bottom - first.bottom - gap)
    words = (_("Has named it") if view.symbol_named else _("Guesses"), _("After a miss"))
    label = max(canvas.fonts.measure_width(word, FontWeight.MEDIUM, canvas.px(SMALL_EM)) for word in words) + canvas.px(
        1
    )
    # Beside a large face there is no room for a word before the name.
    above = rect.w < label + canvas.px(BADGE_AND_NAME_WIDTH)
    for card, word, seat in zip((first, second), words, (view.active_seat, view.left_neighbour), strict=True):
        now = card is first
        player = players[seat]
        canvas.draw_panel(
            card, RAISED if now else PANEL, edge=BUTTON_COLOURS[player.button] if now else None, radius=2.0
        )
        inner = card.inflate(-canvas.px(3 if above else 5), -canvas.px(1.4 if above else 2))
        line = Rect(inner.left, inner.top, inner.w if above else label, canvas.px(5) if above else inner.h)
        canvas.draw_text(line, word, SMALL_EM, INK if now else MUTED)
        if above:
            inner = Rect(inner.left, line.bottom, inner.w, inner.bottom - line.bottom)
        left = inner.left if above else line.right + canvas.px(1.5)
        size = min(canvas.px(11 if now else 8), inner.h)
        canvas.draw_icon(
            SEAT_SHAPES[player.button], (left + size // 2, inner.centery), size, BUTTON_COLOURS[player.button]
        )
        left += size + canvas.px(1 if above else 2)
        name = Rect(left, inner.top, inner.right - left, inner.h)
        canvas.draw_text(
            name, player.name, MIN_FAR_EM if now else HEADING_EM, INK if now else MUTED, weight=FontWeight.BOLD
        )


def _draw_scored(canvas: Canvas, rect: Rect, view: MemoDiceView, players: tuple[Player, ...]) -> None:
    """D31, D33: how far each piece moves, from where to where, and who starts the next round."""
    gap = canvas.px(1.2)
    steps = {player.seat: f"{view.squares[player.seat] - _squares_moved(view, player.seat)}" for player in players}
    width = max(
        canvas.fonts.measure_width(f"+{_squares_moved(view, p.seat)}", FontWeight.BOLD, canvas.px_at_least(MIN_FAR_EM))
        for p in players
    )
    for player, each in zip(players, split_rows(rect, len(players), gap, canvas.px(20)), strict=True):
        holds = view.gold_holder == player.seat
        canvas.draw_panel(each, RAISED if holds else PANEL, radius=2.0)
        inner = each.inflate(-canvas.px(4), -canvas.px(1))
        size = min(canvas.px(9), inner.h - canvas.px(1))
        draw_player_piece(canvas, (inner.left + size // 2, inner.centery), size, player)
        moved = _squares_moved(view, player.seat)
        plus = Rect(inner.left + size + canvas.px(2), inner.top, width, inner.h)
        colour = GOOD if moved else MUTED
        canvas.draw_text(plus, f"+{moved}", MIN_FAR_EM, colour, weight=FontWeight.BOLD, min_size=MIN_FAR_EM, align=1.0)
        right = Rect(plus.right + canvas.px(3), inner.top, inner.right - plus.right - canvas.px(3), inner.h)
        if holds:
            mark = min(canvas.px(9), inner.h)
            draw_cup(canvas, (right.right - mark // 2, right.centery), mark, MemoColour.GOLD)
            right.w -= mark + canvas.px(2)
        was, now = steps[player.seat], view.squares[player.seat]
        way = _("{was} to {now}", was=was, now=now) if moved else _("stays on {n}", n=was)
        upper = Rect(right.left, right.top, right.w, right.h * 55 // 100)
        lower = Rect(right.left, upper.bottom, right.w, right.bottom - upper.bottom)
        starts = holds and view.active_seat == player.seat and view.phase is not Phase.OVER
        canvas.draw_text(upper, way, 5.8, INK, weight=FontWeight.BOLD, vertical_align=0.9)
        note = _(PIECE_NAMES[player.piece_colour]) if player.piece_colour in PIECE_NAMES else ""
        if holds:
            note = _("Golden cup: starts") if starts else _("Golden cup")
        if view.away[player.seat]:
            note = _("{note}, away", note=note) if note else _("away")
        canvas.draw_text(lower, note, SMALL_EM, INK if holds else MUTED, vertical_align=0.3)


def _squares_moved(view: MemoDiceView, seat: Seat) -> int:
    """D30: what the round just scored brought."""
    return view.round_scores[-1][seat] if view.round_scores else 0
