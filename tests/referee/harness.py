"""Harness: a referee with a real journal, and methods that press, hold, read and wait."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from companion.events import (
    SEAT_BUTTONS,
    Button,
    ButtonPressed,
    ButtonReleased,
    CameraState,
    CameraStateChanged,
    DiceRead,
    Event,
    LidCovered,
    TokenPlaced,
    TokenTaken,
)
from companion.games.api.game import Correction, Move, Seat
from companion.games.api.offers import GameDefinition, Offer
from companion.games.macroscope import GAME
from companion.journal.database import Journal
from companion.journal.entry import GameSetup
from companion.journal.replay import SavedGame
from companion.referee.press_filter import REACTION_SECONDS
from companion.referee.referee import Referee
from companion.screen_state import CameraView, ScreenState

CAMERA_VIEW = CameraView()
NAMES = ("Ada", "Bob", "Cleo", "Dan", "Eve", "Finn")


class Clock:
    """A clock that moves only when the test moves it."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


class TableUnderTest:
    """A saved game with its referee, and methods that press buttons and send readings."""

    def __init__(
        self,
        folder: Path,
        players: int = 3,
        *,
        definition: GameDefinition = GAME,
        camera: bool | None = None,
        buttons: Sequence[Button] = SEAT_BUTTONS,
        **settings: Any,
    ) -> None:
        self.definition = definition
        self.clock = Clock()
        self._has_camera = camera is not False
        self.journal = Journal(folder / "journal.sqlite3", wall=self.clock, monotonic=self.clock)
        setup = GameSetup(
            game=definition.name, players=NAMES[:players], buttons=tuple(buttons[:players]), first=0, settings=settings
        )
        self.saved_game = SavedGame.begin(self.journal, setup, definition)
        self.referee = Referee(self.saved_game, self.clock, has_camera=self._has_camera)
        if definition.uses_camera if camera is None else camera:
            self.send(CameraStateChanged(CameraState.STEADY, self.clock.now, lid_known=True))

    @property
    def game(self) -> Any:
        return self.saved_game.game

    @property
    def state(self) -> ScreenState:
        return self.referee.build_screen_state(CAMERA_VIEW)

    def restart(self) -> None:
        """Simulate a power cut: only the journal survives."""
        self.saved_game = SavedGame(self.journal, self.saved_game.id, self.definition)
        self.referee = Referee(self.saved_game, self.clock, has_camera=self._has_camera)

    def send(self, *signals: Event) -> None:
        for signal in signals:
            self.referee.receive(signal)
        self.referee.tick()

    def wait(self, seconds: float) -> None:
        self.clock.now += seconds
        self.referee.tick()

    def press(self, *buttons: Button) -> None:
        for button in buttons:
            self.send(ButtonPressed(button, self.clock.now))
            self.clock.now += 0.1
            self.send(ButtonReleased(button, self.clock.now))
            self.clock.now += REACTION_SECONDS  # people read what their press has done before they press again

    def hold(self, button: Button, seconds: float = 1.1) -> None:
        self.send(ButtonPressed(button, self.clock.now))
        self.wait(seconds)
        self.send(ButtonReleased(button, self.clock.now))

    def roll(self, *values: int, confidence: float = 0.99, alternatives: Sequence[tuple[int, ...]] = ()) -> None:
        self.send(DiceRead(values, confidence, self.clock.now, tuple(alternatives)))

    def take_token(self, number: int | None, window: int = 0, confidence: float = 0.99) -> None:
        self.send(TokenTaken(window, number, confidence, self.clock.now))

    def put_token(self, number: int | None, window: int = 0) -> None:
        self.send(TokenPlaced(window, number, 0.99, self.clock.now))

    def cover(self) -> None:
        self.send(LidCovered(self.clock.now))

    def correct(self, line: str, *presses: Button, check: Callable[[], None] = lambda: None) -> None:
        """Choose the line that begins with `line` in the menu of corrections (or in one of its lists), then press."""
        self.press(Button.MINUS)
        if self.state.menu is None:  # a clock runs: that was the pause
            self.press(Button.MINUS)
        group = re.match(r"(?P<earlier>Round \d|Game \d)|.*(?P<presence> is away|here or away)", line)
        if group and not any(item.startswith(line) for item in self._lines):
            self._choose("Earlier rounds" if group["earlier"] else "Present and away players")
        self._choose(line)
        check()
        self.press(*presses, Button.OK)

    @property
    def _lines(self) -> tuple[str, ...]:
        menu = self.state.menu
        assert menu is not None
        return menu.items

    def _choose(self, line: str) -> None:
        index = next(i for i, item in enumerate(self._lines) if item.startswith(line))
        assert self.state.menu is not None
        self.press(*[Button.MINUS] * ((index - self.state.menu.selected) % len(self._lines)), Button.OK)

    def offer(self, button: Button) -> Offer | None:
        from companion.referee.button_mapping import find_offer

        return find_offer(self.referee.list_offers(), button, self.saved_game.setup.buttons)

    def played(self) -> Move | Correction | None:
        return self.saved_game.last_played


A, B, C = Seat(0), Seat(1), Seat(2)
