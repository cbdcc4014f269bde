"""What is told of a game beside earlier ones: true sentences, and none where the opposite could be true."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

import pytest

from companion.journal.highlights import describe_game, describe_streaks

FIRST_DAY = datetime(2026, 3, 1, 20, 0).astimezone()
Game = dict[str, Any]


def play(
    day: float,
    *,
    title: str = "Pig",
    rules: str = "",
    lowest_wins: bool = False,
    known: bool = True,
    days: float = 0.0,
    places: Sequence[int] = (),
    **scores: int,
) -> Game:
    """Return the summary of a game that began so many days after the first, and took so many days."""
    signed = [score if lowest_wins else -score for score in scores.values()]
    places = places or [1 + sum(other < score for other in signed) for score in signed]
    return {
        "title": title,
        "players": list(scores),
        "scores": list(scores.values()),
        "winners": [seat for seat, place in enumerate(places) if place == 1],
        "places": places,
        "lowest_wins": lowest_wins,
        "rules": rules,
        "begun": (FIRST_DAY + timedelta(days=day)).isoformat(),
        "ended": (FIRST_DAY + timedelta(days=day + days)).isoformat(),
        "date_known": known,
    }


def tell(*games: Game) -> tuple[str, ...]:
    """Describe the last of these games beside the others."""
    *earlier, game = games
    return describe_game(game, earlier)


def test_a_first_evening_has_nothing_to_compare() -> None:
    assert tell(play(0, Ada=9, Bo=3)) == ()
    assert tell(play(0, Ada=9, Bo=3), play(1, Ada=12, Bo=3)) == ()


def test_three_evenings_by_hand() -> None:
    """Each line was reckoned by hand: who beat whom, who won how many of the day, and what was better when."""
    hour = 1 / 24
    evenings = [
        (0.0, (50, 30, 20), ()),
        (1 * hour, (60, 61, 10), ()),
        (2 * hour, (44, 12, 40), ("Ada beat Cleo 3 times in a row", "Ada won 2 of the 3 games of the day")),
        (3 * hour, (45, 70, 12), ("Bo's best Pig so far: 70", "Ada beat Cleo 4 times in a row")),
        # Both share the victory with 58: neither beats the other.
        (40.0, (58, 20, 58), ("Cleo wins for the first time, in game 5", "Cleo's best Pig so far: 58")),
        (40 + hour, (59, 20, 30), ("Ada's best Pig since 1 Mar 2026",)),
        (40 + 2 * hour, (30, 31, 33), ("Cleo beat Bo 3 times in a row",)),
        (
            40 + 3 * hour,
            (61, 10, 5),
            ("Bo beat Cleo after 3 defeats", "Ada's best Pig so far: 61", "Ada won 3 of the 4 games of the day"),
        ),
        (40 + 4.5 * hour, (20, 21, 19), ("Ada won 3 of the 5 games of the day",)),  # after midnight
        (45.0, (10, 75, 20), ("Bo's best Pig so far: 75", "Bo beat Cleo 3 times in a row")),
        (45 + hour, (10, 71, 20), ("Bo beat Cleo 4 times in a row",)),
        (
            45 + 2 * hour,
            (9, 71, 90),
            (
                "Cleo beat Bo after 4 defeats",
                "Cleo's best Pig so far: 90",
                "Bo beat Ada 4 times in a row",
                "Bo won 2 of the 3 games of the day",
            ),
        ),
        (45 + 2.5 * hour, (9, 71, 71), ("Bo beat Ada 5 times in a row", "Bo won 3 of the 4 games of the day")),
    ]
    games: list[Game] = []
    for day, (ada, bo, cleo), lines in evenings:
        games.append(play(day, Ada=ada, Bo=bo, Cleo=cleo))
        assert tell(*games) == lines, day
    assert describe_streaks(games) == {"Bo": "Beat Ada 5 times in a row", "Cleo": "Beat Ada 4 times in a row"}


# Rivals -----------------------------------------------------------------------------------------------------


def test_three_defeats_in_a_row_are_told() -> None:
    games = [play(day, Ada=9, Bo=3) for day in (0, 1, 2, 3)]
    assert tell(*games[:2]) == ()
    assert tell(*games[:3]) == ("Ada beat Bo 3 times in a row",), "of two players the row of wins says the same"
    assert describe_streaks(games)["Ada"] == "Beat Bo 4 times in a row"
    assert "Bo" not in describe_streaks(games)


@pytest.mark.parametrize("between", [play(1, Ada=5, Bo=5), play(1, Ada=3, Bo=5)], ids=["a tie", "a defeat"])
def test_a_tie_or_a_defeat_ends_a_row(between: Game) -> None:
    games = [play(0, Ada=9, Bo=3), between, play(2, Ada=9, Bo=3), play(3, Ada=9, Bo=3)]
    assert tell(*games) == ()
    assert "Ada" not in describe_streaks(games)


def test_games_without_the_rival_do_not_count() -> None:
    games = [play(0, Ada=9, Bo=3), play(1, Ada=1, Cleo=3), play(2, Ada=9, Bo=3), play(3, Ada=9, Bo=3)]
    assert tell(*games) == ("Ada beat Bo 3 times in a row",)


def test_a_rival_is_beaten_also_by_a_better_place() -> None:
    games = [play(day, Ada=5, Bo=3, **{f"Guest{day}": 9}) for day in (0, 1, 2)]
    assert "Ada beat Bo 3 times in a row" in tell(*games)


def test_fewer_points_may_be_better() -> None:
    games = [play(day, lowest_wins=True, Ada=9, Bo=3) for day in (0, 1, 2)]
    assert tell(*games) == ("Bo beat Ada 3 times in a row",)


def test_places_say_who_was_beaten_and_then_no_score_is_a_best_one() -> None:
    games = [play(day, places=(2, 1), Ada=9, Bo=3) for day in (0, 1, 2)]
    assert tell(*games) == ("Bo beat Ada 3 times in a row",)
    games = [play(day, Ada=5, Bo=3) for day in (0, 1, 2)]
    assert "Ada's best Pig so far: 9" in tell(*games, play(3, Ada=9, Bo=3))
    assert not any("best" in line for line in tell(*games, play(3, places=(2, 1), Ada=9, Bo=3)))
    # Nor is a later one measured by it.
    assert "Ada's best Pig so far: 8" in tell(play(0, places=(2, 1), Ada=9, Bo=3), *games, play(3, Ada=8, Bo=3))


def test_a_team_has_not_beaten_itself() -> None:
    games = [{**play(day, Ada=9, Bo=9, Cleo=3, Dan=3), "winners": [0, 1]} for day in (0, 1, 2)]
    assert not any("Ada beat Bo" in line or "Bo beat Ada" in line for line in tell(*games))


def test_who_wins_or_loses_together_has_not_beaten_the_other() -> None:
    both = [play(day, places=(1, 1, 3), Ada=9, Bo=3, Cleo=1) for day in (0, 1, 2)]
    assert not any("Ada beat Bo" in line for line in tell(*both))
    none = [{**play(day, Ada=9, Bo=3), "winners": []} for day in (0, 1, 2)]
    assert tell(*none) == ()
    assert describe_streaks(none) == {}


def test_the_end_of_a_row_is_told() -> None:
    games = [*(play(day, Ada=9, Bo=3) for day in (0, 1, 2)), play(3, Ada=3, Bo=9)]
    assert tell(*games)[0] == "Bo beat Ada after 3 defeats"
    assert tell(*games[1:]) == (), "two defeats are no row"
    assert not any("beat" in line for line in tell(*games[:3], play(3, Ada=9, Bo=9))), "a tie is no revenge"


def test_a_row_of_wins_against_others_is_told() -> None:
    games = [play(0, Ada=9, Bo=3), play(1, Ada=9, Cleo=3), play(2, Ada=9, Dan=3)]
    assert tell(*games) == ("Ada has won 3 games in a row",)
    assert describe_streaks(games)["Ada"] == "Won the last 3 games"


def test_guests_and_names_that_two_share_are_in_no_sentence() -> None:
    assert tell(*(play(day, Circle=9, Triangle=3) for day in range(6))) == ()
    assert tell(*(play(day, Kreis=9, Bo=3) for day in range(6))) == (), "a shape in another language"
    twins = [{**play(day, Ada=9, Bo=3), "players": ["Ada", "Ada"]} for day in range(6)]
    assert tell(*twins) == ()
    assert "Ada" not in describe_streaks(twins)


# Time -------------------------------------------------------------------------------------------------------


def test_each_game_is_looked_at_once() -> None:
    """The display waits for it: ten times as many games may take ten times as long, but no longer."""
    scores = {name: 9 - i for i, name in enumerate(("Ada", "Bo", "Cleo", "Dan", "Eve", "Fay"))}

    class Counted(dict[str, Any]):
        reads = 0

        def __getitem__(self, key: str) -> Any:
            Counted.reads += 1
            return super().__getitem__(key)

    games = [Counted(play(day, **scores)) for day in range(100)]
    tell(*games)
    described, Counted.reads = Counted.reads, 0
    describe_streaks(games)
    assert described / len(games) < 150
    assert Counted.reads / len(games) < 150


# First wins -------------------------------------------------------------------------------------------------


def test_a_first_win_after_four_games_is_told() -> None:
    games = [play(day, Ada=9, Bo=day, Cleo=1) for day in (0, 1, 2, 3)]
    assert tell(*games, play(4, Ada=1, Bo=9))[0] == "Bo wins for the first time, in game 5"
    assert not any("first" in line for line in tell(*games[1:], play(4, Ada=1, Bo=9))), "after three it is no news"
    assert not any("first" in line for line in tell(play(-1, Bo=2, Dan=1), *games, play(4, Ada=1, Bo=9)))


# Bests ------------------------------------------------------------------------------------------------------


def test_the_best_result_so_far_is_told() -> None:
    games = [play(day, Ada=day, Bo=50) for day in (1, 2, 3)]
    assert "Ada's best Pig so far: 12" in tell(*games, play(4, Ada=12, Bo=50))
    assert not any("best" in line for line in tell(*games, play(4, Ada=3, Bo=50))), "as good as an earlier one"
    assert not any("best" in line for line in tell(*games[1:], play(4, Ada=12, Bo=50))), "after two it is no news"
    assert not any("best" in line for line in tell(*games, play(4, title="Go", Ada=12, Bo=50))), "another game"


@pytest.mark.parametrize("other", [{"rules": "to 5,000"}, {"Cleo": 1}], ids=["house rules", "more players"])
def test_a_best_result_is_compared_with_games_of_the_same_kind(other: dict[str, Any]) -> None:
    games = [play(day, Ada=day, Bo=50, **other) for day in (1, 2, 3)]
    now = play(9, Ada=12, Bo=50)
    assert not any("best" in line for line in tell(*games, now))
    alike = [play(day, Ada=day, Bo=50) for day in (4, 5, 6)]
    assert "Ada's best Pig so far: 12" in tell(*games, *alike, now)
    better = play(7, Ada=13, Bo=50, **other)
    assert not any("best" in line for line in tell(*games, *alike, better, now)), "the history shows the 13"


def test_points_of_a_game_without_a_name_are_compared_with_nothing() -> None:
    """The score keeper's "Any game" may have been another one each time."""
    games = [play(day, Ada=day, Bo=50) for day in (1, 2, 3)]
    assert not any("best" in line for line in describe_game(play(4, Ada=12, Bo=50), games, has_name=False))


def test_the_best_result_since_a_day_long_ago_is_told() -> None:
    games = [play(0, Ada=20, Bo=90), *(play(day, Ada=5, Bo=90) for day in (50, 51, 52))]
    said = tell(*games, play(60, Ada=12, Bo=90))
    assert "Ada's best Pig since 1 Mar 2026" in said
    assert not any("best" in line for line in tell(*games, play(53, Ada=5, Bo=90))), "as good as the last ones"
    assert not any("best" in line for line in tell(*games[:3], play(60, Ada=12, Bo=90))), "two games between"
    soon = [play(0, Ada=20, Bo=90), *(play(day, Ada=5, Bo=90) for day in (1, 2, 3))]
    assert not any("best" in line for line in tell(*soon, play(27, Ada=12, Bo=90))), "less than four weeks are no time"
    assert "Ada's best Pig since 1 Mar 2026" in tell(*soon, play(28, Ada=12, Bo=90))


def test_a_day_that_the_machine_did_not_know_is_not_told() -> None:
    games = [play(0, known=False, Ada=20, Bo=90), *(play(day, Ada=5, Bo=90) for day in (50, 51, 52))]
    assert not any("best" in line for line in tell(*games, play(60, Ada=12, Bo=90)))


def test_where_fewer_points_are_better_the_best_is_the_lowest() -> None:
    games = [play(day, lowest_wins=True, Ada=30 - day, Bo=1) for day in (1, 2, 3)]
    assert "Ada's best Pig so far: 12" in tell(*games, play(4, lowest_wins=True, Ada=12, Bo=1))
    assert not any("best" in line for line in tell(*games, play(4, lowest_wins=True, Ada=40, Bo=1)))


# The evening ------------------------------------------------------------------------------------------------


def test_who_has_won_most_of_an_evening_is_told() -> None:
    games = [play(0.0, Ada=9, Bo=3), play(0.05, Ada=3, Bo=9), play(0.1, Ada=9, Bo=3)]
    assert tell(*games) == ("Ada won 2 of the 3 games of the day",)
    alone = [{**play(day, Ada=9), "winners": [0]} for day in (0.0, 0.05, 0.1)]
    assert tell(*alone) == (), "who plays alone has won against nobody"
    past_midnight = play(0.25, Ada=3, Bo=9)
    assert tell(*games, past_midnight) == (), "two each"
    assert tell(*games[:2]) == ()
    assert tell(*games[:2], play(1.0, Ada=9, Bo=3)) == (), "another evening"
    assert tell(*games[:2], play(0.1, known=False, Ada=9, Bo=3)) == ()
    assert tell(*games[:2], play(-9.0, days=9.1, Ada=9, Bo=3)) != (), "a game that ended in that evening"
