"""The counting tray's scene: the number of hits as large as fits, beside the camera's picture with each hit marked."""

from companion.api import Seat, Translator, format_number
from companion.display.api import (
    BACKGROUND,
    GAP,
    INK,
    PANEL,
    TEXT_EM,
    TITLE_EM,
    Canvas,
    GameScene,
    Rect,
    ScreenLayout,
    ScreenState,
    Tone,
    Typeface,
    split_bottom,
    split_grid,
    split_right,
)
from companion.display.toolkit import DARK_PALETTE
from companion.display.widgets.camera_panel import choose_rows
from companion.games.counting_tray.game import CountingTray, Phase, format_threshold
from companion.screen_state import CameraView
from companion.vision.reading import Image

_ = Translator("counting_tray")

FIGURE_PERCENT = 42
"""Width of the figure beside the dice, in percent of the stage's."""
PORTRAIT_FIGURE_PERCENT = 56
"""Upright, its height under them, in percent of the stage's."""
CAPTION_HEIGHT = 8.0
"""Height of each line under the figure, in units."""
MAX_FIGURE_EM = 60.0
"""Largest size of the figure, in units."""
MAX_DIE_SIZE = 16.0
"""Largest side of a die, in units."""
HIT_RGB = DARK_PALETTE[Tone.GOOD]
"""Outline of a die that counts; on a picture, colours are the same in every palette."""
DOUBT_RGB = DARK_PALETTE[Tone.WARN]
"""Outline of a die that could not be read for sure."""
EDGE_RGB = DARK_PALETTE[Tone.BACKGROUND]
"""Dark edge around the outlines."""


class CountingTrayScene(GameScene[CountingTray]):
    """The scene of the counting tray."""

    ACCENT = (150, 60, 52)
    HAS_OWN_STANDINGS = True

    def draw_game(self, canvas: Canvas, layout: ScreenLayout, state: ScreenState, view: CountingTray) -> None:
        """Draw the dice, and how many of them count."""
        rect, camera = layout.stage, state.camera_view
        has_picture = state.uses_camera and camera.picture is not None
        content = (view.faces, view.threshold, view.again_counts, view.phase, camera if has_picture else None)

        def paint() -> None:
            gap = canvas.px(GAP)
            if canvas.is_portrait:
                figure, dice = split_bottom(rect, rect.h * PORTRAIT_FIGURE_PERCENT // 100, gap)
            else:
                figure, dice = split_right(rect, rect.w * FIGURE_PERCENT // 100, gap)
            if camera.picture is not None and has_picture:
                _draw_marked_picture(canvas, dice, camera, camera.picture, view)
            else:
                _draw_faces(canvas, dice, view)
            _draw_figure(canvas, figure, view)

        canvas.draw_region("main", rect, content, paint)

    def find_active_seat(self, view: CountingTray) -> Seat | None:
        """Return the seat that throws; None after the end."""
        return None if view.is_over else view.active_seat


def _draw_figure(canvas: Canvas, rect: Rect, view: CountingTray) -> None:
    """Draw the number of hits, what counts, and of how many dice."""
    is_counted = view.phase is not Phase.THROW
    below, above = split_bottom(rect, 2 * canvas.px(CAPTION_HEIGHT), canvas.px(1))
    canvas.draw_figure(above, format_number(view.hits) if is_counted else "?", max_em=MAX_FIGURE_EM)
    second, first = split_bottom(below, below.h // 2)
    canvas.draw_text(first, format_threshold(view.threshold), TITLE_EM, INK, face=Typeface.DISPLAY, align=0.5)
    if is_counted:
        text = _.plural("of {n} die", "of {n} dice", view.dice_count)
        if view.again_counts:
            again = _("re-rolled {n}", n=format_number(sum(view.again_counts)))
            text = f"{text} · {again}"
        canvas.draw_text(second, text, TEXT_EM, INK, face=Typeface.DISPLAY, align=0.5)


def _draw_faces(canvas: Canvas, rect: Rect, view: CountingTray) -> None:
    """Draw each face with the number of dice that show it; those that do not count are faded."""
    columns = 2 if canvas.is_portrait else 3
    inner = canvas.draw_panel(rect, PANEL, radius=2.4, padding=(2, 2))
    for face, cell in enumerate(split_grid(inner, columns, 6 // columns, canvas.px(1)), 1):
        size = min(canvas.px(MAX_DIE_SIZE), cell.w * 2 // 5, cell.h - canvas.px(1))
        counts = face >= view.threshold
        canvas.draw_die(face, (cell.left + size * 3 // 5, cell.centery), size, used=not counts)
        number = Rect(cell.left + size * 6 // 5, cell.top, cell.w - size * 6 // 5, cell.h)
        text = format_number(view.faces[face - 1])
        canvas.draw_text(number, text, TITLE_EM, INK, face=Typeface.DISPLAY, align=0.3)


def _draw_marked_picture(canvas: Canvas, rect: Rect, camera: CameraView, picture: Image, view: CountingTray) -> None:
    """Draw the camera's picture with an outline around each die that counts."""
    canvas.draw_panel(rect, BACKGROUND, radius=1.6)
    frame = rect.inflate(-canvas.px(1), -canvas.px(1))
    rows = choose_rows(camera, picture, frame.size, frame.w)
    place = canvas.draw_image(picture, frame, rows)
    if camera.reading is None:
        return
    scale = place.w / picture.shape[1]
    top = place.top - round(rows[0] * scale)
    for die in camera.reading.dice:
        x0, y0, x1, y1 = (round(v * scale) for v in die.box)
        box = Rect(place.left + x0, top + y0, x1 - x0, y1 - y0).inflate(canvas.px(0.8), canvas.px(0.8))
        if not place.contains(box):
            continue
        if not die.is_certain or die.tilted:
            canvas.draw_outline(box, DOUBT_RGB)
        elif die.value >= view.threshold:
            for margin, colour in ((1.1, EDGE_RGB), (0.6, HIT_RGB), (0.0, HIT_RGB)):
                canvas.draw_outline(box.inflate(canvas.px(margin), canvas.px(margin)), colour)
