"""Score sheets, the table of all rounds, and the lists of the history."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.api import registry
from companion.display.toolkit import TITLE_EM
from companion.display.widgets import rank_players
from companion.gallery.finished_games import play_to_end
from companion.i18n import format_number
from companion.journal.statistics import list_score_changes
from companion.testing.screens import draw_screen, draw_texts, format_corner, get_screen
from tests.display.ended_games import SAMPLES_ENDED, join_texts


@pytest.mark.sampled(6)
@pytest.mark.parametrize("name", registry.list_game_names())
def test_a_score_sheet_comes_to_the_score(name: str) -> None:
    """Each line's total is the one before and its points; the last one's is the score."""
    replay = play_to_end(name, registry.find_game(name).player_counts[-1], 1)
    for seat, score in enumerate(replay.game.totals):
        lines = list_score_changes(replay, seat)
        total = 0
        for line in lines:
            total += line.points
            assert line.total == total, line
        assert total == score
        assert all(line.label for line in lines[1:])


def test_a_long_sheet_shows_the_line_that_is_looked_for() -> None:
    shown = SAMPLES_ENDED["macroscope_lines"]
    for selected in range(len(shown.score_sheet.lines)):
        at = replace(shown, score_sheet=replace(shown.score_sheet, selected=selected))
        words = shown.score_sheet.lines[selected].label or "At the start"
        assert words in join_texts(at, (800, 480))


def test_a_long_list_of_the_history_shows_the_row_that_is_looked_for() -> None:
    shown = SAMPLES_ENDED["history_sittings_of"]
    for selected, row in enumerate(shown.view.rows):
        assert row.label in join_texts(replace(shown, view=replace(shown.view, selected=selected)), (800, 480))


@pytest.mark.parametrize("name", ["macroscope", "pictomania", "secret_number", "memo_dice"])
def test_columns_of_the_score_table_add_up_to_the_score(name: str) -> None:
    """Points from before the first round, and totals corrected by hand, have a column of their own."""
    shown = SAMPLES_ENDED[f"{name}_table"]
    corrected = replace(shown, scores=(shown.scores[0] + 7, *shown.scores[1:]))
    other = corrected.scores[0] - sum(points[0] for points in corrected.round_points)
    texts = [text.text for text in draw_texts(corrected, (1920, 1080))]
    assert "Other" in texts
    assert format_number(other) in texts


@pytest.mark.parametrize("size", [(800, 480), (1920, 1080)], ids=format_corner)
@pytest.mark.parametrize(
    "name", ["macroscope_table", "pictomania_table", "starfall_lines", "score_keeper_lines", "teams_table_6"]
)
def test_the_pages_of_the_scores_show_places_names_and_totals(name: str, size: tuple[int, int]) -> None:
    shown = SAMPLES_ENDED[name]
    texts = draw_texts(shown, size)
    title = get_screen(size).canvas.px_at_least(TITLE_EM)
    words = [text.text for text in texts]
    for team in rank_players(shown):
        assert f"{team.rank}." in words
        assert team.name in words
        assert max(text.em_px for text in texts if text.text == format_number(team.score)) >= title


@pytest.mark.parametrize("size", [(800, 480), (480, 800)], ids=format_corner)
@pytest.mark.parametrize("name", ["macroscope_table", "yacht_table"])
def test_every_round_of_the_table_can_be_marked_and_is_in_view_then(name: str, size: tuple[int, int]) -> None:
    shown = SAMPLES_ENDED[name]
    assert shown.score_sheet.selected == len(shown.round_points) - 1, "how it ended"
    for selected in range(len(shown.round_points)):
        at = replace(shown, score_sheet=replace(shown.score_sheet, selected=selected))
        words = {text.text for text in draw_screen(at, size).regions["main"].texts}
        assert {str(selected + 1), "Maximilianna"} <= words


def test_a_table_whose_rounds_all_fit_shows_all() -> None:
    words = [text.text for text in draw_texts(SAMPLES_ENDED["yacht_table"], (800, 480))]
    assert {str(number) for number in range(1, 14)} <= set(words)
