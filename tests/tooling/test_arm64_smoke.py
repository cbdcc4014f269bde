"""On this machine: what arm64_smoke.sh runs under emulation. It runs nightly, these each time."""

from __future__ import annotations

import re
import shlex

import arm64_table
import pytest

from companion.cli import build_parser
from tests.conftest import REPOSITORY

SCRIPT = (REPOSITORY / "tools" / "arm64_smoke.sh").read_text(encoding="utf-8")
COMMANDS = re.findall(r"python3 -m companion ([a-z][^>|\n]*)", SCRIPT)


@pytest.mark.full
def test_thrown_dice_are_read() -> None:
    thrown, readings = arm64_table.throw_and_read()
    assert thrown
    assert readings == [thrown]


@pytest.mark.parametrize("words", COMMANDS)
def test_command_line_is_accepted(words: str) -> None:
    arguments = shlex.split(words)
    build_parser(arguments[0]).parse_args(arguments)


def test_files_that_it_copies_and_runs_exist() -> None:
    (parts,) = re.findall(r"for part in ([^;]*); do", SCRIPT)
    (program,) = re.findall(r"in_root python3 - <(\S+)", SCRIPT)
    for part in [*parts.split(), program]:
        assert (REPOSITORY / part).exists(), part
