"""The pictures of a film: the display's own scenes, each with a caption in place of the soft keys.

A picture shows what the screen showed after that move, without the camera: what was secret then stays so, and what was
undone later is left out.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime

import numpy as np
import pygame

from companion.api import Visibility
from companion.display.screen import Screen
from companion.display.toolkit import (
    MUTED,
    TEXT_EM,
    TITLE_EM,
    Canvas,
    DisplayPreferences,
    Typeface,
    lay_out_screen,
    split_right,
)
from companion.i18n import format_day, join_and
from companion.journal.replay import Replay
from companion.journal.statistics import compute_rounds
from companion.referee.screen_parts import build_game_state
from companion.screen_state import ScreenKind, ScreenState
from companion.vision.reading import Image

TITLE_MS = 3_000
"""Time for which the title is shown, in milliseconds."""
MOVE_MS = 2_500
"""Time for which a move is shown: long enough to read two lines."""
END_MS = 8_000
"""Time for which the end is shown before a player of films that repeats them begins again."""
COUNT_GAP = 4.0
"""Room between a caption and the number of the move, in units."""
MAX_CAPTION_LINES = 2
"""Lines of a caption at most."""


@dataclass(frozen=True, eq=False, slots=True)
class FilmPicture:
    """A picture of a film."""

    pixels: Image
    """`(H, W, 3)` uint8 BGR."""
    duration_ms: int
    caption: str = ""
    """The translated line on the move; empty: it is the title."""


def format_film_name(game: str, number: int, begun: datetime | None, uid: str) -> str:
    """Return the file name of a game's film; the same game always has the same one, and no two games have.

    Args:
        game: the game's name in the registry.
        number: its number in the journal.
        begun: when it began, in local time; None: the date is unknown.
        uid: its id in the journals of all boxes.

    >>> format_film_name("farkle", 12, datetime(2026, 11, 23), "3f9c02b7a1")
    'companion-2026-11-23-farkle-12-3f9c02b7.webp'
    """
    day = f"{begun:%Y-%m-%d}" if begun else "undated"
    return f"companion-{day}-{game}-{number}-{uid[:8]}.webp"


def draw_film(replay: Replay, begun: datetime | None, size: tuple[int, int], palette: str) -> Iterator[FilmPicture]:
    """Draw the film of a game picture by picture: a title, then the game after each move or correction that counts.

    The last picture is the result, or how an unfinished game stands. The texts are in the current language.

    Args:
        replay: the replayed game, finished or not.
        begun: when it began, in local time; None: the date is unknown.
        size: width and height of the pictures in pixels, 800 x 480 or more.
        palette: a key of `companion.display.toolkit.PALETTES`.

    Raises:
        KeyError: there is no such palette.
        Exception: a game of another package, or its scene, may raise any error.
    """
    preferences = DisplayPreferences(palette, animations=False, keyboard_hints=False)
    screen, captions = Screen(size, preferences), Canvas(size, preferences)
    title = screen.render(_build_title(replay, begun))
    _draw_caption(captions, title, "", "")
    yield FilmPicture(_convert_picture(title), TITLE_MS)
    count = len(replay.steps)
    for number, step in enumerate(replay.steps, 1):
        picture = screen.render(_build_state(replay, number))
        caption = replay.describe(step)
        _draw_caption(captions, picture, caption, f"{number}/{count}")
        yield FilmPicture(_convert_picture(picture), MOVE_MS if number < count else END_MS, caption)


def _build_title(replay: Replay, begun: datetime | None) -> ScreenState:
    return ScreenState(
        kind=ScreenKind.RESUME,  # a title over lines
        game_name=replay.definition.name,
        title=replay.definition.format_title(replay.setup.settings),
        uses_camera=False,
        prompt=format_day(begun) if begun else "",
        details=(join_and(replay.players),),
    )


def _build_state(replay: Replay, number: int) -> ScreenState:
    """Build the screen after that many steps, as the referee does while no dialog is open, without keys."""
    step = replay.steps[number - 1]
    seating = step.seating_after
    state = build_game_state(replay.definition, step.after, seating.players, seating.buttons, (), Visibility())
    rounds: tuple[tuple[int, ...], ...] = ()
    details: tuple[str, ...] = ()
    if state.outcome is not None:
        shown = replace(replay, steps=replay.steps[:number])
        rounds, details = compute_rounds(shown), tuple(map(replay.describe, shown.steps))
    title = replay.definition.format_title(replay.setup.settings)
    return replace(state, title=title, uses_camera=False, details=details, round_points=rounds)


def _draw_caption(canvas: Canvas, picture: pygame.Surface, caption: str, count: str) -> None:
    """Draw a caption over status line and soft keys of a picture, and the number of the move beside it."""
    layout = lay_out_screen(canvas)
    rect = layout.status.union(layout.soft_keys)

    def paint() -> None:
        place, room = split_right(rect, canvas.text_width(count) + 1, canvas.px(COUNT_GAP))
        canvas.draw_text(place, count, TEXT_EM, MUTED, align=1.0)
        canvas.draw_text(room, caption, TITLE_EM, face=Typeface.DISPLAY, max_lines=MAX_CAPTION_LINES)

    with canvas.frame():
        canvas.draw_region("caption", rect, (caption, count), paint)
    picture.blit(canvas.surface, rect, rect)


def _convert_picture(surface: pygame.Surface) -> Image:
    rgb = pygame.surfarray.array3d(surface).swapaxes(0, 1)
    return np.ascontiguousarray(rgb[:, :, ::-1])
