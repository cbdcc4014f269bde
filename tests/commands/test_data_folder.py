"""All commands look in the same data folder, whatever else is wrong in the settings."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

import pytest

from companion.cli import main
from companion.commands import run
from companion.commands.club import _find_database
from companion.commands.common import find_named_data_folder
from companion.commands.doctor.command import load_settings_or_defaults
from companion.config.settings import Settings
from companion.journal.database import JOURNAL_FILE

WRONG = {
    "nothing": "",
    "a key of a newer version": '[words]\nvoice = "anna"\n',
    "a section of a newer version": "[lights]\non = true\n",
    "a wrong value": "[display]\nturned = 45\n",
    "a line that is not TOML": "[table]\nkind = real\n",
    "a heading that is not TOML": "[table\ncamera = 2\n",
    "a game whose file was deleted": "[games.my_own_game]\nrounds = 3\n",
    "a rule that is not valid": "[games.macroscope]\nrounds = 900\n",
}


@pytest.mark.parametrize("wrong", WRONG)
def test_every_command_uses_the_same_data_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], wrong: str
) -> None:
    folder, file = tmp_path / "kept", tmp_path / "companion.toml"
    file.write_text(f'{WRONG[wrong]}[data]\nfolder = "{folder}"\n', encoding="utf-8")
    played: list[Path] = []

    def play(args: Namespace, settings: Settings, _problems: object) -> None:
        played.append(settings.find_data_folder(args.data))

    monkeypatch.setattr(run, "play_on_screen", play)
    assert main(["run", "--settings", str(file)]) == 0
    assert main(["history", "--settings", str(file)]) == 0
    monkeypatch.setenv("COMPANION_SETTINGS", str(file))
    assert main(["history"]) == 0
    assert capsys.readouterr().err.count(str(file)) == (3 if WRONG[wrong] else 0), "each names what is wrong"
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "nobody"))
    assert main(["run"]) == 0
    assert played == [folder, folder], "at a terminal and on an appliance"
    assert [path.name for path in tmp_path.glob(f"**/{JOURNAL_FILE}")] == [JOURNAL_FILE]
    assert (folder / JOURNAL_FILE).exists()
    assert find_named_data_folder(["history"]) == folder
    assert load_settings_or_defaults(Namespace(settings=None, data=None))[1] == folder
    assert f"{folder}/club." in _find_database(None, makes_folder=False)


def test_a_file_in_which_nothing_can_be_used_sends_no_command_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COMPANION_SETTINGS", str(tmp_path / "companion.toml"))
    (tmp_path / "companion.toml").write_text("[data\n", encoding="utf-8")
    for command in (["run"], ["history"], ["rules"], ["film", "1"]):
        assert main(command) == 2
        assert "not TOML" in capsys.readouterr().err
