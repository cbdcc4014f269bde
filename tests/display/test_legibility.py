"""Every state of the screen, at all supported sizes: nothing cut, nothing overlapping, nothing too small."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import combinations

import pygame
import pytest

from companion.display import Screen
from companion.display.toolkit.text_drawing import DrawnText
from companion.display.toolkit.theme import BUTTON_COLOURS, PALETTES, SEAT_SHAPES, TITLE_EM
from companion.events import SEAT_BUTTONS
from companion.gallery import load_sample_builders
from companion.games.macroscope.display.scene import MacroscopeScene
from companion.games.macroscope.samples import build_samples
from companion.i18n import format_number
from companion.screen_state import ScreenKind
from companion.testing.screens import (
    ALL_CORNERS,
    CORNERS,
    build_states,
    check_screen,
    draw_texts,
    format_corner,
    get_screen,
)

SAMPLES = build_samples()
FEW = ("open_picture", "asking_wishes", "reveal_six", "question", "menu", "result", "notice")


@pytest.mark.parametrize("of", load_sample_builders())
@pytest.mark.parametrize(("size", "code"), CORNERS, ids=format_corner)
def test_every_state(size: tuple[int, int], code: str, of: str) -> None:
    for name, shown in build_states(load_sample_builders()[of], code).items():
        check_screen(shown, size, code, note=name)


@pytest.mark.parametrize("size", [(1024, 600), (1280, 720), (1280, 800)], ids=format_corner)
def test_every_state_at_the_sizes_between(size: tuple[int, int]) -> None:
    for name in SAMPLES:
        check_screen(SAMPLES[name], size, note=name)


@pytest.mark.proof
@pytest.mark.parametrize("of", load_sample_builders())
@pytest.mark.parametrize("palette", PALETTES)
@pytest.mark.parametrize(("size", "code"), ALL_CORNERS, ids=format_corner)
def test_every_state_at_every_size_in_every_palette(size: tuple[int, int], code: str, palette: str, of: str) -> None:
    for name, shown in build_states(load_sample_builders()[of], code).items():
        check_screen(shown, size, code, palette, note=name)


@pytest.mark.parametrize("name", FEW)
def test_4k(name: str) -> None:
    check_screen(SAMPLES[name], (3840, 2160))


@pytest.mark.parametrize("size", [(800, 600), (768, 1024), (320, 240), (200, 600)], ids=lambda s: f"{s[0]}x{s[1]}")
def test_odd_sizes_stay_on_the_screen(size: tuple[int, int]) -> None:
    for shown in SAMPLES.values():
        for text in draw_texts(shown, size):
            assert pygame.Rect((0, 0), size).contains(text.ink_rect), text


def sizes(texts: list[DrawnText], word: str) -> list[int]:
    return [text.em_px for text in texts if text.text == word]


SHOWN_AS_PICTURE = ("picture", "view")
"""Samples in which the camera's picture has the place of the game."""
PLAYED = [n for n, s in SAMPLES.items() if s.kind is ScreenKind.PLAY and s.menu is None]
STAGED = [n for n in PLAYED if not n.startswith(SHOWN_AS_PICTURE)]


@pytest.mark.parametrize("size", [(800, 480), (1920, 1080)], ids=lambda s: f"{s[0]}x{s[1]}")
@pytest.mark.parametrize("name", STAGED)
def test_important_texts_have_the_size_of_titles(name: str, size: tuple[int, int]) -> None:
    shown = SAMPLES[name]
    texts = draw_texts(shown, size)
    title = get_screen(size).canvas.px_at_least(TITLE_EM)
    active = shown.addressed if shown.addressed is not None else MacroscopeScene().find_active_seat(shown.view)
    if active is not None:  # else all are asked
        assert max(sizes(texts, shown.players[active].name)) >= title, "whose turn"
    for score in shown.scores:
        assert max(sizes(texts, format_number(score))) >= title
    for clock in shown.clocks:
        assert max(sizes(texts, f"0:{-int(-clock.seconds_left // 1):02}")) >= title


@pytest.mark.parametrize("name", ["asking", "pick", "called", "open_picture"])
def test_the_value_of_a_guess_fills_the_stage(name: str) -> None:
    shown = SAMPLES[name]
    (figure,) = [text for text in draw_texts(shown, (800, 480)) if text.is_figure]
    assert figure.text == str(shown.view.guess_value)
    assert figure.em_px >= 0.3 * 480


@pytest.mark.parametrize("name", ["open_picture", "open_scheme", "roll_entered"])
def test_dice_are_a_tenth_of_the_height(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[int] = []
    screen = Screen((800, 480))
    die = screen.canvas.draw_die
    monkeypatch.setattr(
        screen.canvas, "draw_die", lambda v, at, size, used=False: (drawn.append(size), die(v, at, size))[1]
    )
    screen.render(SAMPLES[name])
    assert len(drawn) == 2
    assert min(drawn) >= 48


@pytest.mark.parametrize("name", STAGED)
def test_names_scores_and_words_are_all_there(name: str) -> None:
    shown = SAMPLES[name]
    said = [text.text for text in draw_texts(shown, (800, 480))]
    for player in shown.players:
        assert any(player.name.startswith(text.rstrip("…")) for text in said if len(text) > 1)
    everything = " ".join(said)
    for key in shown.soft_keys:
        # A notice that needs the whole line has it: what holding a button does is said again after it.
        if not (key.is_hold and shown.notice):
            assert all(word in everything for word in key.label.split())


def test_a_long_name_is_cut_with_an_ellipsis_and_stays_in_its_place() -> None:
    shown = SAMPLES["open_two"]
    name = "Wolfeschlegelsteinhausenbergerdorff the Younger"
    shown = replace(shown, players=tuple(replace(p, name=name) for p in shown.players), prompt=f"{name}: guess or stop")
    texts = draw_texts(shown, (800, 480))
    assert any(text.text.endswith("…") for text in texts)
    for one, other in combinations(texts, 2):
        assert not one.ink_rect.colliderect(other.ink_rect), (one, other)


@pytest.mark.parametrize("part", list(load_sample_builders()))
def test_no_text_is_cut_to_nothing(part: str) -> None:
    """A number in a column that is too narrow would be an ellipsis alone."""
    for name, shown in load_sample_builders()[part]().items():
        assert "…" not in [text.text for text in draw_texts(shown, (800, 480))], name


def test_a_name_of_controls_and_of_no_letters_is_drawn() -> None:
    shown = SAMPLES["roll_two"]
    for name in ("A\nB\x00C", "", " ", "日本", "🎲"):
        texts = draw_texts(replace(shown, players=tuple(replace(p, name=name) for p in shown.players)), (800, 480))
        assert all(text.text.isprintable() for text in texts)
        assert {str(score) for score in shown.scores} <= {text.text for text in texts}


def test_seats_have_different_colours_and_shapes() -> None:
    assert len({BUTTON_COLOURS[b] for b in SEAT_BUTTONS}) == len({SEAT_SHAPES[b] for b in SEAT_BUTTONS}) == 6


@pytest.mark.parametrize("part", list(load_sample_builders()))
def test_negative_numbers_have_a_minus_sign(part: str) -> None:
    """A hyphen is shorter than a plus, so a loss would look smaller than a gain."""
    for name, shown in load_sample_builders()[part]().items():
        for text in draw_texts(shown, (800, 480)):
            assert not re.search(r"(?<!\w)-\d", text.text), (name, text.text)
