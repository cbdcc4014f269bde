"""Real-time games played through the real firmware: pins of a simulated chip, its serial line, the driver, the game.

The cable is pulled three times on the way.
"""

from __future__ import annotations

import random
import time
from pathlib import Path
from typing import Any

import pytest

from companion.api import registry
from companion.app.session import Session, SessionConfig
from companion.app.table_services import TableServices
from companion.events import Button, ButtonPressed, DeviceLost, DeviceRestored, Event
from companion.games.macroscope.simulator.appearance import MacroscopeAppearance
from companion.games.macroscope.simulator.kit import create_macroscope_table
from companion.games.macroscope.simulator.player import MacroscopePlayers
from companion.journal.database import Journal
from companion.journal.entry import GameSetup
from companion.screen_state import CameraView, ScreenKind, ScreenState
from hardware.buttons.lamp_effects import EFFECT_BY_LAMP_STATE
from hardware.buttons.usb_box.driver import ButtonBox
from hardware.buttons.usb_box.messages import BUTTONS
from hardware.buttons.usb_box.ports import make_path_finder
from tests.app.cable import Cable
from tests.app.test_all_games import PLAIN
from tests.firmware.simulator import ATMEGA, PICO_UART, PICO_USB, Built, Live, SimulatedBoard

GENEROUS = 500.0
"""Seconds of real time after which the game is given up."""
OUT = 1.5
"""Seconds for which the cable is out."""
PATIENCE = 6.0
"""Seconds after which people press once more, for the screen did nothing."""
MIN_RELEASED_US = 25_000.0
"""Simulated microseconds from a release to the next press: longer than the firmware's 20 ms of debouncing."""


class Sitting:
    """An evening whose people press the pins of a simulated box."""

    def __init__(self, folder: Path, box: Live, name: str, seed: int, **settings: Any) -> None:
        kit = registry.find_game(name)
        self.box = box
        self.journal = Journal(folder / "journal.sqlite3")
        self.evening = Session(
            SessionConfig(kit, (), kit.settings_model(**settings), seed),
            self.journal,
            TableServices(time.monotonic, random.Random(seed)),
        )
        table, _ = create_macroscope_table(MacroscopeAppearance(), random.Random(seed))
        self.people = MacroscopePlayers(table, random.Random(seed), kit.player_counts[-1], thinking_seconds=(0.1, 0.6))
        self.cable = Cable(box.port, folder / "ttyBOX")
        self.driver = ButtonBox(make_path_finder(str(folder / "ttyBOX")))
        self.rng = random.Random(seed)
        self.pressed: list[Button] = []
        self.heard: list[Button] = []
        self.told: list[str] = []
        self.cuts = 0
        self.pin_changes = 0
        self._waiting_since: float | None = None

    @property
    def is_connected(self) -> bool:
        """Whether the last event about the box was its return."""
        return self.told.count("DeviceRestored") == self.told.count("DeviceLost") + 1

    @property
    def is_finger_up(self) -> bool:
        """Whether all pins have changed as asked: on a busy machine simulated time lags behind the people's."""
        return len(self.box.pins) == self.pin_changes

    def step(self) -> ScreenState:
        self.evening.step(self.listen())
        shown = self.evening.build_screen_state(CameraView())
        self.driver.set_lamps(
            {button: EFFECT_BY_LAMP_STATE[lamp] for button, lamp in self.evening.stage.map_lamps().items()}
        )
        if shown.notice and shown.notice not in self.told:
            self.told.append(shown.notice)
        return shown

    def listen(self) -> list[Event]:
        """Read the driver's events and note them."""
        signals = self.driver.read()
        for signal in signals:
            match signal:
                case ButtonPressed(button=button):
                    self.heard.append(button)
                    self._waiting_since = None
                case DeviceLost() | DeviceRestored():
                    self.told.append(type(signal).__name__)
        return signals

    def act(self, shown: ScreenState) -> None:
        """People press what they like, and wait until that is heard and their finger is up again."""
        now = time.monotonic()
        if not self.is_finger_up or (self._waiting_since is not None and now - self._waiting_since < PATIENCE):
            return
        sitting = self.evening.saved_game
        offers = self.evening.stage.list_offers()
        likely = (
            (lambda offer: sitting.definition.get_bot_weight(sitting.game, offer)) if sitting else (lambda _offer: 1.0)
        )
        for signal in self.people.act(shown, offers, now, likely):
            if isinstance(signal, ButtonPressed):
                self._push(signal.button)
                self._waiting_since = now

    def _push(self, button: Button) -> None:
        """Down with a bounce train, and up again."""
        self.pressed.append(button)
        number, at, level = BUTTONS.index(button), MIN_RELEASED_US, 1
        changes = []
        for _ in range(self.rng.choice((0, 2, 4, 6))):
            changes.append(f"pin +{at:.0f} {number} {level}")
            at, level = at + self.rng.uniform(30, 900), 1 - level
        changes += [f"pin +{at:.0f} {number} 1", f"pin +{at + 45_000:.0f} {number} 0"]
        self.pin_changes += len(changes)
        self.box.tell("\n".join(changes))  # at once: between two commands simulated time would pass

    def play(self, cuts: int) -> ScreenState:
        """To the result, with the cable pulled `cuts` times: each time a third or so of the way on.

        Returns when every press has arrived and the box is back, since the result may come while a press is on its way.
        """
        end = time.monotonic() + GENEROUS
        back_at: float | None = None
        next_cut = 12
        result: ScreenState | None = None
        while time.monotonic() < end:
            now = time.monotonic()
            if back_at is not None:
                if now >= back_at and not self.is_connected:
                    self.cable.plug()
                    back_at = None
            elif self.cuts < cuts and self.is_connected and (result or len(self.pressed) >= next_cut):
                self.cable.pull()
                self.cuts, back_at, next_cut = self.cuts + 1, now + OUT, len(self.pressed) + 12
            if result is None:
                shown = self.step()
                if shown.kind is ScreenKind.RESULT:
                    result = shown
                elif "DeviceRestored" in self.told:  # people press a box that is on; a busy machine may boot it late
                    self.act(shown)
            else:
                self.listen()  # the game is over: a press that comes now would leave its result
                has_heard_all = self.is_finger_up and len(self.heard) >= len(self.pressed)
                if self.cuts == cuts and back_at is None and self.is_connected and has_heard_all:
                    return result
            time.sleep(0.002)  # the loop's pace; nothing is waited for by it
        raise AssertionError(
            f"no end: {shown.prompt} {shown.question} {self.told} {len(self.pressed)} pressed, {len(self.heard)} heard"
        )

    def close(self) -> None:
        self.driver.close()
        self.cable.close()
        self.journal.close()


@pytest.mark.proof
@pytest.mark.timeout(900)
@pytest.mark.parametrize(
    ("name", "settings", "board"),
    [
        ("secret_number", {"games": 1, "round_seconds": 15, "show_seconds": 1}, ATMEGA),
        ("pictomania", {"rounds": 1}, ATMEGA),
        ("secret_number", {"round_seconds": 20}, ATMEGA),
        ("pictomania", {}, ATMEGA),
        ("secret_number", {"games": 1, "round_seconds": 15}, PICO_USB),
        ("pictomania", {"rounds": 1}, PICO_UART),
    ],
)
def test_a_sitting_through_the_simulated_firmware_with_the_line_cut_three_times(
    tmp_path: Path, request: pytest.FixtureRequest, name: str, settings: dict[str, Any], board: SimulatedBoard
) -> None:
    built: Built = request.getfixturevalue("built" if board is ATMEGA else "built_pico")
    with Live(built.folder, board) as box:
        sitting = Sitting(tmp_path, box, name, 4, **settings)
        try:
            shown = sitting.play(cuts=3)
            assert sitting.cuts == 3
            lost = sitting.told.count("DeviceLost")
            assert lost >= 3, "each cut; and on a busy machine a simulated chip without time is as silent as one cut"
            assert sitting.told.count("DeviceRestored") == lost + 1, "found at the start, and after each loss"
            # Presses made while the cable was out came when it was back: none lost, none doubled, none swapped.
            assert sitting.heard == sitting.pressed
            setup = GameSetup.from_json(sitting.journal.get_game(1).setup_json)
            moves = [e.what.played.to_move() for e in sitting.journal.read_entries(1) if e.what.played]
            assert list(shown.scores) == list(PLAIN[name](setup, moves))
        finally:
            sitting.close()
