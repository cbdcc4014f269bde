"""Settings files: values and error messages.

Also here: settings_file.py and settings_text.py; lines that are no TOML: test_partial_toml.py. That the other settings
hold beside a wrong one: tests/systemd/test_appliance_settings.py.
"""

from __future__ import annotations

import errno
import os
import tomllib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from companion.api import GameDefinition, registry
from companion.api.registry import UnknownGame
from companion.config import settings_file
from companion.config.settings import DisplaySettings, Settings, TableSettings
from companion.config.settings_file import SettingsError, load_settings, parse_settings
from companion.config.settings_text import build_default_text
from companion.validation_messages import describe_error


class Card(BaseModel):
    """A section within another."""

    model_config = ConfigDict(extra="forbid")

    points: int = 0


class Deck(BaseModel):
    """Sections of a game's file."""

    cards: tuple[Card, ...] = ()
    joker: Card | None = None


class Rules(BaseModel):
    """House rules of a game for these tests."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    rounds: int = Field(default=10, ge=1, le=50)
    easy: bool = False
    deck: str = "small"


class Go(GameDefinition[Any]):
    """Settings play no game."""

    name, title = "go", "Go"
    player_counts = range(2, 3)
    settings_model = Rules

    def create_game(self, player_count: int, first_seat: int, settings: Rules) -> Any:
        raise AssertionError

    def format_prompt(self, game: Any, names: Any) -> str:
        raise AssertionError


GO = Go()


def find(name: str) -> GameDefinition:
    if name != "go":
        raise UnknownGame(f"there is no game {name!r} here; there are: go")
    return GO


def read(text: str) -> Settings:
    settings, problems = parse_settings(text.encode(), "box.toml", find)
    assert not problems
    return settings


def fault(text: str | bytes) -> str:
    """Return what is said of a bad file."""
    try:
        problems = parse_settings(text if isinstance(text, bytes) else text.encode(), "box.toml", find).problems
    except SettingsError as error:
        return str(error)
    return "\n".join(problems)


def test_an_empty_file_gives_the_defaults() -> None:
    assert read("") == Settings()
    assert Settings().table.kind == "virtual"
    assert Settings().data.folder is None


def test_values_of_the_file_are_used() -> None:
    text = '[table]\nkind = "real"\ncamera = 2\n[display]\nsize = [800, 480]\nfullscreen = true\n'
    box = read(f'{text}[data]\nfolder = "/var/box"\n')
    assert box.table == TableSettings(kind="real", camera="2")
    assert box.display == DisplaySettings(size=(800, 480), fullscreen=True)
    assert box.data.folder == Path("/var/box")


def test_a_camera_may_be_a_number_or_text() -> None:
    assert read("[table]\ncamera = 1").table.camera == read('[table]\ncamera = "1"').table.camera == "1"
    assert read('[table]\ncamera = "http://pi/stream"').table.camera == "http://pi/stream"
    assert 'table.camera must be text in quotes, "like this", not true' in fault("[table]\ncamera = true")


def test_tilde_is_expanded_in_the_data_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/ada")
    assert read('[data]\nfolder = "~/box"').data.folder == Path("/home/ada/box")


def test_house_rules_are_the_games_own_model() -> None:
    assert read("[games.go]\nrounds = 7\n").get_house_rules(GO) == Rules(rounds=7)
    assert read("").get_house_rules(GO) == Rules()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('[table]\nkind = "flying"', 'table.kind must be "virtual", "real" or "keyboard", not "flying"'),
        ('[table]\nkind = "Fähre"', 'not "Fähre"'),
        ("[table]\nkamera = 1", "table.kamera: there is no such setting; did you mean camera?"),
        ("[table]\nxyz = 1", "table.xyz: there is no such setting; there are: kind, camera, mains_hz, buttons"),
        ("tabel = 1", "tabel: there is no such setting; did you mean table?"),
        ("[display]\nsize = [1, 480]", "display.size.0 must be 320 or more, not 1"),
        ("[display]\nsize = [800, 10000]", "display.size.1 must be 4320 or less, not 10000"),
        ('[display]\nsize = [800, "480"]', 'display.size.1 must be a whole number, not "480"'),
        ("[display]\nsize = [800, true]", "display.size.1 must be a whole number, not true"),
        ("[display]\nsize = [800]", "display.size: must be two whole numbers"),
        ("[display]\nsize = 800", "display.size: must be two whole numbers"),
        ("[table]\ncamera = ''", "table.camera"),
        ("[display]\nfullscreen = 1", "display.fullscreen must be true or false, not 1"),
        ("table = 3", "table must be a section: [table]"),
        ("[[table]]", "table must be a section: [table]"),
        ('[data]\nfolder = "here"', "data.folder: must be a full path"),
        ('[data]\nfolder = "~nobody-of-that-name/x"', "data.folder"),
        ('[data]\nfolder = "/a\\u0000b"', "data.folder: must be a full path"),
        ("[data]\nfolder = 3", "data.folder must be text in quotes"),
        ("[games.go]\nrounds = 100", "games.go.rounds must be 50 or less, not 100"),
        ("[games.go]\nround = 1", "games.go.round: there is no such setting; did you mean rounds?"),
        ("[games.chess]", "games.chess: there is no game 'chess' here; there are: go"),
        ("games = 3", "games: house rules need a section for each game"),
        ("[games]\ngo = 3", "games.go must be a section: [games.go]"),
        ("[table", "not TOML"),
        ("[table]\nkind = 'real'\nkind = 'real'\n", "line 3"),
        ("x = " + "[" * 100_000, "box.toml: "),
        ("x = " + "9" * 5_000, "box.toml: "),
    ],
)
def test_error_names_file_and_place(text: str, words: str) -> None:
    message = fault(text)
    assert message.startswith("box.toml: ")
    assert words in message
    assert "Traceback" not in message
    assert "pydantic" not in message


def test_the_words_of_a_section_within_another_are_proposed() -> None:
    with pytest.raises(ValidationError) as caught:
        Deck.model_validate({"cards": [{}, {"point": 1}], "joker": {"point": 1}})
    assert [describe_error(each, ("deck",), Deck, "key") for each in caught.value.errors()] == [
        "deck.cards.1.point: there is no such key; did you mean points?",
        "deck.joker.point: there is no such key; did you mean points?",
    ]


def test_text_in_another_encoding_is_named_by_its_line() -> None:
    assert "line 2 is not UTF-8" in fault(b"[table]\n# Gr\xfc\xdfe\n")


def test_several_errors_are_listed_up_to_a_limit() -> None:
    message = fault("[table]\n" + "\n".join(f"a{i} = 1" for i in range(30)))
    assert message.count("there is no such setting") == settings_file.MAX_SHOWN_ERRORS
    assert "25 more" in message


TOML_VALUES = st.one_of(
    st.booleans().map(lambda b: str(b).lower()),
    st.integers().map(str),
    st.floats().map(str),
    st.text(st.characters(codec="utf-8", exclude_categories=["Cc"]), max_size=8).map(
        lambda s: '"' + s.replace("\\", "").replace('"', "") + '"'
    ),
    st.sampled_from(["[]", "{}", "[[1]]", "[800, 480]", "1979-05-27", "{a = 1}"]),
)
KEYS = st.sampled_from(["kind", "camera", "size", "fullscreen", "folder", "rounds", "easy", "go", "table", "no"])
HEADS = st.sampled_from(
    ["[table]", "[display]", "[data]", "[games]", "[games.go]", "[games.chess]", "[[table]]", "[no]"]
)
LINES = st.lists(st.one_of(HEADS, st.builds(lambda k, v: f"{k} = {v}", KEYS, TOML_VALUES)), max_size=8)


def good_or_said(data: bytes) -> None:
    """Check that the file gives settings, or an error that starts with its name."""
    try:
        problems = parse_settings(data, "box.toml", find).problems
    except SettingsError as error:
        problems = (str(error),)
    assert all(problem.startswith("box.toml: ") for problem in problems)


@given(st.binary())
def test_any_bytes_give_settings_or_an_error(data: bytes) -> None:
    good_or_said(data)


@given(LINES)
def test_similar_files_give_settings_or_an_error(lines: Sequence[str]) -> None:
    good_or_said("\n".join(lines).encode())


@given(st.integers(0, 1500))
def test_torn_settings_give_values_or_an_error(length: int) -> None:
    good_or_said(uncommented(build_default_text([GO])).encode()[:length])


@pytest.fixture
def look_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Path]:
    """A function that returns the file "own" or "etc"; "own" is looked for first."""
    own, etc = tmp_path / "own" / "companion.toml", tmp_path / "etc" / "companion.toml"
    monkeypatch.setattr(settings_file, "list_settings_files", lambda: (own, etc))

    def place(name: str) -> Path:
        file = own if name == "own" else etc
        file.parent.mkdir(exist_ok=True)
        return file

    return place


def write(file: Path, camera: int) -> Path:
    file.write_text(f"[table]\ncamera = {camera}\n", encoding="utf-8")
    return file


def test_first_existing_file_is_used(look_in: Callable[[str], Path], tmp_path: Path) -> None:
    assert load_settings(None, {}) == (Settings(), ())
    write(look_in("etc"), 1)
    assert load_settings(None, {}).settings.table.camera == "1"
    write(look_in("own"), 2)
    assert load_settings(None, {}).settings.table.camera == "2"
    named = {"COMPANION_SETTINGS": str(write(tmp_path / "named.toml", 3))}
    assert load_settings(None, named).settings.table.camera == "3"
    assert load_settings(write(tmp_path / "given.toml", 4), named).settings.table.camera == "4"


def test_user_file_comes_before_the_machine_file() -> None:
    own, machine = settings_file.list_settings_files()
    assert own.parts[-2:] == ("companion", "companion.toml")
    assert machine == Path("/etc/companion/companion.toml")


@pytest.mark.parametrize("named", ["given", "variable"])
def test_named_file_must_exist(named: str, tmp_path: Path) -> None:
    path = tmp_path / "gone.toml"
    with pytest.raises(SettingsError, match=r"gone\.toml: the settings cannot be read: No such file"):
        load_settings(path if named == "given" else None, {"COMPANION_SETTINGS": str(path)})


def test_a_folder_is_no_settings_file(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="no file but a folder"):
        load_settings(tmp_path)


def test_a_file_that_may_not_be_read(tmp_path: Path) -> None:
    if os.geteuid() == 0:
        pytest.skip("root may read everything")
    path = write(tmp_path / "box.toml", 1)
    path.chmod(0)
    with pytest.raises(SettingsError, match="Permission denied"):
        load_settings(path)


def test_a_medium_that_fails_is_asked_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, left = write(tmp_path / "box.toml", 1), [settings_file.READ_ATTEMPTS - 1]
    read_file = settings_file.read_file

    def fail(path: Path, max_bytes: int) -> bytes:
        left[0] -= 1
        if left[0] >= 0:
            raise OSError(errno.EIO, "Input/output error", str(path))
        return read_file(path, max_bytes)

    monkeypatch.setattr(settings_file, "read_file", fail)
    monkeypatch.setattr(settings_file, "READ_PAUSE_SECONDS", 0)
    assert load_settings(path).settings.table.camera == "1"
    left[0] = settings_file.READ_ATTEMPTS
    with pytest.raises(SettingsError, match=r"Input/output error\. They are read again at the next start"):
        load_settings(path)


def test_an_emptied_file_is_said(tmp_path: Path) -> None:
    """What a card leaves of the settings at a power cut must not look like a choice of all defaults."""
    (tmp_path / "box.toml").touch()
    assert load_settings(tmp_path / "box.toml") == (
        Settings(),
        (f"{tmp_path / 'box.toml'} is empty: all settings have their defaults. Write it again.",),
    )
    (tmp_path / "box.toml").write_bytes(bytes(512))
    with pytest.raises(SettingsError):
        load_settings(tmp_path / "box.toml")


def test_a_device_is_not_read() -> None:
    with pytest.raises(SettingsError, match="no file but a folder, a pipe or a device"):
        load_settings(Path("/dev/zero"))


def test_a_long_file_is_not_read_to_its_end(tmp_path: Path) -> None:
    path = tmp_path / "film"
    with path.open("wb") as file:
        file.truncate(1 << 40)
    with pytest.raises(SettingsError, match="too long"):
        load_settings(path)


def test_impossible_name_is_reported() -> None:
    with pytest.raises(SettingsError, match="cannot be read"):
        load_settings(Path("a\0b"))


def uncommented(text: str) -> str:
    """Return the default file with all settings uncommented."""
    return "\n".join(
        line[1:] if line.startswith("#") and not line.startswith("# ") else line for line in text.splitlines()
    )


def test_default_file_has_the_defaults() -> None:
    """The uncommented values are the defaults, and no setting is missing."""
    assert read(build_default_text([GO])) == Settings(games={"go": Rules()})
    spoken = tomllib.loads(uncommented(build_default_text([GO])))
    assert set(spoken) == set(Settings.model_fields)
    for section in ("table", "display", "data", "gpio", "box"):
        assert set(spoken[section]) == set(type(getattr(Settings(), section)).model_fields)
    box = read(uncommented(build_default_text([GO])))
    assert box.model_copy(update={"data": Settings().data, "games": {}}) == Settings()
    assert box.get_house_rules(GO) == Rules()


def test_every_installed_game_can_be_set(tmp_path: Path) -> None:
    file = tmp_path / "companion.toml"
    file.write_text(uncommented(build_default_text()), encoding="utf-8")
    spoken = load_settings(file).settings.games
    assert set(spoken) == set(registry.list_game_names())
    for name, rules in spoken.items():
        assert rules == registry.find_game(name).settings_model(), name
