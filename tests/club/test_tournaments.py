"""Tournaments: results that count, standings. Who sits at which table: test_group_draw.py."""

from __future__ import annotations

import json
from datetime import timedelta
from random import Random

import pytest
import sqlalchemy as sa

from companion.club.database import ClubDatabase
from companion.club.group_draw import TournamentError
from companion.club.messages import parse_result
from companion.club.schema import TOURNAMENTS
from companion.club.tournaments import (
    compute_standings,
    create_tournament,
    draw_round,
    drop_last_round,
    leave_tournament,
    list_tournaments,
    read_tournament,
)
from tests.club.build import END, build_result, build_result_object

SIX = ("Ada", "Bob", "Cleo", "Dora", "Eve", "Finn")
LATER = END + timedelta(hours=1)


def play(database: ClubDatabase, sitting: str, players: tuple[str, ...], hours: int = 2, **changes: object) -> None:
    """Save a result in which the players stand in order: the first wins."""
    scores = [(player, 10 - i) for i, player in enumerate(players)]
    database.save_results([build_result(sitting, scores, ended=(END + timedelta(hours=hours)).isoformat(), **changes)])


def test_a_tournament_from_its_begin_to_its_table(database: ClubDatabase) -> None:
    create_tournament(database, "Winter", "pig", range(3, 5), SIX, END)
    assert list_tournaments(database) == ("Winter",)
    play(database, "00000001", SIX[:3])
    tournament = draw_round(database, "Winter", Random(1))
    first, second = (group.players for group in tournament.groups)
    assert sorted((*first, *second)) == sorted(SIX)
    with pytest.raises(TournamentError, match="round 1 is not over: no result yet of group 1, 2"):
        draw_round(database, "Winter", Random(1))

    play(database, "00000002", first, game="go")  # another game
    play(database, "00000003", first[:2])  # one of them is missing
    play(database, "00000004", second)
    tournament = read_tournament(database, "Winter")
    assert [group.sitting and group.sitting.id for group in tournament.groups] == [None, "00000004"]

    play(database, "00000005", first[::-1])
    play(database, "00000006", first, hours=3)  # they played once more: the first result counts
    tournament = read_tournament(database, "Winter")
    assert [group.sitting and group.sitting.id for group in tournament.groups] == ["00000005", "00000004"]
    standings = {s.player: s for s in compute_standings(tournament)}
    assert [standings[p].points for p in first] == [4, 6, 10]
    assert [standings[p].points for p in second] == [10, 6, 4]
    assert standings[second[0]].rank == 1
    assert standings[first[2]].rank == 1
    assert standings[second[0]].score_share == 1

    leave_tournament(database, "Winter", first[0])
    with pytest.raises(TournamentError, match="5 players cannot be split"):
        draw_round(database, "Winter", Random(2))
    tournament = read_tournament(database, "Winter")
    assert tournament.left == (first[0],)
    assert {s.player for s in compute_standings(tournament)} == set(SIX)
    with pytest.raises(TournamentError, match=f'"{first[0]}" is not in it'):
        leave_tournament(database, "Winter", first[0])


def test_a_result_counts_for_one_round_only(database: ClubDatabase) -> None:
    create_tournament(database, "Duel", "", range(2, 3), ("Ada", "Bob"), END)
    draw_round(database, "Duel", Random(1))
    play(database, "00000001", ("Ada", "Bob"), hours=0)
    draw_round(database, "Duel", Random(1))  # in the same second
    groups = read_tournament(database, "Duel").groups
    assert [group.sitting and group.sitting.id for group in groups] == ["00000001", None]
    assert drop_last_round(database, "Duel") == 2
    assert read_tournament(database, "Duel").last_round == 1


@pytest.mark.parametrize("ended", ["1970-01-01T00:05:00Z", "2026-11-23T10:00:00Z", "2199-01-01T00:00:00Z"])
def test_the_clock_of_a_table_does_not_matter(database: ClubDatabase, ended: str) -> None:
    """Results count for the round in which they arrive, of a box without a clock too."""
    create_tournament(database, "Duel", "", range(2, 3), ("Ada", "Bob"), END)
    database.save_results([build_result("00000001", ended=ended)])
    draw_round(database, "Duel", Random(1))
    database.save_results([build_result("00000001", ended=ended, revision=6)])  # corrected: it is no new game
    assert read_tournament(database, "Duel").open_groups
    database.save_results([build_result("00000002", ended=ended)])
    draw_round(database, "Duel", Random(1))
    assert [g.sitting and g.sitting.id for g in read_tournament(database, "Duel").groups] == ["00000002", None]


def test_players_of_a_tournament_may_be_spelt_otherwise_at_the_table(database: ClubDatabase) -> None:
    create_tournament(database, "Duel", "", range(2, 3), ("Zoe\u0308", "Bob"), END)
    draw_round(database, "Duel", Random(1))
    play(database, "00000001", ("Zo\u00eb", "BOB"))
    standings = compute_standings(read_tournament(database, "Duel"))
    assert [(s.player, s.points) for s in standings] == [("Zo\u00eb", 10), ("Bob", 6)]
    leave_tournament(database, "Duel", "bob")
    assert read_tournament(database, "Duel").left == ("Bob",)
    with pytest.raises(TournamentError, match="is named twice"):
        create_tournament(database, "Two", "", range(2, 3), ("Ada", "ada"), END)


def test_a_tournament_has_one_name_in_all_spellings(database: ClubDatabase) -> None:
    create_tournament(database, " Coupe  d\u2019e\u0301te\u0301\u200b", "", range(2, 3), ("Ada", "Bob"), END)
    stored = "Coupe d\u2019\u00e9t\u00e9"
    assert list_tournaments(database) == (stored,)
    other = "COUPE D\u2019\u00c9T\u00c9"
    with pytest.raises(TournamentError, match=f'there is a tournament "{stored}" already'):
        create_tournament(database, other, "", range(2, 3), ("Ada", "Bob"), END)
    assert draw_round(database, other, Random(1)).name == stored
    leave_tournament(database, other, "Bob")
    assert read_tournament(database, other).left == ("Bob",)
    assert drop_last_round(database, other) == 1
    assert read_tournament(database, other).last_round == 0
    with pytest.raises(TournamentError, match="the name of the tournament is empty"):
        create_tournament(database, "\u202e", "", range(2, 3), ("Ada", "Bob"), END)


def test_tournaments_whose_names_differ_only_in_spelling_are_all_found(database: ClubDatabase) -> None:
    """An earlier version could create such names."""
    names = ("CUP", "Cup", "cup ")
    row = {"game": "", "min_seats": 2, "max_seats": 2}
    rows = [row | {"tournament": name, "created": created} for created, name in enumerate(names)]
    database.write(sa.insert(TOURNAMENTS).values(rows))
    assert [read_tournament(database, name).name for name in names] == [*names]
    assert read_tournament(database, "cup").name == "cup ", "the command line knows no space at the end"
    assert read_tournament(database, "cUP").name == "cup ", "the newest"


def test_a_corrected_result_counts_as_corrected(database: ClubDatabase) -> None:
    create_tournament(database, "Duel", "", range(2, 3), ("Ada", "Bob"), END)
    draw_round(database, "Duel", Random(1))
    play(database, "00000001", ("Ada", "Bob"), revision=5)
    play(database, "00000001", ("Bob", "Ada"), revision=6)
    assert [s.player for s in compute_standings(read_tournament(database, "Duel"))] == ["Bob", "Ada"]
    play(database, "00000001", ("Bob", "Ada"), revision=7, finished=False)
    assert read_tournament(database, "Duel").open_groups


def test_mistakes_are_named(database: ClubDatabase) -> None:
    with pytest.raises(TournamentError, match='"Ada" is named twice'):
        create_tournament(database, "Duel", "", range(2, 3), ("Ada", "Bob", "Ada"), END)
    with pytest.raises(TournamentError, match="is empty"):
        create_tournament(database, "Duel", "", range(2, 3), ("Ada", "\u200b"), END)
    with pytest.raises(TournamentError, match="3 players cannot be split"):
        create_tournament(database, "Duel", "", range(2, 3), ("Ada", "Bob", "Cleo"), END)
    create_tournament(database, "Duel", "", range(2, 3), ("Ada", "Bob"), END)
    with pytest.raises(TournamentError, match='there is a tournament "Duel" already'):
        create_tournament(database, "Duel", "", range(2, 3), ("Ada", "Bob"), END)
    with pytest.raises(TournamentError, match='there is no tournament "Cup"; there are: Duel'):
        read_tournament(database, "Cup")
    with pytest.raises(TournamentError, match="no round has been drawn yet"):
        drop_last_round(database, "Duel")


def test_shares_are_those_of_the_places_where_the_scores_do_not_decide(database: ClubDatabase) -> None:
    create_tournament(database, "Three", "", range(3, 4), ("Ada", "Bob", "Cleo"), END)
    tournament = draw_round(database, "Three", Random(1))
    result = build_result_object("00000001", [(name, 9 - i) for i, name in enumerate(tournament.groups[0].players)])
    for place, player in zip((3, 2, 1), result["players"], strict=True):
        player |= {"place": place, "won": place == 1}
    database.save_results([parse_result(json.dumps(result | {"ended": LATER.isoformat()}).encode())])
    standings = compute_standings(read_tournament(database, "Three"))
    assert [(s.player, s.points, s.wins, s.score_share) for s in standings] == [
        (result["players"][2]["name"], 10, 1, 1),
        (result["players"][1]["name"], 6, 0, 0.5),
        (result["players"][0]["name"], 4, 0, 0),
    ]


def test_ties_stand_by_wins_then_shares(database: ClubDatabase) -> None:
    create_tournament(database, "Four", "", range(2, 3), ("Ada", "Bob", "Cleo", "Dora"), END)
    draw_round(database, "Four", Random(1))
    (a, b), (c, d) = (group.players for group in read_tournament(database, "Four").groups)
    play(database, "00000001", (a, b))
    database.save_results([build_result("00000002", ((c, 5), (d, 5)), ended=LATER.isoformat())])
    standings = compute_standings(read_tournament(database, "Four"))
    assert [(s.player, s.rank, s.points) for s in standings] == [
        (a, 1, 10),
        *[(player, 2, 8) for player in sorted((c, d))],
        (b, 4, 6),
    ]
