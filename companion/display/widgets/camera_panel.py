"""The camera's corner: a small live picture with what is read in it, and the camera's state in a word; or all large."""

from __future__ import annotations

from collections.abc import Iterable

from pygame import Rect

from companion.display.toolkit.canvas import Canvas
from companion.display.toolkit.layout import ScreenLayout
from companion.display.toolkit.text import FontWeight
from companion.display.toolkit.theme import (
    BACKGROUND,
    BAD,
    BODY_EM,
    DARK_PALETTE,
    GOOD,
    INK,
    MIN_EM,
    MIN_FAR_EM,
    MUTED,
    PANEL,
    SMALL_EM,
    WARN,
    Colour,
    Tone,
)
from companion.events import Button, CameraState
from companion.i18n import N_, Translator
from companion.screen_state import CameraView, EnlargedPicture, PictureMark
from companion.vision.reading import MIN_PLAY_CONFIDENCE, BoundingBox, Image, LidWindow, Reading
from companion.vision.view_check.problem import ProblemKind, ViewProblem

_ = Translator("companion")

STATE_LABELS: dict[CameraState, tuple[str, str, Colour]] = {
    CameraState.OFF: (N_("Camera off"), "minus", MUTED),
    CameraState.SEARCHING: (N_("Looking"), "dots", MUTED),
    CameraState.STEADY: (N_("I see it"), "ok", GOOD),
    CameraState.ROLLING: (N_("Dice rolling"), "dots", INK),
    CameraState.HAND: (N_("A hand"), "dots", INK),
    CameraState.UNSURE: (N_("Not sure"), "bang", WARN),
    CameraState.BLIND: (N_("Sees nothing"), "bang", BAD),
    CameraState.LOST: (N_("Unplugged"), "no", BAD),
}
"""Word, sign and colour of each state."""
PROBLEM_LABELS: dict[ProblemKind, str] = {
    ProblemKind.DARK: N_("Too dark"),
    ProblemKind.BRIGHT: N_("Too bright"),
    ProblemKind.BLURRED: N_("Blurred"),
    ProblemKind.MIRRORED: N_("Mirrored"),
    ProblemKind.CUT_OFF: N_("Lid cut off"),
    ProblemKind.FAR: N_("Too far away"),
    ProblemKind.TILTED: N_("Seen aslant"),
    ProblemKind.GLARE: N_("Glare"),
    ProblemKind.NO_DICE: N_("No dice seen"),
}
STATES_ABOVE_PROBLEMS = frozenset({CameraState.BLIND, CameraState.LOST})
"""States that say more than any fault of the view."""
# What is drawn on a picture is the same in every palette, for so is the picture: light on dark.
SURE_RGB, DOUBT_RGB, LIGHT_RGB, DARK_RGB = (
    DARK_PALETTE[Tone.GOOD],
    DARK_PALETTE[Tone.WARN],
    DARK_PALETTE[Tone.INK],
    DARK_PALETTE[Tone.BACKGROUND],
)
STATE_LINE_HEIGHT = 6.0
LARGE_PANEL_HEIGHT = 40.0
"""Height from which tokens bear their numbers."""
VALUE_CHIP_SIZE = (3.4, 4.2)
"""A value on the picture: width and height."""
CLOSE_UP_WIDTH_PERCENT = 36
"""Hundredths of the width for what is chosen, seen from near."""
CLOSE_UP_SCALE = 2.2
"""How much more than itself is seen of it."""


def draw_camera_panel(
    canvas: Canvas,
    layout: ScreenLayout,
    eyes: CameraView,
    *,
    is_hidden: bool = False,
    enlarge_button: Button | None = None,
) -> None:
    """Draws the corner.

    Args:
        blank: hides the picture, while it might show a secret.
        enlarges: the button that makes the picture large; a touch on it presses that.
    """
    rect = layout.camera
    picture = None if is_hidden else eyes.picture

    def paint() -> None:
        canvas.draw_panel(rect, PANEL)
        frame = Rect(rect.left, rect.top, rect.w, rect.h - canvas.px(STATE_LINE_HEIGHT)).inflate(
            -canvas.px(1.4), -canvas.px(1.4)
        )
        drawn = (
            _draw_picture(canvas, frame, eyes, rect.h >= canvas.px(LARGE_PANEL_HEIGHT)) if picture is not None else None
        )
        if drawn is None:
            canvas.draw_panel(frame, BACKGROUND, radius=1.0)
            said = _("Hidden") if is_hidden else _("No picture")
            canvas.draw_text(frame.inflate(-canvas.px(2), 0), said, SMALL_EM, MUTED, align=0.5)
        _draw_state(
            canvas,
            Rect(rect.left, rect.bottom - canvas.px(STATE_LINE_HEIGHT), rect.w, canvas.px(STATE_LINE_HEIGHT)),
            eyes,
        )
        if enlarge_button is not None:
            canvas.add_touch_area(rect, enlarge_button)
            if drawn is not None:
                # At the very corner, over the picture's edge: dice may lie anywhere.
                size = canvas.px(3.4)
                lens = canvas.draw_disc(
                    (rect.right - size * 3 // 4, rect.top + size * 3 // 4), size, DARK_RGB, LIGHT_RGB
                )
                canvas.draw_icon("plus", lens.center, size * 3 // 4, LIGHT_RGB)

    shows = (eyes.state, eyes if picture is not None else None, eyes.problem, is_hidden, enlarge_button)
    canvas.draw_region("camera", rect, shows, paint)


def draw_enlarged_camera(
    canvas: Canvas, rect: Rect, eyes: CameraView, large: EnlargedPicture, close_button: Button | None
) -> None:
    """Draws the picture large, what may be put right ringed on it, and what is chosen once more from near.

    Args:
        closes: the button that a touch on the picture presses.
    """
    chosen = next((spot for spot in large.marks if spot.selected), None)

    def paint() -> None:
        canvas.draw_panel(rect, PANEL, radius=2.4)
        word = canvas.px(STATE_LINE_HEIGHT + 1)
        frame = Rect(rect.left, rect.top, rect.w, rect.h - word).inflate(-canvas.px(1.6), -canvas.px(1.6))
        if close_button is not None:
            canvas.add_touch_area(frame, close_button)
        if eyes.picture is None:
            canvas.draw_panel(frame, BACKGROUND, radius=1.0)
            canvas.draw_text(frame.inflate(-canvas.px(2), 0), _("No picture"), BODY_EM, MUTED, align=0.5)
        else:
            if chosen is not None:
                beside = min(frame.w * CLOSE_UP_WIDTH_PERCENT // 100, frame.h)
                _draw_close_up(
                    canvas, Rect(frame.right - beside, frame.top, beside, frame.h), eyes, chosen, large.marks
                )
                frame.w -= beside + canvas.px(1.6)
            _draw_picture(canvas, frame, eyes, True, large.marks)
        line = Rect(rect.left, rect.bottom - word, rect.w, word)
        said = _describe_change(chosen)
        if said:
            half = line.w * 2 // 5
            hint = Rect(line.left + half, line.top, line.w - half - canvas.px(2), line.h)
            canvas.draw_text(hint, said, SMALL_EM, INK, align=1.0)
            line.w = half
        _draw_state(canvas, line, eyes)

    canvas.draw_region("main", rect, ("large", eyes, large, close_button), paint)


def _draw_close_up(
    canvas: Canvas, rect: Rect, eyes: CameraView, spot: PictureMark, spots: tuple[PictureMark, ...]
) -> None:
    """The chosen one from near, over the value that it is to have."""
    digit = canvas.px(MIN_FAR_EM + 3)
    value = Rect(rect.left, rect.bottom - digit, rect.w, digit)
    colour = INK if spot.value == spot.original else WARN
    canvas.draw_text(
        value, str(spot.value), MIN_FAR_EM + 2, colour, weight=FontWeight.BOLD, min_size=MIN_FAR_EM, align=0.5
    )
    picture, box = eyes.picture, dict(locate_spots(eyes.reading, spots)).get(spot) if eyes.reading else None
    if picture is None or box is None:
        return
    half = max(box[2] - box[0], box[3] - box[1]) * CLOSE_UP_SCALE / 2
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    top, left = max(0, round(y - half)), max(0, round(x - half))
    cut = picture[top : round(y + half), left : round(x + half)]
    if cut.size:
        canvas.draw_image(cut, Rect(rect.left, rect.top, rect.w, rect.h - digit - canvas.px(1)))


def locate_spots(reading: Reading, spots: tuple[PictureMark, ...]) -> list[tuple[PictureMark, BoundingBox]]:
    """The spots that are to be seen in the picture, with their places in its pixels.

    The ledger and the camera have the dice by value: the lowest of the one is the lowest of the other.
    """
    dice = sorted((spot for spot in spots if spot.kind == "die"), key=lambda spot: spot.original)
    found = [(s, d.box) for s, d in zip(dice, sorted(reading.dice, key=lambda die: die.value), strict=False)]
    windows = reading.lid.windows if reading.lid else ()
    for spot in spots:
        if spot.window is not None and spot.window < len(windows):
            (x, y), r = windows[spot.window].center, windows[spot.window].radius
            found.append((spot, (x - r, y - r, x + r, y + r)))
    return found


def _describe_change(spot: PictureMark | None) -> str:
    """What becomes of the chosen one."""
    if spot is None:
        return ""
    if spot.original == spot.value:
        return _("Not a {n}? Press + or −", n=spot.original)
    return _("OK: {was} becomes {now}", was=spot.original, now=spot.value)


def _draw_state(canvas: Canvas, line: Rect, eyes: CameraView) -> None:
    word, sign, colour = STATE_LABELS[eyes.state]
    if eyes.problem is not None and eyes.state not in STATES_ABOVE_PROBLEMS:
        word, sign, colour = PROBLEM_LABELS[eyes.problem.kind], "bang", WARN
    size = canvas.px(3.8)
    canvas.draw_icon(sign, (line.left + canvas.px(3.2), line.centery - canvas.px(0.4)), size, colour)
    line = Rect(line.left + canvas.px(6.2), line.top - canvas.px(0.4), line.w - canvas.px(7.2), line.h)
    canvas.draw_text(line, _(word), SMALL_EM, colour)


def _draw_picture(
    canvas: Canvas, frame: Rect, eyes: CameraView, large: bool, spots: tuple[PictureMark, ...] = ()
) -> Rect:
    """Draws the picture with what is read in it; returns where it lies."""
    assert eyes.picture is not None, "there is a picture"
    drawn = canvas.draw_image(eyes.picture, frame)
    marks = _PictureOverlay(canvas, drawn, eyes.picture)
    if eyes.reading is not None:
        marks.draw_marks(eyes.reading, spots)
        marks.draw_reading(eyes.reading, large)
    if eyes.problem is not None:
        marks.draw_problem(eyes.problem)
    return drawn


class _PictureOverlay:
    """What is drawn on one picture: `drawn` is where it lies on the canvas. No two values lie on each other."""

    def __init__(self, canvas: Canvas, drawn: Rect, picture: Image) -> None:
        self._canvas = canvas
        self._picture_rect = drawn
        self._scale = drawn.w / picture.shape[1]
        self._chips: list[Rect] = []

    def draw_reading(self, reading: Reading, large: bool) -> None:
        """Windows: a thick ring is a token, a thin one an open window. Dice: their values."""
        canvas = self._canvas
        for window in reading.lid.windows if reading.lid else ():
            sure = window.covered is not None and window.confidence >= MIN_PLAY_CONFIDENCE
            centre, radius = self._place_window(window)
            colour = SURE_RGB if sure else DOUBT_RGB
            if window.covered is False:
                canvas.draw_ring(centre, radius, DARK_RGB, 0.6)
                canvas.draw_ring(centre, radius, LIGHT_RGB if sure else DOUBT_RGB, 0.3)
            else:
                canvas.draw_ring(centre, radius, colour, 0.7 if large else 0.45)
            if large and window.number is not None and radius >= canvas.px(VALUE_CHIP_SIZE[0]):
                chip = Rect(0, 0, canvas.px(VALUE_CHIP_SIZE[0]), canvas.px(VALUE_CHIP_SIZE[1]))
                chip.center = (centre[0] + radius * 3 // 4, centre[1] - radius * 3 // 4)
                self._draw_chip(chip, window.number, colour)
        for die in reading.dice:
            colour = SURE_RGB if die.confidence >= MIN_PLAY_CONFIDENCE and not die.tilted else DOUBT_RGB
            box = self._place_box(die.box)
            canvas.draw_outline(box, colour)
            self._draw_value_beside(box, die.value, colour)

    def draw_marks(self, reading: Reading, spots: tuple[PictureMark, ...]) -> None:
        """Rings round what may be put right, a thick one round what is chosen."""
        canvas = self._canvas
        for spot, place in locate_spots(reading, spots):
            box = self._place_box(place)
            radius = (box.w + box.h) * (40 if spot.kind == "die" else 25) // 100 + canvas.px(0.8)
            canvas.draw_ring(box.center, radius + canvas.px(0.5), DARK_RGB, 2.2 if spot.selected else 1.0)
            canvas.draw_ring(box.center, radius, LIGHT_RGB, 1.2 if spot.selected else 0.4)

    def draw_problem(self, problem: ViewProblem) -> None:
        """What is wrong with the view, where it is."""
        canvas = self._canvas
        box = self._place_box(problem.box).clip(self._picture_rect)
        canvas.draw_outline(box, DOUBT_RGB)
        # In the middle of what is wrong, on a ground of its own: pictures have any colour.
        middle = box.clamp(self._picture_rect).center
        canvas.draw_disc(middle, canvas.px(6.4), DARK_RGB, DOUBT_RGB)
        canvas.draw_icon("bang", middle, canvas.px(4.2), DOUBT_RGB)

    def _draw_value_beside(self, box: Rect, value: int, colour: Colour) -> None:
        """The value over the box, or where else there is room for it."""
        chip = Rect(0, 0, self._canvas.px(VALUE_CHIP_SIZE[0]), self._canvas.px(VALUE_CHIP_SIZE[1]))
        chip.midbottom = (box.centerx, box.top)
        under, left, right = Rect(chip), Rect(chip), Rect(chip)
        under.midtop = (box.centerx, box.bottom)
        left.midright, right.midleft = (box.left, box.centery), (box.right, box.centery)
        free = (
            c
            for c in (chip, under, left, right)
            if self._picture_rect.contains(c) and not _overlaps_any(c, self._chips)
        )
        self._draw_chip(next(free, chip), value, colour)

    def _draw_chip(self, chip: Rect, value: int, colour: Colour) -> None:
        chip.clamp_ip(self._picture_rect)
        if _overlaps_any(chip, self._chips):
            return
        self._chips.append(chip)
        self._canvas.draw_panel(chip, colour, radius=0.6)
        self._canvas.draw_text(chip, str(value), MIN_EM, DARK_RGB, weight=FontWeight.BOLD, align=0.5)

    def _place_window(self, window: LidWindow) -> tuple[tuple[int, int], int]:
        """Centre and radius of a window."""
        x, y = (round(v * self._scale) for v in window.center)
        return (self._picture_rect.left + x, self._picture_rect.top + y), max(2, round(window.radius * self._scale))

    def _place_box(self, box: BoundingBox) -> Rect:
        x0, y0, x1, y1 = (round(v * self._scale) for v in box)
        return Rect(self._picture_rect.left + x0, self._picture_rect.top + y0, x1 - x0, y1 - y0)


def _overlaps_any(rect: Rect, others: Iterable[Rect]) -> bool:
    return any(rect.colliderect(other) for other in others)
