"""`companion doctor --live`: the camera's view with advice, while the lamp or the camera is moved."""

import re
import sys
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from typing import TextIO

import pygame

from companion.app.composition import make_display_preferences
from companion.app.window import NoScreen, open_surface
from companion.commands import CommandError
from companion.commands.doctor.adjustable_table import VIRTUAL_CAMERA, AdjustableTable
from companion.commands.doctor.camera_checks import ViewCheck, ViewChecker
from companion.commands.key_input import unbuffered_keys
from companion.config.settings import Settings
from companion.display.toolkit import (
    GOOD,
    INK,
    KEY_LABEL_EM,
    MUTED,
    PANEL,
    TITLE_EM,
    WARN,
    Canvas,
    DisplayPreferences,
    Rect,
    Typeface,
    split_bottom,
)
from companion.display.toolkit.rotation import RotatedSurface
from companion.display.widgets.camera_panel import draw_camera_view
from companion.events import CameraState
from companion.lobby import Preferences
from companion.lobby.preferences import values_from_settings
from companion.screen_state import CameraView
from companion.vision.confidence_limits import MIN_PLAY_CONFIDENCE
from companion.vision.frames.image_io import UnreadableImage, normalise_frame
from companion.vision.reading import Image, ProblemKind, Reading
from companion.vision.view_check.checks import is_readable
from companion.vision.view_check.flicker import MIN_FLICKER_SHARE, FlickerMeter
from companion.vision.view_check.problem import PROBLEM_MESSAGES
from hardware.cameras.camera_opener import open_camera
from hardware.cameras.live_camera import Camera, CameraLost, LiveCamera

CHECKING = "Looking ..."
END_KEYS = frozenset({"\x1b", "q", "Q"})
END_HINT = "Esc: end"
POLL_SECONDS = 0.01
"""Pause before the camera and the keys are asked again; longer saves processor time."""
ARROW_KEYS = {pygame.K_LEFT: "a", pygame.K_RIGHT: "d", pygame.K_UP: "w", pygame.K_DOWN: "s"}
"""The letters that stand for arrows."""
TERMINAL_ARROWS = {"A": "w", "B": "s", "C": "d", "D": "a"}
"""The same by the last letter of what a terminal sends for an arrow."""
ESCAPE_SEQUENCE = re.compile(r"\x1b[\[O][\d;]*(.)")
"""What a terminal sends for an arrow or another key without a letter; it begins as the key Esc."""
MAX_ADVICE_LINES = 2
"""Advice that is shown at a time: the most important first, and the rest when that is done."""
FLICKER_FRAMES = 15
"""Frames of which more than a third must show a lamp that flickers: a hand disturbs one or two."""
ADVICE_HEIGHT = 22.0
"""Height of the part of the window with the advice, in units."""


class LiveView:
    """The latest picture of a camera, and the last check of one: checks are slower than pictures, and run beside them.

    Args:
        camera: gives the pictures.
        check: checks one, in a thread of the executor.
        executor: runs one check at a time.

    Attributes:
        picture: the latest picture; None: there was none yet.
        result: the last check that has ended; None: there is none yet.
    """

    def __init__(self, camera: Camera, check: Callable[[Image], ViewCheck], executor: Executor) -> None:
        self._camera, self._check, self._executor = camera, check, executor
        self._running: Future[ViewCheck] | None = None
        self._checked: Image | None = None
        self._is_over = False
        self._flicker, self._flickers = FlickerMeter(), deque[bool](maxlen=FLICKER_FRAMES)
        self.picture: Image | None = None
        self.result: ViewCheck | None = None

    def poll(self) -> bool:
        """Take in a new picture and the result of a check, without waiting; return whether there is one.

        The last picture of a video or folder stays.

        Raises:
            CameraLost: the camera is gone, or a recording has no picture.
            Exception: anything that the check raises.
        """
        is_new = self._read_picture()
        if self._running is not None and self._running.done():
            self.result, self._running, is_new = self._running.result(), None, True
        if self._running is None and self.picture is not None and self.picture is not self._checked:
            self._running, self._checked = self._executor.submit(self._check, self.picture), self.picture
        return is_new

    def _read_picture(self) -> bool:
        if self._is_over:
            return False
        try:
            frame = self._camera.read()
        except CameraLost:
            if isinstance(self._camera, LiveCamera) or self.picture is None:
                raise
            self._is_over = True
            return False
        if frame is None:
            return False
        with suppress(UnreadableImage):  # one frame; the next may be whole
            self.picture = normalise_frame(frame.image)
            self._flickers.append(self._flicker.measure(self.picture) > MIN_FLICKER_SHARE)
            return True
        return False

    def list_advice(self) -> tuple[str, ...]:
        """Return what to do, the most important first, or in one line that nothing is wrong and what is read."""
        if self.result is None:
            return (CHECKING,)
        advice, reading = self.result.advice, self.result.reading
        if sum(self._flickers) > FLICKER_FRAMES // 3 and not is_readable(reading.lid, reading.dice):
            advice = (PROBLEM_MESSAGES[ProblemKind.FLICKERING], *advice)
        return advice or (describe_reading(reading),)


def describe_reading(reading: Reading) -> str:
    """Return what is read in a picture with which nothing is wrong.

    >>> describe_reading(Reading())
    'The picture is good. Read: no lid, no dice yet'
    """
    asked = sum(die.confidence < MIN_PLAY_CONFIDENCE for die in reading.dice)
    dice = f"{len(reading.dice)} {'die' if len(reading.dice) == 1 else 'dice'}" if reading.dice else "no dice yet"
    doubt = f" ({asked} would be asked about)" if asked else ""
    return f"The picture is good. Read: {'the' if reading.lid else 'no'} lid, {dice}{doubt}"


def show_live_view(spec: str, settings: Settings, folder: Path) -> None:
    """Show what the camera sees with advice until Esc, Q or Ctrl-C: in a window, or without a screen as lines.

    Args:
        spec: the camera as in the settings, or VIRTUAL_CAMERA: a simulated table whose lamp, lens and camera are moved
            with keys.
        settings: say how large the window is, and the frequency of the mains.
        folder: the data folder, with the choices of colours and rotation.

    Raises:
        CommandError: the camera cannot be used; status 1.
        pygame.error: there is a screen, but no window can be opened on it.
    """
    with ExitStack() as resources, suppress(KeyboardInterrupt):  # Ctrl-C is a usual end
        try:
            camera: Camera = (
                AdjustableTable(time.monotonic)
                if spec == VIRTUAL_CAMERA
                else open_camera(spec, time.monotonic, settings.table.mains_hz)
            )
            resources.enter_context(closing(camera))
            executor = resources.enter_context(ThreadPoolExecutor(1))
            view = LiveView(camera, ViewChecker().check, executor)
            handle_key = camera.handle_key if isinstance(camera, AdjustableTable) else lambda _key: None
            hint = f"{camera.keys_hint} · {END_HINT}" if isinstance(camera, AdjustableTable) else END_HINT
            try:
                surface = open_surface(settings.display)
            except NoScreen as why:
                print(f"There is {why}: advice comes as lines. {hint.replace('Esc', 'Q')}", flush=True)
                print_advice(view, handle_key, sys.stdin)
            else:
                resources.callback(pygame.display.quit)
                preferences = make_display_preferences(Preferences(values_from_settings(settings), folder).values, "")
                show_window(view, handle_key, hint, surface, preferences)
        except CameraLost as error:
            raise CommandError(f"{error}\n--camera {VIRTUAL_CAMERA} shows a simulated table.") from error


def print_advice(view: LiveView, handle_key: Callable[[str], None], terminal: TextIO) -> None:
    """Print the advice whenever it changes, until Q or Esc is pressed.

    Args:
        view: what the camera sees.
        handle_key: takes all other keys.
        terminal: stdin.

    Raises:
        CameraLost: the camera is gone.
    """
    shown = ""
    with unbuffered_keys(terminal) as read_keys:
        while True:
            for key in ESCAPE_SEQUENCE.sub(lambda sent: TERMINAL_ARROWS.get(sent[1], ""), read_keys()):
                if key in END_KEYS:
                    return
                handle_key(key)
            view.poll()
            line = "; ".join(view.list_advice())
            if line != shown:
                print(line, flush=True)
                shown = line
            time.sleep(POLL_SECONDS)


def show_window(
    view: LiveView,
    handle_key: Callable[[str], None],
    hint: str,
    surface: pygame.Surface,
    preferences: DisplayPreferences,
) -> None:
    """Draw the view in a window whenever it changes, until it is closed or Q or Esc is pressed.

    Args:
        view: what the camera sees.
        handle_key: takes all other keys, arrows as the letters of ARROW_KEYS.
        hint: which keys there are.
        surface: of the window.
        preferences: colours and rotation.

    Raises:
        CameraLost: the camera is gone.
    """
    pygame.display.set_caption("The companion: what the camera sees")
    pygame.key.set_repeat(400, 80)
    screen, canvas = _prepare_window(surface, preferences)
    while True:
        is_resized = False
        for event in pygame.event.get():
            if event.type == pygame.QUIT:
                return
            if event.type == pygame.KEYDOWN:
                key = ARROW_KEYS.get(event.key, event.unicode)
                if key in END_KEYS:
                    return
                handle_key(key)
            is_resized = is_resized or event.type in {pygame.VIDEORESIZE, pygame.VIDEOEXPOSE}
        if is_resized and (current := pygame.display.get_surface()) is not None:
            screen, canvas = _prepare_window(current, preferences)
        if view.poll() or is_resized:
            draw_live_view(canvas, view, hint)
            screen.surface.blit(canvas.surface, (0, 0))
            pygame.display.update(screen.copy_to_screen([screen.surface.get_rect()]))
        pygame.time.wait(round(POLL_SECONDS * 1000))


def _prepare_window(surface: pygame.Surface, preferences: DisplayPreferences) -> tuple[RotatedSurface, Canvas]:
    screen = RotatedSurface(surface, preferences.rotation_deg)
    return screen, Canvas(screen.surface.get_size(), preferences)


def draw_live_view(canvas: Canvas, view: LiveView, hint: str) -> None:
    """Draw the picture with what is read in it, and under it the advice.

    Args:
        canvas: where it is drawn, as a whole.
        view: what the camera sees.
        hint: which keys there are.
    """
    result, advice = view.result, view.list_advice()[:MAX_ADVICE_LINES]
    problem = next(iter(result.problems), None) if result else None
    shown = CameraView(CameraState.STEADY, result.reading if result else None, view.picture, problem)
    words, picture = split_bottom(canvas.surface.get_rect(), canvas.px(ADVICE_HEIGHT))

    def paint_advice() -> None:
        canvas.draw_panel(words, PANEL)
        keys, lines = split_bottom(words.inflate(-canvas.px(6), -canvas.px(2)), canvas.px(KEY_LABEL_EM))
        canvas.draw_text(keys, hint, KEY_LABEL_EM, MUTED, align=1.0)
        is_well = result is not None and not result.advice
        for index, line in enumerate(advice):
            row = Rect(lines.left, lines.top + index * lines.h // len(advice), lines.w, lines.h // len(advice))
            icon, colour = ("dots", INK) if result is None else ("ok", GOOD) if is_well else ("bang", WARN)
            row = canvas.draw_icon_left(row, icon, min(row.h, canvas.px(TITLE_EM)), colour, gap=2)
            canvas.draw_text(row, line, TITLE_EM, INK, face=Typeface.DISPLAY, max_lines=3 - len(advice))

    with canvas.frame():
        draw_camera_view(canvas, picture, shown, None)
        canvas.draw_region("advice", words, (advice, hint, result is None), paint_advice)
