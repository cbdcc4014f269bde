"""A player leaves the table and comes back: skipped meanwhile, not asked, and the turn goes on."""

import pytest

from companion.games.api.game import BadCorrection, Correction, Move, Seat
from companion.games.macroscope import GAME, Macroscope, Settings
from companion.games.macroscope.state import Phase

A, B, C = Seat(0), Seat(1), Seat(2)
NAMES = ("Ada", "Bob", "Cleo")


def game(players: int = 3, **settings: object) -> Macroscope:
    return Macroscope.create(players, A, Settings(dice="off", **settings))


def goes(seat: Seat) -> Correction:
    return Correction("away", seat, (1,))


def comes(seat: Seat) -> Correction:
    return Correction("away", seat, (0,))


def remove(game: Macroscope, number: int = 1) -> Macroscope:
    return game.play(Move("remove", game.active_seat, (number,)))


def test_players_who_are_away_are_skipped() -> None:
    after = remove(game().correct(goes(B))).play(Move("stop", A))
    assert after.may_wish == (C,)
    assert after.play(Move("close", A)).active_seat == C


def test_a_player_who_is_back_plays_again() -> None:
    back = game().correct(goes(B)).correct(comes(B))
    assert back.list_correctables() == game().list_correctables()
    assert remove(back).play(Move("stop", A)).play(Move("close", A)).active_seat == B


def test_the_active_player_leaves_before_opening_anything() -> None:
    after = game().correct(goes(A))
    assert (after.active_seat, after.phase) == (B, Phase.OPEN)
    assert after.totals == game().totals


def test_the_active_player_leaves_with_a_window_open_and_has_declined() -> None:
    """M16: a crystal for each window; M30: the others may guess."""
    after = remove(game()).correct(goes(A))
    assert after.totals[A] == 3
    assert after.phase is Phase.ASKING
    assert after.may_wish == (B, C)
    assert GAME.describe(remove(game()), goes(A), after, NAMES) == "Ada is away (Ada +1)"


def test_a_player_who_wished_to_guess_and_left_is_not_called() -> None:
    asked = remove(game()).play(Move("stop", A)).play(Move("wish", B))
    called = asked.play(Move("close", A))
    assert called.called_seat == B
    after = called.correct(goes(B))
    assert after.called_seat is None
    assert after.may_wish == (C,)


def test_with_two_players_nobody_can_leave() -> None:
    with pytest.raises(BadCorrection, match="set it aside instead"):
        game(2).correct(goes(A))
    with pytest.raises(BadCorrection):
        game(3).correct(goes(A)).correct(goes(B))


def test_the_turn_cannot_be_given_to_a_player_who_is_away() -> None:
    with pytest.raises(BadCorrection, match="seat 1 is away"):
        game().correct(goes(B)).correct(Correction("active", None, (1,)))


@pytest.mark.parametrize("left", [A, B, C])
def test_a_game_ends_without_those_who_left(left: Seat) -> None:
    playing = game(3, rounds=2).correct(goes(left))
    while playing.compute_outcome() is None:
        assert playing.active_seat != left
        kinds = {m.kind: m for m in playing.list_moves()}
        playing = playing.play(
            kinds.get("nobody") or kinds.get("cover") or kinds.get("close") or kinds.get("guess") or kinds["remove"]
        )
    assert playing.totals[left] == 2
