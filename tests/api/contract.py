"""What the companion promises to plug-ins, a line for each name, parameter, field and member: recorded in contract.txt.

After a deliberate change: `python -m tests.api.contract` writes the file again; look at its difference. A line
that is gone or changed breaks plug-ins: then the first number of `API_VERSION` grows, and `docs/your-own-game.md` says
how long it was deprecated. A new line needs a higher second number, unless that version was not released yet; a new
parameter without a default breaks plug-ins too.
"""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from typing import Any

from companion.api import API_VERSION
from companion.api.contract_version import OLDEST_API_VERSION, format_version

EXPECTED = Path(__file__).with_suffix(".txt")
MODULES = (
    "companion.api",
    "companion.display.api",
    "companion.referee.api",
    "companion.gallery.api",
    "companion.testing",
)


def describe_contract() -> list[str]:
    """Return the lines of the contract, with the versions first."""
    lines = [f"version {format_version(API_VERSION)}, oldest {format_version(OLDEST_API_VERSION)}"]
    for name in MODULES:
        module = importlib.import_module(name)
        for exported in sorted(module.__all__):
            lines += [f"{name}: {line}" for line in describe(exported, getattr(module, exported))]
    return lines


def describe(name: str, value: Any) -> Iterator[str]:
    if isinstance(value, type) and issubclass(value, Enum):
        yield from (f"{name}.{member.name} = {member.value!r}" for member in value)
    elif isinstance(value, type):
        yield from describe_class(name, value)
    elif inspect.isfunction(value):
        yield describe_function(name, value)
    else:
        yield name


def describe_class(name: str, value: type) -> Iterator[str]:
    """Yield the constructor's parameters, one a line, and the members, those of bases in the companion too."""
    if not value.__module__.startswith("companion"):
        yield name
        return
    parameters = list(inspect.signature(value).parameters.values())
    yield from (f"{name}({describe_parameter(parameter)})" for parameter in parameters)
    bases = [base for base in value.__mro__ if base.__module__.startswith("companion")]
    abstract: frozenset[str] = getattr(value, "__abstractmethods__", frozenset())
    found = {member for base in bases for member in vars(base) if not member.startswith("_")} | abstract
    for member in sorted(found - {parameter.name for parameter in parameters}):
        static = inspect.getattr_static(value, member)
        static = static.__func__ if isinstance(static, classmethod | staticmethod) else static
        text = describe_function(member, static) if inspect.isfunction(static) else member
        yield f"{name}.{text}{', to be implemented' if member in abstract else ''}"


def describe_function(name: str, value: Any) -> str:
    parameters = inspect.signature(value).parameters.values()
    return f"{name}({', '.join(describe_parameter(each) for each in parameters if each.name not in {'self', 'cls'})})"


def describe_parameter(parameter: inspect.Parameter) -> str:
    """Return name, kind and whether it has a default; types are mypy's task."""
    mark = {parameter.VAR_POSITIONAL: "*", parameter.VAR_KEYWORD: "**", parameter.KEYWORD_ONLY: "keyword "}
    return f"{mark.get(parameter.kind, '')}{parameter.name}{'' if parameter.default is parameter.empty else '=...'}"


if __name__ == "__main__":
    EXPECTED.write_text("\n".join(describe_contract()) + "\n", encoding="utf-8")
