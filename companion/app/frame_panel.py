"""Panels beside the display: what each one can do, and the one that shows a camera's frames."""

from typing import Protocol

import cv2
import pygame

from companion.display.toolkit.theme import BACKGROUND, DARK_PALETTE
from companion.games.macroscope.simulator.cards import draw_card
from companion.games.macroscope.simulator.table import MacroscopeTable
from companion.games.macroscope.state import MacroscopeState, Phase
from companion.games.memo_dice.simulator.objects import DieFace, MemoDiceAppearance
from companion.games.memo_dice.simulator.render import draw_face
from companion.games.memo_dice.simulator.table import MemoDiceTable
from companion.games.memo_dice.state import COVERING_PHASES, MemoDiceState
from companion.screen_state import ScreenState
from companion.simulation.optics import FRAME_SIZE_PX
from hardware.cameras.sources import Frame

CARD_HEIGHT_RATIO = 0.5
"""Height of a card that is turned up, as a share of the height of the table's picture."""
CARD_ASPECT = 1.28
"""Width of a card, as a multiple of its height."""
FACE_HEIGHT_RATIO = 0.34
"""Height of a die's face that is shown close up, below the row of cups, as a share of the same."""
CloseUp = int | DieFace
"""What all look at and is too small on the table: the number of Macroscope's card, or a die's face."""
PADDING_PX = 14
"""Pixels between the edge of the panel and its help text."""


class TablePanel(Protocol):
    """The picture of a simulated table beside the display."""

    @property
    def is_moving(self) -> bool:
        """Whether something on the table moves."""
        ...

    def place(self, panel: pygame.Rect) -> None:
        """Set the area of the panel, in pixels of the unrotated window; all of it is drawn again."""
        ...

    def handle_mouse(self, event: pygame.event.Event, at: tuple[int, int], now: float) -> None:
        """Handle an event of the mouse at `at`, in pixels of the unrotated window, at `now` seconds."""
        ...

    def handle_key(self, key: int, now: float, *, down: bool) -> None:
        """Handle a key of the keyboard that is no button."""
        ...

    def follow(self, state: ScreenState) -> None:
        """Note the state of the screen: what the players may see on the table depends on it."""
        ...

    def draw(self, surface: pygame.Surface) -> list[pygame.Rect]:
        """Draw what has changed on the unrotated window; return the changed areas."""
        ...


class FramePanel:
    """Panel with the frames of a camera as somebody else reads them; nothing on it can be moved.

    Attributes:
        table: the simulated table, if it is known: what all look at is shown close up.
        is_moving: frames still come.
        was_touched: a key or a button of the mouse was pressed.
    """

    def __init__(self) -> None:
        self.table: object = None
        self.is_moving = True
        self._close_up: CloseUp | None = None
        self.was_touched = False
        self._frame: Frame | None = None
        self._drawn_frame: Frame | None = None
        self.place(pygame.Rect((0, 0), FRAME_SIZE_PX))

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

    def handle_mouse(self, event: pygame.event.Event, _at: tuple[int, int], _now: float) -> None:
        """Note that a button of the mouse was pressed."""
        self.was_touched |= event.type == pygame.MOUSEBUTTONDOWN

    def handle_key(self, _key: int, _now: float, *, down: bool) -> None:
        """Note that a key was pressed."""
        self.was_touched |= down

    def follow(self, state: ScreenState) -> None:
        """Choose what is shown close up."""
        close_up = find_close_up(state, self.table)
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
        if self._close_up is not None:
            draw_close_up(surface, self._close_up, changed)
        if self._drawn_frame is None:
            changed = self._area
        self._drawn_frame = self._frame
        return [changed]


def fit_frame(panel: pygame.Rect) -> pygame.Rect:
    """Return the largest area of a frame's proportions in a panel, at its top left."""
    scale = min(panel.width / FRAME_SIZE_PX[0], panel.height / FRAME_SIZE_PX[1])
    return pygame.Rect(panel.topleft, (round(FRAME_SIZE_PX[0] * scale), round(FRAME_SIZE_PX[1] * scale)))


def find_close_up(state: ScreenState, table: object) -> CloseUp | None:
    """Return what all look at now and is too small on the table; None: nothing.

    That is Macroscope's card, turned up at the reveal (M40); in Memo Dice the die that lies open at the end of the row
    (D10), and the one whose cup was lifted to see who is right (D21).
    """
    view = state.view
    if isinstance(view, MacroscopeState) and isinstance(table, MacroscopeTable):
        return table.board.card_number if view.phase is Phase.REVEAL else None
    if isinstance(view, MemoDiceState) and isinstance(table, MemoDiceTable):
        lifted = view.next_cup_index if view.cup_lifted else None
        index = len(table.row) - 1 if view.phase in COVERING_PHASES else lifted
        if index is not None and 0 <= index < len(table.row) and table.row[index].cup is None:
            return table.row[index].placed_die.top
    return None


def draw_close_up(surface: pygame.Surface, close_up: CloseUp, area: pygame.Rect) -> None:
    """Draw what is shown close up over the lower left of a table's picture."""
    if isinstance(close_up, DieFace):
        width = height = round(area.height * FACE_HEIGHT_RATIO)
        picture = draw_face(close_up, height, MemoDiceAppearance())
    else:
        height = round(area.height * CARD_HEIGHT_RATIO)
        width = round(height * CARD_ASPECT)
        picture = draw_card(close_up, (width, height))
    place = pygame.Rect(area.left, area.bottom - height, width, height).move(height // 12, -height // 12)
    pygame.draw.rect(surface, "white", place.inflate(height // 12, height // 12), border_radius=height // 20)
    surface.blit(pygame.image.frombuffer(picture[:, :, ::-1].tobytes(), place.size, "RGB"), place)


def draw_frame(surface: pygame.Surface, frame: Frame, area: pygame.Rect) -> None:
    """Draw a frame of a camera, scaled to an area of a surface."""
    small = cv2.resize(frame.image, area.size, interpolation=cv2.INTER_AREA)
    surface.blit(pygame.image.frombuffer(small[:, :, ::-1].tobytes(), area.size, "RGB"), area)
