"""How the table of a game is watched: the use of the camera that the game declares, or the default.

When the camera rests: `companion/app/main_loop.py`.
"""

from functools import cache

from companion.api import CameraUse, registry

DEFAULT_CAMERA_USE = CameraUse(
    watcher="companion.vision.table.watcher:make_dice_and_lid_watcher",
    layout_file="table.json",
    readings="",
    events=(),
    is_view_checked=True,
)
"""Follows the table of games that declare no use of the camera, so that its picture and its problems are shown."""


@cache
def find_camera_use(game: str) -> CameraUse:
    """Return a game's use of the camera; imports the game's modules on the first call, then the answer is cached.

    Args:
        game: id of the game, the name of its entry point.

    Returns:
        The use that the game declares; `DEFAULT_CAMERA_USE` if it declares none or there is no such game.

    Raises:
        Exception: anything that importing the game's modules raised, usually ImportError.
    """
    try:
        return registry.find_game(game).camera or DEFAULT_CAMERA_USE
    except registry.UnknownGame:
        return DEFAULT_CAMERA_USE
