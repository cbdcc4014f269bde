"""The scene of Memo Dice: its centre for every phase of a round."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import cv2
import numpy as np
from pygame import Rect

from companion.display.scenes.base import GameScene, Way
from companion.display.scenes.memo_dice.table import PAINT, board, cup, piece, row, row_height, supply
from companion.display.sound_effects import Effect
from companion.display.toolkit.canvas import Canvas
from companion.display.toolkit.layout import Grid, grid, rows
from companion.display.toolkit.text import Weight
from companion.display.toolkit.theme import (
    BODY,
    COLOURS,
    FAR,
    GOOD,
    HEAD,
    HUGE,
    INK,
    MUTED,
    PANEL,
    PIECES,
    RAISED,
    SHAPES,
    SMALL,
    WARN,
)
from companion.display.widgets.clocks import clock_shows, draw_clock
from companion.display.widgets.dialog import dialog
from companion.display.widgets.header import header, status
from companion.display.widgets.players import players
from companion.display.widgets.soft_keys import keys
from companion.games.api.game import Seat
from companion.games.memo_dice.view import Colour, MemoDiceView, Phase
from companion.i18n import N_, Words
from companion.screen_state import Face, Player, RunningClock, Shown
from companion.vision.reading import Image

_ = Words("memo_dice")

COVERING = (Phase.COVER, Phase.LOOK)
PIECE = {
    "white": N_("White piece"),
    "purple": N_("Purple piece"),
    "orange": N_("Orange piece"),
    "green": N_("Green piece"),
}
NAMED = 56.0
"""Width that a badge and a long name need."""
SIDE = 27.0
"""Width of the dice left, or of the clock."""


class MemoDiceScene(GameScene[MemoDiceView]):
    """Players at the left; the row of cups over what matters in the phase; the board at the top right.

    No picture of the camera is shown: it would give away what the cups hide. The face of a die is shown once its cup
    was lifted.
    """

    POINTS = ("pointer", WARN)

    def draw(self, canvas: Canvas, shown: Shown) -> None:
        """Draws `shown`, whose view is a `MemoDiceView`."""
        view = shown.view
        assert isinstance(view, MemoDiceView), "the scene of Memo Dice draws its own game"
        places = grid(canvas)
        header(canvas, places, shown, view.active, rounds=1)
        canvas.part(
            "track",
            places.track,
            (view.round, view.squares, view.start_square, view.target_square, shown.players),
            lambda: board(canvas, places.track, view, shown.players),
        )
        players(canvas, places, shown, view.active, view.points)
        if not dialog(canvas, places.centre, shown, "main"):
            self._centre(canvas, places, shown, view)
        status(canvas, places, shown)
        keys(canvas, places, shown)

    def round(self, view: MemoDiceView) -> int:
        return view.round

    def effect(self, before: MemoDiceView, after: MemoDiceView) -> Effect | None:
        return Effect.GOLD if before.gold_holder is None and after.gold_holder is not None else None

    def ways(self, before: MemoDiceView, after: MemoDiceView) -> Iterator[Way]:
        """A cup goes to who has won it (D22, D23)."""
        for i, (old, new) in enumerate(zip(before.row, after.row, strict=False)):
            if old.taker is None and new.taker is not None:
                yield Way("cup", PIECES[PAINT[new.colour]], f"cup {i}", f"player {new.taker}")

    def _centre(self, canvas: Canvas, places: Grid, shown: Shown, view: MemoDiceView) -> None:
        rect = places.centre
        clock = shown.clocks[0] if shown.clocks else None

        def paint() -> None:
            if view.phase in (*COVERING, Phase.UNCOVER):
                _playing(canvas, rect, view, shown.players, clock, shown.face)
            else:
                _scored(canvas, rect, view, shown.players)

        shows = clock_shows(clock) if clock else None
        canvas.part("main", rect, (view, shown.players, shows, shown.face), paint)


def _playing(
    canvas: Canvas,
    rect: Rect,
    view: MemoDiceView,
    people: tuple[Player, ...],
    clock: RunningClock | None,
    face: Face | None,
) -> None:
    """The row, and under it what the phase is about; at the right the clock, how many dice are left, or a face.

    A face whose cup has just been lifted stands as high as all of it: that is what everybody looks at.
    """
    gap = canvas.px(1.6)
    covering = view.phase in COVERING
    if face is not None and view.lifted and rect.w * 2 > rect.h * 3:
        rect = Rect(rect.left, rect.top, rect.w - _face(canvas, rect, face) - gap, rect.h)
        face = None
    above = Rect(rect.left, rect.top, rect.w, min(row_height(canvas, rect.w, view), rect.h * 55 // 100))
    row(canvas, above, view, people)
    below = Rect(rect.left, above.bottom + gap, rect.w, rect.bottom - above.bottom - gap)
    if covering or clock is not None:
        wide = min(canvas.px(SIDE), below.w // 3)
        side = Rect(below.right - wide, below.top, wide, below.h)
        below.w -= wide + gap
        if clock is not None:
            draw_clock(canvas, side, clock, _("Look") if covering else _("Answer"))
        else:
            _dice_left(canvas, side, view)
    elif face is not None and not covering:
        below.w -= _face(canvas, below, face) + gap
    if covering:
        supply(canvas, below, view)
    else:
        _guessing(canvas, below, view, people)


def _face(canvas: Canvas, rect: Rect, face: Face) -> int:
    """What lay under the cup that was lifted last, as large as there is room, at the right of `rect`; its width."""
    words = canvas.px(5.4)
    side = min(rect.h - words - canvas.px(2.4), rect.w * 45 // 100)
    said = _("Under cup {n}", n=face.cup)
    wide = max(side, canvas.type.width(said, Weight.MEDIUM, canvas.px(SMALL)) + canvas.px(1)) + canvas.px(3)
    panel = Rect(rect.right - wide, rect.top, wide, rect.h)
    canvas.panel(panel, PANEL, radius=2.0)
    picture = Rect(0, 0, side, side)
    picture.midtop = (panel.centerx, panel.top + canvas.px(1.5))
    canvas.image(_decoded(face.picture), picture)
    label = Rect(panel.left, panel.bottom - words - canvas.px(0.4), panel.w, words)
    canvas.text(label, said, SMALL, MUTED, align=0.5)
    return panel.w


@lru_cache(maxsize=4)
def _decoded(picture: bytes) -> Image:
    """The picture's pixels; a grey square for one that is damaged."""
    found = cv2.imdecode(np.frombuffer(picture, np.uint8), cv2.IMREAD_COLOR) if picture else None
    return np.full((8, 8, 3), 90, np.uint8) if found is None else np.asarray(found, np.uint8)


def _dice_left(canvas: Canvas, rect: Rect, view: MemoDiceView) -> None:
    canvas.panel(rect, PANEL, radius=2.0)
    inner = rect.inflate(-canvas.px(3), -canvas.px(2))
    line = canvas.px(5.4)
    words = Rect(inner.left, inner.bottom - line, inner.w, line)
    number = Rect(inner.left, inner.top, inner.w, words.top - inner.top)
    canvas.text(number, str(view.dice_left), HUGE, INK, weight=Weight.BOLD, least=FAR, align=0.5)
    canvas.text(words, _("Last die") if view.dice_left == 1 else _("Dice left"), BODY, MUTED, align=0.5)


def _guessing(canvas: Canvas, rect: Rect, view: MemoDiceView, people: tuple[Player, ...]) -> None:
    """D20, D23: who guesses, and who goes on after a miss."""
    gap = canvas.px(1.6)
    tall = (rect.h - gap) * 58 // 100
    first = Rect(rect.left, rect.top, rect.w, tall)
    second = Rect(rect.left, first.bottom + gap, rect.w, rect.bottom - first.bottom - gap)
    words = (_("Has named it") if view.called else _("Guesses"), _("After a miss"))
    label = max(canvas.type.width(word, Weight.MEDIUM, canvas.px(SMALL)) for word in words) + canvas.px(1)
    # Beside a large face there is no room for a word before the name.
    above = rect.w < label + canvas.px(NAMED)
    for card, word, seat in zip((first, second), words, (view.active, view.left), strict=True):
        now = card is first
        player = people[seat]
        canvas.panel(card, RAISED if now else PANEL, edge=COLOURS[player.button] if now else None, radius=2.0)
        inner = card.inflate(-canvas.px(3 if above else 5), -canvas.px(1.4 if above else 2))
        line = Rect(inner.left, inner.top, inner.w if above else label, canvas.px(5) if above else inner.h)
        canvas.text(line, word, SMALL, INK if now else MUTED)
        if above:
            inner = Rect(inner.left, line.bottom, inner.w, inner.bottom - line.bottom)
        left = inner.left if above else line.right + canvas.px(1.5)
        size = min(canvas.px(11 if now else 8), inner.h)
        canvas.sign(SHAPES[player.button], (left + size // 2, inner.centery), size, COLOURS[player.button])
        left += size + canvas.px(1 if above else 2)
        name = Rect(left, inner.top, inner.right - left, inner.h)
        canvas.text(name, player.name, FAR if now else HEAD, INK if now else MUTED, weight=Weight.BOLD)


def _scored(canvas: Canvas, rect: Rect, view: MemoDiceView, people: tuple[Player, ...]) -> None:
    """D31, D33: how far each piece moves, from where to where, and who starts the next round."""
    gap = canvas.px(1.2)
    steps = {player.seat: f"{view.squares[player.seat] - _moved(view, player.seat)}" for player in people}
    width = max(canvas.type.width(f"+{_moved(view, p.seat)}", Weight.BOLD, canvas.floor(FAR)) for p in people)
    for player, each in zip(people, rows(rect, len(people), gap, canvas.px(20)), strict=True):
        holds = view.gold_holder == player.seat
        canvas.panel(each, RAISED if holds else PANEL, radius=2.0)
        inner = each.inflate(-canvas.px(4), -canvas.px(1))
        size = min(canvas.px(9), inner.h - canvas.px(1))
        piece(canvas, (inner.left + size // 2, inner.centery), size, player)
        moved = _moved(view, player.seat)
        plus = Rect(inner.left + size + canvas.px(2), inner.top, width, inner.h)
        colour = GOOD if moved else MUTED
        canvas.text(plus, f"+{moved}", FAR, colour, weight=Weight.BOLD, least=FAR, align=1.0)
        right = Rect(plus.right + canvas.px(3), inner.top, inner.right - plus.right - canvas.px(3), inner.h)
        if holds:
            mark = min(canvas.px(9), inner.h)
            cup(canvas, (right.right - mark // 2, right.centery), mark, Colour.GOLD)
            right.w -= mark + canvas.px(2)
        was, now = steps[player.seat], view.squares[player.seat]
        way = _("{was} to {now}", was=was, now=now) if moved else _("stays on {n}", n=was)
        upper = Rect(right.left, right.top, right.w, right.h * 55 // 100)
        lower = Rect(right.left, upper.bottom, right.w, right.bottom - upper.bottom)
        starts = holds and view.active == player.seat and view.phase is not Phase.OVER
        canvas.text(upper, way, 5.8, INK, weight=Weight.BOLD, upright=0.9)
        note = _(PIECE[player.piece]) if player.piece in PIECE else ""
        if holds:
            note = _("Golden cup: starts") if starts else _("Golden cup")
        if view.away[player.seat]:
            note = _("{note}, away", note=note) if note else _("away")
        canvas.text(lower, note, SMALL, INK if holds else MUTED, upright=0.3)


def _moved(view: MemoDiceView, seat: Seat) -> int:
    """D30: what the round just scored brought."""
    return view.rounds[-1][seat] if view.rounds else 0
