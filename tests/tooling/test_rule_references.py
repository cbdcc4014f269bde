"""Rule numbers cited in the code of a game stand in docs/rules."""

from __future__ import annotations

import re

import pytest

from tests.conftest import REPOSITORY

PREFIXES = {
    "game_files": "G",
    "macroscope": "MVDA",
    "memo_dice": "DA",
    "pictomania": "PVA",
    "score_keeper": "K",
    "secret_number": "SA",
    "starfall": "FA",
}


FOLDERS = {"game_files": "game_file"}
"""Folders of the games that have another name than the page of their rules."""


@pytest.mark.parametrize("game", PREFIXES)
def test_cited_rules_are_documented(game: str) -> None:
    documented = set(re.findall(r'<a id="([a-z]\d+)">', (REPOSITORY / f"docs/rules/{game}.md").read_text("utf-8")))
    folder = REPOSITORY / "companion/games" / FOLDERS.get(game, game)
    code = "\n".join(path.read_text("utf-8") for path in folder.rglob("*.py"))
    cited = {number.lower() for number in re.findall(rf"\b([{PREFIXES[game]}]\d{{1,2}})\b", code)}
    assert cited, "the code cites rules"
    assert cited <= documented
