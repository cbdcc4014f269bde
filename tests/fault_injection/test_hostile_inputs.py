"""Hostile files: exported games, settings, and the program's own files. They are treated as data only.

For any content, the result is the valid object or a message that says what is wrong; nothing is written outside the
data folder. Some hundreds of inputs here, many more in `make proof`.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import pygame
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from companion.api import registry
from companion.camera.camera_reader import make_watcher
from companion.camera.camera_use import find_camera_use
from companion.camera.learnt_layouts import LayoutCache
from companion.commands.history import format_games
from companion.commands.replay import build_replay, format_lines
from companion.config.settings import Settings
from companion.config.settings_file import SettingsError, parse_settings
from companion.config.settings_text import build_default_text
from companion.display.screen import Screen
from companion.events import SEAT_BUTTONS
from companion.journal.database import JOURNAL_FILE, Journal
from companion.journal.die_pictures import DiePictures
from companion.journal.entry import GameSetup, InvalidSavedGame, JournalError
from companion.journal.exported_game import build_export, export_game, import_game, read_exported_game
from companion.journal.game_summary import summarise_game
from companion.journal.saved_game import SavedGame
from companion.lobby import HouseRules
from companion.referee.referee import Referee
from companion.referee.services import GameServices
from companion.screen_state import CameraView
from tests.fault_injection.hostile_inputs import bytes_like, toml_like
from tests.journal.play import FAST, act

few = settings(max_examples=50, database=None, suppress_health_check=list(HealthCheck))
many = settings(max_examples=10_000, database=None, suppress_health_check=list(HealthCheck), phases=[Phase.generate])

PICTURE = b"\xff\xd8\xff" + bytes(200)
NAMES = ("Ada", "Bob", "Cleo", "Dora", "Emil", "Fay")
SIZE = (800, 480)
DRAWN = 10
"""One in this many imported games is also drawn, since that takes longer than everything else."""

took = Counter[str]()
_watch: dict[str, Any] = {"inside": None, "written": []}


def _audit(event: str, args: tuple[Any, ...]) -> None:
    """Records writes outside the watched folder (PEP 578: an audit hook cannot be removed)."""
    inside = _watch["inside"] if _watch else None  # at the interpreter's end there are no globals
    if inside is None:
        return
    if event == "open":
        path, mode, flags = args
        writes = (isinstance(mode, str) and set(mode) & set("wax+")) or (isinstance(flags, int) and flags & 0o1103)
        if not writes:
            return
    elif event not in {"os.mkdir", "os.rename", "os.remove", "os.symlink", "os.link", "shutil.rmtree", "os.system"}:
        if event not in {"subprocess.Popen", "socket.connect", "socket.bind", "exec"} or event == "exec":
            return
        _watch["written"].append((event, args))
        return
    for path in args[:2] if event == "os.rename" else args[:1]:
        if isinstance(path, str | bytes | Path):
            text = path.decode() if isinstance(path, bytes) else str(path)
            if not text.startswith((inside, "/dev/null")):
                _watch["written"].append((event, text))


@contextmanager
def kept_inside(folder: Path) -> Iterator[None]:
    """Check that nothing is written outside `folder`."""
    _watch["inside"], _watch["written"] = str(folder), []
    try:
        yield
    finally:
        _watch["inside"] = None
    assert _watch["written"] == []


@pytest.fixture(scope="module", autouse=True)
def _hook() -> None:
    sys.addaudithook(_audit)


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(dir=FAST, prefix="companion-hostile-") as name:
        yield Path(name).resolve()


@pytest.fixture(scope="module")
def exported(folder: Path) -> dict[str, bytes]:
    """An exported game of each kind, by the game's name; Memo Dice with pictures."""
    found = {}
    with Journal(folder / "good" / JOURNAL_FILE) as journal:
        for name in registry.list_game_names():
            definition, random = registry.find_game(name), Random(4)
            count = 3 if 3 in definition.player_counts else definition.player_counts[0]
            setup = GameSetup(game=name, players=NAMES[:count], buttons=SEAT_BUTTONS[:count])
            saved_game = SavedGame.begin(journal, setup, definition)
            for _ in range(25):
                act(random, saved_game)
            if name == "memo_dice":
                DiePictures(journal.path, journal.get_game(saved_game.id).uid).save("0-1", PICTURE)
            export_game(journal, saved_game.id, folder / "good" / "out.json")
            found[name] = (folder / "good" / "out.json").read_bytes()
    assert b"pictures" in found["memo_dice"]
    return found


def read_game(folder: Path, data: bytes) -> bool:
    """Return whether the file was imported, after checking that the imported game can be used in every way."""
    file = folder / "in.json"
    file.write_bytes(data)
    try:
        report = build_replay(read_exported_game(file))
    except InvalidSavedGame:
        return False
    assert all(line.isprintable() for line in format_lines(report))
    return True


def try_import(folder: Path, journal: Journal, screen: Screen, data: bytes) -> None:
    with kept_inside(folder):
        if not read_game(folder, data):
            with pytest.raises(InvalidSavedGame):
                import_game(journal, folder / "in.json")
            return
        try:
            number = import_game(journal, folder / "in.json")
        except (InvalidSavedGame, JournalError):
            return
        took["in"] += 1
        assert build_export(journal, number).uid
        record = journal.get_game(number)
        assert summarise_game(journal, record, registry.find_game, None)["trouble"] is None
        # The screen that the lobby shows for a past game.
        definition = registry.find_game(GameSetup.from_json(record.setup_json).game)
        referee = Referee(SavedGame(journal, number, definition), GameServices(lambda: 0.0, Random(1)))
        screen_state = referee.build_screen_state(CameraView())
        if took["in"] % DRAWN == 0:
            screen.draw(pygame.Surface(SIZE), screen_state)


@pytest.fixture(scope="module")
def journal(folder: Path) -> Iterator[Journal]:
    took["in"] = 0
    with Journal(folder / "data" / JOURNAL_FILE) as opened:
        yield opened
        # Some mutated files are still valid games: the list of all games can show each one.
        games = [summarise_game(opened, record, registry.find_game, None) for record in opened.list_games()]
        assert len(games) == took["in"] > 0
        assert all(line.isprintable() for line in format_games(games).splitlines())


@pytest.fixture(scope="module")
def screen() -> Screen:
    pygame.font.init()
    return Screen(SIZE)


def numbers(random: Random) -> int:
    return random.choice((random.randint(-1, 7), random.randint(0, 60), random.randint(0, 1000), 2**63, -(2**63)))


def play_over(document: dict[str, Any], random: Random) -> None:
    """Change the content of an exported game, not its form, so that it reaches the rules."""
    entries, setup = document["entries"], document["setup"]
    at = random.randrange(len(entries))
    played = entries[at]["what"].get("played")
    other = random.choice(entries)["what"]
    match random.randrange(13):
        case 0:
            del entries[at + 1 :]
        case 1 if len(entries) > 1:
            del entries[at]
        case 2:
            entries.insert(at, json.loads(json.dumps(entries[at])))
        case 3:
            entries[at]["what"] = json.loads(json.dumps(other))
        case 4:
            entries[at]["what"] = {"kind": random.choice(("undo", "redo", "away", "resumed"))}
        case 5:
            entries[at]["what"] = {"kind": "cut", "after": numbers(random)}
        case 6:
            entries[at]["stamp"]["wall"] = random.choice((0.0, 2.5e11, -1.0, 1e300))
        case 7:
            setup["first"] = random.randint(0, 6)
        case 8:
            names = ("", " ", "=1+1", "\u202eADA", "\x1b[2J", "A" * 40, "A" * 200, "{sentence}", "Ada", "🎲" * 9, "\n")
            setup["players"][random.randrange(len(setup["players"]))] = random.choice(names)
        case 9 if setup["game"] in registry.list_game_names():
            rules = type(registry.find_game(setup["game"]).settings_model()).model_fields
            values = (numbers(random), True, None, "", "off", [], {}, [numbers(random)], 1e308)
            setup["settings"][random.choice(list(rules))] = random.choice(values)
        case 10 if played:
            played["seat"] = random.choice((0, 1, 2, 3, 5, None))
        case 11 if played and "kind" in (other.get("played") or {}):
            played["kind"] = other["played"]["kind"]
        case _ if played:
            value = played["value"]
            if value and random.random() < 0.8:
                value[random.randrange(len(value))] = numbers(random)
            else:
                played["value"] = [numbers(random) for _ in range(random.randint(0, 41))]
        case _:
            setup["game"] = random.choice((*registry.list_game_names(), "no such game"))
    for number, entry in enumerate(entries, start=1):
        entry["seq"] = number


def sitting_inputs(exported: dict[str, bytes], data: st.DataObject) -> bytes:
    """Exported games, half of them changed anywhere, the others in their content."""
    good = exported[data.draw(st.sampled_from(sorted(exported)))]
    document = json.loads(good)
    seed = data.draw(st.integers(0, 2**64))
    document["uid"] = f"{seed:032x}"
    if data.draw(st.booleans()):
        return data.draw(bytes_like(good, document))
    random = Random(seed)
    for _ in range(random.randint(1, 3)):
        play_over(document, random)
    return json.dumps(document).encode()


@few
@given(data=st.data())
def test_exported_games(
    folder: Path, journal: Journal, screen: Screen, exported: dict[str, bytes], data: st.DataObject
) -> None:
    try_import(folder, journal, screen, sitting_inputs(exported, data))


@pytest.mark.proof
@pytest.mark.parametrize("part", range(5))
@many
@given(data=st.data())
def test_proof_of_exported_games(
    part: int, folder: Path, journal: Journal, screen: Screen, exported: dict[str, bytes], data: st.DataObject
) -> None:
    try_import(folder, journal, screen, sitting_inputs(exported, data))


def plain(text: str) -> bytes:
    """Return the default settings with all lines uncommented."""
    return "\n".join(line.removeprefix("#") if "=" in line else line for line in text.splitlines()).encode()


def try_settings(folder: Path, data: bytes) -> None:
    with kept_inside(folder):
        try:
            found = parse_settings(data, "the file").settings
        except SettingsError:
            return
        assert isinstance(found, Settings)
        for name in registry.list_game_names():
            found.get_house_rules(registry.find_game(name))


@few
@given(data=st.data())
def test_settings(folder: Path, data: st.DataObject) -> None:
    try_settings(folder, data.draw(toml_like(plain(build_default_text()))))


@pytest.mark.proof
@pytest.mark.parametrize("part", range(5))
@many
@given(data=st.data())
def test_proof_of_settings(part: int, folder: Path, data: st.DataObject) -> None:
    try_settings(folder, data.draw(toml_like(plain(build_default_text()))))


@few
@given(data=st.data())
def test_stored_house_rules(folder: Path, data: st.DataObject) -> None:
    good = {"rules": {"macroscope": {"rounds": 3, "dice": "off"}}, "asked": {"starfall": ["top_space 3"]}}
    place = folder / "house"
    place.mkdir(exist_ok=True)
    (place / "house-rules.json").write_bytes(data.draw(bytes_like(json.dumps(good).encode(), good)))
    with kept_inside(folder):
        house = HouseRules({}, place)
        for name in registry.list_game_names():
            house.rules_of(registry.find_game(name))


@few
@given(data=st.data(), game=st.sampled_from(["macroscope", "memo_dice"]))
def test_stored_layout(folder: Path, data: st.DataObject, game: str) -> None:
    use = find_camera_use(game)
    watcher = make_watcher(use)
    good = watcher.snapshot()
    (folder / use.layout_file).write_bytes(data.draw(bytes_like(json.dumps(good).encode(), good)))
    with kept_inside(folder):
        memory = LayoutCache(folder / use.layout_file)
        kept = memory.load()
        if kept is not None:
            try:
                watcher.restore(kept)
            except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
                memory.set_aside()


def test_write_outside_is_detected(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(AssertionError), kept_inside(folder):
        (tmp_path / "outside").write_text("x", encoding="utf-8")
