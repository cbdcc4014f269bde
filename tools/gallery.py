"""Draws every sample state of the screen as PNG, for people to look at.

python tools/gallery.py FOLDER [800x480 1920x1080 ...]
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
sys.path.insert(0, str(Path(__file__).parent.parent))

from companion.display import Screen, save
from companion.gallery import everything


def main(folder: Path, sizes: list[str]) -> None:
    """Writes FOLDER/SIZE/GAME-NAME.png for each state and size."""
    for size in sizes:
        width, height = map(int, size.split("x"))
        screen = Screen((width, height))
        target = folder / size
        target.mkdir(parents=True, exist_ok=True)
        for game, states in everything().items():
            for name, shown in states.items():
                save(screen.picture(shown), target / f"{game}-{name}.png")
    print(folder.resolve())


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:] or ["800x480", "1920x1080"])
