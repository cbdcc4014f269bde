"""The table of the demo beside the display: what the camera reads is circled, and said in words below the picture."""

import math
from typing import Any

import pygame

from companion.app.table_panel.bar import TableBar
from companion.app.table_panel.picture import TablePicture
from companion.display.toolkit.theme import BACKGROUND, DARK_PALETTE, WARN
from companion.i18n import N_
from companion.screen_state import ScreenState
from companion.simulation.base_mouse import TableControl
from companion.simulation.camera import TableRenderer
from companion.simulation.demo_script import DemoCaption, PictureCircle
from companion.simulation.kit import TableKit

HINT = TableControl("play", N_("Demo: press any button to play"))
LINE_WIDTH_RATIO = 0.008
"""Width of circles and lines, as a share of the panel's height."""


class DemoPanel:
    """Panel with the picture of a simulated table that others move, a caption, and what a press does.

    >>> panel = DemoPanel()
    >>> panel.show_caption(DemoCaption("The camera reads 2 and 4"))
    >>> panel.caption.text
    'The camera reads 2 and 4'

    Attributes:
        caption: what is said now.
        is_moving: the table still moves.
        was_touched: a key, a button of the mouse or a finger was pressed.
        was_missed: always False, see `SimulatorPanel`.
    """

    was_missed = False

    def __init__(self) -> None:
        self.caption = DemoCaption("")
        self.is_moving = True
        self.was_touched = False
        self._picture: TablePicture | None = None
        self._bar = TableBar()
        self._area = pygame.Rect(0, 0, 1, 1)

    def show_table(self, kit: TableKit[Any], table: Any, renderer: TableRenderer) -> None:
        """Show a simulated table from now on."""
        self._picture = TablePicture(kit, table, renderer)

    def show_caption(self, caption: DemoCaption) -> None:
        """Say something from now on, and circle what it speaks of in the picture."""
        if caption.circles != self.caption.circles and self._picture is not None:
            self._picture.refresh()
        self.caption = caption

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
        """Draw the table and the caption, where they have changed.

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
        changed = self._picture.draw(surface)
        for view in changed:
            surface.set_clip(view)
            for circle in self.caption.circles:
                self._point_at(surface, self._picture, circle)
            surface.set_clip(None)
        if self._bar.show(self.caption.text, (HINT,)) or is_new:
            self._bar.draw(surface)
            changed.append(self._bar.area)
        return [self._area] if is_new else changed

    def _point_at(self, surface: pygame.Surface, picture: TablePicture, circle: PictureCircle) -> None:
        """Draw a circle, and a line from it to the words below the picture, with dark edges."""
        x, y, radius = circle
        place = picture.locate((x - radius, y - radius, 2 * radius, 2 * radius))
        if place is None:
            return
        words = self._bar.area.inflate(-self._bar.area.width // 2, 0)
        foot = pygame.Vector2(
            max(words.left, min(place.centerx, words.right)), max(words.top, min(place.centery, words.bottom))
        )
        size = max(place.size) // 2
        start = pygame.Vector2(place.center).move_towards(foot, size)
        width = math.ceil(LINE_WIDTH_RATIO * self._area.height)
        for tone, thick in ((BACKGROUND, 2 * width), (WARN, width)):
            pygame.draw.circle(surface, DARK_PALETTE[tone], place.center, size + thick // 2, thick)
            pygame.draw.line(surface, DARK_PALETTE[tone], start, foot, thick)
