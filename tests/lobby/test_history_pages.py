"""Rows and numbers of the history's pages, built from summaries of past games."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any, cast

import pytest

from companion.api import Command, CommandName, ConsolePress, NumberPress
from companion.i18n import set_language
from companion.journal.renamed_players import PlayerNames
from companion.lobby.history import START_PAGE, HistoryPage, PagePath, build_page, list_ended_games
from companion.lobby.results_cache import ResultsCache
from companion.lobby_views import HistoryRow


def played(
    id: int, title: str, day: int, scores: dict[str, int], *, over: bool = True, places: Sequence[int] = ()
) -> dict[str, Any]:
    places = places or [1 + sum(other > score for other in scores.values()) for score in scores.values()]
    return {
        "id": id,
        "title": title,
        "imported": False,
        "begun": f"2026-11-{day:02}T21:04:00+00:00",
        "ended": f"2026-11-{day:02}T22:04:00+00:00",
        "date_known": True,
        "players": list(scores),
        "scores": list(scores.values()),
        "rounds": [],
        "winners": [seat for seat, place in enumerate(places) if place == 1],
        "places": places,
        "lowest_wins": False,
        "over": over,
    }


GAMES = [
    played(1, "Memo Dice", 3, {"Ada": 3, "Star": 9}),
    played(2, "Macroscope", 5, {"Ada": 12, "Bob": -4, "Cleo": 12}),
    played(3, "Macroscope", 4, {"Cleo": 5, "Ada": 20}),
    played(4, "Macroscope", 9, {"Ada": 90}, over=False),
    played(5, "Memo Dice", 2, {"Dan": 1, "Bob": 0}),
    {"id": 6, "imported": False, "ended": "2026-11-01T10:00:00+00:00", "date_known": True, "trouble": "torn"},
]
"""In the order of a journal, in which imported games come last."""


def results(games: list[dict[str, Any]] = GAMES, unread: int = 0) -> ResultsCache:
    return cast(ResultsCache, SimpleNamespace(summaries=games, unread_count=unread, player_names=PlayerNames()))


def test_games_are_listed_as_they_ended() -> None:
    """A game of an unknown day stands where the journal has it; imported ones come last there."""
    over = [game | {"over": True} for game in GAMES[:5]]
    over[1] |= {"ended": "2026-11-20T21:04:00+00:00"}
    over[3] |= {"ended": "1970-01-01T00:01:00+00:00", "date_known": False}
    over[4] |= {"imported": True}
    assert [game["id"] for game in list_ended_games(results(over))] == [5, 1, 3, 2, 4]


def test_where_the_fewest_points_win_the_best_is_the_lowest() -> None:
    games = [played(1, "Hearts", 3, {"Ada": 40, "Bob": 100}) | {"lowest_wins": True, "winners": [0]}]
    (row,) = page(*START_PAGE, games=games).table.rows
    assert row.cells == ("1", "40")
    assert row.detail.startswith("Best: Ada.")


def page(*path: str, games: list[dict[str, Any]] = GAMES) -> HistoryPage:
    return build_page(results(games), path)


def keys(shown: HistoryPage) -> dict[int, str]:
    """Return the labels of the number keys."""
    return {answer.input.number: answer.label for answer in shown.number_keys if isinstance(answer.input, NumberPress)}


def path_after(shown: HistoryPage, pressed: ConsolePress | int) -> PagePath | None:
    """Return the page to which a key leads; None: out of the history."""
    wanted = NumberPress(pressed) if isinstance(pressed, int) and not isinstance(pressed, ConsolePress) else pressed
    (step,) = (answer.step for answer in shown.list_answers() if answer.input == wanted)
    if step is None or isinstance(step, Command):
        return None
    return step.path if isinstance(step, HistoryPage) else cast(Any, step).args[1]


def test_the_first_page_has_a_row_for_each_game() -> None:
    shown = page("games")
    assert shown.prompt == "History: 4 finished games"
    assert (shown.table.label_heading, shown.table.headings) == ("Game", ("played", "best"))
    assert shown.table.rows == (
        HistoryRow("Macroscope", ("2", "20"), "Best: Ada. Last won by Ada and Cleo, 5 Nov 2026"),
        HistoryRow("Memo Dice", ("2", "9"), "Best: Star. Last won by Star, 3 Nov 2026"),
    )
    assert keys(shown) == {1: "Line 1", 2: "Line 2", 6: "Players"}
    assert [path_after(shown, n) for n in (1, 2, 6)] == [("game", "Macroscope"), ("game", "Memo Dice"), ("players",)]
    assert path_after(shown, ConsolePress.OK) == ("game", "Macroscope")
    assert path_after(shown, ConsolePress.NO) is None


def test_five_games_have_a_key_and_the_sixth_key_leads_to_the_players() -> None:
    shown = page("games", games=[played(n, f"Game {n}", 1, {"Ada": n}) for n in range(1, 8)])
    assert keys(shown) == {**{n: f"Game {n}" for n in range(1, 6)}, 6: "Players"}
    assert len(shown.table.rows) == 7


def test_the_page_of_a_game_has_a_row_for_each_player() -> None:
    shown = page("game", "Macroscope")
    assert shown.prompt == "Macroscope: played 2 times"
    assert (shown.table.label_heading, shown.table.headings) == ("Player", ("played", "won", "best"))
    assert shown.table.rows == (
        HistoryRow("Ada", ("2", "2", "20"), is_leader=True),
        HistoryRow("Cleo", ("2", "1", "12")),
        HistoryRow("Bob", ("1", "0", "−4")),
    )
    assert (keys(shown), path_after(shown, 6)) == ({6: "Results"}, ("results", "game", "Macroscope"))
    assert path_after(shown, ConsolePress.OK) == ("player", "Ada")
    assert path_after(shown, ConsolePress.NO) == ("games",)


def test_players_are_sorted_by_victories_then_games_then_name() -> None:
    shown = page("players")
    assert shown.prompt == "History: 4 players"
    assert (shown.table.label_heading, shown.table.headings) == ("Player", ("played", "won"))
    # "Star" is the shape of a seat: it may have been anybody.
    assert [(row.label, row.cells) for row in shown.table.rows] == [
        ("Ada", ("3", "2")),
        ("Cleo", ("2", "1")),
        ("Dan", ("1", "1")),
        ("Bob", ("2", "0")),
    ]
    assert path_after(shown, ConsolePress.OK) == ("player", "Ada")
    assert path_after(shown, ConsolePress.NO) == ("games",)
    tied = page("players", games=[played(1, "Toy", 1, {"Cleo": 1, "Bob": 1, "Ada": 1})])
    assert [row.label for row in tied.table.rows] == ["Ada", "Bob", "Cleo"]


def test_the_page_of_a_player_has_a_row_for_each_game() -> None:
    shown = page("player", "Ada")
    assert shown.prompt == "Ada: won 2 of 3"
    assert shown.table.rows == (
        HistoryRow("Macroscope", ("2", "2", "20")),
        HistoryRow("Memo Dice", ("1", "0", "3")),
    )
    assert path_after(shown, ConsolePress.OK) == ("game", "Macroscope")
    assert path_after(shown, 6) == ("results", "player", "Ada")
    assert path_after(shown, ConsolePress.NO) == ("players",)


@pytest.mark.parametrize(
    ("kind", "key", "rows", "ids"),
    [
        (
            "game",
            "Macroscope",
            [("5 Nov 2026, 21:04", "Ada 12, Cleo 12, Bob −4"), ("4 Nov 2026, 21:04", "Ada 20, Cleo 5")],
            [2, 3],
        ),
        (
            "player",
            "Bob",
            [
                ("Macroscope, 5 Nov 2026, 21:04", "Ada 12, Cleo 12, Bob −4"),
                ("Memo Dice, 2 Nov 2026, 21:04", "Dan 1, Bob 0"),
            ],
            [2, 5],
        ),
    ],
)
def test_results_are_listed_the_latest_first(kind: str, key: str, rows: list[tuple[str, str]], ids: list[int]) -> None:
    shown = page("results", kind, key)
    assert shown.prompt == f"{key}: all results"
    assert [(row.label, row.detail) for row in shown.table.rows] == rows
    assert shown.table.label_heading == ("Day" if kind == "game" else "Game")
    assert list(shown.row_steps) == [Command(CommandName.RESULT, (id,)) for id in ids]
    assert path_after(shown, ConsolePress.NO) == (kind, key)


def test_results_stand_by_their_places_not_by_their_scores() -> None:
    games = [played(1, "Hearts", 3, {"Ada": 40, "Bob": 100, "Cy": 70}, places=(3, 2, 1))]
    shown = page("results", "game", "Hearts", games=games)
    assert [row.detail for row in shown.table.rows] == ["Cy 70, Bob 100, Ada 40"]


def test_a_players_row_says_who_was_beaten_in_a_row_or_what_was_played_last() -> None:
    games = [played(day, "Macroscope", day, {"Ada": 9, "Bob": 3}) for day in (3, 4, 5)]
    rows = {row.label: row.detail for row in page("players", games=games).table.rows}
    assert rows == {"Ada": "Beat Bob 3 times in a row", "Bob": "Last game: Macroscope, 5 Nov 2026"}


def test_a_page_of_several_rows_is_stepped_through_both_ways() -> None:
    shown = page("players")
    up, down = (
        next(answer for answer in shown.list_answers() if answer.input is pressed)
        for pressed in (ConsolePress.PLUS, ConsolePress.MINUS)
    )
    assert (up.label, down.label, up.repeats, down.repeats) == ("Up", "Down", True, True)
    assert (up.step.table.selected, down.step.table.selected) == (3, 1)
    assert path_after(up.step, ConsolePress.OK) == ("player", "Bob")
    assert path_after(down.step, ConsolePress.OK) == ("player", "Cleo")
    assert [answer.awaited for answer in shown.list_answers()] == [False, True, False, False], "OK is waited for"
    alone = page("players", games=[played(1, "Toy", 1, {"Ada": 1})])
    assert {answer.input for answer in alone.list_answers()} == {ConsolePress.OK, ConsolePress.NO}, "nothing to step to"


@pytest.mark.parametrize(
    ("path", "prompt"),
    [
        (("games",), "No finished games yet"),
        (("players",), "No names yet"),
        (("player", "Ada"), "Ada: won 0 of 0"),
        (("results", "game", "Toy"), "Toy: all results"),
    ],
)
def test_pages_without_rows_lead_only_back(path: PagePath, prompt: str) -> None:
    shown = page(*path, games=[])
    assert (shown.prompt, shown.table.rows) == (prompt, ())
    inputs = [answer.input for answer in shown.list_answers() if not isinstance(answer.input, NumberPress)]
    assert inputs == [ConsolePress.NO]


@pytest.mark.parametrize(
    ("unread", "prompt"),
    [(1, "One moment: 1 game is still to be read"), (2, "One moment: 2 games are still to be read")],
)
def test_games_still_to_be_read_are_counted(unread: int, prompt: str) -> None:
    shown = build_page(results(unread=unread), ("players",))
    assert (shown.prompt, shown.path, shown.table.rows) == (prompt, ("players",), ())


def test_titles_are_translated_and_names_that_people_gave_stay() -> None:
    games = [played(1, "Any game", 3, {"Ada": 3}), played(2, "Any game at Bob's", 4, {"Ada": 4})]
    set_language("it")
    try:
        shown = page("games", games=games)
        assert [row.label for row in shown.table.rows] == ["Any game at Bob's", "Qualsiasi gioco"]
        assert path_after(shown, 2) == ("game", "Any game")
        assert page("game", "Any game", games=games).prompt.startswith("Qualsiasi gioco: ")
        labels = {row.label for row in page("player", "Ada", games=games).table.rows}
        assert labels == {"Any game at Bob's", "Qualsiasi gioco"}
        assert page("results", "player", "Ada", games=games).table.rows[1].label.startswith("Qualsiasi gioco, ")
    finally:
        set_language("en")


def test_all_who_won_most_lead_and_nobody_without_a_win() -> None:
    equal = page(
        "players", games=[played(1, "Toy", 1, {"Bob": 2, "Ada": 1}), played(2, "Toy", 2, {"Ada": 2, "Bob": 1})]
    )
    assert [(row.label, row.is_leader) for row in equal.table.rows] == [("Ada", True), ("Bob", True)]
    assert [row.is_leader for row in page("players").table.rows] == [True, False, False, False]
    assert not any(row.is_leader for row in page("player", "Ada").table.rows), "a player's rows are games"


def test_a_page_without_games_says_how_there_will_be_some() -> None:
    assert page(games=[]).table.note == "Play a game to its end: it will stand here"


def test_while_games_are_read_the_page_shows_how_many_are_done() -> None:
    shown = build_page(results(GAMES, unread=2), ("games",))
    assert (shown.table.rows, shown.table.progress) == ((), 0.75)
