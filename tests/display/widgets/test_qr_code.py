"""The result's QR codes on the screen: an independent reader (zxing) gets exactly the text, also from a metre away."""

import cv2
import numpy as np
import pygame
import pytest
import zxingcpp
from numpy.random import default_rng

from companion.display import Screen
from companion.display.toolkit.preferences import DisplayPreferences
from companion.display.widgets.qr_code import render_code
from companion.gallery.finished_games import build_samples
from companion.games.counting_tray import samples as counting_tray
from companion.i18n import LANGUAGES
from companion.screen_state import ScreenState
from companion.testing.screens import build_states, use_language
from companion.vision.reading import Image

SCREEN_WIDTH_MM = 154.0
"""Width of a 7 inch screen of 800x480."""
PHONE_PIXELS_PER_MM = 3.05
"""Of a picture from a metre away: 4032 pixels over the 67 degrees of a usual phone's main camera."""
SAMPLES = ("code_link_2", "code_link_6", "code_text_2", "code_text_6")


def draw(state: ScreenState, size: tuple[int, int], palette: str = "dark") -> Image:
    surface = Screen(size, DisplayPreferences(palette=palette, animations=False)).render(state)
    return np.ascontiguousarray(pygame.surfarray.array3d(surface).swapaxes(0, 1)[:, :, ::-1])


def read_codes(image: Image) -> list[str]:
    return [found.text for found in zxingcpp.read_barcodes(image)]


def photograph(screen: Image, seed: int, distance_m: float = 1.0) -> Image:
    """Take a picture of a 7 inch screen from so many metres away: small, turned, tilted, blurred, dull and noisy."""
    rng = default_rng(seed)
    height, width = screen.shape[:2]
    scale = PHONE_PIXELS_PER_MM / distance_m * SCREEN_WIDTH_MM / width
    fine = 3  # drawn larger, blurred, then shrunk, as a lens and a sensor do
    corners = np.float32([[0, 0], [width, 0], [width, height], [0, height]])
    there = (corners - corners.mean(0)) * scale
    tilt = rng.uniform(0, 0.05) * height * scale
    there[1, 1] += tilt
    there[2, 1] -= tilt
    angle = np.radians(rng.uniform(-8, 8))
    there = there @ np.float32([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    canvas = (round(width * scale * 1.6), round(height * scale * 1.8))
    there = (there + np.float32(canvas) / 2) * fine
    matrix = cv2.getPerspectiveTransform(corners * 4, there.astype(np.float32))
    sharp = cv2.resize(screen, None, fx=4, fy=4, interpolation=cv2.INTER_NEAREST)
    seen = cv2.warpPerspective(sharp, matrix, (canvas[0] * fine, canvas[1] * fine), borderValue=(60, 60, 60))
    seen = cv2.resize(cv2.GaussianBlur(seen, (0, 0), 0.5 * fine), canvas, interpolation=cv2.INTER_AREA)
    return np.clip(seen * 0.8 + 20 + rng.normal(0, 6, seen.shape), 0, 255).astype(np.uint8)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("size", [(800, 480), (1920, 1080), (480, 800), (1366, 768)])
@pytest.mark.parametrize("name", SAMPLES)
def test_the_code_on_the_screen_is_exactly_the_text(name: str, size: tuple[int, int]) -> None:
    state = build_states(build_samples)[name]
    for palette in ("dark", "light", "contrast"):
        assert read_codes(draw(state, size, palette)) == [state.result_code.text], palette


@pytest.mark.sampled(1)
@pytest.mark.parametrize("name", SAMPLES)
def test_a_phone_reads_it_a_metre_away_from_the_smallest_screen(name: str) -> None:
    state = build_states(build_samples)[name]
    screen, text = draw(state, (800, 480)), state.result_code.text
    found = [read_codes(photograph(screen, seed)) for seed in range(10)]
    assert all(codes in ([text], []) for codes in found), "never a wrong text"
    if name == "code_link_6":  # 117 modules: not in each picture, but a phone takes 30 in a second
        assert found.count([text]) >= 5
        found = [read_codes(photograph(screen, seed, distance_m=0.7)) for seed in range(10)]
    assert found == [[text]] * 10


def test_names_of_any_language_are_read() -> None:
    for language in LANGUAGES:
        with use_language(language):
            text = "Zoë, Jürgen und Łucja: −3"
            assert read_codes(render_code(text, 300)) == [text]


@pytest.mark.parametrize("side", [58, 100, 377, 801])
def test_the_picture_has_the_size_asked_for_and_a_quiet_zone(side: int) -> None:
    code = render_code("Ada: 42", side)
    assert code.shape == (side, side, 3)
    assert set(np.unique(code)) == {0, 255}
    quiet = side * 4 // 29 - 1  # four of 29 modules
    assert code[:quiet].min() == code[-quiet:].min() == code[:, :quiet].min() == code[:, -quiet:].min() == 255


def test_large_modules_are_all_equally_large() -> None:
    row = render_code("Ada: 42", 300)[150, :, 0]
    edges = np.flatnonzero(np.diff(row.astype(int)))
    widths = np.diff(edges)
    assert widths.min() > 4
    assert set(widths % widths.min()) == {0}


@pytest.mark.parametrize("size", [(800, 480), (1920, 1080), (480, 800)])
def test_code_of_the_spectators_page_is_read_from_a_game_in_play(size: tuple[int, int]) -> None:
    state = counting_tray.build_samples()["counted_page_code"]
    screen, text = draw(state, size), state.result_code.text
    assert read_codes(screen) == [text]
    if size == (800, 480):
        assert [read_codes(photograph(screen, seed)) for seed in range(5)] == [[text]] * 5
