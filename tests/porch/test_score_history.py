"""What the porch keeps for the page: the scores of the game in play, and the games of this evening."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from companion.porch.messages import PublicPlayer, StateLine
from companion.porch.score_history import MAX_GAMES, MAX_POINTS, ScoreHistory, list_evening

NOW = datetime(2026, 11, 23, 22, 0, tzinfo=UTC)


def build_line(
    *scores: int | None, number: int | None = None, screen: str = "play", names: str = "ABCDEF"
) -> StateLine:
    players = tuple(
        PublicPlayer(name=names[seat], seat=seat, button=seat + 1, colour="#ffffff", shape="circle", score=score)
        for seat, score in enumerate(scores)
    )
    return StateLine(table="hall-1", screen=screen, game="pig", round=number, players=players)


def note(*lines: StateLine) -> tuple[tuple[int, tuple[int, ...]], ...]:
    history = ScoreHistory()
    for line in lines:
        history.note_state(line)
    return history.points


def test_each_round_is_a_point_and_a_correction_goes_back() -> None:
    played = [build_line(0, 0, number=1), build_line(3, 0, number=1), build_line(3, 4, number=2)]
    assert note(*played) == ((1, (3, 0)), (2, (3, 4)))
    assert note(*played, build_line(9, 0, number=1)) == ((1, (9, 0)),)
    assert note(*played, build_line(3, 4, number=2, screen="result"))[-1] == (2, (3, 4))


def test_without_rounds_each_change_is_a_point() -> None:
    assert note(build_line(0, 0), build_line(0, 0), build_line(5, 0)) == ((1, (0, 0)), (2, (5, 0)))
    many = note(*(build_line(score, 0) for score in range(MAX_POINTS + 50)))
    assert len(many) == MAX_POINTS
    assert many[-1] == (MAX_POINTS + 50, (MAX_POINTS + 49, 0))


@pytest.mark.parametrize(
    "after",
    [build_line(screen="lobby"), build_line(1, 2, names="BA"), build_line(1, 2, 3), build_line(None, None)],
    ids=["lobby", "other players", "a third", "no scores"],
)
def test_another_game_begins_again(after: StateLine) -> None:
    points = note(build_line(0, 0, number=1), build_line(3, 4, number=2), after)
    assert (1, (0, 0)) not in points


def build_game(ended: str, **changes: Any) -> dict[str, Any]:
    players = [{"name": "Ada", "score": 3, "won": True, "place": 1, "seat": 0, "began": True}]
    return {"finished": True, "ended": ended, "name": "", "title": "Pig", "players": players} | changes


def test_the_evening_has_the_finished_games_of_the_last_hours() -> None:
    today = build_game("2026-11-23T21:00:00Z", name="Final")
    others = [
        build_game("2026-11-23T04:59:59Z"),  # it belongs to the night before
        build_game("2026-11-23T22:00:01Z"),
        build_game("2026-11-23T21:00:00Z", finished=False),
        build_game("soon"),
        {"sitting": "of another version"},
    ]
    (shown,) = list_evening([*others, today], NOW)
    assert shown == {"title": "Final", "players": [{"name": "Ada", "score": 3, "won": True}]}
    second = {"name": "Bob", "score": 9, "won": False, "place": 2}
    (shown,) = list_evening([today | {"players": [second, *today["players"]]}], NOW)
    assert [player["name"] for player in shown["players"]] == ["Ada", "Bob"]
    many = list_evening([build_game(f"2026-11-23T20:{minute:02}:00Z", title=str(minute)) for minute in range(20)], NOW)
    assert [game["title"] for game in many] == [str(minute) for minute in range(19, 19 - MAX_GAMES, -1)]
