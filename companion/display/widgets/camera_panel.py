"""The camera's corner: a small live picture with what is read in it, and the camera's state in a word; or all large."""

from __future__ import annotations

from collections.abc import Iterable

from pygame import Rect

from companion.display.toolkit.canvas import Canvas
from companion.display.toolkit.layout import Grid
from companion.display.toolkit.text import Weight
from companion.display.toolkit.theme import (
    BACKGROUND,
    BAD,
    BODY,
    DARK,
    FAR,
    FLOOR,
    GOOD,
    INK,
    MUTED,
    PANEL,
    SMALL,
    WARN,
    Colour,
    Tone,
)
from companion.events import Button, CameraState
from companion.i18n import N_, Words
from companion.screen_state import Eyes, Large, Spot
from companion.vision.reading import ACT, Box, Image, Reading, Window
from companion.vision.view_check.problem import Problem, Trouble

_ = Words("companion")

STATES: dict[CameraState, tuple[str, str, Colour]] = {
    CameraState.OFF: (N_("Camera off"), "minus", MUTED),
    CameraState.LOOKING: (N_("Looking"), "dots", MUTED),
    CameraState.STEADY: (N_("I see it"), "ok", GOOD),
    CameraState.ROLLING: (N_("Dice rolling"), "dots", INK),
    CameraState.HAND: (N_("A hand"), "dots", INK),
    CameraState.UNSURE: (N_("Not sure"), "bang", WARN),
    CameraState.BLIND: (N_("Sees nothing"), "bang", BAD),
    CameraState.LOST: (N_("Unplugged"), "no", BAD),
}
"""Word, sign and colour of each state."""
TROUBLES: dict[Trouble, str] = {
    Trouble.DARK: N_("Too dark"),
    Trouble.BRIGHT: N_("Too bright"),
    Trouble.BLURRED: N_("Blurred"),
    Trouble.MIRRORED: N_("Mirrored"),
    Trouble.CUT_OFF: N_("Lid cut off"),
    Trouble.FAR: N_("Too far away"),
    Trouble.TILTED: N_("Seen aslant"),
    Trouble.GLARE: N_("Glare"),
    Trouble.NO_DICE: N_("No dice seen"),
}
BAD_ITSELF = frozenset({CameraState.BLIND, CameraState.LOST})
"""States that say more than any fault of the view."""
# What is drawn on a picture is the same in every palette, for so is the picture: light on dark.
SURE, DOUBT, PLAIN, SHADE = DARK[Tone.GOOD], DARK[Tone.WARN], DARK[Tone.INK], DARK[Tone.BACKGROUND]
WORD = 6.0
LARGE = 40.0
"""Height from which tokens bear their numbers."""
CHIP = (3.4, 4.2)
"""A value on the picture: width and height."""
NEAR = 36
"""Hundredths of the width for what is chosen, seen from near."""
AROUND = 2.2
"""How much more than itself is seen of it."""


def camera(canvas: Canvas, places: Grid, eyes: Eyes, *, blank: bool = False, enlarges: Button | None = None) -> None:
    """Draws the corner.

    Args:
        blank: hides the picture, while it might show a secret.
        enlarges: the button that makes the picture large; a touch on it presses that.
    """
    rect = places.camera
    picture = None if blank else eyes.picture

    def paint() -> None:
        canvas.panel(rect, PANEL)
        frame = Rect(rect.left, rect.top, rect.w, rect.h - canvas.px(WORD)).inflate(-canvas.px(1.4), -canvas.px(1.4))
        drawn = _live(canvas, frame, eyes, rect.h >= canvas.px(LARGE)) if picture is not None else None
        if drawn is None:
            canvas.panel(frame, BACKGROUND, radius=1.0)
            said = _("Hidden") if blank else _("No picture")
            canvas.text(frame.inflate(-canvas.px(2), 0), said, SMALL, MUTED, align=0.5)
        _state(canvas, Rect(rect.left, rect.bottom - canvas.px(WORD), rect.w, canvas.px(WORD)), eyes)
        if enlarges is not None:
            canvas.touch(rect, enlarges)
            if drawn is not None:
                # At the very corner, over the picture's edge: dice may lie anywhere.
                size = canvas.px(3.4)
                lens = canvas.disc((rect.right - size * 3 // 4, rect.top + size * 3 // 4), size, SHADE, PLAIN)
                canvas.sign("plus", lens.center, size * 3 // 4, PLAIN)

    shows = (eyes.state, eyes if picture is not None else None, eyes.problem, blank, enlarges)
    canvas.part("camera", rect, shows, paint)


def enlarged(canvas: Canvas, rect: Rect, eyes: Eyes, large: Large, closes: Button | None) -> None:
    """Draws the picture large, what may be put right ringed on it, and what is chosen once more from near.

    Args:
        closes: the button that a touch on the picture presses.
    """
    chosen = next((spot for spot in large.spots if spot.chosen), None)

    def paint() -> None:
        canvas.panel(rect, PANEL, radius=2.4)
        word = canvas.px(WORD + 1)
        frame = Rect(rect.left, rect.top, rect.w, rect.h - word).inflate(-canvas.px(1.6), -canvas.px(1.6))
        if closes is not None:
            canvas.touch(frame, closes)
        if eyes.picture is None:
            canvas.panel(frame, BACKGROUND, radius=1.0)
            canvas.text(frame.inflate(-canvas.px(2), 0), _("No picture"), BODY, MUTED, align=0.5)
        else:
            if chosen is not None:
                beside = min(frame.w * NEAR // 100, frame.h)
                _near(canvas, Rect(frame.right - beside, frame.top, beside, frame.h), eyes, chosen, large.spots)
                frame.w -= beside + canvas.px(1.6)
            _live(canvas, frame, eyes, True, large.spots)
        line = Rect(rect.left, rect.bottom - word, rect.w, word)
        said = _said(chosen)
        if said:
            half = line.w * 2 // 5
            hint = Rect(line.left + half, line.top, line.w - half - canvas.px(2), line.h)
            canvas.text(hint, said, SMALL, INK, align=1.0)
            line.w = half
        _state(canvas, line, eyes)

    canvas.part("main", rect, ("large", eyes, large, closes), paint)


def _near(canvas: Canvas, rect: Rect, eyes: Eyes, spot: Spot, spots: tuple[Spot, ...]) -> None:
    """The chosen one from near, over the value that it is to have."""
    digit = canvas.px(FAR + 3)
    value = Rect(rect.left, rect.bottom - digit, rect.w, digit)
    colour = INK if spot.value == spot.was else WARN
    canvas.text(value, str(spot.value), FAR + 2, colour, weight=Weight.BOLD, least=FAR, align=0.5)
    picture, box = eyes.picture, dict(placed(eyes.reading, spots)).get(spot) if eyes.reading else None
    if picture is None or box is None:
        return
    half = max(box[2] - box[0], box[3] - box[1]) * AROUND / 2
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    top, left = max(0, round(y - half)), max(0, round(x - half))
    cut = picture[top : round(y + half), left : round(x + half)]
    if cut.size:
        canvas.image(cut, Rect(rect.left, rect.top, rect.w, rect.h - digit - canvas.px(1)))


def placed(reading: Reading, spots: tuple[Spot, ...]) -> list[tuple[Spot, Box]]:
    """The spots that are to be seen in the picture, with their places in its pixels.

    The ledger and the camera have the dice by value: the lowest of the one is the lowest of the other.
    """
    dice = sorted((spot for spot in spots if spot.kind == "die"), key=lambda spot: spot.was)
    found = [(s, d.box) for s, d in zip(dice, sorted(reading.dice, key=lambda die: die.value), strict=False)]
    windows = reading.lid.windows if reading.lid else ()
    for spot in spots:
        if spot.window is not None and spot.window < len(windows):
            (x, y), r = windows[spot.window].center, windows[spot.window].radius
            found.append((spot, (x - r, y - r, x + r, y + r)))
    return found


def _said(spot: Spot | None) -> str:
    """What becomes of the chosen one."""
    if spot is None:
        return ""
    if spot.was == spot.value:
        return _("Not a {n}? Press + or −", n=spot.was)
    return _("OK: {was} becomes {now}", was=spot.was, now=spot.value)


def _state(canvas: Canvas, line: Rect, eyes: Eyes) -> None:
    word, sign, colour = STATES[eyes.state]
    if eyes.problem is not None and eyes.state not in BAD_ITSELF:
        word, sign, colour = TROUBLES[eyes.problem.trouble], "bang", WARN
    size = canvas.px(3.8)
    canvas.sign(sign, (line.left + canvas.px(3.2), line.centery - canvas.px(0.4)), size, colour)
    line = Rect(line.left + canvas.px(6.2), line.top - canvas.px(0.4), line.w - canvas.px(7.2), line.h)
    canvas.text(line, _(word), SMALL, colour)


def _live(canvas: Canvas, frame: Rect, eyes: Eyes, large: bool, spots: tuple[Spot, ...] = ()) -> Rect:
    """Draws the picture with what is read in it; returns where it lies."""
    assert eyes.picture is not None, "there is a picture"
    drawn = canvas.image(eyes.picture, frame)
    marks = _Marks(canvas, drawn, eyes.picture)
    if eyes.reading is not None:
        marks.spots(eyes.reading, spots)
        marks.reading(eyes.reading, large)
    if eyes.problem is not None:
        marks.problem(eyes.problem)
    return drawn


class _Marks:
    """What is drawn on one picture: `drawn` is where it lies on the canvas. No two values lie on each other."""

    def __init__(self, canvas: Canvas, drawn: Rect, picture: Image) -> None:
        self._canvas = canvas
        self._drawn = drawn
        self._scale = drawn.w / picture.shape[1]
        self._chips: list[Rect] = []

    def reading(self, reading: Reading, large: bool) -> None:
        """Windows: a thick ring is a token, a thin one an open window. Dice: their values."""
        canvas = self._canvas
        for window in reading.lid.windows if reading.lid else ():
            sure = window.covered is not None and window.confidence >= ACT
            centre, radius = self._round(window)
            colour = SURE if sure else DOUBT
            if window.covered is False:
                canvas.ring(centre, radius, SHADE, 0.6)
                canvas.ring(centre, radius, PLAIN if sure else DOUBT, 0.3)
            else:
                canvas.ring(centre, radius, colour, 0.7 if large else 0.45)
            if large and window.number is not None and radius >= canvas.px(CHIP[0]):
                chip = Rect(0, 0, canvas.px(CHIP[0]), canvas.px(CHIP[1]))
                chip.center = (centre[0] + radius * 3 // 4, centre[1] - radius * 3 // 4)
                self._chip(chip, window.number, colour)
        for die in reading.dice:
            colour = SURE if die.confidence >= ACT and not die.cocked else DOUBT
            box = self._placed(die.box)
            canvas.outline(box, colour)
            self._beside(box, die.value, colour)

    def spots(self, reading: Reading, spots: tuple[Spot, ...]) -> None:
        """Rings round what may be put right, a thick one round what is chosen."""
        canvas = self._canvas
        for spot, place in placed(reading, spots):
            box = self._placed(place)
            radius = (box.w + box.h) * (40 if spot.kind == "die" else 25) // 100 + canvas.px(0.8)
            canvas.ring(box.center, radius + canvas.px(0.5), SHADE, 2.2 if spot.chosen else 1.0)
            canvas.ring(box.center, radius, PLAIN, 1.2 if spot.chosen else 0.4)

    def problem(self, problem: Problem) -> None:
        """What is wrong with the view, where it is."""
        canvas = self._canvas
        box = self._placed(problem.box).clip(self._drawn)
        canvas.outline(box, DOUBT)
        # In the middle of what is wrong, on a ground of its own: pictures have any colour.
        middle = box.clamp(self._drawn).center
        canvas.disc(middle, canvas.px(6.4), SHADE, DOUBT)
        canvas.sign("bang", middle, canvas.px(4.2), DOUBT)

    def _beside(self, box: Rect, value: int, colour: Colour) -> None:
        """The value over the box, or where else there is room for it."""
        chip = Rect(0, 0, self._canvas.px(CHIP[0]), self._canvas.px(CHIP[1]))
        chip.midbottom = (box.centerx, box.top)
        under, left, right = Rect(chip), Rect(chip), Rect(chip)
        under.midtop = (box.centerx, box.bottom)
        left.midright, right.midleft = (box.left, box.centery), (box.right, box.centery)
        free = (c for c in (chip, under, left, right) if self._drawn.contains(c) and not _overlaps(c, self._chips))
        self._chip(next(free, chip), value, colour)

    def _chip(self, chip: Rect, value: int, colour: Colour) -> None:
        chip.clamp_ip(self._drawn)
        if _overlaps(chip, self._chips):
            return
        self._chips.append(chip)
        self._canvas.panel(chip, colour, radius=0.6)
        self._canvas.text(chip, str(value), FLOOR, SHADE, weight=Weight.BOLD, align=0.5)

    def _round(self, window: Window) -> tuple[tuple[int, int], int]:
        """Centre and radius of a window."""
        x, y = (round(v * self._scale) for v in window.center)
        return (self._drawn.left + x, self._drawn.top + y), max(2, round(window.radius * self._scale))

    def _placed(self, box: Box) -> Rect:
        x0, y0, x1, y1 = (round(v * self._scale) for v in box)
        return Rect(self._drawn.left + x0, self._drawn.top + y0, x1 - x0, y1 - y0)


def _overlaps(rect: Rect, others: Iterable[Rect]) -> bool:
    return any(rect.colliderect(other) for other in others)
