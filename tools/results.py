"""Keep the published figures in docs/results.json: the benchmarks write them, tools/figures.py makes the tables.

    >>> record({}, command="make bench")  # without COMPANION_RESULTS a benchmark only prints

Each figure has a value, where it is a count the total (`of`), an interval where there is one (of counts 95 % in
percent, Wilson 1927), the command that prints it, the commit that was measured, and for readings whether the data were
held out or in view during development.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bench_reading import HitCount

REPOSITORY = Path(__file__).resolve().parent.parent
RESULT_FILES = ("docs/results.json", "docs/images/reliability.svg")
"""What `make bench` writes."""
RESULTS = REPOSITORY / "docs" / "results.json"
Figure = dict[str, Any]


def load_results(path: Path = RESULTS) -> dict[str, Figure]:
    """Return the figures by name."""
    figures: dict[str, Figure] = json.loads(path.read_text(encoding="utf-8"))
    return figures


def describe_value(value: HitCount | float | str) -> Figure:
    """Return the fields of a figure that follow from its value.

    >>> describe_value(HitCount(1, 145))
    {'value': 1, 'of': 145, 'interval': [0.1, 3.8]}
    """
    if not isinstance(value, HitCount):
        return {"value": value}
    return {"value": value.hits, "of": value.total, "interval": [round(100 * end, 1) for end in value.interval()]}


def describe_commit() -> str:
    """Return the short hash of HEAD, with "-dirty" if a tracked file but the results themselves was changed."""

    def git(*arguments: str) -> str:
        command = ["git", "-C", str(REPOSITORY), *arguments]
        return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout.strip()

    changed = git("status", "--porcelain", "--untracked-files=no", "--", ".", *(f":!{file}" for file in RESULT_FILES))
    return git("rev-parse", "--short", "HEAD") + ("-dirty" if changed else "")


def record(values: Mapping[str, HitCount | float | str], command: str, data: str = "") -> None:
    """Write figures into the file that the environment variable COMPANION_RESULTS names; without it do nothing.

    Args:
        values: value by name; what is no letter or figure in a name becomes an underscore.
        command: what prints these figures, as a user types it.
        data: "held out" or "development"; "" where nothing was chosen on the data.
    """
    if not (path := os.environ.get("COMPANION_RESULTS")):
        return
    source = {"command": command, "commit": describe_commit()} | ({"data": data} if data else {})
    new = {re.sub(r"\W+", "_", name.lower()): describe_value(value) | source for name, value in values.items()}
    write_results(load_results(Path(path)) | new, Path(path))


def write_results(figures: Mapping[str, Figure], path: Path = RESULTS) -> None:
    """Write the figures, one a line and sorted, so that a diff shows what changed."""
    lines = (f"  {json.dumps(name)}: {json.dumps(figure, ensure_ascii=False)}" for name, figure in figures.items())
    path.write_text("{\n" + ",\n".join(sorted(lines)) + "\n}\n", encoding="utf-8")
