"""The card image in an emulated machine: first start, a game, power cuts, upgrades, a version taken back.

Foreign and unsigned upgrades are refused.

Both images: `virt`, and `pi` as `emulated_pi` starts it. Needs root, the programs of `list_missing_programs`, and the
images: `make image ARGS="--fast --target pi"`. Pictures and times are kept in build/card-proof. CUTS (default 20) is
the number of power cuts at random instants, CUTS_SEED chooses them, CARD_WORK is the work folder of the build, and
CARD_PATIENCE multiplies all waits.
"""

from __future__ import annotations

import os
import random
import re
import shutil
import sqlite3
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from card_image.recipe import TARGETS, Target

from tests.systemd.emulated_card import (
    PATIENCE,
    EmulatedCard,
    Picture,
    copy_card,
    list_missing_programs,
    open_data,
    press_until_seen,
)
from tests.systemd.emulated_pi import EmulatedPi
from tests.systemd.upgrade_sticks import make_upgrade_sticks

pytestmark = [pytest.mark.proof, pytest.mark.timeout(round(4 * 3600 * PATIENCE))]

PROJECT = Path(__file__).resolve().parents[2]
IMAGES, KEPT = PROJECT / "build" / "image", PROJECT / "build" / "card-proof"
WORK = Path(os.environ.get("CARD_WORK", "/var/cache/companion-roots/image"))
CUTS, SEED = int(os.environ.get("CUTS", "20")), int(os.environ.get("CUTS_SEED", "1"))
CARD_BYTES = 4 * 1024**3
LANGUAGE, LOBBY, LIST, NUMBER = "1111101100", "1111110011", "1111111111", "0000001111"
"""Buttons that the screens of the way to a game offer, as `read_keys` has them."""
BEGIN, FIRST, TURN, ASKED = "0000001100", "1100000011", "1100001011", "0000001100"
PAUSED, PAUSED_WITH_UPGRADE = "0011001011", "0111001011"
KINDS = ("boot", "play", "upgrade")
LOOK_SECONDS = 15.0 * PATIENCE
"""Time for a press to be shown on the emulated screen."""
WEEK_SECONDS = 7 * 86_400.0


@dataclass(frozen=True)
class Kept:
    """What a switched-off card has kept of its games."""

    games: tuple[str, ...]
    entries: tuple[str, ...]
    clocks: float

    def begins_with(self, earlier: Kept) -> bool:
        """Return whether all entries of an earlier state are there, unchanged."""
        return self.entries[: len(earlier.entries)] == earlier.entries


def find_image(target: str) -> Path:
    """Return the newest image of a target, or skip the test with the reason why it cannot be started."""
    missing = list_missing_programs(target)
    if missing:
        pytest.skip(f"not installed: {', '.join(missing)}")
    if os.geteuid():
        pytest.skip("needs root")
    images = sorted(IMAGES.glob(f"*-{target}.img"), key=lambda place: place.stat().st_mtime)
    if not images or not (WORK / target / "root").is_dir():
        pytest.skip(f'no card image: make image ARGS="--fast --target {target}"')
    return images[-1]


@pytest.fixture(scope="module", params=TARGETS)
def image(request: pytest.FixtureRequest) -> Path:
    """The newest image of a target."""
    KEPT.mkdir(parents=True, exist_ok=True)
    return find_image(request.param)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder for bundles and cards; removed afterwards, for it is large."""
    made = tmp_path_factory.mktemp("card")
    yield made
    shutil.rmtree(made)


@pytest.fixture(scope="module")
def upgrades(image: Path, folder: Path) -> dict[str, Path]:
    """Sticks with upgrades, as `make_upgrade_sticks` makes them."""
    return make_upgrade_sticks(_get_target(image), image, folder, WORK)


def _get_target(image: Path) -> Target:
    """Return the target of an image, which is the end of its name."""
    return TARGETS[image.stem.rpartition("-")[2]]


@pytest.fixture
def disk(image: Path, folder: Path) -> Iterator[Path]:
    """A card of 4 GiB with the image on it, never started."""
    made = copy_card(image, folder / "card.img")
    os.truncate(made, CARD_BYTES)
    yield made
    made.unlink()


@pytest.fixture
def card(image: Path, disk: Path, folder: Path) -> Iterator[EmulatedCard]:
    """The emulated machine with that card."""
    with (EmulatedPi if _get_target(image).name == "pi" else EmulatedCard)(disk, folder) as made:
        yield made


def _read_kept(card: EmulatedCard) -> Kept:
    """Read a switched-off card's games after the replay of its file system's journal; they must be whole."""
    copy = card.folder / "copy"
    shutil.rmtree(copy, ignore_errors=True)
    with open_data(card.disk, card.folder / "mounted", card.target) as data:
        shutil.copytree(data / "companion", copy)
    if not (copy / "journal.sqlite3").exists():
        return Kept((), (), 0.0)
    kept = read_journal(copy / "journal.sqlite3")
    assert not list(copy.glob("*damaged*"))
    return kept


def read_journal(file: Path) -> Kept:
    """Read the games of a journal that no program has open; it must be whole."""
    connection = sqlite3.connect(file)
    try:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        games = tuple(uid for (uid,) in connection.execute("SELECT uid FROM sittings ORDER BY id"))
        entries = tuple(what for (what,) in connection.execute("SELECT what FROM entries ORDER BY sitting, seq"))
        (clocks,) = connection.execute("SELECT COALESCE(SUM(elapsed), 0) FROM clock_marks").fetchone()
    finally:
        connection.close()
    return Kept(games, entries, clocks)


def _note(card: EmulatedCard, began: float, what: str) -> None:
    """Keep a picture and the time of an event, in seconds of the wall clock since `began`."""
    card.keep_picture(what, KEPT)
    _write_line(f"{card.target.name} {what}: {time.monotonic() - began:.0f} s")


def _write_line(text: str) -> None:
    """Keep a line in build/card-proof/times.txt."""
    with (KEPT / "times.txt").open("a", encoding="utf-8") as file:
        file.write(text + "\n")


def start_game(card: EmulatedCard) -> None:
    """Go from the first start's set-up to the first turn of a game with a chess clock for two; set the date before.

    Without a screen the date stays: its lines are chosen by what is seen.
    """
    card.wake_buttons()
    card.wait_for_keys(LANGUAGE)
    began = time.monotonic()
    _note(card, began, "1-first-start")
    card.press_until("backspace", LOBBY)
    _note(card, began, "2-lobby")
    if card.has_screen:
        set_date(card)
    card.press_until("kp_add", LIST)
    card.press("4")  # any game ...
    time.sleep(LOOK_SECONDS)  # the next list offers the same keys
    card.press_until("4", NUMBER)  # ... chess clock
    card.press(*["kp_add"] * 20)  # a time bank for the whole proof
    card.press_until("ret", LOBBY)
    card.press("1")
    time.sleep(LOOK_SECONDS)
    card.press("2")
    time.sleep(LOOK_SECONDS)
    _note(card, began, "3-seated")
    card.press_until("ret", BEGIN)
    card.press_until("ret", FIRST)
    card.press_until("1", TURN)


def set_date(card: EmulatedCard) -> None:
    """Set the date to a week from now; it is the last line but one of the lobby's settings."""
    card.press_until("kp_subtract", LIST)
    for key in ("kp_add", "kp_add", "ret", "4", "ret"):
        press_until_seen(card, key)
    card.press_until("ret", LOBBY)


def continue_game(card: EmulatedCard) -> None:
    """Continue the interrupted game: OK to the question, OK ends the pause."""
    card.wake_buttons()
    card.wait_for_keys(ASKED)
    card.press_until("ret", PAUSED)
    card.press_until("ret", TURN)


def _restart_into_upgrade(card: EmulatedCard) -> None:
    """Wait until an upgrade is installed while the game is going on, and choose the restart in the pause menu."""
    card.wake_buttons()
    card.wait_for_keys(ASKED)
    card.wait_for_log("waits for a restart")
    time.sleep(LOOK_SECONDS)  # the screen says so a little later
    card.press_until("ret", PAUSED_WITH_UPGRADE)
    card.press_until("2", ASKED)
    card.press("ret")
    card.wait_for_log("Restarting into version")


def _cut_players(picture: Picture) -> Picture:
    """Cut the rows with both players out of a picture of a turn: a frame is around the one who has it."""
    return picture[240:300, 30:770]


def pass_turn(card: EmulatedCard) -> int:
    """Press OK until the next player's turn is seen on the screen; return how many turns were seen to pass.

    Without a screen none is: OK is pressed once.
    """
    if not card.has_screen:
        card.press("ret")
        return 0
    press_until_seen(card, "ret", _cut_players)
    return 1


def test_from_the_first_start_to_a_version_taken_back(card: EmulatedCard, upgrades: dict[str, Path]) -> None:
    began = time.monotonic()
    card.switch_on()
    card.wait_for_log("Started companion.service")
    _note(card, began, "0-companion-started")
    start_game(card)
    card.press("1", "ret", "2")
    time.sleep(LOOK_SECONDS)
    _note(card, began, "4-played")
    card.cut_power()
    first = _read_kept(card)
    if card.has_screen:
        assert "Finished companion-set-clock.service" in card.read_log()
        assert "Only until the power goes" not in card.read_log(), "the battery-backed clock is set too"
        notes = (card.folder / "copy/journal-boots.txt").read_text(encoding="ascii")
        offset, known = re.findall(r" (-?[0-9.]+) (known|unknown) ", notes)[-1]
        assert (known, float(offset) > time.time() + WEEK_SECONDS / 2) == ("known", True)
    assert len(first.games) == 1
    assert len(first.entries) >= 3
    assert first.clocks > 0

    # The same game goes on, with its clock. Foreign and unsigned upgrades are refused meanwhile.
    began = time.monotonic()
    card.switch_on(upgrades["foreign"], upgrades["unsigned"])
    card.wake_buttons()
    card.wait_for_keys(ASKED)
    _note(card, began, "5-asks-to-continue")
    continue_game(card)
    _note(card, began, "5-continued")
    card.wait_for_log("nothing was changed", 2)
    _note(card, began, "6-foreign-and-unsigned-refused")
    card.press("2")
    time.sleep(LOOK_SECONDS)
    card.cut_power()
    second = _read_kept(card)
    assert second.games == first.games
    assert len(second.entries) > len(first.entries)
    assert second.begins_with(first)
    assert second.clocks >= first.clocks
    assert card.read_slots() == ("A", "")

    if not card.has_screen:
        return  # the emulated Pi reads 9 KB/s from a stick: see test_emulated_pi.py for slot B

    # A signed one is installed, started and, when a game can be played, kept. The game goes on.
    began = time.monotonic()
    card.switch_on(upgrades["good"])
    card.wait_for_log("Installing version")
    _write_line(f"7-installing: {time.monotonic() - began:.0f} s")
    card.wait_for_log("waits for a restart")
    time.sleep(LOOK_SECONDS)
    _note(card, began, "7-installed")
    _restart_into_upgrade(card)
    _note(card, began, "7-restarting")
    card.wait_for_log("Started companion.service", 2)
    card.wait_for_log("Finished companion-confirm.service")
    card.wake_buttons()
    card.wait_for_keys(ASKED)
    _note(card, began, "8-upgraded")
    card.cut_power()
    assert card.read_slots() == ("B", "")
    assert _read_kept(card).games == first.games

    # An older one is not installed at once. One whose companion does not start is taken back; the game goes on.
    began = time.monotonic()
    card.switch_on(upgrades["broken"], upgrades["older"])
    card.wait_for_log("is older than the running one")
    _restart_into_upgrade(card)
    card.pull_stick()
    card.wait_for_log("Failed to start companion.service")
    _note(card, began, "9-broken")
    card.wait_for_log("Started companion.service", 2)
    card.wake_buttons()
    card.wait_for_keys(ASKED)
    _note(card, began, "10-taken-back")
    continue_game(card)
    card.cut_power()
    assert card.read_slots() == ("B", "")
    third = _read_kept(card)
    assert third.games == first.games
    assert third.begins_with(second)  # a key that the slow machine was asked for twice may have made another entry


def _cut_at_random(
    card: EmulatedCard, kind: str, chance: random.Random, versions: dict[str, str], upgrades: dict[str, Path]
) -> None:
    """Cut the power once during a start, a game or an upgrade (`KINDS`); the game in progress and its turns remain.

    Args:
        versions: the stick with the version of each slot; an upgrade changes it.
    """
    default, tried = card.read_slots()
    running = tried or default
    before, wait, shown = _read_kept(card), 0.0, 0
    with open_data(
        card.disk, card.folder / "mounted", card.target
    ) as data:  # so many tries of one version in a row are not usual
        (data / "image/tried").unlink(missing_ok=True)
    if kind == "boot":
        card.switch_on()
        wait = chance.uniform(0.0, 120.0)
    elif kind == "play":
        card.switch_on()
        continue_game(card)
        for _ in range(chance.randint(1, 5)):
            shown += pass_turn(card)
        card.press(*chance.choices(("1", "2", "ret"), k=chance.randint(0, 3)))
        wait = chance.uniform(0.0, 1.0)
    else:
        stick = "back" if versions[running] == "good" else "good"
        versions["A" if running == "B" else "B"] = stick
        card.switch_on(upgrades[stick])
        if chance.random() < 0.5:
            card.wait_for_log("Installing version")
            wait = chance.uniform(0.0, 150.0)
        else:
            _restart_into_upgrade(card)
            wait = chance.uniform(0.0, 150.0)
    time.sleep(wait)
    card.cut_power()
    after = _read_kept(card)
    _write_line(
        f"{card.target.name} cut during {kind}, {wait:.1f} s after; slot {default}, tried {tried or 'none'}, then "
        f"{card.read_slots()}; {len(before.entries)} then {len(after.entries)} entries, {shown} shown"
    )
    assert after.games == before.games
    assert after.begins_with(before)
    assert len(after.entries) >= len(before.entries) + shown
    if kind != "play":  # there a turn that ends takes its clock into the journal
        assert after.clocks >= before.clocks


def test_power_cuts_at_random_instants_lose_no_game(card: EmulatedCard, upgrades: dict[str, Path]) -> None:
    chance = random.Random(SEED)
    card.switch_on()
    start_game(card)
    card.cut_power()
    games, versions = _read_kept(card).games, {"A": "back", "B": ""}
    kinds = KINDS if card.has_screen else KINDS[:2]  # an upgrade from a stick takes the emulated Pi a day
    for number in range(CUTS):
        _cut_at_random(card, kinds[number % len(kinds)], chance, versions, upgrades)
    began = time.monotonic()
    card.switch_on()
    card.wake_buttons()
    card.wait_for_keys(ASKED)
    _note(card, began, "11-after-the-last-cut")
    card.cut_power()
    assert _read_kept(card).games == games
