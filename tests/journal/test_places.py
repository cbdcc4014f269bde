"""A result in which the scores do not make the places: all that leaves the table says so."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.api import Move, Seat
from companion.api.registry import find_game
from companion.events import SEAT_BUTTONS
from companion.i18n import set_language
from companion.journal.bg_stats import build_play
from companion.journal.database import JOURNAL_FILE, Journal
from companion.journal.entry import GameSetup
from companion.journal.game_summary import summarise_game
from companion.journal.saved_game import SavedGame
from companion.porch.table_result import build_table_result
from companion.referee.dialogs.result_codes import format_result_lines

HANDS = (((1, 50), (1, 5), (1, 10)), ((1, 5), (1, 5), (1, 0)), ((1, 0), (0, 0), (1, 100)))
"""Three phases: Ada and Cy have done all of them, and Bob has the fewest points."""


def play_phases(journal: Journal, *, is_over: bool = True) -> SavedGame:
    definition = find_game("phase_10")
    settings = definition.settings_model.model_validate({"last": 3}).model_dump(mode="json")
    buttons = SEAT_BUTTONS[:3]
    setup = GameSetup(game="phase_10", players=("Ada", "Bob", "Cy"), buttons=buttons, settings=settings)
    saved = SavedGame.begin(journal, setup, definition)
    for hand in HANDS if is_over else HANDS[:2]:
        for seat, numbers in enumerate(hand):
            for number in numbers:
                saved.play_move(Move("enter", Seat(seat), (number,)))
    return saved


@pytest.fixture
def journal(tmp_path: Path) -> Journal:
    return Journal(tmp_path / JOURNAL_FILE)


def test_places_that_the_scores_do_not_make(journal: Journal) -> None:
    saved = play_phases(journal)
    assert saved.game.totals == (55, 10, 110)
    assert format_result_lines(saved.replay) == ["1. Ada: 55", "2. Cy: 110", "3. Bob: 10"]
    summary = summarise_game(journal, saved.record, find_game, None)
    assert (summary["winners"], summary["places"]) == ([0], [1, 3, 2])
    assert summary["reason"] == "Decided by Phase, then by the score."
    published = build_table_result(saved.record, saved.replay, journal.clock, "hall-1")
    assert [(player["place"], player["won"]) for player in published["players"]] == [(1, True), (3, False), (2, False)]
    play = build_play(saved.record, saved.replay, journal.clock)
    assert [(player["rank"], player["winner"]) for player in play["players"]] == [(1, True), (3, False), (2, False)]
    set_language("fr")
    assert format_result_lines(saved.replay)[0] == "1. Ada\N{NO-BREAK SPACE}: 55"


def test_a_winner_whom_the_scores_do_not_show_has_a_rank_for_the_app(journal: Journal) -> None:
    """On the chess clock both have 0 points; who has lost on time has not won."""
    definition = find_game("chess")
    settings = definition.settings_model.model_validate({}).model_dump(mode="json")
    setup = GameSetup(game="chess", players=("Ada", "Bob"), buttons=SEAT_BUTTONS[:2], settings=settings)
    saved = SavedGame.begin(journal, setup, definition)
    for move in (Move("take", Seat(0)), Move("pass", Seat(0), (36_000,))):
        saved.play_move(move)
    assert saved.game.totals == (0, 0)
    play = build_play(saved.record, saved.replay, journal.clock)
    assert [(player["rank"], player["winner"]) for player in play["players"]] == [(2, False), (1, True)]


def test_a_game_that_goes_on_has_no_places(journal: Journal) -> None:
    saved = play_phases(journal, is_over=False)
    assert summarise_game(journal, saved.record, find_game, None)["places"] == []
    published = build_table_result(saved.record, saved.replay, journal.clock, "hall-1")
    assert [player["place"] for player in published["players"]] == [0, 0, 0]
