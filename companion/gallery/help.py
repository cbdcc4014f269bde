"""Samples of the help: all pages of every game, of those in files a few."""

from dataclasses import replace

from companion.api import AnyGameDefinition, Seat
from companion.api.registry import find_game, load_games
from companion.events import Button
from companion.gallery.fixtures import ButtonPresser, list_sample_games, show_game
from companion.lobby import Lobby, LobbyServices
from companion.referee.help_overlay import make_help_pages
from companion.screen_state import CameraView, RunningClock, ScreenState

WORDY_GAME = "spades"
"""A game in a file with long sentences."""
TIMED_GAME = "score_keeper"
"""A game whose clock goes on while the help is open."""


def _show(definition: AnyGameDefinition) -> ScreenState:
    """Show a game at its start, with as many players as it is for at most."""
    settings = definition.settings_model()
    return show_game(definition, definition.create_game(definition.player_counts[-1], Seat(0), settings))


def build_samples() -> dict[str, ScreenState]:
    """Return the sample screens by name of the state: the game, and the number of the page."""
    samples = dict[str, ScreenState]()
    for definition in map(find_game, (*list_sample_games(), WORDY_GAME)):
        state, pages = _show(definition), make_help_pages(definition, definition.settings_model())
        samples |= {f"{definition.name}_{page.page}": replace(state, help=page) for page in pages}
    clock = RunningClock("turn 1", 42, 90)
    timed = samples[f"{TIMED_GAME}_1"]
    lobby = Lobby(find_game(TIMED_GAME), LobbyServices(monotonic=lambda: 0.0))
    nothing = make_help_pages(None, None)[0]
    presser = ButtonPresser()
    shelf = Lobby(find_game(TIMED_GAME), LobbyServices(presser.get_time), definitions=load_games())
    return {
        **samples,
        "clock": replace(timed, clocks=(clock,)),
        "lobby": replace(lobby.build_screen_state(CameraView()), help=nothing),
        "games": replace(presser.show(shelf, Button.PLUS), help=nothing),
    }
