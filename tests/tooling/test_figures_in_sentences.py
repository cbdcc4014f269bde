"""Figures in the sentences of documents are those of the program. Tables of measurements: test_figures.py."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable

import pytest
from card_image import partitions

from companion.api import registry
from companion.api.offers import LATE_PRESS_SECONDS
from companion.app.voice_switch import SWITCH_SECONDS
from companion.club import leagues, page
from companion.commands.dice_test import DEFAULT_THROWS
from companion.commands.dice_test.report import DOUBTFUL_P, UNFAIR_P
from companion.commands.doctor.system_checks import SLOW_WRITE_MS
from companion.dice_statistics import READER_DICE, READER_WRONG_DICE
from companion.display.sound.effect_choice import TICKING_SECONDS
from companion.display.sound.spoken_clocks import SPOKEN_SECONDS
from companion.display.toolkit.type_sizes import FAR_TEXT_EM, KEY_LABEL_EM, TYPE_SCALE
from companion.evening import NIGHT_HOURS
from companion.film.moments import FILM_SECONDS
from companion.games.starfall.tile_catalogue import TILE_COUNT
from companion.journal.luck import MIN_DICE_PER_FACE, STRIKING_SHARE
from companion.journal.mirror_file import SYNC_SECONDS
from companion.journal.play_time import MAX_PAUSE_SECONDS
from companion.names import MAX_NAME_LETTERS
from companion.po_file import MAX_GROWTH, SPARE_LETTERS
from companion.porch import picture_sender, publisher, service
from companion.porch.messages import MAX_LINE_BYTES
from companion.referee.held_buttons import HOLD_SECONDS
from companion.title_picture import MAX_PICTURE_BYTES
from companion.vision.confidence_limits import MIN_KNOWN_COUNT_CONFIDENCE, MIN_PLAY_CONFIDENCE
from companion.vision.dice import assembly, detector, orientation, reader, taught_dice
from companion.vision.tray.reader import MAX_TRAY_CANDIDATES
from companion.vision.view_check.checks import MAX_TILT_DEG, MIN_DIE_SIDE_PX
from companion.web_server import limits
from hardware.buttons import press_merger
from hardware.buttons.gpio.driver import LEVEL_CHECK_SECONDS
from hardware.buttons.usb_box import driver, greetings
from hardware.cameras.exposure import STEADY_SECONDS
from tests.conftest import REPOSITORY

WORDS = {1: "one", 2: "two", 3: "three", 4: "four", 5: "five", 8: "eight", 12: "twelve", 20: "twenty", 32: "thirty-two"}


def spell(number: float) -> str:
    """Write a whole number in words, as sentences have it."""
    return WORDS[int(number)]


def format_ms(seconds: float) -> str:
    return f"{seconds * 1000:.0f}"


def read_number(file: str, name: str) -> int:
    """Return the number behind a name at the beginning of a line of the button box's firmware."""
    found = re.search(rf"^{name} \(?(\d+)", (REPOSITORY / "firmware_notes" / file).read_text("utf-8"), re.MULTILINE)
    assert found, name
    return int(found[1])


def read_define(file: str, name: str) -> int:
    return read_number(f"firmware/{file}", f"#define {name}")


def read_unit(file: str, key: str) -> str:
    """Return the value of a key of a unit."""
    (found,) = re.findall(rf"^{key}=(.*)$", (REPOSITORY / "systemd" / file).read_text("utf-8"), re.MULTILINE)
    return str(found)


FILE_GAMES = [game for game in registry.load_games() if registry.find_game_file(game.name)]
firmware = ".".join(str(read_define("config.h", f"FIRMWARE_{part}")) for part in ("MAJOR", "MINOR", "PATCH"))
five_minutes, minute, *_ = sorted(SPOKEN_SECONDS, reverse=True)
touch, keyboard = press_merger.TOUCH_RESOLUTION, press_merger.KEYBOARD_RESOLUTION
SENTENCES = {
    "CHANGELOG.md": [f"{spell(len(FILE_GAMES))} games in text files"],
    "docs/architecture.md": [
        f"levels and lamps every {format_ms(LEVEL_CHECK_SECONDS)} ms",
        f"from {MIN_PLAY_CONFIDENCE} on played, below a question",
    ],
    "docs/build/boards.md": [
        f"{press_merger.USB_BOX_RESOLUTION.same_source_seconds * 1000} ms | [firmware]",
        f"{read_number('circuitpython/code.py', 'RESOLUTION =') // 10} ms | [CircuitPython]",
        f"{format_ms(press_merger.CONTROLLER_RESOLUTION.same_source_seconds)} ms | [buttons you have]",
        f"{format_ms(keyboard.same_source_seconds)} ms | it sends 1 to 6",
    ],
    "docs/build/README.md": [
        f"firmware {firmware}, {read_define('config.h', 'BUTTONS')} buttons",
    ],
    "docs/build/card-image.md": [
        f"FAT, {partitions.START_MIB} MiB |",
        f"FAT, {partitions.SLOT_BOOT_MIB} MiB each",
        f"squashfs, {partitions.SLOT_ROOT_MIB >> 10} GiB each",
        {"5min": "within five minutes"}[read_unit("image/companion-take-back.timer", "OnBootSec")],
    ],
    "docs/build/troubleshooting.md": [
        {"10": "after ten seconds it is restarted"}[read_unit("companion.service", "WatchdogSec")],
        f"at a keyboard less than {format_ms(keyboard.same_source_seconds)} ms apart is a tie, "
        f"at a touch screen {format_ms(touch.same_source_seconds)} ms",
        f"focuses once nothing has moved for {spell(STEADY_SECONDS)} seconds",
        f"a die must be {MIN_DIE_SIDE_PX:.0f} pixels wide",
    ],
    "docs/buttons-you-have.md": [
        f"Presses less than {format_ms(press_merger.CONTROLLER_RESOLUTION.same_source_seconds)} ms apart are a tie"
    ],
    "docs/club.md": [
        f"At most {page.MAX_WATCHERS} may watch, {limits.MAX_CONNECTIONS_OF_ADDRESS} behind one address",
        f"points by place: {', '.join(map(str, leagues.PLACE_POINTS))}",
        f"points by place, from {spell(NIGHT_HOURS)} in the morning on",
    ],
    "docs/data-and-backup.md": [
        f"It lasts {spell(FILM_SECONDS)} seconds",
        {250: "more than a quarter of a second for a safe write"}[int(SLOW_WRITE_MS)],
    ],
    "docs/dice-test.md": [
        f"in at most {STRIKING_SHARE * 100:.0f} of 100 games",
        f"({MIN_DICE_PER_FACE * 6} of six-sided ones)",
        f"{DEFAULT_THROWS} times if you do not say otherwise",
        f'p below {UNFAIR_P} "not fair", below {DOUBTFUL_P} "in doubt"',
        f"{READER_WRONG_DICE} of {READER_DICE} dice",
    ],
    "docs/face.md": [
        f"Text has four sizes: {', '.join(f'{em:.0f}' for em in TYPE_SCALE[:3])} and {TYPE_SCALE[3]:.0f} units; "
        f"the labels of the keys have {KEY_LABEL_EM:.0f}",
        f"text and labels have {FAR_TEXT_EM} units",
        f"touches less than {format_ms(touch.same_source_seconds)} ms apart are a tie",
    ],
    "docs/game-files.md": [f"at most {MAX_PICTURE_BYTES >> 20} MB and half a million pixels"],
    "docs/glossary.md": [f"takes it back for {spell(LATE_PRESS_SECONDS)} seconds"],
    "docs/limits.md": [
        f"differ in a disc of {taught_dice._DISC_PX} pixels",
        f"at most once in {SYNC_SECONDS:.0f} s",
        {3600: "A suspend of less than an hour in mid-game counts as play"}[int(MAX_PAUSE_SECONDS)],
    ],
    "docs/mounting.md": [
        f"smaller than the {MIN_DIE_SIDE_PX:.0f} pixels that can be read",
        f"the screen reports it from {MAX_TILT_DEG:.0f} degrees",
    ],
    "docs/playing-by-ear.md": [
        f"hold both for {spell(SWITCH_SECONDS)} seconds",
        f"when {spell(five_minutes / 60)} minutes, {spell(minute / 60)} minute, 30 and 10 seconds are left",
        f"The last {spell(TICKING_SECONDS)} seconds tick",
    ],
    "docs/playing.md": [
        f"presses within {spell(LATE_PRESS_SECONDS)} seconds",
        {1.0: "**held for a second**"}[HOLD_SECONDS],
        f"The {TILE_COUNT} tiles",
        f"which lasts until {spell(NIGHT_HOURS)} in the morning",
    ],
    "docs/porch.md": [
        f"At most {service.MAX_WATCHERS} browsers may follow, {service.MAX_WATCHERS_OF_ADDRESS} behind one address",
        f"its latest {publisher.MAX_RESULTS} results",
        f"one a line (at most {MAX_LINE_BYTES >> 10} KiB)",
        f"at least every {publisher.HEARTBEAT_SECONDS:.0f} s",
        f"more than {publisher.MAX_WAITING_BYTES >> 20} MiB behind is cut off; {spell(publisher.MAX_READERS)} may be",
        f"at most {1 / picture_sender.MIN_SECONDS:.0f} a second. {spell(picture_sender.MAX_READERS).title()} may be",
    ],
    "docs/security.md": [
        f"limited to {limits.REQUESTS_OF_ADDRESS:.0f} at once, then {spell(limits.REFILL_PER_SECOND)} a second",
        f"up to {service.MAX_WATCHERS} streams and {limits.MAX_CONNECTIONS} connections, "
        f"{service.MAX_WATCHERS_OF_ADDRESS} and {limits.MAX_CONNECTIONS_OF_ADDRESS} for each address",
        f"{ {'50%': 'half a core'}[read_unit('companion-porch.service', 'CPUQuota')] } at most, low priority and "
        f"{read_unit('companion-porch.service', 'MemoryMax').removesuffix('M')} MB",
    ],
    "docs/translating.md": [
        f"at most {spell(MAX_GROWTH)} times as long as the message (and {SPARE_LETTERS} letters)",
    ],
    "docs/vision.md": [
        f"at most {detector.MAX_CANDIDATES} in a live frame, {detector.MAX_PICTURE_CANDIDATES} in a picture, "
        f"{MAX_TRAY_CANDIDATES} in a tray",
        f"Below {assembly._MIN_DIE_PROBABILITY} the place is left out",
        f"From {MIN_PLAY_CONFIDENCE} on the dice are played",
        f"plays from {MIN_KNOWN_COUNT_CONFIDENCE} on",
        f"within {orientation._MAX_ROLL_DEG:.0f} degrees), the {spell(reader._MAX_TURNED_PLACES)} best places",
    ],
    "docs/your-own-game.md": [f"digits and underscores, at most {MAX_NAME_LETTERS}"],
    "firmware_notes/protocol.md": [
        f"After {greetings.GREETING_TIMEOUT_SECONDS:.0f} s without one it skips the port "
        f"for {driver.SKIP_PORT_SECONDS:.0f} s",
        f"The host sends HELLO every {format_ms(greetings.HELLO_SECONDS)} ms",
        f"{read_define('config.h', 'BAUD_RATE')} baud",
        f"at most {read_define('config.h', 'WINDOW')} unacknowledged frames",
        f"After {read_define('config.h', 'FIRST_RESEND_US') // 1000} ms without a useful ACK",
        f"up to {read_define('config.h', 'MAX_RESEND_US') // 1000} ms",
        f"within {read_define('config.h', 'SAME_HOST_US') // 1_000_000} s of the host's last undamaged frame",
        f"sampled every {read_define('atmega/chip.h', 'SAMPLE_US')} µs "
        f"(Pico: {read_define('pico/chip.h', 'SAMPLE_US')})",
        f"A change is decided {read_define('debounce.h', 'CONFIRM_SAMPLES') // 1000} ms after its first edge",
        f"Until {read_define('debounce.h', 'DEBOUNCE_SAMPLES') // 1000} ms after that edge",
        f"After {read_define('config.h', 'FORGET_US') // 60_000_000} minutes without a frame of a host",
        f"When the queue ({read_define('config.h', 'QUEUE_LENGTH')} events) is full",
        f"every {read_define('config.h', 'LEVELS_INTERVAL_US') // 1000} ms in a session",
        f"{read_define('config.h', 'LAMPS_OFF_US') // 1_000_000} s after the last undamaged frame",
    ],
}


@pytest.mark.parametrize(("name", "sentence"), [(name, each) for name, all_ in SENTENCES.items() for each in all_])
def test_a_figure_is_that_of_the_program(name: str, sentence: str) -> None:
    assert sentence in " ".join((REPOSITORY / name).read_text("utf-8").split())


def list_rows(text: str) -> list[list[str]]:
    """Return the cells of each row of the tables in a text."""
    return [[cell.strip() for cell in row.split("|")] for row in re.findall(r"^\|(?!-)(.*)\|$", text, re.MULTILINE)]


def test_prices_are_the_sums_of_their_parts() -> None:
    """A tier's price, rounded to ten euros, has the parts of the tiers that it says it uses."""
    guide = (REPOSITORY / "docs/build/README.md").read_text("utf-8")
    first, second, third = (
        sum(float(row[-1]) for row in list_rows(part) if re.fullmatch(r"[\d.]+", row[-1]))
        for part in guide.split("\n## Tier ")[1:]
    )
    filament = int(re.findall(r"of filament, (\d+) €", guide)[0])
    sums = [round(total, -1) for total in (first, second, second + third + filament)]
    tiers = [row[2] for row in list_rows(guide.partition("\n## ")[0])][1:]
    assert tiers == [f"0 to {sums[0]:.0f} €", f"{sums[1]:.0f} €", f"{sums[2]:.0f} €"]
    readme = (REPOSITORY / "README.md").read_text("utf-8")
    assert f"(up to {sums[0]:.0f} €)" in readme
    assert f"about {sums[2]:.0f} €" in readme


def count_players(games: Iterable[str]) -> str:
    """Return how many can play any of some games, as "1 to 6"."""
    counts = [count for name in games for count in registry.find_game(name).player_counts]
    return f"{min(counts)} to {max(counts)}"


def test_players_are_those_of_the_games() -> None:
    names = {str(game.title): game.name for game in registry.load_games()}
    names |= {"Any game: scores, turns, clocks": "score_keeper", "Darts": "darts_501", "Riichi": "riichi"}
    names |= {'a counting tray for wargames: "4 or more of 30 dice"': "counting_tray"}
    rows = {row[0]: row[1] for row in list_rows((REPOSITORY / "README.md").read_text("utf-8")) if len(row) == 3}
    rows = {cell: players for cell, players in rows.items() if re.fullmatch(r"\d to \d", players)}
    found = 0
    for cell, players in rows.items():
        titles = cell.removeprefix("scores of ").removesuffix(" and others").split(", ")
        if cell.startswith("your own"):
            continue
        games = [names[title] for title in titles] if cell not in names else [names[cell]]
        if cell.endswith(" and others"):
            games += [game.name for game in FILE_GAMES if game.camera is None]
        assert players == count_players(games), cell
        found += 1
    assert found > 8
    playing = (REPOSITORY / "docs/playing.md").read_text("utf-8")
    headings = re.findall(r"^## (.*), (\d to \d) players$", playing, re.MULTILINE)
    rules = list_rows((REPOSITORY / "docs/rules/README.md").read_text("utf-8"))
    boxed = [(match[1], row[2]) for row in rules if (match := re.match(r"\[(\w[^]]*)\]\((?!game_files)", row[0]))]
    assert len(headings) == len(boxed) == 6
    assert [(title, count_players([names[title]])) for title, _players in headings + boxed] == headings + boxed


ANGLES_DEG = {"Camera Module 3": 66, "Camera Module 3 wide": 102, "Camera Module 2": 62.2, "Camera Module 1": 53.5}
"""Horizontal angles of view, from https://www.raspberrypi.com/documentation/accessories/camera.html."""


def test_heights_of_the_ribbon_cameras_follow_from_their_angles() -> None:
    rows = {row[0]: row[1] for row in list_rows((REPOSITORY / "docs/mounting.md").read_text("utf-8")) if len(row) == 2}
    for module, angle in ANGLES_DEG.items():
        low, high = (width / 2 / math.tan(math.radians(angle / 2)) for width in (60, 75))
        assert rows[module] == f"{low:.0f} to {high:.0f} cm", module
