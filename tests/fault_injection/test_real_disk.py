"""A real file system: full, read-only, broken, then good again; a wall clock that jumps by years."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from itertools import cycle
from pathlib import Path
from random import Random

import pytest

from companion.app.crash_guard import CrashGuard
from companion.app.session import Session, SessionConfig
from companion.app.table_services import TableServices
from companion.cli import main
from companion.events import Button, ButtonPressed, ButtonReleased
from companion.games.macroscope import GAME
from companion.games.macroscope.settings import Settings
from companion.journal import game_summary
from companion.journal.database import JOURNAL_FILE, Journal
from companion.journal.entry import EARLIEST_UNIX_SECONDS, LATEST_UNIX_SECONDS, JournalUnwritable
from companion.journal.exported_game import read_exported_game
from companion.journal.saved_game import SavedGame
from companion.lobby import HouseRules
from companion.screen_state import CameraView, ScreenKind, ScreenState
from tests.journal.play import SETUP, act

YEAR = 365.25 * 86400


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Path]:
    """A file system of 400 kB."""
    place = tmp_path / "small"
    place.mkdir()
    done = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=400k,mode=0700", "tmpfs", str(place)], capture_output=True, check=False
    )
    if done.returncode != 0:
        pytest.skip(f"mounting is not allowed here: {done.stderr.decode().strip()}")
    yield place
    subprocess.run(["umount", "--lazy", str(place)], check=True)


def remount(place: Path, options: str) -> None:
    subprocess.run(["mount", "-o", f"remount,{options}", str(place)], check=True, capture_output=True)


@pytest.mark.parametrize("is_damaged", [False, True])
def test_read_only_folder_is_read(
    small: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], is_damaged: bool
) -> None:
    """History, replay and export work in the moment of need, with the entries that are only in the log."""
    with Journal(small / JOURNAL_FILE) as journal:
        SavedGame.begin(journal, SETUP, GAME).set_aside()
        left = {file: file.read_bytes() for file in small.iterdir()}
    for file, data in left.items():
        file.write_bytes(bytes(32) + data[32:] if is_damaged and file.suffix == ".sqlite3-wal" else data)
    remount(small, "ro")
    before = sorted(small.iterdir())
    assert main(["history", "--data", str(small)]) == 0
    listed = capsys.readouterr()
    assert "set aside after 0 moves" in listed.out
    assert ("the damaged file is " + str(small / JOURNAL_FILE) in listed.err) == is_damaged
    assert main(["replay", "--data", str(small), "1"]) == 0
    assert "(set aside)" in capsys.readouterr().out
    assert main(["history", "--data", str(small), "export", "1", str(tmp_path / "game.json")]) == 0
    assert read_exported_game(tmp_path / "game.json").entries
    assert main(["history", "--data", str(small), "import", str(tmp_path / "game.json")]) == 1
    assert "cannot be written" in capsys.readouterr().err
    assert sorted(small.iterdir()) == before


def run_command(*command: str | Path, good: int = 0) -> str | None:
    """Run a command; return None if its status is at most `good`, else its error message."""
    try:
        done = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False)
    except FileNotFoundError as why:
        return str(why)
    return done.stderr.strip() or "it failed" if done.returncode > good else None


class Card:
    """A mounted ext4 file system of its own, as on an SD card."""

    def __init__(self, folder: Path) -> None:
        self.image, self.place = folder / "card.img", folder / "card"
        self.place.mkdir()
        with self.image.open("wb") as file:
            file.truncate(8_000_000)

    def mount(self) -> str | None:
        return run_command("mount", "-o", "loop,errors=remount-ro", self.image, self.place)

    def fail(self) -> None:
        """Make the kernel find the file system broken and remount it read-only."""
        device = Path(subprocess.check_output(["findmnt", "-no", "SOURCE", str(self.place)], text=True).strip()).name
        Path(f"/sys/fs/ext4/{device}/trigger_fs_error").write_text("1", encoding="ascii")

    def mend(self) -> None:
        """Check and mount the file system, as at the start of a device."""
        subprocess.run(["umount", str(self.place)], check=True)
        assert run_command("e2fsck", "-fy", self.image, good=1) is None  # 1: something was repaired
        assert self.mount() is None


@pytest.fixture
def card(tmp_path: Path) -> Iterator[Card]:
    made = Card(tmp_path)
    if why := (run_command("mkfs.ext4", "-q", made.image) or made.mount()):
        pytest.skip(f"no ext4 can be mounted here: {why}")
    yield made
    subprocess.run(["umount", "--lazy", str(made.place)], check=True)


class Table:
    """A session on that disk, controlled by buttons."""

    def __init__(self, journal: Journal, folder: Path) -> None:
        self.now = 0.0
        rules = HouseRules({GAME.name: Settings(dice="off", rounds=3)}, folder)
        self.session = Session(
            SessionConfig(GAME, (), Settings(dice="off")),
            journal,
            TableServices(lambda: self.now, Random(1), house_rules=rules),
        )
        self.guard = CrashGuard(self.session, lambda: self.now)

    def press(self, *buttons: Button) -> ScreenState:
        for button in buttons:
            self.now += 1.0
            signals = [ButtonPressed(button, self.now), ButtonReleased(button, self.now + 0.1)]
            screen_state, _ = self.guard.step(signals, CameraView())
        return screen_state

    @property
    def saved_game(self) -> SavedGame:
        assert self.session.saved_game is not None
        return self.session.saved_game


def fill(place: Path) -> Path:
    """Fill the disk to its last block; return the file that fills it."""
    with (place / "ballast").open("wb", buffering=0) as file:
        try:
            while file.write(bytes(4096)):
                continue
        except OSError:
            return place / "ballast"


def test_full_disk_is_reported_and_the_game_continues(small: Path) -> None:
    with Journal(small / "data" / JOURNAL_FILE) as journal:
        table = Table(journal, small / "data")
        table.press(Button.SEAT1, Button.SEAT2, Button.OK)
        assert table.press(Button.OK).kind is ScreenKind.PLAY
        random = Random(2)
        for _ in range(5):
            act(random, table.saved_game)
        ballast = fill(small)
        notices = set()
        for _ in range(40):  # a log that has room goes on for some entries
            screen_state = table.press(Button.NO, Button.SEAT1, Button.SEAT2, Button.OK)
            notices |= {screen_state.notice} if "Not written down" in (screen_state.notice or "") else set()
        assert notices == {"Not written down: the disk is full. Make room there, then try again"}
        game, seq = table.saved_game.game, table.saved_game.last_seq
        assert SavedGame(journal, table.saved_game.id, GAME).game == game
        ballast.unlink()
        act(random, table.saved_game)
        assert table.saved_game.last_seq > seq
        assert table.press(Button.SEAT6).kind is ScreenKind.PLAY


def test_failing_card_is_reported_and_nothing_is_lost(card: Card) -> None:
    with Journal(card.place / "data" / JOURNAL_FILE) as journal:
        table = Table(journal, card.place / "data")
        table.press(Button.SEAT1, Button.SEAT2, Button.OK, Button.OK)
        random = Random(5)
        for _ in range(20):
            act(random, table.saved_game)
        game, seq = table.saved_game.game, table.saved_game.last_seq
        card.fail()
        notices = {table.press(button).notice for button in (Button.NO, Button.SEAT1, Button.SEAT2, Button.OK) * 5}
        assert "Not written down: the disk refuses. Start again; if it stays so, the card is worn" in notices
        assert (table.saved_game.game, table.saved_game.last_seq) == (game, seq)
        with pytest.raises(JournalUnwritable):
            act(random, table.saved_game)
    card.mend()
    with Journal(card.place / "data" / JOURNAL_FILE) as journal:
        assert journal.damage is None
        saved_game = SavedGame(journal, 1, GAME)
        assert (saved_game.game, saved_game.last_seq) == (game, seq)
        act(random, saved_game)


def test_clock_jumps_of_years_change_neither_order_nor_game(tmp_path: Path) -> None:
    """A Pi has no clock of its own: it starts in the past, and jumps when the network sets the time.

    One whose battery is empty may tell any time at all, of years that no calendar has.
    """
    random = Random(3)
    games, marks, walls = [], [], cycle((0.0, 56 * YEAR, 3 * YEAR, -7 * YEAR, 57 * YEAR, 20_000 * YEAR, 58 * YEAR))
    for start in range(6):
        steady = iter(range(10_000))
        with Journal(
            tmp_path / JOURNAL_FILE, lambda: next(walls), lambda steady=steady: next(steady) / 1000, f"boot {start}"
        ) as journal:
            number = journal.find_resumable_game()
            saved_game = SavedGame.begin(journal, SETUP, GAME) if number is None else SavedGame(journal, number, GAME)
            if games:
                assert saved_game.game == games[-1]
                assert journal.read_clock_marks(saved_game.id) == marks[-1]
            for _ in range(5):
                act(random, saved_game)
                journal.save_clock_marks(saved_game.id, {"turn": random.random()})
            games.append(saved_game.game)
            marks.append(journal.read_clock_marks(saved_game.id))
            assert [
                game_summary.summarise_game(journal, record, lambda _: GAME, None)["trouble"]
                for record in journal.list_games()
            ] == [None]
            assert [entry.seq for entry in journal.read_entries(1)] == list(range(1, saved_game.last_seq + 1))
    with Journal(tmp_path / JOURNAL_FILE) as journal:
        walls_told = {entry.stamp.wall for entry in journal.read_entries(1)}
        assert {EARLIEST_UNIX_SECONDS, 56 * YEAR, LATEST_UNIX_SECONDS} <= walls_told
        saved_game = SavedGame(journal, 1, GAME)
        depth = 0
        while saved_game.can_undo:  # the whole way back, across all starts
            saved_game.undo()
            depth += 1
        assert depth > 10
