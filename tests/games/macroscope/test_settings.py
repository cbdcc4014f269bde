"""Each setting of the rules file's section 3, and the house timers."""

import pytest
from pydantic import ValidationError

from companion.games.macroscope import Macroscope, Settings
from companion.games.macroscope.state import Phase


@pytest.mark.parametrize(
    "wrong",
    [
        {"windows": 10},
        {"players_min": 5, "players_max": 4},
    ],
)
def test_invalid_values_are_refused(wrong):
    with pytest.raises(ValidationError):
        Settings(**wrong)


def test_start_crystals_of_the_easier_variant_unless_given():
    assert Settings(variant="easy").start_crystals == 0
    assert Settings(variant="easy", start_crystals=2).start_crystals == 2
    assert Settings.model_validate_json('{"variant": "easy"}').start_crystals == 0
    easy = Settings(variant="easy")
    assert Settings.model_validate(easy) == easy, "settings that are made already stay as they are"
    again = Settings.model_validate(Settings(variant="easy", start_crystals=5).model_dump())
    assert again.start_crystals == 5


def test_players_min_and_max():
    settings = Settings(players_min=3, players_max=4)
    assert Macroscope.create(4, 0, settings).player_count == 4
    for players in (2, 5):
        with pytest.raises(ValueError, match="3 to 4 players"):
            Macroscope.create(players, 0, settings)


def test_start_crystals():
    assert Macroscope.create(2, 0, Settings(start_crystals=7)).crystals == (7, 7)


def test_challenge_cost(at, play):
    game = play(at((2, 3, 2), {"challenge_cost": 3}), "roll 0 2 5", "remove 0 2", "guess 0")
    assert game.list_seats("wish") == (1,)
    assert play(game, "wish 1", "name 1").crystals == (5, 0, 2)


def test_rounds(at, play):
    game = at((2, 1), {"rounds": 1})
    game = play(game, "roll 0 2 5", "remove 0 2", "guess 0", "cover", "right 0")
    assert game.compute_outcome() is not None


@pytest.mark.parametrize(("windows", "copies"), [(6, 1), (12, 2), (18, 3)])
def test_windows(windows, copies):
    game = Macroscope.create(2, 0, Settings(windows=windows))
    assert (game.covered_windows, game.tokens) == (windows, (copies,) * 6)


def test_others_may_guess_after_first_token_off(at, play):
    game = play(at((2, 2), {"others_may_guess_after_first_token": False}), "roll 0 2 5", "remove 0 2")
    assert "ask" not in {m.kind for m in game.list_moves()}


@pytest.mark.parametrize(("verdict", "crystals"), [("right 0", (31, 0, 9)), ("nobody", (9, 0, 9))])
def test_silent_players_lose(at, play, verdict, crystals):
    game = play(at((20, 4, 20), {"silent_players_lose": True}), "roll 0 2 5", "remove 0 2", "guess 0", "close 0")
    assert play(game, "cover", verdict).crystals == crystals


def test_challenge_payee_last_guesser(at, play):
    game = at((2, 4, 5, 6), {"challenge_payee": "last_guesser"})
    game = play(game, "roll 0 2 5", "remove 0 2", "stop 0", "wish 1", "wish 2", "wish 3", "close 0")
    game = play(game, "name 1")
    assert game.crystals == (5, 2, 5, 6), "the first pays the active player, for nobody has guessed"
    game = play(game, "name 2", "name 3")
    assert game.crystals == (5, 4, 5, 4)


def test_no_clocks_unless_set(at, play):
    assert at((2, 2)).list_clocks() == ()
    assert play(at((2, 2)), "roll 0 2 5", "remove 0 2", "stop 0").list_clocks() == ()


def test_turn_clock_only_reminds_and_keeps_its_name(at, play):
    game = at((2, 2), {"turn_seconds": 30})
    (clock,) = game.list_clocks()
    assert (clock.seconds, clock.on_expiry) == (30, None)
    game = play(game, "roll 0 2 5", "remove 0 2")
    assert game.list_clocks() == (clock,)
    assert play(game, "ask 0").list_clocks() == (clock,)
    game = play(game, "stop 0")
    assert game.list_clocks() == ()
    (other,) = play(game, "close 0").list_clocks()
    assert other.name != clock.name


def test_ask_clock_closes_the_asking(at, play):
    game = play(at((2, 2, 2), {"ask_seconds": 10}), "roll 0 2 5", "remove 0 2", "ask 0")
    (first,) = game.list_clocks()
    assert first.seconds == 10
    assert game.play(first.on_expiry).phase is Phase.OPEN
    game = play(game, "stop 0")
    (second,) = game.list_clocks()
    assert second.name != first.name, "another asking, another clock"
    game = play(game, "wish 1")
    assert game.list_clocks() == (second,)
    game = game.play(second.on_expiry)
    assert (game.called_seat, game.list_clocks()) == (1, ())
    (third,) = play(game, "name 1").list_clocks()
    assert third.name != second.name
