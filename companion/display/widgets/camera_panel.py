"""The camera's picture with what is read in it, and how well the camera sees the table."""

from collections.abc import Sequence

from companion.display.toolkit import (
    BACKGROUND,
    DARK_PALETTE,
    INK,
    MUTED,
    PANEL,
    TEXT_EM,
    TITLE_EM,
    WARN,
    Canvas,
    Colour,
    Rect,
    Tone,
    Typeface,
    split_bottom,
    split_right,
)
from companion.display.widgets.camera_status import describe_camera
from companion.events import Button
from companion.i18n import _
from companion.screen_state import CameraView, EnlargedPicture, PictureMark
from companion.vision.confidence_limits import MIN_PLAY_CONFIDENCE
from companion.vision.reading import BoundingBox, Image, LidWindow, Reading, ViewProblem

# Drawn on a picture, colours are the same in every palette: light on dark.
SURE_RGB = DARK_PALETTE[Tone.GOOD]
"""Readings that are played automatically."""
DOUBT_RGB = DARK_PALETTE[Tone.WARN]
"""Readings that the companion asks about, and open windows."""
LIGHT_RGB = DARK_PALETTE[Tone.INK]
"""Light rings and signs."""
DARK_RGB = DARK_PALETTE[Tone.BACKGROUND]
"""The edge of light rings, and text on chips."""
STATE_LINE_HEIGHT = 7.0
"""Height of the line with the camera's state, in units."""
MIN_PICTURE_SHARE = 0.7
"""Width of the large picture at least, as a share of the screen's: rows without readings are cut off for it."""
READING_MARGIN_RATIO = 0.05
"""Rows kept above and below what is read, as a share of the picture's height."""
WHOLE_PICTURE_RATIO = 0.9
"""A problem whose box is higher than this share of the picture concerns all of it: its box keeps no rows."""
WORDS_LINES = 2
"""Lines of the sentence under the picture at most, in landscape; one more in portrait."""
LARGE_PANEL_HEIGHT = 40.0
"""Height in units from which tokens bear their numbers."""
VALUE_CHIP_SIZE = (5.0, 6.4)
"""Width and height of the chip with a value beside a die or token, in units."""
PROBLEM_SIGN_SIZE = 9.0
"""Size of the sign at what is wrong with the view, in units."""
CLOSE_UP_WIDTH_PERCENT = 26
"""Width of the selected die or token seen from close up, in percent of the picture's place."""
CLOSE_UP_SCALE = 2.2
"""Side of the close-up, as a multiple of the die or token: more shows more of its surroundings."""


def draw_camera_view(
    canvas: Canvas,
    rect: Rect,
    camera_view: CameraView,
    words: str | None = "",
    *,
    close_button: Button | None = None,
) -> None:
    """Draw the camera's picture with its reading as the region "camera", and under it its state and a sentence.

    Args:
        camera_view: the picture with its reading, and the camera's state.
        words: what to do, in a sentence; empty: only the state is drawn; None: the picture alone, on the ground.
        close_button: the button that a touch on the picture presses; None: it cannot be touched.

    Raises:
        cv2.error: the picture has a type or a number of channels that OpenCV cannot convert from BGR.
        ZeroDivisionError: the picture has no width or no height.
    """
    picture = camera_view.picture

    def paint() -> None:
        line, above = Rect(rect), rect
        if words is not None:
            canvas.draw_panel(rect, PANEL)
            room = rect.w - canvas.px(TEXT_EM) - canvas.px(4)
            is_one_line = canvas.text_width(words, face=Typeface.DISPLAY) <= room
            lines = 1 if is_one_line else WORDS_LINES + canvas.is_portrait
            line, above = split_bottom(rect, canvas.line_px(STATE_LINE_HEIGHT) * lines)
        frame = above.inflate(-canvas.px(1), -canvas.px(1))
        if picture is None:
            _draw_no_picture(canvas, frame)
        else:
            _draw_picture(canvas, frame, camera_view, picture, rect.h >= canvas.px(LARGE_PANEL_HEIGHT))
        if words:
            _label, icon, colour = describe_camera(camera_view)
            line = canvas.draw_icon_left(line, icon, canvas.px(TEXT_EM), colour, margin=1.5, gap=1.5)
            canvas.draw_text(line, words, TEXT_EM, INK, face=Typeface.DISPLAY, max_lines=lines)
        elif words is not None:
            _draw_state(canvas, line, camera_view)
        if close_button is not None:
            canvas.add_touch_area(rect, close_button)

    canvas.draw_region("camera", rect, (camera_view, words, close_button), paint)


def draw_enlarged_camera(
    canvas: Canvas, rect: Rect, camera_view: CameraView, enlarged: EnlargedPicture, close_button: Button | None
) -> None:
    """Draw the camera's picture large as the region "main", to correct what was read in it.

    Rings surround the dice and tokens that can be corrected. Beside the picture is a close-up of the selected die or
    token, with the value that it will have.

    Args:
        camera_view: the picture with its reading, and the camera's state.
        enlarged: the dice and tokens that can be corrected on it, and which one is selected.
        close_button: the button that a touch on the picture presses, to close it; None: it cannot be touched.

    Raises:
        cv2.error: the picture has a type or a number of channels that OpenCV cannot convert from BGR.
        ZeroDivisionError: the picture has no width or no height.
    """
    selected = next((mark for mark in enlarged.marks if mark.selected), None)

    def paint() -> None:
        canvas.draw_panel(rect, PANEL, radius=2.4)
        line, above = split_bottom(rect, canvas.line_px(STATE_LINE_HEIGHT + 1))
        frame = above.inflate(-canvas.px(1.6), -canvas.px(1.6))
        if camera_view.picture is None:
            _draw_no_picture(canvas, frame)
        else:
            if selected is not None:
                width = min(frame.w * CLOSE_UP_WIDTH_PERCENT // 100, frame.h)
                close_up, frame = split_right(frame, width, canvas.px(1.6))
                _draw_close_up(canvas, close_up, camera_view, selected, enlarged.marks)
            _draw_picture(canvas, frame, camera_view, camera_view.picture, True, enlarged.marks)
        if close_button is not None:
            canvas.add_touch_area(frame, close_button)
        if selected is not None:
            hint = line.inflate(-2 * canvas.px(2), 0)
            canvas.draw_text(hint, _describe_change(selected), TEXT_EM, INK, face=Typeface.DISPLAY, align=0.5)
        else:
            _draw_state(canvas, line, camera_view)

    canvas.draw_region("main", rect, ("large", camera_view, enlarged, close_button), paint)


def locate_spots(reading: Reading, marks: Sequence[PictureMark]) -> list[tuple[PictureMark, BoundingBox]]:
    """Return the marks that are visible in the picture, with their places.

    The game and the camera know the dice by value only, so both are paired in the order of their values.

    Args:
        reading: dice and windows as read, in pixels of the camera's picture.
        marks: the dice and tokens that can be corrected.

    Returns:
        Each visible mark with its bounding box (left, top, right, bottom) in pixels of the camera's picture. Marks for
        which nothing was read are left out.
    """
    dice = sorted((mark for mark in marks if mark.kind == "die"), key=lambda mark: mark.original)
    read = sorted(reading.dice, key=lambda die: die.value)
    located = [(mark, die.box) for mark, die in zip(dice, read, strict=False)]
    windows = reading.lid.windows if reading.lid else ()
    for mark in marks:
        if mark.window is not None and mark.window < len(windows):
            (x, y), r = windows[mark.window].center, windows[mark.window].radius
            located.append((mark, (x - r, y - r, x + r, y + r)))
    return located


def choose_rows(camera_view: CameraView, picture: Image, box: tuple[int, int], min_width: int) -> tuple[int, int]:
    """Choose the rows of the camera's picture to draw: fewer if it would be narrow, but all with readings in them.

    Args:
        camera_view: the reading, and the problem of the view; both may be missing.
        picture: (H, W, 3) uint8 BGR.
        box: width and height in pixels into which the picture is fitted.
        min_width: width in pixels that it should have at least.

    Returns:
        The first row, and the one after the last.
    """
    height, width = picture.shape[:2]
    kept = int(box[1] * width / max(1, min(min_width, box[0])))
    if kept >= height or kept < 1:
        return 0, height
    reading, problem = camera_view.reading, camera_view.problem
    rows = [y for die in reading.dice for y in die.box[1::2]] if reading is not None else []
    if reading is not None and reading.lid is not None:
        rows += [y for _x, y in reading.lid.corners]
    if problem is not None and problem.box[3] - problem.box[1] < height * WHOLE_PICTURE_RATIO:
        rows += problem.box[1::2]
    margin = height * READING_MARGIN_RATIO
    first, last = (max(0.0, min(rows) - margin), min(height, max(rows) + margin)) if rows else (0.0, float(height))
    kept = max(kept, round(last - first) if rows else 0)
    top = min(max(0, round((first + last - kept) / 2)), max(0, height - kept))
    return top, min(height, top + kept)


def _draw_no_picture(canvas: Canvas, frame: Rect) -> None:
    canvas.draw_panel(frame, BACKGROUND, radius=1.0)
    canvas.draw_text(frame.inflate(-canvas.px(2), 0), _("No picture"), TEXT_EM, MUTED, align=0.5)


def _draw_close_up(
    canvas: Canvas, rect: Rect, camera_view: CameraView, selected: PictureMark, marks: Sequence[PictureMark]
) -> None:
    """Draw the selected die or token from close up, over the value that it will have."""
    value, above = split_bottom(rect, canvas.px(TITLE_EM + 1), canvas.px(1))
    colour = INK if selected.value == selected.original else WARN
    canvas.draw_text(
        value,
        str(selected.value),
        TITLE_EM,
        colour,
        face=Typeface.DISPLAY,
        align=0.5,
    )
    picture, reading = camera_view.picture, camera_view.reading
    box = dict(locate_spots(reading, marks)).get(selected) if reading else None
    if picture is None or box is None:
        return
    half = max(box[2] - box[0], box[3] - box[1]) * CLOSE_UP_SCALE / 2
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    top, left = max(0, round(y - half)), max(0, round(x - half))
    crop = picture[top : round(y + half), left : round(x + half)]
    if crop.size:
        canvas.draw_image(crop, above)


def _describe_change(mark: PictureMark) -> str:
    """Say what OK does to the selected die or token, or how to correct it."""
    if mark.original == mark.value:
        return _("Not a {n}? Press + or −", n=mark.original)
    return _("OK: {was} becomes {now}", was=mark.original, now=mark.value)


def _draw_state(canvas: Canvas, line: Rect, camera_view: CameraView) -> None:
    """Draw the camera's state, or the problem of its view."""
    label, icon, colour = describe_camera(camera_view)
    lift = canvas.px(0.4)
    canvas.draw_icon(icon, (line.left + canvas.px(3.2), line.centery - lift), canvas.px(3.8), colour)
    line = Rect(line.left + canvas.px(6.2), line.top - lift, line.w - canvas.px(7.2), line.h)
    canvas.draw_text(line, _(label), TEXT_EM, colour)


def _draw_picture(
    canvas: Canvas,
    frame: Rect,
    camera_view: CameraView,
    picture: Image,
    is_large: bool,
    marks: Sequence[PictureMark] = (),
) -> None:
    """Draw the picture with what is read in it."""
    rows = choose_rows(camera_view, picture, frame.size, round(canvas.size[0] * MIN_PICTURE_SHARE))
    overlay = _PictureOverlay(canvas, canvas.draw_image(picture, frame, rows), picture, rows[0])
    if camera_view.reading is not None:
        overlay.draw_marks(camera_view.reading, marks)
        overlay.draw_reading(camera_view.reading, is_large)
    if camera_view.problem is not None:
        overlay.draw_problem(camera_view.problem)


class _PictureOverlay:
    """Draws readings on a picture; no two values lie on each other.

    Args:
        canvas: where the picture was drawn.
        picture_rect: its place on the canvas, in pixels.
        picture: the picture; readings are in its pixels.
        first_row: the row of the picture that was drawn first.
    """

    def __init__(self, canvas: Canvas, picture_rect: Rect, picture: Image, first_row: int) -> None:
        self._canvas = canvas
        self._picture_rect = picture_rect
        self._scale = picture_rect.w / picture.shape[1]
        self._top = picture_rect.top - round(first_row * self._scale)
        self._chips: list[Rect] = []

    def draw_reading(self, reading: Reading, is_large: bool) -> None:
        """Draw a thick ring around each token, a thin one around each open window, and the values of the dice."""
        canvas = self._canvas
        for window in reading.lid.windows if reading.lid else ():
            is_sure = window.covered is not None and window.confidence >= MIN_PLAY_CONFIDENCE
            centre, radius = self._place_window(window)
            colour = SURE_RGB if is_sure else DOUBT_RGB
            if window.covered is False:
                canvas.draw_ring(centre, radius, DARK_RGB, 0.6)
                canvas.draw_ring(centre, radius, LIGHT_RGB if is_sure else DOUBT_RGB, 0.3)
            else:
                canvas.draw_ring(centre, radius, colour, 0.7 if is_large else 0.45)
            if is_large and window.number is not None and radius >= canvas.px(VALUE_CHIP_SIZE[0]):
                chip = self._new_chip()
                chip.center = (centre[0] + radius * 3 // 4, centre[1] - radius * 3 // 4)
                self._draw_chip(chip, window.number, colour)
        for die in reading.dice:
            colour = SURE_RGB if die.confidence >= MIN_PLAY_CONFIDENCE and not die.tilted else DOUBT_RGB
            box = self._place_box(die.box)
            canvas.draw_outline(box, colour)
            self._draw_value_beside(box, die.value, colour)

    def draw_marks(self, reading: Reading, marks: Sequence[PictureMark]) -> None:
        """Draw rings around what can be corrected, a thick one around what is selected."""
        canvas = self._canvas
        for mark, place in locate_spots(reading, marks):
            box = self._place_box(place)
            radius = (box.w + box.h) * (40 if mark.kind == "die" else 25) // 100 + canvas.px(0.8)
            canvas.draw_ring(box.center, radius + canvas.px(0.5), DARK_RGB, 2.2 if mark.selected else 1.0)
            canvas.draw_ring(box.center, radius, LIGHT_RGB, 1.2 if mark.selected else 0.4)

    def draw_problem(self, problem: ViewProblem) -> None:
        """Draw an outline around what is wrong with the view, and a warning sign in its upper right corner."""
        canvas = self._canvas
        box = self._place_box(problem.box).clip(self._picture_rect)
        canvas.draw_outline(box, DOUBT_RGB)
        # On a ground of its own: pictures have any colour.
        size = canvas.px(PROBLEM_SIGN_SIZE)
        disc = canvas.draw_disc((box.right - size * 3 // 4, box.top + size * 3 // 4), size, DOUBT_RGB)
        canvas.draw_icon("bang", disc.center, size * 3 // 4, DARK_RGB)

    def _new_chip(self) -> Rect:
        return Rect(0, 0, self._canvas.px(VALUE_CHIP_SIZE[0]), self._canvas.px(VALUE_CHIP_SIZE[1]))

    def _draw_value_beside(self, box: Rect, value: int, colour: Colour) -> None:
        """Draw a value over the box, or else under, left or right of it where there is room."""
        over, under, left, right = (self._new_chip() for _ in range(4))
        over.midbottom, under.midtop = box.midtop, box.midbottom
        left.midright, right.midleft = box.midleft, box.midright
        free = (
            chip
            for chip in (over, under, left, right)
            if self._picture_rect.contains(chip) and chip.collidelist(self._chips) < 0
        )
        self._draw_chip(next(free, over), value, colour)

    def _draw_chip(self, chip: Rect, value: int, colour: Colour) -> None:
        """Draw a value, unless its place is taken by another."""
        chip.clamp_ip(self._picture_rect)
        if chip.collidelist(self._chips) >= 0:
            return
        self._chips.append(chip)
        self._canvas.draw_panel(chip, colour, radius=0.6)
        self._canvas.draw_text(chip, str(value), TEXT_EM, DARK_RGB, face=Typeface.DISPLAY, align=0.5)

    def _place_window(self, window: LidWindow) -> tuple[tuple[int, int], int]:
        """Return centre and radius of a window on the canvas, in pixels."""
        x, y = (round(v * self._scale) for v in window.center)
        centre = (self._picture_rect.left + x, self._top + y)
        return centre, max(2, round(window.radius * self._scale))

    def _place_box(self, box: BoundingBox) -> Rect:
        """Return a bounding box of the picture as a rectangle on the canvas."""
        x0, y0, x1, y1 = (round(v * self._scale) for v in box)
        return Rect(self._picture_rect.left + x0, self._top + y0, x1 - x0, y1 - y0)
