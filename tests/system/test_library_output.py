"""Lines of libraries on the error output are counted, and do not fill the log."""

from __future__ import annotations

import logging
import os
import subprocess
import sys

import cv2
import numpy as np
import pytest

from companion import cli
from companion.system.library_output import MAX_KINDS, LineCounter, count_library_output, find_error_output


def write_error(text: str) -> None:
    os.write(2, text.encode())


def test_first_tenth_and_hundredth_line_are_logged() -> None:
    counter = LineCounter()
    logged = [counter.note(f"Corrupt JPEG data: {number} extraneous bytes") for number in range(1, 1000)]
    assert [number for number, line in enumerate(logged, 1) if line] == [1, 10, 100]
    assert logged[9] == "A library writes: Corrupt JPEG data: 10 extraneous bytes (10 such lines by now)"
    assert counter.note("rtsp://admin:s/cr@et@cam.lan/live failed") == "A library writes: rtsp://cam.lan/live failed"
    assert counter.note("ALSA lib: no card") == "A library writes: ALSA lib: no card"


def test_kinds_are_bounded() -> None:
    counter = LineCounter()
    assert sum(counter.note(f"{number:08} x") is not None for number in range(1000)) == MAX_KINDS + 3


def test_a_webcam_with_extraneous_bytes_makes_two_lines(
    caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    picture = np.random.default_rng(1).integers(0, 255, (240, 320, 3), np.uint8)
    _good, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_RST_INTERVAL, 40])
    spoilt = np.frombuffer(data.tobytes().replace(b"\xff\xd4", b"\0\0\0\0\xff\xd4", 1), np.uint8)
    with count_library_output():
        for _ in range(30):
            assert cv2.imdecode(spoilt, cv2.IMREAD_COLOR) is not None
    assert [record.message.partition(":")[0] for record in caplog.records] == ["A library writes"] * 2
    assert "(10 such lines by now)" in caplog.text
    assert capfd.readouterr().err == ""
    write_error("afterwards")
    assert capfd.readouterr().err == "afterwards"


def test_every_command_counts_them(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    def read_a_picture(_words: list[str]) -> int:
        write_error("Corrupt JPEG data\n")
        return 0

    monkeypatch.setattr(cli, "run_command", read_a_picture)
    assert cli.main(["watch"]) == 0
    assert [record.message for record in caplog.records] == ["A library writes: Corrupt JPEG data"]


def test_a_library_never_waits(caplog: pytest.LogCaptureFixture) -> None:
    """The reader cannot keep up: here it waits for the log, whose lock is held."""
    (handler,) = (each for each in logging.getLogger().handlers if each is caplog.handler)
    with count_library_output():
        handler.acquire()
        try:
            for number in range(2_000):
                try:
                    write_error(f"{number:0200}\n")
                except BlockingIOError:
                    break
            else:
                pytest.fail("the pipe takes everything")
        finally:
            handler.release()


CHILD = """
import logging, os, subprocess, sys
from companion.system.library_output import count_library_output, find_error_output
with count_library_output():
    print("python", file=sys.stderr)
    os.write(2, b"library\\n")
    subprocess.run(["sh", "-c", "echo child >&2"], stderr=find_error_output(), check=True)
    logging.getLogger().warning("log")
print("after", file=sys.stderr)
"""


def test_pythons_own_lines_and_those_of_our_children_stay() -> None:
    done = subprocess.run([sys.executable, "-c", CHILD], stderr=subprocess.PIPE, text=True, check=True)
    lines = done.stderr.splitlines()
    assert sorted(lines) == ["A library writes: library", "after", "child", "log", "python"]
    assert lines[-1] == "after"


def test_a_closed_error_output_is_no_failure() -> None:
    program = "from companion.cli import main; raise SystemExit(main(['print-tags', '/dev/null']))"
    done = subprocess.run(["sh", "-c", f'exec "$0" -c "{program}" 2>&-', sys.executable], check=False)
    assert done.returncode == 2


def test_error_output_is_found_where_python_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", None)
    assert find_error_output() == 2
