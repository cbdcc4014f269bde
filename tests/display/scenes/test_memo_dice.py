"""Memo Dice on the screen: every phase legible, nothing cut, no colour alone, no secret."""

from __future__ import annotations

from dataclasses import replace
from math import floor

import pytest

from companion.display import Screen
from companion.display.scenes.memo_dice.table import CUP_ICONS, CUP_PIECE_NAMES
from companion.display.toolkit.theme import DARK_PALETTE, INK, PIECE_RGB, contrast_ratio
from companion.display.toolkit.theme import text_colour_for as on_
from companion.events import MemoColour
from companion.gallery.memo_dice import DIE_PICTURE, build_samples, make_game, place_pieces, play_moves, show_game
from companion.screen_state import DiePicture, ScreenKind
from tests.display.test_legibility import check, sizes, written

SAMPLES = build_samples()
SIZES = ((800, 480), (1280, 720), (1920, 1080))
PLAYED = [name for name, state in SAMPLES.items() if state.kind is ScreenKind.PLAY]


@pytest.mark.parametrize("size", SIZES, ids=lambda s: f"{s[0]}x{s[1]}")
@pytest.mark.parametrize("name", PLAYED)
def test_important_texts_are_a_tenth_of_the_height(name, size):
    state = SAMPLES[name]
    texts = written(state, size)
    tenth = floor(size[1] / 10)
    assert any(max(sizes(texts, player.name)) >= tenth for player in state.players), "whose turn"
    for score in state.scores:
        assert max(sizes(texts, str(score))) >= tenth
    if state.question is None:
        for clock in state.clocks:
            assert max(sizes(texts, f"0:{-int(-clock.seconds_left // 1):02}")) >= tenth


@pytest.mark.parametrize("name", PLAYED)
def test_names_scores_and_words_are_all_there(name):
    state = SAMPLES[name]
    said = [text.text for text in written(state, (800, 480))]
    for player in state.players:
        assert player.name in said
    everything = " ".join(said)
    for key in state.soft_keys:
        for word in key.label.split():
            assert word in everything


@pytest.mark.parametrize("size", SIZES, ids=lambda s: f"{s[0]}x{s[1]}")
@pytest.mark.parametrize("name", ["cover_some", "uncover_nine"])
def test_cups_of_the_row_are_a_tenth_of_the_height(name, size, monkeypatch):
    drawn = []
    screen = Screen(size)
    sign = screen._canvas.draw_icon

    def spy(name, centre, side, colour):
        if name == "cup" and colour == INK:
            drawn.append(side)
        return sign(name, centre, side, colour)

    monkeypatch.setattr(screen._canvas, "draw_icon", spy)
    screen.render(SAMPLES[name])
    assert min(drawn) >= size[1] / 10


def test_cups_differ_by_colour_and_icon():
    assert len(set(CUP_PIECE_NAMES.values())) == len(set(CUP_ICONS.values())) == len(MemoColour)
    for colour in MemoColour:
        paint = PIECE_RGB[CUP_PIECE_NAMES[colour]]
        assert contrast_ratio(paint, on_(paint)) > 4.5
    assert contrast_ratio(PIECE_RGB["black"], DARK_PALETTE[INK]) > 7


def test_no_free_cup_is_said_in_words():
    said = [text.text for text in written(SAMPLES["cover_two_left_out"], (800, 480))]
    assert "No red" in said
    assert "No blue" in said
    assert "Black" in said


def test_the_scored_page_says_squares_and_who_starts():
    said = " ".join(text.text for text in written(SAMPLES["scored_four"], (800, 480)))
    for words in ("5 to 7", "9 to 11", "9 to 12", "11 to 14", "+2", "+3", "Golden cup: starts", "Purple piece"):
        assert words in said, words


def test_piece_of_a_player_without_points_stays():
    said = " ".join(text.text for text in written(SAMPLES["scored_corrected"], (800, 480)))
    for words in ("12 to 13", "0 to 4", "stays on 0", "+0"):
        assert words in said, words


def test_who_is_away_is_said():
    said = " ".join(text.text for text in written(SAMPLES["scored_away"], (800, 480)))
    assert "Golden cup, away" in said


@pytest.mark.parametrize("squares", [(1, 1, 1, 1), (20, 20, 7, 7), (19, 20, 33, 0)])
def test_pieces_on_one_square_and_beyond_the_last(squares):
    at = place_pieces(make_game(4, "R"), *squares)
    for size in SIZES:
        check(show_game(at), size)


def test_picture_depends_on_the_state_only():
    """The same state gives the same picture, after any other state."""
    reused = Screen((800, 480))
    for state in [*SAMPLES.values(), *reversed(SAMPLES.values())]:
        fresh = Screen((800, 480)).render(state)
        again = reused.render(state)
        assert fresh.get_buffer().raw == again.get_buffer().raw


def test_long_names_are_cut_and_stay_in_their_places():
    names = ("Wolfeschlegelsteinhausenbergerdorff the Younger",) * 4
    for at in (make_game(4, "RB"), make_game(4, "RRRR", "+-"), make_game(4, "RRRR", "+-++")):
        state = show_game(at, names=names)
        texts = written(replace(state, last_move=None), (800, 480))
        assert any(text.text.endswith("…") for text in texts)


@pytest.mark.parametrize("size", SIZES, ids=lambda s: f"{s[0]}x{s[1]}")
def test_a_lifted_dies_face_is_large_and_said_to_be_whose(size):
    state = SAMPLES["uncover_lifted"]
    without = Screen(size).render(replace(state, die_picture=None))
    surface = Screen(size).render(state)
    assert "Under cup 4" in [text.text for text in written(state, size)]
    face = (240, 230, 210)
    pixels = [
        (x, y)
        for x in range(0, size[0], 4)
        for y in range(0, size[1], 4)
        if all(abs(a - b) <= 6 for a, b in zip(surface.get_at((x, y))[:3], face, strict=True))
        and without.get_at((x, y)) != surface.get_at((x, y))
    ]
    wide = max(x for x, _ in pixels) - min(x for x, _ in pixels)
    assert wide >= size[1] / 3


def test_no_face_while_dice_are_covered():
    """Even if the state had one; the referee never does."""
    state = SAMPLES["cover_some"]
    faces = (None, DiePicture(1, DIE_PICTURE))
    pictures = [Screen((800, 480)).render(replace(state, die_picture=face)).get_buffer().raw for face in faces]
    assert pictures[0] == pictures[1]


def test_die_under_the_golden_cup_does_not_change_the_picture():
    """D14: the seventh die may have been red or blue."""
    red, blue = make_game(3, "RRRBBB" + "R"), make_game(3, "RRRBBB" + "B")
    pictures = [Screen((800, 480)).render(show_game(play_moves(at, "", "+-"))).get_buffer().raw for at in (red, blue)]
    assert pictures[0] == pictures[1]
