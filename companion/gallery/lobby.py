"""The lobby and the draw in all their states, by pressing one's way there."""

from __future__ import annotations

from dataclasses import replace

from companion.events import SEAT_BUTTONS, Button, CameraState
from companion.gallery.fixtures import NAMES, SEEING, Presses, faults
from companion.games import registry
from companion.games.api.game import Seat
from companion.lobby import FirstPlayer, House, Lobby, Regulars, Resume
from companion.screen_state import Eyes, Shown
from companion.vision.view_check.problem import Trouble

OK, NO, PLUS, MINUS = Button.OK, Button.NO, Button.PLUS, Button.MINUS
S1, S2, S3, S4, S5, S6 = SEAT_BUTTONS


def samples() -> dict[str, Shown]:
    """Name of the state to what is shown."""
    hand = Presses()
    press = hand.press
    games = [registry.find(name) for name in registry.names()]
    found: dict[str, Shown] = {}

    regulars = Regulars(NAMES, dict(zip(SEAT_BUTTONS, NAMES, strict=True)))
    put_away = [(n, f"Secret Number of 20 Nov, 21:0{n}: Wilhelmina, Bo, Maximilianna") for n in range(5)]
    for kit in games:
        stage = Lobby(kit, House(), hand.clock, kits=games, regulars=regulars, last=True, put_away=put_away)
        found[f"{kit.name}_empty"] = stage.shown(Eyes())
        press(stage, *SEAT_BUTTONS[: kit.players[-1]])
        found[f"{kit.name}_full"] = stage.shown(Eyes())
        press(stage, MINUS, OK)
        found[f"{kit.name}_rules"] = stage.shown(Eyes())
        menu = found[f"{kit.name}_rules"].menu
        assert menu is not None
        for i in range(len(menu.items)):
            press(stage, *[MINUS] * i, OK)
            found[f"{kit.name}_rule_{i}"] = stage.shown(Eyes())
            for _ in range(12):
                if stage.dialog is not None:
                    press(stage, NO)
            press(stage, MINUS, OK)
        press(stage, NO)
        draw = FirstPlayer(kit, stage.seated, stage.seating, stage.settings, Seat(1), hand.clock)
        found[f"{kit.name}_draw"] = draw.shown(Eyes())
        hand.now += 30
        found[f"{kit.name}_drawn"] = draw.shown(Eyes())
    stage = Lobby(games[0], House(), hand.clock, kits=games, regulars=regulars, last=True, put_away=put_away)
    press(stage, S1, S2, S3, PLUS)
    found["games"] = stage.shown(Eyes())
    press(stage, NO, MINUS)
    found["more"] = stage.shown(Eyes())
    press(stage, MINUS, OK)
    found["whose_name"] = stage.shown(Eyes())
    press(stage, S2)
    found["which_name"] = stage.shown(Eyes())
    press(stage, *[MINUS] * 3, OK)
    found["letters"] = stage.shown(Eyes())
    press(stage, S6, S6, S1, S1, S3)
    found["spelling"] = stage.shown(Eyes())
    three = Lobby(games[0], House(), hand.clock, kits=games, regulars=regulars)
    press(three, S3, S2)
    eyes = Eyes(CameraState.STEADY, SEEING.reading, SEEING.picture)
    found["some"] = replace(three.shown(eyes), heard=frozenset({S5}))
    cut = next(problem for problem in faults() if problem.trouble is Trouble.CUT_OFF)
    blind = Eyes(CameraState.LOOKING, None, SEEING.picture, None, cut)
    found["some_view"] = replace(three.shown(blind), notice=cut.words)
    lines = ("Wilhelmina 4, Bo 0, Maximilianna 11, Ada 23, Ferdinand 7, Zoë 102", "Maximilianna: 3 + 4")
    found["resume"] = Resume(games[0], lines, hand.clock).shown(SEEING)
    few = Lobby(registry.find("pictomania"), House(), hand.clock, kits=games, regulars=regulars)
    press(few, *SEAT_BUTTONS, OK)
    found["asked_once"] = few.shown(Eyes())
    return found
