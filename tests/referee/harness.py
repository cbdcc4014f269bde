"""A referee at a real journal, and the vocabulary to work it: press, hold, read, wait."""

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
    CameraSays,
    CameraState,
    DiceRead,
    LidReady,
    Signal,
    TokenPut,
    TokenTaken,
)
from companion.games.api.game import Correction, Move, Seat
from companion.games.api.offers import Kit, Offer
from companion.games.macroscope import KIT
from companion.journal.database import Journal
from companion.journal.entry import Setup
from companion.journal.replay import Sitting
from companion.referee import Referee
from companion.screen_state import Eyes, Shown

EYES = Eyes()
NAMES = ("Ada", "Bob", "Cleo", "Dan", "Eve", "Finn")


class Clock:
    """Time that moves only when it is told to."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


class TableUnderTest:
    """One sitting, a referee, and hands to press with."""

    def __init__(
        self,
        folder: Path,
        players: int = 3,
        *,
        kit: Kit = KIT,
        camera: bool | None = None,
        buttons: Sequence[Button] = SEAT_BUTTONS,
        **settings: Any,
    ) -> None:
        self.kit = kit
        self.clock = Clock()
        self.journal = Journal(folder / "journal.sqlite3", wall=self.clock, monotonic=self.clock)
        setup = Setup(
            game=kit.name, players=NAMES[:players], buttons=tuple(buttons[:players]), first=0, settings=settings
        )
        self.sitting = Sitting.begin(self.journal, setup, kit)
        self.referee = Referee(self.sitting, self.clock)
        if kit.camera if camera is None else camera:
            self.send(CameraSays(CameraState.STEADY, self.clock.now, lid=True))

    @property
    def game(self) -> Any:
        return self.sitting.game

    @property
    def shown(self) -> Shown:
        return self.referee.shown(EYES)

    def restart(self) -> None:
        """The plug is pulled and put back in: nothing but the journal is left."""
        self.sitting = Sitting(self.journal, self.sitting.id, self.kit)
        self.referee = Referee(self.sitting, self.clock)

    def send(self, *signals: Signal) -> None:
        for signal in signals:
            self.referee.take(signal)
        self.referee.tick()

    def wait(self, seconds: float) -> None:
        self.clock.now += seconds
        self.referee.tick()

    def press(self, *buttons: Button) -> None:
        for button in buttons:
            self.send(ButtonPressed(button, self.clock.now))
            self.clock.now += 0.1
            self.send(ButtonReleased(button, self.clock.now))
            self.clock.now += 0.1  # people press five times in a second; faster is hammering

    def hold(self, button: Button, seconds: float = 1.1) -> None:
        self.send(ButtonPressed(button, self.clock.now))
        self.wait(seconds)
        self.send(ButtonReleased(button, self.clock.now))

    def roll(self, *values: int, confidence: float = 0.99, alternatives: Sequence[tuple[int, ...]] = ()) -> None:
        self.send(DiceRead(values, confidence, self.clock.now, tuple(alternatives)))

    def take_token(self, number: int | None, window: int = 0, confidence: float = 0.99) -> None:
        self.send(TokenTaken(window, number, confidence, self.clock.now))

    def put_token(self, number: int | None, window: int = 0) -> None:
        self.send(TokenPut(window, number, 0.99, self.clock.now))

    def cover(self) -> None:
        self.send(LidReady(self.clock.now))

    def put_right(self, line: str, *presses: Button, look: Callable[[], None] = lambda: None) -> None:
        """Through the menu to the line that begins with `line`, in a list of its own where it has one; then presses."""
        self.press(Button.MINUS)
        if self.shown.menu is None:  # a clock runs: that was the pause
            self.press(Button.MINUS)
        group = re.match(r"(?P<earlier>Round \d|Game \d)|.*(?P<presence> is away|here or away)", line)
        if group and not any(item.startswith(line) for item in self._lines):
            self._choose("Earlier rounds" if group["earlier"] else "Who is here, who is away")
        self._choose(line)
        look()
        self.press(*presses, Button.OK)

    @property
    def _lines(self) -> tuple[str, ...]:
        menu = self.shown.menu
        assert menu is not None
        return menu.items

    def _choose(self, line: str) -> None:
        index = next(i for i, item in enumerate(self._lines) if item.startswith(line))
        self.press(*[Button.MINUS] * index, Button.OK)

    def offer(self, button: Button) -> Offer | None:
        from companion.referee.buttons import press_of

        return press_of(self.referee.offers(), button, self.sitting.setup.buttons)

    def played(self) -> Move | Correction | None:
        return self.sitting.last_played


A, B, C = Seat(0), Seat(1), Seat(2)
