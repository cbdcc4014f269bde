"""The nightly run: results, reasons and limits in its table, and that what it calls exists."""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

import make_image
import nightly
import pytest
from nightly import SKIPPED_STATUS, STEPS, NightlyStep, Result, run_step

from tests.conftest import REPOSITORY

REPORT = """<testsuites><testsuite>
<testcase name="a"/><testcase name="b">{}</testcase>
</testsuite></testsuites>"""


def make_step(name: str, *programs: str, limit_minutes: float = 1.0) -> NightlyStep:
    """A step of Python programs; the report is their only argument."""
    return NightlyStep(name, tuple((sys.executable, "-c", text, "{report}") for text in programs), limit_minutes)


def write_report(content: str) -> str:
    return f"import sys; open(sys.argv[1], 'w').write({REPORT.format(content)!r})"


@pytest.mark.parametrize(
    ("programs", "outcome", "remark"),
    [
        (("print('all well')",), "passed", "all well"),
        (("import sys; sys.exit('no compiler')", "print('never')"), "failed", "no compiler"),
        ((f"import sys; print('needs root'); sys.exit({SKIPPED_STATUS})",), "skipped", "needs root"),
        ((write_report(""),), "passed", "2 tests"),
        ((write_report('<skipped message="no camera"/>'),), "passed", "2 tests; 1 skipped: no camera"),
        ((write_report("<failure/>") + "; sys.exit(1)",), "failed", "2 tests; 1 failed: b"),
        ((write_report("") + "; sys.exit(3)",), "failed", "2 tests"),
    ],
)
def test_result_of_a_step(programs: tuple[str, ...], outcome: str, remark: str, tmp_path: Path) -> None:
    result = run_step(make_step("step", *programs), tmp_path)
    assert (result.outcome, result.remark) == (outcome, remark)


def test_step_whose_tests_are_all_skipped_is_skipped(tmp_path: Path) -> None:
    report = tmp_path / "report.xml"
    report.write_text('<testsuite><testcase name="a"><skipped message="no rig"/></testcase></testsuite>')
    assert nightly.read_report(report) == ("skipped", "1 tests; 1 skipped: no rig")


def test_step_beyond_its_limit_is_stopped(tmp_path: Path) -> None:
    result = run_step(make_step("step", "import signal; signal.pause()", limit_minutes=0.0), tmp_path)
    assert (result.outcome, result.remark) == ("failed", "stopped after 0 minutes")


def test_old_report_is_not_read_again(tmp_path: Path) -> None:
    run_step(make_step("step", write_report("")), tmp_path)
    assert run_step(make_step("step", "import sys; sys.exit(2)"), tmp_path).remark == ""


def test_step_with_an_obstacle_does_not_run(tmp_path: Path) -> None:
    step = NightlyStep("step", (("false",),), 1.0, lambda: "needs root")
    assert run_step(step, tmp_path) == Result("step", "skipped", 0.0, "needs root")


def test_table_has_a_row_for_each_step_and_a_failure_ends_with_status_1(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    steps = (make_step("good", "print('well')"), make_step("bad", "import sys; sys.exit('broken')"))
    assert nightly.main(["good"], steps, tmp_path) == 0
    assert re.search(r"(?m)^good +passed +0:\d\d  well\nbad +skipped +0:00  not chosen$", capsys.readouterr().out)
    assert nightly.main([], steps, tmp_path) == 1
    assert re.search(r"(?m)^bad +failed +0:\d\d  broken$", capsys.readouterr().out)


def test_everything_that_is_called_exists() -> None:
    makefile = (REPOSITORY / "Makefile").read_text(encoding="utf-8")
    for step in STEPS:
        for program, target, *_ in step.commands:
            assert (program == "make" and f"\n{target}:\n" in makefile) or (REPOSITORY / target).is_file()
        for path in re.findall(r"tests/[\w./]+", " ".join(word for command in step.commands for word in command)):
            assert (REPOSITORY / path).exists()
    for path in re.findall(r"\btests/[\w./]+", makefile.replace("tests/...", "")):
        assert (REPOSITORY / path).exists(), path


@pytest.mark.parametrize("words", [c[2] for step in STEPS for c in step.commands if c[:2] == ("make", "image")])
def test_command_line_of_the_card_image_is_accepted(words: str) -> None:
    make_image.build_parser().parse_args(words.removeprefix("ARGS=").split())


def test_names_that_training_uses_are_checked_by_the_type_checker() -> None:
    """Its tests run nightly: a name of the companion that is not there any more is found by `make lint`."""
    mypy = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["mypy"]
    folder = REPOSITORY / "tools" / "training"
    users = {
        file.relative_to(folder).parts[0]
        for file in folder.rglob("*.py")
        if re.search(r"(?m)^ *from (companion|hardware)", file.read_text(encoding="utf-8"))
    }
    assert {"train_dice", "train_digits", "train_symbol_dice"} == users
    assert users <= set(mypy["packages"])
    unchecked = {code for each in mypy["overrides"] for code in each.get("disable_error_code", ())}
    assert unchecked
    assert not unchecked & {"attr-defined", "call-arg", "name-defined"}


def test_missing_programs_are_named() -> None:
    assert nightly.describe_missing((sys.executable, "no-such-program")) == "not installed: no-such-program"
    assert nightly.describe_missing((sys.executable,)) == ""
