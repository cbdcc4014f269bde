"""The man page and completions in docs/share/ have all commands and options of the parser (`make manual`)."""

from __future__ import annotations

import re
import shutil
import subprocess

import pytest

from companion.cli import COMMANDS, build_parser
from tests.conftest import REPOSITORY

SHARE = REPOSITORY / "docs" / "share"
FILES = ("man/man1/companion.1", "bash-completion/completions/companion", "zsh/site-functions/_companion")


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("name", FILES)
def test_every_option_of_the_parser_is_there(name: str, command: str, capsys: pytest.CaptureFixture[str]) -> None:
    text = (SHARE / name).read_text(encoding="utf-8").replace("\\", "")
    with pytest.raises(SystemExit):
        build_parser([command]).parse_args([command, "--help"])
    options = set(re.findall(r"--[a-z][a-z-]*", capsys.readouterr().out))
    assert options - set(re.findall(r"--[a-z][a-z-]*", text)) == set(), "run make manual"
    assert command in text


def test_no_path_of_the_machine_that_wrote_them() -> None:
    for name in FILES:
        assert not re.search(r"/(root|home|tmp)/", (SHARE / name).read_text(encoding="utf-8"))


def test_bash_completes_commands_and_options() -> None:
    script = """source "$1"; shift; complete -p companion >/dev/null
    COMP_WORDS=(companion "$@"); COMP_CWORD=$#; _shtab_companion companion "${!#}" "${@: -2:1}"
    printf '%s\\n' "${COMPREPLY[@]}" """

    def complete(*words: str) -> list[str]:
        command = ["bash", "-c", script, "-", str(SHARE / FILES[1]), *words]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()

    assert complete("hist") == ["history"]
    assert complete("run", "--ta") == ["--table"]
    assert "keyboard" in complete("run", "--table", "")


@pytest.mark.skipif(shutil.which("groff") is None, reason="groff is not here")
def test_the_man_page_is_formatted_without_warnings() -> None:
    done = subprocess.run(
        ["groff", "-man", "-Tutf8", "-ww", SHARE / FILES[0]], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "headless --seed 7" in done.stdout
