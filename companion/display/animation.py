"""Things that fly over the picture for a moment, to show what happened: a crystal to its owner, the round's marker on.

The picture itself is already that of afterwards: nothing waits for a flight, and a press is taken as ever. Scenes say
where things stand (`Canvas.anchor`): "player 0", "round 3", "cup 4", "bank". A flight is told by two states of the
screen and their anchors alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pygame

from companion.display.scenes import load_game_scene
from companion.display.scenes.base import GameScene, Movement
from companion.display.toolkit.canvas import Canvas
from companion.display.toolkit.theme import BACKGROUND, INK, Colour
from companion.screen_state import ScreenKind, ScreenState

PixelPoint = tuple[int, int]
ANIMATION_SECONDS = 0.45
STAGGER_SECONDS = 0.07
"""Seconds between two things that leave together."""
MAX_ANIMATIONS = 8
"""Things in the air at once: with more, nobody sees which goes where."""
ARC_HEIGHT_RATIO = 0.16
"""Height of a flight over its straight line, as a part of its length."""
ICON_SIZE_UNITS = 8.0
"""Of what flies, in hundredths of the screen's shorter side."""


@dataclass(frozen=True, slots=True)
class Animation:
    """One thing on its way. Times in seconds of the display's clock, places in pixels."""

    icon: str
    colour: Colour
    start: PixelPoint
    end: PixelPoint
    begins_at: float

    def position_at(self, now: float) -> PixelPoint | None:
        """Where it is; None: not yet there, or no more. Slow at both ends, and a little high between."""
        part = (now - self.begins_at) / ANIMATION_SECONDS
        if not 0 <= part < 1:
            return None
        eased = part * part * (3 - 2 * part)
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
    """What flies when the screen goes from one state of a game to the next; the result tells for itself how it came.

    Args:
        stood, stand: the anchors of the picture before and of the one after.
    """
    if before.game_name != after.game_name or {before.kind, after.kind} != {ScreenKind.PLAY}:
        return ()
    scene = load_game_scene(after.game_name)
    own = list(scene.find_movements(before.view, after.view))
    ways = [*_round_marker_movement(scene, before, after), *(own or _point_movements(scene, before, after))]
    begin, end = {**anchors_before, **anchors_after}, anchors_after
    seen = [w for w in ways if w.start in begin and w.end in end and begin[w.start] != end[w.end]]
    return tuple(
        Animation(way.icon, way.colour, begin[way.start], end[way.end], now + i * STAGGER_SECONDS)
        for i, way in enumerate(seen[:MAX_ANIMATIONS])
    )


def _round_marker_movement(scene: GameScene[Any], before: ScreenState, after: ScreenState) -> Iterator[Movement]:
    """The marker walks along the round track."""
    old, new = scene.current_round(before.view), scene.current_round(after.view)
    if old != new:
        yield Movement("circle", INK, f"round {old}", f"round {new}")


def _point_movements(scene: GameScene[Any], before: ScreenState, after: ScreenState) -> Iterator[Movement]:
    """From those who lose to those who gain; what nobody loses comes from the bank, what nobody gains goes there."""
    changes = [new - old for old, new in zip(before.scores, after.scores, strict=False)]
    gain, lose = ([f"player {i}" for i, change in enumerate(changes) if change * way > 0] for way in (1, -1))
    bank = ["bank"]
    for start in lose or bank * bool(gain):
        for end in gain or bank:
            yield Movement(*scene.POINTS_ICON, start, end)


class Animator:
    """The flights in the air, drawn over a picture.

    Args:
        monotonic: the display's clock, in seconds.
    """

    def __init__(self, monotonic: Callable[[], float]) -> None:
        self._now = monotonic
        self._animations: tuple[Animation, ...] = ()
        self._drawn_rects: list[pygame.Rect] = []

    @property
    def is_animating(self) -> bool:
        """Whether the next frame differs from this one."""
        return bool(self._animations or self._drawn_rects)

    def start_animations(
        self,
        before: ScreenState,
        after: ScreenState,
        anchors_before: Mapping[str, PixelPoint],
        anchors_after: Mapping[str, PixelPoint],
    ) -> None:
        """The screen went from one state to the next; what was still in the air has arrived."""
        found = plan_animations(before, after, anchors_before, anchors_after, self._now())
        if found:
            self._animations = found

    def clear(self) -> None:
        """Nothing is in the air any more."""
        self._animations, self._drawn_rects = (), []

    def take_drawn_rects(self) -> list[pygame.Rect]:
        """The places where something was drawn in the last frame: the picture is to be seen there again."""
        drawn, self._drawn_rects = self._drawn_rects, []
        return drawn

    def draw(self, surface: pygame.Surface, canvas: Canvas) -> list[pygame.Rect]:
        """Draws what is in the air onto a surface that shows the canvas's whole picture; the places drawn on."""
        now = self._now()
        self._animations = tuple(flight for flight in self._animations if now < flight.begins_at + ANIMATION_SECONDS)
        size = max(8, round(ICON_SIZE_UNITS * canvas.unit_px))
        for flight in self._animations:
            at = flight.position_at(now)
            if at is None:
                continue
            # An edge in the ground's colour, so that it is seen over anything.
            for side, colour in ((size + 2 * max(2, size // 8), BACKGROUND), (size, flight.colour)):
                drawn = canvas.icons.icon(flight.icon, side, canvas.rgb(colour))
                place = surface.blit(drawn, drawn.get_rect(center=at))
                self._drawn_rects.append(place)
        return list(self._drawn_rects)
