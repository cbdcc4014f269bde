"""Players leave the table and come back: they are skipped and not asked, and the turn goes on."""

from dataclasses import replace

import pytest

from companion.api import BadCorrection, Correction, Move, Seat
from companion.games.macroscope import GAME, Macroscope, Settings
from companion.games.macroscope.state import Phase

A, B, C = Seat(0), Seat(1), Seat(2)
NAMES = ("Ada", "Bob", "Cleo")
NAMES_OF_FOUR = (*NAMES, "Dan")


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
    assert after.list_seats("wish") == (C,)
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
    assert after.list_seats("wish") == (B, C)
    assert GAME.describe(remove(game()), goes(A), after, NAMES) == "Ada is away (Ada +1)"


def test_a_player_who_wished_to_guess_and_left_is_not_called() -> None:
    asked = remove(game()).play(Move("stop", A)).play(Move("wish", B))
    called = asked.play(Move("close", A))
    assert called.called_seat == B
    after = called.correct(goes(B))
    assert after.called_seat is None
    assert after.list_seats("wish") == (C,)


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


def make_void_round(seat: Seat = A, **settings: object) -> Macroscope:
    """Return a game in which `seat` has opened the last window and nobody has guessed (M50)."""
    last = replace(Macroscope.create(3, seat, Settings(dice="off", **settings)), tokens=(1, 0, 0, 0, 0, 0))
    return remove(last)


def test_after_a_void_round_the_turn_passes_on_from_a_player_who_leaves_while_windows_are_covered() -> None:
    """M46, M50."""
    covering = make_void_round()
    assert (covering.phase, covering.active_seat) == (Phase.COVER, B)
    after = covering.correct(goes(B))
    assert (after.phase, after.active_seat) == (Phase.COVER, C)
    assert after.play(Move("cover")).active_seat == C
    assert covering.correct(goes(C)).active_seat == B


def test_with_a_guess_made_the_turn_stays_until_the_round_is_scored() -> None:
    """M46: the next player is the left neighbour of the one whose turn it was."""
    covering = remove(game()).play(Move("guess", A)).play(Move("close", A))
    after = covering.correct(goes(A))
    assert (after.phase, after.active_seat) == (Phase.COVER, A)
    assert after.play(Move("cover")).play(Move("nobody")).active_seat == B


def test_who_is_away_loses_nothing_by_saying_nothing() -> None:
    """A1, house rule `silent_players_lose`; a guess made before leaving counts."""
    asked = remove(game(4, silent_players_lose=True, start_crystals=9)).play(Move("guess", A)).play(Move("wish", B))
    guessed = asked.play(Move("close", A)).play(Move("name", B)).play(Move("close", A))
    left = guessed.correct(goes(B)).correct(goes(C)).play(Move("cover"))
    assert left.play(Move("nobody")).totals == (0, 0, 9, 0)


def test_the_table_picks_for_an_active_player_who_has_left() -> None:
    """M24."""
    asked = remove(game(4)).play(Move("stop", A)).play(Move("wish", B)).play(Move("wish", C))
    picking = asked.play(Move("close", A)).correct(goes(A))
    assert picking.phase is Phase.PICK
    assert GAME.format_prompt(picking, NAMES_OF_FOUR) == "Who goes first, Bob or Cleo?"
    assert GAME.get_addressed_seat(picking) is None
    assert GAME.format_prompt(picking.correct(comes(A)), NAMES_OF_FOUR) == "Ada: who goes first, Bob or Cleo?"
