"""Figures in documents by which a reader acts are those of the program. Measured ones: test_measured_figures.py."""

from __future__ import annotations

import re
from pkgutil import resolve_name

import pytest

from tests.conftest import REPOSITORY
from tests.tooling.pages import join_lines

WORDS = {"a": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "eight": 8, "ten": 10, "twenty": 20}
FIGURE = rf"(?<![\w.])(\d+(?:\.\d+)?|{'|'.join(WORDS)})"
MS, MINUTES = 1000.0, 1 / 60
US_IN_MS, US_IN_S, US_IN_MINUTES = 1e-3, 1e-6, 1e-6 / 60
"""Factors from the unit of the program to that of the page."""
BOX = "hardware.buttons.usb_box"
TIES = "hardware.buttons.press_merger"
PORCH = "companion.porch.service"
CONFIG = "firmware_notes/firmware/config.h"
FIGURES = [
    ("docs/build/boards.md", "# ms | [firmware]", f"{TIES}:USB_BOX_RESOLUTION.same_source_seconds", MS),
    ("docs/build/boards.md", "# ms | [CircuitPython]", "firmware_notes/circuitpython/code.py RESOLUTION", 0.1),
    ("docs/build/boards.md", "# ms | [buttons you have]", f"{TIES}:CONTROLLER_RESOLUTION.same_source_seconds", MS),
    ("docs/build/boards.md", "# ms | it sends 1 to 6", f"{TIES}:KEYBOARD_RESOLUTION.same_source_seconds", MS),
    ("docs/build/card-image.md", "within # minutes", "systemd/image/companion-take-back.timer OnBootSec", 1),
    ("docs/build/troubleshooting.md", "keyboard less than # ms", f"{TIES}:KEYBOARD_RESOLUTION.same_source_seconds", MS),
    ("docs/build/troubleshooting.md", "at a touch screen # ms", f"{TIES}:TOUCH_RESOLUTION.same_source_seconds", MS),
    ("docs/build/troubleshooting.md", "has moved for # seconds", "hardware.cameras.exposure:STEADY_SECONDS", 1),
    ("docs/build/troubleshooting.md", "die must be # pixels", "companion.vision.view_check.checks:MIN_DIE_SIDE_PX", 1),
    ("docs/buttons-you-have.md", "less than # ms apart", f"{TIES}:CONTROLLER_RESOLUTION.same_source_seconds", MS),
    ("docs/club.md", "At most # may watch", "companion.club.page:MAX_WATCHERS", 1),
    ("docs/club.md", "watch, # behind", "companion.web_server.limits:MAX_CONNECTIONS_OF_ADDRESS", 1),
    ("docs/club.md", "from # in the morning", "companion.evening:NIGHT_HOURS", 1),
    ("docs/data-and-backup.md", "It lasts # seconds", "companion.film.moments:FILM_SECONDS", 1),
    ("docs/dice-test.md", "# times if you do not", "companion.commands.dice_test:DEFAULT_THROWS", 1),
    ("docs/dice-test.md", 'p below # "not fair"', "companion.commands.dice_test.report:UNFAIR_P", 1),
    ("docs/dice-test.md", 'below # "in doubt"', "companion.commands.dice_test.report:DOUBTFUL_P", 1),
    ("docs/face.md", "less than # ms apart", f"{TIES}:TOUCH_RESOLUTION.same_source_seconds", MS),
    ("docs/game-files.md", "at most # MB", "companion.title_picture:MAX_PICTURE_BYTES", 2**-20),
    ("docs/glossary.md", "takes it back for # seconds", "companion.api.offers:LATE_PRESS_SECONDS", 1),
    ("docs/limits.md", "at most once in # s", "companion.journal.mirror_file:SYNC_SECONDS", 1),
    ("docs/mounting.md", "than the # pixels", "companion.vision.view_check.checks:MIN_DIE_SIDE_PX", 1),
    ("docs/mounting.md", "reports it from # degrees", "companion.vision.view_check.checks:MAX_TILT_DEG", 1),
    ("docs/playing-by-ear.md", "hold both for # seconds", "companion.app.voice_switch:SWITCH_SECONDS", 1),
    ("docs/playing-by-ear.md", "last # seconds tick", "companion.display.sound.effect_choice:TICKING_SECONDS", 1),
    ("docs/playing.md", "presses within # seconds", "companion.api.offers:LATE_PRESS_SECONDS", 1),
    ("docs/playing.md", "held for # second", "companion.referee.held_buttons:HOLD_SECONDS", 1),
    ("docs/playing.md", "until # in the morning", "companion.evening:NIGHT_HOURS", 1),
    ("docs/porch.md", "At most # browsers", f"{PORCH}:MAX_WATCHERS", 1),
    ("docs/porch.md", "follow, # behind", f"{PORCH}:MAX_WATCHERS_OF_ADDRESS", 1),
    ("docs/porch.md", "latest # results", "companion.porch.publisher:MAX_RESULTS", 1),
    ("docs/porch.md", "(at most # KiB)", "companion.porch.messages:MAX_LINE_BYTES", 2**-10),
    ("docs/porch.md", "at least every # s", "companion.porch.publisher:HEARTBEAT_SECONDS", 1),
    ("docs/porch.md", "more than # MiB behind", "companion.porch.publisher:MAX_WAITING_BYTES", 2**-20),
    ("docs/translating.md", "at most # times as long", "companion.po_file:MAX_GROWTH", 1),
    ("docs/translating.md", "(and # letters)", "companion.po_file:SPARE_LETTERS", 1),
    ("docs/your-own-game.md", "underscores, at most #", "companion.names:MAX_NAME_LETTERS", 1),
    ("firmware_notes/protocol.md", "HELLO every # ms", f"{BOX}.greetings:HELLO_SECONDS", MS),
    ("firmware_notes/protocol.md", "Serial, # baud", f"{CONFIG} BAUD_RATE", 1),
    ("firmware_notes/protocol.md", "at most # unacknowledged", f"{CONFIG} WINDOW", 1),
    ("firmware_notes/protocol.md", "# ms without a useful ACK", f"{CONFIG} FIRST_RESEND_US", US_IN_MS),
    ("firmware_notes/protocol.md", "doubles this time up to # ms", f"{CONFIG} MAX_RESEND_US", US_IN_MS),
    ("firmware_notes/protocol.md", "# s of the host's last", f"{CONFIG} SAME_HOST_US", US_IN_S),
    ("firmware_notes/protocol.md", "# minutes without a frame", f"{CONFIG} FORGET_US", US_IN_MINUTES),
    ("firmware_notes/protocol.md", "queue (# events)", f"{CONFIG} QUEUE_LENGTH", 1),
    ("firmware_notes/protocol.md", "every # ms in a session", f"{CONFIG} LEVELS_INTERVAL_US", US_IN_MS),
    ("firmware_notes/protocol.md", "# s after the last undamaged", f"{CONFIG} LAMPS_OFF_US", US_IN_S),
]
"""Page, words around its figure "#", the name of the figure in the program, and the factor between their units."""


def read_number(name: str) -> float:
    """Return the number behind a name: "module:NAME", or "FILE NAME" at the beginning of a line."""
    if ":" in name:
        return float(resolve_name(name))
    file, key = name.split()
    (number,) = re.findall(rf"^(?:#define )?{key}[ =]+(\d+)", (REPOSITORY / file).read_text("utf-8"), re.MULTILINE)
    return float(number)


@pytest.mark.parametrize(("page", "words", "name", "factor"), FIGURES)
def test_a_figure_is_that_of_the_program(page: str, words: str, name: str, factor: float) -> None:
    figures = re.findall(re.escape(words).replace(r"\#", FIGURE), join_lines(REPOSITORY / page))
    assert figures, f'{page} has no "{words}": if only the wording changed, change this entry'
    expected = read_number(name) * factor
    for figure in figures:
        message = f'{page} says "{words.replace("#", figure)}", but {name} is {expected:g}'
        assert float(WORDS.get(figure, figure)) == pytest.approx(expected), message
