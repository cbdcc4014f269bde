"""Run in the rig: games played with controllers alone, through the kernel's input system. Prints one JSON object.

Three devices are taught in the lobby by pressing them. Then each game is played to its end, with wrong presses; again
and again a controller is unplugged in the middle of a game and plugged in at another port.

Usage: controllers_session.py FOLDER SEED GAME...
"""

from __future__ import annotations

import json
import random
import sys
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from companion.api import MIN_SHOWN_SECONDS, registry
from companion.app.button_input import ButtonInput, open_controllers
from companion.app.session import Session, SessionConfig
from companion.app.table_services import TableServices
from companion.config.settings import Settings
from companion.config.taught_buttons import TaughtButtons
from companion.events import SEAT_BUTTONS, Button, ButtonPressed, PressTie
from companion.journal.database import Journal
from companion.lobby import ButtonTeaching, HouseRules, Lobby, Preferences
from companion.lobby.button_teaching import TEACHING_ORDER
from companion.lobby_views import TeachingView
from companion.screen_state import CameraView, ScreenKind, ScreenState
from tests.app.keys_only import SHORT, Fingers, choose_in_lobby
from tests.doubles.uinput_device import BUZZ, ENCODER, LIT_ENCODER, UinputDevice
from tests.kernel_rig import log_words

LIMIT_SECONDS = 3000.0
"""Two minutes on an idle machine; one that does much else at once takes twenty times as long."""
PRESS_SECONDS = 0.05
"""Time for which a finger stays on a button."""
UNPLUG_EVERY = 15
"""Presses from one unplugging to the next."""


@dataclass
class Counts:
    presses: int = 0
    heard: int = 0
    ties: int = 0
    unplugged: list[str] = field(default_factory=list)
    said_gone: int = 0
    taken_back: int = 0
    moves_meanwhile: int = 0
    lit: int = 0


class ControllersSession:
    """The players' hands, the devices, and the program."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.rng = random.Random(seed)
        self.counts = Counts()
        self.buzz = UinputDevice(BUZZ, "usb-rig-1/input0")
        self.encoder = UinputDevice(ENCODER, "usb-rig-2/input0")
        self.lit = UinputDevice(LIT_ENCODER, "usb-rig-3/input0")
        # The large red buttons of four Buzz! controllers, two more seats at an encoder, the console at another.
        self.keys = {button: (self.buzz, 288 + 5 * n) for n, button in enumerate(SEAT_BUTTONS[:4])}
        self.keys |= {Button.SEAT5: (self.encoder, 288), Button.SEAT6: (self.encoder, 289)}
        self.keys |= {
            button: (self.lit, 288 + n) for n, button in enumerate((Button.OK, Button.NO, Button.PLUS, Button.MINUS))
        }
        self.to_release: list[tuple[float, UinputDevice, int]] = []
        self.woken = threading.Event()
        self.taught = TaughtButtons(folder)
        source = open_controllers(Settings(), self.taught, time.monotonic, self.woken.set)
        assert source is not None
        self.input = ButtonInput([source], time.monotonic)
        kits = registry.load_games()
        house = {kit.name: kit.settings_model.model_validate(SHORT.get(kit.name, {})) for kit in kits}
        self.journal = Journal(folder / "journal.sqlite3")
        self.session = Session(
            SessionConfig(kits[0], (), house[kits[0].name], definitions=kits),
            self.journal,
            TableServices(
                rng=self.rng,
                house_rules=HouseRules(house),
                preferences=Preferences(folder=folder),
                has_camera=False,
                taught_buttons=self.taught,
            ),
        )
        self.end = time.monotonic() + LIMIT_SECONDS

    def turn(self) -> ScreenState:
        """One turn of the main loop, and the fingers that come up."""
        now = time.monotonic()
        assert now < self.end, (self.session.build_screen_state(CameraView()).prompt, self.counts)
        for item in [each for each in self.to_release if each[0] <= now]:
            self.to_release.remove(item)
            if item[1].is_plugged:
                item[1].release(item[2])
        self.woken.wait(0.01)
        self.woken.clear()
        events = self.input.poll()
        self.counts.heard += sum(isinstance(each, ButtonPressed) for each in events)
        self.counts.ties += sum(isinstance(each, PressTie) for each in events)
        self.session.step(events)
        self.input.set_lamps(self.session.stage.map_lamps())
        return self.session.build_screen_state(CameraView())

    def press(self, button: Button, how: str = "key") -> None:
        device, code = self.keys[button]
        if not device.is_plugged:
            return
        if how == "keyup":
            device.release(code)
            return
        if any(each[1:] == (device, code) for each in self.to_release):
            return
        self.counts.presses += 1
        device.press(code)
        if how == "key":
            self.to_release.append((time.monotonic() + PRESS_SECONDS, device, code))

    def teach(self) -> None:
        """Press an unknown pad until the teaching opens, then each button as it is asked for."""
        while not isinstance(self.session.stage, ButtonTeaching):
            self.press(Button.OK)
            self.turn()
        for button in TEACHING_ORDER:
            while isinstance(self.session.stage, ButtonTeaching) and self.get_wanted() is button:
                self.press(button)
                for _ in range(60):
                    self.turn()
        assert isinstance(self.session.stage, Lobby)
        assert {each.button for each in self.taught.bindings} == set(Button)

    def get_wanted(self) -> Button | None:
        view = self.session.build_screen_state(CameraView()).view
        return view.wanted if isinstance(view, TeachingView) else None

    def unplug_and_back(self, fingers: Fingers) -> None:
        """Unplug a controller, play on without it, plug it in at another port and see it taken back."""
        device = self.rng.choice([self.buzz, self.encoder, self.lit])
        game = self.session.saved_game
        assert game is not None
        device.unplug()
        self.counts.unplugged.append(device.model.name)
        while True:
            shown = self.turn()
            if shown.notice is not None and log_words.DEVICE_GONE in shown.notice:
                break
        self.counts.said_gone += 1
        before, until = game.game, time.monotonic() + 2.0
        while time.monotonic() < until and self.turn().kind is ScreenKind.PLAY:
            fingers.act(self.session, self.session.build_screen_state(CameraView()), time.monotonic())
        self.counts.moves_meanwhile += game.game is not before
        device.port = f"usb-rig-{self.rng.randrange(10, 99)}/input0"
        device.plug()
        while self.session.stage.missing_devices:
            self.turn()
        self.counts.taken_back += 1

    def play(self, names: list[str]) -> list[dict[str, Any]]:
        """Play these games to their ends; return the name and scores of each."""
        played: list[dict[str, Any]] = []
        fingers, unplug_at = PadFingers(self), self.counts.presses + UNPLUG_EVERY
        while len(played) < len(names):
            shown, now = self.turn(), time.monotonic()
            if shown.kind is ScreenKind.RESULT and shown.menu is None and shown.question is None:
                played.append({"game": shown.game_name, "scores": shown.scores})
                print(played[-1], self.counts, flush=True)
                while self.turn().kind is not ScreenKind.LOBBY:
                    fingers.press(Button.NO, time.monotonic(), MIN_SHOWN_SECONDS)
            elif shown.kind is ScreenKind.LOBBY:
                fingers.press(choose_in_lobby(shown, names[len(played)]), now)
            elif shown.kind is ScreenKind.FIRST:
                fingers.press(Button.OK, now)
            else:
                fingers.act(self.session, shown, now)
                self.counts.lit += bool(self.lit.read_lit({0}, seconds=0.0))
                if self.counts.presses >= unplug_at and shown.kind is ScreenKind.PLAY:
                    self.unplug_and_back(fingers)
                    unplug_at = self.counts.presses + UNPLUG_EVERY
        return played


class PadFingers(Fingers):
    """Players who press the buttons of controllers."""

    def __init__(self, session: ControllersSession) -> None:
        super().__init__(session.rng)
        self._session = session

    def send_key(self, button: Button, how: str = "key") -> None:
        self._session.press(button, how)


def main(folder: Path, seed: int, games: list[str]) -> dict[str, Any]:
    session = ControllersSession(folder, seed)
    began = time.monotonic()
    session.teach()
    played = session.play(games)
    session.input.close()
    session.journal.close()
    return {"played": played, "seconds": round(time.monotonic() - began), **session.counts.__dict__}


if __name__ == "__main__":
    print("RESULT " + json.dumps(main(Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3:])))
