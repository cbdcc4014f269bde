"""Secret Number on the screen: every phase, most and fewest players, long names, at the sizes that count."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pygame
import pytest

from companion.display.screen import Screen
from companion.display.toolkit import TITLE_EM, Canvas, Typeface
from companion.events import Button
from companion.games.secret_number.display.cards import draw_score_table
from companion.games.secret_number.samples import (
    NAMES,
    build_samples,
    show_game,
    start_round,
    turn_thirty_cards,
)
from companion.screen_state import ScreenState
from companion.testing.screens import SampleStates, draw_texts, get_screen
from tests.games.secret_number.positions import answer_bonuses

SAMPLES = SampleStates(build_samples)


def test_at_the_end_of_the_countdown_a_word_has_the_size_of_titles() -> None:
    size = (1920, 1080)
    (word,) = [text for text in draw_texts(SAMPLES["show_0"], size) if text.text == "Show!"]
    assert word.em_px >= get_screen(size).canvas.px_at_least(TITLE_EM)


@pytest.mark.parametrize(
    ("left", "words"), [(31.0, None), (30.0, "Last 30 seconds"), (10.2, "Last 30 seconds"), (10.0, "Last 10 seconds!")]
)
def test_the_clock_warns_in_words_too(left: float, words: str | None) -> None:
    texts = [text.text for text in draw_texts(show_game(start_round(3), seconds_left=left), (800, 480))]
    assert [text for text in texts if text.startswith("Last ")] == ([words] if words else [])


@pytest.mark.parametrize("change", [lambda s: replace(s, pressed_buttons=frozenset({Button.SEAT1})), lambda s: s])
def test_odd_names_are_drawn(change: Callable[[ScreenState], ScreenState]) -> None:
    revealed = turn_thirty_cards(30)
    ended = answer_bonuses(revealed, "A3 B2 C1 D1 E2")
    for odd in ("", "日本", "A\nB\x00C", "Wolfeschlegelsteinhausenbergerdorff the Younger"):
        names = (odd, *NAMES[1:])
        for game in (start_round(5), turn_thirty_cards(3), revealed, ended):
            texts = draw_texts(change(show_game(game, seconds_left=100.0, names=names)), (800, 480))
            assert all(text.text.isprintable() for text in texts)
            assert any(text.text == NAMES[1] for text in texts), "the others' names are as they were"


@pytest.mark.parametrize(
    ("name", "notes"),
    [
        ("round_some", ["4 cards", "waits: own card on top"]),
        ("round_thirty", ["30 cards", "no cards left"]),
        ("round_5", ["No card on the pile yet"]),
    ],
)
def test_the_stage_says_why_a_players_key_does_nothing(name: str, notes: list[str]) -> None:
    texts = [text.text for text in draw_texts(SAMPLES[name], (800, 480))]
    assert [text for text in texts if "card" in text and text in {*notes, "waits: own card on top"}] == notes


@pytest.mark.parametrize(("name", "is_counted"), [("deal_5", False), ("round_some", True), ("result_5", False)])
def test_rounds_are_counted_only_within_a_game(name: str, *, is_counted: bool) -> None:
    texts = [text.text for text in draw_texts(SAMPLES[name], (800, 480))]
    assert any(text.startswith("Round ") and "/" in text for text in texts) is is_counted
    assert any(text.startswith("Game ") and " of 3" in text for text in texts) is not is_counted


@pytest.mark.parametrize(("name", "most"), [("fix", 9), ("reveal_half", 9), ("round_thirty", 8)])
def test_a_pile_of_thirty_cards_is_drawn_as_a_few_large_ones(
    name: str, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    places: list[pygame.Rect] = []
    draw_panel = Canvas.draw_panel

    def note(canvas: Canvas, rect: pygame.Rect, *args: Any, **fields: Any) -> pygame.Rect:
        if fields.get("radius") == 1.0:
            places.append(rect.copy())
        return draw_panel(canvas, rect, *args, **fields)

    monkeypatch.setattr(Canvas, "draw_panel", note)
    Screen((800, 480)).render(SAMPLES[name])
    cards = [rect for rect in places if rect.w > 20]
    assert len(cards) == len(places), "none is as small as 20 pixels"
    assert len({rect.centerx for rect in cards}) <= most


@pytest.mark.parametrize("count", [0.0, 0.5, 1.0])
def test_the_sum_of_a_game_is_that_of_its_parts_while_the_score_counts(count: float) -> None:
    state = SAMPLES["result_5"]
    canvas = Canvas((1280, 720))
    rect = canvas.surface.get_rect()

    def paint() -> None:
        draw_score_table(canvas, rect, state.view, state.players, state.scores, count)

    with canvas.frame():
        canvas.draw_region("main", rect, None, paint)
    shown = [text.text for text in canvas.drawn_texts() if text.face is Typeface.TABULAR]
    for i, score in enumerate(state.scores):
        *parts, total, counted = (int(text.replace("−", "-")) for text in shown[6 * i : 6 * i + 6])
        assert sum(parts) == total
        assert count < 1.0 or counted == score
