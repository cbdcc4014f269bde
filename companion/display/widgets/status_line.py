"""The status line over the keys: a notice, or the last move; at its right, the effect of holding a button.

The far layout has none: there a notice takes the place of the players' strip, or of the header.
"""

from collections.abc import Hashable

from companion.display.toolkit import (
    BACKGROUND,
    BUTTON_COLOURS,
    INK,
    MUTED,
    RAISED,
    SEAT_SHAPES,
    TEXT_EM,
    WARN,
    Canvas,
    Rect,
    ScreenLayout,
    Typeface,
    split_right,
)
from companion.display.widgets.camera_status import describe_camera, draw_camera_mark
from companion.i18n import _
from companion.screen_state import ScreenState, SoftKey

ICON_SIZE = 5.0
"""Size of the icons, in units."""
NOTICE_MARGINS = 12
"""Width of what stands beside a notice on its ground, in units."""


def draw_notice(canvas: Canvas, rect: Rect, notice: str, max_lines: int = 2, *, warns: bool = True) -> None:
    """Draw a notice, while a region is painted.

    Args:
        notice: the text.
        warns: on a ground that warns, and with its icon.
        max_lines: its lines at most.
    """
    if not warns:
        canvas.draw_panel(rect, RAISED)
        words = rect.inflate(-2 * canvas.px(1.5), 0)
        canvas.draw_text(words, notice, TEXT_EM, INK, face=Typeface.DISPLAY, max_lines=max_lines)
        return
    canvas.draw_panel(rect, WARN)
    line = canvas.draw_icon_left(rect, "bang", canvas.px(ICON_SIZE), BACKGROUND, margin=1.5, gap=1)
    canvas.draw_text(line, notice, TEXT_EM, BACKGROUND, face=Typeface.DISPLAY, max_lines=max_lines)


def has_status_line(canvas: Canvas) -> bool:
    """Return whether there is a status line: not in the far layout, and not without keys."""
    return canvas.preferences.has_keys and not canvas.is_far


def draw_status_line(canvas: Canvas, layout: ScreenLayout, state: ScreenState) -> None:
    """Draw the status line as the region "status": the notice, if there is one, else the last move.

    A last move too long for the line is shown without the list of points that ends it: "Round 1 is scored".

    At its right it says what holding a button does, unless the notice needs the whole line; these words can be held
    too, if a short press of that button does nothing. What holding one player's own button does stands before that, if
    there is room. Beside them, how well the camera sees the table: an eye, and if it does not see it well, the reason
    in a word where there is room (not upright).

    In the far layout, and without keys, nothing is drawn.

    Args:
        layout: places of the screen.
    """
    if not has_status_line(canvas):
        return
    notice = state.notice
    hints = _list_hints(state)
    held = hints[0] if hints else None
    presses = {key.button for key in state.soft_keys if key.label and not key.is_hold}
    is_idle = held is not None and held.button not in presses
    rect = layout.status
    max_lines = 2 if canvas.is_portrait else 1
    camera = (state.camera_view.state, state.camera_view.problem) if state.uses_camera else None

    def width_of(text: str) -> int:
        return canvas.min_text_width(text, max_lines, Typeface.DISPLAY)

    def paint() -> None:
        room = Rect(rect)
        if camera is not None:
            mark, room = split_right(rect, canvas.px(8), canvas.px(1))
            draw_camera_mark(canvas, mark, state.camera_view)
        label, icon, colour = describe_camera(state.camera_view)
        # A notice that needs the whole line has it: what holding a button does is back once the notice has gone.
        hint_width = width_of(held.label) + canvas.px(ICON_SIZE + 3) if held is not None else 0
        sentence = width_of(_remove_points(state.last_move or "")) + canvas.px(2)
        if notice is not None:
            sentence = width_of(notice) + canvas.px(NOTICE_MARGINS)
        if held is not None:
            # On one line, where the sentence leaves it the room.
            wide = _measure_hint(canvas, held)
            hint_width = wide if sentence + wide <= room.w else hint_width
        reason = _(label) if camera is not None and icon != "ok" else ""
        reason_width = canvas.text_width(reason, face=Typeface.DISPLAY)
        needed = width_of(_remove_points(state.last_move or "")) + hint_width + reason_width + canvas.px(3)
        if reason and notice is None and needed <= room.w and not canvas.is_portrait:
            place, room = split_right(room, reason_width, canvas.px(2))
            canvas.draw_text(place, reason, TEXT_EM, colour, face=Typeface.DISPLAY)
        if held is not None and not (
            notice is not None and width_of(notice) > room.w - hint_width - canvas.px(NOTICE_MARGINS)
        ):
            hint, room = split_right(room, hint_width, canvas.px(1))
            hint = _draw_hint(canvas, hint, held, max_lines)
            if is_idle:  # else a touch that is too short would do something else
                canvas.add_touch_area(hint.inflate(2 * canvas.px(ICON_SIZE), canvas.px(2)), held.button)
        for other in hints[1:]:
            if sentence + (width := _measure_hint(canvas, other)) <= room.w:
                hint, room = split_right(room, width, canvas.px(2))
                _draw_hint(canvas, hint, other, max_lines)
        if notice is not None:
            draw_notice(canvas, room, notice, max_lines, warns=state.notice_warns)
        elif state.last_move:
            text = state.last_move
            if width_of(text) > room.w:
                text = _remove_points(text)  # they stand on the stage
            canvas.draw_text(room, text, TEXT_EM, INK, face=Typeface.DISPLAY, max_lines=max_lines)

    content: Hashable = (notice, state.notice_warns, state.last_move, hints, is_idle, camera)
    canvas.draw_region("status", rect, content, paint)


def _list_hints(state: ScreenState) -> tuple[SoftKey, ...]:
    """List the held keys that the line explains, the one that has the room first; number keys show it themselves.

    What all players may hold their own buttons for is known after the first time: the help has it.
    """
    keys = [key for key in state.soft_keys if key.is_hold and not key.is_number]
    undo, own = ([key for key in keys if (key.button in SEAT_SHAPES) is is_own] for is_own in (False, True))
    return (*undo, *own) if len(own) == 1 else tuple(undo)


def _measure_hint(canvas: Canvas, key: SoftKey) -> int:
    """Measure the width of a hint on one line, in pixels."""
    return canvas.text_width(key.label, face=Typeface.DISPLAY) + canvas.px(ICON_SIZE + 3)


def _draw_hint(canvas: Canvas, rect: Rect, key: SoftKey, max_lines: int) -> Rect:
    """Draw the button and what holding it does; return the place of the words."""
    icon = SEAT_SHAPES.get(key.button, str(key.button))
    words = canvas.draw_icon_left(rect, icon, canvas.px(ICON_SIZE), BUTTON_COLOURS[key.button], gap=1)
    canvas.draw_text(words, key.label, TEXT_EM, MUTED, face=Typeface.DISPLAY, max_lines=max_lines)
    return words


def fits_status_line(canvas: Canvas, layout: ScreenLayout, state: ScreenState, text: str) -> bool:
    """Return whether a text is short enough for the status line, beside the hint on holding a button.

    Args:
        canvas: measures the text.
        layout: places of the screen.
        state: gives the hint.
        text: the text.
    """
    if not has_status_line(canvas):
        return False
    max_lines = 2 if canvas.is_portrait else 1
    hints = [canvas.text_width(key.label, face=Typeface.DISPLAY) for key in _list_hints(state)]
    room = layout.status.w - max(hints, default=0) - canvas.px(22)
    return canvas.min_text_width(text, max_lines, Typeface.DISPLAY) <= room


def _remove_points(text: str) -> str:
    """Return a sentence without the list of points that ends it; another sentence is returned as it is.

    >>> _remove_points("Round 1 is scored: Ada 5, Bob −2")
    'Round 1 is scored'
    >>> _remove_points("Ada stops (Ada +1)")
    'Ada stops'
    >>> _remove_points("Ada's pile: Bob is right, 1 star")
    "Ada's pile: Bob is right, 1 star"
    """
    sentence, _bracket, points = text.removesuffix(")").rpartition(" (")
    if sentence and text.endswith(")") and points[-1:].isdigit():
        return sentence
    sentence, _colon, points = text.rpartition(": ")
    is_list = ", " in points and all(part[-1:].isdigit() for part in points.split(", "))
    return sentence if is_list else text
