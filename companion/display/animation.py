"""Animations: icons that fly over the picture for a moment, such as points to the player who gained them.

Scores that count to their new value: `widgets/players.py`, `widgets/score_cards.py`; after a round
`widgets/standings.py`.

The picture below already shows the new state: nothing waits for an animation, and presses are handled as always. An
icon flies around texts where it can, and is not drawn where it would lie on one. Scenes note where things stand
(`Canvas.set_anchor`): "player 0", "cup 4", "bank". Animations follow from two states of the screen and their anchors.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
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
ARC_HEIGHT_RATIOS = (0.16, 0.0, -0.16, 0.4, -0.4)
"""Heights of a flight over the straight line, as fractions of its length: the first that crosses the fewest texts."""
ROUTE_SAMPLES = 16
"""Places of a flight at which it is found out whether a text lies there."""
ICON_SIZE_UNITS = 8.0
"""Size of the icons in the middle of their flight, in units."""
END_SIZE_RATIO = 0.4
"""Size of an icon at both ends of its flight, as a share of that: it is smaller there than a badge."""
SIZE_STEPS = 12
"""Sizes between both: each is rendered once."""

OBJECT_ICONS = ("gem", "star", "sky_dust", "cup_red", "cup_blue", "cup_black", "cup_golden")
"""Icons that fly as objects with light and material, in their own colours: names of `art.list_art_names`."""
OBJECT_SIZE_RATIO = 1.35
"""Size of a flying object's picture, which has room for its shadow, as a multiple of an icon's."""


@lru_cache(maxsize=4 * SIZE_STEPS)
def _render_object(name: str, side: int) -> tuple[pygame.Surface, pygame.Rect]:
    """Return an object's picture, and what it and its shadow cover of it."""
    picture = scale_art(name, (side, side), dimmed=False)
    return picture, picture.get_bounding_rect()


@dataclass(frozen=True, slots=True)
class Animation:
    """One icon in flight.

    Attributes:
        icon: a key of `icons.ICONS`, or a shape; not checked before it is drawn.
        colour: a tone or a fixed colour.
        start: where it starts, in pixels.
        end: where it ends, in pixels.
        begins_at: when it starts, in seconds of the display's clock.
        arc_height_ratio: height of the flight over the straight line, as a fraction of its length; None: not chosen.
    """

    icon: Icon
    colour: Colour
    start: PixelPoint
    end: PixelPoint
    begins_at: float
    arc_height_ratio: float | None = None

    def position_at(self, now: float) -> PixelPoint | None:
        """Return where the icon is, eased at both ends and on an arc.

        Args:
            now: seconds of the display's clock, the same clock as `begins_at`.

        Returns:
            x and y of the icon's centre in pixels; None before the flight and once `ANIMATION_SECONDS` have passed.
        """
        part = (now - self.begins_at) / ANIMATION_SECONDS
        return self._locate(part) if 0 <= part < 1 else None

    def measure_size(self, now: float) -> float:
        """Return the size of the icon, as a share of the one in the middle of its flight."""
        part = (now - self.begins_at) / ANIMATION_SECONDS
        share = 1.0 - (2.0 * min(1.0, max(0.0, part)) - 1.0) ** 2
        return END_SIZE_RATIO + (1.0 - END_SIZE_RATIO) * round(share * SIZE_STEPS) / SIZE_STEPS

    def choose_route(self, texts: Sequence[pygame.Rect], size: int, area: pygame.Rect) -> "Animation":
        """Return the same flight on the arc that crosses the fewest texts and stays on the screen.

        Args:
            texts: what the texts of the picture cover, in pixels.
            size: side of the icon in pixels.
            area: the screen, in pixels.
        """
        routes = [replace(self, arc_height_ratio=ratio) for ratio in ARC_HEIGHT_RATIOS]
        return min(routes, key=lambda route: route._count_covered(texts, size, area))

    def _count_covered(self, texts: Sequence[pygame.Rect], size: int, area: pygame.Rect) -> int:
        count = 0
        for i in range(ROUTE_SAMPLES):
            place = pygame.Rect(0, 0, size, size)
            place.center = self._locate(i / ROUTE_SAMPLES)
            count += place.collidelist(texts) >= 0 or not area.contains(place)
        return count

    def _locate(self, part: float) -> PixelPoint:
        eased = ease(part)
        (x0, y0), (x1, y1) = self.start, self.end
        ratio = ARC_HEIGHT_RATIOS[0] if self.arc_height_ratio is None else self.arc_height_ratio
        lift = ratio * ((x1 - x0) ** 2 + (y1 - y0) ** 2) ** 0.5 * 4 * part * (1 - part)
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
        """Start the animations of a change within a game; they, or another screen, end those in flight.

        Args:
            before: the state before.
            after: the state after.
            anchors_before: x and y in pixels of what stood in the picture before, by name ("player 0", "bank").
            anchors_after: x and y in pixels of what stands in the picture after, by name.

        Raises:
            Exception: any error of the scene's methods is passed on.
        """
        planned = plan_animations(before, after, anchors_before, anchors_after, self._now())
        if planned or before.kind is not after.kind:  # on another screen a flight would lead nowhere
            self._animations = planned

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
        now, area = self._now(), surface.get_rect()
        size = max(8, round(ICON_SIZE_UNITS * canvas.unit_px))
        texts = [text.ink_rect for text in canvas.drawn_texts()] if self._animations else []
        # What stands in the picture is known when an icon leaves: a reveal shows its answer only then.
        self._animations = tuple(
            each.choose_route(texts, size, area) if each.arc_height_ratio is None and each.begins_at <= now else each
            for each in self._animations
            if now < each.begins_at + ANIMATION_SECONDS
        )
        for each in self._animations:
            position = each.position_at(now)
            if position is not None:
                self._draw_icon(surface, canvas, each, position, round(size * each.measure_size(now)), texts)
        return list(self._drawn_rects)

    def _draw_icon(
        self,
        surface: pygame.Surface,
        canvas: Canvas,
        each: Animation,
        position: PixelPoint,
        size: int,
        texts: Sequence[pygame.Rect],
    ) -> None:
        """Draw an icon in flight, unless it would lie on one of the texts."""
        if isinstance(each.icon, str) and each.icon in OBJECT_ICONS:
            picture, visible = _render_object(each.icon, round(size * OBJECT_SIZE_RATIO))
            place = picture.get_rect(center=position)
            if visible.move(place.topleft).collidelist(texts) < 0:
                self._drawn_rects.append(surface.blit(picture, place, special_flags=pygame.BLEND_PREMULTIPLIED))
            return
        # An edge in the background's colour makes it visible over anything.
        sides = ((size + 2 * max(2, size // 8), BACKGROUND), (size, each.colour))
        icons = [render_shape(find_shape(each.icon), side, canvas.rgb(colour)) for side, colour in sides]
        if icons[0].get_rect(center=position).collidelist(texts) < 0:
            self._drawn_rects += [surface.blit(icon, icon.get_rect(center=position)) for icon in icons]
