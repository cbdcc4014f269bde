"""Animations: icons that fly over the picture for a moment, such as points to the player who gained them.

The picture below already shows the new state: nothing waits for an animation, and presses are handled as always. Scenes
note where things stand (`Canvas.set_anchor`): "player 0", "cup 4", "bank". Animations follow from two states
of the screen and their anchors alone.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Any

import pygame

from companion.display.scenes import load_game_scene
from companion.display.scenes.acts import QUESTION_SECONDS
from companion.display.scenes.base import GameScene, Movement
from companion.display.toolkit import BACKGROUND, Canvas, Colour
from companion.display.toolkit.art import scale_art
from companion.display.toolkit.icons import Icon, find_shape, render_shape
from companion.display.toolkit.timeline import ease
from companion.screen_state import ScreenKind, ScreenState

PixelPoint = tuple[int, int]
"""x and y in pixels."""
ANIMATION_SECONDS = 0.45
"""Duration of an icon's flight."""
STAGGER_SECONDS = 0.07
"""Time between the starts of two icons that leave together."""
MAX_ANIMATIONS = 16
"""Icons in flight at most: with more, nobody sees which goes where, and the last would start too late."""
ARC_HEIGHT_RATIO = 0.16
"""Height of a flight over the straight line, as a fraction of its length."""
ICON_SIZE_UNITS = 8.0
"""Size of the icons, in units."""

OBJECT_ICONS = ("gem", "star", "sky_dust", "cup_red", "cup_blue", "cup_black", "cup_golden")
"""Icons that fly as objects with light and material, in their own colours: names of `art.list_art_names`."""
OBJECT_SIZE_RATIO = 1.35
"""Size of a flying object's picture, which has room for its shadow, as a multiple of an icon's."""

_scale_object = lru_cache(maxsize=8)(scale_art)


@dataclass(frozen=True, slots=True)
class Animation:
    """One icon in flight.

    Attributes:
        icon: a key of `icons.ICONS`, or a shape; not checked before it is drawn.
        colour: a tone or a fixed colour.
        start: where it starts, in pixels.
        end: where it ends, in pixels.
        begins_at: when it starts, in seconds of the display's clock.
    """

    icon: Icon
    colour: Colour
    start: PixelPoint
    end: PixelPoint
    begins_at: float

    def position_at(self, now: float) -> PixelPoint | None:
        """Return where the icon is, eased at both ends and on an arc.

        Args:
            now: seconds of the display's clock, the same clock as `begins_at`.

        Returns:
            x and y of the icon's centre in pixels; None before the flight and once `ANIMATION_SECONDS` have passed.
        """
        part = (now - self.begins_at) / ANIMATION_SECONDS
        if not 0 <= part < 1:
            return None
        eased = ease(part)
        (x0, y0), (x1, y1) = self.start, self.end
        lift = ARC_HEIGHT_RATIO * ((x1 - x0) ** 2 + (y1 - y0) ** 2) ** 0.5 * 4 * part * (1 - part)
        return round(x0 + (x1 - x0) * eased), round(y0 + (y1 - y0) * eased - lift)


def plan_animations(
    before: ScreenState,
    after: ScreenState,
    anchors_before: Mapping[str, PixelPoint],
    anchors_after: Mapping[str, PixelPoint],
    now: float,
) -> tuple[Animation, ...]:
    """Return the animations of a change within a game; the states themselves are not changed.

    Icons start `STAGGER_SECONDS` after each other, and are `MAX_ANIMATIONS` at most. A movement is left out if one of
    its ends has no anchor, or if both lie at the same place.

    Args:
        before: the state before.
        after: the state after.
        anchors_before: x and y in pixels of what stood in the picture before, by name ("player 0", "bank").
        anchors_after: x and y in pixels of what stands in the picture after, by name.
        now: seconds of the display's clock.

    Returns:
        The animations, the first to start first; none unless a move was just played in the same game. At a reveal they
        start with the answer.

    Raises:
        Exception: any error of the scene's methods is passed on.
    """
    # A correction or an undo gives nothing to anybody: only what was just played is celebrated.
    if after.played in (None, before.played) or (before.game_name, before.kind) != (after.game_name, ScreenKind.PLAY):
        return ()
    scene = load_game_scene(after.game_name)
    is_reveal = scene.is_reveal(before.view, after.view)
    if after.kind is not ScreenKind.PLAY and not is_reveal:
        return ()
    if is_reveal:
        now += QUESTION_SECONDS
    movements = list(scene.find_movements(before.view, after.view)) or _point_movements(scene, before, after)
    starts, ends = {**anchors_before, **anchors_after}, anchors_after
    visible = [m for m in movements if m.start in starts and m.end in ends and starts[m.start] != ends[m.end]]
    return tuple(
        Animation(m.icon, m.colour, starts[m.start], ends[m.end], now + i * STAGGER_SECONDS)
        for i, m in enumerate(visible[:MAX_ANIMATIONS])
    )


def _point_movements(scene: GameScene[Any], before: ScreenState, after: ScreenState) -> Iterator[Movement]:
    """Yield an icon for each point that changes hands; if there are too many points, each flow has its share of icons.

    The icons of all flows leave in turn, so that a flow of many is a stream beside one of few.
    """
    flows = _list_flows([new - old for old, new in zip(before.scores, after.scores, strict=False)])
    points = sum(count for *_ends, count in flows)
    icons = [
        ((i + 0.5) / share, start, end)
        for start, end, count in flows
        for share in [count if points <= MAX_ANIMATIONS else max(1, count * MAX_ANIMATIONS // points)]
        for i in range(share)
    ]
    for _when, start, end in sorted(icons, key=lambda icon: icon[0]):
        yield Movement(*scene.POINTS_ICON, start, end)


def _list_flows(changes: Sequence[int]) -> list[tuple[str, str, int]]:
    """List from which anchor to which how many points go, by the changes of the scores by seat.

    Players who lose points give them to those who gain, in the order of the seats; the bank gives and takes the rest.

    >>> _list_flows([-6, 0, 11])
    [('player 0', 'player 2', 6), ('bank', 'player 2', 5)]
    """
    left = list(changes)
    flows = []
    for giver, taker in product(range(len(left)), repeat=2):
        count = min(-left[giver], left[taker])
        if count > 0:
            flows.append((f"player {giver}", f"player {taker}", count))
            left[giver] += count
            left[taker] -= count
    rest = [(f"player {i}", change) for i, change in enumerate(left) if change]
    return flows + [("bank", name, change) if change > 0 else (name, "bank", -change) for name, change in rest]


class Animator:
    """Draws the animations over a picture.

    Args:
        monotonic: the display's clock, in seconds.
    """

    def __init__(self, monotonic: Callable[[], float]) -> None:
        self._now = monotonic
        self._animations: tuple[Animation, ...] = ()
        self._drawn_rects: list[pygame.Rect] = []

    @property
    def is_animating(self) -> bool:
        """Whether the next frame differs: icons are in flight, or icons drawn before must be wiped from the picture."""
        return bool(self._animations or self._drawn_rects)

    def start_animations(
        self,
        before: ScreenState,
        after: ScreenState,
        anchors_before: Mapping[str, PixelPoint],
        anchors_after: Mapping[str, PixelPoint],
    ) -> None:
        """Start the animations of a change within a game. If there are any, they end those in flight.

        Args:
            before: the state before.
            after: the state after.
            anchors_before: x and y in pixels of what stood in the picture before, by name ("player 0", "bank").
            anchors_after: x and y in pixels of what stands in the picture after, by name.

        Raises:
            Exception: any error of the scene's methods is passed on.
        """
        self._animations = (
            plan_animations(before, after, anchors_before, anchors_after, self._now()) or self._animations
        )

    def finish(self) -> None:
        """End all animations: nothing flies in the next picture."""
        self._animations = ()

    def take_drawn_rects(self) -> list[pygame.Rect]:
        """Return the areas drawn on since the last call, in pixels, and forget them; the caller restores them."""
        drawn, self._drawn_rects = self._drawn_rects, []
        return drawn

    def draw(self, surface: pygame.Surface, canvas: Canvas) -> list[pygame.Rect]:
        """Draw the icons in flight where they are now, and drop those whose flight is over.

        Call `take_drawn_rects` before and restore these areas, so that no icon of the last frame stays visible.

        Args:
            surface: shows the whole picture of `canvas`, in the same size; it is drawn on.
            canvas: gives colours and pixels per unit; nothing is drawn on it.

        Returns:
            The areas drawn on, in pixels; none if no icon is in flight.

        Raises:
            KeyError: the icon of an animation is a text, and not a key of `icons.ICONS`.
        """
        now = self._now()
        self._animations = tuple(each for each in self._animations if now < each.begins_at + ANIMATION_SECONDS)
        size = max(8, round(ICON_SIZE_UNITS * canvas.unit_px))
        for each in self._animations:
            position = each.position_at(now)
            if position is None:
                continue
            if each.icon in OBJECT_ICONS:
                side = round(size * OBJECT_SIZE_RATIO)
                drawn = _scale_object(each.icon, (side, side), dimmed=False)
                place = drawn.get_rect(center=position)
                self._drawn_rects.append(surface.blit(drawn, place, special_flags=pygame.BLEND_PREMULTIPLIED))
                continue
            # An edge in the background's colour makes it visible over anything.
            for side, colour in ((size + 2 * max(2, size // 8), BACKGROUND), (size, each.colour)):
                icon = render_shape(find_shape(each.icon), side, canvas.rgb(colour))
                self._drawn_rects.append(surface.blit(icon, icon.get_rect(center=position)))
        return list(self._drawn_rects)
