"""A table for tests: a saved game with the real referee and journal, and methods that press, hold, read and wait."""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from companion.api import AnyGameDefinition, Correction, Move, Offer, Seat, registry
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
from companion.journal.database import Journal
from companion.journal.entry import GameSetup
from companion.journal.saved_game import SavedGame
from companion.referee.button_mapping import find_offer
from companion.referee.referee import Referee
from companion.referee.services import GameServices
from companion.referee.unmeant_presses import REACTION_SECONDS
from companion.screen_state import CameraView, ScreenState

CAMERA_VIEW = CameraView()
"""What a camera sees that is off."""
NAMES = ("Ada", "Bob", "Cleo", "Dan", "Eve", "Finn")
"""Players' names by seat."""
HOLD_TEST_SECONDS = 1.1
"""Time for which `TableUnderTest.hold` holds a button: a little longer than the referee asks for."""


class ManualClock:
    """A monotonic clock in seconds that moves only when `now` is set."""

    def __init__(self, now: float = 100.0) -> None:
        self.now = now

    def __call__(self) -> float:
        """Return `now`."""
        return self.now


class TableUnderTest:
    """A saved game with its referee, and methods that press buttons and send readings.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder, open_tables(Path(folder)) as make_table:
    ...     table = make_table(2, definition=registry.find_game("pig"))
    ...     table.roll(4)
    ...     table.press(Button.OK)
    ...     table.game.totals
    ...
    (4, 0)

    Args:
        folder: folder of the journal; made if necessary.
        players: number of players, as many as the game allows.
        definition: the game; None: the first one of the lobby.
        camera: whether there is a camera that sees the table; None: if the game uses one.
        buttons: seat buttons of the players by seat; more than there are players are ignored.
        settings: house rules by name.

    Attributes:
        clock: the clock of the referee and the journal, in seconds from 100.
        journal: the journal, open for writing.
        saved_game: the game in the journal.
        referee: its referee; another one after `restart`.

    Raises:
        ValueError: the game is not for that many players, or not with these house rules.
    """

    def __init__(
        self,
        folder: Path,
        players: int = 3,
        *,
        definition: AnyGameDefinition | None = None,
        camera: bool | None = None,
        buttons: Sequence[Button] = SEAT_BUTTONS,
        **settings: Any,
    ) -> None:
        self.definition = definition = definition or registry.find_first_game()
        self.clock = ManualClock()
        self._services = GameServices(self.clock, has_camera=camera is not False)
        self.journal = Journal(folder / "journal.sqlite3", wall=self.clock, monotonic=self.clock)
        setup = GameSetup(
            game=definition.name, players=NAMES[:players], buttons=tuple(buttons[:players]), first=0, settings=settings
        )
        self.saved_game = SavedGame.begin(self.journal, setup, definition)
        self.referee = Referee(self.saved_game, self._services)
        if definition.uses_camera if camera is None else camera:
            self.send(CameraStateChanged(CameraState.STEADY, self.clock.now, lid_known=True))

    @property
    def game(self) -> Any:
        """The game now."""
        return self.saved_game.game

    @property
    def state(self) -> ScreenState:
        """What the screen shows now, without the camera's picture."""
        return self.referee.build_screen_state(CAMERA_VIEW)

    def restart(self) -> None:
        """Simulate a power cut: only the journal survives."""
        self.saved_game = SavedGame(self.journal, self.saved_game.id, self.definition)
        self.referee = Referee(self.saved_game, self._services)

    def send(self, *signals: Event) -> None:
        """Give the referee these events, and let it handle them."""
        for signal in signals:
            self.referee.receive(signal)
        self.referee.tick()

    def wait(self, seconds: float) -> None:
        """Let time pass, and the referee notice it."""
        self.clock.now += seconds
        self.referee.tick()

    def press(self, *buttons: Button) -> None:
        """Press and release buttons one after the other, with the time between them that people need."""
        for button in buttons:
            if offer := self.offer(button):
                self.wait(offer.shown_seconds)  # they read what is shown
                if self.referee.press_guard.must_refuse(button, self.clock.now, offer):
                    self.wait(REACTION_SECONDS)  # it is a question that has just opened
            self.send(ButtonPressed(button, self.clock.now))
            self.wait(0.1)
            self.send(ButtonReleased(button, self.clock.now))
            self.wait(REACTION_SECONDS)  # people read what their press has done before they press again

    def hold(self, button: Button, seconds: float = HOLD_TEST_SECONDS) -> None:
        """Hold a button and release it."""
        self.send(ButtonPressed(button, self.clock.now))
        self.wait(seconds)
        self.send(ButtonReleased(button, self.clock.now))

    def roll(self, *values: int, confidence: float = 0.99, alternatives: Sequence[tuple[int, ...]] = ()) -> None:
        """Send a reading of dice at rest: their values, how certain it is (0 to 1), and the next likely readings."""
        self.send(DiceRead(values, confidence, self.clock.now, tuple(alternatives)))

    def take_token(self, number: int | None, window: int = 0, confidence: float = 0.99) -> None:
        """Send a reading of a token that was taken off a window of the lid."""
        self.send(TokenTaken(window, number, confidence, self.clock.now))

    def put_token(self, number: int | None, window: int = 0) -> None:
        """Send a reading of a token that was put onto a window of the lid."""
        self.send(TokenPlaced(window, number, 0.99, self.clock.now))

    def cover(self) -> None:
        """Send that all windows of the lid are covered."""
        self.send(LidCovered(self.clock.now))

    def correct(self, line: str, *presses: Button, check: Callable[[], None] = lambda: None) -> None:
        """Choose the line that begins with `line` in the menu of corrections (or in one of its lists), then press.

        Args:
            line: beginning of the line, in English.
            presses: presses that change its value; OK follows.
            check: called when the line is open.

        Raises:
            StopIteration: there is no such line.
        """
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
        """Return what a press of the button does now; None: nothing."""
        return find_offer(self.referee.list_offers(), button, self.saved_game.buttons)

    def played(self) -> Move | Correction | None:
        """Return what was played last; None: nothing yet."""
        return self.saved_game.last_played


@contextmanager
def open_tables(folder: Path) -> Iterator[Callable[..., TableUnderTest]]:
    """Yield a factory of tables, each in a folder of its own below `folder`; close their journals afterwards.

    The factory takes the arguments of `TableUnderTest` but for `folder`.
    """
    made: list[TableUnderTest] = []

    def make(*args: Any, **settings: Any) -> TableUnderTest:
        made.append(TableUnderTest(folder / str(len(made)), *args, **settings))
        return made[-1]

    try:
        yield make
    finally:
        for each in made:
            each.journal.close()


A, B, C = Seat(0), Seat(1), Seat(2)
"""The first three seats."""
