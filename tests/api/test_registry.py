"""Finding games by their entry points: those of other distributions too, and those that cannot be loaded."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from importlib.metadata import EntryPoint, EntryPoints
from pathlib import Path

import pytest

from companion.api import API_VERSION, registry
from companion.api.contract_version import format_version
from companion.api.registry import UnknownGame, find_game, list_game_names, load_games
from companion.games.macroscope import GAME

MACROSCOPE = "companion.games.macroscope:GAME"
HERE = format_version(API_VERSION)
NO_VERSIONS: Mapping[str, str] = {}


@pytest.fixture(autouse=True)
def _read_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    monkeypatch.setattr(registry, "SHIPPED_GAME_FOLDER", tmp_path / "no files")
    forget_entry_points()
    yield
    forget_entry_points()


def forget_entry_points() -> None:
    registry._read_entry_points.cache_clear()
    registry._read_stated_versions.cache_clear()
    registry._list_game_files.cache_clear()


def install(monkeypatch: pytest.MonkeyPatch, versions: Mapping[str, str] = NO_VERSIONS, **points: str) -> None:
    """Let these entry points, by name, be the installed games, of packages that state these versions."""
    games = [EntryPoint(name, value, registry.ENTRY_POINT_GROUP) for name, value in points.items()]
    stated = [EntryPoint(number, package, registry.API_ENTRY_POINT_GROUP) for package, number in versions.items()]
    found = EntryPoints((*games, *stated))
    monkeypatch.setattr(registry, "entry_points", lambda group: found.select(group=group))


def test_the_five_games_are_found_in_alphabetical_order() -> None:
    names = ("macroscope", "memo_dice", "pictomania", "score_keeper", "secret_number", "starfall")
    assert tuple(name for name in list_game_names() if name in names) == names
    assert find_game("macroscope") is GAME


def test_a_game_that_is_not_there_is_named_with_those_that_are(monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch, tally="nowhere:GAME", chess="nowhere:GAME")
    with pytest.raises(UnknownGame, match=r"^there is no game 'go' here; there are: chess, tally$"):
        find_game("go")
    install(monkeypatch)
    forget_entry_points()
    with pytest.raises(UnknownGame, match=r"^there is no game 'go' here; there are: none$"):
        find_game("go")


def test_what_is_no_game_or_calls_itself_otherwise_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch, {"math": HERE}, chess=MACROSCOPE, sum="math:pi")
    with pytest.raises(UnknownGame, match=r"game 'chess', calls itself 'macroscope'$"):
        find_game("chess")
    with pytest.raises(UnknownGame, match=r"^math:pi, installed as the game 'sum', is no game$"):
        find_game("sum")


def test_a_game_that_cannot_be_loaded_is_logged_and_left_out(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    install(monkeypatch, {"nowhere_to_be_found": HERE}, macroscope=MACROSCOPE, broken="nowhere_to_be_found:GAME")
    with caplog.at_level(logging.WARNING, "companion"):
        assert load_games() == (GAME,)
    assert "The game broken cannot be loaded: No module named 'nowhere_to_be_found'" in caplog.text


@pytest.mark.parametrize(
    ("versions", "why"),
    [
        ({"nowhere_to_be_found": "9.0"}, "is written for version 9.0 of companion.api, this companion has"),
        ({"nowhere_to_be_found": "0.9"}, "install a newer nowhere_to_be_found"),
        ({"another_package": HERE}, "nowhere_to_be_found does not state for which version"),
    ],
)
def test_a_game_for_another_version_is_left_out_without_being_imported(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, versions: Mapping[str, str], why: str
) -> None:
    install(monkeypatch, versions, macroscope=MACROSCOPE, other="nowhere_to_be_found.games:GAME")
    with caplog.at_level(logging.WARNING, "companion"):
        assert load_games() == (GAME,)
    assert why in caplog.text
    assert "No module" not in caplog.text
    with pytest.raises(registry.UnsupportedPlugin):
        find_game("other")
