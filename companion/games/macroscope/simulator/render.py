"""Renderer of the simulated Macroscope table: the table with its tray and dice, and on it lid and tokens."""

import numpy as np

from companion.games.macroscope.simulator.appearance import MacroscopeAppearance
from companion.games.macroscope.simulator.board import SimulatedToken
from companion.games.macroscope.simulator.lid import LAYOUTS
from companion.games.macroscope.simulator.render_lid import LidPainter, draw_token
from companion.games.macroscope.simulator.table import MacroscopeTable
from companion.games.macroscope.simulator.tray import MACROSCOPE_TRAY
from companion.simulation.dice_tray.render import Image, TrayRenderer


class MacroscopeRenderer(TrayRenderer[MacroscopeTable]):
    """Draws a table in one appearance. Equal seeds and equal calls give equal frames.

    Args:
        appearance: the appearance; its layout must be that of the table (see `create_macroscope_table`).
        seed: seed of textures and noise.
    """

    appearance: MacroscopeAppearance

    def __init__(self, appearance: MacroscopeAppearance, seed: int = 0) -> None:
        super().__init__(appearance, seed, MACROSCOPE_TRAY)
        self._with_removed: Image = self._table
        self._with_removed_key: tuple[SimulatedToken, ...] = ()

    def _prepare(self, rng: np.random.Generator) -> None:
        self._lid = LidPainter(self.appearance, LAYOUTS[self.appearance.layout], rng)
        self._shape = LAYOUTS[self.appearance.layout]

    def _get_still_key(self, table: MacroscopeTable) -> object:
        return table.board, table.lid

    def _draw_objects(self, table: MacroscopeTable) -> Image:
        """Draw the table with tokens and lid."""
        if table.board.removed_tokens != self._with_removed_key:
            self._with_removed, self._with_removed_key = self._table.copy(), table.board.removed_tokens
            for k, token in enumerate(table.board.removed_tokens):
                draw_token(
                    self._with_removed, self.appearance, token, table.locate_removed_token(k), self._shape.token_radius
                )
        image = self._with_removed.copy()
        self._lid.draw(image, table.board, table.lid)
        return image
