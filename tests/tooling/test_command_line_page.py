"""docs/command-line.md names every command, and documents install and call the program as it is."""

from __future__ import annotations

import argparse
import re
import shlex
import tomllib
from collections.abc import Iterator
from contextlib import suppress
from email.message import Message
from pathlib import Path

import pytest

import companion
from companion.cli import COMMANDS, build_parser, describe_foreign_hardware
from companion.commands import PROJECT_SOURCE, format_install_command
from companion.config.settings import Settings
from companion.config.settings_file import load_settings
from companion.porch.home_assistant import build_discovery
from tests.conftest import REPOSITORY
from tests.tooling.pages import CODE, PAGES, format_path, list_blocks

PAGE = (REPOSITORY / "docs/command-line.md").read_text(encoding="utf-8")
SHARED_OPTIONS = {"--help", "--settings", "--data", "--camera"}
"""Described once for all commands."""
NOT_OURS = re.compile(r"[$<>|…]|\.\.\.|\bID\b|\bOLD\b|--check FILE|[A-Z]{3,}")
"""Command lines with placeholders, or that the shell changes."""
OWN_GAMES = "mine|stone_race"
"""Games that a reader makes, in the command lines."""


def list_options(parser: argparse.ArgumentParser) -> Iterator[str]:
    """Yield the long options of a parser and of its actions, without hidden ones."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for inner in action.choices.values():
                yield from list_options(inner)
        elif action.help is not argparse.SUPPRESS:
            yield from (name for name in action.option_strings if name.startswith("--"))


def find_parser(command: str) -> argparse.ArgumentParser:
    """Return the parser of a command."""
    (subparsers,) = (a for a in build_parser([command])._actions if isinstance(a, argparse._SubParsersAction))
    parser: argparse.ArgumentParser = subparsers.choices[command]
    return parser


@pytest.mark.parametrize("command", COMMANDS)
def test_the_table_names_each_command_and_options_that_it_has(command: str) -> None:
    (row,) = re.findall(rf"^\| `companion {command}\b.*$", PAGE, re.MULTILINE)
    assert {*re.findall(r"--[\w-]+", row)} <= {*list_options(find_parser(command))}


def test_the_shared_options_are_described() -> None:
    assert {*re.findall(r"--[\w-]+", PAGE)} >= SHARED_OPTIONS


def test_pip_installs_in_a_clone_of_any_name() -> None:
    """The project's folder is named by whoever clones it."""
    metadata = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    found = set()
    for page in PAGES:
        text = page.read_text("utf-8")
        assert not re.search(r"(?:pip|pipx|uv) [^\n]*board-game-companion", text), page
        found |= set(re.findall(r"pip install '([^'\[]*)\[(\w+)\]'", text))
    assert {(PROJECT_SOURCE, "porch"), (PROJECT_SOURCE, "club")} <= found
    assert {extra for source, extra in found if source == PROJECT_SOURCE} <= set(metadata["optional-dependencies"])


def test_the_wheel_is_that_of_the_version_and_pip_is_given_its_dependencies() -> None:
    metadata = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    page = (REPOSITORY / "docs/installing.md").read_text("utf-8")
    assert set(re.findall(r"board_game_companion-(.*?)-py3", page)) == {metadata["version"]}
    named = re.search(r"^pip install (gpiozero .*)$", page, re.MULTILINE)
    needed = {re.split(r"[<>=;]", dependency)[0] for dependency in metadata["dependencies"]} - {"pygame-ce"}
    assert named is not None
    assert {word.split("<")[0].replace("-headless", "") for word in shlex.split(named[1])} == needed


@pytest.mark.parametrize("address", ["", "https://forge.example/games/companion"])
def test_the_address_is_filled_in_once(monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    """In pyproject.toml: commands, which name the project's folder without it, and Home Assistant."""
    written = Message()
    written["Project-URL"] = "Changelog, https://forge.example/log"
    if address:
        written["Project-URL"] = f"Repository, {address}"
    monkeypatch.setattr(companion, "metadata", lambda _name: written)
    (message,) = build_discovery("hall-1").values()
    assert message["origin"].get("support_url", "") == address
    wanted = f"'board-game-companion[club] @ git+{address}'" if address else "'.[club]' in the project's folder"
    assert format_install_command("club") == f"pip install {wanted}"
    wanted = wanted.replace("[club]", "")
    assert describe_foreign_hardware().endswith(f"pipx install {wanted}")


@pytest.mark.parametrize(
    ("page", "words"),
    [
        ("README.md", "no address yet"),
        ("SECURITY.md", "no address yet"),
        ("docs/limits.md", "no address yet"),
        ("docs/build/README.md", "git clone ADDRESS"),
        ("docs/raspberry-pi.md", "git clone ADDRESS"),
    ],
)
def test_a_page_lacks_the_address_while_there_is_none(page: str, words: str) -> None:
    urls = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"].get("urls", {})
    assert (words in (REPOSITORY / page).read_text("utf-8")) is ("Repository" not in urls)


def list_command_lines() -> list[tuple[str, str]]:
    """Return the command lines of the companion in the blocks of all pages, each with the page's path."""
    found = []
    for page in PAGES:
        for block in list_blocks(page, "", "sh"):
            lines = re.findall(r"(?:^|[ /])companion ([a-z][^#\n]*)", block, re.MULTILINE)
            ours = [
                re.sub(rf"\b({OWN_GAMES})\b", "pig", line)
                for line in lines
                if line.split()[0] in COMMANDS and not NOT_OURS.search(line)
            ]
            found += [(format_path(page), line.strip()) for line in ours]
    return found


@pytest.mark.parametrize(("page", "line"), list_command_lines())
def test_the_command_lines_of_documents_are_taken(page: str, line: str) -> None:
    words = shlex.split(line)
    build_parser([words[0]]).parse_args(words)


PLACEHOLDERS = {"ID\\|FILE": "1", "ID": "1", "LANG": "pl", "ACTION": "results"}


def test_command_lines_and_make_targets_in_sentences_are_taken(capsys: pytest.CaptureFixture[str]) -> None:
    """A sentence may leave out what a command needs, as in `companion gallery --far`."""
    targets = set(re.findall(r"^([a-z][\w-]*):", (REPOSITORY / "Makefile").read_text("utf-8"), re.MULTILINE))
    found = 0
    for page in PAGES:
        for code in CODE.findall(page.read_text("utf-8")):
            if match := re.match(r"(?:sudo )?(?:\.venv/bin/)?companion ([a-z][\w-]*.*)", code):
                words = [PLACEHOLDERS.get(word, word) for word in shlex.split(match[1].replace("\\", "\\\\"))]
                assert words[0] in COMMANDS, f"{page}: {code}"
                # argparse reports a missing argument and then no unknown option
                options = {word.partition("=")[0] for word in words if word.startswith("--")}
                assert options <= {*list_options(find_parser(words[0]))}, f"{page}: {code}"
                with suppress(SystemExit):
                    build_parser([words[0]]).parse_args(words)
                error = capsys.readouterr().err
                assert not error or "arguments are required" in error, f"{page}: {code}: {error}"
                found += 1
            elif match := re.match(r"make ([a-z][\w-]*)", code):
                assert match[1] in targets, f"{page}: {code}"
                if options_of_run := re.search(r'make run ARGS="(.*)"', code):
                    build_parser(["run"]).parse_args(["run", *shlex.split(options_of_run[1])])
                found += 1
    assert found > 100


def test_our_scripts_have_the_options_that_documents_give_them() -> None:
    found = 0
    for page in PAGES:
        for line in page.read_text("utf-8").splitlines():
            if match := re.search(r"((?:systemd|tools)/[\w/]+\.(?:sh|py)) (.*)", line):
                code = (REPOSITORY / match[1]).read_text("utf-8")
                for option in re.findall(r"(?<![\w-])--[a-z][\w-]*", match[2]):
                    assert re.search(rf'"{option}"|{option}\)', code), f"{page}: {match[1]} has no {option}"
                    found += 1
    assert found > 10


def test_settings_in_documents_are_understood(tmp_path: Path) -> None:
    sections = "|".join(Settings.model_fields.keys() - {"dice"})  # a part of a game's file, too
    blocks = [
        block for page in PAGES for block in list_blocks(page, "", "toml") if re.match(rf"\[(?:{sections})\]\n", block)
    ]
    assert blocks
    for block in blocks:
        (tmp_path / "companion.toml").write_text(block, encoding="utf-8")
        assert load_settings(tmp_path / "companion.toml").problems == ()
