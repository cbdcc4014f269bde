"""The screen: paints one state after the other, and only what has changed."""

import time
from collections.abc import Callable, Set
from itertools import chain
from pathlib import Path

import pygame

from companion.display.animation import Animator
from companion.display.scenes import draw_scene, load_game_scene
from companion.display.scenes.acts import WINNER_SECONDS, choose_heard_state, is_winner_unseen, skip_step
from companion.display.toolkit import DEFAULT_PREFERENCES, Canvas, DisplayPreferences, DrawnText, Timeline
from companion.events import Button
from companion.i18n import current_language
from companion.screen_state import ScreenKind, ScreenState

DIM_MULTIPLIER = (56, 56, 56)
"""Factor of red, green and blue of a dimmed picture, out of 255; less is darker."""


class Screen:
    """Draws states on a surface of its own, and copies what changed: no window is needed.

    Args:
        size: width and height in pixels; on a picture smaller than 240 x 144 drawing can raise `pygame.error`.
        preferences: colours, animations and keys. `rotation_deg` is not applied here: see `RotatedSurface`.
        monotonic: clock of the animations, in seconds; it must not run backwards.

    Attributes:
        canvas: what the last picture was drawn on, with its regions and texts; another one if `preferences` change.

    Raises:
        KeyError: `preferences.palette` is not a key of `theme.PALETTES`.
        pygame.error: a size is negative, or pygame's fonts cannot be initialised.
    """

    def __init__(
        self,
        size: tuple[int, int],
        preferences: DisplayPreferences = DEFAULT_PREFERENCES,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self.canvas = Canvas(size, preferences)
        self._painted_state: ScreenState | None = None
        self._language = current_language()
        self._target: pygame.Surface | None = None
        self._is_dimmed = False
        self._skips_step = self._skips_to_winner = False
        self._monotonic = monotonic
        self._animator = Animator(monotonic)
        self._use_clock()

    @property
    def is_animating(self) -> bool:
        """Whether something moves, or must be wiped: `draw` changes the picture even if the state stays the same."""
        return self._animator.is_animating or self.canvas.timeline.is_running

    @property
    def preferences(self) -> DisplayPreferences:
        """The display preferences. When others are set, the next picture is painted completely.

        Raises:
            KeyError: the palette that is set is not a key of `theme.PALETTES`.
        """
        return self.canvas.preferences

    @preferences.setter
    def preferences(self, preferences: DisplayPreferences) -> None:
        if preferences != self.canvas.preferences:
            self.canvas, self._painted_state = Canvas(self.canvas.size, preferences), None
            self._use_clock()

    def _use_clock(self) -> None:
        self.canvas.timeline = Timeline(self._monotonic)
        self.canvas.timeline.is_enabled = self.canvas.preferences.animations

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the picture in pixels, before it is rotated."""
        return self.canvas.size

    def draw(self, surface: pygame.Surface, state: ScreenState) -> list[pygame.Rect]:
        """Bring a surface up to date: paint what has changed, then the animations over it.

        Args:
            surface: a surface of this screen's `size`, as this method left it at its last call; another one is drawn
                completely.
            state: what is to be shown.

        Returns:
            The areas that were drawn, in pixels; none if `surface` shows the state already.

        Raises:
            Exception: errors of drawing are passed on, such as `pygame.error` on a screen that is too small.
        """
        changed = [*self._paint_and_animate(state), *self._animator.take_drawn_rects()]
        if surface is not self._target or state.dimmed is not self._is_dimmed:
            self._target, self._is_dimmed = surface, state.dimmed
            changed = [surface.get_rect()]
        for rect in changed:
            surface.blit(self.canvas.surface, rect, rect)
            if state.dimmed:
                surface.fill(DIM_MULTIPLIER, rect, pygame.BLEND_RGB_MULT)
        return [*changed, *self._animator.draw(surface, self.canvas)]

    def _paint_and_animate(self, state: ScreenState) -> list[pygame.Rect]:
        """Paint what has changed, and start the animations of that change."""
        before, timeline = self._painted_state, self.canvas.timeline
        changed: list[pygame.Rect] = []
        if before is not None and (self._skips_step or state.pressed_buttons - before.pressed_buttons):
            # Any press ends what moves: it never delays what the press does.
            self._animator.finish()
            if not (self._is_idle_press(before, state) and self._skip_step(before)):
                if timeline.is_running:
                    timeline.finish()
                    changed = self._paint(before, is_again=True)
                timeline.finish()  # also what the end of an act has begun
            self._skips_step = self._skips_to_winner = False
        if before is None or before == state or not self.canvas.preferences.animations:
            return changed + self._paint(state)
        anchors_before = self.canvas.collect_anchors()
        changed += self._paint(state)
        self._animator.start_animations(before, state, anchors_before, self.canvas.collect_anchors())
        return changed

    def _is_idle_press(self, before: ScreenState, state: ScreenState) -> bool:
        """Return whether what was pressed does nothing else than to skip a step of the acts."""
        presses = state.pressed_buttons - before.pressed_buttons
        is_lit = any(key.label and not key.is_hold and key.button in presses for key in before.soft_keys)
        return self._skips_step or not is_lit

    def _skip_step(self, state: ScreenState) -> bool:
        scene = load_game_scene(state.game_name)
        return state.in_game and skip_step(self.canvas, scene, state, to_winner=self._skips_to_winner)

    @property
    def hides_keys(self) -> bool:
        """Whether the last picture shows no keys, because the winner of a game is not seen yet."""
        return self._is_winner_unseen(0.0)

    def _is_winner_unseen(self, seconds: float) -> bool:
        state = self._painted_state
        return (
            state is not None
            and state.in_game
            and state.kind is ScreenKind.RESULT
            and is_winner_unseen(self.canvas, load_game_scene(state.game_name), state, seconds)
        )

    def skip_ending(self, pressed: Set[Button]) -> Set[Button]:
        """Let presses skip what comes before the winner with the next picture: OK a step, the others all.

        Args:
            pressed: the buttons that were pressed.

        Returns:
            Those whose presses are used up; once the winner is seen, for a second OK's.
        """
        used = frozenset[Button]()
        if self.hides_keys:
            used = frozenset(pressed)
        elif self._is_winner_unseen(WINNER_SECONDS):
            used = frozenset(pressed & {Button.OK})
        self._skips_step, self._skips_to_winner = bool(used), bool(used - {Button.OK})
        return used

    def choose_heard_state(self, state: ScreenState) -> ScreenState | None:
        """Return the state whose sounds fit the last picture; None: they wait.

        Args:
            state: what the last picture shows.

        Raises:
            Exception: any error of the scene's methods is passed on.
        """
        return choose_heard_state(self.canvas, load_game_scene(state.game_name), state) if state.in_game else state

    def render(self, state: ScreenState) -> pygame.Surface:
        """Return a new surface of this screen's `size` that shows a state, without animations.

        The next call of `draw` then draws its surface completely.

        Args:
            state: what is to be shown.

        Raises:
            Exception: errors of drawing are passed on, such as `pygame.error` on a screen that is too small.
        """
        # What is painted here has not reached the surface that `draw` keeps up to date.
        self._target = self._painted_state = None
        timeline, self.canvas.timeline = self.canvas.timeline, Timeline()
        self._paint(state)
        self.canvas.timeline, self._painted_state = timeline, None
        picture = self.canvas.surface.copy()
        if state.dimmed:
            picture.fill(DIM_MULTIPLIER, special_flags=pygame.BLEND_RGB_MULT)
        return picture

    def button_at(self, position: tuple[int, int]) -> Button | None:
        """Return the button whose soft key or touch area lies at a place of the last picture.

        Args:
            position: x and y in pixels of the picture before it is rotated.

        Returns:
            The button; None if there is no touch area, or nothing was painted yet.
        """
        areas = chain.from_iterable(region.touch_areas for region in self.canvas.regions.values())
        return next((button for rect, button in areas if rect.collidepoint(position)), None)

    def is_help_at(self, position: tuple[int, int]) -> bool:
        """Return whether a touch at a place of the last picture opens the help; see `button_at`."""
        areas = chain.from_iterable(region.help_areas for region in self.canvas.regions.values())
        return any(rect.collidepoint(position) for rect in areas)

    def drawn_texts(self) -> list[DrawnText]:
        """Return the lines of text of the last picture, with places and font sizes in pixels; none before the first."""
        return self.canvas.drawn_texts()

    def _paint(self, state: ScreenState, *, is_again: bool = False) -> list[pygame.Rect]:
        """Paint what has changed on the canvas; return the areas. `is_again`: also the same state, whose end it is."""
        if self._language != current_language():
            # Texts of the scenes themselves are not part of the state.
            self._language, self._painted_state = current_language(), None
        last, self._painted_state = self._painted_state, state
        if state == last and not is_again and not self.canvas.timeline.is_running:
            return []
        canvas = self.canvas
        is_new_scene = last is None or (last.kind, last.game_name) != (state.kind, state.game_name)
        if not is_new_scene:
            with canvas.frame() as changed:
                draw_scene(canvas, state)
            if canvas.has_new_ground:
                return [canvas.surface.get_rect()]
            if not canvas.has_moved_region:
                return list(changed)
        canvas.regions.clear()  # each scene floods the ground first, which then fills the whole surface
        with canvas.frame():
            draw_scene(canvas, state)
        return [canvas.surface.get_rect()]


def save_png(surface: pygame.Surface, path: Path) -> None:
    """Write a surface to a file as PNG; a file that exists is replaced.

    Args:
        surface: the picture.
        path: the file, with the suffix ".png": pygame chooses the format by the suffix, and writes TGA for an unknown
            one. Its folder must exist.

    Raises:
        OSError: the file cannot be written.
    """
    try:
        pygame.image.save(surface, str(path))
    except pygame.error as error:
        raise OSError(f"{path} cannot be written: {error}") from error
