"""Each comment that silences a linter, mypy or the coverage gives its reason at the line."""

from __future__ import annotations

import io
import re
import tokenize

import pytest

from tests.conftest import REPOSITORY

SILENCER = re.compile(r"#\s*(noqa|type:\s*ignore|pragma:\s*no cover)")
REASONED = re.compile(r"# (noqa: [A-Z]+\d+(, [A-Z]+\d+)*|type: ignore\[[\w, -]+\]|pragma: no cover)( - |  # )\w.*")
FOLDERS = ("companion", "hardware", "tests", "tools", "systemd", "firmware_notes", "examples")


def list_silencers(text: str) -> list[str]:
    if not SILENCER.search(text):
        return []
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return [token.string for token in tokens if token.type == tokenize.COMMENT and SILENCER.match(token.string)]


def test_each_silencer_gives_its_reason() -> None:
    files = [path for folder in FOLDERS for path in sorted((REPOSITORY / folder).rglob("*.py"))]
    assert len(files) > 1000
    wrong = [
        f"{path.relative_to(REPOSITORY)}: {comment}"
        for path in files
        for comment in list_silencers(path.read_text("utf-8"))
        if not REASONED.fullmatch(comment)
    ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("comment", ["# noqa", "# noqa: B018", "# type: ignore[arg-type]", "# pragma: no cover"])
def test_one_without_a_reason_is_found(comment: str) -> None:
    (found,) = list_silencers(f"go()  {comment}\n")
    assert not REASONED.fullmatch(found)
    (reasoned,) = list_silencers(f"go()  {comment}  # it is slow\n")
    assert bool(REASONED.fullmatch(reasoned)) is (comment != "# noqa")
