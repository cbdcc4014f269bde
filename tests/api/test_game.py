"""The base class of games: seats, play and correct, changes of the totals."""

import pytest

from companion.api import (
    BadCorrection,
    Correctable,
    Correction,
    IllegalMove,
    Move,
    Seat,
    ValueRange,
    check_start,
    list_by_seat,
    replace_at,
)
from tests.api.tally import new


def test_seats_go_clockwise_from_the_left_neighbour() -> None:
    assert new(0, 0, 0, 0).list_others(Seat(2)) == (3, 0, 1)
    assert new(0, 0).list_others(Seat(1)) == (0,)


def test_the_next_seat_is_that_of_a_player_who_is_there() -> None:
    game = new(0, 0, 0, 0, away=(1, 2))
    assert game.present_seats == (0, 3)
    assert [game.find_next_seat(Seat(q)) for q in range(4)] == [3, 3, 3, 0]
    assert new(0, 0, away=(0,)).find_next_seat(Seat(1)) == 1, "there is no other"


def test_a_player_leaves_and_comes_back() -> None:
    game = new(0, 0, 0).set_away(Seat(1), True)
    assert game.away == (False, True, False)
    assert game.set_away(Seat(1), False) == new(0, 0, 0)


@pytest.mark.parametrize(
    ("points", "leaders", "places"),
    [((3, 1, 3), (0, 2), (1, 3, 1)), ((1, 4, 3), (1,), (3, 1, 2)), ((-2, -1), (1,), (2, 1))],
)
def test_all_with_the_highest_total_lead(
    points: tuple[int, ...], leaders: tuple[int, ...], places: tuple[int, ...]
) -> None:
    assert (new(*points).leaders, new(*points).places) == (leaders, places)


def test_a_move_changes_the_totals_by_seat() -> None:
    game = new(1, 2)
    after = game.play(Move("add", Seat(0), (3,)))
    assert (after.totals, after.changes) == ((4, 2), (3, 0))
    assert game == new(1, 2), "the game before stays as it is"


@pytest.mark.parametrize(
    ("move", "why"),
    [
        (Move("add", Seat(0), (4,)), "T2: 1 to 3 are added"),
        (Move("add", Seat(0), value_range=ValueRange(1, 1, 3)), "T2: 1 to 3 are added"),
        (Move("add", Seat(1), (1,)), "T1: it is seat 0's turn"),
        (Move("add", Seat(2), (1,)), "T1: 'add' needs one of the 2 seats, not 2"),
        (Move("add", None, (1,)), "T1: 'add' needs one of the 2 seats, not None"),
        (Move("double", Seat(0)), "T4: there is nothing to double"),
        (Move("take", Seat(0), (1,)), "T1: 'take' is not a move of this game"),
    ],
)
def test_a_move_that_is_not_listed_is_refused(move: Move, why: str) -> None:
    with pytest.raises(IllegalMove, match=f"^{why}$"):
        new(0, 0).play(move)


def test_after_the_end_no_move_is_legal() -> None:
    game = new(5, 0)
    assert game.list_moves() == ()
    with pytest.raises(IllegalMove, match=r"^T3: 5 points are reached$"):
        game.play(Move("add", Seat(0), (1,)))


def test_a_correction_changes_the_totals_by_seat() -> None:
    after = new(1, 7).correct(Correction("points", Seat(1), (4,)))
    assert (after.totals, after.changes) == ((1, 4), (0, -3))


def test_a_correction_gives_the_turn_to_anybody_who_is_there() -> None:
    game = new(0, 0, 0, 0, away=(1,))
    for seat in (2, 3):
        assert game.correct(Correction("active", None, (seat,))).active_seat == seat
    with pytest.raises(BadCorrection, match=r"^T5: seat 1 is away$"):
        game.correct(Correction("active", None, (1,)))
    with pytest.raises(BadCorrection, match=r"^active: \(4,\) is not within 0 to 3$"):
        game.correct(Correction("active", None, (4,)))


@pytest.mark.parametrize(
    ("correction", "why"),
    [
        (Correction("colour", Seat(0), (1,)), "colour cannot be corrected now"),
        (Correction("points", None, (1,)), "points cannot be corrected now"),
        (Correction("points", Seat(0), (1,), (2,)), "points 2 cannot be corrected now"),
        (Correction("points", Seat(0), (10,)), r"points: \(10,\) is not within 0 to 9"),
        (Correction("points", Seat(0), ()), r"points: \(\) is not within 0 to 9"),
    ],
)
def test_a_correction_of_something_else_or_out_of_range_is_refused(correction: Correction, why: str) -> None:
    with pytest.raises(BadCorrection, match=f"^{why}$"):
        new(0, 0).correct(correction)


def test_the_entry_that_a_correction_is_about_is_found_for_any_value() -> None:
    entry = new(1, 2).find_correctable(Correction("points", Seat(1), (99,)))
    assert (entry.seat, entry.current_value) == (1, (2,))
    assert new(1, 2).find_correctable(Correction("points", Seat(2), (1,))) is None


def test_an_entry_for_each_seat_includes_present_values_beyond_the_limits() -> None:
    entries = list(list_by_seat("points", (-3, 5, 12), 0, 9, (4,)))
    assert entries == [
        Correctable("points", Seat(0), (-3,), ValueRange(1, -3, 9), (4,)),
        Correctable("points", Seat(1), (5,), ValueRange(1, 0, 9), (4,)),
        Correctable("points", Seat(2), (12,), ValueRange(1, 0, 12), (4,)),
    ]


@pytest.mark.parametrize(("place", "after"), [(0, "Xbc"), (1, "aXc"), (2, "abX")])
def test_one_item_is_replaced(place: int, after: str) -> None:
    assert replace_at(tuple("abc"), place, "X") == tuple(after)


def test_a_game_starts_with_an_allowed_number_of_players_and_a_seat_that_exists() -> None:
    for players, first in ((3, 0), (5, 4)):
        check_start("Chess", range(3, 6), players, Seat(first))
    for players in (2, 6):
        with pytest.raises(ValueError, match=f"^Chess is for 3 to 5 players, not {players}$"):
            check_start("Chess", range(3, 6), players, Seat(0))
    for first in (-1, 4):
        with pytest.raises(ValueError, match=f"^seat {first} cannot begin among 4 players$"):
            check_start("Chess", range(3, 6), 4, Seat(first))
