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

from companion.display.scenes import scene_of
from companion.display.scenes.base import GameScene, Way
from companion.display.toolkit.canvas import Canvas
from companion.display.toolkit.theme import BACKGROUND, INK, Colour
from companion.screen_state import Place, Shown

Point = tuple[int, int]
SECONDS = 0.45
STAGGER = 0.07
"""Seconds between two things that leave together."""
MOST = 8
"""Things in the air at once: with more, nobody sees which goes where."""
ARC = 0.16
"""Height of a flight over its straight line, as a part of its length."""
SIZE = 8.0
"""Of what flies, in hundredths of the screen's shorter side."""


@dataclass(frozen=True, slots=True)
class Flight:
    """One thing on its way. Times in seconds of the display's clock, places in pixels."""

    sign: str
    colour: Colour
    start: Point
    end: Point
    begins: float

    def at(self, now: float) -> Point | None:
        """Where it is; None: not yet there, or no more. Slow at both ends, and a little high between."""
        part = (now - self.begins) / SECONDS
        if not 0 <= part < 1:
            return None
        eased = part * part * (3 - 2 * part)
        (x0, y0), (x1, y1) = self.start, self.end
        lift = ARC * ((x1 - x0) ** 2 + (y1 - y0) ** 2) ** 0.5 * 4 * part * (1 - part)
        return round(x0 + (x1 - x0) * eased), round(y0 + (y1 - y0) * eased - lift)


def flights(
    before: Shown, after: Shown, stood: Mapping[str, Point], stand: Mapping[str, Point], now: float
) -> tuple[Flight, ...]:
    """What flies when the screen goes from one state of a game to the next; the result tells for itself how it came.

    Args:
        stood, stand: the anchors of the picture before and of the one after.
    """
    if before.game != after.game or {before.place, after.place} != {Place.PLAY}:
        return ()
    scene = scene_of(after.game)
    own = list(scene.ways(before.view, after.view))
    ways = [*_marker(scene, before, after), *(own or _points(scene, before, after))]
    begin, end = {**stood, **stand}, stand
    seen = [w for w in ways if w.start in begin and w.end in end and begin[w.start] != end[w.end]]
    return tuple(
        Flight(way.sign, way.colour, begin[way.start], end[way.end], now + i * STAGGER)
        for i, way in enumerate(seen[:MOST])
    )


def _marker(scene: GameScene[Any], before: Shown, after: Shown) -> Iterator[Way]:
    """The marker walks along the round track."""
    old, new = scene.round(before.view), scene.round(after.view)
    if old != new:
        yield Way("circle", INK, f"round {old}", f"round {new}")


def _points(scene: GameScene[Any], before: Shown, after: Shown) -> Iterator[Way]:
    """From those who lose to those who gain; what nobody loses comes from the bank, what nobody gains goes there."""
    changes = [new - old for old, new in zip(before.scores, after.scores, strict=False)]
    gain, lose = ([f"player {i}" for i, change in enumerate(changes) if change * way > 0] for way in (1, -1))
    bank = ["bank"]
    for start in lose or bank * bool(gain):
        for end in gain or bank:
            yield Way(*scene.POINTS, start, end)


class Motion:
    """The flights in the air, drawn over a picture.

    Args:
        monotonic: the display's clock, in seconds.
    """

    def __init__(self, monotonic: Callable[[], float]) -> None:
        self._now = monotonic
        self._flights: tuple[Flight, ...] = ()
        self._drawn: list[pygame.Rect] = []

    @property
    def moving(self) -> bool:
        """Whether the next frame differs from this one."""
        return bool(self._flights or self._drawn)

    def follow(self, before: Shown, after: Shown, stood: Mapping[str, Point], stand: Mapping[str, Point]) -> None:
        """The screen went from one state to the next; what was still in the air has arrived."""
        found = flights(before, after, stood, stand, self._now())
        if found:
            self._flights = found

    def clear(self) -> None:
        """Nothing is in the air any more."""
        self._flights, self._drawn = (), []

    def wiped(self) -> list[pygame.Rect]:
        """The places where something was drawn in the last frame: the picture is to be seen there again."""
        drawn, self._drawn = self._drawn, []
        return drawn

    def draw(self, surface: pygame.Surface, canvas: Canvas) -> list[pygame.Rect]:
        """Draws what is in the air onto a surface that shows the canvas's whole picture; the places drawn on."""
        now = self._now()
        self._flights = tuple(flight for flight in self._flights if now < flight.begins + SECONDS)
        size = max(8, round(SIZE * canvas.unit))
        for flight in self._flights:
            at = flight.at(now)
            if at is None:
                continue
            # An edge in the ground's colour, so that it is seen over anything.
            for side, colour in ((size + 2 * max(2, size // 8), BACKGROUND), (size, flight.colour)):
                drawn = canvas.marks.sign(flight.sign, side, canvas.rgb(colour))
                place = surface.blit(drawn, drawn.get_rect(center=at))
                self._drawn.append(place)
        return list(self._drawn)
