"""The published figures: the tables of the documents are those of docs/results.json, and benchmarks can renew them."""

from __future__ import annotations

import json
import re
from pathlib import Path

import figures
import pytest
import results
from bench_reading import HitCount

from companion.dice_statistics import READER_DICE, READER_WRONG_DICE
from tests.conftest import REPOSITORY


@pytest.mark.parametrize("name", figures.PAGES)
def test_the_tables_of_a_page_are_those_of_the_results(name: str) -> None:
    page = (REPOSITORY / name).read_text(encoding="utf-8")
    assert figures.MARKED.search(page), "the page has a table"
    assert figures.fill_page(page, results.load_results()) == page, "run tools/figures.py"


def test_a_page_follows_a_changed_figure() -> None:
    page = (REPOSITORY / "README.md").read_text(encoding="utf-8")
    changed = results.load_results()
    changed["photographs_wrong"] |= results.describe_value(HitCount(60, 300))
    assert "20 % wrong" in figures.fill_page(page, changed)


def test_an_unknown_figure_or_table_is_an_error() -> None:
    with pytest.raises(KeyError):
        figures.fill_page("<!-- figures: nothing -->\n<!-- end of figures -->", results.load_results())
    known = results.load_results()
    del known["time_photograph_ms"]
    with pytest.raises(KeyError):
        figures.format_table("reading", known)


def test_each_figure_names_its_command_and_commit() -> None:
    for name, figure in results.load_results().items():
        assert figure["command"], name
        assert figure["commit"], name
        assert figure.get("data") in (None, "held out", "development"), name
        if "of" in figure:
            expected = results.describe_value(HitCount(figure["value"], figure["of"]))["interval"]
            assert figure["interval"] == expected, name


def test_the_commands_of_the_figures_start_what_exists() -> None:
    commands = "\n".join(figure["command"] for figure in results.load_results().values())
    paths = set(re.findall(r"(?:tests|tools)/[\w./]+", commands))
    assert paths
    assert not [path for path in paths if not (REPOSITORY / path).exists()]
    targets = re.findall(r"^([a-z][\w-]*):", (REPOSITORY / "Makefile").read_text("utf-8"), re.MULTILINE)
    assert set(re.findall(r"make ([\w-]+)", commands)) <= set(targets)


def test_a_benchmark_renews_its_own_figures_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "results.json"
    old = {"command": "x", "commit": "1"}
    results.write_results({"kept": {"value": 1.5} | old, "a_b": {"value": 2.0} | old}, path)
    results.record({"a, b": HitCount(3, 4)}, "make bench", "held out")
    assert "held out" not in path.read_text(encoding="utf-8"), "without the variable nothing is written"
    monkeypatch.setenv("COMPANION_RESULTS", str(path))
    results.record({"A, b": HitCount(3, 4)}, "make bench", "held out")
    written = json.loads(path.read_text(encoding="utf-8"))
    assert written["kept"] == {"value": 1.5} | old
    assert (written["a_b"]["value"], written["a_b"]["of"], written["a_b"]["data"]) == (3, 4, "held out")
    assert list(written) == ["a_b", "kept"], "sorted, so that a diff shows what changed"


def test_figures_are_shown_with_their_intervals() -> None:
    text = figures.FigureText(results.describe_value(HitCount(1, 145)))
    assert (str(text), text.count, text.percent) == ("1 of 145 = 0.7 % (0.1 to 3.8)", "1 of 145", "0.7 %")
    assert str(figures.FigureText(results.describe_value(HitCount(0, 147)))) == "0 of 147 (at most 2.5 %)"
    assert str(figures.FigureText(results.describe_value(HitCount(683, 683)))) == "683 of 683 (at least 99.4 %)"
    assert str(figures.FigureText({"value": 0.49, "interval": [0.45, 0.55]})) == "0.49 (0.45 to 0.55)"


def test_the_dice_test_counts_with_the_published_error_of_the_camera() -> None:
    figure = results.load_results()["photographs_dice"]
    assert (figure["of"] - figure["value"], figure["of"]) == (READER_WRONG_DICE, READER_DICE)
