"""Own games on their way: in a folder with picture and translations, and by a USB stick."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pygame
import pytest

from companion.api import registry
from companion.app import stage_flow
from companion.app.session import SessionConfig
from companion.app.stage_flow import StageFlow
from companion.app.stick_swap import swap_with_sticks
from companion.app.table_services import TableServices
from companion.cli import main
from companion.events import SEAT_BUTTONS, Button
from companion.games.game_file.definition import load_definition
from companion.games.game_file.exchange import STICK_FOLDER, GameNameTaken, store_game
from companion.games.game_file.reader import GameFileError
from companion.i18n import set_language
from companion.journal.database import Journal
from tests.lobby.presses import CLOCK, choose, choose_game, menu, press, screen

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


def write_picture(path: Path, size: tuple[int, int] = (16, 9)) -> Path:
    pygame.image.save(pygame.Surface(size), path)
    return path


def test_a_folder_has_translations_and_a_picture_beside_the_file(tmp_path: Path) -> None:
    path = write(tmp_path / "gift[1]")
    path.with_name("golf.it.toml").write_text('"Nine holes." = "Nove \\"buche\\"."\n', encoding="utf-8")
    path.with_name("golf.de.toml").write_text('"strokes" = "Schläge"\n', encoding="utf-8")
    write_picture(path.with_suffix(".png"))
    own = tmp_path / "own"
    assert main(["rules", "--data", str(tmp_path), "--import", str(path.parent)]) == 0
    store_game(path, own)
    assert sorted(each.name for each in own.iterdir()) == ["golf.png", "golf.toml"]
    definition = load_definition(own / "golf.toml")
    set_language("it")
    assert definition.explain_ending(definition.settings_model()) == 'Nove "buche". (Golf, di Ada)'


def test_texts_within_a_file_are_translated() -> None:
    set_language("de")
    assert registry.find_game("chess").translated_title == "Schach"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("no TOML", "golf.es.toml: not TOML: "),
        ('"Nine hole." = "x"', "golf.es.toml: translations.es: no text of this file is 'Nine hole.'; did you mean"),
        ('[points]\nrounds = "1"', "golf.es.toml: it has other lines than such as"),
    ],
)
def test_a_wrong_file_beside_is_named_and_nothing_is_stored(tmp_path: Path, text: str, why: str) -> None:
    path = write(tmp_path / "gift")
    path.with_name("golf.es.toml").write_text(text, encoding="utf-8")
    with pytest.raises(GameFileError, match=f"^{re.escape(why)}"):
        store_game(path, tmp_path / "own")
    assert not (tmp_path / "own").exists()


@pytest.mark.parametrize("size", [(1000, 600), (1, 60)])
def test_a_picture_that_is_too_large_is_refused(tmp_path: Path, size: tuple[int, int]) -> None:
    path = write(tmp_path / "gift")
    write_picture(path.with_suffix(".png"), size)
    with pytest.raises(GameFileError, match=r"^golf\.png: a title picture is a PNG file of at most"):
        store_game(path, tmp_path / "own")


def test_links_on_a_stick_lead_to_nothing(tmp_path: Path) -> None:
    own, stick, secret = tmp_path / "own", tmp_path / "stick", tmp_path / "secret"
    store_game(write(tmp_path / "a"), own)
    write(stick, name="tarot")
    (stick / "tarot.png").symlink_to(write_picture(tmp_path / "secret.png"))
    (stick / "tarot.it.toml").symlink_to(tmp_path / "a" / "golf.toml")
    (stick / "bridge.toml").symlink_to(write(tmp_path / "b", name="bridge"))
    secret.mkdir()
    (stick / STICK_FOLDER).symlink_to(secret)
    assert "The USB stick cannot be written to" in str(swap_with_sticks(own, None, [stick]))
    assert sorted(each.name for each in own.iterdir()) == ["golf.toml", "tarot.toml"]
    assert [*secret.iterdir()] == []


def test_games_of_others_and_unfinished_ones_stay_on_the_stick(tmp_path: Path) -> None:
    own, stick = tmp_path / "own", tmp_path / "stick"
    store_game(write(tmp_path / "a", version="2"), own)
    there = write(stick / STICK_FOLDER, version="1", author="Bob")
    assert "another game golf" in str(swap_with_sticks(own, None, [stick]))
    assert "Bob" in there.read_text("utf-8")
    there.write_text("unfinished", encoding="utf-8")
    swap_with_sticks(own, None, [stick])
    assert there.read_text("utf-8") == "unfinished"


def test_games_come_from_all_sticks_and_go_to_the_first(tmp_path: Path) -> None:
    own, first, second = tmp_path / "own", tmp_path / "first", tmp_path / "second"
    store_game(write(tmp_path / "a"), own)
    write_picture(own / "golf.png", (1, 60))  # it is left out
    first.mkdir()
    write(second / STICK_FOLDER, name="tarot")
    write(second, name="**")
    assert swap_with_sticks(own, None, [first, second])[0].startswith("New here: Golf. 1 game is new on the stick.")
    assert sorted(each.name for each in (first / STICK_FOLDER).iterdir()) == ["golf.toml"]


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
    assert "No USB stick" in str(swap_with_sticks(own, None, []))
    store_game(write(tmp_path / "a", version="1.0"), own)
    write(stick, name="tarot")
    (stick / "pyproject.toml").write_text("[project]\n", encoding="utf-8")
    assert swap_with_sticks(own, None, [stick]) == ("New here: Golf. 1 game is new on the stick.",)
    assert sorted(each.name for each in own.iterdir()) == ["golf.toml", "tarot.toml"]
    assert swap_with_sticks(other, None, [stick]) == ("New here: Golf and Golf. 0 games are new on the stick.",)
    assert swap_with_sticks(other, None, [stick])[0].startswith("Nothing new for this device.")


def test_of_two_versions_the_higher_one_stays_on_both_sides(tmp_path: Path) -> None:
    own, stick = tmp_path / "own", tmp_path / "stick"
    store_game(write(tmp_path / "a", version="1.9"), own)
    write(stick / "companion-games", version="1.10")
    swap_with_sticks(own, None, [stick])
    assert 'version = "1.10"' in (own / "golf.toml").read_text("utf-8")
    store_game(write(tmp_path / "a", version="2"), own)
    swap_with_sticks(own, None, [stick])
    assert 'version = "2"' in (stick / "companion-games" / "golf.toml").read_text("utf-8")


def test_wrong_files_and_other_authors_are_named_and_nothing_is_lost(tmp_path: Path) -> None:
    own, stick = tmp_path / "own", tmp_path / "stick"
    store_game(write(tmp_path / "a"), own)
    write(stick, author="Bob", version="9")
    assert "another game golf" in str(swap_with_sticks(own, None, [stick]))
    assert "Ada" in (own / "golf.toml").read_text("utf-8")
    (stick / "golf.toml").write_text(GOLF.replace("players_max = 4", "players_max = 9"), encoding="utf-8")
    assert "golf.toml, line 5" in str(swap_with_sticks(own, None, [stick]))


def test_games_are_swapped_by_buttons_and_what_cannot_be_used_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own, stick = tmp_path / "own", tmp_path / "stick"
    store_game(write(tmp_path / "a"), own)
    write_picture(write(stick, name="tarot").with_suffix(".png"))
    (stick / "tarot.it.toml").write_text('"strokes" = "colpi"\n', encoding="utf-8")
    (stick / "wrong.toml").write_text("players_max = 3\n", encoding="utf-8")
    (stick / STICK_FOLDER).mkdir()
    write(stick / STICK_FOLDER, author="Bob")
    registry.use_game_folder(own)
    monkeypatch.setattr(stage_flow, "find_usb_sticks", lambda: [stick])
    with Journal(tmp_path / "journal.sqlite3", wall=lambda: 0.0, monotonic=CLOCK) as journal:
        hearts = registry.find_game("hearts")
        config = SessionConfig(hearts, (), hearts.settings_model(), definitions=registry.load_games())
        flow = StageFlow(config, journal, TableServices(monotonic=CLOCK))
        lobby: Any = flow.stage
        press(lobby, SEAT_BUTTONS[0], SEAT_BUTTONS[1], Button.MINUS)
        choose(lobby, "Swap games")
        assert (menu(lobby).title, menu(lobby).items) == (
            "New here: Golf. 0 games are new on the stick.",
            (
                "wrong.toml: name is missing",
                "golf.toml: there is another game golf: Golf, by Ada",
            ),
        )
        press(lobby, Button.OK)
        assert screen(lobby).menu is None
        choose_game(lobby, "Golf")
        assert lobby.definition.name in ("golf", "tarot")
        (stick / "wrong.toml").unlink()
        (stick / STICK_FOLDER / "golf.toml").unlink()
        press(lobby, Button.MINUS)
        choose(lobby, "Swap games")
        assert screen(lobby).notice == "Nothing new for this device. 1 game is new on the stick."
    assert [each.name for each in (stick / STICK_FOLDER).iterdir()] == ["golf.toml"], "tarot lies there already"
    (other := tmp_path / "other").mkdir()
    swap_with_sticks(own, None, [other])
    assert sorted(each.name for each in (other / STICK_FOLDER).iterdir()) == ["golf.toml", "tarot.png", "tarot.toml"]
    assert '"strokes" = "colpi"' in (other / STICK_FOLDER / "tarot.toml").read_text("utf-8")


def test_a_game_is_not_given_beside_a_higher_version_at_the_top_of_the_stick(tmp_path: Path) -> None:
    own, stick = tmp_path / "own", tmp_path / "stick"
    store_game(write(tmp_path / "a", version="1"), own)
    write(stick, version="2")
    assert swap_with_sticks(own, None, [stick]) == ("New here: Golf. 0 games are new on the stick.",)
    assert not (stick / STICK_FOLDER).exists()
    write(stick, version="1")
    assert swap_with_sticks(own, None, [stick]) == ("Nothing new for this device. 1 game is new on the stick.",)
    assert 'version = "2"' in (stick / STICK_FOLDER / "golf.toml").read_text("utf-8")
