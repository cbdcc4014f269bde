"""The table beside the display: a simulated one that mouse and fingers move.

The simulated camera is read in the window's thread, where the table is moved too. Only its frames reach the camera
reader. People see parts of the same scene, drawn larger.
"""

import random
from collections import deque
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pygame

from companion.api import Game
from companion.app.frame_panel import FramePanel, blit_close_up, blit_image
from companion.app.table_bar import TableBar
from companion.app.table_touch import TableTouch
from companion.display.toolkit.theme import BACKGROUND, DARK_PALETTE
from companion.screen_state import ScreenState
from companion.simulation.actions import ImpossibleAction
from companion.simulation.base_mouse import MouseButton
from companion.simulation.camera import SimulatedCamera, TableRenderer
from companion.simulation.kit import TableKit
from companion.simulation.optics import FRAME_SIZE_PX, Point
from companion.simulation.views import TableArrangement, TableView, TouchablePlace
from hardware.cameras.sources import Frame

SETTLE_SECONDS = 1.0
"""Seconds of full frame rate after the last movement, so that the camera reader sees it end."""
IDLE_FRAME_SECONDS = 0.2
"""Seconds between two frames while nothing moves. Longer: less CPU time, slower reaction to the mouse."""
MAX_RENDER_ZOOM = 2.2
"""Largest zoom at which the picture is drawn; above it the picture is enlarged. Larger: sharper at 4K, and slower."""


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


@dataclass(slots=True)
class _DrawnView:
    """A view of the table on the panel, and what draws it."""

    view: TableView
    renderer: TableRenderer | None = None
    """None: nothing was drawn yet."""
    picture: npt.NDArray[np.uint8] | None = None
    """What is on the screen, as the renderer returned it."""


class SimulatorPanel:
    """Panel with the picture of a simulated table, moved by the mouse or a finger.

    Args:
        kit: makes the table, its renderer and what moves things with the mouse.
        monotonic: the host's monotonic clock, in seconds.
        rng: decides on all that is random.
        game: an interrupted game that the table is laid out for; None: it is as at the start of a game.

    Attributes:
        table: the simulated table.
        relay: has the frames of the simulated camera, for the camera reader.
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
        self.table, self._renderer = kit.create_table(rng)
        if game is not None:
            kit.lay_out(self.table, game, rng)
        self._camera = SimulatedCamera(self.table, self._renderer, monotonic)
        self._hand = kit.create_mouse(self.table, self._renderer.optics, rng)
        self._touch = TableTouch(self._act)
        self._bar = TableBar()
        self._monotonic = monotonic
        self._close_up: Hashable = None
        self._followed: tuple[object, ...] = ()
        """What the bar and the touchable places depend on, besides the table."""
        self._places: list[TouchablePlace] = []
        self._sentence = ""
        self._views: list[_DrawnView] = []
        self._arrangement: TableArrangement | None = None
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
        self._arrangement = None
        self._arrange()

    def _arrange(self) -> bool:
        """Choose what is shown and where; return whether all of it is to be drawn again."""
        arrangement = self._kit.arrange(self.table, self._area.size)
        if arrangement == self._arrangement:
            return False
        self._arrangement = arrangement
        self._bar.place(pygame.Rect(arrangement.bar).move(self._area.topleft), self._area.height)
        self._views = [_DrawnView(view) for view in arrangement.views]
        return True

    def list_touchable_places(self) -> list[tuple[str, pygame.Rect]]:
        """List what the game waits to be touched now: name, and area in pixels of the unrotated window.

        Returns:
            Parts of the table, such as ("tray", ...), ("die", ...), ("token", ...) or ("cup", ...), as far as they are
            in view; empty: nothing is waited for at the table.
        """
        found = []
        for touchable in self._places:
            # Where more than one view shows a place, the first one shows it largest.
            for each in self._views:
                rect = pygame.Rect(each.view.to_panel(touchable.area))
                if each.view.contains(rect.center):
                    shown = rect.clip(pygame.Rect(each.view.place))
                    found.append((touchable.name, shown.move(self._area.topleft)))
                    break
        return found

    def find_pixel(self, at: Point) -> Point:
        """Return where a pixel of the camera's frame is shown, in pixels of the unrotated window."""
        spots = [(each.view, each.view.to_panel((*at, 0.0, 0.0))[:2]) for each in self._views]
        x, y = next((spot for view, spot in spots if view.contains(spot)), spots[0][1])
        return self._area.left + x, self._area.top + y

    def handle_mouse(self, event: pygame.event.Event, at: tuple[int, int], now: float) -> None:
        """Move things on the table with the mouse.

        Args:
            event: pygame's event of a press, release, motion or the wheel of the mouse; others are ignored.
            at: (x, y) in pixels of the unrotated window.
            now: seconds on the monotonic clock.
        """
        if event.type == pygame.MOUSEWHEEL:
            self._wake(now)
            self._hand.wheel(event.y, *self._to_frame(at), now)
        elif event.type == pygame.MOUSEMOTION:
            self._act("move", 0, at, now)
        elif event.type in {pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP}:
            self._act("press" if event.type == pygame.MOUSEBUTTONDOWN else "release", event.button, at, now)

    def handle_touch(self, event: pygame.event.Event, at: tuple[int, int], now: float) -> None:
        """Move things on the table with a finger: a long touch is a right click, a moving one drags.

        Args:
            event: pygame's event of a finger that comes, moves or leaves.
            at: (x, y) in pixels of the unrotated window.
            now: seconds on the monotonic clock.
        """
        self._wake(now)
        self._touch.handle(event, at, now, drag_start_px=self._area.height / 60)

    def _act(self, what: str, button: int, at: tuple[int, int], now: float) -> None:
        """Use a control, or move something on the table: "press", "move" or "release"."""
        self._wake(now)
        control = self._bar.find_control(at)
        if what == "press" and control is not None:
            if button == MouseButton.LEFT:
                try:
                    self._hand.use_control(control, now)
                except ImpossibleAction:
                    return  # the table changed before the touch
        elif what == "move":
            self._hand.move(*self._to_frame(at), now)
        elif what == "press" and not any(each.view.contains(self._to_panel(at)) for each in self._views):
            return
        else:
            getattr(self._hand, what)(button, *self._to_frame(at), now)

    def _wake(self, now: float) -> None:
        self._moved_at = self._next_at = now

    def _to_panel(self, at: tuple[int, int]) -> tuple[int, int]:
        return at[0] - self._area.left, at[1] - self._area.top

    def _to_frame(self, at: tuple[int, int]) -> Point:
        """Return the pixel of the camera's frame at a pixel of the window; outside of all views that of the first."""
        pixel = self._to_panel(at)
        view = next((each.view for each in self._views if each.view.contains(pixel)), self._views[0].view)
        return view.to_frame(pixel)

    def handle_key(self, key: int, now: float, *, down: bool) -> None:
        """Move something on the table with a key, if the key does that; other keys are ignored.

        Args:
            key: pygame's key code, such as pygame.K_SPACE.
            now: seconds on the monotonic clock.
            down: whether the key was pressed, not released.
        """
        self._wake(now)
        self._hand.key(pygame.key.name(key), down, now)

    def follow(self, state: ScreenState) -> None:
        """Note what the game waits for, and choose what is shown close up, which the camera does not see.

        Args:
            state: what the display shows.
        """
        version = None if self.table.is_moving else self.table.version
        followed = id(state.view), state.kind, state.question, state.menu, state.uses_camera, version
        if followed != self._followed:
            self._followed, self._view_followed = followed, state.view  # the view is kept, so that its id stays its own
            self._kit.follow(self.table, state)
            self._sentence = self._kit.describe_actions(self.table, state)
            self._places = list(self._kit.list_touchable_places(self.table, state))
        close_up = self._kit.find_close_up(self.table, state)
        if close_up != self._close_up:
            self._close_up, self._views[-1].picture, self._next_at = close_up, None, self._monotonic()

    def draw(self, surface: pygame.Surface) -> list[pygame.Rect]:
        """Take a frame of the simulated camera if one is due, put it into `relay`, and draw the table if it changed.

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
        is_new = self._arrange() or any(each.picture is None for each in self._views)
        if is_new:
            surface.fill(DARK_PALETTE[BACKGROUND], self._area)
        changed = self._draw_views(surface)
        # Evaluated in this order: what the bar says is noted in any case.
        if self._bar.show(self._sentence, self._hand.list_controls()) or is_new:
            self._bar.draw(surface)
            changed.append(self._bar.area)
        return [self._area] if is_new else changed

    def _draw_views(self, surface: pygame.Surface) -> list[pygame.Rect]:
        """Draw the views that have changed, and what is shown close up over the last one."""
        changed = []
        for each in self._views:
            if each.renderer is None:
                each.renderer = self._renderer.crop(each.view.area, min(each.view.zoom, MAX_RENDER_ZOOM))
            picture = each.renderer.render_noiseless(self.table)
            if picture is each.picture:
                continue
            each.picture = picture
            place = pygame.Rect(each.view.place).move(self._area.topleft)
            blit_image(surface, picture, place)
            if self._close_up is not None and each is self._views[-1]:
                blit_close_up(surface, self._kit.draw_close_up(self._close_up, place.height), place)
            changed.append(place)
        return changed


TablePanel = FramePanel | SimulatorPanel
"""The picture of a table beside the display."""
