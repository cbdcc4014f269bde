"""The lobby and the draw for the first player in all their states, reached by presses of buttons."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from companion.api import AnyGameDefinition, Seat, registry
from companion.events import SEAT_BUTTONS, Button, CameraState
from companion.gallery.camera_views import STEADY_VIEW, list_view_problems
from companion.gallery.finished_games import SampleResultsCache, play_to_end
from companion.gallery.fixtures import NEXT_VERSION, PLAYER_NAMES, ButtonPresser, list_sample_games
from companion.i18n import _, current_language, format_day_of_year
from companion.journal.known_players import KnownPlayers
from companion.lobby import FirstPlayerDraw, Lobby, LobbyServices, Preferences, ResumePrompt
from companion.lobby.game_list import GameList
from companion.lobby.house_rules_menu import list_lobby_settings
from companion.lobby.preferences import PreferenceValues
from companion.referee.dialogs.base import NUMBER_KEYS
from companion.referee.screen_parts import build_players
from companion.screen_state import CameraView, ScreenState
from companion.vision.reading import ProblemKind

OK, NO, PLUS, MINUS = Button.OK, Button.NO, Button.PLUS, Button.MINUS
S1, S2, S3, S4, S5, S6 = SEAT_BUTTONS
SAMPLE_DAY = datetime(2026, 12, 28, tzinfo=UTC)
MAX_DIALOG_DEPTH = 12
"""Presses of NO after which every dialog of a house rule is closed."""


def build_samples() -> dict[str, ScreenState]:
    """Return the sample screens of this module by name of the state, with texts in the current language."""
    presser = ButtonPresser()
    samples: dict[str, ScreenState] = {}
    for definition in map(registry.find_game, list_sample_games()):
        samples |= _build_game_samples(presser, definition)
    first = _list_games()[0]
    lobby = _open_lobby(presser, first, has_history=True)
    few_players = _open_lobby(presser, first)
    presser.press(few_players, S3, S2)
    seen = CameraView(CameraState.STEADY, STEADY_VIEW.reading, STEADY_VIEW.picture)
    cut_off = next(problem for problem in list_view_problems() if problem.kind is ProblemKind.CUT_OFF)
    searching = CameraView(CameraState.SEARCHING, None, STEADY_VIEW.picture, cut_off)
    asked = _open_lobby(presser, next(game for game in _list_games() if game.confirm_on_first_use))
    upgraded = _open_lobby(presser, first)
    upgraded.installed_version = NEXT_VERSION
    upgraded.tick()
    replay = play_to_end(first.name, len(PLAYER_NAMES))
    step = replay.steps[len(replay.steps) // 2]
    players = build_players(first, replay.players, replay.seating.buttons)
    resumed = (players, step.after.totals, replay.describe(step))
    return (
        samples
        | _build_named_samples(presser)
        | {
            "upgrade": presser.show(upgraded),
            "games": presser.show(lobby, S1, S2, S3, PLUS),
            "games_in_files": presser.show(lobby, PLUS),
            "games_played": _show_played_games(presser, lobby),
            "more": presser.show(_open_device_lobby(presser, first), MINUS),
            "whose_name": presser.show(lobby, NO, MINUS, MINUS, OK),
            "which_name": presser.show(lobby, S2),
            "letters": presser.show(lobby, *[MINUS] * 3, OK),
            "spelling": presser.show(lobby, S6, S6, S1, S1, S3),
            "some": replace(presser.show(few_players, view=seen), pressed_buttons=frozenset({S5})),
            "some_view": replace(presser.show(few_players, view=searching), notice=cut_off.message),
            "resume": presser.show(
                ResumePrompt(first, first.translated_title, *resumed, None, presser.get_time), view=STEADY_VIEW
            ),
            "asked_once": presser.show(asked, *SEAT_BUTTONS, OK),
            "asked_value": presser.show(asked, S1, MINUS),
            "asked_changed": presser.show(asked, OK),
        }
    )


def _show_played_games(presser: ButtonPresser, lobby: Lobby) -> ScreenState:
    """Show the first page of the list of games at a table that has played for years."""
    games = lobby.dialog
    assert isinstance(games, GameList)
    lines = tuple(
        replace(
            line, details=(line.details[0], _("{n} min", n=125), format_day_of_year(SAMPLE_DAY)), is_favourite=n < 2
        )
        for n, line in enumerate(games.pages[0].lines)
    )
    lobby.dialog = replace(
        games, pages=(replace(games.pages[0], heading=_("Last played"), lines=lines), *games.pages[1:]), page=0
    )
    return presser.show(lobby)


def _build_named_samples(presser: ButtonPresser) -> dict[str, ScreenState]:
    """Any game: what is played, games with names of their own, and how those are changed and deleted."""
    definition = registry.find_game("score_keeper")
    lobby = _open_lobby(presser, definition)
    named: dict[str, dict[str, Any]] = {
        "Rummy": {"by_rounds": True, "target_points": 500},
        "Maximilianna Ida": {"lowest_wins": True},
    }
    for name, values in named.items():
        settings = definition.settings_model.model_validate(values | {"name": name})
        lobby.house_rules.named.save(definition, settings)
        lobby.house_rules.apply(definition, settings)
    lobby.definition = _list_games()[0]
    samples = {"named_games": presser.show(lobby, S1, S3, S4, PLUS)}
    presser.press(lobby, NO)
    lobby.definition = definition
    presser.press(lobby, PLUS)
    games = lobby.dialog
    assert isinstance(games, GameList)
    line = [line.title for line in games.pages[0].lines].index(definition.translated_title)
    samples["any_game"] = presser.show(lobby, SEAT_BUTTONS[line])
    samples["any_game_target"] = presser.show(lobby, S2)
    samples["any_game_own_name"] = presser.show(lobby, NO, S6, S6, S1)
    presser.press(lobby, NO, NO)
    samples["named_lobby"] = presser.show(lobby)
    samples["named_rules"] = presser.show(lobby, MINUS, OK)
    samples["given_name"] = presser.show(lobby, OK)
    samples["given_name_delete"] = presser.show(lobby, MINUS, OK)
    return samples


def _list_games() -> Sequence[AnyGameDefinition]:
    return registry.load_games()


def _open_lobby(presser: ButtonPresser, definition: AnyGameDefinition, *, has_history: bool = False) -> Lobby:
    title = max((game.title for game in _list_games()), key=len)
    set_aside = [(n, f"{title} of 20 Nov, 21:0{n}: Wilhelmina, Bo, Maximilianna") for n in range(5)]
    return Lobby(
        definition,
        LobbyServices(presser.get_time),
        definitions=_list_games(),
        known_players=KnownPlayers(PLAYER_NAMES, dict(zip(SEAT_BUTTONS, PLAYER_NAMES, strict=True))),
        has_last_result=has_history,
        set_aside=set_aside if has_history else (),
    )


def _open_device_lobby(presser: ButtonPresser, definition: AnyGameDefinition) -> Lobby:
    """Open the lobby as on a device of its own, where people may change all settings."""
    services = LobbyServices(
        presser.get_time,
        preferences=Preferences(PreferenceValues.model_validate({"language": current_language()})),
        results=SampleResultsCache([]),
        export=lambda: "",
        switch_off=lambda: True,
    )
    return Lobby(definition, services, has_last_result=True)


def _build_rule_samples(presser: ButtonPresser, lobby: Lobby, name: str) -> dict[str, ScreenState]:
    """The house rules of a game, and each of them opened; the lobby is left as it was."""
    samples = {f"{name}_rules": presser.show(lobby, MINUS, OK)}
    menu = samples[f"{name}_rules"].menu
    assert menu is not None, "the house rules are a menu"
    for i in range(len(menu.items)):
        samples[f"{name}_rule_{i}"] = presser.show(lobby, *[MINUS] * i, OK)
        for _press in range(MAX_DIALOG_DEPTH):
            if lobby.dialog is not None:
                presser.press(lobby, NO)
        presser.press(lobby, MINUS, OK)
    if len(menu.items) > NUMBER_KEYS:
        samples[f"{name}_rules_more"] = presser.show(lobby, *[MINUS] * NUMBER_KEYS)
    presser.press(lobby, NO)
    return samples


def _build_game_samples(presser: ButtonPresser, definition: AnyGameDefinition) -> dict[str, ScreenState]:
    """The lobby of one game: empty, full, each house rule, and the draw for the first player."""
    name = definition.name
    lobby = _open_lobby(presser, definition, has_history=True)
    samples = {
        f"{name}_empty": presser.show(lobby),
        f"{name}_full": presser.show(lobby, *SEAT_BUTTONS[: definition.player_counts[-1]]),
    }
    if list_lobby_settings(definition.settings_model):
        samples |= _build_rule_samples(presser, lobby, name)
    draw = FirstPlayerDraw(definition, lobby.seated, lobby.seating, lobby.settings, Seat(1), presser.get_time)
    samples[f"{name}_draw"] = presser.show(draw)
    presser.now += 30
    samples[f"{name}_drawn"] = presser.show(draw)
    if definition.has_first_player:
        few = max(2, definition.player_counts[0])
        names, seats = lobby.seated[:few], lobby.seating[:few]
        draw = FirstPlayerDraw(
            definition, names, seats, lobby.settings, Seat(few - 1), presser.get_time, is_laid_out=True
        )
        presser.now += 30
        samples[f"{name}_drawn_few"] = presser.show(draw)
    return samples
