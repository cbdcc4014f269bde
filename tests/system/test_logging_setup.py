"""The log: levels for systemd, one line per incident, no secret of a game."""

from __future__ import annotations

import io
import logging
import os
from pathlib import Path
from random import Random

import pytest

from companion.api import registry
from companion.app.crash_guard import CrashGuard
from companion.app.session import Session, SessionConfig
from companion.app.table_services import TableServices
from companion.events import Button, ButtonPressed, ButtonReleased, DeviceLost, DeviceRestored, DieShown
from companion.journal.database import JOURNAL_FILE, Journal
from companion.referee.button_mapping import find_button
from companion.screen_state import CameraView
from companion.system import logging_setup
from tests.conftest import keep_log


def test_the_next_test_has_the_log_as_it_was() -> None:
    root = logging.getLogger()
    before = root.handlers[:], root.level
    with keep_log():
        logging_setup.set_up_logging(logging.DEBUG, io.StringIO(), {})
        assert (root.handlers, root.level) != before
    assert (root.handlers, root.level) == before


def test_lines_have_levels_for_systemd(tmp_path: Path) -> None:
    with (tmp_path / "stream").open("w+", encoding="utf-8") as stream:
        about = os.fstat(stream.fileno())
        logging_setup.set_up_logging(stream=stream, environ={"JOURNAL_STREAM": f"{about.st_dev}:{about.st_ino}"})
        log = logging.getLogger("companion")
        log.debug("nothing of this")
        log.info("a game begins")
        log.warning("the camera is gone")
        try:
            raise ValueError("two\nlines")
        except ValueError:
            log.exception("it failed")
        stream.seek(0)
        lines = stream.read().splitlines()
    assert lines[:3] == ["<6>a game begins", "<4>the camera is gone", "<3>it failed"]
    assert len(lines) > 5
    assert all(line.startswith("<3>") for line in lines[2:])


@pytest.mark.parametrize("named", ["", "1:2", "nonsense"])
def test_lines_have_no_levels_elsewhere_and_no_controls_of_the_terminal(tmp_path: Path, named: str) -> None:
    with (tmp_path / "stream").open("w+", encoding="utf-8") as file:
        for stream in (file, io.StringIO()):
            logging_setup.set_up_logging(stream=stream, environ={"JOURNAL_STREAM": named})
            logging.getLogger("companion").warning("%s is gone", "cam\x1b[2J\x9b31m")
            stream.seek(0)
            assert stream.read() == "cam [2J 31m is gone\n"


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


AVOIDED = {"undo", "away", "lobby", "fix", "pause", "erase", "again", "close", "back"}
"""Commands that have no effect here."""


class Evenings:
    """Plays whole sessions by sensible and random presses, and knows their secrets."""

    def __init__(self, folder: Path, game: str, seed: int) -> None:
        self.random, self.clock = Random(seed), Clock()
        kit = registry.find_game(game)
        self.names = ("Adalgisa", "Bartholomäus", "Cunegonde")
        self.journal = Journal(folder / JOURNAL_FILE, lambda: 1e9, self.clock)
        plan = SessionConfig(kit, self.names, kit.settings_model(), seed, (kit,))
        self.session = Session(plan, self.journal, TableServices(self.clock, self.random))
        self.guarded = CrashGuard(self.session, self.clock)
        for button in (Button.SEAT1, Button.SEAT2, Button.SEAT3):
            self.press(button)

    def turn(self, *signals: object) -> None:
        self.guarded.step(list(signals), CameraView())

    def press(self, button: Button) -> None:
        self.clock.now += 0.5
        self.turn(ButtonPressed(button, self.clock.now), ButtonReleased(button, self.clock.now + 0.1))

    def button(self) -> Button:
        """Return weights that prefer presses that continue the game."""
        saved_game = self.session.saved_game
        if saved_game is None:
            return Button.OK
        wanted = [
            offer for offer in self.session.stage.list_offers() if not (set(str(offer.action).split("'")) & AVOIDED)
        ]
        buttons = [button for offer in wanted if (button := find_button(offer.input, saved_game.setup.buttons))]
        return self.random.choice(buttons or [Button.OK])

    def play(self, presses: int) -> None:
        for _ in range(presses):
            self.clock.now += self.random.choice((0.3, 0.6, 20.0))
            self.press(self.button())
            now = self.clock.now
            if self.random.random() < 0.1:
                picture = b"\xff\xd8\xffSECRET-FACE"
                self.turn(DieShown(self.random.randrange(4), self.random.randint(1, 3), 0.99, now, (), picture))
            if self.random.random() < 0.02:
                self.turn(DeviceLost("camera", now), DeviceRestored("camera", now))


@pytest.mark.parametrize("game", ["secret_number", "memo_dice", "macroscope"])
def test_log_has_no_secrets_and_no_names(game: str, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    session = Evenings(tmp_path, game, seed=5)
    session.play(120)
    assert len(session.journal.read_entries(1)) > 20
    session.journal.close()
    title = registry.find_game(game).title
    assert any(message.startswith(f"{title} begins (game 1, 3 players)") for message in caplog.messages)
    assert any(message.startswith("camera: lost") for message in caplog.messages)
    text = caplog.text
    assert not any(name in text for name in session.names)
    assert "SECRET" not in text
    # Nothing that was played: the log has a line where a game begins or ends, and none for a move.
    assert not any("move" in message or '"value"' in message for message in caplog.messages)
    for message in caplog.messages:
        assert message.startswith((title, "camera: ", "The game is left.")), message
