"""Write the man page and the completion of bash and zsh from the parser, into docs/share/ (`make manual`).

    python tools/write_manual.py [FOLDER]

The files are kept in the repository, so that completing a word does not start Python. They are laid out as below /usr.
"""

from __future__ import annotations

import os
import re
import sys
from argparse import Action, ArgumentParser
from collections.abc import Iterator
from pathlib import Path

os.environ["COLUMNS"] = "70"  # width of the usage lines

import shtab
from argparse_manpage.manpage import Manpage

from companion import __version__
from companion.cli import build_parser

FILE_BY_SHELL = {"bash": "bash-completion/completions/companion", "zsh": "zsh/site-functions/_companion"}
"""The files where each shell looks for the completion of `companion`, below docs/share/."""
MAN_PAGE = "man/man1/companion.1"


def list_actions(parser: ArgumentParser) -> Iterator[Action]:
    """Yield the arguments of a parser and of its commands."""
    for action in parser._actions:
        yield action
        if isinstance(action.choices, dict):
            for command in action.choices.values():
                yield from list_actions(command)


def format_man_page(parser: ArgumentParser) -> str:
    """Return the man page, with usage lines and examples broken as they are in the help."""
    page = re.sub(r"\A\.TH .*", f'.TH COMPANION 1 "" "companion {__version__}" "User Commands"', str(Manpage(parser)))
    name = r"companion \\- play physical board games with a screen, buttons and a camera"
    page = re.sub(r"(?<=\.SH NAME\n).*", name, page)
    page = re.sub(r"^usage: (?:.+\n)+", r".nf\n\g<0>.fi\n", page, flags=re.MULTILINE)
    page = re.sub(r"\.SH COMMENTS\nexamples:\n((?:.+\n)+)", r".SH EXAMPLES\n.nf\n\1.fi\n", page)
    return re.sub(r" +$", "", page, flags=re.MULTILINE).rstrip("\n") + "\n"


def main(folder: Path) -> None:
    """Write the files.

    Args:
        folder: docs/share/ of the repository, or another folder.

    Raises:
        OSError: a file cannot be written.
    """
    os.environ["HOME"] = "/root"  # any: the help shortens it to "~"
    os.environ.pop("XDG_DATA_HOME", None)
    parser = build_parser()
    for action in list_actions(parser):
        words = set(str(action.metavar).split("|"))
        if words & {"FILE", "PATH"}:
            action.complete = shtab.FILE  # type: ignore[attr-defined]  # read by shtab
        elif words & {"FOLDER", "DIR"}:
            action.complete = shtab.DIRECTORY  # type: ignore[attr-defined]  # read by shtab
    texts = {file: shtab.complete(parser, shell) for shell, file in FILE_BY_SHELL.items()}
    texts[MAN_PAGE] = format_man_page(parser)
    for name, text in texts.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "docs/share"))
