"""The shelf of games: a title picture for each game, and cells that can be touched in place of their keys."""

from __future__ import annotations

from pathlib import Path

import pygame
import pytest

from companion.api.registry import find_game, list_game_names, use_game_folder
from companion.display import Screen
from companion.display.toolkit import Canvas
from companion.display.widgets.cover import GENRE_PREFIX, TABLE_RGBS, draw_cover, has_cover
from companion.events import SEAT_BUTTONS
from companion.gallery.lobby import build_samples
from companion.screen_state import GameCover, Menu, ScreenKind, ScreenState
from companion.testing.screens import build_states

BOX = pygame.Rect(0, 0, 160, 90)
SHIPPED = [name for name in list_game_names() if find_game(name).locale_package == "companion"]


def draw(canvas: Canvas, game: str) -> bytes:
    draw_cover(canvas, BOX, game)
    return pygame.image.tobytes(canvas.surface.subsurface(BOX), "RGB")


def test_every_game_that_comes_with_the_companion_has_a_picture() -> None:
    assert len(SHIPPED) >= 38
    assert [name for name in SHIPPED if not has_cover(name)] == []
    assert not has_cover("of_another_package")


def test_games_of_a_genre_lie_on_tables_of_several_colours() -> None:
    canvas = Canvas((800, 480))
    tricks = [name for name in SHIPPED if find_game(name).genre == "tricks"]
    pictures = {draw(canvas, name) for name in tricks}
    assert 3 <= len(pictures) <= len(TABLE_RGBS)
    assert draw(canvas, tricks[0]) == draw(canvas, tricks[0])
    named = {draw(canvas, f"score_keeper: {name}") for name in ("Rummy", "Uno", "Boules", "Chess")}
    assert len(named) > 1


def test_a_game_without_a_picture_is_an_empty_table() -> None:
    canvas = Canvas((800, 480))
    assert len(set(draw(canvas, "of_another_package"))) > 3
    draw_cover(canvas, pygame.Rect(0, 0, 0, 10), "macroscope")  # no room: nothing


def test_own_files_have_the_picture_beside_them_or_that_of_their_genre(tmp_path: Path) -> None:
    text = find_game("rummy").settings_model().model_dump()["file"]
    for name in ("own_a", "own_b"):
        (tmp_path / f"{name}.toml").write_text(text.replace('name = "rummy"', f'name = "{name}"'), encoding="utf-8")
    red = pygame.Surface((16, 9))
    red.fill("red")
    pygame.image.save(red, tmp_path / "own_a.png")
    (tmp_path / "own_b.png").write_bytes(b"no picture")
    use_game_folder(tmp_path)
    try:
        canvas = Canvas((800, 480))
        assert draw(canvas, "own_a") == bytes((255, 0, 0)) * (BOX.w * BOX.h)
        assert has_cover("own_b")
    finally:
        use_game_folder(None)


def test_genres_of_files_have_pictures() -> None:
    from companion.display.toolkit import list_art_names
    from companion.games.game_file.model import GameFile

    (literal, _none) = GameFile.model_fields["genre"].annotation.__args__
    assert {GENRE_PREFIX + genre for genre in literal.__args__} | {f"{GENRE_PREFIX}table"} == {
        name for name in list_art_names() if name.startswith(GENRE_PREFIX)
    }


@pytest.mark.parametrize("size", [(800, 480), (480, 800)])
def test_each_game_of_the_shelf_can_be_touched(size: tuple[int, int]) -> None:
    screen = Screen(size)
    state = build_states(build_samples)["games"]
    assert state.menu is not None
    screen.render(state)
    areas = screen.canvas.regions["main"].touch_areas
    assert [button for _rect, button in areas] == list(SEAT_BUTTONS[: len(state.menu.items)])
    assert all(not a.colliderect(b) for i, (a, _) in enumerate(areas) for b, _ in areas[:i])


@pytest.mark.parametrize("size", [(800, 480), (1920, 1080), (480, 800)])
@pytest.mark.parametrize(
    ("caption", "details"),
    [
        ("liest Würfel", ("2–6 Spieler", "125 min", "28. Sept.")),
        ("legge dadi", ("2–6 giocatori", "125 min", "28 set")),
    ],
)
def test_long_details_are_shown_whole(size: tuple[int, int], caption: str, details: tuple[str, ...]) -> None:
    covers = (GameCover("macroscope", caption),) * 6
    menu = Menu("Which game?", ("Mexican Train",) * 6, 0, numbered=6, details=(details,) * 6, covers=covers)
    screen = Screen(size)
    screen.render(ScreenState(ScreenKind.LOBBY, "macroscope", prompt="Which game?", menu=menu))
    texts = [drawn.text for drawn in screen.canvas.drawn_texts()]
    for text in (*details, "Mexican Train", caption):
        assert texts.count(text) == 6, (text, texts)
