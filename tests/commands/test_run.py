"""`companion run`: names and combinations of options are checked before anything is opened.

A whole run without a window: test_run_headless.py.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.cli import main

HEADLESS = ("run", "--headless")


@pytest.fixture(autouse=True)
def own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Settings and data of this test only; a refused command leaves nothing behind."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))


def run_refused(*words: str) -> int | str | None:
    """Return the exit status of a command line that is refused, by argparse or by the command."""
    try:
        return main(words)
    except SystemExit as error:
        return error.code


@pytest.mark.parametrize(
    ("names", "reason"),
    [
        (["Ada", "Ada"], "Ada is named twice"),
        (["Ada", " Ada "], "Ada is named twice"),
        (["Ada", "B" * 41], "at most 40 letters"),
        (["Ada", "B\x1b[2J"], "'B\\x1b[2J'"),
        (["Zoe\u0308", "ZO\u00cb"], "is named twice"),
        (["Ada", "A\u202eda\u200b"], "Ada is named twice"),
        (["Ada", "\u0645\u0631"], "'\u0645\u0631' has letters that cannot be shown on the screen"),
        (["Ada", "B\udcff"], "'B\\udcff'"),  # bytes of the command line that are not UTF-8
        (["Ada", ""], "is empty"),
        (["Ada", "  "], "is empty"),
    ],
)
@pytest.mark.parametrize("options", [HEADLESS, ("run",)])
def test_names_that_no_game_can_use_are_refused(
    capsys: pytest.CaptureFixture[str], options: tuple[str, ...], names: list[str], reason: str
) -> None:
    assert run_refused(*options, "--players", *names) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert reason in err
    assert "\x1b" not in err


@pytest.mark.parametrize("options", [HEADLESS, ("run",)])
def test_more_players_than_can_play_are_refused(capsys: pytest.CaptureFixture[str], options: tuple[str, ...]) -> None:
    assert run_refused(*options, "--players", *"ABCDEFG") == 2
    assert "6 players, not 7" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ((*HEADLESS, "--table", "real"), "--table real"),
        ((*HEADLESS, "--table", "keyboard"), "--table keyboard"),
        ((*HEADLESS, "--camera", "1"), "--camera"),
        (("run", "--camera", "1"), "--table real"),
        (("run", "--table", "keyboard", "--camera", "1"), "--table real"),
        (("run", "--shots", "pictures"), "--headless"),
    ],
)
def test_options_that_would_have_no_effect_are_refused(
    capsys: pytest.CaptureFixture[str], words: tuple[str, ...], reason: str
) -> None:
    assert run_refused(*words) == 2
    assert reason in capsys.readouterr().err


@pytest.mark.parametrize("seed", ["1000000001", "-1000000001", "9" * 5000, "one"])
def test_a_seed_that_the_journal_cannot_store_is_refused(capsys: pytest.CaptureFixture[str], seed: str) -> None:
    assert run_refused(*HEADLESS, "--seed", seed) == 2
    err = capsys.readouterr().err
    assert "-1000000000 to 1000000000" in err
    assert len(err) < 2000
