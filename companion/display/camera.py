"""The camera's corner: a small live picture with what is read in it, and the camera's state in a word."""

from __future__ import annotations

from collections.abc import Iterable

from pygame import Rect

from companion.display.canvas import Canvas
from companion.display.grid import Grid
from companion.display.text import Weight
from companion.display.theme import BACKGROUND, BAD, FLOOR, GOOD, INK, MUTED, PANEL, SMALL, WARN, Colour
from companion.shown import Eyes
from companion.vision.problem import Problem
from companion.vision.reading import ACT, Box, Image, Reading
from hardware.signals import CameraState

STATES: dict[CameraState, tuple[str, str, Colour]] = {
    CameraState.OFF: ("Camera off", "minus", MUTED),
    CameraState.LOOKING: ("Looking", "dots", MUTED),
    CameraState.STEADY: ("I see it", "ok", GOOD),
    CameraState.ROLLING: ("Dice rolling", "dots", INK),
    CameraState.HAND: ("A hand", "dots", INK),
    CameraState.UNSURE: ("Not sure", "bang", WARN),
    CameraState.BLIND: ("Sees nothing", "bang", BAD),
    CameraState.LOST: ("Unplugged", "no", BAD),
}
"""Word, sign and colour of each state."""
BAD_ITSELF = frozenset({CameraState.BLIND, CameraState.LOST})
"""States that say more than any fault of the view."""
WORD = 6.0


def camera(canvas: Canvas, places: Grid, eyes: Eyes, *, blank: bool = False) -> None:
    """Draws the corner; `blank` hides the picture, while it might show a secret."""
    rect = places.camera
    picture = None if blank else eyes.picture

    def paint() -> None:
        canvas.panel(rect, PANEL)
        frame = Rect(rect.left, rect.top, rect.w, rect.h - canvas.px(WORD)).inflate(-canvas.px(1.4), -canvas.px(1.4))
        if picture is not None:
            drawn = canvas.image(picture, frame)
            if eyes.reading is not None:
                _reading(canvas, drawn, picture, eyes.reading)
            if eyes.problem is not None:
                _problem(canvas, drawn, picture, eyes.problem)
        else:
            canvas.panel(frame, BACKGROUND, radius=1.0)
            canvas.text(frame.inflate(-canvas.px(2), 0), "Hidden" if blank else "No picture", SMALL, MUTED, align=0.5)
        word, sign, colour = STATES[eyes.state]
        if eyes.problem is not None and eyes.state not in BAD_ITSELF:
            word, sign, colour = eyes.problem.trouble.capitalize(), "bang", WARN
        line = Rect(rect.left, rect.bottom - canvas.px(WORD), rect.w, canvas.px(WORD))
        size = canvas.px(3.8)
        canvas.sign(sign, (line.left + canvas.px(3.2), line.centery - canvas.px(0.4)), size, colour)
        line = Rect(line.left + canvas.px(6.2), line.top - canvas.px(0.4), line.w - canvas.px(7.2), line.h)
        canvas.text(line, word, SMALL, colour)

    canvas.part("camera", rect, (eyes.state, eyes if picture is not None else None, eyes.problem, blank), paint)


def _reading(canvas: Canvas, drawn: Rect, picture: Image, reading: Reading) -> None:
    scale = drawn.w / picture.shape[1]
    for window in reading.lid.windows if reading.lid else ():
        centre = (drawn.left + round(window.center[0] * scale), drawn.top + round(window.center[1] * scale))
        sure = window.covered is not None and window.confidence >= ACT
        canvas.ring(centre, max(2, round(window.radius * scale)), GOOD if sure else WARN)
    chips: list[Rect] = []
    for die in reading.dice:
        colour = GOOD if die.confidence >= ACT and not die.cocked else WARN
        box = _placed(die.box, drawn, scale)
        canvas.outline(box, colour)
        chip = Rect(0, 0, canvas.px(3.4), canvas.px(4.2))
        chip.midbottom = (box.centerx, box.top)
        if chip.top < drawn.top:
            chip.midtop = (box.centerx, box.bottom)
        chip.clamp_ip(drawn)
        if not _overlaps(chip, chips):
            chips.append(chip)
            canvas.panel(chip, colour, radius=0.6)
            canvas.text(chip, str(die.value), FLOOR, BACKGROUND, weight=Weight.BOLD, align=0.5)


def _problem(canvas: Canvas, drawn: Rect, picture: Image, problem: Problem) -> None:
    box = _placed(problem.box, drawn, drawn.w / picture.shape[1]).clip(drawn)
    canvas.outline(box, WARN)
    size = canvas.px(4.2)
    # In the middle of what is wrong, on a ground of its own: pictures have any colour.
    middle = box.clamp(drawn).center
    canvas.disc(middle, canvas.px(6.4), BACKGROUND, WARN)
    canvas.sign("bang", middle, size, WARN)


def _placed(box: Box, drawn: Rect, scale: float) -> Rect:
    x0, y0, x1, y1 = (round(v * scale) for v in box)
    return Rect(drawn.left + x0, drawn.top + y0, x1 - x0, y1 - y0)


def _overlaps(rect: Rect, others: Iterable[Rect]) -> bool:
    return any(rect.colliderect(other) for other in others)
