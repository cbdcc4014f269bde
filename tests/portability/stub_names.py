"""Names of the standard library that Linux has and another system lacks, by typeshed, which mypy brings."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import mypy

STUBS = Path(mypy.__file__).parent / "typeshed" / "stdlib"
STUB_BY_MODULE = {
    **{name: f"{name}.pyi" for name in ("socket", "select", "signal", "time")},
    "os": "os/__init__.pyi",
    "asyncio": "asyncio/streams.pyi",
}
"""Modules of which parts are not everywhere."""
MODULES_MISSING = {
    "win32": frozenset({"fcntl", "grp", "pty", "pwd", "readline", "resource", "syslog", "termios", "tty"}),
    "darwin": frozenset[str](),
}
"""By system: modules that it does not have."""


@cache
def list_missing(module: str, platform: str) -> frozenset[str]:
    """Return the public names that a module of STUB_BY_MODULE has on Linux and not on `platform`."""
    stub = ast.parse((STUBS / STUB_BY_MODULE[module]).read_text("utf-8")).body
    names = set(_read_names(stub, "linux")) - set(_read_names(stub, platform))
    return frozenset(name for name in names if not name.startswith("_"))


def _read_names(statements: list[ast.stmt], platform: str) -> Iterator[str]:
    for statement in statements:
        match statement:
            case ast.If(test=test, body=body, orelse=orelse):
                yield from _read_names(body if _holds(test, platform) else orelse, platform)
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.AnnAssign(target=ast.Name(id=name)):
                yield name
            case ast.ImportFrom(names=names):
                yield from (each.asname or each.name for each in names)


def _holds(test: ast.expr, platform: str) -> bool:
    seen = SimpleNamespace(platform=platform, version_info=sys.version_info)
    return bool(eval(compile(ast.Expression(test), "stub", "eval"), {"sys": seen}))
