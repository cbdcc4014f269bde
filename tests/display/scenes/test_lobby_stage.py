"""The lobby and the draw of the first player on the stage: what moves, what is large, what can be touched."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pygame
import pytest
from pygame import Vector2

from companion.display import Screen
from companion.display.toolkit import BIG_EM, TEXT_EM, TITLE_EM, Canvas
from companion.display.toolkit.preferences import DisplayPreferences
from companion.events import SEAT_BUTTONS, Button
from companion.gallery.lobby import build_samples
from companion.lobby.preferences import format_language_label
from companion.screen_state import ScreenState
from companion.testing.screens import build_states
from companion.testing.table import ManualClock

SIZES = [(800, 480), (1920, 1080), (480, 800)]
MIN_VISIBLE_LINES = 4
"""Lines of a menu that fit on the smallest screen, upright."""


@pytest.fixture(scope="module")
def samples() -> dict[str, ScreenState]:
    return build_states(build_samples)


def draw(state: ScreenState, size: tuple[int, int] = (800, 480), **preferences: bool) -> Canvas:
    screen = Screen(size, DisplayPreferences(**preferences))
    screen.render(state)
    return screen.canvas


def find_em(canvas: Canvas, text: str) -> float:
    """Return the size of a line of text in layout units."""
    return max(drawn.em_px for drawn in canvas.drawn_texts() if drawn.text == text) / canvas.unit_px


@pytest.mark.parametrize("size", SIZES)
def test_the_games_name_has_the_size_of_a_title(samples: dict[str, ScreenState], size: tuple[int, int]) -> None:
    assert find_em(draw(samples["memo_dice_empty"], size), "Memo Dice") >= TITLE_EM


@pytest.mark.parametrize("size", SIZES)
def test_the_drawn_players_name_is_big(samples: dict[str, ScreenState], size: tuple[int, int]) -> None:
    assert find_em(draw(samples["macroscope_drawn"], size), "Bo") >= BIG_EM


@pytest.mark.parametrize(
    ("name", "size"), [*(("macroscope_draw", size) for size in SIZES), ("macroscope_drawn", SIZES[0])]
)
def test_all_candidates_are_named(samples: dict[str, ScreenState], name: str, size: tuple[int, int]) -> None:
    shown = samples[name]
    texts = [text.text for text in draw(shown, size).drawn_texts()]
    assert {player.name for player in shown.players} <= set(texts)


def test_lines_that_fit_are_as_large_as_titles(samples: dict[str, ScreenState]) -> None:
    assert find_em(draw(samples["given_name"]), "Rename") >= TITLE_EM
    assert find_em(draw(samples["macroscope_rules"]), "Rounds: 10") == pytest.approx(TEXT_EM, abs=0.2)


@pytest.mark.parametrize("size", SIZES)
def test_each_game_of_the_list_stands_there_with_its_players(
    samples: dict[str, ScreenState], size: tuple[int, int]
) -> None:
    played = samples["games_played"]
    assert played.menu is not None
    texts = [drawn.text for drawn in draw(played, size).drawn_texts()]
    for title, details in zip(played.menu.items, played.menu.details, strict=True):
        assert title in texts
        assert any(text.startswith(details[0]) and "…" not in text for text in texts)


@pytest.mark.parametrize(("size", "columns"), [((800, 480), 3), ((480, 800), 2)])
def test_each_seat_can_be_touched_at_a_place_of_its_own(
    samples: dict[str, ScreenState], size: tuple[int, int], columns: int
) -> None:
    regions = draw(samples["some"], size).regions
    places = {b: next(r for r, touched in regions[f"seat {b}"].touch_areas if touched is b) for b in SEAT_BUTTONS}
    for i, button in enumerate(SEAT_BUTTONS):
        assert not any(places[button].colliderect(places[other]) for other in SEAT_BUTTONS[i + 1 :])
    assert len({place.left for place in places.values()}) == columns


def test_seats_stand_clockwise_round_the_screen(samples: dict[str, ScreenState]) -> None:
    regions = draw(samples["some"]).regions
    centres = [Vector2(regions[f"seat {button}"].rect.center) for button in SEAT_BUTTONS]
    middle = sum(centres, Vector2()) / len(centres)
    # The y axis of a screen grows downwards: a positive cross product of neighbours turns to the right.
    turns = [(a - middle).cross(b - middle) for a, b in zip(centres, [*centres[1:], centres[0]], strict=True)]
    assert all(turn > 0 for turn in turns)


@pytest.mark.parametrize("hints", [True, False])
def test_a_line_says_which_keys_are_the_buttons_where_there_is_a_keyboard(
    samples: dict[str, ScreenState], hints: bool
) -> None:
    some = samples["some"]
    in_order = replace(some, players=(replace(some.players[0], button=Button.SEAT1), some.players[1]))
    texts = " ".join(drawn.text for drawn in draw(in_order, keyboard_hints=hints).drawn_texts())
    assert ("Enter OK, Backspace NO, +, −" in texts) is hints
    french = " ".join(drawn.text for drawn in draw(in_order, sign_keys=("+", ")")).drawn_texts())
    assert "Backspace NO, + +, ) −" in french


def test_a_taken_seat_says_its_place_in_the_order_of_play(samples: dict[str, ScreenState]) -> None:
    some = samples["some"]
    for players in (some.players, some.players[::-1]):
        canvas = draw(replace(some, players=players))
        for turn, player in enumerate(players, 1):
            texts = {drawn.text for drawn in canvas.regions[f"seat {player.button}"].texts}
            assert texts == {str(turn), player.name}


def test_a_card_grows_when_its_seat_is_taken_and_a_press_ends_that(samples: dict[str, ScreenState]) -> None:
    clock = ManualClock(50.0)
    screen = Screen((800, 480), DisplayPreferences(animations=True), monotonic=clock)
    surface = pygame.Surface((800, 480), 0, 32)
    taken = replace(samples["macroscope_full"], pressed_buttons=frozenset())
    free = replace(taken, players=taken.players[:5])
    screen.draw(surface, free)
    clock.now += 5.0
    screen.draw(surface, free)
    screen.draw(surface, taken)
    assert screen.is_animating
    clock.now += 5.0
    screen.draw(surface, taken)
    assert not screen.is_animating
    screen.draw(surface, free)
    screen.draw(surface, taken)
    screen.draw(surface, replace(taken, pressed_buttons=frozenset({Button.PLUS})))
    assert not screen.is_animating


def test_the_steps_of_setting_up_keep_their_numbers_on_the_second_page(samples: dict[str, ScreenState]) -> None:
    drawn = samples["macroscope_drawn"]
    second = replace(drawn, view=replace(drawn.view, first_step=3, end_step=5, page=2))
    texts = [text.text for text in draw(second).drawn_texts()]
    assert "4." in texts
    assert "1." not in texts
    assert "Set up 2/2" in texts


@pytest.mark.sampled(1)
@pytest.mark.parametrize("size", SIZES)
def test_each_numbered_line_bears_the_number_and_the_shape_of_its_key(
    samples: dict[str, ScreenState], size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    badges: list[tuple[Button, pygame.Rect]] = []
    draw_badge_left = Canvas.draw_badge_left

    def note(canvas: Canvas, rect: pygame.Rect, button: Button, *args: Any, **options: Any) -> pygame.Rect:
        badges.append((button, pygame.Rect(rect)))
        return draw_badge_left(canvas, rect, button, *args, **options)

    monkeypatch.setattr(Canvas, "draw_badge_left", note)
    menus = {name: state for name, state in samples.items() if state.menu is not None and state.menu.numbered}
    assert {"games", "more", "macroscope_rules", "macroscope_rules_more"} <= set(menus)
    for name, state in menus.items():
        badges.clear()
        texts = draw(state, size).drawn_texts()
        lines = [(button, rect) for button, rect in badges if button in SEAT_BUTTONS]
        # Where not all fit, only lines with keys are visible.
        assert len(lines) >= min(state.menu.numbered, MIN_VISIBLE_LINES), name
        for button, rect in lines:
            row = [text for text in texts if rect.top <= text.ink_rect.centery < rect.bottom]
            numbers = [text.text for text in row if rect.contains(text.ink_rect)]
            assert numbers == [str(button.seat_number)], name
            label = " ".join(text.text for text in row if text.ink_rect.left >= rect.right)
            item = state.menu.items[state.menu.first_numbered + SEAT_BUTTONS.index(button)]
            assert label.startswith(item[:12]), (name, label)
        pressable = {key.button for key in state.soft_keys if key.label and key.button in SEAT_BUTTONS}
        assert {button for button, _rect in lines} <= pressable, name


def test_the_settings_begin_with_the_language_as_on_a_device(samples: dict[str, ScreenState]) -> None:
    menu = samples["more"].menu
    assert menu is not None
    assert [item.partition(":")[0] for item in menu.items[:3]] == [
        format_language_label(),
        "House rules of Macroscope",
        "Names",
    ]


def test_a_changed_value_is_one_figure_with_the_old_one_below(samples: dict[str, ScreenState]) -> None:
    texts = draw(samples["asked_value"]).drawn_texts()
    assert [text.text for text in texts if text.is_figure] == ["2"]
    assert "was 3" in [text.text for text in texts]
