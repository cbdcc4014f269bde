"""Memo Dice on the screen: every phase legible, nothing cut, no colour alone, no secret."""

from __future__ import annotations

from dataclasses import replace

import pygame
import pytest

from companion.api import Move
from companion.display import Screen
from companion.display.toolkit import Canvas
from companion.display.toolkit.theme import BUTTON_COLOURS, DARK_PALETTE, PIECE_RGB, contrast_ratio
from companion.events import SEAT_BUTTONS, Button, MemoColour
from companion.games.memo_dice.display import cups, table
from companion.games.memo_dice.display.cups import (
    CUP_ART,
    CUP_PIECE_NAMES,
    CUP_RGB,
    draw_cup,
    get_number_colour,
)
from companion.games.memo_dice.display.scene import MemoDiceScene
from companion.games.memo_dice.samples import DIE_PICTURE, build_samples, make_game, place_pieces, play_moves, show_game
from companion.games.memo_dice.state import COLOUR_NUMBERS
from companion.screen_state import DiePicture, PlayedMove
from companion.testing.screens import SampleStates, check_screen, draw_texts

SAMPLES = SampleStates(build_samples)
SIZES = ((800, 480), (1280, 720), (1920, 1080))


@pytest.mark.parametrize("size", SIZES, ids=lambda s: f"{s[0]}x{s[1]}")
@pytest.mark.parametrize(
    ("name", "figure", "least_percent"),
    [("look", "3", 18), ("look_gold", "5", 18), ("uncover_nine", "1", 12), ("uncover_four", "2", 12)],
)
def test_the_dominant_figure_carries_the_room(name, figure, least_percent, size):
    found = [t for t in draw_texts(SAMPLES[name], size) if t.is_figure]
    assert [t.text for t in found] == [figure]
    assert found[0].ink_rect.h >= size[1] * least_percent / 100


@pytest.mark.parametrize("size", SIZES, ids=lambda s: f"{s[0]}x{s[1]}")
@pytest.mark.parametrize(("name", "least_percent"), [("cover_some", 20), ("cover_last", 25), ("uncover_nine", 38)])
def test_the_cup_to_look_at_is_huge(name, least_percent, size, monkeypatch):
    drawn = record_cups(monkeypatch)
    Screen(size).render(SAMPLES[name])
    assert max(drawn) >= size[1] * least_percent / 100


def record_cups(monkeypatch):
    """Return a list that receives the sizes of all cups drawn in the picture, in pixels."""
    drawn = []
    draw_cup = cups.draw_cup

    def spy(canvas, centre, size, *args, **kwargs):
        drawn.append(size)
        return draw_cup(canvas, centre, size, *args, **kwargs)

    monkeypatch.setattr(table, "draw_cup", spy)
    return drawn


def test_cups_differ_by_their_pictures():
    assert len(set(CUP_PIECE_NAMES.values())) == len(set(CUP_ART.values())) == len(MemoColour)


@pytest.mark.parametrize("colour", MemoColour)
def test_a_number_on_a_cup_is_legible(colour):
    """Measured where it stands, in the picture: below the bands, whose colour is the numbers'."""
    canvas = Canvas((800, 480))
    box = draw_cup(canvas, (400, 240), 300, colour)
    figure = box.inflate(-box.w // 2, -box.h // 8)
    ground = pygame.transform.average_color(canvas.surface, figure)[:3]
    assert all(abs(a - b) <= 8 for a, b in zip(ground, CUP_RGB[colour], strict=True))
    ratios = [
        contrast_ratio(canvas.surface.get_at((x, y))[:3], get_number_colour(colour))
        for x in range(figure.left, figure.right, 4)
        for y in range(figure.top, figure.bottom, 4)
    ]
    assert min(ratios) > 4.5


def test_a_colour_without_a_cup_has_the_golden_cup_beside(monkeypatch):
    crossed, shown = [], []
    screen = Screen((800, 480))
    draw_icon, draw_cup = screen.canvas.draw_icon, cups.draw_cup
    monkeypatch.setattr(screen.canvas, "draw_icon", lambda name, *args: crossed.append(name) or draw_icon(name, *args))
    monkeypatch.setattr(
        table,
        "draw_cup",
        lambda canvas, centre, size, colour, **kwargs: (
            shown.append((colour, kwargs.get("is_dim", False))) or draw_cup(canvas, centre, size, colour, **kwargs)
        ),
    )
    state = SAMPLES["cover_two_left_out"]
    screen.render(state)
    assert {colour for colour, is_dim in shown if is_dim} == {MemoColour.RED, MemoColour.BLUE}
    assert (MemoColour.GOLD, False) in shown
    assert crossed.count("no") >= 2
    labels = {key.button: key.label for key in state.soft_keys}
    assert (labels[Button.SEAT6], labels[Button.SEAT1], labels[Button.SEAT3]) == ("Golden cup", "Golden cup", "Black")


def test_a_colours_key_is_the_seat_whose_colour_is_nearest():
    """Blue and red; no seat's colour is near to black."""
    seats = {b: DARK_PALETTE[BUTTON_COLOURS[b]] for b in SEAT_BUTTONS}
    for colour in (MemoColour.RED, MemoColour.BLUE):
        piece = PIECE_RGB[CUP_PIECE_NAMES[colour]]
        nearest = min(seats, key=lambda b: sum((x - y) ** 2 for x, y in zip(seats[b], piece, strict=True)))
        assert nearest is SEAT_BUTTONS[COLOUR_NUMBERS[colour] - 1]


@pytest.mark.parametrize("name", ["look", "look_gold", "look_seen", "cover_last"])
def test_ok_keeps_its_own_colour(name):
    assert next(key for key in SAMPLES[name].soft_keys if key.button is Button.OK).swatch_colour == ""


def test_points_of_the_round_in_play_are_not_beside_the_scores():
    """A number beside a score is in it, as in the other games."""
    state = SAMPLES["uncover_some"]
    assert any(state.view.round_points)
    assert not MemoDiceScene().list_changes(state.view)
    assert not [t.text for t in draw_texts(state, (800, 480)) if t.text.startswith("+")]
    assert MemoDiceScene().list_changes(SAMPLES["scored_four"].view) == SAMPLES["scored_four"].view.round_points


def test_the_race_shows_the_scores_itself():
    scene = MemoDiceScene()
    assert scene.has_own_scores(SAMPLES["scored_four"])
    assert not scene.has_own_scores(SAMPLES["uncover_nine"])
    size = (800, 480)
    texts = draw_texts(SAMPLES["scored_four"], size)
    for score in SAMPLES["scored_four"].scores:
        assert max(text.em_px for text in texts if text.text == str(score)) >= size[1] * 16 // 100
    said = [text.text for text in texts]
    assert said.count("+2") == 2
    assert said.count("+3") == 2


def test_a_player_without_points_has_no_plus():
    said = [text.text for text in draw_texts(SAMPLES["scored_corrected"], (800, 480))]
    assert {"13", "4", "0", "+1", "+4"} <= set(said)
    assert "+0" not in said


def test_who_is_away_is_said():
    assert "away" in [text.text for text in draw_texts(SAMPLES["scored_away"], (800, 480))]


@pytest.mark.parametrize("squares", [(1, 1, 1, 1), (20, 20, 7, 7), (19, 20, 33, 0)])
def test_pieces_on_one_square_and_beyond_the_last(squares):
    at = place_pieces(make_game(4, "R"), *squares)
    for size in SIZES:
        check_screen(show_game(at), size)


@pytest.mark.full
def test_picture_depends_on_the_state_only():
    """The same state gives the same picture, after any other state."""
    reused = Screen((800, 480))
    for state in SAMPLES.values():
        fresh = Screen((800, 480)).render(state)
        again = reused.render(state)
        assert fresh.get_buffer().raw == again.get_buffer().raw


def test_long_names_are_cut_and_stay_in_their_places():
    names = ("Wolfeschlegelsteinhausenbergerdorff the Younger",) * 4
    for at in (make_game(4, "RB"), make_game(4, "RRRR", "+-"), make_game(4, "RRRR", "+-++")):
        state = show_game(at, names=names)
        texts = draw_texts(replace(state, last_move=None), (800, 480))
        assert any(text.text.endswith("…") for text in texts)


@pytest.mark.parametrize("size", SIZES, ids=lambda s: f"{s[0]}x{s[1]}")
def test_a_lifted_dies_face_is_large_and_said_to_be_whose(size):
    state = SAMPLES["uncover_lifted"]
    without = Screen(size).render(replace(state, die_picture=None))
    surface = Screen(size).render(state)
    assert "Under cup 4" in [text.text for text in draw_texts(state, size)]
    face = (240, 230, 210)
    pixels = [
        (x, y)
        for x in range(0, size[0], 4)
        for y in range(0, size[1], 4)
        if all(abs(a - b) <= 6 for a, b in zip(surface.get_at((x, y))[:3], face, strict=True))
        and without.get_at((x, y)) != surface.get_at((x, y))
    ]
    wide = max(x for x, _ in pixels) - min(x for x, _ in pixels)
    assert wide >= size[1] * 32 / 100


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


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        ("+", "{who}: right, the golden cup is yours. Now all cups count"),
        ("-", "{who}: wrong, {other} gets the golden cup. Now all cups count"),
    ],
)
def test_the_answer_about_the_golden_cup_says_who_gets_it_and_why_there_are_points(answer, sentence):
    before = make_game(4, "RRRBBBKKR", "+-++-+-+")
    state = show_game(play_moves(before, "", answer), played=PlayedMove(1, before))
    seats = (before.active_seat, before.find_next_seat(before.active_seat))
    who, other = (state.players[seat].name for seat in seats)
    assert MemoDiceScene().describe_answer(state) == (sentence.format(who=who, other=other), seats[0])


@pytest.mark.parametrize("name", ["uncover_lifted", "uncover_golden"])
def test_no_die_under_a_lifted_cup_is_blank(name, monkeypatch):
    drawn = []
    monkeypatch.setattr(table, "draw_blank_die", lambda _canvas, _centre, _size, *eye: drawn.append(eye))
    view = SAMPLES[name].view
    view = view if view.cup_lifted else view.play(Move("lift", view.active_seat))
    Screen((800, 480)).render(replace(SAMPLES[name], view=view))
    assert drawn == [(table.SYMBOL_EYE_RGB[view.cup_row[view.next_cup_index].colour],)]
