"""The result of every game: ranking and podium."""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby
from typing import Any

import pygame
import pytest

from companion.api import Outcome, Seat
from companion.display import Screen
from companion.display.scenes import load_game_scene
from companion.display.scenes.acts import Act, plan_acts
from companion.display.toolkit import BIG_EM, TITLE_EM
from companion.display.toolkit.theme import BUTTON_COLOURS, DARK_PALETTE
from companion.display.widgets import rank_players
from companion.display.widgets.podium import describe_margin, plan_podium
from companion.gallery import load_sample_builders
from companion.i18n import format_number
from companion.screen_state import ScreenKind, ScreenState
from companion.testing.screens import SampleStates, check_screen, draw_texts, format_corner, get_screen
from companion.testing.table import ManualClock
from tests.display.ended_games import SAMPLES_ENDED, join_texts

A = Seat(0)


def list_podiums() -> list[ScreenState]:
    results = [shown for shown in SAMPLES_ENDED.values() if shown.kind is ScreenKind.RESULT]
    return [shown for shown in results if shown.score_sheet is None and shown.result_code is None]


def end_with(*scores: int, lowest_wins: bool = False, winners: tuple[Seat, ...] | None = None) -> ScreenState:
    """Return the result of a game with these scores, whose best players have won."""
    shown = SAMPLES_ENDED["macroscope_6"]
    best = min(scores) if lowest_wins else max(scores)
    if winners is None:
        winners = tuple(Seat(seat) for seat, score in enumerate(scores) if score == best)
    count = len(scores)
    return replace(
        shown,
        players=shown.players[:count],
        scores=scores,
        outcome=Outcome(winners, "", lowest_wins),
        round_points=tuple(points[:count] for points in shown.round_points),
    )


def test_equal_scores_share_a_rank() -> None:
    shown = end_with(4, 9, 4, 9, 1, 0)
    assert [(rank, players[0].seat) for rank, players, _ in rank_players(shown)] == [
        (1, 1),
        (1, 3),
        (3, 0),
        (3, 2),
        (5, 4),
        (6, 5),
    ]


def test_places_of_the_outcome_count_before_the_scores() -> None:
    shown = end_with(1, 5, 10, winners=(A,))
    assert shown.outcome is not None
    shown = replace(shown, outcome=replace(shown.outcome, places=(1, 2, 3)))
    podium = plan_podium(shown)
    steps = sorted(podium.steps, key=lambda step: step.rank)
    assert [(step.players[0].seat, step.distance) for step in steps] == [(0, 0), (1, 0), (2, 0)]
    assert 1.0 == steps[0].share > steps[1].share > steps[2].share > 0.0
    assert not describe_margin(podium)


@pytest.mark.sampled(1)
@pytest.mark.parametrize("size", [(800, 480), (480, 800), (3840, 2160)], ids=format_corner)
def test_the_podium_shows_names_and_scores_from_afar(size: tuple[int, int]) -> None:
    canvas = get_screen(size, "dark").canvas
    for shown in list_podiums():
        texts = draw_texts(shown, size)
        for place, (_rank, (player, *_others), score) in enumerate(rank_players(shown)):
            letters = 8 if size[0] > size[1] else 4  # upright a long name is cut: its shape stands over it
            assert place > 2 or any(player.name[:letters] in text.text for text in texts), shown.game_name
            largest = max(text.em_px for text in texts if text.text == format_number(score))
            assert largest >= canvas.px_at_least(BIG_EM if place == 0 and size[0] > size[1] else TITLE_EM)


@pytest.mark.parametrize("size", [(800, 480), (1920, 1080)], ids=format_corner)
def test_no_text_is_larger_than_the_winners_name_but_a_score(size: tuple[int, int]) -> None:
    for shown in list_podiums():
        if len(shown.outcome.winners) != 1:
            continue
        texts = [text for text in draw_texts(shown, size) if text.text not in map(format_number, shown.scores)]
        largest = max(texts, key=lambda text: text.em_px)
        assert largest.text == shown.players[shown.outcome.winners[0]].name
        assert largest.em_px > 1.5 * max(text.em_px for text in texts if text.text != largest.text), shown.game_name


def test_after_one_round_the_podium_with_the_scores_has_all_the_width() -> None:
    several = replace(SAMPLES_ENDED["memo_dice_4"], details=("Ada is right",))
    one = replace(several, round_points=several.round_points[:1])
    widths = []
    for shown in (several, one):
        screen = Screen((800, 480))
        screen.render(shown)
        widths.append(screen.canvas.regions["players"].rect.w)
        assert "main" in screen.canvas.regions or shown is one
        assert not any("is right" in text.text for text in screen.drawn_texts()), "no line of the log"
    assert widths[1] > 1.8 * widths[0]


def test_ties_share_a_step_and_the_first_stands_highest() -> None:
    shown = end_with(9, 9, 2, 1, 0, 0)
    screen = Screen((800, 480))
    screen.render(shown)
    tops = {}
    for text in screen.drawn_texts():
        if text.text in {"9", "2"} and text.em_px >= 40:
            tops.setdefault(text.text, []).append(text.ink_rect.centery)
    assert len(set(tops["9"])) == 1
    assert len(tops["9"]) == 2
    assert tops["2"][0] > tops["9"][0]


def test_who_has_won_stands_first_whatever_the_score() -> None:
    ranked = rank_players(end_with(4, 9, 4, winners=(Seat(2),)))
    assert [(rank, players[0].seat) for rank, players, _score in ranked] == [(1, 2), (2, 1), (3, 0)]


TEAMS = {4: ["Bo and Ada", "Wilhelmina and Maximilianna"], 6: ["Bo and Ferdinand", "Wilhelmina and Ada"]}


@pytest.mark.parametrize("size", [(800, 480), (1920, 1080)], ids=format_corner)
@pytest.mark.parametrize("count", TEAMS)
def test_a_team_has_one_step_in_the_colours_of_both(count: int, size: tuple[int, int]) -> None:
    shown = SAMPLES_ENDED[f"teams_{count}"]
    assert [(team.rank, team.name) for team in rank_players(shown)][:2] == [*enumerate(TEAMS[count], 1)]
    screen = get_screen(size)
    picture = screen.render(shown)
    rect = screen.canvas.regions["players"].rect
    tones = {DARK_PALETTE[BUTTON_COLOURS[player.button]]: player.seat for player in shown.players}
    row = [tuple(picture.get_at((x, rect.bottom - 2)))[:3] for x in range(rect.left, rect.right)]
    seats = [seat for seat, _run in groupby(tones.get(colour) for colour in row) if seat is not None]
    assert seats == [player.seat for step in plan_podium(shown).steps for player in step.players]


def test_names_of_teams_are_read_from_afar_and_numbers_of_a_sheet_are_whole() -> None:
    for count in TEAMS:
        check_screen(SAMPLES_ENDED[f"teams_{count}"], (800, 480), is_far=True)
    check_screen(SAMPLES_ENDED["starfall_lines"], (1280, 720))  # a unit is no whole number of pixels


def test_a_team_wins_by_a_margin_and_shares_with_nobody() -> None:
    assert "Bo and Ada win with 111 · 184 ahead" in join_texts(SAMPLES_ENDED["teams_4"])
    assert "Longest in the lead: Bo and Ada" in join_texts(SAMPLES_ENDED["teams_4"])
    assert not any("share" in join_texts(SAMPLES_ENDED[name]) for name in ("teams_4", "teams_6", "teams_table_6"))


@pytest.mark.parametrize("count", TEAMS)
def test_the_rounds_of_a_team_add_up_to_its_score_and_have_one_line(count: int) -> None:
    shown = SAMPLES_ENDED[f"teams_{count}"]
    assert tuple(map(sum, zip(*shown.round_points, strict=True))) == shown.scores
    assert "Other" not in join_texts(SAMPLES_ENDED[f"teams_table_{count}"])
    half = count // 2
    assert all(points[:half] == points[half:] for points in map(tuple, shown.round_points))


def test_steps_rise_from_the_last_to_the_first_and_ties_together() -> None:
    three = plan_podium(end_with(5, 9, 1))
    assert [step.rank for step in three.steps] == [2, 1, 3]
    begins = {step.rank: step.begins_at for step in three.steps}
    assert begins[3] < begins[2] < begins[1] < three.won_at < three.seconds
    assert three.measure_rises(three.won_at) == (1.0, 1.0, 1.0)
    assert three.measure_rises(begins[1])[1] == 0.0
    tied = plan_podium(end_with(5, 9, 5, 9, 5, 0))
    assert [step.rank for step in tied.steps] == [3, 1, 1, 3, 3]
    assert len({step.begins_at for step in tied.steps}) == 2
    assert [step.score for step in tied.others] == [0]


def test_heights_and_words_tell_the_distance_of_the_scores() -> None:
    near, far = ({step.rank: step for step in plan_podium(end_with(*s)).steps} for s in ((50, 48, 10), (50, 20, 10)))
    assert near[1].share == far[1].share == 1.0
    assert 1.0 > near[2].share > far[2].share > far[3].share
    assert [near[rank].distance for rank in (1, 2, 3)] == [2, 2, 40]
    assert "2 ahead" in join_texts(end_with(50, 48, 10))


@pytest.mark.parametrize(
    ("scores", "options", "ranks"),
    [
        ((7,), {}, [1]),
        ((0, 0), {}, [1, 1]),
        ((7, 3), {}, [2, 1]),
        ((10, 101, 12), {"lowest_wins": True}, [2, 1, 3]),
        ((3, 9), {"winners": ()}, [2, 1]),
        ((-4, -9, -30), {}, [2, 1, 3]),
    ],
    ids=["alone", "nothing", "two", "lowest wins", "nobody has won", "below zero"],
)
def test_every_end_has_a_podium(scores: tuple[int, ...], options: dict[str, Any], ranks: list[int]) -> None:
    podium = plan_podium(end_with(*scores, **options))
    assert [step.rank for step in podium.steps] == ranks
    shares = [step.share for step in sorted(podium.steps, key=lambda step: step.rank)]
    assert shares[0] == 1.0
    assert shares == sorted(shares, reverse=True)
    assert (podium.measure_confetti(podium.won_at + 1.0) > 0.0) is ("winners" not in options)


def test_a_team_has_one_step() -> None:
    samples = SampleStates(load_sample_builders()["score_keeper"])
    shown = next(s for s in samples.values() if s.view and len(s.view.list_team(Seat(0))) > 1)
    podium = plan_podium(replace(shown, outcome=Outcome(shown.view.list_team(Seat(0)), "")))
    assert sum(len(step.players) for step in (*podium.steps, *podium.others)) == len(shown.players)
    assert {len(step.players) for step in podium.steps} == {2}


def test_the_winner_is_named_once_the_first_has_risen_and_then_all_comes_to_rest() -> None:
    shown = replace(SAMPLES_ENDED["macroscope_2"], played=replace(SAMPLES_ENDED["macroscope_2"].played, number=2))
    clock = ManualClock(10.0)
    screen, onto = Screen((400, 240), monotonic=clock), pygame.Surface((400, 240), 0, 32)
    screen.draw(onto, replace(shown, played=None))
    scene = load_game_scene(shown.game_name)
    *earlier, (last, _seconds) = plan_acts(scene, shown)
    assert [act for act, _seconds in earlier] == [Act.QUESTION, Act.ANSWER]
    assert last is Act.PODIUM
    begun, podium = 10.0 + sum(seconds for _act, seconds in earlier), plan_podium(shown)
    winner = shown.players[shown.outcome.winners[0]].name
    for seconds, is_named in ((0.1, False), (podium.won_at - 0.1, False), (podium.won_at + 0.1, True)):
        clock.now = 10.0
        screen.draw(onto, shown)
        clock.now = begun + seconds
        screen.draw(onto, shown)
        largest = max(screen.drawn_texts(), key=lambda text: text.em_px * (text.text not in map(str, shown.scores)))
        assert (largest.text == winner) is is_named, seconds
    clock.now = begun + podium.seconds
    screen.draw(onto, shown)
    screen.draw(onto, shown)
    assert not screen.is_animating
    assert pygame.image.tobytes(onto, "RGB") == pygame.image.tobytes(Screen((400, 240)).render(shown), "RGB")


def test_why_the_game_ended_is_said_once() -> None:
    for name in ("macroscope_6", "starfall_4", "starfall_2", "pictomania_3"):
        shown = SAMPLES_ENDED[name]
        for size in ((800, 480), (1920, 1080)):
            reason = shown.outcome.reason
            assert join_texts(shown, size).count(reason.split()[-3]) >= 1, (name, size)
