"""Draw the animated picture of the README: one turn of a self-played game of Macroscope, screen and table side by side.

    python tools/draw_readme_turn.py [FILE.webp]    (docs/images/turn.webp)

The game is played from a seed, so the picture is always of the same turn.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

import cv2
import numpy as np
import numpy.typing as npt
import pygame

from companion.app.self_play import SelfPlay
from companion.app.session import SessionConfig
from companion.camera.reader import make_watcher
from companion.display import Screen
from companion.games.macroscope import GAME
from companion.journal.database import Journal
from companion.screen_state import ScreenKind, ScreenState

Image = npt.NDArray[np.uint8]
SEED = 4
"""Seed of the game; another one shows another turn."""
TURN = 1
"""Number of the turn that is drawn, from 0."""
SCREEN_SIZE_PX = (640, 384)
TABLE_SIZE_PX = (448, 252)
GAP_PX = 8
FRAMES_PER_PICTURE = 2
"""Camera frames (1/15 s) for each picture of the animation; more makes the file smaller and the motion coarser."""
PICTURE_MS = 180
"""How long each picture is shown."""
LAST_PICTURE_MS = 2500
"""How long the last picture stays before the animation repeats."""
MAX_PICTURES = 110
WEBP_QUALITY = 55
MAX_FILE_BYTES = 2_000_000


def compose_picture(screen: pygame.Surface, table: Image) -> Image:
    """Return the screen (left) and the camera's picture (right) as one image, BGR uint8."""
    left = cv2.cvtColor(np.ascontiguousarray(pygame.surfarray.array3d(screen).swapaxes(0, 1)), cv2.COLOR_RGB2BGR)
    right = cv2.resize(table, TABLE_SIZE_PX, interpolation=cv2.INTER_AREA)
    whole = np.full((SCREEN_SIZE_PX[1], SCREEN_SIZE_PX[0] + GAP_PX + TABLE_SIZE_PX[0], 3), 24, np.uint8)
    top = (SCREEN_SIZE_PX[1] - TABLE_SIZE_PX[1]) // 2
    whole[:, : SCREEN_SIZE_PX[0]] = left
    whole[top : top + TABLE_SIZE_PX[1], SCREEN_SIZE_PX[0] + GAP_PX :] = right
    return whole


def draw_turn() -> list[Image]:
    """Play until the turn is over and return its pictures."""
    screen, previous, turn = Screen(SCREEN_SIZE_PX), None, -1
    pictures: list[Image] = []
    with tempfile.TemporaryDirectory() as folder, Journal(Path(folder, "journal.sqlite3")) as journal:
        config = SessionConfig(GAME, ("Ada", "Bob", "Cleo"), GAME.settings_model.model_validate({}), SEED)
        assert GAME.camera is not None
        game = SelfPlay(config, journal, make_watcher(GAME.camera), report=lambda _line: None)
        for number in range(100_000):
            state = game.step()
            active = _find_active_seat(state)
            if active is not None and active != previous:
                turn, previous = turn + 1, active
            if turn > TURN or len(pictures) == MAX_PICTURES:
                break
            image = game.camera_reader.camera_view.picture
            if turn == TURN and number % FRAMES_PER_PICTURE == 0 and image is not None:
                pictures.append(compose_picture(screen.render(state), image))
        game.camera_reader.close()
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
