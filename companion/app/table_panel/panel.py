"""The table beside the display: a simulated one that mouse and fingers move.

The simulated camera is read in the window's thread, where the table is moved too. Only its frames reach the camera
reader. People see parts of the same scene, drawn larger. The table itself: `companion/simulation/dice_tray/table.py`,
or `simulator/table.py` of a game.
"""

import random
from collections import deque
from collections.abc import Callable
from typing import Any

import pygame

from companion.api import Game
from companion.app.table_panel.bar import TableBar
from companion.app.table_panel.demo_panel import DemoPanel
from companion.app.table_panel.finger_mouse import FingerMouse
from companion.app.table_panel.picture import TablePicture
from companion.app.table_panel.rings import TableRings
from companion.display.toolkit.theme import BACKGROUND, DARK_PALETTE
from companion.referee.camera_visibility import MOVING_STATES
from companion.screen_state import ScreenKind, ScreenState
from companion.simulation.actions import ImpossibleAction
from companion.simulation.base_mouse import MouseButton
from companion.simulation.camera import SimulatedCamera
from companion.simulation.kit import TableKit
from companion.simulation.optics import FRAME_SIZE_PX, Point
from companion.simulation.views import TouchablePlace
from hardware.cameras.live_camera import Frame

SETTLE_SECONDS = 1.0
"""Seconds of full frame rate after the last movement, so that the camera reader sees it end."""
IDLE_FRAME_SECONDS = 0.2
"""Seconds between two frames while nothing moves. Longer: less CPU time, slower reaction to the mouse."""
TIDY_KINDS = frozenset({ScreenKind.FIRST, ScreenKind.LESSON})
"""Screens before a game: a table that was used is put back to its start, since nobody can lay out a simulated box."""
CLEARING_KEY = "c"
"""Key that puts every simulated table back to its start."""


class FrameRelay:
    """Passes the simulated camera's latest frame from the window's thread to the camera reader's thread.

    It has the interface of `live_camera.Camera`. Its methods may be called from any thread; none raises.
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
    """Panel with the picture of a simulated table, moved by the mouse or a finger.

    Args:
        kit: makes the table, its renderer and what moves things with the mouse.
        monotonic: the host's monotonic clock, in seconds.
        rng: decides on all that is random.
        game: an interrupted game that the table is laid out for; None: it is as at the start of a game.

    Attributes:
        table: the simulated table.
        relay: has the frames of the simulated camera, for the camera reader.
        was_missed: somebody touched the table where a strict guide waits for nothing; whoever reports it sets it back.
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
        self._picture = TablePicture(kit, self.table, renderer)
        self._touch = FingerMouse(self._act)
        self._rings = TableRings()
        self.was_missed = False
        self._laid_version = self.table.version
        self._kind: ScreenKind | None = None
        self._bar = TableBar()
        self._monotonic = monotonic
        self._followed: tuple[object, ...] = ()
        """What the bar and the touchable places depend on, besides the table."""
        self._places: list[TouchablePlace] = []
        self._sentence, self._is_unread = "", False
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
        self._picture.place(panel)
        self._bar.place(self._picture.bar, panel.height)

    def list_touchable_places(self) -> list[tuple[str, pygame.Rect]]:
        """List what the game waits to be touched now: name, and area in pixels of the unrotated window.

        Returns:
            Parts of the table, such as ("tray", ...), ("die", ...), ("token", ...) or ("cup", ...), as far as they are
            in view; empty: nothing is waited for at the table.
        """
        located = ((touchable.name, self._picture.locate(touchable.area)) for touchable in self._places)
        return [(name, rect) for name, rect in located if rect is not None]

    def find_pixel(self, at: Point) -> tuple[int, int]:
        """Return where a pixel of the camera's frame is shown, in pixels of the unrotated window.

        Raises:
            ValueError: it is in no view.
        """
        spot = self._picture.locate((*at, 1.0, 1.0))
        if spot is None:
            raise ValueError(f"{at} is not in view")
        return spot.topleft

    def handle_mouse(self, event: pygame.event.Event, at: tuple[int, int], now: float) -> None:
        """Move things on the table with the mouse.

        Args:
            event: pygame's event of a press, release, motion or the wheel of the mouse; others are ignored.
            at: (x, y) in pixels of the unrotated window.
            now: seconds on the monotonic clock.
        """
        if event.type == pygame.MOUSEWHEEL and self._rings.is_strict:
            self.was_missed = True
        elif event.type == pygame.MOUSEWHEEL:
            self._wake(now)
            self._hand.wheel(event.y, *self._picture.to_frame(at), now)
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
        if what == "press" and self._rings.is_missed(at):
            self.was_missed |= not self.table.is_moving
        elif what == "press" and control is not None:
            if button == MouseButton.LEFT:
                try:
                    self._hand.use_control(control, now)
                except ImpossibleAction:
                    return  # the table changed before the touch
        elif what == "move":
            self._hand.move(*self._picture.to_frame(at), now)
        elif what == "press" and not self._picture.contains(at):
            return
        else:
            getattr(self._hand, what)(button, *self._picture.to_frame(at), now)

    def _wake(self, now: float) -> None:
        self._moved_at = self._next_at = now

    def handle_key(self, key: int, now: float, *, down: bool) -> None:
        """Move something on the table with a key, if the key does that; other keys are ignored.

        Args:
            key: pygame's key code, such as pygame.K_SPACE.
            now: seconds on the monotonic clock.
            down: whether the key was pressed, not released.
        """
        self._wake(now)
        if not self._rings.is_strict:
            self._hand.key(pygame.key.name(key), down, now)

    def follow(self, state: ScreenState) -> None:
        """Note what the game waits for, and choose what is shown close up, which the camera does not see.

        Args:
            state: what the display shows.
        """
        version = None if self.table.is_moving else self.table.version
        chosen = state.marked_dice, state.choices
        covers = state.question, state.menu, state.help
        is_unread = state.camera_view.state in MOVING_STATES
        followed = id(state.view), state.kind, covers, chosen, state.uses_camera, version, is_unread
        if followed != self._followed:
            self._followed, self._view_followed = followed, state.view  # the view is kept, so that its id stays its own
            self._kit.follow(self.table, state)
            # What is asked or read is done by the keys: a second request would contradict the first.
            self._sentence = "" if any(covers) else self._kit.describe_actions(self.table, state)
            self._places = list(self._kit.list_touchable_places(self.table, state))
        if state.kind is not self._kind and state.kind in TIDY_KINDS and self.table.version != self._laid_version:
            self._hand.key(CLEARING_KEY, True, self._monotonic())
        self._kind = state.kind
        self._is_unread = is_unread
        places = [] if self.table.is_moving or self._is_unread else self.list_touchable_places()
        if self._rings.follow(state.guide, places):
            self._picture.refresh()
            self._next_at = self._monotonic()
        if self._picture.follow(state):
            self._next_at = self._monotonic()

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
        is_new = self._picture.arrange()
        if is_new:
            surface.fill(DARK_PALETTE[BACKGROUND], self._area)
            self._bar.place(self._picture.bar, self._area.height)
        changed = self._picture.draw(surface)
        if changed:
            self._rings.draw(surface, self._area)
        # A guide's sentence, on the display, is the one that counts; and what was asked for is being done.
        is_done = self.table.is_moving or self._is_unread
        sentence = "" if self._rings.has_sentence or is_done else self._sentence
        has_controls = self._kind is ScreenKind.PLAY and not self._rings.is_strict
        controls = self._hand.list_controls() if has_controls else ()
        # Evaluated in this order: what the bar says is noted in any case.
        if self._bar.show(sentence, controls) or is_new:
            self._bar.draw(surface)
            changed.append(self._bar.area)
        return [self._area] if is_new else changed


TablePanel = DemoPanel | SimulatorPanel
"""The picture of a table beside the display."""
