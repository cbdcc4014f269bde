"""Draw the animated picture of the README: a turn of the demo to its reveal, screen and table side by side.

    python tools/draw_readme_turn.py [FILE.webp]    (docs/images/turn.webp)

The game is played from a seed, so the picture is always of the same turn.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

import cv2
import numpy as np
import numpy.typing as npt
import pygame

from companion.app.demo import Demo
from companion.app.self_play import FRAME_SECONDS, SimulatedClock
from companion.display import Screen
from companion.games.macroscope import GAME
from companion.screen_state import ScreenKind, ScreenState

Image = npt.NDArray[np.uint8]
SEED = 5
"""Seed of the game; another one shows another turn."""
TURN = 1
"""Number of the turn that is drawn, from 0."""
SCREEN_SIZE_PX = (640, 384)
TABLE_SIZE_PX = (448, 384)
GAP_PX = 8
FRAMES_PER_PICTURE = 3
"""Camera frames (1/15 s) for each picture of the animation; more makes the file smaller and the motion coarser."""
PICTURE_MS = 180
"""How long each picture is shown."""
LAST_PICTURE_MS = 2500
"""How long the last picture stays before the animation repeats."""
REVEAL_PICTURES = 10
"""Pictures after the turn, which show who was right."""
MAX_PICTURES = 170
WEBP_QUALITY = 55
MAX_FILE_BYTES = 2_000_000


def copy_picture(window: pygame.Surface) -> Image:
    """Return the content of a surface, (H, W, 3) uint8 BGR."""
    rgb = np.ascontiguousarray(pygame.surfarray.array3d(window).swapaxes(0, 1))
    return np.asarray(cv2.cvtColor(rgb, cv2.COLOR_RGB2BGR), np.uint8)


def draw_turn(max_pictures: int = MAX_PICTURES) -> list[Image]:
    """Play until the turn is over and return its pictures: the screen (left), and the table with its captions."""
    clock = SimulatedClock()
    demo, screen = Demo(GAME, clock, SEED), Screen(SCREEN_SIZE_PX, monotonic=clock)
    window = pygame.Surface((SCREEN_SIZE_PX[0] + GAP_PX + TABLE_SIZE_PX[0], SCREEN_SIZE_PX[1]))
    window.fill((24, 24, 24))
    left = window.subsurface(pygame.Rect((0, 0), SCREEN_SIZE_PX))
    demo.panel.place(pygame.Rect((SCREEN_SIZE_PX[0] + GAP_PX, 0), TABLE_SIZE_PX))
    previous, turn, rest, pictures = None, -1, REVEAL_PICTURES, list[Image]()
    while rest and len(pictures) < max_pictures:
        for _frame in range(FRAMES_PER_PICTURE):
            clock.now += FRAME_SECONDS
            state = demo.advance()
            active = _find_active_seat(state)
            if active is not None and active != previous:
                turn, previous = turn + 1, active
        rest -= turn > TURN
        if turn >= TURN:
            screen.draw(left, state)
            demo.panel.follow(state)
            demo.panel.draw(window)
            pictures.append(copy_picture(window))
    demo.close()
    return pictures


def _find_active_seat(state: ScreenState) -> object:
    return state.view.active_seat if state.kind is ScreenKind.PLAY else None


def main(path: Path) -> None:
    """Write the animation to `path`, at most `MAX_FILE_BYTES` large."""
    animation = cv2.Animation()
    animation.frames = draw_turn()
    animation.durations = [PICTURE_MS] * (len(animation.frames) - 1) + [LAST_PICTURE_MS]
    cv2.imwriteanimation(str(path), animation, [cv2.IMWRITE_WEBP_QUALITY, WEBP_QUALITY])
    size = path.stat().st_size
    assert size <= MAX_FILE_BYTES, f"{path} has {size} bytes: lower WEBP_QUALITY"
    print(f"{path}: {len(animation.frames)} pictures, {size / 1000:.0f} kB")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent.parent / "docs/images/turn.webp")
