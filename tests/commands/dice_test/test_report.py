"""What a test says about a die: verdicts, the reader's error, the lines and the file."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from companion.commands.dice_test.report import CSV_COLUMNS, format_p, format_report, judge, write_csv
from companion.commands.dice_test.throws import ThrowCounter
from companion.dice_statistics import compute_evenness
from companion.events import DiceRead

FAIR = (33, 34, 33, 33, 33, 34)
LOADED = (29, 28, 29, 28, 29, 57)


def count(*throws: int, entered: bool = False) -> ThrowCounter:
    counter = ThrowCounter(6, 1000)
    for face in throws:
        if entered:
            counter.handle_keys(str(face))
        else:
            counter.handle_event(DiceRead((face,), 0.97, 0.0))
    return counter


@pytest.mark.parametrize(
    ("counts", "read", "verdict"),
    [
        (FAIR, 0, "Nothing speaks against this die."),
        (LOADED, 0, "This die is not fair: it shows 6 too often, or the others too seldom."),
        ((10, 10, 10, 60, 60, 50), 200, "This die is not fair: it shows 4 and 5 too often"),
        ((46, 24, 40, 24, 38, 28), 0, "In doubt: 1 came often and 2 and 4 seldom, as in one test of a fair die in 41."),
        ((1, 2, 3, 4, 5, 14), 0, "Too early to tell: throw it 30 times at least"),
    ],
)
def test_the_verdict_follows_from_the_counts(counts: tuple[int, ...], read: int, verdict: str) -> None:
    judged = judge(counts, read)
    assert judged.text.startswith(verdict)
    assert judged.p == compute_evenness(counts)[0]


def test_misread_throws_can_take_a_verdict_back() -> None:
    """The counts are the same; only how many of them the camera read differs."""
    counts = (48, 28, 26, 36, 20, 42)
    entered, read = judge(counts, 0), judge(counts, 200)
    assert entered.p == read.p < 0.01
    assert entered.text.startswith("This die is not fair")
    assert read.text.startswith("This die is probably not fair")
    assert "--table keyboard" in read.text
    assert (entered.misread, entered.fairest_p, entered.unfairest_p) == (0, entered.p, entered.p)
    assert read.unfairest_p < read.p < 0.01 < read.fairest_p
    assert read.misread == 3


def test_a_die_that_looks_fair_may_hide_behind_misread_throws() -> None:
    counts = (38, 28, 31, 40, 30, 33)
    assert judge(counts, 0).text == "Nothing speaks against this die."
    assert judge(counts, 200).unfairest_p < judge(counts, 200).p
    odd = judge((30, 47, 30, 22, 36, 35), 200)
    assert odd.unfairest_p < 0.01
    assert odd.text.startswith("Nothing speaks against this die. An unfair die could hide")


def test_the_report_has_counts_intervals_and_the_readers_error() -> None:
    counter = count(*[face for face in range(1, 7) for _ in range(10)])
    counter.handle_event(DiceRead((2,), 0.5, 0.0))
    counter.handle_keys("3")
    counter.handle_event(DiceRead((2,), 0.5, 0.0))
    counter.handle_keys("x")
    lines = format_report(counter).splitlines()
    assert "61 throws: 60 read by the camera, 1 entered; 1 left out." in lines
    rows = {line.split()[0]: line for line in lines if line.strip()[:1].isdigit() and "%" in line and "to" in line}
    assert [int(rows[str(face)].split()[1]) for face in range(1, 7)] == [10, 10, 11, 10, 10, 10]
    text = " ".join(lines)
    assert "Nothing speaks against this die." in text
    assert "it misread 1 (0.1 %, interval 0.0 to 0.4 %" in text
    assert "Of these 60 throws it may have misread up to 2" in text
    assert "p = 1.00 (exact" in text
    assert "simulated" not in text


def test_without_a_camera_there_is_no_readers_error() -> None:
    text = format_report(count(1, 2, 3, 4, 5, 6, entered=True))
    assert "camera's own error" not in text
    assert "0 read by the camera, 6 entered." in text


def test_a_simulated_table_says_how_many_readings_were_wrong() -> None:
    counter = count(1, 2, 3)
    counter.handle_keys("5")
    assert "of the 3 readings 0 were wrong" in format_report(counter, [1, 2, 3, 5])
    assert "of the 3 readings 1 were wrong" in format_report(counter, [1, 2, 6, 5])


@pytest.mark.parametrize(
    ("p", "text"),
    [
        (1.0, "1.00"),
        (0.382, "0.38"),
        (0.0499, "0.050"),
        (0.0123, "0.012"),
        (0.004, "0.004"),
        (0.000012, "0.000012"),
        (1e-9, "less than 0.0000001"),
        (0.0, "less than 0.0000001"),
    ],
)
def test_probabilities_are_written_for_people(p: float, text: str) -> None:
    assert format_p(p) == text


def test_all_throws_stand_in_the_file(tmp_path: Path) -> None:
    counter = count(4, 2)
    counter.handle_event(DiceRead((2, 6), 0.8, 0.0))
    counter.handle_keys("6")
    counter.handle_event(DiceRead((1,), 0.5, 0.0))
    counter.finish()
    path = tmp_path / "throws.csv"
    path.write_text("from before")
    write_csv(counter, path)
    rows = list(csv.reader(path.read_text().splitlines()))
    assert tuple(rows[0]) == CSV_COLUMNS
    assert rows[1:] == [
        ["1", "4", "camera", "4", "0.9700"],
        ["2", "2", "camera", "2", "0.9700"],
        ["3", "6", "entered", "2 6", "0.8000"],
        ["", "", "left out", "1", "0.5000"],
    ]
