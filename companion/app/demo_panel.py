"""The table beside the display of a demo: it moves by itself."""

from typing import Any

import pygame

from companion.app.table_bar import TableBar
from companion.app.table_picture import TablePicture
from companion.display.toolkit.theme import BACKGROUND, DARK_PALETTE
from companion.i18n import N_, _
from companion.screen_state import ScreenState
from companion.simulation.camera import TableRenderer
from companion.simulation.kit import TableKit

DEMO_SENTENCE = N_("Demo: press any button to play")


class DemoPanel:
    """Panel with the picture of a simulated table that others move.

    Attributes:
        is_moving: the table still moves.
        was_touched: a key, a button of the mouse or a finger was pressed.
        was_missed: always False, see `SimulatorPanel`.
    """

    was_missed = False

    def __init__(self) -> None:
        self.is_moving = True
        self.was_touched = False
        self._picture: TablePicture | None = None
        self._bar = TableBar()
        self._area = pygame.Rect(0, 0, 1, 1)

    def show_table(self, kit: TableKit[Any], table: Any, renderer: TableRenderer) -> None:
        """Show a simulated table from now on."""
        self._picture = TablePicture(kit, table, renderer)

    def place(self, panel: pygame.Rect) -> None:
        """Set the area of the panel; all of it is drawn again at the next `draw`.

        Args:
            panel: the area, in pixels of the unrotated window; at least some pixels wide and high.
        """
        self._area = panel
        if self._picture is not None:
            self._picture.place(panel)

    def handle_mouse(self, event: pygame.event.Event, _at: tuple[int, int], _now: float) -> None:
        """Note that a button of the mouse was pressed."""
        self.was_touched |= event.type == pygame.MOUSEBUTTONDOWN

    def handle_touch(self, event: pygame.event.Event, _at: tuple[int, int], _now: float) -> None:
        """Note that a finger came."""
        self.was_touched |= event.type == pygame.FINGERDOWN

    def handle_key(self, _key: int, _now: float, *, down: bool) -> None:
        """Note that a key was pressed."""
        self.was_touched |= down

    def follow(self, state: ScreenState) -> None:
        """Choose what is shown close up."""
        if self._picture is not None:
            self._picture.follow(state)

    def draw(self, surface: pygame.Surface) -> list[pygame.Rect]:
        """Draw the table, where it has changed.

        Args:
            surface: of the whole unrotated window.

        Returns:
            The changed areas of `surface`; empty: nothing was drawn.
        """
        if self._picture is None:
            return []
        is_new = self._picture.arrange()
        if is_new:
            surface.fill(DARK_PALETTE[BACKGROUND], self._area)
            self._bar.place(self._picture.bar, self._area.height)
            self._bar.show(_(DEMO_SENTENCE), ())
            self._bar.draw(surface)
        changed = self._picture.draw(surface)
        return [self._area] if is_new else changed
