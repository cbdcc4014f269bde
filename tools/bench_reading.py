"""Score the output of `companion see` and `companion watch` with ../shared/score/score_see.py, as table rows."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SHARED = Path(__file__).resolve().parent.parent.parent / "shared"
SCORER = SHARED / "score" / "score_see.py"
BASELINE_COMMAND = (str(SHARED / "score" / "blob_baseline.py"),)
SEE_COMMAND = ("-m", "companion", "see", "--json")
WATCH_COMMAND = ("-m", "companion", "watch", "--json")
ScoreFigures = dict[str, Any]


@dataclass(frozen=True)
class HitCount:
    """A number of hits out of a total."""

    hits: int
    total: int

    @property
    def share(self) -> float:
        """Hits divided by the total; 0 if the total is 0."""
        return self.hits / self.total if self.total else 0.0

    def interval(self) -> tuple[float, float]:
        """Return the 95 % confidence interval of the share (Wilson 1927)."""
        if not self.total:
            return 0.0, 1.0
        z2, n, p = 1.96**2, self.total, self.share
        middle = (p + z2 / (2 * n)) / (1 + z2 / n)
        wide = 1.96 * (p * (1 - p) / n + z2 / (4 * n * n)) ** 0.5 / (1 + z2 / n)
        return max(0.0, middle - wide), min(1.0, middle + wide)

    def __str__(self) -> str:
        if not self.total:
            return "-"
        low, high = self.interval()
        return f"{self.hits} of {self.total} = {100 * self.share:.1f} % ({100 * low:.1f}..{100 * high:.1f})"


@dataclass(frozen=True)
class BenchRow:
    """A row of the table: a figure, its target, whether that is reached (None: no target), and the blob detector's.

    A row with a `name` is published under PREFIX_name (`report` in tools/bench.py).
    """

    label: str
    ours: str
    target: str
    reached: bool | None
    baseline: str = "-"
    name: str = ""
    figure: HitCount | float = 0.0


def run_python(*arguments: str | Path) -> str:
    """Run a Python program and return its stdout; its errors go to stderr."""
    done = subprocess.run([sys.executable, *arguments], stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode and not done.stdout:
        print(f"{' '.join(map(str, arguments[:4]))}: failed, see above", file=sys.stderr)
    return done.stdout


def run_scorer(kind: str, pairs: Iterable[tuple[Path, str]]) -> ScoreFigures:
    """Return the figures of score_see.py for pairs of truth file and JSON lines."""
    with tempfile.TemporaryDirectory() as folder:
        arguments: list[str | Path] = []
        for number, (truth, seen) in enumerate(pairs):
            file = Path(folder, f"{number}.jsonl")
            file.write_text(seen, encoding="utf-8")
            arguments += [truth, file]
        scored: ScoreFigures = json.loads(run_python(SCORER, kind, *arguments))
    return scored


def read_count(shares: dict[str, float], key: str) -> HitCount:
    """Convert a share with its `n`, as score_see.py prints it, into a count."""
    n = int(shares.get("n", 0))
    return HitCount(round(shares.get(key, 0.0) * n), n)


def count_in_view(figures: ScoreFigures, view: str, key: str) -> HitCount:
    """Count the pictures of a view ("" for all) with the result `key`: ok, wrong or abstain."""
    chosen = [c for name, c in figures["by_source"].items() if name.endswith(f"({view})") or not view]
    return HitCount(sum(c.get(key, 0) for c in chosen), sum(sum(c.values()) for c in chosen))


def list_photo_rows(ours: ScoreFigures, blobs: ScoreFigures) -> list[BenchRow]:
    """Return the rows for single pictures."""

    def row(words: str, view: str, key: str, bar: str, least: float, most: float) -> BenchRow:
        count, usual = count_in_view(ours, view, key), count_in_view(blobs, view, key)
        reached = least <= count.share <= most if count.total else None
        return BenchRow(words, str(count), bar, reached, _percent(usual), "" if view else key, count)

    rows = [
        row("overhead: all right and played", "overhead", "ok", ">= 97 %", 0.97, 1),
        row("all views: all right and played", "", "ok", ">= 95 %", 0.95, 1),
        row("played and wrong", "", "wrong", "<= 0.5 %", 0, 0.005),
        row("asks the players", "", "abstain", "", 0, 1),
    ]
    recall = f"{100 * ours['die_recall']:.1f} %"
    return [
        *rows,
        BenchRow("single dice: value is among those read", recall, "", None, f"{100 * blobs['die_recall']:.1f} %"),
        BenchRow(
            "ms per picture (median, machine as it is)",
            f"{ours['ms_median']:.0f}",
            "",
            None,
            f"{blobs['ms_median']:.0f}",
        ),
    ]


def list_sitting_rows(ours: ScoreFigures, blobs: ScoreFigures) -> list[BenchRow]:
    """Return the rows for image sequences; the blob detector reads no lid."""
    windows, numbers, dice = (read_count(ours[k], "right") for k in ("windows", "numbers", "dice"))
    wrong = {k: read_count(ours[k], "wrong") for k in ("windows", "numbers", "dice")}
    quiet, loud = _quiet(ours), _quiet(blobs)
    acted = HitCount(sum(count.hits for count in quiet.values()), sum(count.total for count in quiet.values()))
    wide = " and none wrong"
    return [
        BenchRow("windows right", str(windows), ">= 99.8 %", windows.share >= 0.998, name="windows", figure=windows),
        BenchRow("windows wrong", str(wrong["windows"]), "none", wrong["windows"].hits == 0),
        BenchRow("token numbers right", str(numbers), ">= 99.5 %", numbers.share >= 0.995, "-", "numbers", numbers),
        BenchRow("token numbers wrong", str(wrong["numbers"]), "", None),
        BenchRow("whole lids right, no hand over them", str(read_count(ours["frames"], "lid exact")), "", None),
        BenchRow(
            "dice on a still table right",
            str(dice),
            ">= 99 %" + wide,
            dice.share >= 0.99 and wrong["dice"].hits == 0,
            _percent(read_count(blobs["dice"], "right")),
            "still_dice",
            dice,
        ),
        BenchRow(
            "dice on a still table wrong",
            str(wrong["dice"]),
            "none",
            wrong["dice"].hits == 0,
            _percent(read_count(blobs["dice"], "wrong")),
        ),
        *(
            BenchRow(f"{kind}: played", str(count), "none", count.hits == 0, _percent(loud.get(kind, HitCount(0, 0))))
            for kind, count in quiet.items()
        ),
        BenchRow("all of these: played", str(acted), "none", acted.hits == 0, name="not_to_play", figure=acted),
    ]


def _quiet(figures: ScoreFigures) -> dict[str, HitCount]:
    """Count by kind the frames that must not be played, and how many were played."""
    kinds: dict[str, dict[str, int]] = {}
    for words, count in figures["should_keep_quiet"].items():
        kind, what = words.rsplit(": ", 1)
        kinds.setdefault(kind, {})[what] = count
    return {kind: HitCount(c.get("acted", 0), sum(c.values())) for kind, c in kinds.items()}


def list_throw_rows(pairs: Sequence[tuple[Path, Path]]) -> list[BenchRow]:
    """Return the rows for throws: pairs of clip and truth."""
    scored = run_scorer("throws", [(truth, run_python(*WATCH_COMMAND, clip)) for clip, truth in pairs])
    counts = scored["throws"]
    right, stray = counts.get("right", 0), counts.get("stray", 0)
    found = HitCount(right, right + counts.get("wrong", 0) + counts.get("missed", 0))
    latest = scored["rest_to_event_ms_max"]
    median = scored["rest_to_event_ms_median"]
    return [
        BenchRow("throws: one right event each", str(found), "all", right == found.total, "-", "throws", found),
        BenchRow("stray events", str(stray), "none", stray == 0, "-", "stray_events", stray),
        BenchRow(
            "rest to event, ms: median, latest",
            f"{median}, {latest}",
            "<= 400",
            latest is not None and latest <= 400,
            name="latest_event_ms",
            figure=latest or 0.0,
        ),
    ]


def _percent(count: HitCount) -> str:
    return f"{100 * count.share:.1f} %" if count.total else "-"


def print_table(title: str, rows: Iterable[BenchRow]) -> None:
    """Print rows under a title."""
    print(f"{title}\n{'':<44}{'companion':<44}{'target':<26}{'reached':<9}blobs")
    for row in rows:
        reached = "" if row.reached is None else "yes" if row.reached else "NO"
        print(f"  {row.label:<42}{row.ours:<44}{row.target:<26}{reached:<9}{row.baseline}")
    print(flush=True)
