"""The lobby and the draw in all their states, by pressing one's way there."""

from __future__ import annotations

from dataclasses import replace

from companion.events import SEAT_BUTTONS, Button, CameraState
from companion.gallery.fixtures import PLAYER_NAMES, STEADY_VIEW, ButtonPresser, list_view_problems
from companion.games import registry
from companion.games.api.game import Seat
from companion.lobby import FirstPlayerDraw, HouseRules, KnownPlayers, Lobby, ResumePrompt
from companion.screen_state import CameraView, ScreenState
from companion.vision.view_check.problem import ProblemKind

OK, NO, PLUS, MINUS = Button.OK, Button.NO, Button.PLUS, Button.MINUS
S1, S2, S3, S4, S5, S6 = SEAT_BUTTONS


def build_samples() -> dict[str, ScreenState]:
    """Name of the state to what is shown."""
    hand = ButtonPresser()
    press = hand.press
    games = [registry.find_game(name) for name in registry.list_game_names()]
    found: dict[str, ScreenState] = {}

    regulars = KnownPlayers(PLAYER_NAMES, dict(zip(SEAT_BUTTONS, PLAYER_NAMES, strict=True)))
    put_away = [(n, f"Secret Number of 20 Nov, 21:0{n}: Wilhelmina, Bo, Maximilianna") for n in range(5)]
    for kit in games:
        stage = Lobby(
            kit,
            HouseRules(),
            hand.get_time,
            definitions=games,
            known_players=regulars,
            has_last_result=True,
            unfinished=put_away,
        )
        found[f"{kit.name}_empty"] = stage.build_screen_state(CameraView())
        press(stage, *SEAT_BUTTONS[: kit.player_counts[-1]])
        found[f"{kit.name}_full"] = stage.build_screen_state(CameraView())
        press(stage, MINUS, OK)
        found[f"{kit.name}_rules"] = stage.build_screen_state(CameraView())
        menu = found[f"{kit.name}_rules"].menu
        assert menu is not None
        for i in range(len(menu.items)):
            press(stage, *[MINUS] * i, OK)
            found[f"{kit.name}_rule_{i}"] = stage.build_screen_state(CameraView())
            for _ in range(12):
                if stage.dialog is not None:
                    press(stage, NO)
            press(stage, MINUS, OK)
        press(stage, NO)
        draw = FirstPlayerDraw(kit, stage.seated, stage.seating, stage.settings, Seat(1), hand.get_time)
        found[f"{kit.name}_draw"] = draw.build_screen_state(CameraView())
        hand.now += 30
        found[f"{kit.name}_drawn"] = draw.build_screen_state(CameraView())
    stage = Lobby(
        games[0],
        HouseRules(),
        hand.get_time,
        definitions=games,
        known_players=regulars,
        has_last_result=True,
        unfinished=put_away,
    )
    press(stage, S1, S2, S3, PLUS)
    found["games"] = stage.build_screen_state(CameraView())
    press(stage, NO, MINUS)
    found["more"] = stage.build_screen_state(CameraView())
    press(stage, MINUS, OK)
    found["whose_name"] = stage.build_screen_state(CameraView())
    press(stage, S2)
    found["which_name"] = stage.build_screen_state(CameraView())
    press(stage, *[MINUS] * 3, OK)
    found["letters"] = stage.build_screen_state(CameraView())
    press(stage, S6, S6, S1, S1, S3)
    found["spelling"] = stage.build_screen_state(CameraView())
    three = Lobby(games[0], HouseRules(), hand.get_time, definitions=games, known_players=regulars)
    press(three, S3, S2)
    eyes = CameraView(CameraState.STEADY, STEADY_VIEW.reading, STEADY_VIEW.picture)
    found["some"] = replace(three.build_screen_state(eyes), pressed_buttons=frozenset({S5}))
    cut = next(problem for problem in list_view_problems() if problem.kind is ProblemKind.CUT_OFF)
    blind = CameraView(CameraState.SEARCHING, None, STEADY_VIEW.picture, None, cut)
    found["some_view"] = replace(three.build_screen_state(blind), notice=cut.message)
    lines = ("Wilhelmina 4, Bo 0, Maximilianna 11, Ada 23, Ferdinand 7, Zoë 102", "Maximilianna: 3 + 4")
    found["resume"] = ResumePrompt(games[0], lines, hand.get_time).build_screen_state(STEADY_VIEW)
    few = Lobby(
        registry.find_game("pictomania"), HouseRules(), hand.get_time, definitions=games, known_players=regulars
    )
    press(few, *SEAT_BUTTONS, OK)
    found["asked_once"] = few.build_screen_state(CameraView())
    return found
