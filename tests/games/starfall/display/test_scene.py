"""StarFall on the screen: every phase legible, nothing cut, no colour alone."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from itertools import combinations

import pygame
import pytest

from companion.display import Screen
from companion.display.toolkit.canvas import Canvas
from companion.display.toolkit.theme import BACKGROUND, DARK_PALETTE, INK, PIECE_RGB, contrast_ratio
from companion.display.toolkit.type_sizes import TEXT_EM, TITLE_EM
from companion.events import Button
from companion.gallery.fixtures import play_moves
from companion.games.starfall import StarFall
from companion.games.starfall.count_lines import COUNT_LINES
from companion.games.starfall.display import scoring
from companion.games.starfall.display.board import spread_in_two_rows, spread_on_ellipse
from companion.games.starfall.display.scene import StarFallScene
from companion.games.starfall.display.scoring import draw_score_table, score_line
from companion.games.starfall.samples import SYMBOL_COUNTS, build_samples, make_position
from companion.games.starfall.scoring import score_symbols
from companion.games.starfall.tile_catalogue import NEBULA_COLOURS
from companion.testing.screens import SampleStates, draw_texts, get_screen

SAMPLES = SampleStates(build_samples)
"""F35: the bonus for colours."""
SIZES = ((800, 480), (1920, 1080), (480, 800))


@pytest.mark.parametrize("size", SIZES, ids=lambda s: f"{s[0]}x{s[1]}")
def test_prices_of_the_tiles_on_the_board_have_the_size_of_titles(size: tuple[int, int]) -> None:
    # Twelve spaces with four players' points on the smallest screen: two digits are as large as text.
    for name, em in (("board", TITLE_EM), ("board_known", TITLE_EM), ("board_wide", TEXT_EM)):
        texts = draw_texts(SAMPLES[name], size)
        for space in SAMPLES[name].view.occupied_spaces:
            largest_px = max(text.em_px for text in texts if text.text == str(space))
            assert largest_px >= get_screen(size).canvas.px_at_least(em)


@pytest.mark.parametrize("spread", [spread_on_ellipse, spread_in_two_rows])
@pytest.mark.parametrize("count", [4, 7, 10, 12])
def test_the_spaces_stand_apart(count: int, spread: Callable[..., Sequence[tuple[float, float]]]) -> None:
    found = spread(count, 40, 20)
    assert len(found) == count
    gaps = [((x - u) ** 2 + (y - v) ** 2) ** 0.5 for i, (x, y) in enumerate(found) for u, v in found[i + 1 :]]
    assert min(gaps) > 12


def test_the_points_of_the_lines_are_those_of_the_rules() -> None:
    for hand in SYMBOL_COUNTS:
        stars, *by_line = (score_line(hand, line) for line in range(len(COUNT_LINES)))
        assert (*by_line[:4], sum(by_line[4:])) == score_symbols(hand, 0)[:5]
        assert stars is None


def test_colours_are_named_as_well() -> None:
    texts = [text.text for text in draw_texts(SAMPLES["board_known"], (1280, 720))]
    assert "Y" in texts
    assert {"R", "B", "1"} <= {text.text for text in draw_texts(SAMPLES["naming_three"], (1280, 720))}
    assert set(NEBULA_COLOURS) <= set(PIECE_RGB)
    assert contrast_ratio(DARK_PALETTE[INK], DARK_PALETTE[BACKGROUND]) >= 7


@pytest.mark.parametrize("size", SIZES, ids=lambda s: f"{s[0]}x{s[1]}")
def test_the_final_table_fits_beside_a_ranking(size: tuple[int, int]) -> None:
    """The result's right half: as wide as 77 hundredths of the height."""
    canvas = Canvas(size)
    state = SAMPLES["table_fixed"]
    rect = pygame.Rect(size[0] - canvas.px(77), canvas.px(22), canvas.px(77), canvas.px(52))
    with canvas.frame():
        canvas.draw_region(
            "table", rect, 1, lambda: draw_score_table(canvas, rect, state.view.player_scores, state.players)
        )
    texts = canvas.drawn_texts()
    for text in texts:
        assert rect.contains(text.ink_rect), text
        assert not text.text.endswith("…"), text
    for one, other in combinations(texts, 2):
        assert not one.ink_rect.colliderect(other.ink_rect), (one, other)


@pytest.mark.full
def test_a_screen_that_goes_from_state_to_state_shows_what_a_new_one_would() -> None:
    screen = Screen((800, 480))
    for name in SAMPLES:
        seen = screen.render(SAMPLES[name])
        fresh = Screen((800, 480)).render(SAMPLES[name])
        assert pygame.image.tobytes(seen, "RGB") == pygame.image.tobytes(fresh, "RGB"), name


@pytest.mark.parametrize("size", SIZES, ids=lambda s: f"{s[0]}x{s[1]}")
@pytest.mark.parametrize(("name", "has_penalty"), [("start_four", True), ("start_two", False)])
def test_what_symbols_are_worth_is_said_before_the_first_tile(
    name: str, has_penalty: bool, size: tuple[int, int]
) -> None:
    said = [text.text for text in draw_texts(SAMPLES[name], size)]
    for line in (
        "most +10",
        "5 each",
        "3 with a planet",
        "one −5, more +15",
        "3, 8, 15, 24, 35",
        "2 each, colours",
        "2: 4, 3: 9",
        "4: 16, 5: 25",
    ):
        assert line in said
    assert any("fewest −5" in line for line in said) is has_penalty, (
        "F30: with two players nobody loses for fewest stars"
    )


@pytest.mark.parametrize("size", SIZES, ids=lambda s: f"{s[0]}x{s[1]}")
def test_the_ring_has_the_stage_to_itself_once_a_tile_is_out(size: tuple[int, int]) -> None:
    words = {text.text for text in draw_texts(SAMPLES["board_wide"], size)}
    assert not {"5 each", "2 for 1", "most +10"} & words


@pytest.mark.parametrize("size", SIZES, ids=lambda s: f"{s[0]}x{s[1]}")
def test_the_size_of_the_pile_is_the_large_figure(size: tuple[int, int]) -> None:
    for name in ("board", "board_known", "clock", "board_poor"):
        figures = [text.text for text in draw_texts(SAMPLES[name], size) if text.is_figure]
        assert figures == [str(SAMPLES[name].view.pile_size)], name


def test_the_counted_number_is_the_large_figure() -> None:
    for name, count in (("page", "6"), ("page_nebulae", "0"), ("page_colours", "?")):
        assert [text.text for text in draw_texts(SAMPLES[name], (800, 480)) if text.is_figure] == [count]


def test_a_tile_flies_from_where_it_lay_to_where_it_goes() -> None:
    def ends(before: StarFall, *moves: str) -> list[tuple[str, str]]:
        return [(m.start, m.end) for m in StarFallScene().find_movements(before, play_moves(before, *moves))]

    game = make_position((9, 7))
    assert ends(game, "add 0 0") == [("pile", "space 8")]
    assert ends(game, "move 0 7") == [("space 7", "space 6")]
    assert ends(game, "discover 0 7") == [("space 7", "player 0")]
    assert ends(make_position((9, 0)), "move 0 0") == [], "it leaves the game"


def test_the_strip_lists_players_in_the_order_of_play() -> None:
    """Whatever buttons they have: who joined late plays last."""
    state = SAMPLES["board"]
    buttons = (Button.SEAT1, Button.SEAT4, Button.SEAT5, Button.SEAT2)
    players = tuple(
        dataclasses.replace(player, name=f"P{player.seat}", button=button)
        for player, button in zip(state.players, buttons, strict=True)
    )
    texts = draw_texts(dataclasses.replace(state, players=players), (800, 480))
    strip = sorted((text.ink_rect.left, text.text) for text in texts if text.text in {"P1", "P2", "P3"})
    assert [name for _left, name in strip] == ["P1", "P2", "P3"]


@pytest.mark.parametrize("size", SIZES, ids=lambda s: f"{s[0]}x{s[1]}")
def test_each_line_of_a_page_has_a_symbol(size: tuple[int, int], monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[tuple[int, int]] = []
    monkeypatch.setattr(scoring, "draw_line_icon", lambda _canvas, _line, centre, *_more: drawn.append(centre))
    monkeypatch.setattr(scoring, "draw_colours_icon", lambda _canvas, centre, _size: drawn.append(centre))
    Screen(size).render(SAMPLES["page_colours"])
    assert len(drawn) == len(set(drawn)) == len(COUNT_LINES)
