"""Soft keys: colours, numbers and keyboard hints."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import combinations
from typing import Any

import pygame
import pytest

from companion.display import Screen
from companion.display.toolkit import Canvas, lay_out_screen
from companion.display.toolkit.preferences import DisplayPreferences
from companion.display.toolkit.theme import BUTTON_COLOURS, DARK_PALETTE, PALETTES, PIECE_RGB, Tone
from companion.display.widgets.key_caps import RING_WIDTHS, list_key_caps
from companion.display.widgets.soft_keys import draw_soft_keys, locate_key_slots
from companion.events import CONSOLE_BUTTONS, SEAT_BUTTONS, Button
from companion.gallery import load_sample_builders
from companion.i18n import DEFAULT_LANGUAGE, LANGUAGES
from companion.screen_state import HoldProgress, ScreenKind, ScreenState, SoftKey
from companion.testing.screens import SampleStates, build_states, draw_screen, format_corner, get_screen
from tests.display.corners import CORNERS, TELLING_CORNERS

STATES = {name: SampleStates(build_samples) for name, build_samples in load_sample_builders().items()}
CHOOSING = [("starfall", "page"), ("starfall", "page_colours"), ("secret_number", "bonus")]
CALLING = [("macroscope", "reveal_six"), ("starfall", "choose"), ("lobby", "macroscope_empty")]
REAL_TABLE = DisplayPreferences(keyboard_hints=False)


def share_of(shown: ScreenState, button: Button) -> float:
    """Return the share of the key's pixels in its seat's colour."""
    screen = Screen((800, 480), REAL_TABLE)
    picture = screen.render(shown)
    touches = [rect for part in screen.canvas.regions.values() for rect, b in part.touch_areas if b is button]
    slot = max(touches, key=lambda rect: rect.top)  # the lobby's seats, above, can be touched as well
    colour = PALETTES[REAL_TABLE.palette][BUTTON_COLOURS[button]]
    pixels = [picture.get_at((x, y))[:3] for x in range(slot.left, slot.right) for y in range(slot.top, slot.bottom)]
    return pixels.count(colour) / len(pixels)


def awaited(shown: ScreenState) -> list[Button]:
    return [key.button for key in shown.soft_keys if key.awaited and key.button.seat_number]


@pytest.mark.parametrize(("game", "state"), CHOOSING)
def test_choices_do_not_call_other_players(game: str, state: str) -> None:
    shown = STATES[game][state]
    assert awaited(shown)
    for button in awaited(shown):
        assert share_of(shown, button) < 0.25


@pytest.mark.parametrize(("game", "state"), CALLING)
def test_awaited_key_has_full_colour(game: str, state: str) -> None:
    shown = STATES[game][state]
    assert awaited(shown)
    for button in awaited(shown):
        assert share_of(shown, button) > 0.4


def test_a_choice_that_is_only_possible_has_no_seat_colour() -> None:
    shown = STATES["starfall"]["page_colours"]
    possible = replace(shown, soft_keys=tuple(replace(key, awaited=False) for key in shown.soft_keys))
    assert all(share_of(possible, button) == 0.0 for button in awaited(shown))


def test_a_choice_has_its_number_also_where_there_is_no_keyboard() -> None:
    shown = STATES["starfall"]["page_colours"]
    hints = {cap.button: cap.hint for cap in list_key_caps(shown, keyboard=False)}
    assert [hints[b] for b in awaited(shown)] == [str(b.seat_number) for b in awaited(shown)]
    assert hints[Button.OK] == ""


def test_before_the_game_a_number_is_somebodys_own_button() -> None:
    shown = STATES["starfall"]["page_colours"]
    assert any(cap.is_choice for cap in list_key_caps(shown, keyboard=True))
    assert not any(cap.is_choice for cap in list_key_caps(replace(shown, kind=ScreenKind.LOBBY), keyboard=True))


@pytest.mark.parametrize("mirrored", [False, True])
@pytest.mark.parametrize("touch_seats", [False, True])
@pytest.mark.parametrize("size", [(800, 480), (1920, 1080), (480, 800)])
def test_slots_are_equal_and_side_by_side(size: tuple[int, int], *, mirrored: bool, touch_seats: bool) -> None:
    canvas = Canvas(size, DisplayPreferences(mirrored=mirrored, touch_seats=touch_seats))
    rect = lay_out_screen(canvas).soft_keys
    slots = locate_key_slots(canvas, rect)
    assert list(slots) if mirrored else set(slots) == set(CONSOLE_BUTTONS if touch_seats else Button)
    assert all(rect.contains(slot) for slot in slots.values())
    assert not any(one.colliderect(other) for one, other in combinations(slots.values(), 2))
    if size[0] > size[1]:
        assert len({slot.size for slot in slots.values()}) == 1
        order = sorted(slots, key=lambda button: slots[button].left)
        groups = (() if touch_seats else SEAT_BUTTONS, CONSOLE_BUTTONS)
        assert order == [button for group in (reversed(groups) if mirrored else groups) for button in group]


@pytest.mark.sampled(TELLING_CORNERS, full=0)
@pytest.mark.parametrize(("size", "code"), CORNERS, ids=format_corner)
def test_no_slot_moves_by_a_pixel_in_any_state(size: tuple[int, int], code: str) -> None:
    screen = get_screen(size, "dark")
    slots = locate_key_slots(screen.canvas, lay_out_screen(screen.canvas).soft_keys)
    for build_samples in load_sample_builders().values():
        for name, shown in build_states(build_samples, code).items():
            if shown.kind is ScreenKind.TITLE:  # the end of the demo has no keys
                continue
            drawn = draw_screen(shown, size, code).regions
            regions = [part for key, part in drawn.items() if key.startswith("keys ")]
            touched = {button: rect for part in regions for rect, button in part.touch_areas}
            assert touched == ({} if shown.kind is ScreenKind.TITLE else slots), name  # the demo's end has no keys


def test_awaited_keys_are_higher_than_calm_ones_and_idle_ones_are_thin() -> None:
    canvas = Canvas((800, 480))
    slot = locate_key_slots(canvas, lay_out_screen(canvas).soft_keys)[Button.OK]
    heights = []
    for key in (SoftKey(Button.OK, "Go", awaited=True), SoftKey(Button.OK, "Go"), SoftKey(Button.OK, "")):
        canvas.clear()
        with canvas.frame():
            draw_soft_keys(canvas, lay_out_screen(canvas), ScreenState(ScreenKind.PLAY, soft_keys=(key,)))
        column = [canvas.surface.get_at((slot.left + 12, y)) for y in range(slot.top, slot.bottom)]
        heights.append(sum(pixel != canvas.surface.get_at((slot.left + 12, slot.top - 2)) for pixel in column))
    assert heights[0] > heights[1] > 2 * heights[2] > 0


@pytest.mark.parametrize(("game", "name"), [("secret_number", "round_some")])
def test_keys_that_any_player_may_press_stand_out_while_nobody_is_awaited(game: str, name: str) -> None:
    shown = load_sample_builders()[game]()[name]
    caps = list_key_caps(shown, keyboard=True)
    assert not any(key.awaited for key in shown.soft_keys)
    assert {cap.button for cap in caps if cap.is_awaited} == {
        key.button for key in shown.soft_keys if key.button in SEAT_BUTTONS and key.label
    }
    only = replace(shown, soft_keys=(*shown.soft_keys[:-1], SoftKey(Button.MINUS, "Pause", awaited=True)))
    assert [cap.button for cap in list_key_caps(only, keyboard=True) if cap.is_awaited] == [Button.MINUS]


def test_a_key_that_chooses_a_colour_bears_its_number_and_no_seats_shape(monkeypatch: pytest.MonkeyPatch) -> None:
    icons: list[str] = []
    monkeypatch.setattr(Canvas, "draw_icon", lambda _self, name, *_rest: icons.append(name))
    canvas = Canvas((800, 480))
    layout = lay_out_screen(canvas)
    red = SoftKey(Button.SEAT6, "Red", awaited=True, swatch_colour="red", is_number=True)
    for key, count in ((red, 0), (replace(red, swatch_colour=""), 1)):
        canvas.clear()
        icons.clear()
        with canvas.frame():
            draw_soft_keys(
                canvas, layout, replace(load_sample_builders()["memo_dice"]()["cover_some"], soft_keys=(key,))
            )
        assert icons.count("hexagon") == count


@pytest.mark.parametrize("label", ["Back", ""])
def test_a_held_key_shows_a_bar_that_grows_with_time(label: str) -> None:
    canvas = Canvas((800, 480))
    layout = lay_out_screen(canvas)
    slot = locate_key_slots(canvas, layout.soft_keys)[Button.NO]
    keys = (SoftKey(Button.NO, label),)

    def count_ink(hold: HoldProgress | None) -> int:
        with canvas.frame():
            draw_soft_keys(canvas, layout, ScreenState(ScreenKind.PLAY, soft_keys=keys, hold=hold))
        pixels = (
            canvas.surface.get_at((x, y)) for x in range(slot.left, slot.right) for y in range(slot.top, slot.bottom)
        )
        return sum(pixel == (*DARK_PALETTE[Tone.INK], 255) for pixel in pixels)

    without = count_ink(None)
    assert count_ink(HoldProgress(Button.OK, 0.9)) == without, "another key is held"
    quarter, half, three_quarters = (count_ink(HoldProgress(Button.NO, share)) for share in (0.25, 0.5, 0.75))
    assert without < quarter < half < three_quarters
    assert half - quarter == pytest.approx(three_quarters - half, rel=0.1), "in proportion to the time"


@pytest.mark.sampled(8)
@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("part", ["lobby", "setup", "ended"])
def test_labels_before_and_after_the_games_have_two_words_at_most(part: str, code: str) -> None:
    for name, shown in build_states(load_sample_builders()[part], code).items():
        for key in shown.soft_keys:
            # Other languages need their articles.
            words = [word for word in key.label.split() if len(word) > 3 or code == DEFAULT_LANGUAGE]
            is_span = key.label.startswith("Hold: ")  # letters of the games that a held key leads to
            assert key.is_hold or is_span or len(words) <= 2, (name, key.label)


def test_a_guide_rings_keys_and_names_what_holding_one_does() -> None:
    shown = STATES["macroscope"]["lesson_undo"]
    caps = {cap.button: cap for cap in list_key_caps(shown, keyboard=False)}
    assert [button for button, cap in caps.items() if cap.is_ringed] == [Button.NO]
    assert caps[Button.NO].label == next(key.label for key in shown.soft_keys if key.is_hold)
    ringed, plain = (Screen((800, 480)).render(state) for state in (shown, replace(shown, guide=None)))
    gold = PIECE_RGB["gold"]
    counts = [sum(picture.get_at((x, 479 - 8 - 20))[:3] == gold for x in range(800)) for picture in (ringed, plain)]
    assert counts[0] > 0 == counts[1]


@pytest.mark.parametrize("code", LANGUAGES)
def test_labels_of_several_words_stand_within_the_ring(code: str) -> None:
    ring_px = get_screen((800, 480)).canvas.px_at_least(max(width for width, _colour in RING_WIDTHS))
    for name in ("lesson_sit", "lesson_answer", "lesson_undo"):
        shown = build_states(load_sample_builders()["macroscope"], code)[name]
        ringed = {cap.button for cap in list_key_caps(shown, keyboard=True) if cap.is_ringed and " " in cap.label}
        for key, part in draw_screen(shown, (800, 480), code).regions.items():
            if key.startswith("keys ") and ringed & {button for _area, button in part.touch_areas}:
                within = part.rect.inflate(-2 * ring_px, 0)
                assert all(within.contains(text.ink_rect) for text in part.texts), (name, part.texts)


@pytest.mark.parametrize("size", [(800, 480), (1920, 1080), (480, 800)], ids=format_corner)
def test_the_sign_of_the_help_stands_apart_from_minus(size: tuple[int, int], monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: dict[str, pygame.Rect] = {}

    def note(name: str, draw: Callable[..., pygame.Rect]) -> Callable[..., pygame.Rect]:
        def spy(canvas: Canvas, first: Any, *args: Any) -> pygame.Rect:
            rect = draw(canvas, first, *args)
            drawn[first if name == "icon" else name] = rect
            return rect

        return spy

    monkeypatch.setattr(Canvas, "draw_icon", note("icon", Canvas.draw_icon))
    monkeypatch.setattr(Canvas, "draw_disc", note("disc", Canvas.draw_disc))
    shown = ScreenState(ScreenKind.PLAY, soft_keys=(SoftKey(Button.MINUS, "Pause", opens_help=True),))
    canvas = Canvas(size)
    with canvas.frame():
        draw_soft_keys(canvas, lay_out_screen(canvas), shown)
    assert drawn["disc"].contains(drawn["help"])
    assert drawn["disc"].left - drawn["minus"].right >= canvas.px(0.5)
