"""Players are renamed, two names become one player, and part again. By buttons: tests/lobby/test_history.py."""

from __future__ import annotations

import json
from pathlib import Path

from companion.journal.renamed_players import NAMES_FILE, PlayerNames


def test_a_wrong_new_name_of_a_player_is_ignored_and_said(tmp_path: Path) -> None:
    stored = {"Bob": "\u202eRobe\u0301rt", "Cid": "\u200b", "Dee": "D" * 41}
    (tmp_path / NAMES_FILE).write_text(json.dumps({"names": stored}), encoding="utf-8")
    names = PlayerNames(tmp_path)
    assert [names.resolve(name) for name in stored] == ["Rob\u00e9rt", "Cid", "Dee"]
    assert "names.Cid, names.Dee" in (names.store.problem or "")


def test_players_are_renamed_merged_and_parted(tmp_path: Path) -> None:
    names = PlayerNames(tmp_path)
    assert names.resolve("bob\u200b") == "bob"
    names.rename("Bob", "Robert")
    names.rename("Rob", "robert")
    assert [names.resolve(name) for name in ("BOB", "Rob", "robert")] == ["Robert"] * 3
    names.rename("Robert", "Bob")  # an earlier name again: all follow
    assert [names.resolve(name) for name in ("Bob", "Rob", "Robert")] == ["Bob"] * 3
    names = PlayerNames(tmp_path)
    assert names.list_others("Bob") == ("Rob", "Robert")
    names.separate("rob")
    assert (names.resolve("Rob"), names.list_others("Bob")) == ("Rob", ("Robert",))
    assert (tmp_path / NAMES_FILE).exists()


def test_summaries_have_the_latest_spelling() -> None:
    names = PlayerNames()
    names.rename("Cleo", "Ada")
    games = [{"players": ["ada", "Bob"]}, {"trouble": "none"}, {"players": ["Zo\u00eb", "ADA"]}, {"players": ["Cleo"]}]
    assert [game.get("players") for game in names.unify(games)] == [["Ada", "Bob"], None, ["Zo\u00eb", "Ada"], ["Ada"]]
