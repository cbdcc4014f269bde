"""Mouse and keyboard control of a simulated Macroscope table."""

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass

from companion.games.macroscope.simulator.lid import LID_HEIGHT_MM, TOKEN_HEIGHT_MM, LidPlacement
from companion.games.macroscope.simulator.table import MacroscopeTable
from companion.games.macroscope.simulator.tray import TRAY_CENTER_MM, TRAY_HALF_WIDTH_MM
from companion.i18n import N_
from companion.simulation.actions import ImpossibleAction
from companion.simulation.base_mouse import MouseButton, TableControl, TableMouse
from companion.simulation.optics import Optics, Point

WHEEL_STEP_DEG = 15.0
"""Rotation of the lid per step of the wheel in degrees; the larger, the faster and coarser."""
DOUBLE_CLICK_SECONDS = 0.4
"""Longest time between the clicks of a double click; the larger, the more often two single clicks count as one."""
TURN_DEG = 90.0
"""Rotation of the lid by its control: to the next side of the table."""
COVER, TURN = TableControl("cover", N_("Cover all windows")), TableControl("turn", N_("Turn the lid by 90°"))
DRAG_START_PX = 6.0
"""Largest movement of the mouse in a click, in pixels; farther is a drag."""


@dataclass(frozen=True, slots=True)
class _PlaceUnderMouse:
    """The part of the table under the mouse."""

    window: int | None = None
    """Index of the window, 0 to 11."""
    removed_index: int | None = None
    """Index of the token beside the lid."""
    lid: bool = False
    """Whether the lid is under the mouse, at a window or elsewhere."""
    tray: bool = False
    """Whether the dice tray is under the mouse."""


class MacroscopeMouse(TableMouse[MacroscopeTable]):
    """Takes tokens and puts them back, throws the dice, and moves the lid."""

    HAND_LEVEL_MM = LID_HEIGHT_MM

    def __init__(self, table: MacroscopeTable, optics: Optics, rng: random.Random) -> None:
        super().__init__(table, optics, rng)
        self._pressed: tuple[MouseButton, Point, _PlaceUnderMouse] | None = None
        self._grip: tuple[Point, LidPlacement] | None = None
        self._rim_clicked_at = -math.inf

    def list_controls(self) -> Sequence[TableControl]:
        """List the controls that do something now."""
        is_covered = all(self._table.board.windows)
        return (*(() if is_covered else (COVER,)), TURN)

    def use_control(self, control: TableControl, now: float) -> None:
        """Do what a control says."""
        if control is COVER:
            self._clear(now)
        else:
            self._table.turn_lid(TURN_DEG, now)

    def _press(self, button: MouseButton, now: float) -> None:
        place = self._find_under(self._at)
        self._pressed = button, self._at, place
        if place.lid and not self._table.is_busy(now):
            self._grip = self._to_lid_plane(self._at), self._table.lid

    def move(self, x: float, y: float, now: float) -> None:
        """Handle a movement of the mouse to a pixel of the frame; `now` in seconds."""
        super().move(x, y, now)
        if self._pressed is None or self._grip is None:
            return
        button, start, place = self._pressed
        if math.dist(start, self._at) <= DRAG_START_PX and self._grip[1] == self._table.lid:
            return
        (gx, gy), pose = self._grip
        mx, my = self._to_lid_plane(self._at)
        if button is MouseButton.LEFT and place.window is None:
            self._table.place_lid(LidPlacement(pose.x + mx - gx, pose.y + my - gy, pose.angle_deg))
        elif button is MouseButton.RIGHT:
            turned = math.atan2(my - pose.y, mx - pose.x) - math.atan2(gy - pose.y, gx - pose.x)
            self._table.place_lid(LidPlacement(pose.x, pose.y, pose.angle_deg + math.degrees(turned)))

    def release(self, button: int, x: float, y: float, now: float) -> None:
        """Handle a mouse button that went up at a pixel of the frame; `now` in seconds."""
        super().release(button, x, y, now)
        if self._pressed is None or button != self._pressed[0]:
            return
        (_, start, place), self._pressed, self._grip = self._pressed, None, None
        if button != MouseButton.LEFT:
            return
        clicked = math.dist(start, self._at) <= DRAG_START_PX
        try:
            if place.removed_index is not None:
                self._drop_token(place.removed_index, now)
            elif place.lid and clicked and self._table.is_to_be_covered:
                self._clear(now)
            elif place.window is not None:
                self._click_window(place.window, now)
            elif clicked and place.tray:
                self._table.throw_dice(None, self._rng, now)
            elif clicked and place.lid:
                self._handle_rim_click(now)
        except ImpossibleAction:
            # The windows changed between press and release, or two clicks took the same token.
            return

    def wheel(self, steps: float, x: float, y: float, now: float) -> None:
        """Turn the lid by `steps` of the wheel (positive: away from the person) if it is under the pixel."""
        self._at = float(x), float(y)
        if self._find_under(self._at).lid and not self._table.is_busy(now):
            lid = self._table.lid
            self._table.place_lid(LidPlacement(lid.x, lid.y, lid.angle_deg + WHEEL_STEP_DEG * steps))

    def _clear(self, now: float) -> None:
        self._table.cover_all(self._rng, now)

    def _click_window(self, window: int, now: float) -> None:
        if self._table.board.windows[window] is not None:
            self._table.take_token(window, now)
        else:
            self._table.put_token(window, None, now)

    def _drop_token(self, removed_index: int, now: float) -> None:
        """Place a token from beside the lid on the window under the mouse; a click on it, on the first open one."""
        place, windows = self._find_under(self._at), self._table.board.windows
        window = place.window
        if place.removed_index == removed_index:
            window = next((i for i, token in enumerate(windows) if token is None), None)
        if window is not None and removed_index < len(self._table.board.removed_tokens):
            self._table.put_token(window, self._table.board.removed_tokens[removed_index].number, now)

    def _handle_rim_click(self, now: float) -> None:
        if now - self._rim_clicked_at <= DOUBLE_CLICK_SECONDS:
            self._rim_clicked_at = -math.inf
            self._table.cover_all(self._rng, now)
        else:
            self._rim_clicked_at = now

    def _to_lid_plane(self, pixel: Point) -> Point:
        return self._optics.to_table(pixel, LID_HEIGHT_MM)

    def _find_under(self, pixel: Point) -> _PlaceUnderMouse:
        table, shape = self._table, self._table.shape
        x, y = table.lid.to_lid(self._to_lid_plane(pixel))
        if abs(x) <= shape.size[0] / 2 and abs(y) <= shape.size[1] / 2:
            for window, middle in enumerate(shape.windows):
                if math.dist((x, y), middle) <= shape.token_radius:
                    return _PlaceUnderMouse(window=window, lid=True)
            return _PlaceUnderMouse(lid=True)
        at = self._optics.to_table(pixel, TOKEN_HEIGHT_MM)
        for k in range(len(table.board.removed_tokens)):
            if math.dist(at, table.locate_removed_token(k)) <= shape.token_radius:
                return _PlaceUnderMouse(removed_index=k)
        reach = TRAY_HALF_WIDTH_MM + 8.0
        return _PlaceUnderMouse(
            tray=abs(at[0] - TRAY_CENTER_MM[0]) <= reach and abs(at[1] - TRAY_CENTER_MM[1]) <= reach
        )
