"""Every state of the screen, at all supported sizes: nothing cut, nothing overlapping, nothing too small.

For other tests: `check` checks one state; `reported` builds the states of a part or game in a language; `CORNERS` are
the sizes and languages to check.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from itertools import combinations, product

import pygame
import pytest

from companion.display import Screen
from companion.display.scenes.macroscope.scene import MacroscopeScene
from companion.display.toolkit.canvas import DrawnText
from companion.display.toolkit.preferences import DisplayPreferences
from companion.display.toolkit.theme import (
    BUTTON_COLOURS,
    KEY_LABEL_EM,
    PALETTES,
    SEAT_SHAPES,
    TEXT_EM,
    TITLE_EM,
    TYPE_SCALE,
)
from companion.events import SEAT_BUTTONS
from companion.gallery import SAMPLE_BUILDERS
from companion.gallery.macroscope import build_samples
from companion.i18n import LANGUAGES, current_language, format_number, set_language
from companion.screen_state import ScreenKind, ScreenState

SAMPLES = build_samples()
SIZES = ((800, 480), (1024, 600), (1280, 720), (1920, 1080), (3840, 2160), (480, 800))
"""The screens that are supported, in pixels."""
CORNERS = tuple(product(((800, 480), (1920, 1080), (480, 800)), LANGUAGES))
ALL = tuple(product(SIZES, LANGUAGES))
SEAT_AREAS = frozenset(str(button) for button in SEAT_BUTTONS)
"""Regions of the seats' touch areas, which are keys too."""
MIN_TEXT_UNITS, MIN_KEY_LABEL_UNITS, MAX_SIZES = 6.0, 5.0, 4
"""The least sizes, in units, that can be read from three metres (docs/face.md, Sizes); sizes of text in a picture."""
FEW = ("open_picture", "asking_wishes", "reveal_six", "question", "menu", "result", "notice")


@cache
def screen_of(size: tuple[int, int], palette: str = "dark") -> Screen:
    """Return one screen per size; test_screen checks that earlier pictures leave no traces."""
    return Screen(size, DisplayPreferences(palette))


@contextmanager
def spoken(code: str) -> Iterator[None]:
    """Set the language within the block."""
    before = current_language()
    set_language(code)
    try:
        yield
    finally:
        set_language(before)


@cache
def reported(states: Callable[[], Mapping[str, ScreenState]], code: str = "en") -> Mapping[str, ScreenState]:
    """Return a game's states in that language; built once."""
    with spoken(code):
        return states()


def corner_id(value: object) -> str:
    return f"{value[0]}x{value[1]}" if isinstance(value, tuple) else str(value)


def written(shown: ScreenState, size: tuple[int, int], code: str = "en", palette: str = "dark") -> list[DrawnText]:
    screen = screen_of(size, palette)
    with spoken(code):
        screen.render(shown)
    return screen.drawn_texts()


def find_problems(shown: ScreenState, size: tuple[int, int], code: str = "en", palette: str = "dark") -> list[object]:
    """Return what is cut, overlapping, too small, or set in a size outside the type scale.

    One figure a picture may have any size from that of text on: two would be no dominant one.
    """
    texts = written(shown, size, code, palette)
    canvas = screen_of(size, palette)._canvas
    scale = {canvas.px_at_least(em) for em in TYPE_SCALE}
    used = set[int]()
    names = [player.name for player in shown.players]
    problems: list[object] = [] if texts else ["no text"]
    figures = [text for text in texts if text.is_figure]
    if len(figures) > 1 or any(figure.em_px < canvas.px_at_least(TEXT_EM) for figure in figures):
        problems.append(("not one large figure", figures))
    for name, part in canvas.regions.items():
        is_key = name.startswith("keys ") or (name in SEAT_AREAS and canvas.preferences.touch_seats)
        label_px = canvas.px_at_least(KEY_LABEL_EM) if is_key else 0
        used |= {text.em_px for text in part.texts if not text.is_figure and text.em_px != label_px}
        least_px = (MIN_KEY_LABEL_UNITS if is_key else MIN_TEXT_UNITS) * canvas.unit_px
        problems += [("too small", text) for text in part.texts if text.em_px < least_px]
        for text in part.texts:
            if not part.rect.contains(text.ink_rect) or not pygame.Rect((0, 0), size).contains(text.ink_rect):
                problems.append(("cut off", text, part.rect))
            if not text.is_figure and text.em_px not in scale and text.em_px != label_px:
                problems.append(("not a size of the type scale", text))
            if text.text.endswith("…") and not any(each.startswith(text.text[:-1].strip()) for each in names):
                problems.append(("shortened", text))
    problems += [("too many sizes", used)] if len(used) > MAX_SIZES else []
    problems += [("overlap", a, b) for a, b in combinations(texts, 2) if a.ink_rect.colliderect(b.ink_rect)]
    parts = combinations(canvas.regions.items(), 2)
    problems += [("parts overlap", a, b) for (a, p), (b, q) in parts if p.rect.colliderect(q.rect)]
    return problems


def check(shown: ScreenState, size: tuple[int, int], code: str = "en", palette: str = "dark", note: str = "") -> None:
    """Check that nothing is cut, overlapping or too small. `note` is shown if the check fails."""
    assert not find_problems(shown, size, code, palette), (note, f"{size[0]}x{size[1]}", code, palette)


@pytest.mark.parametrize("of", SAMPLE_BUILDERS)
@pytest.mark.parametrize(("size", "code"), CORNERS, ids=corner_id)
def test_every_state(size: tuple[int, int], code: str, of: str) -> None:
    for name, shown in reported(SAMPLE_BUILDERS[of], code).items():
        check(shown, size, code, note=name)


@pytest.mark.parametrize("size", [(1024, 600), (1280, 720), (1280, 800)], ids=corner_id)
def test_every_state_at_the_sizes_between(size: tuple[int, int]) -> None:
    for name in SAMPLES:
        check(SAMPLES[name], size, note=name)


@pytest.mark.proof
@pytest.mark.parametrize("of", SAMPLE_BUILDERS)
@pytest.mark.parametrize("palette", PALETTES)
@pytest.mark.parametrize(("size", "code"), ALL, ids=corner_id)
def test_every_state_at_every_size_in_every_palette(size: tuple[int, int], code: str, palette: str, of: str) -> None:
    for name, shown in reported(SAMPLE_BUILDERS[of], code).items():
        check(shown, size, code, palette, note=name)


@pytest.mark.parametrize("name", FEW)
def test_4k(name: str) -> None:
    check(SAMPLES[name], (3840, 2160))


@pytest.mark.parametrize("size", [(800, 600), (768, 1024), (320, 240), (200, 600)], ids=lambda s: f"{s[0]}x{s[1]}")
def test_odd_sizes_stay_on_the_screen(size: tuple[int, int]) -> None:
    for shown in SAMPLES.values():
        for text in written(shown, size):
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
    texts = written(shown, size)
    title = screen_of(size)._canvas.px_at_least(TITLE_EM)
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
    (figure,) = [text for text in written(shown, (800, 480)) if text.is_figure]
    assert figure.text == str(shown.view.guess_value)
    assert figure.em_px >= 0.3 * 480


@pytest.mark.parametrize("name", ["open_picture", "open_scheme", "roll_entered"])
def test_dice_are_a_tenth_of_the_height(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[int] = []
    screen = Screen((800, 480))
    die = screen._canvas.draw_die
    monkeypatch.setattr(
        screen._canvas, "draw_die", lambda v, at, size, used=False: (drawn.append(size), die(v, at, size))[1]
    )
    screen.render(SAMPLES[name])
    assert len(drawn) == 2
    assert min(drawn) >= 48


@pytest.mark.parametrize("name", STAGED)
def test_names_scores_and_words_are_all_there(name: str) -> None:
    shown = SAMPLES[name]
    said = [text.text for text in written(shown, (800, 480))]
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
    texts = written(shown, (800, 480))
    assert any(text.text.endswith("…") for text in texts)
    for one, other in combinations(texts, 2):
        assert not one.ink_rect.colliderect(other.ink_rect), (one, other)


def test_a_name_of_controls_and_of_no_letters_is_drawn() -> None:
    shown = SAMPLES["roll_two"]
    for name in ("A\nB\x00C", "", " ", "日本", "🎲"):
        texts = written(replace(shown, players=tuple(replace(p, name=name) for p in shown.players)), (800, 480))
        assert all(text.text.isprintable() for text in texts)
        assert {str(score) for score in shown.scores} <= {text.text for text in texts}


def test_seats_have_different_colours_and_shapes() -> None:
    assert len({BUTTON_COLOURS[b] for b in SEAT_BUTTONS}) == len({SEAT_SHAPES[b] for b in SEAT_BUTTONS}) == 6


@pytest.mark.parametrize("part", list(SAMPLE_BUILDERS))
def test_negative_numbers_have_a_minus_sign(part: str) -> None:
    """A hyphen is shorter than a plus, so a loss would look smaller than a gain."""
    for name, shown in SAMPLE_BUILDERS[part]().items():
        for text in written(shown, (800, 480)):
            assert not re.search(r"(?<!\w)-\d", text.text), (name, text.text)
