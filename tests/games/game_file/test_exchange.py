"""Own games on their way: in a folder with picture and translations, and by a USB stick."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.api import registry
from companion.cli import main
from companion.games.game_file.definition import load_definition
from companion.games.game_file.exchange import GameNameTaken, store_game, swap_games
from companion.i18n import set_language

GOLF = """
name = "golf"
title = "Golf"
players_min = 2
players_max = 4
author = "AUTHOR"
version = "VERSION"
rules = ["Nine holes."]

[points]
rounds = 9

[[points.entries]]
id = "strokes"
name = "strokes"
"""


@pytest.fixture(autouse=True)
def _no_folder_and_english() -> Iterator[None]:
    yield
    registry.use_game_folder(None)
    set_language("en")


def write(folder: Path, version: str = "", author: str = "Ada", name: str = "golf") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.toml"
    text = GOLF.replace("AUTHOR", author).replace("VERSION", version).replace('"golf"', f'"{name}"')
    path.write_text(text, encoding="utf-8")
    return path


def test_a_folder_has_translations_and_a_picture_beside_the_file(tmp_path: Path) -> None:
    path = write(tmp_path / "gift")
    path.with_name("golf.it.toml").write_text('"Nine holes." = "Nove buche."\n"odd" = "x"\n', encoding="utf-8")
    path.with_name("golf.es.toml").write_text("no TOML", encoding="utf-8")
    path.with_suffix(".png").write_bytes(b"picture")
    own = tmp_path / "own"
    assert main(["rules", "--data", str(tmp_path), "--import", str(path.parent)]) == 0
    store_game(path, own)
    assert sorted(each.name for each in own.iterdir()) == ["golf.es.toml", "golf.it.toml", "golf.png", "golf.toml"]
    registry.use_game_folder(own)
    assert "golf" in registry.list_game_names()
    assert "golf.it" not in registry.list_game_names()
    definition = load_definition(own / "golf.toml")
    set_language("it")
    assert definition.explain_ending(definition.settings_model()) == "Nove buche. (Golf, di Ada)"


def test_two_of_one_name_are_told_apart(tmp_path: Path) -> None:
    own = tmp_path / "own"
    store_game(write(tmp_path / "a"), own)
    store_game(write(tmp_path / "a", version="1.1"), own)
    with pytest.raises(GameNameTaken, match=r"another game golf: Golf, by Ada, version 1\.1"):
        store_game(write(tmp_path / "b", author="Bob"), own)
    with pytest.raises(GameNameTaken, match="there is a game yacht already"):
        store_game(write(tmp_path / "b", name="yacht"), own)
    assert "Ada" in (own / "golf.toml").read_text("utf-8")


def test_a_stick_brings_games_and_takes_the_own_ones(tmp_path: Path) -> None:
    own, stick, other = tmp_path / "own", tmp_path / "stick", tmp_path / "other"
    assert "No USB stick" in swap_games(own, [])
    store_game(write(tmp_path / "a", version="1.0"), own)
    write(stick, name="tarot")
    (stick / "pyproject.toml").write_text("[project]\n", encoding="utf-8")
    assert swap_games(own, [stick]) == "New here: Golf. 1 game is new on the stick."
    assert sorted(each.name for each in own.iterdir()) == ["golf.toml", "tarot.toml"]
    assert swap_games(other, [stick]) == "New here: Golf and Golf. 0 games are new on the stick."
    assert swap_games(other, [stick]).startswith("Nothing new for this device.")


def test_of_two_versions_the_higher_one_stays_on_both_sides(tmp_path: Path) -> None:
    own, stick = tmp_path / "own", tmp_path / "stick"
    store_game(write(tmp_path / "a", version="1.9"), own)
    write(stick / "companion-games", version="1.10")
    swap_games(own, [stick])
    assert 'version = "1.10"' in (own / "golf.toml").read_text("utf-8")
    store_game(write(tmp_path / "a", version="2"), own)
    swap_games(own, [stick])
    assert 'version = "2"' in (stick / "companion-games" / "golf.toml").read_text("utf-8")


def test_wrong_files_and_other_authors_are_named_and_nothing_is_lost(tmp_path: Path) -> None:
    own, stick = tmp_path / "own", tmp_path / "stick"
    store_game(write(tmp_path / "a"), own)
    write(stick, author="Bob", version="9")
    assert "another game golf" in swap_games(own, [stick])
    assert "Ada" in (own / "golf.toml").read_text("utf-8")
    (stick / "golf.toml").write_text(GOLF.replace("players_max = 4", "players_max = 9"), encoding="utf-8")
    assert "golf.toml, line 5" in swap_games(own, [stick])
