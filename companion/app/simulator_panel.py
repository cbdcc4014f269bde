"""The table beside the display: a simulated one that the mouse moves, or the frames of somebody else's camera.

The simulated camera is read in the window's thread, where the table is moved too. Only its frames reach the camera
reader.
"""

import random
from collections import deque
from collections.abc import Callable, Hashable
from functools import partial
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
import pygame

from companion.api import Game
from companion.app.table_rings import TableRings
from companion.display.toolkit.text import LINE_PITCH_EM, FontCache, Typeface
from companion.display.toolkit.theme import BACKGROUND, DARK_PALETTE, INK, MUTED, Tone
from companion.events import Event, TableMissed
from companion.i18n import N_, _
from companion.screen_state import ScreenKind, ScreenState
from companion.simulation.camera import SimulatedCamera
from companion.simulation.kit import TableKit
from companion.simulation.optics import FRAME_SIZE_PX
from hardware.cameras.sources import Frame

DrawCloseUp = Callable[[Any, int], npt.NDArray[np.uint8]]
"""Draws what is shown close up, for a picture of that height."""


KEYS_HELP = N_("Keys: 1 to 6 seats   Enter OK   Backspace NO, held: undo   + and -   F11 full screen   Esc ends")
KEYS_HELP_SEPARATOR = "   "
"""Stands between the keys in `KEYS_HELP`."""
SETTLE_SECONDS = 1.0
"""Seconds of full frame rate after the last movement, so that the camera reader sees it end."""
IDLE_FRAME_SECONDS = 0.2
"""Seconds between two frames while nothing moves. Longer: less CPU time, slower reaction to the mouse."""
PADDING_PX = 14
"""Pixels between the edge of the panel and its help text."""
MAX_HELP_TEXT_WIDTH_RATIO = 1 / 26
"""Largest size of the help text, as a share of the width between the paddings."""
MIN_HELP_TEXT_PX = 12
"""Smallest size of the help text, in pixels; below it the text is cut off."""
TIDY_KINDS = frozenset({ScreenKind.FIRST, ScreenKind.LESSON})
"""Screens before a game: a table that was used is put back to its start, since nobody can lay out a simulated box."""
CLEARING_KEY = "c"
"""Key that puts every simulated table back to its start."""
STALE = -1
"""No version of a table: its picture is drawn again."""


class FramePanel:
    """Panel with the frames of a camera as somebody else reads them; nothing on it can be moved.

    Attributes:
        is_moving: frames still come.
        was_touched: a key or a button of the mouse was pressed.
    """

    def __init__(self) -> None:
        self._find_close_up: Callable[[ScreenState], Hashable] = lambda _state: None
        self._draw_close_up: DrawCloseUp | None = None
        self.is_moving = True
        self._close_up: Hashable = None
        self.was_touched = False
        self._frame: Frame | None = None
        self._drawn_frame: Frame | None = None
        self.place(pygame.Rect((0, 0), FRAME_SIZE_PX))

    def show_table(self, kit: TableKit[Any], table: Any) -> None:
        """Show close up from now on what all look at on a simulated table."""
        self._find_close_up = partial(kit.find_close_up, table)
        self._draw_close_up = kit.draw_close_up

    def show_frame(self, frame: Frame) -> None:
        """Show a frame at the next `draw`."""
        self._frame = frame

    def place(self, panel: pygame.Rect) -> None:
        """Set the area of the panel; all of it is drawn again at the next `draw`.

        Args:
            panel: the area, in pixels of the unrotated window; at least some pixels wide and high.
        """
        self._area = panel
        self._drawn_frame = None

    def handle_mouse(self, event: pygame.event.Event, _at: tuple[int, int], _now: float) -> list[Event]:
        """Note that a button of the mouse was pressed."""
        self.was_touched |= event.type == pygame.MOUSEBUTTONDOWN
        return []

    def handle_key(self, _key: int, _now: float, *, down: bool) -> None:
        """Note that a key was pressed."""
        self.was_touched |= down

    def follow(self, state: ScreenState) -> None:
        """Choose what is shown close up."""
        close_up = self._find_close_up(state)
        if close_up != self._close_up:
            self._close_up, self._drawn_frame = close_up, None

    def draw(self, surface: pygame.Surface) -> list[pygame.Rect]:
        """Draw the latest frame, if it has not been drawn yet, in the middle of the panel.

        Args:
            surface: of the whole unrotated window.

        Returns:
            The changed areas of `surface`; empty: nothing was drawn.
        """
        if self._frame is None or self._frame is self._drawn_frame:
            return []
        changed = fit_frame(self._area)
        changed.centery = self._area.centery
        if self._drawn_frame is None:
            surface.fill(DARK_PALETTE[BACKGROUND], self._area)
        draw_frame(surface, self._frame, changed)
        if self._close_up is not None and self._draw_close_up is not None:
            blit_close_up(surface, self._draw_close_up(self._close_up, changed.height), changed)
        if self._drawn_frame is None:
            changed = self._area
        self._drawn_frame = self._frame
        return [changed]


def fit_frame(panel: pygame.Rect) -> pygame.Rect:
    """Return the largest area of a frame's proportions in a panel, at its top left."""
    scale = min(panel.width / FRAME_SIZE_PX[0], panel.height / FRAME_SIZE_PX[1])
    return pygame.Rect(panel.topleft, (round(FRAME_SIZE_PX[0] * scale), round(FRAME_SIZE_PX[1] * scale)))


def blit_close_up(surface: pygame.Surface, picture: npt.NDArray[np.uint8], area: pygame.Rect) -> None:
    """Draw what is shown close up, (h, w, 3) uint8 BGR, with a frame over the lower left of a table's picture."""
    height, width = picture.shape[:2]
    place = pygame.Rect(area.left, area.bottom - height, width, height).move(height // 12, -height // 12)
    pygame.draw.rect(surface, "white", place.inflate(height // 12, height // 12), border_radius=height // 20)
    surface.blit(pygame.image.frombuffer(picture[:, :, ::-1].tobytes(), place.size, "RGB"), place)


def draw_frame(surface: pygame.Surface, frame: Frame, area: pygame.Rect) -> None:
    """Draw a frame of a camera, scaled to an area of a surface."""
    small = cv2.resize(frame.image, area.size, interpolation=cv2.INTER_AREA)
    surface.blit(pygame.image.frombuffer(small[:, :, ::-1].tobytes(), area.size, "RGB"), area)


class FrameRelay:
    """Passes the simulated camera's latest frame from the window's thread to the camera reader's thread.

    It has the interface of `hardware.cameras.sources.Camera`. Its methods may be called from any thread; none raises.
    """

    name = "virtual table"

    def __init__(self) -> None:
        self._latest = deque[Frame](maxlen=1)

    def put(self, frame: Frame) -> None:
        """Make `frame` the one that `read` returns next; an older one that was not read is dropped."""
        self._latest.append(frame)

    def read(self) -> Frame | None:
        """Return the newest frame if it has not been read yet, without waiting; None: there is no new one."""
        return self._latest.pop() if self._latest else None

    def close(self) -> None:
        """Do nothing: no device is open."""


class SimulatorPanel:
    """Panel with the picture of a simulated table, moved by the mouse.

    Args:
        kit: makes the table, its renderer and what moves things with the mouse.
        monotonic: the host's monotonic clock, in seconds.
        rng: decides on all that is random.
        game: an interrupted game that the table is laid out for; None: it is as at the start of a game.

    Attributes:
        table: the simulated table.
        relay: has the frames of the simulated camera, for the camera reader.
        picture_area: area of the camera's picture, in pixels of the unrotated window; in the camera's own size until
            `place` is called.
    """

    def __init__(
        self,
        kit: TableKit[Any],
        monotonic: Callable[[], float],
        rng: random.Random,
        game: Game | None = None,
    ) -> None:
        self.relay = FrameRelay()
        self._kit = kit
        self.table, renderer = kit.create_table(rng)
        if game is not None:
            kit.lay_out(self.table, game, rng)
        self._camera = SimulatedCamera(self.table, renderer, monotonic)
        self._hand = kit.create_mouse(self.table, renderer.optics, rng)
        self._monotonic = monotonic
        self._fonts = FontCache()
        self._close_up: Hashable = None
        self._rings = TableRings()
        self._laid_version = self.table.version
        self._kind: ScreenKind | None = None
        self._moved_at = self._next_at = monotonic()
        self.place(pygame.Rect((0, 0), FRAME_SIZE_PX))

    @property
    def is_moving(self) -> bool:
        """Whether something on the table moves or moved less than `SETTLE_SECONDS` ago."""
        if self.table.is_moving:
            self._moved_at = self._monotonic()
        return self._monotonic() - self._moved_at < SETTLE_SECONDS

    def place(self, panel: pygame.Rect) -> None:
        """Set the area of the panel; all of it is drawn again at the next `draw`.

        Args:
            panel: the area, in pixels of the unrotated window; at least some pixels wide and high.
        """
        self._area = panel
        self.picture_area = fit_frame(panel)
        self._drawn_version: int | None = None

    def handle_mouse(self, event: pygame.event.Event, at: tuple[int, int], now: float) -> list[Event]:
        """Move things on the table with the mouse.

        Args:
            event: pygame's event of a press, release, motion or the wheel of the mouse; others are ignored.
            at: (x, y) in pixels of the unrotated window.
            now: seconds on the monotonic clock.

        Returns:
            That nothing was moved, because the game's guide is strict and waits for something else; mostly nothing.
        """
        self._moved_at = self._next_at = now
        scale = FRAME_SIZE_PX[0] / self.picture_area.width
        x, y = (at[0] - self.picture_area.left) * scale, (at[1] - self.picture_area.top) * scale
        if event.type in (pygame.MOUSEBUTTONDOWN, pygame.MOUSEWHEEL) and self._rings.is_missed((x, y)):
            return [] if self.table.is_moving else [TableMissed(now)]
        if event.type == pygame.MOUSEBUTTONDOWN:
            self._hand.press(event.button, x, y, now)
        elif event.type == pygame.MOUSEBUTTONUP:
            self._hand.release(event.button, x, y, now)
        elif event.type == pygame.MOUSEMOTION:
            self._hand.move(x, y, now)
        elif event.type == pygame.MOUSEWHEEL:
            self._hand.wheel(event.y, x, y, now)
        return []

    def handle_key(self, key: int, now: float, *, down: bool) -> None:
        """Move something on the table with a key, if the key does that; other keys are ignored.

        Args:
            key: pygame's key code, such as pygame.K_SPACE.
            now: seconds on the monotonic clock.
            down: whether the key was pressed, not released.
        """
        self._moved_at = self._next_at = now
        if not self._rings.is_strict:
            self._hand.key(pygame.key.name(key), down, now)

    def follow(self, state: ScreenState) -> None:
        """Choose what is shown close up, which the camera does not see, and how many dice the mouse throws.

        Args:
            state: what the display shows.
        """
        self._kit.follow(self.table, state)
        if state.kind is not self._kind and state.kind in TIDY_KINDS and self.table.version != self._laid_version:
            self._hand.key(CLEARING_KEY, True, self._monotonic())
        self._kind = state.kind
        if self._rings.follow(state.guide, self._hand, is_moving=self.table.is_moving):
            # None: all of the panel is to be drawn, not only the picture.
            self._drawn_version = None if self._drawn_version is None else STALE
            self._next_at = self._monotonic()
        close_up = self._kit.find_close_up(self.table, state)
        if close_up != self._close_up:
            self._close_up, self._drawn_version, self._next_at = close_up, None, self._monotonic()

    def draw(self, surface: pygame.Surface) -> list[pygame.Rect]:
        """Take a frame of the simulated camera if one is due, put it into `relay`, and draw it if the table changed.

        While nothing moves a frame is due every IDLE_FRAME_SECONDS.

        Args:
            surface: of the whole unrotated window.

        Returns:
            The changed areas of `surface`; empty: nothing was drawn.
        """
        now = self._monotonic()
        if now < self._next_at:
            return []
        frame = self._camera.read()
        if frame is None:
            return []
        self._next_at = now if self.is_moving else now + IDLE_FRAME_SECONDS
        self.relay.put(frame)
        if self.table.version == self._drawn_version:
            return []
        changed = [self.picture_area]
        if self._drawn_version is None:
            self._draw_help(surface)
            changed = [self._area]
        self._drawn_version = self.table.version
        draw_frame(surface, self._rings.draw(frame), self.picture_area)
        if self._close_up is not None:
            picture = self._kit.draw_close_up(self._close_up, self.picture_area.height)
            blit_close_up(surface, picture, self.picture_area)
        return changed

    def _draw_help(self, surface: pygame.Surface) -> None:
        """Draw the help for mouse and keys below the picture, as large as fits."""
        room = pygame.Rect(
            self._area.left + PADDING_PX,
            self.picture_area.bottom + PADDING_PX,
            self._area.width - 2 * PADDING_PX,
            self._area.bottom - self.picture_area.bottom - 2 * PADDING_PX,
        )
        surface.fill(DARK_PALETTE[BACKGROUND], self._area)
        keys, mouse = _(KEYS_HELP), [_(line) for line in self._hand.help_lines()]
        # The keys take one line, or one line each if all can be larger then.
        arrangements = [[keys], keys.split(KEYS_HELP_SEPARATOR)]
        sizes = [self._find_help_size([*lines, *mouse], room) for lines in arrangements]
        size = max(sizes)
        key_lines = arrangements[sizes.index(size)]
        lines: list[tuple[str, Tone]] = [*((line, INK) for line in key_lines), *((line, MUTED) for line in mouse)]
        for index, (line, tone) in enumerate(lines):
            drawn = self._fonts.render_line(line, Typeface.TEXT, size, DARK_PALETTE[tone])
            top = room.top + round(index * LINE_PITCH_EM[Typeface.TEXT] * size)
            surface.blit(drawn.surface, drawn.ink_rect.move(room.left, top))

    def _find_help_size(self, lines: list[str], room: pygame.Rect) -> int:
        """Return the largest text size in pixels at which the lines fit, but at least `MIN_HELP_TEXT_PX`."""
        for size in range(round(room.width * MAX_HELP_TEXT_WIDTH_RATIO), MIN_HELP_TEXT_PX, -1):
            is_narrow = all(self._fonts.measure_width(line, Typeface.TEXT, size) <= room.width for line in lines)
            if is_narrow and LINE_PITCH_EM[Typeface.TEXT] * size * len(lines) <= room.height:
                return size
        return MIN_HELP_TEXT_PX


TablePanel = FramePanel | SimulatorPanel
"""The picture of a table beside the display."""
