"""No module but drivers of Linux's devices uses what macOS or Windows lack, unless it asks which system it is on.

On Windows `select.select` takes only sockets.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import companion
import hardware
from tests.portability.stub_names import MODULES_MISSING, STUB_BY_MODULE, list_missing

PROJECT = Path(companion.__file__).parent.parent
LINUX_ONLY = {
    *("hardware/buttons/controllers/driver.py", "hardware/buttons/controllers/evdev.py"),
    *("hardware/buttons/controllers/lamps.py", "hardware/buttons/gpio/pin_factory.py", "hardware/cameras/mains.py"),
    *("hardware/buttons/usb_box/channel.py", "hardware/buttons/usb_box/ports.py", "hardware/console_screen.py"),
}
"""Modules that are imported everywhere: drivers that open their devices on Linux only, the USB box by
`select` on macOS too."""
SELECT_SOCKETS = {"companion/porch/picture_feed.py"}
"""Modules that wait by `select.select` for sockets alone."""
NAMES_PATTERN = re.compile(rf"\b(import|from) ({'|'.join({*STUB_BY_MODULE, *MODULES_MISSING['win32']})})\b")
MODULES = sorted(file for package in (companion, hardware) for file in Path(package.__path__[0]).rglob("*.py"))


def find_unguarded(code: str, platform: str, *, only_modules: bool = False) -> list[str]:
    """Return what the code uses that a system lacks, outside of functions and blocks that ask for `sys.platform`."""
    if not NAMES_PATTERN.search(code):
        return []  # most modules; parsing all would take seconds
    return [*_search(ast.parse(code), code.splitlines(), platform, only_modules)]


def list_unusable(module: str, platform: str) -> frozenset[str]:
    """Return the names that a module lacks, and `select.select` on Windows."""
    is_select = (module, platform) == ("select", "win32")
    return list_missing(module, platform) | frozenset(["select"] * is_select)


def _search(node: ast.AST, lines: list[str], platform: str, only_modules: bool) -> Iterator[str]:
    is_block = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.If)
    if is_block and any("sys.platform" in line for line in lines[node.lineno - 1 : node.end_lineno]):
        return
    match node:
        case ast.Import(names=names):
            yield from (each.name for each in names if each.name in MODULES_MISSING[platform])
        case ast.ImportFrom(module=str(module)) if module in MODULES_MISSING[platform]:
            yield module
        case ast.ImportFrom(module=str(module), names=names) if module in STUB_BY_MODULE and not only_modules:
            yield from (f"{module}.{each.name}" for each in names if each.name in list_unusable(module, platform))
        case ast.Attribute(value=ast.Name(id=module), attr=name) if module in STUB_BY_MODULE and not only_modules:
            if name in list_unusable(module, platform):
                yield f"{module}.{name}"
    for child in ast.iter_child_nodes(node):
        yield from _search(child, lines, platform, only_modules)


@pytest.mark.parametrize("platform", ["darwin", "win32"])
def test_no_call_that_another_system_lacks(platform: str) -> None:
    files = {str(file.relative_to(PROJECT)): file.read_text("utf-8") for file in MODULES}
    assert files.keys() >= LINUX_ONLY
    found = {name: find_unguarded(code, platform, only_modules=name in LINUX_ONLY) for name, code in files.items()}
    sockets = {name: ["select.select"] for name in SELECT_SOCKETS if platform == "win32"}
    assert {name: uses for name, uses in found.items() if uses} == sockets


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("import fcntl", ["fcntl"]),
        ("from grp import getgrgid", ["grp"]),
        ("import os\nos.open(a, os.O_NONBLOCK)", ["os.O_NONBLOCK"]),
        ("from socket import AF_UNIX", ["socket.AF_UNIX"]),
        ("import sys\nif sys.platform != 'win32':\n    import fcntl", []),
        ("import os\ndef f():\n    if sys.platform == 'linux':\n        os.fdatasync(1)", []),
        ("import os\ndef f():\n    os.fdatasync(1)", ["os.fdatasync"]),
        ("import select\nselect.select([0], [], [], 0)", ["select.select"]),
        ("from select import select", ["select.select"]),
    ],
)
def test_the_search_finds_them(code: str, found: list[str]) -> None:
    assert find_unguarded(code, "win32") == found
