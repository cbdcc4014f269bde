"""The screen of Stone Race: the last throw as a large die, and the stones with the players on them."""

from math import ceil

from companion.api import Seat
from companion.display.api import (
    BACKGROUND,
    BUTTON_COLOURS,
    GAP,
    INK,
    LINE,
    PANEL,
    Canvas,
    GameScene,
    IconShape,
    PackageFile,
    Rect,
    ScreenLayout,
    ScreenState,
    SoundEffect,
    SoundFile,
    split_grid,
    split_left,
    split_top,
)
from stone_race.game import StoneRace

DIE_PERCENT = 26
"""Size of the die's place, in percent of the stage's width, or of its height if the screen stands upright."""
STONES_PER_ROW = 10
"""Stones in a row, on a wide screen."""
STONES_PER_ROW_UPRIGHT = 5
"""The same on a screen that stands upright."""
BUMP_SOUND = SoundFile(PackageFile("stone_race", "sounds/bump.wav"), SoundEffect.PIECE_LOST)
"""S4: somebody is bumped back to the bank."""
FLAG = IconShape((((0.2, 0.05), (0.3, 0.05), (0.3, 0.95), (0.2, 0.95)), ((0.3, 0.08), (0.9, 0.3), (0.3, 0.52))))
"""The goal: an icon of our own, polygons in the unit square."""


class StoneRaceScene(GameScene[StoneRace]):
    """Draws the game; header, keys, scores and dialogs are the companion's."""

    ACCENT = (64, 130, 140)
    POINTS_ICON = ("arrow", INK)

    def draw_game(self, canvas: Canvas, layout: ScreenLayout, state: ScreenState, view: StoneRace) -> None:
        """Draw the die and the stones, each as a region: it is painted again only when its content changes."""
        rect, gap = layout.stage, canvas.px(GAP)
        if canvas.is_portrait:
            die_place, stones = split_top(rect, rect.h * DIE_PERCENT // 100, gap)
        else:
            die_place, stones = split_left(rect, rect.w * DIE_PERCENT // 100, gap)
        canvas.draw_region("die", die_place, view.die, lambda: self._draw_die(canvas, die_place, view.die))
        content = (view.places, view.settings.stones, state.players)
        canvas.draw_region("stones", stones, content, lambda: self._draw_stones(canvas, stones, state, view))

    def find_active_seat(self, view: StoneRace) -> Seat | None:
        """Return who throws; None: the game is over."""
        return view.active_seat if view.compute_outcome() is None else None

    def choose_sound(self, before: StoneRace, after: StoneRace) -> SoundFile | None:
        """Return our own sound when somebody is bumped."""
        return BUMP_SOUND if after.bumped and after != before else None

    def _draw_die(self, canvas: Canvas, rect: Rect, value: int | None) -> None:
        canvas.draw_die(value, rect.center, min(rect.w, rect.h) * 8 // 10)

    def _draw_stones(self, canvas: Canvas, rect: Rect, state: ScreenState, view: StoneRace) -> None:
        count = view.settings.stones
        columns = STONES_PER_ROW_UPRIGHT if canvas.is_portrait else STONES_PER_ROW
        cells = split_grid(rect, columns, ceil(count / columns), canvas.px(1))
        standing = {place: player for player, place in zip(state.players, view.places, strict=True)}
        for number, cell in enumerate(cells[:count], 1):
            size = min(cell.w, cell.h)
            player = standing.get(number)
            canvas.draw_disc(cell.center, size, PANEL if player is None else BUTTON_COLOURS[player.button], LINE)
            if player is not None:
                canvas.draw_badge(player.button, cell.center, size * 6 // 10, BACKGROUND)
            elif number == count:
                canvas.draw_icon(FLAG, cell.center, size * 6 // 10, INK)
