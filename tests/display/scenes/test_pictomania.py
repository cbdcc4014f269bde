"""Pictomania's scene at the sizes that count, in every phase."""

from __future__ import annotations

from dataclasses import replace
from math import ceil, floor
from pathlib import Path

import pygame
import pytest

from companion.display import Screen
from companion.display.toolkit.preferences import DisplayPreferences
from companion.display.toolkit.theme import BACKGROUND, DARK_PALETTE, PANEL, PIECE_RGB, RAISED, WARN, contrast_ratio
from companion.gallery.pictomania import build_samples
from companion.games.pictomania.state import Phase
from companion.screen_state import ScreenState
from tests.display.test_legibility import screen_of, written

SAMPLES = build_samples()
SIZES = ((800, 480), (1920, 1080), (480, 800))
NUMERIC = {"start_3", "start_1"}


def test_every_phase_is_among_the_samples() -> None:
    assert {shown.view.phase for shown in SAMPLES.values()} == set(Phase) - {Phase.OVER}


@pytest.mark.parametrize("name", SAMPLES)
@pytest.mark.parametrize("size", SIZES, ids=lambda s: f"{s[0]}x{s[1]}")
def test_important_texts_are_a_tenth_of_the_height(name: str, size: tuple[int, int]) -> None:
    shown = SAMPLES[name]
    tenth = floor(10 * screen_of(size)._canvas.unit_px)
    large = {text.text for text in written(shown, size) if text.em_px >= tenth}
    assert {str(score) for score in shown.scores} <= large
    if shown.view.pile_owner is not None:
        assert shown.players[shown.view.pile_owner].name in large
    if shown.question is not None or shown.menu is not None:
        return
    for clock in shown.clocks:
        seconds = ceil(clock.seconds_left)
        assert (str(seconds) if name in NUMERIC else f"{seconds // 60}:{seconds % 60:02}") in large
    if shown.view.phase is Phase.STOP:
        assert "STOP" in large


@pytest.mark.parametrize("name", SAMPLES)
def test_names_and_keys_are_all_there(name: str) -> None:
    shown = SAMPLES[name]
    said = " ".join(text.text for text in written(shown, (800, 480)))
    for player in shown.players:
        assert player.name in said
    for key in shown.soft_keys:
        for word in key.label.split():
            assert word in said


def test_text_contrasts_with_its_ground() -> None:
    assert contrast_ratio(PIECE_RGB["gold"], DARK_PALETTE[BACKGROUND]) >= 7
    assert contrast_ratio(DARK_PALETTE[WARN], DARK_PALETTE[BACKGROUND]) >= 7
    for ground in (BACKGROUND, PANEL, RAISED):
        assert contrast_ratio(PIECE_RGB["gold"], DARK_PALETTE[ground]) >= 7


def picture(shown: ScreenState) -> bytes:
    return pygame.image.tobytes(Screen((800, 480)).render(shown), "RGB")


def test_a_card_that_is_wrong_differs_by_more_than_its_colour(monkeypatch: pytest.MonkeyPatch) -> None:
    signs: list[str] = []
    screen = Screen((800, 480))
    sign = screen._canvas.draw_icon
    monkeypatch.setattr(
        screen._canvas,
        "draw_icon",
        lambda name, at, size, colour: (signs.append(name), sign(name, at, size, colour))[1],
    )
    for name, count in (("scoring_given", 0), ("scoring_six", 1), ("scoring_full", 2)):
        signs.clear()
        screen.render(SAMPLES[name])
        assert signs.count("no") == 2 + count, "two stand for the key NO"
    signs.clear()
    screen.render(SAMPLES["page"])
    assert signs.count("sheep") == 1
    signs.clear()
    screen.render(SAMPLES["page_three"])
    assert "sheep" not in signs


def test_a_press_is_seen_at_once() -> None:
    assert picture(SAMPLES["heard"]) != picture(SAMPLES["scoring_six"])


def test_only_changed_regions_are_painted() -> None:
    screen = Screen((800, 480), DisplayPreferences(animations=False))
    surface = pygame.Surface((800, 480))
    screen.draw(surface, SAMPLES["drawing_six"])
    assert screen.draw(surface, replace(SAMPLES["drawing_six"])) == []
    for name in ("scoring_six", "page", "stop", "start_3", "difficulty"):
        screen.draw(surface, SAMPLES[name])
        assert pygame.image.tobytes(surface, "RGB") == picture(SAMPLES[name]), name


@pytest.mark.parametrize("size", [(800, 600), (320, 240), (768, 1024)], ids=lambda s: f"{s[0]}x{s[1]}")
def test_odd_sizes_stay_on_the_screen(size: tuple[int, int]) -> None:
    for shown in SAMPLES.values():
        for text in written(shown, size):
            assert pygame.Rect((0, 0), size).contains(text.ink_rect), text


def save_all(folder: Path) -> None:
    """Save all states for people to look at."""
    for width, height in SIZES:
        target = folder / f"{width}x{height}"
        target.mkdir(parents=True, exist_ok=True)
        screen = Screen((width, height))
        for name, shown in SAMPLES.items():
            pygame.image.save(screen.render(shown), str(target / f"{name}.png"))
