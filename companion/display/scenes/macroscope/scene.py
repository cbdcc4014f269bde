"""The Macroscope's scene: its centre for every phase of a turn."""

from __future__ import annotations

from pygame import Rect

from companion.display.scenes.base import GameScene
from companion.display.scenes.macroscope.lid import closed_lid, lid, lid_shows
from companion.display.scenes.macroscope.table import dice, order, reveal, takeable
from companion.display.toolkit.canvas import Canvas
from companion.display.toolkit.layout import Grid, grid
from companion.display.toolkit.text import Weight
from companion.display.toolkit.theme import HUGE, INK, MUTED, PANEL, PIECES, SMALL, WARN
from companion.display.widgets.camera_panel import camera, enlarged
from companion.display.widgets.clocks import clock_shows, draw_clock
from companion.display.widgets.dialog import dialog
from companion.display.widgets.header import header, status, track
from companion.display.widgets.players import players
from companion.display.widgets.soft_keys import keys
from companion.games.macroscope.view import MacroscopeView, Phase
from companion.i18n import Words
from companion.screen_state import Shown

_ = Words("macroscope")

COLUMN = 22.0
"""Width of what stands beside the lid."""
TAKEABLE = 17.4
LID = 4 / 3
"""Ratio of width to height of the lid."""


class MacroscopeScene(GameScene[MacroscopeView]):
    """Players at the left, the table's state in the middle, a guess's value and the camera at the right."""

    POINTS = ("gem", PIECES["blue"])

    def draw(self, canvas: Canvas, shown: Shown) -> None:
        """Draws `shown`, whose view is a `MacroscopeView`."""
        view = shown.view
        assert isinstance(view, MacroscopeView), "the Macroscope's scene draws its own game"
        places = grid(canvas, corner=True)
        header(canvas, places, shown, view.active, view.rounds)
        track(canvas, places, view.marker, view.rounds)
        players(canvas, places, shown, view.active, view.changes)
        if shown.large is not None:
            enlarged(canvas, places.centre, shown.eyes, shown.large, shown.enlarges)
        elif not dialog(canvas, places.main, shown, "main"):
            self._main(canvas, places, shown, view)
        if shown.large is None or canvas.portrait:
            self._side(canvas, places, shown, view)
            # Until the windows are covered, the next card could be seen through them (M40).
            camera(canvas, places, shown.eyes, blank=view.phase is Phase.COVER, enlarges=shown.enlarges)
        status(canvas, places, shown)
        keys(canvas, places, shown)

    def round(self, view: MacroscopeView) -> int:
        return view.marker

    def _main(self, canvas: Canvas, places: Grid, shown: Shown, view: MacroscopeView) -> None:
        rect = places.main
        shows = (view, shown.players, shown.entered, lid_shows(view, shown.eyes))

        def paint() -> None:
            match view.phase:
                case Phase.COVER:
                    closed_lid(canvas, rect)
                case Phase.REVEAL | Phase.OVER:
                    reveal(canvas, rect, view, shown.players)
                case _:
                    # What the lid leaves: in an upright place that is more.
                    wide = min(max(canvas.px(COLUMN), rect.w - round(rect.h * LID) - canvas.px(2)), rect.w // 2)
                    _column(canvas, Rect(rect.left, rect.top, wide, rect.h), shown, view)
                    left = rect.left + wide + canvas.px(2)
                    lid(canvas, Rect(left, rect.top, rect.right - left, rect.h), view, shown.eyes)

        canvas.part("main", rect, shows, paint)

    def _side(self, canvas: Canvas, places: Grid, shown: Shown, view: MacroscopeView) -> None:
        rect = places.side
        clock = shown.clocks[0] if shown.clocks else None
        hint = _("Renew the deck") if view.deck_empty else _("Bank runs low") if view.reserve_hint else ""
        shows = (view.value, view.frozen, view.covered, hint, clock_shows(clock) if clock else None)

        def paint() -> None:
            value = Rect(rect)
            if clock is not None:
                value.h = rect.h * 54 // 100
                below = Rect(rect.left, value.bottom + canvas.px(1), rect.w, rect.bottom - value.bottom - canvas.px(1))
                word = _("Turn") if clock.name.startswith("turn") else _("Anyone else?")
                draw_clock(canvas, below, clock, word)
            _value(canvas, value, view, hint)

        canvas.part("side", rect, shows, paint)


def _column(canvas: Canvas, rect: Rect, shown: Shown, view: MacroscopeView) -> None:
    """Beside the lid: the dice and what they allow, or the order of the guessers."""
    if view.phase is Phase.ROLL:
        dice(canvas, rect, shown.entered, ())
    elif view.phase is Phase.OPEN:
        foot = canvas.px(TAKEABLE) if view.takeable else 0
        if view.dice:
            above = Rect(rect.left, rect.top, rect.w, rect.h - foot - (canvas.px(2) if foot else 0))
            dice(canvas, above, view.dice, view.dice_used)
        if foot:
            takeable(canvas, Rect(rect.left, rect.bottom - foot, rect.w, foot), view)
    else:
        order(canvas, rect, view, shown.players)


def _value(canvas: Canvas, rect: Rect, view: MacroscopeView, hint: str) -> None:
    canvas.panel(rect, PANEL)
    inner = rect.inflate(-canvas.px(3), -canvas.px(2))
    line = canvas.px(5)
    canvas.text(Rect(inner.left, inner.top, inner.w, line), _("A guess is worth"), SMALL, MUTED, align=0.5)
    note = "" if rect.h < canvas.px(22) else hint or (_("Fixed") if view.frozen else _("Windows covered"))
    foot = Rect(inner.left, inner.bottom - line, inner.w, line) if note else Rect(inner.left, inner.bottom, inner.w, 0)
    top = inner.top + line + canvas.px(0.8)
    middle = Rect(inner.left, top, inner.w, foot.top - (canvas.px(0.8) if note else 0) - top)
    canvas.text(middle, str(view.value), HUGE, INK, weight=Weight.BOLD, least=10, align=0.5)
    if note:
        canvas.text(foot, note, SMALL, WARN if hint else MUTED, align=0.5)
