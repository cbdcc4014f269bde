"""The screen: which regions are painted, and when."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pygame
import pytest

from companion.display import Screen, save_png
from companion.display.toolkit.preferences import DisplayPreferences
from companion.display.widgets.camera_status import STATE_LABELS
from companion.events import CONSOLE_BUTTONS, SEAT_BUTTONS, Button, CameraState
from companion.gallery.camera_views import STEADY_VIEW, TABLE_READING
from companion.games.counting_tray import samples as counting_tray
from companion.games.macroscope.samples import build_samples
from companion.screen_state import CameraView, ScreenKind, ScreenState
from companion.testing.screens import SampleStates, format_corner

SIZE = (800, 480)
STILL = DisplayPreferences(animations=False)
SAMPLES = SampleStates(build_samples)


def pixels(surface: pygame.Surface) -> bytes:
    return pygame.image.tobytes(surface, "RGB")


def surface(size: tuple[int, int] = SIZE) -> pygame.Surface:
    return pygame.Surface(size, 0, 32)


def test_equal_state_is_not_painted_again() -> None:
    screen, onto = Screen(SIZE, STILL), surface()
    assert screen.draw(onto, build_samples()["open_scheme"]) == [onto.get_rect()]
    before = pixels(onto)
    assert screen.draw(onto, build_samples()["open_scheme"]) == []
    assert pixels(onto) == before


def test_only_a_game_with_rounds_has_a_track() -> None:
    screen = Screen(SIZE, STILL)
    screen.render(SAMPLES["roll"])
    assert "track" in screen.canvas.regions
    screen.render(counting_tray.build_samples()["throw"])
    assert "track" not in screen.canvas.regions


def test_another_surface_is_drawn_in_full() -> None:
    screen, one, other = Screen(SIZE, STILL), surface(), surface()
    screen.draw(one, SAMPLES["roll"])
    assert screen.draw(other, SAMPLES["roll"]) == [other.get_rect()]
    assert pixels(one) == pixels(other)


def test_a_picture_in_between_does_not_lose_a_change() -> None:
    screen, onto = Screen(SIZE, STILL), surface()
    screen.draw(onto, SAMPLES["roll"])
    picture = screen.render(SAMPLES["open_scheme"])
    screen.draw(onto, SAMPLES["open_scheme"])
    assert pixels(onto) == pixels(picture)


def test_a_press_is_seen_in_the_next_frame_and_only_at_its_key() -> None:
    screen, onto = Screen(SIZE, STILL), surface()
    for button in Button:
        for name in ("asking", "open_scheme"):
            shown = SAMPLES[name]
            screen.draw(onto, shown)
            before = pixels(onto)
            (changed,) = screen.draw(onto, replace(shown, pressed_buttons=frozenset({button})))
            assert pixels(onto) != before, (button, name)
            assert screen.button_at(changed.center) is button, name
            assert changed.w < SIZE[0] / 5, (button, name)


def test_picture_does_not_depend_on_earlier_states() -> None:
    """Part by part, each state looks as it does on a fresh screen."""
    screen = Screen(SIZE)
    for name in SAMPLES:
        assert pixels(screen.render(SAMPLES[name])) == pixels(Screen(SIZE).render(SAMPLES[name])), name


def test_every_change_lies_in_the_regions_returned() -> None:
    screen, onto = Screen(SIZE, STILL), surface()
    screen.draw(onto, SAMPLES["roll"])
    for name in SAMPLES:
        before = onto.copy()
        for rect in screen.draw(onto, SAMPLES[name]):
            before.blit(onto, rect, rect)
        assert pixels(before) == pixels(onto), name


@pytest.mark.parametrize("touch_seats", [False, True])
@pytest.mark.parametrize("size", [SIZE, (1920, 1080), (480, 800)], ids=format_corner)
def test_each_button_can_be_touched(size: tuple[int, int], touch_seats: bool) -> None:
    """In one state: tests/display/widgets/test_soft_keys.py sees that no slot moves in any other."""
    screen = Screen(size, DisplayPreferences(touch_seats=touch_seats))
    screen.render(SAMPLES["roll"])
    places = [screen.button_at((x, y)) for y in range(0, size[1], 10) for x in range(0, size[0], 10)]
    assert set(places) - {None} == {*SEAT_BUTTONS, *CONSOLE_BUTTONS}


def test_the_cameras_state_is_marked_in_the_status_line() -> None:
    screen, calm = Screen(SIZE), SAMPLES["pick"]
    drawn = {state: pixels(screen.render(replace(calm, camera_view=CameraView(state)))) for state in CameraState}
    for one, other in combinations(CameraState, 2):
        if STATE_LABELS[one][1:] != STATE_LABELS[other][1:]:
            assert drawn[one] != drawn[other], (one, other)


def test_the_picture_is_hidden_while_the_card_is_pulled() -> None:
    seeing = replace(SAMPLES["cover"], camera_view=STEADY_VIEW)
    other = STEADY_VIEW.picture
    assert other is not None
    different = CameraView(STEADY_VIEW.state, TABLE_READING, 255 - other)
    assert pixels(Screen(SIZE).render(seeing)) == pixels(Screen(SIZE).render(replace(seeing, camera_view=different)))


def test_the_lid_shows_the_tokens_where_the_camera_reads_them() -> None:
    shown, reading = SAMPLES["open_picture"], STEADY_VIEW.reading
    turned = replace(reading.lid, windows=tuple(reversed(reading.lid.windows)))
    elsewhere = replace(shown, camera_view=replace(STEADY_VIEW, reading=replace(reading, lid=turned)))
    assert pixels(Screen(SIZE).render(shown)) != pixels(Screen(SIZE).render(elsewhere))


def test_a_game_without_a_scene_is_written_out() -> None:
    bare = ScreenState(ScreenKind.PLAY, game_name="no_such_game", title="Another", details=("It has lines",))
    screen = Screen(SIZE)
    screen.render(bare)
    assert {"Another", "It has lines"} <= {text.text for text in screen.drawn_texts()}


def test_no_window_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    pygame.display.quit()
    monkeypatch.delattr(pygame.display, "set_mode")
    Screen(SIZE).render(SAMPLES["roll"])
    assert not pygame.display.get_init()


def test_save_png_writes_and_reports_a_bad_path(tmp_path: Path) -> None:
    picture = Screen(SIZE).render(SAMPLES["roll"])
    save_png(picture, tmp_path / "roll.png")
    assert pygame.image.load(tmp_path / "roll.png").get_size() == SIZE
    with pytest.raises(OSError, match=r"missing"):
        save_png(picture, tmp_path / "missing" / "roll.png")
