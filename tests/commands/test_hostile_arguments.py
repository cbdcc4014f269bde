"""Command lines that name pipes, devices and folders as files, and names that a terminal would execute."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.commands.doctor.check import Check, CheckMark, format_checks
from tests.commands.command_line import run_main

PATHS = ("pipe", "/dev/zero", "folder")
COMMANDS = (
    ("run", "--headless", "--settings", "{}"),
    ("rules", "--settings", "{}"),
    ("rules", "--import", "{}"),
    ("buttons", "--seconds", "0.1", "--settings", "{}"),
    ("history", "import", "{}"),
    ("replay", "{}"),
    ("see", "{}"),
    ("watch", "{}"),
    ("dice-test", "--csv", "{}"),
    ("dice-test", "--settings", "{}"),
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    return tmp_path


def run_companion(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    environ = {**os.environ, "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
    command = [sys.executable, "-m", "companion", *words]
    # The limit only ends a command that waits for ever.
    return subprocess.run(command, env=environ, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: "-".join(words[:2]))
def test_what_is_no_file_is_refused_in_words(
    folder: Path,
    words: tuple[str, ...],
    path: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(folder))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(folder))
    named = str(folder / path)
    assert run_main(*(word.format(named) for word in words)) in (1, 2)
    said = capsys.readouterr().err
    assert named in said
    assert "Traceback" not in said


@pytest.mark.full
def test_a_process_refuses_what_is_no_file(folder: Path) -> None:
    named = str(folder / "pipe")
    done = run_companion(folder, "see", named)
    assert done.returncode in (1, 2)
    assert named in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("camera", ["99999999999", "9" * 5000, "x" * 5000, "rtsp://admin:se/cr@et@127.0.0.1:9/live"])
def test_cameras_that_cannot_be_are_refused_without_a_password(
    camera: str, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(logging.getLogger(), "handlers", [])  # those of other tests write to files that are closed
    assert run_main("watch", camera) == 1
    said = "".join(capfd.readouterr())  # what OpenCV writes is there too
    assert "Traceback" not in said
    assert "cr@et" not in said
    assert "admin" not in said


def test_names_of_files_are_not_executed_by_the_terminal(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    hostile = folder / "folder" / "a\x1b]0;title\x07\x9b31m.png"
    cv2.imwrite(str(folder / "good.png"), np.full((480, 640, 3), 90, np.uint8))
    (folder / "good.png").rename(hostile)
    hostile.with_name("b\x1b[2J.png").write_bytes(b"no picture")
    for command in ("see", "watch"):
        run_main(command, str(folder / "folder"))
        assert not set("".join(capfd.readouterr())) & {"\x1b", "\x07", "\x9b"}, command


def test_what_a_device_calls_itself_is_not_executed_by_the_terminal() -> None:
    (line,) = format_checks([Check("button box", CheckMark.OK, "port \x1b[2J", "fix \x9b31m")])
    assert line.isprintable()
