"""Sample states of every screen: documentation (`companion gallery` draws them) and fixtures of the display's tests.

The product itself never imports this package. Each module has `build_samples()`, which returns screen states by name;
a name begins with the phase of the game. Texts are in the language that is current when it is called.
"""

import logging
from collections.abc import Callable, Mapping
from importlib.metadata import entry_points

from companion.api.registry import check_api_version
from companion.gallery import finished_games, lobby, setup
from companion.games.counting_tray import samples as counting_tray
from companion.games.game_file.dice import samples as dice_games
from companion.games.game_file.points import samples as points_games
from companion.games.macroscope import samples as macroscope
from companion.games.memo_dice import samples as memo_dice
from companion.games.pictomania import samples as pictomania
from companion.games.score_keeper import samples as score_keeper
from companion.games.secret_number import samples as secret_number
from companion.games.starfall import samples as starfall
from companion.screen_state import ScreenState

log = logging.getLogger("companion")

SAMPLE_BUILDERS: Mapping[str, Callable[[], Mapping[str, ScreenState]]] = {
    "dice_games": dice_games.build_samples,
    "macroscope": macroscope.build_samples,
    "counting_tray": counting_tray.build_samples,
    "setup": setup.build_samples,
    "ended": finished_games.build_samples,
    "lobby": lobby.build_samples,
    "memo_dice": memo_dice.build_samples,
    "pictomania": pictomania.build_samples,
    "points_games": points_games.build_samples,
    "score_keeper": score_keeper.build_samples,
    "secret_number": secret_number.build_samples,
    "starfall": starfall.build_samples,
}
"""By game or part of the program: the function that builds its samples."""
GALLERY_ENTRY_POINT_GROUP = "companion.gallery"
"""Entry points of the functions that build the samples of games in other distributions."""


def load_sample_builders() -> Mapping[str, Callable[[], Mapping[str, ScreenState]]]:
    """Return SAMPLE_BUILDERS and those of games in other distributions, by the names that `companion gallery --only`
    takes.

    Of two with the same name, that of SAMPLE_BUILDERS is returned. One that cannot be loaded is logged as a warning and
    left out; nothing is raised.
    """
    found = {}
    for point in entry_points(group=GALLERY_ENTRY_POINT_GROUP):
        try:
            check_api_version(point)
            found[point.name] = point.load()
        except Exception as error:  # noqa: BLE001 - a game from elsewhere may fail in any way: the others are drawn
            log.warning("The sample screens of %s cannot be loaded: %s", point.name, error)
    return {**found, **SAMPLE_BUILDERS}
