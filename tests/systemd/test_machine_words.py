"""Without a machine: the words, screens and tables on which the proofs of appliance and card image rely.

The proofs run nightly, these each time.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pygame
import pytest

from companion.api import registry
from companion.app.button_input import ButtonInput
from companion.app.session import Session, SessionConfig
from companion.app.table_services import TableServices
from companion.app.window import Window
from companion.cli import build_parser
from companion.config.gpio_pins import ButtonPins, LampPins
from companion.events import SEAT_BUTTONS, Button, ButtonPressed, ButtonReleased
from companion.journal.database import JOURNAL_FILE, Journal
from companion.lobby import HouseRules, Preferences
from companion.screen_state import CameraView, ScreenKind
from companion.system.appliance import POWER_OFF_FILE, SET_CLOCK_FILE, Appliance
from companion.testing.table import ManualClock
from hardware.buttons.gpio.driver import GpioPins, GpioSource
from tests.app.session_table import SessionTable
from tests.conftest import REPOSITORY
from tests.hardware.buttons.gpio.bench import BouncingPwmPin, ClockFactory
from tests.systemd import emulated_card, emulated_pi, machine, test_appliance, test_card_image
from tests.systemd.emulated_card import SCREEN, Picture, read_keys
from tests.systemd.emulated_pi import SET_LEVEL, EmulatedPi
from tests.systemd.machine import Answer, Machine
from tests.systemd.test_card_image import continue_game, pass_turn, read_journal, start_game
from tests.systemd.test_set_clock import SET_NEXT_WEEK

SCRIPTS = REPOSITORY / "systemd"
WORDS = {
    "install.sh": (
        *("would run", "The companion is ready.", "The companion is already running.", "going back to", "Building"),
        "OpenCV, pygame and pydantic are too old",
    ),
    "restart-backoff": ("in a row: waiting",),
    "image/apply-upgrade": (
        *("Installing version", "waits for a restart", "nothing was changed"),
        "is older than the running one",
    ),
    "set-clock": ("Only until the power goes",),
    "../companion/camera/camera_reader.py": ("There is no camera",),
    "image/restart-into-upgrade": ("Restarting into version",),
    "../companion/app/main_loop.py": ("the data folder cannot be written",),
    "../companion/porch/service.py": ("follows",),
    "../companion/porch/page_words.py": ("Nothing is being played", "The table does not answer"),
}
"""Words that a proof waits for, by the file that prints them."""
PROOFS = "".join(
    place.read_text(encoding="utf-8") for place in Path(__file__).parent.glob("test_*.py") if place != Path(__file__)
)
KEYS = {"ret": Button.OK, "backspace": Button.NO, "kp_add": Button.PLUS, "kp_subtract": Button.MINUS}
X_KEYS = {"Return": Button.OK, "plus": Button.PLUS, "minus": Button.MINUS}
for names in (KEYS, X_KEYS):
    names |= {str(button.seat_number): button for button in SEAT_BUTTONS}


@pytest.mark.parametrize(("file", "words"), [(file, text) for file, texts in WORDS.items() for text in texts])
def test_words_that_a_proof_waits_for_are_printed(file: str, words: str) -> None:
    assert words in (SCRIPTS / file).read_text(encoding="utf-8")
    assert words in PROOFS, "no proof waits for it any more"


def test_screens_that_a_proof_waits_for_exist() -> None:
    """The status line ends with the kind of the screen."""
    waited = set(re.findall(r'status_is\(\w+, "(?:: )?([a-z]+)"\)', PROOFS))
    assert waited == {"lobby", "play", "resume"}
    assert waited <= {str(kind) for kind in ScreenKind}


def test_units_and_parts_of_the_repository_that_a_proof_needs_exist() -> None:
    units = set(re.findall(r"(?:Started|Finished|start) (companion[\w-]*\.service)", PROOFS))
    assert "companion-confirm.service" in units
    for unit in units:
        assert list(SCRIPTS.rglob(unit)), unit
    for part in machine.PARTS:
        assert (REPOSITORY / part).exists(), part


@pytest.mark.parametrize(
    ("path", "file"),
    [
        ("/var/lib/companion", "install.sh"),
        ("/var/lib/companion", "companion-backup"),
        ("/opt/companion/current", "companion.service"),
        ("/etc/companion", "install.sh"),
        ("/image/name", "image/name-machine"),
    ],
)
def test_paths_that_a_proof_names_are_those_of_the_scripts(path: str, file: str) -> None:
    assert path.removeprefix("/") in PROOFS
    assert path in (SCRIPTS / file).read_text(encoding="utf-8")


def test_journal_that_a_proof_looks_for_has_this_name() -> None:
    path = f"var/lib/companion/{JOURNAL_FILE}"
    assert path in PROOFS
    assert path in Path(__file__).with_name("porch_probe.py").read_text(encoding="utf-8")


def test_command_lines_of_a_proof_are_accepted() -> None:
    lines = set(re.findall(r"companion ((?:run|history)\b(?: (?!\d>)[-\w/.]+)*)", PROOFS))
    assert {line.split()[0] for line in lines} == {"run", "history"}
    for line in lines:
        build_parser(line.split()[0]).parse_args(line.split())


@pytest.mark.parametrize("words", test_appliance.CUTS)
def test_steps_at_which_the_power_is_cut_are_printed(words: str) -> None:
    assert words in (SCRIPTS / "install.sh").read_text(encoding="utf-8")


def start_session(folder: Path, journal: Journal, clock: Callable[[], float]) -> Session:
    """Start the session of a card image."""
    games = registry.load_games()
    house = {game.name: game.settings_model() for game in games}
    return Session(
        SessionConfig(games[0], (), house[games[0].name], definitions=games, run_setup_wizard=True),
        journal,
        TableServices(
            clock,
            random.Random(1),
            has_camera=False,
            house_rules=HouseRules(house),
            preferences=Preferences(folder=folder),
            appliance=Appliance(folder),
        ),
    )


class DrawnCard:
    """The card's program without its machine: its screens are drawn, its keys are pressed at once."""

    has_screen = True

    def __init__(self, folder: Path) -> None:
        self._folder, self._now = folder, 0.0
        self._surface = pygame.display.set_mode(SCREEN)
        self.start()

    def start(self) -> None:
        """Start the program, after a power cut too."""
        self.journal = Journal(self._folder / "journal.sqlite3")
        self._session = start_session(self._folder, self.journal, lambda: self._now)
        self._window = Window(self._surface, lambda: self._now)

    def press(self, *keys: str) -> None:
        for key in keys:
            self._now += 2.0
            self._session.step([ButtonPressed(KEYS[key], self._now), ButtonReleased(KEYS[key], self._now + 0.1)])
            self._now += 2.0
            self._session.step([])

    def press_until(self, key: str, wanted: str) -> None:
        self.press(key)
        self.wait_for_keys(wanted)

    def wake_buttons(self) -> None:
        pass

    def wait_for_keys(self, wanted: str) -> None:
        assert read_keys(self.photograph()) == wanted, self._session.build_screen_state(CameraView())

    def photograph(self, name: str = "") -> Picture:
        for _ in range(2):  # the end of an animation
            self._now += 2.0
            self._window.show(self._session.build_screen_state(CameraView()))
        return np.ascontiguousarray(pygame.surfarray.array3d(self._surface).swapaxes(0, 1)[..., ::-1])


@pytest.fixture
def card(tmp_path: Path) -> Iterator[DrawnCard]:
    yield DrawnCard(tmp_path)
    pygame.display.quit()


def test_card_proof_finds_its_way_on_the_screens_and_its_games_in_the_journal(
    card: DrawnCard, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(test_card_image, "_note", lambda *words: None)
    monkeypatch.setattr(test_card_image.time, "sleep", lambda seconds: None)
    start_game(card)
    assert (tmp_path / SET_CLOCK_FILE).exists()
    for _ in range(3):
        assert pass_turn(card) == 1
    card.journal.close()
    card.start()
    continue_game(card)
    pass_turn(card)
    card.journal.close()
    kept = read_journal(tmp_path / "journal.sqlite3")
    assert len(kept.games) == 1
    assert len(kept.entries) >= 3
    assert kept.clocks > 0


class PinnedPi(EmulatedPi):
    """The emulated Pi without its machine: its program at pins without interrupts, all low until they are released.

    Args:
        folder: of the journal.
        turn_seconds: time of one turn of the program's loop.
    """

    patience_seconds = 300.0

    def __init__(self, folder: Path, turn_seconds: float) -> None:
        super().__init__(folder / "disk", folder)
        self.clock = ManualClock()
        self._turn_seconds, self._next_turn_at = turn_seconds, 0.0
        self.start()

    def start(self) -> None:
        """Start the program."""
        self._wiring = GpioPins(ButtonPins().list_wired(), LampPins().list_wired())
        self._pin_bank = ClockFactory(self.clock, StillPin)
        self.journal = Journal(self.folder / "journal.sqlite3")
        self._session = start_session(self.folder, self.journal, self.clock)
        self._source = GpioSource(self._wiring, self._pin_bank, self.clock, are_lamps_certain=False)
        self._input = ButtonInput([self._source], self.clock)
        assert self.read_offered() == "0" * 10
        self._release_buttons()

    def sleep(self, seconds: float) -> None:
        """Let the program run."""
        end = self.clock.now + seconds
        while self.clock.now < end:
            self.clock.now = min(end, max(self._source.tick(), self.clock.now + 0.001))
            if self.clock.now >= self._next_turn_at:
                self._next_turn_at = self.clock.now + self._turn_seconds
                self._session.step(self._input.poll())
                self._input.set_lamps(self._session.map_lamps())

    def _ask_pins(self, command: str) -> str:
        word, place, *values = command.split()
        if word == "readl":
            levels = [int(self._pin_bank.pin(pin).state) << pin for pin in self._wiring.lamps.values()]
            return f"OK {sum(levels):#x}"
        for pin in self._wiring.buttons.values():
            if int(values[0], 0) >> pin & 1:
                self._pin_bank.pin(pin).set_level(int(place, 0) == SET_LEVEL)
        return "OK"


class StillPin(BouncingPwmPin):
    """A pin as qemu has it: without a pull-up, and without interrupts."""

    def input_with_pull(self, pull: str) -> None:
        super().input_with_pull(pull)
        self.set_level(high=False)


@pytest.mark.parametrize(("turn_seconds", "patience"), [(0.1, 3.0), (6.0, 1.0)])
def test_card_proof_finds_its_way_at_pins(
    turn_seconds: float, patience: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pi = PinnedPi(tmp_path, turn_seconds)
    for module in (emulated_pi, emulated_card, test_card_image):
        monkeypatch.setattr(module, "time", SimpleNamespace(sleep=pi.sleep, monotonic=pi.clock))
    for name in ("PAUSE_SECONDS", "SAMPLE_SECONDS"):
        monkeypatch.setattr(emulated_pi, name, getattr(emulated_pi, name) * patience)
    monkeypatch.setattr(test_card_image, "_note", lambda *words: None)
    start_game(pi)
    pi.press("1", "ret", "2")
    pi.sleep(turn_seconds)
    pi.journal.close()
    pi.start()
    continue_game(pi)
    pi.press("2")
    pi.sleep(turn_seconds)
    pi.journal.close()
    kept = read_journal(tmp_path / "journal.sqlite3")
    assert len(kept.games) == 1
    assert len(kept.entries) >= 4


class PressedBox(Machine):
    """The box's program without its machine: the proofs of the appliance press its keys by their X names."""

    def __init__(self, folder: Path) -> None:
        self.table = SessionTable(
            Journal(folder / "journal.sqlite3"),
            appliance=Appliance(folder),
            run_setup_wizard=True,
            preferences=Preferences(folder=folder),
        )

    def press(self, *keys: str) -> None:
        self.table.press(*(X_KEYS[key] for key in keys))

    def show(self, name: str, unit: str = "companion.service") -> str:
        assert name == "StatusText"
        return f"{self.table.state.title}: {self.table.state.kind}"

    def wait(self, done: Callable[[], Answer], what: str) -> Answer:
        answer = done()
        assert answer, what
        return answer


@pytest.mark.parametrize(
    ("keys", "file"), [(test_appliance.SWITCH_OFF, POWER_OFF_FILE), (SET_NEXT_WEEK, SET_CLOCK_FILE)]
)
def test_keys_of_a_proof_make_its_request(keys: Sequence[str], file: str, tmp_path: Path) -> None:
    box = PressedBox(tmp_path)
    test_appliance.to_the_lobby(box)
    box.press(*keys)
    assert (tmp_path / file).exists(), box.table.state


def test_keys_of_a_proof_begin_a_game(tmp_path: Path) -> None:
    box = PressedBox(tmp_path)
    test_appliance.begin_a_game(box)
    assert box.table.game.players
