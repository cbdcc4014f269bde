"""Text that fits its box: fonts live as long as they are used."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from statistics import mean
from string import ascii_letters

import pygame
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.display.toolkit import text as text_module
from companion.display.toolkit.text import MAX_SMALL_EM_PX, FontCache, Typeface, split_runs

TYPE = FontCache()
SIZES = (40, 28, 20)

MEASURE_AFTER_QUIT = """
import pygame
from companion.display.toolkit.text import FontCache, Typeface
kept = FontCache()
face = Typeface.TEXT
before = kept.measure_width("Ada", face, 20)
pygame.quit()
FontCache()
assert kept.measure_width("Ada", face, 20) == before
"""


def test_fonts_are_loaded_again_once_pygame_was_quit() -> None:
    # In a process of its own: a font of the time before crashes it.
    ran = subprocess.run([sys.executable, "-c", MEASURE_AFTER_QUIT], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr


def find_font(letter: str, first: str) -> str | Path | None:
    """As on a machine whose only other font has Hebrew."""
    if "\u05d0" <= letter <= "\u05ea":
        return Path(__file__)
    return None if letter == "\ud55c" else first


def test_runs_of_letters_have_the_font_that_has_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hebrew from right to left, marks with their letters, and no box."""
    monkeypatch.setattr(text_module, "find_font", find_font)
    split_runs.cache_clear()
    face, other = Typeface.TEXT, Path(__file__)
    assert split_runs("Ada", face) == ((face, "Ada"),)
    assert split_runs("\u05d0\u05b0\u05d1: Ada", face) == ((other, "\u05d1\u05d0\u05b0"), (face, ": Ada"))
    assert split_runs("Zo\u00eb \ud55c\ud55c!", face) == ((face, "Zo\u00eb ??!"),)
    split_runs.cache_clear()


@pytest.mark.parametrize(
    ("written", "drawn"),
    [
        ("AB CD", "DC BA"),
        ("AB CD: roll 5 dice", "DC BA: roll 5 dice"),
        ("x AB CD, EF-GH y IJ", "x DC BA, HG-FE y JI"),
        ("AB 12.5 CD", "DC 12.5 BA"),
        ("AB 7", "BA 7"),
        ("AB CD: 10", "DC BA: 10"),
        ("AB 12, CD 15", "BA 12, DC 15"),
        ("7 AB CD", "7 DC BA"),
        ("AB (CD)", "(DC) BA"),
        ("AB (CD) EF", "FE (DC) BA"),
        ("(AB CD)", "(DC BA)"),
        ("x (AB)", "x (BA)"),
        ("AB (5)", "BA (5)"),
        ("x (AB) CD", "x (BA) DC"),
        ("(AB) CD", "(BA) DC"),
        ("[AB] CD", "[BA] DC"),
        ("(AB (CD) 5) EF", "((DC) BA 5) FE"),
        ("AB -3 CD", "DC -3 BA"),
        ("AB-3 CD", "DC 3-BA"),
    ],
)
def test_words_from_right_to_left_are_turned_together(
    written: str, drawn: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Capitals stand for Hebrew letters, as in the standard."""
    monkeypatch.setattr(text_module, "find_font", find_font)
    split_runs.cache_clear()
    hebrew = str.maketrans({chr(0x41 + i): chr(0x5D0 + i) for i in range(26)})
    runs = split_runs(written.translate(hebrew), Typeface.TEXT)
    assert "".join(letters for _font, letters in runs) == drawn.translate(hebrew)
    split_runs.cache_clear()


def test_a_letter_of_another_font_is_drawn_on_the_same_line() -> None:
    """The display face has no "\u018f": the other one of the package draws it."""
    fonts, em = FontCache(), MAX_SMALL_EM_PX + 20
    line = fonts.render_line("A\u018f", Typeface.DISPLAY, em, (255, 255, 255))
    parts = [fonts.load_font(Typeface.DISPLAY, em).size("A")[0], fonts.load_font(Typeface.TEXT, em).size("\u018f")[0]]
    assert line.width == sum(parts) == fonts.measure_width("A\u018f", Typeface.DISPLAY, em)
    alone = pygame.font.Font.render(fonts.load_font(Typeface.TEXT, em), "\u018f", True, (255, 255, 255))
    drawn = pygame.surfarray.array_alpha(line.surface)[parts[0] - line.ink_rect.x :]
    ink = pygame.surfarray.array_alpha(alone)
    assert drawn.astype(int).sum() == ink.astype(int).sum() > 0


@pytest.mark.parametrize("face", [Typeface.TEXT, Typeface.DISPLAY])
@pytest.mark.parametrize("em", [24, 29, 36])
def test_small_letters_stand_at_parts_of_a_pixel(face: Typeface, em: int) -> None:
    """Rounded to whole pixels a letter's width is wrong by 0.2 to 0.5 pixels, and by up to 1.5."""
    fonts, count, larger, errors = FontCache(), 20, 32, []
    for letter in ascii_letters:
        exact = fonts.load_font(face, em * larger).size(letter * count)[0] / larger
        drawn = fonts.render_line(letter * count, face, em, (255, 255, 255)).width
        assert drawn == fonts.measure_width(letter * count, face, em)
        errors.append(abs(drawn - exact) / count)
    assert mean(errors) < 0.18
    assert max(errors) < 0.55


def test_small_letters_keep_colour_and_baseline() -> None:
    fonts, em, colour = FontCache(), 24, (240, 200, 40)
    line = fonts.render_line("HH", Typeface.DISPLAY, em, colour)
    assert line.ink_rect.bottom == fonts.load_font(Typeface.DISPLAY, em).get_ascent()
    inked = pygame.surfarray.array_alpha(line.surface) > 0
    differences = pygame.surfarray.array3d(line.surface)[inked].astype(int) - colour
    assert abs(differences).max() <= 2, "scaling rounds; a dark edge would be far from it"


@given(st.text(max_size=60), st.integers(20, 600), st.integers(10, 120), st.integers(1, 4))
def test_text_never_leaves_its_box_in_width(text: str, width: int, height: int, lines: int) -> None:
    found = TYPE.fit_text(text, Typeface.TEXT, SIZES, (width, height), lines)
    assert found.width <= width
    assert len(found.lines) <= lines
    assert found.em_px in SIZES


def test_text_takes_the_largest_size_then_more_lines_then_is_cut() -> None:
    words = "take a second token"

    def fit(width: int, lines: int = 2) -> tuple[int, int]:
        found = TYPE.fit_text(words, Typeface.TEXT, SIZES, (width, 100), lines)
        return found.em_px, len(found.lines)

    assert fit(600) == (40, 1)
    assert fit(330) == (40, 2), "a larger size on two lines comes before a smaller one on one"
    assert fit(330, lines=1) == (28, 1)
    assert fit(120) == (20, 2)
    assert TYPE.fit_text(words, Typeface.TEXT, SIZES, (60, 100), 2).lines[-1].endswith("…")


def test_figures_have_one_width_in_columns_and_clocks() -> None:
    assert len({TYPE.measure_width(str(digit), Typeface.TABULAR, 100) for digit in range(10)}) == 1


def test_figures_of_the_stage_are_kerned() -> None:
    usual, tabular = (TYPE.measure_width("11", face, 200) for face in (Typeface.DISPLAY, Typeface.TABULAR))
    assert usual < 0.9 * tabular
    ink = TYPE.render_line("11", Typeface.DISPLAY, 200, (255, 255, 255)).surface
    columns = pygame.surfarray.array_alpha(ink).max(axis=1) > 100
    assert 0 < (~columns).sum() <= 0.05 * 200, "the gap between the ones"
