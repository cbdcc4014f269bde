"""Pictomania's scene at the sizes that count, in every phase."""

from __future__ import annotations

import pygame
import pytest

from companion.display import Screen
from companion.display.toolkit.theme import (
    BACKGROUND,
    BUTTON_COLOURS,
    INK,
    PALETTES,
    PIECE_RGB,
    RGB,
    Colour,
    contrast_ratio,
    flood_colour,
    mix_colours,
    text_colour_for,
)
from companion.display.toolkit.type_sizes import TITLE_EM
from companion.events import SEAT_BUTTONS
from companion.gallery.fixtures import play_moves
from companion.games.pictomania import Pictomania
from companion.games.pictomania.display import tokens
from companion.games.pictomania.display.cards import CALM_RATIO, PAPER, WRONG_RATIO
from companion.games.pictomania.display.materials import render_disc
from companion.games.pictomania.display.scene import ACCENT_RGB, PictomaniaScene
from companion.games.pictomania.samples import build_samples, describe_last_move, start_drawing, start_scoring
from companion.games.pictomania.state import Phase
from companion.screen_state import ScreenState
from companion.testing.screens import SampleStates, draw_texts, get_screen

SAMPLES = SampleStates(build_samples)
SIZES = ((800, 480), (1920, 1080), (480, 800))


def test_every_phase_is_among_the_samples() -> None:
    assert {shown.view.phase for shown in SAMPLES.values()} == set(Phase) - {Phase.OVER}


def test_the_samples_say_which_pile_was_scored_last() -> None:
    game, names = start_scoring(3), ("Ada", "Bo", "Cleo")
    assert describe_last_move(game, names) == "The piles are turned over"
    assert describe_last_move(play_moves(game, "next"), names) == "Ada's pile is scored"


def find_dominant(shown: ScreenState, size: tuple[int, int] = (800, 480)) -> float:
    """Return the height of the largest text on the stage, in percent of the screen's shorter side."""
    return max(text.ink_rect.h for text in draw_texts(shown, size)) / get_screen(size).canvas.unit_px


@pytest.mark.parametrize("size", [(800, 480), (1920, 1080)], ids=lambda s: f"{s[0]}x{s[1]}")
def test_the_figure_of_each_phase_carries_the_room(size: tuple[int, int]) -> None:
    for name, least in (
        ("start_3", 34),
        ("start_1", 34),
        ("reading_clock", 28),
        ("drawing_clock", 28),
        ("drawing_soon", 28),
        ("stop", 20),
        ("misdrawn", 12),
    ):
        assert find_dominant(SAMPLES[name], size) >= least, name


def test_bonus_tokens_are_equally_large_and_the_next_one_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[int] = []

    def render(size: int, face: RGB, rim: RGB) -> pygame.Surface:
        drawn.append(size)
        return render_disc(size, face, rim)

    monkeypatch.setattr(tokens, "render_disc", render)
    for name, least in (("drawing_six", 20), ("drawing_three", 30), ("drawing_late", 20), ("drawing_clock", 14)):
        drawn.clear()
        screen = Screen((800, 480))
        screen.render(SAMPLES[name])
        assert len(drawn) == len(SAMPLES[name].view.bonus_tokens), name
        assert len(set(drawn)) == 1, name
        assert drawn[0] >= 4.8 * least, name
        assert [text.text for text in screen.drawn_texts()].count("Next") == 1, name


def test_the_owner_of_the_pile_and_the_call_to_stop_have_the_size_of_titles() -> None:
    size = (1920, 1080)
    title_px = get_screen(size).canvas.px_at_least(TITLE_EM)
    for name, shown in SAMPLES.items():
        names_owner = shown.menu is None and shown.view.pile_owner is not None
        calls_stop = shown.menu is None and shown.question is None and shown.view.phase is Phase.STOP
        if not (names_owner or calls_stop):
            continue
        large = {text.text for text in draw_texts(shown, size) if text.em_px >= title_px}
        assert not names_owner or shown.players[shown.view.pile_owner].name in large, name
        assert not calls_stop or "PENS" in " ".join(large), name


def test_scores_have_the_stage_only_on_the_page_of_a_round() -> None:
    scene = PictomaniaScene()
    for name in ("page", "page_six", "drawing_live"):
        assert scene.has_own_scores(SAMPLES[name]), name
    for name in ("drawing_six", "stop", "scoring_six", "confirm"):
        assert not scene.has_own_scores(SAMPLES[name]), name


@pytest.mark.parametrize("palette", PALETTES)
def test_text_contrasts_with_cards(palette: str) -> None:
    colours = PALETTES[palette]
    accent_ground = flood_colour(ACCENT_RGB, colours[BACKGROUND])
    for ground in (PAPER, mix_colours(PAPER, accent_ground, CALM_RATIO)):
        assert contrast_ratio(text_colour_for(PAPER), ground) >= 7
    for seat in SEAT_BUTTONS:
        wrong = mix_colours(colours[BUTTON_COLOURS[seat]], colours[BACKGROUND], WRONG_RATIO)
        assert contrast_ratio(colours[INK], wrong) >= 7, seat
    assert contrast_ratio(colours[INK], accent_ground) >= 7
    assert contrast_ratio(text_colour_for(PIECE_RGB["gold"]), PIECE_RGB["gold"]) >= 7


def picture(shown: ScreenState) -> bytes:
    return pygame.image.tobytes(Screen((800, 480)).render(shown), "RGB")


def test_a_card_that_is_wrong_differs_by_more_than_its_colour(monkeypatch: pytest.MonkeyPatch) -> None:
    signs: list[str] = []
    screen = Screen((800, 480))
    draw = screen.canvas.draw_icon

    def draw_icon(name: str, at: tuple[int, int], size: int, colour: Colour) -> pygame.Rect:
        signs.append(name)
        return draw(name, at, size, colour)

    monkeypatch.setattr(screen.canvas, "draw_icon", draw_icon)
    for name, count in (("scoring_given", 0), ("scoring_six", 1), ("scoring_full", 2)):
        signs.clear()
        screen.render(SAMPLES[name])
        assert signs.count("no") == 2 + count, "two stand for the key NO"


def test_the_black_sheep_is_a_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Screen((800, 480))
    sizes: list[int] = []

    def draw_art(name: str, rect: pygame.Rect, *, dimmed: bool = False) -> None:
        if name == "sheep":
            sizes.append(rect.w)

    monkeypatch.setattr(screen.canvas, "draw_art", draw_art)
    for name, least in (("page", 480 // 6), ("page_three", None)):
        sizes.clear()
        screen.render(SAMPLES[name])
        assert sizes == [] if least is None else max(sizes) >= least, name


def test_the_card_that_is_asked_for_has_a_question_mark() -> None:
    marks = {
        name: [drawn.text for drawn in draw_texts(SAMPLES[name], (800, 480))].count("?")
        for name in ("scoring_empty", "scoring_six", "scoring_full")
    }
    assert marks == {"scoring_empty": 1, "scoring_six": 1, "scoring_full": 0}


@pytest.mark.parametrize(
    ("size", "count", "grid"), [((140, 70), 5, (3, 35)), ((140, 70), 2, (2, 70)), ((90, 20), 9, (5, 10))]
)
def test_tokens_stand_in_the_rows_that_make_them_largest(
    size: tuple[int, int], count: int, grid: tuple[int, int]
) -> None:
    assert tokens.find_token_grid(pygame.Rect((0, 0), size), count) == grid


def test_tokens_fly_from_the_middle_to_their_takers_and_from_the_owner_to_the_cards() -> None:
    def list_moves(before: Pictomania, move: str) -> list[tuple[str, str]]:
        return [(each.start, each.end) for each in PictomaniaScene().find_movements(before, play_moves(before, move))]

    drawing, scoring = start_drawing(3), start_scoring(3)
    assert list_moves(drawing, "take 1") == [("token", "player 1")]
    assert list_moves(drawing, "stop") == []
    assert list_moves(scoring, "right 2") == [("kept", "card 2")] * 2
    assert list_moves(play_moves(scoring, "right 2"), "wrong 2") == []
    assert list_moves(play_moves(scoring, "right 2"), "next") == []
    anchors: set[str] = set()
    screen = Screen((800, 480))
    for name in ("drawing_six", "scoring_full"):
        screen.render(SAMPLES[name])
        anchors |= screen.canvas.collect_anchors().keys()
    assert anchors >= {"token", "kept", "card 1", "card 5", "player 0"}


def test_a_press_is_seen_at_once() -> None:
    assert picture(SAMPLES["heard"]) != picture(SAMPLES["scoring_six"])


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("drawing_six", "Still drawing"),
        ("drawing_three", "Next"),
        ("scoring_late", "Pile 6 of 6"),
    ],
)
def test_what_lies_on_the_table_is_said_in_words(name: str, text: str) -> None:
    assert text in [drawn.text for drawn in draw_texts(SAMPLES[name], (800, 480))]


def test_decks_begin_with_a_capital() -> None:
    drawn = {each.text for each in draw_texts(SAMPLES["difficulty"], (800, 480))}
    assert {"Green", "Orange", "Blue", "Purple"} <= drawn


@pytest.mark.parametrize("size", SIZES[:2], ids=lambda s: f"{s[0]}x{s[1]}")
def test_the_points_of_tokens_left_stand_below_the_words(size: tuple[int, int]) -> None:
    places = {text.text: text.ink_rect for text in draw_texts(SAMPLES["scoring_six"], size)}
    assert places["−3"].top > places["Tokens left"].bottom
    assert places["−3"].h > 1.5 * places["Tokens left"].h
