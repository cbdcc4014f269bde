"""Animations: planned from two states, short, and without traces in the picture."""

from __future__ import annotations

from dataclasses import replace

import pygame
import pytest

from companion.display import Screen
from companion.display.animation import (
    ANIMATION_SECONDS,
    MAX_ANIMATIONS,
    STAGGER_SECONDS,
    Animation,
    Animator,
    plan_animations,
)
from companion.display.scenes.acts import QUESTION_SECONDS
from companion.display.toolkit.preferences import DisplayPreferences
from companion.display.toolkit.theme import INK
from companion.events import Button
from companion.gallery import load_sample_builders
from companion.screen_state import PlayedMove, ScreenKind, ScreenState
from companion.testing.screens import SampleStates, format_corner
from companion.testing.table import ManualClock

STATES = {name: SampleStates(build_samples) for name, build_samples in load_sample_builders().items()}
SPOTS = {
    "bank": (400, 240),
    **{f"player {i}": (100, 100 + 40 * i) for i in range(6)},
    **{f"cup {i}": (50 * i, 300) for i in range(9)},
}


def play(game: str = "macroscope") -> ScreenState:
    return next(s for s in STATES[game].values() if s.kind is ScreenKind.PLAY and s.scores)


def ways(before: ScreenState, after: ScreenState) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    return [(f.start, f.end) for f in plan_animations(before, after, SPOTS, SPOTS, 0.0)]


def scored(shown: ScreenState, *changes: int) -> ScreenState:
    new = [s + (changes[i] if i < len(changes) else 0) for i, s in enumerate(shown.scores)]
    return replace(shown, scores=tuple(new), played=PlayedMove(7, shown.view))


@pytest.mark.parametrize(
    ("changes", "start", "end"),
    [((0, 3), "bank", "player 1"), ((-2,), "player 0", "bank"), ((-2, 2), "player 0", "player 1")],
    ids=["from the bank", "to the bank", "from loser to winner"],
)
def test_as_many_icons_fly_as_points(changes: tuple[int, ...], start: str, end: str) -> None:
    assert ways(play(), scored(play(), *changes)) == abs(changes[-1]) * [(SPOTS[start], SPOTS[end])]


def test_the_bank_gives_what_no_player_loses_and_the_streams_flow_side_by_side() -> None:
    found = ways(play(), scored(play(), -2, 4))
    given, from_bank = ((SPOTS[name], SPOTS["player 1"]) for name in ("player 0", "bank"))
    assert sorted(found) == sorted([given, given, from_bank, from_bank])
    assert found[0] != found[1]


def test_a_stream_of_many_points_leaves_the_small_ones_their_icons() -> None:
    found = ways(play(), scored(play(), 90, 1, 4))
    assert len(found) <= MAX_ANIMATIONS
    assert {end for _start, end in found} == {SPOTS[f"player {i}"] for i in range(3)}
    assert found.count((SPOTS["bank"], SPOTS["player 0"])) > len(found) // 2


def test_no_animation_without_score_change_or_outside_play() -> None:
    shown = play()
    assert ways(shown, replace(shown, last_move="something")) == []
    assert ways(replace(shown, kind=ScreenKind.LOBBY), scored(shown, 1)) == []
    assert ways(shown, replace(scored(shown, 1), kind=ScreenKind.RESULT)) == []
    assert ways(replace(shown, game_name="starfall"), scored(shown, 1)) == []


def test_only_a_move_that_was_just_played_gives_points() -> None:
    shown = play()
    after = scored(shown, 3)
    assert ways(shown, replace(after, played=None)) == []
    assert ways(replace(shown, played=after.played), after) == []


def test_at_a_reveal_the_points_leave_with_the_answer_also_in_the_last_round() -> None:
    shown = STATES["macroscope"]["reveal_six"]
    after = replace(scored(shown, 2), kind=ScreenKind.RESULT)
    begins = [each.begins_at for each in plan_animations(shown, after, SPOTS, SPOTS, 5.0)]
    assert begins == [5.0 + QUESTION_SECONDS, 5.0 + QUESTION_SECONDS + STAGGER_SECONDS]


def test_a_game_without_a_scene_of_its_own_has_its_points_fly_and_nothing_else() -> None:
    shown = replace(play(), game_name="none of ours")
    assert ways(shown, scored(shown, 0, 3)) == 3 * [(SPOTS["bank"], SPOTS["player 1"])]


def test_a_cup_goes_to_its_winner_and_no_points_besides() -> None:
    shown = next(
        s
        for s in STATES["memo_dice"].values()
        if s.kind is ScreenKind.PLAY and any(c.owner is None for c in s.view.cup_row)
    )
    i = next(i for i, cup in enumerate(shown.view.cup_row) if cup.owner is None)
    row = list(shown.view.cup_row)
    row[i] = replace(row[i], owner=shown.players[1].seat)
    after = scored(replace(shown, view=replace(shown.view, cup_row=tuple(row))), 0, 1)
    assert ways(shown, after) == [(SPOTS[f"cup {i}"], SPOTS["player 1"])]


def test_no_animation_without_anchors() -> None:
    assert plan_animations(play(), scored(play(), 3, -3), {}, {}, 0.0) == ()


def test_number_of_animations_is_limited() -> None:
    shown = replace(play(), scores=(5,) * 6)
    found = plan_animations(shown, scored(shown, 90), SPOTS, SPOTS, 2.0)
    assert len(found) == MAX_ANIMATIONS
    assert [f.begins_at for f in found] == [pytest.approx(2.0 + i * STAGGER_SECONDS) for i in range(MAX_ANIMATIONS)]


def test_animation_starts_and_ends_at_its_points() -> None:
    flight = Animation("gem", (1, 2, 3), (0, 100), (200, 100), 1.0)
    assert flight.position_at(0.9) is None
    assert flight.position_at(1.0) == (0, 100)
    x, y = flight.position_at(1.0 + ANIMATION_SECONDS / 2) or (0, 0)
    assert (x, y < 100) == (100, True)
    assert flight.position_at(1.01 + ANIMATION_SECONDS) is None


def test_an_icon_leaves_and_arrives_slowly() -> None:
    flight = Animation("gem", INK, (0, 0), (1000, 0), 0.0)
    places = [flight.position_at(part * ANIMATION_SECONDS) for part in (0.25, 0.5, 0.75)]
    assert [place and place[0] for place in places] == [156, 500, 844]


def pixels(surface: pygame.Surface) -> bytes:
    return pygame.image.tobytes(surface, "RGB")


@pytest.mark.sampled(2)
@pytest.mark.parametrize("game", ["macroscope", "pictomania", "score_keeper"])
def test_on_the_screen_a_score_flies_to_its_owner_and_the_picture_is_whole_again(game: str) -> None:
    clock = ManualClock(0.0)
    screen, surface = Screen((800, 480), monotonic=clock), pygame.Surface((800, 480), 0, 32)
    shown = play(game)
    after = scored(shown, 0, 3)
    screen.draw(surface, shown)
    assert not screen.is_animating
    screen.draw(surface, after)
    assert screen.is_animating
    whole = pixels(Screen((800, 480)).render(after))
    clock.now += ANIMATION_SECONDS / 2
    assert screen.draw(surface, after)
    assert pixels(surface) != whole
    clock.now += ANIMATION_SECONDS
    screen.draw(surface, after)
    assert not screen.is_animating
    assert pixels(surface) == whole
    assert screen.draw(surface, after) == []


@pytest.mark.parametrize("size", [(800, 480), (480, 800)], ids=format_corner)
@pytest.mark.parametrize(("game", "sample"), [("macroscope", "reveal_six"), ("pictomania", ""), ("score_keeper", "")])
def test_no_icon_lies_on_a_text_and_the_flight_is_seen(game: str, sample: str, size: tuple[int, int]) -> None:
    clock = ManualClock(0.0)
    screen, surface = Screen(size, monotonic=clock), pygame.Surface(size, 0, 32)
    shown = STATES[game][sample] if sample else play(game)
    after = scored(shown, -5, 9)
    screen.draw(surface, shown)
    screen.draw(surface, after)
    seen = 0
    while screen.is_animating:
        clock.now += 0.06
        screen.draw(surface, after)
        seen += pixels(surface) != pixels(screen.canvas.surface)
        for text in screen.drawn_texts():
            place = text.ink_rect.clip(surface.get_rect())
            assert pixels(surface.subsurface(place)) == pixels(screen.canvas.surface.subsurface(place)), text
    assert 0.06 * seen > ANIMATION_SECONDS


def test_an_icon_flies_around_a_text_and_is_small_at_both_ends() -> None:
    flight, text = Animation("gem", INK, (100, 200), (700, 200), 0.0), pygame.Rect(300, 80, 200, 40)
    around = flight.choose_route([text], 40, pygame.Rect(0, 0, 800, 480))
    assert around.arc_height_ratio == 0.0
    assert flight.choose_route([], 40, pygame.Rect(0, 0, 800, 480)).position_at(0.2) == flight.position_at(0.2)
    assert [flight.measure_size(part * ANIMATION_SECONDS) for part in (0.0, 0.5, 1.0)] == [0.4, 1.0, 0.4]


def test_a_press_ends_the_icons_in_flight() -> None:
    screen, surface = Screen((800, 480), monotonic=ManualClock(0.0)), pygame.Surface((800, 480), 0, 32)
    after = scored(play(), 0, 3)
    for shown in (play(), after, replace(after, pressed_buttons=frozenset({Button.SEAT6}))):
        screen.draw(surface, shown)
    assert pixels(surface) == pixels(Screen((800, 480)).render(shown))
    assert screen.draw(surface, shown) == []


def test_icons_in_flight_end_with_the_game() -> None:
    animator = Animator(ManualClock(0.0))
    after = scored(play(), 0, 3)
    animator.start_animations(play(), after, SPOTS, SPOTS)
    assert animator.is_animating
    animator.start_animations(after, replace(after, pressed_buttons=frozenset({Button.SEAT6})), SPOTS, SPOTS)
    assert animator.is_animating, "the game goes on"
    animator.start_animations(after, replace(after, kind=ScreenKind.RESULT), SPOTS, {})
    assert not animator.is_animating


def test_animations_can_be_switched_off() -> None:
    screen, surface = (
        Screen((800, 480), DisplayPreferences(animations=False), ManualClock(0.0)),
        pygame.Surface((800, 480), 0, 32),
    )
    screen.draw(surface, play())
    screen.draw(surface, scored(play(), 3))
    assert not screen.is_animating


def test_scenes_set_the_anchors() -> None:
    screen = Screen((800, 480))
    shown = play()
    screen.render(shown)
    anchors = screen.canvas.collect_anchors()
    assert {f"player {p.seat}" for p in shown.players} <= set(anchors)
    assert "bank" in anchors
