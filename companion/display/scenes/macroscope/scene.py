"""The Macroscope's scene: its centre for every phase of a turn."""

from __future__ import annotations

from pygame import Rect

from companion.display.scenes.base import GameScene
from companion.display.scenes.macroscope.lid import draw_cover_instructions, draw_lid, lid_content
from companion.display.scenes.macroscope.table import draw_dice, draw_guess_order, draw_guessers, draw_takeable
from companion.display.toolkit.canvas import Canvas
from companion.display.toolkit.layout import ScreenLayout, lay_out_screen
from companion.display.toolkit.text import FontWeight
from companion.display.toolkit.theme import HUGE_EM, INK, MUTED, PANEL, PIECE_RGB, SMALL_EM, WARN
from companion.display.widgets.camera_panel import draw_camera_panel, draw_enlarged_camera
from companion.display.widgets.clocks import clock_content, draw_clock
from companion.display.widgets.dialog import draw_dialog_if_open
from companion.display.widgets.header import draw_header, draw_round_track, draw_status_line
from companion.display.widgets.players import draw_players
from companion.display.widgets.soft_keys import draw_soft_keys
from companion.games.macroscope.view import MacroscopeView, Phase
from companion.i18n import Translator
from companion.screen_state import ScreenState

_ = Translator("macroscope")

COLUMN_WIDTH = 22.0
"""Width of what stands beside the lid."""
TAKEABLE_HEIGHT = 17.4
LID_ASPECT_RATIO = 4 / 3
"""Ratio of width to height of the lid."""


class MacroscopeScene(GameScene[MacroscopeView]):
    """Players at the left, the table's state in the middle, a guess's value and the camera at the right."""

    POINTS_ICON = ("gem", PIECE_RGB["blue"])

    def draw(self, canvas: Canvas, state: ScreenState) -> None:
        """Draws `shown`, whose view is a `MacroscopeView`."""
        view = state.view
        assert isinstance(view, MacroscopeView), "the Macroscope's scene draws its own game"
        places = lay_out_screen(canvas, camera_corner=True)
        draw_header(canvas, places, state, view.active_seat, view.round_count)
        draw_round_track(canvas, places, view.round_number, view.round_count)
        draw_players(canvas, places, state, view.active_seat, view.changes)
        if state.enlarged is not None:
            draw_enlarged_camera(canvas, places.centre, state.camera_view, state.enlarged, state.enlarge_button)
        elif not draw_dialog_if_open(canvas, places.main, state, "main"):
            self._draw_main(canvas, places, state, view)
        if state.enlarged is None or canvas.is_portrait:
            self._draw_side(canvas, places, state, view)
            # Until the windows are covered, the next card could be seen through them (M40).
            draw_camera_panel(
                canvas,
                places,
                state.camera_view,
                is_hidden=view.phase is Phase.COVER,
                enlarge_button=state.enlarge_button,
            )
        draw_status_line(canvas, places, state)
        draw_soft_keys(canvas, places, state)

    def current_round(self, view: MacroscopeView) -> int:
        return view.round_number

    def _draw_main(self, canvas: Canvas, places: ScreenLayout, shown: ScreenState, view: MacroscopeView) -> None:
        rect = places.main
        shows = (view, shown.players, shown.entered_numbers, lid_content(view, shown.camera_view))

        def paint() -> None:
            match view.phase:
                case Phase.COVER:
                    draw_cover_instructions(canvas, rect)
                case Phase.REVEAL | Phase.OVER:
                    draw_guessers(canvas, rect, view, shown.players)
                case _:
                    # What the lid leaves: in an upright place that is more.
                    wide = min(
                        max(canvas.px(COLUMN_WIDTH), rect.w - round(rect.h * LID_ASPECT_RATIO) - canvas.px(2)),
                        rect.w // 2,
                    )
                    _draw_column(canvas, Rect(rect.left, rect.top, wide, rect.h), shown, view)
                    left = rect.left + wide + canvas.px(2)
                    draw_lid(canvas, Rect(left, rect.top, rect.right - left, rect.h), view, shown.camera_view)

        canvas.draw_region("main", rect, shows, paint)

    def _draw_side(self, canvas: Canvas, places: ScreenLayout, shown: ScreenState, view: MacroscopeView) -> None:
        rect = places.side
        clock = shown.clocks[0] if shown.clocks else None
        hint = _("Renew the deck") if view.is_deck_empty else _("Bank runs low") if view.is_supply_exceeded else ""
        shows = (
            view.guess_value,
            view.is_value_frozen,
            view.covered_windows,
            hint,
            clock_content(clock) if clock else None,
        )

        def paint() -> None:
            value = Rect(rect)
            if clock is not None:
                value.h = rect.h * 54 // 100
                below = Rect(rect.left, value.bottom + canvas.px(1), rect.w, rect.bottom - value.bottom - canvas.px(1))
                draw_clock(canvas, below, clock, clock.label)
            _draw_guess_value(canvas, value, view, hint)

        canvas.draw_region("side", rect, shows, paint)


def _draw_column(canvas: Canvas, rect: Rect, shown: ScreenState, view: MacroscopeView) -> None:
    """Beside the lid: the dice and what they allow, or the order of the guessers."""
    if view.phase is Phase.ROLL:
        draw_dice(canvas, rect, shown.entered_numbers, ())
    elif view.phase is Phase.OPEN:
        foot = canvas.px(TAKEABLE_HEIGHT) if view.takeable_tokens else 0
        if view.dice:
            above = Rect(rect.left, rect.top, rect.w, rect.h - foot - (canvas.px(2) if foot else 0))
            draw_dice(canvas, above, view.dice, view.used_dice)
        if foot:
            draw_takeable(canvas, Rect(rect.left, rect.bottom - foot, rect.w, foot), view)
    else:
        draw_guess_order(canvas, rect, view, shown.players)


def _draw_guess_value(canvas: Canvas, rect: Rect, view: MacroscopeView, hint: str) -> None:
    canvas.draw_panel(rect, PANEL)
    inner = rect.inflate(-canvas.px(3), -canvas.px(2))
    line = canvas.px(5)
    canvas.draw_text(Rect(inner.left, inner.top, inner.w, line), _("A guess is worth"), SMALL_EM, MUTED, align=0.5)
    note = "" if rect.h < canvas.px(22) else hint or (_("Fixed") if view.is_value_frozen else _("Windows covered"))
    foot = Rect(inner.left, inner.bottom - line, inner.w, line) if note else Rect(inner.left, inner.bottom, inner.w, 0)
    top = inner.top + line + canvas.px(0.8)
    middle = Rect(inner.left, top, inner.w, foot.top - (canvas.px(0.8) if note else 0) - top)
    canvas.draw_text(middle, str(view.guess_value), HUGE_EM, INK, weight=FontWeight.BOLD, min_size=10, align=0.5)
    if note:
        canvas.draw_text(foot, note, SMALL_EM, WARN if hint else MUTED, align=0.5)
