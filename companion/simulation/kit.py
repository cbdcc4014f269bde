"""Simulators of games: the table, the mouse and the virtual players that a game names in `GameDefinition.simulator`."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np
import numpy.typing as npt

from companion.api import AnyGameDefinition, CameraUse, Game, Move, registry
from companion.camera.camera_use import DEFAULT_CAMERA_USE
from companion.screen_state import ScreenKind, ScreenState
from companion.simulation.optics import Optics
from companion.simulation.players.base import VirtualPlayers
from companion.simulation.players.button_players import ButtonPlayers
from companion.simulation.views import WHOLE_FRAME_AREA, TableArrangement, TouchablePlace, show_above_bar

if TYPE_CHECKING:  # they bring OpenCV
    from companion.simulation.base_mouse import TableMouse
    from companion.simulation.camera import TableRenderer

DIE_VALUES = (1, 6)
"""Lowest and highest value of a die: an open move with this range is a throw."""
DEFAULT_KIT = "companion.simulation.dice_tray.kit:DICE_TRAY"
"""Simulated table of a kind of watcher for which no installed game has one."""


@dataclass(frozen=True, slots=True)
class PlayersKit:
    """Simulator of a game that is played by buttons alone.

    >>> PlayersKit(ButtonPlayers).create_players(NO_TABLE, random.Random(1), 2).player_count
    2
    """

    create_players: Callable[[Any, random.Random, int], VirtualPlayers[Any]]
    """Makes the virtual players of a table (`NO_TABLE`), with their random generator and number."""


TableT = TypeVar("TableT", bound=Any)


class TableKit(ABC, Generic[TableT]):
    """Simulator of a game with a table under a camera. One object serves all tables of its kind."""

    create_mouse: Callable[[TableT, Optics, random.Random], TableMouse[Any]]
    """Creates what moves things on a table with the mouse; with the camera whose pixels it points to, and the random
    generator that throws and shuffles."""
    create_players: Callable[[TableT, random.Random, int], VirtualPlayers[Any]]
    """Creates the virtual players around a table, with their random generator and number."""

    @abstractmethod
    def create_table(self, rng: random.Random) -> tuple[TableT, TableRenderer]:
        """Create a table as at the start of a game, and its renderer; `rng` decides on all that is random."""

    def lay_out(self, table: TableT, game: Game, rng: random.Random) -> None:
        """Lay a new table as an interrupted game left it, as far as that is known; by default nothing is known."""

    def follow(self, table: TableT, state: ScreenState) -> None:
        """Note what the screen shows: the mouse may act by it. By default nothing follows."""

    def arrange(self, table: TableT, size: tuple[int, int]) -> TableArrangement:
        """Choose what a panel of a width and height in pixels shows of the table; by default all that the camera sees.

        Args:
            table: the table as it is now: what is shown may follow what lies on it.
            size: width and height of the panel in pixels.
        """
        return show_above_bar(WHOLE_FRAME_AREA, size)

    def describe_actions(self, table: TableT, state: ScreenState) -> str:
        """Return one sentence on what can be done on the table now, translated; empty: nothing."""
        return ""

    def list_touchable_places(self, table: TableT, state: ScreenState) -> Sequence[TouchablePlace]:
        """List the places on the table whose touch the game waits for now, in the camera's frame."""
        return ()

    def find_close_up(self, table: TableT, state: ScreenState) -> Hashable:
        """Return what all look at now and is too small on the table; None: nothing."""
        return None

    def draw_close_up(self, close_up: Any, height: int) -> npt.NDArray[np.uint8]:
        """Draw what `find_close_up` returned, (h, w, 3) uint8 BGR, for a picture of the table of that height."""
        raise NotImplementedError(close_up)


def find_throw(state: ScreenState) -> Move | None:
    """Return the open move that a throw of dice fills in now; None: no throw is waited for, or not by the camera."""
    if state.kind is not ScreenKind.PLAY or not state.uses_camera or state.view is None:
        return None
    moves = state.view.list_moves()
    return next((m for m in moves if m.value_range and (m.value_range.low, m.value_range.high) == DIE_VALUES), None)


class _NoTable:
    """Stands for the table where nothing but buttons is used."""

    def is_busy(self, now: float) -> bool:
        """Return False: nobody acts on a table."""
        return False


NO_TABLE = _NoTable()
BUTTONS = PlayersKit(ButtonPlayers)


def find_players_kit(definition: AnyGameDefinition) -> PlayersKit:
    """Find the virtual players of a game that is played without a camera: its own, if it has such, or any.

    Raises:
        Exception: anything that importing the game's modules raises.
    """
    kit = resolve_name(definition.simulator) if definition.simulator else None
    return kit if isinstance(kit, PlayersKit) else BUTTONS


def find_table_kit(definition: AnyGameDefinition | None) -> TableKit[Any]:
    """Find the simulated table of a game: its own, or that of the first game whose camera has the same watcher.

    Games are asked in the order of the lobby.

    Args:
        definition: the game; None: any that declares no use of the camera.

    Raises:
        Exception: anything that importing the games' modules raises.
    """
    use: CameraUse = (definition.camera if definition else None) or DEFAULT_CAMERA_USE
    others = (game for game in registry.load_games() if game.camera and game.camera.watcher == use.watcher)
    for game in (*((definition,) if definition else ()), *others):
        kit = resolve_name(game.simulator) if game.simulator else None
        if isinstance(kit, TableKit):
            return kit
    found: TableKit[Any] = resolve_name(DEFAULT_KIT)
    return found
