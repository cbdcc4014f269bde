"""Hostile files: sittings to import, settings, and what the box itself keeps. They are data, and nothing but data.

Whatever stands in them, the answer is the thing itself or words that say what is wrong; nothing is written outside the
data folder. Some hundreds of inputs here; `make proof` tries a hundred thousand.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from companion.commands.replay import lines, replay
from companion.eyes_games import ROW, USUAL, memory_for, watcher_for
from companion.games import kits
from companion.games.macroscope import KIT
from companion.journal.errors import BadSitting, JournalError
from companion.journal.exchange import content, export_sitting, import_sitting, read_sitting
from companion.journal.past import history
from companion.journal.sitting import Sitting
from companion.journal.store import FILE, Journal
from companion.lobby import House
from companion.settings import Settings, SettingsError, default_text, parse
from tests.journal.play import FAST, act
from tests.journal.victim import SETUP

few = settings(max_examples=150, database=None, suppress_health_check=list(HealthCheck))
many = settings(max_examples=10_000, database=None, suppress_health_check=list(HealthCheck), phases=[Phase.generate])

_watch: dict[str, Any] = {"inside": None, "written": []}


def _audit(event: str, args: tuple[Any, ...]) -> None:
    """Notes whatever is written outside the folder, while one is watched (PEP 578; a hook stays for good)."""
    inside = _watch["inside"]
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
    """Nothing is written outside `folder`."""
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
def exported(folder: Path) -> bytes:
    """A sitting as it is exported."""
    with Journal(folder / "good" / FILE) as journal:
        sitting, random = Sitting.begin(journal, SETUP, KIT), Random(4)
        for _ in range(25):
            act(random, sitting)
        export_sitting(journal, sitting.id, folder / "good" / "out.json")
    return (folder / "good" / "out.json").read_bytes()


NASTY = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**70), 2**70),
    st.floats(),
    st.sampled_from(
        [
            *(
                "",
                "..",
                "../../../../tmp/x",
                "/etc/passwd",
                "$(touch /tmp/x)",
                "`id`",
                "; rm -rf /",
                "%s%n",
                "{0.__class__}",
            ),
            *(
                "\x00",
                "\x1b[2J",
                "\u202e",
                "\ud800",
                "a" * 5000,
                "macroscope",
                "roll",
                "NaN",
                "'; DROP TABLE entries; --",
            ),
            *([], {}, [[]], [1] * 500, {"a": {"a": {"a": {}}}}, 1e308, -0.0, 10**18),
        ]
    ),
    st.text(max_size=20),
    st.lists(st.integers(), max_size=5),
)


def changed(value: Any, draw: st.DrawFn) -> Any:
    """The value with something in it, anywhere, replaced, left out, doubled or added."""
    if isinstance(value, dict) and value and draw(st.integers(0, 3)):
        key = draw(st.sampled_from(sorted(value)))
        copy = dict(value)
        match draw(st.integers(0, 5)):
            case 0:
                del copy[key]
            case 1:
                copy[draw(st.text(max_size=8))] = draw(NASTY)
            case _:
                copy[key] = changed(value[key], draw)
        return copy
    if isinstance(value, list) and value and draw(st.integers(0, 3)):
        at = draw(st.integers(0, len(value) - 1))
        copy_ = list(value)
        match draw(st.integers(0, 5)):
            case 0:
                del copy_[at]
            case 1:
                copy_.insert(at, value[at])
            case _:
                copy_[at] = changed(value[at], draw)
        return copy_
    return draw(NASTY)


@st.composite
def bytes_like(draw: st.DrawFn, good: bytes, document: Any) -> bytes:
    """A file that was good, worked over: as data mostly, now and then as bytes."""
    if draw(st.integers(0, 4)) and document is not None:
        for _ in range(draw(st.integers(1, 3))):
            document = changed(document, draw)
        try:
            return json.dumps(document).encode()
        except (UnicodeEncodeError, ValueError):
            return b"{}"
    data = bytearray(good)
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(data)))
        data[at : at + draw(st.integers(0, 30))] = draw(
            st.one_of(
                st.binary(max_size=30),
                st.sampled_from(
                    [b"[" * 100_000, b'{"a":' * 5000, b"1" * 6000, b"1e99999", b"\xff\xfe", b"NaN", b'"' * 3]
                ),
            )
        )
    return bytes(data)


def try_sitting(folder: Path, data: bytes) -> bool:
    """Whether the file was taken for a sitting; if so it is one in every respect."""
    file = folder / "in.json"
    file.write_bytes(data)
    try:
        told = replay(read_sitting(file))
    except BadSitting:
        return False
    assert all(line.isprintable() for line in lines(told))
    return True


def try_import(folder: Path, journal: Journal, data: bytes) -> None:
    with kept_inside(folder):
        if not try_sitting(folder, data):
            with pytest.raises(BadSitting):
                import_sitting(journal, folder / "in.json")
            return
        try:
            number = import_sitting(journal, folder / "in.json")
        except (BadSitting, JournalError):
            return
        assert content(journal, number).uid
        assert history(journal)


@pytest.fixture(scope="module")
def journal(folder: Path) -> Iterator[Journal]:
    with Journal(folder / "data" / FILE) as opened:
        yield opened


def sitting_inputs(exported: bytes, data: st.DataObject) -> bytes:
    document = json.loads(exported)
    document["uid"] = f"{data.draw(st.integers(0, 2**64)):032x}"
    return data.draw(bytes_like(exported, document))


@few
@given(data=st.data())
def test_sittings(folder: Path, journal: Journal, exported: bytes, data: st.DataObject) -> None:
    try_import(folder, journal, sitting_inputs(exported, data))


@pytest.mark.proof
@pytest.mark.parametrize("part", range(5))
@many
@given(data=st.data())
def test_proof_of_sittings(part: int, folder: Path, journal: Journal, exported: bytes, data: st.DataObject) -> None:
    try_import(folder, journal, sitting_inputs(exported, data))


def plain(text: str) -> bytes:
    """The default settings with every line in force."""
    return "\n".join(line.removeprefix("#") if "=" in line else line for line in text.splitlines()).encode()


@st.composite
def toml_like(draw: st.DrawFn, good: bytes) -> bytes:
    rows = good.split(b"\n")
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(rows) - 1))
        key = rows[at].partition(b"=")[0]
        value = draw(st.one_of(NASTY.map(lambda v: json.dumps(v, ensure_ascii=True).encode()), st.binary(max_size=12)))
        rows[at : at + 1] = draw(
            st.sampled_from(
                [[key + b"=" + value], [], [rows[at], rows[at]], [b"[" + value + b"]"], [value], [b"a=" * 9000]]
            )
        )
    return b"\n".join(rows)


def try_settings(folder: Path, data: bytes) -> None:
    with kept_inside(folder):
        try:
            found = parse(data, "the file")
        except SettingsError:
            return
        assert isinstance(found, Settings)
        for name in kits.names():
            found.house_rules(kits.find(name))


@few
@given(data=st.data())
def test_settings(folder: Path, data: st.DataObject) -> None:
    try_settings(folder, data.draw(toml_like(plain(default_text()))))


@pytest.mark.proof
@pytest.mark.parametrize("part", range(5))
@many
@given(data=st.data())
def test_proof_of_settings(part: int, folder: Path, data: st.DataObject) -> None:
    try_settings(folder, data.draw(toml_like(plain(default_text()))))


def test_the_settings_that_are_worked_over_are_good_ones(folder: Path) -> None:
    assert parse(plain(default_text()), "the file")


@few
@given(data=st.data())
def test_what_the_box_keeps_of_house_rules(folder: Path, data: st.DataObject) -> None:
    good = {"rules": {"macroscope": {"rounds": 3, "dice": "off"}}, "asked": {"starfall": ["top_space 3"]}}
    place = folder / "house"
    place.mkdir(exist_ok=True)
    (place / "house-rules.json").write_bytes(data.draw(bytes_like(json.dumps(good).encode(), good)))
    with kept_inside(folder):
        house = House({}, place)
        for name in kits.names():
            house.rules(kits.find(name))


@few
@given(data=st.data(), game=st.sampled_from([USUAL, ROW]))
def test_what_the_eyes_keep(folder: Path, data: st.DataObject, game: str) -> None:
    watcher = watcher_for(game)
    good = watcher.memory()
    memory = memory_for(game, folder)
    memory._path.write_bytes(data.draw(bytes_like(json.dumps(good).encode(), good)))
    with kept_inside(folder):
        kept = memory.recall()
        if kept is not None:
            try:
                watcher.restore(kept)
            except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
                memory.set_aside()


def test_a_write_outside_is_seen(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(AssertionError), kept_inside(folder):
        (tmp_path / "outside").write_text("x", encoding="utf-8")
