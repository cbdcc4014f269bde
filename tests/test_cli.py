"""`companion`: output and exit status."""

from __future__ import annotations

import argparse
import os
import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import nullcontext
from importlib.machinery import ModuleSpec
from pathlib import Path
from typing import NoReturn

import pytest

from companion import __version__, cli
from companion.cli import COMMANDS, build_parser
from companion.command_examples import EXAMPLES
from tests.commands.command_line import run_main


def companion(*arguments: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "companion", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=cwd)


def test_version_is_printed() -> None:
    done = companion("--version")
    assert (done.returncode, done.stdout, done.stderr) == (0, f"companion {__version__}\n", "")


def test_without_a_command_the_help_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_main() == 0
    out, err = capsys.readouterr()
    assert "companion run --players Ada Bob Cleo" in out
    assert err == ""


def test_a_picture_that_is_not_there_is_named_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_main("see", str(tmp_path / "no-such.jpg")) == 1
    out, err = capsys.readouterr()
    assert (out, err.count("no-such.jpg")) == ("", 1)


def test_unknown_command_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_main("nonsense") == 2
    assert "nonsense" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "proposed"),
    [
        (("histroy",), "history"),
        (("run", "--game", "macroscop"), "macroscope"),
        (("run", "--plyers", "Ada"), "--players"),
        (("run", "--heedless=1"), "--headless"),
        (("history", "exprot", "1", "x"), "export"),
        (("gallery", "x", "--palette", "drak"), "dark"),
    ],
)
def test_the_nearest_name_is_proposed(
    words: tuple[str, ...], proposed: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_main(*words) == 2
    err = capsys.readouterr().err
    assert err.endswith(f"; did you mean {proposed}?\n")
    assert "choose from" not in err


def test_arguments_do_not_reach_the_terminal_as_they_are(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_main("run", "--x\x1b[2J", "\x9b31m") == 2
    assert not set(capsys.readouterr().err) & {"\x1b", "\x9b"}


@pytest.mark.sampled(1)
@pytest.mark.parametrize("words", [("--help",), ("rules",), ("history", "--help"), ("rules", "--game", "starfall")])
def test_a_reader_that_ends_early_is_no_failure(words: tuple[str, ...]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "wb") as pipe:
        done = subprocess.run(
            [sys.executable, "-m", "companion", *words], stdout=pipe, stderr=subprocess.PIPE, check=False
        )
    assert (done.returncode, done.stderr) == (0, b"")


def test_the_commands_exit_status_is_the_programs(tmp_path: Path) -> None:
    done = companion("see", str(tmp_path / "no-such.jpg"))
    assert done.returncode == 1
    assert "no-such.jpg" in done.stderr


def test_a_foreign_package_hardware_is_named(tmp_path: Path) -> None:
    (tmp_path / "hardware.py").touch()
    done = companion("buttons", "--help", cwd=tmp_path)
    assert done.returncode == 1
    assert str(tmp_path / "hardware.py") in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(("locations", "named"), [(["/a", "/b"], "(/a, /b)"), ([], "(none)"), (None, "(none)")])
def test_a_foreign_package_without_a_file_is_named_by_its_folders(
    locations: list[str] | None, named: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = None if locations is None else ModuleSpec("hardware", None, is_package=True)
    if spec is not None and locations is not None:
        spec.submodule_search_locations = locations
    monkeypatch.setattr(cli, "find_spec", lambda _name: spec)
    assert f"but another one {named}. " in cli.describe_foreign_hardware()


@pytest.mark.parametrize(("module", "is_named"), [("hardware.buttons", True), ("numpy", False)])
def test_no_other_missing_module_is_taken_for_the_hardware(
    module: str, *, is_named: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(_words: object) -> int:
        raise ModuleNotFoundError(f"No module named '{module}'", name=module)

    monkeypatch.setattr(cli, "run_command", fail)
    with nullcontext() if is_named else pytest.raises(ModuleNotFoundError, match=module):
        assert cli.main(["buttons"]) == 1
    assert ("pipx install" in capsys.readouterr().err) == is_named


def test_a_missing_library_of_the_system_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(_words: object) -> int:
        raise ImportError("libGL.so.1: cannot open shared object file: No such file or directory")

    monkeypatch.setattr(cli, "run_command", fail)
    assert cli.main(["see", "a.png"]) == 1
    error = capsys.readouterr().err
    assert "libGL.so.1" in error
    assert "opencv-python-headless" in error


def test_the_words_are_those_of_the_process(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["companion", "--version"])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert ended.value.code == 0
    assert __version__ in capsys.readouterr().out


def test_ctrl_c_pressed_twice_ends_without_a_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    def press_ctrl_c(*_arguments: object) -> NoReturn:
        raise KeyboardInterrupt

    monkeypatch.setattr(cli, "run_command", press_ctrl_c)
    monkeypatch.setattr(cli, "end_output", press_ctrl_c)
    assert cli.main([]) == 130


def list_parsers(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    """Yield a parser and those of its actions."""
    yield parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for inner in action.choices.values():
                yield from list_parsers(inner)


def test_each_help_ends_with_two_examples_that_it_takes() -> None:
    """Those of actions such as `club tournament new` too."""
    top = build_parser()
    helps = {each.prog.removeprefix("companion").strip(): each.format_help() for each in list_parsers(top)}
    assert helps.keys() == EXAMPLES.keys() >= COMMANDS.keys()
    for name, text in helps.items():
        assert len(EXAMPLES[name]) >= 2
        for line, what in EXAMPLES[name]:
            assert line.startswith(name)
            top.parse_args(shlex.split(line.partition(" >")[0]))
            assert what
            assert f"  companion {line}\n      {what}" in text


def test_every_help_fits_eighty_columns_and_describes_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    for parser in list_parsers(build_parser()):
        text = parser.format_help()
        assert [line for line in text.splitlines() if len(line) > 80 or "%%" in line] == []
        assert parser.description, parser.prog
        commands = [a for a in parser._actions if isinstance(a, argparse._SubParsersAction)]
        assert [a.dest for a in parser._actions if not a.help and a not in commands] == [], parser.prog
