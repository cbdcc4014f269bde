"""Sample states of every screen: documentation (`companion gallery` draws them) and fixtures of the display's tests.

The product itself never imports this package. `setup`, `lobby`, `help`,
`finished_games` and each game's `samples` have `build_samples()`, which returns screen states by name;
a name begins with the phase of the game. Texts are in the language that is current when it is called.
"""

from collections.abc import Callable, Mapping
from functools import cache
from pkgutil import resolve_name

from companion.api.registry import load_games
from companion.gallery import finished_games, help, lobby, setup
from companion.log import log
from companion.screen_state import ScreenState

SampleBuilder = Callable[[], Mapping[str, ScreenState]]
COMMON_BUILDERS: Mapping[str, SampleBuilder] = {
    "setup": setup.build_samples,
    "ended": finished_games.build_samples,
    "lobby": lobby.build_samples,
    "help": help.build_samples,
}
"""By part of the program: the function that builds its samples."""


@cache
def load_sample_builders() -> Mapping[str, SampleBuilder]:
    """Return the functions that build sample screens, by the names that `companion gallery --only` takes.

    These are the names of the packages that have samples, each mostly of one game, and those of `COMMON_BUILDERS`.
    Samples that cannot be loaded are logged as a warning and left out; nothing is raised.
    """
    found: dict[str, SampleBuilder] = {}
    for game in load_games():
        if not game.samples:
            continue
        module = game.samples.partition(":")[0]
        package = module.rpartition(".")[0] or module
        try:
            found[package.rpartition(".")[2]] = resolve_name(game.samples)
        except Exception as error:  # noqa: BLE001 - a game from elsewhere may fail in any way: the others are drawn
            log.warning("The sample screens of %s cannot be loaded: %s", game.name, error)
    return {**found, **COMMON_BUILDERS}
